"""Curves of the analysis equal the plain loop, for any study and definition."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.selection import select
from tests.support.plain_figures import figure_one, figure_two, has_near_tie, share_curve
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query
from tests.support.random_studies import choices, often, studies
from tests.unit.test_every_score import assert_close

ALL = Filters()
EXACT = 1e-9


several = st.lists(choices(), min_size=3, max_size=3)  # what a study keeps must fit them all


@often
@given(studies(), several)
def test_session_curves_equal_plain_loop(plain: PlainStudy, definitions: list[Choices]) -> None:
    study = study_of(plain)
    for chosen in definitions:
        curves = session_curves(study, definition_of(chosen), ALL, at_least=(1, 3))
        for least in (1, 3):
            figure = figure_two(plain, chosen, curves.positions, at_least=least)
            ours = {of.system: of for of in curves.curves if of.at_least == least}
            assert set(ours) == set(figure)
            for system, (raw, shares, counts) in figure.items():
                assert_close(ours[system].raw.mean, raw)
                assert_close(ours[system].normalised.mean, shares)
                assert ours[system].normalised.sessions.tolist() == counts


@often
@given(studies(), choices(pairs=(("every", "spread"),)))
def test_sessions_above_1_equal_plain_loop(plain: PlainStudy, chosen: Choices) -> None:
    chosen_ones = select(study_of(plain), definition_of(chosen), ALL)
    positions = chosen_ones.sample.most_queries * chosen.top
    shares = [share_curve(s, plain, chosen, positions) for s in plain.sessions]
    assert chosen_ones.above_one == sum(any(v > 1 + EXACT for v in curve) for curve in shares)


@pytest.mark.parametrize("measure", ["sdcg", "ndcg"])
@often
@given(studies(), several, st.permutations(("last", "best", "last")))
def test_query_order_curves_equal_plain_loop(
    measure: str, plain: PlainStudy, definitions: list[Choices], splits: list[str]
) -> None:
    study = study_of(plain)
    for chosen, split in zip(definitions, splits, strict=True):
        asked = [session.queries for session in plain.sessions]
        if split == "best":  # rounding must not decide which query that is
            near = [has_near_tie(queries, plain.judgments, chosen, measure) for queries in asked]
            assume(not any(near))
        for others in ("pooled", "per-session"):
            how = {"depth": 12, "measure": measure}
            order = query_order(study, definition_of(chosen, others), ALL, splits=(split,), **how)
            figure = figure_one(plain, chosen, split=split, others=others, **how)
            assert {(of.system, of.group) for of in order.curves} == set(figure)
            for of in order.curves:
                assert_close(of.mean, figure[of.system, of.group])


def one_topic(grades: dict[str, float], *sessions: list[Query]) -> PlainStudy:
    """Sessions on the topic t, with its judgments."""
    named = [PlainSession(f"s{i}", queries) for i, queries in enumerate(sessions)]
    return PlainStudy(named, {("t", doc): grade for doc, grade in grades.items()})


def test_sessions_that_pass_1_by_little_are_counted_and_those_at_1_are_not() -> None:
    a: Query = ("t", {1: "a"})
    plain = one_topic({"a": 1.0}, [a], [a, ("t", {10: "a"})], [a, ("t", {})])
    curves = session_curves(study_of(plain), Definition(ideal="spread"), ALL)
    assert curves.curves[0].raw.mean[-1] == pytest.approx(1 + (1 / 1.5) / (1 + np.log2(10)) / 3)
    assert select(study_of(plain), Definition(ideal="spread"), ALL).above_one == 1


def test_best_query_is_the_earliest_on_ties() -> None:
    chance = random.Random(2008)
    grades = {f"d{i}": float(i % 4) for i in range(40)}
    sessions: list[list[Query]] = []
    for _ in range(60):  # the same ten documents three times, and more below in the first list
        again = dict(enumerate(chance.sample([*grades], 10), start=1))
        sessions.append([("t", {**again, 11: "below"}), ("t", again), ("t", again)])
    plain = one_topic({**grades, "below": 3.0}, *sessions)
    order = query_order(study_of(plain), Definition(bq=math.inf), ALL, splits=("best",), depth=11)
    best, rest = order.curve("A", "best").mean, order.curve("A", "rest").mean
    assert best[10] - best[9] == pytest.approx(100 / (1 + math.log2(11)), rel=EXACT)
    assert rest[10] == rest[9]
