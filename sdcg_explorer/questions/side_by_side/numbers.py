"""Would another definition say otherwise? The same sessions under several definitions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import mean_interval
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.session_curves.numbers import SessionCurves, session_curves
from sdcg_explorer.scoring import cache, mean_curves, measures, scored_sessions, scores, selection
from sdcg_explorer.scoring import definition as declared
from sdcg_explorer.scoring.definition import BESIDE, Definition, Filters
from sdcg_explorer.statistics.correlations import between, rounded
from sdcg_explorer.study.study import Study


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
    scored: scored_sessions.Scored

    @property
    def measure(self) -> str:
        """What its curves show, of those of Session curves."""
        return "normalised" if self.score == measures.USUAL else "raw"

    @property
    def ranked(self) -> list[SystemMean]:
        """The systems whose mean is defined, the highest first."""
        known = [mean for mean in self.means if mean.sessions]
        return sorted(known, key=lambda mean: (-round(mean.mean, numbers.DIGITS), mean.system))

    @property
    def order(self) -> tuple[tuple[str, ...], ...]:
        """The systems from the highest mean down, those that tie together."""
        groups = groupby(self.ranked, key=lambda mean: round(mean.mean, numbers.DIGITS))
        return tuple(tuple(mean.system for mean in group) for _, group in groups)

    @cached_property
    def lead(self) -> numbers.Pair | None:
        """The highest system less the next, as Compare systems has them with topics fixed."""
        if len(self.ranked) < 2 or self.definition.average == "ratio-of-means":
            return None
        first, second = (mean.system for mean in self.ranked[:2])
        return numbers.pair_without_test(self.scored, (second, first))

    @cached_property
    def is_clear(self) -> bool | None:
        """Whether the highest system is clearly ahead; None where that can't be told."""
        if (of := self.lead) is None or len(self.order[0]) > 1:
            return None
        differ = numbers.differ_clearly(self.scored, (of.system_a, of.system_b))
        return None if np.isnan(of.low) and not differ else differ and of.difference > 0

    def lead_columns(self, mean: SystemMean) -> dict[str, float]:
        """What of the lead stands in a system's row: all of it in that of the first."""
        is_first = len(self.ranked) > 1 and mean.system == self.ranked[0].system
        lead, names = self.lead if is_first else None, ("difference", "low", "high")
        values = (getattr(lead, name, np.nan) for name in names)
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

    @property
    def lacks_intervals(self) -> bool:
        """Whether some mean has no interval."""
        return any(np.isnan(mean.low) for under in self.definitions for mean in under.ranked)

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

    def rank_correlations(self) -> Floats:
        """Rank correlations (Spearman) of sessions' final shares between definitions, if known."""
        shares = pd.DataFrame([np.round(of.shares, numbers.DIGITS) for of in self.definitions]).T
        ranks = shares.corr(method="spearman", min_periods=3).to_numpy()
        pairs = ranks[np.triu_indices(len(ranks), 1)]
        return pairs[~np.isnan(pairs)]


def _with_behaviour_gains(preset: Definition, definition: Definition) -> Definition:
    """A preset that takes gains from behaviour where the definition in force does."""
    if definition.behaviour is None:
        return preset
    own = {name: getattr(definition, name) for name in ("grades", "ideal", *declared.OF_BEHAVIOUR)}
    return replace(preset, **own)


def side_by_side(
    study: Study, definition: Definition, filters: Filters, *, presets: tuple[str, ...] = BESIDE
) -> SideBySide:
    """The sessions within the filters under each preset named, and under the present definition."""
    own, each = definition.preset_text, dict[str, Definition]()
    for name in (name for name in declared.PRESETS if name in presets):
        one = _with_behaviour_gains(declared.PRESETS[name], definition)
        each[declared.PRESET_NAMES[name] if definition.changed_fields(one) else own] = one
    if own not in each:
        each = {own: definition, **each}
    judged = selection.select(study, definition, filters).sample.judged
    under = (_means_under(study, name, one, filters, name == own) for name, one in each.items())
    return SideBySide(tuple(under), int((~judged).sum()), int(judged.sum()))


def _means_under(
    study: Study, name: str, definition: Definition, filters: Filters, in_force: bool
) -> Under:
    """One definition; a slider moves only the present one, so the others are kept."""
    chosen = selection.select(study, definition, filters)
    key = "under", chosen.sample, name, definition, filters, in_force

    def counted() -> Under:
        sample = chosen.sample
        score = measures.compared_score(measures.USUAL, definition)
        shares = measures.session_score_of(score, chosen)
        known = ~np.isnan(shares)
        sums = mean_curves.score_sums(sample, shares[:, None])
        if score == measures.USUAL and definition.average == "ratio-of-means":
            gained = measures.session_score_of("final", chosen)
            both = np.column_stack([gained, chosen.final_ideals])
            of_both = mean_curves.score_sums(sample, np.where(known[:, None], both, np.nan)).values
            sums = mean_curves.Sums(of_both[..., :1], sums.number, of_both[..., 1:])
        each = mean_curves.curves_of(sums, bands=True, interval=mean_interval)
        means: list[SystemMean] = []
        for i in sample.shown_systems:
            # at its one position
            of = {name: value.item() for name, value in vars(each[i]).items()}
            means.append(SystemMean(sample.block.system_names[i], **of))
        curves = session_curves(study, definition, filters)
        scored, above = scored_sessions.scored_of(chosen, shares, known), chosen.above_one
        return Under(name, score, definition, in_force, curves, shares, tuple(means), above, scored)

    return cache.RESULTS.of(key, counted)


MOST_APART = 5  # sessions of each measure that are named
MOST_BESIDE = 30  # measures, each under each definition that is chosen
Entry = tuple[str, str]  # a score, and a preset; "" for the definition in force


def entry_name(entry: Entry) -> str:
    """How an entry is called in sentences and in links.

    >>> entry_name(("rbp", "")), entry_name(("final", "linear"))
    ('rbp', 'final under linear')
    """
    score, preset = entry
    return f"{score}{preset and f' under {preset}'}"


@dataclass(frozen=True, eq=False)
class MeasureComparison:
    """Measures beside the first of them.

    entries : each score with its preset · means : of each entry by system, in the study's order ·
    table : a row per entry · apart : sessions that an entry and the first judge most differently,
    by entry: a row for each, with its percentile by either

    Columns of the table. measure : the score with its parameters, or its unit · order : systems by
    their mean, the highest first · difference : of the clearest pair under the first entry, with
    its interval · tau : Kendall's τ-b of sessions with the first entry · swapped : share of pairs
    of systems whose means stand the other way round
    """

    entries: tuple[Entry, ...]
    means: tuple[dict[str, float], ...]
    table: pd.DataFrame
    apart: tuple[pd.DataFrame, ...]

    def short_table(self) -> pd.DataFrame:
        """What of the table fits a screen: without what its measures name already."""
        return self.table.drop(columns=["score", "definition"])


def compare_measures(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    entries: Sequence[Entry] = tuple((score, "") for score in measures.MAIN_SCORES),
) -> MeasureComparison:
    """Measures, each under the definition in force or a preset, beside the first of them.

    Raises
    ------
    ValueError : no such score or preset
    """
    under = {
        preset: _with_behaviour_gains(declared.under_preset(definition, preset), definition)
        for _, preset in entries
    }
    each = [numbers.ScoredBy.of(study, under[preset], filters, name) for name, preset in entries]
    first = each[0]
    pair = numbers.compare_pairs(study, first.chosen.definition, filters, first.score).chosen(None)
    systems = None if pair is None else (pair.system_a, pair.system_b)
    rows = [
        {
            "score": score,
            "measure": f"{_measure_name(own)}{preset and f', {declared.PRESET_NAMES[preset]}'}",
            "definition": preset or "current",
            **_entry_row(own, first, systems),
        }
        for (score, preset), own in zip(entries, each, strict=True)
    ]
    means = tuple(own.scored.means for own in each)
    apart = tuple(_differing_most(study, first, own) for own in each)
    return MeasureComparison(tuple(entries), means, pd.DataFrame(rows), apart)


def _entry_row(
    own: numbers.ScoredBy, first: numbers.ScoredBy, systems: tuple[str, str] | None
) -> dict[str, object]:
    """What one entry says, beside the first."""
    means = pd.Series(own.scored.means).round(numbers.DIGITS)
    row: dict[str, object] = {
        "sessions": int((~np.isnan(own.values)).sum()),
        "order": " > ".join(" = ".join(tied.index) for _, tied in means.groupby(-means)),
    }
    if pair := numbers.pair_without_test(own.scored, systems) if systems else None:
        named = ("system_a", "system_b", "difference", "low", "high")
        row |= {name: getattr(pair, name) for name in named}
    known = ~np.isnan(first.values) & ~np.isnan(own.values)
    clusters = own.chosen.sample.clusters[known]
    tau = between("kendall", first.values[known], own.values[known], clusters)
    row |= {"tau": tau.value, "tau_low": tau.low, "tau_high": tau.high}
    signs = system_pair_signs(first.scored.means, own.scored.means)
    return row | {"swapped": (signs.prod(axis=1) < 0).mean() if len(signs) else np.nan}


def _measure_name(of: numbers.ScoredBy) -> str:
    """A score with its parameters, or as it is called with its unit."""
    further = declared.further_of(of.score)
    if not further:
        return f"{measures.ALL_SESSION_SCORES[of.score].unit} ({of.score})"
    return declared.with_parameters(further, of.chosen.definition)


def system_pair_signs(base: dict[str, float], other: dict[str, float]) -> Floats:
    """Of pairs of systems (P,) that both have, which is ahead, 1, 0 or −1, by either: (P, 2)."""
    means = [[mean[name] for mean in (base, other)] for name in base if name in other]
    gaps = [np.subtract(*pair) for pair in combinations(np.round(means, numbers.DIGITS), 2)]
    return np.sign(gaps).reshape(-1, 2)


def _differing_most(study: Study, first: numbers.ScoredBy, own: numbers.ScoredBy) -> pd.DataFrame:
    """Sessions whose ranks by two measures differ most, of equals the first; none that agree."""
    rows, ranks = most_differing_ranks(first.values, own.values, MOST_APART)
    table = scores.names_of(study, own.chosen.sample, rows)[["session", "system"]]
    table[["first", "other"]] = ranks
    return table[table["first"] != table["other"]]


def most_differing_ranks(one: Floats, other: Floats, most: int) -> tuple[Ints, Floats]:
    """Where two scores (N,) differ most in rank, of equals the first, (K,), and both ranks (K, 2).

    A rank is the share of those known that lie below.
    """
    known = np.flatnonzero(~np.isnan(one) & ~np.isnan(other))
    placed = [pd.Series(rounded(each[known])).rank().to_numpy() for each in (one, other)]
    ranks = (np.column_stack(placed) - 0.5) / known.size
    order = np.argsort(-np.abs(ranks[:, 0] - ranks[:, 1]), kind="stable")[:most]
    return known[order], ranks[order]
