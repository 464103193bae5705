"""Lap time with penalties: the default evaluation of a world.

The record is the time for the given number of laps in seconds, plus PENALTY_S for each mistake; less is better. Mistakes are
leaving the road, moving an object, touching the fence and starting before the light is green. The clock starts when the light
named in the configuration (`start_light`) turns green, or at the start line in a world without one.

A lap counts when the whole centre line has been followed in order: who cuts a bend by more than REJOIN_M has to go back.
"""

import math

PENALTY_S = 5.0
# An object that is this far from where it stood, or leans this much, has been moved.
MOVED_M = 0.02
LEANS_RAD = math.radians(15)
# Back on the road means this far inside its edge, so that one excursion is not counted twice.
BACK_M = 0.03
# Progress counts on the road and this far beside it.
BESIDE_M = 0.3
# How far ahead of where it left the car may come back.
REJOIN_M = 1.5
# The light stays red this long before it turns green.
RED_S = 2.0
# A fence that is touched again within this time is the same crash.
SAME_CRASH_S = 1.0


def initialize(sim):
    for name, origin in sim.origins.items():
        sim.move_object(name, x=origin.x, y=origin.y, z=origin.z, yaw=origin.yaw)
    light = sim.config.get("start_light")
    if light:
        # Green to red passes through three seconds of yellow.
        sim.set_light(light, "red")
    sim.overlay("Wait for green" if light else "The clock starts at the line", 10)


def evaluate(sim):
    global judge
    if judge is None:
        judge = Judge(sim)
    judge.observe(sim)


judge = None


class Route:
    """The closed centre line with the distance from the start to each of its points."""

    def __init__(self, track):
        self.points = [tuple(point[:2]) for point in track.waypoints]
        if self.points[0] != self.points[-1]:
            self.points.append(self.points[0])
        self.at = [0.0]
        for a, b in zip(self.points, self.points[1:]):
            self.at.append(self.at[-1] + math.dist(a, b))
        self.length = self.at[-1]
        edge = track.get("outer") or track.get("inner")
        self.half_width = math.dist(self.points[0], edge[0][:2]) if edge else math.inf

    def nearest(self, x, y, around, reach):
        """(distance along the route, distance from it) of the nearest point not further than `reach` from `around`."""
        best = (around, math.inf)
        for (ax, ay), (bx, by), start in zip(self.points, self.points[1:], self.at):
            dx, dy = bx - ax, by - ay
            t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1.0)))
            along = start + t * math.hypot(dx, dy)
            gap = (along - around + self.length / 2) % self.length - self.length / 2
            off = math.hypot(x - ax - t * dx, y - ay - t * dy)
            if abs(gap) <= reach and off < best[1]:
                best = (around + gap, off)
        return best


class Judge:
    def __init__(self, sim):
        self.route = Route(sim.track)
        self.light = sim.config.get("start_light")
        self.laps = int(sim.config.get("laps", 1))
        pose = sim.state.pose
        # The car stands behind the line: a little less than nothing has been driven.
        self.driven, _ = self.route.nearest(pose.x, pose.y, 0.0, 2 * REJOIN_M)
        poses = {name: sim.state.objects[name] for name in watched(sim) if name in sim.state.objects}
        self.stood = {name: (pose.x, pose.y, pose.z) for name, pose in poses.items()}
        self.red_since = None
        self.is_green = not self.light
        self.started_at = None
        self.penalties = []
        self.is_off = False
        self.early = False
        self.crashed_at = -math.inf

    def observe(self, sim):
        state = sim.state
        if not state.run.running and state.run.exit_code not in (None, 0):
            raise RuntimeError(f"the student's program ended with code {state.run.exit_code}")
        before = self.driven
        along, off = self.route.nearest(state.pose.x, state.pose.y, self.driven, REJOIN_M)
        if off <= self.route.half_width + BESIDE_M:
            self.driven = along
        self.watch_light(sim)
        if self.is_green and self.started_at is None and self.driven >= 0.0:
            self.start(sim, "Go")
        if not self.is_green and not self.early and before < 0.0 <= self.driven:
            self.early = True
            self.punish(sim, "started before green")
        self.watch_road(sim, off)
        self.watch_objects(sim)
        self.watch_fence(sim)
        if self.started_at is not None and self.driven >= self.laps * self.route.length:
            self.end(sim)

    def start(self, sim, message):
        self.started_at = sim.state.time
        print(f"the clock starts at {sim.state.time:.2f} s")
        sim.overlay(message, 3, 2)

    def watch_light(self, sim):
        if self.is_green:
            return
        shown = sim.state.lights.get(self.light)
        if shown == "red":
            self.red_since = sim.state.time if self.red_since is None else self.red_since
            if sim.state.time - self.red_since >= RED_S:
                sim.set_light(self.light, "green")
                self.is_green = True
                self.start(sim, "Green")
        elif self.red_since is not None:
            # Someone else was quicker; green is green.
            self.is_green = True
            self.start(sim, "Green")

    def watch_road(self, sim, off):
        edge = self.route.half_width
        if not self.is_off and off > edge:
            self.is_off = True
            self.punish(sim, "left the road")
        elif self.is_off and off < edge - BACK_M:
            self.is_off = False

    def watch_objects(self, sim):
        for name, was in list(self.stood.items()):
            now = sim.state.objects.get(name)
            if now is None:
                continue
            moved = math.dist((now.x, now.y, now.z), was)
            leans = max(abs(now.get("roll", 0.0)), abs(now.get("pitch", 0.0)))
            if moved > MOVED_M or leans > LEANS_RAD:
                del self.stood[name]
                self.punish(sim, f"moved {name}")

    def watch_fence(self, sim):
        touched = [name for name in sim.state.contacts if sim.objects.get(name, {}).get("type") == "wall"]
        if not touched:
            return
        if sim.state.time - self.crashed_at > SAME_CRASH_S:
            self.punish(sim, "hit the fence")
        self.crashed_at = sim.state.time

    def punish(self, sim, why):
        self.penalties.append(why)
        print(f"{sim.state.time:.2f} s: {why}, +{PENALTY_S:g} s")
        sim.overlay(f"{why}: +{PENALTY_S:g} s", 3)

    def end(self, sim):
        drive = sim.state.time - self.started_at
        total = round(drive + PENALTY_S * len(self.penalties), 3)
        print(f"{drive:.2f} s and {len(self.penalties)} penalties: {total:.2f} s")
        sim.overlay(f"{total:.2f} s", 10, 2)
        sim.record(total)
        sim.finish()


def watched(sim):
    """Objects that must stay where they are: everything movable but the lights."""
    return [name for name, entry in sim.objects.items() if entry["movable"] and entry["type"] != "light"]
