"""Dictionaries whose keys are also attributes."""

from __future__ import annotations

import json
from typing import Any


class Values(dict[str, Any]):
    """A dict whose keys are also attributes. Where a key has the name of a method of dict, only `values["key"]` gives it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r} here; there is: {', '.join(map(str, self)) or 'nothing'}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        try:
            del self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r} here") from None

    def __copy__(self) -> Values:
        return Values(self)


_decode = json.JSONDecoder(object_hook=Values).decode


def from_json(text: str) -> Any:
    """Reads JSON; every object in it becomes Values."""
    return _decode(text)
