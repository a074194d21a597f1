"""Would another definition say otherwise?"""

from itertools import chain
from typing import Any

import streamlit as st

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions import clicks, glossary, session_curves
from sdcg_explorer.questions.side_by_side import numbers, presets_answer, words
from sdcg_explorer.questions.side_by_side.figure import TOLD_APART, draw_side_by_side, focus_of
from sdcg_explorer.questions.view import Live
from sdcg_explorer.scoring.definition import BESIDE, OF_JUDGMENTS
from sdcg_explorer.scoring.live import live_sessions
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES, MAIN_SCORES
from sdcg_explorer.screen import controls, keys, link, scripts, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened

TITLE = "Would another measure say otherwise?"
NAMED_ABOVE = 70  # pixels of the names of more
ROWS = 2  # of figures that a screen holds
ROOMS = "[class*=st-key-under-][class*=_room]"  # what each figure stands in


def show_measures(opened: Opened) -> None:
    """Show measures beside the first of them, made when the fold is open; the way to sessions."""
    fold = st.expander(TITLE, key="measures_beside", on_change="rerun")
    if not fold.open:
        return
    with fold:
        look: Any = {"default": list(MAIN_SCORES), "key": keys.BESIDE_SCORES, **link.LINKED}
        scores = st.multiselect("Measures", [*ALL_SESSION_SCORES], **look) or MAIN_SCORES[:1]
        look = {"key": keys.BESIDE_PRESETS, **link.LINKED}
        presets = st.multiselect("Also under (presets)", [*OF_JUDGMENTS], **look)
        every = tuple((score, preset) for preset in ("", *presets) for score in scores)
        if len(every) > numbers.MOST_BESIDE:
            show.small("Shown", words.measures_shown_note(len(every), numbers.MOST_BESIDE))
        of = opened.ask(numbers.compare_measures, entries=every[: numbers.MOST_BESIDE])
        said = opened.shorten_names(words.compare_measures_headline(of))
        st.markdown(f"**{show.markdown_safe(said)}**")
        show.table(of.short_table(), TITLE)
        take_away.download("measures_beside.csv", lambda: table_bytes(of.table))
        first, *names = map(numbers.entry_name, of.entries)
        if not names:
            return
        if st.session_state.get(keys.BESIDE_WITH) not in names:
            st.session_state[keys.BESIDE_WITH] = names[0]
        other = st.selectbox("Sessions judged most differently by", names, key=keys.BESIDE_WITH)
        apart = of.apart[names.index(other) + 1].to_dict("records")
        with st.container(key="way_to_sessions", gap="small"):
            for row in apart:
                at, label = {keys.SYSTEM: row["system"]}, words.apart(row, first, other)
                at[keys.SESSION] = row["session"]
                show.way("individual_sessions", show.markdown_safe(label), at)
        if not apart:
            st.markdown(words.NONE_APART)


def show_definition(
    opened: Opened, under: numbers.Under, *, focus: str, length: int | None
) -> None:
    """A definition's name, what it does otherwise, and its small figure."""
    force = " (current)" if under.in_force else ""
    own = show.markdown_safe(words.changes_text(under.definition))
    st.markdown(f"**{show.markdown_safe(under.name)}**{force} :small[{own}]")
    if not under.ranked:
        st.markdown("No document gains, so shares are undefined.")
        return
    if before := focus_of(under, focus):
        st.markdown(f":small[In colour: {show.markdown_safe(before)}]")
    figure = draw_side_by_side(under, opened.systems, focus=focus, length=length)
    key = f"under {under.name}"
    if under.in_force:
        scripts.follow(figure, key, Live(opened, live_sessions, {"measure": under.measure}))
    show.figure(figure, f"Side by side. {under.name}", key, stretches=ROWS, around=0)  # see `ROOMS`


def view(opened: Opened) -> None:
    """Answer, a small figure per definition, means, other measures, and what stands beneath."""
    with controls.toolbar() as above:
        look: Any = {"selection_mode": "multi", "default": list(BESIDE), **link.LINKED}
        about = glossary.meaning("definition")
        chosen = st.pills("Presets", list(OF_JUDGMENTS), key=keys.BESIDE, help=about, **look)
        more = controls.options()
    seen = opened.ask(numbers.side_by_side, presets=tuple(chosen))
    with more:
        curves = seen.definitions[0].curves
        every = controls.choose_end(is_cut=curves.axis_is_cut)
        focus = controls.choose_focus(opened)
    length = curves.most_queries if every else None
    shown = presets_answer(opened, tuple(chosen), every=every, length=length, focus=focus)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    if many := len(opened.systems) > TOLD_APART:
        st.markdown(f":small[**Systems:** {show.markdown_safe(show.system_signs(opened))}]")
    show.stretch(ROOMS, show.LEAST // ROWS, ROWS, show.AROUND + NAMED_ABOVE * many)
    with st.container(key="each_figure"):
        rows = [st.columns(2) for _ in seen.definitions[::2]]
        for column, under in zip(chain(*rows), seen.definitions, strict=False):
            with column:
                show_definition(opened, under, focus=focus, length=length)
    sidebar.show_at_hand()
    show.beneath(opened, shown.behind, shown.advice, picture=session_curves.PICTURE)
    st.subheader(words.title_of_means(seen))
    show.table(seen.table(), "Means under each definition")
    show_measures(opened)
    if (both := opened.ask(clicks.judgments_and_clicks)) is not None:
        show.small(clicks.TITLE, clicks.clicks_sentence(both))
        show.table(both.table, clicks.TITLE)
    take_away.offer(opened, "side_by_side", lambda: shown.exhibits)


show.run_page("side_by_side", view)
