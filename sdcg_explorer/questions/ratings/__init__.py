"""Do scores agree with what the searchers said?"""

from dataclasses import replace
from functools import partial

import pandas as pd

from sdcg_explorer.questions import clicks, wording
from sdcg_explorer.questions.ratings import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, Exhibits, View
from sdcg_explorer.scoring.ratings import study_ratings

APART = "Where score and rating disagree most"
PREFERRED = "Searchers whose score and rating prefer the same of two systems"


def answer(view: View) -> Answer:
    """The first rating beside every score, and the answers about the others."""
    known = [numbers.RatingChoices(name) for name in study_ratings(view.study)]
    both = view.ask(clicks.judgments_and_clicks)
    beside = [clicks.clicks_sentence(both)] if both else []
    if not known:
        return Answer(words.NONE, more=beside)
    shown = answer_with_map(view, known[0])
    if not shown.exhibits:
        return shown
    # six ratings are answered; the page has every one
    more = [words.headline(view.ask(numbers.agreement, asked=of)) for of in known[1:6]]
    return replace(shown, more=[*shown.more, *more, *beside])


def rating_answer(view: View, asked: numbers.RatingChoices) -> Answer:
    """Every score beside a rating, where the two disagree, and which systems they prefer."""
    shown: numbers.Agreement = view.ask(numbers.agreement, asked=asked)
    if not shown.number:
        return Answer(words.headline(shown))
    said, caption = words.headline(shown), f"Scores beside {asked.rating}"
    draw = partial(figure.draw_agreement, shown)
    every = Exhibit(
        caption, lambda: view.ask(numbers.coefficients, asked=asked), draw, alt=f"Agreement. {said}"
    )
    exhibits = {"agreement": every, "agreement_apart": Exhibit(APART, shown.disagreements)}
    if shown.systems:
        exhibits["agreement_systems"] = Exhibit(PREFERRED, pd.DataFrame(shown.systems))
    behind, advice = words.figure_notes(shown), words.cautions(shown)
    return Answer(said, exhibits, behind=behind, advice=advice, methods=[words.method(shown)])


def map_exhibit(view: View, asked: numbers.RatingChoices) -> Exhibit:
    """Where over b × bq they would agree most; b and bq in force only mark their point."""
    grid = view.with_default_fields("b", "bq").ask(numbers.agreement_map, asked=asked)
    shown = view.ask(numbers.agreement, asked=asked)
    version = words.version_words(asked.version, shown.units)
    adjusted = "" if asked.version == "raw" else f", {version}"
    both = f"{words.score_words(shown)} and {words.rating_words(shown)}"
    said = words.best_point_sentence(grid, view.ask(numbers.coefficient_in_force, asked=asked))
    draw = None if grid.is_flat else partial(figure.draw_agreement_map, grid, view.bases)
    caption = f"{grid.asked.words} of {both} over b and bq{adjusted}"
    return Exhibit(caption, grid.table, draw, said, f"Map. {said}")


def answer_with_map(view: View, asked: numbers.RatingChoices) -> Answer:
    """All that is said of a rating."""
    shown = rating_answer(view, asked)
    if not shown.exhibits:
        return shown
    return replace(shown, exhibits=exhibits_with_map(shown, map_exhibit(view, asked)))


def exhibits_with_map(shown: Answer, over: Exhibit) -> Exhibits:
    """Exhibits of a rating, its map after the scores."""
    return {"agreement": shown.exhibits["agreement"], "agreement_map": over, **shown.exhibits}


def card(view: View) -> Card:
    """How far the usual score goes with the first rating."""
    if not (known := [*study_ratings(view.study)]):
        return Card(words.NONE)
    return Card(words.headline(view.ask(numbers.agreement, asked=numbers.RatingChoices(known[0]))))


def command_result(view: View, asked: numbers.RatingChoices) -> CommandResult:
    """Tables of coefficients, of the map, of what disagrees and of systems, and sentences.

    Raises
    ------
    ValueError : no such rating or score, or the filters leave nothing rated
    """
    shown: numbers.Agreement = view.ask(numbers.agreement, asked=asked)
    if not shown.number:
        raise ValueError(words.why_nothing_rated(shown, wording.FILTERS))
    said = answer_with_map(view, asked)
    over = said.exhibits["agreement_map"].said
    lines = [said.headline, over, *said.more, *said.figure_paragraphs]
    tables = {f"{name}.csv": each.table for name, each in said.exhibits.items()}
    text = "".join(f"{line}\n" for line in lines)
    return CommandResult(view, {**tables, "agreement.txt": text}, said.methods)
