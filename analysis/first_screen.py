"""What a document is worth at its first query and at its third, for the first screen."""

from __future__ import annotations

import math
from dataclasses import dataclass

from analysis.definition.definition import Definition
from metrics import query_discount, rank_discount

RANK, EARLY, LATE = 3, 1, 3  # where the document stands, and the queries that find it


@dataclass(frozen=True)
class Worth:
    """A document's gain, after the rank discount, and after the query discount of a query."""

    query: int
    gain: float
    by_rank: float
    by_query: float


def worths(definition: Definition, labels: tuple[float, ...]) -> tuple[Worth, Worth]:
    """The best grade's document at rank ``RANK`` of the first query, and of the third."""
    gain = float(max(definition.gains(labels), default=1.0))
    by_rank = gain * float(rank_discount([RANK], definition.b, definition.discount)[0])
    factors = query_discount([EARLY, LATE], definition.bq, definition.discount)
    early, late = (
        Worth(query, gain, by_rank, by_rank * float(factor))
        for query, factor in zip((EARLY, LATE), factors, strict=True)
    )
    return early, late


def sentences(definition: Definition, early: Worth, late: Worth) -> list[str]:
    """What is drawn, in words that need no paper."""
    b, bq = (_base(base) for base in (definition.b, definition.bq))
    kept = late.by_query / early.by_query if early.by_query else 0.0
    return [
        "sDCG, session-discounted cumulated gain: what a session is worth to its searcher. Each "
        "result gains by its grade, less the further down it stands, and less the later the query "
        "that found it.",
        f"b = {b}: patience with the list. At rank {RANK} a document counts "
        f"{_share(early.by_rank, early.gain)} of its gain.",
        f"bq = {bq}: patience with asking again. Found by query {LATE}, it counts {100 * kept:.0f} "
        "% of what it would have at the first. Move both sliders and watch the bars.",
    ]


def _base(base: float) -> str:
    """A base in words.

    >>> _base(2.0), _base(math.inf)
    ('2', 'off')
    """
    return "off" if math.isinf(base) else f"{base:g}"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "nothing"
