"""Two systems compared: every field against plain statistics, textbook cases and scipy's tests."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.compare_systems.numbers import Pair, compare
from tests.support.crossed import SLEEP  # Student (1908), hours of sleep, R's `sleep`
from tests.support.plain_permutation import mean
from tests.support.plain_statistics import PlainPair, Row, random_scores, scored

NAN = math.nan
TOPICS = ("t", "u", "v")


def drawn(
    chance: random.Random, *, both: int, one: int, topics: int = 3, named: float = 1.0
) -> list[Row]:
    """Searchers of both systems and of one, with up to three sessions in each of their cells."""
    score = random_scores(chance)
    rows: list[Row] = []
    used = ["AB"] * both + ["A", "B", *chance.choices("AB", k=max(0, one - 2))][
        : one and max(2, one)
    ]
    for i, systems in enumerate(used):
        name = f"p{i}" if chance.random() < named else ""
        for system in systems:
            for _ in range(chance.randint(1, 3)):
                rows.append(Row(score(), system, name, chance.choice(TOPICS[:topics])))
    chance.shuffle(rows)
    return rows


def nested(chance: random.Random) -> list[Row]:
    """Some topics are met by one system alone, a third one on any topic."""
    score = random_scores(chance)
    rows = [Row(score(), s, f"{s}{i}", "t") for s in "AB" for i in range(chance.randint(1, 3))]
    own = [("A", "u"), ("B", "v")][: chance.randint(1, 2)]
    rows += [Row(score(), s, f"{s}{topic}{i}", topic) for s, topic in own for i in range(2)]
    rows += [Row(score(), "C", f"c{i}", chance.choice(TOPICS)) for i in range(3)]
    return rows


def with_third(chance: random.Random) -> list[Row]:
    """A third system, by the same searchers and by one of its own."""
    rows = drawn(chance, both=3, one=0)
    third = [row._replace(system="C", score=row.score + 1) for row in rows if row.system == "A"]
    return [*rows, *third, Row(Fraction(2), "C", "q", "t")]


def by_topic(chance: random.Random, searchers: Sequence[str] = ("", "")) -> list[Row]:
    """One session of each system on most topics; each system has one searcher, or nobody is named.

    A third system met some of the topics, too.
    """
    score = random_scores(chance)
    rows = [
        Row(score(), system, who, f"t{i}")
        for system, who in zip("AB", searchers, strict=True)
        for i in range(7)
        if system == "A" or i < chance.randint(4, 7)
    ]
    rows += [Row(score(), "C", "", f"t{i}") for i in range(0, 7, 2)]
    chance.shuffle(rows)
    return rows


def of_runs(chance: random.Random) -> list[Row]:
    """One or two sessions of each system on eight topics; a third one met some of them once."""
    score = random_scores(chance)
    twice = chance.sample(range(8), 2)
    rows = [
        Row(score(), system, "", f"t{i}")
        for system in "AB"
        for i in range(8)
        for _ in range(1 + (i == twice[system == "A"]))
    ]
    chance.shuffle(rows)
    return rows


KINDS: dict[str, Callable[[random.Random], list[Row]]] = {
    "within": lambda chance: drawn(chance, both=chance.randint(2, 6), one=0),
    "between": lambda chance: drawn(chance, both=0, one=chance.randint(2, 8)),
    "mixed, more of both": lambda chance: drawn(chance, both=chance.randint(3, 5), one=3),
    "mixed, more of one": lambda chance: drawn(chance, both=2, one=chance.randint(3, 7)),
    "no searchers": lambda chance: drawn(chance, both=0, one=5, named=0.0),
    "some searchers": lambda chance: drawn(chance, both=2, one=2, named=0.6),
    "one topic within": lambda chance: drawn(chance, both=4, one=0, topics=1),
    "one topic between": lambda chance: drawn(chance, both=0, one=6, topics=1),
    "one searcher each": lambda chance: drawn(chance, both=0, one=2),
    "one searcher of both": lambda chance: drawn(chance, both=1, one=0),
    "nested topics": nested,
    "three systems": with_third,
    "paired by topic": by_topic,
    "paired by topic, several runs": of_runs,
    "paired by topic, one searcher each": lambda chance: by_topic(chance, ("p", "q")),
}
STUDIES = [
    pytest.param(rows, id=f"{kind} {seed}")
    for kind, make in KINDS.items()
    for seed in range(3)
    if len(rows := make(random.Random(seed))) < 20
]
NEVER_TOGETHER = [Row(Fraction(n), s, f"{s}{n}", t) for s, t in ("At", "Bu") for n in (1, 2, 4)]


def expected_of(plain: PlainPair) -> dict[str, Any]:
    """Every field."""
    of_a, of_b = plain.of("A"), plain.of("B")
    known = not math.isnan(plain.value)
    p, others = plain.permutation() if known else (NAN, 0)
    share, low, high = plain.superiority() if known else (NAN, NAN, NAN)
    ends = plain.interval()
    return {
        "system_a": "A",
        "system_b": "B",
        "design": plain.design,
        "both": len(plain.both),
        "single": len(plain.single),
        "n_a": len(of_a),
        "n_b": len(of_b),
        "apart": plain.apart,
        "alone": sum(not plain.rows[i].searcher for i in plain.kept),
        "units": plain.units_of("A", "B"),
        "units_of": (plain.units_of("A"), plain.units_of("B")),
        "searchers_of": tuple(
            len({plain.rows[i].searcher for i in places} - {""}) for places in (of_a, of_b)
        ),
        "topics": len(plain.topics(plain.kept)),
        "is_crossed": plain.is_crossed,
        "mean_a": float(mean([plain.rows[i].score for i in of_a])),
        "mean_b": float(mean([plain.rows[i].score for i in of_b])),
        "difference": plain.value,
        "low": ends[0],
        "high": ends[1],
        "df": plain.df if plain.has_spread else NAN,
        "p_t": plain.p_t(),
        "p_permutation": p if others else NAN,
        "arrangements": others,
        "hedges_g": plain.hedges_g() if known else NAN,
        "superiority": share,
        "superiority_low": low,
        "superiority_high": high,
        "crossed": None,
    }


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-7, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("rows", STUDIES)
def test_every_field_is_that_of_plain_loops(rows: list[Row]) -> None:
    pair, expected = compare(scored(rows), 0, 1), expected_of(PlainPair(rows, "A", "B"))
    assert {field.name for field in fields(Pair)} == {*expected, "is_level"}
    for field, value in expected.items():
        assert getattr(pair, field) == (close(value) if isinstance(value, float) else value), field


@pytest.mark.parametrize("rows", STUDIES[1::5])
def test_swapped_systems_negate_and_mirror(rows: list[Row]) -> None:
    one, two = compare(scored(rows), 0, 1), compare(scored(rows), 1, 0)
    same = "design", "both", "single", "apart", "units", "topics", "is_crossed", "arrangements"
    assert [getattr(one, name) for name in same] == [getattr(two, name) for name in same]
    assert (one.p_permutation, one.p_t, one.df) == close((two.p_permutation, two.p_t, two.df))
    assert (two.low, two.high, two.difference) == close((-one.high, -one.low, -one.difference))
    assert two.hedges_g == close(-one.hedges_g)
    share = two.superiority, two.superiority_low, two.superiority_high
    ends = 1 - one.superiority_high, 1 - one.superiority_low
    assert share == close((1 - one.superiority, *ends))
    swapped = two.n_b, two.n_a, two.mean_b, two.mean_a, *two.units_of[::-1]
    assert (one.n_a, one.n_b, one.mean_a, one.mean_b, *one.units_of) == close(swapped)


def fields_of(rows: list[Row], *but: str) -> dict[str, Any]:
    pair = compare(scored(rows), 0, 1)
    return {name: value for name, value in asdict(pair).items() if name not in but}


def alike(one: dict[str, Any]) -> dict[str, Any]:
    return {
        name: close(value) if isinstance(value, float) else value for name, value in one.items()
    }


@pytest.mark.parametrize("rows", STUDIES[::5])
def test_order_of_sessions_and_names_of_searchers_and_topics_change_nothing(
    rows: list[Row],
) -> None:
    rows = [row._replace(searcher=row.searcher or f"alone{i}") for i, row in enumerate(rows)]
    names = sorted({row.searcher for row in rows})
    others = dict(zip(names, random.Random(2).sample(names, len(names)), strict=True))
    topics = sorted({row.topic for row in rows})
    moved = dict(zip(topics, topics[::-1], strict=True))
    renamed = [row._replace(searcher=others[row.searcher], topic=moved[row.topic]) for row in rows]
    mixed = random.Random(1).sample(renamed, len(rows))
    assert fields_of(mixed) == alike(fields_of(rows))


@pytest.mark.parametrize("rows", STUDIES[2::5])
def test_a_constant_on_each_topic_changes_means_and_their_spread_alone(rows: list[Row]) -> None:
    topics = sorted({row.topic for row in rows})
    shift = {topic: Fraction(7 - 5 * i, 2) for i, topic in enumerate(topics)}
    moved = [row._replace(score=row.score + shift[row.topic]) for row in rows]
    but = "mean_a", "mean_b", "hedges_g"  # g's spread is that of sessions on all topics
    assert fields_of(moved, *but) == alike(fields_of(rows, *but))


# Darwin (1876), heights of maize in inches by pair, self-fertilised and crossed
MAIZE = (
    [17.375, 20.375, 20, 20, 18.375, 18.625, 18.625, 15.25, 16.5, 18, 16.25, 18, 12.75, 15.5, 18],
    [23.5, 12, 21, 22, 19.125, 21.5, 22.125, 20.375, 18.25, 21.625, 23.25, 21, 22.125, 23, 12],
)


def two_samples(of_a: list[float], of_b: list[float], *, paired: bool) -> Pair:
    rows = [
        Row(Fraction(value), system, f"{i}{'' if paired else system}", "t")
        for system, of in (("A", of_a), ("B", of_b))
        for i, value in enumerate(of)
    ]
    return compare(scored(rows), 0, 1)


def rounded(pair: Pair, digits: int) -> tuple[float, float, float]:
    return round(pair.difference, digits), round(pair.low, digits), round(pair.high, digits)


def test_students_sleep_paired() -> None:
    pair = two_samples(*SLEEP, paired=True)
    assert (pair.design, pair.units) == ("within", 10)
    assert rounded(pair, 4) == (1.58, 0.7001, 2.4599)
    # t = 4.0621 puts the ends of the interval 2.2622 standard errors apart
    assert pair.difference / (pair.high - pair.difference) * 2.262157 == pytest.approx(4.0621, 1e-4)
    assert pair.p_permutation == 4 / 2**10  # R, coin::oneway_test(exact) of the pairs: .003906


def test_students_sleep_as_two_groups_by_welch() -> None:
    pair = two_samples(*SLEEP, paired=False)
    assert (pair.design, pair.units_of) == ("between", (10, 10))
    assert rounded(pair, 7) == (1.58, -0.2054832, 3.3654832)  # R, t.test(extra ~ group, sleep)
    welch: Any = stats.ttest_ind(*SLEEP, equal_var=False)
    assert welch.pvalue == pytest.approx(0.07939, abs=5e-6)
    assert pair.p_permutation == pytest.approx(0.08, abs=0.02)


def test_darwins_maize_paired() -> None:
    pair = two_samples(*MAIZE, paired=True)
    assert rounded(pair, 4) == (2.6167, 0.0039, 5.2294)  # Fisher: t = 2.148, P = .0497
    assert pair.p_permutation == pytest.approx(2 * 863 / 2**15, abs=0.01)
    assert pair.arrangements == 10_000


@pytest.mark.parametrize("seed", range(2))
def test_intervals_are_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of_a, of_b = rng.normal(size=8), rng.normal(1, 2, size=8)
    paired = two_samples(of_a.tolist(), of_b.tolist(), paired=True)
    for test in (stats.ttest_rel(of_b, of_a), stats.ttest_1samp(of_b - of_a, 0.0)):
        assert (paired.low, paired.high) == close(tuple(test.confidence_interval()))
    apart = two_samples(of_a.tolist(), of_b.tolist(), paired=False)
    welch = stats.ttest_ind(of_b, of_a, equal_var=False).confidence_interval()
    assert (apart.low, apart.high) == close(tuple(welch))


def test_systems_never_on_one_topic_have_no_difference() -> None:
    pair = compare(scored(NEVER_TOGETHER), 0, 1)
    undefined = pair.difference, pair.low, pair.p_permutation, pair.hedges_g, pair.superiority
    assert all(map(math.isnan, undefined))


def test_plain_pair_by_hand() -> None:
    text = ["1 A p t", "3 B p t", "2 B q u", "6 A q u", "5 A r u"]
    rows = [Row(Fraction(s), *rest) for s, *rest in (line.split() for line in text)]
    pair = compare(scored(rows), 0, 1)
    # p's own difference is 2, q's −4, r has 5 with a; with one topic each, topics tell nothing more
    assert (pair.design, pair.both, pair.single, pair.units) == ("mixed", 2, 1, 3)
    assert -4 < pair.difference < 2
    assert pair.by_t
