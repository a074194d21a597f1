"""Which system is better? The difference on one score, its interval and its tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.compared import points_of, scored_of, system_means, topic_means
from analysis.definition import Definition, Filters
from analysis.mixed_model import Model, mixed_model
from analysis.pair import Pair, Scored, compare, topic_sets
from analysis.pair_words import advice_on, ahead_by, design_of, test_of
from analysis.permutation import permutation_p
from analysis.scores import relevant_found, session_values
from analysis.selection import select
from analysis.wording import NO_INTERVAL, counted, left_out, p_value
from study.study import Study

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
# score → (words, its unit)
SCORES = {
    "final_normalised": ("final, as a share of the ideal", "nsDCG"),
    "average_normalised": ("average over the session, as a share of the ideal", "nsDCG"),
    "final": ("final: worth at the end of the session", "sDCG"),
    "average": ("average over the session's positions", "sDCG"),
    "last": ("the last query", "sDCG"),
    "best": ("the best query", "sDCG"),
    "per_query": ("final per query", "sDCG per query"),
    "weighted_mean": ("mean of the queries, weighted as they are discounted", "DCG"),
    "mean_dcg": ("mean of the queries, not discounted by their place", "DCG"),
    "relevant_found": ("distinct relevant documents found", "documents"),
}
GROWING = ("final", "relevant_found")  # with the number of queries
COLUMNS = (
    *("system_a", "system_b", "score", "design", "n_a", "n_b", "searchers", "mean_a", "mean_b"),
    *("difference", "low", "high", "p_permutation", "p_model", "p_holm", "hedges_g"),
    "superiority",
)
SHORT = (
    *("system_a", "system_b", "searchers", "difference", "low", "high", "p_permutation"),
    *("p_holm", "hedges_g", "superiority"),
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared on one score.

    pairs : every two systems, in the study's order · p_holm : of each pair · omnibus : p over all
    systems, nan with two, and its arrangements · systems, by_topic : means · points : a row per
    session · undefined, without_judgments : sessions that were left out
    """

    score: str
    scored: Scored
    pairs: tuple[Pair, ...]
    p_holm: Floats
    omnibus: tuple[float, int]
    systems: pd.DataFrame
    by_topic: pd.DataFrame
    points: pd.DataFrame
    undefined: int
    without_judgments: int

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return SCORES[self.score][1]

    @property
    def words(self) -> str:
        """The score in words."""
        return SCORES[self.score][0]

    @property
    def names(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return tuple(self.systems["system"])

    def pair(self, a: str, b: str) -> int:
        """Place of the pair of two systems, in whichever order."""
        return next(i for i, p in enumerate(self.pairs) if {p.system_a, p.system_b} == {a, b})

    @cached_property
    def models(self) -> tuple[Model, ...]:
        """The mixed model of each pair; fitting them takes a while."""
        return tuple(self.model(place) for place in range(len(self.pairs)))

    def model(self, place: int) -> Model:
        """The mixed model of one pair."""
        pair, names = self.pairs[place], self.scored.names
        return mixed_model(self.scored, names.index(pair.system_a), names.index(pair.system_b))

    def answer(self, place: int = 0) -> str:
        """The page's first line."""
        if not self.names:
            return "No session with this score is left: widen the filters under Show."
        if not self.pairs:
            one = f"One system only, {self.names[0]}: there is nothing to compare"
            return f"{one}. Show a second one, or bring the log of one."
        return ahead_by(self.pairs[place], self.unit, named=len(self.pairs) > 1)

    def over_all(self) -> str:
        """The test over more than two systems, and what becomes of the pairs' p."""
        if len(self.pairs) < 2:
            return ""
        p, arrangements = self.omnibus
        every = f"All {len(self.names)} systems together"
        if not arrangements:
            return f"{every}: no arrangement of labels besides the one observed, so no test."
        tested = f"permutation test {p_value(p)}, {counted(arrangements, 'arrangement')}"
        return (
            f"{every}: {tested}. For {len(self.pairs)} pairs p is corrected after Holm, for this "
            "score only: looking through the scores for a difference would need more correction."
        )

    def said(self, place: int = 0) -> list[str]:
        """The test over all, design and analysis of a pair, and how it was tested."""
        if not self.pairs:
            return []
        corrected = float(self.p_holm[place]) if len(self.pairs) > 1 else np.nan
        pair = self.pairs[place]
        of = design_of(pair), test_of(pair, corrected)
        return [*filter(None, [self.over_all()]), *of]

    def advice(self, place: int = 0) -> list[str]:
        """Where a reader could be misled."""
        grows = [
            f"{self.words.capitalize()} grows with the number of queries, which stands beside it."
        ]
        told = advice_on(self.pairs[place]) if self.pairs else []
        return [*told, *(grows if self.score in GROWING else [])]

    def behind(self) -> str:
        """What stands behind the picture."""
        rows = self.systems.to_dict("records")
        each = "; ".join(
            f"{row['system']}: {counted(row['sessions'], 'session')}, {_asked(row['queries'])}"
            for row in rows
        )
        undefined = counted(self.undefined, "session")
        left = f" Left out: {undefined} whose score is undefined." if self.undefined else ""
        told = f"{each}." if rows else ""
        return f"{told}{left_out(self.without_judgments)}{left}".strip()

    def of_means(self) -> str:
        """What the means and the difference are taken over."""
        bare = f" {NO_INTERVAL}" if self.by_topic["low"].isna().any() else ""
        return (
            "small ones are sessions, large ones means with their 95 % interval, which comes from "
            "resampling searchers; the difference is between topic-centred scores, its interval "
            f"by t.{bare}"
        )

    def table(self, models: bool = False) -> pd.DataFrame:
        """One row per pair; `models` fits the mixed model of each."""
        rows = [
            {
                **{name: getattr(pair, name, None) for name in COLUMNS},
                "score": self.score,
                "p_holm": float(holm),
                "p_model": self.models[i].p if models else np.nan,
            }
            for i, (pair, holm) in enumerate(zip(self.pairs, self.p_holm, strict=True))
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def short_table(self) -> pd.DataFrame:
        """What of the table fits a screen."""
        return self.table()[list(SHORT)]

    def sentences(self) -> str:
        """Everything in words, as `sdcg compare` writes it."""
        lines = [f"Score: {self.words} ({self.score}), in {self.unit}.", self.behind()]
        lines += filter(None, [self.over_all()])
        if not self.pairs:
            lines.append(self.answer())
        for i, pair in enumerate(self.pairs):
            names = pair.system_a, pair.system_b
            own = [self.answer(i), *self.said(i)[-2:], *self.models[i].sentences(names)]
            lines += ["", f"{names[0]} and {names[1]}", *own, *self.advice(i)]
        return "\n".join(lines).strip() + "\n"


def compare_systems(
    study: Study, definition: Definition, filters: Filters, *, score: str = "final_normalised"
) -> Comparison:
    """Compare every two systems within the filters on one score (a key of ``SCORES``).

    Raises
    ------
    ValueError : no such score
    """
    if score not in SCORES:
        raise ValueError(f"score {score!r}; known are {', '.join(SCORES)}.")
    chosen = select(study, definition, filters)
    judged = chosen.sample.judged
    found = score == "relevant_found"
    values = relevant_found(chosen) if found else session_values(chosen).get(score, np.zeros(0))
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    points = points_of(study, chosen, known, values)
    codes = np.unique(scored.system).tolist()
    pairs = tuple(compare(scored, a, b) for a, b in combinations(codes, 2))
    return Comparison(
        score=score,
        scored=scored,
        pairs=pairs,
        p_holm=_holm(np.array([pair.p_permutation for pair in pairs])),
        omnibus=_omnibus(scored) if len(codes) > 2 else (float("nan"), 0),
        systems=system_means(scored),
        by_topic=topic_means(scored, sorted({*points["topic"]})),
        points=points,
        undefined=int((judged & ~known).sum()),
        without_judgments=int((~judged).sum()),
    )


def _asked(queries: float) -> str:
    """Mean number of queries."""
    return f"{queries:.3g} {'query' if queries == 1 else 'queries'} on average"


def _holm(p: Floats) -> Floats:
    """P of several pairs, corrected; undefined ones stay so and do not count."""
    from statsmodels.stats.multitest import multipletests

    corrected, known = p.copy(), ~np.isnan(p)
    if known.any():
        corrected[known] = multipletests(p[known], method="holm")[1]
    return corrected


def _omnibus(scored: Scored) -> tuple[float, int]:
    """Whether systems differ at all: labels change places within searchers of several systems.

    Searchers of one system each change systems among themselves, or where not every system met
    every topic among those on the same topics.
    """
    keys, cell = np.unique(scored.unit * len(scored.names) + scored.system, return_inverse=True)
    unit, system = np.divmod(keys, len(scored.names))
    counts = np.bincount(cell)
    values = np.bincount(cell, weights=scored.centred) / counts
    alone = np.bincount(unit)[unit] == 1
    sets = topic_sets(scored.topic, cell)
    met = [np.unique(scored.topic[scored.system == s]).tolist() for s in np.unique(system)]
    among = sets if any(topics != met[0] for topics in met) else np.zeros_like(sets)
    strata = np.where(alone, unit.max(initial=0) + 1 + among, unit)
    return permutation_p(values, system, strata)
