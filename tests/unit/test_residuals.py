"""Unjudged: what results leave open, by every assignment of grades; topics nobody judged."""

from dataclasses import replace

import numpy as np
import pytest

from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.by_hand.numbers import LINEAR
from sdcg_explorer.questions.compare_systems import numbers
from sdcg_explorer.questions.compare_systems.numbers import compare_systems, left_open
from sdcg_explorer.questions.compare_systems.words import left_open_sentences
from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions, inspect
from sdcg_explorer.questions.individual_sessions.words import headline, heatmap_note, highest_note
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.scoring.residuals import residuals
from sdcg_explorer.scoring.scored_sessions import Scored
from sdcg_explorer.study.study import Study
from tests.support import plain_files, plain_loop

ALL = Filters()


def two_systems(**others: dict[int, str]) -> plain_loop.PlainStudy:
    """Each of five searchers with A and with B; A shows u1 and u2, B u2 twice in a list and u3."""
    lists = {"A": {1: "u1", 2: "a", 3: "u2"}, "B": {1: "a", 2: "b", 3: "u2", 4: "u2", 5: "u3"}}
    sessions = [
        plain_loop.PlainSession(f"{name}{i}", [("t", (lists | others)[name])], name, f"p{i}")
        for i in range(5)
        for name in lists | others
    ]
    return plain_loop.PlainStudy(sessions, {("t", "a"): 1.0, ("t", "b"): 1.0})


LOOK = Definition(weights="linear", b=2.0, bq=float("inf"), discount="kanoulas2011")


def test_a_document_of_both_systems_moves_both_at_once() -> None:
    """u2 is at rank 3 of both, once in a list: what it moves is the rounding of five parts."""
    three = plain_files.study_of(two_systems(C={1: "u4"}))
    compared = compare_systems(three, LOOK, ALL, score="final")
    every = residuals(three, LOOK, ALL, score="final")
    assert (every.results[:3].tolist(), every.without[:3].tolist()) == ([3, 5, 1], [2, 3, 1])
    found = left_open(compared, every, 0)
    difference = 1 + 1 / np.log2(3) - 1 / np.log2(3)
    assert found.pair.difference == pytest.approx(difference)
    assert found.table["doc"].tolist() == ["u1", "u3"]
    assert found.table["moves"].tolist() == pytest.approx([-1.0, 1 / np.log2(6)])
    assert found.table[["sessions_a", "sessions_b"]].to_numpy().tolist() == [[5, 0], [0, 5]]
    assert found.ends == pytest.approx((0.0, difference + 1 / np.log2(6)))
    assert (found.results, found.without, found.is_leader_certain) == (40, 25, False)
    three_ranks = residuals(three, replace(LOOK, top=3), ALL, score="final").unjudged
    assert three_ranks.names["doc"].tolist() == ["u1", "u2", "u4"]  # u2 at the last of ranks
    table = numbers.with_ranges(compared.table(), compared, every)
    assert table["difference_lowest"][0] == pytest.approx(found.ends[0], abs=1e-12)
    said = left_open_sentences(found)
    assert said[-1] == "Unjudged documents that could move the difference: 2 of 3."
    assert said[0].endswith("scored results): judging them could change their order.")
    still = left_open_sentences(replace(found, moves=0 * found.moves))
    assert still[0].endswith("judging them can't change their order.")
    apart = left_open_sentences(left_open(replace(compared, without_judgments=1), every, 0))
    assert apart[0].endswith(
        "could change their order among scored sessions (1 session without a judged topic, left "
        "out)."
    )
    assert apart[-1].startswith("Unjudged documents of scored sessions that could move the ")
    assert left_open_sentences(replace(found, why="rising")) == [
        "The effect of unjudged results on the difference isn't available for this score."
    ]
    own, bare = (
        inspect(three, asked, ALL, session="A0")
        for asked in (LOOK, replace(LOOK, unjudged="condense"))
    )
    assert own.highest == pytest.approx(1 + 1 / np.log2(3) + 0.5)
    said = "sDCG would be 2.13 if each unjudged result on judged topics had the highest gain."
    assert (highest_note(own), highest_note(bare)) == (said, "")
    assert np.isnan(bare.highest)


UNITS = np.arange(48) // 4
DESIGNS = {  # unit, system and topic of 48 sessions, and whether their order is taken off
    "within": (UNITS, np.arange(48) % 2, np.arange(48) // 2 % 3, False),
    "order": (UNITS, np.arange(48) % 2, np.arange(48) // 2 % 3, True),
    "between": (UNITS, UNITS % 2, np.arange(48) % 4, False),
    "paired by topic": (np.arange(48), np.arange(48) % 2, np.arange(48) // 2, False),
    "runs": (np.arange(48), np.arange(48) % 2, UNITS, False),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_sessions_weigh_so_that_their_scores_come_to_the_difference(design: str) -> None:
    unit, system, topic, with_order = DESIGNS[design]
    score = np.random.default_rng(3).normal(size=48) + unit % 5
    place = np.arange(48.0) % 4 if with_order else np.zeros(0)
    scored = Scored(score, system, unit, topic, np.ones(48, int), ("A", "B"), place=place)
    pair = numbers.compare(scored, 0, 1)
    assert numbers.session_weights(scored, pair) @ score == pytest.approx(
        pair.difference, abs=1e-12
    )


JUDGED = {("t", "a"): 1.0, ("t", "b"): 3.0}
A: plain_loop.Query = ("t", {1: "a"})
B: plain_loop.Query = ("t", {1: "b"})
NOBODY: plain_loop.Query = ("u", {1: "a", 2: "b"})
SAID = (
    "Queries without a judged topic in sessions that have one: 1. They add nothing to their "
    "sessions and are left out of comparisons of queries."
)


def study(*sessions: list[plain_loop.Query]) -> Study:
    plain = [plain_loop.PlainSession(f"s{i}", each) for i, each in enumerate(sessions)]
    return plain_files.study_of(plain_loop.PlainStudy(plain, JUDGED))


def test_sessions_the_inspector_and_tags_know_what_is_known() -> None:
    nothing: plain_loop.Query = ("t", {1: "x"})
    shown = individual_sessions(study([NOBODY, B], [nothing, NOBODY, B], [A, NOBODY]), LINEAR, ALL)
    assert headline(shown) == (
        "0 of 3 sessions with several queries gained nothing before the last query (undefined in "
        "2: topic unjudged); final sDCG ranges from 1.00 to 2.00."
    )
    first = study([NOBODY, B], [A, B], [nothing, B])  # nobody judged the first query of s0
    assert individual_sessions(first, LINEAR, ALL, order="first gain").names == ("s1", "s2", "s0")
    assert heatmap_note(shown).endswith(
        " Only under “all”: 3 sessions with a query on an unjudged topic."
    )
    looked = inspect(study([A, NOBODY, B]), LINEAR, ALL, session="s0")
    assert np.isnan(looked.query_results(2)[["gain", "contribution"]].to_numpy(float)).all()
    assert looked.results["contribution"].sum() == pytest.approx(looked.final)
    tags = {("s0", 2): ("odd",), ("s0", 3): ("odd",)}
    table = tagged(study([A, B, NOBODY]), LINEAR, ALL, tags=tags).table
    assert table[["queries", "mean dcg"]].to_numpy().tolist() == [[2, 3]]


def test_they_are_counted_beneath_every_figure() -> None:
    assert advice(study([A, B, NOBODY]), DEFAULT, ALL)[0] == SAID
    unjudged = advice(study([A], [NOBODY, NOBODY]), DEFAULT, ALL)  # not judged elsewhere either
    assert not any("Queries without a judged topic" in said for said in unjudged)
    again = Definition(repeats="first")  # no second query on a judged topic: 1 can be reached
    assert advice(study([B, NOBODY, NOBODY]), again, ALL)[0].startswith(
        "Queries without a judged topic in sessions that have one: 2."
    )
