"""Every score has a card, a number worked by hand, a plain loop, laws; measures beside others."""

import math
import re
from dataclasses import replace
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.compare_systems.words import figure_notes, method
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.scoring import measures, selection
from sdcg_explorer.scoring.definition import DEFAULT, FURTHER, Definition, Filters
from sdcg_explorer.scoring.residuals import HIGHEST, highest_scores, residuals
from sdcg_explorer.scoring.scores import Scores, scores
from sdcg_explorer.study.study import Study
from tests.support.plain_by_hand import SESSIONS
from tests.support.plain_files import ROOT, definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy
from tests.support.plain_other_measures import every_query_score
from tests.support.plain_session_scores import SESSION_SCORES as LOOPS
from tests.support.plain_session_scores import session_scores
from tests.support.random_studies import choices, often, studies
from tests.support.studies import SAMPLES, at_hand

ALL = Filters()
CHOSEN = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})


TOYS = PlainStudy(
    [
        PlainSession(f"T-{n}", [(str(n), docs) for _, docs in SESSIONS[f"T-{n}"].queries])
        for n in (1, 2, 3)
    ],
    {
        (str(n), doc): grade
        for n in (1, 2, 3)
        for (_, doc), grade in SESSIONS[f"T-{n}"].judgments.items()
    },
)
REGISTRIES = {"session_scores": measures.SESSION_SCORES, "query_scores": measures.QUERY_SCORES}
EVERY = [(kind, name) for kind, registry in REGISTRIES.items() for name in registry]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
PARTS = dict(re.findall(r"`(\w+)` = `([^`]+)`", " ".join(PAGE.split())))  # what workings share
EXACT = 1e-9


def number(text: str) -> float:
    """What a working comes to."""
    names = {name: number(part) for name, part in PARTS.items() if name in text}
    return float("nan") if text == "–" else float(eval(text, {"log2": log2, **names}))


def working(text: str) -> str:
    """A working in a card, and what it comes to where it is not a number by itself."""
    return text if re.fullmatch(r"[\d–]+", text) else f"`{text}` = {number(text):.5g}"


def card_of(kind: str, name: str) -> tuple[str, ...]:
    """What the row of docs/metrics.md has of a score: name, words, unit, whether it grows."""
    of = REGISTRIES[kind][name]
    grows = ("yes" if of.grows else "no",) if kind == "session_scores" else ()
    return (f"`{name}`", of.words, of.unit, *grows)


def cards(kind: str) -> dict[tuple[str, ...], str]:
    """Rows of the table under a heading of docs/metrics.md, each with how it is worked by hand."""
    section = PAGE.partition(f"\n## `{kind}`")[2].partition("\n## ")[0]
    rows = [row[2:-2].split(" | ") for row in re.findall(r"^\| `.*\|$", section, re.MULTILINE)]
    return {(row[0], *row[2:4], *row[6:-1]): row[-1] for row in rows}


@pytest.mark.parametrize("kind", REGISTRIES)
def test_cards_are_those_of_the_scores_in_their_order(kind: str) -> None:
    wanted = [card_of(kind, name) for name in REGISTRIES[kind]]
    assert [*cards(kind)] == wanted, f"docs/metrics.md, `{kind}`: rows in the order of the scores"


@pytest.fixture(scope="module")
def toys() -> Scores:
    return scores(study_of(TOYS), definition_of(CHOSEN), Filters())


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_score_equals_its_number_worked_by_hand(kind: str, name: str, toys: Scores) -> None:
    table = toys.sessions if kind == "session_scores" else toys.queries
    own = table.loc[table["session"] == "T-2", name].tolist()
    worked = cards(kind)[card_of(kind, name)].split(" · ")
    texts = [re.sub("`(.*)` = .*", r"\1", each) for each in worked]
    assert worked == [*map(working, texts)]
    assert own == pytest.approx([number(text) for text in texts], rel=1e-14, nan_ok=True)


def test_loops_are_those_of_the_scores() -> None:
    place = "SESSION_SCORES in tests/support/plain_session_scores.py"
    assert {*LOOPS} == {*measures.SESSION_SCORES}, f"A score has no plain loop: add it to {place}."


def assert_close(ours: object, theirs: object, of: str = "") -> None:
    """Equal but for rounding, undefined in the same places."""
    np.testing.assert_allclose(
        np.asarray(ours, dtype=float),
        np.asarray(theirs, dtype=float),
        rtol=EXACT,
        atol=EXACT,
        err_msg=of,
    )


def plain_rows(plain: PlainStudy, chosen: Choices) -> list[dict[str, float]]:
    """Every score of each query, by the plain loops."""
    each = [every_query_score(s.queries, plain.judgments, chosen) for s in plain.sessions]
    return [row for rows in each for row in rows]


@often
@given(studies(), choices())
def test_every_score_equals_its_plain_loop(plain: PlainStudy, chosen: Choices) -> None:
    study = study_of(plain)
    tables = scores(study, definition_of(chosen), Filters())
    assert_rows(tables.sessions, plain)
    assert_counts(study, tables.queries, plain, chosen)
    place = "every_query_score in tests/support/plain_other_measures.py"
    expected = [session_scores(s.queries, plain.judgments, chosen) for s in plain.sessions]
    for name in measures.SESSION_SCORES:
        assert_close(tables.sessions[name], [row[name] for row in expected], name)
    rows = plain_rows(plain, chosen)
    for name in measures.QUERY_SCORES:
        assert name in rows[0], f"{name} has no plain loop: add it to {place}."
        assert_close(tables.queries[name], [row[name] for row in rows], name)


@often
@given(studies(), choices())
def test_scores_are_linear_or_rising_in_gains_as_they_say(
    plain: PlainStudy, chosen: Choices
) -> None:
    study, definition = study_of(plain), replace(definition_of(chosen), measures=tuple(FURTHER))
    own = selection.select(study, definition, ALL)
    highest = highest_scores(study, own)
    for name, score in measures.ALL_SESSION_SCORES.items():
        if score.by_gain:
            most, value = highest[f"{name}{HIGHEST}"], measures.session_score_of(name, own)
            known = ~np.isnan(value)
            assert (most >= value - EXACT)[known].all(), f"{name} falls: by_gain of its Score"
            if score.by_gain == "linear":
                of = residuals(study, definition, ALL, score=name)
                value += np.bincount(of.unjudged.session, of.added, value.size)
                assert_close(value[known], most[known], f"{name}: by_gain of its Score")


def assert_rows(table: pd.DataFrame, plain: PlainStudy) -> None:
    """Sessions, and what is known of each."""
    assert table["session"].astype(str).tolist() == [s.name for s in plain.sessions]
    assert table["queries"].tolist() == [len(s.queries) for s in plain.sessions]
    assert table["system"].tolist() == [s.system for s in plain.sessions]
    searchers = table["searcher"].astype(object).fillna("").tolist()
    assert searchers == [s.searcher for s in plain.sessions]
    topics = [dict.fromkeys(topic for topic, _ in s.queries) for s in plain.sessions]
    assert table["topic"].tolist() == ["; ".join(names) for names in topics]


def assert_counts(study: Study, table: pd.DataFrame, plain: PlainStudy, chosen: Choices) -> None:
    """Topic, results and judged results of each query; results and judged ones at each rank."""
    asked = [query for session in plain.sessions for query in session.queries]
    every = [(rank, (topic, doc)) for topic, results in asked for rank, doc in results.items()]
    ranks, *numbers = study.judged_by_rank(chosen.top)
    assert ranks.tolist() == sorted({rank for rank, _ in every if rank <= chosen.top})
    for rank, number, known in zip(ranks, *numbers, strict=True):
        there = [one in plain.judgments for r, one in every if r == rank]
        assert (number, known) == (len(there), sum(there))
    shown = [[d for r, d in results.items() if r <= chosen.top] for _, results in asked]
    judged = [
        sum((topic, doc) in plain.judgments for doc in docs)
        for (topic, _), docs in zip(asked, shown, strict=True)
    ]
    assert table["topic"].tolist() == [topic for topic, _ in asked]
    assert table["results"].tolist() == [len(docs) for docs in shown]
    assert table["judged"].tolist() == judged


def test_sessions_of_the_field_have_the_printed_numbers() -> None:
    study = at_hand(SAMPLES[1])
    definition = Definition(weights="linear", measures=tuple(FURTHER))
    made = scores(study, definition, ALL).sessions.set_index("session").loc[["T-1", "T-2", "T-3"]]
    assert made["srbp"].tolist() == pytest.approx([0.2940835, 0.2450057, 0.2736058], abs=5e-8)
    assert made["esndcg"].tolist() == pytest.approx([0.5415075, 1.3495015, 0.6073286], abs=5e-8)
    without = scores(study, replace(definition, measures=()), ALL).sessions.set_index("session")
    assert made[without.columns].equals(without.loc[made.index])  # nothing of sDCG moves
    beside = ["esndcg_unseen", "err_rule"]
    assert [*made.columns[-len(measures.OF_SESSIONS) - 2 :]] == [*measures.OF_SESSIONS, *beside]
    assert made["err_rule"].tolist() == ["gdeval"] * 3


def test_what_a_number_stands_on_is_said_beside_it() -> None:
    study = at_hand(SAMPLES[0])
    for score, definition, unit, said in (
        ("rbp", DEFAULT, "RBP", "RBP's gains are divided by the highest gain (100)."),
        (
            "err_last",
            replace(DEFAULT, err_rule="ntcir"),
            "ERR (rule ntcir)",
            "with probability g/(g_max + 1), g_max the highest grade in the study",
        ),
        ("ndcg_best", DEFAULT, "nDCG", ""),
        ("final", DEFAULT, "sDCG", ""),
    ):
        compared = compare_systems(study, definition, ALL, score=score)
        assert compared.unit == unit
        assert said in figure_notes(compared)
        assert said in method(compared)[0]
    asked = replace(DEFAULT, measures=("esndcg", "err"))
    empty = PlainSession("s", [("t", {}), ("t", {1: "a"})], "A", "u")  # who stops sees nothing
    found = study_of(PlainStudy([empty], {("t", "a"): 1.0}))
    compared = compare_systems(found, asked, ALL, score="esndcg")
    said = "Paths that see no document are left out of esNDCG: .10 of them on average, .10 at most."
    assert compared.footing is not None
    assert compared.footing.unseen == pytest.approx(0.1)  # 1 − p_reform
    assert said in figure_notes(compared)
    text = methods_text(found, asked, ALL)
    assert said in text
    assert "also esNDCG (p_reform = 0.9, p_down = 0.7) and ERR (rule gdeval)" in text
    asked = replace(DEFAULT, measures=("err",), repeats="first")  # which counts them all the same
    compared = compare_systems(study, asked, ALL, score="err")
    assert " ERR counts repeats." in figure_notes(compared)
    assert " ERR counts repeats." in methods_text(study, asked, ALL)


def test_a_grade_above_4_is_undefined_by_gdeval_alone() -> None:
    one = PlainSession("s", [("t", {1: "a"})], "A", "u")
    for grade, rule, expected in (
        (5.0, "gdeval", math.nan),
        (4.0, "gdeval", 15 / 16),
        (5.0, "ntcir", 5 / 6),
        (-1.0, "ntcir", 0.0),
    ):
        study = study_of(PlainStudy([one], {("t", "a"): grade}))
        asked = Definition(weights="linear", measures=("err",), err_rule=rule)
        made = scores(study, asked, ALL).sessions["err"].tolist()
        assert made == pytest.approx([expected], nan_ok=True), (grade, rule)
