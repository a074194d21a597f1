"""TREC: qrels (topic 0 document grade) and runs (query id Q0 document rank score tag)."""

from __future__ import annotations

import re

from study.problems import Causes, refuse
from study.reading.cells import NUMBER
from study.reading.raw_table import RawTable, encoded
from study.reading.readers.text import open_text
from study.reading.sources import Source

QREL = re.compile(r"\S+\s+\S+\s+\S+\s+" + NUMBER.pattern)
RUN = re.compile(r"\S+\s+\S+\s+\S+\s+\d+\s+[+-]?[\d.]\S*\s+\S.*")
QRELS = {"topic": 0, "doc": 2, "grade": 3}
RUNS = {"query_number": 0, "doc": 2, "rank": 3, "score": 4}
LAYOUTS = {
    "qrels": (QRELS, 4, "a line of qrels reads: topic 0 document grade"),
    "run": (RUNS, 6, "a line of a run reads: query Q0 document rank score tag"),
}


def trec_form(lines: list[str]) -> str:
    """Whether lines are qrels or a run, going by most of them; else ""."""
    for form, pattern in (("qrels", QREL), ("run", RUN)):
        if 2 * sum(bool(pattern.fullmatch(line.strip())) for line in lines) >= len(lines) > 0:
            return form
    return ""


def read_trec(source: Source, form: str) -> RawTable:
    """Judgments or a run as TREC writes them; the tag of a run is not used.

    Raises
    ------
    UnusableInputError : lines that do not have their four or six parts
    """
    layout, size, rule = LAYOUTS[form]
    with open_text(source) as text:
        rows = [line.split() for line in text.data.decode("utf-8").split("\n")]
        notes = text.notes
    numbered = [(number, row) for number, row in enumerate(rows, start=1) if row]
    causes = Causes(source.name)
    for number, row in numbered:
        if len(row) != size:
            causes.add(number, f"{len(row)} parts", rule, "Complete the line.")
    refuse(causes.problems)
    parts = {name: [row[i] for _, row in numbered] for name, i in layout.items()}
    lines = [number for number, _ in numbered]
    return RawTable(source.name, encoded(parts), lines, form=form, notes=notes)
