"""Permutation tests and Holm's correction as slow, obvious loops over fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

F: TypeAlias = Fraction


def mean(values: Sequence[F]) -> F:
    """Their sum over their number."""
    return sum(values, F(0)) / len(values)


def orders(labels: Sequence[object]) -> Iterator[tuple[object, ...]]:
    """Every order of labels, equal ones not told apart."""
    if not labels:
        yield ()
    for first in dict.fromkeys(labels):
        rest = list(labels)
        rest.remove(first)
        for order in orders(rest):
            yield first, *order


def arrangements(labels: Sequence[object], strata: Sequence[object]) -> list[tuple[object, ...]]:
    """Every way in which labels may stand when they change places within strata."""
    places = {s: [i for i, of in enumerate(strata) if of == s] for s in dict.fromkeys(strata)}
    each = [list(orders([labels[i] for i in group])) for group in places.values()]
    found: list[tuple[object, ...]] = []
    for parts in product(*each):
        at: dict[int, object] = {}
        for group, part in zip(places.values(), parts, strict=True):
            at |= dict(zip(group, part, strict=True))
        found.append(tuple(at[i] for i in range(len(labels))))
    return found


def parted(values: Sequence[F], labels: Sequence[object]) -> F:
    """|difference of means| of two labels; of more, the sum of count × (mean − mean of all)²."""
    groups = [[v for v, of in zip(values, labels, strict=True) if of == s] for s in {*labels}]
    if len(groups) == 2:
        return abs(mean(groups[0]) - mean(groups[1]))
    return sum((len(g) * (mean(g) - mean(values)) ** 2 for g in groups), F(0))


def exact_p(
    values: Sequence[F],
    labels: Sequence[object],
    strata: Sequence[object],
    widened: float = 1.0,
) -> tuple[float, int]:
    """P = (1 + k) / (1 + N) over all N arrangements besides the one observed."""
    observed = parted(values, labels)
    others = [order for order in arrangements(labels, strata) if order != tuple(labels)]
    least: float | F = observed if widened == 1 else float(observed) / widened - 1e-9
    far = sum(parted(values, order) >= least for order in others)
    return (1 + far) / (1 + len(others)), len(others)


def holm(p: Sequence[float]) -> list[float]:
    """Smallest p times their number, the next times one less, never falling, at most 1."""
    corrected = [math.nan] * len(p)
    worst = 0.0
    known = sorted((i for i, each in enumerate(p) if not math.isnan(each)), key=lambda i: p[i])
    for rank, i in enumerate(known):
        worst = max(worst, min(1.0, (len(known) - rank) * p[i]))
        corrected[i] = worst
    return corrected
