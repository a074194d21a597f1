"""Do the tests of two systems keep their promises? Simulated studies with a known difference."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, cycle, islice

import numpy as np
from sdcg_explorer.metrics.arrays import Floats, Ints

from sdcg_explorer.questions.compare_systems.numbers import compare
from sdcg_explorer.questions.session_curves.numbers import log_rank, log_rank_p_by_searcher
from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.statistics.two_way import Sessions, TwoWay

STUDIES, DRAWS, SEED = 4_000, 399, 2008
LEARNING_STUDIES, LEARNED = 1_000, 0.3  # of a searcher's sessions, for each place more
SEARCHERS, TOPICS, PLANTED = 30, 4, 0.6
GAINS = np.array([0.0, 1.0, 10.0, 100.0])
SCORES = ("normal", "skewed", "gains 0-1-10-100")
NAMES = ("A", "B", "C")
UNEVEN = 0.77  # of the sessions on a topic that one system has
GO_ON, LONGEST = 0.45, 40  # logit of the chance to ask again; queries of the longest session
Layout = tuple[Ints, Ints, Ints]  # searcher, topic and system of each session (N,)
Drawn = tuple[Layout, Floats]  # with scores (N,) that systems have no part in


@dataclass(frozen=True)
class Kept:
    """Shares of simulated studies, and the mean difference that was found."""

    by_t: float
    by_permutation: float
    called: float
    covered: float
    share_covered: float
    power: float
    difference: float

    def words(self) -> str:
        """Shares in per cent; no permutation where there is none."""
        bare = self.by_permutation != self.by_permutation
        by_permutation = "–" if bare else _percent(self.by_permutation)
        shares = self.called, self.covered, self.share_covered, self.power
        every = _percent(self.by_t), by_permutation, *map(_percent, shares)
        return " | ".join([*every, f"{self.difference:.3f}"])


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


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


def balanced(rng: np.random.Generator, *, design: str, kind: str) -> Drawn:
    """Studies of a fixed layout."""
    layout = layout_of(design)
    return layout, scores_of(kind, rng, layout)


def unequal(
    rng: np.random.Generator,
    *,
    sizes: tuple[int, int] = (5, 15),
    spreads: tuple[float, float] = (1.5, 0.5),
    noises: tuple[float, float] = (1.0, 1.0),
) -> Drawn:
    """Searchers of one system each, on all topics, more of them and less apart with the second."""
    of = np.repeat([0, 1], sizes)
    unit, topic = (each.ravel() for each in np.indices((of.size, TOPICS)))
    scores = rng.normal(0, 0.7, TOPICS)[topic] + rng.normal(0, np.array(spreads)[of])[unit]
    return (unit, topic, of[unit]), scores + rng.normal(0, np.array(noises)[of][unit])


def uneven(rng: np.random.Generator, *, searchers: int) -> Drawn:
    """Topics that mostly one of the systems had."""
    unit, topic = (each.ravel() for each in np.indices((searchers, TOPICS)))
    system = (rng.random(unit.size) < np.where(topic < 2, UNEVEN, 1 - UNEVEN)).astype(int)
    layout = unit, topic, system
    return layout, scores_of("normal", rng, layout)


def of_runs(rng: np.random.Generator, *, kind: str) -> Drawn:
    """Twelve tasks, one to five runs of each system on each, which do better on some by chance."""
    cell = np.repeat(np.arange(24), rng.integers(1, 6, 24))
    topic, system = np.divmod(cell, 2)
    scores = scores_of(kind, rng, (cell, topic, system))
    return (np.arange(cell.size), topic, system), scores


def two_of_three(rng: np.random.Generator) -> Drawn:
    """Each searcher used two of three systems, two topics with each."""
    pairs = np.array([[0, 1], [0, 2], [1, 2]])[np.arange(SEARCHERS) % 3]
    order = rng.permuted(np.tile([0, 0, 1, 1], (SEARCHERS, 1)), axis=1)
    unit, topic = (each.ravel() for each in np.indices((SEARCHERS, TOPICS)))
    layout = unit, topic, np.take_along_axis(pairs, order, axis=1).ravel()
    return layout, scores_of("normal", rng, layout)


def some_of_many_topics(rng: np.random.Generator) -> Drawn:
    """24 searchers of one system each, on 3 of 24 topics, hardly any two on the same."""
    topic = np.concatenate([rng.choice(24, 3, replace=False) for _ in range(24)])
    unit = np.repeat(np.arange(24), 3)
    layout = unit, topic, unit % 2
    return layout, scores_of("normal", rng, layout)


DESIGNS = ("within", "between", "mixed", "two sessions per topic", "paired by topic")
NOISE = partial(unequal, spreads=(0.5, 0.5), noises=(3.0, 1.0))
RUNS = "paired by topic, 1 to 5 runs each"
ROWS: dict[str, Callable[[np.random.Generator], Drawn]] = {
    f"{design} | {kind}": partial(balanced, design=design, kind=kind)
    for design in DESIGNS
    for kind in SCORES
} | {
    **{
        f"paired by topic, 1 to 5 runs each | {kind}": partial(of_runs, kind=kind)
        for kind in SCORES
    },
    "between, 5 against 15 searchers 3 times as far apart | normal": unequal,
    "between, 5 against 15, noise 3 times as large | normal": NOISE,
    **{
        f"uneven topics, {n} searchers | normal": partial(uneven, searchers=n)
        for n in (24, 60, 120)
    },
    "two of three systems each | normal": two_of_three,
    "between, 3 of 24 topics each | normal": some_of_many_topics,
}


def study_of(scores: Floats, layout: Layout) -> Scored:
    """Scores as a comparison takes them."""
    unit, topic, system = layout
    return Scored(scores, system, unit, topic, np.ones_like(unit), NAMES[: system.max() + 1])


def promises(
    draw: Callable[[np.random.Generator], Drawn],
    *,
    studies: int = STUDIES,
    planted: float = PLANTED,
) -> Kept:
    """What becomes of studies without a difference, and of those with a planted one."""
    rng = np.random.default_rng(SEED)
    found: list[tuple[float, ...]] = []
    for _ in range(studies):
        layout, scores = draw(rng)
        pair = compare(study_of(scores, layout), 0, 1, draws=DRAWS)
        none = not pair.superiority_low > 0.5 and not pair.superiority_high < 0.5
        called = [pair.p_t <= 0.05, pair.p_permutation, pair.p <= 0.05]
        pair = compare(study_of(scores + planted * (layout[2] == 1), layout), 0, 1, draws=DRAWS)
        covered = pair.low <= planted <= pair.high
        found.append((*called, covered, none, pair.p <= 0.05, pair.difference))
    each = np.array(found, dtype=float).T
    tested = ~np.isnan(each[1])
    each[1] = np.where(tested, each[1] <= 0.05, np.nan)
    means = [float(np.nanmean(of)) if not np.isnan(of).all() else float("nan") for of in each]
    return Kept(*means)


def stopped(
    design: str, searchers: int, *, spread: float = 1.0, studies: int = STUDIES
) -> tuple[float, float]:
    """Share of studies in which systems stop alike that log-rank tests call different.

    As if sessions were independent, and by searcher; searchers go on with chances `spread` apart on
    the logit.
    """
    rng = np.random.default_rng(SEED)
    unit, _, system = layout_of(design, searchers)
    called = np.zeros(2)
    for _ in range(studies):
        stops = 1 / (1 + np.exp(GO_ON + rng.normal(0, spread, searchers)))[unit]
        lengths = np.minimum(rng.geometric(stops), LONGEST)
        p = log_rank(lengths, system), log_rank_p_by_searcher(lengths, system, unit)
        called += np.array(p) <= 0.05
    plain, by_searcher = (called / studies).tolist()
    return plain, by_searcher


def learned(
    design: str, *, per_place: float = LEARNED, studies: int = LEARNING_STUDIES
) -> tuple[float, float]:
    """Share of studies whose planted learning, and planted difference, their intervals cover.

    Places are a searcher's sessions in an order of their own, the place is in the model.
    """
    rng, covered = np.random.default_rng(SEED), np.zeros(2)
    layout = unit, topic, system = layout_of(design)
    for _ in range(studies):
        turn = np.argsort(np.lexsort((rng.random(unit.size), unit))) % TOPICS
        place = turn.astype(np.float64)
        scores = scores_of("normal", rng, layout) + per_place * place + PLANTED * (system == 1)
        effects = TwoWay(scores, Sessions(system, unit, topic), place)
        ends = effects.change_per_place(np.ones(1)).interval(), effects.difference(0, 1).interval()
        truth = (per_place, PLANTED)
        covered += [low <= of <= high for of, (low, high) in zip(truth, ends, strict=True)]
    learning, difference = (covered / studies).tolist()
    return learning, difference


def bench_learning() -> None:
    """Print the table of docs/statistics.md on learning."""
    print("| design | learning covered | difference covered |")
    print("|---|---|---|")
    for design in ("within", "between", "mixed"):
        print(f"| {design} | {' | '.join(map(_percent, learned(design)))} |")


def bench_stopping(studies: int) -> None:
    """Print the second table of docs/statistics.md."""
    print("| design | searchers | log-rank as if independent | by searcher |")
    print("|---|---|---|---|")
    for design in ("within", "between"):
        for searchers in (SEARCHERS, 10):
            called = " | ".join(map(_percent, stopped(design, searchers, studies=studies)))
            print(f"| {design} | {searchers} | {called} |")


def bench_promises(studies: int = STUDIES) -> None:
    """Print the tables of docs/statistics.md."""
    print(f"{studies:,} simulated studies × {DRAWS} permutations, difference planted: {PLANTED}")
    print(
        "| design | scores | t calls different | permutation | the one that counts | interval "
        "covers | superiority's covers .5 | power | difference |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for words, draw in ROWS.items():
        print(f"| {words} | {promises(draw, studies=studies).words()} |", flush=True)
    bench_stopping(studies)
    bench_learning()
