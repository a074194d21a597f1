"""Grades of several assessors: which of them count, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from sdcg_explorer.reading.cells import Findings, blank, coded, first_of_each, grades
from sdcg_explorer.reading.log_rows import combined
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.mapping import say_column
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import ASSESSORS, USUAL, Rules, by_rule, chosen
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.study.arrays import Floats, Ints
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.grades import FEW_GRADES, label
from sdcg_explorer.study.problems import Remedy, error, note
from sdcg_explorer.study.study import ASSESSED, PART
from sdcg_explorer.study.wording import counted

JUDGED = ("topic", "text", "session", "query_number", PART)
MOST_NAMED = 6  # assessors, and pairs of them
MOST_PAIRED = 12  # assessors whose pairs are looked at
OWN = "grades of other assessors than the one that was chosen"


@dataclass(frozen=True, eq=False)
class _Given:
    """Grades, one of each assessor for what is judged: row (N,), unit (N,) judged, who (N,)."""

    row: Ints
    unit: Ints
    who: Ints
    grade: Floats


def with_assessors(
    graded: Mapped | None, rules: Rules, found: Findings, file: str
) -> Mapped | None:
    """Judgments with one grade for each document and what it is judged for, by the rule.

    file : that is named where nothing names assessors, and one is chosen
    """
    if graded is None or "assessor" not in graded.cells:
        if rules.assessors:
            what, rule = (
                f"assessors {rules.assessors!r}",
                "judgments have a column for the assessor",
            )
            found.problems.append(error(file, None, what, rule, say_column("assessor")))
        return graded
    if not {"doc", "grade"} <= {*graded.cells}:  # which is refused already
        return graded
    given = _given(graded, rules, found)
    names = texts_of(graded.cells["assessor"])
    if not given.row.size:
        return graded
    if np.unique(given.who).size > 1:
        found.methods.append(_say(graded, given, names, found, _counted(rules)))
        graded = _with_each(graded, given, names)
    if rules.assessors not in ASSESSORS:
        return _of_one(graded, rules.assessors, found)
    apart = _range(given) > 0
    if not apart.any() or (not rules.assessors and rules.conflicts != "error"):
        return graded
    if not rules.assessors:
        number = int(apart.sum())
        what = f"{number:,} document{'s' * (number > 1)} that assessors grade differently"
        remedy = _whose(names)
        found.problems.append(error(graded.raw.file, None, what, USUAL["conflicts"], remedy))
    return _as_one(graded, given, rules.assessors or "mean", found)


def _counted(rules: Rules) -> str:
    """Whose grades count, in words."""
    if rules.assessors in ("mean", "max"):
        return f"{ASSESSORS[rules.assessors]} counts"
    if rules.assessors:
        return f"the grades of {rules.assessors} alone count"
    if rules.conflicts == "error":
        return "no two grades of a document differ"
    return f"where they differ the {rules.conflicts} grade counts"


def _with_each(graded: Mapped, given: _Given, names: Sequence[str]) -> Mapped:
    """Judgments with a column for each assessor, of what he or she gave to the row's document."""
    there = np.unique(given.who)
    if there.size > MOST_PAIRED:
        return graded
    unit = np.full(len(graded.cells), -1)
    unit[given.row] = given.unit
    columns: dict[str, Any] = {}
    for who in there.tolist():
        own = given.who == who
        texts = np.full(given.unit.max() + 2, "", dtype=object)  # the last is of rows without one
        texts[given.unit[own]] = [label(grade) for grade in given.grade[own].tolist()]
        columns[f"{ASSESSED}{names[who] or 'nobody named'}"] = in_order(texts[unit])
    return replace(graded, cells=graded.cells.assign(**columns))


def assessors_of(parts: Sequence[Part]) -> list[str]:
    """Names of those who graded, where judgments have several."""
    judged = [part for part in of_kind(parts, "judgments") if "assessor" in part.columns]
    named = (texts_of(part.raw.rows[part.columns["assessor"]]) for part in judged)
    names = sorted({text for texts in named for text in texts if text})
    return names if len(names) > 1 else []


def _given(graded: Mapped, rules: Rules, found: Findings) -> _Given:
    """What each assessor says; an assessor who says two things is refused, unless one is chosen."""
    cells, raw = graded.cells, graded.raw
    grade = grades(raw, cells["grade"], Findings())  # what is no grade is said where it is read
    row = np.flatnonzero((np.abs(grade) <= LARGEST_GRADE) & ~blank(cells["doc"]))
    grade, who = grade[row], coded(cells["assessor"])[row]
    unit = coded(cells["doc"])[row]
    for role in (role for role in JUDGED if role in cells):
        unit = first_of_each(combined(unit, coded(cells[role])[row]))[1]
    first, place = first_of_each(combined(unit, who))
    bad = np.flatnonzero(grade != grade[first][place])
    if bad.size and rules.conflicts == "error":
        remedy = by_rule("conflicts", "first, last or highest", "Keep one of the two, or choose:")
        rule = "an assessor has one grade for a document"
        words = [str(text) for text in cells["assessor"].iloc[row[bad]]]
        at = dict(zip(row[bad].tolist(), words, strict=True))
        found.refuse(
            raw, row[bad], lambda i: f"another grade by {at[i]!r}", rule=rule, remedy=remedy
        )
    elif bad.size:
        first = np.sort(chosen(place, grade, rules.conflicts))
    return _Given(row[first], unit[first], who[first], grade[first])


def _range(given: _Given) -> Floats:
    """How far apart the grades of each unit (U,) are."""
    low, high = np.full(given.unit.max() + 1, np.inf), np.full(given.unit.max() + 1, -np.inf)
    np.minimum.at(low, given.unit, given.grade)
    np.maximum.at(high, given.unit, given.grade)
    return high - low


def _of_one(graded: Mapped, name: str, found: Findings) -> Mapped:
    """The grades of one assessor alone."""
    names = texts_of(graded.cells["assessor"])
    if name not in names:
        known = f"assessors are {', '.join(names[:MOST_NAMED])}{', …' * (len(names) > MOST_NAMED)}"
        remedy = _whose(names)
        found.problems.append(error(graded.raw.file, None, f"assessor {name!r}", known, remedy))
        return graded
    is_own = coded(graded.cells["assessor"]) == names.index(name)
    found.leave_out(graded.raw, OWN, np.flatnonzero(~is_own))
    return _rows(graded, np.flatnonzero(is_own))


def _whose(names: Sequence[str]) -> Remedy:
    """How it is chosen whose grades count."""
    one_of = ", ".join(["mean", "max", *names[:MOST_NAMED], *["…"] * (len(names) > MOST_NAMED)])
    return by_rule("assessors", one_of, "Choose whose grades count:")


def _as_one(graded: Mapped, given: _Given, how: str, found: Findings) -> Mapped:
    """One row for what each unit is judged, with the mean or the highest grade."""
    first, place = first_of_each(given.unit)
    if how == "mean":
        grade = np.bincount(place, given.grade) / np.bincount(place)
    else:
        grade = np.full(first.size, -np.inf)
        np.maximum.at(grade, place, given.grade)
    texts = graded.cells["grade"].astype("str").to_numpy(object)
    texts[given.row[first]] = [
        f"{one:.0f}" if one.is_integer() else repr(one) for one in grade.tolist()
    ]
    more = np.delete(given.row, first)
    rule = f"of several assessors counts {ASSESSORS[how]}"
    found.repair(graded.raw, rule, np.sort(more))
    one = replace(graded, cells=graded.cells.assign(grade=in_order(texts)))
    return _rows(one, np.delete(np.arange(len(texts)), more))


def _rows(table: Mapped, rows: Ints) -> Mapped:
    cells, extras = (t.take(rows).reset_index(drop=True) for t in (table.cells, table.extras))
    return Mapped(table.raw.take(rows), cells, extras)


def _say(graded: Mapped, given: _Given, names: Sequence[str], found: Findings, how: str) -> str:
    """Note how many assessors there are, and how far they agree; returned for a methods section.

    Where no document has several, nobody needs the note.
    """
    times = np.bincount(given.unit)
    both, apart = int((times > 1).sum()), int((_range(given) > 0).sum())
    counts = np.bincount(given.who, minlength=len(names))
    there = [f"{names[i]} {counts[i]:,}" for i in np.flatnonzero(counts)[:MOST_NAMED]]
    listed = f"{', '.join(there)}{', …' * (np.unique(given.who).size > MOST_NAMED)}"
    said = [
        f"{both:,} of {counted(times.size, 'document is', 'documents are')} graded by several, "
        f"{apart:,} of them differently"
    ]
    number = np.unique(given.who).size
    if not both:
        apart_said = f"{number:,} assessors graded documents ({listed}), none of them the same"
        return f"{apart_said}; {how}."
    labels, code = np.unique(given.grade, return_inverse=True)
    if labels.size <= FEW_GRADES:
        said += [
            f"Krippendorff's α (ordinal) {_coefficient_text(alpha(given.unit, code))}",
            *_pairs(given, labels, code, names),
        ]
    remedy = "Nothing to do, if that is enough for what is asked."
    rule = "; ".join(said)
    found.problems.append(note(graded.raw.file, f"several assessors ({listed})", rule, remedy))
    kappa = rule.replace("weighted κ", "Cohen's κ weighted by squared differences", 1)
    kept = "" if number <= MOST_PAIRED else "; of so many the grade that counts is kept alone"
    return f"{number:,} assessors graded documents ({listed}): {kappa}{kept}; {how}."


def alpha(unit: Ints, code: Ints) -> float:
    """Krippendorff's α of ordinal labels (N,), by what they are given to (N,); nan where undefined.

    Undefined where all labels are alike. K. Krippendorff, Content Analysis (2004), chapter 11.

    >>> round(alpha(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 0])), 3)
    0.444
    """
    import krippendorff  # few studies need it

    counts = np.zeros((unit.max() + 1, code.max() + 1), dtype=np.int64)
    np.add.at(counts, (unit, code), 1)
    counts = counts[counts.sum(axis=1) > 1]
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return float("nan")
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal"))


def weighted_kappa(one: Floats, other: Floats) -> float:
    r"""Cohen's κ of two assessors' grades (N,), by the squares of their differences.

    .. math:: κ = 1 - Σ (x_i - y_i)^2 / (Σ_i Σ_j (x_i - y_j)^2 / N)

    nan where both gave one grade throughout. J. Cohen, Psychological Bulletin 70 (1968) 213–220.

    >>> round(weighted_kappa(np.array([0.0, 1, 2, 2]), np.array([0.0, 1, 1, 2])), 3)
    0.8
    """
    by_chance = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    return float(1 - np.mean((one - other) ** 2) / by_chance) if by_chance else float("nan")


def _pairs(given: _Given, labels: Floats, code: Ints, names: Sequence[str]) -> list[str]:
    """Agreement of two assessors each, in words; of the pairs that share most."""
    there = np.unique(given.who)
    if there.size > MOST_PAIRED:
        return []
    table = np.full((there.size, given.unit.max() + 1), np.nan)
    table[np.searchsorted(there, given.who), given.unit] = labels[code]
    shared = {(i, j): ~np.isnan(table[i] + table[j]) for i, j in combinations(range(there.size), 2)}
    most = sorted((p for p in shared if shared[p].any()), key=lambda p: -int(shared[p].sum()))
    return [
        f"weighted κ of {names[there[i]]} and {names[there[j]]} "
        f"{_coefficient_text(weighted_kappa(table[i][shared[i, j]], table[j][shared[i, j]]))} "
        f"({int(shared[i, j].sum()):,})"
        for i, j in most[:MOST_NAMED]
    ]


def _coefficient_text(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.2f}".replace("0.", ".").replace("-", "−")
