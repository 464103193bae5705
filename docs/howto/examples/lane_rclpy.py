"""Follow the lane from the camera, as a node of an installed ROS 2.

    source /opt/ros/jazzy/setup.bash
    export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
    python3 lane_rclpy.py --ros-args -p speed:=0.6

The driving is in lane.py and the same as in lane_dds.py; only the way to the topics differs.
"""

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from sensor_msgs.msg import CompressedImage
from std_msgs.msg import Float64

from lane import LaneFollower


class LaneNode(Node):
    def __init__(self):
        super().__init__('lane_follower')
        self.follower = LaneFollower(self.declare_parameter('speed', 0.6).value)
        self.speed_topic = self.create_publisher(Float64, '/speed', 10)
        self.steering_topic = self.create_publisher(Float64, '/steering', 10)
        # One picture at a time: the newest counts, an old one is worth nothing.
        self.create_subscription(CompressedImage, '/camera/image_raw/compressed', self.on_picture, 1)

    def on_picture(self, picture: CompressedImage):
        speed, steering = self.follower.command(bytes(picture.data))
        self.steering_topic.publish(Float64(data=steering))
        self.speed_topic.publish(Float64(data=speed))


def main():
    rclpy.init()
    try:
        rclpy.spin(LaneNode())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main()
