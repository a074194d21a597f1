"""Whether a comparison of systems holds under each assessor, and how far assessors agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems.numbers import every_pair
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import USUAL
from sdcg_explorer.study.annotations import Layer
from sdcg_explorer.study.grades import (
    MOST_ASSESSORS,
    alpha_of_all,
    assessors_of,
    grades_by_assessor,
    kappa,
    label,
    weighted_kappa,
)
from sdcg_explorer.study.study import Study

IN_FORCE = "current grades"
UNKNOWN = 2  # among leads: no difference
COMBINED = {"mean of all": np.nanmean, "highest of all": np.nanmax}


@dataclass(frozen=True, eq=False)
class Judges:
    """The comparison of two systems under each assessor and combination.

    systems : the two, b less a · rows : one for the grades in force, each assessor and combination:
    documents judged, mean of each system, difference with interval and p after Holm · agreement : a
    row for each two assessors: documents that both judged, share alike, κ and weighted κ ·
    confusion : grades of the two who share most, the first's in rows, empty where none do · alpha :
    Krippendorff's, of ordinal grades, over all · without_gain : whose grades have no row, as the
    definition gives one no gain
    """

    systems: tuple[str, str]
    rows: pd.DataFrame
    agreement: pd.DataFrame
    confusion: pd.DataFrame
    alpha: float
    without_gain: tuple[str, ...]

    @property
    def leads(self) -> dict[int, list[str]]:
        """Under whose grades b is ahead (1), a is (−1), they tie (0), or there is no difference."""
        own = self.rows.iloc[1:]
        sign = np.nan_to_num(np.sign(own["difference"]), nan=UNKNOWN)
        return {side: own["grades"][sign == side].tolist() for side in (1, -1, 0, UNKNOWN)}


def has_judges(study: Study, definition: Definition) -> bool:
    """Whether several assessors judged, but not too many to compare under each."""
    several = 2 <= len(assessors_of(study.judgments)) <= MOST_ASSESSORS
    return several and definition.grades == "judgments"


def judges(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    pair: tuple[str, str] | None = None,
) -> Judges | None:
    """Compare a pair of systems (the clearest) under each assessor; None with fewer than two.

    A document that an assessor didn't judge is unjudged under that one's grades, whose ideals are
    made of them, too. Grades that the definition gives no gain leave their row out.
    """
    names = assessors_of(study.judgments)
    given = grades_by_assessor(study.judgments)
    if not has_judges(study, definition):
        return None
    one = every_pair(study, definition, filters, score).chosen(pair)
    if one is None:
        return None
    systems, rows = (one.system_a, one.system_b), list[dict[str, object]]()
    without_gain = list[str]()
    for name, judged in _judged_by_each(study, names, given):
        try:
            found = every_pair(judged, definition, filters, score)
        except ValueError:  # the mean of grades may have no gain of its own
            without_gain.append(name)
            continue
        row = {"grades": name, "judgments": len(judged.judgments)}
        row |= {
            f"mean of {system}": float(found.scored.score[found.scored.system == code].mean())
            for code, system in enumerate(found.scored.names)
            if system in found.names
        }
        row |= dict.fromkeys(("difference", "low", "high", "p_holm"), np.nan)
        if {*found.names} >= {*systems} and (own := found.chosen(systems)):
            row |= {"difference": own.difference, "low": own.low, "high": own.high}
            row |= {"p_holm": float(found.p_holm[found.pairs.index(own)])}
        rows.append(row)
    agreement = pd.DataFrame(_pairwise_agreement(names, given))
    return Judges(
        systems,
        pd.DataFrame(rows),
        agreement,
        _confusion(names, given, agreement),
        alpha_of_all(given),
        tuple(without_gain),
    )


def _judged_by_each(study: Study, names: list[str], given: Floats) -> list[tuple[str, Study]]:
    """The study as it is, and with the grades of each assessor and combination, by their names."""

    def made() -> list[tuple[str, Study]]:
        every = [*zip(names, given.T, strict=True)]
        some = ~np.isnan(given).all(axis=1)
        for name, combine in COMBINED.items():
            grades = np.full(len(given), np.nan)
            grades[some] = combine(given[some], axis=1)
            every.append((name, grades))
        found = [(IN_FORCE, study)]
        for name, grades in every:
            table = study.judgments.assign(grade=grades)[~np.isnan(grades)].reset_index(drop=True)
            found.append((name, replace(study, judgments=table, layer=Layer())))
        return found

    return RESULTS.of(("judged by each", study), made)


def _pairwise_agreement(names: list[str], given: Floats) -> Iterator[dict[str, object]]:
    """How far each two assessors agree."""
    codes = np.unique(given, return_inverse=True)[1].reshape(given.shape)
    for i, k in combinations(range(len(names)), 2):
        both = ~np.isnan(given[:, [i, k]]).any(axis=1)
        one, other = given[both, i], given[both, k]
        yield {
            "assessor": names[i],
            "other assessor": names[k],
            "documents": int(both.sum()),
            "alike": float(np.mean(one == other)) if both.any() else np.nan,
            "kappa": kappa(codes[both, i], codes[both, k]) if both.any() else np.nan,
            "weighted_kappa": weighted_kappa(one, other) if both.any() else np.nan,
        }


def _confusion(names: list[str], given: Floats, agreement: pd.DataFrame) -> pd.DataFrame:
    """How often the two who share most gave which grades, the first's in rows."""
    pairs = [*combinations(range(len(names)), 2)]
    i, k = pairs[int(agreement["documents"].to_numpy().argmax())]
    both = given[~np.isnan(given[:, [i, k]]).any(axis=1)]
    counts = pd.crosstab(both[:, i], both[:, k])
    counts.columns = [f"{names[k]}: {label(grade)}" for grade in np.unique(both[:, k]).tolist()]
    counts.index = [f"{names[i]}: {label(grade)}" for grade in np.unique(both[:, i]).tolist()]
    return counts.reset_index(names="grade")
