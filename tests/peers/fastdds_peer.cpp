// Fast DDS against our ROS side: another people's DDS and CDR reads our topics, drives the car and calls our service.
//
//     fastdds_peer DOMAIN
//
// The simulator runs on that domain with `--ros-service-mapping fastdds`. Ends with `N passed, M failed`.

#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>
#include <utility>

#include "fastdds.hpp"

constexpr auto LIMIT = std::chrono::seconds(30);
// Seconds of simulation time in which messages are counted, and the share of them that must arrive.
constexpr double COUNTED_S = 4.0;
constexpr double ARRIVING = 0.8;

template <typename Probe>
void wait_for(const std::string& what, Probe probe) {
    const auto until = std::chrono::steady_clock::now() + LIMIT;
    while (!probe()) {
        demand(std::chrono::steady_clock::now() < until, "waited in vain for " + what);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

// Counts the messages of some seconds of simulation time; `look` reads the rest of each after its header.
void count(Peer& peer, const std::string& topic, const std::string& type, double rate_hz,
           const std::function<void(Cdr&, const std::string& frame)>& look) {
    auto* reader = peer.reader("rt" + topic, type, Durability::Volatile);
    double first = 0.0, last = 0.0;
    int seen = 0;
    wait_for(topic, [&] {
        for (auto& sample : take(reader)) {
            read(sample.bytes, [&](Cdr& cdr) {
                std::string frame;
                const double stamp = read_stamp(cdr);
                demand(seen == 0 || stamp > last, topic + " goes back in time");
                first = seen == 0 ? stamp : first;
                last = stamp;
                cdr >> frame;
                look(cdr, frame);
                ++seen;
            });
        }
        return last - first > COUNTED_S;
    });
    const double expected = (last - first) * rate_hz + 1;
    std::cout << "  " << topic << ": " << seen << " of " << std::lround(expected) << " messages" << std::endl;
    demand(seen >= ARRIVING * expected && seen <= expected + 2, std::to_string(seen) + " messages on " + topic);
}

void scans_arrive_ten_times_a_second(Peer& peer) {
    count(peer, "/scan", "sensor_msgs::msg::dds_::LaserScan_", 10, [](Cdr& cdr, const std::string& frame) {
        demand(frame == "lidar_link", frame);
        float angles_and_limits[7];
        cdr.deserializeArray(angles_and_limits, 7);
        std::vector<float> ranges;
        cdr >> ranges;
        demand(ranges.size() == 720, std::to_string(ranges.size()) + " rays");
    });
}

struct Place {
    double x = 0.0, y = 0.0;
};

Place read_position(Cdr& cdr) {
    double pose[7];
    cdr.deserializeArray(pose, 7);
    return {pose[0], pose[1]};
}

void odometry_arrives_thirty_times_a_second(Peer& peer) {
    count(peer, "/odom", "nav_msgs::msg::dds_::Odometry_", 30, [](Cdr& cdr, const std::string& frame) {
        std::string child;
        cdr >> child;
        demand(frame == "odom" && child == "base_footprint", frame + " " + child);
        const Place place = read_position(cdr);
        demand(std::isfinite(place.x) && std::isfinite(place.y), "no number");
    });
}

void late_joiner_receives_the_epoch(Peer& peer) {
    auto* reader = peer.reader("rt/sim/epoch", "sim_api_msgs::msg::dds_::Epoch_", Durability::Latched);
    wait_for("the epoch", [&] {
        for (auto& sample : take(reader)) {
            uint64_t number = 0;
            std::string cause;
            read(sample.bytes, [&](Cdr& cdr) { cdr >> number >> cause; });
            demand(number >= 1 && !cause.empty(), cause);
            return true;
        }
        return false;
    });
}

void cmd_vel_moves_the_car(Peer& peer) {
    auto* odom = peer.reader("rt/odom", "nav_msgs::msg::dds_::Odometry_", Durability::Volatile);
    auto* drive = peer.writer("rt/cmd_vel", "geometry_msgs::msg::dds_::Twist_");
    auto twist = [](double speed) {
        return written([speed](Cdr& cdr) {
            const double six[6] = {speed, 0.0, 0.0, 0.0, 0.0, 0.0};
            cdr.serializeArray(six, 6);
        });
    };
    std::unique_ptr<Place> start;
    wait_for("a car that has moved", [&] {
        Bytes go = twist(0.5);
        drive->write(&go);
        for (auto& sample : take(odom)) {
            Place now;
            read(sample.bytes, [&](Cdr& cdr) {
                std::string frame, child;
                read_stamp(cdr);
                cdr >> frame >> child;
                now = read_position(cdr);
            });
            if (!start) start = std::make_unique<Place>(now);
            if (std::hypot(now.x - start->x, now.y - start->y) > 0.2) return true;
        }
        return false;
    });
    Bytes stop = twist(0.0);
    drive->write(&stop);
}

// One command: the vehicle to this x, the rest as it is.
Bytes teleport(double x) {
    return written([x](Cdr& cdr) {
        const std::string none;
        cdr << uint64_t{0} << 0.0;
        cdr << uint32_t{1} << uint8_t{1} << std::string("vehicle") << uint8_t{1} << x << 0.0 << 0.0 << 0.0 << 0.0;
        cdr << uint32_t{0} << 0.0 << false << none << uint64_t{0} << none << int32_t{0} << uint32_t{0};
        cdr << 0.0 << 0.0 << 0.0 << 0.0 << false << 0.0;
        cdr << uint32_t{0};
    });
}

void read_answer(Bytes& bytes, double x) {
    read(bytes, [x](Cdr& cdr) {
        uint8_t result = 255;
        std::string message;
        uint64_t step, epoch, states_step, revision, states_epoch;
        std::vector<std::string> names;
        cdr >> result >> message >> step;
        demand(result == 0, message);
        read_stamp(cdr);
        cdr >> epoch;
        read_stamp(cdr);
        cdr >> states_step >> revision >> states_epoch >> names;
        uint32_t poses = 0;
        cdr >> poses;
        for (uint32_t k = 0; k < poses; ++k) {
            const Place place = read_position(cdr);
            if (names.at(k) == "vehicle") {
                demand(std::abs(place.x - x) < 1e-3, "the car is at " + std::to_string(place.x));
                return;
            }
        }
        demand(false, "the answer names no vehicle");
    });
}

void service_teleports_the_car(Peer& peer) {
    auto* requests = peer.writer("rq/sim_backend/applyRequest", "sim_api_msgs::srv::dds_::Apply_Request_");
    auto* replies = peer.reader("rr/sim_backend/applyReply", "sim_api_msgs::srv::dds_::Apply_Response_",
                                Durability::Volatile);
    auto call = [&](double x, std::chrono::milliseconds patience) {
        Bytes request = teleport(x);
        // As the ROS 2 middleware on Fast DDS does: the request names the reader of the answer, and the answer the request.
        rtps::WriteParams params;
        params.related_sample_identity().writer_guid() = replies->guid();
        demand(requests->write(&request, params), "the request was not sent");
        const auto number = params.sample_identity().sequence_number();
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until) {
            for (auto& sample : take(replies)) {
                const auto& about = sample.info.related_sample_identity;
                const bool ours = about.writer_guid() == replies->guid() || about.writer_guid() == requests->guid();
                if (!ours || about.sequence_number() != number) continue;
                read_answer(sample.bytes, x);
                return true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return false;
    };
    // A server that has just been discovered may miss the first request.
    wait_for("an answer", [&] { return call(0.5, std::chrono::seconds(1)); });
    for (int attempt = 0; attempt < 20; ++attempt) {
        demand(call(0.5 + attempt * 0.05, LIMIT), "call " + std::to_string(attempt) + " was not answered");
    }
}

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: fastdds_peer DOMAIN" << std::endl;
        return 2;
    }
    Peer peer(static_cast<uint32_t>(std::stoul(arguments[1])));
    const std::vector<std::pair<std::string, void (*)(Peer&)>> tests = {
        {"late_joiner_receives_the_epoch", late_joiner_receives_the_epoch},
        {"scans_arrive_ten_times_a_second", scans_arrive_ten_times_a_second},
        {"odometry_arrives_thirty_times_a_second", odometry_arrives_thirty_times_a_second},
        {"cmd_vel_moves_the_car", cmd_vel_moves_the_car},
        {"service_teleports_the_car", service_teleports_the_car},
    };
    int failed = 0;
    for (const auto& [name, test] : tests) {
        try {
            test(peer);
            std::cout << name << " ... ok" << std::endl;
        } catch (const std::exception& error) {
            ++failed;
            std::cout << name << " ... FAILED: " << error.what() << std::endl;
        }
    }
    std::cout << tests.size() - failed << " passed, " << failed << " failed" << std::endl;
    return failed ? 1 : 0;
}
