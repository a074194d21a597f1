"""Is the last query better than the others? Against plain loops."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.query_order.numbers import (
    LAST_COLUMNS,
    Difference,
    last_against_others,
)
from sdcg_explorer.scoring.definition import Filters
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, is_judged, query_scores
from tests.support.plain_permutation import exact_p
from tests.support.random_studies import random_judgments, random_session
from tests.support.thorough import THOROUGH

GAINS = {-1.0: 0.0, 0.0: 0.5, 1.0: 1.0, 2.0: 3.0, 3.0: 10.0}
LINEAR = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
Pairs = list[tuple[float, float]]  # last, mean of the others


def random_study(seed: int) -> PlainStudy:
    """Many sessions of three systems by few searchers, some of one query or on no judged topic."""
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i:02}") for i in range(chance.randint(4, 14))]
    shown = PlainSession("shown", [("t1", {1: "a"}), ("t1", {2: "b"})], "A", "p")
    return PlainStudy([*sessions, shown], random_judgments(chance) | {("t1", "a"): 1.0})


def asked(plain: PlainStudy, choices: Choices, measure: str) -> dict[str, dict[str, Pairs]]:
    """By system and searcher (or session): last and others of each session that has both."""
    found: dict[str, dict[str, Pairs]] = {}
    for session in plain.sessions:
        rows = query_scores(session.queries, plain.judgments, choices)
        *others, last = [row[measure] for row in rows]
        others = [value for value in others if not math.isnan(value)]
        if not others or math.isnan(last):
            continue
        of = found.setdefault(session.system, {})
        unit = session.searcher or f"session {session.name}"
        of.setdefault(unit, []).append((last, fmean(others)))
    return found


def expected_of(system: str, measure: str, of: dict[str, Pairs]) -> dict[str, Any]:
    """A row of the table."""
    every = [pair for pairs in of.values() for pair in pairs]
    each = [tuple(fmean(values) for values in zip(*pairs, strict=True)) for pairs in of.values()]
    d = [last - others for last, others in each]
    low = high = p_t = math.nan
    if len(d) > 1 and max(d) - min(d) > 1e-9:
        tested = stats.ttest_1samp(d, 0.0)
        p_t, (low, high) = tested[1], tested.confidence_interval()
    # decimals make ties of what loops and arrays round apart
    exact = [Fraction(round(value, 9)).limit_denominator(10**9) for pair in each for value in pair]
    strata = [i // 2 for i in range(len(exact))]
    p, others = exact_p(exact, [1, 0] * len(each), strata)
    unnamed = sum(unit.startswith("session ") for unit in of)
    row = {"system": system, "measure": measure, "sessions": len(every)}
    row |= {"searchers": len(of) - unnamed, "unnamed": unnamed}
    row |= {"last": fmean(last for last, _ in every), "others": fmean(o for _, o in every)}
    row |= {"difference": fmean(d), "low": low, "high": high, "p_t": p_t}
    return row | {"p_permutation": p, "arrangements": others}


def compared(plain: PlainStudy, choices: Choices, filters: Filters | None = None) -> Any:
    return last_against_others(study_of(plain), definition_of(choices), filters or Filters())


@pytest.mark.parametrize("seed", range(10 * THOROUGH))
def test_table_is_that_of_plain_loops(seed: int) -> None:
    chance, plain = random.Random(seed), random_study(seed)
    choices = Choices(
        GAINS,
        b=chance.choice([2.0, 5.0]),
        bq=chance.choice([4.0, math.inf]),
        top=chance.choice([3, 10]),
        repeats=chance.choice(["every", "first"]),
        short=chance.choice(["pad", "as-is"]),
    )
    shown = compared(plain, choices)
    found = shown.table().to_dict("records")
    rows = {(row["system"], row["measure"]): row for row in found}
    sessions = 0
    for measure in ("dcg", "sdcg"):
        expected = asked(plain, choices, measure)
        assert [s for s, of in rows if of == measure] == sorted(expected)
        sessions = sum(len(pairs) for of in expected.values() for pairs in of.values())
        for system, of in expected.items():
            own, row = expected_of(system, measure, of), rows[system, measure]
            if math.isnan(own["low"]):  # differences that are all alike, or one
                row["low"] = row["high"] = row["p_t"] = math.nan
            for name, value in own.items():
                near = pytest.approx(value, nan_ok=True, abs=1e-9)
                assert row[name] == (value if isinstance(value, str) else near), name
    judged = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    assert shown.single == sum(len(s.queries) == 1 for s in judged)
    assert shown.undefined == len(judged) - shown.single - sessions


def test_clear_is_what_interval_and_the_test_that_leads_both_say() -> None:
    verdicts: list[tuple[bool, bool]] = []
    sizes = [(seed, 3 + seed) for seed in range(40)]  # from no difference to one that needs no draw
    for seed, size in [*sizes, (143, 6)]:  # whose p by t is .017
        rng = np.random.default_rng(seed)
        d = rng.exponential(size=size) - 1 + rng.choice([0, 0.4, 0.7, 3])
        of = Difference("A", "dcg", np.ones_like(d, dtype=int), d.size, np.zeros_like(d), d)
        low, high = of.interval
        row = dict(zip(LAST_COLUMNS, of.row(), strict=True))
        p = row["p_t" if row["arrangements"] < 39 else "p_permutation"]
        clear = not low <= 0 <= high and p <= 0.05
        assert of.is_clear == clear, seed
        verdicts.append((clear, not low <= 0 <= high))
    assert {*verdicts} == {(True, True), (False, True), (False, False)}
