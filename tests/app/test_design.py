"""The design of a study, as it is recognised and said; Table 1; grades and repeats."""

from __future__ import annotations

from typing import Any

import pytest

from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.design import crossing, designed
from sdcg_explorer.questions.overview.numbers import design, overview
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import PlainSession, PlainStudy

ALL = Filters()


def study(*sessions: tuple[str, str, str]) -> Study:
    """Sessions of one query each: searcher, system, topic."""
    plain = [
        PlainSession(f"s{i}", [(topic, {1: "a"})], system, searcher)
        for i, (searcher, system, topic) in enumerate(sessions)
    ]
    return study_of(PlainStudy(plain, {("t", "a"): 1.0, ("u", "a"): 1.0}))


DESIGNS = {
    "mixed": (
        [("p", "A", "t"), ("p", "B", "t"), ("q", "B", "u")],
        "2 searchers on 2 topics with 2 systems, mixed (1 of 2 searchers used several systems), "
        "each topic 1 to 2 times.",
    ),
    "three systems": (
        [("p", "A", "t"), ("p", "B", "t"), ("p", "C", "t")],
        "1 searcher × 1 topic × 3 systems, within searchers, each system once.",
    ),
    "some of three": (
        [("p", "A", "t"), ("p", "B", "t"), ("q", "B", "t"), ("q", "C", "t")],
        "2 searchers × 1 topic with 3 systems, within searchers, each system once.",
    ),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_design_is_said(name: str) -> None:
    sessions, said = DESIGNS[name]
    assert designed(crossing(study(*sessions), DEFAULT, ALL)) == said


def test_session_on_several_topics_is_on_their_combination() -> None:
    both, one = [("t", {1: "a"}), ("u", {1: "a"})], [("t", {1: "a"})]
    sessions = [PlainSession(f"{s}{i}", q, s) for s in "AB" for i, q in enumerate((both, one))]
    shown = crossing(study_of(PlainStudy(sessions, {("t", "a"): 1.0})), DEFAULT, ALL)
    assert shown.seen.crossing.to_dict() == {"t": {"A": 1, "B": 1}, "t; u": {"A": 1, "B": 1}}
    assert designed(shown) == (
        "4 sessions: 2 topics × 2 systems, each combination once. The log names no searchers, so "
        "each session counts on its own."
    )


def test_features_are_numbers_that_each_searcher_has_once(tmp_path: Any) -> None:
    log = "session,searcher,query_number,topic,rank,doc\n" + "".join(
        f"s{i},{who},1,t,1,a\n" for i, who in enumerate("ppqr")
    )
    files = written(
        tmp_path,
        log_csv=log,
        judgments_csv="topic,doc,grade\nt,a,1\n",
        people_csv="searcher,age,job\np,30,nurse\nq,40,\n",
        ratings_csv="session,satisfaction\ns0,1\ns1,2\n",
    )
    paths = list(files.values())
    features = design(read_study(*paths[:2], ratings=paths[2:]), DEFAULT, ALL).features
    assert features["feature"].tolist() == ["age"]  # satisfaction differs within p; a job is a word
    (row,) = features.to_dict("records")
    assert (row["mean"], row["sd"], row["searchers"]) == (35, pytest.approx(50**0.5), 2)


def test_grades_and_repeats_are_counted_within_the_top() -> None:
    queries = [("t", {1: "a", 2: "b", 3: "x"}), ("t", {1: "a", 2: "x", 3: "b"})]
    plain = PlainStudy([PlainSession("s", queries, "A")], {("t", "a"): 2.0, ("t", "b"): 1.0})
    seen = overview(study_of(plain), Definition(top=2), ALL)
    assert seen.grades["grade"].tolist() == ["1", "2", "unjudged"]
    assert seen.grades["judgments"].tolist()[:2] == [1, 1]
    assert seen.grades["shown by A"].tolist() == [1, 2, 1]
    assert seen.repeats == (1,)  # x was at rank 3, beyond the top
    said = "Results shown again within a session (top 2): A, 1 of 4."
    assert overview_words.repeated(seen) == said
