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

MOST_DIGITS, LONGEST = 20, 2**64  # of a whole number


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
    _module("lzma", LZMAError=type("LZMAError", (Exception,), {}), open=no_xz)
    error = type("CalamineError", (Exception,), {})
    _module("python_calamine", CalamineError=error, CalamineWorkbook=no_workbook(error))
    _module("sqlite3", Error=ValueError, connect=no_database)
    np.bincount, np.repeat = narrowed(np.bincount, 0), narrowed(np.repeat, 1)


def narrowed(counting: Callable[..., Any], place: int) -> Callable[..., Any]:
    """A function of numpy that takes counts of 64 bits, too, where those of the machine have 32."""

    def takes(*args: Any, **named: Any) -> Any:
        values = np.asarray(args[place])
        own = values.astype(np.intp) if values.dtype.kind in "iu" else args[place]
        if (own != values).any():
            raise OverflowError("counts of more than 32 bits don't fit here")
        return counting(*args[:place], own, *args[place + 1 :], **named)

    return takes


def no_xz(*_: object) -> None:
    """Refuses a file that is packed as xz."""
    raise OSError("xz is not unpacked in the browser")


def no_database(*_: object) -> None:
    """Refuses a database."""
    raise ValueError("databases are not read in the browser")


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


def strict_json(text: bytes | bytearray | memoryview | str) -> Any:
    """JSON as its standard has it, in UTF-8: what orjson refuses is refused.

    Raises
    ------
    json.JSONDecodeError : no JSON, NaN and Infinity, half a surrogate, too deep, a number beyond
        floats
    """
    plain = text if isinstance(text, str) else bytes(text).decode(errors="surrogateescape")
    try:
        value = json.loads(plain, parse_int=_whole, parse_float=_finite, parse_constant=_refused)
        json.dumps(value, ensure_ascii=False).encode()
    except (RecursionError, UnicodeEncodeError) as fault:
        raise json.JSONDecodeError(str(fault), plain, 0) from None
    return value


def _refused(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is no JSON", name, 0)


def _whole(digits: str) -> int | float:
    """A whole number, or where 64 bits don't hold it a float, as orjson has it."""
    whole = int(digits) if len(digits) <= MOST_DIGITS else LONGEST
    return whole if -(2**63) <= whole < LONGEST else _finite(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if np.isfinite(number) else _refused(digits)


def _dumps(value: Any, **_: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
