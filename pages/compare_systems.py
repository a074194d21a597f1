"""Which system is better?"""

import streamlit as st

from analysis.compare_systems import PAIRS, SCORES, Comparison, compare_systems
from analysis.last_against_others import last_against_others
from export.exhibits import MOST_TOPICS, of_compare_systems
from figures.compare_systems import draw_compare_systems
from figures.pairs import draw_pairs
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


MOST = "the pair that differs most"
EVERY = "Every pair of systems"


def choose_pair(compared: Comparison) -> int:
    """Which two systems are looked into; the one that differs most unless another is chosen."""
    if len(compared.pairs) < 2:
        return 0
    names = {f"{pair.system_a} and {pair.system_b}": i for i, pair in enumerate(compared.pairs)}
    pair = st.selectbox("Pair", [MOST, *names], key="pair", bind="query-params")
    return compared.most if pair == MOST else names[pair]


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


def show_pairs(compared: Comparison) -> None:
    """Every pair of more than two systems, as lines and as a table."""
    if len(compared.pairs) < 2:
        return
    st.subheader(EVERY)
    if compared.has_several:
        show_figure(draw_pairs(compared), f"Pairs. {compared.answer()}", "pairs")
        show_small("Marks", PAIRS)
    show_table(compared.short_table(), EVERY)


def show_topics(compared: Comparison) -> None:
    """Sessions and means by topic, where these are few enough."""
    if 1 < compared.by_topic["topic"].nunique() <= MOST_TOPICS:
        st.subheader("By topic")
        figure = draw_compare_systems(compared, opened.systems, by_topic=True)
        show_figure(figure, "Comparison by topic", "comparison_by_topic")


@st.fragment
def view() -> None:
    """Answer, points and means, how it was tested, and the tables."""
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score = st.selectbox("Score", list(SCORES), key="score", bind="query-params")
        compared = ask(compare_systems, opened, score=score)
        place = choose_pair(compared)
    with answer:
        show_answer(opened, compared.answer())
    show_small(score, f"{compared.words}, in {compared.unit}")
    if not compared.names:
        return
    alt = f"Comparison. {compared.answer()}"
    figure = draw_compare_systems(compared, opened.systems)
    show_figure(figure, alt, "comparison")
    show_beneath(opened, compared.behind(), compared.advice(place))
    if compared.pairs:
        for said in compared.said(place):
            st.markdown(plain(said))
        show_small("Marks", compared.of_means())
        show_model(compared, place)
    show_table(compared.systems, "Means by system")
    show_pairs(compared)
    show_topics(compared)
    show_last()
    take_away(opened, "compare_systems", lambda: of_compare_systems(compared, opened.systems))


view()
