"""Parts of Compare systems: the pair looked into, every pair, topics, last queries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.systems.cached_comparison import COUNTING, COUNTING_LAST
from sdcg_explorer.analysis.systems.compare_systems import PAIRS, Comparison, compare_systems
from sdcg_explorer.analysis.systems.last_against_others import LastAgainstOthers
from sdcg_explorer.figures.compare_systems import draw_compare_systems
from sdcg_explorer.figures.pairs import draw_pairs
from sdcg_explorer.questions.exhibits import EVERY_PAIR, LAST_AGAINST_OTHERS, MOST_TOPICS
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.opened import Opened, ask
from sdcg_explorer.screen.show import markdown_safe, show_figure, show_small, show_table

MOST = "the pair that differs most"


def compared_by(opened: Opened, asked: dict[str, Any]) -> Comparison:
    """The systems compared; what is counted is said meanwhile."""
    with st.spinner(COUNTING.format(len(opened.study.sessions))):
        return ask(compare_systems, opened, **asked)


def choose_pair(compared: Comparison) -> int:
    """Which two systems are looked into; the pair that differs most unless another is chosen."""
    if len(compared.pairs) < 2:
        return 0
    names = {f"{pair.system_a} and {pair.system_b}": i for i, pair in enumerate(compared.pairs)}
    pair = st.selectbox("Pair", [MOST, *names], key=keys.PAIR, bind="query-params")
    return compared.most if pair == MOST else names[pair]


def choose_of_every(systems: Sequence[str]) -> tuple[str, str] | None:
    """Which two of these systems are compared; None for those that differ most."""
    names = {f"{a} and {b}": (a, b) for a, b in combinations(systems, 2)}
    return names.get(st.selectbox("Pair", [MOST, *names], key=keys.PAIR, bind="query-params"))


def show_pairs(compared: Comparison) -> None:
    """Show every pair of more than two systems, as lines and as a table."""
    if len(compared.pairs) < 2:
        return
    st.subheader(EVERY_PAIR)
    if compared.has_several:
        show_figure(draw_pairs(compared), f"Pairs. {compared.answer()}", keys.PAIRS)
        show_small("Marks", PAIRS)
    show_table(compared.short_table(), EVERY_PAIR)


def show_topics(compared: Comparison, opened: Opened) -> None:
    """Show sessions and means by topic, where these are few enough."""
    if 1 < compared.by_topic["topic"].nunique() <= MOST_TOPICS:
        st.subheader("By topic")
        figure = draw_compare_systems(compared, opened.systems, by_topic=True)
        show_figure(figure, "Comparison by topic", keys.COMPARISON_BY_TOPIC)


def show_last(last: LastAgainstOthers) -> None:
    """Show whether last queries are better than the others of their sessions."""
    if not last.differences:
        return
    st.subheader("Is the last query better than the others?")
    with st.spinner(COUNTING_LAST):
        lines, table = last.sentences(), last.table()
    for line in lines:
        st.markdown(markdown_safe(line))
    show_table(table, LAST_AGAINST_OTHERS)
