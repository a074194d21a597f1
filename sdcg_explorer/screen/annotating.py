"""Tags of queries and judgments of one's own: given where a session is looked into."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions import words
from sdcg_explorer.questions.individual_sessions.numbers import to_judge
from sdcg_explorer.questions.individual_sessions.words import tags as tags_in_words
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.library import keep_words, may_write, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.own_judgments import layer_qrels
from sdcg_explorer.study.tags import LONGEST, SUGGESTED

NO_TAGS_HERE = "This server is shared. Upload your own study to tag its queries."
MOST_SHOWN = 40  # judgments of one's own that stand here at once


def choose_query_tags(opened: Opened, session: str, number: int) -> None:
    """Why did this query fail? One click each; what is chosen is kept at once."""
    known = opened.tags
    given = list(known.get((session, number), ()))
    own = {tag for tags in known.values() for tag in tags}.difference(SUGGESTED)
    chosen, typed = keys.tags(session, number), keys.another_tag(session, number)

    def keep(wanted: list[str]) -> None:
        """Change what was changed here: another window may have tagged it meanwhile."""

        def write(digest: str, of: str) -> None:
            now = set(store().tags(digest, of).get((session, number), ()))
            now |= {*wanted} - {*given}
            now -= {*given} - {*wanted}
            store().tag(digest, session, number, now, of)

        keep_words(opened.digest, "tag", write)

    def add() -> None:
        keep([*given, st.session_state[typed]])
        st.session_state[typed] = ""

    closed = not may_write(opened.digest)
    st.session_state[chosen] = given  # as it is kept, by whichever window
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            f"If query {number} failed, why? (saved at once)",
            [*SUGGESTED, *sorted(own)],
            selection_mode="multi",
            format_func=show.markdown_safe,
            key=chosen,
            on_change=lambda: keep(st.session_state[chosen]),
            disabled=closed,
        )
        st.text_input(
            "Another tag", key=typed, on_change=add, max_chars=LONGEST, disabled=closed, width=200
        )
    if closed:
        st.markdown(f":small[{NO_TAGS_HERE}]")


def show_tag_counts(opened: Opened) -> None:
    """Tags counted by system, and the queries with them to download; nothing where none is."""
    if not (tags := opened.tags):
        return
    counts = opened.ask(tagged, tags=tags)
    st.subheader("Why did queries fail?")
    st.markdown(show.markdown_safe(tags_in_words(counts)))
    show.table(counts.table, "Tags by system")
    own = opened.tagged_study, opened.definition, opened.filters
    words = "Download queries.csv, with tags"
    download(words, lambda: table_bytes(scores(*own).queries), "queries.csv", "text/csv")


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
            _store_judgment(opened, topic, doc, None if grade is None else float(grade))

        look: Any = {"key": chosen, "on_change": keep, "disabled": closed, "help": words.HELP}
        st.pills("Grade (click again to remove)", grades, **look)
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
    show.small("Added to the study's", words.reader_judgments_sentence(layer))
    names = {words.line(*thing, grade): thing for thing, grade in sorted(layer.items())}
    pages = -(-len(names) // MOST_SHOWN)
    page = 1
    if pages > 1:
        st.session_state[keys.OWN_PART] = min(st.session_state.get(keys.OWN_PART, 1), pages)
        page = int(st.number_input(f"Page (of {pages})", 1, pages, key=keys.OWN_PART, width=150))
    shown = [*names][MOST_SHOWN * (page - 1) : MOST_SHOWN * page]
    st.session_state[keys.OWN_JUDGMENTS] = shown

    def take_back() -> None:
        for name in {*shown} - {*st.session_state[keys.OWN_JUDGMENTS]}:
            _store_judgment(opened, *names[name], None)

    st.pills(
        words.TAKE_BACK,
        shown,
        selection_mode="multi",
        format_func=show.markdown_safe,
        key=keys.OWN_JUDGMENTS,
        on_change=take_back,
        disabled=not may_write(opened.digest),
    )
    name = "own_judgments.qrels"
    download(f"Download {name}", lambda: layer_qrels(layer), name, "text/plain")


def _store_judgment(opened: Opened, topic: str, doc: str, grade: float | None) -> None:
    def write(digest: str, of: str) -> None:
        store().judge(digest, topic, doc, grade, of)

    if keep_words(opened.digest, "judgment", write):
        st.session_state[keys.JUST_JUDGED] = True
