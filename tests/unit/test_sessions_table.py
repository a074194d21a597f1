"""Sessions as a table: groups, values with counts, and the notebook's table equal plain loops."""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import pytest

import sdcg_explorer as sx
from sdcg_explorer.questions.individual_sessions import words
from sdcg_explorer.questions.individual_sessions.figure import session_by_query_table
from sdcg_explorer.questions.individual_sessions.numbers import (
    ENDS,
    NO_VALUE,
    facet,
    individual_sessions,
)
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.study.study import Study
from tests.support import plain_files, plain_session_scores
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

HIT, MISS = ("t", {1: "a"}), ("t", {1: "b"})
LISTS = ([MISS, HIT], [HIT, HIT], [HIT, MISS], [MISS], [("u", {1: "a"}), ("t", {1: "b"})])
PLAIN = PlainStudy(
    [PlainSession(f"s{i}", own, "AB"[i % 2]) for i, own in enumerate(LISTS)],
    {("t", "a"): 1.0, ("t", "b"): 0.0},
)
CHOICES = Choices(gains={0.0: 0.0, 1.0: 1.0})
LINEAR = sx.Definition(weights="linear")
TAGS = {("s0", 1): ("typo", "odd"), ("s0", 2): ("typo",), ("s3", 1): ("odd",), ("gone", 1): ("x",)}
MOOD, ENDED = [2.0, math.nan, 10.0, 2.0, math.nan], ["budget", "", "budget", "left", ""]
END = [*(list(ENDS)[i] for i in (0, 1, 2, 2, 2))]
VALUES = {  # of each session, by what it is grouped by
    "system": [["A"], ["B"], ["A"], ["B"], ["A"]],
    "topic": [["t"], ["t"], ["t"], ["t"], ["u; t"]],
    "end": [[end] for end in END],
    "tag": [["typo", "odd"], [NO_VALUE], [NO_VALUE], ["odd"], [NO_VALUE]],
    "mood": [["2"], [NO_VALUE], ["10"], ["2"], [NO_VALUE]],
    "end (of the log)": [[word or NO_VALUE] for word in ENDED],
}
FACETS = ("end", "tag", "mood", "end (of the log)")


def odd(sessions: int = len(LISTS)) -> Study:
    """No searchers, tags, ratings with gaps, and columns that came along."""
    study = plain_files.study_of(PlainStudy(PLAIN.sessions[:sessions], PLAIN.judgments))
    table = study.sessions.assign(mood=MOOD[:sessions], end=ENDED[:sessions], same="x")
    return replace(study, sessions=table, tags=TAGS)


def test_the_notebooks_table_has_the_loops_scores_ends_tags_and_what_came_along() -> None:
    table = sx.sessions(odd(), LINEAR).set_index("session")
    assert [*table.index] == [session.name for session in PLAIN.sessions]
    for session in PLAIN.sessions:
        scores = plain_session_scores.session_scores(session.queries, PLAIN.judgments, CHOICES)
        for name in table.columns[4 : [*table.columns].index("end")]:
            expected = pytest.approx(scores[name], nan_ok=True)
            assert table.loc[session.name, name] == expected, name
    assert table["end"].tolist() == END
    assert table["tags"].tolist() == ["typo; odd", "", "", "odd", ""]
    assert table["mood"].tolist() == pytest.approx(MOOD, nan_ok=True)
    assert table["end (of the log)"].tolist() == ENDED
    assert sx.sessions(odd(), LINEAR, min_queries=9).empty


@pytest.mark.parametrize("group", VALUES)
def test_groups_equal_a_plain_count(group: str) -> None:
    seen = individual_sessions(odd(), LINEAR, Filters(), group=group, tags=TAGS)
    own = {f"s{i}": values for i, values in enumerate(VALUES[group])}
    firsts = [own[name][0] for name in seen.names]
    assert len({*firsts}) == 1 + sum(a != b for a, b in pairwise(firsts))
    words = session_by_query_table(seen)[0][f"by {group}"]
    assert words.tolist() == ["; ".join(own[name]) for name in seen.names]
    worth = dict(zip(seen.names, seen.scores["final"], strict=True))
    for value, sessions, mean, nothing in seen.by_group().itertuples(index=False):
        members = [name for name, values in own.items() if value in values]
        assert sessions == len(members)
        assert mean == pytest.approx(sum(worth[name] for name in members) / len(members))
        known = [name == "s3" for name in members if name != "s4"]  # u is unjudged
        expected = sum(known) / len(known) if known else math.nan
        assert nothing == pytest.approx(expected, nan_ok=True)
    assert seen.by_group()["sessions"].sum() == sum(map(len, own.values()))


@pytest.mark.parametrize(
    ("a", "b"), [*product(("end: still gaining", "tag: odd", "mood: 2"), ("mood: 10", "tag: typo"))]
)
def test_values_narrow_and_are_counted_as_by_a_plain_loop(a: str, b: str) -> None:
    where = (a, b)
    seen = individual_sessions(odd(), LINEAR, Filters(), where=where, order="log", tags=TAGS)

    def passes(i: int, but: str = "") -> bool:
        """Of each column that is asked for, one of the values."""
        asked = [name for name in FACETS if any(one.startswith(f"{name}: ") for one in where)]
        has = {name: [facet(name, value) for value in VALUES[name][i]] for name in asked}
        return all({*has[name]} & {*where} for name in asked if name != but)

    every = range(len(LISTS))
    assert seen.names == tuple(f"s{i}" for i in every if passes(i))
    expected = Counter(
        facet(name, value)
        for name in FACETS
        for i in every
        if passes(i, name)
        for value in VALUES[name][i]
    )
    assert {one: n for one, n in seen.counts.items() if n} == expected


def test_sentences_say_what_narrowed_and_which_topic_leaves_an_end_open() -> None:
    lists = ([("u", {1: "a"}), HIT], [HIT, MISS])
    plain = PlainStudy([PlainSession(f"s{i}", own) for i, own in enumerate(lists)], PLAIN.judgments)
    view = plain_files.study_of(plain), LINEAR, Filters()
    note = words.heatmap_note(individual_sessions(*view))
    assert "no defined end: the last query, or the one before it, is on an unjudged topic" in note
    seen = individual_sessions(*view, where=("end: stopped without gain",))
    assert words.headline(seen).startswith("With “end: stopped without gain”: the session ends at")
    assert "unjudged" not in words.heatmap_note(seen)
    lists = ([MISS, HIT], [HIT, HIT], [HIT, HIT], [MISS])
    for own, said in {
        (0, 3): "The one session with several queries gained nothing before the last query; ",
        (1, 3): "The one session with several queries gained something before the last query; ",
        (1, 2): "Both sessions with several queries gained something before the last query; ",
    }.items():
        sessions = [PlainSession(f"s{i}", lists[i]) for i in own]
        study = plain_files.study_of(PlainStudy(sessions, PLAIN.judgments))
        assert words.headline(individual_sessions(study, LINEAR, Filters())).startswith(said)


def test_unknown_groups_and_values_are_refused() -> None:
    for asked in ({"group": "searcher"}, {"where": ("end: never",)}):
        with pytest.raises(ValueError, match=r"no (group|facet) "):
            individual_sessions(odd(), LINEAR, Filters(), tags=TAGS, **asked)  # type: ignore
