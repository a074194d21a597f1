"""A made study of twelve systems with long names, and three sessions that go on for long."""

import random

from tests.support.plain_loop import PlainSession, PlainStudy, Query

NAMES = (
    *("BM25 with query expansion (RM3)", "Dense_retrieval_with_late_interaction_v2"),
    *("Conversational assistant, no list", "Layout/with-facets-and-snippets-2024"),
    *("Learning to rank on click logs", "Systemwithanameofoneverylongword"),
    *("Sparse & dense <b>hybrid</b>, fused", "Query suggestions beside the list"),
    *("Sessionsearch_baseline_without_history", "Reranker by a large language model"),
    *("Federated search over six verticals", "Wide MMM WWW @@@ of capitals"),
)
EACH = 12  # sessions of a system
DOCS = "abcdefgh"


def many_systems(systems: tuple[str, ...] = NAMES) -> PlainStudy:
    """Twelve sessions of each system by 24 searchers on three topics."""
    chance = random.Random(12)
    sessions = [
        PlainSession(
            f"session {own} {i}",
            [_query(chance, f"topic {i % 3}", own, q) for q in range(_queries(own, i))],
            system,
            f"searcher {(EACH * own + i) % 24}",
        )
        for own, system in enumerate(systems)
        for i in range(EACH)
    ]
    grades = {(f"topic {t}", doc): float(1 + i % 3) for t in range(3) for i, doc in enumerate(DOCS)}
    return PlainStudy(sessions, grades)


def _queries(own: int, i: int) -> int:
    """One to nine; fourteen of the first sessions of three systems."""
    return 14 if not i and own < 3 else 1 + (i * (own + 5)) % 9


def _query(chance: random.Random, topic: str, own: int, number: int) -> Query:
    """Ten results, of which later queries and later systems find more."""
    found = chance.sample(DOCS, min(len(DOCS), chance.randint(0, 2) + (own + 3 * number) // 8))
    results = [*found, *(f"u{k}" for k in range(10 - len(found)))]
    chance.shuffle(results)
    return topic, dict(enumerate(results, start=1))
