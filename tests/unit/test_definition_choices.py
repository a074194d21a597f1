"""Condense, observed, ideal-continues, ratio-of-means and the searcher's grades, by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.plain_loop import Choices, Judgments, Query, ideal_of, session_vector
from tests.support.tables import read

HEADER = "session,system,query_number,topic,rank,doc,clicked,grade\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,3\nt,c,2\nu,a,1\n"
FLAT = {"b": float("inf"), "bq": float("inf"), "weights": "linear"}  # plain sums, to work by hand


def study(folder: Path, *rows: str, judgments: str = JUDGMENTS) -> Study:
    return read(folder, log_csv=HEADER + "\n".join(rows) + "\n", judgments_csv=judgments)


def defined(**choices: Any) -> Definition:
    return Definition(**{**FLAT, **choices})


def finals(of: Study, **choices: Any) -> list[float]:
    return scores(of, defined(**choices), Filters()).sessions["final"].tolist()


def test_observed_counts_to_the_deepest_click_or_to_the_top(tmp_path: Path) -> None:
    of = study(
        tmp_path,
        *("s,A,1,t,1,a,1,", "s,A,1,t,2,c,1,", "s,A,1,t,3,b,0,"),  # observed to rank 2
        *("s,A,2,t,1,a,0,", "s,A,2,t,4,b,0,"),  # nothing recorded: to the top
    )
    table = scores(of, defined(short_lists="observed", top=3), Filters()).queries
    assert table["dcg"].tolist() == [1 + 2, 1.0]
    assert table["ideal_sdcg"].tolist() == [3 + 2, 3 + 2 + 1]


def test_a_repeat_counts_where_it_was_first_observed(tmp_path: Path) -> None:
    of = study(
        tmp_path,
        *("s,A,1,t,1,a,1,", "s,A,1,t,3,b,0,"),  # b below the deepest click: not seen yet
        *("s,A,2,t,1,b,1,",),
    )
    assert finals(of, short_lists="observed", repeats="first") == [1 + 3]
    assert finals(of, repeats="first") == [1 + 3]
    by_query = scores(of, defined(short_lists="observed", repeats="first"), Filters()).queries
    assert by_query["dcg"].tolist() == [1.0, 3.0]


def test_best_grade_of_several_is_the_one_that_gains_most(tmp_path: Path) -> None:
    of = study(tmp_path, "s,A,1,t,1,a,,5", "r,A,1,t,1,a,,2", "r,A,1,t,2,b,,1")
    weights = ((1.0, 1.0), (2.0, 4.0), (3.0, 0.0), (5.0, 3.0))
    table = scores(of, defined(grades="searcher", weights=weights), Filters())
    ideals = table.sessions["final"] / table.sessions["final_normalised"]
    assert ideals.tolist() == pytest.approx([4.0 + 1, 4.0 + 1])


@pytest.mark.parametrize("ideal", ["repeated", "spread"])
@pytest.mark.parametrize("repeats", ["every", "first"])
def test_searchers_grades_equal_a_plain_loop(tmp_path: Path, ideal: str, repeats: str) -> None:
    chance = random.Random(f"{ideal} {repeats}")
    rows: list[str] = []
    apart: dict[str, list[Query]] = {}  # each appearance a document of its own
    given: Judgments = {}
    best: Judgments = {}
    for session in ("s", "r", "w"):
        earlier = set[tuple[str, str]]()
        for q in range(1, 4):
            topic, results = chance.choice("tu"), dict[int, str]()
            for rank, doc in enumerate(chance.sample("abcdef", 4), start=1):
                grade = chance.choice(["", 0, 1, 2, 3])
                rows.append(f"{session},A,{q},{topic},{rank},{doc},,{grade}")
                results[rank] = f"{doc}{session}{q}"
                if isinstance(grade, int):
                    best[topic, doc] = max(grade, best.get((topic, doc), 0))
                    again = repeats == "first" and (topic, doc) in earlier
                    given[topic, results[rank]] = 0 if again else grade
            earlier |= {(topic, doc[0]) for doc in results.values()}
            apart.setdefault(session, []).append((topic, results))
    of = study(tmp_path, *rows)
    definition = defined(grades="searcher", ideal=ideal, repeats=repeats, b=2, bq=4)
    ours = scores(of, definition, Filters()).sessions.set_index("session")["final_normalised"]
    plain = Choices({g: float(g) for g in range(4)}, ideal=ideal)
    for session, queries in apart.items():
        share = session_vector(queries, given, plain)[-1] / ideal_of(queries, best, plain)[-1]
        assert ours[session] == pytest.approx(share, rel=1e-12)
