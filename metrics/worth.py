"""What sessions are worth: their scores, one number each, from gains, ideals and discounts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from .arrays import Bools, Floats, Ints
from .score import LINEAR, RISING, Score, query_scores
from .session import concatenated, normalised, session_vector


@dataclass(frozen=True, eq=False)
class Worth:
    """What scores of sessions are made of; each part is computed once, when a score asks for it.

    gains : (S, Q, R) gain in each cell · ideal : gives the ideal's running value I there, which few
    scores need · discount, query_factor : (R,), (Q,) · cells : (S, Q) · queries : (S,) n · known :
    (S, Q) whether the session has a q-th query, on a topic that somebody judged
    """

    gains: Floats
    ideal: Callable[[], Floats]
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
        return normalised(self.vector, concatenated(self.ideal(), self.cells))

    def mean(self, values: Floats) -> Floats:
        """Mean of what is defined over each session's own positions, (S,); nan where nothing is."""
        own = np.less(np.arange(int(values.shape[1])), self.cells.sum(axis=1)[:, None])
        counted = own & ~np.isnan(values)
        total = np.where(counted, values, 0.0).sum(axis=1)
        return normalised(total, counted.sum(axis=1).astype(float))


def _sum_of_queries(worth: Worth) -> Floats:
    return np.nansum(worth.of_queries["sdcg"], axis=1)


_linear = partial(Score[Worth], by_gain=LINEAR)
SESSION_SCORES: dict[str, Score[Worth]] = {
    "final": _linear(_sum_of_queries, "sDCG at the end", "sDCG", grows=True),
    "average": _linear(
        lambda of: of.mean(of.vector), "mean sDCG over positions", "sDCG", grows=True
    ),
    "last": _linear(
        lambda of: np.take_along_axis(of.of_queries["sdcg"], of.queries[:, None] - 1, axis=1)[:, 0],
        "sDCG of the last query",
        "sDCG",
    ),
    "best": Score(
        lambda of: np.max(of.of_queries["sdcg"], axis=1, where=of.known, initial=-np.inf),
        "sDCG of the best query",
        "sDCG",
        by_gain=RISING,
    ),
    "per_query": _linear(
        lambda of: normalised(_sum_of_queries(of), of.number), "sDCG per query", "sDCG per query"
    ),
    "weighted_mean": _linear(
        lambda of: normalised(_sum_of_queries(of), of.known @ of.query_factor),
        "mean DCG of queries, weighted by the query discount",
        "DCG",
    ),
    "mean_dcg": _linear(
        lambda of: normalised(np.nansum(of.of_queries["dcg"], axis=1), of.number),
        "mean DCG of queries",
        "DCG",
    ),
    "final_normalised": _linear(
        lambda of: of.share[:, -1], "share of the ideal at the end", "nsDCG"
    ),
    "average_normalised": _linear(
        lambda of: of.mean(of.share),
        "mean share of the ideal over positions (from the ideal's first gain)",
        "nsDCG",
    ),
}


def session_score(name: str, worth: Worth) -> Floats:
    """One of ``SESSION_SCORES`` of each session, (S,); nan for a session without a known query.

    >>> one, known = np.ones(1), np.array([[True]])
    >>> gains, ideal, cells = np.array([[[2.0]]]), np.array([[[4.0]]]), np.array([[1]])
    >>> worth = Worth(gains, lambda: ideal, one, one, cells, np.array([1]), known)
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
    cells (those where the ratio is defined). A query that is not known keeps its cells and D(q).

    Parameters
    ----------
    gains, ideal, discount, query_factor, cells, queries, known : as in `Worth`

    Returns
    -------
    each (S,); all nan for a session without a known query, and where docs/metrics.md says

    Source: Järvelin et al. (ECIR 2008) §2.2, §4; the means that do not grow with n are ours.

    >>> one, two = np.ones(1), np.ones(2)
    >>> gains, ideal = np.array([[[1.0], [3.0]]]), np.array([[[3.0], [6.0]]])
    >>> scores = session_scores(
    ...     gains, ideal, one, two, np.array([[1, 1]]), np.array([2]), np.array([[True, True]]))
    >>> scores["final"].tolist(), scores["average"].tolist()
    ([4.0], [2.5])
    """
    worth = Worth(gains, lambda: ideal, discount, query_factor, cells, queries, known)
    return {name: session_score(name, worth) for name in SESSION_SCORES}
