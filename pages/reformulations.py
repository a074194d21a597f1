"""What does asking again bring?"""

import streamlit as st

from sdcg_explorer.figures.panels import needs_panels
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.reformulations import BY_SYSTEM, answer, numbers, words
from sdcg_explorer.scoring.measures import QUERY_SCORES
from sdcg_explorer.screen import controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, what reformulations did from query to query, and what stands beneath."""
    with controls.toolbar() as above:
        known = link.worded({name: QUERY_SCORES[name] for name in numbers.MEASURES})
        own, about = link.choice_by_words(keys.QUERY_MEASURE, known), meaning("DCG", "nDCG")
        measure = st.selectbox("Measure", **own, width=420, help=about)
        steps = opened.ask(numbers.reformulations, measure=measure)
        with controls.options():
            every = controls.choose_end(is_cut=steps.axes_are_cut)
            focus = controls.choose_focus(opened)
    shown = answer(opened, measure=measure, every=every, focus=focus)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    show.exhibit(shown.exhibits["reformulation_shares"], "shares", stretches=1)
    sidebar.show_at_hand()
    show.small(measure, wording.in_unit(QUERY_SCORES[measure].words, QUERY_SCORES[measure].unit))
    show.beneath(opened, shown.behind, shown.advice)
    if steps.measure != numbers.USUAL:
        st.subheader(f"Mean {steps.words} by query number", anchor="means")
        show.exhibit(shown.exhibits[f"{measure}_by_query"], f"by_query_{measure}")
    st.subheader("Found, new and repeated documents, by query number")
    is_many = needs_panels(len(steps.systems), focus=focus)  # then each has many
    places = [st.container() for _ in numbers.BY_QUERY] if is_many else st.columns(3)
    for place, name in zip(places, numbers.BY_QUERY, strict=True):
        with place:
            show.exhibit(shown.exhibits[f"{name}_by_query"], f"by_query_{name}")
    st.subheader("How large are the changes?")
    if link.toggle("Show boxes", keys.BOXES):
        show.small("Boxes", words.BOXES)
        show.exhibit(shown.exhibits["reformulations"], "changes")
        show.exhibit(shown.exhibits["first_queries"], "first")
    st.subheader("How often is the last query the best?")
    show.table(shown.tables[BY_SYSTEM], BY_SYSTEM)
    take_away.offer(opened, "reformulations", lambda: shown.exhibits)


show.run_page("reformulations", view)
