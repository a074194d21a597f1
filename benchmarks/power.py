"""Does the power that is planned come about? Studies drawn from the units of simulated ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.arrays import Ints
from analysis.comparing.planned_by import units_of
from analysis.comparing.power import STUDIES, smallest_found
from analysis.comparing.scored_sessions import Scored
from analysis.comparing.two_systems import BETWEEN, PAIRED, Pair, compare
from benchmarks.simulated import DRAWS, SEED, layout_of, scores_of, study_of

SEARCHERS = 240  # of the study that others are drawn from
DESIGNS = ("within", "between", "mixed", "paired by topic")
SIZES = (12, 24, 60)
WANTED = (0.8, 0.9)


def drawn_from(study: Scored, pair: Pair) -> tuple[list[Ints], Ints]:
    """Units that can be drawn, of both systems or of either, and the unit of each session (N,)."""
    unit = study.topic if pair.design == PAIRED else study.unit
    of_a, of_b = (np.unique(unit[study.system == system]) for system in (0, 1))
    return [of_a, of_b] if pair.design == BETWEEN else [np.intersect1d(of_a, of_b)], unit


def next_one(
    study: Scored, pair: Pair, difference: float, n: int, rng: np.random.Generator
) -> Scored:
    """A study of n units of each group, drawn with replacement, whose truth is a difference."""
    groups, unit = drawn_from(study, pair)
    picked = np.concatenate([rng.choice(group, n) for group in groups])
    rows = [np.flatnonzero(unit == each) for each in picked]
    every, own = np.concatenate(rows), np.repeat(np.arange(picked.size), [r.size for r in rows])
    taken = study.take(np.ones(unit.size, dtype=bool))
    paired = pair.design == PAIRED
    return replace(
        taken,
        score=study.score[every] + (difference - pair.difference) * (study.system[every] == 1),
        system=study.system[every],
        unit=np.arange(every.size) if paired else own,
        topic=own if paired else study.topic[every],
        queries=study.queries[every],
    )


def known_study(design: str) -> Scored:
    """A large study of normal scores."""
    rng = np.random.default_rng(SEED)
    if design == "paired by topic":
        topic, system = np.divmod(np.arange(2 * SEARCHERS), 2)
        layout = np.arange(topic.size), topic, system
    else:
        layout = layout_of(design, SEARCHERS)
    return study_of(scores_of("normal", rng, layout), layout)


def row(design: str, n: int, wanted: float, studies: int) -> str:
    """Power as planned, and as it came about: by units' own t, the model's t, and what counts."""
    study = known_study(design)
    pair = compare(study, 0, 1, draws=DRAWS)
    units, reason = units_of(pair, study)
    if units is None:
        raise ValueError(reason)
    total, squares = units.variances.sum(), np.square(units.variances).sum()
    df = (n - 1) * total**2 / squares
    difference = smallest_found(float(np.sqrt(total / n)), float(df), wanted)
    rng = np.random.default_rng(SEED)
    found = np.zeros(2)
    for _ in range(studies):
        seen = compare(next_one(study, pair, difference, n, rng), 0, 1, draws=DRAWS)
        found += np.array([seen.p_t, seen.p]) <= 0.05
    shares = units.resampled(difference, n, studies=studies), *(found / studies)
    every = " | ".join(f"{100 * share:.1f} %" for share in (wanted, *shares))
    return f"| {design} | {n * units.groups} | {every} |"


def bench_power(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print("| design | units | noncentral t | by units | by the model's t | by what counts |")
    print("|---|---|---|---|---|---|")
    for design in DESIGNS:
        for n in SIZES:
            for wanted in WANTED:
                print(row(design, n, wanted, studies), flush=True)
