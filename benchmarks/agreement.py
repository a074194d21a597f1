"""Do intervals of coefficients cover as often as they promise? Simulated studies with ratings."""

from typing import Any

import numpy as np
from scipy.stats import kendalltau
from sdcg_explorer.metrics.arrays import Floats

from benchmarks.simulated import SEED
from sdcg_explorer.statistics import correlations

STUDIES, KNOWN_FROM, PLANS = 1_000, 20_000, 400
SEARCHERS, SESSIONS = (6, 12, 25), (2, 4, 9)
TOPICS = 4
APART = 0.7  # standard deviation of searchers, that of their sessions being 1
# score, rating and number of queries, of searchers and of sessions alike
TOGETHER = np.linalg.cholesky([[1.0, 0.5, 0.3], [0.5, 1.0, -0.3], [0.3, -0.3, 1.0]])
SHOWN = (
    ("pearson", "raw"),
    ("pearson", "centred"),
    ("pearson", "partial"),
    ("spearman", "raw"),
    ("spearman", "partial"),
    ("kendall", "raw"),
)


def simulated(
    rng: np.random.Generator, searchers: int, sessions: int
) -> tuple[Floats, correlations.Paired]:
    """Scores (log-normal), ratings from 1 to 5 and numbers of queries, by searcher and topic."""
    who = np.repeat(np.arange(searchers), sessions)
    topics = max(TOPICS, sessions)
    topic = (np.tile(np.arange(sessions), searchers) + who) % topics
    own = rng.normal(0, APART, (searchers, 3))[who] + rng.normal(size=(who.size, 3))
    latent = own @ TOGETHER.T + np.linspace(-0.5, 0.5, topics)[topic][:, None]
    rating = np.clip(np.round(3.5 + latent[:, 1]), 1, 5)
    queries = np.maximum(np.round(3 + 1.5 * latent[:, 2]), 1)
    return np.exp(latent[:, 0] / 2), correlations.Paired(rating, queries, who, who, topic)


def known(sessions: int, searchers: int) -> dict[tuple[str, str], float]:
    """What coefficients are in the long run, from many searchers; centred, from many studies."""
    x, many = simulated(np.random.default_rng(SEED + 1), KNOWN_FROM, sessions)
    found: dict[tuple[str, str], float] = {}
    for kind in correlations.KINDS:
        pairs = ((x, many.y), (x, many.z), (many.y, many.z))
        each = np.array([[_whole(kind, *pair)] for pair in pairs])
        found |= {(kind, "raw"): each[0, 0], (kind, "partial"): correlations.partial(*each)[0]}
    return found | {("pearson", "centred"): _centred(searchers, sessions)}


def _whole(kind: str, x: Floats, y: Floats) -> float:
    if kind == "kendall":
        known: Any = kendalltau(x, y)
        return float(known.statistic)
    return float(correlations.of_columns(kind, x[:, None], y)[0])


def _centred(searchers: int, sessions: int) -> float:
    rng, sums = np.random.default_rng(SEED + 2), np.zeros(3)
    for _ in range(PLANS):
        x, of = simulated(rng, searchers, sessions)
        one, two = of.residuals(x[:, None])[:, 0], of.residual_rating
        sums += one @ two, one @ one, two @ two
    return float(sums[0] / np.sqrt(sums[1] * sums[2]))


def percentiles(x: Floats, of: correlations.Paired) -> tuple[float, float]:
    """The plain percentile interval of r, to compare with."""
    drawn = correlations.Clustered.of(of.cluster)
    one, two = (correlations.KINDS["pearson"].ready(values, drawn) for values in (x, of.y))
    low, high = np.nanquantile(
        correlations.coefficient("pearson", one, two, drawn)[1:], [0.025, 0.975]
    )
    return float(low), float(high)


def covered(searchers: int, sessions: int, studies: int) -> list[float]:
    """Shares of studies whose interval holds what is known: percentiles of r, then `SHOWN`."""
    rng, truth = np.random.default_rng(SEED), known(sessions, searchers)
    hits: list[list[float]] = []
    for _ in range(studies):
        x, of = simulated(rng, searchers, sessions)
        kinds = dict.fromkeys(kind for kind, _ in SHOWN)
        found = {kind: correlations.estimates(kind, {"x": x}, of)["x"][2] for kind in kinds}
        ends = [percentiles(x, of), *(found[kind][version][1:] for kind, version in SHOWN)]
        aims = [truth["pearson", "raw"], *(truth[each] for each in SHOWN)]
        hits.append(
            [
                np.nan if np.isnan(low) else float(low <= aim <= high)
                for (low, high), aim in zip(ends, aims, strict=True)
            ]
        )
    return np.nanmean(hits, axis=0).tolist()


def bench_agreement(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print(f"{studies:,} simulated studies each; the first column by percentiles")
    names = [
        "r, percentiles",
        *(f"{correlations.KINDS[kind].words}, {version}" for kind, version in SHOWN),
    ]
    print(f"| searchers | sessions of each | {' | '.join(names)} |")
    print("|" + "---|" * (2 + len(names)))
    for searchers in SEARCHERS:
        for sessions in SESSIONS:
            shares = covered(searchers, sessions, studies)
            words = " | ".join(f"{100 * each:.1f} %" for each in shares)
            print(f"| {searchers} | {sessions} | {words} |", flush=True)
