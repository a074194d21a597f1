"""TREC: qrels (topic 0 document grade, or less) and runs (query id Q0 document rank score tag)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sdcg_explorer.reading.cells import NUMBER
from sdcg_explorer.reading.mapping import looks_like_header
from sdcg_explorer.reading.raw_table import SCORE, Known, RawTable, same_text, texts_of
from sdcg_explorer.reading.readers.tables import parted_rows
from sdcg_explorer.reading.readers.text import Text
from sdcg_explorer.reading.sources import Head
from sdcg_explorer.study.problems import Causes, Problem, note, refuse


@dataclass(frozen=True)
class _Layout:
    """Lines of one form: their pattern, how many parts they have, and which part goes where."""

    pattern: re.Pattern[str]
    size: int
    columns: dict[str, int]
    rule: str
    known: Known


NOTHING = {"0", "Q0"}  # the second part of qrels, unless it names parts of a topic
QRELS = _Layout(
    re.compile(r"\S+\s+\S+\s+\S+\s+" + NUMBER.pattern),
    4,
    {"topic": 0, "iteration": 1, "doc": 2, "grade": 3},
    "a line of qrels reads: topic 0 document grade",
    Known("judgments", "its lines read: topic, 0, document, grade"),
)
SHORT_QRELS = _Layout(
    re.compile(r"\S+\s+\S+\s+[+-]?\d{1,2}"),
    3,
    {"topic": 0, "doc": 1, "grade": 2},
    "a line of these qrels reads: topic document grade",
    Known("judgments", "its lines read: topic, document, grade"),
)
PAIRS = _Layout(
    re.compile(r"\S+\s+\S+"),
    2,
    {"topic": 0, "doc": 1},
    "a line of these qrels reads: topic document",
    Known("judgments", "it is called qrels, and its lines read: topic, document"),
)
RUN = _Layout(
    re.compile(r"\S+\s+\S+\s+\S+\s+\d+\s+[+-]?[\d.]\S*\s+\S.*"),
    6,
    {"query_number": 0, "doc": 2, "rank": 3, "score": 4, "run": 5},
    "a line of a run reads: query Q0 document rank score tag",
    Known("log", "its lines read: query id, Q0, document, rank, score, tag", scored=True),
)


def is_qrels(head: Head) -> bool:
    """Whether lines are qrels, going by most of them; pairs only in a file that says so."""
    zeros = {_second(line) for line in head.lines} <= NOTHING  # and the grade is missing
    short = _mostly(SHORT_QRELS, head.lines) and not zeros
    pairs = "qrel" in head.source.name.lower() and _mostly(PAIRS, head.lines)
    return _mostly(QRELS, head.lines) or short or pairs


def _second(line: str) -> str:
    return line.split()[1] if len(line.split()) > 1 else ""


def is_run(head: Head) -> bool:
    """Whether lines are a run, going by most of them."""
    return _mostly(RUN, head.lines)


def _mostly(layout: _Layout, lines: list[str]) -> bool:
    fitting = sum(bool(layout.pattern.fullmatch(line.strip())) for line in lines)
    return 2 * fitting >= len(lines) > 0 and not _is_of_a_table(lines[0])


def _is_of_a_table(line: str) -> bool:
    """Whether a line has names of columns, or cells parted by a delimiter and a blank."""
    *parts, _ = line.split() or [""]
    parted = bool(parts) and all(part.endswith((",", ";")) for part in parts)
    return parted or any(looks_like_header(line.split(sign)) for sign in (None, ",", ";", "\t"))


def read_qrels(text: Text) -> list[RawTable]:
    """Judgments as TREC writes them; without the second part, or topic and document alone.

    Of these each document has grade 1, which is noted.

    Raises
    ------
    UnusableInputError : lines that do not have as many parts as the first
    """
    parts = len(next(line.split() for _, line in text.lines() if line.strip()))
    layout = {SHORT_QRELS.size: SHORT_QRELS, PAIRS.size: PAIRS}.get(parts, QRELS)
    raw = _read(text, layout)
    if layout is QRELS and {*texts_of(raw.rows["iteration"])} <= NOTHING:
        return [replace(raw, rows=raw.rows.drop(columns="iteration"))]
    if layout is not PAIRS:
        return [raw]
    rule = "each document that is listed is judged 1"
    said = note(text.name, "judgments without grades", rule, "Give the grades, if there are any.")
    rows = raw.rows.assign(grade=same_text("1", len(raw.rows)))
    return [replace(raw, rows=rows, notes=(*raw.notes, said))]


def read_run(text: Text) -> list[RawTable]:
    """A run as TREC writes it; its tag stands under run, a name of the system.

    Raises
    ------
    UnusableInputError : lines that do not have their six parts
    """
    return [_read(text, RUN)]


def _read(text: Text, layout: _Layout) -> RawTable:
    try:
        measured = [name for name in layout.columns if name == SCORE]
        rows, filled = parted_rows(text, layout.size, layout.columns, measured=measured)
    except ValueError:
        refuse(_faults(text, layout))
        raise
    return RawTable(text.name, rows, filled, layout.known, notes=text.notes)


def _faults(text: Text, layout: _Layout) -> list[Problem]:
    """Lines with more or fewer parts."""
    causes = Causes(text.name)
    for number, line in text.lines():
        parts = len(line.split())
        if parts not in (0, layout.size):
            causes.add(number, f"{parts} parts", layout.rule, "Complete the line.")
    return causes.problems
