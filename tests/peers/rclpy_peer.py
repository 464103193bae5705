"""ROS 2's own Python library against our ROS side: it lists our nodes and topics, reads the sensors and drives the car.

    python rclpy_peer.py

On the domain that `ROS_DOMAIN_ID` names. Ends with `N passed, M failed`.
"""

import math
import sys
import time

from checks import ARRIVING, COUNTED_S, DRAWN, check_stream, run_all
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.clock import ClockType
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from rclpy_node import Peer, seconds
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, CameraInfo, CompressedImage, Image, Imu, JointState, LaserScan
from std_msgs.msg import Float32, Float64

NODES = {'sim_backend', 'robot_stack', 'sim_api_node'}
# Who publishes what, and whether every message must arrive.
PUBLISHED = {
    '/battery_state': ('robot_stack', 'sensor_msgs/msg/BatteryState', True),
    '/camera/camera_info': ('sim_backend', 'sensor_msgs/msg/CameraInfo', True),
    '/camera/image_raw': ('sim_backend', 'sensor_msgs/msg/Image', False),
    '/camera/image_raw/compressed': ('robot_stack', 'sensor_msgs/msg/CompressedImage', True),
    '/clock': ('sim_backend', 'rosgraph_msgs/msg/Clock', False),
    '/imu': ('sim_backend', 'sensor_msgs/msg/Imu', True),
    '/joint_states': ('sim_backend', 'sensor_msgs/msg/JointState', True),
    '/odom': ('robot_stack', 'nav_msgs/msg/Odometry', True),
    '/odom/laser': ('robot_stack', 'nav_msgs/msg/Odometry', True),
    '/scan': ('sim_backend', 'sensor_msgs/msg/LaserScan', True),
    '/scan_filtered': ('robot_stack', 'sensor_msgs/msg/LaserScan', True),
    '/sim/brightness': ('sim_api_node', 'std_msgs/msg/Float32', True),
    '/tf': ('robot_stack', 'tf2_msgs/msg/TFMessage', True),
    '/tf_static': ('robot_stack', 'tf2_msgs/msg/TFMessage', True),
}
COMMANDED = {
    '/camera/pan': 'std_msgs/msg/Float64',
    '/camera/tilt': 'std_msgs/msg/Float64',
    '/cmd_vel': 'geometry_msgs/msg/Twist',
    '/speed': 'std_msgs/msg/Float64',
    '/steering': 'std_msgs/msg/Float64',
}
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
ROOMY = QoSProfile(depth=500, reliability=ReliabilityPolicy.RELIABLE)


def test_our_nodes_are_in_the_graph(peer: Peer):
    peer.wait_for('our nodes', lambda: set(peer.node.get_node_names()) >= NODES)


def test_each_topic_has_its_type_its_publisher_and_its_quality(peer: Peer):
    for topic, (node, kind, is_reliable) in PUBLISHED.items():
        ends = peer.wait_for(topic, lambda topic=topic: peer.node.get_publishers_info_by_topic(topic))
        assert [(end.node_name, end.topic_type) for end in ends] == [(node, kind)], f'{topic}: {ends}'
        assert (ends[0].qos_profile.reliability == ReliabilityPolicy.RELIABLE) == is_reliable, f'{topic}: {ends}'
    for topic, kind in COMMANDED.items():
        ends = peer.wait_for(topic, lambda topic=topic: peer.node.get_subscriptions_info_by_topic(topic))
        assert [(end.node_name, end.topic_type) for end in ends] == [('robot_stack', kind)], f'{topic}: {ends}'


def test_services_of_the_standard_are_listed(peer: Peer):
    def listed():
        return dict(peer.node.get_service_names_and_types_by_node('sim_backend', '/'))

    services = peer.wait_for('the services', lambda: len(listed()) > 15 and listed())
    assert services['/sim_backend/set_entity_state'] == ['simulation_interfaces/srv/SetEntityState'], services


def count(peer: Peer, topic: str, kind: type, rate_hz: float, least_share: float) -> list:
    """Listens for a while of simulation time; checks order, rate and loss, and gives the messages."""
    heard = peer.hear(kind, topic, ROOMY)
    peer.wait_for(
        f'{COUNTED_S} s of {topic}',
        lambda: heard and seconds(heard[-1].header.stamp) - seconds(heard[0].header.stamp) > COUNTED_S,
    )
    check_stream(topic, [seconds(message.header.stamp) for message in heard], rate_hz, least_share)
    return heard


def test_odometry_arrives_thirty_times_a_second(_: Peer):
    for odom in count(Peer('odometry'), '/odom', Odometry, 30, ARRIVING):
        assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_footprint'), odom.header


def test_scans_arrive_ten_times_a_second(_: Peer):
    for scan in count(Peer('scans'), '/scan', LaserScan, 10, ARRIVING):
        assert scan.header.frame_id == 'lidar_link' and len(scan.ranges) == 720, scan.header


def test_the_imu_arrives_fifty_times_a_second(_: Peer):
    for imu in count(Peer('imu'), '/imu', Imu, 50, ARRIVING):
        assert imu.header.frame_id == 'imu_link' and 8.0 < imu.linear_acceleration.z < 12.0, imu


def test_pictures_arrive_fifteen_times_a_second(_: Peer):
    for picture in count(Peer('pictures'), '/camera/image_raw/compressed', CompressedImage, 15, DRAWN):
        assert picture.format == 'jpeg' and bytes(picture.data[:3]) == b'\xff\xd8\xff', picture.format


def test_the_rest_of_the_vehicle_is_there(_: Peer):
    peer = Peer('rest')
    heard = {
        kind: peer.hear(kind, topic, qos_profile_sensor_data)
        for kind, topic in [
            (BatteryState, '/battery_state'),
            (CameraInfo, '/camera/camera_info'),
            (Image, '/camera/image_raw'),
            (JointState, '/joint_states'),
        ]
    }
    peer.wait_for('one of each', lambda: all(heard.values()))
    assert len(heard[Image][0].data) == 480 * 360 * 3, heard[Image][0].header
    assert len(heard[JointState][0].name) == len(heard[JointState][0].position) > 4, heard[JointState][0]


def test_a_late_joiner_receives_what_is_latched(_: Peer):
    peer = Peer('late')
    heard = peer.hear(Float32, '/sim/brightness', LATCHED)
    peer.wait_for('the brightness', lambda: heard)
    assert heard[0].data == 1.0, heard


def test_a_node_on_simulation_time_follows_the_clock(_: Peer):
    peer = Peer('on_simulation_time', use_sim_time=True)
    ticks = peer.hear(Clock, '/clock', qos_profile_sensor_data)
    peer.wait_for('fifty ticks', lambda: len(ticks) > 50)
    now = peer.node.get_clock().now()
    assert now.clock_type == ClockType.ROS_TIME
    assert abs(now.nanoseconds * 1e-9 - seconds(ticks[-1].clock)) < 0.5, (now, ticks[-1])


def drive(peer: Peer, kind: type, topic: str, message, odoms: list, is_there):
    """Says the same ten times a second until it is so."""
    publisher = peer.node.create_publisher(kind, topic, 10)
    said = 0.0

    def probe():
        nonlocal said
        if time.monotonic() - said > 0.1:
            said = time.monotonic()
            publisher.publish(message)
        return odoms and is_there(odoms[-1])

    peer.wait_for(f'what {topic} asks for', probe)


def test_cmd_vel_moves_the_car_and_silence_stops_it(_: Peer):
    peer = Peer('driver')
    odoms = peer.hear(Odometry, '/odom', ROOMY)
    start = peer.wait_for('odometry', lambda: odoms and odoms[-1]).pose.pose.position
    command = Twist()
    command.linear.x = 0.5

    def has_moved(odom: Odometry) -> bool:
        here = odom.pose.pose.position
        return math.dist((here.x, here.y), (start.x, start.y)) > 0.2 and odom.twist.twist.linear.x > 0.4

    drive(peer, Twist, '/cmd_vel', command, odoms, has_moved)
    peer.wait_for('a car that stands', lambda: abs(odoms[-1].twist.twist.linear.x) < 0.02)


def test_speed_and_steering_turn_the_car(_: Peer):
    peer = Peer('steersman')
    odoms = peer.hear(Odometry, '/odom', ROOMY)
    drive(peer, Float64, '/steering', Float64(data=0.3), odoms, lambda _: True)
    drive(peer, Float64, '/speed', Float64(data=0.4), odoms, lambda odom: odom.twist.twist.angular.z > 0.2)
    drive(peer, Float64, '/speed', Float64(data=0.0), odoms, lambda odom: abs(odom.twist.twist.linear.x) < 0.02)


if __name__ == '__main__':
    sys.exit(run_all(globals(), Peer('peer')))
