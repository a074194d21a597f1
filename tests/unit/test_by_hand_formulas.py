"""Formulas with the numbers put in: right LaTeX, and every equation in them holds."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from sdcg_explorer.questions.by_hand.numbers import EXAMPLES, LINEAR, by_hand, spelled
from sdcg_explorer.questions.by_hand.words import formulas
from sdcg_explorer.scoring.definition import Definition
from tests.support.plain_by_hand import SESSIONS, WORTH
from tests.support.plain_loop import (
    Choices,
    ideal_of,
    query_factor,
    query_scores,
    rank_factor,
    session_vector,
)
from tests.support.random_studies import FORMS

# \log_{b} x or \log_{b} (x + c); a fraction without braces inside; 100.5
LOG = re.compile(r"\\log_\{([\d.]+)\} (\d+|\([\d.]+ \+ [\d.]+\))")
FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
ALLOWED = re.compile(r"[-\d.+*/() ]*(?:log\([\d.+ ()]+, [\d.]+\)[-\d.+*/() ]*)*")
POWER = re.compile(r"(\d+)\^\{([-\d./]+)\}")
NUMBER = re.compile(r"\d+(\.\d+)?( \\cdot 10\^\{-?\d+\})?")


def value(latex: str) -> float:
    """What one side of an equation comes to."""
    text = LOG.sub(r"log(\2, \1)", latex)
    text = FRACTION.sub(r"((\1)/(\2))", POWER.sub(r"\1**(\2)", text))
    text = text.replace(r"\cdot", "*").replace(r"\, (", "* (")
    assert ALLOWED.fullmatch(text), latex
    return eval(text, {"__builtins__": {}, "log": math.log})  # its alphabet was checked above


def equations(line: str) -> dict[str, list[str]]:
    """What stands left of each equation of a line, and its sides to the right."""
    parts = re.split(r",\\; | \\qquad ", line)
    return {left: sides for left, *sides in (part.split(" = ") for part in parts)}


def assert_holds(sides: list[str], expected: float) -> None:
    """All sides are the number, as exactly as three digits within them allow."""
    assert sides
    for side in sides:
        assert value(side) == pytest.approx(expected, rel=4e-3), side
    assert NUMBER.fullmatch(sides[-1])


@pytest.mark.parametrize("base", [1.5, 7.0, math.inf])
@pytest.mark.parametrize("form", FORMS)
def test_every_equation_holds(form: str, base: float) -> None:
    definition = replace(LINEAR, discount=form, b=base, bq=base)
    chosen = Choices(WORTH["linear"], form=form, b=base, bq=base)
    queries, judgments = SESSIONS["T-2"].queries, SESSIONS["T-2"].judgments
    found: dict[str, list[str]] = {}
    for line in formulas(by_hand(EXAMPLES["T-2"], definition)):
        found |= equations(line)
    for r in (1, 2, 3, 4):
        assert_holds(found[f"d({r})"], rank_factor(r, base, form))
    for q, row in enumerate(query_scores(queries, judgments, chosen), start=1):
        sides = found[rf"\mathrm{{sDCG}}({q})"]
        assert_holds(sides, row["sdcg"])
        factor = sides[0].partition(r" \, ")[0]
        assert value(factor) == pytest.approx(query_factor(q, base, form))
    final = session_vector(queries, judgments, chosen)[-1]
    ideal = ideal_of(queries, judgments, chosen)[-1]
    assert_holds(found["V"], final)
    assert_holds(found["I"], ideal)
    sides = found[r"\mathrm{nsDCG}"]
    assert sides[0] == r"\frac{V}{I}"
    assert_holds(sides[1:], final / ideal)


def test_gains_and_discounts_stand_in_the_formulas() -> None:
    # 7.1666667 of 11.952211: docs/methods.md, Numbers to test against
    _, _, second, third, _, *whole = formulas(by_hand(EXAMPLES["T-2"], LINEAR))
    assert [second, third, *whole] == [
        r"\mathrm{sDCG}(2) = \frac{1}{1 + \log_{4} 2} \, (3 \cdot 1 + 2 \cdot 0.5) = 2.667",
        r"\mathrm{sDCG}(3) = \frac{1}{1 + \log_{4} 3} \, (0) = 0",
        r"V = 3.5 + 2.667 + 0 + 1 = 7.167 \qquad I = 11.95",
        r"\mathrm{nsDCG} = \frac{V}{I} = \frac{7.167}{11.95} = 0.600",
    ]


@pytest.mark.parametrize(
    ("judged", "final"),
    [("a:6 b:1", 1e5 + 1 / 2), ("a:7", 1e6), ("a:0.001", 10**-0.999)],
)
def test_large_and_small_gains_are_written_as_numbers(judged: str, final: float) -> None:
    lines = formulas(by_hand(spelled("odd", judged, "a b", ""), Definition()))
    assert not any(re.search(r"\de[+-]?\d", line) for line in lines)  # 1e+05 reads as 1 · e + 05
    assert_holds(equations(lines[-2])["V"], final)
