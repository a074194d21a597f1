"""Ratings: numbers that came with the log, one of each session or query, beside their scores."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from sdcg_explorer.metrics import Score
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES, USUAL, Measured
from sdcg_explorer.study.columns import PLACES
from sdcg_explorer.study.study import OWN_OF_QUERIES, OWN_OF_SESSIONS, Study

OF_QUERIES = " (of queries)"
RATING = "rating: "  # before a column's name, which may be that of a score
FIRST = {"session": USUAL, "query": "sdcg"}  # the score that is looked at first


@dataclass(frozen=True)
class Rating:
    """A column of numbers that came with the log; `of` is session or query."""

    column: str
    of: str

    @property
    def label(self) -> str:
        """The column's name, and whose it is where that is a query."""
        return f"{self.column}{OF_QUERIES}" if self.of == "query" else self.column

    @property
    def scores(self) -> dict[str, Score[Measured]]:
        """Scores that it is compared with, by name."""
        return {"session": SESSION_SCORES, "query": QUERY_SCORES}[self.of]


def study_ratings(study: Study) -> dict[str, Rating]:
    """Every rating of a study by its label, sessions' first; no feature of searchers, no place."""

    def found() -> dict[str, Rating]:
        known = _number_columns(study)
        return {
            label: of
            for label, of in known.items()
            if of.column not in PLACES and not _is_feature(study, of)
        }

    return RESULTS.of(("ratings", study), found)


def session_rating_columns(study: Study) -> tuple[str, ...]:
    """Columns of the ratings of sessions that are not all alike, in the study's order."""

    def found() -> tuple[str, ...]:
        columns = [each.column for each in study_ratings(study).values() if each.of == "session"]
        return tuple(name for name in columns if study.sessions[name].nunique() > 1)

    return RESULTS.of(("ratings of sessions", study), found)


def _number_columns(study: Study) -> dict[str, Rating]:
    """Every column of numbers that came with the log, by its label."""
    tables = {
        "session": (study.sessions, OWN_OF_SESSIONS),
        "query": (study.queries, OWN_OF_QUERIES),
    }
    found: dict[str, Rating] = {}
    for of, (table, own) in tables.items():
        for name in table.columns:
            if name not in own and _is_number(table[name]):
                rating = Rating(str(name), of)
                found.setdefault(rating.label, rating)
    return found


def _is_feature(study: Study, rating: Rating) -> bool:
    """Whether it is one number for each searcher, some of whom have several: as an age is."""
    if rating.of == "query":
        return False
    each = study.sessions.groupby("searcher")[rating.column].agg(["nunique", "count"])
    return bool((each["count"] > 1).any() and (each["nunique"] <= 1).all())


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def rating_by_name(study: Study, name: str) -> Rating:
    """A rating by its label, or any column of numbers; of queries also by the bare column.

    Raises
    ------
    ValueError : no such rating
    """
    known = _number_columns(study)
    for label in (name, f"{name}{OF_QUERIES}"):
        if label in known:
            return known[label]
    offered = f"choose one of {', '.join(known)}" if known else "the study has no column of numbers"
    raise ValueError(f"rating {name!r}; {offered}.")
