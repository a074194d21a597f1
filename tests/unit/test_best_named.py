"""A sentence that names the best, and the worst, against the table that it is drawn from."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import READ_AT, last_against_others, query_order
from sdcg_explorer.questions.reformulations import words as step_words
from sdcg_explorer.questions.reformulations.numbers import reformulations
from sdcg_explorer.questions.robustness import words as robustness_words
from sdcg_explorer.questions.robustness.numbers import robustness
from sdcg_explorer.questions.session_curves import words as curve_words
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.side_by_side import words as beside_words
from sdcg_explorer.questions.side_by_side.numbers import side_by_side
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.many_systems import many_systems
from tests.support.plain_files import in_files

Said = tuple[str, dict[str, float]]  # a sentence, and what its table has for each system
SYSTEMS = ("cy", "ada", "dee", "bob", "eve")  # neither by name nor by worth
THIRD_QUERY = 30  # the position at which session curves are read


@pytest.fixture(scope="module")
def view() -> tuple[Any, ...]:
    return in_files(many_systems(SYSTEMS)), Definition(), Filters()


def values(table: pd.DataFrame, column: str, **rows: object) -> dict[str, float]:
    """What a table's column has for each system, in the rows where other columns say this."""
    for name, value in rows.items():
        table = table[table[name] == value]
    known = zip(table["system"], table[column], strict=True)
    return {system: value for system, value in known if not math.isnan(value)}


def of_last(*view: Any) -> Said:
    shown = last_against_others(*view)
    differences = words.headline(shown).partition("(")[2].partition(")")[0]
    return differences, values(shown.table(), "difference", measure="dcg")


def of_groups(group: str, others: str, measure: str = "sdcg") -> Callable[..., Said]:
    """How far two curves of each system are apart."""

    def asked(*view: Any) -> Said:
        shown = query_order(*view, splits=(group,), measure=measure)
        one, two = (
            values(shown.table(), "mean", group=each, rank=min(READ_AT, shown.longest))
            for each in (group, others)
        )
        apart = {name: one[name] - two[name] for name in one if name in two}
        return words.answer(shown), apart

    return asked


def of_steps(*view: Any) -> Said:
    shown = reformulations(*view)
    table = shown.table().query("reformulations > 0")
    table = table.assign(gain=table.gained / table.reformulations)
    return step_words.answer(shown), values(table, "gain")


def of_curves(measure: str, column: str) -> Callable[..., Said]:
    def asked(*view: Any) -> Said:
        shown = session_curves(*view, saw=True)
        found = values(shown.table(), column, position=THIRD_QUERY)
        return curve_words.answer(shown, measure), found

    return asked


def of_definitions(*view: Any) -> Said:
    shown = side_by_side(*view, presets=())
    return beside_words.answer(shown), values(shown.table(), "final_normalised")


def of_points(*view: Any) -> Said:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sdcg_explorer.questions.robustness.numbers.GRID", (1.5, 4.0))
        shown = robustness(*view, pair=("eve", "bob"))
    less, more = (int((sign * shown.value > 0).sum()) for sign in (-1, 1))
    return robustness_words.answer(shown), dict(zip(shown.systems, (less, more), strict=True))


SAID = {
    "last queries": of_last,
    "curves of last queries": of_groups("last", "other", "ndcg"),
    "curves of best queries": of_groups("best", "rest"),
    "curves of shares": of_groups("best", "rest", "ndcg"),
    "reformulations": of_steps,
    "gain of sessions": of_curves("raw", "mean"),
    "share of the ideal": of_curves("normalised", "normalised"),
    "queries alone": of_curves("saw-tooth", "saw_tooth"),
    "definitions": of_definitions,
    "points": of_points,
}


@pytest.mark.parametrize("name", SAID)
def test_the_best_comes_first_and_the_worst_last(name: str, view: tuple[Any, ...]) -> None:
    said, table = SAID[name](*view)
    words = re.findall(r"\w+", said.partition(" between")[0])
    first, *others = [word for word in words if word in SYSTEMS]
    assert table[first] == max(table.values()) > min(table.values())
    assert all(table[last] == min(table.values()) for last in others[-1:])
    assert len(others) == (0 if name == "definitions" else 1)
