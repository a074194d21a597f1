"""How does gain grow over a session, and in which system faster?"""

from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.curves_by_system import SAW_TOOTH
from sdcg_explorer.analysis.curves.live import live_sessions
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.stopping import stopping
from sdcg_explorer.figures.session_curves import draw_session_curves
from sdcg_explorer.questions.exhibits import Exhibit, Exhibits, of_stopping
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.comparable import pinned, show_keeping
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.many import choose_end, choose_focus
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.show import (
    or_why,
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_small,
)
from sdcg_explorer.screen.take_away import take_away

INTERVAL = meaning("interval")


def choose(opened: Opened) -> tuple[str, str | None, int]:
    """The measure, the topic, and from how many queries on sessions are drawn once more."""
    measure = st.segmented_control(
        "Show",
        ("normalised", "raw", SAW_TOOTH),
        default="normalised",
        required=True,
        key=keys.MEASURE,
        bind="query-params",
        help=meaning("nsDCG", "sDCG"),
    )
    topic = st.selectbox(
        "Topic",
        opened.topics,
        None,
        placeholder="all topics",
        key=keys.TOPIC,
        bind="query-params",
        width=160,
        help=meaning("topic"),
    )
    least = st.number_input(
        "And at least n queries", 1, 99, 1, key=keys.AT_LEAST, bind="query-params", width=160
    )
    return measure, topic, least


def choose_length() -> int | None:
    """Queries on the axis; none for the usual length."""
    return st.number_input(
        "Queries on the axis",
        1,
        None,
        None,
        placeholder="usual",
        key=keys.LENGTH,
        bind="query-params",
        width=150,
    )


def show_curves(opened: Opened, figure: Any, answer: str) -> None:
    """Show the figure, and what keeps its axis and its curves."""
    show_figure(figure, f"Session curves. {answer}", keys.FIGURE_2, stretches=True)
    show_keeping(keys.FIGURE_2, opened)


def show_stopping(opened: Opened) -> Exhibits:
    """Say when searchers stop; its exhibits."""
    made: Exhibits = {}
    with or_why(opened):
        stopped = ask(stopping, opened.still)
        made = of_stopping(stopped)
        show_small("When searchers stop", stopped.said())
    return made


def view(opened: Opened) -> None:
    """Answer, Figure 2 or 3, and what stands beneath."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure, topic, least = choose(opened)
        length = choose_length()
    narrowed, at_least = opened.on_topic(topic), (1,) if least == 1 else (1, least)
    counts = {"measure": measure, "at_least": at_least}
    chosen = {"at_least": at_least, "saw": measure == SAW_TOOTH}
    second = st.container(horizontal=True, vertical_alignment="bottom")
    bands = second.toggle("95 % intervals", key=keys.BANDS, bind="query-params", help=INTERVAL)
    curves = ask(session_curves, narrowed, bands=bands, **chosen)
    with second:
        every = choose_end(is_cut=curves.is_cut and length is None)
        focus = choose_focus(opened)
    with answer:
        show_answer(opened, curves.answer(measure))
    if not curves.sessions:
        return
    beside = ask(session_curves, narrowed.under(opened.kept), **chosen) if opened.kept else None
    length = length or (curves.most_queries if every else None)
    look = {"measure": measure, "length": length}
    whole = {"focus": focus, "beside": beside, **look}
    draw = partial(draw_session_curves, curves, opened.systems, **whole)
    figure = pinned(draw, keys.FIGURE_2, narrowed, bands=bands, **chosen, **look)
    follow(figure, keys.FIGURE_2, narrowed, live_sessions, **counts)
    show_curves(opened, figure, curves.answer(measure))
    made = {"session_curves": Exhibit("Mean session curves", curves.table(), figure)}
    made |= show_stopping(narrowed)
    show_beneath(opened, curves.behind(measure, length), curves.advice(measure))
    take_away(opened, "session_curves", lambda: made)


show_page("session_curves", view)
