// Somebody else's simulator, on Fast DDS: a car on an empty plane that stands where it is put.
//
//     fastdds_simulator DOMAIN
//
// Serves `/sim_backend/apply` as the ROS 2 middleware on Fast DDS does, and publishes what our node needs. Runs until it is killed;
// other_simulator.py puts it in place of ours.

#include <chrono>
#include <cmath>
#include <thread>

#include "fastdds.hpp"

enum Kind : uint8_t { SetPose = 1, SetPaused = 9 };
enum Result : uint8_t { Ok = 0, Refused = 1 };

struct Command {
    uint8_t kind = 0, fields = 0;
    std::string entity;
    double x = 0.0, y = 0.0, yaw = 0.0;
    bool paused = false;
};

Command read_command(Cdr& cdr) {
    Command command;
    double z, duration, speed, brightness, steering, pan, tilt, factor;
    bool looped;
    uint32_t points;
    uint64_t seed;
    int32_t red_at_sec;
    uint32_t red_at_nanosec;
    std::string world, light;
    cdr >> command.kind >> command.entity >> command.fields >> command.x >> command.y >> z >> command.yaw >> duration;
    cdr >> points;
    for (uint32_t k = 0; k < 3 * points; ++k) {
        double coordinate;
        cdr >> coordinate;
    }
    cdr >> speed >> looped >> world >> seed >> light >> red_at_sec >> red_at_nanosec >> brightness >> steering >> pan >> tilt;
    cdr >> command.paused >> factor;
    return command;
}

class Simulator {
public:
    // What there is of the answer before the states.
    void answer(Cdr& request, Cdr& response) {
        uint64_t expected_epoch;
        double deadline;
        uint32_t commands;
        uint8_t result = Ok;
        request >> expected_epoch >> deadline >> commands;
        for (uint32_t k = 0; k < commands; ++k) {
            const Command command = read_command(request);
            ++revision;
            if (command.kind == SetPose && command.entity == "vehicle") {
                if (command.fields & 1) x = command.x;
                if (command.fields & 2) y = command.y;
                if (command.fields & 8) yaw = command.yaw;
            } else if (command.kind == SetPaused) {
                paused = command.paused;
            } else {
                result = Refused;
            }
        }
        response << result << std::string(result == Ok ? "" : "this simulator cannot do that") << uint64_t{0};
        write_stamp(response);
        response << epoch;
        write_states(response);
    }

    void write_status(Cdr& cdr) const {
        write_stamp(cdr);
        cdr << elapsed() << 1.0 << paused << uint64_t{0} << revision << epoch << std::string("elsewhere") << uint8_t{2}
            << std::string("vehicle");
    }

    void write_states(Cdr& cdr) const {
        write_stamp(cdr);
        cdr << uint64_t{0} << revision << epoch << uint32_t{1} << std::string("vehicle");
        cdr << uint32_t{1} << x << y << 0.0 << 0.0 << 0.0 << std::sin(yaw / 2) << std::cos(yaw / 2);
        cdr << uint32_t{1};
        for (int k = 0; k < 6; ++k) cdr << 0.0;
    }

    void pass_time() {
        if (!paused) ++revision;
    }

private:
    double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }

    void write_stamp(Cdr& cdr) const {
        const double now = elapsed();
        cdr << static_cast<int32_t>(now) << static_cast<uint32_t>(std::fmod(now, 1.0) * 1e9);
    }

    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    double x = 1.0, y = 2.0, yaw = 0.5;
    uint64_t revision = 1, epoch = 1;
    bool paused = false;
};

int main(int count, char** arguments) {
    if (count != 2) return 2;
    Peer peer(static_cast<uint32_t>(std::stoul(arguments[1])));
    Simulator simulator;
    auto* status = peer.writer("rt/sim/status", "sim_api_msgs::msg::dds_::SimStatus_");
    auto* states = peer.writer("rt/sim/entity_states", "sim_api_msgs::msg::dds_::EntityStates_");
    auto* requests = peer.reader("rq/sim_backend/applyRequest", "sim_api_msgs::srv::dds_::Apply_Request_",
                                 Durability::Volatile);
    auto* replies = peer.writer("rr/sim_backend/applyReply", "sim_api_msgs::srv::dds_::Apply_Response_");
    for (uint64_t tick = 0;; ++tick) {
        for (auto& request : take(requests)) {
            Bytes response = written([&](Cdr& answer) {
                read(request.bytes, [&](Cdr& question) { simulator.answer(question, answer); });
            });
            // The answer names the request, or the reader that the request has named for it.
            rtps::WriteParams params;
            params.related_sample_identity() = request.info.sample_identity;
            const auto& named = request.info.related_sample_identity.writer_guid();
            if (named != rtps::GUID_t::unknown()) params.related_sample_identity().writer_guid() = named;
            replies->write(&response, params);
        }
        if (tick % 4 == 0) {
            simulator.pass_time();
            Bytes message = written([&](Cdr& cdr) { simulator.write_states(cdr); });
            states->write(&message);
        }
        if (tick % 20 == 0) {
            Bytes message = written([&](Cdr& cdr) { simulator.write_status(cdr); });
            status->write(&message);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}
