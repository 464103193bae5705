"""Runs the examples for students against a running simulator, each as a student would, and looks at what the car did.

    python examples.py ADDRESS DOMAIN

Ends with `N passed, M failed`.
"""

import math
import os
import subprocess
import sys
import time
from pathlib import Path

from checks import LIMIT_S, run_all, wait_for
from lap_http import Route
from ros_dds import RELIABLE, Ros, take
from ros_types import Float64
from sim_http import Simulator

EXAMPLES = Path(__file__).resolve().parents[2] / 'docs/howto/examples'
# One picture of the camera, in steps of 5 ms.
PICTURE_STEPS = 14


class Classroom:
    def __init__(self, address: str, domain: int):
        self.address = address
        self.domain = domain
        self.sim = Simulator(address)

    def start(self, script: str, *arguments: str, python: str = sys.executable) -> subprocess.Popen:
        environment = {
            **os.environ,
            'SIM_API': self.address,
            'ROS_DOMAIN_ID': str(self.domain),
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        }
        command = [python, str(EXAMPLES / script), *arguments]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, script: str, *arguments: str, limit_s: float = 4 * LIMIT_S) -> str:
        """What it printed, once it has ended well."""
        process = self.start(script, *arguments)
        try:
            output = process.communicate(timeout=limit_s)[0]
        finally:
            process.kill()
        assert process.returncode == 0, f'{script} ended with {process.returncode}: {output}'
        return output

    def fresh_start(self):
        self.sim.post('/pause', paused=False)
        self.sim.post('/respawn')


def test_square_ends_where_it_began(room: Classroom):
    room.fresh_start()
    start = room.sim.get('/pose')
    output = room.run('square_http.py', '--lockstep')
    assert 'Back after four corners, 0.0' in output, output
    state = room.sim.get('/state')
    assert not state['paused'] and state['time'] - start['time'] > 4 * 0.8 / 0.5, state


def test_square_without_lockstep_drives_as_well(room: Classroom):
    room.fresh_start()
    assert 'Back after four corners' in room.run('square_http.py')


def test_lap_over_http_comes_around(room: Classroom):
    room.fresh_start()
    route = Route(room.sim.get('/route')['waypoints'])
    began = room.sim.get('/clock')['sim_time']
    output = room.run('lap_http.py', '--speed', '0.8')
    assert output.startswith('One lap in '), output
    pose = room.sim.get('/pose')
    assert pose['time'] - began > 0.95 * route.length_m / 0.8, 'nobody laps faster than the speed'
    x, y = route.points[0]
    assert math.dist((pose['x'], pose['y']), (x, y)) < 1.0, f'the car is at {pose}'


def test_unreachable_simulator_is_a_sentence_for_people(room: Classroom):
    process = room.start('lap_http.py', '--base', 'http://127.0.0.1:9')
    output = process.communicate(timeout=LIMIT_S)[0]
    assert process.returncode == 1 and 'Is it running?' in output and 'Traceback' not in output, output


def laps(room: Classroom, script: str, *arguments: str, python: str = sys.executable):
    """The simulation waits for the follower after each picture, so that a busy machine changes nothing."""
    room.fresh_start()
    sim, route = room.sim, Route(room.sim.get('/route')['waypoints'])
    half_width_m = math.dist(route.points[0], sim.get('/route')['outer'][0])
    commands = Ros(room.domain).subscriber('/speed', Float64, RELIABLE)
    objects = sim.get('/state')['objects']
    follower = room.start(script, *arguments, python=python)
    try:
        wait_for('the follower', lambda: take(commands))
        sim.post('/pause', paused=True)
        pose = sim.get('/pose')
        along = begin = route.shortest(route.place_of(pose['x'], pose['y']))
        while along < begin + route.length_m:
            pose = sim.post('/step', steps=PICTURE_STEPS)['vehicle']
            # A picture may be lost; then the next one has to do.
            answer_until = time.monotonic() + 2.0
            while not take(commands) and time.monotonic() < answer_until:
                time.sleep(0.002)
            along += route.shortest(route.place_of(pose['x'], pose['y'], near_m=along) - along)
            off = math.dist((pose['x'], pose['y']), route.point_at(along))
            assert off < half_width_m, f'off the road after {along - begin:.1f} m: {pose}'
            assert follower.poll() is None, follower.communicate()[0]
            assert pose['time'] < 600, 'it takes too long'
    finally:
        follower.kill()
        follower.wait()
    state = sim.get('/state')
    sim.post('/pause', paused=False)
    for name, there in state['objects'].items():
        assert math.dist((there['x'], there['y']), (objects[name]['x'], objects[name]['y'])) < 0.02, f'{name} was hit'


def test_lane_follower_laps_with_the_camera_alone(room: Classroom):
    laps(room, 'lane_dds.py', '--domain', str(room.domain), '--speed', '0.6')


def test_every_example_compiles_also_the_one_that_needs_ros(room: Classroom):
    scripts = sorted(EXAMPLES.glob('*.py'))
    assert len(scripts) >= 7, scripts
    for script in scripts:
        compile(script.read_text(), script.name, 'exec')


if __name__ == '__main__':
    sys.exit(run_all(globals(), Classroom(sys.argv[1], int(sys.argv[2]))))
