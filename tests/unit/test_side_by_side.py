"""Side by side: means, order and rank correlations of the same sessions by several definitions."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.questions.side_by_side import presets_answer
from sdcg_explorer.questions.side_by_side import words as beside_words
from sdcg_explorer.questions.side_by_side.numbers import SideBySide, side_by_side
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import (
    BESIDE,
    DEFAULT,
    FIELDS,
    PRESETS,
    Definition,
    Filters,
)
from tests.support.plain_figures import bootstrap, by_t
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
NAMES = list(LOOPS)
CURVES = "Mean session curves, "
FOLDERS = {"ecir2008": ECIR2008, "three_sessions": THREE_SESSIONS}
SAMPLES = {n: read_plain(of / "log.csv", of / "judgments.csv") for n, of in FOLDERS.items()}
JUDGMENTS = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0}
EACH = {("t1", "a"): 1.0, ("t2", "a"): 2.0, ("t3", "a"): 3.0}  # one document per topic
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


def on_topics(*sessions: tuple[str, str, int, int]) -> PlainStudy:
    """Sessions that show their topic's one document once: system, topic, rank, queries."""
    made = [
        PlainSession(f"s{i}", [(topic, {rank: "a"}), *[(topic, {1: "u"})] * (queries - 1)], system)
        for i, (system, topic, rank, queries) in enumerate(sessions, start=1)
    ]
    return PlainStudy(made, EACH)


def compared(plain: PlainStudy, definition: Definition = DEFAULT, **more: Any) -> SideBySide:
    return side_by_side(in_files(plain), definition, more.pop("filters", Filters()), **more)


def order(shown: SideBySide) -> str:
    """What the answer says of the systems."""
    return beside_words.answer(shown).removesuffix(".")


def correlation(shown: SideBySide, one: str, other: str) -> float:
    return shown.rank_correlations().set_index("definition").loc[one, other]  # pyright: ignore[reportReturnType]


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


def test_mean_is_of_the_sessions_final_shares_by_hand() -> None:
    first = compared(FOUR).table().iloc[:2]
    ideal = 100 + 10 / 2 + 1 / (1 + math.log2(3))
    assert first["final_normalised"].tolist() == pytest.approx(
        [(50 + 10) / 2 / ideal, (100 / (1 + math.log2(5)) + 1) / 2 / ideal]
    )
    assert first["sessions"].tolist() == [2, 2]


def test_means_follow_the_average_that_the_definition_names() -> None:
    # A: 1 of 1 and 0 of 100, half of the ideals; B: 10 of 10 and 10 of 100
    plain = on_topics(("A", "t1", 1, 1), ("A", "t3", 11, 1), ("B", "t2", 1, 1), ("B", "t2", 4, 1))
    ratio = compared(plain, Definition(average="ratio-of-means"))
    means = {mean.system: mean.mean for mean in ratio.definitions[0].means}
    assert means == pytest.approx({"A": (1 + 0) / (1 + 100), "B": (10 + 10 / 3) / (10 + 10)})


def searched(number: int) -> PlainStudy:
    """So many searchers with system A, the first at rank 1, the next at 2 and so on; one again."""
    places = range(1, number + 1)
    sessions = [PlainSession(f"s{i}", [("t1", {i: "a"})], "A", f"p{i:02}") for i in places]
    return PlainStudy([*sessions, replace(sessions[1], name="again")], EACH)


def test_intervals_are_by_t_under_ten_searchers() -> None:
    draws = np.random.default_rng(2008).integers(0, 10, (1000, 10)).tolist()
    for number in (2, 9, 10):
        ((mean,),) = (each.means for each in compared(searched(number), presets=()).definitions)
        shares = [1 / (1 + math.log2(rank)) for rank in range(1, number + 1)]
        shares[1] *= 2
        counts = [1.0, 2.0, *[1.0] * (number - 2)]
        expected = by_t(shares, counts) if number < 10 else bootstrap(shares, counts, draws)
        assert (mean.low, mean.high) == pytest.approx(expected)


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


def test_one_order_under_all_definitions() -> None:
    assert order(compared(FOUR)) == "All 4 definitions put A first (none of them clearly)"
    assert (
        order(compared(FOUR, Definition(b=3)))
        == "All 5 definitions put A first (none of them clearly)"
    )


def test_order_that_changes_names_the_definitions() -> None:
    assert order(compared(FLIPPED)) == (
        "The definitions disagree: A first under ECIR 2008; B first under Session track "
        "(Kanoulas), Dynamic Domain and plain linear"
    )


@pytest.mark.parametrize("presets", [("ecir2008", "linear"), ()])
def test_one_system_has_no_order(presets: tuple[str, ...]) -> None:
    shown = compared(study(("A", C2), ("A", B1), ("A", C5)), presets=presets)
    assert order(shown) == (
        "Only one system is shown, so there is no order to compare. Show another one, or add "
        "its log"
    )


def test_sessions_without_judgments_are_counted_and_left_out() -> None:
    plain = PlainStudy([*FOUR.sessions, PlainSession("s5", [("?", A1)], "B")], JUDGMENTS)
    assert beside_words.behind(compared(plain)) == (
        "Each figure has its own scale. Rank correlations of sessions between definitions: .00 to "
        "1.00. Left out: 1 session on unjudged topics."
    )
    assert "Left out" not in beside_words.behind(compared(FOUR))


def test_rank_correlations_by_hand() -> None:
    shown = compared(FOUR)
    # ranks of s1 … s4: ECIR 4 2 3 1, Session track 4 3 2 1, linear 3 4 1 2; 1 − 6 Σd² / (4 · 15)
    assert correlation(shown, NAMES[0], NAMES[1]) == pytest.approx(1 - 6 * (1 + 1) / 60)
    assert correlation(shown, NAMES[0], NAMES[3]) == pytest.approx(1 - 6 * (1 + 4 + 4 + 1) / 60)
    assert correlation(shown, NAMES[1], NAMES[3]) == pytest.approx(1 - 6 * (1 + 1 + 1 + 1) / 60)
    assert correlation(shown, NAMES[2], NAMES[3]) == pytest.approx(1)
    assert " between definitions: .00 to 1.00." in beside_words.behind(shown)


def test_rank_correlation_gives_ties_their_mean_rank() -> None:
    plain = study(("A", C2), ("A", B1), ("B", C5), ("B", A1), ("B", A1))
    # ECIR 5 3 4 1.5 1.5, linear 4 5 1 2.5 2.5, less their mean 3
    ecir, linear = (2, 0, 1, -1.5, -1.5), (1, 2, -2, -0.5, -0.5)
    cross = sum(x * y for x, y in zip(ecir, linear, strict=True))
    expected = cross / math.sqrt(sum(x * x for x in ecir) * sum(y * y for y in linear))
    assert expected == pytest.approx(1.5 / 9.5)
    assert correlation(compared(plain), NAMES[0], NAMES[3]) == pytest.approx(expected)


def test_rank_correlation_runs_over_sessions_defined_under_both() -> None:
    sessions = [*FOUR.sessions, PlainSession("s5", [("u", {2: "p"})], "B")]
    plain = PlainStudy(sessions, {**JUDGMENTS, ("u", "p"): 1.0})
    shown = compared(plain, Definition(weights=((1.0, 0.0), (2.0, 10.0), (3.0, 100.0))))
    mine = "ECIR 2008, changed: weights"
    # in force grade 1 gains nothing: s5 is undefined, s1 … s4 rank 4 2 3 1 as before
    assert correlation(shown, mine, NAMES[1]) == pytest.approx(1 - 6 * (1 + 1) / 60)
    # shares under the presets: s5 1/2 and .63 of its ideal; c@2 50/105 and 4.4/9.4
    assert correlation(shown, NAMES[0], NAMES[1]) == pytest.approx(1 - 6 * (1 + 1) / (5 * 24))
    assert [mean.sessions for mean in shown.definitions[0].means] == [2, 2]


def test_definition_in_force_is_first_or_marked() -> None:
    assert [under.in_force for under in compared(FOUR).definitions] == [True, False, False, False]
    third = compared(FOUR, PRESETS["dynamic-domain"]).definitions
    assert [under.in_force for under in third] == [False, False, True, False]
    left = compared(FOUR, PRESETS["dynamic-domain"], presets=("linear",)).definitions
    assert [under.name for under in left if under.in_force] == ["Dynamic Domain"]


DD = (("repeats", "first"), ("ideal", "spread"))


def test_what_a_definition_does_otherwise_is_said() -> None:
    told = [
        beside_words.differs(under)
        for under in compared(FOUR, Definition(b=2.5, top=5)).definitions
    ]
    assert told == [
        *("b = 2.5; top 5", "as in the paper", "exponential gains; kanoulas2011 discount"),
        "; ".join(["linear gains"] + [FIELDS[name].options[value].clause for name, value in DD]),
        "linear gains",
    ]


def test_table_to_download_has_the_curves_of_every_definition() -> None:
    view = StudyView(in_files(FOUR), DEFAULT, Filters())
    exhibits = presets_answer(view, BESIDE).exhibits
    assert [exhibit.caption.removeprefix(CURVES) for exhibit in exhibits.values()] == NAMES
    for exhibit in exhibits.values():
        assert exhibit.table.groupby("system").size().to_dict() == {"A": 10, "B": 10}
