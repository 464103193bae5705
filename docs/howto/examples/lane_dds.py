"""Follow the lane from the camera over ROS 2 topics, with no ROS installed.

    pip install -r requirements.txt
    python3 lane_dds.py [--domain N] [--speed M_S]

Ends with Ctrl-C, or when the camera stays silent. The same node for an installed ROS 2 is lane_rclpy.py.
"""

import argparse

from lane import LaneFollower
from ros_dds import RELIABLE, Ros, wait_for_newest
from ros_types import CompressedImage, Float64

SILENCE_S = 30.0


def main():
    parser = argparse.ArgumentParser(description='Follow the lane from the camera.')
    parser.add_argument('--domain', type=int, help='ROS domain of the simulator (otherwise ROS_DOMAIN_ID, otherwise 0)')
    parser.add_argument('--speed', type=float, default=0.6, help='m/s')
    arguments = parser.parse_args()

    follower = LaneFollower(arguments.speed)
    ros = Ros(arguments.domain)
    camera = ros.subscriber('/camera/image_raw/compressed', CompressedImage, RELIABLE)
    speed_topic = ros.publisher('/speed', Float64)
    steering_topic = ros.publisher('/steering', Float64)
    try:
        while image := wait_for_newest(camera, SILENCE_S):
            speed, steering = follower.command(bytes(image.data))
            steering_topic.write(Float64(steering))
            speed_topic.write(Float64(speed))
        print(f'No picture for {SILENCE_S:.0f} s. Is the simulator running, and in this domain?')
    except KeyboardInterrupt:
        speed_topic.write(Float64(0.0))


if __name__ == '__main__':
    main()
