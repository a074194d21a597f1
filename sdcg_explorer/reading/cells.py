"""Cells of text, read by rule: each distinct text once, every finding with its place."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sdcg_explorer.reading.raw_table import RawTable, texts_of, with_texts
from sdcg_explorer.reading.recipe import DEFAULT, FIXES, GUESSED, by_fix, without_fix
from sdcg_explorer.study import bounds, columns, problems, report
from sdcg_explorer.study.arrays import Bools, Floats, Ints
from sdcg_explorer.study.arrays import category_codes as coded
from sdcg_explorer.study.problems import FINE, Problem, Way, error, is_offered, note

# without backslashes, which are another thing in each engine's SQL
WHOLE = re.compile(r"[+]?[0-9]{1,9}([.]0*)?")
NUMBER = re.compile(r"[+-]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][+-]?[0-9]{1,3})?")
COUNTED = re.compile(r"0*[1-9][0-9]{0,8}([.]0*)?")  # clicks, at least one
YES = {"1", "true", "yes", "y", "t", "1.0"}
MISSING_WORDS = {  # what stands for an empty cell
    *("na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "none", "nil", "missing", "(null)"),
    *("k.a.", "k. a.", "keine angabe", "n.v.", "\\n", "."),
}
NOTHING = MISSING_WORDS | {"-", "--", "–", "—", "character(0)"}  # dashes as marks say no
Say = Callable[[int], str]  # what is found in a row
NO_END = math.inf, math.inf
NO = {"", "0", "false", "no", "n", "f", "0.0"}


class RowRule(NamedTuple):
    """What a rule of rows says, and what to do where a row breaks it."""

    rule: str
    remedy: Way


CORRECT = "Correct the cell."
FILL = "Fill the cell, or remove the row."
NEITHER = "a result has a rank and a document, a query without results has neither"
OF_ONE = "a session is one searcher's work with one system"
APART = "Give the parts different session ids, or correct the cell."
DIVIDE = "Divide the grades, or correct the cell."
UNMAPPED = "Correct the cell, or map no column to it."
MOST = bounds.LARGEST_GRADE
# by name, for tables (log_rows.py, judgments.py)
ROW_RULES = {
    "session": RowRule("each row needs its session", FILL),
    "no_query_number": RowRule("each row needs its query number", FILL),
    "query_number": RowRule("query numbers are whole numbers from 0 or 1", CORRECT),
    "rank": RowRule("ranks are whole numbers from 0 or 1", CORRECT),
    "no_rank": RowRule(NEITHER, "Fill in the rank."),
    "no_doc": RowRule(NEITHER, "Fill in the document, or empty the rank too."),
    **{name: RowRule(f"{name} is 0 or 1", UNMAPPED) for name in ("clicked", "examined", "saved")},
    "grade": RowRule("grades are numbers", "Correct the cell or leave it empty for unjudged."),
    "large_grade": RowRule(f"a grade lies between −{MOST} and {MOST}", DIVIDE),
    "system": RowRule(OF_ONE, APART),
    "searcher": RowRule(OF_ONE, APART),
    "topic": RowRule("a query has one topic", CORRECT),
    "own_conflicts": RowRule("rows of one result must agree on its grade", "Keep one of the two."),
}
# by the name of a rule of reading: what holds unless it is chosen otherwise; the ways out, which
# depend on the rows beside, are worded where it is broken
USUAL = {
    "rank_base": "ranks count from 1",
    "same_rank": "a rank in a result list holds one document",
    "conflicts": "a document may have only one grade per topic",
}


@dataclass
class Findings:
    """What the checks of one import collect: errors, warnings, and what was changed by rule.

    unused : rows of each file that were left out whole · fixes : repairs that are made ·
    methods : sentences for a methods section · most : results and sessions that a log may have
    """

    problems: list[Problem] = field(default_factory=list[Problem])
    changes: list[report.Change] = field(default_factory=list[report.Change])
    unused: Counter[str] = field(default_factory=Counter[str])
    fixes: frozenset[str] = DEFAULT.fixes
    methods: list[str] = field(default_factory=list[str])
    most: tuple[float, float] = NO_END

    @property
    def errors(self) -> list[Problem]:
        """Problems that keep the study from being used."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def note(self, file: str, found: str, rule: str, remedy: Way = FINE, *examples: str) -> None:
        """Note what was assumed, or repaired, about a whole file."""
        self.problems.append(note(file, found, rule, remedy, *examples))

    def warn(self, file: str, found: str, rule: str, remedy: Way, *some: str) -> None:
        """Warn of a whole file, with up to three examples."""
        self.problems.append(problems.warning(file, found, rule, remedy, *some))

    def error(self, file: str, line: int | None, found: str, rule: str, remedy: Way) -> None:
        """Add what keeps the study from being used."""
        self.problems.append(error(file, line, found, rule, remedy))

    def check(self, *, last: bool = False) -> None:
        """Refuse what no repair is offered for, and with it, or if nothing follows, what has one.

        Raises
        ------
        UnusableInputError : every error so far, and whatever else repairs are offered for
        """
        if any(last or not is_offered(problem) for problem in self.errors):
            problems.refuse([p for p in self.problems if p.severity == "error" or is_offered(p)])

    def fix(
        self, raw: RawTable, fix: str, rows: Ints, found: Say, *, rule: str = "", gone: bool = False
    ) -> bool:
        """Note rows that a repair changes, or that are `gone`; whether it is made.

        Where one that guesses was not asked for, they break the rule, and the repair is offered.
        """
        if not rows.size:
            return False
        if fix in self.fixes:
            (self.leave_out if gone else self.repair)(raw, rule_of(fix), rows)
            file, first = raw.place(int(rows.min()))[0], found(int(rows.min()))
            more = f" and {rows.size - 1:,} more like it" if rows.size > 1 else ""
            said = [p for p in self.problems if (p.severity, p.file, p.fix) == ("note", file, fix)]
            made = fix_note(file, fix, "; ".join([*(p.found for p in said), f"{first}{more}"]))
            self.problems = [made if each in said else each for each in self.problems]
            self.problems += [] if said else [made]
            return True
        if fix in GUESSED:
            self.refuse(raw, rows, found, rule, by_fix(fix))
            self.problems[-1] = replace(self.problems[-1], fix=fix)
        return False

    def rewrite(
        self, raw: RawTable, fix: str, column: pd.Series, texts: Sequence[str], called: str
    ) -> pd.Series:
        """A column with another text for each distinct one, if that repair is made; else as it is.

        called : what a cell is in the note
        """
        changed = np.array([a != b for a, b in zip(texts, texts_of(column), strict=True)], bool)
        rows = np.flatnonzero(changed[coded(column)])
        is_made = self.fix(raw, fix, rows, lambda i: f"{called} {column.iloc[i]!r}")
        return pd.Series(with_texts(column, texts)) if is_made else column

    def refuse(self, raw: RawTable, rows: Ints, found: Say, rule: str, remedy: Way) -> None:
        """One error for all rows that break a rule: what the first holds, and the first places."""
        if not rows.size:
            return
        first = np.sort(rows)[: problems.PLACES].tolist()
        places = dict.fromkeys(map(raw.place, first))
        examples = tuple(name if at is None else f"{name}, line {at}" for name, at in places)
        place, text = raw.place(first[0]), found(first[0])
        self.problems.append(error(*place, text, rule, remedy, int(rows.size), examples))

    def refuse_texts(
        self, raw: RawTable, column: pd.Series, bad: Bools, what: str, said: RowRule
    ) -> None:
        """The same of all cells that have one of the distinct texts (T,) that are `bad`."""
        if bad.any():
            rows = np.flatnonzero(bad[coded(column)])
            self.refuse(raw, rows, lambda i: f"{what} {column.iloc[i]!r}", *said)

    def repair(self, raw: RawTable, rule: str, rows: Ints) -> None:
        """Note rows that were changed by a rule."""
        self.changes += raw.changed(report.REPAIRED, rule, rows)

    def leave_out(self, raw: RawTable, rule: str, rows: Ints, *, whole: bool = True) -> None:
        """Note rows that were left out by a rule; `whole` unless they serve in another way."""
        self.changes += raw.changed(report.LEFT_OUT, rule, rows)
        self.unused.update(raw.unused(rows) if whole and rows.size else {})

    def leave_out_column(self, raw: RawTable, rule: str) -> None:
        """Note a column that was left out, at the header's line."""
        name, _ = raw.each_file()[0]
        self.changes.append(report.Change(report.LEFT_OUT, rule, name, np.array([raw.header_line])))


def rule_of(fix: str) -> str:
    """What a repair does, as reports have it."""
    return f"{FIXES[fix][0].lower()}{FIXES[fix][1:]}"


def fix_note(file: str, fix: str, found: str) -> Problem:
    """Note of a repair that was made, and how it is undone."""
    return replace(note(file, found, rule_of(fix), without_fix(fix)), fix=fix)


def numbers(
    raw: RawTable, column: pd.Series, found: Findings, what: str, said: RowRule, form: Any = NUMBER
) -> Floats:
    """Numbers in a column of text, nan where a cell is empty; a text that is none is an error."""
    values = columns.as_numbers(column, form)
    found.refuse_texts(raw, column, np.isnan(values) & ~columns.are_blank(column), what, said)
    return values[coded(column)]


def row_numbers(column: pd.Series[Any], pattern: re.Pattern[str] = NUMBER) -> Floats:
    """Number of each row (N,), nan where there is none."""
    return columns.as_numbers(column, pattern)[coded(column)]


def grades(raw: RawTable, column: pd.Series[Any], found: Findings) -> Floats:
    """Grades in a column of text, nan where unjudged."""
    values = numbers(raw, column, found, "grade", ROW_RULES["grade"])
    rows = np.flatnonzero(np.abs(values) > bounds.LARGEST_GRADE)
    found.refuse(raw, rows, lambda i: f"grade {values[i]:.6g}", *ROW_RULES["large_grade"])
    return values


def blank(column: pd.Series[Any]) -> Bools:
    """Cells with nothing in them but blanks."""
    empty = columns.are_blank(column)
    return empty[coded(column)] if empty.any() else np.zeros(len(column), dtype=bool)


def flags(raw: RawTable, column: pd.Series, found: Findings, what: str) -> Bools:
    """Yes or no in a column of text; empty is no, a number counts as yes from 1."""
    cells = [text.strip().lower() for text in texts_of(column)]
    yes = np.array([cell in YES or bool(COUNTED.fullmatch(cell)) for cell in cells], bool)
    known = np.array([cell in NO for cell in cells], bool) | yes
    found.refuse_texts(raw, column, ~known, what, ROW_RULES[what])
    if {*cells} == {"1", "2"}:
        said, rule = f"{what} is 1 or 2 in every row", "numbers from 1 are a yes"
        found.warn(raw.file, said, rule, "If 2 means no, write 0 instead.")
    return yes[coded(column)]


def first_of_each(groups: Ints) -> tuple[Ints, Ints]:
    """First row of each group, groups in order of their first row; and each row's place in that."""
    if (groups[1:] >= groups[:-1]).all():  # in order already: no need to hash
        new = np.append(True, groups[1:] != groups[:-1])[: groups.size]
        return np.flatnonzero(new).astype(np.int32), np.cumsum(new, dtype=np.int32) - 1
    codes = np.asarray(pd.factorize(groups)[0], dtype=np.int32)
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return first.astype(np.int32), codes  # half of numpy's memory
