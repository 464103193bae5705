"""The object that a judging script knows as `sim`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sim_channel import Channel, Refused, _encode
from sim_values import Values

__all__ = ["Refused", "Sim"]

Number = float | int
Points = Sequence[Sequence[Number]]


class Sim:
    """What the simulator shows, and what it can be asked to do."""

    def __init__(self, channel: Channel, setup: Values) -> None:
        self._channel = channel
        self.config: Values = setup.config
        self.track: Values = setup.track
        self.route: Values | None = setup.route
        self.objects: Values = setup.objects
        self.origins: Values = setup.origins
        self.state: Values = observed(setup.state)
        self._finished = False

    def teleport(
        self,
        x: Number | None = None,
        y: Number | None = None,
        yaw: Number | None = None,
        *,
        duration: Number | None = None,
        path: Points | None = None,
        speed: Number | None = None,
        loop: bool = False,
    ) -> None:
        """Puts the car upright and at rest elsewhere. What is omitted stays as it is.

        With `duration` the simulator moves it there within so many simulated seconds; with `path` and `speed` it follows the
        points, for ever with `loop`. Both return at once.
        """
        motion = _motion(duration, path, speed, loop)
        self._channel.ask("teleport", x=_number("x", x), y=_number("y", y), yaw=_number("yaw", yaw), **motion)

    def move_object(
        self,
        name: str,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        yaw: Number | None = None,
        *,
        duration: Number | None = None,
        path: Points | None = None,
        speed: Number | None = None,
        loop: bool = False,
    ) -> None:
        """As `teleport`, for an object or a traffic light."""
        motion = _motion(duration, path, speed, loop)
        place = {"x": _number("x", x), "y": _number("y", y), "z": _number("z", z), "yaw": _number("yaw", yaw)}
        self._channel.ask("move_object", name=_text("name", name), **place, **motion)

    def set_light(self, name: str, state: str) -> None:
        """Turns a traffic light "green" or "red"; to red it takes three simulated seconds of yellow."""
        self._channel.ask("set_light", name=_text("name", name), state=_text("state", state))

    def overlay(self, text: str = "", secs: Number = 10, size: Number = 1) -> None:
        """Shows a text over the picture; an empty one takes it away."""
        self._channel.ask("overlay", text=str(text), secs=_number("secs", secs), size=_number("size", size))

    def set_brightness(self, value: Number) -> None:
        """How bright camera and page show the world, 0.2 to 2."""
        self._channel.ask("set_brightness", value=_number("value", value))

    def pause(self, paused: bool = True) -> None:
        """Stops simulation time, or lets it go on. No observation comes while it stands."""
        if not isinstance(paused, bool):
            raise TypeError(f"paused must be True or False, not {paused!r}")
        self._channel.ask("pause", paused=paused)

    def record(self, value: Any) -> None:
        """The result so far, any JSON value; the last one counts. Only finite numbers are ranked."""
        try:
            _encode(value)
        except ValueError as problem:
            raise ValueError(f"sim.record: {value!r} cannot be written as JSON: {problem}") from None
        except TypeError as problem:
            raise TypeError(f"sim.record: {problem}") from None
        self._channel.send("record", value=value)

    def finish(self) -> None:
        """The run is over; the call of `evaluate` that says so still goes to its end."""
        self._finished = True


def observed(state: Values) -> Values:
    """The state as the script sees it: bytes as bytes."""
    for event in state.audio.events:
        if "data" in event:
            event["data"] = bytes.fromhex(event["data"])
    return state


def _motion(duration: Number | None, path: Points | None, speed: Number | None, loop: bool) -> dict[str, Any]:
    if path is None:
        if speed is not None or loop:
            raise TypeError("speed and loop belong to a path: give path=[[x, y], ...] as well")
        return {"duration": _number("duration", duration)}
    if duration is not None:
        raise TypeError("give either a duration or a path, not both")
    if speed is None:
        raise TypeError("a path needs a speed")
    points = [[_number("path", part) for part in point[:2]] for point in path]
    if any(len(point) != 2 for point in points):
        raise TypeError("a path is a list of points [x, y]")
    return {"path": points, "speed": _number("speed", speed), "loop": bool(loop)}


def _number(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, (bool, str, bytes, Mapping)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {value!r}")
    return number


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}")
    return value
