"""ROS 2 types for CycloneDDS, as far as the peer tests need them. Field order is that of the .msg files."""

from dataclasses import dataclass, field

from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float32, float64, int32, int64, sequence, uint8, uint32, uint64


def named(package: str, name: str, kind: str = 'msg') -> str:
    """Give a type the name that ROS 2 gives it on the wire."""
    return f'{package}::{kind}::dds_::{name}_'


@dataclass
class Time(IdlStruct, typename=named('builtin_interfaces', 'Time')):
    sec: int32 = 0
    nanosec: uint32 = 0


@dataclass
class Header(IdlStruct, typename=named('std_msgs', 'Header')):
    stamp: Time = field(default_factory=Time)
    frame_id: str = ''


@dataclass
class Vector3(IdlStruct, typename=named('geometry_msgs', 'Vector3')):
    x: float64 = 0.0
    y: float64 = 0.0
    z: float64 = 0.0


@dataclass
class Point(IdlStruct, typename=named('geometry_msgs', 'Point')):
    x: float64 = 0.0
    y: float64 = 0.0
    z: float64 = 0.0


@dataclass
class Quaternion(IdlStruct, typename=named('geometry_msgs', 'Quaternion')):
    x: float64 = 0.0
    y: float64 = 0.0
    z: float64 = 0.0
    w: float64 = 1.0


@dataclass
class Pose(IdlStruct, typename=named('geometry_msgs', 'Pose')):
    position: Point = field(default_factory=Point)
    orientation: Quaternion = field(default_factory=Quaternion)


@dataclass
class Twist(IdlStruct, typename=named('geometry_msgs', 'Twist')):
    linear: Vector3 = field(default_factory=Vector3)
    angular: Vector3 = field(default_factory=Vector3)


@dataclass
class Clock(IdlStruct, typename=named('rosgraph_msgs', 'Clock')):
    clock: Time = field(default_factory=Time)


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
class Odometry(IdlStruct, typename=named('nav_msgs', 'Odometry')):
    header: Header = field(default_factory=Header)
    child_frame_id: str = ''
    pose: Pose = field(default_factory=Pose)
    pose_covariance: array[float64, 36] = field(default_factory=lambda: [0.0] * 36)
    twist: Twist = field(default_factory=Twist)
    twist_covariance: array[float64, 36] = field(default_factory=lambda: [0.0] * 36)


@dataclass
class LaserScan(IdlStruct, typename=named('sensor_msgs', 'LaserScan')):
    header: Header = field(default_factory=Header)
    angle_min: float32 = 0.0
    angle_max: float32 = 0.0
    angle_increment: float32 = 0.0
    time_increment: float32 = 0.0
    scan_time: float32 = 0.0
    range_min: float32 = 0.0
    range_max: float32 = 0.0
    ranges: sequence[float32] = field(default_factory=list)
    intensities: sequence[float32] = field(default_factory=list)
