"""Runs the example for an installed ROS 2 against a running simulator, as a student would.

    python examples_rclpy.py ADDRESS DOMAIN PYTHON

PYTHON is one that has rclpy. Ends with `N passed, M failed`.
"""

import sys

from checks import run_all
from examples import Classroom, laps


def test_lane_follower_for_an_installed_ros_laps_with_the_camera_alone(room: Classroom):
    laps(room, 'lane_rclpy.py', '--ros-args', '-p', 'speed:=0.6', python=sys.argv[3])


if __name__ == '__main__':
    sys.exit(run_all(globals(), Classroom(sys.argv[1], int(sys.argv[2]))))
