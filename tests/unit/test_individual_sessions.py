"""Individual sessions against plain loops over any study: cells, ends, filters, falls, marks."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.figures.style import COLOURS, FAINT, GREY
from sdcg_explorer.questions.individual_sessions import numbers, words
from sdcg_explorer.questions.individual_sessions import words as session_words
from sdcg_explorer.questions.individual_sessions.figure import (
    HUES,
    STRENGTHS,
    draw_individual_sessions,
    spread,
    wall_colours,
    zero_mark_counts,
)
from sdcg_explorer.questions.individual_sessions.inspector import Inspected, inspector, shortfall
from sdcg_explorer.questions.individual_sessions.numbers import (
    ENDS,
    ONLY,
    ORDERS,
    IndividualSessions,
    individual_sessions,
)
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.ratings import session_rating_columns
from sdcg_explorer.study.study import Study
from tests.support.large_studies import random_study
from tests.support.plain_files import definition_of, study_of, written
from tests.support.plain_loop import (
    Choices,
    PlainSession,
    PlainStudy,
    cells_of,
    ideal_of,
    is_judged,
    query_scores,
    session_vector,
)
from tests.support.random_studies import BASES, GAINS, GRADES, random_judgments, random_session
from tests.support.refusals import refusal
from tests.support.thorough import THOROUGH

ALL = Filters()
LINEAR = Definition(weights="linear")
PARTS = ("", "x", "y", "x;z")
Thing = tuple[str, str]


def drawn_study(seed: int) -> tuple[PlainStudy, Choices, Study, dict[Thing, str]]:
    """Forty awkward sessions on one set of judgments, a definition, and parts of documents."""
    chance = random.Random(seed)
    sessions = [random_session(chance, f"s{i}") for i in range(40)]
    plain = PlainStudy(sessions, random_judgments(chance))
    gains = {grade: chance.choice(GAINS) for grade in GRADES}
    policy = chance.choice([("every", "repeated"), ("first", "spread")])
    chosen = Choices(gains, chance.choice(BASES), chance.choice(BASES), top=chance.randint(1, 6))
    chosen = replace(chosen, repeats=policy[0], ideal=policy[1], short=chance.choice(["pad", 3]))
    parts = {thing: chance.choice(PARTS) for thing in plain.judgments}
    study = study_of(plain)
    table = study.judgments
    named = [parts[str(t), str(d)] for t, d in zip(table["topic"], table["doc"], strict=True)]
    return plain, chosen, replace(study, judgments=table.assign(part=named)), parts


def end(won: list[bool | None]) -> str:
    last, before = won[-1], won[-2] if len(won) > 1 else False
    if last is None or (last and before is None):
        return "undefined"
    return list(ENDS)[1 if before else 0] if last else list(ENDS)[2]


def passes(won: list[bool | None], only: str) -> bool:
    """What each filter says, query by query."""
    if only == "all":
        return True
    if None in won:
        return False
    if only == "gained nothing":
        return not any(won)
    if only == "only the last gained":
        return len(won) > 1 and bool(won[-1]) and not any(won[:-1])
    first = won.index(True) if True in won else len(won)
    return first < len(won) - 1 and not any(won[first + 1 :])


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
def test_sessions_and_their_queries_equal_plain_loops(seed: int) -> None:
    plain, chosen, study, parts = drawn_study(seed)
    definition = definition_of(chosen)
    own = [s for s in plain.sessions if is_judged(s.queries, plain.judgments)]
    scores = {s.name: query_scores(s.queries, plain.judgments, chosen) for s in own}
    won = {
        name: [None if math.isnan(q["dcg"]) else q["dcg"] > 0 for q in each]
        for name, each in scores.items()
    }
    for only in ONLY:
        seen = individual_sessions(study, definition, ALL, only=only)
        assert {*seen.names} == {name for name, each in won.items() if passes(each, only)}
        assert only == "all" or seen.by_filter[only] == len(seen.names)
    seen = individual_sessions(study, definition, ALL, shade="behind the ideal")
    ends = Counter(map(end, won.values()))
    assert seen.by_end == {name: ends[name] for name in ENDS}
    assert seen.not_whole == sum(None in each for each in won.values()) > 0
    table = shortfall(study, definition, ALL).table()
    rows = {str(name): of for name, of in table.groupby("session", observed=True)}
    assert {*rows} == {*seen.names} == {*won}
    for session in own:
        row, fell = seen.names.index(session.name), rows[session.name]
        expected = plain_rows(session, plain, chosen, parts)
        for name in expected[0]:
            assert fell[name].tolist() == close([q[name] for q in expected]), (session, name)
        falls = [q["behind"] for q in expected if not math.isnan(q["behind"])]
        (worst,) = fell["query_number"][fell["worst"] == 1].tolist() or [0]
        assert bool(worst) == (max(falls) > 1e-12)
        assert not worst or expected[worst - 1]["behind"] == pytest.approx(max(falls), abs=1e-9)
        number, of = len(expected), scores[session.name]
        assert seen.shown_values[row][:number].tolist() == close([q["behind"] for q in expected])
        found = seen.brought["relevant_found"][row][:number].tolist()
        assert found == close([q["new"] for q in expected])
        assert seen.ended_so[row] == end(won[session.name])
        for score in ("dcg", "change_dcg"):
            ours = seen.brought[score][row].tolist()
            assert ours[:number] == close([q[score] for q in of])
            assert all(map(math.isnan, ours[number:]))
        assert seen.asked[row].sum() == number
        shown = [sum(rank <= chosen.top for rank in results) for _, results in session.queries]
        assert seen.results[row, :number].tolist() == shown
        unjudged = [math.isnan(q["dcg"]) for q in of]
        assert seen.unjudged[row].tolist() == unjudged + [False] * (seen.asked.shape[1] - number)
        check_documents(
            inspector(study, definition, ALL, session=session.name), session, plain, chosen
        )


def close(expected: list[float]) -> Any:
    return pytest.approx(expected, nan_ok=True, abs=1e-9)


def check_documents(
    of: Inspected, session: PlainSession, plain: PlainStudy, chosen: Choices
) -> None:
    """Documents that no query showed within the top, the best first; what the session gained."""
    gained = of.results["contribution"].sum(), of.queries["sdcg"].sum(), of.final
    vector = session_vector(session.queries, plain.judgments, chosen)
    assert gained == pytest.approx([vector[-1] if vector else 0.0] * 3, rel=1e-12, abs=1e-12)
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
        "It never showed 1 of 3 relevant documents.",
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
        "Both sessions lose most against their ideal at Q1. The median session never shows 0.5 of "
        "its topic's relevant documents; 1 session shows them all. 1 of 2 sessions found all parts "
        "of the task, at the median by Q2."
    )
    seen = individual_sessions(study, PLAIN, ALL, shade="parts found", order="log")
    assert seen.shown_values[0].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert "parts_found" in seen.table()


def test_parts_are_those_of_qrels_and_of_no_other_column(tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=LOG, qrels_txt="t 1 a 1\nt 2 a 1\nt 2 b 1\nt 3 c 0\n")
    study = read_study(*files.values(), recipe=Recipe(parts="iteration"))
    parts = dict(zip(study.judgments["doc"], study.judgments["part"], strict=True))
    assert parts == {"a": "1;2", "b": "2", "c": ""}
    assert inspector(study, PLAIN, ALL, session="s").complete_at == 1
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    assert "no column 'odd'; columns of the judgments are topic, doc, grade, answers" in refusal(
        lambda: read_study(*files.values(), recipe=Recipe(parts="odd"))
    )


def test_by_their_own_grades_only_what_a_searcher_graded_is_missing(tmp_path: Path) -> None:
    log = "session,system,query_number,topic,rank,doc,grade\ns,A,1,t,1,a,0\ns,A,2,t,1,n,1\n"
    log += "r,A,1,t,1,a,1\nr,A,1,t,2,b,1\nr,A,2,t,1,b,2\nr,A,2,t,2,c,\n"
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    study = read_study(*files.values(), recipe=Recipe(parts="answers"))
    of = inspector(study, replace(PLAIN, grades="searcher"), ALL, session="s")
    # a, b and n have gain with somebody; c, the assessors' best, with nobody
    assert of.never_shown.to_numpy().tolist() == [["t", "b", "2", "where"]]
    assert of.relevant == 3
    assert of.brought["parts_found"].tolist() == [1 / 2, 1 / 2]  # when, and never where


@cache
def toys() -> Study:
    """Sessions that gained at 2 · 1, 3 · never · 1 of 2, by three searchers on two topics."""
    wins = {"late": "012", "none": "00", "gave": "10", "only": "01"}
    sessions = [
        PlainSession(
            name,
            [(f"t{i % 2}", {1: "hit" if w != "0" else "miss"}) for w in won],
            "BA"[i % 2],
            f"p{3 - i}",
        )
        for i, (name, won) in enumerate(wins.items())
    ]
    study = study_of(PlainStudy(sessions, {("t0", "hit"): 1.0, ("t1", "hit"): 1.0}))
    study.sessions["mood"] = [3.0, math.nan, 1.0, 2.0]
    study.sessions["words"] = ["x"] * 4
    return study


def test_orders_are_those_they_are_called() -> None:
    study = toys()
    assert session_rating_columns(study) == ("mood",)
    expected = {
        "length": ["late", "none", "gave", "only"],
        "first gain": ["gave", "late", "only", "none"],
        "searcher": ["only", "gave", "none", "late"],
        "topic": ["late", "gave", "none", "only"],
        "system": ["none", "only", "late", "gave"],
        "log": ["late", "none", "gave", "only"],
        "rating: mood": ["late", "only", "gave", "none"],
        "worth": ["late", "gave", "only", "none"],
    }
    assert {*expected} == {*ORDERS, "rating: mood"}
    for order, names in expected.items():
        assert list(individual_sessions(study, LINEAR, ALL, order=order).names) == names, order


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
        "Each row is a session, Q1, Q2 … its queries. Cells show DCG: DCG of the query, before the "
        "query discount. Grey: topic unjudged."
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


def test_marks_on_each_other_are_spread_and_those_at_0_counted() -> None:
    x, y = np.array([10, 10, 10, 10, 20, 20]), np.array([0.0, 0.0, 0.2, 0.0, 5.0, 0.0])
    at = spread(x, y, 100.0, 10)
    assert at == pytest.approx([8.8, 10, 10, 11.2, 20, 20])
    counts = zero_mark_counts(x, y, np.arange(6))
    assert counts is not None
    assert (counts["text"], counts["x"].tolist()) == (["×3 at 0"], [10])
    assert zero_mark_counts(x[4:], y[4:], np.arange(2)) is None
    many = spread(np.full(50, 10), np.zeros(50), 100.0, 10)
    assert (many.min(), many.max()) == pytest.approx((7, 13))
    assert np.diff(many) == pytest.approx(6 / 49)


@pytest.mark.parametrize("count", [1, 3, 7])
def test_no_session_on_top_takes_the_colour_of_a_system(count: int) -> None:
    made = random_study(30, seed=8)
    systems = [f"System {i % count + 1:02}" for i in range(30)]
    of = replace(made, sessions=made.sessions.assign(system=systems))
    seen = individual_sessions(of, LINEAR, Filters(systems=("System 01",)))
    names, chosen = of.block().system_names, seen.names[:4]
    figure: Any = draw_individual_sessions(seen, names, chosen=chosen)
    on_top = [each for each in figure.data if each.name.startswith("session ")]
    free = [*COLOURS[count:], *[GREY] * 4]
    assert [each.line.color for each in on_top] == free[:4]
    looks = [(each.line.color, each.line.dash, each.marker.symbol) for each in on_top]
    assert len({*looks}) == len({each[:2] for each in looks}) == 4


# T-2 of docs/methods.md, linear gain: a3 a1 · a3 a2 u1 · nothing · a2 u2
T2 = PlainStudy(
    [
        PlainSession(
            "T-2",
            [
                ("2", {1: "a3", 2: "a1"}),
                ("2", {1: "a3", 2: "a2", 3: "u1"}),
                ("2", {}),
                ("2", {1: "a2", 2: "u2"}),
            ],
        )
    ],
    {("2", "a1"): 1.0, ("2", "a2"): 2.0, ("2", "a3"): 3.0},
)


def t2(**choices: str) -> Inspected:
    return inspector(study_of(T2), replace(LINEAR, **choices), ALL, session="T-2")


def test_results_of_a_toy_session_are_worked_out() -> None:
    results = t2().results
    assert results["doc"].tolist() == ["a3", "a1", "a3", "a2", "u1", "a2", "u2"]
    assert results["grade"].tolist() == ["3", "1", "3", "2", "unjudged", "2", "unjudged"]
    # D = 1, 1/1.5, 1/(1 + log4 3), 1/2; d = 1, 1/2, 1/(1 + log2 3)
    expected = [3, 1 / 2, 3 / 1.5, 2 / 2 / 1.5, 0, 2 / 2, 0]
    assert results["contribution"].tolist() == pytest.approx(expected)
    marks = ["", "", "repeat", "", "unjudged", "repeat", "unjudged"]
    assert results["marks"].tolist() == marks


def test_what_is_left_out_or_beyond_the_top_is_marked() -> None:
    condensed = t2(unjudged="condense").results
    assert condensed["marks"].tolist()[4] == "unjudged, left out"
    assert condensed["contribution"].tolist() == t2().results["contribution"].tolist()
    cut = inspector(study_of(T2), replace(LINEAR, top=1), ALL, session="T-2").results
    assert cut["marks"].tolist()[1] == "not counted"
    assert cut["contribution"].tolist()[1] == 0


def test_session_on_topics_nobody_judged_is_worth_no_number() -> None:
    plain = PlainStudy([PlainSession("s", [("t", {1: "a"})])], {("u", "a"): 1.0})
    shown = inspector(study_of(plain), LINEAR, ALL, session="s")
    assert math.isnan(shown.final)
    assert np.isnan(shown.results["contribution"]).all()
    assert session_words.title(shown) == "s, A: 1 query on unjudged topics"
