"""Scripts of our own in the page: a module has a script, and what it draws, in files of one name.

Two stand on every page: files that are dropped anywhere are brought to the page that reads them,
and a figure is one stop of the tab key, whose points arrow keys show and read out. Another draws
what happens while a slider moves: lines follow it, the rest is faint. Which numbers the sliders of
the panel move, and what they pass, is here, too.
"""

import math
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from sdcg_explorer.figures import live_script, style
from sdcg_explorer.questions.view import Live
from sdcg_explorer.scoring import live as curves
from sdcg_explorer.scoring.base_grid import GRID
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import PREFERRED, SCALE, slider_text, with_own
from sdcg_explorer.screen import keys

HERE = Path(__file__).parent


def module(name: str, **parts: str) -> Any:
    """A module of the files of its name: a script, and a page and a look where it has these.

    parts : what is in no file of its own
    """
    places = {kind: HERE / f"{name}.{kind}" for kind in ("js", "html", "css") if kind not in parts}
    found = {k: place.read_text(encoding="utf-8") for k, place in places.items() if place.exists()}
    given: Any = {**found, **parts}
    return component(name, **given)


BRING = "Bring your own log, or try ours: drop CSV, Excel, TREC or JSON anywhere, or choose here"
LET_GO = "Drop to read these files; nothing is saved until you accept."
_read, _dropping, _keys = map(module, ("figure_keys", "dropping", "slider_keys"))


def in_force(key: str) -> float:
    """The number of an exact entry, or infinity where it is off."""
    state = st.session_state
    return math.inf if state.get(keys.off(key)) else state[key]


def both_slider_keys(key: str) -> tuple[str, str]:
    """Where a number may have a slider: in the panel, and beneath a figure."""
    return keys.slider(key), keys.at_hand(key)


def slider_numbers() -> dict[str, float]:
    """The number that each slider of b and bq was made for, by its place."""
    drawn = st.session_state[keys.SLIDERS]
    places = [place for key in keys.BASES for place in both_slider_keys(key) if place in drawn]
    return {place: drawn[place][-1] for place in places}


def mount_helpers() -> None:
    """Have the page read files that are dropped, say a figure's points, and step a slider by keys.

    Arrow keys on a slider of b or bq go from one preferred number to the next.
    """
    stops = dict[str, list[int]]()
    for place, own in slider_numbers().items():
        bases = enumerate(with_own(SCALE, own))
        stops[f".st-key-{keys.stand(place)} input"] = [i for i, b in bases if b in PREFERRED]
    _keys(key="slider_keys", data=stops)
    _dropping(key="dropping", data={"words": LET_GO, "way": ".st-key-study_choice a[href]"})
    _read(key="figure_keys", data={"name": "Figure", "words": "figure, arrow keys read its points"})


_live = module("live", js=live_script.SCRIPT + (HERE / "live_lines.js").read_text(encoding="utf-8"))


def follow(figure: Any, key: str, live: Live) -> None:
    """Say in a figure which numbers it is drawn for, and have its lines follow the sliders.

    What the lines are counted of holds whatever b, bq and the gains are.
    """
    known = live.view.without_sliders.ask(live.counts, **live.choices)
    if known is None:
        return
    drawn = drawn_for(key, known, live.view.ask(curves.live_numbers, depth=live.depth))
    figure.layout.meta = {**(figure.layout.meta or {}), "live": drawn}


def mark_by_script(figure: Any) -> None:
    """Have the last trace of a map, a mark of what is in force, put by the browser.

    Else the whole map, which holds whatever that is, would be drawn anew to move it.
    """
    mark = figure.data[-1]
    st.session_state[keys.MARKED] = {"x": mark.x[0], "y": mark.y[0], "said": mark.hovertemplate}
    outside = [figure.layout.xaxis.range[1] + 1]
    mark.update(x=outside, y=outside, hovertemplate=None, meta={"inForce": True})


def drawn_for(key: str, counts: Any, numbers: dict[str, list[Any]]) -> dict[str, Any]:
    """Send the counts of what is drawn along, and give the numbers that it is drawn for."""
    st.session_state[keys.LIVE][key] = counts, [len(numbers[name]) for name in ("rank", "query")]
    return {**numbers, "sliders": _slider_values()}


def _slider_values() -> dict[str, str]:
    """Where each slider stands, as it says it."""
    return {slider.key: slider_text(in_force(slider.key)) for slider in _panel_sliders()}


def _panel_sliders() -> list[curves.Slider]:
    """Those of the panel, whose study may be another than one made by hand."""
    return curves.study_sliders(st.session_state[keys.OPENED].study)


def mount_live(form: str) -> None:
    """Send the browser what it follows the sliders with: last, after all that is seen.

    Of a page without such figures it is told only which numbers the page was drawn for.
    """
    figures = st.session_state.pop(keys.LIVE, {})
    # curves are drawn at the point of a map of b and bq that is under the pointer
    marked = st.session_state.pop(keys.MARKED, None)
    maps = {keys.AT_POINT: {"map": keys.PLANE_MAP, **marked}} if marked else {}
    moved = [slider.key for slider in _panel_sliders()]
    data: dict[str, Any] = {"drawn": _slider_values(), "maps": maps, "tables": {}, "points": {}}
    data["sliders"] = {key: list(map(keys.stand, both_slider_keys(key))) for key in moved}
    data["figures"] = {key: known for key, (known, _) in figures.items()}
    data |= {"round": style.ROUND, "room": style.ROOM}
    if figures:
        ranks, queries = map(max, zip(*(places for _, places in figures.values()), strict=True))
        shape = form, ranks, queries
        # numbers of sliders of b and bq that are not on their scale: of a link, or entered
        tables = *shape, tuple(sorted({*slider_numbers().values()} - {*SCALE}))
        data["tables"] = RESULTS.of(("live tables", *tables), lambda: curves.live_tables(*tables))
        if maps:
            points = ("points", *shape), lambda: curves.discount_tables(*shape, GRID)
            data["points"] = RESULTS.of(*points)
    _live(key="live_module", data=data)
