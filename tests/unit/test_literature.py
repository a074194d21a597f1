"""Published worked examples beside ours: verdicts are strict, and can fail."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import sdcg_explorer.metrics as metrics

from tests.support.literature import AGREES, DIFFERS, GIVEN, SLIP, SLIPS, Check, literature

Change = Callable[[Any], Any]


def differing(checks: dict[str, Check]) -> set[str]:
    return {name for name, check in checks.items() if check.verdict == DIFFERS}


def test_every_line_is_checked() -> None:
    assert [*literature()] == [*GIVEN]


def test_cut_off_values_are_those_of_the_formulas() -> None:
    # L14's errata in docs/methods.md: NDCG is printed .82 for .826, .79 for .797, .27 for .275
    ideal, checks = 3 + 1 / math.log2(3), literature()
    assert checks["L14 NDCG slips"].ours == pytest.approx([3 / ideal] * 4, rel=1e-12)
    of_gp, of_g = (1 + 3 / math.log2(3)) / ideal, 1 / ideal
    assert checks["L14 more slips"].ours == pytest.approx([of_gp, of_g], rel=1e-12)
    assert [round(x, 3) for x in (3 / ideal, of_gp, of_g)] == [0.826, 0.797, 0.275]
    # the encyclopedia prints 1.892 for 3 / log2 3
    assert checks["W slip"].ours == pytest.approx([3 / math.log2(3)], rel=1e-12)
    assert [round(x, 3) for x in checks["Y DCG slips"].ours] == [1.631, 2.791, 4.161]


@pytest.mark.parametrize("name", list(GIVEN))
def test_line_agrees_or_is_a_known_slip(name: str) -> None:
    check = literature()[name]
    assert check.verdict == (SLIP if name in SLIPS else AGREES)
    digits = GIVEN[name][1]
    near = [abs(a - b) <= 0.501 * 10**-digits for a, b in zip(check.given, check.ours, strict=True)]
    assert all(near) == (name not in SLIPS)


def test_slips_of_the_paper_are_said_and_are_where_they_are() -> None:
    check = literature()["S08 DCG slips"]
    assert "Rank 2 adds 1 " in check.remark
    assert "rank 8 adds 1.2 " in check.remark
    apart = [given - ours for given, ours in zip(check.given, check.ours, strict=True)]
    added = [abs(after - before) > 0.02 for before, after in pairwise(apart)]
    assert [rank for rank, slipped in enumerate(added, start=2) if slipped] == [2, 8]
    assert literature()["L14 more slips"].texts == ("0.79 0.27", "0.797 0.275")


@pytest.mark.parametrize("name", list(GIVEN))
@pytest.mark.parametrize("by", [1, -1])
def test_print_that_is_off_by_one_last_digit_differs(name: str, by: int) -> None:
    check = literature()[name]
    halves = [abs(p - o) * 10**check.digits for p, o in zip(check.given, check.ours, strict=True)]
    for i, half in enumerate(halves):
        if half == pytest.approx(0.5, abs=1e-9):  # .4375, which is as near to .437 as to .438
            continue
        off = [p + by * 10.0**-check.digits * (j == i) for j, p in enumerate(check.given)]
        assert replace(check, given=tuple(off)).verdict == DIFFERS


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ((1.0, 2.1251), AGREES),
        ((1.0049, 2.1349), AGREES),
        ((1.006, 2.13), DIFFERS),
        ((1.0, 2.13505), DIFFERS),  # which is 2.14
        ((1.0, math.nan), DIFFERS),
        ((1.0, math.inf), DIFFERS),
    ],
)
def test_verdict_goes_by_the_last_printed_digit(ours: tuple[float, ...], verdict: str) -> None:
    assert Check("a source", "what", (1.0, 2.13), ours, 2).verdict == verdict


def test_slip_is_excused_only_as_it_was_made() -> None:
    slip = Check("a source", "what", (4.0,), (4.33,), 2, "adds 1", slipped=(4.0,))
    assert slip.verdict == SLIP
    assert replace(slip, slipped=(4.01,)).verdict == DIFFERS
    assert replace(slip, slipped=()).verdict == DIFFERS


def test_numbers_are_written_as_they_are() -> None:
    check = Check("a source", "what", (10.0, 9.3), (100.0, 0.0), 1, "a remark")
    assert check.texts == ("10.0 9.3", "100.0 0.0")
    assert Check("a source", "what", (3.0, 0.0), (30.0, 100.0), 0).texts == ("3 0", "30 100")


def plus(amount: float) -> Change:
    return lambda value: value + amount


def column(name: str) -> Change:
    """A change of one score or curve alone."""
    return lambda found: found | {name: found[name] + 0.01}


SCORES = ("average", "last", "best", "per_query", "weighted_mean", "mean_dcg")
SHARES = ("every/repeated", "every/spread", "average_normalised", "track, normalised")
FINALS = ("every, bq 4", "first, bq 4", "every, bq 2", "first, bq 2", "track")
IDEALS = ("repeated, bq 4", "repeated, bq 2", "spread, bq 4", "spread, bq 2")
OF_SESSIONS = {*FINALS, *IDEALS, *SHARES, *SCORES}
OF_DISCOUNT = set(GIVEN) - {"S08 CG", "Y NCG", "L14 NDCG slips"}
OF_DCG = {"S08 DCG", "S08 DCG slips", "W DCG", "W ideal", "W nDCG", "W rank 2"}
OF_DCG |= {"Y DCG slips", "Y DCG1", "Y DCG2", "Y NDCG", "Y NDCG judged", "L14 more slips"}
OF_LDCG = {"L14 LDCG", "L14 LDCG slips", "L14 LNDCG"}
OF_REPEATED = {*IDEALS[:2], *SHARES} - {"every/spread"}
OF_ENDS = {"every/repeated", "every/spread", "track, normalised"}
OF_SHARES = {"L14 NDCG slips", "L14 more slips"}
OF_AVERAGES = {"Y NCG", "Y NDCG", "Y NDCG judged"}
# metric, how its result is changed, and the lines that depend on it
ALTERED: dict[str, tuple[str, Change, set[str]]] = {
    "cg": ("cg", plus(0.6), {"S08 CG", "Y NCG"}),
    "dcg": ("dcg", plus(0.05), OF_DCG),
    "ndcg": ("ndcg", plus(0.001), {"W nDCG"}),
    "ideal_list": ("ideal_list", plus(0.1), {"W ideal", "W nDCG", *OF_SHARES, *OF_AVERAGES}),
    "rank_discount": ("rank_discount", lambda d: d**1.05, OF_DISCOUNT),
    "query_discount": ("query_discount", lambda d: d**1.05, OF_SESSIONS - {"mean_dcg"}),
    "average_curves": (
        "average_curves",
        lambda f: {k: v + 0.01 for k, v in f.items()},
        OF_AVERAGES,
    ),
    "ncg alone": ("average_curves", column("ncg"), {"Y NCG"}),
    "ndcg alone": ("average_curves", column("ndcg"), {"Y NDCG", "Y NDCG judged"}),
    "ldcg": ("ldcg", plus(0.05), OF_LDCG),
    "lndcg": ("lndcg", plus(0.01), {"L14 LNDCG"}),
    "repeated_ideal": ("repeated_ideal", plus(0.01), OF_REPEATED),
    "spread_ideal": ("spread_ideal", plus(0.01), {*IDEALS[2:], "every/spread"}),
    "best_gains": ("best_gains", plus(0.01), {*IDEALS, *SHARES}),
    "session_vector": ("session_vector", plus(0.05), OF_REPEATED | {"average", "every/spread"}),
    "query_scores": ("query_scores", column("sdcg"), {*FINALS, *SCORES} - {"average", "mean_dcg"}),
    "final": ("final", plus(0.01), {*FINALS}),
    "final_normalised": ("final_normalised", plus(0.01), OF_ENDS),
    **{name: (name, plus(0.01), {name}) for name in (*SCORES, "average_normalised")},
}


def alter(monkeypatch: pytest.MonkeyPatch, name: str, change: Change) -> None:
    """Change what a score, or a metric, returns, wherever it is used."""
    if name in metrics.SESSION_SCORES:
        score = metrics.SESSION_SCORES[name]
        altered = replace(score, function=lambda worth: change(score.function(worth)))
        monkeypatch.setitem(metrics.SESSION_SCORES, name, altered)
        return
    right = getattr(metrics, name)
    for module in list(sys.modules.values()):
        within = getattr(module, "__name__", "").startswith(
            ("sdcg_explorer.scoring", "sdcg_explorer.metrics", "tests.support.literature")
        )
        if within and getattr(module, name, None) is right:
            monkeypatch.setattr(module, name, lambda *a, **k: change(right(*a, **k)))


@pytest.mark.parametrize("alteration", list(ALTERED))
def test_altered_metric_differs_in_its_lines_alone(
    alteration: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, change, lines = ALTERED[alteration]
    alter(monkeypatch, name, change)
    assert differing(literature()) == lines
    monkeypatch.undo()
    assert not differing(literature())
