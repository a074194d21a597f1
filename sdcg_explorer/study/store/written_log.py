"""The log of what a reader wrote about a study: a line of a text replaces the one before it."""

from __future__ import annotations

from pathlib import Path

from sdcg_explorer.study.store.appended import UNREADABLE, append_line, appended
from sdcg_explorer.study.written import Written, written_of


def append_written(path: Path, about: str, text: str) -> None:
    """Write the text that a question has now; an empty one takes it back."""
    append_line(path, {"about": about, "text": text})


def read_written(path: Path) -> Written:
    """Texts as they stand after the last line."""
    latest = Written()
    for fields in appended(path):
        try:
            latest[str(fields["about"])] = str(fields["text"])
        except UNREADABLE:
            continue
    return written_of(latest)
