"""What a document is worth at its first query and at its third, for the first screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sdcg_explorer.analysis.definition.bases import in_full
from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.metrics import query_discount, rank_discount
from sdcg_explorer.study.grades import label

RANK, EARLY, LATE = 3, 1, 3  # where the document stands, and the queries that find it


@dataclass(frozen=True)
class QueryWorth:
    """A document's gain, after the rank discount, and after the query discount of a query."""

    query: int
    gain: float
    by_rank: float
    by_query: float


@dataclass(frozen=True)
class FirstScreen:
    """The same document found early and late, and the bases that it is discounted by."""

    b: str
    bq: str
    early: QueryWorth
    late: QueryWorth


def first_screen(definition: Definition, labels: tuple[float, ...]) -> FirstScreen:
    """The document of the most gain at rank ``RANK`` of the first query, and of the third."""
    gain = float(max(definition.gains(labels), default=1.0))
    by_rank = gain * float(rank_discount([RANK], definition.b, definition.discount)[0])
    factors = query_discount([EARLY, LATE], definition.bq, definition.discount)
    early, late = (
        QueryWorth(query, gain, by_rank, by_rank * float(factor))
        for query, factor in zip((EARLY, LATE), factors, strict=True)
    )
    return FirstScreen(in_full(definition.b), in_full(definition.bq), early, late)


def live_counts() -> dict[str, Any]:
    """Where the document stands, and which queries find it, as the browser is told."""
    return {"kind": "document", "at": RANK, "queries": [EARLY, LATE]}


def live_numbers(definition: Definition, labels: tuple[float, ...]) -> dict[str, Any]:
    """The numbers that sliders move, as the bars say what they were drawn for."""
    numbers = np.arange(1, max(RANK, LATE) + 1)
    return {
        "labels": [label(grade) for grade in labels],
        "rank": rank_discount(numbers, definition.b, definition.discount).tolist(),
        "query": query_discount(numbers, definition.bq, definition.discount).tolist(),
        "weights": list(map(float, definition.gains(labels))),
    }
