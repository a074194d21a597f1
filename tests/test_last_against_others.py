"""Is the last query better than the others? Against plain loops, and in words."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest
from scipy import stats

from analysis.definition import Definition, Filters
from analysis.last_against_others import LastAgainstOthers, last_against_others
from tests.plain_files import ECIR2008, definition_of, read_plain, study_of
from tests.plain_loop import Choices, PlainSession, PlainStudy, Query, is_judged, query_scores
from tests.plain_statistics import exact_p
from tests.random_studies import random_judgments, random_session
from tests.studies import SAMPLES, at_hand

GAINS = {-1.0: 0.0, 0.0: 0.5, 1.0: 1.0, 2.0: 3.0, 3.0: 10.0}
LINEAR = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0}, bq=math.inf)
Pairs = list[tuple[float, float]]  # last, mean of the others


def random_study(seed: int) -> PlainStudy:
    """Many sessions of three systems by few searchers, some of one query or on no judged topic."""
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i:02}") for i in range(chance.randint(4, 14))]
    shown = PlainSession("shown", [("t1", {1: "a"}), ("t1", {2: "b"})], "A", "p")
    return PlainStudy([*sessions, shown], random_judgments(chance) | {("t1", "a"): 1.0})


def asked(plain: PlainStudy, choices: Choices) -> dict[str, dict[str, Pairs]]:
    """By system and searcher (or session): last and others of each session that has both."""
    found: dict[str, dict[str, Pairs]] = {}
    for session in plain.sessions:
        if len(session.queries) < 2 or not is_judged(session.queries, plain.judgments):
            continue
        worth = [row["sdcg"] for row in query_scores(session.queries, plain.judgments, choices)]
        of = found.setdefault(session.system, {})
        unit = session.searcher or f"session {session.name}"
        of.setdefault(unit, []).append((worth[-1], fmean(worth[:-1])))
    return found


def expected_of(system: str, of: dict[str, Pairs]) -> dict[str, Any]:
    """A row of the table."""
    every = [pair for pairs in of.values() for pair in pairs]
    each = [tuple(fmean(values) for values in zip(*pairs, strict=True)) for pairs in of.values()]
    d = [last - others for last, others in each]
    low = high = math.nan
    if len(d) > 1 and max(d) - min(d) > 1e-9:
        low, high = stats.ttest_1samp(d, 0.0).confidence_interval()
    # decimals make ties of what loops and arrays round apart
    exact = [Fraction(round(value, 9)).limit_denominator(10**9) for pair in each for value in pair]
    strata = [i // 2 for i in range(len(exact))]
    p, _ = exact_p(exact, [1, 0] * len(each), strata)
    row = {"system": system, "sessions": len(every), "searchers": len(of)}
    row |= {"last": fmean(last for last, _ in every), "others": fmean(o for _, o in every)}
    return row | {"difference": fmean(d), "low": low, "high": high, "p_permutation": p}


def compared(plain: PlainStudy, choices: Choices, filters: Filters | None = None) -> Any:
    return last_against_others(study_of(plain), definition_of(choices), filters or Filters())


@pytest.mark.parametrize("seed", range(30))
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
    rows = shown.systems.set_index("system", drop=False).to_dict("index")
    expected = asked(plain, choices)
    assert list(rows) == sorted(expected)
    for system, of in expected.items():
        own = expected_of(system, of)
        if math.isnan(own["low"]):  # differences that are all alike, or one
            rows[system]["low"] = rows[system]["high"] = math.nan
        for name, value in own.items():
            near = value if isinstance(value, str) else pytest.approx(value, nan_ok=True, abs=1e-9)
            assert rows[system][name] == near, name
    judged = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    assert shown.single == sum(len(s.queries) == 1 for s in judged)


def test_sample_equals_the_loops() -> None:
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    choices = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    shown = last_against_others(at_hand(SAMPLES[0]), Definition(), Filters()).systems
    for row in shown.to_dict("records"):
        of = asked(plain, choices)[row["system"]]
        d = [fmean(last - others for last, others in pairs) for pairs in of.values()]
        low, high = stats.ttest_1samp(d, 0.0).confidence_interval()
        found = [row["difference"], row["low"], row["high"]]
        assert found == pytest.approx([fmean(d), low, high])
        assert 1 / 10_001 <= row["p_permutation"] <= 1


def study(*sessions: tuple[str, str, str]) -> PlainStudy:
    """System, searcher and what each query shows first: grades 0 to 3 as one text."""
    made: list[PlainSession] = []
    for i, (system, searcher, grades) in enumerate(sessions):
        queries: list[Query] = [("t", {1: f"d{grade}"}) for grade in grades]
        made.append(PlainSession(f"s{i}", queries, system, searcher))
    return PlainStudy(made, {("t", f"d{grade}"): float(grade) for grade in range(4)})


def sentences(*sessions: tuple[str, str, str]) -> list[str]:
    return compared(study(*sessions), LINEAR).sentences()


SINGLE = (
    "1 session with a single query can't be asked; where the best query is last because searchers "
    "stop once they have found, this says how they stop, not what asking again brings."
)


def test_sentences_in_full() -> None:
    told = sentences(
        *(("A", "p", "13"), ("A", "q", "113"), ("A", "q", "01"), ("A", "r", "01")),
        *(("B", "p", "30"), ("B", "q", "20"), ("B", "q", "2")),
    )
    assert told == [
        # 2, (2 + 1) / 2 and 1: 1.5 ± 4.303 × .5 / √3
        "A: the last query is worth 1.50 sDCG more than the others of its session (95 % interval "
        "0.258 to 2.74, p = .250; 4 sessions by 3 searchers).",
        # 3 and 2 less: 2.5 ± 12.71 × √½ / √2
        "B: the last query is worth 2.50 sDCG less than the others of its session (95 % interval "
        "-3.85 to 8.85, p = .500; 2 sessions by 2 searchers).",
        SINGLE,
    ]


def test_one_searcher_has_no_interval() -> None:
    (told,) = sentences(("A", "p", "13"), ("A", "p", "03"))
    assert told.startswith("A: the last query is worth 2.50 sDCG more than the others of its sess")
    assert "(no interval, p = 1; 2 sessions by 1 searcher)" in told


ODD = {
    "one session": [("A", "p", "12")],
    "no searchers": [("A", "", "12"), ("A", "", "13"), ("B", "", "11")],
    "last as the others": [("A", "p", "11"), ("A", "q", "22")],
    "alike by all": [("A", "p", "12"), ("A", "q", "12")],
    "single queries alone": [("A", "p", "1"), ("B", "q", "2")],
    "nothing relevant": [("A", "p", "00"), ("A", "q", "000")],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_study_is_told_in_words(name: str) -> None:
    told = " ".join(sentences(*ODD[name]))
    assert told.endswith(".")
    assert not re.search(r"\b(nan|inf|None)\b", told)


def test_no_session_left_says_nothing() -> None:
    shown: LastAgainstOthers = compared(study(("A", "p", "12")), LINEAR, Filters(min_queries=5))
    assert (len(shown.systems), shown.sentences()) == (0, [])


def test_filters_narrow_the_systems() -> None:
    plain = study(("A", "p", "12"), ("B", "q", "13"), ("B", "p", "31"))
    shown = compared(plain, LINEAR, Filters(systems=("B",)))
    assert shown.systems["system"].tolist() == ["B"]
    assert shown.systems["difference"].tolist() == [0.0]


def test_last_query_worth_as_much_as_the_others_is_told_as_0() -> None:
    queries: list[Query] = [("t", {4: "d1"})] * 3  # each worth ⅓
    sessions = [PlainSession(f"s{i}", queries, "A", f"p{i}") for i in range(3)]
    plain = PlainStudy(sessions, {("t", "d1"): 1.0})
    (told,) = compared(plain, LINEAR).sentences()
    assert "worth 0 sDCG" in told
    assert "e-" not in told
