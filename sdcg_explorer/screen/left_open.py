"""Part of Compare systems: what unjudged documents leave open, and which to judge next."""

from __future__ import annotations

import streamlit as st

from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.left_open import LeftOpen
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.left_open import JUDGE_NEXT, of_left_open, opened_of, to_judge
from sdcg_explorer.questions.view import Answer, Exhibit
from sdcg_explorer.questions.words import left_open as words
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import markdown_safe, show_small, show_table
from sdcg_explorer.screen.take_away import download

MOST_LISTED = 200  # documents on screen; the file has all


def show_left_open(opened: Opened, compared: Comparison, place: int) -> Answer:
    """Show whether who is ahead of a pair could turn, and the list to judge next in a fold."""
    if not compared.pairs:
        return Answer("")
    of = opened_of(opened, compared, place)
    if not words.is_worth_saying(of):
        return Answer("")
    shown = of_left_open(of)
    st.subheader("What do unjudged documents leave open?")
    for line in shown.more:
        st.markdown(markdown_safe(line))
    if listed := shown.exhibits.get("judge_next"):
        _show_list(of, listed)
    return shown


def _show_list(of: LeftOpen, listed: Exhibit) -> None:
    """Show the documents, computed with the answer, in a fold."""
    fold = st.expander("Which documents should be judged next?", key=keys.JUDGE_NEXT)
    with fold:
        first = listed.table.iloc[:MOST_LISTED].drop(columns="grade")
        show_small(JUDGE_NEXT, words.columns(of, MOST_LISTED))
        show_table(first, JUDGE_NEXT)
        with st.container(horizontal=True):
            made = {
                "judge_next.csv": lambda: table_bytes(listed.table),
                "judge_next.qrels": lambda: to_judge(of),
            }
            for name, content in made.items():
                download(f"Download {name}", content, name, "text/plain")
