"""Curves, their intervals and where sessions stop equal plain loops, for any study."""

import math
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sdcg_explorer.metrics import bootstrap_interval, mean_interval
from statsmodels.duration.survfunc import survdiff

from sdcg_explorer.questions.query_order import words as order_words
from sdcg_explorer.questions.query_order.numbers import CurveChoices, query_order
from sdcg_explorer.questions.session_curves import numbers
from sdcg_explorer.questions.session_curves import words as curve_words
from sdcg_explorer.questions.session_curves.numbers import log_rank, session_curves, stopping
from sdcg_explorer.questions.session_curves.words import method, stopping_sentence
from sdcg_explorer.scoring import live, measures, selection
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from tests.support import plain_figures
from tests.support.plain_files import ECIR2008, definition_of, in_files, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, counted_gains
from tests.support.random_studies import choices, often, studies
from tests.support.studies import SAMPLES, at_hand
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
            figure = plain_figures.figure_two(plain, chosen, curves.positions, at_least=least)
            ours = {of.system: of for of in curves.curves if of.at_least == least}
            assert set(ours) == set(figure)
            for system, (raw, shares, counts) in figure.items():
                assert_close(ours[system].raw.mean, raw)
                assert_close(ours[system].normalised.mean, shares)
                assert ours[system].normalised.sessions.tolist() == counts


@often
@given(studies(), choices(pairs=(("every", "spread"),)))
def test_sessions_above_1_equal_plain_loop(plain: PlainStudy, chosen: Choices) -> None:
    chosen_ones = selection.select(study_of(plain), definition_of(chosen), ALL)
    positions = chosen_ones.sample.most_queries * chosen.top
    shares = [plain_figures.share_curve(s, plain, chosen, positions) for s in plain.sessions]
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
            near = [
                plain_figures.has_near_tie(queries, plain.judgments, chosen, measure)
                for queries in asked
            ]
            assume(not any(near))
        for others in ("pooled", "per-session"):
            drawn = CurveChoices(12, (split,), measure=measure)
            order = query_order(study, definition_of(chosen, others), ALL, drawn=drawn)
            how = {"split": split, "others": others, "depth": 12, "measure": measure}
            figure = plain_figures.figure_one(plain, chosen, **how)
            assert {(of.system, of.group) for of in order.curves} == set(figure)
            for of in order.curves:
                assert_close(of.mean, figure[of.system, of.group])


CHOICES = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0}, 2.0, 4.0)  # as ECIR 2008 has them


def weight(measure: str, query: int, rank: int) -> float:
    """Of a cell, both from 1, with p .9 and b .75."""
    if measure == "rbp":
        return 0.1 * 0.9 ** (rank - 1)
    down = 0.75 * 0.9
    return 0.1 * ((0.9 - down) / (1 - down)) ** (query - 1) * down ** (rank - 1)


def plain_sessions() -> tuple[list[PlainSession], list[list[dict[int, float]]]]:
    """Sessions of the sample, and gains by rank of their queries, over the highest."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    each = [counted_gains(s.queries, plain.judgments, CHOICES, 100) for s in plain.sessions]
    shares = [[{r: g / 100 for r, g in own.items()} for own in session] for session in each]
    return plain.sessions, shares


@pytest.mark.parametrize("measure", ["srbp", "rbp"])
def test_curves_are_sums_over_cells(measure: str) -> None:
    sessions, gains = plain_sessions()
    study, groups, ends = at_hand(SAMPLES[0]), {}, {}
    for session, lists in zip(sessions, gains, strict=True):
        tens = ends.setdefault(session.system, [])
        tens.append([])
        for q, own in enumerate(lists, start=1):
            worth = np.cumsum([weight(measure, q, r) * own.get(r, 0.0) for r in range(1, 101)])
            group = "last" if q == len(lists) else "other"
            groups.setdefault((session.system, group), []).append(worth)
            tens[-1].append(worth[9])
    order = query_order(study, DEFAULT, ALL, drawn=CurveChoices(measure=measure))
    found = {(curve.system, curve.group): curve.mean for curve in order.curves}
    for group, curves in groups.items():
        expected = np.mean(curves, axis=0)
        assert found[group] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    name = {"srbp": "sRBP", "rbp": "RBP"}[measure]
    assert order.unit == f"{name} (gain / highest gain)"
    assert order_words.figure_notes(order) == (
        "Curves follow whole lists to at most 100 ranks, whatever Top X is. One-query sessions "
        "count as last queries (49)."
    )
    drawn = CurveChoices(splits=("best",), measure=measure)
    best = query_order(study, DEFAULT, ALL, drawn=drawn)
    found = {(curve.system, curve.group): curve.mean for curve in best.curves}
    for system, tens in ends.items():
        assert found[system, "best"][9] == pytest.approx(fmean(map(max, tens)), rel=1e-9)
    assert live.live_sessions(study, DEFAULT, ALL, measure=measure) is None
    shown = session_curves(study, DEFAULT, ALL, by=measure)
    for of in shown.curves:
        assert of.raw.mean[-1] == pytest.approx(fmean(map(sum, ends[of.system])), rel=1e-9)
    if measure == "srbp":  # whose curve ends at its score
        score = measures.session_score_of("srbp", selection.select(study, DEFAULT, ALL))
        own = np.array([s.system == shown.curves[0].system for s in sessions])
        assert shown.curves[0].raw.mean[-1] == pytest.approx(np.mean(score[own]))


def test_numbers_are_sent_in_few_bytes_and_come_back() -> None:
    for top, kind in ((255, "uint8"), (256, "uint16"), (2**16, "uint32"), (2**32, "float64")):
        for number, form in ((top, kind), (top - 0.5, "float64"), (-top, "float64")):
            sent = live.packed(np.array([[0, number], [1, 0]]))
            assert (sent["type"], live.unpacked(sent).tolist()) == (form, [0, number, 1, 0])


def test_curves_are_read_after_three_queries_and_a_study_without_gain_has_curves_at_0() -> None:
    saw = session_curves(at_hand(SAMPLES[0]), DEFAULT, ALL, saw=True)
    assert curve_words.headline(saw, "saw-tooth") == (
        "After 3 queries, System 1 stands at .06 (the query's share of its ideal, times the query "
        "discount), System 2 .04."
    )
    banded = session_curves(at_hand(SAMPLES[0]), DEFAULT, ALL, bands=True)
    assert curve_words.headline(banded, "normalised") == (
        "After 3 queries, System 2 has reached .11 of the ideal (95% interval .07 to .15), "
        "System 1 .08 (.05 to .11)."
    )
    none = Definition(weights=((0, 0), (1, 0), (2, 0), (3, 0)))
    shown = session_curves(at_hand(SAMPLES[0]), none, ALL, by="srbp")
    assert not shown.curves[0].raw.mean.any()


Array: TypeAlias = np.ndarray[Any, Any]
CHANCE = np.random.default_rng(7)
COUNTS = CHANCE.integers(0, 4, 20).astype(float) + 1
SUMS = CHANCE.random(20) * COUNTS
PLACE = np.arange(20)
# sums and counts of clusters, and whether there is an interval by resampling, and by t where few
CASES: dict[str, tuple[Array, Array, bool, bool]] = {
    "twenty": (SUMS, COUNTS, True, True),
    "some without a value": (SUMS * (PLACE % 3 > 0), COUNTS * (PLACE % 3 > 0), True, True),
    "nine gained of twenty": (SUMS * (PLACE < 9), COUNTS, False, False),
    "ten gained of twenty": (SUMS * (PLACE < 10), COUNTS, True, True),
    "eight gained of nine": (SUMS[:9] * (PLACE[:9] > 0), COUNTS[:9], False, True),
    "nine of nine": (SUMS[:9], COUNTS[:9], True, True),
    "ten": (SUMS[:10], COUNTS[:10], True, True),
    "five": (SUMS[:5], COUNTS[:5], True, True),
    "four": (SUMS[:4], COUNTS[:4], False, True),
    "four of five": (SUMS[:5] * (PLACE[:5] > 0), COUNTS[:5] * (PLACE[:5] > 0), False, True),
    "one": (SUMS[:1], COUNTS[:1], False, False),
    "all alike": (0.4 * COUNTS, COUNTS, False, False),
    "all but one alike": (np.where(PLACE[:8], 1.0, 2.0), np.ones(8), False, True),
    "ends at 0": (np.array([0.001, 0.001, 0.002, 0.4, 0.5, 30.0]), np.ones(6), True, True),
}


@pytest.mark.parametrize("name", CASES)
def test_intervals_equal_plain_loops_over_the_same_draws(name: str) -> None:
    sums, counts, is_resampled, is_defined = CASES[name]
    draws = np.random.default_rng(2008).integers(0, sums.size, (1000, sums.size)).tolist()
    resampled = plain_figures.bootstrap(sums.tolist(), counts.tolist(), draws)
    few = np.count_nonzero(counts) < 10
    expected = plain_figures.by_t(sums.tolist(), counts.tolist()) if few else resampled
    for unit in (1.0, 2.0**-90, 2.0**90):  # of gain
        low, high = bootstrap_interval(sums * unit, counts)
        assert (float(low / unit), float(high / unit)) == close(resampled)
        assert np.isfinite([low, high]).tolist() == [is_resampled] * 2
        ends = mean_interval(sums * unit, counts)
        assert [float(end / unit) for end in ends] == close([*expected])
    assert math.isfinite(expected[0]) == is_defined


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_intervals_of_several_curves_are_those_of_each_and_go_below_0() -> None:
    sums, counts = np.stack([SUMS, SUMS[::-1] - 1], axis=1), np.stack([COUNTS] * 2, axis=1)
    for of in (bootstrap_interval, mean_interval):
        each = [of(sums[:, i], COUNTS) for i in (0, 1)]
        assert np.array(of(sums, counts)).T.tolist() == [
            close([*map(float, ends)]) for ends in each
        ]
    low, high = bootstrap_interval(CASES["ends at 0"][0] - 0.01, np.ones(6))
    assert low < -0.01
    assert bootstrap_interval(CASES["ends at 0"][0], np.ones(6))[1] - 0.01 == pytest.approx(high)


@pytest.mark.parametrize("number", [2_501, 8_001])  # draws are made, and kept, in batches
def test_bootstrap_of_many_clusters_equals_draws_made_at_once(number: int) -> None:
    sums = np.random.default_rng(8).random((number, 1))
    draws = np.random.default_rng(2008).integers(0, number, (1000, number))
    drawn, mean, error = sums[:, 0][draws], sums.mean(), sums.std() / number**0.5
    t = np.sort((drawn.mean(axis=1) - mean) / (drawn.std(axis=1) / number**0.5))
    low, high = bootstrap_interval(sums, np.ones((number, 1)))
    expected = [mean - t[975] * error, mean - t[24] * error]
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-12)


# S08, Table 2: sessions of 1, 2, … 11 queries
SYSTEM_1 = np.repeat(np.arange(1, 12), [28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0])
SYSTEM_2 = np.repeat(np.arange(1, 12), [21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1])
LENGTHS, GROUPS = np.concatenate([SYSTEM_1, SYSTEM_2]), np.repeat([0, 1], 60)
JUDGMENTS = {("t", "a"): 1.0}
TEN = [f"p{i}" for i in range(5)] * 2


def asked(queries: list[int], systems: str, searchers: Any = ()) -> list[PlainSession]:
    """Sessions of so many queries each."""
    each = enumerate(zip(queries, systems, searchers or [""] * len(queries), strict=True))
    return [
        PlainSession(f"t{i}", [("t", {1: "a"})] * n, system, searcher)
        for i, (n, system, searcher) in each
    ]


def stopped(sessions: list[PlainSession], **filters: Any) -> numbers.Stopping:
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
    assert found == pytest.approx(0.0919, abs=5e-5)
    assert stopping(at_hand(SAMPLES[0]), Definition(), Filters()).plain == found


lengths_of = st.lists(st.integers(1, 6), min_size=3, max_size=12)


@given(lengths_of, lengths_of, lengths_of)
def test_log_rank_of_three_equals_statsmodels(a: list[int], b: list[int], c: list[int]) -> None:
    lengths, groups = np.array(a + b + c), np.repeat([4, 2, 7], [len(a), len(b), len(c)])
    found = log_rank(lengths, groups)
    if np.unique(lengths).size == 1:
        assert math.isnan(found)
        return
    _, p = survdiff(lengths, np.ones(lengths.size), groups)
    assert found == pytest.approx(p, rel=1e-6, abs=1e-9)


@given(lengths_of)
def test_by_searcher_it_is_the_paired_t_of_those_of_both(lengths: list[int]) -> None:
    lengths = [*lengths, *lengths[::-1], 1, 4]
    who, group = np.arange(len(lengths)) // 2, np.arange(len(lengths)) % 2
    found = numbers.log_rank_p_by_searcher(np.array(lengths), group, who)
    each = residuals(lengths)
    d = each[1::2] - each[::2]
    if np.ptp(d) > 1e-9:
        assert found == pytest.approx(stats.ttest_1samp(d, 0)[1], rel=1e-7)


def test_by_session_it_is_welchs_t() -> None:
    found = numbers.log_rank_p_by_searcher(LENGTHS, GROUPS, np.arange(120))
    each = residuals(LENGTHS.tolist())
    _, welch = stats.ttest_ind(each[:60], each[60:], equal_var=False)
    assert found == pytest.approx(welch, rel=1e-9)
    assert found == pytest.approx(log_rank(LENGTHS, GROUPS), abs=0.01)


def test_interval_is_by_t_on_log_minus_log() -> None:
    of = numbers.StillSearching(
        "A", np.array([1, 1, 2, 1, 2, 2, 2, 2, 2, 2]), np.arange(10) // 2, 2
    )
    # shares that go on after query 1, by searcher: 0, ½, 1, 1, 1; mean .7
    error = math.sqrt((0.49 + 0.04 + 3 * 0.09) / (5 * 4))
    assert of.error[0] == pytest.approx(error, rel=1e-12)
    reach = stats.t.ppf(0.975, 4) * error / (0.7 * math.log(0.7))
    expected = [math.exp(math.log(0.7) * math.exp(sign * reach)) for sign in (-1, 1)]
    low, high = of.interval
    assert [low[0], high[0]] == pytest.approx(expected, rel=1e-9)
    assert np.isnan([low[1], high[1]]).all()  # nobody is left


def test_sentence_says_the_test_and_half_and_methods_both_tests() -> None:
    alike = [
        stopped(asked([2] * 10, "AAAAABBBBB", TEN)),
        stopped(asked([1, 2, 3, 4, 5] * 2, "AAAAABBBBB", [*"pqrst"] * 2)),
        stopped(asked([2, 2, 3, 4, 4, 1, 1], "AAABBCC", [*"pqrstuv"])),
        stopped(asked([2, 2, 1, 4], "ABCD")),
    ]
    none = "There is no test of when searchers stop: it needs differences that vary, and "
    half = ". Half of the sessions have ended by query "
    assert [stopping_sentence(each).startswith(none) for each in alike] == [True] * 4
    assert [stopping_sentence(each).partition(half)[2] for each in alike] == [
        "2 with each system.",
        "3 with each system.",
        "1 with C, query 2 with A, query 4 with B.",
        "1 to 4, depending on the system.",
    ]
    found = stopped(asked([1, 2, 2, 2, 3, 2, 4, 4, 5, 6], "AAAAABBBBB", TEN))
    assert found.plain is not None
    one, two = (f"{p:.3f}".lstrip("0") for p in (found.by_searcher, found.plain))
    assert stopping_sentence(found) == (
        f"The systems differ in when searchers stop (p = {one}, log-rank). Half of the sessions "
        "have ended by query 2 with A, query 4 with B."
    )
    assert f" as units (p = {one}; plain log-rank test, p = {two})" in method(found)
    whole = stopped(asked([3, 3], "AA"))
    assert stopping_sentence(whole) == "Half of the sessions have ended by query 3 with A."
