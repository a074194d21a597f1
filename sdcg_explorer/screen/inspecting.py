"""Choosing a session, by the chart, the list, a name or a key, and looking into it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.figures.style import COLOURS
from sdcg_explorer.questions import individual_sessions as question
from sdcg_explorer.questions.columns import column_words
from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions import figure, numbers, words
from sdcg_explorer.questions.individual_sessions.numbers import ONLY, ORDERS, IndividualSessions
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.screen import controls, keys, library, link, show, take_away, widget_values
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study import annotations, wording
from sdcg_explorer.study.grades import label

ALL, EVERY = "all topics", "all systems"  # choices of Individual sessions
MOST_OPTIONS = 400
MOST_DOCUMENTS = 20  # that a session misses, and are listed
MOST_CHOSEN = len(COLOURS)  # sessions that are drawn on top, so that no two look alike
HOW = (
    "Tick a row of the table to open its session here, or several to draw them together above "
    f"(up to {MOST_CHOSEN}). Keyboard: arrow keys move, Shift+Space ticks."
)
WHERE = (
    "Keeps sessions that have one of the chosen values. If you choose values from several columns, "
    "a session must match in every column. In brackets: how many sessions have the value."
)
OLD_ORDERS = {"final": "worth", "queries": "length", "session": "log"}  # of links of before
ROW, MOST_GROUPS = 35, 143  # pixels of a row, and of the groups beneath the wall at most
PANE = 640  # pixels: what is beside the wall scrolls, so that nothing beneath moves
AXIS_ENDS = 99  # queries on Figure 4's axis at most, unless some are longer
# grounds of a change, which let the theme's own through
GAINED = "background-color: rgba(0, 158, 115, 0.25)"
LOST = "background-color: rgba(213, 94, 0, 0.25)"
SAME = 1e-12  # changes of DCG within rounding
COLUMNS = ("final", "last", "final_normalised", "queries")  # whose words are ours
PINNED = st.column_config.Column(pinned=True)
CURVE = st.column_config.LineChartColumn("sDCG, query by query", y_min=0)


def choose(opened: Opened) -> tuple[Opened, dict[str, Any], DeltaGenerator]:
    """Draw system, topic, order, groups, and what cells show.

    The order is that of the wall, of Figure 4's sessions and of the keys p and n.

    Returns
    -------
    what they leave, the list's choices, and the place of `show_value_filter`
    """
    if (old := st.session_state.get(keys.ORDER, st.query_params.get(keys.ORDER))) in OLD_ORDERS:
        st.session_state[keys.ORDER] = OLD_ORDERS[old]
    systems = [*opened.shown_systems, *([EVERY] if len(opened.shown_systems) > 1 else [])]
    topics, shades = [*opened.topics, ALL], numbers.cell_shades(opened.study)
    tags, every = opened.tags, numbers.sort_orders(opened.study)
    facets = numbers.facets_of(opened.study, tags).items()
    known = {numbers.facet(name, of) for name, own in facets for of in own}
    asked = st.session_state.get(keys.WHERE, st.query_params.get_all(keys.WHERE))
    where = st.session_state[keys.WHERE] = [one for one in asked if one in known]
    first_system, first_topic = question.first_system_and_topic(opened)
    rated = dict.fromkeys(every[len(ORDERS) :], "highest first")
    about = f"{_markdown_list(ONLY)}\n\n{words.GAIN}"
    look: Any = {"default": next(iter(ONLY)), "required": True, "help": about}
    with controls.toolbar():
        system = link.pick("System", systems, keys.SYSTEM, systems.index(first_system or EVERY))
        topic = link.pick("Topic", topics, keys.ONE_TOPIC, topics.index(first_topic or ALL))
        order = link.pick("Order", every, keys.ORDER, help=_markdown_list(ORDERS | rated))
        group = link.pick("Group by", numbers.groups_of(opened.study, tags), keys.GROUP)
        with controls.options():
            shade = link.pick("Cells show", shades, keys.SHADE, help=_markdown_list(shades))
            only = st.pills("Sessions", list(ONLY), wrap=True, key=keys.ONLY, **look, **link.LINKED)
            place = st.container()
    own = {"system": None if system == EVERY else system, "order": order, "group": group}
    own |= {"shade": shade, "only": only, "where": tuple(where), "tags": tags}
    return opened.with_topic(None if topic == ALL else topic), own, place


def show_value_filter(place: DeltaGenerator, sessions: IndividualSessions) -> None:
    """Draw the values by which sessions are narrowed, those that some have, with their numbers."""
    some = [one for one, count in sessions.counts.items() if count or one in sessions.where]
    chosen = place.multiselect(
        "Only with",
        some,
        format_func=lambda one: f"{one} ({sessions.counts[one]:,})",
        key=keys.WHERE,
        placeholder="all",
        help=WHERE,
    )
    link.put_in_link(keys.WHERE, chosen)


def _markdown_list(meanings: dict[str, str]) -> str:
    return "\n".join(f"- {name.removesuffix(': ')}: {said}" for name, said in meanings.items())


def choose_sessions(opened: Opened, sessions: IndividualSessions, otherwise: str) -> list[str]:
    """The session on top, which is looked into here, and another; also by the keys p and n.

    `otherwise` is said where none is chosen.
    """
    names, state = list(sessions.names), st.session_state
    few = len(names) <= MOST_OPTIONS  # a browser takes as long over thousands as over all the rest
    wanted = state.get(keys.SESSION) or None
    state[keys.SESSION] = wanted if wanted in names else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        look: Any = {"key": keys.SESSION, "placeholder": "none (click a row or type a name)"}
        if few:
            one = st.selectbox("Session", names, None, **look, **link.LINKED)
        else:
            one = st.text_input("Session", None, **look, **link.LINKED)
        step = {"disabled": len(names) < 2, "on_click": _step_through_sessions}
        st.button("Previous", shortcut="p", args=(names, -1), **step)
        st.button("Next", shortcut="n", args=(names, 1), **step)
    place = st.container()
    key, most = keys.BESIDE_SESSION, MOST_CHOSEN - 1
    asked = state.get(key, st.query_params.get_all(key))
    known = state[key] = [name for name in asked if name in names][:most]
    look = {"max_selections": most, "accept_new_options": not few, "placeholder": "none"}
    more = st.multiselect("Compare with", names if few else known, key=key, **look)
    link.put_in_link(key, more)
    for name in (wanted, *asked):
        if name and name not in names:
            show.small_line(f"Session {name} is not in the table.")
    chosen = list(dict.fromkeys(name for name in (one, *more) if name in names))[:MOST_CHOSEN]
    with place:  # beside the wall; two need the page's width
        if len(chosen) > 2:
            st.markdown(f":small[The {len(chosen)} sessions are drawn together above.]")
        if len(chosen) not in (0, 2):
            own = ".st-key-pane { height: auto !important }"
            st.html(f"<style>@media (max-width: 640px) {{ {own} }}</style>")
            with st.container(key="pane", height=PANE, border=True):
                show_inspector(opened, chosen[0], "on_top")
            return chosen
        if not chosen:
            st.markdown(show.markdown_safe(otherwise))
        st.markdown(f":small[{'Both sessions are shown below.' if chosen else HOW}]")
    return chosen


def _step_through_sessions(names: list[str], by: int) -> None:
    """The next session of the list, or the one before; from none, the first or the last."""
    now = st.session_state.get(keys.SESSION)
    place = names.index(now) + by if now in names else min(by, 0)
    st.session_state[keys.SESSION] = names[place % len(names)]


def clicked() -> None:
    """What a click on Figure 4 does: the mark's session goes on top."""
    points = st.session_state[keys.FIGURE_4]["selection"]["points"]
    if points:
        st.session_state[keys.SESSION] = points[0]["customdata"]


def show_wall(sessions: IndividualSessions, chosen: list[str]) -> None:
    """Show the wall: a row a session, its scores and each query; rows that are ticked go on top.

    chosen : sessions on top, the one that is looked into first; ticked, however they were chosen
    """
    names = list(sessions.names)

    def take() -> None:
        """What was ticked last goes on top of what was before."""
        ticked = [names[row] for row in st.session_state[keys.WALL]["selection"]["rows"]]
        new = [name for name in ticked if name not in chosen]
        first, *more = [*new, *(name for name in chosen if name in ticked)] or [None]
        st.session_state[keys.SESSION] = first
        st.session_state[keys.BESIDE_SESSION] = more[: MOST_CHOSEN - 1]

    table, styled = figure.session_by_query_table(sessions)
    short = "%.3g"
    whole = [name for name in COLUMNS if name in table and table[name].abs().max() >= wording.WHOLE]
    in_full = "localized"
    if styled is not table:  # then each number is written as the headline writes it
        styled, in_full = styled.format(words.worth_text, subset=whole), None
    columns: dict[str, Any] = {"session": PINNED, f"by {sessions.group}": PINNED, "curve": CURVE}
    for name in table.select_dtypes("number").columns:
        said = column_words(name) if name in COLUMNS else {}
        look = in_full if name in whole else short
        columns[name] = st.column_config.NumberColumn(format=look, **said)
    ticked = {"rows": sorted(map(names.index, chosen)), "columns": [], "cells": []}
    if st.session_state.get(keys.WALL, {"selection": {}})["selection"] != ticked:
        st.session_state[keys.WALL] = {"selection": ticked}
    groups = sessions.by_group()
    tall = min(ROW * (len(groups) + 1) + 3, MOST_GROUPS) if len(groups) else 0
    show.stretch(show.keyed(keys.WALL_ROOM), show.LEAST, 1, show.AROUND + tall)
    with (
        st.container(key=keys.WALL_ROOM, height=show.TALLEST, border=False),
        widget_values.sends({"selection": {"rows": [range(len(table))], ...: Any}}),
    ):
        st.dataframe(
            styled,
            hide_index=True,
            height="stretch",
            column_config=columns,
            placeholder="",
            key=keys.WALL,
            on_select=take,
            selection_mode="multi-row",
            alt=f"Sessions and queries. {words.wall_note(sessions)}",
        )
    if tall:
        show.table(groups, f"Sessions by {sessions.group}", tall, ours=False)
    ends = "; ".join(f"{end}: {said}" for end, said in numbers.ENDS.items())
    show.small("In the table", words.heatmap_note(sessions))
    show.small("Ends", f"{ends}; undefined: {words.UNKNOWN_END}. {words.GAIN}")


def coloured(queries: Any) -> Any:
    """Queries with a ground behind each change of DCG that says whether it gained or lost."""
    looks = queries.style.format("{:.3g}", na_rep="–", subset=["dcg", "sdcg", "change_dcg"])
    return looks.map(
        lambda change: GAINED if change > SAME else LOST if change < -SAME else "",
        subset=["change_dcg"],
    )


def show_inspector(opened: Opened, name: str, place: str) -> None:
    """One session: its curve beside the ideal, its queries, and each query's list and tags."""
    session = opened.ask(numbers.inspect, session=name)
    st.subheader(show.markdown_safe(words.session_title(session)), anchor=f"session_{place}")
    if along := ", ".join(f"{name} {value}" for name, value in session.along.items()):
        show.small("Session data", along)
    if session.vector.size:
        curve = figure.draw_inspector(session, opened.systems)
        show.figure(curve, f"Session {name}", f"inspected {name}")
    st.markdown("**Where did it go wrong?**")
    st.markdown("\n".join(f"- {show.markdown_safe(said)}" for said in words.shortcomings(session)))
    show.table(
        coloured(words.queries_with_tags(session, opened.tags)), f"Queries of session {name}"
    )
    every = session.queries["query_number"].tolist()
    # as long as the session has it, the same of the next
    if st.session_state.get(keys.query(place)) not in every:
        st.session_state[keys.query(place)] = every[0]
    number = link.pick("Results of query", every, keys.query(place))
    show.table(session.query_results(number), f"Results of query {number} of session {name}")
    if highest := words.highest_note(session):
        st.markdown(f":small[{highest}]")
    offer_judgment(opened, name, number)
    brought, never_shown = session.brought.drop(columns="text"), session.never_shown
    show.table(brought, f"What queries of session {name} brought")
    if len(never_shown):
        first = never_shown.iloc[:MOST_DOCUMENTS]
        count = f"{len(first):,} of {len(never_shown):,}, best first; the CSV has all"
        show.small(f"Relevant documents in no top {session.top}", count)
        show.table(first, f"Relevant documents in no top {session.top} of session {name}")
    offer_query_tags(opened, name, number)


def choose_length(sessions: IndividualSessions) -> int:
    """How many queries Figure 4 shows; what goes on beyond is said, and one click shows it."""
    longest = sessions.longest
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = max(AXIS_ENDS, longest)
        length = link.number("Queries on the axis", 1, most, words.LENGTH, keys.AXIS, width=150)
        if beyond := words.axis_note(sessions, length):
            st.markdown(f":small[{show.markdown_safe(beyond)}]", width="content")
            every = {"on_click": st.session_state.__setitem__, "args": (keys.AXIS, longest)}
            st.button(f"Show all {longest} queries", **every)
    return length


MOST_SHOWN = 40  # judgments of one's own that stand here at once


def offer_query_tags(opened: Opened, session: str, number: int) -> None:
    """Why did this query fail? One click each; what is chosen is kept at once."""
    known = opened.tags
    given = list(known.get((session, number), ()))
    own = {tag for tags in known.values() for tag in tags}.difference(annotations.SUGGESTED)
    chosen, typed = f"tags of {session}, {number}", f"another tag of {session}, {number}"

    def keep(wanted: list[str]) -> None:
        """Change what was changed here: another window may have tagged it meanwhile."""

        def write(digest: str, of: str) -> None:
            now = set(library.store().tags(digest, of).get((session, number), ()))
            now |= {*wanted} - {*given}
            now -= {*given} - {*wanted}
            library.store().tag(digest, session, number, now, of)

        library.keep_words(opened.digest, "tag", write)

    def add() -> None:
        keep([*given, st.session_state[typed]])
        st.session_state[typed] = ""

    closed = show.is_closed(opened)
    st.session_state[chosen] = given  # as it is kept, by whichever window
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            f"If query {number} failed, why? (saved at once)",
            [*annotations.SUGGESTED, *sorted(own)],
            selection_mode="multi",
            format_func=show.markdown_safe,
            key=chosen,
            on_change=lambda: keep(st.session_state[chosen]),
            disabled=closed,
        )
        st.text_input(
            "Another tag",
            key=typed,
            on_change=add,
            max_chars=annotations.LONGEST_TAG,
            disabled=closed,
            width=200,
        )


def show_tag_counts(opened: Opened) -> None:
    """Tags counted by system, and the queries with them to download; nothing where none is."""
    if not (tags := opened.tags):
        return
    counts = opened.ask(tagged, tags=tags)
    st.subheader("Why did queries fail?")
    st.markdown(show.markdown_safe(words.tag_counts_sentence(counts)))
    show.table(counts.table, "Tags by system")
    own = opened.tagged_study, opened.definition, opened.filters
    with_tags = "Download queries.csv, with tags"
    take_away.download("queries.csv", lambda: table_bytes(scores(*own).queries), with_tags)


def offer_judgment(opened: Opened, session: str, number: int) -> None:
    """Show a field to judge a document of a query that nobody judged; it is kept at once."""
    topic, docs = numbers.documents_to_judge(opened.study, session, number)
    if not docs or not opened.study.labels or opened.definition.behaviour:
        return
    closed, layer = show.is_closed(opened), opened.study.layer
    own = f"judging {session}, {number}"
    if st.session_state.get(own) not in docs:
        st.session_state[own] = next((doc for doc in docs if (topic, doc) not in layer), docs[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        doc = st.selectbox("Judge an unjudged document", docs, key=own)
        given, grades = layer.get((topic, doc)), [*map(label, opened.study.labels)]
        chosen = f"grade of {topic}, {doc}"
        st.session_state[chosen] = None if given is None else label(given)  # as it is kept

        def keep() -> None:
            grade = st.session_state[chosen]
            _judge(opened, {(topic, doc): None if grade is None else float(grade)})

        look: Any = {"key": chosen, "on_change": keep, "disabled": closed, "help": words.HELP}
        st.pills("Grade (click again to remove)", grades, **look)


def show_reader_judgments(opened: Opened) -> None:
    """Show judgments of one's own, each taken back by a click, and as qrels; nothing of none."""
    if not (layer := opened.study.layer):
        return
    st.subheader("Judgments of your own")
    show.small("Added to the study's", words.reader_judgments_sentence(layer))
    names = {words.judgment_line(*thing, grade): thing for thing, grade in sorted(layer.items())}
    pages = -(-len(names) // MOST_SHOWN)
    page = 1
    if pages > 1:
        st.session_state[keys.OWN_PART] = min(st.session_state.get(keys.OWN_PART, 1), pages)
        page = int(st.number_input(f"Page (of {pages})", 1, pages, key=keys.OWN_PART, width=150))
    shown = [*names][MOST_SHOWN * (page - 1) : MOST_SHOWN * page]
    st.session_state[keys.OWN_JUDGMENTS] = shown

    def take_back() -> None:
        gone = {*shown} - {*st.session_state[keys.OWN_JUDGMENTS]}
        _judge(opened, {names[name]: None for name in gone})

    st.pills(
        words.TAKE_BACK,
        shown,
        selection_mode="multi",
        format_func=show.markdown_safe,
        key=keys.OWN_JUDGMENTS,
        on_change=take_back,
        disabled=not library.may_write(opened.digest),
    )
    take_away.download("own_judgments.qrels", lambda: annotations.layer_qrels(layer))


def _judge(opened: Opened, grades: Mapping[tuple[str, str], float | None]) -> None:
    """Keep judgments of one's own, which the frame counts, too; None takes one back."""

    def write(digest: str, of: str) -> None:
        for (topic, doc), grade in grades.items():
            library.store().judge(digest, topic, doc, grade, of)

    library.keep_words(opened.digest, "judgment", write)
    st.rerun()
