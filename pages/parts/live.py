"""Lines that follow the sliders while they move: the browser draws them itself, from counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from analysis.definition.definition import DEFAULT
from analysis.live import live_numbers, live_tables
from pages.parts import keys
from pages.parts.opened import Opened, ask
from study.grades import label
from study.study import Study

HERE = Path(__file__).parent
SCRIPT = "".join(
    (HERE / name).read_text(encoding="utf-8") for name in ("live_curves.js", "live_lines.js")
)
_live = component("live_lines", js=SCRIPT)


@st.cache_resource(max_entries=8, show_spinner=False)
def _tables(digest: str, form: str, _study: Study) -> dict[str, Any]:
    return live_tables(_study, form)


def watch(study: Study, form: str) -> None:
    """Have the browser follow the sliders of the panel.

    The tables of the discounts are a mount of their own: they stay as they are while sliders move,
    and are not sent again.
    """
    _live(key=keys.LIVE_TABLES, data=_tables(study.digest, form, study))
    st.session_state[keys.LIVE] = _sliders(study)
    _live(key=keys.LIVE_SLIDERS, data={"sliders": st.session_state[keys.LIVE]})


def _sliders(study: Study) -> dict[str, str]:
    """Keys of the sliders, by the name of their number."""
    moving = [*keys.BASES, *(keys.gain(label(grade)) for grade in study.labels)]
    return {name: keys.slider(name) for name in moving}


def follow(
    figure: Any,
    key: str,
    opened: Opened,
    counts: Callable[..., Any],
    depth: int | None = None,
    **choices: Any,
) -> Any:
    """A figure that says which numbers it was drawn for, and whose lines follow the sliders.

    Parameters
    ----------
    counts : question of analysis/live.py; what it answers holds whatever b, bq and the gains are
    """
    still = replace(opened.definition, b=DEFAULT.b, bq=DEFAULT.bq, weights=DEFAULT.weights)
    known = ask(counts, replace(opened, definition=still), **choices)
    if known is not None:
        sliders = st.session_state[keys.LIVE]
        stand = {name: st.session_state[key] for name, key in sliders.items()}
        numbers = ask(live_numbers, opened, depth=depth)
        figure.update_layout(meta={"live": {**numbers, "sliders": stand}})
        _live(key=keys.live(key), data={"figure": key, **known})
    return figure
