"""How much better is the last query than the others? Figure 1 of ECIR 2008."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.curves.axis_end import THIN
from sdcg_explorer.analysis.curves.query_curves import (
    MEASURES,
    Drawn,
    QueryCurve,
    full_lists,
    query_curves,
)
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.statistics.effect_sizes import rounding
from sdcg_explorer.analysis.systems.last_against_others import (
    LastAgainstOthers,
    last_against_others,
)
from sdcg_explorer.questions.words import last_against_others as last_words
from sdcg_explorer.questions.words.last_against_others import NAMED
from sdcg_explorer.questions.words.wording import (
    between,
    counted,
    left_out,
    short,
    withheld,
    without_interval,
)
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.observed import Observed

NO_IDEAL = (
    "No query is left whose ideal list gains anything: widen the filters under Show, or give gains."
)
EACH = 10  # ranks that an axis is longer by
SHOWN_RANK = 20  # at which the curves are read
ALONE = "Every session left has one query only: draw these, too, or widen the filters under Show."
CHOSEN = "The best query is chosen as the best: that it is ahead says only how it was chosen."


@dataclass(frozen=True, eq=False)
class QueryOrder:
    """The curves of one split of the queries, system by system.

    reach : ranks that are drawn, as the lists end there · single : sessions of one query, by
    system · paired : last against others within sessions,
    where that is the split
    """

    curves: tuple[QueryCurve, ...]
    drawn: Drawn
    sessions: int
    without_judgments: int
    reach: int
    single: dict[str, int]
    paired: LastAgainstOthers | None = None
    bands: bool = False
    withheld: int = 0

    @property
    def depth(self) -> int:
        """Ranks of the curves."""
        return self.drawn.depth

    def curve(self, system: str, group: str) -> QueryCurve:
        """Curve of one system and group."""
        return next(c for c in self.curves if (c.system, c.group) == (system, group))

    def table(self) -> pd.DataFrame:
        """One row per system, group and rank."""
        return pd.concat(
            [
                pd.DataFrame(
                    {
                        "system": curve.system,
                        "group": curve.group,
                        "rank": np.arange(1, self.depth + 1),
                        "queries": curve.queries,
                        "mean": curve.mean,
                        "low": curve.low,
                        "high": curve.high,
                    }
                )
                for curve in self.curves
            ],
            ignore_index=True,
        )

    @property
    def unit(self) -> str:
        """What the curves are counted in."""
        if self.drawn.shares:
            return "nDCG (share of the ideal list)"
        return "sDCG (gain)" if self.drawn.discounted else "DCG (gain)"

    def within(self) -> str:
        """By how much last queries differ from the others within sessions; empty if not asked."""
        return last_words.headline(self.paired) if self.paired and self._apart else ""

    def answer(self) -> str:
        """The page's first line: how far the curves of each system are apart at a rank."""
        if not any(curve.queries for curve in self.curves):
            return self._nothing()
        queries, apart = f"{self.curves[0].group} queries", self._apart
        if not apart:
            single = sum(self.single.values()) == self.sessions
            why = ": every session left has one query" if single else " whose worth is known"
            return f"No system has both {queries} and others{why}."
        shown = [apart[0], apart[-1]] if len(apart) > NAMED else apart
        (first, gap), *others = shown
        are = "have an nDCG" if self.drawn.shares else "are worth"
        lead = f"{first}'s {queries} {are} {self._by(gap)} than its others"
        parts = [lead, *(f"{name}'s {self._by(of)}" for name, of in others)]
        more = between(len(apart)) if len(apart) > NAMED else self._lacking()
        return f"At rank {self.shown_rank} {', '.join(parts)}{f'; {more}' if more else ''}."

    def _lacking(self) -> str:
        """Systems that have curves, but can't be compared."""
        apart = {name for name, _ in self._apart}
        drawn = dict.fromkeys(curve.system for curve in self.curves if curve.queries)
        names = [name for name in drawn if name not in apart]
        if not names:
            return ""
        lack = f"{names[0]} lacks" if len(names) == 1 else f"{len(names):,} systems lack"
        return f"{lack} one of the two"

    def _nothing(self) -> str:
        """Why there is no curve."""
        if any(curve.undefined for curve in self.curves):
            return NO_IDEAL
        if self.drawn.several and any(self.single.values()):
            return ALONE
        return "No query is left, or nobody judged its topic: widen the filters under Show."

    @cached_property
    def _apart(self) -> list[tuple[str, float]]:
        """How much higher the first curve of each system is at the rank, where it has both."""
        names = [curve.system for curve in self.curves[::2]]
        means = np.array([curve.mean[self.shown_rank - 1] for curve in self.curves]).reshape(-1, 2)
        gaps = means[:, 0] - means[:, 1]
        gaps[np.abs(gaps) <= rounding(means[np.isfinite(means)])] = 0.0
        found = zip(names, gaps.tolist(), strict=True)
        return sorted([each for each in found if np.isfinite(each[1])], key=lambda each: -each[1])

    def _by(self, gap: float) -> str:
        """How much more, or less."""
        more, less = ("higher", "lower") if self.drawn.shares else ("more", "less")
        return f"{short(abs(gap))} {less if gap < 0 else more}"

    @property
    def shown_rank(self) -> int:
        """Rank at which the curves are read."""
        return min(SHOWN_RANK, self.reach)

    def levelling(self) -> str:
        """Where each curve levels off, in words; a share may fall, and levels off nowhere."""
        if self.drawn.shares:
            return ""
        parts = [
            f"{curve.system}, {curve.group}: {'–' if np.isnan(at) else f'rank {at:g}'}"
            for curve in self.curves
            if curve.queries
            for at in [curve.levels_off]
        ]
        return "Levels off (99 % of its end): " + "; ".join(parts) + "."

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        held = [said] if (said := withheld(self.withheld)) else []
        is_last = any(curve.group == "last" for curve in self.curves)
        held += [] if is_last else [CHOSEN]
        held += last_words.caveat(self.paired) if self.paired else []
        few = [c for c in self.curves if 0 < c.queries < THIN]
        said = [f"Only {counted(c.queries, 'query')} behind {c.system}, {c.group}." for c in few]
        drawn = [(f"{c.system}, {c.group}", c.mean, c.low) for c in self.curves if c.queries]
        return [*held, *said, *(without_interval(drawn, "rank") if self.bands else [])]

    def behind(self) -> str:
        """What stands behind the picture: queries per curve, how they are drawn, and read."""
        queries = "; ".join(
            f"{c.system}, {c.group}: {counted(c.queries, 'query')}" for c in self.curves
        )
        counts = last_words.counts(self.paired) if self.paired else ""
        sentences = [
            f"{queries}. Full lists to rank {self.depth}.{left_out(self.without_judgments)}"
            f"{self._undefined()}"
        ]
        sentences += [
            f"{self._discount()}{self._sessions()}.",
            self.at_rank(),
            *([f"{self._lacking()}."] if len(self._apart) > NAMED and self._lacking() else []),
            *([f"Sessions that have both: {counts}."] if counts else []),
        ]
        return " ".join(sentences)

    def _undefined(self) -> str:
        number = sum(curve.undefined for curve in self.curves)
        if not number:
            return ""
        return f" Left out: {counted(number, 'query')} whose ideal list gains nothing."

    def _discount(self) -> str:
        if self.drawn.shares:
            return (
                "Each query's DCG is divided by that of its topic's ideal list, rank by rank, and "
                "then averaged over queries; nothing is compared within sessions"
            )
        if self.drawn.discounted:
            return "Queries are discounted by their place, D(q), as in the paper"
        return "Queries are drawn before the query discount, without D(q)"

    def _sessions(self) -> str:
        """What becomes of one-query sessions, which have a last query and no others."""
        number = sum(self.single.values())
        if not number:
            return ""
        if self.drawn.several:
            rest = f"{counted(number, 'session')} of one query left out"
            return f"; only sessions with several queries are drawn, {rest}"
        each = ", ".join(f"{count:,} of {name}" for name, count in self.single.items() if count)
        return f"; one-query sessions are among the {self.curves[0].group}, as in the paper: {each}"

    def method(self) -> str:
        """How last queries were compared within sessions; empty where they were not."""
        return last_words.method(self.paired) if self.paired else ""

    def at_rank(self) -> str:
        """What the curves have reached at a rank."""
        values = [
            f"{c.system}, {c.group}: {_value(c, self.shown_rank)}" for c in self.curves if c.queries
        ]
        return f"At rank {self.shown_rank}: {'; '.join(values)}."


def _value(curve: QueryCurve, rank: int) -> str:
    mean, low, high = (edge[rank - 1] for edge in (curve.mean, curve.low, curve.high))
    sure = "" if np.isnan(low) else f" (95 % interval {short(low)} to {short(high)})"
    return f"{short(mean)}{sure}"


def query_order(
    study: Observed,
    definition: Definition,
    filters: Filters,
    *,
    splits: tuple[str, ...] = ("last",),
    depth: int = DEPTH,
    bands: bool = False,
    several: bool = False,
    discounted: bool = True,
    measure: str = "sdcg",
) -> QueryOrder:
    """Mean sDCG(q), or nDCG, by rank of last queries against others, or of best against the rest.

    Full lists to `depth`, whatever top and short lists say; the best query of a session is the
    one with the highest sDCG(q) at top, the earliest on ties. `splits` are keys of ``SPLITS``
    (analysis/curves/query_curves.py); `bands` adds bootstrap intervals, searchers resampled;
    `several` draws sessions with several queries alone; without `discounted` sDCG(q) is DCG, D(q)
    being 1. With the `measure` ndcg each query's DCG is a share of its ideal list's; the best query
    is then that of the highest nDCG at top, and queries whose ideal gains nothing are left out.

    Raises
    ------
    ValueError : a measure that is not in ``MEASURES`` (analysis/curves/query_curves.py)
    """
    if measure not in MEASURES:
        raise ValueError(f"measure {measure!r}; known are {', '.join(MEASURES)}.")
    view, depth = (study, definition, filters), study.depth_to(depth)
    drawn = Drawn(depth, several, discounted, measure)
    within = splits == ("last",) and not drawn.shares
    chosen = full_lists(*view, depth)
    sample = chosen.sample
    return QueryOrder(
        curves=tuple(c for split in splits for c in query_curves(chosen, split, drawn, bands)),
        drawn=drawn,
        sessions=sample.count(sample.judged),
        without_judgments=sample.count(~sample.judged),
        reach=min(depth, EACH * -(-sample.ranks(depth) // EACH)),
        single={
            sample.block.system_names[i]: int(sample.of_one_query[i]) for i in sample.shown_systems
        },
        paired=last_against_others(*view, measures=("dcg",)) if within else None,
        bands=bands,
        withheld=study.report.withheld,
    )
