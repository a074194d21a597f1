"""Which system is better?"""

from typing import Any

import streamlit as st

from sdcg_explorer.questions.compare_systems import score_answer
from sdcg_explorer.questions.compare_systems.numbers import TOPICS_ARE, Comparison
from sdcg_explorer.questions.compare_systems.words import TOPICS_ARE_HELP, pair_details
from sdcg_explorer.questions.overview.numbers import has_order
from sdcg_explorer.questions.view import Exhibits
from sdcg_explorer.scoring.scores import scores_of
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away


def choose(opened: Opened) -> dict[str, Any]:
    """Score, topics, baseline and order."""
    asked: dict[str, Any] = {"score": link.choose_score(scores_of(opened.study))}
    about = " ".join(f"{name}: {words}" for name, words in TOPICS_ARE_HELP.items())
    asked["topics_are"] = link.one_of("Topics as", TOPICS_ARE, keys.TOPICS_ARE, about)
    with_order = asked["topics_are"] == "fixed" and opened.ask(has_order)
    if with_order or len(opened.shown_systems) > 1:
        with controls.options():
            asked["baseline"] = comparing.choose_baseline(opened)
            if with_order:
                asked["with_order"] = link.toggle("Adjust for session order", keys.WITH_ORDER)
    return asked


def show_parts(opened: Opened, compared: Comparison, place: int) -> tuple[Exhibits, list[str]]:
    """Summary, order, what is left open, topics, outcomes, next study; what is taken of them."""
    made, methods = Exhibits(), list[str]()
    for part in (
        comparing.show_summary(opened, compared, place),
        comparing.show_order(opened, compared),
        comparing.show_left_open_by_unjudged(opened, compared, place),
        comparing.show_topic_by_topic(opened, compared, place),
        comparing.show_outcome(opened, compared.baseline),
    ):
        made, methods = made | part.exhibits, [*methods, *part.methods]
    return made | comparing.show_next_study(opened, compared, place), methods


def view(opened: Opened) -> None:
    """Answer, points and means, how it was tested, and the tables."""
    above = st.container()
    with controls.toolbar():
        asked = choose(opened)
        compared = comparing.compared_by(opened, asked)
        place = comparing.choose_pair(compared)
    shown = score_answer(opened, place=place, **asked)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    show.exhibit(shown.exhibits["compare_systems"], keys.COMPARISON, stretches=1)
    sidebar.show_at_hand()
    show.small(show.markdown_safe(compared.score), shown.measured)
    show.beneath(opened, shown.behind, shown.advice)
    if compared.pairs:
        show.lines(pair_details(compared, place))
    show.table(compared.systems, shown.exhibits["means"].caption)
    comparing.show_pairs(opened, compared, shown)
    if topics := shown.exhibits.get("means_by_topic"):
        st.subheader("By topic")
        show.exhibit(topics, keys.COMPARISON_BY_TOPIC)
    more, methods = show_parts(opened, compared, place)
    take_away(
        opened, "compare_systems", lambda: shown.exhibits | more, methods=[*shown.methods, *methods]
    )


show.run_page("compare_systems", view)
