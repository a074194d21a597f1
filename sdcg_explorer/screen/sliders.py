"""The sliders of the panel: which numbers they move, and what they pass."""

from __future__ import annotations

import math

import streamlit as st

from sdcg_explorer.analysis.definition.bases import PREFERRED, SCALE, with_own
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import module

_keys = module("slider_keys")


def in_force(key: str) -> float:
    """The number of an exact entry, or infinity where it is off."""
    state = st.session_state
    return math.inf if state.get(keys.off(key)) else state[key]


def places_of(key: str) -> tuple[str, str]:
    """Where a number may have a slider: in the panel, and beneath a figure."""
    return keys.slider(key), keys.at_hand(key)


def own_numbers() -> dict[str, float]:
    """The number that each slider of b and bq was made for, by its place."""
    drawn = st.session_state[keys.SLIDERS]
    places = [place for key in keys.BASES for place in places_of(key) if place in drawn]
    return {place: drawn[place][-1] for place in places}


def step_by_preferred() -> None:
    """Have arrow keys on a slider of b or bq go from one preferred number to the next."""
    stops = {
        f".st-key-{keys.stand(place)} input": [
            i for i, base in enumerate(with_own(SCALE, own)) if base in PREFERRED
        ]
        for place, own in own_numbers().items()
    }
    _keys(key=keys.SLIDER_KEYS, data=stops)
