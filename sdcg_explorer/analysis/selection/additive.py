"""Measures whose weight of a cell is the same whatever gains are, so that they have curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.metrics import query_discount, rank_discount
from sdcg_explorer.metrics.user_models import rbp_weights, srbp_weights


@dataclass(frozen=True)
class Additive:
    """Weights of cells, w(q, r) = by_query(q) · by_rank(r), whatever a list gains.

    words : its name · by_query, by_rank : from a definition and their number to factors, (Q,) and
    (R,)
    """

    words: str
    by_query: Callable[[Definition, int], Floats]
    by_rank: Callable[[Definition, int], Floats]


def _sdcg_queries(d: Definition, queries: int) -> Floats:
    return query_discount(np.arange(1, queries + 1), d.bq, d.discount)


def _sdcg_ranks(d: Definition, ranks: int) -> Floats:
    return rank_discount(np.arange(1, ranks + 1), d.b, d.discount)


SDCG = "sdcg"
ADDITIVE = {
    SDCG: Additive("sDCG", _sdcg_queries, _sdcg_ranks),
    "srbp": Additive(
        "sRBP",
        lambda d, queries: srbp_weights(queries, 1, d.srbp_b, d.p)[:, 0] / (1 - d.p),
        lambda d, ranks: srbp_weights(1, ranks, d.srbp_b, d.p)[0],
    ),
    "rbp": Additive(
        "RBP",
        lambda d, queries: np.ones(queries),
        lambda d, ranks: rbp_weights(ranks, d.p),
    ),
}
FURTHER_CURVES = tuple(name for name in ADDITIVE if name != SDCG)


def curves_asked(measures: Iterable[str]) -> list[str]:
    """Further measures that are asked for and have curves, in the order of ``ADDITIVE``."""
    return [name for name in FURTHER_CURVES if name in {*measures}]
