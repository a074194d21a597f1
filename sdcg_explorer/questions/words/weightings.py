"""Why two measures judge a session differently, in words: where their weights lie."""

from __future__ import annotations

from math import isnan

from sdcg_explorer.analysis.definition.definition import (
    PRESET_NAMES,
    Definition,
    further_of,
    under_preset,
    with_parameters,
)
from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES
from sdcg_explorer.analysis.sessions.weightings import Weightings
from sdcg_explorer.questions.words.wording import share

SDCG = "sDCG"
PICTURE = (
    "A line is the weight of each cell, all adding up to 1: solid by sDCG in force, dashed by the "
    "other measure; marks are cells that gained."
)


def names(definition: Definition, score: str, preset: str = "") -> tuple[str, str]:
    """What two weightings are called.

    >>> names(Definition(), "rbp_last")[1], names(Definition(), "final", "linear")[1]
    ('RBP (p = 0.9), last', 'sDCG (final), plain linear')
    """
    own, name = under_preset(definition, preset), further_of(score)
    other = f"{ALL_SESSION_SCORES[score].unit} ({score})"
    if name:
        which = score.partition("_")[2]
        other = f"{with_parameters(name, own)}{which and f', {which}'}"
    return f"{SDCG} in force", f"{other}{preset and f', {PRESET_NAMES[preset]}'}"


def said(of: Weightings, called: tuple[str, str]) -> str:
    """How much of each weighting lies where the session gained."""
    first, other = of.where_it_gained
    if isnan(other):
        return f"{called[1]} is not defined for this session: its cells have no weight by it."
    if isnan(first):
        return f"{called[0]} is not defined for this session: its cells have no weight by it."
    parts = f"{share(first)} of all weight by {called[0]}, and {share(other)} by {called[1]}"
    return f"The cells that gained have {parts}."
