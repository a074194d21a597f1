"""The log of a study's tags: a line of a query replaces what was said of it before."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from sdcg_explorer.study.store.appended import UNREADABLE, append_line, appended
from sdcg_explorer.study.tags import Tags, cleaned


def append_tags(path: Path, session: str, number: int, tags: Iterable[str]) -> None:
    """Write the tags that a query has now."""
    append_line(path, {"session": session, "query_number": number, "tags": cleaned(tags)})


def read_tags(path: Path) -> Tags:
    """Tags as they stand after the last line."""
    latest: Tags = {}
    for fields in appended(path):
        try:
            query = str(fields["session"]), int(fields["query_number"])
            tags = fields["tags"]
        except UNREADABLE:
            continue
        if isinstance(tags, list):
            latest[query] = cleaned(cast(list[Any], tags))
    return {query: tags for query, tags in latest.items() if tags}
