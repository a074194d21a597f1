"""Judgments whose files stand for a grade each: gold.txt=2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdcg_explorer.reading.mapping import is_called
from sdcg_explorer.reading.raw_table import in_order
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.problems import Remedy, error, refuse

COLUMN = "grade of file"


def graded_files(said: str) -> dict[str, str]:
    """Grade by file, as in gold.txt=2,evidence.txt=1.

    >>> graded_files("gold.txt=2, evidence.txt=1")
    {'gold.txt': '2', 'evidence.txt': '1'}
    """
    pairs = [each.rpartition("=") for each in said.split(",") if each.strip()]
    return {file.strip(): grade.strip() for file, _, grade in pairs}


def with_graded_files(parts: Sequence[Part], said: str) -> list[Part]:
    """The parts, where every row of a named file of judgments has the file's grade.

    Raises
    ------
    UnusableInputError : a name that no file of judgments has
    """
    made = list(parts)
    for file, grade in graded_files(said).items():
        judged = [part for part in of_kind(made, "judgments") if is_called(part.raw.file, file)]
        if not judged:
            there = ", ".join(part.raw.file for part in of_kind(made, "judgments")) or "none"
            remedy = Remedy("Correct --grade.", "Correct the file's name.")
            refuse([error(file, None, "no such judgments", f"their files are {there}", remedy)])
        for part in judged:
            rows = part.raw.rows.assign(**{COLUMN: in_order([grade] * len(part.raw.rows))})
            graded = {**part.given, "grade": COLUMN}
            made[made.index(part)] = replace(part, raw=replace(part.raw, rows=rows), given=graded)
    return made
