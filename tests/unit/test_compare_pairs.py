"""Two systems compared: plain statistics, textbook cases, every arrangement, the two-way model."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import stats

from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.compare_systems.numbers import holm as corrected
from sdcg_explorer.questions.compare_systems.words import order_headline
from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.statistics import permutation, two_way
from sdcg_explorer.statistics.two_way import Estimate, Sessions, TwoWay
from tests.support.plain_statistics import (
    SLEEP,  # Student (1908), hours of sleep, R's `sleep`
    PlainPair,
    Row,
    arrangements,
    exact_p,
    holm,
    mean,
    parted,
    random_scores,
    rows_of,
    scored,
    topic_centred,
)

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
ODD = [  # where a difference or its interval could mislead
    "1 A p t, 2 B p t, 3 A q t, 4 B q t, 1 A r* t × 4",
    "1 A p t, 3 B p u, 2 B q t, 9 A q u",
    "1 A p t, 3 B p u, 2 A q u, 6 B q t, 1 A r v, 3 B r w, 2 A s w, 5 B s v",
    "1 A p t, 2 B p t, 4 A q t, 5 B q t",
    "1/10 A p* t × 2, 1/10 B r* t × 1, 1/10 A u* u × 3, 1/10 B v* u × 4",
    "1 A p t, 2 A q t, 4 B r t",
    "1 A p t, 2 B p u, 1 A q t, 2 B q u, 2 B r t × 5, 1 A s u × 5",
    "1 A p t, 2 A q t, 3 B r u, 4 B s u",
]
STUDIES += [pytest.param(rows_of(*told.split(", ")), id=told) for told in ODD]


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
        "shared": plain.shared,
        "mean_a": float(mean([plain.rows[i].score for i in of_a])),
        "mean_b": float(mean([plain.rows[i].score for i in of_b])),
        "difference": plain.value,
        "low": ends[0],
        "high": ends[1],
        "df": plain.df if plain.has_spread else NAN,
        "p_t": plain.p_t(),
        "p_permutation": p if others > 1 else NAN,
        "arrangements": others,
        "hedges_g": plain.hedges_g() if known else NAN,
        "superiority": share,
        "superiority_low": low,
        "superiority_high": high,
        "crossed": None,
        "with_order": False,
    }


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-7, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("rows", STUDIES)
def test_every_field_is_that_of_plain_loops(rows: list[Row]) -> None:
    pair, expected = numbers.compare(scored(rows), 0, 1), expected_of(PlainPair(rows, "A", "B"))
    assert {field.name for field in fields(numbers.Pair)} == {*expected, "topic_noun"}
    for field, value in expected.items():
        assert getattr(pair, field) == (close(value) if isinstance(value, float) else value), field


# Darwin (1876), heights of maize in inches by pair, self-fertilised and crossed
MAIZE = (
    [17.375, 20.375, 20, 20, 18.375, 18.625, 18.625, 15.25, 16.5, 18, 16.25, 18, 12.75, 15.5, 18],
    [23.5, 12, 21, 22, 19.125, 21.5, 22.125, 20.375, 18.25, 21.625, 23.25, 21, 22.125, 23, 12],
)


def two_samples(of_a: list[float], of_b: list[float], *, paired: bool) -> numbers.Pair:
    rows = [
        Row(Fraction(value), system, f"{i}{'' if paired else system}", "t")
        for system, of in (("A", of_a), ("B", of_b))
        for i, value in enumerate(of)
    ]
    return numbers.compare(scored(rows), 0, 1)


GOLDEN = [  # design, difference and interval, p by permutation and how near
    # R: t = 4.0621, coin::oneway_test(exact) of the pairs: .003906
    (SLEEP, True, "within", (1.58, 0.7001, 2.4599), 4 / 2**10, 0),
    (SLEEP, False, "between", (1.58, -0.2055, 3.3655), 0.08, 0.02),  # R, t.test(extra ~ group)
    (MAIZE, True, "within", (2.6167, 0.0039, 5.2294), 2 * 863 / 2**15, 0.01),  # Fisher: t = 2.148
]


@pytest.mark.parametrize(("data", "paired", "design", "expected", "p", "near"), GOLDEN)
def test_textbook_data_have_their_printed_numbers(
    data: Any, paired: bool, design: str, expected: tuple[float, ...], p: float, near: float
) -> None:
    pair = two_samples(*data, paired=paired)
    assert (pair.design, pair.units) == (design, len(data[0]) * (1 if paired else 2))
    found = pair.difference, pair.low, pair.high
    assert tuple(round(value, 4) for value in found) == expected
    assert pair.p_permutation == pytest.approx(p, abs=near or 1e-12)


P_VALUES = [
    ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # Holm's own steps: × 4, 3, 2, 1
    ([0.5, 0.9, 0.7], [1, 1, 1]),
    ([math.nan, 0.02, math.nan, 0.03], [math.nan, 0.04, math.nan, 0.04]),
    ([], []),
]


@pytest.mark.parametrize(("p", "expected"), P_VALUES)
def test_holm_by_hand_by_loops_and_as_the_product_has_it(
    p: list[float], expected: list[float]
) -> None:
    assert holm(p) == pytest.approx(expected, nan_ok=True)
    assert corrected(np.array(p, dtype=float)).tolist() == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("seed", range(6))
def test_omnibus_is_that_of_every_arrangement(seed: int) -> None:
    rng = np.random.default_rng(seed)
    both = [("p", "A"), ("p", "B"), ("q", "A"), ("q", "C")]
    alone = [("r", "A"), ("s", "B"), ("w", "C"), ("x", "C")]
    rows = [
        Row(Fraction(int(rng.integers(9)), 4), system, who, str(rng.choice(["t", "u"])))
        for who, system in both + alone + both[:2]
    ]
    cells: dict[tuple[str, str], list[Fraction]] = {}
    for row, value in zip(rows, topic_centred(rows), strict=True):
        cells.setdefault((row.searcher, row.system), []).append(value)
    values = [mean(each) for each in cells.values()]
    met = {system: {row.topic for row in rows if row.system == system} for system in "ABC"}
    crossed = met["A"] == met["B"] == met["C"]
    own = {who: frozenset(row.topic for row in rows if row.searcher == who) for who, _ in cells}
    strata = [who if who in "pq" else "" if crossed else own[who] for who, _ in cells]
    expected, others = exact_p(values, [system for _, system in cells], strata)
    assert numbers.omnibus(scored(rows)) == (pytest.approx(expected), others)


def ours(
    values: Sequence[float | Fraction], labels: Sequence[int], strata: Sequence[int], **more: int
) -> tuple[float, int]:
    numbers = np.array([float(value) for value in values])
    codes = np.array(labels), np.array(strata)
    return permutation.permutation_p(numbers, *codes, permutation.arrangements(*codes, **more))


def units_drawn(
    chance: random.Random, kinds: int, units: int
) -> tuple[list[Fraction], list[int], list[int]]:
    """Values, labels (each kind at least once) and strata of some units."""
    score = random_scores(chance)
    labels = [*range(kinds), *chance.choices(range(kinds), k=units - kinds)]
    chance.shuffle(labels)
    several = chance.randint(1, 3)
    return [score() for _ in labels], labels, chance.choices(range(several), k=units)


CASES = [
    units_drawn(random.Random(seed), kinds, units)
    for kinds, most in ((2, 8), (3, 7))
    for seed, units in enumerate([*range(kinds, most + 1)] * 3)
]
CASES.insert(0, ([*map(Fraction, range(4))], [0, 0, 1, 1], [0, 0, 1, 1]))  # where labels don't meet


@pytest.mark.parametrize("place", range(len(CASES)))
def test_p_is_that_of_every_arrangement(place: int) -> None:
    values, labels, strata = CASES[place]
    expected, number = exact_p(values, labels, strata)
    for unit in (1.0, 2.0**-600, 2.0**600):  # whose squares are no floats
        found = ours([float(value) * unit for value in values], labels, strata)
        assert found == (pytest.approx(expected, rel=1e-12), number)


def test_where_no_label_can_move_p_is_1_of_no_arrangement() -> None:
    for labels, strata in (([0], [0]), ([1, 1], [0, 0]), ([0, 1, 0], [0, 1, 2])):
        assert ours([*range(len(labels))], labels, strata) == (1.0, 0)


# as written, and as rounding has them
ROUNDED = {
    "sums": (["0.3", "0.3", "0.7", "0.7"], [0.1 + 0.2, 0.3, 0.7, 0.6 + 0.1]),
    "one differs": (["0.3", "0.3", "0.3", "1"], [0.1 + 0.2, 0.3, 0.3, 1.0]),
    "thirds": (["0.1", "0.3", "0.6", "0.8"], [0.1, 1.1 - 0.8, 3 * 0.2, 0.7 + 0.1]),
}


@pytest.mark.parametrize("case", ROUNDED)
def test_ties_by_the_decimals_stay_ties(case: str) -> None:
    texts, values = ROUNDED[case]
    for labels in ([0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 1, 2]):
        for strata in ([0] * 4, [0, 0, 1, 1]):
            expected = exact_p([Fraction(text) for text in texts], labels, strata)
            assert ours(values, labels, strata) == pytest.approx(expected)


@pytest.mark.parametrize("value", [0.0, 0.25, 1e9])
def test_units_all_alike_are_parted_by_no_arrangement_more(value: float) -> None:
    assert ours([value] * 6, [0, 1, 0, 1, 0, 1], [0] * 6) == (1.0, 19)


LARGE = 8  # of each label: 12,870 arrangements, more than the draws


def overlapping(shift: float) -> tuple[list[float], list[int], list[int]]:
    values = np.random.default_rng(3).normal(size=2 * LARGE)
    return [*values[:LARGE], *(values[LARGE:] + shift)], [0] * LARGE + [1] * LARGE, [0] * 2 * LARGE


@pytest.mark.parametrize("shift", [0.7, 30.0])
def test_draws_come_near_the_p_of_all_arrangements_and_never_to_0(shift: float) -> None:
    case = overlapping(shift)
    exact, others = ours(*case, draws=20_000)
    p, draws = ours(*case)
    assert (others, draws) == (12_869, 10_000)
    assert abs(p - exact) < 5 * (exact * (1 - exact) / draws) ** 0.5 + 1 / draws
    assert p >= 1 / 10_001


def test_draws_keep_labels_within_strata_of_any_size() -> None:
    values = [0.0, 1.0, 2.0, 4.0, 9.0, 3.0, 1.0, 5.0, 2.0, 7.0]
    strata = [5, 5, 2, 2, 2, 2, 9, 9, 9, 9]
    labels = [0, 1] * 5  # as many of each in every stratum
    apart = [value + 1e4 * stratum for value, stratum in zip(values, strata, strict=True)]
    p, draws = ours(values, labels, strata, draws=70)  # of 2 × 6 × 6 − 1 = 71
    assert draws == 70
    assert ours(apart, labels, strata, draws=70) == (p, 70)
    exact, others = ours(values, labels, strata)
    assert (others, abs(p - exact) < 0.3) == (71, True)


def test_as_many_arrangements_as_draws_are_all_gone_through() -> None:
    case = [1.0, 2.0, 5.0, 6.0], [0, 0, 1, 1], [0] * 4
    assert ours(*case, draws=5) == (1 / 3, 5)
    assert ours(*case, draws=4)[1] == 4


def test_values_in_parts_are_the_values_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [overlapping(0.7), *CASES[-8:]]
    expected = [ours(*case) for case in cases]
    monkeypatch.setattr(permutation, "MOST_CELLS", 50)
    assert [ours(*case) for case in cases] == expected


def test_plain_loops_by_hand() -> None:
    values = [Fraction(n) for n in (1, 2, 6)]
    one = [0] * 3
    # means 1 and 4, of which 2 and 6 are 8 squares apart: 3² over 8 / 2 and, for one value, 8
    assert parted(values, [0, 1, 1], one) == Fraction(9, 12)
    assert parted(values, [0, 1, 2], one) == 4 + 1 + 9  # mean 3, and no spread
    assert parted(values, [0, 1, 1], [0, 0, 1]) == math.inf  # a pair 1 apart, with no error
    assert set(arrangements("xxy", [0, 0, 0])) == {tuple(t) for t in ("xxy", "xyx", "yxx")}
    assert arrangements("xxy", [0, 1, 2]) == [tuple("xxy")]
    assert exact_p(values, [0, 1, 1], [0] * 3) == (2 / 3, 2)  # .75, .12 and 27: one more


def crossed(searchers: int, topics: int, seed: int) -> tuple[Sessions, Any]:
    """Every searcher with both systems on every topic; each has effects of its own."""
    rng = np.random.default_rng(seed)
    unit, topic, system = (each.ravel() for each in np.indices((searchers, topics, 2)))
    score = rng.normal(size=searchers)[unit] + rng.normal(size=topics)[topic] + 0.4 * system
    score = score + rng.normal(size=searchers)[unit] * system + rng.normal(size=unit.size)
    return Sessions(system, unit, topic), score


def by_t(found: Estimate) -> list[float]:
    return [found.value, found.t, found.df, *found.interval(), found.p]


def test_a_searcher_of_many_sessions_is_one_unit() -> None:
    sessions, score = crossed(2, 201, 3)  # more than are gone through session by session
    found = TwoWay(score, sessions).difference(0, 1)
    assert found.df == pytest.approx(1.0, rel=1e-6)


def test_searchers_of_many_sessions_are_adjusted_as_all_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions, score = crossed(6, 5, 4)
    kept = np.random.default_rng(3).random(score.size) < 0.7
    some = Sessions(sessions.system[kept], sessions.unit[kept], sessions.topic[kept])
    expected = by_t(TwoWay(score[kept], some).difference(0, 1))
    some = Sessions(some.system, some.unit, 2 * some.topic)  # codes that no session has
    monkeypatch.setattr(two_way, "MOST_SESSIONS", 3)
    assert by_t(TwoWay(score[kept], some).difference(0, 1)) == pytest.approx(expected, rel=1e-8)


# learning and order: the model against statsmodels, and a pair that it can't tell from them
NAMES = ("A", "B", "C")


def learners(seed: int) -> Scored:
    """Searchers of two to five sessions, systems and topics by chance, who learn."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, 12)
    unit, place = np.repeat(np.arange(12), sizes), np.concatenate([np.arange(n) for n in sizes]) + 1
    system, topic = rng.integers(0, 3, unit.size), rng.integers(0, 4, unit.size)
    score = 0.3 * place + 0.5 * system + rng.normal(0, 0.6, 12)[unit] + rng.normal(0, 1, unit.size)
    return Scored(score, system, unit, topic, np.ones_like(unit), NAMES, place=place.astype(float))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_effects_are_those_of_statsmodels_least_squares(seed: int) -> None:
    """Generalised for what a searcher's sessions share, which two plain fits tell."""
    scored = learners(seed)
    columns = {"y": scored.score, "s": scored.system, "t": scored.topic, "u": scored.unit}
    frame = pd.DataFrame(columns | {"p": scored.place})
    same = np.equal.outer(scored.unit, scored.unit)

    def fitted(part: str) -> dict[str, float]:
        formula = f"y ~ C(s) + C(t){part}"
        whole, within = (smf.ols(f"{formula}{more}", frame).fit() for more in ("", " + C(u)"))
        alike = max(0.0, 1 - within.mse_resid / whole.mse_resid)
        sigma = np.where(same, alike, 0.0) + (1 - alike) * np.eye(len(frame))
        return dict(smf.gls(formula, frame, sigma=sigma).fit().params)

    without, placed, apart = (fitted(part) for part in ("", " + p", " + C(s):p"))
    ours = numbers.order_effects(scored, [("A", "C"), ("B", "C")]).set_index(["effect", "system_a"])
    assert placed["p"] == pytest.approx(ours["value"][numbers.PLACE, ""], abs=1e-8)
    b, c = "C(s)[T.1]", "C(s)[T.2]"
    for name, theirs in ((numbers.WITHOUT, without), (numbers.WITH, placed)):
        expected = [theirs[c], theirs[c] - theirs[b]]
        assert ours["value"][name].loc[["A", "B"]].tolist() == pytest.approx(expected, abs=1e-8)
    slopes = [apart[f"C(s)[{i}]:p"] for i in range(3)]
    expected = [slopes[2] - slopes[0], slopes[2] - slopes[1]]
    assert ours["value"][numbers.BY_PLACE].loc[["A", "B"]].tolist() == pytest.approx(
        expected, abs=1e-8
    )


def test_a_pair_that_came_in_one_order_is_not_told_from_the_place() -> None:
    unit, system = np.divmod(np.arange(20), 2)
    score = np.random.default_rng(1).normal(0, 1, 20)
    scored = Scored(
        score, system, unit, 0 * unit, np.ones_like(unit), NAMES[:2], place=system + 1.0
    )
    found = numbers.order_effects(scored, [("A", "B")]).set_index("effect")
    assert found["value"].isna().to_dict() == {
        numbers.PLACE: True,
        numbers.WITHOUT: False,
        numbers.WITH: True,
        numbers.BY_PLACE: True,
    }
    assert order_headline(found.reset_index(), "sDCG") == (
        "Learning and fatigue can't be estimated: systems or topics came in the same order for all."
    )
    t = stats.ttest_rel(score[1::2], score[::2])
    assert found["p_t"][numbers.WITHOUT] == pytest.approx(t.pvalue)
