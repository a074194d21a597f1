"""What stands in for what Python in a browser lacks: threads, 64-bit counting, packages."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np


class AtOnce:
    """Does each task as it is handed over, as no thread is there to do it beside."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def __enter__(self) -> AtOnce:
        return self

    def __exit__(self, *_: object) -> None: ...

    def submit(self, task: Callable[..., Any], *args: Any, **named: Any) -> futures.Future[Any]:
        """The result, or what went wrong, which is raised where the result is asked for."""
        done = futures.Future[Any]()
        try:
            done.set_result(task(*args, **named))
        except Exception as fault:
            done.set_exception(fault)
        return done

    def map(self, task: Callable[..., Any], *each: Iterable[Any]) -> Iterator[Any]:
        """The results, in order."""
        return map(task, *each)


def put_in() -> None:
    """Put all of them in their places, before anything of the explorer is imported."""
    futures.ThreadPoolExecutor = AtOnce
    _module("orjson", loads=strict_json, dumps=_dumps, JSONDecodeError=json.JSONDecodeError)
    _module("lzma", LZMAError=type("LZMAError", (Exception,), {}))
    error = type("CalamineError", (Exception,), {})
    _module("python_calamine", CalamineError=error, CalamineWorkbook=no_workbook(error))
    np.bincount, np.repeat = narrowed(np.bincount, 0), narrowed(np.repeat, 1)


def narrowed(counting: Callable[..., Any], place: int) -> Callable[..., Any]:
    """A function of numpy that takes counts of 64 bits, too, where those of the machine have 32."""

    def takes(*args: Any, **named: Any) -> Any:
        values = np.asarray(args[place])
        own = values.astype(np.intp) if values.dtype.kind in "iu" else values
        return counting(*args[:place], own, *args[place + 1 :], **named)

    return takes


def no_workbook(error: type[Exception]) -> type[Any]:
    """A reader of workbooks that refuses each."""

    class Workbook:
        @classmethod
        def from_path(cls, *_: object) -> Workbook:
            raise error("workbooks are not read in the browser")

        from_filelike = from_object = from_path

    return Workbook


def _module(name: str, **names: Any) -> None:
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__spec__ = ModuleSpec(name, None)
    vars(sys.modules[name]).update(names)


def strict_json(text: bytes | str) -> Any:
    """JSON as its standard has it, without NaN and Infinity."""

    def refused(name: str) -> Any:
        raise json.JSONDecodeError(f"{name} is no JSON", name, 0)

    return json.loads(text, parse_constant=refused)


def _dumps(value: Any, **_: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
