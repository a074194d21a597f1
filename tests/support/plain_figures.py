"""The reference for averages: Figures 1 and 2 as loops, intervals by t and a plain bootstrap."""

import math
from statistics import fmean

from scipy.stats import t

from tests.support.plain_loop import (
    NAN,
    Choices,
    Curve,
    Judgments,
    PlainSession,
    PlainStudy,
    Query,
    best_list,
    counted_gains,
    ideal_of,
    is_judged,
    mean_defined,
    normalised,
    query_factor,
    query_scores,
    rank_factor,
    session_vector,
)
from tests.support.plain_other_measures import every_query_score


def query_curves(
    queries: list[Query], judgments: Judgments, choices: Choices, depth: int
) -> list[Curve]:
    """sDCG(q)[1 … depth] of each query, full lists."""
    curves = []
    gains = counted_gains(queries, judgments, choices, depth)
    for q, worth in enumerate(gains, start=1):
        total, curve = 0.0, []
        for r in range(1, depth + 1):
            total += worth.get(r, 0.0) * rank_factor(r, choices.b, choices.form)
            curve.append(total * query_factor(q, choices.bq, choices.form))
        curves.append(curve)
    return curves


def ndcg_curves(
    queries: list[Query], judgments: Judgments, choices: Choices, depth: int
) -> list[Curve]:
    """The nDCG at ranks 1 … depth of each query, full lists; nan where the ideal gains nothing."""
    curves = []
    gains = counted_gains(queries, judgments, choices, depth)
    for (topic, _), worth in zip(queries, gains, strict=True):
        best = best_list(topic, judgments, choices)
        total, ideal, curve = 0.0, 0.0, []
        for r in range(1, depth + 1):
            factor = rank_factor(r, choices.b, choices.form)
            total += worth.get(r, 0.0) * factor
            ideal += best[r - 1] * factor if r <= len(best) else 0.0
            curve.append(total / ideal if ideal else NAN)
        curves.append(curve)
    return curves


def worth_at_top(
    queries: list[Query], judgments: Judgments, choices: Choices, measure: str
) -> Curve:
    """The sDCG(q), or nDCG, of each query at X."""
    if measure == "ndcg":
        return [row["ndcg"] for row in every_query_score(queries, judgments, choices)]
    return [row["sdcg"] for row in query_scores(queries, judgments, choices)]


def best_query(
    queries: list[Query], judgments: Judgments, choices: Choices, measure: str = "sdcg"
) -> int:
    """Place (from 0) of the query with the highest sDCG(q), or nDCG, at X, the earliest on ties.

    Among those whose topic somebody judged; the first, where none has any.
    """
    values = worth_at_top(queries, judgments, choices, measure)
    most = max((value for value in values if not math.isnan(value)), default=NAN)
    if math.isnan(most):
        return 0
    return next(i for i, value in enumerate(values) if value >= most * (1 - 1e-12))


def has_near_tie(
    queries: list[Query], judgments: Judgments, choices: Choices, measure: str = "sdcg"
) -> bool:
    """Whether rounding could decide which query is the best."""
    values = worth_at_top(queries, judgments, choices, measure)
    most = max((value for value in values if not math.isnan(value)), default=0.0)
    return sum(value >= most * (1 - 1e-9) for value in values) > 1 and most > 0


def mean_curve(curves: list[Curve], depth: int) -> Curve:
    """Mean at each rank; nan where there is no curve."""
    return [fmean(curve[i] for curve in curves) if curves else NAN for i in range(depth)]


def figure_one(
    study: PlainStudy,
    choices: Choices,
    *,
    split: str,
    others: str,
    depth: int,
    measure: str = "sdcg",
) -> dict[tuple[str, str], Curve]:
    """Mean sDCG(q), or nDCG, by rank of last and other (or best and rest) queries of each system.

    Queries on topics nobody judged, and those without nDCG, are in neither group.
    """
    alone, together = {"last": ("last", "other"), "best": ("best", "rest")}[split]
    groups: dict[tuple[str, str], list[Curve]] = {}
    for session in study.sessions:
        one = groups.setdefault((session.system, alone), [])
        two = groups.setdefault((session.system, together), [])
        queries = session.queries
        if not is_judged(queries, study.judgments):
            continue
        chosen = len(queries) - 1
        if split == "best":
            chosen = best_query(queries, study.judgments, choices, measure)
        curves_of = ndcg_curves if measure == "ndcg" else query_curves
        places = curves_of(queries, study.judgments, choices, depth)
        known = [i for i, query in enumerate(queries) if is_judged([query], study.judgments)]
        known = [i for i in known if not math.isnan(places[i][0])]
        one += [places[i] for i in known if i == chosen]
        curves = [places[i] for i in known if i != chosen]
        two += curves if others == "pooled" else [mean_curve(curves, depth)] if curves else []
    return {name: mean_curve(curves, depth) for name, curves in groups.items()}


def held(curve: Curve, positions: int, empty: float) -> Curve:
    """A session's curve to a number of positions, its last value kept."""
    last = curve[-1] if curve else empty
    return [curve[p] if p < len(curve) else last for p in range(positions)]


def raw_curve(session: PlainSession, study: PlainStudy, choices: Choices, positions: int) -> Curve:
    """V[1 … positions]; nan throughout without judgments."""
    if not is_judged(session.queries, study.judgments):
        return [NAN] * positions
    return held(session_vector(session.queries, study.judgments, choices), positions, 0.0)


def share_curve(
    session: PlainSession, study: PlainStudy, choices: Choices, positions: int
) -> Curve:
    """V[p] / I[p] at 1 … positions, held after the last cell."""
    if not is_judged(session.queries, study.judgments):
        return [NAN] * positions
    vector = session_vector(session.queries, study.judgments, choices)
    ideal = ideal_of(session.queries, study.judgments, choices)
    return held(normalised(vector, ideal), positions, NAN)


def figure_two(
    study: PlainStudy, choices: Choices, positions: int, *, at_least: int = 1
) -> dict[str, tuple[Curve, Curve, list[int]]]:
    """Mean raw and normalised session curve of each system, and sessions in the latter."""
    figure = {}
    for system in {session.system for session in study.sessions}:
        own = [s for s in study.sessions if s.system == system and len(s.queries) >= at_least]
        raw = [raw_curve(session, study, choices, positions) for session in own]
        shares = [share_curve(session, study, choices, positions) for session in own]
        figure[system] = (
            [mean_defined([curve[p] for curve in raw]) for p in range(positions)],
            [mean_defined([curve[p] for curve in shares]) for p in range(positions)],
            [sum(not math.isnan(curve[p]) for curve in shares) for p in range(positions)],
        )
    return figure


def by_t(sums: Curve, counts: Curve) -> tuple[float, float]:
    """95% t interval of Σ sums / Σ counts over clusters with a value; no lower end below 0."""
    own = [(s, n) for s, n in zip(sums, counts, strict=True) if n]
    total = sum(n for _, n in own)
    mean = sum(s for s, _ in own) / total if own else NAN
    errors = sum((s - mean * n) ** 2 for s, n in own)
    if len(own) < 2 or errors < 1e-24 * sum(s * s for s, _ in own):
        return NAN, NAN
    reach = (
        float(t.ppf(0.975, len(own) - 1)) * math.sqrt(len(own) / (len(own) - 1) * errors) / total
    )
    low = mean - reach
    return (max(0.0, low) if min(sums) >= 0 else low), mean + reach


def bootstrap(sums: Curve, counts: Curve, draws: list[list[int]]) -> tuple[float, float]:
    """95% bootstrap-t interval of Σ sums / Σ counts over given draws of clusters.

    Of 1,000 values of t* the 25th and the 976th, in order; no lower end below 0.
    """
    everybody = list(range(len(sums)))
    mean, error = mean_and_error(sums, counts, everybody)
    stand = [i for i in everybody if counts[i]]
    gained = [i for i in stand if sums[i]]
    if len(stand) < 5 or (len(gained) < 10 and len(gained) < len(stand)) or not error:
        return NAN, NAN
    values = []
    for draw in draws:
        if not any(counts[cluster] for cluster in draw):
            values.append(0.0)
            continue
        drawn, own = mean_and_error(sums, counts, draw)
        off = 0.0 if math.isclose(drawn, mean, rel_tol=1e-12) else drawn - mean
        values.append(off / own if own else math.copysign(math.inf, off) if off else 0.0)
    values.sort()
    least, most = values[24], values[975]
    if math.isinf(least) or math.isinf(most):
        return NAN, NAN
    return max(0.0, mean - most * error), mean - least * error


def mean_and_error(sums: Curve, counts: Curve, drawn: list[int]) -> tuple[float, float]:
    """Mean over the clusters drawn, and its standard error from what each adds to it."""
    number = sum(counts[cluster] for cluster in drawn)
    mean = sum(sums[cluster] for cluster in drawn) / number
    off = [sums[cluster] - mean * counts[cluster] for cluster in drawn]
    if all(math.isclose(sums[c], mean * counts[c], rel_tol=1e-9) for c in drawn):
        return mean, 0.0
    return mean, math.sqrt(sum(value**2 for value in off)) / number
