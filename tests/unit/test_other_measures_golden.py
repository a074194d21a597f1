"""The other measures of the sources: published numbers, worked ones, edges, and plain loops."""

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sdcg_explorer.metrics import esndcg, inst, rbp, srbp, stops
from sdcg_explorer.metrics.user_models import inst_weights

from sdcg_explorer import metrics
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import OF_SESSIONS, OTHER_MEASURES, measured
from sdcg_explorer.scoring.selection import select
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, best_list
from tests.support.plain_other_measures import user_oriented
from tests.support.random_studies import choices, often, studies
from tests.unit.test_every_score import assert_close

USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")
UNDEFINED = [math.nan] * 4


ALL = Filters()


def test_empty_denominator_is_nan_never_0() -> None:
    undefined = [
        metrics.coverage(set(), {"a"}, {"a"}),
        metrics.coverage({"x"}, {"a"}, {"a"}),
        metrics.novelty({"a"}, {"a"}, {"x"}),
        metrics.novelty(set(), set(), set()),
        metrics.relative_recall(set(), 0),
        metrics.relative_recall({"a"}, 0),
        metrics.recall_effort(0, 5),
        metrics.recall_effort(3, 0),
        float(metrics.ldcg([0.0, 0.0], 0)),
        float(metrics.ldcg([3.0, 1.0], 0)),
        float(metrics.ideal_ldcg(0, 0, 5)),
        float(metrics.ideal_ldcg(0, 4, 5)),
        float(metrics.lndcg([0.0, 0.0], 2, 0, 0)),
        float(metrics.lndcg([3.0, 0.0], 0, 3, 1)),
        float(metrics.area(np.array([math.nan, math.nan]))),
    ]
    assert np.isnan(undefined).tolist() == [True] * len(undefined)


def test_area_and_ratios_leave_out_what_is_undefined() -> None:
    assert metrics.area(np.array([[math.nan, 1.0, 0.0], [0.5, 0.0, 0.1]])).tolist() == [
        1 / 2,
        0.6 / 3,
    ]
    curves = metrics.average_curves(
        np.array([[0.0, 1]] * 2), np.array([[0.0, 2]] * 2), np.array([1, 0.5])
    )
    np.testing.assert_array_equal(curves["ncg"], [math.nan, 1 / 2])
    np.testing.assert_array_equal(curves["ndcg"], [math.nan, (1 / 2) / (2 / 2)])
    assert curves["cg"].tolist() == [0, 1]
    assert metrics.coverage({1, 2}, {1, 2, 3}, {2, 3}) == 1 / 2
    assert metrics.gain_per_cost(np.array([3.0]), np.array([2.0])).tolist() == [3 / 2]


@often
@given(studies(), choices(), st.sampled_from((1, 2, 3, 7, 2.5)))
def test_expected_number_equals_plain_loop(
    plain: PlainStudy, chosen: Choices, expected: float
) -> None:
    ours = measured(select(study_of(plain), definition_of(chosen), ALL), OTHER_MEASURES, expected)
    for s, session in enumerate(plain.sessions):
        rows = user_oriented(session.queries, plain.judgments, chosen, expected)
        for q, (topic, _) in enumerate(session.queries):
            said = (
                [*rows[q].values()] if any(best_list(topic, plain.judgments, chosen)) else UNDEFINED
            )
            assert_close([ours[name][s, q] for name in USER_ORIENTED], said)
        assert np.isnan([ours[name][s, len(rows) :] for name in USER_ORIENTED]).all()


# RBP, sRBP, INST, ERR and esNDCG: published numbers, plain loops, laws
Lists = list[list[float]]


def test_documents_of_a_session_weigh_what_a_program_prints() -> None:
    alone = np.zeros((1, 2, 2))
    alone[0, 1, 0] = 1
    weights = [srbp(alone, 0.64, 0.86)[0], srbp(alone[:, ::-1, ::-1], 0.64, 0.86)[0]]
    assert np.array(weights) / (1 - 0.86) == pytest.approx([0.68861, 0.5504], abs=5e-6)


def test_half_a_document_is_the_least_that_inst_takes() -> None:
    full = np.ones(200)
    assert inst(full, 0.5) == pytest.approx(1.0)  # every chance to go on is at most 1
    assert (np.diff(inst_weights(full, 0.5)) <= 0).all()
    with pytest.raises(ValueError, match=r"^0\.2 documents wanted; below 0\.5, r"):
        inst(full, 0.2)


def looped(lists: Lists, ideal: list[float], reform: float, down: float) -> tuple[float, float]:
    """Share and chance of seeing nothing, by going through every path."""
    total = known = unseen = 0.0
    for asked in range(1, len(lists) + 1):
        asks = reform ** (asked - 1) * (1 - reform if asked < len(lists) else 1)
        lengths = [range(1, len(own) + 1) if own else (0,) for own in lists[:asked]]
        for depths in product(*lengths):
            chance, seen = asks, list[float]()
            for own, depth in zip(lists, depths, strict=False):
                last = depth == len(own)
                chance *= down ** max(depth - 1, 0) * (1 if last else 1 - down)
                seen += own[:depth]
            best = sum(g / np.log2(k + 2) for k, g in enumerate(ideal[: len(seen)]))
            if not seen:
                unseen += chance
            if best:
                total += chance * sum(g / np.log2(k + 2) for k, g in enumerate(seen)) / best
                known += chance
    return (total / known if known else np.nan), unseen


grade = st.sampled_from([0.0, 1.0, 3.0])
one_list = st.lists(grade, max_size=3)
chances = st.sampled_from([0.0, 0.3, 0.7, 1.0])


@given(st.lists(one_list, min_size=1, max_size=4), st.lists(grade, max_size=5), chances, chances)
def test_expectation_is_that_of_all_paths(
    lists: Lists, judged: list[float], reform: float, down: float
) -> None:
    ideal = sorted(judged)[::-1]
    padded = [[*own, 0.0, 0.0, 0.0][:3] for own in lists]
    gains = np.array([padded, np.zeros((len(lists), 3))])
    cells, queries = np.array([[*map(len, lists)], [0] * len(lists)]), np.full(2, len(lists))
    with pytest.MonkeyPatch.context() as patched:  # a shorter session is counted by itself
        patched.setattr("sdcg_explorer.metrics.expected_session.AT_ONCE", 1)
        worth, unseen = esndcg(gains, cells, queries, [ideal] * 2, (reform, down))
    expected = looped(lists, ideal, reform, down)
    assert (worth[0], unseen[0]) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_queries_that_hardly_anyone_asks_take_no_memory() -> None:
    value, topics = list[float](), ("1", "2")
    judged = {(topic, f"d{d}"): float(d % 3) for topic in topics for d in range(40)}
    for queries in (700, 2_000):  # the chance to ask 700 is below 1e-31
        asked = [
            (topics[q % 2], {r: f"d{(7 * q + r * (1 + q % 5)) % 40}" for r in range(1, 8)})
            for q in range(queries)
        ]
        study = study_of(PlainStudy([PlainSession("long", asked)], judged))
        chosen = select(study, Definition(measures=("esndcg",)), ALL)
        tracemalloc.start()
        value.append(float(measured(chosen, {"esndcg": OF_SESSIONS["esndcg"]})["esndcg"][0]))
        assert tracemalloc.get_traced_memory()[1] < 40e6
        tracemalloc.stop()
    assert value[1] == pytest.approx(value[0], abs=1e-12)


def test_chances_that_are_none_are_refused() -> None:
    one = np.ones((1, 1, 1)), np.ones((1, 1), dtype=int), np.ones(1, dtype=int), np.ones((1, 1))
    with pytest.raises(ValueError, match=r"^p is 1; the chance to go on is in \[0, 1\)$"):
        rbp([1], 1)
    with pytest.raises(ValueError, match=r"^b is 2; the share that reads on is in"):
        srbp([[1]], 2, 0.5)
    with pytest.raises(ValueError, match=r"^0 documents wanted; below 0\.5, r"):
        inst([1], 0)
    with pytest.raises(ValueError, match=r"^grades by which .* under gdeval$"):
        stops([5], "gdeval", 5)
    with pytest.raises(KeyError, match="trec"):
        stops([1], "trec", 3)
    with pytest.raises(ValueError, match=r"^the chance to read on is 1\.1; a chance is in"):
        esndcg(*one, (1, 1.1))
