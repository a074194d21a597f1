"""Short sessions to count by hand: the lists of the literature and three toy sessions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from analysis.definition import Definition
from study.assemble import assemble
from study.checks import UnusableInputError, error
from study.counts import label
from study.parts import Part
from study.raw import RawTable, encoded
from study.study import Study

LINEAR = Definition(weights="linear")
SYSTEM = "this session"
Judged = tuple[tuple[str, str, float], ...]
Lists = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Example:
    """One session: judged documents, a result list per query, and how its source counts.

    judged : (topic, document, grade) · lists : document at each rank, "" where there is none ·
    topics : topic of each query; queries beyond are on the last.
    """

    name: str
    judged: Judged
    lists: Lists
    topics: tuple[str, ...]
    definition: Definition
    about: str

    @property
    def texts(self) -> tuple[str, str]:
        """Grades and lists as a link holds them; see `read_texts`."""
        several = len(set(self.topics)) > 1
        graded = (f"{f'{t}/' if several else ''}{doc}:{label(g)}" for t, doc, g in self.judged)
        return " ".join(graded), "|".join(
            " ".join(doc or "-" for doc in docs) for docs in self.lists
        )

    def with_texts(self, judged: str, lists: str) -> Example:
        """The example with other grades and lists, as a link holds them.

        >>> spelled("mine", "x1:2 x2:0", "x1 u|- x2", "").lists
        (('x1', 'u'), ('', 'x2'))
        """
        graded = [_graded(text, self.topics[0]) for text in judged.split()]
        docs = [["" if doc == "-" else doc for doc in part.split()] for part in lists.split("|")]
        return replace(
            self,
            judged=tuple(each for each in graded if each),
            lists=tuple(tuple(part) for part in docs),
        )

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Grades (a row per document) and lists (a row per rank, a column per query) to edit."""
        topics, docs, grades = zip(*self.judged, strict=True) if self.judged else ((), (), ())
        graded = {"document": docs, "grade": np.array(grades, dtype=float)}
        if len(set(self.topics)) > 1:
            graded = {"topic": topics, **graded}
        deep = max(10 if len(self.lists) < 7 else 0, *(len(part) for part in self.lists))
        wide = max(6, len(self.lists))
        padded = [(*part, *[""] * (deep - len(part))) for part in self.lists]
        columns = {f"Q{q + 1}": padded[q] if q < len(padded) else [""] * deep for q in range(wide)}
        ranks = pd.RangeIndex(1, deep + 1, name="rank")
        return pd.DataFrame(graded), pd.DataFrame(columns, index=ranks, dtype=object)

    def edited(self, grades: pd.DataFrame, lists: pd.DataFrame) -> Example:
        """The example with what was edited in its tables."""
        rows = grades.to_dict("records")
        judged = [
            (_name(row.get("topic")) or self.topics[0], _name(row["document"]), row["grade"])
            for row in rows
        ]
        parts = [[_name(doc) for doc in lists[name]] for name in lists.columns]
        filled = [_trimmed(part) for part in parts]
        last = max((q for q, part in enumerate(filled) if part), default=0)
        return replace(
            self,
            judged=tuple((t, doc, float(g)) for t, doc, g in judged if doc and pd.notna(g)),
            lists=tuple(filled[: last + 1]),
        )


def spelled(
    name: str,
    judged: str,
    lists: str,
    about: str,
    definition: Definition = LINEAR,
    topics: tuple[str, ...] = ("1",),
) -> Example:
    """An example from its texts."""
    return Example(name, (), (), topics, definition, about).with_texts(judged, lists)


def _name(text: object) -> str:
    """A document's name as it was typed, in one word and without the marks of a link."""
    if text is None or text != text:  # nan
        return ""
    return "_".join(str(text).split()).translate(str.maketrans("|:/", "___"))


def _trimmed(part: Sequence[str]) -> tuple[str, ...]:
    last = max((r for r, doc in enumerate(part) if doc), default=-1)
    return tuple(part[: last + 1])


def _graded(text: str, topic: str) -> tuple[str, str, float] | None:
    """A graded document of a link; nothing where it can't be one."""
    named, _, grade = text.rpartition(":")
    own, _, doc = named.rpartition("/")
    try:
        worth = float(grade)
    except ValueError:  # a link that was mistyped still opens
        return None
    return (own or topic, doc, worth) if doc and math.isfinite(worth) else None


@lru_cache(maxsize=64)
def study_of(example: Example) -> Study:
    """An example as a study of one session, read and checked like any log.

    Raises
    ------
    UnusableInputError : nothing is graded, or a document has two grades
    """
    if not example.judged:
        rule = "a session is worth what its documents are"
        missing = error("grades", None, "no graded document", rule, "Grade one.")
        raise UnusableInputError([missing])
    grades = {(topic, doc): label(grade) for topic, doc, grade in example.judged}
    rows: list[tuple[str, ...]] = []
    for q, docs in enumerate(example.lists):
        topic = example.topics[min(q, len(example.topics) - 1)]
        ranked = [(r, doc) for r, doc in enumerate(docs, start=1) if doc] or [("", "")]
        rows += [
            (SYSTEM, str(q + 1), topic, str(r), doc, grades.get((topic, doc), ""))
            for r, doc in ranked
        ]
    names = ("session", "query_number", "topic", "rank", "doc", "grade")
    log = _part("lists", "log", dict(zip(names, zip(*rows, strict=True), strict=True)))
    columns = zip(*((t, doc, label(g)) for t, doc, g in example.judged), strict=True)
    judged = _part(
        "grades", "judgments", dict(zip(("topic", "doc", "grade"), columns, strict=True))
    )
    return assemble([log, judged], name=example.name)


def _part(file: str, kind: str, columns: dict[str, Any]) -> Part:
    rows = encoded(columns)
    return Part(RawTable(file, rows, lines=np.arange(len(rows)) + 1, exact=True), kind, "by hand")
