"""The `ros2` commands of docs/howto/use-with-ros.md, as ROS 2's own Python library carries them out.

    python rclpy_guide.py

On the domain that `ROS_DOMAIN_ID` names, with the packages of the messages sourced. For a ROS 2 without its command line tools:
names, types, fields and quality of service must be right for a command to work, and whether they are shows here as well. What
starts programs (`ros2 launch`, `ros2 run`) is left to package_check.py. Ends with `N passed, M failed`.
"""

import argparse
import importlib
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import yaml
from checks import LIMIT_S, run_all
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy_node import Peer

GUIDE = Path(__file__).resolve().parents[2] / 'docs/howto/use-with-ros.md'
STARTS_PROGRAMS = ('launch', 'run')


def commands() -> list[list[str]]:
    """The words of every command that begins a line and starts no program, without `ros2`."""
    blocks = re.sub(r'\\\n', ' ', GUIDE.read_text())
    found = [shlex.split(line)[1:] for line in re.findall(r'^    (ros2 .*)$', blocks, re.MULTILINE)]
    return [words for words in found if words[0] not in STARTS_PROGRAMS]


def type_of(name: str) -> type:
    package, kind, simple = name.split('/')
    return getattr(importlib.import_module(f'{package}.{kind}'), simple)


def fill(message: Any, values: dict) -> Any:
    """The message with these fields, as YAML has them, set."""
    for name, value in values.items():
        old = getattr(message, name)
        new = fill(old, value) if hasattr(old, 'get_fields_and_field_types') else type(old)(value)
        setattr(message, name, new)
    return message


def hear(peer: Peer, options: argparse.Namespace, count: int):
    """Reads as `ros2 topic echo` does: with the quality that all publishers offer, unless another is asked for."""
    offers = peer.wait_for(f'a publisher of {options.topic}', lambda: peer.node.get_publishers_info_by_topic(options.topic))

    def common(asked: str | None, attribute: str, policy: type, weaker: Any, stronger: Any) -> Any:
        if asked:
            return policy[asked.upper()]
        return stronger if all(getattr(offer.qos_profile, attribute) == stronger for offer in offers) else weaker

    quality = QoSProfile(
        depth=10,
        reliability=common(
            options.qos_reliability, 'reliability', ReliabilityPolicy, ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE
        ),
        durability=common(
            options.qos_durability, 'durability', DurabilityPolicy, DurabilityPolicy.VOLATILE, DurabilityPolicy.TRANSIENT_LOCAL
        ),
    )
    heard = peer.hear(type_of(offers[0].topic_type), options.topic, quality)
    peer.wait_for(f'{count} on {options.topic}', lambda: len(heard) >= count)


def topic(peer: Peer, words: list[str]):
    parser = argparse.ArgumentParser(exit_on_error=False)
    for name in ('--rate', '--qos-reliability', '--qos-durability'):
        parser.add_argument(name)
    parser.add_argument('--once', action='store_true')
    parser.add_argument('verb', choices=['echo', 'hz', 'pub'])
    parser.add_argument('topic')
    parser.add_argument('type', nargs='?')
    parser.add_argument('values', nargs='?')
    options = parser.parse_args(words)
    if options.verb != 'pub':
        return hear(peer, options, 1 if options.verb == 'echo' else 2)
    readers = peer.wait_for(f'a reader of {options.topic}', lambda: peer.node.get_subscriptions_info_by_topic(options.topic))
    assert {reader.topic_type for reader in readers} == {options.type}, readers
    kind = type_of(options.type)
    peer.node.create_publisher(kind, options.topic, 10).publish(fill(kind(), yaml.safe_load(options.values)))


def service(peer: Peer, words: list[str]):
    verb, name, kind = words[0], words[1], type_of(words[2])
    assert verb == 'call', words
    client = peer.node.create_client(kind, name)
    assert client.wait_for_service(LIMIT_S), f'nobody offers {name}'
    future = client.call_async(fill(kind.Request(), yaml.safe_load(words[3]) if len(words) > 3 else {}))
    peer.wait_for(f'an answer of {name}', future.done)
    result = future.result().result
    assert result.result == result.RESULT_OK, result


def test_commands_of_the_guide_work(_: None):
    found = commands()
    assert len(found) > 8, found
    for number, words in enumerate(found):
        peer = Peer(f'reader_{number}')
        match words:
            case ['topic', *rest]:
                topic(peer, rest)
            case ['service', *rest]:
                service(peer, rest)
            case ['interface', 'show', name]:
                type_of(name)
            case ['node', 'list']:
                peer.wait_for('the node', lambda peer=peer: 'sim_api_node' in peer.node.get_node_names())
            case _:
                raise AssertionError(f'not known here: ros2 {shlex.join(words)}')
        peer.node.destroy_node()
        print(f'  ros2 {shlex.join(words)}', flush=True)


if __name__ == '__main__':
    sys.exit(run_all(globals(), None))
