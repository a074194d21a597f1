"""Side by side: means, order and rank correlations of the same sessions by several definitions."""

from typing import Any

from sdcg_explorer.questions.side_by_side import words as beside_words
from sdcg_explorer.questions.side_by_side.numbers import SideBySide, side_by_side
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from tests.support.plain_files import in_files
from tests.support.plain_loop import PlainSession, PlainStudy

JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}


def study(*sessions: tuple[str, dict[int, str]]) -> PlainStudy:
    """Sessions of one query each: a system, and documents by rank."""
    made = [
        PlainSession(f"s{i}", [("t", results)], system)
        for i, (system, results) in enumerate(sessions, start=1)
    ]
    return PlainStudy(made, JUDGMENTS)


def compared(plain: PlainStudy, definition: Definition = DEFAULT, **more: Any) -> SideBySide:
    return side_by_side(in_files(plain), definition, more.pop("filters", Filters()), **more)


def order(shown: SideBySide) -> str:
    """What the answer says of the systems."""
    return beside_words.answer(shown).removesuffix(".")


def test_under_how_many_definitions_the_lead_is_clear_is_said() -> None:
    # a document at each rank of 1 to 10; B's later, so that it is behind by a little, or far
    near = [("A", {r: "b"}) for r in range(1, 11)] + [("B", {r + 1: "b"}) for r in range(1, 10)]
    far = [("A", {1 + r % 2: "c"}) for r in range(10)] + [
        ("B", {9 + r % 2: "a"}) for r in range(10)
    ]
    mixed = [("A", {1 + r % 2: "c"}) for r in range(10)] + [
        ("B", {1 + r % 3: "b"}) for r in range(10)
    ]
    assert order(compared(study(*near))) == "All 4 definitions put A first (none of them clearly)"
    assert order(compared(study(*far))) == "All 4 definitions put A first (all of them clearly)"
    one = compared(study(*near), presets=())
    assert order(one) == "The one definition shown puts A first (not clearly)"
    shown = compared(study(*mixed))
    number = sum(under.is_clear for under in shown.definitions)
    assert order(shown).endswith(f"A first ({number if number < 4 else 'all'} of them clearly)")
