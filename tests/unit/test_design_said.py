"""A study in a sentence about its design: whole sentences of worked situations."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from sdcg_explorer.questions.data.design import design_sentences, headline
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from tests.app.test_design import study
from tests.support.plain_files import written

# searcher, system and topic of each session: what is said of them
SQUARE = [(f"p{p}", "ABC"[(p + t) % 3], f"t{t}") for p, t in product(range(6), range(3))]
SAID = {
    "Latin square": (
        SQUARE,
        "6 searchers × 3 topics × 3 systems, within searchers, each topic and system once "
        "(Latin square); 18 sessions, 18 queries.",
    ),
    "one searcher more than a square": (
        SQUARE[:-3],
        "5 searchers × 3 topics × 3 systems, within searchers, each topic and system once "
        "(not balanced: 1 to 2 sessions per topic and system); 15 sessions, 15 queries.",
    ),
    "a system for each topic": (
        [(f"p{p}", "ABC"[t], f"t{t}") for p, t in product(range(6), range(3))],
        "6 searchers × 3 topics × 3 systems, within searchers, each topic and system once, each "
        "topic with one system only; 18 sessions, 18 queries.",
    ),
    "six topics with two systems": (
        [(f"p{p}", "AB"[(p + t) % 2], f"t{t}") for p, t in product(range(4), range(6))],
        "4 searchers × 6 topics × 2 systems, within searchers, each topic once, each system 3 "
        "times (balanced); 24 sessions, 24 queries.",
    ),
    "every topic with every system": (
        [(f"p{p}", y, t) for p, t, y in product(range(5), "tuv", "AB")],
        "5 searchers × 3 topics × 2 systems, within searchers, each combination once; 30 sessions, "
        "30 queries.",
    ),
    "between": (
        [(f"p{p}", "AB"[p % 2], t) for p, t in product(range(4), "tuv")],
        "4 searchers × 3 topics with 2 systems, between searchers, each topic once; 12 sessions, "
        "12 queries.",
    ),
    "some used both": (
        [("p", "A", "t"), ("p", "B", "t"), ("q", "B", "u")],
        "2 searchers on 2 topics with 2 systems, mixed (1 of 2 searchers used several systems), "
        "each topic 1 to 2 times; 3 sessions, 3 queries.",
    ),
    "one session": ([("", "A", "t")], "1 session on 1 topic with 1 system; 1 query."),
    "runs of agents": (
        [("", y, f"t{t}") for t, y, _ in product(range(20), "ABC", range(5))],
        "300 sessions: 20 topics × 3 systems, each combination 5 times; 300 queries.",
    ),
    "runs of agents, one of which is missing": (
        [("", y, f"t{t}") for t, y in [*product(range(20), "ABC")][1:]],
        "59 sessions on 20 topics with 3 systems; 59 queries.",
    ),
    "one system": (
        [("", "A", f"t{t}") for t in range(20)],
        "20 sessions: 20 topics, each once, with 1 system; 20 queries.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_design_is_said_in_a_sentence(name: str) -> None:
    sessions, said = SAID[name]
    assert headline(study(*sessions)) == said


LOG = """session,searcher,topic,system,query_number,time,rank,doc
a,p,t,A,1,04.11.2024 09:00:00,1,x
a,p,t,A,2,04.11.2024 09:01:00,1,y
b,p,u,B,1,04.11.2024 10:00:00,1,x
c,q,t,B,1,05.11.2024 09:00:00,1,x
d,q,u,A,1,05.11.2024 08:00:00,,
"""
JUDGED = """topic,doc,grade,assessor
t,x,3,anna
t,x,2,ben
t,y,0,anna
t,y,0,ben
u,x,1,anna
"""
RATED = "participant,task,satisfaction\np,t,4\np,u,2\nq,t,5\nQ,u,3\n"


def test_order_best_grade_ratings_and_assessors_are_said(tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=LOG, judged_csv=JUDGED, rated_csv=RATED)
    study = read_study([*files.values()], recipe=Recipe(assessors="max"))
    # κ of (3, 2) and (0, 0): 1 − .5 / (2.25 + 1 + .5²) = .86
    assert design_sentences(study) == [
        "2 searchers × 2 topics × 2 systems, within searchers, each topic and system once (Latin "
        "square); 4 sessions, 5 queries, 1 of them without results.",
        "The order of sessions is known from their times; first came A (2).",
        "4 results, all judged; grades 0 to 3, best grade: 3.",
        "Ratings joined for 3 of 4 sessions; not found in the log: Q, u.",
        "Two assessors, weighted κ = .86 (2 documents judged by both).",
    ]
