"""Measures of single queries by system, worked by hand; and measures beside each other."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from math import log2
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.measures import SCORES, compare_measures
from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.questions.reformulations import words as step_words
from sdcg_explorer.questions.reformulations.numbers import MEASURES, Reformulations, reformulations
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.definition import PRESETS as KNOWN
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files, study_of
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


MORE = ("rbp", "srbp", "inst", "err", "esndcg")


def assert_most_apart(apart: Any, ids: Any, both: Any) -> None:
    """The sessions named are those whose ranks lie farthest apart, with these ranks."""
    ranks = [(values.rank() - 0.5) / len(values) for values in both]
    gaps = [abs(each.first - each.other) for each in apart]
    assert gaps == sorted(gaps, reverse=True)
    widest = (ranks[0] - ranks[1]).abs().max()
    assert (max(gaps) if gaps else 0.0) == pytest.approx(widest, abs=1e-9)
    for each in apart:
        (place,) = np.flatnonzero(ids == each.session)
        assert (each.first, each.other) == tuple(rank.iloc[place] for rank in ranks)


def test_each_measure_has_its_own_numbers() -> None:
    study = in_files(many_systems(NAMES[:4]))
    entries = [*((score, "") for score in SCORES), ("final_normalised", "linear")]
    found = compare_measures(study, DEFAULT, Filters(), entries=entries)
    shown: Any = scores(study, replace(DEFAULT, measures=MORE), Filters()).sessions
    linear: Any = scores(study, KNOWN["linear"], Filters()).sessions
    first = shown["final_normalised"]
    pair = every_pair(study, DEFAULT, Filters(), "final_normalised").chosen(None)
    assert pair is not None
    for (score, preset), row, apart in zip(entries, found.rows, found.apart, strict=True):
        table = linear if preset else shown
        means = table.groupby("system", observed=True)[score].mean()
        assert row["order"] == " > ".join(means.sort_values(ascending=False).index)
        known = first.notna() & table[score].notna()
        tau: Any = kendalltau(first[known], table[score][known])
        assert row["tau"] == pytest.approx(tau.statistic, abs=1e-6)
        own = every_pair(study, KNOWN[preset] if preset else DEFAULT, Filters(), score)
        same = own.chosen((pair.system_a, pair.system_b))
        assert same is not None
        assert (row["difference"], row["low"], row["high"]) == (
            same.difference,
            same.low,
            same.high,
        )
        base: Any = shown.groupby("system", observed=True)["final_normalised"].mean()
        names = [*base.index]
        turned = [
            np.sign(base[a] - base[b]) * np.sign(means[a] - means[b]) < 0
            for i, a in enumerate(names)
            for b in names[i + 1 :]
        ]
        assert row["swapped"] == pytest.approx(np.mean(turned))
        ids = table["session"].astype(str)[known]
        assert_most_apart(apart, ids, [first[known], table[score][known]])
    said = words.compare_measures_headline(found)
    others = [row for row in found.rows[1:] if float(str(row["swapped"])) > 0]
    assert all(str(row["score"]) in said for row in others)
