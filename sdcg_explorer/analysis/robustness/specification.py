"""A difference under many definitions: how many say what, and which choice moves it most."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.robustness.win_counts import Lead
from sdcg_explorer.analysis.sessions.other_measures import Measured
from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES, SHARES
from sdcg_explorer.metrics import Score
from sdcg_explorer.study.grades import label


@dataclass(frozen=True, eq=False)
class AllDefinitions:
    """The difference of two systems (second less first) under every combination of choices.

    measure : the score as it is said under the definition in force · choices : options of each
    choice that moves anything, in the order of the axes · idle : the
    others · value, low, high, p : an axis per choice; intervals of these two alone · bounded :
    where no share can pass 1 · pairs : of systems, of which these are one · present : difference,
    ends and p after Holm under the definition in force · in_force : its option of each choice
    """

    score: str
    measure: Score[Measured]
    systems: tuple[str, str]
    choices: dict[str, tuple[Any, ...]]
    idle: tuple[str, ...]
    value: Floats
    low: Floats
    high: Floats
    p: Floats
    bounded: Bools
    pairs: int = 1
    present: tuple[float, ...] = ()
    in_force: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def unit(self) -> str:
        """What differences are counted in."""
        if standardises(self.score):
            return "standard deviations of sessions"
        return self.measure.unit

    @property
    def lead(self) -> Lead:
        """Under which definitions who is ahead, and where clearly."""
        return Lead(self.systems, self.value, self.p, self.pairs)

    def under(self, present: tuple[float, ...], definition: Definition) -> AllDefinitions:
        """The same with another definition in force, and the difference under it."""
        own = {name: getattr(definition, name) for name in self.choices}
        return replace(self, present=present, in_force=own)

    def moved(self) -> dict[str, float]:
        """Mean absolute change of the difference when a choice alone changes, largest first."""
        changes = {name: _mean_change(self.value, axis) for axis, name in enumerate(self.choices)}
        return dict(sorted(changes.items(), key=lambda own: -own[1]))

    def moved_table(self) -> pd.DataFrame:
        """One row per choice, that which moves most first."""
        rows = [
            {"choice": WORDS[n], "mean absolute change": change, "options": len(self.choices[n])}
            for n, change in self.moved().items()
        ]
        return pd.DataFrame(rows, columns=["choice", "mean absolute change", "options"])

    def order(self) -> Ints:
        """Definitions from the smallest difference to the largest, as places in flat axes."""
        return np.argsort(self.value, axis=None, kind="stable")

    def table(self) -> pd.DataFrame:
        """One row per definition, in the order of the differences."""
        options = product(*(map(_cell, options) for options in self.choices.values()))
        table = pd.DataFrame(list(options), columns=list(self.choices))
        for name in ("value", "low", "high", "bounded"):
            table[name] = getattr(self, name).ravel()
        table = table.rename(columns={"value": "difference"}).iloc[self.order()]
        a, b = self.systems
        names = {"score": self.score, "system_a": a, "system_b": b}
        return table.assign(**names)[[*names, *table]].reset_index(drop=True)


def _cell(option: Any) -> Any:
    """An option as a table has it: gains given grade by grade are one text."""
    if not isinstance(option, tuple):
        return option
    return " ".join(f"{label(grade)}={gain:g}" for grade, gain in option)


WORDS = {
    "top": "the number of ranks that count",
    "repeats": "what repeats count",
    "weights": "the weights of grades",
    "discount": "the discount's form",
    "ideal": "the ideal",
    "average": "the average",
    "b": "b",
    "bq": "bq",
}


def standardises(score: str) -> bool:
    """Whether differences under several weights are only comparable in standard deviations."""
    return ALL_SESSION_SCORES[score].unit not in SHARES


def _mean_change(value: Floats, axis: int) -> float:
    """Mean absolute difference of two options of a choice, all else alike, where both are known."""
    pairs = combinations(np.moveaxis(value, axis, 0), 2)
    apart = np.concatenate([np.abs(one - two).ravel() for one, two in pairs])
    known = apart[~np.isnan(apart)]
    return float(known.mean()) if known.size else 0.0
