"""How is the number made?"""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from sdcg_explorer.questions.by_hand import words
from sdcg_explorer.questions.by_hand.figure import draw_by_hand, steps_html
from sdcg_explorer.questions.by_hand.numbers import ByHand, Example, by_hand, in_force
from sdcg_explorer.questions.view import Exhibit, Live
from sdcg_explorer.scoring import definition, live
from sdcg_explorer.screen import controls, example_editor, keys, link, scripts, show
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.study.problems import UnusableInputError

ABOVE = 430  # pixels of cards and what else stands above the curve, and a margin beneath
OF_A_STUDY = ", ".join(f".st-key-{key}" for key in keys.OF_A_STUDY)


def show_curve(own: Opened, key: str, session: ByHand, beside: ByHand | None) -> Any:
    """Show the curve growing, on an axis that no slider and no card moves."""
    if not session.vector.size:
        return None
    draw = partial(draw_by_hand, session, beside=beside)
    figure = controls.pinned(draw, keys.BY_HAND, replace(own, digest=key))  # whatever its cards are
    scripts.follow(figure, keys.BY_HAND, Live(own, live.live_each_session, {"ideal": True}))
    alt = f"By hand. {words.headline(session)}"
    show.figure(figure, alt, keys.BY_HAND, stretches=1, around=ABOVE)
    return figure


def show_steps(session: ByHand) -> None:
    """Every step, and the formulas with their numbers, folded away."""
    with st.expander("Step by step, with formulas"):
        st.html(steps_html(session))
        for line in words.formulas(session):
            st.markdown(rf"$\displaystyle {line}$")  # in a line, so that it breaks on a phone
        show.table(session.queries, "What each query adds")


def counted(
    opened: Opened, ready: Example, example: Example, expected: float | None
) -> tuple[ByHand | None, ByHand | None, str]:
    """The session, the same under the definition that is kept, and the page's first line."""
    labels, kept = opened.study.labels, opened.kept
    try:
        session = by_hand(example, in_force(opened.definition, ready, labels), expected=expected)
        still = kept and in_force(kept, ready, labels)
        beside = by_hand(example, still, expected=expected) if still else None
    except UnusableInputError as refused:
        return None, None, f"No number yet: {refused.problems[0]}"
    return session, beside, words.headline(session)


def view(opened: Opened) -> None:
    """Answer, cards, the curve growing, and its steps."""
    st.html(f"<style>{OF_A_STUDY} {{ display: none }}</style>")
    answer, lesson, beneath = st.container(), st.container(gap="xsmall"), st.container()
    key, ready, row = example_editor.pick_example(opened, lesson)
    with (others := st.expander("Other measures of these lists")):
        look = {"placeholder": "all", "width": 300}
        asked = "Relevant documents the searcher expects to find"
        expected = link.number(asked, 1, None, None, keys.EXPECTED, **look)
    with st.expander("Edit documents, grades and lists as tables"):
        example = example_editor.edit(key, ready)
    example_editor.show_reset_button(row, key, is_edited=example != ready)
    session, beside, said = counted(opened, ready, example, expected)
    show.answer(None, said, answer)
    with lesson:
        example_editor.show_about(ready, example)
        example_editor.show_cards(key, ready, example, session)
    if session:
        own = Opened(session.study.digest, session.definition, definition.Filters(), session.study)
        with lesson:
            figure = show_curve(own, key, session, beside)
            controls.show_keeping(keys.BY_HAND, opened)
        with beneath:
            show.beneath(own, "", words.cautions(session))
            show_steps(session)
        with others:
            show.table(session.others, "Other measures of each query")
            st.markdown("**Averages** over the queries, rank by rank")
            show.table(session.averages, "Averages over the queries, rank by rank")
        exhibit = Exhibit("Every step", session.steps, lambda: figure)
        take_away(own, "by_hand", lambda: {"by_hand": exhibit})


show.run_page("by_hand", view)
