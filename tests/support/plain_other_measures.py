"""The other measures as slow, obvious loops over plain data."""

from math import log2

from tests.support import plain_loop

Row = dict[str, float]


def over(part: float, whole: float) -> float:
    """A share; undefined over nothing."""
    return part / whole if whole else plain_loop.NAN


def worth(grade: float) -> float:
    """Gain of a grade in L14."""
    return 2**grade - 1 if grade > 0 else 0.0


def sum_of_delta(most: int, power: int = 1) -> float:
    """Σ δ(r) of the first ranks, or of its powers."""
    return sum(1 / log2(r + 1) ** power for r in range(1, most + 1))


def shares_of(
    queries: list[plain_loop.Query], judgments: plain_loop.Judgments, chosen: plain_loop.Choices
) -> list[Row]:
    """The nDCG of each query at the end of its own cells, and on average over them."""
    gains = plain_loop.counted_gains(queries, judgments, chosen, chosen.top)
    rows = []
    for q, (topic, _) in enumerate(queries, start=1):
        best = plain_loop.best_list(topic, judgments, chosen)
        dcg = ideal = 0.0
        curve = []
        for r in (rank for of, rank in plain_loop.cells_of(queries, chosen) if of == q):
            factor = plain_loop.rank_factor(r, chosen.b, chosen.form)
            dcg += gains[q - 1].get(r, 0.0) * factor
            ideal += (best[r - 1] if r <= len(best) else 0.0) * factor
            curve.append(over(dcg, ideal))
        rows.append(
            {
                "ndcg": curve[-1] if curve else plain_loop.NAN,
                "ndcg_area": plain_loop.mean_defined(curve),
            }
        )
    return rows


def length_adjusted(query: plain_loop.Query, judgments: plain_loop.Judgments, most: int) -> Row:
    """LDCG and LNDCG of a list, whatever the definition's own gains and repeats."""
    topic, results = query
    length = min(most, max(results, default=0))
    dcg, here = 0.0, set()
    for rank in sorted(rank for rank in results if rank <= length):
        if results[rank] not in here:
            dcg += worth(judgments.get((topic, results[rank]), 0.0)) / log2(rank + 1)
        here.add(results[rank])
    z = 1 / sum_of_delta(most)
    grades = [*plain_loop.by_topic(judgments).get(topic, {}).values()]
    reach = min(most, grades.count(highest := max(grades, default=0.0)))
    ideal = over(worth(highest) * sum_of_delta(reach), z * sum_of_delta(reach, 2))
    value = over(dcg, z * sum_of_delta(length, 2))
    told = {"ldcg": value, "lndcg": over(value, ideal)}
    return told if worth(highest) > 0 else dict.fromkeys(told, plain_loop.NAN)


def documents(query: plain_loop.Query, top: int) -> list[str]:
    """Documents of a list within the top, at each rank; "" in a gap."""
    return [query[1].get(rank, "") for rank in range(1, top + 1)]


def user_oriented(
    queries: list[plain_loop.Query],
    judgments: plain_loop.Judgments,
    chosen: plain_loop.Choices,
    expected: float | None = None,
) -> list[Row]:
    """Yukawa's measures of each query beside the earlier queries on its topic."""
    rows: list[Row] = []
    for q, query in enumerate(queries, start=1):
        relevant = {
            doc
            for doc, grade in plain_loop.by_topic(judgments).get(query[0], {}).items()
            if chosen.gains[grade] > 0
        }
        on_topic = [n for n, other in enumerate(queries[:q], start=1) if other[0] == query[0]]
        known = {doc for n in on_topic[:-1] for doc in documents(queries[n - 1], chosen.top)}
        known, shown = known & relevant, set(documents(query, chosen.top)) & relevant
        wanted = len(relevant) if expected is None else expected
        found: set[str] = set()
        examined = 0
        for n, rank in plain_loop.cells_of(queries, chosen):
            if n in on_topic and len(found) < wanted:
                examined += 1
                found |= {queries[n - 1][1].get(rank, "")} & relevant
        rows.append(
            {
                "coverage": over(len(known & shown), len(known)),
                "novelty": over(len(shown - known), len(shown)),
                "relative_recall": over(len(known | shown), wanted),
                "recall_effort": over(wanted, examined),
            }
        )
    return rows


def every_query_score(
    queries: list[plain_loop.Query], judgments: plain_loop.Judgments, chosen: plain_loop.Choices
) -> list[Row]:
    """Every score of each query of a session."""
    rows = [
        {**own, **share, **length_adjusted(query, judgments, chosen.top), **user}
        for query, own, share, user in zip(
            queries,
            plain_loop.query_scores(queries, judgments, chosen),
            shares_of(queries, judgments, chosen),
            user_oriented(queries, judgments, chosen),
            strict=True,
        )
    ]
    if plain_loop.is_judged(queries, judgments):
        return rows
    return [dict.fromkeys(row, plain_loop.NAN) for row in rows]
