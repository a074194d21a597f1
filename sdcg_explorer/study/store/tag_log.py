"""The log of a study's tags: one line a change, appended, the last of a query counting."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import orjson

from sdcg_explorer.study.store.disk import sync
from sdcg_explorer.study.tags import Tags, cleaned


def append_tags(path: Path, session: str, number: int, tags: Iterable[str]) -> None:
    """Write one line at the end, which replaces what was said of its query before.

    A line starts with its line break, so that one which a crash cut short spoils no other.
    """
    fields = {"session": session, "query_number": number, "tags": cleaned(tags)}
    line = f"\n{json.dumps(fields, ensure_ascii=False)}".encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        if os.write(handle, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(handle)
    sync(path)


def read_tags(path: Path) -> Tags:
    """Tags as they stand after the last line; lines that were cut short are passed over."""
    latest: Tags = {}
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    for line in filter(None, lines):
        try:
            fields: dict[str, Any] = orjson.loads(line)
            query = str(fields["session"]), int(fields["query_number"])
            tags = fields["tags"]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        if isinstance(tags, list):
            latest[query] = cleaned(cast(list[Any], tags))
    return {query: tags for query, tags in latest.items() if tags}
