"""Stands in for ROS 2's launch system where there is none: remembers what a launch file declares and starts.

Only what our launch file uses, with the signatures of ROS 2; anything else is an error, so that a launch file that needs more shows.
"""

import importlib.util
import sys
import types
from pathlib import Path


class LaunchDescription:
    def __init__(self, entities):
        self.entities = entities


class DeclareLaunchArgument:
    def __init__(self, name, *, default_value=None, description=None, choices=None):
        self.name, self.default_value, self.description, self.choices = name, default_value, description, choices


class OpaqueFunction:
    def __init__(self, *, function):
        self.function = function


class SetEnvironmentVariable:
    def __init__(self, name, value):
        self.name, self.value = name, value


class LaunchConfiguration:
    def __init__(self, name):
        self.name = name

    def perform(self, context):
        return context[self.name]


class Node:
    def __init__(self, *, package, executable, arguments=(), parameters=(), output='log', respawn=False, respawn_delay=0.0):
        self.package, self.executable, self.arguments = package, executable, list(arguments)
        self.parameters, self.output, self.respawn, self.respawn_delay = list(parameters), output, respawn, respawn_delay


def load(launch_file: Path, share: Path) -> LaunchDescription:
    """What the launch file describes, when the package is installed at `share`."""
    modules = {
        'ament_index_python': {},
        'ament_index_python.packages': {'get_package_share_directory': lambda package: str(share)},
        'launch': {'LaunchDescription': LaunchDescription},
        'launch.actions': {
            'DeclareLaunchArgument': DeclareLaunchArgument,
            'OpaqueFunction': OpaqueFunction,
            'SetEnvironmentVariable': SetEnvironmentVariable,
        },
        'launch.substitutions': {'LaunchConfiguration': LaunchConfiguration},
        'launch_ros': {},
        'launch_ros.actions': {'Node': Node},
    }
    for name, contents in modules.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(contents)
    spec = importlib.util.spec_from_file_location('launch_file', launch_file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


def arguments_of(description: LaunchDescription) -> dict[str, DeclareLaunchArgument]:
    return {entity.name: entity for entity in description.entities if isinstance(entity, DeclareLaunchArgument)}


def start(description: LaunchDescription, **given: str) -> dict[str, Node]:
    """The nodes that a launch with these arguments starts, by executable."""
    declared = arguments_of(description)
    unknown = given.keys() - declared.keys()
    assert not unknown, f'not declared: {unknown}'
    for name, value in given.items():
        assert not declared[name].choices or value in declared[name].choices, f'{name}:={value} is no choice'
    context = {name: given.get(name, argument.default_value) for name, argument in declared.items()}
    nodes = []
    for entity in description.entities:
        if isinstance(entity, OpaqueFunction):
            nodes += entity.function(context)
    return {node.executable: node for node in nodes if isinstance(node, Node)}
