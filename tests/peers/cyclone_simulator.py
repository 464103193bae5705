"""Somebody else's simulator, in Python on CycloneDDS: a car on an empty plane that stands where it is put.

    python cyclone_simulator.py DOMAIN

Serves `/sim_backend/apply` and publishes what our node needs. Runs until it is killed; other_simulator.py puts it in place of ours.
"""

import math
import sys
import time

import ros_types as ros
import sim_types
from cyclone_service import ServiceServer
from ros_dds import BEST_EFFORT, LATCHED, Ros

SET_POSE, SET_PAUSED = 1, 9
OK, REFUSED = 0, 1


class OtherSimulator:
    def __init__(self, domain: int):
        peer = Ros(domain)
        self.status = peer.publisher('/sim/status', sim_types.SimStatus, BEST_EFFORT)
        self.states = peer.publisher('/sim/entity_states', sim_types.EntityStates, BEST_EFFORT)
        self.epochs = peer.publisher('/sim/epoch', sim_types.Epoch, LATCHED)
        self.apply = ServiceServer(peer, '/sim_backend/apply', sim_types.ApplyRequest, sim_types.ApplyResponse)
        self.started = time.monotonic()
        self.x, self.y, self.yaw = 1.0, 2.0, 0.5
        self.epoch, self.revision, self.paused = 1, 1, False
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


if __name__ == '__main__':
    OtherSimulator(int(sys.argv[1])).run()
