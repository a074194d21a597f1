"""Would another measure say otherwise? Systems' order, difference and sessions by measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.compare_systems.numbers import every_pair, one_pair
from sdcg_explorer.scoring.definition import (
    PRESET_NAMES,
    Definition,
    Filters,
    further_of,
    under_preset,
    with_parameters,
)
from sdcg_explorer.scoring.measures import (
    ALL_SESSION_SCORES,
    USUAL,
    between_systems,
    is_of_ideal,
    require_score,
    session_score_of,
)
from sdcg_explorer.scoring.scored_sessions import Scored, group_means, scored_of
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.statistics.correlations import between, rounded
from sdcg_explorer.study.study import Study

SCORES = (USUAL, "final", "mean_ndcg", "mean_ldcg", "rbp", "srbp", "inst", "err", "esndcg")
DIGITS = 12  # beyond them lies rounding, which makes no order
MOST_APART = 5  # sessions of each measure that are named
MOST_BESIDE = 30  # measures, each under each definition that is chosen
Entry = tuple[str, str]  # a score, and a preset; "" for the definition in force


def entries_of(scores: Sequence[str], presets: Sequence[str]) -> tuple[Entry, ...]:
    """Each score under the definition in force, and then under each preset."""
    return tuple((score, preset) for preset in ("", *presets) for score in scores)


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
    by entry: a row for each, with the share of sessions below it by either

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
    entries: Sequence[Entry] = tuple((score, "") for score in SCORES),
) -> MeasureComparison:
    """Measures, each under the definition in force or a preset, beside the first of them.

    Raises
    ------
    ValueError : no such score or preset
    """
    each = [
        _Scored.of(study, under_preset(definition, preset), filters, name)
        for name, preset in entries
    ]
    first = each[0]
    pair = every_pair(study, first.chosen.definition, filters, first.score).chosen(None)
    systems = None if pair is None else (pair.system_a, pair.system_b)
    rows = [
        {
            "score": score,
            "measure": f"{_measure_name(own)}{preset and f', {PRESET_NAMES[preset]}'}",
            "definition": preset or "current",
            **_row(own, first, systems),
        }
        for (score, preset), own in zip(entries, each, strict=True)
    ]
    return MeasureComparison(
        tuple(entries),
        tuple(own.means for own in each),
        pd.DataFrame(rows),
        tuple(_most_apart(study, first, own) for own in each),
    )


def first_of(means: dict[str, float]) -> tuple[str, ...]:
    """The system with the highest mean, or all that tie.

    >>> first_of({"A": 0.1, "B": 0.3, "C": 0.1 + 0.2})
    ('B', 'C')
    """
    highest = max(means.values())
    near = abs(highest) * 10.0**-DIGITS
    return tuple(name for name, mean in means.items() if mean >= highest - near)


def main_measures(
    study: Study, definition: Definition, filters: Filters, *, but: str = USUAL
) -> dict[str, tuple[str, ...]]:
    """The systems with the highest mean by each of ``SCORES`` but one that two or more have."""
    but = between_systems(but, definition)
    each = {
        score: _Scored.of(study, definition, filters, score).means
        for score in SCORES
        if score != but and not (definition.behaviour and is_of_ideal(score))
    }
    return {score: first_of(means) for score, means in each.items() if len(means) > 1}


@dataclass(frozen=True, eq=False)
class _Scored:
    """A score of each session, (S,), nan where it is not defined; sessions that have it."""

    score: str
    chosen: Selection
    values: Floats

    @classmethod
    def of(cls, study: Study, definition: Definition, filters: Filters, score: str) -> _Scored:
        """One score under one definition."""
        require_score(score)
        chosen = select(study, definition, filters)
        values = session_score_of(score, chosen)
        values = np.where(chosen.sample.judged & np.isfinite(values), values, np.nan)
        return cls(score, chosen, values)

    @cached_property
    def scored(self) -> Scored:
        """Sessions that have the score, by system, searcher and topic."""
        return scored_of(self.chosen, self.values, ~np.isnan(self.values))

    @cached_property
    def means(self) -> dict[str, float]:
        """Mean of each system that has a session with the score."""
        own, size = self.scored, len(self.scored.names)
        means = group_means(own.score, own.system, size).tolist()
        return {name: mean for name, mean in zip(own.names, means, strict=True) if mean == mean}


def _row(own: _Scored, first: _Scored, systems: tuple[str, str] | None) -> dict[str, object]:
    """What one entry says, beside the first."""
    row: dict[str, object] = {
        "sessions": int((~np.isnan(own.values)).sum()),
        "order": " > ".join(sorted(own.means, key=lambda name: -own.means[name])),
    }
    if pair := one_pair(own.scored, systems) if systems else None:
        named = ("system_a", "system_b", "difference", "low", "high")
        row |= {name: getattr(pair, name) for name in named}
    known = ~np.isnan(first.values) & ~np.isnan(own.values)
    clusters = own.chosen.sample.clusters[known]
    tau = between("kendall", first.values[known], own.values[known], clusters)
    row |= {"tau": tau.value, "tau_low": tau.low, "tau_high": tau.high}
    return row | {"swapped": _swapped_pair_share(first.means, own.means)}


def _measure_name(of: _Scored) -> str:
    """A score with its parameters, or as it is called with its unit."""
    further = further_of(of.score)
    if not further:
        return f"{ALL_SESSION_SCORES[of.score].unit} ({of.score})"
    return with_parameters(further, of.chosen.definition)


def _swapped_pair_share(base: dict[str, float], other: dict[str, float]) -> float:
    """Share of pairs of systems that stand the other way round; nan where there is none."""
    pairs = [*combinations([name for name in base if name in other], 2)]
    if not pairs:
        return np.nan
    return sum((base[a] - base[b]) * (other[a] - other[b]) < 0 for a, b in pairs) / len(pairs)


def _most_apart(study: Study, first: _Scored, own: _Scored) -> pd.DataFrame:
    """Sessions whose ranks by two measures differ most, of equals the first; none that agree."""
    sample = own.chosen.sample
    rows, ranks = ranked_apart(first.values, own.values, MOST_APART)
    sessions = study.sessions["session"].astype(str).to_numpy()[sample.sessions[rows]]
    systems = np.array(sample.block.system_names, dtype=object)[sample.systems[rows]]
    table = pd.DataFrame({"session": sessions, "system": systems})
    table[["first", "other"]] = ranks
    return table[table["first"] != table["other"]]


def ranked_apart(one: Floats, other: Floats, most: int) -> tuple[Ints, Floats]:
    """Where two scores (N,) differ most in rank, of equals the first, (K,), and both ranks (K, 2).

    A rank is the share of those known that lie below.
    """
    known = np.flatnonzero(~np.isnan(one) & ~np.isnan(other))
    placed = [pd.Series(rounded(each[known])).rank().to_numpy() for each in (one, other)]
    ranks = (np.column_stack(placed) - 0.5) / known.size
    order = np.argsort(-np.abs(ranks[:, 0] - ranks[:, 1]), kind="stable")[:most]
    return known[order], ranks[order]
