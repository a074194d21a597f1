"""Which system is better?"""

from typing import Any

import streamlit as st

from sdcg_explorer.questions.compare_systems import score_answer
from sdcg_explorer.questions.compare_systems.numbers import TOPICS_ARE
from sdcg_explorer.questions.compare_systems.words import TOPICS_ARE_HELP, pair_details
from sdcg_explorer.questions.overview.numbers import has_order
from sdcg_explorer.scoring.scores import scores_of
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, points and means, how it was tested, and the tables."""
    with controls.toolbar() as above:
        asked: dict[str, Any] = {"score": link.choose_score(scores_of(opened.study))}
        about = " ".join(f"{name}: {words}" for name, words in TOPICS_ARE_HELP.items())
        asked["topics_are"] = link.one_of("Topics as", TOPICS_ARE, keys.TOPICS_ARE, about)
        with_order = asked["topics_are"] == "fixed" and opened.ask(has_order)
        if with_order or len(opened.shown_systems) > 1:
            with controls.options():
                asked["baseline"] = comparing.choose_baseline(opened)
                if with_order:
                    asked["with_order"] = link.toggle("Adjust for session order", keys.WITH_ORDER)
        compared = comparing.compared_by(opened, asked)
        place = comparing.choose_pair(compared)
    shown = score_answer(opened, place=place, **asked)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    show.exhibit(shown.exhibits["compare_systems"], "comparison", stretches=1)
    sidebar.show_at_hand()
    show.small(show.markdown_safe(compared.score), shown.measured)
    show.beneath(opened, shown.behind, shown.advice)
    if compared.pairs:
        show.lines(pair_details(compared, place))
    show.table(compared.systems, shown.exhibits["means"].caption)
    comparing.show_pairs(opened, compared, shown)
    if topics := shown.exhibits.get("means_by_topic"):
        st.subheader("By topic")
        show.exhibit(topics, "comparison_by_topic")
    parts = [
        shown,
        comparing.show_summary(opened, compared, place),
        comparing.show_order(opened, compared),
        comparing.show_left_open_by_unjudged(opened, compared, place),
        comparing.show_topic_by_topic(opened, compared, place),
        comparing.show_outcome(opened, compared.baseline),
        comparing.show_next_study(opened, compared, place),
    ]
    made = {name: exhibit for part in parts for name, exhibit in part.exhibits.items()}
    methods = [line for part in parts for line in part.methods]
    take_away.offer(opened, "compare_systems", lambda: made, methods=methods)


show.run_page("compare_systems", view)
