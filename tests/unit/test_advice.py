"""Advice beneath the figures: each sentence has a study that calls for it, and one just below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.questions import overview
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support.tables import read

HEADER = "session,query_number,topic,rank,doc\n"
RESULTS = [*enumerate("axyz", start=1)]  # one of four is judged
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,2\nz,a,0\n"


def study(folder: Path, *rows: str) -> Study:
    return read(folder, log_csv=HEADER + "\n".join(rows) + "\n", judgments_csv=JUDGMENTS)


def said(of: Study, **choices: Any) -> list[str]:
    return advice(of, Definition(**choices), Filters())


def test_nothing_is_said_where_nothing_misleads(tmp_path: Path) -> None:
    assert said(study(tmp_path, "s,1,t,1,a", "s,2,t,1,b")) == []


def test_sessions_above_one_are_said_with_what_removes_it(tmp_path: Path) -> None:
    # b, the better of two documents, comes again: 10 + 10 · D(2) of 10 + 1 · D(2), D(2) = 2/3
    again = study(tmp_path, "s,1,t,1,b", "s,2,t,1,b", "r,1,t,1,a")
    assert said(again, ideal="spread") == [
        "1 session exceeds 1 because repeats count in the session but not in the ideal. Count "
        "repeats once, or let the ideal repeat."
    ]
    assert said(again, ideal="spread", repeats="first") == said(again) == []
    twice = study(tmp_path / "two", "s,1,t,1,b", "s,2,t,1,b", "r,1,t,1,b", "r,2,t,1,b")
    assert said(twice, ideal="spread")[0].startswith("2 sessions exceed 1 because")


def test_a_share_of_exactly_one_is_not_above(tmp_path: Path) -> None:
    perfect = study(tmp_path, "s,1,t,1,b", "s,1,t,2,a")
    assert said(perfect, ideal="spread") == []
    below = study(tmp_path / "below", "s,1,t,1,a", "s,2,t,1,a")  # 1 + D(2) of 10 + D(2)
    assert said(below, ideal="spread") == []


def test_gains_out_of_the_grades_order_are_said(tmp_path: Path) -> None:
    log, judgments = HEADER + "s,1,t,1,a\n", "topic,doc,grade\nt,a,4\nt,b,2\nt,c,1\nt,d,0\n"
    of = read(tmp_path, log_csv=log, judgments_csv=judgments)

    def with_four_worth(gain: float) -> list[str]:
        return said(of, weights=((0.0, 0.0), (1.0, 1.0), (2.0, 10.0), (4.0, gain)))

    assert with_four_worth(9.5) == [
        "Gains don't follow the grades: grade 4 gains 9.5, grade 2 gains 10."
    ]
    assert with_four_worth(10) == []


def test_an_ideal_out_of_reach_is_said_with_its_sessions(tmp_path: Path) -> None:
    of = study(tmp_path, "s,1,t,1,a", "s,2,t,1,b", "r,1,t,1,a")
    assert said(of, repeats="first") == [
        "1 session can't reach 1: repeats count once, but the ideal repeats its list with every "
        "query. Use the spread ideal."
    ]
    assert said(of, repeats="first", ideal="spread") == []
    below = study(tmp_path / "below", "s,1,t,1,a", "s,2,z,1,a", "r,1,t,1,a")
    assert said(below, repeats="first") == []


def test_a_shrinking_ideal_is_said(tmp_path: Path) -> None:
    of = study(tmp_path, "s,1,t,1,a")
    shrinks = (
        "The ideal is as short as each list, so a single good result can score 1. Pad short lists "
        "to avoid this."
    )
    assert said(of, short_lists="as-is") == said(of, short_lists=3) == [shrinks]
    assert said(of) == []


def test_undefined_sessions_are_said(tmp_path: Path) -> None:
    of = study(tmp_path, "s,1,t,1,a", "r,1,z,1,a")
    assert said(of) == [
        "1 judged session has no document that gains; its share is undefined and left out of means."
    ]
    assert said(study(tmp_path / "below", "s,1,t,1,a", "r,1,z,1,a", "r,2,t,1,a")) == []


def test_many_unjudged_results_are_said(tmp_path: Path) -> None:
    rows = ["s,1,t,1,a", "s,1,t,2,b", *(f"s,{q},t,1,a" for q in (2, 3))]
    at_a_fifth = study(tmp_path, *rows, "s,4,t,1,x")
    assert said(at_a_fifth) == []
    above = study(tmp_path / "above", *rows, "s,4,t,1,x", "s,4,t,2,y", "s,4,t,11,a")
    share = "33% of the results in the top 10 are unjudged and"
    assert said(above) == [f"{share} gain 0."]
    assert said(above, unjudged="condense") == [f"{share} are removed."]


def test_withheld_last_queries_are_said(tmp_path: Path) -> None:
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><results><result rank="1">'
        "<docno>a</docno></result></results></interaction><currentquery/></session></log>"
    )
    assert said(read(tmp_path, log_xml=log, judgments_csv=JUDGMENTS)) == [
        "The log withholds the results of 1 final query; here “last” means the last query with "
        "results."
    ]


@pytest.mark.parametrize("word", ["withholds", "unjudged"])
def test_overview_says_once_what_the_import_warns_of_too(tmp_path: Path, word: str) -> None:
    results = "".join(f'<result rank="{i}"><docno>{doc}</docno></result>' for i, doc in RESULTS)
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><results>'
        f"{results}</results></interaction><currentquery/></session></log>"
    )
    of = read(tmp_path, log_xml=log, judgments_csv=JUDGMENTS)
    assert word in " ".join(each.sentence() for each in of.problems)
    told = overview.answer(StudyView(of, Definition(), Filters())).advice
    assert sum(word in each for each in told) == 1


def test_nothing_left_by_the_filters_says_nothing(tmp_path: Path) -> None:
    assert advice(study(tmp_path, "s,1,t,1,a"), Definition(), Filters(min_queries=5)) == []
