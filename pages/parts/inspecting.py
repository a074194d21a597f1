"""Choosing a session, by the chart, the list, a name or a key, and looking into it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.individual_sessions import IndividualSessions
from analysis.inspector import inspector
from figures.inspector import draw_inspector
from pages.parts import keys
from pages.parts.opened import Opened, ask
from pages.parts.show import markdown_safe, show_figure, show_table
from pages.parts.tagging import choose_tags

ALL, EVERY = "all topics", "all systems"  # choices of Individual sessions
MOST_OPTIONS = 400
GROUND = {  # let the theme's own ground through
    "▲": "background-color: rgba(0, 158, 115, 0.25)",
    "▼": "background-color: rgba(213, 94, 0, 0.25)",
}
CURVE = st.column_config.LineChartColumn("V, query by query", y_min=0)


def choose_sessions(sessions: IndividualSessions) -> list[str]:
    """The session on top, and the one beside it; also by the keys p and n."""
    names = list(sessions.names)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one = _choose("Session on top", names, "none: click one, or type its name", keys.SESSION)
        step = {"disabled": len(names) < 2, "on_click": _step}
        st.button("Previous", shortcut="p", args=(names, -1), **step)
        st.button("Next", shortcut="n", args=(names, 1), **step)
        two = _choose("Beside it", names, "none", keys.BESIDE_SESSION)
    return list(dict.fromkeys(name for name in (one, two) if name))


def _choose(words: str, names: list[str], otherwise: str, key: str) -> str | None:
    """One of the sessions, or none; of very many the name is typed in full.

    A browser takes as long over thousands of options as over all the rest of the page.
    """
    wanted = st.session_state.get(key)
    is_known = wanted in (None, "", *names)
    st.session_state[key] = wanted if is_known else None
    look: Any = {"placeholder": otherwise, "key": key, "bind": "query-params"}
    if len(names) <= MOST_OPTIONS:
        chosen = st.selectbox(words, names, None, **look)
    else:
        chosen = st.text_input(words, None, **look)
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
    short = st.column_config.NumberColumn(format="%.3g")
    columns = {"final": short, "last": short, "final_normalised": short, "curve": CURVE}
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
    return st.selectbox("Results of query", numbers, key=key, bind="query-params")


def coloured(queries: Any) -> Any:
    """The words of a change on a ground that says the same."""
    looks = queries.style.format("{:.3g}", na_rep="–", subset=["dcg", "sdcg", "change_dcg"])
    return looks.map(
        lambda words: next((look for sign, look in GROUND.items() if sign in str(words)), ""),
        subset=["in words"],
    )


def show_inspector(opened: Opened, name: str, place: str) -> None:
    """One session: its curve beside the ideal, its queries, and each query's list and tags."""
    session = ask(inspector, opened, session=name)
    st.subheader(markdown_safe(session.title()))
    if session.vector.size:
        show_figure(
            draw_inspector(session, opened.systems), f"Session {name}", keys.inspected(name)
        )
    show_table(coloured(session.listed(opened.tags)), f"Queries of session {name}")
    number = _choose_query(session.queries["query_number"].tolist(), keys.query(place))
    show_table(session.of_query(number), f"Results of query {number} of session {name}")
    st.markdown(f":small[Contributions of all results add up to {session.final:.4g}.]")
    choose_tags(opened, name, number)
