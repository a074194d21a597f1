"""Which sessions are listed, and in which order: one list for wall, curves and table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.ratings.ratings import RATING, ratings_of_sessions
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.analysis.selection.session_filters import ALL, Gaining
from sdcg_explorer.study.study import Study

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
