"""Every two systems on a score, for the questions that look into one pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.registry import require_score, session_score_of
from sdcg_explorer.analysis.systems.scored_sessions import Scored, scored_of
from sdcg_explorer.analysis.systems.two_systems import Pair, compare, effects_of, holm
from sdcg_explorer.metrics.arrays import Bools, Floats
from sdcg_explorer.study.study import Study

MOST_PAIRED = 20  # systems: pairs grow with their square, and take some 10 ms each
MOST = np.iinfo(np.int64).max
ENDS = ("superiority_low", "superiority_high")
COLUMNS = (
    *("system_a", "system_b", "score", "design", "n_a", "n_b", "unit", "units", "mean_a"),
    *("mean_b", "difference", "low", "high", "p_t", "p_permutation", "arrangements", "p_holm"),
    *("hedges_g", "superiority", *ENDS),
)
WIDE = ("score", "design", "n_a", "n_b", "mean_a", "mean_b", "arrangements", *ENDS)
SHORT = tuple(name for name in COLUMNS if name not in WIDE)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two systems compared on one score, as Compare systems has it with topics fixed.

    names : of systems with a session · undefined, without_judgments : sessions that were left out
    """

    scored: Scored
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    undefined: int
    without_judgments: int

    @property
    def p_holm(self) -> Floats:
        """P of each pair, corrected after Holm."""
        return holm(np.array([pair.p for pair in self.pairs]))

    def chosen(self, systems: tuple[str, str] | None) -> Pair | None:
        """The pair of two systems, in whichever order, or else the one that differs most.

        Raises
        ------
        ValueError : no such pair
        """
        if systems is None:
            return self.pairs[most(self.pairs, self.p_holm)] if self.pairs else None
        for pair in self.pairs:
            if {pair.system_a, pair.system_b} == {*systems}:
                return pair
        known = ", ".join(self.names)
        few = f", of which {MOST_PAIRED} are compared" if len(self.names) > MOST_PAIRED else ""
        raise ValueError(f"no pair {' and '.join(systems)}; systems are {known}{few}.")


def compared_in_pairs(scored: Scored, baseline: str = "") -> tuple[Pair, ...]:
    """Compare every two systems, or each with a baseline, which is then the first of every pair."""
    scored = in_model(scored, baseline)
    codes = np.unique(scored.system)
    effects = effects_of(scored) if codes.size else None
    pairs = pairs_of(codes.tolist(), scored.names, baseline)
    return tuple(compare(scored, a, b, effects=effects) for a, b in pairs)


def one_pair(scored: Scored, systems: tuple[str, str]) -> Pair | None:
    """One of the pairs without its permutation test; None where either has no session."""
    scored = in_model(scored)
    a, b = (scored.names.index(name) for name in systems)
    if not {a, b} <= {*scored.system.tolist()}:
        return None
    return compare(scored, a, b, effects=effects_of(scored), draws=1)


def in_model(scored: Scored, baseline: str = "") -> Scored:
    """The sessions that the model of all pairs is fitted to, centred by themselves."""
    rows = modelled(scored, baseline)
    return scored if rows.all() else replace(scored.take(rows))


def modelled(scored: Scored, baseline: str = "") -> Bools:
    """Sessions (N,) that the model of all pairs is fitted to.

    Of more than ``MOST_PAIRED`` systems the baseline, and those with the most sessions, are
    compared; others are then out of the model, as if they were not shown.
    """
    codes, sessions = np.unique(scored.system, return_counts=True)
    if codes.size > MOST_PAIRED:
        sessions = np.where([scored.names[code] == baseline for code in codes], MOST, sessions)
        codes = np.sort(codes[np.argsort(-sessions, kind="stable")[:MOST_PAIRED]])
    return np.isin(scored.system, codes)


def pairs_of(
    codes: Sequence[int], names: Sequence[str], baseline: str = ""
) -> list[tuple[int, int]]:
    """Every two of some systems, or a baseline and each other one; none without the baseline.

    >>> pairs_of([0, 1, 2], "ABC", "B"), pairs_of([0, 2], "ABC", "B")
    ([(1, 0), (1, 2)], [])
    """
    if not baseline:
        return [*combinations(codes, 2)]
    first = names.index(baseline)
    return [(first, code) for code in codes if code != first] if first in codes else []


def most(pairs: Sequence[Pair], p_holm: Floats) -> int:
    """Place of the pair that differs most: by its p, of equal ones by its difference."""
    p = np.nan_to_num(p_holm, nan=2.0)
    apart = np.nan_to_num(np.abs([pair.difference for pair in pairs]), nan=-1.0)
    return int(np.lexsort((-apart, p))[0])


def every_pair(study: Study, definition: Definition, filters: Filters, score: str) -> Pairs:
    """Compare every two systems on a score.

    Raises
    ------
    ValueError : no such score
    """
    require_score(score)
    chosen = select(study, definition, filters)
    judged = chosen.sample.judged
    values = session_score_of(score, chosen)
    known = judged & np.isfinite(values)
    scored = scored_of(chosen, values, known)
    codes = np.unique(scored.system).tolist()
    return Pairs(
        scored,
        tuple(scored.names[code] for code in codes),
        compared_in_pairs(scored),
        undefined=int((judged & ~known).sum()),
        without_judgments=int((~judged).sum()),
    )


def table_of(pairs: Sequence[Pair], score: str, p_holm: Floats) -> pd.DataFrame:
    """One row per pair compared on a score, p after Holm beside it."""
    rows = [
        {
            **{name: getattr(pair, name, None) for name in COLUMNS},
            "score": score,
            "p_holm": float(holm),
        }
        for pair, holm in zip(pairs, p_holm, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
