"""Individual sessions: parts and falls by hand, orders, ends, filters, marks and colours."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sdcg_explorer.figures.style import FAINT
from sdcg_explorer.questions.individual_sessions import numbers, words
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.figure import HUES, STRENGTHS, wall_colours
from sdcg_explorer.questions.individual_sessions.numbers import (
    IndividualSessions,
    individual_sessions,
    inspect,
    shortfall,
)
from sdcg_explorer.reading import read, recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of, written
from tests.support.plain_loop import PlainSession, PlainStudy

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


def by_hand(folder: Path) -> Study:
    files = written(folder, log_csv=LOG, judgments_csv=JUDGMENTS)
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
    assert of.stalled == (3, 3)
    less = replace(PLAIN, weights=((0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 3.0)))
    found = inspect(study, less, ALL, session="s").brought["parts_found"]
    assert found.tolist() == [1 / 2] * 3  # b, which answers where, gains nothing
    none = replace(PLAIN, weights=tuple((float(grade), 0.0) for grade in range(4)))
    assert inspect(study, none, ALL, session="s").brought["parts_found"].isna().all()
    assert words.shortcomings(replace(of, stalled=(3, 4)))[1] == (
        "From Q3 to Q4 no top 2 had a new relevant document."
    )
    assert words.shortcomings(of) == [
        "It lost most against its ideal at Q1 (3.00); at the end it was 3.00 behind.",
        "1 of 3 relevant documents never reached a top 2.",
        "It found .67 of the 3 parts of its task.",
        "1 relevant document in a top 2 was not opened: b (1).",
        "1 opened document gained nothing: n (0).",
    ]
    ahead = words.shortcomings(replace(of, behind=-1.5, never_shown=of.never_shown.iloc[:0]))
    assert ahead[0].endswith("at Q1 (3.00); at the end it was 1.50 ahead.")
    seen = replace(of, relevant=1)
    assert words.shortcomings(seen)[1] == "The one relevant document never reached a top 2."
    one = replace(of, queries=of.queries[:1])
    assert words.shortcomings(one)[0] == "It lost 3.00 against its ideal."
    files = written(tmp_path, log_csv=f"{LOG}e,A,1,t,,,\n", judgments_csv=JUDGMENTS)
    more = read.read_study(*files.values(), recipe=recipe.Recipe(parts="answers"))
    empty = words.shortcomings(inspect(more, PLAIN, ALL, session="e"))
    assert not [said for said in empty if "opened" in said]  # where nothing was shown
    whole = inspect(study, PLAIN, ALL, session="r")
    assert words.shortcomings(whole)[1:3] == [
        "All 3 relevant documents reached a top 2.",
        "It had found all 3 parts by Q2.",
    ]
    assert "It had found the 1 part by Q2." in words.shortcomings(replace(whole, parts=1))
    assert words.shortfall_headline(shortfall(study, PLAIN, ALL)) == (
        "Both sessions lose most against their ideal at Q1. The median session misses 0.5 of the "
        "relevant documents; 1 session misses none. 1 of 2 sessions found all parts "
        "of the task, at the median by Q2."
    )
    fell = shortfall(study, PLAIN, ALL)  # a session without an ideal is not one that keeps up
    lost = fell.columns | {"behind": fell.columns["behind"] * [[1], [0]]}
    fell = replace(fell, columns=lost, has_ideal=np.array([True, False]))
    assert "behind" not in words.shortfall_headline(fell)
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
        "Each row is a session, Q1, Q2 … its queries. Cells show DCG: not discounted by query. "
        "Grey: topic unjudged."
    )
    changes = individual_sessions(study, LINEAR, ALL, order="log", shade="change of dcg")
    lost = f"rgba({HUES[1]},{STRENGTHS[-1]})"
    # of a first query, and of one after an unknown one, there is no change
    assert grounds(changes)[0] == ["", lost, ""]
    assert grounds(changes)[1][-1] == lost
    monkeypatch.setattr(numbers, "MOST_CELLS", 2)
    large = individual_sessions(study, LINEAR, ALL)
    assert not large.is_coloured
    assert "The table is too large to colour." in words.heatmap_note(large)


def grounds(seen: IndividualSessions) -> list[list[str]]:
    """The colour of each cell."""
    return [[css.partition(": ")[2] for css in row] for row in wall_colours(seen).tolist()]


# T-2 of docs/methods.md, linear gain: a3 a1 · a3 a2 u1 · nothing · a2 u2


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspect(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert session_words.session_title(shown) == "s, A: 1 query without a judged topic"
