"""Every score of a session as slow, obvious loops over plain data, and what it comes to by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from tests.support.plain_loop import (
    BEST,
    NAN,
    Choices,
    Curve,
    D,
    Judgments,
    Query,
    ideal_of,
    mean_defined,
    normalised,
    query_factor,
    query_scores,
    session_vector,
)
from tests.support.plain_other_measures import WORKED_OF_QUERIES, every_query_score


@dataclass(frozen=True)
class PlainWorth:
    """What scores of a session are made of: V, V / I, its queries' scores, and the known ones."""

    queries: list[Query]
    judgments: Judgments
    choices: Choices
    vector: Curve
    shares: Curve
    each: list[dict[str, float]]
    known: list[int]

    def factors(self) -> Curve:
        """D(q) of the known queries."""
        return [query_factor(q, self.choices.bq, self.choices.form) for q in self.known]

    def worths(self, name: str) -> Curve:
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

    return lambda of: mean_defined([of.others[q - 1][name] for q in of.known])


def relevant_found(of: PlainWorth) -> float:
    """Distinct relevant documents down to the top."""
    relevant = {thing for thing, grade in of.judgments.items() if of.choices.gains[grade] > 0}
    shown = [
        {(topic, doc) for rank, doc in results.items() if rank <= of.choices.top}
        for topic, results in of.queries
    ]
    return float(len(relevant & set[tuple[str, str]]().union(*shown)))


SESSION_SCORES: dict[str, Callable[[PlainWorth], float]] = {
    "final": lambda of: of.final(),
    "average": lambda of: mean_defined(of.vector),
    "last": lambda of: of.each[-1]["sdcg"],
    "best": lambda of: max(of.worths("sdcg")),
    "per_query": lambda of: of.final() / len(of.known),
    "weighted_mean": lambda of: of.final() / sum(of.factors()),
    "mean_dcg": lambda of: fmean(of.worths("dcg")),
    "final_normalised": lambda of: of.shares[-1] if of.shares else NAN,
    "average_normalised": lambda of: mean_defined(of.shares),
    "relevant_found": relevant_found,
    "mean_ndcg": mean_of_queries("ndcg"),
    "mean_ldcg": mean_of_queries("ldcg"),
    "mean_relative_recall": mean_of_queries("relative_recall"),
    "mean_recall_effort": mean_of_queries("recall_effort"),
}
# of T-2, as in plain_loop: V at the end of queries 1, 2 and 3, and 4, and I at that of each
V = [3.5, 3.5 + 4 / 1.5, 3.5 + 4 / 1.5 + 2 / 2]
IDEAL = [BEST * sum(D[:q]) for q in range(5)]
WORKED_OF_SESSIONS = {
    "final": V[2],
    "average": (3 + 9 * V[0] + (V[0] + 3 / 1.5) + 19 * V[1] + 10 * V[2]) / 40,
    "last": 2 / 2,
    "best": 3 + 1 / 2,
    "per_query": V[2] / 4,
    "weighted_mean": V[2] / sum(D),
    "mean_dcg": (3.5 + 4 + 0 + 2) / 4,
    "final_normalised": V[2] / IDEAL[4],
    "average_normalised": sum(
        [
            3 / 3 + 3.5 / 4 + 8 * V[0] / IDEAL[1],
            (V[0] + 3 * D[1]) / (IDEAL[1] + 3 * D[1])
            + V[1] / (IDEAL[1] + 4 * D[1])
            + 8 * V[1] / IDEAL[2],
            V[1] / (IDEAL[2] + 3 * D[2]) + V[1] / (IDEAL[2] + 4 * D[2]) + 8 * V[1] / IDEAL[3],
            V[2] / (IDEAL[3] + 3 * D[3]) + V[2] / (IDEAL[3] + 4 * D[3]) + 8 * V[2] / IDEAL[4],
        ]
    )
    / 40,
    "relevant_found": 3,
    "mean_ndcg": (3.5 + 4 + 0 + 2) / BEST / 4,
    "mean_ldcg": sum(WORKED_OF_QUERIES["ldcg"][q] for q in (0, 1, 3)) / 3,  # the third is empty
    "mean_relative_recall": (2 / 3 + 1 + 1 + 1) / 4,
    "mean_recall_effort": (3 / 10 + 3 * 3 / 12) / 4,
}


def session_scores(
    queries: list[Query], judgments: Judgments, choices: Choices
) -> dict[str, float]:
    """Every score of a session at its own last cell; nan where nobody judged it."""
    vector = session_vector(queries, judgments, choices)
    shares = normalised(vector, ideal_of(queries, judgments, choices))
    each = query_scores(queries, judgments, choices)
    known = [q for q, row in enumerate(each, start=1) if not math.isnan(row["dcg"])]
    of = PlainWorth(queries, judgments, choices, vector, shares, each, known)
    return {name: loop(of) if known else NAN for name, loop in SESSION_SCORES.items()}
