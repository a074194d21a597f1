"""The first screen: a document found early and late is worth what the plain formulas say."""

from __future__ import annotations

import math

import pytest

from analysis.definition.definition import Definition
from analysis.first_screen import sentences, worths
from figures.first_screen import Found, first_screen

LABELS = (0.0, 1.0, 2.0, 3.0)


def test_worths_follow_both_bases() -> None:
    early, late = worths(Definition(b=2, bq=4), LABELS)
    by_rank = 100 / (1 + math.log2(3))
    assert (early.gain, late.gain) == (100, 100)
    assert (early.by_rank, late.by_rank) == pytest.approx((by_rank, by_rank))
    assert early.by_query == pytest.approx(by_rank)
    assert late.by_query == pytest.approx(by_rank / (1 + math.log(3, 4)))
    said = " ".join(sentences(Definition(b=2, bq=4), early, late))
    assert "b = 2: patience with the list. At rank 3 a document counts 39 % of its gain." in said
    assert "bq = 4: patience with asking again. Found by query 3, it counts 56 % of" in said


def test_without_discounts_and_without_gain() -> None:
    early, late = worths(Definition(b=math.inf, bq=math.inf), LABELS)
    assert (early.by_query, late.by_query) == (100, 100)
    assert "b = off: " in " ".join(sentences(Definition(b=math.inf), early, late))
    nothing = Definition(weights=tuple((label, 0.0) for label in LABELS))
    early, late = worths(nothing, LABELS)
    assert "counts nothing of its gain" in " ".join(sentences(nothing, early, late))


def test_bars_are_as_long_as_their_values_and_say_them() -> None:
    drawn = first_screen([Found("Found <early>", (("gain", 100.0), ("left", 25.0)))] * 1, "red")
    assert "width: 100.00%" in drawn
    assert "width: 25.00%" in drawn
    assert 'aria-label="Found &lt;early&gt;: gain 100; left 25"' in drawn
