"""Each discount form a second time: its source, factors worked by hand, and plain arithmetic."""

import math
from collections.abc import Callable
from math import log2
from typing import NamedTuple


class PlainForm(NamedTuple):
    """A form beside its entry in ``FORMS`` (metrics/discount.py); docs/methods.md, Discounts.

    ranks, queries : factors of ranks 1 to 4 with b = 2, and of queries 1 to 4 with bq = 4, worked
    by hand · by_rank, by_query : of x and base
    """

    source: str
    ranks: list[float]
    queries: list[float]
    by_rank: Callable[[int, float], float]
    by_query: Callable[[int, float], float]


def log4(x: float) -> float:
    """Logarithm to base 4."""
    return log2(x) / 2


def one_plus_log(x: int, base: float) -> float:
    """1 / (1 + log x)."""
    return 1 / (1 + math.log(x) / math.log(base))


def log_from_base_on(x: int, base: float) -> float:
    """1 / log x from the base on, and 1 below it."""
    return 1.0 if x < base else math.log(base) / math.log(x)


def shifted_log(x: int, base: float) -> float:
    """1 / log(x + base − 1)."""
    return math.log(base) / math.log(x + base - 1)


def log_of_next(x: int, base: float) -> float:
    """1 / log(x + 1), of any base."""
    return 1 / math.log(x + 1, base)


PLAIN = {
    "ecir2008": PlainForm(
        "S08",
        [1, 1 / 2, 1 / (1 + log2(3)), 1 / 3],
        [1, 1 / 1.5, 1 / (1 + log4(3)), 1 / 2],
        one_plus_log,
        one_plus_log,
    ),
    "jk2002": PlainForm(
        "JK02",
        [1, 1, 1 / log2(3), 1 / 2],
        [1, 1 / 1.5, 1 / (1 + log4(3)), 1 / 2],
        log_from_base_on,
        one_plus_log,
    ),
    "kanoulas2011": PlainForm(
        "K11",
        [1 / log2(2), 1 / log2(3), 1 / log2(4), 1 / log2(5)],
        [1 / log4(4), 1 / log4(5), 1 / log4(6), 1 / log4(7)],
        shifted_log,
        shifted_log,
    ),
    "standard": PlainForm(
        "B05",
        [1 / 1, 1 / log2(3), 1 / 2, 1 / log2(5)],
        [1 / (1 / 2), 1 / log4(3), 1 / 1, 1 / log4(5)],
        log_of_next,
        log_of_next,
    ),
    "lipani2019": PlainForm(
        "L19",
        [1 / 1, 1 / log2(3), 1 / 2, 1 / log2(5)],
        [1 / 1, 1 / (1 + 1 / 2), 1 / (1 + log4(3)), 1 / (1 + 1)],
        log_of_next,
        one_plus_log,
    ),
}
