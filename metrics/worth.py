"""What sessions are worth: their scores, one number each, from gains, ideals and discounts."""

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Protocol

import numpy as np

from .arrays import Bools, Floats, Ints
from .score import LINEAR, NO_IDEAL, RISING, Score, query_scores
from .session import concatenated, normalised, session_vector


@dataclass(frozen=True, eq=False)
class Worth:
    """What scores of sessions are made of; each part is computed once, when a score asks for it.

    gains, ideal : (S, Q, R) gain in each cell, and the ideal's running value I there · discount,
    query_factor : (R,), (Q,) · cells : (S, Q) · queries : (S,) n · known : (S, Q) whether the
    session has a q-th query, on a topic that somebody judged
    """

    gains: Floats
    ideal: Floats
    discount: Floats
    query_factor: Floats
    cells: Ints
    queries: Ints
    known: Bools

    @cached_property
    def of_queries(self) -> dict[str, Floats]:
        """The `query_scores`, (S, Q) each; nan where a query is not known."""
        return query_scores(self.gains, self.discount, self.query_factor, self.known)

    @cached_property
    def number(self) -> Floats:
        """Known queries of each session, ``|K|``, (S,)."""
        return self.known.sum(axis=1).astype(float)

    @cached_property
    def vector(self) -> Floats:
        """V at each position, (S, P), level after the session's last cell."""
        running = session_vector(self.gains, self.discount, self.query_factor)
        return concatenated(running, self.cells)

    @cached_property
    def share(self) -> Floats:
        """V / I at each position, (S, P); nan where the ideal has gained nothing."""
        return normalised(self.vector, concatenated(self.ideal, self.cells))

    def mean(self, values: Floats) -> Floats:
        """Mean of what is defined over each session's own positions, (S,); nan where nothing is."""
        own = np.less(np.arange(int(values.shape[1])), self.cells.sum(axis=1)[:, None])
        counted = own & ~np.isnan(values)
        total = np.where(counted, values, 0.0).sum(axis=1)
        return normalised(total, counted.sum(axis=1).astype(float))


def _sum_of_queries(worth: Worth) -> Floats:
    return np.nansum(worth.of_queries["sdcg"], axis=1)


def _last_query_sdcg(worth: Worth) -> Floats:
    return np.take_along_axis(worth.of_queries["sdcg"], worth.queries[:, None] - 1, axis=1)[:, 0]


def _best_query_sdcg(worth: Worth) -> Floats:
    return np.max(worth.of_queries["sdcg"], axis=1, where=worth.known, initial=-np.inf)


class WorthOverBases(Protocol):
    """Sessions (S,) under every pair of some b (B,) and some bq (K,); parts named as in `Worth`."""

    @property
    def dcg(self) -> Floats:
        """Worth of each query's list, (S, Q, B); 0 where it is not known."""
        ...

    @property
    def query_factors(self) -> Floats:
        """D(q) of each bq, (K, Q)."""
        ...

    @property
    def queries(self) -> Ints:
        """n: the number of queries of each session, (S,)."""
        ...

    @property
    def known(self) -> Bools:
        """Whether a session has its q-th query, on a topic that somebody judged, (S, Q)."""
        ...

    @property
    def final(self) -> Floats:
        """V[end], (S, B, K)."""
        ...

    @property
    def ideal_final(self) -> Floats:
        """I[end], (S, B, K)."""
        ...

    @property
    def average(self) -> Floats:
        """Mean of V over each session's own positions, (S, B, K)."""
        ...

    @property
    def average_normalised(self) -> Floats:
        """Mean of V / I over those at which the ideal gains, (S, B, K)."""
        ...


def _number_over_bases(worth: WorthOverBases) -> Floats:
    """|K|: known queries of each session, (S, 1, 1)."""
    return worth.known.sum(axis=1).astype(float)[:, None, None]


def _last_over_bases(worth: WorthOverBases) -> Floats:
    """Of the last query; nan where it is not known."""
    end = worth.queries - 1
    lists = np.take_along_axis(worth.dcg, end[:, None, None], axis=1)[:, 0]
    values = lists[:, :, None] * worth.query_factors.T[end][:, None, :]
    known = np.take_along_axis(worth.known, end[:, None], axis=1)
    return np.where(known[:, :, None], values, np.nan)


def _best_over_bases(worth: WorthOverBases) -> Floats:
    """Of the best query; -inf where none is known."""
    highest = np.full(worth.final.shape, -np.inf)
    for q, factors in enumerate(worth.query_factors.T):
        own = worth.known[:, q]
        highest[own] = np.maximum(highest[own], worth.dcg[own, q, :, None] * factors)
    return highest


def _weighted_mean_over_bases(worth: WorthOverBases) -> Floats:
    """V[end] over the sum of D(q)."""
    weights = worth.known @ worth.query_factors.T
    return normalised(worth.final, weights[:, None, :])


def _mean_dcg_over_bases(worth: WorthOverBases) -> Floats:
    """Mean of the queries, not discounted by their place."""
    return normalised(worth.dcg.sum(axis=1)[:, :, None], _number_over_bases(worth))


# functions by name, which go to another process with a score


def _session_average(worth: Worth) -> Floats:
    return worth.mean(worth.vector)


def _per_query(worth: Worth) -> Floats:
    return normalised(_sum_of_queries(worth), worth.number)


def _per_query_over_bases(worth: WorthOverBases) -> Floats:
    return normalised(worth.final, _number_over_bases(worth))


def _weighted_mean(worth: Worth) -> Floats:
    return normalised(_sum_of_queries(worth), worth.known @ worth.query_factor)


def _mean_dcg(worth: Worth) -> Floats:
    return normalised(np.nansum(worth.of_queries["dcg"], axis=1), worth.number)


def _final_normalised(worth: Worth) -> Floats:
    return worth.share[:, -1]


def _final_normalised_over_bases(worth: WorthOverBases) -> Floats:
    return normalised(worth.final, worth.ideal_final)


def _average_normalised(worth: Worth) -> Floats:
    return worth.mean(worth.share)


SESSION_SCORES: dict[str, Score[Worth]] = {
    "final": Score(
        _sum_of_queries,
        "sDCG at the end",
        "sDCG",
        r"V[end]",
        "S08 §4",
        grows=True,
        over_bases=attrgetter("final"),
        by_gain=LINEAR,
        worked=("V4",),
    ),
    "average": Score(
        _session_average,
        "mean sDCG over positions",
        "sDCG",
        r"\overline{V[p]}",
        "S08 §4",
        undefined="where no list has a cell",
        over_bases=attrgetter("average"),
        by_gain=LINEAR,
        worked=("(3 + 9*V1 + (V1 + 3*D2) + 19*V2 + 10*V4)/40",),
    ),
    "last": Score(
        _last_query_sdcg,
        "sDCG of the last query",
        "sDCG",
        r"sdcg_n",
        "S08 §4",
        undefined="where the last query is not known",
        over_bases=_last_over_bases,
        by_gain=LINEAR,
        worked=("2*D4",),
    ),
    "best": Score(
        _best_query_sdcg,
        "sDCG of the best query",
        "sDCG",
        r"\max_{q \in K} sdcg_q",
        "S08 §4",
        over_bases=_best_over_bases,
        by_gain=RISING,
        worked=("3 + 1/2",),
    ),
    "per_query": Score(
        _per_query,
        "sDCG per query",
        "sDCG per query",
        r"final / \lvert K \rvert",
        "ours",
        over_bases=_per_query_over_bases,
        by_gain=LINEAR,
        worked=("V4/4",),
    ),
    "weighted_mean": Score(
        _weighted_mean,
        "mean DCG of queries, weighted by the query discount",
        "DCG",
        r"final / \sum_{q \in K} D(q)",
        "ours",
        over_bases=_weighted_mean_over_bases,
        by_gain=LINEAR,
        worked=("V4/(1 + D2 + D3 + D4)",),
    ),
    "mean_dcg": Score(
        _mean_dcg,
        "mean DCG of queries",
        "DCG",
        r"\sum_{q \in K} dcg_q / \lvert K \rvert",
        "ours",
        over_bases=_mean_dcg_over_bases,
        by_gain=LINEAR,
        worked=("(3.5 + 4 + 0 + 2)/4",),
    ),
    "final_normalised": Score(
        _final_normalised,
        "share of the ideal at the end",
        "nsDCG",
        r"V[end] / I[end]",
        "S08 §2.2",
        undefined=NO_IDEAL,
        over_bases=_final_normalised_over_bases,
        by_gain=LINEAR,
        worked=("V4/I4",),
    ),
    "average_normalised": Score(
        _average_normalised,
        "mean share of the ideal over positions (from the ideal's first gain)",
        "nsDCG",
        r"\overline{V[p] / I[p]}",
        "S08 §2.2",
        undefined=NO_IDEAL,
        over_bases=attrgetter("average_normalised"),
        by_gain=LINEAR,
        worked=(
            "(3/3 + 3.5/4 + 8*V1/I1 + (V1 + 3*D2)/(I1 + 3*D2) + V2/(I1 + 4*D2) + 8*V2/I2"
            " + V2/(I2 + 3*D3) + V2/(I2 + 4*D3) + 8*V2/I3"
            " + V4/(I3 + 3*D4) + V4/(I3 + 4*D4) + 8*V4/I4)/40",
        ),
    ),
}


def session_score(name: str, worth: Worth) -> Floats:
    """One of ``SESSION_SCORES`` of each session, (S,); nan for a session without a known query.

    >>> one, known = np.ones(1), np.array([[True]])
    >>> gains, ideal, cells = np.array([[[2.0]]]), np.array([[[4.0]]]), np.array([[1]])
    >>> worth = Worth(gains, ideal, one, one, cells, np.array([1]), known)
    >>> session_score("final_normalised", worth).tolist()
    [0.5]
    """
    return np.where(worth.number > 0, SESSION_SCORES[name].function(worth), np.nan)


def session_scores(
    gains: Floats,
    ideal: Floats,
    discount: Floats,
    query_factor: Floats,
    cells: Ints,
    queries: Ints,
    known: Bools,
) -> dict[str, Floats]:
    r"""Scores of each session at the end of its own cells, each of ``SESSION_SCORES``.

    .. math:: final = V[end] \quad final\_normalised = V[end] / I[end] \quad \dots

    K being the known queries, the session's n-th its last, and means over p running over its own
    cells (those where the ratio is defined). A query that is not known holds its cells and D(q).

    Parameters
    ----------
    gains, ideal, discount, query_factor, cells, queries, known : as in `Worth`

    Returns
    -------
    each (S,); all nan for a session without a known query, and where ``SESSION_SCORES`` says

    Source: Järvelin et al. (ECIR 2008) §2.2, §4; the means that do not grow with n are ours.

    >>> one, two = np.ones(1), np.ones(2)
    >>> gains, ideal = np.array([[[1.0], [3.0]]]), np.array([[[3.0], [6.0]]])
    >>> scores = session_scores(
    ...     gains, ideal, one, two, np.array([[1, 1]]), np.array([2]), np.array([[True, True]]))
    >>> scores["final"].tolist(), scores["average"].tolist()
    ([4.0], [2.5])
    """
    worth = Worth(gains, ideal, discount, query_factor, cells, queries, known)
    return {name: session_score(name, worth) for name in SESSION_SCORES}
