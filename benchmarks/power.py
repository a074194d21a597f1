"""Does the power that is planned come about? Studies drawn from the units of simulated ones."""

from dataclasses import replace

import numpy as np
from sdcg_explorer.metrics.arrays import Floats, Ints

from benchmarks.simulated import DRAWS, SEED, layout_of, scores_of, study_of
from sdcg_explorer.questions.compare_systems.numbers import (
    BETWEEN,
    BOTH,
    PAIRED,
    STUDIES,
    Pair,
    compare,
    planning_units,
    smallest_detectable,
)
from sdcg_explorer.scoring.scored_sessions import Scored

SEARCHERS, ORIGINALS = 240, 20  # of each study that others are drawn from, and their number
DESIGNS = ("within", "between", "mixed", "paired by topic")
SIZES = (12, 24, 60)
WANTED = (0.8, 0.9)


def units_to_draw(study: Scored, pair: Pair) -> tuple[list[Ints], Ints]:
    """Units that can be drawn, of both systems or of either, and the unit of each session (N,)."""
    unit = study.topic if pair.design == PAIRED else study.unit
    of_a, of_b = (np.unique(unit[study.system == system]) for system in (0, 1))
    return [of_a, of_b] if pair.design == BETWEEN else [np.intersect1d(of_a, of_b)], unit


def ways_of(study: Scored, unit: Ints, paired: bool) -> Ints:
    """Code of which topics each unit searched with which system, (C,); topics are their own."""
    met = np.zeros((int(unit.max()) + 1, 2, 1 if paired else int(study.topic.max()) + 1))
    met[unit, study.system, 0 if paired else study.topic] = 1
    return np.unique(met.reshape(len(met), -1), axis=0, return_inverse=True)[1].ravel()


def next_one(
    study: Scored, pair: Pair, difference: float, n: int, rng: np.random.Generator
) -> Scored:
    """A study of n units of each group, drawn with replacement, whose truth is a difference.

    As many go each way about topics and systems as in the study that they are drawn from.
    """
    paired = pair.design == PAIRED
    groups, unit = units_to_draw(study, pair)
    ways = ways_of(study, unit, paired)
    picked = np.concatenate([_evenly(group, ways[group], n, rng) for group in groups])
    rows = [np.flatnonzero(unit == each) for each in picked]
    every, own = np.concatenate(rows), np.repeat(np.arange(picked.size), [r.size for r in rows])
    taken = study.take(np.ones(unit.size, dtype=bool))
    return replace(
        taken,
        score=study.score[every] + (difference - pair.difference) * (study.system[every] == 1),
        system=study.system[every],
        unit=np.arange(every.size) if paired else own,
        topic=own if paired else study.topic[every],
        queries=study.queries[every],
    )


def _evenly(units: Ints, ways: Ints, n: int, rng: np.random.Generator) -> Ints:
    """N units with replacement, each way in turn."""
    every = np.unique(ways)
    return np.array([rng.choice(units[ways == every[i % every.size]]) for i in range(n)])


def known_study(design: str, seed: int = SEED) -> Scored:
    """A large study of normal scores."""
    rng = np.random.default_rng(seed)
    if design == "paired by topic":
        topic, system = np.divmod(np.arange(2 * SEARCHERS), 2)
        layout = np.arange(topic.size), topic, system
    else:
        layout = layout_of(design, SEARCHERS)
    return study_of(scores_of("normal", rng, layout), layout)


def found_of(study: Scored, n: int, wanted: float, times: int) -> Floats:
    """Shares of studies drawn from one with p ≤ .05: by units' t, the model's t, what counts."""
    pair = compare(study, 0, 1, draws=DRAWS)
    units, reason = planning_units(pair, study)
    if reason:
        raise ValueError(reason)
    if pair.design == BOTH:  # who used one system is not drawn, and has no part in the truth
        study = study.take(np.isin(study.unit, units_to_draw(study, pair)[0]))
        pair = compare(study, 0, 1, draws=DRAWS)
    total = units.variances.sum()
    df = float((n - 1) / np.square(units.variances / total).sum())
    difference = smallest_detectable(float(np.sqrt(total / n)), df, wanted)
    rng = np.random.default_rng(SEED)
    drawn = [
        compare(next_one(study, pair, difference, n, rng), 0, 1, draws=DRAWS) for _ in range(times)
    ]
    called = np.array([[each.p_t, each.p] for each in drawn]) <= 0.05
    return np.array([units.resampled_power(difference, n, studies=times), *called.mean(axis=0)])


def row(design: str, n: int, wanted: float, studies: int) -> str:
    """Power as planned, and as it came about in studies drawn from several."""
    times = studies // ORIGINALS
    each = [found_of(known_study(design, SEED + k), n, wanted, times) for k in range(ORIGINALS)]
    every = " | ".join(f"{100 * share:.1f} %" for share in (wanted, *np.mean(each, axis=0)))
    return f"| {design} | {n * (2 if design == 'between' else 1)} | {every} |"


def bench_power(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print("| design | units | noncentral t | by units | by the model's t | by what counts |")
    print("|---|---|---|---|---|---|")
    for design in DESIGNS:
        for n in SIZES:
            for wanted in WANTED:
                print(row(design, n, wanted, studies), flush=True)
