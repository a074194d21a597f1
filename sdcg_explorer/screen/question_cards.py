"""The cards of Overview: what each page asks and answers, its small figure, and the way there."""

from collections.abc import Callable

import streamlit as st

from sdcg_explorer.figures.style import system_mark
from sdcg_explorer.questions.catalogue import QUESTIONS, Question, question_of
from sdcg_explorer.questions.view import Card, View
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.live import follow
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.wording import in_short

ALSO = ("by_hand", "data")
ACROSS = 3  # cards


def show_link(name: str, opened: Opened) -> None:
    """Show the way to a page, which is what it asks."""
    words = question_of(name).question_words(opened.study)
    with st.container(key=keys.way(name)):
        show.way(name, f"**{words}**", {})


def show_card(question: Question, answer: Callable[[View], Card], opened: Opened) -> None:
    """Show what a page asks and answers, and beneath its small figure."""
    with st.container(border=True, height="stretch", vertical_alignment="distribute"):
        with st.container(gap="small"):
            show_link(question.name, opened)
            card = answer(opened)
            show.small_print(opened.shorten_names(card.headline))
        if card.draw is None:
            return
        key, figure = keys.door(question.name), card.draw()
        if card.live:
            follow(figure, key, card.live)
        alt = f"Small figure: {question.title}"
        st.plotly_chart(figure, key=key, alt=alt, config={"staticPlot": True})


def signs_of(opened: Opened) -> str:
    """Each system that is shown, after its sign."""
    shown = opened.shown_systems
    return ", ".join(f"{system_mark(opened.systems, name)} {in_short(name)}" for name in shown)


def show_question_cards(opened: Opened) -> None:
    """Show a card of each page; those that draw the study have its answer and a figure."""
    words = (
        "Last queries: solid; others: dashed. In Reformulations, each line shows the mean number "
        "of relevant documents found, by query number."
    )
    show.small("How to read them", f"{signs_of(opened)}. {words}")
    carded = [(question, question.card) for question in QUESTIONS if question.card]
    places = [column for _ in range(0, len(carded) + 1, ACROSS) for column in st.columns(ACROSS)]
    for place, card in zip(places, carded, strict=False):
        with place:
            show_card(*card, opened)
    for name in ALSO:
        with places[len(carded)].container(border=True):
            show_link(name, opened)
