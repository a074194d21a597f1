"""An estimate and its interval point one way in every sentence: laws over random numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare, compare_systems
from sdcg_explorer.questions.compare_systems.words import leads
from sdcg_explorer.questions.query_order import words as query_order_words
from sdcg_explorer.questions.query_order.numbers import (
    SPLITS,
    Difference,
    last_against_others,
    query_order,
)
from sdcg_explorer.questions.session_curves import words as curve_words
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.support.plain_loop import PlainStudy
from tests.support.plain_statistics import scored
from tests.support.random_studies import made, often
from tests.support.said_intervals import Said, said
from tests.support.thorough import THOROUGH
from tests.unit.test_compare_odd import rows_of
from tests.unit.test_last_against_others import random_study

worths = st.floats(0, 1e4).map(lambda value: round(value, 3))
PAIR = compare(scored(rows_of("2 A p t", "4 B p t", "1 A q t", "5 B q t")), 0, 1)


def turned(of: Said) -> tuple[float, float, float]:
    """The same, the other way round."""
    return -of.estimate, -of.high, -of.low


@given(st.lists(st.tuples(worths, worths), min_size=2, max_size=9))
def test_last_less_others_is_turned_with_its_interval(pairs: list[tuple[float, float]]) -> None:
    last, others = np.array(pairs).T
    size = np.ones(len(pairs), dtype=int)
    one = Difference("A", "dcg", size, len(pairs), others, last)
    two = Difference("A", "dcg", size, len(pairs), last, others)
    ours, theirs = (said(query_order_words.difference(of)) for of in (one, two))
    assert [each.is_one_way for each in ours] == [True] * (not math.isnan(one.interval[0]))
    assert [(x.estimate, x.low, x.high) for x in ours] == [*map(turned, theirs)]


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(0, 1), st.floats(0, 1))
def test_who_is_ahead_is_so_by_a_number_within_its_interval(
    difference: float, reach: float, p: float, p_holm: float
) -> None:
    ends = {"low": difference - reach, "high": difference + reach}
    pair = replace(PAIR, difference=difference, **ends, p_t=p)
    text = leads(pair, "nsDCG", p_holm)[0]
    (found,) = said(text)
    assert found.is_one_way
    if "don't differ clearly" in text:
        assert math.copysign(1, found.estimate) == math.copysign(1, difference) or not difference
    else:
        assert text.startswith("B is ahead of A" if difference > 0 else "A is ahead of B")
        assert found.low > 0


@settings(often, max_examples=6 * THOROUGH)
@given(made(lambda chance: random_study(chance.randrange(10**6))))
def test_every_sentence_on_a_random_study_points_one_way(plain: PlainStudy) -> None:
    view = study_of(plain), Definition(weights="linear"), Filters()
    orders = [query_order(*view, splits=(split,), bands=True) for split in SPLITS]
    curves = session_curves(*view, bands=True)
    texts = [
        *(
            f"{query_order_words.answer(order)} {query_order_words.at_rank(order)}"
            for order in orders
        ),
        *(curve_words.answer(curves, measure) for measure in ("raw", "normalised")),
        *query_order_words.sentences(last_against_others(*view)),
        *(words.sentences(compare_systems(*view, topics_are=of)) for of in ("fixed", "sample")),
    ]
    assert [each for text in texts for each in said(text) if not each.is_one_way] == []
