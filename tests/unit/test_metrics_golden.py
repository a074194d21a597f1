"""Weightings, discounts and refusals; the literature is in tests/support/literature.py."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from sdcg_explorer.metrics import (
    FORMS,
    ideal_list,
    levels_off,
    normalised,
    query_discount,
    rank_discount,
    weighting,
)
from sdcg_explorer.metrics.discount import Factor
from sdcg_explorer.metrics.gain import WEIGHTINGS

from benchmarks.published import __main__ as command
from benchmarks.published.rows import DIFFERS, markdown, number
from sdcg_explorer.scoring.definition import AUTHORS, Definition
from tests.support import plain_files, studies, thorough
from tests.support.discount_forms import PLAIN

# of the grades -2, 0, .5, 1, 2.5
GAINS = {"paper": [0, 0, 0.1**0.5, 1, 10**1.5], "linear": [0, 0, 0.5, 1, 2.5],
    "exponential": [0, 0, 2**0.5 - 1, 1, 2**2.5 - 1], "binary": [0, 0, 0, 1, 1],
    "strict": [0, 0, 0, 0, 1]}  # fmt: skip


@pytest.mark.parametrize("name", WEIGHTINGS)
def test_grades_gain_what_their_weighting_says(name: str) -> None:
    assert weighting(name, [-2, 0, 0.5, 1, 2.5]) == pytest.approx(GAINS[name], rel=1e-14)


@pytest.mark.parametrize("form", FORMS)
def test_every_discount_form_equals_its_golden_numbers(form: str) -> None:
    assert form in PLAIN, f"{form} has no numbers worked by hand in tests/support/discount_forms.py"
    own = PLAIN[form]
    assert FORMS[form].reference == own.source
    assert rank_discount([1, 2, 3, 4], 2, form).tolist() == pytest.approx(own.ranks, rel=1e-14)
    assert query_discount([1, 2, 3, 4], 4, form).tolist() == pytest.approx(own.queries, rel=1e-14)


def said(factor: Factor, x: int, base: float) -> float:
    """What a factor's formula as text comes to."""
    text, *_ = factor.formula("x", base).split(" from ")
    if factor.from_base and x < base:
        return 1.0
    python = re.sub(r"log_([0-9.]+)\((x \+ [0-9.]+)\)", r"log(\2, \1)", text)
    python = re.sub(r"log_([0-9.]+) x", r"log(x, \1)", python).replace("^", "**")
    return float(eval(python, {"log": math.log, "x": x}))


@pytest.mark.parametrize("form", FORMS)
def test_every_discount_form_says_what_it_counts_and_who_described_it(form: str) -> None:
    own = FORMS[form]
    assert own.words
    assert own.reference in AUTHORS, "AUTHORS of sdcg_explorer/scoring/definition.py lacks it"
    for x, base in ((1, 2.0), (3, 2.0), (3, 4.5), (7, 1.5)):
        assert said(own.rank, x, base) == pytest.approx(rank_discount(x, base, form).item())
        assert said(own.query, x, base) == pytest.approx(query_discount(x, base, form).item())
        for factor in (own.rank, own.query):
            assert (factor.latex_with_values(x, base) == "1") == (factor.from_base and x < base)


BASES = "it must be above 1 and below 1,000, or inf"
CHOICES: list[tuple[dict[str, Any], str]] = [
    ({"repeats": "twice"}, "repeats 'twice'; choose one of every, first"),
    ({"discount": "zipf"}, f"discount 'zipf'; choose one of {', '.join(FORMS)}"),
    ({"b": 1.0}, f"b 1.0; {BASES}"),
    ({"bq": 1000.0}, f"bq 1000.0; {BASES}"),
    ({"bq": math.nan}, f"bq nan; {BASES}"),
    ({"top": 0}, "top 0; it must be a whole number from 1 to 1000"),
    (
        {"short_lists": 0},
        "short_lists 0; choose one of pad, as-is, observed, or 1 to 1000",
    ),
    ({"weights": ((1.0, -1.0),)}, "weights.1 -1.0; a gain is from 0 to 1e+100"),
    ({"weights": ((1.0, math.inf),)}, "weights.1 inf; a gain is from 0 to 1e+100"),
]


DISCOUNTS = rank_discount, query_discount
UNKNOWN = f"discount form 'log2'; choose one of {', '.join(FORMS)}"
UNGAINED = partial(Definition(weights=((0.0, 0.0), (1.0, 1.0))).gains, (-2.0, 0.0, 0.5, 1.0))
REFUSED: list[tuple[Callable[[], object], str]] = [
    *((partial(Definition, **choice), said) for choice, said in CHOICES),
    (UNGAINED, "weights: no gain for grades -2, 0.5"),
    (
        partial(weighting, "cubic", [0, 1]),
        "weighting 'cubic'; choose one of paper, linear, exponential, binary, strict",
    ),
    *((partial(of, [1], 2, "log2"), UNKNOWN) for of in DISCOUNTS),
    *(
        (partial(of, [1], base), f"logarithm base {base}; a base is greater than 1, or inf")
        for of in DISCOUNTS
        for base in (1, 0.5, 0, -2, math.nan)
    ),
]


@pytest.mark.parametrize(("asked", "expected"), REFUSED)
def test_what_is_not_offered_is_refused(asked: Callable[[], object], expected: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:  # the whole text is compared
        asked()
    assert str(raised.value) == expected


def test_undefined_is_nan_never_0() -> None:
    assert np.isnan(normalised(np.array([0.0, 1.0]), np.array([0.0, 0.0]))).all()
    levels = levels_off(np.array([[0.5, 0.99, 1.0], [0.0, 0.0, 0.0], [np.nan, np.nan, np.nan]]))
    assert levels == pytest.approx([2, math.nan, math.nan], nan_ok=True)
    assert ideal_list([], 2).tolist() == [0.0, 0.0]


PAGE = (plain_files.ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8")


def test_printed_numbers_come_out_and_stand_on_the_page() -> None:
    parts = [compute() for compute in command.FREE]
    assert sum(len(part.rows) for part in parts) > 40
    assert [row for part in parts for row in part.rows if row.verdict == DIFFERS] == []
    for part in parts:
        assert markdown(part) in PAGE, "make reproduce ARGS=--write"
    assert number("mean", "2.53", 2.5351).verdict == DIFFERS


@studies.real_logs
@pytest.mark.skipif(thorough.THOROUGH == 1, reason="ten seconds: in make soak")
def test_the_page_says_what_the_data_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDCG_SHARED", str(studies.DATA.parent))
    assert command.page(command.computed()) == PAGE
