"""Says where a script hangs.

Two watches look at the same deadline. A thread of Python sees a script that waits or computes, and can say so on the channel. It
is blind while C code keeps the interpreter to itself; then the second one, which needs no interpreter, writes the stack to
standard error, and the simulator ends the process.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
import time
import traceback
from collections.abc import Callable

from sim_channel import Channel

TICK_S = 0.2
# The watch without an interpreter comes after the other one.
LATER_S = 0.3
# Waiting for the simulator does not count, but not for ever.
MOST_WAITED_S = 8.0


class Watch:
    """Guards one call at a time."""

    def __init__(self, channel: Channel, script: str, hung: Callable[[str, str], None]) -> None:
        self._channel = channel
        self._script = script
        self._hung = hung
        self._thread = threading.main_thread().ident or 0
        # (name of the call, limit, when it began, seconds waited before it)
        self._call: tuple[str, float, float, float] | None = None
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def begin(self, name: str, limit_s: float) -> None:
        self._call = (name, limit_s, time.monotonic(), self._channel.waited)

    def end(self) -> None:
        self._call = None

    def _run(self) -> None:
        while True:
            call = self._call
            left = self._left(call) if call else TICK_S * 10
            if call and left <= 0 and self._call is call:
                faulthandler.cancel_dump_traceback_later()
                self._hung(call[0], self._stack())
                return
            # Renewed at every tick; who keeps this thread from running keeps it from being renewed.
            faulthandler.dump_traceback_later(max(left, 0.0) + TICK_S + LATER_S, file=2)
            time.sleep(min(TICK_S, max(left, 0.01)))

    def _left(self, call: tuple[str, float, float, float]) -> float:
        _, limit, began, waited = call
        spared = min(self._channel.waited - waited, MOST_WAITED_S)
        return began + limit + spared - time.monotonic()

    def _stack(self) -> str:
        frame = sys._current_frames().get(self._thread)
        frames = traceback.extract_stack(frame) if frame else []
        first = next((index for index, entry in enumerate(frames) if entry.filename == self._script), 0)
        return "".join(traceback.format_list(frames[first:]))
