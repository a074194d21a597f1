"""Formulas with the current numbers put in, as LaTeX."""

from __future__ import annotations

import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.selection.selection import Selection
from sdcg_explorer.metrics import FORMS

MOST_FACTORS = 6


def formulas(chosen: Selection, steps: pd.DataFrame, final: float) -> tuple[str, ...]:
    """Discounts by rank, the sDCG of each of the first queries, V, I and their share."""
    d = chosen.definition
    number = int(chosen.sample.queries[0])
    shown = range(1, min(number, MOST_FACTORS) + 1)
    known = chosen.sample.judged_at[0].tolist()
    told = [_query(d, steps, q) if known[q - 1] else _undefined(q) for q in shown]
    lines = [_rank_discount(chosen), *told]
    each = [_worth(steps, q) for q in range(1, number + 1) if known[q - 1]]
    ideal = float(steps["I"].iloc[-1]) if len(steps) else 0.0
    total = f"{' + '.join(map(_told, each))} = " if len(each) > 1 else ""
    lines.append(rf"V = {total}{_told(final)} \qquad I = {_told(ideal)}")
    if ideal > 0:
        lines.append(
            r"\mathrm{nsDCG} = \frac{V}{I} = "
            rf"\frac{{{_told(final)}}}{{{_told(ideal)}}} = {final / ideal:.3f}"
        )
    return tuple(lines)


def _told(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, powers of ten written out."""
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _worth(steps: pd.DataFrame, query: int) -> float:
    return float(steps.loc[steps["query"] == query, "added"].sum())


def _rank_discount(chosen: Selection) -> str:
    d, values = chosen.definition, chosen.discount(4)
    factor = FORMS[d.discount].rank
    told = [] if factor.scales else ["d(1) = 1"]
    for r in range(len(told) + 1, min(4, d.top) + 1):
        form = factor.with_numbers(r, d.b)
        value = _told(values[r - 1], 3)
        told.append(f"d({r}) = {form}{'' if form == '1' else f' = {value}'}")
    return r",\; ".join(told)


def _undefined(query: int) -> str:
    return rf"\mathrm{{sDCG}}({query}) \text{{ is undefined: nobody judged its topic}}"


def _query(d: Definition, steps: pd.DataFrame, query: int) -> str:
    """One query's sDCG: its factor, and each result that gains."""
    own, factor = steps[steps["query"] == query], FORMS[d.discount].query.with_numbers(query, d.bq)
    gaining = own[own["gain"] > 0]
    terms = [
        rf"{_told(gain, 6)} \cdot {_told(discount, 3)}"
        for gain, discount in zip(gaining["gain"], gaining["d(r)"], strict=True)
    ]
    return (
        rf"\mathrm{{sDCG}}({query}) = {factor} \, "
        rf"({' + '.join(terms) or '0'}) = {_told(_worth(steps, query))}"
    )
