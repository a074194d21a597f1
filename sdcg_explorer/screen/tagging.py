"""Tags of queries: given where a session is looked into, counted by system, taken along."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.inventory.data import tagged
from sdcg_explorer.analysis.sessions.scores import scores
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.words.individual_sessions import tags as tags_in_words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import keep_words, may_write, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_table
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.tags import LONGEST, SUGGESTED

NOT_HERE = "Several people use this server: upload a study of your own to tag its queries."


def choose_tags(opened: Opened, session: str, number: int) -> None:
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
            f"Why did query {number} fail? Tags are kept at once",
            [*SUGGESTED, *sorted(own)],
            selection_mode="multi",
            format_func=markdown_safe,
            key=chosen,
            on_change=lambda: keep(st.session_state[chosen]),
            disabled=closed,
        )
        st.text_input(
            "Another tag", key=typed, on_change=add, max_chars=LONGEST, disabled=closed, width=200
        )
    if closed:
        st.markdown(f":small[{NOT_HERE}]")


def show_tagged(opened: Opened) -> None:
    """Tags counted by system, and the queries with them to download; nothing where none is."""
    if not (tags := opened.tags):
        return
    counts = opened.ask(tagged, tags=tags)
    st.subheader("Why did queries fail?")
    st.markdown(markdown_safe(tags_in_words(counts)))
    show_table(counts.table, "Tags by system")
    own = opened.tagged_study, opened.definition, opened.filters
    words = "Download queries.csv, with tags"
    download(words, lambda: table_bytes(scores(*own).queries), "queries.csv", "text/csv")
