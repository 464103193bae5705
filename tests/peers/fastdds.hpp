// Fast DDS in a few lines for the peers: messages as bytes with a name, so that no generator is needed, and topics by their names.
// Built on Debian's libfastrtps-dev and libfastcdr-dev.

#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/common/WriteParams.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using Bytes = std::vector<char>;

// A message as it is on the wire, with the header that tells its byte order.
class WireType : public fast::TopicDataType {
public:
    explicit WireType(const std::string& name) {
        setName(name.c_str());
        m_typeSize = 1 << 20;
    }
    bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
        const auto& bytes = *static_cast<Bytes*>(data);
        payload->encapsulation = CDR_LE;
        payload->length = static_cast<uint32_t>(bytes.size());
        std::memcpy(payload->data, bytes.data(), bytes.size());
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
        const auto* start = reinterpret_cast<const char*>(payload->data);
        static_cast<Bytes*>(data)->assign(start, start + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
        return [data] { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
    }
    void* createData() override { return new Bytes(); }
    void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
    bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

inline Bytes written(const std::function<void(Cdr&)>& write) {
    FastBuffer buffer;
    Cdr cdr(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    cdr.serialize_encapsulation();
    write(cdr);
    return Bytes(buffer.getBuffer(), buffer.getBuffer() + cdr.getSerializedDataLength());
}

inline void read(Bytes& bytes, const std::function<void(Cdr&)>& take) {
    FastBuffer buffer(bytes.data(), bytes.size());
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    cdr.read_encapsulation();
    take(cdr);
}

inline double read_stamp(Cdr& cdr) {
    int32_t sec = 0;
    uint32_t nanosec = 0;
    cdr >> sec >> nanosec;
    return sec + nanosec * 1e-9;
}

inline void demand(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

struct Sample {
    Bytes bytes;
    fast::SampleInfo info;
};

enum class Durability { Volatile, Latched };

class Peer {
public:
    explicit Peer(uint32_t domain) {
        // The simulator is announced on this machine only.
        auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        transport->interfaceWhiteList.push_back("127.0.0.1");
        transport->maxInitialPeersRange = 30;
        fast::DomainParticipantQos qos;
        qos.transport().use_builtin_transports = false;
        qos.transport().user_transports.push_back(transport);
        rtps::Locator_t here;
        rtps::IPLocator::setIPv4(here, 127, 0, 0, 1);
        qos.wire_protocol().builtin.initialPeersList.push_back(here);
        qos.wire_protocol().builtin.metatrafficUnicastLocatorList.push_back(here);
        participant = fast::DomainParticipantFactory::get_instance()->create_participant(domain, qos);
        demand(participant != nullptr, "no participant");
        subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
        publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    }

    fast::DataReader* reader(const std::string& topic, const std::string& type, Durability durability) {
        fast::DataReaderQos qos;
        qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = durability == Durability::Latched ? fast::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                  : fast::VOLATILE_DURABILITY_QOS;
        qos.history().depth = 300;
        qos.endpoint().history_memory_policy = rtps::DYNAMIC_RESERVE_MEMORY_MODE;
        return subscriber->create_datareader(known(topic, type), qos);
    }

    fast::DataWriter* writer(const std::string& topic, const std::string& type) {
        fast::DataWriterQos qos;
        qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = fast::VOLATILE_DURABILITY_QOS;
        qos.history().depth = 10;
        qos.endpoint().history_memory_policy = rtps::DYNAMIC_RESERVE_MEMORY_MODE;
        return publisher->create_datawriter(known(topic, type), qos);
    }

private:
    fast::Topic* known(const std::string& topic, const std::string& type) {
        fast::TypeSupport support(new WireType(type));
        support.register_type(participant);
        if (auto* description = participant->lookup_topicdescription(topic)) {
            return dynamic_cast<fast::Topic*>(description);
        }
        return participant->create_topic(topic, type, fast::TOPIC_QOS_DEFAULT);
    }

    fast::DomainParticipant* participant;
    fast::Subscriber* subscriber;
    fast::Publisher* publisher;
};

inline std::vector<Sample> take(fast::DataReader* reader) {
    std::vector<Sample> samples;
    Sample next;
    while (reader->take_next_sample(&next.bytes, &next.info) == ReturnCode_t::RETCODE_OK) {
        if (next.info.valid_data) samples.push_back(next);
    }
    return samples;
}
