"""Permutation tests and Holm's correction as slow, obvious loops over fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

F: TypeAlias = Fraction
Labels: TypeAlias = Sequence[object]


def mean(values: Sequence[F]) -> F:
    """Their sum over their number."""
    return sum(values, F(0)) / len(values)


def spread(values: Sequence[F]) -> F:
    """Sum of squares about the mean."""
    return sum(((value - mean(values)) ** 2 for value in values), F(0))


def orders(labels: Labels) -> Iterator[tuple[object, ...]]:
    """Every order of labels, equal ones not told apart."""
    if not labels:
        yield ()
    for first in dict.fromkeys(labels):
        rest = list(labels)
        rest.remove(first)
        for order in orders(rest):
            yield first, *order


def arrangements(labels: Labels, strata: Labels) -> list[tuple[object, ...]]:
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


def groups_of(values: Sequence[F], labels: Labels, kinds: Labels) -> list[list[F]]:
    """Values of each kind of label."""
    pairs = list(zip(values, labels, strict=True))
    return [[value for value, of in pairs if of == kind] for kind in kinds]


def errors_of(groups: Sequence[Sequence[F]]) -> list[F]:
    """Squared standard error of each mean; one value alone has the spread of all others."""
    free = sum(len(group) - 1 for group in groups if group)
    pooled = sum(map(spread, groups), F(0)) / max(free, 1) if free else F(1)
    variances = [spread(g) / (len(g) - 1) if len(g) > 1 else pooled for g in groups]
    return [of / max(len(g), 1) for of, g in zip(variances, groups, strict=True)]


def over(square: F, error: F) -> F | float:
    """A square in squared errors; without bounds where there is no error."""
    return square / error if error else math.inf if square else F(0)


def parted(values: Sequence[F], labels: Labels, strata: Labels) -> F | float:
    """t² of two labels, by pairs where a stratum has one of either and by Welch else.

    Of more labels the sum of their squared means in squared errors. Strata's means are taken off.
    """
    kinds = sorted({*labels}, key=str)
    held = {s: [i for i, of in enumerate(strata) if of == s] for s in strata}
    middles = {s: mean([values[i] for i in places]) for s, places in held.items()}
    values = [value - middles[s] for value, s in zip(values, strata, strict=True)]
    if len(kinds) > 2:
        groups = groups_of(values, labels, kinds)
        every = zip(groups, errors_of(groups), strict=True)
        return sum((over(mean(group) ** 2, error) for group, error in every), F(0))
    pairs = [i for i in held.values() if len(i) == 2 and len({labels[k] for k in i}) == 2]
    alone = [i for i in range(len(values)) if not any(i in pair for pair in pairs)]
    apart, error = F(0), F(0)
    groups = groups_of([values[i] for i in alone], [labels[i] for i in alone], kinds)
    if all(groups):
        own = [values[i] for i in alone]
        weight = 1 / (spread(own) / len(own) * sum(F(1, len(g)) for g in groups) or F(1))
        apart += weight * (mean(groups[1]) - mean(groups[0]))
        error += weight**2 * sum(errors_of(groups), F(0))
    if pairs:
        d = [
            values[i] - values[k] if labels[i] == kinds[1] else values[k] - values[i]
            for i, k in pairs
        ]
        weight = 1 / (mean([each**2 for each in d]) / len(d) or F(1))
        apart += weight * mean(d)
        error += weight**2 * spread(d) / max(len(d) * (len(d) - 1), 1)
    return over(apart**2, error)


def exact_p(
    values: Sequence[F], labels: Labels, strata: Labels, observed: float = math.nan
) -> tuple[float, int]:
    """P = (1 + k) / (1 + N) over all N arrangements besides the one observed."""
    own = parted(values, labels, strata) if math.isnan(observed) else observed**2 * (1 - 1e-9)
    others = [order for order in arrangements(labels, strata) if order != tuple(labels)]
    far = sum(parted(values, order, strata) >= own for order in others)
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
