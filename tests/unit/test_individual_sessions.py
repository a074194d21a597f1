"""Individual sessions: parts and falls by hand, orders, ends, filters, marks and colours."""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import sdcg_explorer as sx
from sdcg_explorer.figures.style import FAINT
from sdcg_explorer.questions.individual_sessions import numbers, words
from sdcg_explorer.questions.individual_sessions.figure import (
    HUES,
    STRENGTHS,
    session_by_query_table,
    wall_colours,
)
from sdcg_explorer.questions.individual_sessions.numbers import (
    ENDS,
    NO_VALUE,
    individual_sessions,
    inspect,
)
from sdcg_explorer.reading import read, recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import scores as scored
from sdcg_explorer.study.study import Study
from tests.support import plain_session_scores
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import Choices, PlainSession, PlainStudy

ALL = Filters()
LINEAR = Definition(weights="linear")


# b = bq = inf and gain = grade, so that numbers are sums; X = 2
PLAIN = Definition(
    weights="linear", b=math.inf, bq=math.inf, top=2, repeats="first", ideal="spread"
)
LOG = """session,system,query_number,topic,rank,doc,clicked
s,A,1,t,1,a,1
s,A,1,t,2,n,1
s,A,2,t,1,a,0
s,A,2,t,2,b,0
s,A,3,t,,,
r,A,1,t,1,a,0
r,A,1,t,2,b,0
r,A,2,t,1,c,1
"""
JUDGMENTS = """topic,doc,grade,answers
t,a,2,when
t,b,1,where
t,b,0,when
t,c,3,when;who
t,n,0,who
"""


def by_hand(folder: Path, more: str = "") -> Study:
    files = written(folder, log_csv=LOG + more, judgments_csv=JUDGMENTS)
    return read.read_study(*files.values(), recipe=recipe.Recipe(parts="answers"))


def test_a_study_worked_by_hand(tmp_path: Path) -> None:
    study = by_hand(tmp_path)
    judged = study.judgments.set_index("doc")
    assert judged["part"].to_dict() == {"a": "when", "b": "where", "c": "when;who", "n": ""}
    assert judged["grade"].to_dict() == {"a": 2, "b": 1, "c": 3, "n": 0}
    of = inspect(study, PLAIN, ALL, session="s")
    # the ideal shows c and a, then b: 5 · 1 · 0; the session gains 2 · 1 (a again) · 0
    assert of.brought["behind"].tolist() == [5 - 2, 1 - 1, 0]
    assert of.brought["new"].tolist() == [1, 1, 0]
    assert of.brought["repeated"].tolist() == [0, 1, 0]
    assert of.brought["missing"].tolist() == [2, 1, 1]
    assert of.brought["parts_found"].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    less = replace(PLAIN, weights=((0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 3.0)))
    found = inspect(study, less, ALL, session="s").brought["parts_found"]
    assert found.tolist() == [1 / 2] * 3  # b, which answers where, gains nothing
    none = replace(PLAIN, weights=tuple((float(grade), 0.0) for grade in range(4)))
    assert inspect(study, none, ALL, session="s").brought["parts_found"].isna().all()
    assert words.shortcomings(of) == [
        "It lost most against its ideal at Q1 (3.00); at the end it was 3.00 behind.",
        "Relevant documents that never reached a top 2: 1 of 3.",
        "It found .67 of the 3 parts of its task.",
        "Relevant in a top 2, but not opened (1): b (1).",
        "Opened without gain (1): n (0).",
    ]
    for by, end in ((-1.5, "1.50 ahead."), (0.0, "0 behind.")):
        assert words.shortcomings(replace(of, behind=by))[0].endswith(f"the end it was {end}")
    more = by_hand(tmp_path, "e,A,1,t,,,\n")
    empty = words.shortcomings(inspect(more, PLAIN, ALL, session="e"))
    assert not [said for said in empty if "opened" in said]  # where nothing was shown
    whole = inspect(study, PLAIN, ALL, session="r")
    assert words.shortcomings(whole)[1:3] == [
        "Relevant documents that never reached a top 2: 0 of 3.",
        "It found 1.00 of the 3 parts of its task.",
    ]
    assert words.shortfall_headline(numbers.shortfall(study, PLAIN, ALL)) == (
        "Largest loss against the ideal, by query: Q1 (2). The median session misses 0.5 of "
        "the relevant documents; 1 of 2 sessions found all. 1 of 2 sessions found all parts "
        "of the task, at the median by Q2."
    )
    fell = numbers.shortfall(
        study, PLAIN, ALL
    )  # a session without an ideal is not one that keeps up
    lost = fell.columns | {of: fell.columns[of] * [[1], [0]] for of in ("behind", "new")}
    fell = replace(fell, columns=lost, has_ideal=np.array([True, False]))
    assert words.shortfall_headline(fell).startswith(
        "Largest loss against the ideal, by query: Q1 (1). The median session misses 1 of the"
    )
    seen = individual_sessions(study, PLAIN, ALL, shade="parts found", order="log")
    assert seen.shown_values[0].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert "parts_found" in seen.table()


def test_a_cell_shows_its_query_and_only_what_is_unknown_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hits = {("t", "hit"): 1.0}
    asked = {
        "gains": [("t", {1: "hit"}), ("t", {})],  # the second list is empty, which is worth 0
        "unknown": [("u", {1: "hit"}), ("t", {1: "hit"}), ("t", {1: "miss"})],
    }
    sessions = [PlainSession(name, queries) for name, queries in asked.items()]
    study = study_of(PlainStudy(sessions, hits))
    seen = individual_sessions(study, LINEAR, ALL, order="log")
    assert seen.shown_values.tolist() == [
        pytest.approx([1, 0, math.nan], nan_ok=True),
        pytest.approx([math.nan, 1, 0], nan_ok=True),
    ]
    strong, grey = f"rgba({HUES[0]},{STRENGTHS[-1]})", FAINT
    assert grounds(seen) == [[strong, "", ""], [grey, strong, ""]]
    assert words.heatmap_note(seen).startswith(
        "Cells show “DCG”: not discounted by query. Grey: topic unjudged."
    )
    changes = individual_sessions(study, LINEAR, ALL, order="log", shade="change of dcg")
    lost = f"rgba({HUES[1]},{STRENGTHS[-1]})"
    # of a first query, and of one after an unknown one, there is no change
    assert grounds(changes)[0] == ["", lost, ""]
    assert grounds(changes)[1][-1] == lost
    assert lost in session_by_query_table(changes)[1].to_html()
    monkeypatch.setattr(numbers, "MOST_CELLS", 2)
    large = individual_sessions(study, LINEAR, ALL)
    assert not large.is_coloured
    assert len({*map(id, session_by_query_table(large))}) == 1
    assert "The table is too large to colour." in words.heatmap_note(large)


def grounds(seen: numbers.IndividualSessions) -> list[list[str]]:
    """The colour of each cell."""
    return [[css.partition(": ")[2] for css in row] for row in wall_colours(seen).tolist()]


# T-2 of docs/methods.md, linear gain: a3 a1 · a3 a2 u1 · nothing · a2 u2


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspect(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert words.session_title(shown) == "s, A: 1 query without a judged topic"


# sessions as a table: groups, values with counts, and the notebook's table equal plain loops
HIT, MISS = ("t", {1: "a"}), ("t", {1: "b"})
LISTS = ([MISS, HIT], [HIT, HIT], [HIT, MISS], [MISS], [("u", {1: "a"}), ("t", {1: "b"})])
HITS = PlainStudy(
    [PlainSession(f"s{i}", own, "AB"[i % 2]) for i, own in enumerate(LISTS)],
    {("t", "a"): 1.0, ("t", "b"): 0.0},
)
CHOICES = Choices(gains={0.0: 0.0, 1.0: 1.0})
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
    study = study_of(PlainStudy(HITS.sessions[:sessions], HITS.judgments))
    table = study.sessions.assign(mood=MOOD[:sessions], end=ENDED[:sessions], same="x")
    return replace(study, sessions=table, tags=TAGS)


def test_the_notebooks_table_has_the_loops_scores_ends_tags_and_what_came_along() -> None:
    table = sx.sessions(odd(), LINEAR).set_index("session")
    assert [*table.index] == [session.name for session in HITS.sessions]
    for session in HITS.sessions:
        scores = plain_session_scores.session_scores(session.queries, HITS.judgments, CHOICES)
        for name in table.columns[4 : [*table.columns].index("end")]:
            expected = pytest.approx(scores[name], nan_ok=True)
            assert table.loc[session.name, name] == expected, name
    assert table["end"].tolist() == END
    assert table["topic"].tolist() == ["t", "t", "t", "t", "u; t"]
    assert table["tags"].tolist() == ["typo; odd", "", "", "odd", ""]
    queries = scored(odd(), LINEAR, Filters()).queries
    of = zip(queries["session"], queries["query_number"], queries["tags"], strict=True)
    own = {(session, number): tags for session, number, tags in of if tags}
    assert own == {("s0", 1): "typo; odd", ("s0", 2): "typo", ("s3", 1): "odd"}
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
        has = {name: [numbers.facet(name, value) for value in VALUES[name][i]] for name in asked}
        return all({*has[name]} & {*where} for name in asked if name != but)

    every = range(len(LISTS))
    assert seen.names == tuple(f"s{i}" for i in every if passes(i))
    expected = Counter(
        numbers.facet(name, value)
        for name in FACETS
        for i in every
        if passes(i, name)
        for value in VALUES[name][i]
    )
    assert {one: n for one, n in seen.counts.items() if n} == expected


def test_sentences_say_what_narrowed_and_how_many_ends_are_open() -> None:
    lists = ([("u", {1: "a"}), HIT], [HIT, MISS])
    plain = PlainStudy([PlainSession(f"s{i}", own) for i, own in enumerate(lists)], HITS.judgments)
    view = study_of(plain), LINEAR, Filters()
    assert words.wall_note(individual_sessions(*view)).startswith(
        "How they ended: 0 found and stopped, 0 still gaining, 1 stopped without gain, 1 undefined."
    )
    seen = individual_sessions(*view, where=("end: stopped without gain",))
    assert words.headline(seen) == (
        "With “end: stopped without gain”: 0 of 1 session with several queries gained nothing "
        "before the last query; final sDCG is 1.00."
    )
    assert "unjudged" not in words.heatmap_note(seen)


def test_unknown_groups_and_values_are_refused() -> None:
    for asked in ({"group": "searcher"}, {"where": ("end: never",)}):
        with pytest.raises(ValueError, match=r"no (group|facet) "):
            individual_sessions(odd(), LINEAR, Filters(), tags=TAGS, **asked)  # type: ignore
