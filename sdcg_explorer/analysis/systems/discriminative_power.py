"""Which score tells systems apart? P of every pair by score, and the difference that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.definition.further import further_of, with_parameters
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.family import OF_SESSIONS
from sdcg_explorer.analysis.sessions.registry import USUAL, require_score, session_score_of
from sdcg_explorer.analysis.systems.means import scored_of
from sdcg_explorer.analysis.systems.pairs import in_model
from sdcg_explorer.analysis.systems.scored_sessions import Scored
from sdcg_explorer.analysis.systems.two_systems import Pair, compare, effects_of
from sdcg_explorer.study.study import Study

SCORES = (USUAL, "final", "mean_ndcg", "mean_dcg", "best")
LEVEL = 0.05
HALVES, SEED = 20, 20_060  # splits of two systems' units, each in two halves
DRAWS = 1_000  # arrangements of a pair
COLUMNS = ("score", "system_a", "system_b", "half", "difference", "low", "high", "p")


def scores_asked(definition: Definition) -> tuple[str, ...]:
    """The usual scores, and further measures that are asked for."""
    return (*SCORES, *(name for name in definition.measures if name in OF_SESSIONS))


@dataclass(frozen=True, eq=False)
class DiscriminativePower:
    """Pairs of systems by score, each with the p of its design's own test.

    scores : by name · pairs : a row per score and pair, with its p; of two systems each pair is
    that of half of the units, `half` from 1, 0 where all units are compared · unit : what was
    halved · sessions : those compared on the first score · further : further measures among the
    scores, as they are called with their parameters
    """

    scores: tuple[str, ...]
    pairs: pd.DataFrame
    unit: str
    sessions: int
    further: dict[str, str] = field(default_factory=dict[str, str])

    def called(self, score: str) -> str:
        """A score by its name, a further measure with its parameters behind."""
        return f"{score}: {self.further[score]}" if score in self.further else score

    @property
    def of_halves(self) -> bool:
        """Whether pairs are halves of two systems' units."""
        return bool((self.pairs["half"] > 0).any())

    def curve(self, score: str) -> Floats:
        """P of the pairs of a score, highest first; (P,)."""
        own = self.pairs.loc[self.pairs["score"] == score, "p"].dropna().to_numpy(dtype=float)
        return np.sort(own)[::-1]

    def table(self) -> pd.DataFrame:
        """A row per score: how many pairs it tells apart, and by which difference.

        needed : the largest difference that would just have been told apart, as half of the widest
        interval, so that at least as much sufficed for every pair; needed_of_mean : its share of
        the mean score · undefined : pairs without a p
        """
        rows: list[dict[str, object]] = []
        for score in self.scores:
            own = self.pairs[self.pairs["score"] == score]
            known = own["p"].notna()
            half = (own["high"] - own["low"]) / 2
            needed = float(half.max()) if half.notna().any() else np.nan
            apart = int((own["p"] < LEVEL).sum())
            mean = float(own["mean"].mean()) if len(own) else 0.0
            rows.append(
                {
                    "score": score,
                    **({"measure": self.further.get(score, "")} if self.further else {}),
                    "pairs": int(known.sum()),
                    "undefined": int((~known).sum()),
                    "apart": apart,
                    "power": apart / known.sum() if known.any() else np.nan,
                    "needed": needed,
                    "needed_of_mean": needed / mean if mean else np.nan,
                }
            )
        return pd.DataFrame(rows)


def discriminative_power(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    scores: Sequence[str] = SCORES,
) -> DiscriminativePower:
    """P of every two systems on each score; of two systems those of halves of their units.

    Halves are of searchers, or of topics or sessions where these are the units, drawn 20 times.

    Source: Sakai (SIGIR 2006), with the design's own test in the bootstrap's place.

    Raises
    ------
    ValueError : no such score
    """
    chosen = select(study, definition, filters)
    rows, unit, sessions = list[dict[str, object]](), "", 0
    for name in scores:
        require_score(name)
        values = session_score_of(name, chosen)
        known = chosen.sample.judged & np.isfinite(values)
        scored = in_model(scored_of(chosen, values, known))
        mean = float(np.abs(scored.score.mean())) if scored.score.size else np.nan
        for half, pair in _pairs(scored):
            unit = unit or pair.unit
            own = {key: getattr(pair, key) for key in COLUMNS if hasattr(pair, key)}
            rows.append({"score": name, "half": half, "mean": mean, **own})
        sessions = sessions or scored.score.size
    return DiscriminativePower(
        tuple(scores),
        pd.DataFrame(rows, columns=[*COLUMNS, "mean"]),
        unit,
        sessions,
        {name: with_parameters(own, definition) for name in scores if (own := further_of(name))},
    )


def _pairs(scored: Scored) -> Iterator[tuple[int, Pair]]:
    """Every pair of systems; of two systems that of each half of their units, from 1."""
    systems = np.unique(scored.system).tolist()
    if len(systems) != 2:
        effects = effects_of(scored) if systems else None
        for a, b in combinations(systems, 2):
            yield 0, compare(scored, a, b, effects=effects, draws=DRAWS)
        return
    units = scored.topic if scored.on_shared_topics.any() else scored.unit
    each, place = np.unique(units, return_inverse=True)
    chance = np.random.default_rng(SEED)
    for split in range(HALVES):
        first = chance.permutation(each.size) < each.size // 2
        for half, taken in enumerate((first, ~first), start=1 + 2 * split):
            own = scored.take(taken[place])
            if np.unique(own.system).size == 2:
                yield half, compare(own, *systems, draws=DRAWS)
