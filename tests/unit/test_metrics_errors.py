"""Refusals of the metrics, word for word; what a public metric must carry; the bootstrap."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import metrics
from analysis.definition.definition import Definition, Filters
from analysis.query_order import query_order
from analysis.session_curves import SessionCurves, session_curves
from metrics import (
    bootstrap_interval,
    ideal_list,
    levels_off,
    normalised,
    query_discount,
    rank_discount,
    weighting,
)
from study.study import Study
from tests.support.plain_figures import bootstrap, share_curve
from tests.support.plain_files import ROOT, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

PLAIN_HELPERS = {"group_sums", "bootstrap_interval", "concatenated", "ideal_list", "session_score"}
PUBLIC = [name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))]
MATHEMATICAL = [name for name in PUBLIC if name not in PLAIN_HELPERS]


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
    known = "ecir2008, jk2002, kanoulas2011, standard, lipani2019"
    expected = f"discount form 'log2'; known are {known}"
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
    ({"short_lists": 0}, "short_lists 0; choices are pad, as-is, observed, or a whole number"),
    (
        {"weights": "cubic"},
        "weighting 'cubic'; known are paper, linear, exponential, binary, strict",
    ),
    ({"weights": ((1.0, -1.0),)}, "weights: a gain is 0 or more"),
    ({"weights": ((1.0, math.inf),)}, "weights: a gain is 0 or more"),
]


@pytest.mark.parametrize(("choice", "expected"), REFUSED)
def test_definition_refuses_what_is_not_offered(choice: dict, expected: str) -> None:
    assert message_of(lambda: Definition(**choice)) == expected


def test_weights_refuse_a_grade_without_gain() -> None:
    definition = Definition(weights=((0.0, 0.0), (1.0, 1.0)))
    expected = "weights: no gain for grade -2, 0.5"
    assert message_of(lambda: definition.gains((-2.0, 0.0, 0.5, 1.0))) == expected


def docstring(name: str) -> str:
    """Docstring of a public metric."""
    return inspect.getdoc(getattr(metrics, name)) or ""


def test_public_metrics_are_the_ones_walked() -> None:
    assert set(PLAIN_HELPERS) < set(PUBLIC)
    tables = {"FORMS", "SESSION_SCORES", "WEIGHTINGS"}
    assert set(metrics.__all__) == set(PUBLIC) | tables | {"Score", "Worth"}


@pytest.mark.parametrize("name", MATHEMATICAL)
def test_metric_has_math_and_source(name: str) -> None:
    assert ".. math::" in docstring(name)
    assert re.search(r"^Source: \S+", docstring(name), re.MULTILINE)


@pytest.mark.parametrize("name", PUBLIC)
def test_metric_has_example(name: str) -> None:
    assert ">>> " in docstring(name)


@pytest.mark.parametrize("name", MATHEMATICAL)
def test_metric_has_card_in_docs(name: str) -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert any(f"`{name}`" in heading for heading in headings)


def test_undefined_is_nan_never_0() -> None:
    assert np.isnan(normalised(np.array([0.0, 1.0]), np.array([0.0, 0.0]))).all()
    assert math.isnan(levels_off(np.zeros(3)))
    assert math.isnan(levels_off(np.full(3, np.nan)))
    assert ideal_list([], 2).tolist() == [0.0, 0.0]


def test_levels_off_at_99_hundredths_of_the_end() -> None:
    assert levels_off(np.array([[98.9, 99.0, 100.0], [50, 99, 99]])).tolist() == [2, 2]


def clusters(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of two systems' values at three positions, and their counts, by cluster."""
    chance = np.random.default_rng(7)
    counts = chance.integers(0, 4, (number, 2, 3)).astype(float)
    counts[:5] += 1
    return chance.random((number, 2, 3)) * counts, counts


def test_bootstrap_equals_plain_loop_over_the_same_draws() -> None:
    sums, counts = clusters(12)
    draws = np.random.default_rng(2008).integers(0, 12, (1000, 12)).tolist()
    low, high = bootstrap_interval(sums, counts)
    for place in np.ndindex(2, 3):
        own = sums[(slice(None), *place)].tolist(), counts[(slice(None), *place)].tolist()
        expected = bootstrap(own[0], own[1], draws)
        assert (low[place], high[place]) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("number", [2_501, 8_001])  # draws are made, and kept, in batches
def test_bootstrap_of_many_clusters_equals_draws_made_at_once(number: int) -> None:
    sums = np.random.default_rng(8).random((number, 1))
    draws = np.random.default_rng(2008).integers(0, number, (1000, number))
    means = sums[:, 0][draws].mean(axis=1)
    low, high = bootstrap_interval(sums, np.ones((number, 1)))
    expected = np.quantile(means, [0.025, 0.975])
    assert [low[0], high[0]] == pytest.approx(expected.tolist(), rel=1e-12)


def test_bootstrap_takes_one_count_for_all_positions() -> None:
    sums, counts = clusters(12)
    alike = np.broadcast_to(counts[..., :1], counts.shape)
    one, all_ = bootstrap_interval(sums, counts[..., :1]), bootstrap_interval(sums, alike)
    np.testing.assert_allclose(one, all_, rtol=1e-12)
    assert not np.isnan(one).any()


def test_bootstrap_interval_contains_the_mean() -> None:
    sums, counts = clusters(40)
    low, high = bootstrap_interval(sums, counts)
    mean = sums.sum(axis=0) / counts.sum(axis=0)
    assert (low < mean).all()
    assert (mean < high).all()


def test_bootstrap_is_undefined_under_five_clusters_with_a_value() -> None:
    sums, counts = clusters(5)
    counts[4, 0, 1] = sums[4, 0, 1] = 0
    low, high = bootstrap_interval(sums, counts)
    undefined = [[False, True, False], [False, False, False]]
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == undefined
    low, high = bootstrap_interval(sums[:4], counts[:4])
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_bootstrap_draws_the_same_clusters_for_every_system() -> None:
    sums, counts = clusters(20)
    together = bootstrap_interval(sums, counts)
    for system in (0, 1):
        alone = bootstrap_interval(sums[:, system], counts[:, system])
        np.testing.assert_allclose(together[0][system], alone[0], rtol=1e-12)
        np.testing.assert_allclose(together[1][system], alone[1], rtol=1e-12)


def study_with_searchers(names: list[str], *, turned: bool = False) -> PlainStudy:
    """A session for each searcher and one of two systems, gains all different."""
    docs = [f"d{i}" for i in range(9)]
    sessions = [
        PlainSession(f"s{i}", [("t", {i % 5 + 1: "d0", 7: docs[i % 9]})], "AB"[i % 2], name)
        for i, name in enumerate(names)
    ]
    judgments = {("t", doc): float(i % 4) for i, doc in enumerate(docs, start=3)}
    return PlainStudy(sessions[::-1] if turned else sessions, judgments)


def bands(study: Study) -> list[np.ndarray]:
    """Every interval that the figures draw."""
    curves = session_curves(study, Definition(), Filters(), bands=True).curves
    order = query_order(study, Definition(), Filters(), bands=True, depth=10).curves
    own = [edge for of in curves for m in (of.raw, of.normalised) for edge in (m.low, m.high)]
    return own + [edge for curve in order for edge in (curve.low, curve.high)]


@pytest.mark.parametrize("named", [True, False], ids=["searchers", "no searchers"])
def test_intervals_do_not_depend_on_order_of_sessions(named: bool) -> None:
    names = [f"p{i % 12}" if named else "" for i in range(24)]
    one = study_of(study_with_searchers(names))
    two = study_of(study_with_searchers(names, turned=True))
    assert one.digest == two.digest
    for ours, theirs in zip(bands(one), bands(two), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_intervals_of_curves_resample_searchers() -> None:
    names = [f"p{i % 12:02}" for i in range(24)]  # each searcher's two sessions are on one system
    plain = study_with_searchers(names)
    study = study_of(plain)
    choices = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
    curves: SessionCurves = session_curves(study, Definition(), Filters(), bands=True)
    draws = np.random.default_rng(2008).integers(0, 12, (1000, 12)).tolist()
    for of in curves.curves:
        sums, counts = [0.0] * 12, [0] * 12
        for session in plain.sessions:
            if session.system == of.system:
                sums[int(session.searcher[1:])] += share_curve(session, plain, choices, 10)[-1]
                counts[int(session.searcher[1:])] += 1
        expected = bootstrap(sums, counts, draws)
        ours = of.normalised.low[-1], of.normalised.high[-1]
        assert ours == pytest.approx(expected, rel=1e-9)
