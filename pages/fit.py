"""What did searchers look at?"""

import streamlit as st

from sdcg_explorer.questions.fit import chosen, fits_of, of_fit
from sdcg_explorer.questions.fit.numbers import CRITERIA, taken
from sdcg_explorer.questions.fit.words import PICTURE
from sdcg_explorer.questions.words.wording import counted
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.definition_panel import show_at_hand, take_definition
from sdcg_explorer.screen.linked import by_words, one_of
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.show import (
    markdown_safe,
    show_answer,
    show_beneath,
    show_exhibit,
    show_page,
    show_table,
)
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.toolbar import toolbar

NEAREST = "nearest"  # whichever model that is
TAKE = "Take this fit as the definition"


def view(opened: Opened) -> None:
    """Answer, shares beside weights, what takes a fit as the definition, and all fits."""
    above = st.container()
    with st.spinner("Fitting weights to what searchers looked at …"):
        fits = fits_of(opened)
    if not fits.fitted:
        with above:
            show_answer(opened, of_fit(opened, fits).headline)
        return
    with toolbar():
        words = {each.model.name: each.model.words for each in fits.ranked()}
        choices = by_words(keys.FIT_MODEL, {NEAREST: "the nearest model"} | words)
        name = st.selectbox("Model", **choices, width=280)
        by = one_of("Fitted by", CRITERIA, keys.FIT_BY)
    of = chosen(fits, name, by)
    shown = of_fit(opened, fits, of)
    with above:
        show_answer(opened, shown.headline)
    show_exhibit(shown.exhibits["fit"], keys.FIT, stretches=1)
    show_at_hand()
    note = f"{opened.study.name} ({counted(fits.seen.sessions, 'session')})"
    if wanted := taken(of, opened.definition, note):
        st.button(
            TAKE,
            key=keys.TAKE_FIT,
            disabled=wanted == opened.definition,
            on_click=take_definition,
            args=(wanted, opened.study.labels),
        )
    show_beneath(opened, shown.behind, shown.advice, picture=PICTURE)
    for line in shown.more:
        st.markdown(markdown_safe(line))
    st.subheader(shown.exhibits["fits"].caption)
    show_table(shown.exhibits["fits"].table, shown.exhibits["fits"].caption)
    take_away(opened, "fit", lambda: shown.exhibits, methods=shown.methods)


show_page("fit", view)
