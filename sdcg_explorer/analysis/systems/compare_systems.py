"""Which system is better? The difference on one score, its interval and its tests."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import DEFAULT, NAMES, Definition, Filters, not_of
from sdcg_explorer.analysis.inventory.overview import positions, whole
from sdcg_explorer.analysis.ratings.rating_scores import may_have, named_score, score_of
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.family import Footing, footing, under
from sdcg_explorer.analysis.sessions.other_measures import Measured, measured
from sdcg_explorer.analysis.sessions.registry import USUAL, queries_left_out
from sdcg_explorer.analysis.statistics.crossed_model import TOPICS_ARE
from sdcg_explorer.analysis.statistics.permutation import is_clear
from sdcg_explorer.analysis.systems.pairs import (
    SHORT,
    compared_in_pairs,
    most,
    table_of,
)
from sdcg_explorer.analysis.systems.scored_sessions import Scored, means_of, points_of, scored_of
from sdcg_explorer.analysis.systems.two_systems import Pair, for_topics_like_these, holm, omnibus
from sdcg_explorer.metrics import Score
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.study.study import Study

MOST_POINTS = 5_000  # sessions of all systems that are drawn, each so-manieth


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared on one score.

    pairs : every two systems, in the study's order · p_holm : of each pair · omnibus : p over all
    systems, nan with two, and its arrangements · systems, by_topic : means · points : a row per
    session · undefined, without_judgments : sessions that were left out · left_out : queries that
    a mean of queries leaves out of the sessions compared · looks : choices by which this view
    departs from the usual one · topics_are : for which it answers · with_order : whether what a
    session's place adds is taken off · places : of each session among
    those of its searcher, nan where unknown · baseline : with which each other system is compared,
    "" where every two are · rows : place of each session among those that pass the filters ·
    footing : what a further measure stands on
    """

    score: str
    measure: Score[Measured]
    scored: Scored
    pairs: tuple[Pair, ...]
    p_holm: Floats
    omnibus: tuple[float, int]
    systems: pd.DataFrame
    by_topic: pd.DataFrame
    points: pd.DataFrame
    undefined: int
    without_judgments: int
    left_out: int = 0
    withheld: int = 0
    looks: tuple[str, ...] = ()
    topics_are: str = "fixed"
    with_order: bool = False
    places: Floats = field(default_factory=lambda: np.zeros(0))
    baseline: str = ""
    rows: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    footing: Footing | None = None

    @property
    def unit(self) -> str:
        """What a difference is counted in."""
        return self.measure.unit

    @property
    def words(self) -> str:
        """The score in words."""
        return self.measure.words

    @property
    def names(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return tuple(self.systems["system"])

    @property
    def most(self) -> int:
        """Place of the pair that differs most: by its p, of equal ones by its difference."""
        return most(self.pairs, self.p_holm)

    @property
    def has_several_pairs(self) -> bool:
        """Whether p are corrected for several pairs."""
        return len(self.pairs) > 1

    @property
    def has_several(self) -> bool:
        """Whether several pairs have a difference to be drawn beside each other."""
        return self.has_several_pairs and not all(np.isnan(pair.difference) for pair in self.pairs)

    @property
    def clear(self) -> tuple[bool, ...]:
        """Whether each pair differs clearly."""
        return tuple(
            is_clear(pair.low, pair.high, lambda p=p: p)
            for pair, p in zip(self.pairs, self.p_holm.tolist(), strict=True)
        )

    @property
    def one_in(self) -> int:
        """Of how many sessions of a system one is drawn as a point; means are of all."""
        return max(1, -(-len(self.points) // MOST_POINTS))

    def table(self) -> pd.DataFrame:
        """One row per pair."""
        return table_of(self.pairs, self.score, self.p_holm)

    def short_table(self) -> pd.DataFrame:
        """What of the table fits a screen."""
        return self.table()[list(SHORT)]


def require_answerable(topics_are: str, *, with_order: bool) -> None:
    """Refuse choices that no model answers.

    Raises
    ------
    ValueError : no such choice of topics, or an order to be taken off where topics are a sample
    """
    if topics_are not in TOPICS_ARE:
        raise ValueError(f"topics are {topics_are!r}; they can be {' or '.join(TOPICS_ARE)}.")
    if with_order and topics_are == "sample":
        raise ValueError("the order of sessions can be taken off where topics are fixed.")


def _require_baseline(baseline: str, systems: tuple[str, ...]) -> None:
    """Refuse a baseline that is no system of the study."""
    if baseline and baseline not in systems:
        raise ValueError(f"baseline {baseline!r}; systems are {', '.join(systems)}.")


def _looks(
    definition: Definition, filters: Filters, score: str, topics_are: str, *, with_order: bool
) -> tuple[str, ...]:
    """Choices by which a view departs from the nearest preset, all sessions and the usual score."""
    every = Filters()
    own = [
        n for n in NAMES if n not in not_of(score) and getattr(definition, n) != getattr(DEFAULT, n)
    ]
    filtered = [name for name in asdict(every) if getattr(filters, name) != getattr(every, name)]
    return (
        *([f"score {score}"] if score != USUAL else []),
        *definition.nearest()[1],
        *(name.replace("_", " ") for name in own),
        *([TOPICS_ARE[topics_are]] if topics_are != "fixed" else []),
        *(["order taken off"] if with_order else []),
        *(f"filter by {name.replace('_', ' ')}" for name in filtered),
    )


def compare_systems(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    score: str = USUAL,
    topics_are: str = "fixed",
    with_order: bool = False,
    baseline: str = "",
) -> Comparison:
    """Compare every two systems within the filters on one score (one of ``scores_of``).

    `topics_are` (a key of ``TOPICS_ARE``) says for which topics an answer is to hold,
    `with_order` takes off what a later place among a searcher's sessions adds; with a `baseline`
    each other system is compared with that one alone.

    Raises
    ------
    ValueError : no such score, choice of topics or baseline, or an order that is not known
    """
    require_answerable(topics_are, with_order=with_order)
    score = named_score(study, score)
    measure = under(definition, score, score_of(study, score))
    chosen = select(study, definition, filters)
    judged, values = may_have(score, chosen), measured(chosen, {score: measure})[score]
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    places = positions(study, chosen.sample)[known]
    if with_order:
        scored = replace(scored, place=whole(places))
    points = points_of(study, chosen, known, values)
    _require_baseline(baseline, scored.names)
    pairs = compared_in_pairs(scored, baseline)
    if sample := topics_are == "sample":
        pairs = tuple(for_topics_like_these(pair, scored) for pair in pairs)
    systems, by_topic = means_of(scored, sorted({*points["topic"]}))
    asked = definition, filters, score, topics_are
    against = (f"baseline {baseline}",) if baseline and len(pairs) > 1 else ()
    return Comparison(
        score=score,
        measure=measure,
        looks=_looks(*asked, with_order=with_order) + against,
        baseline=baseline,
        footing=footing(chosen, score),
        rows=np.flatnonzero(known),
        topics_are=topics_are,
        with_order=with_order,
        places=places,
        scored=scored,
        pairs=pairs,
        p_holm=holm(np.array([pair.p for pair in pairs])),
        omnibus=(float("nan"), 0) if sample else omnibus(scored),
        systems=systems,
        by_topic=by_topic,
        points=points,
        undefined=int((judged & ~known).sum()),
        without_judgments=int((~judged).sum()),
        left_out=int(queries_left_out(score, chosen)[known].sum()),
        withheld=study.report.withheld,
    )
