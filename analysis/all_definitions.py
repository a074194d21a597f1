"""All reasonable definitions at once: a difference under each, and which choice moves it most."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import Bools, Floats, Ints
from analysis.comparing.ahead import who_is_ahead
from analysis.comparing.many_scores import compared
from analysis.comparing.of_the_view import SHARES, USUAL
from analysis.comparing.pairs import every_pair
from analysis.definition.definition import CHOICES, Definition, Filters
from analysis.plane import Plane, linearised
from analysis.registry import SESSION_SCORES
from analysis.selection import Selection, select
from analysis.wording import enumerated, short
from metrics import FORMS, WEIGHTINGS, normalised
from study.grades import label
from study.study import Study

B, BQ, TOP = (2.0, 4.0, 10.0), (2.0, 4.0, 10.0, math.inf), (5, 10, 20)
VARIED: dict[str, tuple[Any, ...]] = {  # the choices, outermost first
    "top": TOP,
    "repeats": CHOICES["repeats"],
    "weights": tuple(WEIGHTINGS),
    "discount": tuple(FORMS),
    "ideal": CHOICES["ideal"],
    "average": CHOICES["average"],
    "b": B,
    "bq": BQ,
}
OUTER = ("top", "repeats", "weights")  # the first of these, which make another look at sessions
INNER = ("discount", "ideal", "average")
RATIO = "final_normalised"  # the score that a ratio of means is of
NOT_VARIED = (
    "Not varied, and as the definition in force has them: unjudged results, short lists, what "
    "follows the last query, and whose grades count."
)
SOURCES = "Simonsohn, Simmons and Nelson 2020; Steegen and others 2016"
MOVED = "Mean absolute change when a choice alone changes"
SAME = 1e-9  # of the largest difference: what moves it less moves nothing


@dataclass(frozen=True, eq=False)
class AllDefinitions:
    """The difference of two systems (second less first) under every combination of choices.

    choices : options of each choice that moves anything, in the order of the axes · idle : the
    others · value, low, high : an axis per choice · bounded : where no share can pass 1 · present :
    difference and ends under the definition in force · in_force : its option of each choice
    """

    score: str
    systems: tuple[str, str]
    choices: dict[str, tuple[Any, ...]]
    idle: tuple[str, ...]
    value: Floats
    low: Floats
    high: Floats
    bounded: Bools
    present: tuple[float, ...] = ()
    in_force: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def unit(self) -> str:
        """What differences are counted in."""
        if standardises(self.score):
            return "standard deviations of sessions"
        return SESSION_SCORES[self.score].unit

    def answer(self) -> str:
        """How many definitions say what."""
        estimates = self.value, self.low, self.high
        return f"{who_is_ahead(self.systems, estimates, 'under', 'definitions')}."

    def said(self) -> list[str]:
        """Of those that bound, the definition in force, what moves most, and what nothing moves."""
        bound, sentences = self.bounded, list[str]()
        if not bound.all():
            own = self.value[bound], self.low[bound], self.high[bound]
            places = "definitions under which no share can pass 1"
            sentences = [f"{who_is_ahead(self.systems, own, 'under', places)}."]
        return [*sentences, self._now(), *self._which_move()]

    def _now(self) -> str:
        value, low, high = self.present
        if math.isnan(value):
            return "Under the definition in force no difference is known."
        first, second = self.systems
        ends = f"95 % interval {short(low)} to {short(high)}"
        shown = "no interval" if math.isnan(low) else ends
        difference = f"{second} − {first} is {short(value)} {self.unit}"
        return f"Under the definition in force {difference} ({shown})."

    def _which_move(self) -> list[str]:
        moved = self.moved()
        name, change = next(iter(moved.items()), ("", math.nan))
        most = f"What moves the difference most is {WORDS.get(name, '')}: "
        most += f"by {short(change)} {self.unit} on average when it alone changes."
        idle = [WORDS[each] for each in self.idle]
        still = f"Without effect on this score: {enumerated(idle)}." if idle else ""
        return [*([most] if name else []), *([still] if idle else []), NOT_VARIED]

    def method(self) -> str:
        """A paragraph of a methods section."""
        varied = [f"{WORDS[name]} ({len(options)})" for name, options in self.choices.items()]
        first, second = self.systems
        of = f"{second} − {first} in {SESSION_SCORES[self.score].words}"
        if not varied:
            return f"Specification curve: no choice of the definition moves {of}."
        return (
            f"Specification curve: {of} under all {self.value.size:,} combinations of "
            f"{enumerated(varied)} ({SOURCES}), with intervals as of the comparison, which are "
            "not corrected for their number."
        )

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
        for place, name in reversed([*zip("ab", self.systems, strict=True)]):
            table.insert(0, f"system_{place}", name)
        table.insert(0, "score", self.score)
        return table.reset_index(drop=True)


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


def all_definitions(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    pair: tuple[str, str] | None = None,
) -> AllDefinitions | None:
    """The difference of a pair (or of those that differ most); None where no two can be compared.

    What is not varied stays as the definition in force has it.

    Source: Simonsohn, Simmons & Nelson (2020), specification curve; Steegen et al. (2016).

    Raises
    ------
    ValueError : no such score
    """
    one = every_pair(study, definition, filters, score).chosen(pair)
    if one is None:
        return None
    systems, varied = (one.system_a, one.system_b), _varied(definition, score)
    outer = product(*(varied[name] for name in OUTER))
    parts = [
        _under(
            select(study, replace(definition, **dict(zip(OUTER, some, strict=True))), filters),
            score,
            systems,
            varied,
        )
        for some in outer
    ]
    shape = [len(options) for options in varied.values()]
    value, low, high = (np.concatenate(each).reshape(shape) for each in zip(*parts, strict=True))
    if np.isnan(value).all():
        return None
    kept = _kept(value, varied)
    some = tuple(slice(None) if name in kept else 0 for name in varied)
    excess = np.logical_and.outer(
        np.array([repeats == "every" for repeats in varied["repeats"]]),
        np.array([ideal == "spread" for ideal in varied["ideal"]]),
    )
    bounded = np.broadcast_to(~excess[None, :, None, None, :, None, None, None], shape)
    every = AllDefinitions(
        score,
        systems,
        choices={name: varied[name] for name in kept},
        idle=tuple(name for name in VARIED if name not in kept),
        value=value[some],
        low=low[some],
        high=high[some],
        bounded=bounded[some],
    )
    now = present(study, definition, filters, score=score, pair=systems)
    return every.under(now, definition)


def present(
    study: Study, definition: Definition, filters: Filters, *, score: str, pair: tuple[str, str]
) -> tuple[float, ...]:
    """The difference of a pair under the definition in force, with both ends of its interval."""
    now = every_pair(study, definition, filters, score)
    own = now.chosen(pair)
    estimates = np.array([own.difference, own.low, own.high] if own else [np.nan] * 3)
    spread = np.array(np.std(now.scored.score) if standardises(score) else 1.0)
    return tuple(normalised(estimates, spread).tolist())


def _varied(definition: Definition, score: str) -> dict[str, tuple[Any, ...]]:
    """Options of each choice; weights given grade by grade are one more, averages of one score."""
    varied = dict(VARIED)
    if score != RATIO:
        varied["average"] = (definition.average,)
    if not isinstance(definition.weights, str):
        varied["weights"] = (*varied["weights"], definition.weights)
    return varied


def _kept(value: Floats, varied: dict[str, tuple[Any, ...]]) -> list[str]:
    """Choices that move the difference, or decide whether there is one."""
    level = SAME * float(np.fmax.reduce(np.abs(value), axis=None))
    known = ~np.isnan(value)
    return [
        name
        for axis, name in enumerate(varied)
        if (np.fmax.reduce(value, axis=axis) - np.fmin.reduce(value, axis=axis) > level).any()
        or (known.any(axis=axis) != known.all(axis=axis)).any()
    ]


def _under(
    chosen: Selection, score: str, systems: tuple[str, str], varied: dict[str, tuple[Any, ...]]
) -> tuple[Floats, Floats, Floats]:
    """Differences and their ends under every form, ideal, average, b and bq, (P,) each."""
    every = [
        _scores(chosen, replace(chosen.definition, **dict(zip(INNER, some, strict=True))), score)
        for some in product(*(varied[name] for name in INNER))
    ]
    scores = np.concatenate(every, axis=1)
    value, low, high = compared(chosen, scores, systems)
    spread = np.nanstd(scores, axis=0) if standardises(score) else np.ones(len(value))
    return normalised(value, spread), normalised(low, spread), normalised(high, spread)


def standardises(score: str) -> bool:
    """Whether differences under several weights are only comparable in standard deviations."""
    return SESSION_SCORES[score].unit not in SHARES


def _scores(chosen: Selection, definition: Definition, score: str) -> Floats:
    """The score of each session under every b and bq, (S, B · K)."""
    plane = Plane(chosen.discounted_by(definition), B, BQ)
    scores = plane.scores(score)
    if score == RATIO and definition.average == "ratio-of-means":
        scores = np.where(np.isnan(scores), np.nan, linearised(plane))
    return scores.reshape(len(scores), len(B) * len(BQ))


def _mean_change(value: Floats, axis: int) -> float:
    """Mean absolute difference of two options of a choice, all else alike, where both are known."""
    pairs = combinations(np.moveaxis(value, axis, 0), 2)
    apart = np.concatenate([np.abs(one - two).ravel() for one, two in pairs])
    known = apart[~np.isnan(apart)]
    return float(known.mean()) if known.size else 0.0
