"""All reasonable definitions at once: a difference under each, and which choice moves it most."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import CHOICES, DEFAULT, Definition, Filters
from sdcg_explorer.analysis.robustness.base_grid import Plane, linearised
from sdcg_explorer.analysis.robustness.base_grid_scores import session_scores_over
from sdcg_explorer.analysis.robustness.specification import AllDefinitions, standardises
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.analysis.sessions.family import under
from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES, USUAL
from sdcg_explorer.analysis.statistics.many_scores import compared
from sdcg_explorer.analysis.systems.pairs import Pairs, every_pair
from sdcg_explorer.analysis.systems.two_systems import Pair
from sdcg_explorer.metrics import FORMS, WEIGHTINGS, normalised
from sdcg_explorer.study.study import Study

B, BQ, TOPS = (2.0, 4.0, 10.0), (2.0, 4.0, 10.0, math.inf), (5, 10, 20)
VARIED: dict[str, tuple[Any, ...]] = {  # the choices, outermost first
    "top": TOPS,
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
MOST_UNDER_ALL = 1_000  # sessions that are compared without being asked: some 8 seconds at most
SAME = 1e-9  # of the largest difference: what moves it less moves nothing


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
    now = every_pair(study, definition, filters, score)
    one = now.chosen(pair)
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
    every = (np.concatenate(each).reshape(shape) for each in zip(*parts, strict=True))
    value, low, high, p = every
    if np.isnan(value).all():
        return None
    kept = _kept(value, varied)
    some = tuple(slice(None) if name in kept else 0 for name in varied)
    excess = np.logical_and.outer(
        np.array([repeats == "every" for repeats in varied["repeats"]]),
        np.array([ideal == "spread" for ideal in varied["ideal"]]),
    )
    bounded = np.broadcast_to(~excess[None, :, None, None, :, None, None, None], shape)
    found = AllDefinitions(
        score,
        under(definition, score, ALL_SESSION_SCORES[score]),
        systems,
        choices={name: varied[name] for name in kept},
        idle=tuple(name for name in VARIED if name not in kept),
        value=value[some],
        low=low[some],
        high=high[some],
        p=p[some],
        bounded=bounded[some],
        pairs=len(now.pairs),
    )
    return found.under(_present(now, one, score), definition)


def unvaried(definition: Definition) -> Definition:
    """What of a definition changes the answer: the rest of it is varied anyhow."""
    kept = {} if isinstance(definition.weights, str) else {"weights": definition.weights}
    return replace(definition, **{name: getattr(DEFAULT, name) for name in VARIED} | kept)


def is_quick(study: Study, definition: Definition, filters: Filters) -> bool:
    """Whether the sessions are so few that all definitions need not be asked for."""
    return select(study, definition, filters).sample.sessions.size <= MOST_UNDER_ALL


def present(
    study: Study, definition: Definition, filters: Filters, *, score: str, pair: tuple[str, str]
) -> tuple[float, ...]:
    """The difference of a pair under the definition in force, its interval, and p after Holm."""
    now = every_pair(study, definition, filters, score)
    return _present(now, now.chosen(pair), score)


def _present(now: Pairs, own: Pair | None, score: str) -> tuple[float, ...]:
    if own is None:
        return (math.nan,) * 4
    spread = np.array(np.std(now.scored.score) if standardises(score) else 1.0)
    estimates = normalised(np.array([own.difference, own.low, own.high]), spread)
    return *estimates.tolist(), float(now.p_holm[now.pairs.index(own)])


def _varied(definition: Definition, score: str) -> dict[str, tuple[Any, ...]]:
    """Options of each choice; weights given grade by grade are one more, averages of one score."""
    varied = dict(VARIED)
    if score != USUAL:  # which alone a ratio of means is of
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
) -> tuple[Floats, ...]:
    """Differences, ends and p under every form, ideal, average, b and bq, (P,) each."""
    every = [
        _scores(chosen, replace(chosen.definition, **dict(zip(INNER, some, strict=True))), score)
        for some in product(*(varied[name] for name in INNER))
    ]
    scores = np.concatenate(every, axis=1)
    found = compared(chosen, scores, systems)
    spread = np.nanstd(scores, axis=0) if standardises(score) else np.ones(found.value.size)
    return *(normalised(each, spread) for each in (found.value, *found.interval())), found.p


def _scores(chosen: Selection, definition: Definition, score: str) -> Floats:
    """The score of each session under every b and bq, (S, B · K)."""
    plane = Plane(chosen.discounted_by(definition), B, BQ)
    scores = session_scores_over(plane, score)
    if score == USUAL and definition.average == "ratio-of-means":
        scores = np.where(np.isnan(scores), np.nan, linearised(plane))
    return scores.reshape(len(scores), len(B) * len(BQ))
