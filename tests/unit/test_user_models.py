"""RBP, sRBP, INST, ERR and esNDCG: published numbers, plain loops, laws."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sdcg_explorer.metrics import esndcg, inst, rbp, srbp, stops
from sdcg_explorer.metrics.user_models import inst_weights

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
    with pytest.raises(ValueError, match=r"^0\.2 documents wanted; below 0\.5 chances to go on"):
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


def test_chances_that_are_none_are_refused() -> None:
    one = np.ones((1, 1, 1)), np.ones((1, 1), dtype=int), np.ones(1, dtype=int), np.ones((1, 1))
    with pytest.raises(ValueError, match=r"^p is 1; the chance to go on is in \[0, 1\)$"):
        rbp([1], 1)
    with pytest.raises(ValueError, match=r"^b is 2; the share that reads on is in"):
        srbp([[1]], 2, 0.5)
    with pytest.raises(ValueError, match=r"^0 documents wanted; below 0\.5 chances"):
        inst([1], 0)
    with pytest.raises(ValueError, match=r"^grades by which .* under gdeval$"):
        stops([5], "gdeval", 5)
    with pytest.raises(KeyError, match="trec"):
        stops([1], "trec", 3)
    with pytest.raises(ValueError, match=r"^the chance to read on is -1; a chance is in"):
        esndcg(*one, (0.5, -1))
