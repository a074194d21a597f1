"""Scores of queries, and what a score is: a function, its formula, words and source.

Scores are worked by hand on session T-2 of docs/methods.md, [a3 a1] [a3 a2 u1] [] [a2 u2] with a1:1
a2:2 a3:3, by the linear preset: gain = grade, b = 2, bq = 4, X = 10, every repeat gains and the
ideal repeats. `PARTS` are what workings share.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from .arrays import Bools, Floats

Of = TypeVar("Of")
NO_IDEAL = "where the ideal gains nothing"
LINEAR, RISING = "linear", "rising"

UNDEFINED = "–"
PARTS = {  # each may use those before it: D(q), V and I at a query's end; of lists as L14 has them
    "D2": "1/1.5",
    "D3": "1/(1 + log2(3)/2)",
    "D4": "1/2",
    "V1": "3 + 1/2",
    "V2": "V1 + (3 + 2/2)*D2",
    "V4": "V2 + 0 + 2*D4",
    "I1": "3 + 2/2 + 1/(1 + log2(3))",
    "I2": "I1 + I1*D2",
    "I3": "I2 + I1*D3",
    "I4": "I3 + I1*D4",
    "E2": "1 + 1/log2(3)**2",
    "E3": "E2 + 1/log2(4)**2",
    "M": "1 + 1/log2(3) + 1/2 + 1/log2(5) + 1/log2(6) + 1/log2(7) + 1/3 + 1/log2(9) + 1/log2(10)"
    " + 1/log2(11)",
}


@dataclass(frozen=True)
class Score(Generic[Of]):
    r"""A score of queries, (S, Q), or of sessions, (S,), as tables, screens and docs have it.

    function : from what it is a score of to its values · words, unit : what it says, in what ·
    formula : as LaTeX · source : key of the work that describes it, and where in it · undefined :
    where it is nan, beside what nobody judged · grows : whether it grows with the number of queries
    · over_bases : the function over all b and bq at once, from `WorthOverBases` or what it is a
    score of there; without one it is computed at each point · bases : which of the two touch it ·
    by_gain : `LINEAR` in gains, or `RISING` with each, its ideal held; what is unjudged leaves such
    a score a range · worked : its value as it is worked by hand (`PARTS`), of a session
    one text, else one a query
    """

    function: Callable[[Of], Floats]
    words: str
    unit: str
    formula: str
    source: str
    undefined: str = ""
    grows: bool = False
    over_bases: Callable[[Any], Floats] | None = None
    bases: tuple[str, ...] = ("b", "bq")
    by_gain: str = ""
    worked: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Its words alone go to another process with what was found: functions may be nameless."""
        return self.__dict__ | {"function": None, "over_bases": None}

    @property
    def is_linear(self) -> bool:
        """Whether each gain adds its own part, whatever the others are."""
        return self.by_gain == LINEAR

    @property
    def is_monotone(self) -> bool:
        """Whether no gain that is higher makes it lower."""
        return self.is_linear or self.by_gain == RISING


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
