"""The sliders of a definition's numbers, as the app and the report have them."""

from __future__ import annotations

from dataclasses import dataclass

from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.scoring.definition import BASES, FIELDS, SCALE, Definition
from sdcg_explorer.study.grades import label, short_label
from sdcg_explorer.study.study import Study

LARGE = 4  # from this grade on, gains in use (90, 100) leave the shorter slider


@dataclass(frozen=True)
class Slider:
    """A slider of a number, and what it passes.

    key : of the number, in links and session state · name : of the number in a sentence
    """

    key: str
    name: str
    words: str
    scale: tuple[float, ...]
    about: str | None = None


def study_sliders(study: Study) -> list[Slider]:
    """Those of both bases and of each grade's gain."""
    bases = [Slider(name, name, FIELDS[name].words, SCALE, meaning(name)) for name in BASES]
    gains = [
        Slider(
            f"w{label(grade)}",
            f"gain of grade {short_label(grade)}",
            f"Gain of grade {short_label(grade)}",
            tuple(map(float, range(1001 if grade >= LARGE else 101))),
        )
        for grade in study.labels
    ]
    return [*bases, *gains]


def slider_numbers(definition: Definition, study: Study) -> dict[str, float]:
    """The numbers of a definition that sliders move, by their keys."""
    each = [definition.b, definition.bq, *definition.gains(study.labels).tolist()]
    return dict(zip((slider.key for slider in study_sliders(study)), each, strict=True))
