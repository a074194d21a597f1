"""Reformulations across a study: shares, bests and means by query number, worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from sdcg_explorer.questions.reformulations import words as step_words
from sdcg_explorer.questions.reformulations.numbers import Reformulations, reformulations
from tests.support.plain_files import ECIR2008, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query, mean_defined
from tests.support.plain_other_measures import every_query_score
from tests.support.screen import first_line, lines_of, opened, paragraphs, slider_of, small_print
from tests.support.three_documents import ALL, GRADES, LINEAR, NOTHING, A, B, C


def asked(*sessions: list[Query], systems: str = "") -> Reformulations:
    """Linear gain: DCG is 1 for A, 2 for B, 3 for C, at rank 1."""
    plain = [
        PlainSession(f"s{i}", queries, systems[i] if systems else "A")
        for i, queries in enumerate(sessions)
    ]
    return reformulations(study_of(PlainStudy(plain, GRADES)), LINEAR, ALL)


def test_reformulations_that_gain_lose_and_stay_are_counted() -> None:
    shown = asked([A, B, B, A], [C], [NOTHING, C])
    (system,) = shown.systems
    assert (system.reformulations, system.gained, system.lost) == (4, 2, 1)
    assert system.several == 2


def test_last_query_is_best_only_where_no_earlier_one_is_worth_as_much() -> None:
    shown = asked([A, B], [C, C], [NOTHING, NOTHING], [A, A, C])
    (system,) = shown.systems
    assert (system.several, system.last_best) == (4, 2)


def test_gains_and_best_queries_are_both_before_the_query_discount_and_said_to_be() -> None:
    # D(2) = 1/1.5: after the discount C, 2, is worth no more than B before it
    shown = asked([B, C], [A, B], systems="AB")
    assert [(of.gained, of.last_best) for of in shown.systems] == [(1, 1), (1, 1)]
    assert step_words.answer(shown) == (
        "With A, 100% of 1 reformulation gain and 0% lose; with B, 100% of 1 gain and 0% lose "
        "(undiscounted)."
    )
    best = (
        "The last query is the best of its session in 100% of 1 session of several queries with A"
    )
    assert f"{best}, 100% of 1 with B." in step_words.behind(shown)
    many = step_words.answer(asked([A, B], [B, A], [A, C], [C, A], systems="ABCD"))
    assert many.startswith("Of 4 reformulations, 50% gain and 50% lose (undiscounted): most ")


def test_changes_are_those_of_dcg_by_step_and_system() -> None:
    changes = asked([A, B], [A, C], [C, A, B], systems="ABB").changes
    rows = changes[["system", "step", "number", "p50"]].to_numpy().tolist()
    # A: 2 − 1; B, step 2: 3 − 1 and 1 − 3; step 3: 2 − 1
    assert rows == [["A", 2, 1, 1.0], ["B", 2, 2, 0.0], ["B", 3, 1, 1.0]]


def test_found_novelty_and_coverage_by_query_number() -> None:
    both: Query = ("t", {1: "a", 2: "b"})
    table = asked([A, both], [B, B, C]).by_query
    assert table["found"].tolist() == [1, (2 + 1) / 2, 2]
    assert table["found_sessions"].tolist() == [2, 2, 1]
    # query 2: one of two relevant is new, none of one; the known one comes again in both
    assert table["novelty"].tolist() == [1, (1 / 2 + 0) / 2, 1]
    assert math.isnan(table["coverage"][0])
    assert table["coverage"].tolist()[1:] == [1, 0]


def test_first_queries_by_length_and_their_correlation() -> None:
    shown = asked([C], [B, A], [A, A, A], [A, A, A])
    first = shown.first[["queries", "number", "p50"]].to_numpy().tolist()
    assert first == [[1, 1, 3.0], [2, 1, 2.0], [3, 2, 1.0]]
    assert shown.systems[0].first_with_queries == pytest.approx(-1)
    assert step_words.advice(shown) == [step_words.LATER]  # three sessions have no interval
    # it is said where its interval excludes 0
    for known, low, high, word in ((-0.3, -0.5, -0.1, "lower"), (0.3, 0.1, 0.5, "higher")):
        first, *others = advice_where(shown, known, low, high)
        around = "−.30 with A (95 % interval −.50 to −.10)"
        around = around if known < 0 else ".30 with A (95 % interval .10 to .50)"
        more = f"The more queries follow, the {word} the DCG of the first query"
        assert first == f"{more}: rank correlation {around}."
        assert others == [step_words.LATER]
    for low, high in ((-0.1, 0.9), (math.nan, math.nan)):
        assert advice_where(shown, 0.5, low, high) == [step_words.LATER]


def advice_where(shown: Reformulations, known: float, low: float, high: float) -> list[str]:
    """The advice, were the rank correlation of the one system so."""
    (system,) = (
        replace(of, first_with_queries=known, first_interval=(low, high)) for of in shown.systems
    )
    return step_words.advice(replace(shown, systems=(system,)))


def test_interval_of_first_queries_is_that_of_sessions_resampled() -> None:
    falling = [[C, A], [C, B], [B, A, A], [B, A, A], [A, A, A, A], [A, B, A, A], [C], [B, A]]
    (system,) = asked(*falling, *falling).systems
    low, high = system.first_interval
    assert low < system.first_with_queries < high < 0
    assert "first_interval" not in asked(*falling).table().columns


def test_sessions_nobody_judged_are_left_out_and_counted() -> None:
    nobody: Query = ("v", {1: "a"})
    shown = asked([A, B], [nobody, nobody])
    assert shown.systems[0].reformulations == 1
    assert shown.without_judgments == 1
    assert step_words.behind(shown).endswith("Left out: 1 session on unjudged topics.")


def test_without_reformulations_the_answer_says_what_to_change() -> None:
    said = "The filters leave no session on a judged topic: widen them."
    assert step_words.answer(asked([A], [B])) == (
        "No session has several judged queries, so there are no reformulations."
    )
    study = study_of(PlainStudy([PlainSession("s", [A, B])], GRADES))
    assert step_words.answer(reformulations(study, LINEAR, replace(ALL, min_queries=9))) == said


def test_page_answers_and_follows_the_sliders() -> None:
    app = opened("reformulations")
    assert not app.exception
    assert [title.value for title in app.title] == ["What does asking again bring?"]
    before = paragraphs(app)[0]
    slider_of(app, "w1").set_value(0.0).run()
    assert paragraphs(app)[0] != before
    app = opened("reformulations", {"max_queries": "1"})
    assert "No session has several judged queries" in paragraphs(app)[0]


def test_page_draws_the_measure_of_its_link() -> None:
    app = opened("reformulations", {"query_measure": "ndcg"})
    assert not app.exception
    assert first_line(app).startswith("In terms of nDCG, with System 1, ")
    assert "DCG as a share of the ideal list's, in nDCG" in " ".join(small_print(app.main))
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    chosen = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    firsts: dict[str, list[float]] = {}
    for session in plain.sessions:
        rows = every_query_score(session.queries, plain.judgments, chosen)
        firsts.setdefault(session.system, []).append(rows[0]["ndcg"])
    means = lines_of(app, "Mean nDCG by query number")
    for name, values in firsts.items():
        assert means[name][0] == pytest.approx(mean_defined(values))
    app.main.selectbox(key="query_measure").set_value("dcg").run()
    assert first_line(app).startswith("With System 1, ")
