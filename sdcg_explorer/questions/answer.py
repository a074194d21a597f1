"""What an answer is made of: sentences, and numbers with the figures that show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.questions.view import View

Table = pd.DataFrame | Callable[[], pd.DataFrame]


@dataclass(frozen=True, eq=False)
class Live:
    """By what lines follow the sliders: a question of analysis/curves/live.py, and its choices.

    depth : ranks of the curves, where they go by rank
    """

    view: View
    counts: Callable[..., Any]
    choices: dict[str, Any] = field(default_factory=dict[str, Any])
    depth: int | None = None


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Numbers as a table, what they are, and the figure that shows them, where one does.

    given : the table, or what makes it when it is asked for · draw : makes the figure, of curves
    from the `least` end of their axis · said : what it says in a sentence, where that is not the
    answer's · alt : the figure in words, for who can't see it · of_study : of the whole study,
    whatever definition and filters are in force · brief : the rows that a paper prints, where the
    table has more
    """

    caption: str
    given: Table
    draw: Callable[..., go.Figure] | None = None
    said: str = ""
    alt: str = ""
    live: Live | None = None
    of_study: bool = False
    brief: Callable[[], pd.DataFrame] | None = None

    @property
    def table(self) -> pd.DataFrame:
        """The numbers; a table is made anew each time."""
        return self.given() if callable(self.given) else self.given

    @cached_property
    def figure(self) -> go.Figure | None:
        """The figure, drawn once."""
        return self.draw() if self.draw else None


Exhibits = dict[str, Exhibit]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a question's page says; exhibits by their files' names, further tables by caption.

    measured : what the figure counts, and its unit · note : what stands beneath the figure as its
    own paragraph · behind : what stands behind the picture · advice : where a reader could be
    misled · more : further sentences · methods : paragraphs of a methods section
    """

    headline: str
    exhibits: Exhibits = field(default_factory=dict[str, Exhibit])
    measured: str = ""
    note: str = ""
    behind: str = ""
    advice: list[str] = field(default_factory=list[str])
    more: list[str] = field(default_factory=list[str])
    tables: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])
    methods: list[str] = field(default_factory=list[str])

    @property
    def beneath(self) -> list[str]:
        """All that stands beneath the figure, a paragraph each."""
        measured = f"{self.measured[:1].upper()}{self.measured[1:]}." if self.measured else ""
        behind = " ".join(filter(None, (measured, self.behind)))
        return [line for line in (self.note, behind, *self.advice) if line]


@dataclass(frozen=True, eq=False)
class Card:
    """What a question answers in a line, and its small figure, where it has one."""

    headline: str
    draw: Callable[[], go.Figure] | None = None
    live: Live | None = None
