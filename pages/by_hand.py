"""How is the number made?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from sdcg_explorer.questions.by_hand import words
from sdcg_explorer.questions.by_hand.figure import draw_by_hand, steps_html
from sdcg_explorer.questions.by_hand.numbers import by_hand, in_force
from sdcg_explorer.questions.view import Exhibit, Live
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.live import live_each_session
from sdcg_explorer.screen import controls, example_editor, keys, link, show, take_away
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.problems import UnusableInputError

ABOVE = 430  # pixels of cards and what else stands above the curve, and a margin beneath


def view(opened: Opened) -> None:
    """Answer, cards, the curve growing, and its steps."""
    st.html("<style>.st-key-study_choice, .st-key-session_choice { display: none }</style>")
    answer, lesson, beneath = st.container(), st.container(gap="xsmall"), st.container()
    key, ready, row = example_editor.pick_example(opened, lesson)
    with (others := st.expander("Other measures of these lists")):
        look = {"placeholder": "all", "width": 300}
        asked = "Relevant documents the searcher expects to find"
        expected = link.number(asked, 1, None, None, keys.EXPECTED, **look)
    with st.expander("Edit documents, grades and lists as tables"):
        example = example_editor.edit(key, ready, row)
    labels, session, beside = opened.study.labels, None, None
    try:
        session = by_hand(example, in_force(opened.definition, ready, labels), expected=expected)
        if opened.kept and (still := in_force(opened.kept, ready, labels)):
            beside = by_hand(example, still, expected=expected)
        said = words.headline(session)
    except UnusableInputError as refused:
        session, said = None, f"No number yet: {refused.problems[0]}"
    show.answer(None, said, answer)
    with lesson:
        example_editor.show_cards(key, ready, example, session)
    if session:
        own = Opened(session.study.digest, session.definition, Filters(), session.study)
        with lesson:
            draw = partial(draw_by_hand, session, beside=beside) if session.vector.size else None
            live = Live(own, live_each_session, {"ideal": True})
            alt = f"By hand. {words.headline(session)}"
            shown = Exhibit("Every step", session.steps, draw, alt=alt, live=live)
            cards = replace(own, digest=key)  # its axis stays, whatever its cards are
            shown = controls.show_curves(cards, shown, keys.BY_HAND, around=ABOVE)
            controls.show_keeping(keys.BY_HAND, opened)
        with beneath:
            show.beneath(own, "", words.cautions(session), whose="Definition here")
            with st.expander("Step by step, with formulas"):
                st.html(steps_html(session))
                for line in words.formulas(session):
                    st.markdown(rf"$\displaystyle {line}$")  # in a line: it breaks on a phone
                show.table(session.queries, "What each query adds")
        with others:
            show.table(session.others, "Other measures of each query")
            st.markdown("**Averages** over the queries, rank by rank")
            show.table(session.averages, "Averages over the queries, rank by rank")
        take_away.offer(own, "by_hand", lambda: {"by_hand": shown})


show.run_page("by_hand", view)
