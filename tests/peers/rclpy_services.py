"""ROS 2's own Python library calls our services, those of the standard for simulators and our own, and reads our own messages.

    python rclpy_services.py ADDRESS

On the domain that `ROS_DOMAIN_ID` names, with `simulation_interfaces`, `sim_api_msgs` and `tf2_msgs` sourced; ADDRESS is where the API
is. Ends with `N passed, M failed`.
"""

import sys

from checks import LIMIT_S, run_all
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy_node import Peer
from sim_api_msgs.msg import Command, Epoch, SimStatus, TrafficLights
from sim_api_msgs.srv import Apply
from sim_http import Simulator
from simulation_interfaces.msg import Result, SimulationState
from simulation_interfaces.srv import (
    GetAvailableWorlds,
    GetCurrentWorld,
    GetEntities,
    GetEntityState,
    GetSimulationState,
    GetSimulatorFeatures,
    LoadWorld,
    ResetSimulation,
    SetEntityState,
    SetSimulationState,
    StepSimulation,
)
from tf2_msgs.msg import TFMessage

# Which version of the standard is sourced: 1.5, or 2 (Lyrical).
VERSION_2 = hasattr(SetEntityState.Request, 'set_pose')
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Room:
    def __init__(self, address: str):
        self.peer = Peer('caller')
        self.http = Simulator(address)
        self.clients: dict = {}

    def call(self, kind: type, name: str, **fields):
        """The answer, with a result that says whether it went well."""
        if name not in self.clients:
            self.clients[name] = self.peer.node.create_client(kind, f'/sim_backend/{name}')
            assert self.clients[name].wait_for_service(LIMIT_S), f'nobody offers {name}'
        future = self.clients[name].call_async(kind.Request(**fields))
        self.peer.wait_for(f'an answer of {name}', future.done)
        return future.result()

    def done(self, kind: type, name: str, **fields):
        answer = self.call(kind, name, **fields)
        assert answer.result.result == Result.RESULT_OK, f'{name}: {answer.result}'
        return answer


def test_features_are_told(room: Room):
    features = room.call(GetSimulatorFeatures, 'get_simulator_features').features
    assert len(features.features) > 5, features


def test_entities_are_listed(room: Room):
    entities = room.done(GetEntities, 'get_entities').entities
    assert {'vehicle', *room.http.get('/state')['objects']} <= set(entities), entities


def test_a_teleport_by_the_standard_is_seen_over_http_and_the_other_way_round(room: Room):
    for x in (0.5, 0.8, 1.1):
        request = SetEntityState.Request(entity='vehicle')
        request.state.pose.position.x, request.state.pose.position.y = x, -1.8
        request.state.pose.orientation.w = 1.0
        flags = {'set_pose': True} if VERSION_2 else {}
        room.done(SetEntityState, 'set_entity_state', entity=request.entity, state=request.state, **flags)
        room.peer.wait_for('the car there', lambda x=x: abs(room.http.get('/pose')['x'] - x) < 0.02)
        room.http.post('/pose', x=x + 0.1)
        seen = room.done(GetEntityState, 'get_entity_state', entity='vehicle').state.pose.position
        assert abs(seen.x - x - 0.1) < 0.02, seen
    if VERSION_2:
        room.done(SetEntityState, 'set_entity_state', entity='vehicle', set_twist=True)
        stayed = room.done(GetEntityState, 'get_entity_state', entity='vehicle').state.pose.position
        assert abs(stayed.x - seen.x) < 0.02, stayed


def test_an_unknown_entity_is_refused_with_a_reason(room: Room):
    result = room.call(GetEntityState, 'get_entity_state', entity='nobody').result
    assert result.result == Result.RESULT_NOT_FOUND and result.error_message, result


def test_pause_and_step(room: Room):
    room.done(SetSimulationState, 'set_simulation_state', state=SimulationState(state=SimulationState.STATE_PAUSED))
    assert room.done(GetSimulationState, 'get_simulation_state').state.state == SimulationState.STATE_PAUSED
    room.peer.wait_for('a paused API', lambda: room.http.get('/state')['paused'])
    before = room.http.get('/clock')['sim_time']
    room.done(StepSimulation, 'step_simulation', steps=20)
    room.peer.wait_for('20 steps', lambda: abs(room.http.get('/clock')['sim_time'] - before - 0.1) < 1e-6)
    room.done(SetSimulationState, 'set_simulation_state', state=SimulationState(state=SimulationState.STATE_PLAYING))
    room.peer.wait_for('a running API', lambda: not room.http.get('/state')['paused'])


def test_our_own_service_carries_out_what_it_is_told(room: Room):
    command = Command(kind=Command.SET_POSE, entity='vehicle', fields=Command.FIELD_X, x=1.5)
    answer = room.call(Apply, 'apply', commands=[command])
    assert answer.result == Apply.Response.OK, answer
    there = answer.states.poses[answer.states.names.index('vehicle')].position
    assert abs(there.x - 1.5) < 1e-3, there


def test_our_own_messages_are_read(_: Room):
    peer = Peer('reader')
    epochs, lights, frames = (
        peer.hear(kind, topic, LATCHED)
        for kind, topic in [(Epoch, '/sim/epoch'), (TrafficLights, '/sim/traffic_lights'), (TFMessage, '/tf_static')]
    )
    best_effort = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    statuses = peer.hear(SimStatus, '/sim/status', best_effort)
    peer.wait_for('one of each', lambda: epochs and lights and frames and statuses)
    assert epochs[-1].number >= 1 and statuses[-1].vehicle == 'vehicle', (epochs, statuses)
    children = {frame.child_frame_id for frame in frames[-1].transforms}
    assert {'base_link', 'lidar_link', 'imu_link', 'camera_optical_frame'} <= children, children


def test_a_reset_and_another_world(room: Room):
    room.done(ResetSimulation, 'reset_simulation', scope=ResetSimulation.Request.SCOPE_STATE)
    worlds = room.done(GetAvailableWorlds, 'get_available_worlds').worlds
    city = next(world for world in worlds if world.name == 'vehicle_city')
    room.done(LoadWorld, 'load_world', **({'world_resource': city.world_resource} if VERSION_2 else {'uri': city.world_resource.uri}))
    assert room.done(GetCurrentWorld, 'get_current_world').world.name == 'vehicle_city'
    room.peer.wait_for('the API to follow', lambda: room.http.get('/state')['world'] == 'vehicle_city.world')


if __name__ == '__main__':
    sys.exit(run_all(globals(), Room(sys.argv[1])))
