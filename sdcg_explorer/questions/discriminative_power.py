"""Which score tells systems apart? A part of Side by side."""

from __future__ import annotations

from functools import partial

from sdcg_explorer.analysis.systems.discriminative_power import (
    SCORES,
    DiscriminativePower,
    discriminative_power,
)
from sdcg_explorer.figures.discriminative_power import draw_discriminative_power
from sdcg_explorer.questions.answer import Answer, Exhibit
from sdcg_explorer.questions.view import View
from sdcg_explorer.questions.words import discriminative_power as words

TITLE = "Which score tells systems apart?"
NEEDED = "Pairs that each score tells apart, and the difference it needs"


def of_scores(view: View, scores: tuple[str, ...] = SCORES) -> Answer:
    """P of the pairs by score, as a figure and as tables."""
    found: DiscriminativePower = view.ask(discriminative_power, scores=scores)
    said = words.answer(found)
    if not len(found.pairs):
        return Answer(said)
    draw = partial(draw_discriminative_power, found)
    alt = f"Discriminative power. {said}"
    exhibits = {
        "discriminative_power": Exhibit("P of pairs by score", found.pairs, draw, alt=alt),
        "discriminated": Exhibit(NEEDED, found.table),
    }
    return Answer(
        said,
        exhibits,
        behind=words.behind(found),
        advice=[words.NOT_BETTER],
        more=words.needed(found),
        methods=[words.METHOD],
    )
