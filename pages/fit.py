"""What did searchers look at?"""

import streamlit as st

from sdcg_explorer.questions.fit import all_fits, fit_answer, numbers
from sdcg_explorer.questions.fit.words import PICTURE
from sdcg_explorer.questions.wording import counted
from sdcg_explorer.screen import controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, shares beside weights, what takes a fit as the definition, and all fits."""
    above = st.container()
    with st.spinner("Fitting weights to what searchers looked at …"):
        fits = all_fits(opened)
    if not fits.fitted:
        show.answer(opened, fit_answer(opened, fits).headline, above)
        return
    with controls.toolbar():
        models = {each.model.name: each.model.words for each in fits.ranked()}
        choices = link.choice_by_words(keys.FIT_MODEL, {"nearest": "the best fit"} | models)
        name = st.selectbox("Model", **choices, width=280)
        by = link.one_of("Fitted by", numbers.CRITERIA, keys.FIT_BY)
    of = fits.fit_of(name, by) or fits.ranked(by)[0]
    shown = fit_answer(opened, fits, of)
    show.answer(opened, shown.headline, above)
    show.exhibit(shown.exhibits["fit"], "fit", stretches=1)
    sidebar.show_at_hand()
    note = f"{opened.study.name} ({counted(fits.examined.sessions, 'session')})"
    if wanted := numbers.fitted_definition(of, opened.definition, note):
        st.button(
            "Use this fit as the definition",
            key="take_fit",
            disabled=wanted == opened.definition,
            on_click=sidebar.apply_definition,
            args=(wanted, opened.study.labels),
        )
    show.beneath(opened, shown.behind, shown.advice, picture=PICTURE)
    show.lines(shown.more)
    st.subheader(shown.exhibits["fits"].caption)
    show.table(shown.exhibits["fits"].table, shown.exhibits["fits"].caption)
    take_away.offer(opened, "fit", lambda: shown.exhibits, methods=shown.methods)


show.run_page("fit", view)
