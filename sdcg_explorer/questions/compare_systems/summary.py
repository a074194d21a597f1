"""A row per system, as papers print them: sessions, queries, main scores, time, clicks, ratings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.questions.compare_systems.measures import SCORES
from sdcg_explorer.scoring.costs import OPENED, TIME, is_cost, study_costs, totals_of
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import is_of_ideal, session_score_of
from sdcg_explorer.scoring.ratings import RATING, session_rating_columns
from sdcg_explorer.scoring.scored_sessions import means_of, scored_of
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.study import Study

MAIN = SCORES[:3]  # of the main measures, those that a table of results has
MEAN = "_mean"  # endings of the names of a mean's columns
ENDS = (MEAN, "_low", "_high")


def summary(study: Study, definition: Definition, filters: Filters) -> pd.DataFrame:
    """Sessions, queries per session, and each mean with its interval by searchers, by system.

    Time, clicks and ratings have columns where the study has them; every mean is of the sessions
    for which its value is known.
    """
    chosen = select(study, definition, filters)
    size = chosen.sample.sessions.size
    every = _system_means(chosen, np.zeros(size), np.ones(size, dtype=bool))
    table = every[["sessions", "queries"]]
    for name, values, known in _session_values(study, chosen):
        means = _system_means(chosen, values, known)[["mean", "low", "high"]]
        table = table.join(means.set_axis([f"{name}{end}" for end in ENDS], axis=1))
    return table.reset_index()


def _system_means(chosen: Selection, values: Floats, known: Bools) -> pd.DataFrame:
    """Means of systems over the sessions (S,) whose value is known, whatever their topics."""
    scored = scored_of(chosen, values, known)
    whole = replace(scored, topic=np.zeros_like(scored.topic))
    return means_of(whole, [""])[0].set_index("system")


def _session_values(study: Study, chosen: Selection) -> Iterator[tuple[str, Floats, Bools]]:
    """Each value of the sessions, (S,), and where it is known."""
    sample = chosen.sample
    for score in MAIN:
        if chosen.definition.behaviour and is_of_ideal(score):
            continue
        values = session_score_of(score, chosen)
        yield score, values, sample.judged & np.isfinite(values)
    costs = [cost.name for cost in (TIME, OPENED) if cost.name in study_costs(study)]
    others = {name: totals_of(study, name) for name in costs} | {
        f"{RATING}{name}": study.sessions[name].to_numpy(dtype=float, na_value=np.nan)
        for name in session_rating_columns(study)
        if not is_cost(name)
    }
    for name, of_study in others.items():
        values = of_study[sample.sessions]
        if np.isfinite(values).any():
            yield name, values, np.isfinite(values)
