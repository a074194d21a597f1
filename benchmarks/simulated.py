"""Do the tests of two systems keep their promises? Simulated studies with a known difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.mixed_model import mixed_model
from analysis.pair import Scored, compare

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
STUDIES, DRAWS, SEED = 5_000, 399, 2008
TOPICS = 4
GAINS = np.array([0.0, 1.0, 10.0, 100.0])
SCORES = ("normal", "skewed", "gains 0-1-10-100")
DESIGNS = ("within", "between", "mixed")
FEW, FITS = 8, 400  # searchers and studies for Wald's p


@dataclass(frozen=True)
class Kept:
    """Shares of simulated studies."""

    false_positives: float
    covered: float

    def words(self) -> str:
        """Both in per cent."""
        return f"{100 * self.false_positives:.1f} % | {100 * self.covered:.1f} %"


def systems_of(design: str, searchers: int) -> Ints:
    """System of each searcher on each topic, (searchers, TOPICS).

    Within: two topics with each, all six ways in turn (S08's design). Between: one system each.
    Mixed: as within, but a sixth of the searchers used one system alone.
    """
    ways = [
        [0 if topic in pair else 1 for topic in range(TOPICS)]
        for pair in combinations(range(TOPICS), 2)
    ]
    found = np.array([*islice(cycle(ways), searchers)])
    alone = {"within": 0, "between": searchers, "mixed": searchers // 6}[design]
    found[:alone] = np.arange(alone)[:, None] % 2
    return found


def scores_of(kind: str, rng: np.random.Generator, searchers: int) -> Floats:
    """Scores without any difference of systems, (searchers, TOPICS), about 1 apart."""
    topic, searcher = rng.normal(0, 0.7, TOPICS), rng.normal(0, 0.5, (searchers, 1))
    noise = rng.normal(0, 1, (searchers, TOPICS))
    if kind == "normal":
        return topic + searcher + noise
    if kind == "skewed":
        return np.exp(0.7 * (topic + searcher + noise))
    found = 1 / (1 + np.exp(1.5 - topic - searcher))  # chance that a result is relevant
    relevant = rng.random((searchers, TOPICS, 10)) < found[..., None]
    grades = rng.choice(GAINS[1:], relevant.shape, p=[0.5, 0.3, 0.2]) * relevant
    return (grades / (1 + np.log2(np.arange(1, 11)))).sum(axis=2) / 50


def study_of(scores: Floats, systems: Ints) -> Scored:
    """Scores as a comparison takes them, a session per searcher and topic."""
    unit, topic = np.indices(systems.shape)
    ones = np.ones(systems.size, dtype=np.int64)
    coded = systems.ravel().astype(np.int64)
    return Scored(scores.ravel(), coded, unit.ravel(), topic.ravel(), ones, ("A", "B"))


def promises(
    design: str, kind: str, *, studies: int = STUDIES, searchers: int = 30, planted: float = 0.5
) -> Kept:
    """Share of studies without a difference that are called different, and of those covered."""
    rng = np.random.default_rng(SEED)
    systems = systems_of(design, searchers)
    called = covered = 0
    for _ in range(studies):
        scores = scores_of(kind, rng, searchers)
        called += compare(study_of(scores, systems), 0, 1, draws=DRAWS).p_permutation <= 0.05
        pair = compare(study_of(scores + planted * systems, systems), 0, 1, draws=1)
        covered += pair.low <= planted <= pair.high
    return Kept(called / studies, covered / studies)


def wald(searchers: int, *, studies: int = FITS) -> float:
    """Share of studies without a difference that the mixed model's p calls different."""
    rng = np.random.default_rng(SEED)
    systems = systems_of("between", searchers)
    scores = [scores_of("normal", rng, searchers) for _ in range(studies)]
    found = [mixed_model(study_of(each, systems), 0, 1).p for each in scores]
    return float(np.mean([p <= 0.05 for p in found]))


def bench_promises(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print(f"{studies:,} simulated studies × {DRAWS} permutations")
    print("| design | scores | called different without a difference | interval covers |")
    print("|---|---|---|---|")
    for design in DESIGNS:
        for kind in SCORES:
            print(f"| {design} | {kind} | {promises(design, kind, studies=studies).words()} |")
    for searchers in (FEW, 30):
        called = f"mixed model (Wald): {100 * wald(searchers):.1f} %"
        print(f"| between, {searchers} searchers | normal | {called} | |")
