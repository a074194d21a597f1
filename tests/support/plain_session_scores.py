"""Every score of a session as slow, obvious loops over plain data."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from tests.support import plain_loop
from tests.support.plain_other_measures import every_query_score, over


@dataclass(frozen=True)
class PlainWorth:
    """What scores of a session are made of: V, V / I, its queries' scores, and the known ones."""

    queries: list[plain_loop.Query]
    judgments: plain_loop.Judgments
    choices: plain_loop.Choices
    vector: plain_loop.Curve
    shares: plain_loop.Curve
    each: list[dict[str, float]]
    known: list[int]

    def factors(self) -> plain_loop.Curve:
        """D(q) of the known queries."""
        return [plain_loop.query_factor(q, self.choices.bq, self.choices.form) for q in self.known]

    def worths(self, name: str) -> plain_loop.Curve:
        """A score of the known queries."""
        return [self.each[q - 1][name] for q in self.known]

    @cached_property
    def others(self) -> list[dict[str, float]]:
        """Every score of each query."""
        return every_query_score(self.queries, self.judgments, self.choices)

    def final(self) -> float:
        """V at the end."""
        return self.vector[-1] if self.vector else 0.0


def mean_of_queries(name: str) -> Callable[[PlainWorth], float]:
    """Mean of another measure over the known queries at which it is defined."""

    return lambda of: plain_loop.mean_defined([of.others[q - 1][name] for q in of.known])


def relevant_found(of: PlainWorth) -> float:
    """Distinct relevant documents down to the top."""
    gains = gains_of(of)
    shown = [
        {(topic, doc) for rank, doc in results.items() if rank <= of.choices.top}
        for topic, results in of.queries
    ]
    found = set[tuple[str, str]]().union(*shown)
    return float(sum(gains.get(thing, 0) > 0 for thing in found))


def gains_of(of: PlainWorth) -> dict[tuple[str, str], float]:
    """Gain of each document that is judged on one of the session's topics."""
    topics, judged = {topic for topic, _ in of.queries}, plain_loop.by_topic(of.judgments)
    return {
        (topic, doc): of.choices.gains[grade]
        for topic in topics
        for doc, grade in judged.get(topic, {}).items()
    }


def union_recall(of: PlainWorth) -> float:
    """Distinct relevant documents down to the top, of all on the session's topics."""
    return over(relevant_found(of), sum(gain > 0 for gain in gains_of(of).values()))


def union_ndcg(of: PlainWorth) -> float:
    """All lists laid end to end, each document where it is shown first, to the top."""
    gains = gains_of(of)
    best = sorted(gains.values(), reverse=True)
    place, worth, before = 0, 0.0, set[tuple[str, str]]()
    for q, rank in plain_loop.cells_of(of.queries, of.choices):
        topic, results = of.queries[q - 1]
        if rank not in results or place == of.choices.top:
            continue
        place += 1
        thing = topic, results[rank]
        gain = 0.0 if thing in before else gains.get(thing, 0.0)
        worth += gain * plain_loop.rank_factor(place, of.choices.b, of.choices.form)
        before.add(thing)
    factors = [
        plain_loop.rank_factor(r, of.choices.b, of.choices.form)
        for r in range(1, of.choices.top + 1)
    ]
    return over(worth, sum(g * d for g, d in zip(best, factors, strict=False)))


SESSION_SCORES: dict[str, Callable[[PlainWorth], float]] = {
    "final": lambda of: of.final(),
    "average": lambda of: plain_loop.mean_defined(of.vector),
    "last": lambda of: of.each[-1]["sdcg"],
    "best": lambda of: max(of.worths("sdcg")),
    "per_query": lambda of: of.final() / len(of.known),
    "weighted_mean": lambda of: of.final() / sum(of.factors()),
    "mean_dcg": lambda of: fmean(of.worths("dcg")),
    "final_normalised": lambda of: of.shares[-1] if of.shares else plain_loop.NAN,
    "average_normalised": lambda of: plain_loop.mean_defined(of.shares),
    "relevant_found": relevant_found,
    "mean_ndcg": mean_of_queries("ndcg"),
    "mean_ldcg": mean_of_queries("ldcg"),
    "mean_relative_recall": mean_of_queries("relative_recall"),
    "mean_recall_effort": mean_of_queries("recall_effort"),
    "union_recall": union_recall,
    "union_ndcg": union_ndcg,
}


def session_scores(
    queries: list[plain_loop.Query], judgments: plain_loop.Judgments, choices: plain_loop.Choices
) -> dict[str, float]:
    """Every score of a session at its own last cell; nan where nobody judged it."""
    vector = plain_loop.session_vector(queries, judgments, choices)
    shares = plain_loop.normalised(vector, plain_loop.ideal_of(queries, judgments, choices))
    each = plain_loop.query_scores(queries, judgments, choices)
    known = [q for q, row in enumerate(each, start=1) if not math.isnan(row["dcg"])]
    of = PlainWorth(queries, judgments, choices, vector, shares, each, known)
    return {name: loop(of) if known else plain_loop.NAN for name, loop in SESSION_SCORES.items()}
