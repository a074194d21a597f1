"""Logs of what is said of a study: one line a change, appended, the last of a thing counting."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from sdcg_explorer.study.store.disk import sync

UNREADABLE = (ValueError, KeyError, TypeError, OverflowError, RecursionError)  # of a line's fields


def append_line(path: Path, fields: dict[str, Any]) -> None:
    """Write one line at the end.

    A line starts with its line break, so that one which a crash cut short spoils no other.
    """
    line = f"\n{json.dumps(fields, ensure_ascii=False)}".encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        if os.write(handle, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(handle)
    sync(path)


def appended(path: Path) -> Iterator[dict[str, Any]]:
    """Fields of each line; lines that were cut short are passed over."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    for line in filter(None, lines):
        try:
            fields = orjson.loads(line)
        except UNREADABLE:
            continue
        if isinstance(fields, dict):
            yield fields
