"""An example's result lists as cards: what each result brings, step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.examples.examples import Example
from sdcg_explorer.questions.words.wording import counted, short
from sdcg_explorer.study.grades import label

USUAL = (0.0, 1.0, 2.0, 3.0)  # grades that every card offers


@dataclass(frozen=True, eq=False)
class CountedExample:
    """What cards show of a session that was counted; its tables are those of ByHand."""

    definition: Definition
    steps: pd.DataFrame
    queries: pd.DataFrame
    final: float


@dataclass(frozen=True)
class DocumentCard:
    """A result of a query: its document, what it is graded, and what it brings.

    cell : its place in the running sum, none where it does not count · gains : whether its grade
    does · steps : gain, after d(r), after D(q) · worked : the same in words
    """

    doc: str
    topic: str
    grade: str
    rank: int
    cell: int | None
    gains: bool
    steps: tuple[float, ...]
    adds: str
    worked: tuple[str, ...]


def board(example: Example, session: CountedExample | None) -> dict[str, Any]:
    """Every query's list with its cards, a gap as none; without a session nothing has a worth."""
    labels = tuple(sorted({*USUAL, *(grade for _, _, grade in example.judged)}))
    return {
        "lists": [
            {
                "sums": "" if session is None else _sum(session, q),
                "cards": [card and asdict(card) for card in _cards(example, session, q)],
            }
            for q in range(len(example.lists))
        ],
        "grades": [label(grade) for grade in labels],
        "most": 1.0 if session is None else _most(session.definition, labels),
        "worth": "no number yet" if session is None else short(session.final),
    }


def _most(definition: Definition, labels: tuple[float, ...]) -> float:
    """The longest bar's gain: that of the best grade a card can be given."""
    weights = definition.weights
    gains = definition.gains(labels) if isinstance(weights, str) else [gain for _, gain in weights]
    return max(map(float, gains), default=0.0) or 1.0


def _sum(session: CountedExample, q: int) -> str:
    row = session.queries.iloc[q]
    worth = "undefined" if np.isnan(row["sDCG"]) else short(row["sDCG"])
    return f"D({q + 1}) = {short(row['D(q)'])}, adds {worth}"


def _cards(example: Example, session: CountedExample | None, q: int) -> list[DocumentCard | None]:
    """The cards of one query's list, each at the rank where it counts."""
    topic = example.topics[min(q, len(example.topics) - 1)]
    graded = {doc: grade for of, doc, grade in example.judged if of == topic}
    condensed = session is not None and session.definition.unjudged == "condense"
    own = None if session is None else session.steps[session.steps["query"] == q + 1]
    cards: list[DocumentCard | None] = []
    rank = 0
    for doc in example.lists[q]:
        is_out = condensed and doc not in graded
        rank += not is_out
        grade = label(graded[doc]) if doc in graded else ""
        bare = DocumentCard(doc, topic, grade, rank, None, False, (), "", ("not counted",))
        if is_out:
            bare = replace(bare, worked=("unjudged, taken out",))
        elif own is not None:
            bare = _worth(own, bare)
        cards.append(bare if doc else None)
    return cards


def _worth(own: pd.DataFrame, card: DocumentCard) -> DocumentCard:
    """The card with what it brings, from the steps of its own query, one a rank."""
    if card.rank > len(own):
        return replace(card, worked=(f"beyond the {counted(len(own), 'result')} that count",))
    row = own.iloc[card.rank - 1]
    gains = bool(card.grade) and row["grade"] == card.grade and not np.isnan(row["gain"])
    names = ("gain", "discounted gain", "added")
    worth = tuple(float(row[name]) if gains else 0.0 for name in names)
    return replace(
        card,
        cell=int(own.index[card.rank - 1]),
        gains=gains,
        steps=worth,
        adds=short(worth[-1]),
        worked=_worked(row, worth),
    )


def _worked(row: Any, worth: tuple[float, ...]) -> tuple[str, ...]:
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
