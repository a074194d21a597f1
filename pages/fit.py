"""What did searchers look at?"""

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.fits.fit import CRITERIA, Fits, Fitted, taken
from sdcg_explorer.questions.fit import chosen, fits_of, of_fit
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.questions.words.fit import PICTURE, fitted_on
from sdcg_explorer.screen import keys, link, show
from sdcg_explorer.screen.definition_panel import show_at_hand, show_map, take_definition
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.screen.toolbar import toolbar

NEAREST = "nearest"  # whichever model that is
TAKE = "Take this fit as the definition"
HOW = "a click sets b and bq; the dotted line is the b with the least error at each bq"


def choose(fits: Fits) -> tuple[str, str]:
    """The model that is drawn, "" for the nearest, and the criterion of its fit."""
    words = {NEAREST: "the nearest model"}
    words |= {each.model.name: each.model.words for each in fits.ranked()}
    name = st.selectbox("Model", **link.by_words(keys.FIT_MODEL, words), width=280)
    by = link.one_of("Fitted by", CRITERIA, keys.FIT_BY)
    return "" if name == NEAREST else name, by


def show_taking(opened: Opened, fits: Fits, of: Fitted) -> None:
    """Show the button that takes a fit as the definition, where it is not yet."""
    wanted = taken(of, opened.definition, fitted_on(fits, opened.study.name))
    if wanted is None:
        return
    put: Any = {"on_click": take_definition, "args": (wanted, opened.study.labels)}
    st.button(TAKE, key=keys.TAKE_FIT, disabled=wanted == opened.definition, **put)


def show_errors(shown: Answer) -> None:
    """Show the error over b and bq, whose points can be clicked."""
    if "fit_map" not in shown.exhibits:
        return
    own = shown.exhibits["fit_map"]
    st.subheader(own.caption)
    show_map(own, keys.FIT_MAP)
    show.small("The map", HOW)


def view(opened: Opened) -> None:
    """Answer, shares beside weights, the map of errors, and all fits."""
    above = st.container()
    with st.spinner("Fitting weights to what searchers looked at …"):
        fits = fits_of(opened)
    if not fits.fitted:
        show.answer(opened, of_fit(opened, fits).headline, above)
        return
    with toolbar():
        name, by = choose(fits)
    shown = of_fit(opened, fits, name, by)
    show.answer(opened, shown.headline, above)
    show.exhibit(shown.exhibits["fit"], keys.FIT, stretches=1)
    show_at_hand()
    show_taking(opened, fits, chosen(fits, name, by))
    show.beneath(opened, shown.behind, shown.advice, picture=PICTURE)
    show.lines(shown.more)
    show_errors(shown)
    st.subheader(shown.exhibits["fits"].caption)
    show.table(shown.exhibits["fits"].table, shown.exhibits["fits"].caption)
    take_away(opened, "fit", lambda: shown.exhibits, methods=shown.methods)


show.page("fit", view)
