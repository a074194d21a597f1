"""Short sessions to count by hand: the lists of the literature and three toy sessions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.raw_table import RawTable, category_columns
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.problems import Problem, error, refuse
from sdcg_explorer.study.study import Study

LINEAR = Definition(weights="linear")
SYSTEM = "this session"
NOTHING = "-"
MOST = 100
MOST_JUDGED = 10_000
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
        lists = "|".join(" ".join(doc or NOTHING for doc in docs) for docs in self.lists)
        return " ".join(graded) or NOTHING, lists or NOTHING

    def topic_of(self, query: int) -> str:
        """Topic of a query, from 0."""
        return self.topics[min(query, len(self.topics) - 1)]

    @property
    def documents(self) -> list[str]:
        """Every document that is shown, as often as it is, wherever."""
        return sorted(doc for docs in self.lists for doc in docs if doc)

    def with_texts(self, judged: str, lists: str) -> Example:
        """The example with other grades and lists, as a link holds them.

        >>> spelled("mine", "x1:2 x2:0", "x1 u|- x2", "").lists
        (('x1', 'u'), ('', 'x2'))
        """
        graded = [_graded(text, self.topics[0]) for text in judged.split()[:MOST_JUDGED]]
        docs = [
            ["" if doc == NOTHING else doc for doc in part.split()[:MOST]]
            for part in lists.split("|")[:MOST]
        ]
        return replace(
            self,
            judged=tuple(each for each in graded if each),
            lists=tuple(_trimmed(part) for part in docs),
        )

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Grades (a row per document) and lists (a row per rank, a column per query) to edit."""
        topics, docs, grades = zip(*self.judged, strict=True) if self.judged else ((), (), ())
        graded = {"document": docs, "grade": np.array(grades, dtype=float)}
        if len(set(self.topics)) > 1:
            graded = {"topic": topics, **graded}
        deep = max(10, *(len(part) for part in self.lists))
        wide = max(8, len(self.lists) + 1)
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
        return replace(
            self,
            judged=tuple((t, d, _grade(g)) for t, d, g in judged if d and _is_number(g)),
            lists=_filled([lists[name] for name in lists.columns]),
        )

    def arranged(
        self, lists: Sequence[Sequence[str]], graded: Sequence[tuple[str, str, str]]
    ) -> Example:
        """The example with its cards elsewhere, and (topic, document, grade) anew, "" for none.

        >>> spelled("mine", "x1:2 x2:0", "x1 u|x2", "").arranged([["u"], ["x2", "x1"]], []).texts
        ('x1:2 x2:0', 'u|x2 x1')
        """
        known = {(topic, doc): grade for topic, doc, grade in self.judged}
        for topic, doc, grade in graded[:MOST_JUDGED]:
            known.pop((topic, doc), None) if grade == "" else known.update(
                {(topic, _name(doc)): _grade(grade)}
            )
        judged = tuple((*named, grade) for named, grade in known.items() if _is_number(grade))
        shown = _filled([part[:MOST] for part in lists[:MOST]])
        return replace(self, judged=judged if graded else self.judged, lists=shown)


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
    name = "_".join(str(text).split()).translate(str.maketrans("|:/", "___"))
    return "_" if name == NOTHING else name


def _grade(number: Any) -> float:
    """A grade with as many digits as are told apart."""
    return float(label(float(number)))


def _is_number(grade: Any) -> bool:
    return grade is not None and math.isfinite(grade)


def _filled(lists: Sequence[Any]) -> Lists:
    """Lists of documents as they were typed, without empty ends."""
    filled = [_trimmed([_name(doc) for doc in part]) for part in lists]
    last = max((q for q, part in enumerate(filled) if part), default=0)
    return tuple(filled[: last + 1])


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
    return (own or topic, doc, _grade(worth)) if doc and math.isfinite(worth) else None


@lru_cache(maxsize=64)
def study_of(example: Example) -> Study:
    """An example as a study of one session, read and checked like any log.

    Raises
    ------
    UnusableInputError : nothing is graded or shown, or a document has two grades
    """
    _check(example)
    grades = {(topic, doc): label(grade) for topic, doc, grade in example.judged}
    rows: list[tuple[str, ...]] = []
    for q, docs in enumerate(example.lists):
        topic = example.topic_of(q)
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


def _check(example: Example) -> None:
    """Refuse, in the words of this page, what the readers would refuse in those of files."""
    known: dict[tuple[str, str], float] = {}
    topics = set(map(example.topic_of, range(len(example.lists))))
    problems: list[Problem] = []
    for row, (topic, doc, grade) in enumerate(example.judged, start=1):
        if known.setdefault((topic, doc), grade) != grade:
            rule = "a document has one grade"
            found = f"another grade, {label(grade)}, for {doc!r} of topic {topic!r}"
            problems.append(error("grades", row, found, rule, "Keep one."))
        if abs(grade) > LARGEST_GRADE:
            rule = f"grades lie between −{LARGEST_GRADE:g} and {LARGEST_GRADE:g}"
            problems.append(error("grades", row, f"grade {label(grade)}", rule, "Correct it."))
    if not topics & {topic for topic, _ in known}:
        rule = "a session is worth what its documents are"
        problems.append(error("grades", None, "no judged document", rule, "Grade one."))
    if not any(doc for docs in example.lists for doc in docs):
        rule = "a session shows documents"
        problems.append(error("results", None, "no document", rule, "Name one in a query."))
    refuse(problems)


def _part(file: str, kind: str, columns: dict[str, Any]) -> Part:
    rows = category_columns(columns)
    return Part(RawTable(file, rows, lines=np.arange(len(rows)) + 1, exact=True), kind, "by hand")
