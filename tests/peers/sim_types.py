"""The types of sim_api_msgs, and some of the standard simulation_interfaces, for CycloneDDS. Field order is that of their files."""

from dataclasses import dataclass, field

from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import float64, int64, sequence, uint8, uint32, uint64

from ros_types import Header, Point, Pose, Time, Twist, Vector3, named


@dataclass
class EntityStates(IdlStruct, typename=named('sim_api_msgs', 'EntityStates')):
    stamp: Time = field(default_factory=Time)
    step: uint64 = 0
    revision: uint64 = 0
    epoch: uint64 = 0
    names: sequence[str] = field(default_factory=list)
    poses: sequence[Pose] = field(default_factory=list)
    twists: sequence[Twist] = field(default_factory=list)


@dataclass
class SimStatus(IdlStruct, typename=named('sim_api_msgs', 'SimStatus')):
    sim_time: Time = field(default_factory=Time)
    real_time: float64 = 0.0
    rtf: float64 = 0.0
    paused: bool = False
    step: uint64 = 0
    revision: uint64 = 0
    epoch: uint64 = 0
    world: str = ''
    state: uint8 = 0
    vehicle: str = ''


@dataclass
class Epoch(IdlStruct, typename=named('sim_api_msgs', 'Epoch')):
    number: uint64 = 0
    cause: str = ''
    first_stamp: Time = field(default_factory=Time)


@dataclass
class Command(IdlStruct, typename=named('sim_api_msgs', 'Command')):
    kind: uint8 = 0
    entity: str = ''
    fields: uint8 = 0
    x: float64 = 0.0
    y: float64 = 0.0
    z: float64 = 0.0
    yaw: float64 = 0.0
    duration: float64 = 0.0
    path: sequence[Point] = field(default_factory=list)
    speed: float64 = 0.0
    looped: bool = False
    world: str = ''
    seed: uint64 = 0
    light_state: str = ''
    red_at: Time = field(default_factory=Time)
    brightness: float64 = 0.0
    steering: float64 = 0.0
    pan: float64 = 0.0
    tilt: float64 = 0.0
    paused: bool = False
    real_time_factor: float64 = 0.0


@dataclass
class ApplyRequest(IdlStruct, typename=named('sim_api_msgs', 'Apply_Request', 'srv')):
    """With the header that ROS 2 on CycloneDDS puts before every request."""

    guid: uint64 = 0
    sequence_number: int64 = 0
    expected_epoch: uint64 = 0
    deadline: float64 = 0.0
    commands: sequence[Command] = field(default_factory=list)
    advance_steps: uint32 = 0


@dataclass
class ApplyResponse(IdlStruct, typename=named('sim_api_msgs', 'Apply_Response', 'srv')):
    guid: uint64 = 0
    sequence_number: int64 = 0
    result: uint8 = 0
    message: str = ''
    step: uint64 = 0
    stamp: Time = field(default_factory=Time)
    epoch: uint64 = 0
    states: EntityStates = field(default_factory=EntityStates)


@dataclass
class TrafficLight(IdlStruct, typename=named('sim_api_msgs', 'TrafficLight')):
    name: str = ''
    state: str = ''
    red_at: Time = field(default_factory=Time)


@dataclass
class TrafficLights(IdlStruct, typename=named('sim_api_msgs', 'TrafficLights')):
    lights: sequence[TrafficLight] = field(default_factory=list)


@dataclass
class Result(IdlStruct, typename=named('simulation_interfaces', 'Result')):
    result: uint8 = 0
    error_message: str = ''


@dataclass
class Acceleration(IdlStruct, typename=named('geometry_msgs', 'Accel')):
    linear: Vector3 = field(default_factory=Vector3)
    angular: Vector3 = field(default_factory=Vector3)


@dataclass
class EntityState(IdlStruct, typename=named('simulation_interfaces', 'EntityState')):
    header: Header = field(default_factory=Header)
    pose: Pose = field(default_factory=Pose)
    twist: Twist = field(default_factory=Twist)
    acceleration: Acceleration = field(default_factory=Acceleration)


@dataclass
class GetEntityStateRequest(IdlStruct, typename=named('simulation_interfaces', 'GetEntityState_Request', 'srv')):
    guid: uint64 = 0
    sequence_number: int64 = 0
    entity: str = ''


@dataclass
class GetEntityStateResponse(IdlStruct, typename=named('simulation_interfaces', 'GetEntityState_Response', 'srv')):
    guid: uint64 = 0
    sequence_number: int64 = 0
    result: Result = field(default_factory=Result)
    state: EntityState = field(default_factory=EntityState)
