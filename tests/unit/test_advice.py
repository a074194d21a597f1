"""Advice beneath the figures: each sentence has a study that calls for it, and one just below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.questions import overview
from sdcg_explorer.questions.advice import advice
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.tables import read

HEADER = "session,query_number,topic,rank,doc\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,2\nt,c,4\nz,a,0\n"
ABOVE = (
    "because repeats count in the session but not in the ideal. Count repeats once, or let the "
    "ideal repeat."
)
BEYOND = (
    "1 session can't reach 1: repeats count once, but the ideal repeats its list with every query. "
    "Use the spread ideal."
)
SHRINKS = (
    "The ideal is as short as each list, so a single good result can score 1. Pad short lists to "
    "avoid this."
)
UNDEFINED = (
    "1 judged session has no document that gains; its share is undefined and left out of means."
)
SPREAD = {"ideal": "spread"}
AGAIN = "s,1,t,1,c s,2,t,1,c r,1,t,1,a"  # c, the best document, comes again
FOURS = "s,1,t,1,a s,1,t,2,b s,2,t,1,a s,3,t,1,a s,4,t,1,x"


def weighed(four: float) -> dict[str, Any]:
    return {"weights": ((0.0, 0.0), (1.0, 1.0), (2.0, 10.0), (4.0, four))}


CASES: list[tuple[str, dict[str, Any], list[str]]] = [  # rows, choices, and what is said
    ("s,1,t,1,a s,2,t,1,b", {}, []),
    (AGAIN, SPREAD, [f"1 session exceeds 1 {ABOVE}"]),
    (f"{AGAIN} r,2,t,1,c q,1,t,1,c q,2,t,1,c", SPREAD, [f"2 sessions exceed 1 {ABOVE}"]),
    (AGAIN, {}, []),
    (AGAIN, SPREAD | {"repeats": "first"}, []),
    ("s,1,t,1,c s,1,t,2,b s,1,t,3,a", SPREAD, []),  # exactly 1
    ("s,1,t,1,a s,2,t,1,a", SPREAD, []),
    (
        "s,1,t,1,a",
        weighed(9.5),
        ["Gains don't follow the grades: grade 4 gains 9.5, grade 2 gains 10."],
    ),
    ("s,1,t,1,a", weighed(10), []),
    ("s,1,t,1,a s,2,t,1,b r,1,t,1,a", {"repeats": "first"}, [BEYOND]),
    ("s,1,t,1,a s,2,z,1,a r,1,t,1,a", {"repeats": "first"}, []),
    ("s,1,t,1,a", {"short_lists": "as-is"}, [SHRINKS]),
    ("s,1,t,1,a", {"short_lists": 3}, [SHRINKS]),
    ("s,1,t,1,a r,1,z,1,a", {}, [UNDEFINED]),
    ("s,1,t,1,a r,1,z,1,a r,2,t,1,a", {}, []),
    (FOURS, {}, []),  # a fifth of the results
    (
        f"{FOURS} s,4,t,2,y s,4,t,11,a",
        {},
        ["33% of the results in the top 10 are unjudged and gain 0."],
    ),
    (
        f"{FOURS} s,4,t,2,y",
        {"unjudged": "condense"},
        ["33% of the results in the top 10 are unjudged and are removed."],
    ),
]


@pytest.mark.parametrize(("rows", "choices", "said"), CASES)
def test_what_misleads_is_said_and_nothing_else(
    rows: str, choices: dict[str, Any], said: list[str], tmp_path: Path
) -> None:
    log = HEADER + "".join(f"{row}\n" for row in rows.split())
    study = read(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    assert advice(study, Definition(**choices), Filters()) == said
    assert advice(study, Definition(**choices), Filters(min_queries=5)) == []


def test_overview_says_once_what_the_import_warns_of_too(tmp_path: Path) -> None:
    results = "".join(
        f'<result rank="{i}"><docno>{doc}</docno></result>' for i, doc in enumerate("axyz", start=1)
    )
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><results>'
        f"{results}</results></interaction><currentquery/></session></log>"
    )
    view = StudyView(read(tmp_path, log_xml=log, judgments_csv=JUDGMENTS), Definition(), Filters())
    assert advice(*view)[-1] == (
        "The log withholds the results of 1 final query; here “last” means the last query with "
        "results."
    )
    told = overview.answer(view).advice
    for word in ("withholds", "unjudged"):
        assert word in " ".join(each.sentence() for each in view.study.problems)
        assert sum(word in each for each in told) == 1
