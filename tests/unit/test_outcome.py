"""Whether answers were right, by hand and by statsmodels: shares, McNemar's test, corners."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar as theirs
from statsmodels.stats.proportion import proportion_confint

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.compare_systems.outcome import (
    Outcome,
    outcome,
    outcome_columns,
    usual_outcome,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.statistics.shares import independent, mcnemar, wilson
from sdcg_explorer.study.study import Study
from tests.support.tables import read
from tests.support.two_agents import RIGHT, TASKS, agents_study

LINEAR = Definition(weights="linear")


def asked(study: Study, **more: Any) -> Outcome:
    return outcome(study, LINEAR, Filters(), column="correct", **more)


def rows(table: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.itertuples(index=False)]


def p_of(table: list[list[int]]) -> float:
    """Of statsmodels' exact test."""
    found: Any = theirs(np.array(table), exact=True)
    return float(found.pvalue)


@pytest.mark.parametrize("number", [1, 5, 12, 200])
def test_wilsons_interval_is_that_of_statsmodels(number: int) -> None:
    for right in {0, 1, number // 3, number}:
        ends = proportion_confint(right, number, method="wilson")
        assert wilson(right / number, number) == pytest.approx(ends, rel=1e-10, abs=1e-12)
    assert all(map(math.isnan, wilson(0.5, 0)))


def test_mcnemars_p_is_that_of_statsmodels() -> None:
    for only_a in range(9):
        for only_b in range(9):
            p = p_of([[3, only_a], [only_b, 5]])
            assert mcnemar(only_a, only_b) == pytest.approx(p, rel=1e-10)


def test_two_agents_by_hand(tmp_path: Path) -> None:
    study = agents_study(tmp_path)
    found = asked(study)
    assert (outcome_columns(study), usual_outcome(study)) == (("correct",), "correct")
    shares = [(5, *proportion_confint(5, 12, method="wilson"))]
    shares += [(9, *proportion_confint(9, 12, method="wilson"))]
    expected = [
        (name, 12, n, n / 12, *map(pytest.approx, ends), 0)
        for name, (n, *ends) in zip("AB", shares, strict=True)
    ]
    assert rows(found.shares) == expected
    assert rows(found.corners) == [("A", 5, 4, 0, 3, 0), ("B", 8, 3, 1, 0, 0)]
    p = p_of([[4, 1], [5, 2]])
    assert rows(found.pairs) == [("A", "B", 12, 4, 1, 5, 2, pytest.approx(p), pytest.approx(p))]
    assert words.outcome_sentences(found) == [
        "Right answers: A 42 % (5 of 12 sessions; 95 % interval 19 to 68 %); B 75 % (9 of 12 "
        "sessions; 95 % interval 47 to 91 %).",
        "Of 12 topics searched with both, B alone got 5 right and A alone 1, both 4 and neither 2 "
        "(McNemar's exact test by topic p = .219).",
        "Intervals of shares are Wilson's.",
        words.FOUND,
    ]
    (pair,) = compare_systems(study, LINEAR, Filters(), score="rating: correct").pairs
    assert pair.p_permutation == pytest.approx(p, rel=1e-10)  # sign flips of one run each
    mirrored = asked(study, baseline="B").pairs
    assert rows(mirrored)[0][:7] == ("B", "A", 12, 4, 5, 1, 2)


def put(study: Study, values: list[Any]) -> Study:
    """The same, another answer of each session, in the order of its table."""
    return replace(study, sessions=study.sessions.assign(correct=values))


def test_what_is_not_known_is_counted_and_left_out(tmp_path: Path) -> None:
    study = agents_study(tmp_path)
    values = study.sessions["correct"].astype(float)
    values[[0, 13]] = np.nan  # A's first task, and B's second
    found = asked(put(study, values.tolist()))
    assert found.shares["unknown"].tolist() == [1, 1]
    assert found.pairs["topics"].tolist() == [10]
    assert words.outcome_sentences(found)[-2].endswith(
        " Left out: 2 sessions whose correct is empty."
    )
    found = asked(agents_study(tmp_path, judged=TASKS[1:]))
    assert found.corners["unjudged_sessions"].tolist() == [1, 1]
    left_out = " Left out: 2 sessions on unjudged topics."
    assert words.outcome_sentences(found)[-1].endswith(left_out)


def test_yes_and_no_are_read_and_other_columns_are_no_outcomes(tmp_path: Path) -> None:
    study = agents_study(tmp_path)
    right = [*RIGHT["A"], *RIGHT["B"]]
    text = replace(
        study,
        sessions=study.sessions.assign(
            correct=["Yes" if r else "no" for r in right],
            steps=np.arange(24.0),
            status="completed",
            other=[bool(r) for r in right],
        ),
    )
    assert outcome_columns(text) == ("correct", "other")
    assert rows(asked(text).shares) == rows(asked(study).shares)
    with pytest.raises(ValueError, match="outcome 'steps'; columns of sessions that say yes or no"):
        outcome(text, LINEAR, Filters(), column="steps")
    other = replace(text, sessions=text.sessions.drop(columns="correct"))
    assert (outcome_columns(other), usual_outcome(other)) == (("other",), "")


def test_several_runs_count_by_topic_and_make_a_share_less_sure(tmp_path: Path) -> None:
    study = agents_study(tmp_path, several=True)
    found = asked(study)
    assert (found.is_paired, found.is_of_runs) == (True, True)
    assert rows(found.pairs)[0][:7] == ("A", "B", 12, 4, 1, 5, 2)
    same = np.repeat([1.0, 0.0], 18)  # 12 topics of three sessions that agree are twelve cases
    twelve = independent(same, np.repeat(np.arange(12), 3))
    assert 9 < twelve < 12
    assert independent(same, np.arange(36)) == 36
    assert independent(np.ones(36), np.repeat(np.arange(12), 3)) == 12
    assert independent(np.ones(3), np.zeros(3, dtype=int)) == 1
    assert (
        independent(np.tile([1.0, 0.0], 6), np.repeat(np.arange(6), 2)) == 12
    )  # alike, half right


def runs_study(folder: Path, runs: list[tuple[str, str, str, int]]) -> Study:
    """Sessions of one query: system, searcher, topic, and whether its answer was right."""
    log = "session,system,searcher,query_number,topic,rank,doc,correct\n" + "".join(
        f"s{i},{system},{searcher},1,{topic},1,d,{right}\n"
        for i, (system, searcher, topic, right) in enumerate(runs)
    )
    return read(folder, log_csv=log, judgments_csv="topic,doc,grade\nt0,d,1\n")


OVER_TOPICS = (
    "Intervals of shares are Wilson's, adjusted for sessions of the same topics being alike"
)
RUNS = {  # sessions; what an interval's cases are; how it is said
    "one system": (
        [("A", "", f"t{i // 5}", int(i < 55)) for i in range(100)],
        ("topics",),
        f"{OVER_TOPICS}.",
    ),
    "one system that is named as the searcher": (
        [("A", "agent", f"t{i // 5}", int(i < 55)) for i in range(100)],
        ("topics",),
        f"{OVER_TOPICS}.",
    ),
    "two systems on topics of their own": (
        [(s, "", f"{s}{i // 5}", int(i < 55)) for s in "AB" for i in range(100)],
        ("topics",),
        f"{OVER_TOPICS}.",
    ),
    "fewer topics than pair systems": (
        [(s, "", f"t{i // 20}", int(i < 40)) for s in "AB" for i in range(100)],
        ("topics",),
        f"{OVER_TOPICS}.",
    ),
    "people, each once, on two topics": (
        [("A", f"p{i}", f"t{i % 2}", int(i < 55)) for i in range(100)],
        (),
        "Intervals of shares are Wilson's; they hold for these 2 topics only.",
    ),
    "people, each once, on twenty topics": (
        [("A", f"p{i}", f"t{i // 5}", int(i < 55)) for i in range(100)],
        ("topics",),
        f"{OVER_TOPICS}.",
    ),
    "people on twenty topics each": (
        [("A", f"p{i % 5}", f"t{i // 5}", int(i < 55)) for i in range(100)],
        ("topics", "searchers"),
        f"{OVER_TOPICS.replace('topics', 'topics and searchers')}.",
    ),
    "one topic": (
        [("A", "", "t0", int(i < 55)) for i in range(100)],
        (),
        "Intervals of shares are Wilson's; they hold for this topic only.",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_share_is_as_sure_as_there_are_topics(tmp_path: Path, name: str) -> None:
    runs, alike, said = RUNS[name]
    found = asked(runs_study(tmp_path, runs))
    assert found.alike == alike
    assert words.outcome_sentences(found)[-2].startswith(said)
    topics = np.array([topic for _, _, topic, _ in runs[:100]])
    right = np.array([float(right) for *_, right in runs[:100]])
    cases = independent(right, topics if alike else np.arange(100))
    ends = found.shares[["low", "high"]].to_numpy()[0]
    assert ends == pytest.approx(wilson(right.mean(), cases))
    assert name != "one system" or cases == pytest.approx(19 * (1.98422 / 2.09302) ** 2, rel=1e-4)
