"""What an array holds, as every function of study says it, and columns as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
Tables = Mapping[str, pd.DataFrame]  # of a study, by name


def whole_groups(ends: Ints, size: int) -> Iterator[tuple[int, int]]:
    """First place and end of parts of about so many rows; groups with these ends are not cut.

    >>> [*whole_groups(np.array([2, 3, 6]), 3)], [*whole_groups(np.array([], dtype=int), 3)]
    ([(0, 3), (3, 6)], [])
    """
    if ends.size:
        wanted: Ints = np.arange(size, int(ends[-1]) + size, size)
        cuts = np.unique(np.searchsorted(ends, wanted))
        bounds = [0, *ends[np.minimum(cuts, ends.size - 1)].tolist()]
        yield from pairwise(dict.fromkeys(bounds))


def are_distinct(numbers: Ints) -> bool:
    """Whether no number (N,) comes twice."""
    in_order = np.sort(numbers)
    return not (in_order[1:] == in_order[:-1]).any()


def category_codes(column: pd.Series[Any]) -> Ints:
    """Codes of a column of categories."""
    return column.cat.codes.to_numpy(dtype=np.int32)


def whole(column: pd.Series[Any]) -> Ints:
    """A column of whole numbers, in two bytes each if it has them so.

    >>> whole(pd.Series([40_000])), whole(pd.Series([7], dtype="int16"))
    (array([40000], dtype=int32), array([7], dtype=int16))
    """
    return column.to_numpy(dtype=np.int16 if column.dtype == np.int16 else np.int32)


def counting_rows(groups: Ints, values: Floats, which: str) -> Ints:
    """Row that counts in each group of rows: the first, the last, or the one of the highest value.

    >>> counting_rows(np.array([0, 1, 0]), np.array([1.0, 5.0, 2.0]), "highest").tolist()
    [2, 1]
    """
    order = {"highest": -values, "last": -np.arange(groups.size)}.get(which, np.arange(groups.size))
    rows = np.lexsort((order, groups))  # where these are equal the first comes first
    return rows[np.unique(groups[rows], return_index=True)[1]]
