"""Does the answer hold? A difference, or a score, over the whole plane of b and bq."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import Bools, Floats
from analysis.comparing.ahead import who_is_ahead
from analysis.comparing.by_groups import HOW, compared_by_groups, most_apart
from analysis.comparing.correlations import of_columns
from analysis.comparing.many_scores import compared
from analysis.comparing.of_the_view import USUAL
from analysis.comparing.pairs import Pairs, every_pair
from analysis.comparing.two_systems_words import too_few
from analysis.definition.definition import Definition, Filters
from analysis.plane import GRID, Plane
from analysis.registry import SCORES, SESSION_SCORES, session_score_of
from analysis.selection import Selection, select
from analysis.wording import counted, left_out, share, short
from study.study import Study

ROOM = 4_000_000  # scores that are held at once
NOT_TESTS = (
    "Neighbours on the grid are nearly the same definition: its points are no independent tests. "
    "Choose b and bq before looking, by what searchers are like, and report the map."
)
AS_COMPARED = "the difference and its 95 % interval by t as on Compare systems, topics fixed"
TOPICS_FIXED = (
    "The map answers for these topics. For topics like these, Compare systems answers at one point."
)


@dataclass(frozen=True, eq=False)
class Robustness:
    """A score over b (B,) and bq (K,): how far two systems differ, or what one is worth.

    systems : the two that are compared, or the one · value (B, K) : difference second less first
    with its 95 % interval low, high, nan where there is none; of one system the mean · correlation
    (B, K) : of its sessions' ranks with those at the definition in force, nan with two · sessions :
    that are compared · undefined, without_judgments : left out · few : what too few searchers, or
    systems without a common topic, can't say · is_counted : by groups of sessions
    """

    score: str
    systems: tuple[str, ...]
    b: tuple[float, ...]
    bq: tuple[float, ...]
    value: Floats
    low: Floats
    high: Floats
    correlation: Floats
    sessions: int
    undefined: int
    without_judgments: int
    few: tuple[str, ...] = ()
    is_counted: bool = False

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return SESSION_SCORES[self.score].unit

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two systems that are compared."""
        return (self.systems[0], self.systems[1]) if len(self.systems) > 1 else None

    @property
    def clear(self) -> Bools:
        """Where the interval excludes 0, (B, K)."""
        return (self.low > 0) | (self.high < 0)

    @property
    def words(self) -> str:
        """The score in words."""
        return SESSION_SCORES[self.score].words

    @property
    def is_known(self) -> bool:
        """Whether there is a number at any point."""
        return bool(self.sessions) and not np.isnan(self.value).all()

    @property
    def has_order(self) -> bool:
        """Whether one system's sessions have an order to be kept."""
        return not np.isnan(self.correlation).all()

    @property
    def has_no_interval(self) -> bool:
        """Whether there is no interval anywhere."""
        return bool(np.isnan(self.low).all())

    def answer(self) -> str:
        """The page's first line."""
        if not self.sessions:
            return "No session with this score is left: widen the filters under Show."
        if self.pair is None:
            return self._of_one()
        estimates = self.value, self.low, self.high
        places = "points of this grid"
        return f"{who_is_ahead(self.pair, estimates, 'at', places)}."

    def _of_one(self) -> str:
        if np.isnan(self.value).all():
            return f"{self.systems[0]}: no session has this score at every point of the grid."
        least, most = (short(end) for end in (np.nanmin(self.value), np.nanmax(self.value)))
        text = f"{self.systems[0]}: the mean is between {least} and {most} {self.unit} on this grid"
        if least == most:
            text = f"{self.systems[0]}: the mean is {least} {self.unit} at every point of this grid"
        if not self.has_order:
            return f"{text}."
        lowest = share(float(np.nanmin(self.correlation)))
        return f"{text}; sessions keep their order with a rank correlation of at least {lowest}."

    def behind(self) -> str:
        """What stands behind the map."""
        undefined = counted(self.undefined, "session")
        left = f" Left out: {undefined} whose score is undefined." if self.undefined else ""
        grid = f"{len(self.b)} values of b times {len(self.bq)} of bq, from {self.b[0]:g} to "
        how = "the mean of its sessions"
        if len(self.systems) > 1:
            how = f"the difference, {HOW}" if self.is_counted else AS_COMPARED
        return (
            f"{counted(self.sessions, 'session')}; {grid}{self.b[-1]:g}, in equal ratios; at each "
            f"{how}.{left_out(self.without_judgments)}{left}"
        )

    def advice(self) -> list[str]:
        """Where a reader could be misled."""
        if len(self.systems) < 2 or not self.is_known:
            return list(self.few)
        return [*self.few, NOT_TESTS, *([] if self.is_counted else [TOPICS_FIXED])]

    def table(self) -> pd.DataFrame:
        """One row per point."""
        b, bq = np.meshgrid(self.b, self.bq, indexing="ij")
        columns = {"b": b, "bq": bq}
        if len(self.systems) > 1:
            columns |= {"difference": self.value, "low": self.low, "high": self.high}
        else:
            columns |= {"mean": self.value, "rank_correlation": self.correlation}
        table = pd.DataFrame({name: values.ravel() for name, values in columns.items()})
        for place, name in reversed([*zip("ab", self.systems, strict=False)]):
            table.insert(0, f"system_{place}", name)
        table.insert(0, "score", self.score)
        return table

    def method(self) -> str:
        """A paragraph of a methods section."""
        of = f"{self.words} in {self.unit}"
        if self.pair:
            first, second = self.pair
            of = f"the difference {second} − {first} in {of}"
        return (
            f"Robustness: {of} was computed for {len(self.b)} values of b times {len(self.bq)} of "
            f"bq, {self.b[0]:g} to {self.b[-1]:g} in equal ratios, with the estimator of the "
            "comparison at each, topics fixed; neighbouring points are no independent tests."
        )

    def sentences(self) -> str:
        """Everything in words, as `sdcg robustness` writes it."""
        lines = [self.answer(), f"Score: {self.words} ({self.score}), in {self.unit}."]
        return "\n".join([*lines, self.behind(), *self.advice()]) + "\n"


def robustness(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    pair: tuple[str, str] | None = None,
    grid: tuple[float, ...] = GRID,
) -> Robustness:
    """A score over b × bq: the difference of a pair of systems, or of those that differ most.

    Raises
    ------
    ValueError : no such score, or no such two systems
    """
    chosen = select(study, definition, filters)
    if study.is_counted:
        systems, about = _asked_of_counts(chosen, score, pair)
    else:
        systems, about = _asked(every_pair(study, definition, filters, score), pair)
    parts = [_at(chosen, score, systems, b, grid) for b in _blocks(chosen, grid)]
    value, low, high, correlation = (
        np.concatenate(each, axis=0) for each in zip(*parts, strict=True)
    )
    numbers = value, low, high, correlation
    return Robustness(score, systems, grid, grid, *numbers, **about)


def _asked(now: Pairs, pair: tuple[str, str] | None) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The systems that are compared, and how many sessions stand behind."""
    own = now.chosen(pair)
    systems = (own.system_a, own.system_b) if own else now.names
    return systems, {
        "sessions": now.scored.score.size,
        "undefined": now.undefined,
        "without_judgments": now.without_judgments,
        "few": tuple(too_few(own)) if own else (),
    }


def _asked_of_counts(
    chosen: Selection, score: str, pair: tuple[str, str] | None
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The same of counts, whose rows are groups of sessions."""
    if score not in SESSION_SCORES:
        raise ValueError(f"score {score!r}; known are {', '.join(SCORES)}.")
    sample, at = chosen.sample, (chosen.definition.b,)
    values = Plane(chosen, at, (chosen.definition.bq,)).scores(score)[:, 0, 0]
    known = np.asarray(sample.judged & np.isfinite(values), dtype=np.bool_)
    names = sample.block.system_names
    if pair and not {*pair} <= {*names}:
        raise ValueError(f"no pair {' and '.join(pair)}; systems are {', '.join(names)}.")
    return pair or most_apart(chosen, values), {
        "sessions": sample.count(known),
        "undefined": sample.count(sample.judged & ~known),
        "without_judgments": sample.count(~sample.judged),
        "is_counted": True,
    }


def _blocks(chosen: Selection, grid: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
    """Values of b whose scores are held at once; what a b makes of queries serves every bq."""
    step = max(1, ROOM // max(1, chosen.sample.sessions.size * len(grid)))
    return (grid[i : i + step] for i in range(0, len(grid), step))


def _at(
    chosen: Selection,
    score: str,
    systems: tuple[str, ...],
    b: tuple[float, ...],
    bq: tuple[float, ...],
) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, both ends of its interval, and rank correlation with the present, (B, K) each."""
    scores, shape = Plane(chosen, b, bq).scores(score), (len(b), len(bq))
    flat, nowhere = scores.reshape(len(scores), len(b) * len(bq)), np.full(shape, np.nan)
    if len(systems) > 1:
        pair = systems[0], systems[1]
        ask = compared_by_groups if chosen.sample.is_counted else compared
        value, low, high = (each.reshape(shape) for each in ask(chosen, flat, pair))
        return value, low, high, nowhere
    known = np.isfinite(flat).all(axis=1)
    if not known.any():
        return nowhere, nowhere, nowhere, nowhere
    if chosen.sample.is_counted:
        mean = flat[known].sum(axis=0) / chosen.sample.number[known].sum()
        return mean.reshape(shape), nowhere, nowhere, nowhere
    now = session_score_of(score, chosen)[known]
    order = of_columns("spearman", flat[known], now).reshape(shape)
    return flat[known].mean(axis=0).reshape(shape), nowhere, nowhere, order
