"""Scores of sessions by their name: of the registry, ratings, and gain per cost."""

from __future__ import annotations

from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.scoring.costs import RATE, cost_by_name, rate_of, rates_of
from sdcg_explorer.scoring.measures import (
    ALL_SESSION_SCORES,
    OF_SESSIONS,
    SCORES,
    Measured,
    is_of_ideal,
)
from sdcg_explorer.scoring.ratings import RATING, session_rating_columns, study_numbers
from sdcg_explorer.scoring.selection import Selection
from sdcg_explorer.study.study import Study


def scores_of(study: Study) -> list[str]:
    """Scores of sessions to choose from: shares first, the study's ratings last."""
    ratings = (f"{RATING}{name}" for name in session_rating_columns(study))
    own = dict.fromkeys([*SCORES, *OF_SESSIONS, *rates_of(study)])
    return [*(name for name in own if not (study.behaviour and is_of_ideal(name))), *ratings]


def full_score_name(study: Study, name: str) -> str:
    """A score by its whole name; a column of numbers goes by its name, and a rate by any cost's.

    Raises
    ------
    ValueError : the study has no such score
    """
    if name.startswith(RATE):
        return cost_by_name(study, name.removeprefix(RATE)).score
    numbers = (each.column for each in study_numbers(study).values() if each.of == "session")
    known = dict.fromkeys([*scores_of(study), *(f"{RATING}{column}" for column in numbers)])
    if name not in known and f"{RATING}{name}" not in known:
        raise ValueError(f"score {name!r}; choose one of {', '.join(known)}.")
    return name if name in known else f"{RATING}{name}"


def score_of(study: Study, name: str) -> Score[Measured]:
    """A score by its whole name."""
    if name.startswith(RATE):
        return rate_of(study, name)
    if known := ALL_SESSION_SCORES.get(name):
        return known
    column = name.removeprefix(RATING)
    ratings = study.sessions[column].to_numpy(dtype=float, na_value=float("nan"))
    words, undefined = "the rating of the sessions", "where there is no such rating"
    return of_column(ratings, words, f"points of {column}", undefined)


def of_column(values: Floats, words: str, unit: str, undefined: str = "") -> Score[Measured]:
    """A number of each session of a study (S,) that came with the log, as a score."""
    return Score(
        lambda of: values[of.chosen.sample.sessions], words, unit, "", "the study's own", undefined
    )


def may_have(name: str, chosen: Selection) -> Bools:
    """Sessions that a score could be defined for: judged ones, or of a rating all, (S,)."""
    return chosen.sample.judged | name.startswith(RATING)
