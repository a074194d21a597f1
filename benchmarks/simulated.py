"""Do the tests of two systems keep their promises? Simulated studies with a known difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, cycle, islice

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.comparing.log_rank import clustered_log_rank, log_rank
from analysis.comparing.mixed_model import mixed_model
from analysis.comparing.scored_sessions import Scored
from analysis.comparing.two_systems import compare

STUDIES, DRAWS, SEED = 5_000, 399, 2008
SEARCHERS, TOPICS = 30, 4
GAINS = np.array([0.0, 1.0, 10.0, 100.0])
SCORES = ("normal", "skewed", "gains 0-1-10-100")
DESIGNS = ("within", "between", "mixed", "two sessions per topic", "paired by topic")
FEW, FITS = 8, 400  # searchers and studies for Wald's p
GO_ON, LONGEST = 0.45, 40  # logit of the chance to ask again; queries of the longest session
Layout = tuple[Ints, Ints, Ints]  # searcher, topic and system of each session (N,)


@dataclass(frozen=True)
class Kept:
    """Shares of simulated studies."""

    false_positives: float
    covered: float

    def words(self) -> str:
        """Both in per cent."""
        return f"{100 * self.false_positives:.1f} % | {100 * self.covered:.1f} %"


def layout_of(design: str, searchers: int = SEARCHERS) -> Layout:
    """Who searched what with which system.

    Within: two topics with each, all six ways in turn (S08's design). Between: one system each.
    Mixed: as within, but a sixth of the searchers used one system alone. Two sessions per topic:
    each searcher one with each system, on topics that one other met the other way round. Paired by
    topic: a session of each system on 12 topics, nobody named.
    """
    if design == "two sessions per topic":
        unit, system = np.divmod(np.arange(2 * searchers), 2)
        return unit, 2 * (unit // 2) + (unit + system) % 2, system
    if design == "paired by topic":
        topic, system = np.divmod(np.arange(24), 2)
        return np.arange(24), topic, system
    ways = [
        [0 if topic in pair else 1 for topic in range(TOPICS)]
        for pair in combinations(range(TOPICS), 2)
    ]
    system = np.array([*islice(cycle(ways), searchers)])
    alone = {"within": 0, "between": searchers, "mixed": searchers // 6}[design]
    system[:alone] = np.arange(alone)[:, None] % 2
    unit, topic = np.indices(system.shape)
    return unit.ravel(), topic.ravel(), system.ravel()


def scores_of(kind: str, rng: np.random.Generator, layout: Layout) -> Floats:
    """Scores without any difference of systems, (N,), about 1 apart."""
    unit, topic, _ = layout
    of_topic = rng.normal(0, 0.7, topic.max() + 1)[topic]
    both = of_topic + rng.normal(0, 0.5, unit.max() + 1)[unit]
    noise = rng.normal(0, 1, unit.size)
    if kind == "normal":
        return both + noise
    if kind == "skewed":
        return np.exp(0.7 * (both + noise))
    found = 1 / (1 + np.exp(1.5 - both))  # chance that a result is relevant
    relevant = rng.random((unit.size, 10)) < found[:, None]
    grades = rng.choice(GAINS[1:], relevant.shape, p=[0.5, 0.3, 0.2]) * relevant
    return (grades / (1 + np.log2(np.arange(1, 11)))).sum(axis=1) / 50


def study_of(scores: Floats, layout: Layout) -> Scored:
    """Scores as a comparison takes them."""
    unit, topic, system = layout
    return Scored(scores, system, unit, topic, np.ones_like(unit), ("A", "B"))


def promises(design: str, kind: str, *, studies: int = STUDIES, planted: float = 0.5) -> Kept:
    """Share of studies without a difference that are called different, and of those covered."""
    rng = np.random.default_rng(SEED)
    layout = layout_of(design)
    called = covered = 0
    for _ in range(studies):
        scores = scores_of(kind, rng, layout)
        called += compare(study_of(scores, layout), 0, 1, draws=DRAWS).p_permutation <= 0.05
        pair = compare(study_of(scores + planted * layout[2], layout), 0, 1, draws=1)
        covered += pair.low <= planted <= pair.high
    return Kept(called / studies, covered / studies)


def wald(searchers: int, *, studies: int = FITS) -> float:
    """Share of studies without a difference that the mixed model's p calls different."""
    rng = np.random.default_rng(SEED)
    layout = layout_of("between", searchers)
    scores = [scores_of("normal", rng, layout) for _ in range(studies)]
    found = [mixed_model(study_of(each, layout), 0, 1).p for each in scores]
    return float(np.mean([p <= 0.05 for p in found]))


def stopped(
    design: str, searchers: int, *, spread: float = 1.0, studies: int = STUDIES
) -> tuple[float, float]:
    """Share of studies in which systems stop alike that log-rank tests call different.

    As if sessions were independent, and clustered; searchers go on with chances `spread` apart on
    the logit.
    """
    rng = np.random.default_rng(SEED)
    unit, _, system = layout_of(design, searchers)
    called = np.zeros(2)
    for _ in range(studies):
        stops = 1 / (1 + np.exp(GO_ON + rng.normal(0, spread, searchers)))[unit]
        lengths = np.minimum(rng.geometric(stops), LONGEST)
        tests = log_rank(lengths, system), clustered_log_rank(lengths, system, unit)
        called += [test.p <= 0.05 for test in tests]
    plain, clustered = (called / studies).tolist()
    return plain, clustered


def bench_stopping(studies: int) -> None:
    """Print the second table of docs/statistics.md."""
    print("| design | searchers | log-rank as if independent | clustered |")
    print("|---|---|---|---|")
    for design in ("within", "between"):
        for searchers in (SEARCHERS, 10):
            plain, clustered = stopped(design, searchers, studies=studies)
            print(f"| {design} | {searchers} | {100 * plain:.1f} % | {100 * clustered:.1f} % |")


def bench_promises(studies: int = STUDIES) -> None:
    """Print the tables of docs/statistics.md."""
    print(f"{studies:,} simulated studies × {DRAWS} permutations")
    print("| design | scores | called different without a difference | interval covers |")
    print("|---|---|---|---|")
    for design in DESIGNS:
        for kind in SCORES:
            print(f"| {design} | {kind} | {promises(design, kind, studies=studies).words()} |")
    for searchers in (FEW, SEARCHERS):
        called = f"mixed model (Wald): {100 * wald(searchers):.1f} %"
        print(f"| between, {searchers} searchers | normal | {called} | |")
    bench_stopping(studies)
