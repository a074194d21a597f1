"""Scores of queries, and what a score is: a function, and its words.

Formulas, sources, and where each is undefined: docs/metrics.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from .arrays import Bools, Floats

Of = TypeVar("Of")
LINEAR, RISING = "linear", "rising"


@dataclass(frozen=True)
class Score(Generic[Of]):
    """A score of queries, (S, Q), or of sessions, (S,), as tables, screens and docs have it.

    function : from what it is a score of to its values · words, unit : its name, its unit ·
    grows : whether it grows with the number of queries · bases : which of b and bq change it ·
    by_gain : `LINEAR` in gains, or `RISING` with each, its ideal held; only such
    a score has a range for unjudged results
    """

    function: Callable[[Of], Floats]
    words: str
    unit: str
    grows: bool = False
    bases: tuple[str, ...] = ("b", "bq")
    by_gain: str = ""

    def __getstate__(self) -> dict[str, Any]:
        """Its words alone go to another process with what was found: functions may be nameless."""
        return self.__dict__ | {"function": None}


def query_scores(
    gains: Floats, discount: Floats, query_factor: Floats, known: Bools
) -> dict[str, Floats]:
    r"""Worth of each query at the end of its own cells, and its change from the query before.

    .. math:: dcg_q = \sum_r g(q, r) d(r) \quad sdcg_q = D(q) \, dcg_q
              \quad change_q = sdcg_q - sdcg_{q-1} \quad change\_dcg_q = dcg_q - dcg_{q-1}

    so that the sdcg of a session's known queries add up to its final value.

    Parameters
    ----------
    gains : (S, Q, R) gain in each cell
    discount, query_factor : (R,), (Q,)
    known : (S, Q) whether the session has a q-th query, on a topic that somebody judged

    Returns
    -------
    dcg, sdcg, change, change_dcg, each (S, Q); nan where the query is not known, the changes also
    where the query before is not, or where there is none

    Source: Järvelin et al. (ECIR 2008) eq. 1; dcg: Appendix eq. 2.

    >>> one = np.ones(1)
    >>> known = np.array([[True, True]])
    >>> query_scores(np.array([[[1.0], [3.0]]]), one, np.ones(2), known)["change"].tolist()
    [[nan, 2.0]]
    """
    worth = np.where(known, gains @ discount, np.nan)
    discounted = worth * query_factor
    return {
        "dcg": worth,
        "sdcg": discounted,
        "change": np.diff(discounted, axis=1, prepend=np.nan),
        "change_dcg": np.diff(worth, axis=1, prepend=np.nan),
    }
