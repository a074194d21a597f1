"""What does asking again bring?"""

import streamlit as st

from sdcg_explorer.figures.panels import needs_panels
from sdcg_explorer.questions import glossary, wording
from sdcg_explorer.questions.reformulations import BY_SYSTEM, answer, numbers
from sdcg_explorer.questions.reformulations.words import BOXES
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.scoring.measures import QUERY_SCORES
from sdcg_explorer.screen import controls, keys, link, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away


def show_means_by_query(shown: Answer, steps: numbers.Reformulations, focus: str) -> None:
    """Show the means by query number: beside each other, unless each has many panels."""
    if steps.measure != numbers.USUAL:
        st.subheader(f"Mean {steps.words} by query number", anchor=keys.MEANS)
        show.exhibit(shown.exhibits[f"{steps.measure}_by_query"], keys.by_query(steps.measure))
    st.subheader("Found, new and repeated documents, by query number")
    is_many = needs_panels(len(steps.systems), focus=focus)
    places = [st.container() for _ in numbers.BY_QUERY] if is_many else st.columns(3)
    for place, name in zip(places, numbers.BY_QUERY, strict=True):
        with place:
            show.exhibit(shown.exhibits[f"{name}_by_query"], keys.by_query(name))


def show_box_plots(shown: Answer) -> None:
    """Show how far changes and first queries spread, where enough values stand behind."""
    st.subheader("How large are the changes?")
    if not link.toggle("Show boxes", keys.BOXES):
        return
    show.small("Boxes", BOXES)
    show.exhibit(shown.exhibits["reformulations"], keys.CHANGES)
    show.exhibit(shown.exhibits["first_queries"], keys.FIRST)


def view(opened: Opened) -> None:
    """Answer, what reformulations did from query to query, and what stands beneath."""
    above = st.container()
    with controls.toolbar():
        measure = st.selectbox(
            "Measure",
            **link.choice_by_words(
                keys.QUERY_MEASURE,
                link.worded({name: QUERY_SCORES[name] for name in numbers.MEASURES}),
            ),
            width=420,
            help=glossary.meaning("DCG", "nDCG"),
        )
        steps = opened.ask(numbers.reformulations, measure=measure)
        with controls.options():
            every = controls.choose_end(is_cut=steps.axes_are_cut)
            focus = controls.choose_focus(opened)
    shown = answer(opened, measure=measure, every=every, focus=focus)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    show.exhibit(shown.exhibits["reformulation_shares"], keys.SHARES, stretches=1)
    sidebar.show_at_hand()
    show.small(measure, wording.in_unit(QUERY_SCORES[measure].words, QUERY_SCORES[measure].unit))
    show.beneath(opened, shown.behind, shown.advice)
    show_means_by_query(shown, steps, focus)
    show_box_plots(shown)
    st.subheader("How often is the last query the best?")
    show.table(shown.tables[BY_SYSTEM], BY_SYSTEM)
    take_away(opened, "reformulations", lambda: shown.exhibits)


show.run_page("reformulations", view)
