"""CycloneDDS against our ROS side: another people's DDS reads our topics, drives the car and calls our services.

    python cyclone_peer.py DOMAIN

The simulator runs on that domain with `--ros-service-mapping cyclone`. Ends with `N passed, M failed`.
"""

import math
import sys
import time

import ros_types as ros
import sim_types
from checks import ARRIVING, COUNTED_S, DRAWN, LIMIT_S, check_stream, run_all, wait_for
from cyclone_service import ServiceCaller
from cyclonedds.core import Policy, Qos
from cyclonedds.util import duration
from ros_dds import BEST_EFFORT, LATCHED, RELIABLE, Ros, newest, take

# Room for everything that comes while a busy machine does not let this program run.
ROOMY = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.Volatile, Policy.History.KeepLast(500))


def seconds(stamp: ros.Time) -> float:
    return stamp.sec + stamp.nanosec * 1e-9


def count(peer: Ros, topic: str, kind, rate_hz: float, least_share: float) -> list:
    """Listens for a while of simulation time; checks order, rate and loss, and gives the messages."""
    reader = peer.subscriber(topic, kind, ROOMY)
    messages = []

    def enough():
        messages.extend(take(reader))
        return len(messages) > 1 and seconds(messages[-1].header.stamp) - seconds(messages[0].header.stamp) > COUNTED_S

    wait_for(f'{COUNTED_S} s of {topic}', enough)
    check_stream(topic, [seconds(message.header.stamp) for message in messages], rate_hz, least_share)
    return messages


def test_status_comes_steadily(peer: Ros):
    reader = peer.subscriber('/sim/status', sim_types.SimStatus, BEST_EFFORT)
    first = wait_for('a status', lambda: newest(reader))
    assert first.world and first.vehicle == 'vehicle', first
    for _ in range(10):
        following = wait_for('the next status', lambda: newest(reader))
        assert following.real_time > first.real_time, following
        first = following


def test_clock_runs_forward(peer: Ros):
    reader = peer.subscriber('/clock', ros.Clock, BEST_EFFORT)
    stamps = []
    wait_for('fifty ticks', lambda: stamps.extend(seconds(tick.clock) for tick in take(reader)) or len(stamps) > 50)
    assert stamps == sorted(stamps), 'the clock ran backwards'


def test_late_joiner_receives_what_is_latched(peer: Ros):
    epoch = wait_for_latched(peer, '/sim/epoch', sim_types.Epoch)
    assert epoch.number >= 1 and epoch.cause in ('restart', 'reset', 'respawn', 'switch'), epoch
    frames = wait_for_latched(peer, '/tf_static', ros.TFMessage).transforms
    children = {frame.child_frame_id for frame in frames}
    assert {'base_link', 'lidar_link', 'imu_link', 'camera_optical_frame'} <= children, children
    lights = wait_for_latched(peer, '/sim/traffic_lights', sim_types.TrafficLights).lights
    assert [light.state for light in lights] == ['green'] * 3, lights


def wait_for_latched(peer: Ros, topic: str, kind):
    reader = peer.subscriber(topic, kind, LATCHED)
    return wait_for(topic, lambda: newest(reader))


def test_scans_arrive_ten_times_a_second(peer: Ros):
    for scan in count(peer, '/scan', ros.LaserScan, 10, ARRIVING):
        assert scan.header.frame_id == 'lidar_link' and len(scan.ranges) == 720, scan.header
        seen = [distance for distance in scan.ranges if scan.range_min <= distance <= scan.range_max]
        assert len(seen) > 300, f'only {len(seen)} rays hit the fence'


def test_odometry_arrives_thirty_times_a_second(peer: Ros):
    for odom in count(peer, '/odom', ros.Odometry, 30, ARRIVING):
        assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_footprint'), odom.header
        assert odom.pose_covariance[0] > 0.0 and odom.pose_covariance[35] > 0.0, odom.pose_covariance


def test_compressed_pictures_arrive_fifteen_times_a_second(peer: Ros):
    for picture in count(peer, '/camera/image_raw/compressed', ros.CompressedImage, 15, DRAWN):
        assert picture.format == 'jpeg' and bytes(picture.data[:3]) == b'\xff\xd8\xff', picture.format


def test_raw_pictures_arrive_whole(peer: Ros):
    reader = peer.subscriber('/camera/image_raw', ros.Image, BEST_EFFORT)
    for _ in range(5):
        picture = wait_for('a picture', lambda: newest(reader))
        assert (picture.width, picture.height, picture.encoding, picture.step) == (480, 360, 'rgb8', 1440), picture.header
        assert len(picture.data) == 480 * 360 * 3 and len(set(picture.data)) > 50, 'the picture is empty'


def test_cmd_vel_moves_the_car(peer: Ros):
    states = peer.subscriber('/sim/entity_states', sim_types.EntityStates, BEST_EFFORT)
    drive = peer.publisher('/cmd_vel', ros.Twist, RELIABLE)

    def position():
        state = newest(states)
        if not state:
            return None
        vehicle = state.poses[state.names.index('vehicle')].position
        return vehicle.x, vehicle.y

    start = wait_for('the car', position)

    def has_moved():
        drive.write(ros.Twist(linear=ros.Vector3(x=0.5)))
        time.sleep(0.05)
        now = position()
        return now and math.dist(now, start) > 0.2

    wait_for('a car that has moved', has_moved)
    drive.write(ros.Twist())


def test_apply_teleports_the_car_and_the_standard_service_sees_it(peer: Ros):
    apply = ServiceCaller(peer, '/sim_backend/apply', sim_types.ApplyRequest, sim_types.ApplyResponse)
    look = ServiceCaller(peer, '/sim_backend/get_entity_state', sim_types.GetEntityStateRequest,
                         sim_types.GetEntityStateResponse)
    # A server that has just been discovered may miss the first request.
    wait_for('an answer', lambda: apply.call(sim_types.ApplyRequest(), 1.0))
    wait_for('an answer', lambda: look.call(sim_types.GetEntityStateRequest(entity='vehicle'), 1.0))
    for attempt in range(20):
        x = 1.0 + attempt * 0.05
        command = sim_types.Command(kind=1, entity='vehicle', fields=1, x=x)
        reply = apply.call(sim_types.ApplyRequest(commands=[command]), LIMIT_S)
        assert reply is not None and reply.result == 0, f'call {attempt}: {reply}'
        vehicle = reply.states.poses[reply.states.names.index('vehicle')].position
        assert abs(vehicle.x - x) < 1e-3, (vehicle, x)
        seen = look.call(sim_types.GetEntityStateRequest(entity='vehicle'), LIMIT_S)
        assert seen is not None and seen.result.result == 1, f'call {attempt}: {seen}'
        assert abs(seen.state.pose.position.x - x) < 0.02, (seen.state, x)
    unknown = look.call(sim_types.GetEntityStateRequest(entity='nobody'), LIMIT_S)
    assert unknown.result.result != 1 and unknown.result.error_message, unknown


if __name__ == '__main__':
    sys.exit(run_all(globals(), Ros(int(sys.argv[1]))))
