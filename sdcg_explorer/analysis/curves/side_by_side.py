"""Would another definition say otherwise? The same sessions under several definitions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.curves.curves_by_system import curves_by_system
from sdcg_explorer.analysis.curves.leads import lead_of
from sdcg_explorer.analysis.curves.under_definition import DIGITS, SystemMean, Under
from sdcg_explorer.analysis.definition.definition import (
    PRESET_NAMES,
    PRESETS,
    Definition,
    Filters,
)
from sdcg_explorer.analysis.selection.results import RESULTS
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.metrics import bootstrap_interval, group_sums, normalised
from sdcg_explorer.questions.words.wording import (
    NAMED,
    NO_INTERVAL,
    counted,
    enumerated,
    left_out,
    share,
)
from sdcg_explorer.study.observed import NeedsSessionsError, Observed


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The same sessions under several definitions."""

    each: tuple[Under, ...]
    without_judgments: int

    def table(self) -> pd.DataFrame:
        """One row per definition and system."""
        return pd.DataFrame(
            [
                {
                    "definition": under.name,
                    "system": mean.system,
                    "sessions": mean.sessions,
                    "final_normalised": mean.mean,
                    "low": mean.low,
                    "high": mean.high,
                    **under.ahead(mean),
                    "sessions above 1": under.above_one,
                    "order": _ordered(under.order),
                }
                for under in self.each
                for mean in under.means
            ]
        )

    def correlations(self) -> pd.DataFrame:
        """Rank correlation (Spearman) of the sessions' final shares between definitions.

        Raises
        ------
        NeedsSessionsError : sessions were counted
        """
        known = {under.name: under.shares for under in self.each if under.shares is not None}
        if len(known) < len(self.each):
            raise NeedsSessionsError
        names = [*known]
        shares = pd.DataFrame({name: np.round(of, DIGITS) for name, of in known.items()})
        ranks = shares.corr(method="spearman", min_periods=3)
        return ranks.reindex(index=names, columns=names).reset_index(names="definition")

    def answer(self) -> str:
        """The page's first line."""
        if not any(under.ranked for under in self.each):
            return "No session with a share of an ideal is left: widen the filters under Show."
        return f"{self._order()}{self._agreement()}."

    def _order(self) -> str:
        ranked = [under for under in self.each if under.ranked]
        if all(len(under.ranked) == 1 for under in ranked):
            return "With one system there is no order to compare: show a second, or bring its log"
        if len(ranked) == 1:
            return f"The one definition shown puts {ranked[0].first} first"
        every = "Both" if len(ranked) == 2 else f"All {len(ranked)}"
        firsts = {under.first: under.order for under in ranked}
        orders = {under.order for under in ranked}
        if len(orders) == 1:
            (order,) = orders
            return f"{every} definitions {_ranked_so(order)}"
        if len(firsts) == 1:
            rest = "but order the rest in several ways"
            return f"{every} definitions put {ranked[0].first} first, {rest}"
        if max(len(firsts), len(ranked[0].ranked) - 1) > 2:
            return f"The definitions disagree: {self._firsts(ranked)}"
        told = [
            f"{first} first under {enumerated([u.name for u in ranked if u.first == first])}"
            for first in sorted(firsts)
        ]
        return f"The definitions disagree: {', '.join(told)}"

    @staticmethod
    def _firsts(ranked: list[Under]) -> str:
        """Who comes first under most definitions, and how many others under one."""
        each = Counter(under.first for under in ranked)
        (first, most), *others = each.most_common()
        under = "none more often than another"
        if most > others[0][1]:
            under = f"{first} under {most} of {len(ranked)}"
        return f"{counted(len(each), 'system')} come first under one or another, {under}"

    def _agreement(self) -> str:
        if any(under.shares is None for under in self.each):
            return ""
        values = self.correlations().drop(columns="definition").to_numpy(dtype=float)
        pairs = values[np.triu_indices(len(self.each), 1)]
        pairs = pairs[~np.isnan(pairs)]
        if not pairs.size:
            return "; no rank correlation of sessions is defined"
        low, high = share(float(pairs.min())), share(float(pairs.max()))
        return f"; sessions correlate {low if low == high else f'{low} to {high}'} in rank"

    def behind(self, *, every: bool = False) -> str:
        """What stands behind the pictures, to the last query or while enough sessions run."""
        means = next((under.means for under in self.each if under.in_force), ())
        counts = "; ".join(f"{m.system}: {counted(m.sessions, 'session')}" for m in means)
        scale = "Each small figure has a scale of its own."
        curves = self.each[0].curves
        cut = "" if every else f" {curves.goes_on(None)}".rstrip()
        return f"{counts}. {scale}{cut}{left_out(self.without_judgments)}"

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        unsure = [under.name for under in self.each if under.unsure]
        above = [f"{u.name} ({u.above_one:,})" for u in self.each if u.above_one]
        nothing = [under.name for under in self.each if not under.ranked]
        bare = any(np.isnan(mean.low) for u in self.each for mean in u.means if mean.sessions)
        sentences = [
            "The 95 % interval of the difference between the two highest systems holds 0 under "
            f"{enumerated(unsure)}: their order there may be chance."
            if unsure
            else "",
            f"Sessions above 1 under {enumerated(above)}: repeats count there, and not in the "
            "ideal."
            if above
            else "",
            f"Nothing gains under {enumerated(nothing)}, so no share of an ideal is defined there."
            if nothing
            else "",
            *next((under.curves.thin() for under in self.each if under.in_force), []),
            NO_INTERVAL if bare else "",
        ]
        return [sentence for sentence in sentences if sentence]


def _ranked_so(order: tuple[tuple[str, ...], ...]) -> str:
    """An order in words: all of it, or its ends."""
    if [len(group) for group in order] == [1, 1]:
        return f"put {order[0][0]} first"
    if (systems := sum(map(len, order))) <= NAMED:
        return f"rank the systems {_ordered(order)}"
    if len(order) == 1:
        return f"rank all {systems} systems equal"
    top, *_, last = (group[0] if len(group) == 1 else f"{len(group)} systems" for group in order)
    between = systems - len(order[0]) - len(order[-1])
    return f"put {top} first and {last} last, with one order of the {between:,} between"


def _ordered(order: tuple[tuple[str, ...], ...]) -> str:
    """An order in words: a comma between places, = between systems that tie."""
    return ", ".join(" = ".join(group) for group in order)


def side_by_side(
    study: Observed,
    definition: Definition,
    filters: Filters,
    *,
    presets: tuple[str, ...] = tuple(PRESETS),
) -> SideBySide:
    """The sessions within the filters under each preset named, and under the present definition."""
    shown = {name: PRESETS[name] for name in PRESETS if name in presets}
    present = [] if definition in shown.values() else [(definition.preset, definition)]
    named = [*present, *((PRESET_NAMES[name], preset) for name, preset in shown.items())]
    sample = select(study, definition, filters).sample
    each = [_under(study, name, one, filters, one == definition) for name, one in named]
    return SideBySide(tuple(each), sample.count(~sample.judged))


def _under(
    study: Observed, name: str, definition: Definition, filters: Filters, in_force: bool
) -> Under:
    """One definition; a slider moves only the present one, so the others are kept."""
    asked = name, definition, filters, in_force
    key = "under", select(study, definition, filters).sample, *asked
    return RESULTS.of(key, lambda: _counted(study, *asked))


def _counted(
    study: Observed, name: str, definition: Definition, filters: Filters, in_force: bool
) -> Under:
    chosen = select(study, definition, filters)
    sample = chosen.sample
    names = sample.block.system_names
    shares = chosen.score_of_sums("final_normalised")
    known = ~np.isnan(shares)
    size = (int(sample.clusters.max(initial=-1)) + 1, len(names))
    place = sample.clusters * size[1] + sample.systems

    def added(of: Floats) -> Floats:
        return group_sums(np.where(known, of, 0.0), place, size[0] * size[1]).reshape(size)

    sums, counts = added(shares), added(sample.number.astype(np.float64))
    number = counts.sum(axis=0)
    if definition.average == "ratio-of-means":
        sums = added(chosen.score_of_sums("final"))
        counts = added(chosen.ideals[:, -1, -1][sample.layouts[1]] * sample.number)
    mean = normalised(sums.sum(axis=0), counts.sum(axis=0))
    low, high = bootstrap_interval(sums, counts)
    means = [
        SystemMean(names[i], float(mean[i]), float(low[i]), float(high[i]), int(number[i]))
        for i in sample.shown_systems
    ]
    return Under(
        name,
        definition,
        in_force,
        curves_by_system(study, definition, filters),
        sample.single(shares),
        tuple(means),
        chosen.above_one,
        lead_of(chosen, shares),
    )
