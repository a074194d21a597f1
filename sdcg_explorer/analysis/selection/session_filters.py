"""At which queries a session gained, how it ended, and which sessions a filter by that keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.selection.selection import Selection

# how a session ended, and what that means: exclusive, and one of them wherever both are known
ENDS = {
    "found and stopped": "its last query gained; the one before it did not, or there was none",
    "still gaining": "its last query gained, and so did the one before it",
    "stopped without gain": "its last query gained nothing",
}
UNKNOWN_END = -1
ALL = "all"
NOTHING = "gained nothing"
GAVE_UP = "gave up after a first success"
LAST_ONLY = "only the last gained"
ONLY = {  # filters, and which sessions each keeps
    ALL: "every session",
    NOTHING: "no query gained",
    GAVE_UP: "one query gained, and none of those that followed it to the end",
    LAST_ONLY: "of several queries the last one gained, and no other",
}


@dataclass(frozen=True, eq=False)
class Gaining:
    """Which queries of a selection's sessions gained: dcg above 0; b and bq change nothing here."""

    chosen: Selection

    @cached_property
    def gained(self) -> Floats:
        """1 where a query gained, 0 where not, (S, Q); nan where nobody judged it or none is."""
        dcg = self.chosen.query_scores["dcg"]
        return np.where(np.isnan(dcg), np.nan, dcg > 0)

    @cached_property
    def is_whole(self) -> Bools:
        """Whether every query of each session is on a topic that somebody judged, (S,)."""
        sample = self.chosen.sample
        return np.asarray(sample.judged_at.sum(axis=1) == sample.queries)

    @cached_property
    def first(self) -> Floats:
        """Number of the first query that gained, (S,); nan where none did."""
        some = self.gained == 1
        return np.where(some.any(axis=1), some.argmax(axis=1) + 1.0, np.nan)

    @cached_property
    def ends(self) -> Ints:
        """Place of each session's end among ``ENDS``, (S,); −1 where nobody judged its queries."""
        last, before = self._from_last(1), self._from_last(2)
        before = np.where(self.chosen.sample.queries > 1, before, 0.0)
        cases = [last == 0, (last == 1) & (before == 1), (last == 1) & (before == 0)]
        return np.select(cases, [2, 1, 0], UNKNOWN_END)

    def kept(self, only: str) -> Bools:
        """Sessions that a filter keeps, (S,): but for `all`, of those alone that are whole.

        Raises
        ------
        ValueError : a filter that is none
        """
        count, last = np.nansum(self.gained, axis=1), self._from_last(1)
        once, several = count == 1, self.chosen.sample.queries > 1
        filters = {
            ALL: np.ones(count.size, dtype=bool),
            NOTHING: self.is_whole & (count == 0),
            GAVE_UP: self.is_whole & once & (last == 0),
            LAST_ONLY: self.is_whole & once & (last == 1) & several,
        }
        if only not in filters:
            raise ValueError(f"no filter {only!r}; there are {', '.join(filters)}")
        return filters[only]

    def _from_last(self, place: int) -> Floats:
        """Whether the last query gained, or one so many places from the end, (S,)."""
        at = np.maximum(self.chosen.sample.queries - place, 0)[:, None]
        return np.take_along_axis(self.gained, at, axis=1)[:, 0]
