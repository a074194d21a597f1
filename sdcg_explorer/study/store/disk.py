"""The disk: JSON written whole, files synced and summed, and faults of the disk in words."""

from __future__ import annotations

import errno
import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import orjson

from sdcg_explorer.study.problems import UnusableInputError, error, in_words

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NO_ROOM = "Free some room there, and do it again: nothing of it was kept."
NO_WAY = "Check that the folder can be written to; nothing was changed."


def attempt(path: Path, act: Callable[[], object]) -> None:
    """Do something on disk; where it can't be done, say so, without the folders above the path."""
    try:
        act()
    except OSError as fault:
        rule = "studies are kept on disk before they are shown as kept"
        found = in_words(fault)
        remedy = NO_ROOM if fault.errno in FULL else NO_WAY
        raise UnusableInputError([error(path.name, None, found, rule, remedy)]) from None


def read_json(path: Path) -> dict[str, Any]:
    """The fields of a JSON file.

    Raises
    ------
    OSError, ValueError : no such file, or none that we wrote: nested deep, half a surrogate pair,
        a number that is none
    """
    try:
        fields: Any = orjson.loads(path.read_bytes())
    except ValueError as fault:
        raise ValueError(f"{path.name}: {fault}") from None
    if not isinstance(fields, dict):
        raise ValueError(f"{path.name}: no fields by name")
    return cast("dict[str, Any]", fields)


def write_json(path: Path, fields: dict[str, Any]) -> None:
    """Write JSON as UTF-8."""
    path.write_text(json.dumps(fields, ensure_ascii=False), encoding="utf-8")


def replace_json(path: Path, fields: dict[str, Any]) -> None:
    """Put JSON in the place of a file, at once."""
    aside = path.with_name(f".{uuid.uuid4().hex}.json")
    try:
        write_json(aside, fields)
        sync(aside)
        aside.replace(path)
        sync(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Have the disk take it; folders can't be synced on Windows."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def try_writing(folder: Path) -> None:
    """Write a file there and remove it.

    Raises
    ------
    OSError : it can't be written to
    """
    probe = folder / f".tmp-{uuid.uuid4().hex}"
    try:
        probe.touch()
    finally:
        probe.unlink(missing_ok=True)


def age_of(path: Path) -> float:
    """Seconds since the epoch at which a file was last changed; 0 where there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
