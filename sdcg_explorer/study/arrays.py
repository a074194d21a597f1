"""What an array holds, as every function of study says it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]


def are_distinct(numbers: Ints) -> bool:
    """Whether no number (N,) comes twice."""
    in_order = np.sort(numbers)
    return not (in_order[1:] == in_order[:-1]).any()
