"""Which sessions are listed, and in which order: one list for wall, curves and table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.ratings.ratings import RATING, ratings_of_sessions
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.study.study import Study

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


ORDERS = {  # of sessions, and what each means
    "worth": "worth of the session (final), highest first",
    "length": "number of queries, most first",
    "first gain": "the first query that gained, earliest first; none at the end",
    "searcher": "by name",
    "topic": "by name",
    "system": "by name",
    "log": "as the log has them",
}


def orders_of(study: Study) -> list[str]:
    """Orders that a study's sessions can have: ``ORDERS``, and each rating."""
    return [*ORDERS, *(f"{RATING}{name}" for name in ratings_of_sessions(study))]


def listed_rows(study: Study, chosen: Selection, order: str, only: str = ALL) -> Ints:
    """Judged sessions of a selection that a filter keeps, as an order has them; equals by the log.

    Raises
    ------
    ValueError : an order that the study does not have, or a filter that is none
    """
    if order not in orders_of(study):
        raise ValueError(f"no order {order!r}; there are {', '.join(orders_of(study))}")
    rows = np.flatnonzero(chosen.sample.judged & Gaining(chosen).kept(only))
    return rows[np.argsort(_sorted_by(study, chosen, order)[rows], kind="stable")]


def rating(study: Study, chosen: Selection, name: str) -> Floats:
    """A number that came along, of each session, (S,); nan where there is none."""
    values = pd.to_numeric(study.sessions[name]).to_numpy(dtype=float, na_value=np.nan)
    return values[chosen.sample.sessions]


def _sorted_by(study: Study, chosen: Selection, order: str) -> Floats:
    """What sessions are sorted by, lowest first, (S,); nan comes last."""
    sample = chosen.sample
    if order.startswith(RATING):
        return -rating(study, chosen, order.removeprefix(RATING))
    searchers = sample.block.searchers[sample.sessions]
    keys = {
        "worth": lambda: -chosen.session_score("final"),
        "length": lambda: -sample.queries,
        "first gain": lambda: Gaining(chosen).first,
        "searcher": lambda: np.where(searchers < 0, np.nan, searchers),
        "topic": lambda: _places(study.topics, sample.block.topic_names)[sample.topics[:, 0]],
        "system": lambda: sample.systems,
        "log": lambda: sample.sessions,
    }
    return np.asarray(keys[order](), dtype=float)


def _places(order: Sequence[str], names: Sequence[str]) -> Ints:
    """Place of each name in an order that has them all, or at its end."""
    place = {name: i for i, name in enumerate(order)}
    return np.array([place.get(name, len(place)) for name in names])
