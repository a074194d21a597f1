"""Choosing a session, by the chart, the list, a name or a key, and looking into it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.individual_sessions import IndividualSessions
from sdcg_explorer.analysis.sessions.inspector import Missed, inspector, missed
from sdcg_explorer.figures.inspector import draw_inspector
from sdcg_explorer.questions.words.individual_sessions import (
    LENGTH,
    WHOLE,
    adding_up,
    goes_on,
    listed,
    title,
)
from sdcg_explorer.questions.words.shortfall import went_wrong
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.annotating import choose_judgment, choose_tags
from sdcg_explorer.screen.linked import LINKED, number, pick
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.shapes import picks
from sdcg_explorer.screen.show import markdown_safe, show_figure, show_small, show_table
from sdcg_explorer.screen.weighing import choose_weighing, show_weighing
from sdcg_explorer.screen.widget_values import sends

ALL, EVERY = "all topics", "all systems"  # choices of Individual sessions
MOST_OPTIONS = 400
MOST_DOCUMENTS = 20  # that a session never showed, and are listed
HOW = (
    "Click a row of the wall, and its session opens here. By keyboard: up and down go from session "
    "to session, left and right to its queries, Enter opens."
)
PANE = 640  # pixels: what is beside the wall scrolls, so that nothing beneath moves
AXIS_ENDS = 99  # queries on Figure 4's axis at most, unless some are longer
GROUND = {  # let the theme's own ground through
    "▲": "background-color: rgba(0, 158, 115, 0.25)",
    "▼": "background-color: rgba(213, 94, 0, 0.25)",
}
COLUMNS = {  # of the list: in words, its name in sessions.csv, and what it is
    "final": ("worth", "final", "Worth of the session: V at its end"),
    "last": ("worth of the last query", "last", "sdcg of the last query"),
    "final_normalised": (
        "share of the ideal",
        "final_normalised",
        "Worth of the session as a share of its ideal's: nsDCG",
    ),
    "queries": ("queries", "queries", "Number of queries"),
}
CURVE = st.column_config.LineChartColumn("worth, query by query", y_min=0)


def choose_sessions(opened: Opened, sessions: IndividualSessions, otherwise: str) -> list[str]:
    """The session on top, which is looked into here, and another; also by the keys p and n.

    `otherwise` is said where none is chosen.
    """
    names = list(sessions.names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one = _choose("Session on top", names, "none: click one, or type its name", keys.SESSION)
        step = {"disabled": len(names) < 2, "on_click": _step}
        st.button("Previous", shortcut="p", args=(names, -1), **step)
        st.button("Next", shortcut="n", args=(names, 1), **step)
    place = st.container()
    two = _choose("Beside it", names, "none", keys.BESIDE_SESSION)
    chosen = list(dict.fromkeys(name for name in (one, two) if name))
    with place:
        _show_beside(opened, chosen, otherwise)
    return chosen


def _choose(words: str, names: list[str], otherwise: str, key: str) -> str | None:
    """One of the sessions, or none; of very many the name is typed in full.

    A browser takes as long over thousands of options as over all the rest of the page.
    """
    wanted = st.session_state.get(key)
    is_known = wanted in (None, "", *names)
    st.session_state[key] = wanted if is_known else None
    if len(names) <= MOST_OPTIONS:
        chosen = pick(words, names, key, None, placeholder=otherwise)
    else:
        chosen = st.text_input(words, None, key=key, placeholder=otherwise, **LINKED)
    if not is_known:
        st.markdown(f":small[No session {markdown_safe(str(wanted))} is among those shown.]")
    return chosen or None


def _step(names: list[str], by: int) -> None:
    """The next session of the list, or the one before; from none, the first or the last."""
    now = st.session_state.get(keys.SESSION)
    place = names.index(now) + by if now in names else min(by, 0)
    st.session_state[keys.SESSION] = names[place % len(names)]


def clicked() -> None:
    """What a click on Figure 4 does: the mark's session goes on top."""
    points = st.session_state[keys.FIGURE_4]["selection"]["points"]
    if points:
        st.session_state[keys.SESSION] = points[0]["customdata"]


def choose_from_list(sessions: IndividualSessions) -> None:
    """The sorted list; a row chosen goes on top."""

    def take() -> None:
        rows = st.session_state[keys.LIST_OF_SESSIONS]["selection"]["rows"]
        if rows:
            st.session_state[keys.SESSION] = sessions.names[rows[0]]

    table = sessions.listed()
    short = "%.3g"
    whole = {name for name in COLUMNS if name in table and table[name].abs().max() >= WHOLE}
    columns: dict[str, Any] = {
        key: st.column_config.NumberColumn(
            words if words == name else f"{words} ({name})",
            help=f"{said}. In sessions.csv: {name}",
            format="localized" if key in whole else short,
        )
        for key, (words, name, said) in COLUMNS.items()
    }
    columns |= {"curve": CURVE}
    rated = [name for name in table.columns if name in sessions.ratings.columns]
    columns |= {name: st.column_config.NumberColumn(format=short) for name in rated}
    with sends(picks(len(table))):
        st.dataframe(
            table,
            hide_index=True,
            height=260,
            column_config=columns,
            placeholder="–",
            key=keys.LIST_OF_SESSIONS,
            on_select=take,
            selection_mode="single-row",
            alt="Sessions with their scores",
        )


def _choose_query(numbers: list[int], key: str) -> int:
    """The query whose results are listed: as long as the session has it, the same of the next."""
    if st.session_state.get(key) not in numbers:
        st.session_state[key] = numbers[0]
    return pick("Results of query", numbers, key)


def coloured(queries: Any) -> Any:
    """The words of a change on a ground that says the same."""
    looks = queries.style.format("{:.3g}", na_rep="–", subset=["dcg", "sdcg", "change_dcg"])
    return looks.map(
        lambda words: next((look for sign, look in GROUND.items() if sign in str(words)), ""),
        subset=["in words"],
    )


def show_inspector(opened: Opened, name: str, place: str) -> None:
    """One session: its curve beside the ideal, its queries, and each query's list and tags."""
    session = opened.ask(inspector, session=name)
    st.subheader(markdown_safe(title(session)), anchor=keys.heading(place))
    if along := ", ".join(f"{name} {value}" for name, value in session.along.items()):
        show_small("Of this session", along)
    if session.vector.size:
        show_figure(
            draw_inspector(session, opened.systems), f"Session {name}", keys.inspected(name)
        )
    if place == "on_top":
        choose_weighing(opened)
    show_weighing(opened, name)
    lacks: Missed = opened.ask(missed, session=name)
    st.markdown("**Where did it go wrong?**")
    st.markdown("\n".join(f"- {markdown_safe(said)}" for said in went_wrong(lacks)))
    show_table(coloured(listed(session, opened.tags)), f"Queries of session {name}")
    number = _choose_query(session.queries["query_number"].tolist(), keys.query(place))
    show_table(session.of_query(number), f"Results of query {number} of session {name}")
    st.markdown(f":small[{adding_up(session)}]")
    choose_judgment(opened, name, number)
    show_missed(lacks, name)
    choose_tags(opened, name, number)


def show_missed(lacks: Missed, name: str) -> None:
    """What each query of a session brought and missed, and what the session never showed."""
    show_table(lacks.queries.drop(columns="text"), f"What queries of session {name} brought")
    if len(lacks.never_shown):
        first = lacks.never_shown.iloc[:MOST_DOCUMENTS]
        number = f"{len(first):,} of {len(lacks.never_shown):,}, best first; the CSV has all"
        show_small("Relevant documents that were never shown", number)
        show_table(first, f"Relevant documents that session {name} never showed")


def _show_beside(opened: Opened, chosen: list[str], otherwise: str) -> None:
    """Show the one session that is looked into beside the wall; two need the page's width."""
    if len(chosen) == 1:
        own = f".st-key-{keys.PANE}"
        st.html(
            f"<style>@media (max-width: 640px) {{ {own} {{ height: auto !important }} }}</style>"
        )
        with st.container(key=keys.PANE, height=PANE, border=True):
            show_inspector(opened, chosen[0], "on_top")
        return
    if not chosen:
        st.markdown(markdown_safe(otherwise))
    st.markdown(f":small[{'Both stand beneath the wall.' if chosen else HOW}]")


def show_both(opened: Opened, chosen: list[str]) -> None:
    """Show two sessions side by side, beneath the wall."""
    if len(chosen) > 1:
        for column, name, place in zip(st.columns(2), chosen, ("on_top", "beside"), strict=True):
            with column:
                show_inspector(opened, name, place)


def choose_length(sessions: IndividualSessions) -> int:
    """How many queries Figure 4 shows; what goes on beyond is said, and one click shows it."""
    longest = sessions.longest
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = max(AXIS_ENDS, longest)
        length = number("Queries on the axis", 1, most, LENGTH, keys.AXIS, width=150)
        if beyond := goes_on(sessions, length):
            st.markdown(f":small[{markdown_safe(beyond)}]", width="content")
            st.button(f"Show all {longest} queries", on_click=_show_all, args=(longest,))
    return length


def _show_all(queries: int) -> None:
    st.session_state[keys.AXIS] = queries
