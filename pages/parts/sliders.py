"""The sliders of the panel: which numbers they move, between which ends, and where they rest."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.glossary import meaning
from analysis.live import BASES, STEP
from pages.parts import keys
from study.grades import label
from study.study import Study

LARGE = 4  # from this grade on, gains in use (90, 100) leave the shorter slider


@dataclass(frozen=True)
class Slider:
    """A slider for the exact entry of a key; beyond its ends it rests at the nearer."""

    key: str
    words: str
    ends: tuple[float, float]
    step: float
    about: str | None

    @property
    def rest(self) -> float:
        """Where it stands for the exact entry."""
        low, high = self.ends
        return min(max(st.session_state[self.key], low), high)


def sliders_of(study: Study) -> list[Slider]:
    """Those of both bases and of each grade's gain."""
    bases = [
        Slider(keys.B, "b, rank: impatient … patient", BASES, STEP, meaning("b")),
        Slider(keys.BQ, "bq, query: impatient … patient", BASES, STEP, meaning("bq")),
    ]
    gains = [
        Slider(
            keys.gain(label(grade)),
            f"Gain of grade {label(grade)} ({count:,} judgments)",
            (0.0, 1000.0 if grade >= LARGE else 100.0),
            1.0,
            None if i else meaning("gain"),
        )
        for i, (grade, count) in enumerate(zip(study.labels, study.grade_counts, strict=True))
    ]
    return [*bases, *gains]
