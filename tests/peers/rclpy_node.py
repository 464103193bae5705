"""What the peers on rclpy share: a node that keeps what it hears."""

import time
from collections.abc import Callable
from typing import Any

import rclpy
from checks import LIMIT_S
from rclpy.node import Node
from rclpy.parameter import Parameter

# What one turn may take; a turn hands over one message.
TURN_S = 0.05


class Peer:
    def __init__(self, name: str, **parameters: Any):
        if not rclpy.ok():
            rclpy.init()
        overrides = [Parameter(key, value=value) for key, value in parameters.items()]
        self.node = Node(name, parameter_overrides=overrides)

    def hear(self, kind: type, topic: str, qos: Any = 10) -> list:
        """Everything that comes on the topic from now on."""
        heard: list = []
        self.node.create_subscription(kind, topic, heard.append, qos)
        return heard

    def wait_for(self, what: str, probe: Callable[[], Any]) -> Any:
        """Lets the node work until there is an answer."""
        until = time.monotonic() + LIMIT_S
        while time.monotonic() < until:
            rclpy.spin_once(self.node, timeout_sec=TURN_S)
            value = probe()
            if value:
                return value
        raise AssertionError(f'waited {LIMIT_S} s in vain for {what}')


def seconds(stamp: Any) -> float:
    return stamp.sec + stamp.nanosec * 1e-9
