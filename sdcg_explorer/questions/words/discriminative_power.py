"""Which score tells systems apart, in words."""

from __future__ import annotations

from math import isnan

import pandas as pd

from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES
from sdcg_explorer.analysis.systems.discriminative_power import (
    DRAWS,
    HALVES,
    LEVEL,
    DiscriminativePower,
)
from sdcg_explorer.analysis.systems.pairs import MOST_PAIRED
from sdcg_explorer.questions.words.wording import counted, enumerated, plural, short

NONE = "One system alone: there is no pair to be told apart."
NO_P = "No pair has a p: the systems share too little, or nothing differs."
PICTURE = (
    f"A line has the p of every pair under one score, highest first; below the dotted line, "
    f"{LEVEL:g}, a pair is told apart. A score whose line falls sooner discriminates more."
)
NOT_BETTER = (
    "That a score tells more pairs apart does not make it the better one: it says how steadily it "
    "ranks these systems on this sample, not that it measures what searchers gain."
)
METHOD = (
    "Discriminative power (Sakai 2006): the p of every pair of systems by the design's own test, "
    f"{DRAWS:,} arrangements at most, uncorrected; of two systems that of each half of the units, "
    f"{HALVES} times halved at random. The difference needed is half of the widest interval."
)


def answer(of: DiscriminativePower) -> str:
    """The scores that tell most pairs apart, and which difference they need."""
    table = of.table()
    known = table[table["pairs"] > 0]
    if not len(of.pairs):
        return NONE
    if known.empty:
        return NO_P
    most = known[known["apart"] == known["apart"].max()]
    first = most.iloc[0]
    pairs = f"of {counted(int(first['pairs']), 'pair')}"
    if not first["apart"]:
        return f"No score tells any {pairs} apart at {LEVEL:g}."
    names = enumerated([_name(of, score) for score in most["score"]])
    tell = plural(len(most), "tells", "tell")
    return f"{names} {tell} most apart: {int(first['apart'])} {pairs} at {LEVEL:g}."


def needed(of: DiscriminativePower) -> list[str]:
    """The difference that each score needs, a sentence each."""
    rows = of.table().dropna(subset=["needed"])
    return [_needed(of, row) for _, row in rows.iterrows()]


def _needed(of: DiscriminativePower, row: pd.Series) -> str:
    name, unit = str(row["score"]), ALL_SESSION_SCORES[str(row["score"])].unit
    share = float(row["needed_of_mean"])
    of_mean = "" if isnan(share) else f", {100 * share:.0f} % of the mean"
    return f"{_name(of, name)} needs a difference of {short(float(row['needed']))} {unit}{of_mean}."


def behind(of: DiscriminativePower) -> str:
    """What pairs are."""
    if not of.of_halves:
        return (
            f"Every two systems (of more than {MOST_PAIRED} those with the most sessions), "
            f"{of.sessions:,} sessions, p as it is, of each pair by itself."
        )
    return (
        f"The two systems compared in each half of the {of.unit}s, {HALVES} times halved at "
        f"random; {of.sessions:,} sessions. Differences needed are those of half a study: the "
        "whole one needs less. Halves of one study are alike: p of them are not those of so many "
        "studies."
    )


def _name(of: DiscriminativePower, score: str) -> str:
    return of.further.get(score) or f"{ALL_SESSION_SCORES[score].unit} ({score})"
