"""esNDCG: what a session is worth over all ways through its lists, each as likely as it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats, Ints

AT_ONCE = 2_000_000  # chances held of lists alike, of so many documents seen


def esndcg(
    gains: Floats, cells: Ints, queries: Ints, ideal: ArrayLike, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    r"""Expected nDCG of sessions over all paths: down a list, on to the next query, or away.

    .. math:: esNDCG = \sum_\omega P(\omega)
              \frac{\sum_k g_{\omega_k} / \log_2(k + 1)}{\sum_k g^*_k / \log_2(k + 1)}

    Exact: linear in gains, with weights by a recursion over the documents seen so far; sessions of
    the same lengths and ideal share them. At the last document of a list all who would have read on
    leave it; at the last query all end.

    Parameters
    ----------
    gains : (S, Q, R) gain in each cell, 2^grade − 1 in the source
    cells, queries : (S, Q), (S,) results of each list, and queries of each session
    ideal : (S, K) gains of each session's ideal list, falling; 0 beyond it
    moves : chance to ask the next query, and to read on, each in [0, 1]

    Returns
    -------
    (S,) the expected share, which may pass 1 where documents come again; nan where no path sees a
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
    best = np.pad(best, ((0, 0), (0, most - best.shape[1])))
    worth, unseen = np.full(len(gains), np.nan), np.ones(len(gains))
    first, alike = _alike(np.hstack([cells, queries[:, None], best]))
    step = max(1, AT_ONCE // max(1, gains[0].size * (most + 1))) if len(gains) else 1
    for start in range(0, first.size, step):
        some = first[start : start + step]
        weights, none = _weights(cells[some], queries[some], best[some], gains.shape[2], moves)
        rows = np.flatnonzero((alike >= start) & (alike < start + step))
        own = alike[rows] - start
        worth[rows], unseen[rows] = np.sum(gains[rows] * weights[own], axis=(1, 2)), none[own]
    return worth, unseen


def _alike(rows: ArrayLike) -> tuple[Ints, Ints]:
    """The first of each kind of rows (S, N), and the kind of each, (S,)."""
    whole: Floats = np.ascontiguousarray(rows, dtype=float)
    texts: NDArray[np.void] = whole.view(np.dtype((np.void, whole.itemsize * whole.shape[1])))
    _, first, kind = np.unique(texts.ravel(), return_index=True, return_inverse=True)
    return first, kind.ravel()


def _weights(
    cells: Ints, queries: Ints, best: Floats, ranks: int, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Weight of each cell, (S, Q, R), nan where no path is known; chance to see nothing, (S,)."""
    most = int(best.shape[1])
    discount = 1 / np.log2(np.arange(most) + 2)
    reached = np.cumsum(best * discount, axis=1)
    inverse: Floats = np.divide(1.0, reached, out=np.zeros_like(reached), where=reached > 0)
    seen, ended = _chances(cells, queries, ranks, most, moves)
    known: Floats = np.where(reached > 0, ended[:, 1:], 0.0).sum(axis=1)[:, None, None]
    seen[..., 1:] *= discount
    found = _expected(seen, cells, queries, np.pad(inverse, ((0, 0), (1, 0))), moves)
    undefined = np.full_like(found, np.nan)
    return np.divide(found, known, out=undefined, where=known > 0), ended[:, 0]


def _chances(
    cells: Ints, queries: Ints, ranks: int, most: int, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Chance that a cell is the k-th to be seen, (Q, R, S, K + 1); that k are, (S, K + 1)."""
    reform, down = moves
    sessions, number = cells.shape
    seen = np.zeros((number, ranks, sessions, most + 1))
    ended = np.zeros((sessions, most + 1))
    here = np.zeros_like(ended)
    here[:, 0] = 1
    for q in range(number):
        some = (cells[:, q] > 0)[:, None]
        leaving, reading = np.where(some, 0.0, here), np.where(some, here, 0.0)
        for r in range(ranks):
            seen[q, r, :, 1:] = reading[:, :-1]
            on = np.where(r + 1 < cells[:, q], down, 0.0)[:, None]
            leaving, reading = leaving + seen[q, r] * (1 - on), seen[q, r] * on
        asks = np.where(q + 1 < queries, reform, 0.0)[:, None]
        ended, here = ended + leaving * (1 - asks), leaving * asks
    return seen, ended


def _expected(
    worth: Floats, cells: Ints, queries: Ints, inverse: Floats, moves: tuple[float, float]
) -> Floats:
    """Sum of worth (Q, R, S, K + 1) times 1/ideal that is expected from there on; (S, Q, R)."""
    reform, down = moves
    found = np.zeros((len(cells), *worth.shape[:2]))
    asking = np.zeros_like(inverse)  # of those who ask the next query
    for q in reversed(range(cells.shape[1])):
        asks = np.where(q + 1 < queries, reform, 0.0)[:, None]
        leaving = inverse * (1 - asks) + asking * asks
        further = np.zeros_like(inverse)  # of those who read on, a document later
        for r in reversed(range(worth.shape[1])):
            on = np.where(r + 1 < cells[:, q], down, 0.0)[:, None]
            share = leaving * (1 - on) + further * on
            found[:, q, r] = np.einsum("sk,sk->s", worth[q, r], share)
            further[:, :-1] = share[:, 1:]
        asking = np.where((cells[:, q] > 0)[:, None], further, leaving)
    return found
