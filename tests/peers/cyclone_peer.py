"""CycloneDDS against our ROS side: another people's DDS reads our topics, drives the car and calls our services.

    python cyclone_peer.py DOMAIN

The simulator runs on that domain with `--ros-service-mapping cyclone`. Ends with `N passed, M failed`.
"""

import os
import sys
import time

CONFIG = """
<CycloneDDS><Domain id="any">
  <General>
    <Interfaces><NetworkInterface name="lo"/></Interfaces>
    <AllowMulticast>false</AllowMulticast>
  </General>
  <Discovery>
    <ParticipantIndex>auto</ParticipantIndex>
    <MaxAutoParticipantIndex>30</MaxAutoParticipantIndex>
    <Peers><Peer address="127.0.0.1"/></Peers>
  </Discovery>
</Domain></CycloneDDS>
"""
os.environ['CYCLONEDDS_URI'] = CONFIG

from cyclonedds.core import Policy, Qos  # noqa: E402
from cyclonedds.domain import DomainParticipant  # noqa: E402
from cyclonedds.pub import DataWriter  # noqa: E402
from cyclonedds.sub import DataReader  # noqa: E402
from cyclonedds.topic import Topic  # noqa: E402
from cyclonedds.util import duration  # noqa: E402

import ros_types as ros  # noqa: E402

LIMIT_S = 30.0
BEST_EFFORT = Qos(Policy.Reliability.BestEffort, Policy.Durability.Volatile, Policy.History.KeepLast(10))
RELIABLE = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.Volatile,
               Policy.History.KeepLast(10))
LATCHED = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.TransientLocal,
              Policy.History.KeepLast(1))


class Peer:
    """One participant that speaks ROS 2 by hand."""

    def __init__(self, domain: int):
        self.participant = DomainParticipant(domain)

    def reader(self, name: str, kind, qos: Qos) -> DataReader:
        return DataReader(self.participant, Topic(self.participant, name, kind), qos=qos)

    def writer(self, name: str, kind, qos: Qos) -> DataWriter:
        return DataWriter(self.participant, Topic(self.participant, name, kind), qos=qos)


def wait_for(what: str, probe):
    """Ask again until there is an answer."""
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until:
        value = probe()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f'waited {LIMIT_S} s in vain for {what}')


def newest(reader: DataReader):
    samples = [sample for sample in reader.take(64) if sample.sample_info.valid_data]
    return samples[-1] if samples else None


def seconds(stamp: ros.Time) -> float:
    return stamp.sec + stamp.nanosec * 1e-9


def test_status_arrives_ten_times_a_second(peer: Peer):
    reader = peer.reader('rt/sim/status', ros.SimStatus, BEST_EFFORT)
    first = wait_for('a status', lambda: newest(reader))
    assert first.world and first.vehicle == 'vehicle', first
    time.sleep(2.0)
    count = len([sample for sample in reader.take(64) if sample.sample_info.valid_data])
    # The history keeps ten; fewer than eight would be a loss.
    assert 8 <= count <= 10, f'{count} of the last ten statuses arrived'


def test_clock_runs_forward(peer: Peer):
    reader = peer.reader('rt/clock', ros.Clock, BEST_EFFORT)
    stamps = []
    wait_for('fifty ticks', lambda: stamps.extend(seconds(tick.clock) for tick in reader.take(64)) or len(stamps) > 50)
    assert stamps == sorted(stamps), 'the clock ran backwards'


def test_late_joiner_receives_the_epoch(peer: Peer):
    reader = peer.reader('rt/sim/epoch', ros.Epoch, LATCHED)
    epoch = wait_for('the epoch', lambda: newest(reader))
    assert epoch.number >= 1 and epoch.cause in ('restart', 'reset', 'respawn', 'switch'), epoch


def test_cmd_vel_moves_the_car(peer: Peer):
    states = peer.reader('rt/sim/entity_states', ros.EntityStates, BEST_EFFORT)
    drive = peer.writer('rt/cmd_vel', ros.Twist, RELIABLE)

    def position():
        state = newest(states)
        if not state:
            return None
        vehicle = state.poses[state.names.index('vehicle')].position
        return vehicle.x, vehicle.y

    start = wait_for('the car', position)

    def has_moved():
        drive.write(ros.Twist(linear=ros.Vector3(x=0.5)))
        time.sleep(0.05)
        now = position()
        return now and (now[0] - start[0]) ** 2 + (now[1] - start[1]) ** 2 > 0.2 ** 2

    wait_for('a car that has moved', has_moved)
    drive.write(ros.Twist())


def test_service_teleports_the_car(peer: Peer):
    requests = peer.writer('rq/sim_backend/applyRequest', ros.ApplyRequest, RELIABLE)
    replies = peer.reader('rr/sim_backend/applyReply', ros.ApplyResponse, RELIABLE)
    guid = 0x1122334455667788
    sent = 0

    def call(x: float):
        nonlocal sent
        sent += 1
        command = ros.Command(kind=1, entity='vehicle', fields=1, x=x)
        requests.write(ros.ApplyRequest(guid=guid, sequence_number=sent, commands=[command]))
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            for reply in replies.take(16):
                if (reply.guid, reply.sequence_number) == (guid, sent):
                    return reply
            time.sleep(0.005)
        return None

    # A server that has just been discovered may miss the first request.
    first = wait_for('an answer', lambda: call(2.0))
    assert first.result == 0, first.message
    for attempt in range(20):
        x = 1.0 + attempt * 0.1
        reply = call(x)
        assert reply is not None, f'call {attempt} was not answered'
        vehicle = reply.states.poses[reply.states.names.index('vehicle')].position
        assert abs(vehicle.x - x) < 1e-3, (vehicle, x)


def main() -> int:
    peer = Peer(int(sys.argv[1]))
    failed = 0
    tests = [(name, test) for name, test in globals().items() if name.startswith('test_')]
    for name, test in tests:
        try:
            test(peer)
            print(f'{name} ... ok', flush=True)
        except Exception as error:  # noqa: BLE001: every failure is counted and shown
            failed += 1
            print(f'{name} ... FAILED: {error!r}', flush=True)
    print(f'{len(tests) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
