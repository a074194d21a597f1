"""Grades: how one is written, how many there are, and the codes of cells that hold one or none.

A study's labels are its distinct grades, ascending. A cell's code is the place of its grade among
the labels; the codes after them say why it has none, in the order of NO_GRADE.
"""

from __future__ import annotations

from collections.abc import Sized

import numpy as np
from numpy.typing import NDArray

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
