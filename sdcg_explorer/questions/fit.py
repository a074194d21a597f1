"""What did searchers look at?"""

from __future__ import annotations

from functools import partial

from sdcg_explorer.analysis.definition.definition import FITTED_TO, MEASURES, NAMES
from sdcg_explorer.analysis.fits.fit import LEAST_SQUARES, Fits, Fitted, fit, in_force
from sdcg_explorer.figures.fit import draw_fit, draw_fit_map
from sdcg_explorer.questions.command_result import CommandResult
from sdcg_explorer.questions.view import Answer, Card, Exhibit, View
from sdcg_explorer.questions.words import fit as words

IN_FORCE = "in force"


def answer(view: View) -> Answer:
    """The shares beside the nearest model, the map, and all fits."""
    return of_fit(view, fits_of(view))


def fits_of(view: View) -> Fits:
    """All fits, which no b or bq in force changes."""
    return view.with_usual("b", "bq", MEASURES, FITTED_TO, *NAMES).ask(fit)


def of_fit(view: View, fits: Fits, name: str = "", by: str = LEAST_SQUARES) -> Answer:
    """What was looked at beside a model, the nearest unless named, and sDCG in force."""
    said = words.answer(fits)
    if not fits.fitted:
        return Answer(said)
    shown = chosen(fits, name, by)
    weights, errors = in_force(fits, view.definition)
    models = {
        shown.model.words: shown.weights.reshape(weights.shape),
        IN_FORCE: weights,
    }
    exhibits = {
        "fit": Exhibit(
            "What searchers looked at, and weights",
            fits.cells(by).assign(in_force=weights.ravel()),
            partial(draw_fit, fits.seen.shares, models),
            alt=f"Looked at. {said}",
        ),
        "fits": Exhibit("Models and how far they are from what was looked at", fits.table),
    }
    if fits.has_map:
        draw = partial(draw_fit_map, fits, view.bases)
        caption = "Error of sDCG over b and bq"
        exhibits["fit_map"] = Exhibit(caption, fits.map_table, draw, alt=f"Error map. {caption}")
    return Answer(
        said,
        exhibits,
        behind=words.behind(fits),
        advice=words.advice(fits),
        more=[
            *from_here(view, fits),
            words.fitted(shown),
            words.in_force(view.definition, errors),
            *filter(None, [words.ties(fits)]),
            *words.unknown(fits),
        ],
        methods=[words.method(fits), *from_here(view, fits)],
    )


def from_here(view: View, fits: Fits) -> list[str]:
    """What the definition in force says of itself, where it is a fit to this very study."""
    said = (words.is_taken(each, view.definition, view.study.name) for each in fits.fitted)
    return [*dict.fromkeys(filter(None, said))]


def chosen(fits: Fits, name: str = "", by: str = LEAST_SQUARES) -> Fitted:
    """A fit by its model, that with the least error left out if none is named."""
    return fits.of(name, by) or fits.ranked(by)[0]


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
    found = {"fits.csv": fits.table(), "cells.csv": fits.cells()}
    own = from_here(view, fits)
    text = words.sentences(fits) + "".join(f"{line}\n" for line in own)
    return CommandResult(view, found | {"fit.txt": text}, [words.method(fits), *own])
