"""The reference: docs/methods.md as slow, obvious loops over plain data, without numpy."""

import math
from dataclasses import dataclass
from statistics import fmean

from tests.support.discount_forms import PLAIN

Query = tuple[str, dict[int, str]]  # topic, {rank: doc}
Judgments = dict[tuple[str, str], float]  # {(topic, doc): grade}
Curve = list[float]
NAN = math.nan


@dataclass(frozen=True)
class PlainSession:
    """One searcher's queries with one system."""

    name: str
    queries: list[Query]
    system: str = "A"
    searcher: str = ""


@dataclass(frozen=True)
class PlainStudy:
    """Sessions and the judgments of their topics."""

    sessions: list[PlainSession]
    judgments: Judgments


@dataclass(frozen=True)
class Choices:
    """What docs/methods.md leaves open; `short` is pad, as-is or the least number of cells."""

    gains: dict[float, float]
    b: float = 2.0
    bq: float = 4.0
    form: str = "ecir2008"
    top: int = 10
    repeats: str = "every"
    ideal: str = "repeated"
    short: str | int = "pad"


def rank_factor(r: int, b: float, form: str) -> float:
    """d(r)."""
    return 1.0 if b == math.inf else PLAIN[form].by_rank(r, b)


def query_factor(q: int, bq: float, form: str) -> float:
    """D(q)."""
    return 1.0 if bq == math.inf else PLAIN[form].by_query(q, bq)


def counted_gains(
    queries: list[Query], judgments: Judgments, choices: Choices, depth: int
) -> list[dict[int, float]]:
    """Gain at each logged rank down to `depth`, repeats as chosen."""
    shown: set[tuple[str, str]] = set()
    lists = []
    for topic, results in queries:
        here: set[tuple[str, str]] = set()
        gains = {}
        for rank in sorted(rank for rank in results if rank <= depth):
            thing = (topic, results[rank])
            again = thing in here or (choices.repeats == "first" and thing in shown)
            grade = judgments.get(thing)
            gains[rank] = 0.0 if again or grade is None else choices.gains[grade]
            here.add(thing)
        shown |= here
        lists.append(gains)
    return lists


def cells_of(queries: list[Query], choices: Choices) -> list[tuple[int, int]]:
    """Cells (q, r) of a session, in order."""
    cells = []
    for q, (_, results) in enumerate(queries, start=1):
        length = max(results, default=0)
        if choices.short == "pad":
            count = choices.top
        elif choices.short == "as-is":
            count = min(choices.top, length)
        else:
            count = min(choices.top, max(int(choices.short), length))
        cells += [(q, r) for r in range(1, count + 1)]
    return cells


def factor_of(q: int, r: int, choices: Choices) -> float:
    """d(r) · D(q)."""
    return rank_factor(r, choices.b, choices.form) * query_factor(q, choices.bq, choices.form)


def session_vector(queries: list[Query], judgments: Judgments, choices: Choices) -> Curve:
    """V[1], V[2], … over the cells of a session."""
    gains = counted_gains(queries, judgments, choices, choices.top)
    total, vector = 0.0, []
    for q, r in cells_of(queries, choices):
        total += gains[q - 1].get(r, 0.0) * factor_of(q, r, choices)
        vector.append(total)
    return vector


_parted: list[tuple[Judgments, dict[str, dict[str, float]]]] = []  # of the judgments seen last


def by_topic(judgments: Judgments) -> dict[str, dict[str, float]]:
    """Judgments topic by topic: {doc: grade}. They are parted once, and not for each query."""
    if not _parted or _parted[0][0] is not judgments:
        topics: dict[str, dict[str, float]] = {}
        for (topic, doc), grade in judgments.items():
            topics.setdefault(topic, {})[doc] = grade
        _parted[:] = [(judgments, topics)]
    return _parted[0][1]


def best_list(topic: str, judgments: Judgments, choices: Choices) -> Curve:
    """All judged gains of a topic, best first."""
    gains = [choices.gains[grade] for grade in by_topic(judgments).get(topic, {}).values()]
    return sorted(gains, reverse=True)


def repeated_ideal(queries: list[Query], judgments: Judgments, choices: Choices) -> Curve:
    """I[p] where every query returns its topic's best list again."""
    lists = {topic: best_list(topic, judgments, choices) for topic, _ in queries}
    total, ideal = 0.0, []
    for q, r in cells_of(queries, choices):
        best = lists[queries[q - 1][0]]
        total += (best[r - 1] if r <= len(best) else 0.0) * factor_of(q, r, choices)
        ideal.append(total)
    return ideal


def spread_ideal(queries: list[Query], judgments: Judgments, choices: Choices) -> Curve:
    """I[p] where each judged document comes once: best gains on the largest factors so far."""
    lists = {topic: best_list(topic, judgments, choices) for topic, _ in queries}
    cells = cells_of(queries, choices)
    ideal = []
    for p in range(1, len(cells) + 1):
        total = 0.0
        for topic in {queries[q - 1][0] for q, _ in cells[:p]}:
            own = [(q, r) for q, r in cells[:p] if queries[q - 1][0] == topic]
            factors = sorted((factor_of(q, r, choices) for q, r in own), reverse=True)
            pairs = zip(lists[topic], factors, strict=False)
            total += sum(gain * factor for gain, factor in pairs)
        ideal.append(total)
    return ideal


def ideal_of(queries: list[Query], judgments: Judgments, choices: Choices) -> Curve:
    """The ideal chosen."""
    build = repeated_ideal if choices.ideal == "repeated" else spread_ideal
    return build(queries, judgments, choices)


def normalised(vector: Curve, ideal: Curve) -> Curve:
    """V[p] / I[p]; nan where I[p] is 0."""
    return [v / i if i > 0 else NAN for v, i in zip(vector, ideal, strict=True)]


def is_judged(queries: list[Query], judgments: Judgments) -> bool:
    """Whether any topic of the session has judgments."""
    judged = by_topic(judgments)
    return any(topic in judged for topic, _ in queries)


def mean_defined(values: Curve) -> float:
    """Mean of what is defined; nan where nothing is."""
    defined = [value for value in values if not math.isnan(value)]
    return fmean(defined) if defined else NAN


def query_scores(
    queries: list[Query], judgments: Judgments, choices: Choices
) -> list[dict[str, float]]:
    """dcg, sdcg, ideal_sdcg, change, change_dcg of each query, at the end of its own cells.

    All are nan where nobody judged the query's topic, and so is a change from such a query.
    """
    gains = counted_gains(queries, judgments, choices, choices.top)
    judged = by_topic(judgments)
    rows: list[dict[str, float]] = []
    for q in range(1, len(queries) + 1):
        ranks = [r for of, r in cells_of(queries, choices) if of == q]
        best = best_list(queries[q - 1][0], judgments, choices)
        dcg = ideal = 0.0 if queries[q - 1][0] in judged else NAN
        for r in ranks:
            discount = rank_factor(r, choices.b, choices.form)
            dcg += gains[q - 1].get(r, 0.0) * discount
            ideal += (best[r - 1] if r <= len(best) else 0.0) * discount
        factor = query_factor(q, choices.bq, choices.form)
        row = {"dcg": dcg, "sdcg": dcg * factor, "ideal_sdcg": ideal * factor}
        row["change"] = row["sdcg"] - rows[-1]["sdcg"] if rows else NAN
        row["change_dcg"] = row["dcg"] - rows[-1]["dcg"] if rows else NAN
        rows.append(row)
    return rows
