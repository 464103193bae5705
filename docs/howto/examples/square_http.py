"""Drive a square with round corners over HTTP, from wherever the car stands.

    python3 square_http.py [--base URL] [--side METRES] [--lockstep]

Each side is driven by distance, each corner by heading, both read from the car's pose. Needs nothing but Python, and about two
by two metres of free ground to the left of the car. With `--lockstep` the simulation waits for this program at every step, so
that the square is the same every time, however busy the machine is.
"""

import argparse
import math
import time

from sim_http import Simulator

# A command this often; in steps of the simulation (5 ms each) it is as long.
PERIOD_S = 0.02
STEPS = 4
SPEED = 0.5
STEER_LEFT = 0.3
# How hard to steer against a wrong heading, in radians per radian.
CORRECTION = 1.5
# The wheels need a moment to come back from a corner; the car turns on by about this much meanwhile.
OVERRUN_RAD = 0.06


def heading_error(wanted: float, yaw: float) -> float:
    """How far the car must turn, left positive, at most half a turn."""
    return math.remainder(wanted - yaw, math.tau)


def distance(a: dict, b: dict) -> float:
    return math.dist((a['x'], a['y']), (b['x'], b['y']))


class Car:
    """The car and where it was last seen."""

    def __init__(self, sim: Simulator, lockstep: bool):
        self.sim = sim
        self.lockstep = lockstep
        self.pose = sim.get('/pose')
        if lockstep:
            sim.post('/pause', paused=True)

    def drive(self, speed: float, steering: float):
        """Drive like this for a moment."""
        if self.lockstep:
            self.pose = self.sim.post('/step', steps=STEPS, speed=speed, steering=steering)['vehicle']
        else:
            self.sim.post('/drive', speed=speed, steering=steering)
            time.sleep(PERIOD_S)
            self.pose = self.sim.get('/pose')

    def stop(self):
        self.sim.post('/drive', speed=0.0, steering=0.0)
        if self.lockstep:
            self.sim.post('/pause', paused=False)


def drive_side(car: Car, length_m: float, heading: float):
    start = car.pose
    while distance(start, car.pose) < length_m:
        car.drive(SPEED, CORRECTION * heading_error(heading, car.pose['yaw']))


def drive_corner(car: Car, heading: float):
    while heading_error(heading, car.pose['yaw']) > OVERRUN_RAD:
        car.drive(SPEED, STEER_LEFT)


def main():
    parser = argparse.ArgumentParser(description='Drive a square over HTTP.')
    parser.add_argument('--base', help='address of the simulator (otherwise SIM_API, otherwise port 8080 of this machine)')
    parser.add_argument('--side', type=float, default=0.8, help='length of the straight part of a side, in metres')
    parser.add_argument('--lockstep', action='store_true', help='let the simulation wait for this program')
    arguments = parser.parse_args()
    car = Car(Simulator(arguments.base), arguments.lockstep)
    start = car.pose
    try:
        for corner in range(1, 5):
            drive_side(car, arguments.side, start['yaw'] + (corner - 1) * math.pi / 2)
            drive_corner(car, start['yaw'] + corner * math.pi / 2)
    finally:
        car.stop()
    print(f'Back after four corners, {distance(start, car.pose):.2f} m from the start')


if __name__ == '__main__':
    main()
