"""Which system is better? The difference on one score, its interval and its tests."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.inventory.session_order import order_words, positions, whole
from sdcg_explorer.analysis.ratings.rating_scores import may_have, named_score, score_of
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.other_measures import Measured, measured
from sdcg_explorer.analysis.sessions.registry import queries_left_out
from sdcg_explorer.analysis.systems import cached_comparison
from sdcg_explorer.analysis.systems.clear import is_clear
from sdcg_explorer.analysis.systems.means import means_of, points_of, scored_of
from sdcg_explorer.analysis.systems.pairs import (
    SHORT,
    compared_in_pairs,
    most,
    of_the_most,
    table_of,
)
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.several_systems import holm, omnibus, over_all
from sdcg_explorer.analysis.systems.two_systems import Pair, for_topics_like_these
from sdcg_explorer.analysis.systems.two_systems_words import (
    above,
    advice_on,
    design_of,
    how_tested,
    lead,
)
from sdcg_explorer.metrics import Score
from sdcg_explorer.questions.words.wording import (
    NAMED,
    NO_INTERVAL,
    counted,
    enumerated,
    left_out,
    withheld,
)
from sdcg_explorer.study.observed import Observed

PAIRS = (
    "difference b − a of each pair with its own 95 % interval by t; a filled mark is a clear "
    "difference, whose interval excludes 0 and whose p after Holm is at most .05"
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared on one score.

    pairs : every two systems, in the study's order · p_holm : of each pair · omnibus : p over all
    systems, nan with two, and its arrangements · systems, by_topic : means · points : a row per
    session · undefined, without_judgments : sessions that were left out · left_out : queries that
    a mean of queries leaves out of the sessions compared · looks : choices by which this view
    departs from the usual one · topics_are : for which it answers · order : whether systems came in
    balanced order, where it is known
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
    order: str = ""

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

    def pair(self, a: str, b: str) -> int:
        """Place of the pair of two systems, in whichever order."""
        return next(i for i, p in enumerate(self.pairs) if {p.system_a, p.system_b} == {a, b})

    @property
    def most(self) -> int:
        """Place of the pair that differs most: by its p, of equal ones by its difference."""
        return most(self.pairs, self.p_holm)

    @property
    def has_several(self) -> bool:
        """Whether several pairs have a difference to be drawn beside each other."""
        return len(self.pairs) > 1 and not all(np.isnan(pair.difference) for pair in self.pairs)

    @property
    def clear(self) -> tuple[bool, ...]:
        """Whether each pair differs clearly."""
        return tuple(
            is_clear(pair.low, pair.high, lambda p=p: p)
            for pair, p in zip(self.pairs, self.p_holm.tolist(), strict=True)
        )

    def answer(self) -> str:
        """The page's first line: of two systems who is ahead, of more the test over all."""
        if not self.names:
            return "No session with this score is left: widen the filters under Show."
        if not self.pairs:
            one = f"One system only, {self.names[0]}: there is nothing to compare"
            return f"{one}. Show a second one, or bring the log of one."
        return self.of_pair(0) if len(self.pairs) == 1 else f"{self._over_all()}{self._pairs()}."

    def of_pair(self, place: int) -> str:
        """Who of one pair is ahead, its p corrected where there are several."""
        return lead(self.pairs[place], self.unit, self._after_holm(place))

    def _after_holm(self, place: int) -> float:
        """P of a pair after Holm; nan where it is the only one."""
        return float(self.p_holm[place]) if len(self.pairs) > 1 else np.nan

    def _over_all(self) -> str:
        """The test over more than two systems."""
        if self.topics_are == "sample":
            return f"{len(self.names)} systems, for topics like these"
        return over_all(len(self.names), *self.omnibus, brief=self._is_brief)

    @property
    def _is_brief(self) -> bool:
        """Whether the first line has no room for more than the systems' names."""
        return len(self.names) > NAMED

    def _pairs(self) -> str:
        """Which pairs differ after Holm."""
        every = f"of {len(self.pairs)} pairs"
        places = [int(i) for i in np.argsort(self.p_holm, kind="stable") if self.clear[int(i)]]
        if not places:
            return f"; {every} none differs after Holm"
        named = 1 if self._is_brief else len(places)
        pairs = [above(self.pairs[i], float(self.p_holm[i])) for i in places[:named]]
        if len(places) > named:
            pairs.append(f"{len(places) - named} more")
        differ = "1 differs" if len(places) == 1 else f"{len(places)} differ"
        return f"; {every} {differ} after Holm: {enumerated(pairs)}"

    def said(self, place: int = 0) -> list[str]:
        """A pair of several, then design and analysis of a pair, and how it was tested."""
        if not self.pairs:
            return []
        pair, several = self.pairs[place], len(self.pairs) > 1
        of = design_of(pair), how_tested(pair, self._after_holm(place))
        return [
            *([self.of_pair(place)] if several else []),
            *of,
            *([cached_comparison.after_holm(len(self.pairs))] * several),
        ]

    def advice(self, place: int = 0) -> list[str]:
        """Where a reader could be misled."""
        grows = [
            f"{self.words.capitalize()} grows with the number of queries, which stands beside it."
        ]
        sentences = advice_on(self.pairs[place]) if self.pairs else []
        grows = grows if self.measure.grows else []
        some = of_the_most(len(self.names)), self.order if self.pairs else ""
        return [
            *sentences,
            *filter(None, some),
            *grows,
            *(cached_comparison.on_view(self.score, self.unit, self.looks) if self.pairs else []),
        ]

    def method(self) -> str:
        """How systems were compared, for a methods section."""
        return cached_comparison.how_compared(
            f"{self.words} ({self.score})", self.topics_are, with_order=bool(self.scored.place.size)
        )

    @property
    def one_in(self) -> int:
        """Of how many sessions of a system one is drawn as a point; means are of all."""
        return max(1, -(-len(self.points) // cached_comparison.MOST_POINTS))

    def behind(self) -> str:
        """What stands behind the picture."""
        rows = self.systems.to_dict("records")
        each = "; ".join(
            f"{row['system']}: {counted(row['sessions'], 'session')}, {_asked(row['queries'])}"
            for row in rows
        )
        left = cached_comparison.left_out(self.score, self.undefined, self.left_out)
        text = f"{each}." if rows else ""
        if self._is_brief and self.omnibus[1]:
            text += f" The test over all drew {counted(self.omnibus[1], 'arrangement')}."
        text += cached_comparison.thinned(self.one_in) + left_out(self.without_judgments)
        return f"{text}{left}".strip()

    def of_means(self) -> str:
        """What the means and the difference are taken over."""
        lows = pd.concat([self.systems["low"], self.by_topic["low"]])
        bare = f" {NO_INTERVAL}" if lows.isna().any() else ""
        whom = "searchers" if self.scored.names_searchers else "sessions"
        return (
            "small ones are sessions, large ones means with their 95 % interval, which comes from "
            f"resampling {whom}; the difference is what is left once topics are taken off, its "
            f"interval by t.{bare}"
        )

    def table(self) -> pd.DataFrame:
        """One row per pair."""
        return table_of(self.pairs, self.score, self.p_holm)

    def short_table(self) -> pd.DataFrame:
        """What of the table fits a screen."""
        return self.table()[list(SHORT)]

    def sentences(self) -> str:
        """Everything in words, as `sdcg compare` writes it."""
        lines = [self.answer(), f"Score: {self.words} ({self.score}), in {self.unit}."]
        lines += filter(None, [self.behind(), withheld(self.withheld)])
        several = len(self.pairs) > 1
        lines += [cached_comparison.after_holm(len(self.pairs))] * several
        for i, pair in enumerate(self.pairs):
            own = self.said(i)[: 2 + several]
            lines += ["", f"{pair.system_a} and {pair.system_b}", *own, *self.advice(i)]
        return "\n".join(lines).strip() + "\n"


def compare_systems(
    study: Observed,
    definition: Definition,
    filters: Filters,
    *,
    score: str = cached_comparison.USUAL,
    topics_are: str = "fixed",
    with_order: bool = False,
) -> Comparison:
    """Compare every two systems within the filters on one score (one of ``scores_of``).

    `topics_are` (a key of ``TOPICS_ARE``) says for which topics an answer is to hold,
    `with_order` takes off what a later place among a searcher's sessions adds.

    Raises
    ------
    ValueError : no such score or choice of topics, or an order that is not known
    """
    cached_comparison.require_answerable(topics_are, with_order=with_order)
    score = named_score(study, score)
    measure = score_of(study, score)
    chosen = select(study, definition, filters)
    judged, values = may_have(score, chosen), measured(chosen, {score: measure})[score]
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    places = positions(study, chosen.sample)[known]
    if with_order:
        scored = replace(scored, place=whole(places))
    points = points_of(study, chosen, known, values)
    pairs = compared_in_pairs(scored)
    if sample := topics_are == "sample":
        pairs = tuple(for_topics_like_these(pair, scored) for pair in pairs)
    systems, by_topic = means_of(scored, sorted({*points["topic"]}))
    asked = definition, filters, score, topics_are
    return Comparison(
        score=score,
        measure=measure,
        looks=cached_comparison.looks(*asked, with_order=with_order),
        topics_are=topics_are,
        order=order_words(scored.names, scored.system, places),
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


def _asked(queries: float) -> str:
    """Mean number of queries."""
    return f"{queries:.3g} {'query' if queries == 1 else 'queries'} on average"
