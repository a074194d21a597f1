"""Published worked examples beside ours: verdicts are strict, and can fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tests.support.literature import AGREES, DIFFERS, GIVEN, SLIP, SLIPS, Check, literature

Change = Callable[[Any], Any]


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


def column(name: str) -> Change:
    """A change of one score or curve alone."""
    return lambda found: found | {name: found[name] + 0.01}


OF_DCG = {"S08 DCG", "S08 DCG slips", "W DCG", "W ideal", "W nDCG", "W rank 2"}
OF_DCG |= {"Y DCG slips", "Y DCG1", "Y DCG2", "Y NDCG", "Y NDCG judged", "L14 more slips"}
