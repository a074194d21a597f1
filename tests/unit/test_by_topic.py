"""Two systems topic by topic: two agents by hand, against scipy's and statsmodels' tests."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import (
    ByTopic,
    Comparison,
    by_topic,
    compare,
    compare_systems,
    pairs_topics,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_statistics import Row, as_study, scored
from tests.support.two_agents import TASKS, agents_rows

LINEAR = Definition(weights="linear")
TEN: Any = {"rel": 1e-10, "abs": 1e-12}


def compared(rows: list[Row], **more: Any) -> Comparison:
    return compare_systems(study_of(as_study(rows)), LINEAR, Filters(), score="final", **more)


def means_of(rows: list[Row], system: str) -> list[float]:
    """By task."""
    own = [row for row in rows if row.system == system]
    return [fmean(float(row.score) for row in own if row.topic == task) for task in TASKS]


@pytest.mark.parametrize("several", [False, True])
def test_two_agents_on_twelve_tasks_are_tested_as_scipy_does(several: bool) -> None:
    rows = agents_rows(several=several)
    pair = compare(scored(rows), 0, 1)
    of_a, of_b = (means_of(rows, system) for system in "AB")
    by_t: Any = stats.ttest_rel(of_b, of_a)
    assert (pair.design, pair.units, pair.df) == ("paired by topic", 12, pytest.approx(11, **TEN))
    apart = [b - a for a, b in zip(of_a, of_b, strict=True)]
    ends = by_t.confidence_interval()
    ours = pair.difference, pair.low, pair.high, pair.p_t
    assert ours == pytest.approx((fmean(apart), ends.low, ends.high, by_t.pvalue), **TEN)
    flips = stats.permutation_test(
        (np.array(apart),), np.mean, permutation_type="samples", n_resamples=2**12
    )
    assert (pair.p_permutation, pair.arrangements) == (pytest.approx(flips.pvalue, **TEN), 4095)
    assert pair.is_of_runs == several


def test_of_several_runs_a_topic_counts_once_and_the_nearest_to_the_mean_is_shown() -> None:
    rows = [*agents_rows(several=True), Row(Fraction(9), "A", "", "task99")]
    shown = compared(rows)
    found, pair = by_topic(shown, 0), shown.pairs[0]
    assert found.table["difference"].mean() == pytest.approx(pair.difference, **TEN)
    (first,) = found.table[found.table["topic"] == TASKS[0]].to_dict("records")
    assert (first["n_a"], first["n_b"], first["mean_b"]) == (1, 2, 2.5)
    nearest = shown.points.set_index("session")["score"][first["session_b"]]
    assert nearest == 2.0  # of 2 and 3, as far off, the first
    assert words.by_topic_sentences(found)[1:] == [
        "Each topic counts once, by the mean of its sessions; a line names the session nearest to "
        "it.",
        "Left out: 1 session on topics of only one system.",
    ]
    assert words.details(shown)[0].startswith(
        "Paired by topic: each of 12 topics has several sessions with each system (1.08 and 1.17 "
        "on average), compared by their means; no searcher used both."
    )


def test_a_baseline_is_the_first_of_every_pair_and_mirrors_the_list() -> None:
    rows = agents_rows()
    rows += [row._replace(system="C", score=row.score + 1) for row in rows if row.system == "A"]
    every, shown = compared(rows), compared(rows, baseline="B")
    assert [(pair.system_a, pair.system_b) for pair in shown.pairs] == [("B", "A"), ("B", "C")]
    assert shown.pairs[0].difference == pytest.approx(-every.pairs[0].difference, **TEN)
    assert (shown.p_holm.size, shown.is_usual) == (2, False)
    one, two = by_topic(every, 0), by_topic(shown, 0)
    assert (two.number("won"), two.number("lost")) == (one.number("lost"), one.number("won"))
    assert two.table["difference"].tolist() == pytest.approx(
        (-one.table["difference"]).tolist()[::-1]
    )
    with pytest.raises(ValueError, match=r"baseline 'D'; systems are A, B, C\."):
        compared(rows, baseline="D")


def test_a_baseline_without_a_session_is_said() -> None:
    rows = [row for row in agents_rows() if row.system == "A" or row.topic in TASKS[:6]]
    filters = Filters(topics=TASKS[6:])
    study = study_of(as_study(rows))
    shown = compare_systems(study, LINEAR, filters, score="final", baseline="B")
    assert (shown.pairs, words.answer(shown)) == (
        (),
        "The baseline, B, has no session with this score. Choose another baseline, or widen the "
        "filters.",
    )


def mostly_paired(seed: int) -> list[Row]:
    """Up to three sessions of up to three systems on each of nine topics, some not met at all."""
    chance = random.Random(seed)
    return [
        Row(Fraction(chance.randint(0, 3)), system, "", f"t{i}")
        for i in range(9)
        for system in "ABC"
        for _ in range(chance.randint(0, 3))
    ]


@pytest.mark.parametrize("seed", range(8))
def test_every_line_is_what_loops_over_the_sessions_find(seed: int) -> None:
    rows = mostly_paired(seed)
    shown = compared(rows)
    names = shown.points.set_index("session")
    for place, pair in enumerate(shown.pairs):
        assert pairs_topics(shown, place)
        found = by_topic(shown, place)
        met = 0
        for line in found.table.to_dict("records"):
            of_a, of_b = (
                [float(r.score) for r in rows if (r.system, r.topic) == (system, line["topic"])]
                for system in (pair.system_a, pair.system_b)
            )
            met += len(of_a) + len(of_b)
            assert (line["n_a"], line["n_b"]) == (len(of_a), len(of_b))
            assert (line["mean_a"], line["mean_b"]) == pytest.approx((fmean(of_a), fmean(of_b)))
            assert line["difference"] == pytest.approx(fmean(of_b) - fmean(of_a))
            for side, scores in (("a", of_a), ("b", of_b)):
                least = min(abs(score - fmean(scores)) for score in scores)
                own = names.loc[line[f"session_{side}"]]
                assert abs(own["score"] - fmean(scores)) == pytest.approx(least)
                assert own["topic"] == line["topic"]
                assert own["system"] == line[f"system_{side}"]
        own = sum(row.system in (pair.system_a, pair.system_b) for row in rows)
        assert found.apart == own - met
        assert found.table["difference"].is_monotonic_increasing


def test_where_searchers_stand_between_topics_are_not_listed() -> None:
    named = [row._replace(searcher=row.topic) for row in agents_rows()]
    shown = compared(named)
    assert (shown.pairs[0].design, pairs_topics(shown, 0)) == ("within", False)


def test_systems_that_met_on_no_topic_have_no_line() -> None:
    rows = [row._replace(topic=f"{row.topic}{row.system}") for row in agents_rows()]
    found: ByTopic = by_topic(compared(rows), 0)
    assert (len(found.table), words.by_topic_sentences(found)) == (0, ["A and B share no topic."])
