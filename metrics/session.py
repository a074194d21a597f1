"""One session: its queries' discounted gains as one vector, and the ideal beside it; its union.

Cells are pairs (query, rank). Query q of a session occupies its first ``cells[q]`` ranks;
0 beyond the session's last query, where its topic is −1.
"""

from collections.abc import Iterator

import numpy as np

from .arrays import Bools, Floats, Ints


def session_vector(gains: Floats, discount: Floats, query_factor: Floats) -> Floats:
    r"""Gain cumulated over the cells of a session, query after query.

    .. math:: V[p] = \sum_{(q, r) \le p} g(q, r) \, d(r) \, D(q)

    Parameters
    ----------
    gains : (…, Q, R) gain in each cell; 0 where there is none
    discount : (R,) factor of each rank
    query_factor : (Q,) factor of each query

    Returns
    -------
    (…, Q, R), in the unit of the gains, never falling

    Source: Järvelin et al. (ECIR 2008) §2.2 and Appendix.

    >>> factors = np.array([1, 0.5])
    >>> session_vector(np.array([[3.0, 0], [0, 2]]), factors, factors).tolist()
    [[3.0, 3.0], [3.0, 3.5]]
    """
    worth = gains * (query_factor[:, None] * discount)
    flat = worth.reshape(*worth.shape[:-2], worth.shape[-2] * worth.shape[-1])
    return np.cumsum(flat, axis=-1, out=flat).reshape(worth.shape)


def repeated_ideal(
    best: Floats, topics: Ints, cells: Ints, discount: Floats, query_factor: Floats
) -> Floats:
    r"""Ideal in which every query returns its topic's best list again.

    .. math:: I[p] = \sum_{(q, r) \le p} best_{t(q), r} \, d(r) \, D(q)

    Parameters
    ----------
    best : (T, R or more) gains of each topic's ideal list
    topics : (S, Q) topic of each query; −1 where none
    cells : (S, Q) cells of each query
    discount, query_factor : (R,), (Q,)

    Returns
    -------
    (S, Q, R), in the unit of the gains

    Source: Järvelin et al. (ECIR 2008) §3.3.

    >>> one = np.ones(2)
    >>> best, topics = np.array([[3.0, 1.0]]), np.array([[0, 0]])
    >>> repeated_ideal(best, topics, np.array([[2, 2]]), one, one).tolist()
    [[[3.0, 4.0], [7.0, 8.0]]]
    """
    ranks = np.arange(discount.size)
    lists = np.vstack([best[:, : ranks.size], np.zeros(ranks.size)])[topics]
    return session_vector(lists * (ranks < cells[:, :, None]), discount, query_factor)


def spread_ideal(
    best: Floats, topics: Ints, cells: Ints, discount: Floats, query_factor: Floats
) -> Floats:
    r"""Ideal in which each judged document of a topic is returned once, the best way at every p.

    .. math:: I[p] = \sum_t \sum_k best_{t,k} \, \delta_{t,k}[p]

    with :math:`\delta_{t,k}[p]` the k-th largest :math:`d(r) D(q)` among the first p cells whose
    query has topic t.

    Parameters
    ----------
    best : (T, Q·R or more) gains of each topic's ideal list
    topics, cells, discount, query_factor : as in `repeated_ideal`

    Returns
    -------
    (S, Q, R), in the unit of the gains

    Source: TREC Dynamic Domain's jig, made exact at every position.

    >>> one = np.ones(2)
    >>> best, topics = np.array([[3.0, 1.0, 0.0, 0.0]]), np.array([[0, 0]])
    >>> spread_ideal(best, topics, np.array([[2, 2]]), one, one).tolist()
    [[[3.0, 4.0], [4.0, 4.0]]]
    """
    factors = (query_factor[:, None] * discount).ravel()
    session, lists, patterns, pattern = _topics_of_sessions(best, topics, cells, discount.size)
    ideal = np.zeros((len(topics), factors.size))
    for p, largest in enumerate(_largest_of_prefixes(factors * patterns, lists.shape[1])):
        np.add.at(ideal[:, p], session, (lists * largest[pattern]).sum(axis=1))
    return ideal.reshape(*topics.shape, discount.size)


def spread_ideal_ends(
    best: Floats, topics: Ints, cells: Ints, discount: Floats, query_factor: Floats
) -> Floats:
    r"""Where the spread ideal ends, under several discounts at once.

    .. math:: I[end] = \sum_t \sum_k best_{t,k} \, \delta_{t,k}[end]

    Parameters
    ----------
    best, topics, cells : as in `spread_ideal`
    discount, query_factor : (B, R), (K, Q) factors under each b, and under each bq

    Returns
    -------
    (S, B, K), in the unit of the gains

    Source: as `spread_ideal`.

    >>> one, two = np.ones((1, 2)), np.array([[1.0, 1.0], [1.0, 0.5]])
    >>> best, topics = np.array([[3.0, 1.0, 1.0, 0.0]]), np.array([[0, 0]])
    >>> spread_ideal_ends(best, topics, np.array([[2, 2]]), one, two).tolist()
    [[[5.0, 4.5]]]
    """
    shape = len(topics), len(discount), len(query_factor)
    factors = query_factor[None, :, :, None] * discount[:, None, None, :]
    factors = factors.reshape(shape[1] * shape[2], -1)
    session, lists, patterns, pattern = _topics_of_sessions(best, topics, cells, discount.shape[1])
    ends = np.zeros((shape[0], len(factors)))
    for i, used in enumerate(patterns):
        own, some = pattern == i, -np.sort(-factors[:, used], axis=1)[:, : lists.shape[1]]
        np.add.at(ends, session[own], lists[own, : some.shape[1]] @ some.T)
    return ends.reshape(shape)


def _topics_of_sessions(
    best: Floats, topics: Ints, cells: Ints, ranks: int
) -> tuple[Ints, Floats, Bools, Ints]:
    """Topics of sessions (N,): the session of each, its best list, and which cells it may fill.

    These are a row of patterns (M, Q·R), whose place is the last of what is returned.
    """
    sessions, queries = topics.shape
    exists = np.less(np.arange(ranks), cells[:, :, None]).reshape(sessions, queries * ranks)
    session, query = np.nonzero(topics >= 0)
    strand = np.unique(session * best.shape[0] + topics[session, query])
    session, topic = np.divmod(strand, best.shape[0])
    used = exists[session] & (np.repeat(topics, ranks, axis=1)[session] == topic[:, None])
    patterns, pattern = np.unique(used, axis=0, return_inverse=True)
    return session, best[topic][:, best.any(axis=0)], patterns, pattern.ravel()


def _largest_of_prefixes(rows: Floats, number: int) -> Iterator[Floats]:
    """The largest values of the first 1, 2, … columns of every row, in falling order."""
    largest = np.zeros((len(rows), number))
    for column in rows.T[:, :, None]:  # one step per cell, all sessions at once
        pushed = np.minimum(np.pad(largest, ((0, 0), (1, 0)), constant_values=np.inf), column)
        largest = np.maximum(largest, pushed[:, :-1])
        yield largest


def normalised(vector: Floats, ideal: Floats) -> Floats:
    r"""Share of the ideal that a vector has reached.

    .. math:: nsDCG[p] = V[p] / I[p]

    Parameters
    ----------
    vector, ideal : shapes that broadcast, in the unit of the gains

    Returns
    -------
    the common shape; nan where the ideal has gained nothing; above 1 only where repeats count in
    the vector and not in the ideal

    Source: Järvelin et al. (ECIR 2008) §2.2.

    >>> normalised(np.array([0.0, 2.0]), np.array([0.0, 4.0])).tolist()
    [nan, 0.5]
    """
    with np.errstate(invalid="ignore"):
        return np.divide(vector, np.where(ideal > 0, ideal, np.nan))


def concatenated(values: Floats, cells: Ints) -> Floats:
    """Values per (query, rank) as one row of positions per session, level after its last cell.

    Parameters
    ----------
    values : (S, Q, R) a running value per cell, from `session_vector` or an ideal
    cells : (S, Q) cells of each query

    Returns
    -------
    (S, Q·R); 0 throughout for a session without cells

    >>> concatenated(np.array([[[1.0, 1.0], [3.0, 3.0]]]), np.array([[1, 1]])).tolist()
    [[1.0, 3.0, 3.0, 3.0]]
    """
    sessions, queries, ranks = values.shape
    exists = np.less(np.arange(int(ranks)), cells[:, :, None]).reshape(sessions, queries * ranks)
    flat = values.reshape(sessions, queries * ranks)
    if np.any(exists[:, 1:] > exists[:, :-1]):  # else only ends differ, and values stay level there
        end = cells.sum(axis=1)
        order = np.argsort(~exists, axis=1, kind="stable")
        place = np.minimum(np.arange(flat.shape[1]), np.maximum(end, 1)[:, None] - 1)
        flat = np.take_along_axis(flat, np.take_along_axis(order, place, axis=1), axis=1)
        flat = np.where((end > 0)[:, None], flat, 0.0)
    return flat


def union_recall(new: Bools, relevant: Floats | Ints) -> Floats:
    r"""Distinct relevant documents that a session's lists show, as a share of all there are.

    .. math:: \lvert \bigcup_q R \cap A_q \rvert / \lvert R \rvert

    Parameters
    ----------
    new : (S, Q, R) whether a cell shows a relevant document that no cell before it showed
    relevant : (S,) relevant documents of the session's topics

    Returns
    -------
    (S,) in [0, 1]; nan where nothing is relevant

    Source: Chen et al. (BrowseComp-Plus, 2025), who take all documents that an agent's searches
    returned.

    >>> union_recall(np.array([[[True, False], [False, True]]]), np.array([4.0])).tolist()
    [0.5]
    """
    return normalised(new.sum(axis=(1, 2)).astype(np.float64), relevant.astype(np.float64))


def union_ndcg(gains: Floats, shown: Bools, best: Floats, discount: Floats) -> Floats:
    r"""The nDCG of a session's lists laid end to end, read to the depth of one list.

    .. math:: \sum_{k \le X} g_k \, d(k) / \sum_{k \le X} best_k \, d(k)

    with k the place of a result among all that the session shows, list after list. A document
    gains where it is shown first; a repeat holds its place and gains nothing.

    Parameters
    ----------
    gains : (S, Q, R) gain of each document in the cell that shows it first, else 0
    shown : (S, Q, R) whether a cell holds a result
    best : (S, R) gains of the best list on the session's topics
    discount : (R,) factor of each rank, from `rank_discount`

    Returns
    -------
    (S,) in [0, 1]; nan where nothing is relevant

    Source: Järvelin & Kekäläinen (2002) for nDCG; joining the lists is ours.

    >>> gains, one = np.array([[[0.0, 0.0], [3.0, 0.0]]]), np.ones(2)
    >>> shown, best = np.array([[[True, False], [True, True]]]), np.array([[3.0, 3.0]])
    >>> union_ndcg(gains, shown, best, one).tolist()
    [0.5]
    """
    flat = shown.reshape(len(shown), shown.shape[1] * shown.shape[2])
    place = np.cumsum(flat, axis=1) - 1
    factor = np.append(discount, 0.0)[np.minimum(place, discount.size)]
    worth = (gains.reshape(flat.shape) * factor).sum(axis=1)
    return normalised(worth, best @ discount)


def gain_per_cost(gain: Floats, cost: Floats, unit: float = 1.0) -> Floats:
    r"""Gain per unit of cost.

    .. math:: gain \cdot unit / cost

    Parameters
    ----------
    gain : (…) worth, at least 0
    cost : (…) what it took, at least 0; nan where unknown
    unit : how many units of the cost count as one: 60 of seconds, for a gain per minute

    Returns
    -------
    (…), in gain per unit; nan where the cost is 0 or not known, or the gain is undefined

    Source: ours; a rate of gain after Pirolli & Card (Psychological Review 1999), eq. 1.

    >>> gain_per_cost(np.array([3.0, 3.0, 3.0]), np.array([90.0, 0.0, np.nan]), 60.0).tolist()
    [2.0, nan, nan]
    """
    return normalised(np.multiply(gain, unit), cost)
