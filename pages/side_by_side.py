"""Would another definition say otherwise?"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.curves.live import live_sessions
from sdcg_explorer.analysis.curves.side_by_side import SideBySide, Under, side_by_side
from sdcg_explorer.analysis.definition.definition import BESIDE, PRESETS
from sdcg_explorer.figures.side_by_side import TOLD_APART, draw_side_by_side, in_focus
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.session_curves import PICTURE
from sdcg_explorer.questions.side_by_side import MEANS, of_presets
from sdcg_explorer.questions.view import Live
from sdcg_explorer.questions.words.side_by_side import differs
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.link import LINKED
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.measuring_beside import show_measures
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.question_cards import signs_of
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.toolbar import choose_end, choose_focus, options, toolbar

NAMED_ABOVE = 70  # pixels of the names of more
ROWS = 2  # of figures that a screen holds
ROOMS = f"[class*=st-key-{keys.under('')[:-1]}-][class*=_room]"  # what each figure stands in


def show_one(opened: Opened, under: Under, *, focus: str, length: int | None) -> None:
    """A definition's name, what it does otherwise, and its small figure."""
    force = " (in force)" if under.in_force else ""
    st.markdown(
        f"**{show.markdown_safe(under.name)}**{force} :small[{show.markdown_safe(differs(under))}]"
    )
    if not under.ranked:
        st.markdown("Nothing gains, so no share of an ideal is defined.")
        return
    if before := in_focus(under, focus):
        st.markdown(f":small[In colour: {show.markdown_safe(before)}]")
    figure = draw_side_by_side(under, opened.systems, focus=focus, length=length, legend=False)
    if under.in_force:
        live = Live(opened, live_sessions, {"measure": "normalised"})
        follow(figure, keys.under(under.name), live)
    said, key = f"Side by side. {under.name}", keys.under(under.name)
    show.figure(figure, said, key, stretches=ROWS, around=0)  # see `ROOMS`


def show_each(opened: Opened, each: Sequence[Under], *, focus: str, length: int | None) -> None:
    """All of them, in rows of two."""
    for first in range(0, len(each), 2):
        for column, under in zip(st.columns(2), each[first : first + 2], strict=False):
            with column:
                show_one(opened, under, focus=focus, length=length)


def view(opened: Opened) -> None:
    """Answer, a small figure per definition, means, other measures, and what stands beneath."""
    above = st.container()
    with toolbar():
        look: Any = {"selection_mode": "multi", "default": list(BESIDE), **LINKED}
        about = meaning("definition")
        chosen = st.pills("Presets", list(PRESETS), key=keys.BESIDE, help=about, **look)
        more = options()
    seen: SideBySide = opened.ask(side_by_side, presets=tuple(chosen))
    with more:
        curves = seen.each[0].curves
        every = choose_end(is_cut=curves.is_cut)
        focus = choose_focus(opened)
    length = curves.most_queries if every else None
    shown = of_presets(opened, tuple(chosen), every=every, length=length, focus=focus)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    if many := len(opened.systems) > TOLD_APART:
        st.markdown(f":small[**Systems:** {show.markdown_safe(signs_of(opened))}]")
    show.stretch(ROOMS, show.LEAST // ROWS, ROWS, show.AROUND + NAMED_ABOVE * many)
    with st.container(key=keys.EACH_FIGURE):
        show_each(opened, seen.each, focus=focus, length=length)
    show_at_hand()
    show.beneath(opened, shown.behind, shown.advice, picture=PICTURE)
    st.subheader(MEANS)
    show.table(seen.table(), "Means under each definition")
    show_measures(opened)
    take_away(opened, "side_by_side", lambda: shown.exhibits)


show.page("side_by_side", view)
