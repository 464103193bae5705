"""ROS 2 topics without a ROS installation: a thin layer over CycloneDDS (PyPI package `cyclonedds`).

A ROS 2 topic is a DDS topic with `rt/` before its name. The rest is quality of service and where to look for others: the simulator
is announced on this machine only, so this looks there and nowhere else.
"""

import os
import time

# For machines that have more than a loopback interface; read when the first participant is made.
os.environ.setdefault('CYCLONEDDS_URI', '''
<CycloneDDS><Domain id="any">
  <General>
    <Interfaces><NetworkInterface name="lo"/></Interfaces>
    <AllowMulticast>false</AllowMulticast>
    <MaxMessageSize>65500B</MaxMessageSize>
  </General>
  <Discovery>
    <ParticipantIndex>auto</ParticipantIndex>
    <MaxAutoParticipantIndex>30</MaxAutoParticipantIndex>
    <Peers><Peer address="127.0.0.1"/></Peers>
  </Discovery>
</Domain></CycloneDDS>
''')

from cyclonedds.core import Policy, Qos  # noqa: E402
from cyclonedds.domain import DomainParticipant  # noqa: E402
from cyclonedds.pub import DataWriter  # noqa: E402
from cyclonedds.sub import DataReader  # noqa: E402
from cyclonedds.topic import Topic  # noqa: E402
from cyclonedds.util import duration  # noqa: E402

# The qualities of service that ROS 2 programs use. A reader gets nothing from a writer that promises less than it asks for.
BEST_EFFORT = Qos(Policy.Reliability.BestEffort, Policy.Durability.Volatile, Policy.History.KeepLast(10))
RELIABLE = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.Volatile,
               Policy.History.KeepLast(10))
LATCHED = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.TransientLocal,
              Policy.History.KeepLast(1))


class Ros:
    """What a ROS node has: publishers and subscribers by the names of ROS topics."""

    def __init__(self, domain: int | None = None):
        """`domain` is that of the simulator; without it, the one in ROS_DOMAIN_ID."""
        self.participant = DomainParticipant(int(os.environ.get('ROS_DOMAIN_ID', 0)) if domain is None else domain)

    def subscriber(self, topic: str, kind, qos: Qos = BEST_EFFORT) -> DataReader:
        return self.reader('rt' + topic, kind, qos)

    def publisher(self, topic: str, kind, qos: Qos = RELIABLE) -> DataWriter:
        return self.writer('rt' + topic, kind, qos)

    def reader(self, dds_name: str, kind, qos: Qos) -> DataReader:
        return DataReader(self.participant, Topic(self.participant, dds_name, kind), qos=qos)

    def writer(self, dds_name: str, kind, qos: Qos) -> DataWriter:
        return DataWriter(self.participant, Topic(self.participant, dds_name, kind), qos=qos)


def take(reader: DataReader) -> list:
    """Everything that has come since the last time."""
    return [sample for sample in reader.take(64) if sample.sample_info.valid_data]


def newest(reader: DataReader):
    """The last of what has come since the last time; None if nothing has."""
    samples = take(reader)
    return samples[-1] if samples else None


def wait_for_newest(reader: DataReader, limit_s: float):
    """The newest message; None when the topic stays silent for so long."""
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        sample = newest(reader)
        if sample:
            return sample
        time.sleep(0.002)
    return None
