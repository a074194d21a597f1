"""Agreement of a score with a rating over b × bq, and whether the best point holds for others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.ratings.ratings import Rated, RatingChoices, rated
from sdcg_explorer.analysis.robustness.base_grid import Plane
from sdcg_explorer.analysis.robustness.robustness import (
    query_scores_over,
    session_scores_over,
)
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.statistics.correlations import KINDS, Paired, folds, mean_of
from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, SEED
from sdcg_explorer.study.study import Study

FOLDS = 5  # of searchers, each judged at the others' best point (decision 102)
MAPPED = ("pearson", "spearman")
FLAT = 1e-9  # apart: the same number at every point


def mapped(coefficient: str) -> str:
    """The coefficient of the map: τ-b of all points would take long, so Spearman's stands in."""
    return coefficient if coefficient in MAPPED else "spearman"


@dataclass(frozen=True, eq=False)
class AgreementMap:
    """A coefficient of score and rating over b × bq, and its best point.

    values (B, K) : nan where undefined · best : its b and bq, None where nothing is defined ·
    left_out : mean coefficient in each fold of the point that is best on the other folds, nan
    where nothing can be left out · folds : that have it · units : what folds share out
    """

    rating: str
    score: str
    kind: str
    version: str
    b: tuple[float, ...]
    bq: tuple[float, ...]
    values: Floats
    best: tuple[float, float] | None
    left_out: float
    folds: int
    units: str

    @property
    def words(self) -> str:
        """The coefficient in words."""
        return KINDS[self.kind].words

    @property
    def is_flat(self) -> bool:
        """Whether every point has the same, or nothing."""
        known = self.values[~np.isnan(self.values)]
        return not known.size or float(np.ptp(known)) < FLAT

    @property
    def highest(self) -> float:
        """The coefficient of the best point."""
        return float(np.nanmax(self.values)) if self.best else float("nan")

    def table(self) -> pd.DataFrame:
        """One row per point."""
        b, bq = np.meshgrid(self.b, self.bq, indexing="ij")
        columns = {"b": b.ravel(), "bq": bq.ravel(), "value": self.values.ravel()}
        what = {name: getattr(self, name) for name in ("rating", "score", "version")}
        return pd.DataFrame({**what, "coefficient": self.kind, **columns})


@dataclass(frozen=True)
class Present:
    """The same coefficient at the present point, on all and as the mean of the folds."""

    value: float
    left_out: float


@dataclass(frozen=True, eq=False)
class Judged:
    """A rating beside a score over some points: columns of values (N, P), nan where undefined."""

    of: Rated
    kind: str
    version: str

    def whole(self, values: Floats) -> Floats:
        """The coefficient of each column, (P,)."""
        rows = _defined(values)
        return self.of.paired.take(rows).over(self.kind, self.version, values[rows])

    def left_out(self, values: Floats) -> tuple[float, int]:
        """Mean coefficient of the folds, each of the column that is best on the others.

        Also how many folds have one.
        """
        rows = _defined(values)
        own, values = self.of.paired.take(rows), values[rows]
        if np.unique(own.cluster).size < FEWEST_CLUSTERS:
            return float("nan"), 0
        fold = folds(own.cluster, FOLDS, SEED)
        found = [self._of_fold(own, values, fold == k) for k in range(FOLDS)]
        sizes = np.bincount(fold, minlength=FOLDS).tolist()
        return mean_of(found, sizes), int((~np.isnan(found)).sum())

    def _of_fold(self, own: Paired, values: Floats, held: Bools) -> float:
        column = 0
        if values.shape[1] > 1:
            fit = own.take(~held).over(self.kind, self.version, values[~held])
            if np.isnan(fit).all():
                return float("nan")
            column = int(np.nanargmax(fit))
        chosen = values[held][:, [column]]
        return float(own.take(held).over(self.kind, self.version, chosen)[0])


def _defined(values: Floats) -> Bools:
    """Rows of values (N, P) that are defined at every point, (N,)."""
    return ~np.any(np.isnan(values), axis=1)


def _judged(view: tuple[Study, Definition, Filters], asked: RatingChoices) -> Judged:
    of = rated(view[0], select(*view), asked)
    return Judged(of, mapped(asked.coefficient), asked.version)


def agreement_map(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> AgreementMap:
    """A score's agreement with a rating at every point of b and bq, whichever are in force.

    Raises
    ------
    ValueError : no such rating, score, coefficient or version
    """
    judged = _judged((study, definition, filters), asked)
    of, plane = judged.of, Plane(judged.of.chosen)
    values = np.zeros((0, len(plane.b) * len(plane.bq)))
    if of.values.size:
        values = _over(plane, of).reshape(of.values.size, -1)
    found = judged.whole(values)
    left_out, used = judged.left_out(values)
    shape = len(plane.b), len(plane.bq)
    place = None if np.isnan(found).all() else divmod(int(np.nanargmax(found)), shape[1])
    return AgreementMap(
        rating=asked.rating,
        score=of.score,
        kind=judged.kind,
        version=judged.version,
        b=plane.b,
        bq=plane.bq,
        values=found.reshape(shape),
        best=None if place is None else (plane.b[place[0]], plane.bq[place[1]]),
        left_out=left_out,
        folds=used,
        units=of.units,
    )


def _over(plane: Plane, of: Rated) -> Floats:
    if of.rating.of == "query":
        return query_scores_over(plane, of.score, of.session, of.query)
    return session_scores_over(plane, of.score)[of.session]


def present(
    study: Study, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> Present:
    """The same at the b and bq in force, judged on the same folds."""
    judged = _judged((study, definition, filters), asked)
    values = judged.of.scores()[judged.of.score][:, None]
    return Present(float(judged.whole(values)[0]), judged.left_out(values)[0])
