"""What did searchers look at? The share of each query's results, and the weights nearest to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats, Ints
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.further import FORM, FURTHER, PARAMETERS, noted
from sdcg_explorer.analysis.fits.fitting import (
    CRITERIA,
    LEAST_SQUARES,
    Errors,
    Fitted,
    errors_of,
    fit_model,
)
from sdcg_explorer.analysis.fits.looked_at import LookedAt, looked_at
from sdcg_explorer.analysis.fits.models import Model, models_of, sdcg_model
from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.analysis.selection.additive import ADDITIVE, SDCG
from sdcg_explorer.analysis.selection.selection import Selection, select
from sdcg_explorer.study.study import Study

DIGITS = 3  # significant, of a base that is taken as the definition


@dataclass(frozen=True, eq=False)
class Fits:
    """Models beside what was looked at, by both criteria; those of results where marks tell.

    errors (B, K) : TSE of sDCG in the form of the definition over ``GRID`` × ``GRID``
    """

    seen: LookedAt
    fitted: tuple[Fitted, ...]
    form: str
    errors: Floats

    def of(self, name: str, by: str = LEAST_SQUARES) -> Fitted | None:
        """The fit of a model, if the study has one."""
        known = (each for each in self.fitted if (each.model.name, each.by) == (name, by))
        return next(known, None)

    def ranked(self, by: str = LEAST_SQUARES) -> list[Fitted]:
        """Fits to results, that with the least error of searchers left out first."""
        own = [each for each in self.fitted if each.by == by and not each.model.of_queries]
        return sorted(own, key=lambda each: (np.isnan(each.held_out), each.held_out))

    @property
    def has_map(self) -> bool:
        """Whether the form in force has both of its bases told by the study."""
        own = self.of(f"sdcg_{self.form}")
        return own is not None and own.model.fitted.size == 2

    @property
    def valley(self) -> Ints:
        """Place of the b with the least error at each bq of the map, (K,)."""
        return np.argmin(self.errors, axis=0)

    def table(self) -> pd.DataFrame:
        """One row per model and criterion: parameters with intervals, and errors."""
        names = dict.fromkeys(p.name for each in self.fitted for p in each.model.parameters)
        return pd.DataFrame([_row(each, [*names]) for each in self.fitted])

    def map_table(self) -> pd.DataFrame:
        """One row per point of the map."""
        b, bq = (each.ravel() for each in np.meshgrid(GRID, GRID, indexing="ij"))
        tse = self.errors.ravel()
        return pd.DataFrame({"b": b, "bq": bq, "tse": tse, "times_least": tse / tse.min()})

    def cells(self, by: str = LEAST_SQUARES) -> pd.DataFrame:
        """One row per query and rank: its share, and each model's weight by a criterion."""
        queries, ranks = self.seen.results.shape[1:]
        q, r = (each.ravel() + 1 for each in np.indices((queries, ranks)))
        frame = pd.DataFrame({"query_number": q, "rank": r})
        frame["sessions"] = np.repeat(self.seen.queries.sum(axis=0), ranks).astype(np.int64)
        frame["looked_at"] = self.seen.results.sum(axis=0).ravel().astype(np.int64)
        frame["share"] = self.seen.shares.ravel()
        return frame.assign(**{each.model.name: each.weights for each in self.ranked(by)})


def _row(of: Fitted, names: list[str]) -> dict[str, object]:
    """A row of the table."""
    row: dict[str, object] = {"model": of.model.name, "by": of.by}
    told = {p.name: i for i, p in enumerate(of.model.parameters)}
    for name in names:
        at = told.get(name)
        for end, values in (("", of.values), ("_low", of.low), ("_high", of.high)):
            row[f"{name}{end}"] = np.nan if at is None else values[at]
    lacking = [p.name for p in of.model.parameters if p.unknown]
    errors = {"tse": of.errors.tse, "tae": of.errors.tae, "kl": of.errors.kl}
    return {**row, **errors, "held_out": of.held_out, "not_identified": " ".join(lacking)}


def fit(study: Study, definition: Definition, filters: Filters) -> Fits:
    """What searchers looked at to the top of the definition, and each model fitted to it.

    What b and bq are in the definition changes nothing. Models of results are fitted where the log
    marks what was examined or clicked; RBP of queries alone in any case.
    """
    chosen = select(study, definition, filters)
    seen = looked_at(study, chosen)
    shape = seen.results.shape[1], seen.results.shape[2]
    models = models_of(shape, _lists(chosen, shape[1]))
    fitted = [
        fit_model(model, counts.reshape(len(counts), -1), by)
        for model in models
        for counts in [seen.queries if model.of_queries else seen.results]
        for by in CRITERIA
        if counts.sum() > 0
    ]
    own = sdcg_model(definition.discount, shape)
    return Fits(seen, tuple(fitted), definition.discount, _map(own, seen.shares))


def in_force(fits: Fits, definition: Definition) -> tuple[Floats, Errors]:
    """Weights of sDCG by a definition, (Q, R), adding up to 1, and their errors."""
    queries, ranks = fits.seen.shares.shape
    by = ADDITIVE[SDCG]
    weights = np.outer(by.by_query(definition, queries), by.by_rank(definition, ranks))
    weights /= weights.sum()
    return weights, errors_of(fits.seen.shares.ravel(), weights.ravel())


FIELDS = {  # of a definition, by the names that models have for their parameters
    **{"p_of_rbp": "p", "b_of_srbp": "srbp_b", "t_of_inst": "inst_t"},
    **{"b": "b", "bq": "bq"},
}
MOST_CHANCE = PARAMETERS["p"].most  # that a definition may have for going on


def taken(of: Fitted, definition: Definition, study: str = "") -> Definition | None:
    """The definition with a fit's parameters, as far as these are told.

    Of sDCG with its form and bases; of a further measure, which is asked for then, with its own.
    None of RBP of queries alone, which no measure is. It notes the `study` that is named.
    """
    known = zip(of.model.parameters, of.values.tolist(), strict=True)
    told = {p.name: float(f"{value:.{DIGITS}g}") for p, value in known if not p.unknown}
    if of.model.form:
        bases = {name: max(1.01, value) for name, value in told.items()}
        found = replace(definition, discount=of.model.form, **bases)
        return _noted(found, [FORM, *bases], study)
    if of.model.name not in FURTHER:
        return None
    own: Any = {FIELDS[name]: min(value, MOST_CHANCE) if name != "t_of_inst" else value
                for name, value in told.items()}  # fmt: skip
    asked = tuple(dict.fromkeys((*definition.measures, of.model.name)))
    return _noted(replace(definition, measures=asked, **own), own, study, of.model.name)


def _noted(of: Definition, names: Iterable[str], study: str, measure: str = "") -> Definition:
    """A definition that says from which study these of its fields are, if one is named."""
    return replace(of, fitted_to=noted(of, names, study, measure)) if study else of


def _lists(chosen: Selection, ranks: int) -> tuple[Floats, Ints]:
    """Different gains of lists, (N, R), in 0 to 1, and how many queries have them, (N,)."""
    most = float(chosen.weights.max(initial=0.0)) or 1.0
    gains = chosen.gains[chosen.sample.asked_at][:, :ranks] / most
    if gains.shape[1] < ranks:
        gains = np.pad(gains, ((0, 0), (0, ranks - gains.shape[1])))
    if not len(gains):
        return np.zeros((1, ranks)), np.ones(1, dtype=np.int64)
    different, number = np.unique(gains, axis=0, return_counts=True)
    return different, number


def _map(model: Model, shares: Floats) -> Floats:
    """TSE of sDCG at each b and bq of the map, (B, K)."""
    size = len(GRID)
    values = np.column_stack([np.repeat(GRID, size), np.tile(GRID, size)])
    weights = model.weigh(values).reshape(size * size, -1)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.sum((weights - shares.ravel()) ** 2, axis=1).reshape(size, size)
