"""A plan made before the data in words, and in what an analysis is as planned, or exploratory."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.analysis.sessions.registry import ALL_SESSION_SCORES
from sdcg_explorer.analysis.systems.next_study import number_of
from sdcg_explorer.analysis.systems.registered import Planned, Registered
from sdcg_explorer.questions.words.compare_systems import PARAGRAPHS
from sdcg_explorer.questions.words.definition import filter_words, sentence
from sdcg_explorer.questions.words.wording import enumerated, plural, short
from sdcg_explorer.study.problems import cut

AS_PLANNED = "As it was planned before the data: score, definition, filters and test."
EXPLORATORY = "Exploratory, for it is not as it was planned before the data"
TITLE = "What I plan, as a text to register"
TAKE = "Paste the text of the plan.toml that was written before these data"
TAKE_HELP = "It is kept with the study: each comparison says whether it is as planned."
REMOVE = "Remove the plan"
NOT_HERE = "Several people use this server: upload a study of your own to keep a plan with it."
ELSE = "All else in this report is exploratory."
PLAN = """What I plan

Question: is {second} better than {first}?
Score: {score}.
Definition: {definition}
{filters}Test: {test}
{size}
Whatever departs from this is reported as exploratory.
"""


def plan_text(of: Registered, labels: tuple[float, ...]) -> str:
    """The plan as a text to register; `labels` are the grades of the study it was made with."""
    plan = of.planned
    known = ALL_SESSION_SCORES.get(plan.score)
    first, second = map(cut, plan.systems)
    size = "Size: not planned by this study."
    if plan.units:
        unit = known.unit if known else plan.score
        size = f"Size: {_units(plan)}, for 80 % power to find {short(plan.difference)} {unit}."
    shown = filter_words(of.filters)
    return PLAN.format(
        first=first,
        second=second,
        score=f"{known.words} ({plan.score})" if known else plan.score,
        definition=sentence(of.definition.named(labels), labels),
        filters=f"{shown}\n" if shown else "",
        test=PARAGRAPHS[plan.topics_are],
        size=size,
    )


def said(apart: dict[str, tuple[Any, Any]]) -> str:
    """Whether an analysis is as it was planned, and if not, in what it departs."""
    if not apart:
        return AS_PLANNED
    every = [(name, _worded(then), _worded(now)) for name, (then, now) in apart.items()]
    each = [f"{name} is {now}, planned {then}" for name, then, now in every]
    return f"{EXPLORATORY}: {enumerated(each)}."


def not_taken(fault: ValueError) -> str:
    """Why a text was not taken as a plan."""
    return f"The plan was not kept: {fault}"


def unreadable(fault: ValueError) -> str:
    """That the plan which came with a study can't be read."""
    return f"The plan that is kept with the study can't be read: {fault}"


def size(plan: Planned, units: int | None) -> str:
    """How many units were planned, and how many of them there are.

    >>> size(Planned("final", ("A", "B"), unit="searcher", units=52), 30)
    'Planned were 52 searchers for A and B; here are 30.'
    """
    of = enumerated([*map(cut, plan.systems)])
    if units is None:
        return f"{of} are not compared here."
    if not plan.units:
        return f"No number was planned for {of}; here are {units:,}."
    return f"Planned were {_units(plan)} for {of}; here are {units:,}."


def _units(plan: Planned) -> str:
    """The number of units that were planned, as far as they are counted."""
    return f"{number_of(plan.units)} {plural(plan.units, plan.unit)}"


def _worded(value: Any) -> str:
    """A choice in words.

    >>> _worded(2.0), _worded(()), _worded(("A", "B"))
    ('2', 'none', 'A, B')
    """
    if isinstance(value, tuple):
        return cut(", ".join(map(_worded, value))) or "none"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if value is None or value == "":
        return "none"
    return f"{value:g}" if isinstance(value, float) else cut(str(value))
