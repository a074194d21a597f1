"""Would another definition say otherwise?"""

from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_sessions
from sdcg_explorer.analysis.curves.side_by_side import Under, side_by_side
from sdcg_explorer.analysis.definition.definition import PRESETS
from sdcg_explorer.figures.side_by_side import draw_side_by_side, in_focus
from sdcg_explorer.questions.exhibits import of_side_by_side
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.many import choose_end, choose_focus
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.show import (
    markdown_safe,
    or_why,
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_table,
)
from sdcg_explorer.screen.take_away import take_away


def show_one(opened: Opened, under: Under, *, focus: str, length: int | None) -> None:
    """A definition's name, what it does otherwise, and its small figure."""
    force = " (in force)" if under.in_force else ""
    st.markdown(f"**{markdown_safe(under.name)}**{force} :small[{markdown_safe(under.differs())}]")
    if not under.ranked:
        st.markdown("Nothing gains, so no share of an ideal is defined.")
        return
    if before := in_focus(under, focus):
        st.markdown(f":small[In colour: {markdown_safe(before)}]")
    figure = draw_side_by_side(under, opened.systems, focus=focus, length=length)
    if under.in_force:
        follow(figure, keys.under(under.name), opened, live_sessions, measure="normalised")
    show_figure(figure, f"Side by side. {under.name}", keys.under(under.name))


def view(opened: Opened) -> None:
    """Answer, a small figure per definition, means, correlations, and what stands beneath."""
    answer = st.container()
    chosen = st.pills(
        "Presets beside the definition in force",
        list(PRESETS),
        selection_mode="multi",
        default=list(PRESETS),
        key=keys.BESIDE,
        bind="query-params",
        help=meaning("definition"),
    )
    shown = ask(side_by_side, opened, presets=tuple(chosen))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        curves = shown.each[0].curves
        every = choose_end(is_cut=curves.is_cut)
        look: dict[str, Any] = {
            "focus": choose_focus(opened),
            "length": curves.most_queries if every else None,
        }
    with answer:
        show_answer(opened, shown.answer())
    if not any(under.ranked for under in shown.each):
        return
    for first in range(0, len(shown.each), 2):
        pair = shown.each[first : first + 2]
        for column, under in zip(st.columns(2), pair, strict=False):
            with column:
                show_one(opened, under, **look)
    show_beneath(opened, shown.behind(every=every), shown.advice())
    st.subheader("Mean share of the ideal at the end of the session")
    show_table(shown.table(), "Means under each definition")
    st.subheader("Rank correlation of the sessions between definitions")
    with or_why(opened):
        show_table(shown.correlations(), "Rank correlations of sessions (Spearman)")
    take_away(opened, "side_by_side", partial(of_side_by_side, shown, opened.systems, **look))


show_page("side_by_side", view)
