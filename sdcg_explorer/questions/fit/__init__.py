"""What did searchers look at?"""

from functools import partial

from sdcg_explorer.questions.fit import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, View
from sdcg_explorer.scoring.definition import FITTED_TO, MEASURES, NAMES


def all_fits(view: View) -> numbers.Fits:
    """All fits, which no b or bq in force changes."""
    return view.with_default_fields("b", "bq", MEASURES, FITTED_TO, *NAMES).ask(numbers.fit)


def answer(view: View) -> Answer:
    """The shares beside the model that fits best, and all fits."""
    return fit_answer(view, all_fits(view))


def fit_answer(view: View, fits: numbers.Fits, of: numbers.Fitted | None = None) -> Answer:
    """What was examined beside a fit, the best if none is given, and sDCG in force."""
    headline = words.headline(fits)
    if not fits.fitted:
        return Answer(headline)
    of = of or fits.ranked()[0]
    weights, errors = numbers.sdcg_weights_and_errors(fits, view.definition)
    models = {of.model.words: of.weights.reshape(weights.shape), "current definition": weights}
    cells, alt = fits.cells(of.by).assign(in_force=weights.ravel()), f"Examined results. {headline}"
    draw = partial(figure.draw_fit, fits.examined.shares, models)
    exhibits = {
        "fit": Exhibit("Examined results, and weights", cells, draw, alt=alt),
        "fits": Exhibit("Models and their errors", fits.table),
    }
    more, methods = words.details(fits, of, errors), [words.method(fits)]
    behind, advice = words.figure_notes(fits), words.cautions(fits)
    return Answer(headline, exhibits, behind=behind, advice=advice, more=more, methods=methods)


def card(view: View) -> Card:
    """What was examined, beside the model that fits best."""
    fits = all_fits(view)
    if not fits.fitted:
        return Card(words.headline(fits))
    best, shares = fits.ranked()[0], fits.examined.shares
    models = {best.model.words: best.weights.reshape(shares.shape)}
    return Card(words.headline(fits), partial(figure.draw_fit, shares, models, small=True))


def command_result(view: View) -> CommandResult:
    """All fits as a table, shares and weights cell by cell, and what they say.

    Raises
    ------
    ValueError : the filters leave no session
    """
    fits = all_fits(view)
    if not fits.fitted:
        raise ValueError("the filters leave no session; widen them.")
    tables = {"fits.csv": fits.table(), "cells.csv": fits.cells()}
    return CommandResult(view, tables | {"fit.txt": words.fit_text(fits)}, [words.method(fits)])
