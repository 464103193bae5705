"""ROS 2's own messages as CycloneDDS wants them, as far as the examples need them.

The order of the fields is that of the .msg files; the name on the wire is what `named` makes of package and type. A further type is
a further class.
"""

from dataclasses import dataclass, field

from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float32, float64, int32, sequence, uint8, uint32


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


@dataclass
class Odometry(IdlStruct, typename=named('nav_msgs', 'Odometry')):
    """The wire has no borders between nested structs, so pose and covariance may stand side by side."""

    header: Header = field(default_factory=Header)
    child_frame_id: str = ''
    pose: Pose = field(default_factory=Pose)
    pose_covariance: array[float64, 36] = field(default_factory=lambda: [0.0] * 36)
    twist: Twist = field(default_factory=Twist)
    twist_covariance: array[float64, 36] = field(default_factory=lambda: [0.0] * 36)


@dataclass
class Float64(IdlStruct, typename=named('std_msgs', 'Float64')):
    data: float64 = 0.0


@dataclass
class Image(IdlStruct, typename=named('sensor_msgs', 'Image')):
    header: Header = field(default_factory=Header)
    height: uint32 = 0
    width: uint32 = 0
    encoding: str = ''
    is_bigendian: uint8 = 0
    step: uint32 = 0
    data: sequence[uint8] = field(default_factory=list)


@dataclass
class CompressedImage(IdlStruct, typename=named('sensor_msgs', 'CompressedImage')):
    header: Header = field(default_factory=Header)
    format: str = ''
    data: sequence[uint8] = field(default_factory=list)


@dataclass
class Transform(IdlStruct, typename=named('geometry_msgs', 'Transform')):
    translation: Vector3 = field(default_factory=Vector3)
    rotation: Quaternion = field(default_factory=Quaternion)


@dataclass
class TransformStamped(IdlStruct, typename=named('geometry_msgs', 'TransformStamped')):
    header: Header = field(default_factory=Header)
    child_frame_id: str = ''
    transform: Transform = field(default_factory=Transform)


@dataclass
class TFMessage(IdlStruct, typename=named('tf2_msgs', 'TFMessage')):
    transforms: sequence[TransformStamped] = field(default_factory=list)
