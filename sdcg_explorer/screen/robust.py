"""Parts of Does the answer hold: the pair, a click on the map, curves, all definitions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_sessions
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT
from sdcg_explorer.analysis.robustness.all_definitions import (
    all_definitions,
    is_quick,
    present,
    unvaried,
)
from sdcg_explorer.analysis.robustness.robustness import Robustness, robustness
from sdcg_explorer.analysis.robustness.specification import MOVED, SOURCES, AllDefinitions
from sdcg_explorer.analysis.systems.cached_comparison import SHARES
from sdcg_explorer.analysis.systems.compare_systems import Comparison, compare_systems
from sdcg_explorer.figures.all_definitions import draw_all_definitions
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.comparable import pinned
from sdcg_explorer.screen.comparing import choose_of_every, choose_pair
from sdcg_explorer.screen.definition_panel import take_bases
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.opened import Opened, ask, is_answered
from sdcg_explorer.screen.show import markdown_safe, or_why, show_figure, show_small, show_table

COLUMNS = (
    "from the smallest difference to the largest, each of as many definitions; the stronger a "
    "field, the more of them have the option of its row; • is before the options in force"
)


def pair_of(opened: Opened, score: str) -> tuple[str, str] | None:
    """The two systems that are compared; None where there are no more to choose from."""
    if len(opened.shown_systems) < 3:
        return None
    if opened.study.is_counted:
        return choose_of_every(opened.shown_systems)
    compared = ask(compare_systems, opened, score=score)
    return _systems_of(compared, choose_pair(compared))


def most_different(opened: Opened, score: str) -> tuple[str, str] | None:
    """The two systems that the page opens on; None as above, or of counts for those of the map."""
    if len(opened.shown_systems) < 3 or opened.study.is_counted:
        return None
    compared = ask(compare_systems, opened, score=score)
    return _systems_of(compared, compared.most if compared.pairs else 0)


def _systems_of(compared: Comparison, place: int) -> tuple[str, str] | None:
    own = compared.pairs[place] if compared.pairs else None
    return (own.system_a, own.system_b) if own else None


def clicked() -> None:
    """What a click on the map does: the definition moves to its point."""
    points = st.session_state[keys.PLANE_MAP]["selection"]["points"]
    if points and points[0].get("customdata"):
        take_bases(*points[0]["customdata"])


def show_curves(opened: Opened, seen: Robustness) -> None:
    """Show the mean session curves of the systems of the map at the present point."""
    own = replace(opened, filters=replace(opened.filters, systems=seen.systems))
    measure = "normalised" if seen.unit in SHARES else "raw"
    curves = ask(session_curves, own)
    look = {"measure": measure, "small": True}
    draw = partial(draw_session_curves, curves, opened.systems, **look)
    figure = pinned(draw, keys.AT_POINT, own, measure=measure)
    follow(figure, keys.AT_POINT, own, live_sessions, map_key=keys.PLANE_MAP, measure=measure)
    at = f"b {opened.definition.b:g}, bq {opened.definition.bq:g}"
    show_small("Session curves", f"at {at}, or at the point of the map that is pointed at")
    show_figure(figure, f"Session curves at this point. {at}", keys.AT_POINT)


def over_the_plane(opened: Opened, score: str, pair: tuple[str, str] | None) -> Robustness:
    """The map, which holds whatever b and bq are, but for the order of one system's sessions."""
    usual = replace(opened.definition, b=DEFAULT.b, bq=DEFAULT.bq)
    seen = ask(robustness, opened.under(usual), score=score, pair=pair)
    return ask(robustness, opened, score=score) if seen.has_order else seen


def said_of(opened: Opened, seen: Robustness, elsewhere: str) -> str:
    """The page's first line; `elsewhere` says where the rest is, if it was not counted yet."""
    if seen.pair is None or not seen.is_known or opened.study.is_counted:
        return seen.answer()
    view, asked = _asked_of(opened, seen)
    if not is_answered(all_definitions, view, **asked):
        return f"{seen.answer()} {elsewhere}"
    every: AllDefinitions | None = ask(all_definitions, view, **asked)
    return seen.answer(every and every.lead)


def _asked_of(opened: Opened, seen: Robustness) -> tuple[Opened, dict[str, Any]]:
    """What all definitions are asked of, whatever b, bq and all else that is varied are."""
    asked = {"score": seen.score, "pair": seen.systems}
    return opened.under(unvaried(opened.definition)), asked


def show_all_definitions(opened: Opened, seen: Robustness) -> AllDefinitions | None:
    """Show the difference under every combination of choices, once the fold is open.

    Where sessions are few it is counted in any case, as the first line says what comes of it.
    """
    if len(seen.systems) < 2:
        return None
    fold = st.expander("All reasonable definitions", key=keys.ALL_DEFINITIONS, on_change="rerun")
    if not fold.open and not ask(is_quick, opened):
        return None
    with fold, or_why(opened):
        view, asked = _asked_of(opened, seen)
        with st.spinner("Comparing the systems under thousands of definitions …"):
            known = ask(all_definitions, view, **asked)
        if not fold.open:
            return None
        if known is None:
            st.markdown("No difference is known under any of them.")
            return None
        every: AllDefinitions = known.under(ask(present, opened, **asked), opened.definition)
        st.markdown(f"**{markdown_safe(every.answer())}**")
        for line in every.said():
            st.markdown(markdown_safe(line))
        figure = draw_all_definitions(every)
        show_figure(figure, f"All definitions. {every.answer()}", keys.SPECIFICATION)
        show_small("Columns", f"{COLUMNS} ({SOURCES})")
        show_table(every.moved_table(), MOVED)
        return every
    return None
