"""Ratings: numbers that came with the log, one of each session or query, beside their scores."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import Score
from sdcg_explorer.scoring import cache, measures
from sdcg_explorer.study.columns import PLACES, plain_name
from sdcg_explorer.study.study import OWN_OF_QUERIES, OWN_OF_SESSIONS, Study

OF_QUERIES = " (of queries)"
RATING = "rating: "  # before a column's name, which may be that of a score
LARGEST_POINT = 10  # of a scale
RATED = re.compile(  # names of ratings
    r"(satisf|zufried|soddisf|difficult|schwier|dific|confiden|effort|usab|useful|workload|likert)"
    r"|(familiar|interes|engag|mood|perceiv|quality|bewert|valutaz|valorac)"
    r"|(^|_)(ratings?|rated|ease|tlx|sus|nps|umux|vas)(_|$)"
)
COUNTED = {  # words in names of counts, as of all that was found
    *("n", "num", "number", "count", "counts", "total", "hits", "results", "found", "documents"),
    *("call", "calls", "clicks", "queries", "requests", "tokens", "turns"),
    *("anzahl", "treffer", "ergebnisse", "nombre", "numero", "risultati", "totale", "marked"),
}
FIRST = {"session": measures.USUAL, "query": "sdcg"}  # the score that is looked at first


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
    def scores(self) -> dict[str, Score[measures.Measured]]:
        """Scores that it is compared with, by name."""
        return {"session": measures.SESSION_SCORES, "query": measures.QUERY_SCORES}[self.of]


@cache.kept
def study_number_columns(study: Study) -> dict[str, Rating]:
    """Every column of numbers by its label, sessions' first; no feature of searchers, no place."""
    known = {n: of for n, of in _number_columns(study).items() if of.column not in PLACES}
    return {label: of for label, of in known.items() if not _is_feature(study, of)}


def study_ratings(study: Study) -> dict[str, Rating]:
    """Those of a study's numbers that are ratings: named so, or on a scale of a few points."""
    tables = {"session": study.sessions, "query": study.queries}
    numbers = study_number_columns(study).items()
    return {label: of for label, of in numbers if is_rated(tables[of.of][of.column])}


def is_rated(column: pd.Series) -> bool:
    """Whether numbers are ratings: named so, or few whole ones that are not called a count.

    >>> is_rated(pd.Series([10, 400, 70], name="total")), is_rated(pd.Series([1, 7], name="Q3"))
    (False, True)
    >>> is_rated(pd.Series([0, 3], name="N. risultati")), is_rated(pd.Series([72.5], name="SUS"))
    (False, True)
    >>> is_rated(pd.Series([1, 5], name="calls_visit"))
    False
    >>> is_rated(pd.Series([70], name="generated")), is_rated(pd.Series([72.5], name="Rating (%)"))
    (False, True)
    """
    name, values = plain_name(str(column.name)), column.dropna().to_numpy(dtype=float)
    whole = bool((np.abs(values) <= LARGEST_POINT).all() and (values == np.rint(values)).all())
    return bool(RATED.search(name)) or (whole and COUNTED.isdisjoint(name.split("_")))


@cache.kept
def session_rating_columns(study: Study) -> tuple[str, ...]:
    """Columns of the ratings of sessions that are not all alike, in the study's order."""
    columns = [each.column for each in study_ratings(study).values() if each.of == "session"]
    return tuple(name for name in columns if study.sessions[name].nunique() > 1)


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
