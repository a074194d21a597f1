"""The log of judgments of one's own: a line of a document replaces what was said of it before."""

from __future__ import annotations

import math
from pathlib import Path

from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.store.appended import UNREADABLE, append_line, appended


def append_judgment(path: Path, topic: str, doc: str, grade: float | None) -> None:
    """Write the grade that a document has now; None takes it back."""
    append_line(path, {"topic": topic, "doc": doc, "grade": grade})


def read_judgments(path: Path) -> Layer:
    """Judgments as they stand after the last line."""
    latest: dict[tuple[str, str], float] = {}
    for fields in appended(path):
        try:
            thing, grade = (str(fields["topic"]), str(fields["doc"])), fields["grade"]
            latest[thing] = math.nan if grade is None else float(grade)
        except UNREADABLE:
            continue
    return {thing: grade for thing, grade in latest.items() if math.isfinite(grade)}
