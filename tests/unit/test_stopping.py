"""When searchers stop: the paper's Table 2, the tests beside scipy's and statsmodels', and laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.duration.survfunc import survdiff

from sdcg_explorer.questions.session_curves.numbers import (
    StillSearching,
    Stopping,
    log_rank,
    log_rank_p_by_searcher,
    stopping,
)
from sdcg_explorer.questions.session_curves.words import method, stopping_sentence
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import in_files
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.studies import SAMPLES, at_hand

# S08, Table 2: sessions of 1, 2, … 11 queries
SYSTEM_1 = np.repeat(np.arange(1, 12), [28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0])
SYSTEM_2 = np.repeat(np.arange(1, 12), [21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1])
LENGTHS, GROUPS = np.concatenate([SYSTEM_1, SYSTEM_2]), np.repeat([0, 1], 60)
JUDGMENTS = {("t", "a"): 1.0}
TEN = [f"p{i}" for i in range(5)] * 2


def asked(
    queries: list[int], systems: str, searchers: list[str] | None = None, topic: str = "t"
) -> list[PlainSession]:
    """Sessions of so many queries each."""
    who = searchers or [""] * len(queries)
    each = enumerate(zip(queries, systems, who, strict=True))
    return [
        PlainSession(f"{topic}{i}", [(topic, {1: "a"})] * n, system, searcher)
        for i, (n, system, searcher) in each
    ]


def stopped(sessions: list[PlainSession], **filters: Any) -> Stopping:
    study = in_files(PlainStudy(sessions, JUDGMENTS))
    return stopping(study, Definition(), Filters(**filters))


def residuals(lengths: list[int]) -> np.ndarray:
    """1 for the end of each session, less the chances to end before that it has outlived."""
    chance = {
        q: lengths.count(q) / sum(n >= q for n in lengths) for q in range(1, 40) if q in lengths
    }
    return np.array([1 - sum(chance.get(q, 0.0) for q in range(1, n + 1)) for n in lengths])


def test_shares_of_the_sample_are_those_of_the_papers_table_2() -> None:
    one, two = stopping(at_hand(SAMPLES[0]), Definition(), Filters()).systems
    left = [32, 25, 15, 11, 6, 2, 1, 0, 0, 0, 0]
    assert one.share.tolist() == [number / 60 for number in left]
    printed = [0.5333, 0.4167, 0.25, 0.1833, 0.1, 0.0333, 0.0167, 0]
    assert one.share[:8].tolist() == pytest.approx(printed, abs=5e-5)
    assert two.still_searching_counts.tolist() == [39, 32, 23, 12, 10, 6, 4, 2, 2, 1, 0]
    assert (one.median_stopping_query, two.median_stopping_query) == (2, 3)  # 25 and 23 of 60 go on


def test_log_rank_of_table_2() -> None:
    found = log_rank(LENGTHS, GROUPS)
    assert (found.chi2, found.p) == pytest.approx((2.8401, 0.0919), abs=5e-5)
    assert stopping(at_hand(SAMPLES[0]), Definition(), Filters()).plain == found


lengths_of = st.lists(st.integers(1, 6), min_size=3, max_size=12)


@given(lengths_of, lengths_of, lengths_of)
def test_log_rank_of_three_equals_statsmodels(a: list[int], b: list[int], c: list[int]) -> None:
    lengths, groups = np.array(a + b + c), np.repeat([4, 2, 7], [len(a), len(b), len(c)])
    found = log_rank(lengths, groups)
    if np.unique(lengths).size == 1:
        assert math.isnan(found.p)
        return
    chi2, p = survdiff(lengths, np.ones(lengths.size), groups)
    assert (found.chi2, found.df, found.p) == pytest.approx((chi2, 2, p), rel=1e-6, abs=1e-9)


@given(lengths_of)
def test_by_searcher_it_is_the_paired_t_of_those_of_both(lengths: list[int]) -> None:
    lengths = [*lengths, *lengths[::-1], 1, 4]
    who, group = np.arange(len(lengths)) // 2, np.arange(len(lengths)) % 2
    found = log_rank_p_by_searcher(np.array(lengths), group, who)
    each = residuals(lengths)
    d = each[1::2] - each[::2]
    if np.ptp(d) > 1e-9:
        assert found == pytest.approx(stats.ttest_1samp(d, 0)[1], rel=1e-7)


def test_by_session_it_is_welchs_t() -> None:
    found = log_rank_p_by_searcher(LENGTHS, GROUPS, np.arange(120))
    each = residuals(LENGTHS.tolist())
    _, welch = stats.ttest_ind(each[:60], each[60:], equal_var=False)
    assert found == pytest.approx(welch, rel=1e-9)
    assert found == pytest.approx(log_rank(LENGTHS, GROUPS).p, abs=0.01)


def test_interval_is_by_t_on_log_minus_log() -> None:
    of = StillSearching("A", np.array([1, 1, 2, 1, 2, 2, 2, 2, 2, 2]), np.arange(10) // 2, 2)
    # shares that go on after query 1, by searcher: 0, ½, 1, 1, 1; mean .7
    error = math.sqrt((0.49 + 0.04 + 3 * 0.09) / (5 * 4))
    assert of.error[0] == pytest.approx(error, rel=1e-12)
    reach = stats.t.ppf(0.975, 4) * error / (0.7 * math.log(0.7))
    expected = [math.exp(math.log(0.7) * math.exp(sign * reach)) for sign in (-1, 1)]
    low, high = of.interval
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-9)
    assert np.isnan([low[1], high[1]]).all()  # nobody is left


def test_four_searchers_have_no_interval_and_no_test() -> None:
    found = stopped(asked([1, 2, 3, 1, 2, 3, 1, 2], "AAAABBBB", ["p", "q", "r", "s"] * 2))
    assert found.table()["low"].isna().all()
    assert math.isnan(found.by_searcher)
    assert stopping_sentence(found).startswith(
        "There is no test: each system has fewer than 5 searchers."
    )


def test_sentence_says_the_test_and_half_and_methods_both_tests() -> None:
    found = stopped(asked([1, 2, 2, 2, 3, 2, 4, 4, 5, 6], "AAAAABBBBB", TEN))
    assert found.plain is not None
    one, two = (f"{p:.3f}".lstrip("0") for p in (found.by_searcher, found.plain.p))
    assert stopping_sentence(found) == (
        f"The systems differ in when searchers stop (p = {one}, log-rank). Half of the sessions "
        "have ended by query 2 with A, 4 with B."
    )
    assert f"searcher as the unit (p = {one}; as if sessions were independent, p = {two})" in (
        method(found)
    )
