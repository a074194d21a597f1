"""esNDCG: what a session is worth over all ways through its lists, each as likely as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Paths:
    """Ways through the lists of sessions: how many documents they have seen, and their DCG.

    chance, gained : (S, K + 1) chance of the paths that have seen so many documents, and their
    chance times DCG
    """

    chance: Floats
    gained: Floats

    def times(self, share: Floats) -> Paths:
        """A share (S,) of them."""
        return Paths(self.chance * share[:, None], self.gained * share[:, None])

    def plus(self, other: Paths) -> Paths:
        """These and others."""
        return Paths(self.chance + other.chance, self.gained + other.gained)

    def seeing(self, gains: Floats, discount: Floats) -> Paths:
        """The same after one more document, of such gains (S,)."""
        chance, gained = np.zeros_like(self.chance), np.zeros_like(self.gained)
        chance[:, 1:] = self.chance[:, :-1]
        more = self.chance[:, :-1] * gains[:, None] * discount
        gained[:, 1:] = self.gained[:, :-1] + more
        return Paths(chance, gained)


def esndcg(
    gains: Floats, cells: Ints, queries: Ints, ideal: ArrayLike, moves: tuple[float, float]
) -> tuple[Floats, Floats]:
    r"""Expected nDCG of sessions over all paths: down a list, on to the next query, or away.

    .. math:: esNDCG = \sum_\omega P(\omega)
              \frac{\sum_k g_{\omega_k} / \log_2(k + 1)}{\sum_k g^*_k / \log_2(k + 1)}

    Exact, by a recursion over the documents seen so far, whose chance and expected DCG are enough.
    At the last document of a list all who would have read on leave it; at the last query all end.

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
    reform, down = moves
    for name, chance in (("to ask again", reform), ("to read on", down)):
        if not 0 <= chance <= 1:
            raise ValueError(f"the chance {name} is {chance}; a chance is in [0, 1]")
    most = int(cells.sum(axis=1).max(initial=0))
    discount = 1 / np.log2(np.arange(most) + 2)
    none = np.zeros((len(gains), most + 1))
    start = none.copy()
    start[:, 0] = 1
    here, ended = Paths(start, none.copy()), Paths(none, none)
    for q in range(gains.shape[1]):
        leaving = _through(here, gains[:, q], cells[:, q], discount, down)
        on = np.where(q + 1 < queries, reform, 0.0)
        ended, here = ended.plus(leaving.times(1 - on)), leaving.times(on)
    best = np.asarray(ideal, dtype=float)
    best = np.pad(best, ((0, 0), (0, max(0, most - best.shape[1]))))[:, :most]
    reached = np.cumsum(best * discount, axis=1)
    known = reached > 0
    shares = np.divide(ended.gained[:, 1:], reached, out=np.zeros_like(reached), where=known)
    counted = np.where(known, ended.chance[:, 1:], 0.0).sum(axis=1)
    worth = np.divide(
        shares.sum(axis=1), counted, out=np.full(len(gains), np.nan), where=counted > 0
    )
    return worth, ended.chance[:, 0]


def _through(here: Paths, gains: Floats, cells: Ints, discount: Floats, down: float) -> Paths:
    """Paths as they leave a list (S, R), whose last document sends on all who would read on."""
    leaving = here.times((cells == 0).astype(float))
    reading = here.times((cells > 0).astype(float))
    for r in range(int(cells.max(initial=0))):
        seen = reading.seeing(gains[:, r], discount)
        on = np.where(r + 1 < cells, down, 0.0)
        leaving, reading = leaving.plus(seen.times(1 - on)), seen.times(on)
    return leaving
