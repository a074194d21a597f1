"""Measures of single queries on a study, by system: by hand, undefined left out and counted."""

from __future__ import annotations

import math
from itertools import pairwise
from math import log2

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.reformulations import words as step_words
from sdcg_explorer.questions.reformulations.numbers import MEASURES, Reformulations, reformulations
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.three_documents import ALL, GRADES, LINEAR, NOTHING, A, B, C

DRY: Query = ("u", {1: "z"})  # on a topic without relevant documents
BEST = 3 + 2 / 2 + 1 / (1 + log2(3))  # DCG of c b a
ALONE = sum(1 / log2(r + 1) for r in range(1, 11))  # 1 / Z: what a list of one result is worth


def study(*sessions: list[Query], systems: str) -> Study:
    plain = [
        PlainSession(f"s{i}", queries, system)
        for i, (queries, system) in enumerate(zip(sessions, systems, strict=True))
    ]
    return study_of(PlainStudy(plain, GRADES))


def asked(measure: str, *sessions: list[Query]) -> Reformulations:
    return reformulations(
        study(*sessions, systems="A" * len(sessions)), LINEAR, ALL, measure=measure
    )


# of queries [A B NOTHING C]: nothing is empty, and has no LDCG
WORKED: dict[str, list[float]] = {
    "dcg": [1, 2, 0, 3],
    "ndcg": [1 / BEST, 2 / BEST, 0, 3 / BEST],
    "ldcg": [1 * ALONE, 3 * ALONE, math.nan, 7 * ALONE],
    "relative_recall": [1 / 3, 2 / 3, 2 / 3, 3 / 3],
    "recall_effort": [3 / 10, 3 / 20, 3 / 30, 3 / 31],
}


@pytest.mark.parametrize("measure", MEASURES)
def test_changes_first_queries_and_means_are_those_of_the_measure(measure: str) -> None:
    worth = WORKED[measure]
    shown = asked(measure, [A, B, NOTHING, C])
    changes = [b - a for a, b in pairwise(worth)]
    known = [(step, d) for step, d in enumerate(changes, start=2) if not math.isnan(d)]
    assert shown.changes["step"].tolist() == [step for step, _ in known]
    assert shown.changes["p50"].tolist() == pytest.approx([d for _, d in known])
    assert shown.first["p50"].tolist() == pytest.approx([worth[0]])
    (system,) = shown.systems
    assert system.reformulations == len(known)
    assert (system.gained, system.lost) == (
        sum(d > 0 for _, d in known),
        sum(d < 0 for _, d in known),
    )
    assert shown.undefined == sum(map(math.isnan, worth))
    if measure != "dcg":
        means = shown.by_query[measure].to_numpy()
        np.testing.assert_allclose(means, worth, rtol=1e-12)
        assert shown.by_query[f"{measure}_sessions"].tolist() == [
            int(not math.isnan(value)) for value in worth
        ]


def test_last_query_is_best_by_the_measure_itself() -> None:
    last_best = [asked(of, [B, C], [B, A]).systems[0].last_best for of in ("dcg", "ndcg")]
    assert last_best == [1, 1]
    assert asked("relative_recall", [A, A], [A, B]).systems[0].last_best == 1
    assert asked("recall_effort", [A, B]).systems[0].last_best == 0


def test_queries_without_the_measure_are_left_out_and_counted() -> None:
    shown = asked("ldcg", [A, NOTHING, B], [NOTHING, A])
    (system,) = shown.systems
    assert (system.reformulations, system.several, system.last_best) == (0, 1, 1)
    assert shown.undefined == 2
    assert step_words.behind(shown).endswith(" Left out: 2 queries without length-adjusted DCG.")
    assert step_words.answer(shown) == (
        "Length-adjusted DCG is never defined for two queries in a row. Choose another measure."
    )
    dry = asked("ndcg", [DRY, A, B])
    assert (dry.undefined, dry.systems[0].reformulations) == (1, 1)


def test_session_whose_queries_all_lack_it_is_undefined_and_counted() -> None:
    of = study([DRY, DRY], [A], [A, NOTHING], systems="AAB")
    compared = compare_systems(of, LINEAR, ALL, score="mean_ndcg")
    assert (compared.undefined, compared.left_out) == (1, 0)  # whose queries are in no mean
    assert compared.systems["sessions"].tolist() == [1, 1]
