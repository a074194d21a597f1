"""Judgments whose files stand for a grade each: gold.txt=2,evidence.txt=1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.mapping import is_called
from sdcg_explorer.reading.patterns import file_grades
from sdcg_explorer.reading.raw_table import in_order
from sdcg_explorer.reading.rules import Rules, by_rule
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.problems import error, note, refuse

COLUMN = "grade of file"


def with_highest(rules: Rules) -> Rules:
    """Rules by which a document in several files, or for several parts, has its highest grade."""
    several = bool(rules.grade or rules.parts)
    usual = rules.conflicts == Rules.conflicts
    return replace(rules, conflicts="highest") if several and usual else rules


def with_file_grades(parts: Sequence[Part], said: str) -> list[Part]:
    """The parts, where every row of a named file of judgments has the file's grade.

    Raises
    ------
    UnusableInputError : a name that no file of judgments has
    """
    grades = file_grades(said)
    judged = of_kind(parts, "judgments")
    there = [part.raw.file for part in judged] or ["none"]
    rule = f"files of judgments are {', '.join(there)}"
    named = {file for file in grades if any(is_called(part.raw.file, file) for part in judged)}
    for file in (file for file in grades if file not in named):
        remedy = by_rule("grade", f"{there[0]}={grades[file]}", "Name one of them:")
        refuse([error(file, None, "no such file", rule, remedy)])
    made: list[Part] = []
    for part in parts:
        own = [g for f, g in grades.items() if part in judged and is_called(part.raw.file, f)]
        if own:
            rows = part.raw.rows.assign(**{COLUMN: in_order([own[0]] * len(part.raw.rows))})
            part = replace(part, raw=replace(part.raw, rows=rows))
            part = replace(part, given={**part.given, "grade": COLUMN})
        made.append(part)
    return made


def say_if_positive(grades: pd.DataFrame, file: str, found: Findings) -> None:
    """Note judgments that name relevant documents alone: nobody said what is not."""
    if len(grades) and grades["grade"].min() >= 1:
        rule = "what they do not list is worth 0, as if it were judged so"
        remedy = "Nothing to do, if they list all that is relevant."
        found.problems.append(note(file, "no judgment below 1", rule, remedy))
