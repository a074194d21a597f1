"""By hand in words and formulas: what the session is worth, and what each result brings."""

from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import FORMS, rank_discount
from sdcg_explorer.questions.by_hand.numbers import ByHand, Example
from sdcg_explorer.questions.wording import counted, plain, share, short
from sdcg_explorer.scoring.definition import Definition
from sdcg_explorer.study.grades import label

USUAL = (0.0, 1.0, 2.0, 3.0)  # grades that every card offers
NOT_COUNTED = {"cell": None, "gains": False, "steps": (), "adds": "", "worked": ("not counted",)}


def headline(session: ByHand) -> str:
    """The page's first line."""
    if not session.vector.size:
        return "This session's sDCG is 0: under this definition none of its results counts."
    sdcg = f"This session's sDCG is {short(session.final)}"
    if np.isnan(session.share):
        return f"{sdcg}; it has no share of an ideal because the ideal gains nothing."
    return f"{sdcg}, {share(session.share)} of its ideal."


def cautions(session: ByHand) -> list[str]:
    """Plain sentences where a reader could be misled."""
    if not session.filled:
        return []
    gains = ", ".join(f"{label(grade)} → {plain(gain)}" for grade, gain in session.filled.items())
    known = "The study has no weights for these grades, so"
    return [f"{known} {session.filled_as} weights are used: {gains}."]


def cards_by_query(example: Example, session: ByHand | None) -> dict[str, Any]:
    """Every query's list with its cards, a gap as none; without a session nothing has a worth."""
    labels = tuple(sorted({*USUAL, *(grade for _, _, grade in example.judged)}))
    sums = [""] * len(example.lists)
    if session is not None:
        each = session.queries[["query", "D(q)", "sDCG"]].itertuples(index=False)
        sums = [f"D({q}) = {short(factor)}, adds {short(worth)}" for q, factor, worth in each]
    cards = (_result_cards(example, session, q) for q in range(len(example.lists)))
    return {
        "lists": [{"sums": each, "cards": own} for each, own in zip(sums, cards, strict=True)],
        "grades": [label(grade) for grade in labels],
        "most": 1.0 if session is None else _largest_gain(session.definition, labels),
        "worth": "–" if session is None else short(session.final),
    }


def _largest_gain(definition: Definition, labels: tuple[float, ...]) -> float:
    """The longest bar's gain: that of the best grade a card can be given."""
    weights = definition.weights
    gains = definition.gains(labels) if isinstance(weights, str) else [gain for _, gain in weights]
    return max(map(float, gains), default=0.0) or 1.0


def _result_cards(example: Example, session: ByHand | None, q: int) -> list[dict[str, Any] | None]:
    """The cards of one query's list, each at the rank where it counts.

    cell : its place in the running sum, none where it does not count · gains : whether its grade
    does · steps : gain, after d(r), after D(q) · worked : the same in words
    """
    topic = example.query_topic(q)
    graded = {doc: label(grade) for of, doc, grade in example.judged if of == topic}
    condensed = session is not None and session.definition.unjudged == "condense"
    own = None if session is None else session.steps[session.steps["query"] == q + 1]
    cards: list[dict[str, Any] | None] = []
    rank = 0
    for doc in example.lists[q]:
        is_out, grade = condensed and doc not in graded, graded.get(doc, "")
        rank += not is_out
        card = {"doc": doc, "topic": topic, "grade": grade, "rank": rank, **NOT_COUNTED}
        if is_out:
            card["worked"] = ("unjudged, removed",)
        elif own is not None:
            card |= _card_contribution(own, rank, grade)
        cards.append(card if doc else None)
    return cards


def _card_contribution(own: pd.DataFrame, rank: int, grade: str) -> dict[str, Any]:
    """What a card brings, from the steps of its own query, one a rank."""
    if rank > len(own):
        counting = counted(len(own), "result that counts", "results that count")
        return {"worked": (f"beyond the {counting}",)}
    row = own.iloc[rank - 1]
    gains = bool(grade) and row["grade"] == grade and not np.isnan(row["gain"])
    names = ("gain", "discounted gain", "added")
    worth = tuple(float(row[name]) if gains else 0.0 for name in names)
    cell, adds = int(own.index[rank - 1]), short(worth[-1])
    worked = _calculation_in_words(row, worth)
    return {"cell": cell, "gains": gains, "steps": worth, "adds": adds, "worked": worked}


def _calculation_in_words(row: Any, worth: tuple[float, ...]) -> tuple[str, ...]:
    """A gain, and what is left of it after each discount, in words."""
    grade = f"grade {row['grade']}" if row["grade"][:1].isdigit() else row["grade"]
    if not worth[0]:
        return (f"{grade}: gains nothing",)
    gain, by_rank, by_query = map(short, worth)
    return (
        f"{grade}: gain {gain}",
        f"× d({row['rank']}) {short(row['d(r)'])} = {by_rank}",
        f"× D({row['query']}) {short(row['D(q)'])} = {by_query}",
    )


MOST_RANKS, MOST_FACTORS = 4, 6


def formulas(session: ByHand) -> list[str]:
    """Discounts by rank, the sDCG of each of the first queries, V, I and their share."""
    d, steps, final = session.definition, session.steps, session.final
    known = session.queries.dropna(subset=["sDCG"])
    added = dict(zip(known["query"].tolist(), known["sDCG"].tolist(), strict=True))
    shown = range(1, min(len(session.queries), MOST_FACTORS) + 1)
    lines = [_rank_discount_latex(d)]
    undefined = r"\mathrm{sDCG}(%d) \text{ is undefined (topic unjudged)}"
    lines += [_sdcg_latex(d, steps, q, added[q]) if q in added else undefined % q for q in shown]
    ideal = float(steps["I"].iloc[-1]) if len(steps) else 0.0
    total = f"{' + '.join(map(_latex_number, added.values()))} = " if len(added) > 1 else ""
    lines.append(rf"V = {total}{_latex_number(final)} \qquad I = {_latex_number(ideal)}")
    if ideal > 0:
        lines.append(
            r"\mathrm{nsDCG} = \frac{V}{I} = "
            rf"\frac{{{_latex_number(final)}}}{{{_latex_number(ideal)}}} = {final / ideal:.3f}"
        )
    return lines


def _latex_number(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, powers of ten written out."""
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _rank_discount_latex(d: Definition) -> str:
    factor, ranks = FORMS[d.discount].rank, np.arange(1, min(MOST_RANKS, d.top) + 1)
    told = [] if factor.scales else ["d(1) = 1"]
    values = zip(ranks.tolist(), rank_discount(ranks, d.b, d.discount).tolist(), strict=True)
    for r, value in [*values][len(told) :]:
        form = factor.latex_with_values(r, d.b)
        told.append(f"d({r}) = {form}{'' if form == '1' else f' = {_latex_number(value, 3)}'}")
    return r",\; ".join(told)


def _sdcg_latex(d: Definition, steps: pd.DataFrame, query: int, worth: float) -> str:
    """One query's sDCG: its factor, and each result that gains."""
    factor = FORMS[d.discount].query.latex_with_values(query, d.bq)
    gaining = steps[(steps["query"] == query) & (steps["gain"] > 0)]
    terms = [
        rf"{_latex_number(gain, 6)} \cdot {_latex_number(discount, 3)}"
        for gain, discount in zip(gaining["gain"], gaining["d(r)"], strict=True)
    ]
    return (
        rf"\mathrm{{sDCG}}({query}) = {factor} \, "
        rf"({' + '.join(terms) or '0'}) = {_latex_number(worth)}"
    )
