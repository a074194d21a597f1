"""Laws that hold for any study: bounds, limits, sums, order, and what is undefined."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sdcg_explorer.metrics import FORMS, query_discount, rank_discount
from sdcg_explorer.metrics.discount import Factor

from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import SESSION_SCORES
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy
from tests.support.random_studies import (
    TOPICS,
    choices,
    often,
    studies,
)

ALL = Filters()
EXACT = 1e-9
SCORES = tuple(SESSION_SCORES)


def session_table(study: Study, definition: Definition, filters: Filters = ALL) -> pd.DataFrame:
    """Scores by session id, sessions in the order of their ids."""
    table = scores(study, definition, filters).sessions
    return table.set_index(table["session"].astype(str)).sort_index()


def assert_same(ours: pd.DataFrame, theirs: pd.DataFrame, columns: tuple[str, ...]) -> None:
    """Both tables have the same rows and, but for rounding, the same numbers."""
    assert ours.index.tolist() == theirs.index.tolist()
    one, two = ours[[*columns]].to_numpy(float), theirs[[*columns]].to_numpy(float)
    np.testing.assert_allclose(one, two, rtol=EXACT, atol=EXACT)


def sides_of(form: str) -> list[tuple[Callable[..., np.ndarray], Factor]]:
    """Discount by rank and by query, with the factor of a form that it counts."""
    return [(rank_discount, FORMS[form].rank), (query_discount, FORMS[form].query)]


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, derandomize=True)
@given(base=st.floats(1.01, 999.0))
def test_discounts_fall_and_stay_above_0(form: str, base: float) -> None:
    """From 1 on; or, where the base is a scale, from log2 of it, through 1 at base − 1."""
    for discount, factor in sides_of(form):
        factors = discount(np.arange(1, 200), base, form)
        assert factors[0] == pytest.approx(math.log2(base) if factor.scales else 1, rel=1e-12)
        assert (factors > 0).all()
        assert (np.diff(factors) <= 1e-12).all()
        if factor.scales:
            above = factors > 1 + 1e-12
            assert above.tolist() == [r + 1 < base * (1 - 1e-12) for r in range(1, 200)]


@pytest.mark.parametrize("form", FORMS)
def test_infinite_base_is_factor_1_and_large_bases_approach_it(form: str) -> None:
    """Or, where the base is a scale, are as far from it as any: the ratios are always the same."""
    for discount, factor in sides_of(form):
        assert discount(np.arange(1, 9), math.inf, form).tolist() == [1.0] * 8
        first, second = discount([1, 2], 1e300, form)
        expected = math.log(2, 3) if factor.scales else 1
        assert second / first == pytest.approx(expected, abs=2e-3)


@often
@given(studies(), choices(), st.randoms(use_true_random=False))
def test_order_of_sessions_in_the_file_is_irrelevant(
    plain: PlainStudy, chosen: Choices, chance: random.Random
) -> None:
    mixed = chance.sample(plain.sessions, len(plain.sessions))
    one, two = study_of(plain), study_of(replace(plain, sessions=mixed))
    definition = definition_of(chosen)
    assert one.digest == two.digest
    assert_same(session_table(one, definition), session_table(two, definition), SCORES)
    for ours, theirs in [
        (session_curves(study, definition, ALL).table() for study in (one, two)),
        (query_order(study, definition, ALL, depth=12).table() for study in (one, two)),
    ]:
        pd.testing.assert_frame_equal(ours, theirs, rtol=EXACT, atol=EXACT)


@often
@given(studies(), choices(), st.sampled_from("ABC"), st.sampled_from(TOPICS), st.integers(1, 3))
def test_filters_keep_whole_sessions_and_never_change_a_score(
    plain: PlainStudy, chosen: Choices, system: str, topic: str, least: int
) -> None:
    study, definition = study_of(plain), definition_of(chosen)
    everything = session_table(study, definition)
    passing: dict[Filters, Callable[[PlainSession], bool]] = {
        Filters(systems=(system,)): lambda s: s.system == system,
        Filters(topics=(topic,)): lambda s: {on for on, _ in s.queries} == {topic},
        Filters(searchers=("q",)): lambda s: s.searcher == "q",
        Filters(min_queries=least, max_queries=3): lambda s: least <= len(s.queries) <= 3,
    }
    for filters, passes in passing.items():
        own = sorted(s.name for s in plain.sessions if passes(s))
        if own:
            kept = session_table(study, definition, filters)
            assert kept.index.tolist() == own
            assert_same(kept, everything.loc[own], SCORES)
