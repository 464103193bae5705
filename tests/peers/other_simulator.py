"""Somebody else's simulator in place of ours: our node shows it, and calls the service that it serves.

    python other_simulator.py PROGRAMS DOMAIN MAPPING SIMULATOR...

Starts the simulator (a command, to which the domain is added) and our `sim_api_node` with that mapping of service requests. Ends with
`N passed, M failed`.
"""

import socket
import subprocess
import sys
import tempfile

from checks import LIMIT_S, run_all, wait_for
from sim_http import Simulator


class Meeting:
    def __init__(self, programs: str, domain: str, mapping: str, simulator: list[str]):
        self.processes = [subprocess.Popen([*simulator, domain])]
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = f'127.0.0.1:{probe.getsockname()[1]}'
        self.data = tempfile.TemporaryDirectory()
        self.processes.append(subprocess.Popen([
            f'{programs}/sim_api_node', '--config', '/dev/null', '--bind', address, '--domain', domain,
            '--data', self.data.name, '--ros-service-mapping', mapping]))
        wait_for('the node', lambda: can_connect(address))
        self.http = Simulator('http://' + address)

    def end(self):
        for process in self.processes:
            process.terminate()
            process.wait(LIMIT_S)


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
        x = 3.0 + attempt
        answer = meeting.http.post('/pose', x=x)
        assert answer['applied'] and abs(answer['pose']['x'] - x) < 1e-6, answer
        assert abs(meeting.http.get('/pose')['x'] - x) < 1e-6
    assert meeting.http.post('/pause', paused=True)['paused'] and meeting.http.get('/clock')['paused']


def test_a_refusal_of_the_other_simulator_reaches_the_client(meeting: Meeting):
    try:
        meeting.http.post('/reset')
    except SystemExit as refusal:
        assert 'this simulator cannot do that' in str(refusal), refusal
    else:
        raise AssertionError('the reset was not refused')


if __name__ == '__main__':
    meeting = Meeting(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
    try:
        code = run_all(globals(), meeting)
    finally:
        meeting.end()
    sys.exit(code)
