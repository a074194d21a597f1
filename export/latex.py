"""Tables as LaTeX with booktabs, decimals one beneath the other, the definition in the caption."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd

ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": "$-$",
    "→": r"$\rightarrow$",
}
DIGITS = 3  # significant, of a column's largest number


def latex_table(table: pd.DataFrame, caption: str) -> str:
    r"""A table to \input into a paper that loads booktabs; undefined cells show a dash.

    >>> print(latex_table(pd.DataFrame({"a_b": ["x"], "n": [1.5]}), "Two & more"))
    \begin{table}
      \centering
      \caption{Two \& more}
      \begin{tabular}{lr}
        \toprule
        a\_b & n \\
        \midrule
        x & 1.50 \\
        \bottomrule
      \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    columns = [_cells(table[name]) for name in table.columns]
    sides = "".join("r" if pd.api.types.is_numeric_dtype(table[n]) else "l" for n in table.columns)
    rows = [" & ".join(row) + r" \\" for row in zip(*columns, strict=True)]
    header = " & ".join(latex_safe(str(name)) for name in table.columns) + r" \\"
    body = [r"\toprule", header, r"\midrule", *rows, r"\bottomrule"]
    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{latex_safe(caption)}}}",
        f"  \\begin{{tabular}}{{{sides}}}",
        *(f"    {line}" for line in body),
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def latex_safe(text: str) -> str:
    r"""Text as LaTeX prints it, on one line: commands, comments and math would act otherwise.

    >>> latex_safe("50 % of a_b")
    '50 \\% of a\\_b'
    """
    signs = "|".join(map(re.escape, ESCAPED))
    return " ".join(re.sub(signs, lambda found: ESCAPED[found[0]], text).split())


def _cells(column: pd.Series) -> list[str]:
    if not pd.api.types.is_float_dtype(column.dtype):
        return ["--" if pd.isna(cell) else latex_safe(str(cell)) for cell in column]
    values = column.to_numpy(dtype=float, na_value=np.nan)
    known = np.abs(values[np.isfinite(values)])
    whole = bool((known == np.round(known)).all())
    top = float(known.max(initial=0.0))
    decimals = 0 if whole or not top else max(0, DIGITS - 1 - math.floor(math.log10(top)))
    return [_number(value, decimals) for value in values.tolist()]


def _number(value: float, decimals: int) -> str:
    """A number with a true minus; undefined is a dash."""
    if not math.isfinite(value):
        return "--" if math.isnan(value) else f"${'-' if value < 0 else ''}\\infty$"
    rounded = f"{abs(value):.{decimals}f}"
    negative = value < 0 and float(rounded) != 0
    return f"$-${rounded}" if negative else rounded
