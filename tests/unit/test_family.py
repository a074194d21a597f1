"""Further measures under a definition: printed numbers, and plain loops over random studies."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sdcg_explorer.metrics import err, inst, rbp, srbp, stops
from sdcg_explorer.metrics.user_models import RULES

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.compare_systems.words import behind, method
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.scoring.definition import DEFAULT, FURTHER, Definition, Filters
from sdcg_explorer.scoring.measures import OF_QUERIES, OF_SESSIONS
from sdcg_explorer.scoring.scores import scores
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    counted_gains,
    is_judged,
)
from tests.support.plain_other_measures import shares_of
from tests.support.random_studies import BASES, GAINS, GRADES, random_judgments, random_session
from tests.support.studies import SAMPLES, at_hand
from tests.support.thorough import THOROUGH
from tests.unit.test_user_models import looped

ALL = tuple(FURTHER)
EVERY = Filters()
Row = dict[str, float]


def test_sessions_of_the_field_have_the_printed_numbers() -> None:
    study = at_hand(SAMPLES[1])
    definition = Definition(weights="linear", measures=ALL)
    made = scores(study, definition, EVERY).sessions.set_index("session").loc[["T-1", "T-2", "T-3"]]
    assert made["srbp"].tolist() == pytest.approx([0.2940835, 0.2450057, 0.2736058], abs=5e-8)
    assert made["esndcg"].tolist() == pytest.approx([0.5415075, 1.3495015, 0.6073286], abs=5e-8)
    without = scores(study, replace(definition, measures=()), EVERY).sessions.set_index("session")
    assert made[without.columns].equals(without.loc[made.index])  # nothing of sDCG moves
    beside = ["esndcg_unseen", "err_rule"]
    assert [*made.columns[-len(OF_SESSIONS) - 2 :]] == [*OF_SESSIONS, *beside]
    assert made["err_rule"].tolist() == ["gdeval"] * 3


def dense(gains: dict[int, float], top: int, over: float = 1.0) -> list[float]:
    """Gain at each rank to the top, over the highest; undefined where that is 0."""
    return [gains.get(r, 0.0) / over if over else math.nan for r in range(1, top + 1)]


def graded(session: PlainSession, plain: PlainStudy, top: int) -> list[dict[int, float]]:
    """Grades by rank of each query, a copy in a list, what is unjudged or below 0 as 0."""
    as_grades = Choices({g: max(g, 0.0) for g in GRADES}, 2.0, 2.0, top=top)
    return counted_gains(session.queries, plain.judgments, as_grades, top)


def rows_of(session: PlainSession, plain: PlainStudy, chosen: Choices, d: Definition) -> list[Row]:
    """RBP, INST, ERR and nDCG of each query, by the metrics themselves over plain lists."""
    highest = max(chosen.gains[grade] for grade in plain.judgments.values())
    lists = counted_gains(session.queries, plain.judgments, chosen, chosen.top)
    most, judged = max(0.0, *plain.judgments.values()), {topic for topic, _ in plain.judgments}
    shares = shares_of(session.queries, plain.judgments, chosen)
    parts = zip(session.queries, lists, graded(session, plain, chosen.top), shares, strict=True)
    rows = list[Row]()
    for (topic, _), gains, own, share in parts:
        worth = dense(gains, chosen.top, highest)
        row = {"rbp": float(rbp(worth, d.p)), "inst": float(inst(worth, d.inst_t))}
        row["err"] = float(err(stops(dense(own, chosen.top), d.err_rule, most)))
        row["ndcg"] = share["ndcg"]
        rows.append(row if topic in judged else dict.fromkeys(row, math.nan))
    return rows


def session_row(session: PlainSession, plain: PlainStudy, chosen: Choices, d: Definition) -> Row:
    """SRBP and esNDCG of a session, and its queries' measures."""
    if not is_judged(session.queries, plain.judgments):
        return dict.fromkeys((*OF_SESSIONS, "esndcg_unseen"), math.nan)
    rows, made = rows_of(session, plain, chosen, d), Row()
    for name in (*OF_QUERIES, "ndcg"):
        known = [row[name] for row in rows if not math.isnan(row[name])]
        each = [math.nan] * 4
        if known:
            each = [sum(known) / len(known), known[0], rows[-1][name], max(known)]
        names = (name, f"{name}_first", f"{name}_last", f"{name}_best")
        made |= dict(zip(names, each, strict=True))
    made.pop("ndcg")  # mean_ndcg, a column of every table
    highest = max(chosen.gains[grade] for grade in plain.judgments.values())
    lists = counted_gains(session.queries, plain.judgments, chosen, chosen.top)
    made["srbp"] = float(srbp([dense(own, chosen.top, highest) for own in lists], d.srbp_b, d.p))
    lengths = [min(chosen.top, max(results, default=0)) for _, results in session.queries]
    grades = graded(session, plain, chosen.top)
    worth = [
        [2.0**grade - 1 for grade in dense(own, length)]
        for own, length in zip(grades, lengths, strict=True)
    ]
    asked = {topic for topic, _ in session.queries}
    known = [grade for (topic, _), grade in plain.judgments.items() if topic in asked]
    ideal = sorted((2.0 ** max(grade, 0.0) - 1 for grade in known), reverse=True)
    made["esndcg"], made["esndcg_unseen"] = looped(worth, ideal, d.p_reform, d.p_down)
    return made


@pytest.mark.parametrize("seed", range(3 * THOROUGH))
def test_columns_are_those_of_plain_loops(seed: int) -> None:
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i}") for i in range(20)]
    plain = PlainStudy(sessions, random_judgments(chance))
    gains = {grade: chance.choice(GAINS) for grade in GRADES}
    chosen = Choices(gains, chance.choice(BASES), chance.choice(BASES), top=chance.randint(1, 5))
    chosen = replace(chosen, repeats=chance.choice(["every", "first"]))
    d = replace(
        definition_of(chosen),
        measures=ALL,
        p=chance.choice([0.0, 0.5, 0.9]),
        srbp_b=chance.random(),
        inst_t=chance.uniform(0.5, 4),
        err_rule=chance.choice([*RULES]),
        p_reform=chance.random(),
        p_down=chance.random(),
    )
    made = scores(study_of(plain), d, EVERY)
    shown: Any = made.sessions.set_index("session")
    queries: Any = made.queries.set_index("session")
    for session in plain.sessions:
        expected = session_row(session, plain, chosen, d)
        own = {
            name: float(shown.loc[session.name, name]) for name in (*OF_SESSIONS, "esndcg_unseen")
        }
        assert own == pytest.approx(expected, nan_ok=True, abs=1e-9), session
        rows = rows_of(session, plain, chosen, d)
        for name in OF_QUERIES:
            values = np.atleast_1d(queries.loc[session.name, name]).tolist()
            assert values == pytest.approx([row[name] for row in rows], nan_ok=True, abs=1e-9)


def test_what_a_number_stands_on_is_said_beside_it() -> None:
    study = at_hand(SAMPLES[0])
    for score, definition, unit, said in (
        ("rbp", DEFAULT, "RBP", "RBP's gains are divided by the highest gain (100)."),
        (
            "err_last",
            replace(DEFAULT, err_rule="ntcir"),
            "ERR (rule ntcir)",
            "with probability g/(g_max + 1)",
        ),
        ("ndcg_best", DEFAULT, "nDCG", ""),
        ("final", DEFAULT, "sDCG", ""),
    ):
        compared = compare_systems(study, definition, EVERY, score=score)
        assert compared.unit == unit
        assert said in behind(compared)
        assert said in method(compared)
    asked = replace(DEFAULT, measures=("esndcg", "err"))
    empty = PlainSession("s", [("t", {}), ("t", {1: "a"})], "A", "u")  # who stops sees nothing
    found = study_of(PlainStudy([empty], {("t", "a"): 1.0}))
    compared = compare_systems(found, asked, EVERY, score="esndcg")
    said = "Paths that see no document are left out of esNDCG: .10 of them on average, .10 at most."
    assert compared.footing is not None
    assert compared.footing.unseen == pytest.approx(0.1)  # 1 − p_reform
    assert said in behind(compared)
    text = methods_text(found, asked, EVERY)
    assert said in text
    assert "also esNDCG (p_reform = 0.9, p_down = 0.7) and ERR (rule gdeval)" in text
    asked = replace(DEFAULT, measures=("err",), repeats="first")  # which counts them all the same
    compared = compare_systems(study, asked, EVERY, score="err")
    assert " ERR counts repeats." in behind(compared)
    assert " ERR counts repeats." in methods_text(study, asked, EVERY)


def test_a_grade_above_4_is_undefined_by_gdeval_alone() -> None:
    one = PlainSession("s", [("t", {1: "a"})], "A", "u")
    for grade, rule, expected in (
        (5.0, "gdeval", math.nan),
        (5.0, "ntcir", 5 / 6),
        (-1.0, "ntcir", 0.0),
    ):
        study = study_of(PlainStudy([one], {("t", "a"): grade}))
        asked = Definition(weights="linear", measures=("err",), err_rule=rule)
        made = scores(study, asked, EVERY).sessions["err"].tolist()
        assert made == pytest.approx([expected], nan_ok=True), (grade, rule)
