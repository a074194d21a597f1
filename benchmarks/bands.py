"""Do bands cover the mean as often as they promise? Simulated studies with a known mean."""

from dataclasses import dataclass

import numpy as np
from sdcg_explorer.metrics import (
    bootstrap_interval,
    dcg,
    group_sums,
    mean_interval,
    query_discount,
    rank_discount,
)
from sdcg_explorer.metrics.arrays import Floats, Ints

from benchmarks.simulated import GAINS, SEED, Layout, layout_of

STUDIES, AT_ONCE, KNOWN_FROM = 1_000, 100, 200_000
SELDOM = 0.02  # what is drawn so seldom is not counted
SEARCHERS = (6, 8, 12, 30)
WEIGHTS = {"0-1-10-100": GAINS, "0-1-2-3": np.arange(4.0)}
QUERIES, RANKS = 5, 10
TOPIC_EFFECTS = np.array([-0.9, -0.3, 0.3, 0.9])
SYSTEM = "system, gain per query"  # a mean of a group, in a table and no curve
Sums = dict[str, tuple[Floats, Floats]]  # of each quantity: sums and counts


@dataclass(frozen=True)
class Kept:
    """Shares of simulated means: those with an interval, and of these the covered, two ways."""

    drawn: float
    percentiles: float
    covered: float

    def words(self) -> str:
        """Coverage by percentiles and by the interval given, and where there is one, in %."""
        if self.drawn < SELDOM:
            return "none"
        before, now, drawn = (100 * x for x in (self.percentiles, self.covered, self.drawn))
        return f"{before:.1f} → {now:.1f} ({drawn:.0f})"


def grades_of(rng: np.random.Generator, effects: Floats) -> tuple[Ints, Ints]:
    """Grades 0 to 3 of sessions' results, (N, Q, R), and their numbers of queries, (N,).

    As in benchmarks/simulated.py: the chance that a result is relevant follows from `effects`.
    """
    queries = 1 + rng.binomial(QUERIES - 1, 0.4, effects.size)
    found = 1 / (1 + np.exp(1.5 - effects))
    chance = rng.random((effects.size, QUERIES, RANKS), dtype=np.float32)
    better = chance[..., None] < (found[:, None] * [1, 0.5, 0.2])[:, None, None].astype(np.float32)
    return better.sum(axis=-1), queries


def quantities(gains: Floats, queries: Ints) -> Sums:
    """What each session adds to a mean, and how often: (N,) each, for everything that is drawn."""
    number = np.arange(1, QUERIES + 1)
    worth = dcg(gains, rank_discount(np.arange(1, RANKS + 1), b=2))
    worth *= query_discount(number, bq=4)[:, None]
    asked = number <= queries[:, None]
    last = number == queries[:, None]
    running = np.cumsum(worth[..., -1] * asked, axis=1)
    one = np.ones(queries.size)
    found: Sums = {
        "session curve, after two queries": (running[:, 1], one),
        "session curve, at its end": (running[:, -1], one),
        SYSTEM: (running[:, -1] / queries, one),
    }
    for name, which in {"last": last, "others": asked & ~last}.items():
        for rank in (1, RANKS):
            sums = (worth[..., rank - 1] * which).sum(axis=1)
            found[f"Figure 1, {name}, rank {rank}"] = sums, which.sum(axis=1).astype(float)
    return found


def known_means(weights: str, sessions: int = KNOWN_FROM) -> dict[str, Floats]:
    """What a session on each topic adds to a mean, and how often, from many: (2, T) each."""
    rng = np.random.default_rng(SEED + 1)
    searchers = sessions // TOPIC_EFFECTS.size
    topic = np.tile(np.arange(TOPIC_EFFECTS.size), searchers)
    who = np.repeat(rng.normal(0, 0.5, searchers), TOPIC_EFFECTS.size)
    grades, queries = grades_of(rng, who + TOPIC_EFFECTS[topic])
    found = quantities(WEIGHTS[weights][grades], queries)
    return {
        name: np.array([np.bincount(topic, each) for each in both]) / searchers
        for name, both in found.items()
    }


def mean_of(quantity: Floats, layout: Layout) -> Floats:
    """The mean that a layout's sessions have in the long run, by system, (2,)."""
    _, topic, system = layout
    sums, counts = (np.bincount(system, each[topic]) for each in quantity)
    return sums / counts


def simulated(weights: str, searchers: int, studies: int) -> Sums:
    """Each quantity's sums and counts by searcher in many studies, (C, 2, studies)."""
    rng = np.random.default_rng(SEED)
    unit, topic, system = layout_of("within", searchers)
    parts: dict[str, list[Floats]] = {}
    place = np.arange(AT_ONCE).repeat(unit.size) + AT_ONCE * np.tile(unit * 2 + system, AT_ONCE)
    for _ in range(0, studies, AT_ONCE):
        who = rng.normal(0, 0.5, (AT_ONCE, searchers))[:, unit]
        grades, queries = grades_of(rng, (who + TOPIC_EFFECTS[topic]).ravel())
        for name, both in quantities(WEIGHTS[weights][grades], queries).items():
            added = group_sums(np.stack(both, axis=1), place, searchers * 2 * AT_ONCE)
            parts.setdefault(name, []).append(added.reshape(searchers, 2, AT_ONCE, 2))
    whole = {name: np.concatenate(part, axis=2)[:, :, :studies] for name, part in parts.items()}
    return {name: (each[..., 0], each[..., 1]) for name, each in whole.items()}


def percentiles(sums: Floats, counts: Floats, resamples: int = 1000) -> tuple[Floats, Floats]:
    """The plain percentile interval, to compare with."""
    searchers = len(sums)
    drawn = np.random.default_rng(SEED).integers(0, searchers, (resamples, searchers))
    often = np.array([np.bincount(row, minlength=searchers) for row in drawn], dtype=float)
    added, number = (np.tensordot(often, each, 1) for each in (sums, counts))
    means = np.divide(added, number, out=np.zeros_like(added), where=number > 0)
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    return low, high


def promise(sums: Floats, counts: Floats, mean: Floats, name: str = "") -> Kept:
    """How often intervals are drawn, and cover a mean where they are."""
    interval = mean_interval if name == SYSTEM else bootstrap_interval
    low, high = interval(sums, counts)
    below, above = percentiles(sums, counts)
    shown, truth = ~np.isnan(low), mean[:, None]
    if not shown.any():
        return Kept(0.0, np.nan, np.nan)
    return Kept(
        drawn=float(shown.mean()),
        percentiles=float(((below <= truth) & (truth <= above))[shown].mean()),
        covered=float(((low <= truth) & (truth <= high))[shown].mean()),
    )


def bench_bands(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print(f"{studies:,} simulated studies × 2 systems; percentiles → interval given (drawn)")
    print(f"| gains | mean | {' | '.join(f'{number} searchers' for number in SEARCHERS)} |")
    print("|" + "---|" * (2 + len(SEARCHERS)))
    for weights in WEIGHTS:
        known = known_means(weights)
        each = {number: simulated(weights, number, studies) for number in SEARCHERS}
        for name, quantity in known.items():
            kept = [
                promise(*study[name], mean_of(quantity, layout_of("within", number)), name)
                for number, study in each.items()
            ]
            print(f"| {weights} | {name} | {' | '.join(of.words() for of in kept)} |")
