"""How does gain grow over a session, and in which system faster?"""

from functools import partial

import streamlit as st

from analysis.curves_by_system import SAW_TOOTH
from analysis.glossary import meaning
from analysis.live import live_sessions
from analysis.session_curves import session_curves
from analysis.stopping import stopping
from export.exhibits import Exhibit, of_stopping
from figures.session_curves import draw_session_curves
from pages.parts import keys
from pages.parts.comparable import pinned, show_keeping
from pages.parts.live import follow
from pages.parts.opened import Opened, ask
from pages.parts.show import show_answer, show_beneath, show_figure, show_page, show_small
from pages.parts.take_away import take_away


def view(opened: Opened) -> None:
    """Answer, Figure 2 or 3, and what stands beneath."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
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
            "And at least n queries",
            1,
            99,
            1,
            key=keys.AT_LEAST,
            bind="query-params",
            width=160,
        )
        length = st.number_input(
            "Queries on the axis",
            1,
            None,
            None,
            placeholder="all",
            key=keys.LENGTH,
            bind="query-params",
            width=150,
        )
        about = meaning("interval")
        bands = st.toggle("95 % intervals", key=keys.BANDS, bind="query-params", help=about)
    narrowed, at_least = opened.on_topic(topic), (1,) if least == 1 else (1, least)
    chosen = {"at_least": at_least, "saw": measure == SAW_TOOTH}
    curves = ask(session_curves, narrowed, bands=bands, **chosen)
    with answer:
        show_answer(opened, curves.answer(measure))
    if curves.sessions:
        kept = opened.kept
        beside = ask(session_curves, narrowed.under(kept), **chosen) if kept else None
        look = {"measure": measure, "length": length}
        draw = partial(draw_session_curves, curves, opened.systems, beside=beside, **look)
        figure = pinned(draw, keys.FIGURE_2, narrowed, bands=bands, **chosen, **look)
        counts = {"measure": measure, "at_least": at_least}
        follow(figure, keys.FIGURE_2, narrowed, live_sessions, **counts)
        show_figure(
            figure, f"Session curves. {curves.answer(measure)}", keys.FIGURE_2, stretches=True
        )
        show_keeping(keys.FIGURE_2, opened)
        stopped = ask(stopping, narrowed.still)
        show_small("When searchers stop", stopped.said())
        show_beneath(opened, curves.behind(measure), curves.advice(measure))
        take_away(
            opened,
            "session_curves",
            lambda: {
                "session_curves": Exhibit("Mean session curves", curves.table(), figure),
                **of_stopping(stopped),
            },
        )


show_page("session_curves", view)
