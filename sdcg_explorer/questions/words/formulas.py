"""Formulas of By hand with the current numbers put in, as LaTeX."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.examples.examples import ByHand
from sdcg_explorer.metrics import FORMS, rank_discount

MOST_RANKS, MOST_FACTORS = 4, 6


def formulas(session: ByHand) -> list[str]:
    """Discounts by rank, the sDCG of each of the first queries, V, I and their share."""
    d, steps, final = session.definition, session.steps, session.final
    added = {
        q: float(steps.loc[steps["query"] == q, "added"].sum())
        for q, worth in zip(session.queries["query"], session.queries["DCG"], strict=True)
        if not np.isnan(worth)
    }
    shown = range(1, min(len(session.queries), MOST_FACTORS) + 1)
    lines = [_rank_discount(d)]
    lines += [_query(d, steps, q, added[q]) if q in added else _undefined(q) for q in shown]
    ideal = float(steps["I"].iloc[-1]) if len(steps) else 0.0
    total = f"{' + '.join(map(_told, added.values()))} = " if len(added) > 1 else ""
    lines.append(rf"V = {total}{_told(final)} \qquad I = {_told(ideal)}")
    if ideal > 0:
        lines.append(
            r"\mathrm{nsDCG} = \frac{V}{I} = "
            rf"\frac{{{_told(final)}}}{{{_told(ideal)}}} = {final / ideal:.3f}"
        )
    return lines


def _told(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, powers of ten written out."""
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _rank_discount(d: Definition) -> str:
    factor, ranks = FORMS[d.discount].rank, np.arange(1, min(MOST_RANKS, d.top) + 1)
    told = [] if factor.scales else ["d(1) = 1"]
    values = zip(ranks.tolist(), rank_discount(ranks, d.b, d.discount).tolist(), strict=True)
    for r, value in [*values][len(told) :]:
        form = factor.with_numbers(r, d.b)
        told.append(f"d({r}) = {form}{'' if form == '1' else f' = {_told(value, 3)}'}")
    return r",\; ".join(told)


def _undefined(query: int) -> str:
    return rf"\mathrm{{sDCG}}({query}) \text{{ is undefined: nobody judged its topic}}"


def _query(d: Definition, steps: pd.DataFrame, query: int, worth: float) -> str:
    """One query's sDCG: its factor, and each result that gains."""
    own, factor = steps[steps["query"] == query], FORMS[d.discount].query.with_numbers(query, d.bq)
    gaining = own[own["gain"] > 0]
    terms = [
        rf"{_told(gain, 6)} \cdot {_told(discount, 3)}"
        for gain, discount in zip(gaining["gain"], gaining["d(r)"], strict=True)
    ]
    return (
        rf"\mathrm{{sDCG}}({query}) = {factor} \, "
        rf"({' + '.join(terms) or '0'}) = {_told(worth)}"
    )
