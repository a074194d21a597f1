"""In which order a searcher's sessions were held, where times or a column tell."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.sample import Sample
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.study.study import Study

COLUMNS = ("position", "session_position", "session_order")  # of sessions, that tell a place


def times_of(study: Study) -> pd.Series:
    """Time of each query as a number: as the log has it, or of ISO 8601; nan where none is."""
    times = study.queries["time"].astype("str")
    plain = pd.to_numeric(times, errors="coerce")
    if plain.isna().all():
        stamps = pd.to_datetime(times, format="ISO8601", utc=True, errors="coerce")
        plain = stamps.astype("int64").where(stamps.notna())
    return plain


def spans_of(study: Study, sample: Sample) -> pd.DataFrame:
    """First and last time of each session of a sample: min and max, nan where one lacks."""
    each = times_of(study).groupby(study.queries["session"].cat.codes).agg(["min", "max"])
    return each.reindex(sample.sessions).reset_index(drop=True)


def positions(study: Study, sample: Sample) -> Floats:
    """Place of each session among those of its searcher, (N,), from 1.

    By a column of the sessions (``COLUMNS``), or else by times; nan where a searcher's sessions
    overlap (as where each counts from its own start), a time lacks, or nobody is named.
    """
    return sample.kept(("positions",), lambda: _positions(study, sample))


def has_order(study: Study, definition: Definition, filters: Filters) -> bool:
    """Whether every session's place is known, and some searcher has several."""
    return is_whole(positions(study, select(study, definition, filters).sample))


def is_whole(places: Floats) -> bool:
    """Whether every place is known, and some searcher has several sessions."""
    return bool(np.isfinite(places).all() and places.max(initial=0) > 1)


def whole(places: Floats) -> Floats:
    """The same places, all of which must be known.

    Raises
    ------
    ValueError : the order is not known
    """
    if not is_whole(places):
        raise ValueError(
            "the order of searchers' sessions is not known: times that do not overlap tell it, or "
            "a column session_position of the sessions."
        )
    return places


def _positions(study: Study, sample: Sample) -> Floats:
    searchers = sample.block.searchers[sample.sessions]
    for name in COLUMNS:
        if name in study.sessions.columns:
            told = pd.to_numeric(study.sessions[name].astype("str"), errors="coerce")
            return np.where(searchers >= 0, told.to_numpy(dtype=float)[sample.sessions], np.nan)
    each = spans_of(study, sample).assign(who=searchers).sort_values(["who", "min"], kind="stable")
    before = each.groupby("who")["max"].shift()
    apart = each["min"].notna() & (before.isna() | (each["min"] > before))
    known = apart.groupby(each["who"]).transform("all") & (each["who"] >= 0)
    place = (each.groupby("who").cumcount() + 1.0).where(known)
    return np.asarray(place.sort_index(), dtype=np.float64)
