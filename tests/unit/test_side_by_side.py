"""Side by side: means, order and rank correlations of the same sessions by several definitions."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from sdcg_explorer.questions.side_by_side import words as beside_words
from sdcg_explorer.questions.side_by_side.numbers import SideBySide, side_by_side
from sdcg_explorer.scoring.definition import DEFAULT, FIELDS, Definition, Filters
from tests.support.plain_files import ECIR2008, THREE_SESSIONS, in_files, read_plain
from tests.support.plain_loop import Choices, PlainSession, PlainStudy
from tests.support.plain_session_scores import session_scores

LINEAR = {0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0}  # docs/definitions.md, anew
LOOPS = {
    "ECIR 2008": Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0}),
    "Session track (Kanoulas)": Choices(
        {0.0: 0.0, 1.0: 1.0, 2.0: 3.0, 3.0: 7.0}, form="kanoulas2011"
    ),
    "Dynamic Domain": Choices(LINEAR, repeats="first", ideal="spread"),
    "plain linear": Choices(LINEAR),
}
FOLDERS = {"ecir2008": ECIR2008, "three_sessions": THREE_SESSIONS}
SAMPLES = {n: read_plain(of / "log.csv", of / "judgments.csv") for n, of in FOLDERS.items()}
JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}
# A document's worth, d = 1/(1 + log2 r) or, Session track, 1/log2(r + 1):
#        ECIR 2008              Session track          linear
# c@2    100/2        = 50      7/log2 3     = 4.42    3/2           = 1.5
# c@5    100/3.32193  = 30.1    7/log2 6     = 2.71    3/3.32193     = .903
# b@1    10                     3                      2
# a@1    1                      1                      1
C2, C5, B1, A1 = {2: "c"}, {5: "c"}, {1: "b"}, {1: "a"}


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


def test_means_are_the_loops_under_every_preset() -> None:
    plain = SAMPLES["three_sessions"]
    table = compared(plain).table()
    shown = {(row.definition, row.system): row.final_normalised for row in table.itertuples()}
    expected: dict[tuple[str, str], list[float]] = {}
    for name, choices in LOOPS.items():
        for session in plain.sessions:
            scores = session_scores(session.queries, plain.judgments, choices)
            expected.setdefault((name, session.system), []).append(scores["final_normalised"])
    assert shown == pytest.approx({key: fmean(shares) for key, shares in expected.items()})


FOUR = study(("A", C2), ("A", B1), ("B", C5), ("B", A1))


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


FLIPPED = study(("A", C5), ("A", A1), ("B", B1), ("B", A1))  # c@5 is worth more than b@1, or less


def test_order_that_changes_names_the_definitions() -> None:
    assert order(compared(FLIPPED)) == (
        "The definitions disagree: A first under ECIR 2008; B first under Session track "
        "(Kanoulas), Dynamic Domain and plain linear"
    )


def test_sessions_without_judgments_are_counted_and_left_out() -> None:
    plain = PlainStudy([*FOUR.sessions, PlainSession("s5", [("?", A1)], "B")], JUDGMENTS)
    assert beside_words.behind(compared(plain)) == (
        "Each figure has its own scale. Systems are ordered by plain means, not adjusted for "
        "topics. Rank correlations of sessions between definitions: .00 to 1.00. "
        "Left out: 1 session on unjudged topics."
    )
    assert "Left out" not in beside_words.behind(compared(FOUR))


DD = (("repeats", "first"), ("ideal", "spread"))


def test_what_a_definition_does_otherwise_is_said() -> None:
    told = [
        beside_words.differs(under.definition)
        for under in compared(FOUR, Definition(b=2.5, top=5)).definitions
    ]
    assert told == [
        *("b = 2.5; top 5", "as in the paper", "exponential gains; kanoulas2011 discount"),
        "; ".join(["linear gains"] + [FIELDS[name].options[value].clause for name, value in DD]),
        "linear gains",
    ]
