"""The first screen: a document found early and late is worth what the plain formulas say."""

import math
import re

import pytest

from sdcg_explorer.questions.overview.figure import draw_discount_example
from sdcg_explorer.questions.overview.numbers import example_gains
from sdcg_explorer.scoring.definition import Definition

LABELS = (0.0, 1.0, 2.0, 3.0)


def test_without_discounts_and_without_gain() -> None:
    shown = example_gains(Definition(b=math.inf, bq=math.inf), LABELS)
    assert [gains[-1] for gains in shown.values()] == [100, 100]
    nothing = Definition(weights=tuple((label, 0.0) for label in LABELS))
    drawn = draw_discount_example(example_gains(nothing, LABELS), (2, math.inf), 3, "red")
    assert re.findall(r'data-value="(.*?)"', drawn) == ["0.0"] * 6
    assert '<span data-base="bq">∞</span>: patience with asking again' in drawn
    assert example_gains(Definition(), ())[1][0] == 1  # nobody judged anything


def test_bars_are_as_long_as_their_values_and_say_them() -> None:
    worths = {1: (100.0, 50.0, 50.0), 3: (100.0, 50.0, 1 / 3)}
    drawn = draw_discount_example(worths, (2, 4), 3, "red")
    values = [float(value) for value in re.findall(r'data-value="(.*?)"', drawn)]
    assert values == [100, 50, 50, 100, 50, 1 / 3]
    widths = [float(width) for width in re.findall(r"width: (.*?)%", drawn)]
    assert widths == pytest.approx(values, abs=1e-4)
    assert re.findall(r'worth">(.*?)<', drawn) == ["100", "50", "50", "100", "50", "0.333"]
    assert "after the query discount 0.333" in drawn
    assert '<span data-base="b">2</span>: patience with the list' in drawn
