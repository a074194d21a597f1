"""What was planned before the data: score, definition, filters, test and size, as text and back."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import tomli_w

from sdcg_explorer.analysis.definition.choices import not_of
from sdcg_explorer.analysis.definition.definition import Definition, Filters, is_number
from sdcg_explorer.analysis.definition.file import (
    definition_tables,
    from_tables,
    tables_in,
    tables_of,
)
from sdcg_explorer.analysis.statistics.crossed_model import TOPICS_ARE
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.next_study import HALF, NextStudy
from sdcg_explorer.study.problems import NEWER, cut
from sdcg_explorer.study.written import GIVE_PLAN

FORMAT = 1
KINDS: dict[str, Any] = {  # of what a plan says
    **dict.fromkeys(("score", "topics_are", "baseline", "unit"), str),
    **{"with_order": bool, "difference": (int, float), "units": int},
}
WORDS: dict[Any, str] = {
    str: "a text",
    bool: "true or false",
    (int, float): "a number",
    int: "a whole number",
}
TABLE = "plan"


@dataclass(frozen=True)
class Planned:
    """How two systems are to be compared.

    systems : those of the pair, the second less the first · topics_are, with_order, baseline : as
    `compare_systems` takes them · difference : that the study is to find, in the score's unit ·
    unit, units : what is to be sampled, and how many for 80 % power; 0 where that is not known
    """

    score: str
    systems: tuple[str, ...]
    topics_are: str = "fixed"
    with_order: bool = False
    baseline: str = ""
    difference: float = 0.0
    unit: str = ""
    units: int = 0

    def __post_init__(self) -> None:
        for name, known in KINDS.items():
            value = getattr(self, name)
            is_odd = isinstance(value, bool) != (known is bool) or not isinstance(value, known)
            if is_odd or (is_number(value) and not 0 <= abs(value) < math.inf):
                raise ValueError(f"{name} {cut(repr(value))}; {WORDS[known]}")
        named = all(isinstance(each, str) and each for each in self.systems)
        if not named or len({*self.systems}) != 2 or len(self.systems) != 2:
            raise ValueError(f"systems {cut(str([*self.systems]))}; a plan compares two")
        if self.units < 0:
            raise ValueError(f"units {cut(str(self.units))}; {WORDS[int]}")
        if self.topics_are not in TOPICS_ARE:
            raise ValueError(f"topics_are {cut(repr(self.topics_are))}; {', '.join(TOPICS_ARE)}")


@dataclass(frozen=True)
class Registered:
    """A plan with the definition and filters under which it is to be answered."""

    planned: Planned
    definition: Definition
    filters: Filters

    def to_toml(self) -> str:
        """The plan as plan.toml."""
        plan = {"format": FORMAT, **asdict(self.planned)}
        return tomli_w.dumps({TABLE: plan, **definition_tables(self.definition, self.filters)})


def registered(
    compared: Comparison, next_one: NextStudy, definition: Definition, filters: Filters
) -> Registered:
    """The plan of a comparison as it was asked, and the units that its next study needs.

    The difference is one that was entered, or else the one seen.
    """
    pair, sizes = next_one.pair, dict[str, Any]()
    if plan := next((plan for plan in reversed(next_one.plans) if plan.words != HALF), None):
        sizes = {"difference": plan.difference, "unit": pair.unit, "units": plan.units[0]}
    asked = compared.score, (pair.system_a, pair.system_b), compared.topics_are
    planned = Planned(*asked, compared.with_order, compared.baseline, **sizes)
    return Registered(planned, definition, filters)


def departures(
    of: Registered, compared: Comparison, definition: Definition, filters: Filters
) -> dict[str, tuple[Any, Any]]:
    """In what an analysis is not as it was planned: each choice as planned, and as it is."""
    now = {**asdict(definition), **asdict(filters)}
    then = {**asdict(of.definition), **asdict(of.filters)}
    for name in ("score", "topics_are", "with_order", "baseline"):
        then[name], now[name] = getattr(of.planned, name), getattr(compared, name)
    names = [{pair.system_a, pair.system_b} for pair in compared.pairs]
    if {*of.planned.systems} not in names:
        then["pair"], now["pair"] = of.planned.systems, compared.names
    beside = not_of(of.planned.score) & not_of(compared.score)
    return {n: (then[n], now[n]) for n in then if n not in beside and then[n] != now[n]}


def read_plan(path: Path) -> Registered:
    """The plan of a plan.toml.

    Raises
    ------
    OSError : it can't be read
    ValueError : no plan, or a value that is not offered; with the file's name and what to do
    """
    try:
        return _plan_of(tables_in(path, TABLE))
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}. {GIVE_PLAN}") from None


def plan_from(content: bytes) -> Registered:
    """The plan of what a plan.toml holds.

    Raises
    ------
    ValueError : no plan, or a value that is not offered; with what to do
    """
    try:
        return _plan_of(tables_of(content, TABLE))
    except ValueError as fault:
        raise ValueError(f"{fault}. {GIVE_PLAN}") from None


def _plan_of(tables: dict[str, Any]) -> Registered:
    plan = tables.pop(TABLE, None)
    if not isinstance(plan, dict):
        raise ValueError(f"no table [{TABLE}]; a plan has one")
    if plan.pop("format", FORMAT) != FORMAT:
        raise ValueError(f"another format. {NEWER.rstrip('.')}")
    names = [field.name for field in fields(Planned)]
    if odd := [name for name in plan if name not in names]:
        raise ValueError(f"[{TABLE}] {cut(odd[0])}; known are {', '.join(names)}")
    if lacking := [name for name in ("score", "systems") if name not in plan]:
        raise ValueError(f"[{TABLE}] no {lacking[0]}; a plan has one")
    systems = plan.pop("systems")
    if not isinstance(systems, list):
        raise ValueError(f"systems {cut(repr(systems))}; a plan compares two")
    return Registered(Planned(systems=tuple(systems), **plan), *from_tables(tables))
