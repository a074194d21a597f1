"""Learning and fatigue: scores by place in the searcher's sequence, differences free of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.compare_systems.numbers import PAIRED, Comparison, effects_of, in_model
from sdcg_explorer.questions.overview.numbers import is_whole
from sdcg_explorer.scoring.scored_sessions import Scored, means_of
from sdcg_explorer.statistics.effect_sizes import rounding

KNOWN, SINGLE, NAMELESS, BY_TOPIC = "known", "single", "nameless", "by topic"
UNTOLD, IN_PART = "untold", "in part"
EVERY = "all systems"
PLACE, BY_PLACE = "per place", "difference per place"
WITHOUT, WITH = "difference without place", "difference with place"
EFFECTS = ("effect", "system_a", "system_b", "value", "low", "high", "df", "p_t")


@dataclass(frozen=True, eq=False)
class Order:
    """What a session's place among those of its searcher does to its score.

    state : whether the order is known, or why it is not asked · means : a row per place, of all
    systems and of each · effects : what each place more adds, and of each pair the difference
    without and with the place in the model, and what each place more adds to it · unit : of score
    """

    state: str
    unit: str = ""
    means: pd.DataFrame = field(default_factory=pd.DataFrame)
    effects: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(EFFECTS)))

    def of_pair(self, a: str, b: str) -> dict[str, dict[str, float]]:
        """Numbers of the place, and of its part in the difference of two systems, by the effect."""
        own = self.effects["system_a"].isin(["", a]) & self.effects["system_b"].isin(["", b])
        rows = self.effects[own].set_index("effect")[["value", "low", "high", "p_t"]]
        return {str(name): dict(row) for name, row in rows.iterrows()}


def order(compared: Comparison) -> Order:
    """Means by place and effects of the place, where the order of sessions is known."""
    state = order_state(compared)
    if state != KNOWN:
        return Order(state)
    every = replace(compared.scored, place=compared.places)
    pairs = [(pair.system_a, pair.system_b) for pair in compared.pairs]
    effects = order_effects(in_model(every, compared.baseline), pairs)
    return Order(state, compared.unit, _means_by_place(every), effects)


def order_state(compared: Comparison) -> str:
    """Whether the places of sessions are known, or why they are of no use."""
    scored = compared.scored
    if any(pair.design == PAIRED for pair in compared.pairs):
        return BY_TOPIC
    if not scored.names_searchers:
        return NAMELESS
    if np.bincount(scored.unit).max() < 2:
        return SINGLE
    if is_whole(compared.places, scored.unit):
        return KNOWN
    return IN_PART if np.isfinite(compared.places).any() else UNTOLD


def _means_by_place(every: Scored) -> pd.DataFrame:
    """Means by place, of all systems first, then of each."""
    number, place = np.unique(every.place, return_inverse=True)
    one = replace(every, system=np.zeros_like(every.system), names=(EVERY,), topic=place)
    names = [f"{n:g}" for n in number.tolist()]
    tables = [means_of(scored, names)[1] for scored in (one, replace(every, topic=place))]
    table = pd.concat(tables, ignore_index=True).rename(columns={"topic": "place"})
    return table.astype({"place": float})


def order_effects(scored: Scored, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Effects of the place, and of pairs of systems, by the model of all, linear in the place.

    A row for each, ``EFFECTS``; nan where systems or topics came in the same order for all.
    """
    level, systems = rounding(scored.score), np.arange(int(scored.system.max()) + 1)
    of_each: Floats = np.equal.outer(scored.system, systems) * scored.place[:, None]
    without, placed, apart = (
        effects_of(replace(scored, place=place)) for place in (np.zeros(0), scored.place, of_each)
    )
    found = [(PLACE, "", "", placed.change_per_place(np.ones(1)))]
    for pair in pairs:
        a, b = (scored.names.index(name) for name in pair)
        turned = apart.change_per_place((systems == b) * 1.0 - (systems == a) * 1.0)
        each = (without.difference(a, b), placed.difference(a, b), turned)
        names = (WITHOUT, WITH, BY_PLACE)
        found += [(name, *pair, of) for name, of in zip(names, each, strict=True)]
    known = [(names, of.without_rounding(level)) for *names, of in found]
    rows = [(*names, of.value, *of.interval(), of.df, of.p) for names, of in known]
    return pd.DataFrame(rows, columns=list(EFFECTS))
