"""Drive one lap over HTTP, along the centre line that the simulator knows.

    python3 lap_http.py [--base URL] [--speed M_S]

Pure pursuit: look at a point of the route a little way ahead, and steer onto the circle that leads there. Twenty times a second
the car's pose is read and a new command is sent. Works in every world that has a route; needs nothing but Python.
"""

import argparse
import math
import time

from sim_http import Simulator

PERIOD_S = 0.05
# How far ahead the target lies: never nearer than this, and further the faster the car is.
LOOK_AHEAD_M = 0.25
LOOK_AHEAD_S = 0.2
# Past the line, so that the lap counts for everybody who watches it.
BEYOND_THE_LINE_M = 0.3


class Route:
    """A closed line of points, and how far along it each of them lies."""

    def __init__(self, waypoints: list[list[float]]):
        self.points = waypoints if waypoints[0] == waypoints[-1] else waypoints + waypoints[:1]
        self.along_m = [0.0]
        for a, b in zip(self.points, self.points[1:]):
            self.along_m.append(self.along_m[-1] + math.dist(a, b))
        self.length_m = self.along_m[-1]

    def place_of(self, x: float, y: float, near_m: float | None = None) -> float:
        """How far along the route this point is; with `near_m`, the place close to that one (a route may cross itself)."""
        best = (math.inf, 0.0)
        for k, (a, b) in enumerate(zip(self.points, self.points[1:])):
            length = self.along_m[k + 1] - self.along_m[k]
            part = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / length**2
            part = min(1.0, max(0.0, part))
            along = self.along_m[k] + part * length
            away = math.dist((x, y), (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])))
            if near_m is None or abs(self.shortest(along - near_m)) < 1.0:
                best = min(best, (away, along))
        return best[1]

    def shortest(self, way_m: float) -> float:
        """The same way around the loop, forwards or backwards, whichever is shorter."""
        return (way_m + self.length_m / 2) % self.length_m - self.length_m / 2

    def point_at(self, along_m: float) -> tuple[float, float]:
        along_m %= self.length_m
        k = max(k for k, start in enumerate(self.along_m[:-1]) if start <= along_m)
        part = (along_m - self.along_m[k]) / (self.along_m[k + 1] - self.along_m[k])
        (ax, ay), (bx, by) = self.points[k], self.points[k + 1]
        return ax + part * (bx - ax), ay + part * (by - ay)


def steer_to(target: tuple[float, float], pose: dict, wheelbase: float) -> float:
    """The steering angle of the circle from the rear axle through the target; left is positive."""
    rear_x = pose['x'] - wheelbase / 2 * math.cos(pose['yaw'])
    rear_y = pose['y'] - wheelbase / 2 * math.sin(pose['yaw'])
    dx, dy = target[0] - rear_x, target[1] - rear_y
    bearing = math.atan2(dy, dx) - pose['yaw']
    return math.atan(2 * wheelbase * math.sin(bearing) / math.hypot(dx, dy))


def drive_a_lap(sim: Simulator, speed: float) -> float:
    """Drive until the car is back where it began and past the line; returns the simulated seconds it took."""
    route = Route(sim.get('/route')['waypoints'])
    wheelbase = sim.get('/vehicle')['wheelbase']
    state = sim.get('/state')
    started = state['time']
    # Before the start line is a little less than nothing, not nearly a whole lap.
    along = route.shortest(route.place_of(state['vehicle']['x'], state['vehicle']['y']))
    goal = max(along, 0.0) + route.length_m + BEYOND_THE_LINE_M
    while along < goal:
        pose = state['vehicle']
        target = route.point_at(along + LOOK_AHEAD_M + LOOK_AHEAD_S * speed)
        sim.post('/drive', speed=speed, steering=steer_to(target, pose, wheelbase))
        time.sleep(PERIOD_S)
        state = sim.get('/state')
        place = route.place_of(state['vehicle']['x'], state['vehicle']['y'], near_m=along)
        along += route.shortest(place - along)
    return state['time'] - started


def main():
    parser = argparse.ArgumentParser(description='Drive one lap over HTTP.')
    parser.add_argument('--base', help='address of the simulator (otherwise SIM_API, otherwise port 8080 of this machine)')
    parser.add_argument('--speed', type=float, default=0.8, help='m/s')
    arguments = parser.parse_args()
    sim = Simulator(arguments.base)
    try:
        print(f'One lap in {drive_a_lap(sim, arguments.speed):.2f} s')
    finally:
        sim.post('/drive', speed=0.0, steering=0.0)


if __name__ == '__main__':
    main()
