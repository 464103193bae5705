"""The two pipes to the simulator, and what the script prints."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from typing import Any, BinaryIO

from sim_values import Values, from_json

_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
# A line of the log that is longer than this is cut by the simulator anyway.
LONGEST_LINE = 8192


class SimulatorGone(BaseException):
    """The other end of the channel is closed. No `except Exception` of a script keeps this from ending it."""


class Refused(RuntimeError):
    """The simulator did not do what it was asked to do; the text says why."""

    # Shown without the name of this module, which means nothing to whoever wrote the script.
    __module__ = "builtins"


class Channel:
    """One JSON object per line, each way. Requests of several threads take turns."""

    def __init__(self, source: BinaryIO, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._writing = threading.Lock()
        self._asking = threading.RLock()
        # Seconds that were spent waiting for the simulator; they are not the script's fault.
        self.waited = 0.0

    @classmethod
    def take_over(cls) -> Channel:
        """Moves standard input and output to descriptors that no subprocess inherits, and gives the script others."""
        source, sink = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # Raw writes and subprocesses end up in the log, like everything on standard error.
        os.dup2(2, 1)
        channel = cls(os.fdopen(source, "rb"), sink)
        sys.stdin = open(0, encoding="utf-8", closefd=False)
        sys.stdout = LogText(channel)
        sys.stderr = LogText(channel)
        return channel

    def send(self, kind: str, **fields: Any) -> None:
        line = _encode({"type": kind, **fields}).encode("ascii") + b"\n"
        with self._writing:
            view = memoryview(line)
            while view:
                try:
                    view = view[os.write(self._sink, view):]
                except OSError as problem:
                    raise SimulatorGone from problem

    def receive(self) -> Values:
        line = self._source.readline()
        if not line.endswith(b"\n"):
            raise SimulatorGone
        message: Values = from_json(line.decode("utf-8"))
        return message

    def ask(self, action: str, **fields: Any) -> Values:
        """Has the simulator do something and waits until it is done."""
        with self._asking:
            started = time.monotonic()
            self.send("act", action=action, fields={key: value for key, value in fields.items() if value is not None})
            reply = self.receive()
            self.waited += time.monotonic() - started
        error = reply.get("error")
        if error is not None:
            raise Refused(error)
        return reply


class _LogBytes(io.RawIOBase):
    """What is written here goes to the log, one message per line."""

    def __init__(self, channel: Channel) -> None:
        super().__init__()
        self._channel = channel
        self._rest = b""
        self._lock = threading.RLock()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        data = bytes(data)
        with self._lock:
            *lines, self._rest = (self._rest + data).split(b"\n")
            while len(self._rest) > LONGEST_LINE:
                lines.append(self._rest[:LONGEST_LINE])
                self._rest = self._rest[LONGEST_LINE:]
            for line in lines:
                self._channel.send("log", line=line[:LONGEST_LINE].decode("utf-8", "replace"))
        return len(data)

    def end_line(self) -> None:
        with self._lock:
            if self._rest:
                self.write(b"\n")


class LogText(io.TextIOWrapper):
    """A text stream like sys.stdout, for print and friends."""

    def __init__(self, channel: Channel) -> None:
        self._bytes = _LogBytes(channel)
        super().__init__(self._bytes, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True)  # type: ignore[arg-type]

    def end_line(self) -> None:
        """What was printed without a newline is a line as well."""
        self._bytes.end_line()
