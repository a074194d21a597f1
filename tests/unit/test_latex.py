"""Tables as LaTeX: aligned decimals, harmless text, booktabs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.export.latex import ESCAPED, latex_safe, latex_table


def rows(tex: str) -> list[list[str]]:
    """Cells between the rules."""
    body = tex.split(r"\midrule")[1].split(r"\bottomrule")[0]
    return [line.strip().removesuffix(r" \\").split(" & ") for line in body.strip().splitlines()]


def test_a_columns_decimals_stand_beneath_each_other() -> None:
    tex = latex_table(pd.DataFrame({"x": [123.456, -0.5, np.nan, -1]}), "c")
    assert rows(tex) == [["123"], ["0"], ["--"], ["$-$1"]]
    tex = latex_table(pd.DataFrame({"x": [1.234, -0.5, 0.5, np.inf, -1e-9]}), "c")
    assert rows(tex) == [["1.23"], ["$-$0.50"], ["0.50"], [r"$\infty$"], ["0.00"]]


def test_whole_numbers_have_no_decimals() -> None:
    tex = latex_table(pd.DataFrame({"n": [3.0, 12.0], "i": [1, 20]}), "c")
    assert rows(tex) == [["3", "1"], ["12", "20"]]
    assert r"\begin{tabular}{rr}" in tex


@pytest.mark.parametrize("sign", list(ESCAPED))
def test_no_sign_reaches_latex_as_it_stands(sign: str) -> None:
    tex = latex_table(pd.DataFrame({f"a{sign}": [f"b{sign}c"]}), f"d{sign}")
    for cell in (f"a{latex_safe(sign)} \\\\", f"b{latex_safe(sign)}c \\\\", f"d{latex_safe(sign)}"):
        assert cell in tex
    assert latex_safe(sign) != sign


def test_text_stays_on_its_line() -> None:
    tex = latex_table(pd.DataFrame({"q": ["two\nlines\tand more"]}), "c\n\nd")
    assert rows(tex) == [["two lines and more"]]
    begun = latex_table(pd.DataFrame({"q": ["[5] x", "*y", "nul\x00"]}), "c")
    assert rows(begun) == [["{}[5] x"], ["{}*y"], ["nul?"]]
    assert r"\caption{c d}" in tex
