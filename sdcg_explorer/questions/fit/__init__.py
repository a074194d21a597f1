"""What did searchers look at?"""

from __future__ import annotations

from functools import partial

from sdcg_explorer.questions.fit import words
from sdcg_explorer.questions.fit.figure import draw_fit
from sdcg_explorer.questions.fit.numbers import LEAST_SQUARES, Fits, Fitted, fit, in_force
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, View
from sdcg_explorer.scoring.definition import FITTED_TO, MEASURES, NAMES


def answer(view: View) -> Answer:
    """The shares beside the nearest model, and all fits."""
    return of_fit(view, fits_of(view))


def fits_of(view: View) -> Fits:
    """All fits, which no b or bq in force changes."""
    return view.with_usual("b", "bq", MEASURES, FITTED_TO, *NAMES).ask(fit)


def chosen(fits: Fits, name: str = "", by: str = LEAST_SQUARES) -> Fitted:
    """A fit by its model, that with the least error left out if none is named."""
    return fits.of(name, by) or fits.ranked(by)[0]


def of_fit(view: View, fits: Fits, of: Fitted | None = None) -> Answer:
    """What was looked at beside a fit, the nearest if none is given, and sDCG in force."""
    said = words.answer(fits)
    if not fits.fitted:
        return Answer(said)
    shown = of or chosen(fits)
    weights, errors = in_force(fits, view.definition)
    models = {shown.model.words: shown.weights.reshape(weights.shape), "in force": weights}
    exhibits = {
        "fit": Exhibit(
            "Examined results, and weights",
            fits.cells(shown.by).assign(in_force=weights.ravel()),
            partial(draw_fit, fits.seen.shares, models),
            alt=f"Examined results. {said}",
        ),
        "fits": Exhibit("Models and their errors", fits.table),
    }
    return Answer(
        said,
        exhibits,
        behind=words.behind(fits),
        advice=words.advice(fits),
        more=words.more(fits, shown, errors),
        methods=[words.method(fits)],
    )


def card(view: View) -> Card:
    """What was looked at, beside the nearest model."""
    fits = fits_of(view)
    if not fits.fitted:
        return Card(words.answer(fits))
    shown, shares = chosen(fits), fits.seen.shares
    models = {shown.model.words: shown.weights.reshape(shares.shape)}
    return Card(words.answer(fits), partial(draw_fit, shares, models, small=True))


def result(view: View) -> CommandResult:
    """All fits as a table, shares and weights cell by cell, and what they say.

    Raises
    ------
    ValueError : the filters leave no session
    """
    fits = fits_of(view)
    if not fits.fitted:
        raise ValueError("the filters leave no session; widen them.")
    tables = {"fits.csv": fits.table(), "cells.csv": fits.cells()}
    return CommandResult(view, tables | {"fit.txt": words.sentences(fits)}, [words.method(fits)])
