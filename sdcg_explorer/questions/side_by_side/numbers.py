"""Would another definition say otherwise? The same sessions under several definitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import mean_interval
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems.numbers import effects_of
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import (
    BESIDE,
    OF_BEHAVIOUR,
    PRESET_NAMES,
    PRESETS,
    Definition,
    Filters,
)
from sdcg_explorer.scoring.mean_curves import Sums, curves_of, score_sums
from sdcg_explorer.scoring.measures import USUAL, between_systems
from sdcg_explorer.scoring.scored_sessions import Scored, scored_of
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.statistics.two_way import NONE, Estimate
from sdcg_explorer.study.study import Study

DIGITS = 12  # beyond them lies rounding, which makes no order
Order = tuple[tuple[str, ...], ...]  # of systems, from the highest down, those that tie together


@dataclass(frozen=True)
class SystemMean:
    """Mean final share of the ideal of one system's sessions, and its interval."""

    system: str
    mean: float
    low: float
    high: float
    sessions: int


@dataclass(frozen=True, eq=False)
class Under:
    """The sessions under one definition: curves, each session's final share, means by system.

    score : which share; gain, where gains are from behaviour · scored : the same shares, by which
    systems are compared
    """

    name: str
    score: str
    definition: Definition
    in_force: bool
    curves: SessionCurves
    shares: Floats
    means: tuple[SystemMean, ...]
    above_one: int
    scored: Scored

    @property
    def name_in_sentence(self) -> str:
        """A preset's name; that of a changed one lists what was changed."""
        return self.name if self.name in PRESET_NAMES.values() else "the current definition"

    @property
    def measure(self) -> str:
        """What its curves show, of those of Session curves."""
        return "normalised" if self.score == USUAL else "raw"

    @property
    def ranked(self) -> list[SystemMean]:
        """The systems whose mean is defined, the highest first."""
        known = [mean for mean in self.means if mean.sessions]
        return sorted(known, key=lambda mean: (-round(mean.mean, DIGITS), mean.system))

    @property
    def order(self) -> Order:
        """The systems from the highest mean down, those that tie together."""
        groups = groupby(self.ranked, key=lambda mean: round(mean.mean, DIGITS))
        return tuple(tuple(mean.system for mean in group) for _, group in groups)

    @property
    def first(self) -> str:
        """The systems with the highest mean."""
        return " and ".join(self.order[0]) if self.order else ""

    @cached_property
    def lead(self) -> Estimate[float]:
        """The highest system less the next, each searcher and topic compared with itself."""
        ranked = self.ranked
        if len(ranked) < 2 or self.definition.average == "ratio-of-means":
            return Estimate(*NONE)
        pair = (self.scored.names.index(mean.system) for mean in reversed(ranked[:2]))
        found = effects_of(self.scored).difference(*pair)
        return found.without_rounding(rounding(self.scored.score))

    @property
    def has_lead_interval(self) -> bool:
        """Whether that difference has an interval."""
        return not np.isnan(self.lead.interval()[0])

    @property
    def is_clear(self) -> bool:
        """Whether the interval of that difference excludes 0."""
        return self.lead.interval()[0] > 0

    def lead_columns(self, mean: SystemMean) -> dict[str, float]:
        """What of the lead stands in a system's row: all of it in that of the first."""
        is_first = len(self.ranked) > 1 and mean.system == self.ranked[0].system
        values = (self.lead.value, *self.lead.interval()) if is_first else NONE
        return dict(zip(("ahead", "ahead_low", "ahead_high"), values, strict=True))


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The same sessions under several definitions."""

    definitions: tuple[Under, ...]
    without_judgments: int
    judged: int

    @property
    def undefined(self) -> int:
        """Sessions on judged topics without a share, under the definition shown first."""
        return self.judged - sum(mean.sessions for mean in self.definitions[0].means)

    def table(self) -> pd.DataFrame:
        """One row per definition and system."""
        return pd.DataFrame(
            {
                "definition": under.name,
                "system": mean.system,
                "sessions": mean.sessions,
                under.score: mean.mean,
                "low": mean.low,
                "high": mean.high,
                **under.lead_columns(mean),
                "sessions above 1": under.above_one,
                "order": ", ".join(" = ".join(tied) for tied in under.order),
            }
            for under in self.definitions
            for mean in under.means
        )

    def rank_correlations(self) -> pd.DataFrame:
        """Rank correlation (Spearman) of the sessions' final shares between definitions."""
        shares = pd.DataFrame({of.name: np.round(of.shares, DIGITS) for of in self.definitions})
        names = [*shares]
        ranks = shares.corr(method="spearman", min_periods=3)
        return ranks.reindex(index=names, columns=names).reset_index(names="definition")


def _with_grades(preset: Definition, definition: Definition) -> Definition:
    """A preset that takes gains from behaviour where the definition in force does."""
    if definition.behaviour is None:
        return preset
    own = {name: getattr(definition, name) for name in ("grades", "ideal", *OF_BEHAVIOUR)}
    return replace(preset, **own)


def side_by_side(
    study: Study, definition: Definition, filters: Filters, *, presets: tuple[str, ...] = BESIDE
) -> SideBySide:
    """The sessions within the filters under each preset named, and under the present definition."""
    each = {
        PRESET_NAMES[name]: _with_grades(PRESETS[name], definition)
        for name in PRESETS
        if name in presets
    }
    force = [name for name, one in each.items() if not definition.changed_fields(one)]
    if not force:
        force, each = [definition.preset_text], {definition.preset_text: definition, **each}
    judged = select(study, definition, filters).sample.judged
    under = (_under(study, name, one, filters, name in force) for name, one in each.items())
    return SideBySide(tuple(under), int((~judged).sum()), int(judged.sum()))


def _under(
    study: Study, name: str, definition: Definition, filters: Filters, in_force: bool
) -> Under:
    """One definition; a slider moves only the present one, so the others are kept."""
    chosen = select(study, definition, filters)
    key = "under", chosen.sample, name, definition, filters, in_force

    def counted() -> Under:
        sample = chosen.sample
        score = between_systems(USUAL, definition)
        shares = chosen.session_score(score)
        known = ~np.isnan(shares)
        sums = score_sums(sample, shares[:, None])
        if score == USUAL and definition.average == "ratio-of-means":
            ideals = chosen.layout_ideals[:, -1, -1][sample.ideal_layouts[1]]
            both = np.column_stack([chosen.session_score("final"), ideals])
            of_both = score_sums(sample, np.where(known[:, None], both, np.nan)).values
            sums = Sums(of_both[..., :1], sums.number, of_both[..., 1:])
        each = curves_of(sums, bands=True, interval=mean_interval)
        means: list[SystemMean] = []
        for i in sample.shown_systems:
            # at its one position
            of = {name: value.item() for name, value in vars(each[i]).items()}
            means.append(SystemMean(sample.block.system_names[i], **of))
        return Under(
            name=name,
            score=score,
            definition=definition,
            in_force=in_force,
            curves=session_curves(study, definition, filters),
            shares=shares,
            means=tuple(means),
            above_one=chosen.above_one,
            scored=scored_of(chosen, shares, known),
        )

    return RESULTS.of(key, counted)
