"""esNDCG: what a session is worth over all paths through its lists, weighted by their chances."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats, Ints

AT_ONCE = 2_000_000  # chances held of lists alike, of so many documents seen
LEAST = 1e-30  # the chance to come to a query with so many documents seen; below, none is followed


def esndcg(
    gains: Floats, cells: Ints, queries: Ints, ideal: ArrayLike, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    r"""Expected nDCG of sessions over all paths: down a list, on to the next query, or away.

    .. math:: esNDCG = \sum_\omega P(\omega)
              \frac{\sum_k g_{\omega_k} / \log_2(k + 1)}{\sum_k g^*_k / \log_2(k + 1)}

    Exact but for paths rarer than 1e-30: linear in gains, with weights by a recursion over the
    documents seen so far; sessions of the same lengths and ideal share them. At the last document
    of a list all who would have read on leave it; at the last query all end.

    Parameters
    ----------
    gains : (S, Q, R) gain in each cell, 2^grade − 1 in the source
    cells, queries : (S, Q), (S,) results of each list, and queries of each session
    ideal : (S, K) gains of each session's ideal list, falling; 0 beyond it
    moves : chance to ask the next query, and to read on, each in [0, 1]

    Returns
    -------
    (S,) the expected share, which can exceed 1 if documents repeat; nan where no path sees a
    document, or the ideal gains nothing; (S,) chance of paths that see nothing, left out

    Source: Kanoulas, Carterette, Clough & Sanderson (SIGIR 2011).

    >>> one = np.ones((1, 1, 2)), np.array([[2]]), np.array([1])
    >>> [float(value[0]) for value in esndcg(*one, np.ones((1, 2)), (0.9, 0.7))]
    [1.0, 0.0]
    """
    for name, chance in zip(("to ask again", "to read on"), moves, strict=True):
        if not 0 <= chance <= 1:
            raise ValueError(f"the chance {name} is {chance}; a chance is in [0, 1]")
    most = int(cells.sum(axis=1).max(initial=0))
    best = np.asarray(ideal, dtype=float)[:, :most]
    worth, unseen = np.full(len(gains), np.nan), np.ones(len(gains))
    first, alike = _distinct_rows(np.hstack([cells, queries[:, None], best]))
    step = max(1, AT_ONCE // ((gains.shape[1] + gains.shape[2] + 1) * (most + 1)))
    for start in range(0, first.size, step):
        some = first[start : start + step]
        weights, none = _cell_weights(cells[some], queries[some], best[some], gains.shape[2], moves)
        rows = np.flatnonzero((alike >= start) & (alike < start + step))
        own = alike[rows] - start
        worth[rows], unseen[rows] = np.sum(gains[rows] * weights[own], axis=(1, 2)), none[own]
    return worth, unseen


def _distinct_rows(rows: ArrayLike) -> tuple[Ints, Ints]:
    """The first of each kind of rows (S, N), and the kind of each, (S,)."""
    whole: Floats = np.ascontiguousarray(rows, dtype=float)
    texts: NDArray[np.void] = whole.view(np.dtype((np.void, whole.itemsize * whole.shape[1])))
    _, first, kind = np.unique(texts.ravel(), return_index=True, return_inverse=True)
    return first, kind.ravel()


def _cell_weights(
    cells: Ints, queries: Ints, best: Floats, ranks: int, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Weight of each cell, (S, Q, R), nan where no path is known; chance to see nothing, (S,)."""
    most = int(cells.sum(axis=1).max(initial=0))  # of these sessions, not of all
    discount = 1 / np.log2(np.arange(most) + 2)
    best = np.pad(best[:, :most], ((0, 0), (0, max(0, most - best.shape[1]))))
    reached = np.cumsum(best * discount, axis=1)
    inverse: Floats = np.divide(1.0, reached, out=np.zeros_like(reached), where=reached > 0)
    starts, ended = _chances(cells, queries, moves)
    known: Floats = np.where(reached > 0, ended[:, 1:], 0.0).sum(axis=1)[:, None, None]
    worth = np.pad(discount, (1, 0)), np.pad(inverse, ((0, 0), (1, 0)))
    found = _expected_cell_gains(starts, cells, queries, worth, (ranks, *moves))
    undefined = np.full_like(found, np.nan)
    return np.divide(found, known, out=undefined, where=known > 0), ended[:, 0]


def _chances(
    cells: Ints, queries: Ints, moves: tuple[float, float]
) -> tuple[list[tuple[int, Floats]], Floats]:
    """Chance that k are seen as each query begins, from the first k likely; as all end, (S, K)."""
    reform, down = moves
    low, here, starts = 0, np.ones((len(cells), 1)), list[tuple[int, Floats]]()
    reach: list[int] = np.cumsum(cells, axis=1).max(axis=0, initial=0).tolist()
    ended = np.zeros((len(cells), max(reach, default=0) + 1))
    for q, furthest in enumerate(reach):
        most = min(here.shape[1] + int(cells[:, q].max()), furthest + 1 - low)
        wide = np.zeros((len(cells), most))
        wide[:, : here.shape[1]] = here
        starts.append((low, wide))
        _, leaving = _chances_within_list(wide, cells[:, q], down)
        asks = np.where(q + 1 < queries, reform, 0.0)[:, None]
        ended[:, low : low + wide.shape[1]] += leaving * (1 - asks)
        likely = np.flatnonzero((leaving * asks > LEAST).any(axis=0))
        if not likely.size:
            break
        here, low = (leaving * asks)[:, likely[0] : likely[-1] + 1], low + int(likely[0])
    return starts, ended


def _chances_within_list(here: Floats, cells: Ints, down: float) -> tuple[list[Floats], Floats]:
    """Chance that each cell of a list is the k-th to be seen; that k are as the list is left."""
    reading, seen = np.where((cells > 0)[:, None], here, 0.0), list[Floats]()
    leaving = here - reading
    for r in range(int(cells.max(initial=0))):
        seen.append(np.zeros_like(here))
        seen[r][:, 1:] = reading[:, :-1]
        reading = seen[r] * np.where(r + 1 < cells, down, 0.0)[:, None]
        leaving += seen[r] - reading
    return seen, leaving


def _expected_cell_gains(
    starts: list[tuple[int, Floats]],
    cells: Ints,
    queries: Ints,
    worth: tuple[Floats, Floats],
    moves: tuple[int, float, float],
) -> Floats:
    """What a gain of 1 in each cell is expected to add, (S, Q, R).

    starts : of `_chances` · worth : discount (K + 1,), and 1 over the ideal (S, K + 1), of what is
    seen k-th · moves : ranks, and the chances to ask again and to read on
    """
    (discount, inverse), (ranks, reform, down) = worth, moves
    found = np.zeros((*cells.shape, ranks))
    asking = np.zeros_like(inverse)  # of those who ask the next query
    for q in reversed(range(len(starts))):
        low, here = starts[q]
        k = slice(low, low + here.shape[1])
        asks = np.where(q + 1 < queries, reform, 0.0)[:, None]
        leaving = inverse[:, k] * (1 - asks) + asking[:, k] * asks
        further = np.zeros_like(leaving)  # of those who read on, a document later
        seen, _ = _chances_within_list(here, cells[:, q], down)
        for r in reversed(range(len(seen))):
            on = np.where(r + 1 < cells[:, q], down, 0.0)[:, None]
            share = leaving + (further - leaving) * on
            found[:, q, r] = np.einsum("sk,sk,k->s", seen[r], share, discount[k])
            further[:, :-1] = share[:, 1:]
        asking[:, k] = np.where((cells[:, q] > 0)[:, None], further, leaving)
    return found
