"""Formulas with the current numbers put in, as LaTeX."""

from __future__ import annotations

import math

import pandas as pd

from analysis.definition.definition import Definition
from analysis.selection import Selection

MOST_QUERIES = 6


def formulas(chosen: Selection, steps: pd.DataFrame, final: float) -> tuple[str, ...]:
    """Discounts by rank, the sDCG of each of the first queries, V, I and their share."""
    d = chosen.definition
    number = int(chosen.sample.queries[0])
    shown = range(1, min(number, MOST_QUERIES) + 1)
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
    values = chosen.discount(4)
    told = ["d(1) = 1"]
    for r in range(2, min(4, chosen.definition.top) + 1):
        form, value = _rank(chosen.definition, r), _told(values[r - 1], 3)
        told.append(f"d({r}) = {form}{'' if form == '1' else f' = {value}'}")
    return r",\; ".join(told)


def _rank(d: Definition, r: int) -> str:
    """The factor of a rank, with its numbers."""
    if math.isinf(d.b):
        return "1"
    if d.discount == "kanoulas2011":
        return rf"\frac{{1}}{{\log_{{{d.b:g}}} ({r} + {d.b - 1:g})}}"
    if d.discount == "jk2002":
        return "1" if r < d.b else rf"\frac{{1}}{{\log_{{{d.b:g}}} {r}}}"
    return rf"\frac{{1}}{{1 + \log_{{{d.b:g}}} {r}}}"


def _factor(d: Definition, q: int) -> str:
    """The factor of a query, with its numbers."""
    if math.isinf(d.bq):
        return "1"
    if d.discount == "kanoulas2011":
        return rf"\frac{{1}}{{\log_{{{d.bq:g}}} ({q} + {d.bq - 1:g})}}"
    return rf"\frac{{1}}{{1 + \log_{{{d.bq:g}}} {q}}}"


def _undefined(query: int) -> str:
    return rf"\mathrm{{sDCG}}({query}) \text{{ is undefined: nobody judged its topic}}"


def _query(d: Definition, steps: pd.DataFrame, query: int) -> str:
    """One query's sDCG: its factor, and each result that gains."""
    own = steps[steps["query"] == query]
    gaining = own[own["gain"] > 0]
    terms = [
        rf"{_told(gain, 6)} \cdot {_told(discount, 3)}"
        for gain, discount in zip(gaining["gain"], gaining["d(r)"], strict=True)
    ]
    return (
        rf"\mathrm{{sDCG}}({query}) = {_factor(d, query)} \, "
        rf"({' + '.join(terms) or '0'}) = {_told(_worth(steps, query))}"
    )
