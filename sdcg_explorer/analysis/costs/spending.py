"""When sessions have had their queries, by what they had spent: places of an axis over amounts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.costs.costs import Cost, spent_of
from sdcg_explorer.analysis.curves.axis_end import THIN
from sdcg_explorer.analysis.curves.mean_curves import Sums
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.study.study import Study

STEPS = 100  # of an axis over amounts
MOST_WHOLE = 200  # amounts of an axis over whole numbers, each of which is a step


@dataclass(frozen=True, eq=False)
class Spending:
    """What sessions of a sample (S,) spend, and when they gain, whatever gain is worth.

    spent (S, Q) : what each had spent by the end of each query · last (S,) : the largest amount
    that is known, nan where none is · is_whole (S,) : whether that is what it cost in all ·
    amounts (P,) : of the axis · bounds (S, Q + 2) : the places from which on a session has had no
    query, one, …, and that from which on it has left the means
    """

    spent: Floats
    last: Floats
    is_whole: Bools
    amounts: Floats
    bounds: Ints

    def over(self, amounts: Floats) -> Spending:
        """The same over other amounts.

        A session whose cost is known in part leaves after the last amount that is.
        """
        part = np.searchsorted(amounts, np.nan_to_num(self.last, nan=-1.0), side="right")
        stop = np.where(self.is_whole, amounts.size, part)
        begun = np.searchsorted(amounts, self.spent)  # nan lies behind all
        bounds = np.column_stack([0 * stop, np.minimum(begun, stop[:, None]), stop])
        return replace(self, amounts=amounts, bounds=bounds)

    def running(self, rows: Bools) -> Ints:
        """How many of these sessions cost so much, or more, at each amount, (P,)."""
        own = np.sort(self.last[rows])
        return own.size - np.searchsorted(own, self.amounts)

    def sums(
        self, rows: Bools, groups: tuple[Ints, Ints], values: Floats, of: Floats | None
    ) -> Sums:
        """Sums of the values (S, Q + 1) of these rows after so many queries, at each amount.

        groups : cluster and system of each row, from 0 · of : what values are a share of, (S,
        Q + 1), else each is one of a mean
        """
        shape = tuple(int(each.max(initial=0)) + 1 for each in groups)
        owner, bounds = groups[0] * shape[1] + groups[1], self.bounds[rows]
        defined = ~np.isnan(values[rows])

        def added(each: Floats) -> Floats:
            """Each is put on at the first of its places, and taken off behind the last."""
            width = self.amounts.size + 1
            ends = owner[:, None] * width + bounds
            size, weights = shape[0] * shape[1] * width, np.where(defined, each, 0.0).ravel()
            on, off = (np.bincount(at.ravel(), weights, size) for at in (ends[:, :-1], ends[:, 1:]))
            return (on - off).reshape(*shape, width).cumsum(axis=2)[..., :-1]

        number = added(np.ones(defined.shape))
        below = number if of is None else np.maximum(added(of[rows]), 0)
        # what was put on and taken off again leaves a rounding
        known = np.where(number > 0, np.maximum(added(values[rows]), 0), 0)
        return Sums(known, number.sum(axis=0, keepdims=True), below)


def spending_of(study: Study, sample: Sample, asked: Cost, *, every: bool = False) -> Spending:
    """What the sessions of a sample spend; amounts go to the last that ``THIN`` judged ones reach.

    Or to the last of all, if `every` one is asked for.
    """

    def made() -> Spending:
        spent = spent_of(study, asked.name)[sample.sessions, : sample.most_queries]
        known = np.isfinite(spent)
        last = np.max(spent, axis=1, where=known, initial=-np.inf)
        last = np.where(known.any(axis=1), last, np.nan)
        nowhere = np.zeros(0), np.zeros((0, 0), dtype=np.int64)
        bare = Spending(spent, last, known.sum(axis=1) == sample.queries, *nowhere)
        return bare.over(_amounts(spent[sample.judged], last[sample.judged], every=every))

    return sample.kept(("spending", asked.name, every), made)


def _amounts(spent: Floats, last: Floats, *, every: bool) -> Floats:
    """Amounts of the axis: whole numbers where all are, and few; else equal steps from 0."""
    known, reached = np.sort(last[~np.isnan(last)]), spent[np.isfinite(spent)]
    if not known.size:
        return np.zeros(0)
    end = known[0 if known.size < THIN else -THIN]
    if every or known.size < THIN:
        end = known[-1]
    if end <= MOST_WHOLE and (reached == np.floor(reached)).all():
        return np.arange(end + 1.0)
    return np.linspace(0.0, end, STEPS + 1)
