"""Tags of queries: why a query failed, in the words of the paper (S08 §3.2) or one's own."""

from __future__ import annotations

import errno
import json
import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import pandas as pd

from study.disk import sync

SUGGESTED = (
    *("syntax error", "wrong angle", "over-strict filter", "wrong value"),
    *("typo", "too specific", "too broad"),
)
COLUMNS = ("session", "query_number", "tag")
LONGEST = 60
MOST_DIGITS = 9  # of a query number
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
JOINED = "; "
Tags = dict[tuple[str, int], tuple[str, ...]]  # of each query, by session and query number


def cleaned(texts: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: on one line, each once, the suggested ones first.

    >>> cleaned(["too  narrow", "typo", "a;b", " "])
    ('typo', 'a,b', 'too narrow')
    """
    plain = [CONTROL.sub(" ", unicodedata.normalize("NFC", str(text))) for text in texts]
    shorter = (" ".join(text.replace(";", ",").split())[:LONGEST].strip() for text in plain)
    given = {text for text in shorter if any(unicodedata.category(c)[0] not in "CZ" for c in text)}
    return (*(tag for tag in SUGGESTED if tag in given), *sorted(given.difference(SUGGESTED)))


def joined(tags: Tags, session: str, number: int) -> str:
    """Tags of one query in one cell."""
    return JOINED.join(tags.get((session, number), ()))


def tags_table(tags: Tags) -> pd.DataFrame:
    """One row per query and tag."""
    rows = [(*query, tag) for query, given in sorted(tags.items()) for tag in given]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def tags_of(table: pd.DataFrame) -> Tags:
    """Tags of a table with one row per query and tag; rows without a query or tag say nothing."""
    found: dict[tuple[str, int], list[str]] = {}
    for session, number, tag in table[list(COLUMNS)].itertuples(index=False):
        if str(number).isdecimal() and len(str(number)) <= MOST_DIGITS:
            found.setdefault((str(session), int(number)), []).append(str(tag))
    every = {query: cleaned(given) for query, given in found.items()}
    return {query: given for query, given in every.items() if given}


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
    found: Tags = {}
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    for line in filter(None, lines):
        try:
            fields: dict[str, Any] = json.loads(line)
            query = str(fields["session"]), int(fields["query_number"])
            tags = fields["tags"]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        if isinstance(tags, list):
            found[query] = cleaned(cast(list[Any], tags))
    return {query: tags for query, tags in found.items() if tags}
