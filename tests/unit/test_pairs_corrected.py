"""Robustness and Compare systems of several systems: one pair of many, corrected on both alike."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems import words as compare_words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems, every_pair, holm
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.numbers import (
    VARIED,
    Lead,
    all_definitions,
    present,
    robustness,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.studies import SAMPLES, at_hand, real_logs

ALL, LINEAR = Filters(), Definition(weights="linear")
SYSTEMS = "VWXYZ"
GRID = (1.5, 100.0)
SEED = 0  # of a study whose systems do not differ, one pair of ten seems to


def drawn(seed: int, apart: float) -> Study:
    """Twenty searchers of five systems, of which the last finds its document further up."""
    chance = random.Random(seed)
    sessions = [
        PlainSession(f"{system}{who}", asked(chance, apart * (system == "Z")), system, f"p{who}")
        for system, who in product(SYSTEMS, range(20))
    ]
    graded = {("t", f"d{i}"): float(i % 3 + 1) for i in range(9)}
    return study_of(PlainStudy(sessions, graded))


def asked(chance: random.Random, apart: float) -> list[tuple[str, dict[int, str]]]:
    place = [min(10, max(1, round(chance.gauss(6 - apart, 2.5)))) for _ in range(3)]
    return [("t", {rank: f"d{chance.randrange(9)}"}) for rank in place]


@pytest.mark.parametrize(("seed", "apart"), [(2, 1.0), (4, 1.5)])
def test_no_page_calls_clear_what_the_other_does_not(
    seed: int, apart: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdcg_explorer.questions.robustness.numbers.GRID", GRID)
    study, alike = drawn(seed, apart), list[bool]()
    asked_of = None, ("V", "Z"), ("W", "X")
    maps = [robustness(study, LINEAR, ALL, score="final", pair=p) for p in asked_of]
    for i, k in product(range(len(GRID)), repeat=2):
        pairs = every_pair(study, replace(LINEAR, b=GRID[i], bq=GRID[k]), ALL, "final").pairs
        p_t = np.array([pair.p_t for pair in pairs])
        by_t, names = holm(p_t), [{pair.system_a, pair.system_b} for pair in pairs]
        for seen in maps:
            own, is_clear = names.index({*seen.systems}), bool(seen.clear[i, k])
            assert not is_clear or by_t[own] <= 0.05
            if own == p_t.argmin():
                assert is_clear == (by_t[own] <= 0.05)
                alike.append(is_clear)
    assert alike


def test_what_differs_by_chance_alone_is_clear_on_neither_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pair that differs most of ten has an interval without 0, which says nothing of ten."""
    monkeypatch.setattr("sdcg_explorer.questions.robustness.numbers.GRID", (2.0, 4.0))
    study = drawn(SEED, 0.0)
    seen = robustness(study, LINEAR, ALL, score="final")
    assert ((seen.low > 0) | (seen.high < 0)).all()
    assert words.answer(seen).endswith(", but never clearly.")
    compared = compare_systems(study, LINEAR, ALL, score="final")
    assert compare_words.answer(compared).startswith("The 5 systems don't differ clearly; ")
    assert any("multiplied by the 10 pairs" in line for line in words.advice(seen))
    assert "corrected for 10 pairs of systems (Bonferroni)" in words.method(seen)


@real_logs
def test_definition_in_force_and_number_of_sessions_are_those_of_compare_systems() -> None:
    study = at_hand("chiir24-layouts")
    compared = compare_systems(study, Definition(), ALL)
    assert compare_words.answer(compared) == (
        "BASE is ahead of BASE_WAPO by 0.0721 nsDCG (95 % interval 0.0307 to 0.114, p = .006 after "
        "Holm); none of the other 9 pairs of 5 systems differs clearly."
    )
    assert "Test over all 5 systems: p = .027 (" in compare_words.behind(compared)
    own, holm_p = compared.pairs[compared.clearest_place], compared.p_holm[compared.clearest_place]
    seen = robustness(study, Definition(), ALL)
    pair = own.system_a, own.system_b
    assert seen.systems == pair
    now = present(study, Definition(), ALL, score=seen.score, pair=pair)
    assert now == (own.difference, own.low, own.high, holm_p)
    systems = study.sessions["system"].astype(str)
    numbers = [int((systems == name).sum()) for name in seen.systems]
    assert [*seen.sessions] == numbers  # all are judged
    assert words.behind(seen).startswith(
        f"{seen.systems[0]}: {numbers[0]} sessions, {seen.systems[1]}: {numbers[1]} sessions. "
    )


def test_the_first_line_answers_both_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {"top": (10,), "discount": ("ecir2008", "jk2002")}
    monkeypatch.setattr("sdcg_explorer.questions.robustness.numbers.VARIED", VARIED | fewer)
    study = at_hand(SAMPLES[0])
    seen, every = robustness(study, Definition(), ALL), all_definitions(study, Definition(), ALL)
    assert every
    rows = every.table()["difference"]
    assert (seen.table()["difference"] > 0).all()
    others = int((rows < 0).sum())
    assert words.answer(seen, every) == (
        f"System 2 is ahead of System 1 at all 576 values of b and bq and under "
        f"{len(rows) - others:,} of {len(rows):,} definitions, but never clearly; System 1 leads "
        f"under {others:,}."
    )


def of(*values: float, p: float = 0.5, pairs: int = 1) -> Lead:
    return Lead(("A", "B"), np.array(values), np.full(len(values), p), pairs)


BOTH = {
    "both": (
        of(1, 1),
        of(1, 1),
        "B is ahead of A at all 2 values of b and bq and under all 2 definitions, but never cl",
    ),
    "not all": (
        of(1, 1),
        of(1, 0),
        " and under 1 of 2 definitions, but never clearly; they tie under 1.",
    ),
    "other": (
        of(-1, -1),
        of(1, -1),
        "A is ahead of B at all 2 values of b and bq and under 1 of 2 definitions, but never "
        "clearly; B leads under 1.",
    ),
    "either": (of(1, 1, -1), of(1, -1), "; A leads at 1 and under 1."),
    "clear": (
        of(1, p=0.01),
        of(1, 1, p=0.01),
        "at every value of b and bq (1 clearly) and under all 2 definitions (all clearly).",
    ),
    "clear once": (
        of(1, p=0.01),
        of(1, 1),
        "at every value of b and bq (1 clearly) and under all 2 definitions.",
    ),
    "corrected": (
        of(1, p=0.005, pairs=10),
        of(1, p=0.0051, pairs=10),
        "B is ahead of A at every value of b and bq (1 clearly) and under every definition.",
    ),
    "equal": (
        of(0, 0),
        of(1, 1),
        "A and B tie at all 2 values of b and bq. B is ahead of A under all 2 definitions",
    ),
    "no interval": (of(1, p=np.nan), of(1, p=np.nan), ", without any interval."),
    "none at points": (
        of(1, p=np.nan),
        of(1, 1, p=0.01),
        "at every value of b and bq and under all 2 definitions (all clearly).",
    ),
}


@pytest.mark.parametrize("case", BOTH)
def test_both_questions_are_answered_whoever_leads_where(case: str) -> None:
    points, under, said = BOTH[case]
    answer = words.who_leads((points, words.POINTS), (under, words.DEFINITIONS))
    assert said in answer
    assert "Holm" not in answer  # p is multiplied by the number of pairs at each point
