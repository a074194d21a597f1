"""Sessions to count by hand: links and tables hold what was typed; odd sessions are answered."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdcg_explorer.questions.by_hand import words as hand_words
from sdcg_explorer.questions.by_hand.numbers import (
    EXAMPLES,
    LINEAR,
    Example,
    by_hand,
    in_force,
    spelled,
    study_of,
    suited,
)
from sdcg_explorer.scoring.definition import Definition
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.plain_by_hand import LESSONS, SESSIONS, WORTH
from tests.support.plain_loop import Choices, session_vector
from tests.support.random_studies import made, often
from tests.support.refusals import refused as lines_of_refusal
from tests.support.screen import HOSTILE

every_example = pytest.mark.parametrize("key", list(EXAMPLES))
GRADES = [-2.0, 0.0, 0.25, 1.0, 2.0, 3.0, 17.0]
NAMES = st.text(max_size=12) | st.sampled_from(
    [*HOSTILE, "a:b", "a|b", "q1/a", "  a  b ", "é́", "𝔞"]
)


def typed(example: Example, names: list[str], chance: random.Random) -> Example:
    """The example after cells of both tables were typed over, cleared and added."""
    grades, lists = example.tables()
    rows = grades.to_dict("records")
    for name in names:
        row = chance.choice([chance.choice(rows), dict(rows[0])])
        row |= {"document": name, "grade": chance.choice([*GRADES, math.nan])}
        rows.append(dict(row))
        place = chance.choice(list(lists.index)), chance.choice(list(lists.columns))
        lists.loc[place] = chance.choice([name, "", None])
    return example.with_edited_tables(pd.DataFrame(rows, columns=grades.columns), lists)


@often
@given(key=st.sampled_from(list(EXAMPLES)), names=st.lists(NAMES), chance=made(lambda c: c))
def test_what_was_typed_survives_link_and_tables(
    key: str, names: list[str], chance: random.Random
) -> None:
    assume("-" not in [name.strip() for name in names])
    edited = typed(EXAMPLES[key], names, chance)
    assert EXAMPLES[key].with_texts(*edited.texts) == edited
    assert edited.with_edited_tables(*edited.tables()) == edited


@every_example
def test_example_is_the_published_session(key: str) -> None:
    plain, example = (SESSIONS | LESSONS)[key], EXAMPLES[key]
    shown = [{r: doc for r, doc in enumerate(part, 1) if doc} for part in example.lists]
    assert shown == [results for _, results in plain.queries]
    graded = sorted(grade for _, _, grade in example.judged)
    assert graded == sorted(plain.judgments.values())
    several = len({topic for topic, _ in plain.queries}) > 1
    on = {topic for topic, _, _ in example.judged}
    assert on == ({"q1", "q2"} if several else {example.topics[0]})


def test_editing_a_grade_changes_the_session_as_the_loop_does() -> None:
    grades, lists = EXAMPLES["T-2"].tables()
    grades.loc[grades["document"] == "a3", "grade"] = 1.0
    lists.loc[1, "Q3"] = "a2"
    edited = EXAMPLES["T-2"].with_edited_tables(grades, lists)
    assert edited.texts == ("a1:1 a2:2 a3:1", "a3 a1|a3 a2 u1|a2|a2 u2")
    plain = SESSIONS["T-2"]
    queries = [*plain.queries[:2], ("t", {1: "a2"}), plain.queries[3]]
    choices = Choices(WORTH["linear"])
    expected = session_vector(queries, plain.judgments | {("t", "a3"): 1.0}, choices)[-1]
    assert by_hand(edited, LINEAR).final == pytest.approx(expected)


def test_gap_at_rank_1_survives_link_and_tables() -> None:
    gap = spelled("odd", "a:1", "- a|- - a", "")
    assert gap.lists == (("", "a"), ("", "", "a"))
    assert gap.texts == ("a:1", "- a|- - a")
    assert gap.with_edited_tables(*gap.tables()) == gap
    # rank 2: 1/2; query 2, rank 3: 1/(1 + log2 3)/(1 + 1/2)
    expected = 1 / 2 + 1 / (1 + math.log2(3)) / 1.5
    assert by_hand(gap, LINEAR).final == pytest.approx(expected)


@pytest.mark.parametrize(
    "judged", ["", "a", ":", "a:", ":3", "a:x", "q/:2", "a:nan", "a:inf", "a:-1e999", "a::", "a/:1"]
)
def test_mistyped_grade_of_a_link_is_left_out(judged: str) -> None:
    example = EXAMPLES["T-2"].with_texts(f"{judged} a3:2", "a3")
    assert example.judged == (("1", "a3", 2.0),)
    assert by_hand(example, LINEAR).final == 2.0


@pytest.mark.parametrize(
    "name", [*HOSTILE, "a:b|c/d", "x" * 5000, "=1+1", "-a", "nan", "None", "0"]
)
def test_any_name_counts_as_another(name: str) -> None:
    grades, lists = EXAMPLES["T-2"].tables()
    grades.loc[grades["document"] == "a3", "document"] = name
    lists = lists.replace("a3", name)
    edited = EXAMPLES["T-2"].with_edited_tables(grades, lists)
    # 7.1666667 and .599610: docs/methods.md, Numbers to test against
    for example in (edited, EXAMPLES["T-2"].with_texts(*edited.texts)):
        shown = by_hand(example, LINEAR)
        assert (shown.final, shown.share) == pytest.approx((7.1666667, 0.599610), abs=1e-6)


@pytest.mark.parametrize(
    ("judged", "found"),
    [
        ("", "no judged document"),
        ("a:1 b:0 a:2", "another grade, 2, for 'a' of topic '1'"),
    ],
)
def test_session_that_cannot_be_counted_says_why(judged: str, found: str) -> None:
    with pytest.raises(UnusableInputError) as refused:
        study_of(EXAMPLES["T-2"].with_texts(judged, "a"))
    assert [problem.found for problem in refused.value.problems] == [found]


ANSWERS = [  # docs/methods.md, Numbers to test against
    ("T-1", LINEAR, "This session's sDCG is 8.74, .43 of its ideal."),
    ("T-2", LINEAR, "This session's sDCG is 7.17, .60 of its ideal."),
    ("T-3", LINEAR, "This session's sDCG is 7.93, .62 of its ideal."),
    ("T-2", replace(LINEAR, ideal="spread"), "This session's sDCG is 7.17, 1.47 of its ideal."),
    ("T-1", replace(LINEAR, bq=2), "This session's sDCG is 7.17, .42 of its ideal."),
]


@pytest.mark.parametrize(("key", "definition", "said"), ANSWERS)
def test_answer_says_the_published_numbers(key: str, definition: Definition, said: str) -> None:
    assert hand_words.answer(by_hand(EXAMPLES[key], definition)) == said


def test_share_where_nothing_gains_is_undefined() -> None:
    shown = by_hand(spelled("odd", "a:0 b:-1", "a b", ""), LINEAR)
    assert math.isnan(shown.share)
    assert hand_words.answer(shown) == (
        "This session's sDCG is 0; it has no ideal because no judged document gains."
    )


@pytest.mark.parametrize(
    "judged", ["q9/a1:1", "q9/a1:0"], ids=["judged elsewhere", "nothing gains elsewhere"]
)
def test_session_on_topics_nobody_judged_is_worth_no_number(judged: str) -> None:
    with pytest.raises(UnusableInputError) as refused:  # raw, too
        by_hand(EXAMPLES["yukawa-judged"].with_texts(judged, "a1|b1"), LINEAR)
    said = "grades: no judged document; a score needs grades. Grade one."
    assert refused.value.lines() == [said]


SCALE = "grades lie between −100 and 100. Correct it."
REFUSED = {  # 10^399 under the paper's weights
    ("b:1 a:400", "a b"): f"grades, line 2: grade 400; {SCALE}",
    ("a:-101", "a b"): f"grades, line 1: grade -101; {SCALE}",
    ("a:1", "||"): "results: no document; a session must show documents. Name one in a query.",
}


@pytest.mark.parametrize("texts", REFUSED)
def test_what_is_no_session_is_refused(texts: tuple[str, str]) -> None:
    assert lines_of_refusal(lambda: by_hand(spelled("odd", *texts, ""), LINEAR)) == [REFUSED[texts]]


def own(**gains: float) -> Definition:
    """Weights of grade 0, and of those named g1, g2, …."""
    pairs = [(0.0, 0.0), *((float(name[1:]), gain) for name, gain in gains.items())]
    return replace(LINEAR, weights=tuple(pairs))


def gains_of(definition: Definition) -> dict[float, float]:
    assert not isinstance(definition.weights, str)
    return dict(definition.weights)


@pytest.mark.parametrize(
    ("definition", "scheme", "filled"),
    [
        (own(g1=1, g4=4), "linear", {2.0: 2.0, 3.0: 3.0}),
        (own(g1=1, g2=2, g3=9), "linear", {4.0: 4.0}),
        (own(g1=1, g2=10, g3=9), "paper", {4.0: 1000.0}),
        (own(g1=1, g2=3, g3=9), "exponential", {4.0: 15.0}),
        (own(g2=0, g3=0.5), "strict", {1.0: 0.0, 4.0: 1.0}),
    ],
)
def test_grades_without_a_gain_get_that_of_the_nearest_weighting(
    definition: Definition, scheme: str, filled: dict[float, float]
) -> None:
    example = spelled("odd", "a:0 b:1 c:2 d:3 e:4", "a b c d e", "")
    kept, *_ = suited(definition, example)
    (said,) = hand_words.advice(by_hand(example, definition))
    gains = gains_of(kept)
    assert gains_of(definition).items() <= gains.items()
    assert set(gains) == {0.0, 1.0, 2.0, 3.0, 4.0}
    assert {grade: gain for grade, gain in gains.items() if grade in filled} == filled
    assert f"so {scheme} weights are used:" in said
    assert all(f"{grade:g} → {gain:g}" in said for grade, gain in filled.items())


def test_nothing_is_filled_in_where_every_grade_has_a_gain() -> None:
    for definition in (own(g1=5, g2=6, g3=7), LINEAR):
        assert suited(definition, EXAMPLES["T-1"]) == (definition, {}, "")


@every_example
def test_sidebar_that_says_the_same_is_the_sources_definition(key: str) -> None:
    given, labels = EXAMPLES[key].definition, (0.0, 1.0)
    sidebar = replace(given, weights=((0.0, 0.0), (1.0, 1.0))).named(labels)
    assert in_force(sidebar, EXAMPLES[key], labels) == given
    other = replace(sidebar, b=3.5)
    assert in_force(other, EXAMPLES[key], labels) == other
    five = replace(given, weights=((0.0, 0.0), (1.0, 5.0)))
    assert in_force(five, EXAMPLES[key], labels) == five
