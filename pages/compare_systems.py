"""Which system is better?"""

import streamlit as st

from analysis.compare_systems import SCORES, Comparison, compare_systems
from analysis.last_against_others import last_against_others
from export.exhibits import MOST_TOPICS, of_compare_systems
from figures.compare_systems import draw_compare_systems
from pages import (
    ask,
    open_page,
    plain,
    show_answer,
    show_beneath,
    show_figure,
    show_small,
    show_table,
)
from pages.take_away import take_away

opened = open_page()
st.title("Which system is better?")


def choose_pair(compared: Comparison) -> int:
    """Which two systems the answer is about."""
    if len(compared.pairs) < 2:
        return 0
    names = list(compared.names)
    one = st.selectbox("System", names, key="system_a", bind="query-params")
    others = [name for name in names if name != one]
    two = st.selectbox("against", others, key="system_b", bind="query-params")
    return compared.pair(one, two)


def show_model(compared: Comparison, place: int) -> None:
    """The mixed model, fitted when it is asked for."""
    fold = st.expander("Mixed model", key="mixed_model", on_change="rerun")
    if not fold.open:
        return
    pair = compared.pairs[place]
    with fold:
        for said in compared.model(place).sentences((pair.system_a, pair.system_b)):
            st.markdown(plain(said))


def show_last() -> None:
    """Whether last queries are better than the others of their sessions."""
    last = ask(last_against_others, opened)
    if not last.differences:
        return
    st.subheader("Is the last query better than the others?")
    for said in last.sentences():
        st.markdown(plain(said))
    show_table(last.table(), "Last queries less the others, by system and measure")


@st.fragment
def view() -> None:
    """Answer, points and means, how it was tested, and the tables."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score = st.selectbox("Score", list(SCORES), key="score", bind="query-params")
        compared = ask(compare_systems, opened, score=score)
        place = choose_pair(compared)
    with answer:
        show_answer(opened, compared.answer(place))
    show_small(score, f"{compared.words}, in {compared.unit}")
    if not compared.names:
        return
    alt = f"Comparison. {compared.answer(place)}"
    figure = draw_compare_systems(compared, opened.systems)
    show_figure(figure, alt, "comparison")
    show_beneath(opened, compared.behind(), compared.advice(place))
    if compared.pairs:
        for said in compared.said(place):
            st.markdown(plain(said))
        show_small("Marks", compared.of_means())
        show_model(compared, place)
    show_table(compared.systems, "Means by system")
    if len(compared.pairs) > 1:
        show_table(compared.short_table(), "Every pair of systems")
    topics = compared.by_topic["topic"].nunique()
    if 1 < topics <= MOST_TOPICS:
        st.subheader("By topic")
        show_figure(
            draw_compare_systems(compared, opened.systems, by_topic=True),
            "Comparison by topic",
            "comparison_by_topic",
        )
    show_last()
    take_away(opened, "compare_systems", lambda: of_compare_systems(compared, opened.systems))


view()
