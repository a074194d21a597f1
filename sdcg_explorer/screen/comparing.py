"""Parts of Compare systems: the pair looked into, every pair, topics, last queries."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.systems.compare_systems import Comparison, compare_systems
from sdcg_explorer.analysis.systems.left_open import LeftOpen
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.compare_systems import of_last
from sdcg_explorer.questions.left_open import JUDGE_NEXT, of_left_open, opened_of, ranged, to_judge
from sdcg_explorer.questions.view import Answer, Exhibit
from sdcg_explorer.questions.words import left_open as words
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.link import pick
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import download
from sdcg_explorer.study.wording import counted

MOST = "the pair that differs most"
PAIRS = (
    "difference b − a of each pair with its own 95 % interval by t; a filled mark is a clear "
    "difference, whose interval excludes 0 and whose p after Holm is at most .05"
)
COUNTING = "Counting {}: their scores, searchers resampled, systems changing places …"
COUNTING_LAST = "Counting: last queries and the others of their sessions changing places …"


def compared_by(opened: Opened, asked: dict[str, Any]) -> Comparison:
    """The systems compared; what is counted is said meanwhile."""
    with st.spinner(COUNTING.format(counted(len(opened.study.sessions), "session"))):
        return opened.ask(compare_systems, **asked)


def choose_pair(compared: Comparison) -> int:
    """Which two systems are looked into; the pair that differs most unless another is chosen."""
    if len(compared.pairs) < 2:
        return 0
    names = {f"{pair.system_a} and {pair.system_b}": i for i, pair in enumerate(compared.pairs)}
    pair = pick("Pair", [MOST, *names], keys.PAIR)
    return compared.most if pair == MOST else names[pair]


def show_pairs(opened: Opened, compared: Comparison, shown: Answer) -> None:
    """Show every pair of more than two systems, as lines and as a table."""
    if len(compared.pairs) < 2:
        return
    pairs = shown.exhibits["pairs"]
    st.subheader(pairs.caption)
    if pairs.figure is not None:
        show.exhibit(pairs, keys.PAIRS)
        show.small("Marks", PAIRS)
    show.table(ranged(opened, compared, pairs.table), pairs.caption)


def show_topics(shown: Answer) -> None:
    """Show sessions and means by topic, where these are few enough."""
    if by_topic := shown.exhibits.get("means_by_topic"):
        st.subheader("By topic")
        show.exhibit(by_topic, keys.COMPARISON_BY_TOPIC)


def show_last(opened: Opened) -> Answer:
    """Show whether last queries are better than the others of their sessions."""
    with st.spinner(COUNTING_LAST):
        last = of_last(opened)
        tables = {each.caption: each.table for each in last.exhibits.values()}
    if tables:
        st.subheader("Is the last query better than the others?")
        show.lines(last.more)
    for caption, table in tables.items():
        show.table(table, caption)
    return last


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
    show.lines(shown.more)
    if listed := shown.exhibits.get("judge_next"):
        _show_list(of, listed)
    return shown


def _show_list(of: LeftOpen, listed: Exhibit) -> None:
    """Show the documents, computed with the answer, in a fold."""
    fold = st.expander("Which documents should be judged next?", key=keys.JUDGE_NEXT)
    with fold:
        first = listed.table.iloc[:MOST_LISTED].drop(columns="grade")
        show.small(JUDGE_NEXT, words.columns(of, MOST_LISTED))
        show.table(first, JUDGE_NEXT)
        with st.container(horizontal=True):
            made = {
                "judge_next.csv": lambda: table_bytes(listed.table),
                "judge_next.qrels": lambda: to_judge(of),
            }
            for name, content in made.items():
                download(f"Download {name}", content, name, "text/plain")
