"""Somebody else's simulator, in Python on CycloneDDS, in place of ours: our node calls the service that it serves.

    python cyclone_simulator.py PROGRAMS DOMAIN

Starts our `sim_api_node` alone on that domain. Ends with `N passed, M failed`.
"""

import math
import socket
import subprocess
import sys
import tempfile
import threading
import time

import ros_types as ros
import sim_types
from checks import LIMIT_S, run_all, wait_for
from cyclone_service import ServiceServer
from ros_dds import BEST_EFFORT, LATCHED, Ros
from sim_http import Simulator

SET_POSE, RESET, SET_PAUSED = 1, 4, 9
OK, REFUSED = 0, 1


class OtherSimulator:
    """A car on an empty plane that stands where it is put."""

    def __init__(self, domain: int):
        peer = Ros(domain)
        self.status = peer.publisher('/sim/status', sim_types.SimStatus, BEST_EFFORT)
        self.states = peer.publisher('/sim/entity_states', sim_types.EntityStates, BEST_EFFORT)
        self.epochs = peer.publisher('/sim/epoch', sim_types.Epoch, LATCHED)
        self.apply = ServiceServer(peer, '/sim_backend/apply', sim_types.ApplyRequest, sim_types.ApplyResponse)
        self.started = time.monotonic()
        self.x, self.y, self.yaw = 1.0, 2.0, 0.5
        self.epoch, self.revision, self.paused = 1, 1, False
        self.commands_seen = 0
        self.epochs.write(sim_types.Epoch(number=1, cause='restart'))

    def run(self):
        for tick in range(10**9):
            self.apply.serve(self.answer)
            if tick % 4 == 0:
                self.revision += not self.paused
                self.states.write(self.state())
            if tick % 20 == 0:
                self.status.write(sim_types.SimStatus(
                    sim_time=self.now(), real_time=time.monotonic() - self.started, rtf=1.0, paused=self.paused,
                    revision=self.revision, epoch=self.epoch, world='elsewhere', state=2, vehicle='vehicle'))
            time.sleep(0.005)

    def answer(self, request: sim_types.ApplyRequest) -> sim_types.ApplyResponse:
        for command in request.commands:
            self.commands_seen += 1
            self.revision += 1
            if command.kind == SET_POSE and command.entity == 'vehicle':
                self.x = command.x if command.fields & 1 else self.x
                self.y = command.y if command.fields & 2 else self.y
                self.yaw = command.yaw if command.fields & 8 else self.yaw
            elif command.kind == SET_PAUSED:
                self.paused = command.paused
            else:
                return sim_types.ApplyResponse(result=REFUSED, message='this simulator cannot do that')
        return sim_types.ApplyResponse(result=OK, stamp=self.now(), epoch=self.epoch, states=self.state())

    def now(self) -> ros.Time:
        elapsed = time.monotonic() - self.started
        return ros.Time(sec=int(elapsed), nanosec=int(elapsed % 1 * 1e9))

    def state(self) -> sim_types.EntityStates:
        turn = ros.Quaternion(z=math.sin(self.yaw / 2), w=math.cos(self.yaw / 2))
        pose = ros.Pose(position=ros.Point(x=self.x, y=self.y), orientation=turn)
        return sim_types.EntityStates(stamp=self.now(), revision=self.revision, epoch=self.epoch, names=['vehicle'],
                                      poses=[pose], twists=[ros.Twist()])


class Meeting:
    """The other simulator in this process, our node in another."""

    def __init__(self, programs: str, domain: int):
        self.other = OtherSimulator(domain)
        threading.Thread(target=self.other.run, daemon=True).start()
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = f'127.0.0.1:{probe.getsockname()[1]}'
        self.data = tempfile.TemporaryDirectory()
        self.node = subprocess.Popen([
            f'{programs}/sim_api_node', '--config', '/dev/null', '--bind', address, '--domain', str(domain),
            '--data', self.data.name, '--ros-service-mapping', 'cyclone'])
        wait_for('the node', lambda: can_connect(address))
        self.http = Simulator('http://' + address)


def can_connect(address: str) -> bool:
    host, port = address.split(':')
    try:
        socket.create_connection((host, int(port)), timeout=1.0).close()
    except OSError:
        return False
    return True


def test_our_node_shows_the_other_simulator(meeting: Meeting):
    wait_for('a running simulator', lambda: meeting.http.get('/status')['running'])
    assert meeting.http.get('/status')['current'] == 'elsewhere'
    pose = wait_for('the car', lambda: meeting.http.get('/state')['vehicle'])
    assert abs(pose['x'] - 1.0) < 1e-6 and abs(pose['yaw'] - 0.5) < 1e-6, pose


def test_our_node_calls_the_service_of_the_other_simulator(meeting: Meeting):
    for attempt in range(20):
        before = meeting.other.commands_seen
        x = 3.0 + attempt
        answer = meeting.http.post('/pose', x=x)
        assert answer['applied'] and abs(answer['pose']['x'] - x) < 1e-6, answer
        assert meeting.other.commands_seen > before and meeting.other.x == x, 'it was asked'
        assert abs(meeting.http.get('/pose')['x'] - x) < 1e-6


def test_a_refusal_of_the_other_simulator_reaches_the_client(meeting: Meeting):
    try:
        meeting.http.post('/reset')
    except SystemExit as refusal:
        assert 'this simulator cannot do that' in str(refusal), refusal
    else:
        raise AssertionError('the reset was not refused')


if __name__ == '__main__':
    meeting = Meeting(sys.argv[1], int(sys.argv[2]))
    try:
        code = run_all(globals(), meeting)
    finally:
        meeting.node.terminate()
        meeting.node.wait(LIMIT_S)
    sys.exit(code)
