"""Loads the script, calls its functions, and tells the simulator how that went."""

from __future__ import annotations

import asyncio
import inspect
import linecache
import os
import sys
import traceback
import types
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from sim_api import Sim, observed
from sim_channel import Channel, LogText, SimulatorGone
from sim_watch import Watch

INITIALIZE_S = 30.0


def run(channel: Channel, script: str) -> int:
    """The whole life of a judging script. Everything that can be said about its end is said on the channel."""
    try:
        _Judge(channel, script).run()
    except SimulatorGone:
        return 0
    return 0


class _Failed(Exception):
    """The script failed and the simulator was told."""


class _Judge:
    def __init__(self, channel: Channel, script: str) -> None:
        self._channel = channel
        self._script = script
        setup = channel.receive()
        self._evaluate_s: float = setup.evaluate_s
        self._sim = Sim(channel, setup)
        self._runner: asyncio.Runner | None = None
        self._watch = Watch(channel, script, self._hung)

    def run(self) -> None:
        try:
            module = self._call("the script", INITIALIZE_S, self._load)
            evaluate = getattr(module, "evaluate", None)
            if not callable(evaluate):
                self._fail("the script defines no function evaluate(sim)")
            initialize = getattr(module, "initialize", None)
            if initialize is None:
                initialize = put_everything_back
            self._call("initialize", INITIALIZE_S, initialize, self._sim)
            self._channel.send("initialized")
            while not self._sim._finished:
                self._sim.state = observed(self._channel.receive().state)
                self._call("evaluate", self._evaluate_s, evaluate, self._sim)
                if not self._sim._finished:
                    self._channel.send("evaluated")
            self._channel.send("finish")
        except _Failed:
            pass

    def _load(self) -> types.ModuleType:
        with open(self._script, encoding="utf-8") as file:
            source = file.read()
        # Kept here, so that a traceback shows the lines even if the file is gone by then.
        linecache.cache[self._script] = (len(source), None, source.splitlines(keepends=True), self._script)
        module = types.ModuleType("judging_script")
        module.__file__ = self._script
        sys.modules["judging_script"] = module
        exec(compile(source, self._script, "exec", dont_inherit=True), module.__dict__)
        return module

    def _call(self, name: str, limit_s: float, function: Callable[..., Any], *arguments: Any) -> Any:
        self._watch.begin(name, limit_s)
        try:
            result = function(*arguments)
            if inspect.isawaitable(result):
                result = self._await(result)
            return result
        except SimulatorGone:
            raise
        except SystemExit as ended:
            self._fail(f"the script ended itself with exit({'' if ended.code is None else ended.code}) in {name}")
        except BaseException as problem:
            self._tell(problem)
        finally:
            self._watch.end()
            end_lines()

    def _await(self, result: Awaitable[Any]) -> Any:
        if self._runner is None:
            self._runner = asyncio.Runner()

        async def wait() -> Any:
            return await result

        return self._runner.run(wait())

    def _tell(self, problem: BaseException) -> None:
        """Names the line of the script, not those of this program that led there."""
        told = traceback.TracebackException.from_exception(problem)
        own = [index for index, entry in enumerate(told.stack) if entry.filename == self._script]
        if own:
            last = told.stack[own[-1]]
            where = f" ({os.path.basename(self._script)}, line {last.lineno})"
            told.stack = traceback.StackSummary.from_list(told.stack[own[0]: own[-1] + 1])
        elif isinstance(problem, SyntaxError) and problem.filename == self._script:
            where = f" ({os.path.basename(self._script)}, line {problem.lineno})"
            told.stack = traceback.StackSummary()
        else:
            where = ""
        what = "".join(traceback.format_exception_only(problem)).strip().splitlines()[-1]
        self._fail(what + where, "".join(told.format()))

    def _hung(self, name: str, stack: str) -> None:
        limit = self._evaluate_s if name == "evaluate" else INITIALIZE_S
        try:
            self._channel.send("failed", reason=f"{name} did not return within {limit:g} s", traceback=stack)
        except SimulatorGone:
            pass

    def _fail(self, reason: str, details: str = "") -> NoReturn:
        self._channel.send("failed", reason=reason, traceback=details)
        raise _Failed


def put_everything_back(sim: Sim) -> None:
    """What happens at the start of a run when the script does not say: every movable object goes to its origin."""
    for name, origin in sim.origins.items():
        sim.move_object(name, x=origin.x, y=origin.y, z=origin.z, yaw=origin.yaw)


def end_lines() -> None:
    """What was printed without a newline is a line as well, once the call is over."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, LogText):
            stream.end_line()
