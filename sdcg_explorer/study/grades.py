"""Grades: how one is written, the codes of cells that hold one or none, and what several gave.

A study's labels are its distinct grades, ascending. A cell's code is the place of its grade among
the labels; the codes after them say why it has none, in the order of NO_GRADE. Where several
assessors graded, what each of them gave, and how far they agree, is here, too.
"""

from collections.abc import Sized
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study.arrays import Floats, Ints

UNJUDGED, NO_RESULT, AGAIN = NO_GRADE = ("unjudged", "", "again in this list")
# numbers of one column, or of one file, that may be grades where nothing names them
FEW_GRADES = 12


def label(grade: float) -> str:
    """A grade as text: 2, −2, 0.5.

    >>> label(2.0), label(0.5)
    ('2', '0.5')
    """
    return f"{grade:.12g}"


def short_label(grade: float) -> str:
    """A grade that may be a mean, as a slider names it.

    >>> short_label(2.0), short_label(1 / 3)
    ('2', '0.3333')
    """
    return label(round(grade, 4))


def labels_of(*grades: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distinct grades in ascending order; nan is none.

    >>> labels_of(np.array([3.0, 0.0]), np.array([np.nan, 1.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    return np.unique(np.concatenate([each[~np.isnan(each)] for each in grades]))


def code_of(nothing: str, labels: Sized) -> int:
    """Code of a cell without a grade; `nothing` is one of NO_GRADE.

    Raises
    ------
    ValueError : none of these

    >>> code_of(UNJUDGED, (0.0, 1.0, 3.0))
    3
    """
    return len(labels) + NO_GRADE.index(nothing)


ASSESSED = "grade by "  # and who: columns of judgments, texts, where several assessors graded
MOST_ASSESSORS = 12  # of whom each grade is kept, and each of whom a study is scored by once more


def assessors_of(judgments: pd.DataFrame) -> list[str]:
    """Names of the assessors whose grades stand beside those that count."""
    every = map(str, judgments.columns)
    return [name.removeprefix(ASSESSED) for name in every if name.startswith(ASSESSED)]


def grades_by_assessor(judgments: pd.DataFrame) -> Floats:
    """What each assessor gave to each judged document, (J, A); nan where nothing."""
    columns = (judgments[f"{ASSESSED}{name}"].astype("str") for name in assessors_of(judgments))
    given = [pd.to_numeric(texts, errors="coerce") for texts in columns]
    return np.column_stack(given) if given else np.zeros((len(judgments), 0))


def alpha(unit: Ints, code: Ints) -> float:
    """Krippendorff's α of ordinal labels (N,), by what they are given to (N,); nan where undefined.

    Undefined where all labels are alike. K. Krippendorff, Content Analysis (2004), chapter 11.

    >>> round(alpha(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 0])), 3)
    0.444
    """
    import krippendorff  # few studies need it

    counts = np.zeros((unit.max(initial=-1) + 1, code.max(initial=-1) + 1), dtype=np.int64)
    np.add.at(counts, (unit, code), 1)
    counts = counts[counts.sum(axis=1) > 1]
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return float("nan")
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal"))


def alpha_of_all(given: Floats) -> float:
    """Krippendorff's α of the grades of all assessors (J, A), nan where one gave none.

    Undefined where no document has two grades, too.

    >>> round(alpha_of_all(np.array([[0.0, 0], [1, 1], [1, 0], [2, np.nan]])), 3)
    0.444
    """
    unit, who = np.nonzero(~np.isnan(given))
    return alpha(unit, np.unique(given[unit, who], return_inverse=True)[1])


def weighted_kappa(one: Floats, other: Floats) -> float:
    r"""Cohen's κ of two assessors' grades (N,), by the squares of their differences.

    .. math:: κ = 1 - Σ (x_i - y_i)^2 / (Σ_i Σ_j (x_i - y_j)^2 / N)

    nan where both gave one grade throughout. J. Cohen, Psychological Bulletin 70 (1968) 213–220.

    >>> round(weighted_kappa(np.array([0.0, 1, 2, 2]), np.array([0.0, 1, 1, 2])), 3)
    0.8
    """
    by_chance = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    return float(1 - np.mean((one - other) ** 2) / by_chance) if by_chance else float("nan")


def kappa(one: Ints, other: Ints) -> float:
    r"""Cohen's κ, not weighted, of two assessors' codes (N,); nan where both gave one throughout.

    .. math:: κ = (p_o - p_e) / (1 - p_e)

    J. Cohen, Educational and Psychological Measurement 20 (1960) 37–46.

    >>> kappa(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    0.5
    """
    given = [((one == code).mean(), (other == code).mean()) for code in np.unique(one)]
    by_chance = float(np.prod(given, axis=1).sum())
    met = float((one == other).mean())
    return (met - by_chance) / (1 - by_chance) if by_chance < 1 else float("nan")


MOST_PAIRS = 6  # whose κ is told


def agreement(given: pd.DataFrame) -> list[str]:
    """How far assessors agree, in words: weighted κ of pairs that share most, and α of all.

    given : a row for each grade, with the columns unit, who and grade
    """
    said: list[str] = []
    if given["who"].nunique() <= MOST_ASSESSORS:
        table = given.pivot(index="unit", columns="who", values="grade")
        shared = [table[[*pair]].dropna() for pair in combinations(table.columns, 2)]
        some = sorted((each for each in shared if len(each)), key=len, reverse=True)
        for both in some[:MOST_PAIRS]:
            kappa = _coefficient_text(weighted_kappa(*both.to_numpy().T))
            of = f"of {' and '.join(map(str, both.columns))} {kappa} ({len(both):,})"
            said.append(f"weighted κ (quadratic) {of if len(shared) > 1 else kappa}")
    _, code = np.unique(given["grade"], return_inverse=True)
    value = alpha(given["unit"].to_numpy(), code)
    return [*said, f"Krippendorff's α (ordinal) {_coefficient_text(value)}"]


def _coefficient_text(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.2f}".replace("0.", ".").replace("-", "−")
