"""Grades as a matrix of topics and documents: a row for each grade, or why there are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import DEFAULT
from tests.support import formats, refusals
from tests.support.told import grades_of, outcome

LOG = """session,searcher,topic,query_number,rank,doc
s1,1,T01,1,1,d1
s1,1,T01,1,2,d2
s2,2,T02,1,1,d2
s2,2,T02,2,1,d3
"""
NUMBERED = LOG.replace("d", "010").replace("010oc", "doc")  # 0101, 0102, 0103
WORDY = LOG.replace("d1", "tea").replace("d2", "mint").replace("d3", "sage")
NO_TOPIC = "no topic in common; the ids almost match ('T01' and '1')"
COMMENTS = "topic,d1,d2\nT01,see p. 3,\nT02,,nice\n"

# by what it is: log, matrix, choices, and the grades, or what is said of none
MADE: dict[str, tuple[str, str, str, str]] = {
    "topics that look like levels": (
        WORDY.replace("T0", "L"), "topic,tea,mint,sage,Mean\nL1,2,0,,1\nL2,,1,3,2\n", "",
        "L1/mint=0 L1/tea=2 L2/mint=1 L2/sage=3"),
    "decimal commas": (LOG, "topic;d1;d2\nT01;0,5;1\nT02;;1,5\n", "",
        "T01/d1=0.5 T01/d2=1 T02/d2=1.5"),
    "ids without zeros": (NUMBERED, "topic,101,102\nT01,2,0\nT02,,1\n", "fix=alike-ids",
        "T01/0101=2 T01/0102=0 T02/0102=1"),
    "ids without zeros, unasked": (NUMBERED, "topic,101,102\nT01,2,0\nT02,,1\n", "",
        "no document in common; the ids almost match ('0101' and '101')"),
    "topics of another form": (LOG, "doc,1,2\nd1,2,\nd2,0,1\n", "", NO_TOPIC),
    "by hand, rows without a header": (
        LOG.replace("T0", ""), "1,d1,2,x,0\n1,d2,0,y,1\n2,d2,1,x,1\n", "kinds=m.csv=judgments",
        "m.csv, line 1: no header row ('1', 'd1', '2', 'x', '0')"),
    "rows without a header": (LOG.replace("T0", ""), "1,d1,2,x,0\n1,d2,0,y,1\n2,d2,1,x,1\n", "",
        "m.csv, line 1: no header row ('1', 'd1', '2', 'x', '0')"),
    "comments": (LOG, COMMENTS, "",
        "set aside; it has topics and documents, but its cells are no grades (see p. 3, nice). If "
        "it has the judgments, say so: --set kinds=m.csv=judgments."),
    "scores": (LOG, "doc,T01,T02\n" + "".join(f"d{i},0.{i}3,0.{i}9\n" for i in range(1, 9)), "",
        "its cells are no grades (0.13, 0.23, 0.33, …)"),
    "one value alone": (LOG, "topic,d1,d2\nT01,1,\nT02,,1\n", "", "its cells are no grades (1)"),
    "seconds": (LOG, "topic,d1,d2\nT01,140,3\nT02,,12\n", "", "its cells are no grades (140, 3,"),
}  # fmt: skip


@pytest.mark.parametrize("what", MADE)
def test_a_matrix_has_a_row_for_each_grade_or_it_is_said_why_not(what: str, tmp_path: Path) -> None:
    log, matrix, choices, expected = MADE[what]
    formats.put(tmp_path, {"log.csv": log, "m.csv": matrix})
    recipe = DEFAULT.with_texts(choices.split())
    if expected.startswith(("T", "1/", "L1/")):
        assert grades_of(read_study(tmp_path, recipe=recipe)) == expected
    else:
        assert expected in refusals.refusal(lambda: read_study(tmp_path, recipe=recipe))


LISTED_BY_GRADE = {  # what lists documents of topic 101, and their grades or why they have none
    "relevant ones": ({"relevant": ["a", "c"]}, "101/a=1 101/c=1"),
    "of documents": ({"relevant_docs": ["a", "c"]}, "101/a=1 101/c=1"),
    "and others": ({"relevant": ["a", "c"], "not_relevant": ["b"]}, "101/a=1 101/b=0 101/c=1"),
    "three grades": ({"good": ["a", "b"], "bad": ["c"], "perfect": []}, "order is not known"),
    "others alone": ({"not_relevant": ["a", "c"]}, "no judgments"),
    "beside what was shown": ({"relevant": ["a", "c"], "shown": ["a", "b"]}, "no judgments"),
}


@pytest.mark.parametrize("what", LISTED_BY_GRADE)
@pytest.mark.parametrize("by_key", [True, False])
def test_documents_are_listed_by_their_grades(what: str, by_key: bool, tmp_path: Path) -> None:
    lists, told = LISTED_BY_GRADE[what]
    log = "session,topic,query_number,rank,doc\ns,101,1,1,a\ns,101,1,2,b\ns,101,1,3,c\n"
    rows: Any = {"101": lists, "102": lists} if by_key else [{"topic": 101, **lists}]
    files = {"log.csv": log, "gold.json": json.dumps(rows)}
    found = outcome(tmp_path, files, grades=True)
    assert told in found
