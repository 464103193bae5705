"""Start the simulator, the robot's software and the API node.

    ros2 launch sim_api bringup.launch.py world:=vehicle_oval rtf:=2.0

An argument that is not given leaves the setting as the settings file has it. A program that ends is started again; the
simulator's clock goes on from where it was. Our programs meet others on this machine only, unless
ROS_AUTOMATIC_DISCOVERY_RANGE says otherwise.
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, SetEnvironmentVariable
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

PACKAGE = 'sim_api'
RESPAWN_DELAY_S = 1.0
DISCOVERY_RANGE = 'ROS_AUTOMATIC_DISCOVERY_RANGE'

# Arguments that are handed on under their own name.
SETTINGS = {
    'world': 'World to start with.',
    'data': 'Folder for installed worlds, records and state.',
    'rtf': 'Simulated seconds per second; 0 is as fast as the machine can.',
    'seed': 'Seed of all noise.',
    'backend_prefix': 'Where an external simulator offers the services of simulation_interfaces, such as /gzserver.',
}


def programs(context):
    """Make the nodes, with a flag for every argument that was given."""
    def given(name):
        return LaunchConfiguration(name).perform(context)

    flags = []
    for name in SETTINGS:
        if given(name):
            flags += ['--' + name.replace('_', '-'), given(name)]
    if given('bind') or given('port'):
        flags += ['--bind', f"{given('bind') or '127.0.0.1'}:{given('port') or '8080'}"]

    flags += ['--backend', given('backend')]

    executables = ['sim_api_node']
    if given('robot') == 'true':
        executables.insert(0, 'robot_stack')
    if given('backend') == 'embedded':
        executables.insert(0, 'sim_backend')
    # Thirty simulators in one classroom must not drive each other's cars.
    quiet = [] if DISCOVERY_RANGE in os.environ else [SetEnvironmentVariable(DISCOVERY_RANGE, 'LOCALHOST')]
    return quiet + [
        Node(
            package=PACKAGE,
            executable=executable,
            arguments=flags,
            parameters=[given('config')],
            output='screen',
            respawn=True,
            respawn_delay=RESPAWN_DELAY_S,
        )
        for executable in executables
    ]


def generate_launch_description():
    settings_file = os.path.join(get_package_share_directory(PACKAGE), 'config', 'sim_api.yaml')
    optional = [
        DeclareLaunchArgument(name, default_value='', description=description)
        for name, description in SETTINGS.items()
    ]
    return LaunchDescription(optional + [
        DeclareLaunchArgument('bind', default_value='', description='Address of the HTTP API and the viewer.'),
        DeclareLaunchArgument('port', default_value='', description='Port of the HTTP API and the viewer.'),
        DeclareLaunchArgument('config', default_value=settings_file, description='Settings file.'),
        DeclareLaunchArgument(
            'robot',
            default_value='true',
            choices=['true', 'false'],
            description="Start our robot software; false if the vehicle's own takes its place.",
        ),
        DeclareLaunchArgument(
            'backend',
            default_value='embedded',
            choices=['embedded', 'external'],
            description='Start our simulator; external if somebody else has started one (see backend_prefix).',
        ),
        OpaqueFunction(function=programs),
    ])
