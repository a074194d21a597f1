"""Where did it go wrong? Each query's shortfall equals plain loops, and a study worked by hand."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.questions.individual_sessions import words
from sdcg_explorer.questions.individual_sessions.inspector import (
    Inspected,
    inspector,
    shortfall,
)
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.plain_files import definition_of, study_of, written
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    cells_of,
    ideal_of,
    is_judged,
    session_vector,
)
from tests.support.random_studies import BASES, GAINS, GRADES, random_judgments, random_session
from tests.support.thorough import THOROUGH

ALL = Filters()
PARTS = ("", "x", "y", "x;z")
Thing = tuple[str, str]


def at_ends(session: PlainSession, plain: PlainStudy, chosen: Choices) -> list[float]:
    """How far the curve lies beneath its ideal at the end of each query."""
    queries, cells = session.queries, cells_of(session.queries, chosen)
    ideal = ideal_of(queries, plain.judgments, chosen)
    vector = session_vector(queries, plain.judgments, chosen)
    ends = [sum(q <= number for q, _ in cells) for number in range(1, len(queries) + 1)]
    return [ideal[end - 1] - vector[end - 1] if end else 0.0 for end in ends]


def plain_rows(
    session: PlainSession, plain: PlainStudy, chosen: Choices, parts: dict[Thing, str]
) -> list[dict[str, float]]:
    """Each query's shortfall, one after the other, by sets of documents."""
    relevant = {t for t, grade in plain.judgments.items() if chosen.gains[grade] > 0}
    judged = {topic for topic, _ in plain.judgments}
    asked = {topic for topic, _ in session.queries}
    wanted = {(t, p) for t, d in relevant if t in asked for p in parts[t, d].split(";") if p}
    gaps, known, rows = at_ends(session, plain, chosen), set[Thing](), list[dict[str, float]]()
    for number, (topic, results) in enumerate(session.queries):
        shown = {(topic, doc) for rank, doc in results.items() if rank <= chosen.top} & relevant
        new, again = shown - known, shown & known
        known |= shown
        left = {t for t in relevant if t[0] == topic} - known
        fell = gaps[number] - (gaps[number - 1] if number else 0.0)
        row = {"new": len(new), "repeated": len(again), "missing": len(left), "behind": fell}
        if topic not in judged:
            row = dict.fromkeys(row, math.nan)
        found = {(t, p) for t, d in known for p in parts[t, d].split(";") if p}
        rows.append(row | {"parts_found": len(found) / len(wanted) if wanted else math.nan})
    return rows


@pytest.mark.parametrize("seed", range(2 * THOROUGH))
def test_shortfall_equals_plain_loop(seed: int) -> None:
    chance = random.Random(seed)
    plain = PlainStudy([random_session(chance, f"s{i}") for i in range(40)],
                       random_judgments(chance))  # fmt: skip
    gains = {grade: chance.choice(GAINS) for grade in GRADES}
    policy = chance.choice([("every", "repeated"), ("first", "spread")])
    chosen = Choices(gains, chance.choice(BASES), chance.choice(BASES), top=chance.randint(1, 6))
    chosen = replace(chosen, repeats=policy[0], ideal=policy[1], short=chance.choice(["pad", 3]))
    parts = {thing: chance.choice(PARTS) for thing in plain.judgments}
    study = study_of(plain)
    table = study.judgments
    named = [parts[str(t), str(d)] for t, d in zip(table["topic"], table["doc"], strict=True)]
    study = replace(study, judgments=table.assign(part=named))
    definition = definition_of(chosen)
    rows = {str(name): of for name, of in shortfall(study, definition, ALL).table().groupby(
        "session", observed=True)}  # fmt: skip
    seen = individual_sessions(study, definition, ALL, shade="behind the ideal")
    assert {*rows} == {s.name for s in plain.sessions if is_judged(s.queries, plain.judgments)}
    for session in (s for s in plain.sessions if s.name in rows):
        expected = plain_rows(session, plain, chosen, parts)
        own = rows[session.name]
        for name in expected[0]:
            ours, theirs = own[name].tolist(), [row[name] for row in expected]
            assert ours == pytest.approx(theirs, nan_ok=True, abs=1e-9), (session, name)
        falls = [row["behind"] for row in expected if not math.isnan(row["behind"])]
        (worst,) = own["query_number"][own["worst"] == 1].tolist() or [0]
        assert bool(worst) == (max(falls) > 1e-12)
        assert not worst or expected[worst - 1]["behind"] == pytest.approx(max(falls), abs=1e-9)
        cells = seen.shown_values[seen.names.index(session.name)][: len(expected)].tolist()
        assert cells == pytest.approx([row["behind"] for row in expected], nan_ok=True, abs=1e-9)
        check_documents(
            inspector(study, definition, ALL, session=session.name), session, plain, chosen
        )


def check_documents(
    of: Inspected, session: PlainSession, plain: PlainStudy, chosen: Choices
) -> None:
    """Documents that no query showed within the top, the best first."""
    shown = {
        (t, d) for t, results in session.queries for r, d in results.items() if r <= chosen.top
    }
    relevant = {t for t, grade in plain.judgments.items() if chosen.gains[grade] > 0}
    wanted = {thing for thing in relevant if thing[0] in {t for t, _ in session.queries}}
    listed = [*zip(of.never_shown["topic"], of.never_shown["doc"], strict=True)]
    assert {*listed} == wanted - shown
    assert len(listed) == len({*listed})
    assert of.relevant == len(wanted)
    rows = zip(of.brought["new"], of.brought["missing"], strict=True)
    signs = "".join("x" if new == 0 and left > 0 else "." for new, left in rows)
    longest = max(signs.split("."), key=len)
    first = signs.index(longest) + 1 if longest else 0
    assert of.stalled == (first, first + len(longest) - 1 if longest else 0)
    worth = [chosen.gains[plain.judgments[thing]] for thing in listed]
    assert worth == sorted(worth, reverse=True)


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
    return read_study(*files.values(), recipe=Recipe(parts="answers"))


def test_a_study_worked_by_hand(tmp_path: Path) -> None:
    study = by_hand(tmp_path)
    judged = study.judgments.set_index("doc")
    assert judged["part"].to_dict() == {"a": "when", "b": "where", "c": "when;who", "n": ""}
    assert judged["grade"].to_dict() == {"a": 2, "b": 1, "c": 3, "n": 0}
    of = inspector(study, PLAIN, ALL, session="s")
    # the ideal shows c and a, then b: 5 · 1 · 0; the session gains 2 · 1 (a again) · 0
    assert of.brought["behind"].tolist() == [5 - 2, 1 - 1, 0]
    assert of.brought["new"].tolist() == [1, 1, 0]
    assert of.brought["repeated"].tolist() == [0, 1, 0]
    assert of.brought["missing"].tolist() == [2, 1, 1]
    assert of.brought["parts_found"].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert of.stalled == (3, 3)
    assert words.went_wrong(replace(of, stalled=(3, 4)))[1] == (
        "From Q3 to Q4 it showed no new relevant document."
    )
    assert words.went_wrong(of) == [
        "It lost most against its ideal at Q1: 3.00 of 3.00 in all.",
        "It never showed 1 of 3 relevant documents: c (3).",
        "It found .67 of the 3 parts of its task.",
        "1 relevant document was shown but not opened: b (1).",
        "1 opened document gained nothing: n (0).",
    ]
    whole = inspector(study, PLAIN, ALL, session="r")
    assert words.went_wrong(whole)[1:3] == [
        "It showed all 3 relevant documents.",
        "It had found all 3 parts by Q2.",
    ]
    assert words.shortfall_headline(shortfall(study, PLAIN, ALL)) == (
        "All 2 sessions lose most against their ideal at Q1. The median session never shows 0.5 of "
        "its topic's relevant documents; 1 session shows them all. 1 of 2 sessions found all parts "
        "of the task, at the median by Q2."
    )
    seen = individual_sessions(study, PLAIN, ALL, shade="parts found", order="log")
    assert seen.shown_values[0].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert "parts_found" in seen.table()


def test_by_their_own_grades_only_what_a_searcher_graded_is_missing(tmp_path: Path) -> None:
    log = "session,system,query_number,topic,rank,doc,grade\ns,A,1,t,1,a,0\ns,A,2,t,1,n,1\n"
    log += "r,A,1,t,1,a,1\nr,A,1,t,2,b,1\nr,A,2,t,1,b,2\n"
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    study = read_study(*files.values(), recipe=Recipe(parts="answers"))
    of = inspector(study, replace(PLAIN, grades="searcher"), ALL, session="s")
    # a, b and n have gain with somebody; c, the assessors' best, with nobody
    assert of.never_shown.to_numpy().tolist() == [["t", "b", "2", "where"]]
    assert of.relevant == 3
    assert of.brought["parts_found"].tolist() == [1 / 2, 1 / 2]  # when, and never where
