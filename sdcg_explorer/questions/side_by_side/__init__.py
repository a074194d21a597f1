"""Would another definition say otherwise?"""

import re
from dataclasses import replace
from functools import partial
from typing import Any

from sdcg_explorer.questions import clicks, methods, wording
from sdcg_explorer.questions.compare_systems.numbers import main_measures
from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.side_by_side import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, Exhibit, View
from sdcg_explorer.scoring.definition import BESIDE
from sdcg_explorer.scoring.selection import SDCG


def answer(view: View) -> Answer:
    """The means and curves under every preset."""
    shown, said = view.ask(numbers.side_by_side, presets=BESIDE), presets_answer(view, BESIDE)
    if not said.exhibits:
        return said
    more = [f"{of.name} ({words.changes_text(of.definition)})." for of in shown.definitions]
    tables = {words.title_of_means(shown): shown.table()}
    if (both := view.ask(clicks.judgments_and_clicks)) is not None:
        more.append(clicks.clicks_sentence(both))
        tables[clicks.TITLE] = both.table
    return replace(said, more=more, tables=tables)


def presets_answer(
    view: View,
    presets: tuple[str, ...],
    *,
    every: bool = False,
    length: int | None = None,
    focus: str = "",
) -> Answer:
    """Mean session curves under each definition."""
    shown = view.ask(numbers.side_by_side, presets=presets)
    look: dict[str, Any] = {"length": length, "focus": focus}
    exhibits = {
        file_name(under): Exhibit(
            f"Mean session curves, {under.name}",
            under.curves.table,
            partial(draw_session_curves, under.curves, view.systems, measure=under.measure, **look),
        )
        for under in shown.definitions
        if under.ranked
    }
    if not exhibits:
        return Answer(words.headline(shown))
    advice = [*wording.topics_apart(view), *[wording.NO_INTERVAL_OF_MEANS] * shown.lacks_intervals]
    advice += methods.not_drawn(view.definition.measures, (SDCG,))
    said = words.headline(shown, view.ask(main_measures))
    return Answer(said, exhibits, behind=words.figure_notes(shown, every=every), advice=advice)


def file_name(under: numbers.Under) -> str:
    """The name of a definition's figure."""
    return re.sub("[^a-z0-9]+", "_", f"under {under.name}".lower()).strip("_")


def card(view: View) -> Card:
    """Means of the systems' sessions under several definitions."""
    shown = view.ask(numbers.side_by_side)
    if not any(under.ranked for under in shown.definitions):
        return Card(words.headline(shown))
    small = partial(figure.draw_means_beside, shown, view.systems)
    return Card(words.headline(shown, view.ask(main_measures)), small)
