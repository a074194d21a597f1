"""Who is ahead at many points, or under many definitions, in a sentence."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.robustness.robustness import Lead
from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions.words.wording import enumerated, fitting

POINTS = ("at", "point of b and bq", "points of b and bq")
DEFINITIONS = ("under", "definition", "definitions")


def said(of: Lead, at: str, place: str, places: str) -> str:
    """Where each of two systems is ahead, where they are equal, and where clearly.

    >>> value = np.array([0.2, 0.1, 0.3, 0.0])
    >>> said(Lead(("A", "B"), value, np.array([0.01, 0.04, 0.9, 1.0])), "at", "point", "points")
    'B is ahead at 3 of 4 points and they are equal at 1; the interval excludes 0 at 2'
    """
    who = _who(of, at, place, places)
    if not any(where.any() for _, where in of.wins):
        return who
    return f"{who}; {_clear({at: of})}"


def _who(of: Lead, at: str, place: str, places: str) -> str:
    """Where each of two systems is ahead, and where they are equal."""
    (ahead, most), behind = of.wins
    first, second = of.systems
    if np.isnan(of.value).all():
        none = "can't be told from their topics: no difference can be given"
        return f"{first} and {second} {none}"
    equal, unknown = of.value == 0, np.isnan(of.value)
    if not most.any():
        return f"{first} and {second} are equal {at} {_of(equal, place, places)}"
    over = f" of {behind[0]}" if of.pairs > 1 else ""
    parts = [f"{ahead} is ahead{over} {at} {_of(most, place, places)}"]
    others = behind, ("they are equal", equal), ("no difference is known", unknown)
    parts += [f"{words} {at} {where.sum():,}" for words, where in others if where.any()]
    return enumerated(parts)


def and_under(of: Lead, under: Lead) -> str:
    """Who is ahead at all points of b and bq, and whether so under all definitions.

    >>> points = Lead(("A", "B"), np.ones(4), np.full(4, 0.2))
    >>> and_under(points, Lead(("A", "B"), np.array([1.0, -1.0, 1.0]), np.full(3, 0.2)))
    'B is ahead at all 4 points of b and bq; A leads under 1 of 3 definitions; no interval \
excludes 0'
    """
    (ahead, most), (behind, _) = of.wins
    if not most.any():
        return f"{said(of, *POINTS)}; {said(under, *DEFINITIONS)}"
    there = dict(under.wins)
    also = f", and under {_of(there[ahead], *DEFINITIONS[1:])}"
    if there[behind].any():
        also = f"; {behind} leads under {_of(there[behind], *DEFINITIONS[1:])}"
    who = f"{_who(of, *POINTS)}{also}"
    return fitting(f"{who}; {_clear({'at': of, 'under': under})}", who)


def _clear(each: dict[str, Lead]) -> str:
    """Where intervals exclude 0; of places without any nothing."""
    known = {at: of for at, of in each.items() if not np.isnan(of.p).all()}
    if not known:
        return "there is no interval"
    several = any(of.pairs > 1 for of in known.values())
    if not any(of.clear.any() for of in known.values()):
        return "no lead is clear after Holm" if several else "no interval excludes 0"
    excludes = "the lead is clear after Holm" if several else "the interval excludes 0"
    return f"{excludes} {' and '.join(_where_clear(of, at) for at, of in known.items())}"


def _where_clear(of: Lead, at: str) -> str:
    """Where the interval excludes 0, and in whose favour if both are ahead somewhere."""
    if not of.clear.any():
        return f"{at} none"
    if not of.wins[1][1].any():
        return f"{at} {of.clear.sum():,}"
    own = [(name, int((of.clear & where).sum())) for name, where in of.wins]
    return enumerated([f"{at} {n:,} for {name}" for name, n in own if n])


def _of(where: Bools, place: str, places: str) -> str:
    number, every = int(where.sum()), where.size
    if every == 1:
        return f"{'every' if number else 'no'} {place}"
    return f"all {every:,} {places}" if number == every else f"{number:,} of {every:,} {places}"
