"""What each cell of a session weighs by a measure, beside what it weighs by sDCG."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.metrics.expected_session import esndcg_weights
from sdcg_explorer.metrics.user_models import inst_weights, reached
from sdcg_explorer.scoring.definition import Definition, Filters, under_preset
from sdcg_explorer.scoring.measures import (
    OF_QUERIES,
    OF_SESSIONS,
    QUERY_SCORES,
    WHICH_QUERY,
    Measured,
    shares_of,
    stops_of,
)
from sdcg_explorer.scoring.selection import ADDITIVE, SDCG, select_one
from sdcg_explorer.study.study import Study

AS_SDCG = ("final", "final_normalised", "per_query", "weighted_mean")  # a factor of a session apart
MEAN_NDCG = "mean_ndcg"
SCORES = (*AS_SDCG, MEAN_NDCG, *OF_SESSIONS)  # of which cells have weights


def _additive(name: str) -> Callable[[Measured], Floats]:
    def weights(of: Measured) -> Floats:
        chosen = of.chosen.by(name)
        each = np.outer(chosen.factors, chosen.discount())
        return np.broadcast_to(each, chosen.sample.inside.shape)

    return weights


def _ndcg(of: Measured) -> Floats:
    chosen, inside = of.chosen, of.chosen.sample.inside
    ideal = (chosen.best_lists[chosen.sample.topics] * inside) @ chosen.discount()
    over = np.divide(1.0, ideal, out=np.full_like(ideal, np.nan), where=ideal > 0)
    return over[..., None] * chosen.discount()


def _inst(of: Measured) -> Floats:
    return inst_weights(shares_of(of), of.chosen.definition.inst_t)


def _err(of: Measured) -> Floats:
    each = reached(stops_of(of))
    return each / np.arange(1, each.shape[-1] + 1)


def _esndcg(of: Measured) -> Floats:
    lists = of.lists_and_ideals
    return esndcg_weights(*lists, of.chosen.definition.top, of.moves)


WEIGHTS: dict[str, Callable[[Measured], Floats]] = {  # of a session's cells, (S, Q, top)
    **{name: _additive(name) for name in ADDITIVE},
    "ndcg": _ndcg,
    "inst": _inst,
    "err": _err,
    "esndcg": _esndcg,
}
OF_WHOLE_SESSIONS = (SDCG, "srbp", "esndcg")  # others weigh each query alike, or one of them alone


def measure_of(score: str) -> tuple[str, str]:
    """The measure of ``WEIGHTS`` that a score is of, and which query it takes.

    >>> measure_of("final"), measure_of("err_last"), measure_of("mean_ndcg")
    (('sdcg', ''), ('err', 'last'), ('ndcg', ''))

    Raises
    ------
    ValueError : a score that gives cells no weights
    """
    if score not in SCORES:
        raise ValueError(f"score {score!r}; cells have weights by {', '.join(SCORES)}.")
    if score in AS_SDCG:
        return SDCG, ""
    name, _, which = ("ndcg" if score == MEAN_NDCG else score).partition("_")
    return name, which


def weights_by(of: Measured, score: str) -> Floats:
    """Weight of each cell, (S, Q, top), adding up to 1; nan beyond the cells, or if undefined."""
    name, which = measure_of(score)
    inside = of.chosen.sample.inside
    each = np.where(inside, WEIGHTS[name](of), 0.0)
    if name not in OF_WHOLE_SESSIONS:
        each = np.where(_taken(of, name, which)[..., None] & inside, each, 0.0)
    whole = each.sum(axis=(1, 2), keepdims=True)
    share = np.divide(each, whole, out=np.full_like(each, np.nan), where=whole > 0)
    return np.where(inside, share, np.nan)


def _taken(of: Measured, name: str, which: str) -> Bools:
    """Whether a score takes each query, (S, Q): all known ones, or one of them."""
    values = (QUERY_SCORES | OF_QUERIES)[name].function(of)
    known = of.chosen.sample.judged_at & ~np.isnan(values)
    if not which:
        return known
    place = WHICH_QUERY[which](known, values, of.chosen.sample.queries)
    return known & (np.arange(known.shape[1]) == place[:, None])


@dataclass(frozen=True, eq=False)
class Weightings:
    """Cells of a session by two weightings.

    weights (2, Q, R) : by sDCG under the definition in force, and by the other; adding up to 1, nan
    where there is no cell · gains (Q, R) : under the definition in force
    """

    session: str
    system: str
    weights: Floats
    gains: Floats

    @property
    def where_it_gained(self) -> tuple[float, float]:
        """Weight of the cells that gained, by each."""
        own = np.nansum(np.where(self.gains > 0, self.weights, 0.0), axis=(1, 2))
        known = ~np.isnan(self.weights).all(axis=(1, 2))
        first, other = np.where(known, own, np.nan).tolist()
        return first, other

    def table(self) -> pd.DataFrame:
        """A row per cell."""
        queries, ranks = self.gains.shape
        number, rank = (each.ravel() + 1 for each in np.indices((queries, ranks)))
        first, other = self.weights.reshape(2, -1)
        columns = {"query_number": number, "rank": rank, "gain": self.gains.ravel()}
        table = pd.DataFrame({**columns, "weight": first, "weight_beside": other})
        return table.dropna(subset=["weight", "weight_beside"], how="all").reset_index(drop=True)


def weightings(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    session: str,
    score: str,
    preset: str = "",
) -> Weightings:
    """What cells of a session weigh by sDCG as defined, and by a score, under a preset if named.

    `filters` change nothing here.

    Raises
    ------
    ValueError : no such session or preset, or a score that gives cells no weights
    """
    each = select_one(study, definition, session)
    other = select_one(study, under_preset(definition, preset), session)
    pair = weights_by(Measured(each), "final")[0], weights_by(Measured(other), score)[0]
    ranks = max(own.shape[1] for own in pair)
    block, own = each.sample.block, int(each.sample.sessions[0])
    return Weightings(
        session=session,
        system=block.system_names[int(block.systems[own])],
        weights=np.array([_to(one, ranks, np.nan) for one in pair]),
        gains=_to(each.gains[0], ranks, 0.0),
    )


def _to(values: Floats, ranks: int, beyond: float) -> Floats:
    """Values of cells, (Q, R), to so many ranks."""
    missing = ranks - values.shape[1]
    return np.pad(values, ((0, 0), (0, missing)), constant_values=beyond)
