"""Refusals of the metrics, word for word; what a public metric must carry."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable

import numpy as np
import pytest
import sdcg_explorer.metrics as metrics
from sdcg_explorer.metrics import (
    FORMS,
    ideal_list,
    levels_off,
    normalised,
    query_discount,
    rank_discount,
    weighting,
)

from sdcg_explorer.scoring.definition import Definition

PLAIN_HELPERS = {
    "group_sums",
    "bootstrap_interval",
    "mean_interval",
    "concatenated",
    "ideal_list",
    "session_score",
}
PUBLIC = [name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))]


def message_of(call: Callable[[], object]) -> str:
    """The whole message of the ValueError that a call raises."""
    with pytest.raises(ValueError, match=r".") as raised:  # the caller compares the whole text
        call()
    return str(raised.value)


@pytest.mark.parametrize("discount", [rank_discount, query_discount])
@pytest.mark.parametrize("base", [1, 0.5, 0, -2, math.nan])
def test_discount_refuses_bases_up_to_1(discount: Callable[..., object], base: float) -> None:
    rule = "a base is greater than 1, or inf"
    assert message_of(lambda: discount([1], base)) == f"logarithm base {base}; {rule}"


@pytest.mark.parametrize("discount", [rank_discount, query_discount])
def test_discount_refuses_unknown_forms(discount: Callable[..., object]) -> None:
    expected = f"discount form 'log2'; known are {', '.join(FORMS)}"
    assert message_of(lambda: discount([1], 2, "log2")) == expected


def test_weighting_refuses_unknown_names() -> None:
    expected = "weighting 'cubic'; known are paper, linear, exponential, binary, strict"
    assert message_of(lambda: weighting("cubic", [0, 1])) == expected


BASES = "a base is above 1 and below 1,000, or inf"
REFUSED = [
    ({"repeats": "twice"}, "repeats 'twice'; choices are every, first"),
    ({"ideal": "best"}, "ideal 'best'; choices are repeated, spread"),
    ({"others": "mean"}, "others 'mean'; choices are pooled, per-session"),
    (
        {"discount": "zipf"},
        "discount 'zipf'; choices are ecir2008, jk2002, kanoulas2011, standard, lipani2019",
    ),
    ({"b": 1.0}, f"b 1.0; {BASES}"),
    ({"bq": 1000.0}, f"bq 1000.0; {BASES}"),
    ({"b": 1000.0}, f"b 1000.0; {BASES}"),
    ({"bq": math.nan}, f"bq nan; {BASES}"),
    ({"top": 0}, "top 0; from 1 to 1000 ranks count"),
    (
        {"short_lists": 0},
        "short_lists 0; choices are pad, as-is, observed, or a whole number to 1000",
    ),
    (
        {"weights": "cubic"},
        "weighting 'cubic'; known are paper, linear, exponential, binary, strict",
    ),
    ({"weights": ((1.0, -1.0),)}, "weights.1 -1.0; a gain is from 0 to 1e+100"),
    ({"weights": ((1.0, math.inf),)}, "weights.1 inf; a gain is from 0 to 1e+100"),
]


@pytest.mark.parametrize(("choice", "expected"), REFUSED)
def test_definition_refuses_what_is_not_offered(choice: dict, expected: str) -> None:
    assert message_of(lambda: Definition(**choice)) == expected


def test_weights_refuse_a_grade_without_gain() -> None:
    definition = Definition(weights=((0.0, 0.0), (1.0, 1.0)))
    expected = "weights: no gain for grade -2, 0.5"
    assert message_of(lambda: definition.gains((-2.0, 0.0, 0.5, 1.0))) == expected


def test_public_metrics_are_the_ones_walked() -> None:
    assert set(PLAIN_HELPERS) < set(PUBLIC)
    tables = {"FORMS", "SESSION_SCORES", "WEIGHTINGS"}
    assert set(metrics.__all__) == set(PUBLIC) | tables | {"Score", "Worth"}


def test_undefined_is_nan_never_0() -> None:
    assert np.isnan(normalised(np.array([0.0, 1.0]), np.array([0.0, 0.0]))).all()
    assert math.isnan(levels_off(np.zeros(3)))
    assert math.isnan(levels_off(np.full(3, np.nan)))
    assert ideal_list([], 2).tolist() == [0.0, 0.0]


def test_levels_off_at_99_hundredths_of_the_end() -> None:
    assert levels_off(np.array([[98.9, 99.0, 100.0], [50, 99, 99]])).tolist() == [2, 2]
