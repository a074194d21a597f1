"""Judgments of one's own: given where a session is looked into, taken back by a click."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.sessions.inspector import to_judge
from sdcg_explorer.questions.words import own_judgments as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import kept_or_keep, may_write, store, whose
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_small
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.own_judgments import layer_qrels
from sdcg_explorer.study.problems import UnusableInputError

MOST_SHOWN = 40  # judgments of one's own that stand here at once


def choose_judgment(opened: Opened, session: str, number: int) -> None:
    """Show a field to judge a document of a query that nobody judged; it is kept at once."""
    topic, docs = to_judge(opened.study, session, number)
    if not docs or not opened.study.labels:
        return
    closed, layer = not may_write(opened.digest), opened.layer
    own = keys.judging(session, number)
    if st.session_state.get(own) not in docs:
        st.session_state[own] = next((doc for doc in docs if (topic, doc) not in layer), docs[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        doc = st.selectbox("Judge an unjudged document", docs, key=own)
        given, grades = layer.get((topic, doc)), [*map(label, opened.study.labels)]
        chosen = keys.judged(topic, doc)
        st.session_state[chosen] = None if given is None else label(given)  # as it is kept

        def keep() -> None:
            grade = st.session_state[chosen]
            _judge(opened, topic, doc, None if grade is None else float(grade))

        look: Any = {"key": chosen, "on_change": keep, "disabled": closed, "help": words.HELP}
        st.pills("Its grade; the same again takes it back", grades, **look)
    if closed:
        st.markdown(f":small[{words.NOT_HERE}]")


def show_own_judgments(opened: Opened) -> None:
    """Show judgments of one's own, each taken back by a click, and as qrels; nothing of none.

    Once one is given or taken back, the frame counts it, too.
    """
    if st.session_state.pop(keys.JUST_JUDGED, False):
        st.rerun()
    if not (layer := opened.layer):
        return
    st.subheader("Judgments of your own")
    show_small("Laid over the study's", words.said(layer))
    names = {words.line(*thing, grade): thing for thing, grade in sorted(layer.items())}
    pages = -(-len(names) // MOST_SHOWN)
    page = 1
    if pages > 1:
        st.session_state[keys.OWN_PART] = min(st.session_state.get(keys.OWN_PART, 1), pages)
        page = int(st.number_input(f"Part, of {pages}", 1, pages, key=keys.OWN_PART, width=150))
    shown = [*names][MOST_SHOWN * (page - 1) : MOST_SHOWN * page]
    st.session_state[keys.OWN_JUDGMENTS] = shown

    def take_back() -> None:
        for name in {*shown} - {*st.session_state[keys.OWN_JUDGMENTS]}:
            _judge(opened, *names[name], None)

    st.pills(
        words.TAKE_BACK,
        shown,
        selection_mode="multi",
        format_func=markdown_safe,
        key=keys.OWN_JUDGMENTS,
        on_change=take_back,
        disabled=not may_write(opened.digest),
    )
    name = "own_judgments.qrels"
    download(f"Download {name}", lambda: layer_qrels(layer), name, "text/plain")


def _judge(opened: Opened, topic: str, doc: str, grade: float | None) -> None:
    try:
        kept = kept_or_keep(opened.digest)
        store().judge(kept.digest, topic, doc, grade, whose(opened.digest))
        st.session_state[keys.JUST_JUDGED] = True
    except UnusableInputError as refused:
        reason = refused.problems[0].sentence()
        st.session_state[keys.NOT_KEPT] = f"The judgment was not kept: {reason}"
