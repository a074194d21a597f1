"""Runs: ranks against the order of the scores, and the choice between them."""

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.study.study import Study
from tests.support.told import Contents, lists_of, made, said_of

JUDGED = "t 0 a 1\nt 0 b 0\n"
RUN = (
    "t_1 Q0 a 1 1.5 x\nt_1 Q0 b 2 2.5 x\nt_1 Q0 c 3 0.5 x\n"  # b is worth more than a
    "t_2 Q0 a 1 7 x\nt_2 Q0 b 2 7.0 x\n"  # equal: the later name first
    "t_3 Q0 b 1 1e1 x\nt_3 Q0 a 2 9.5 x\n"  # as ranked
)
NUMBERS = json.dumps({"t_1": {"a": 2, "b": 2, "c": 3}, "t_2": {"b": 1, "a": 1}})
LISTED = [{"doc": "a", "score": 1.5}, {"doc": "b", "score": 2.5}, {"doc": "c", "score": 1.5}]
OBJECTS = json.dumps({"session": "t", "query_number": 1, "topic": "t", "results": LISTED})


def read(folder: Path, files: Contents, **rules: Any) -> Study:
    """Study of a run under rules."""
    return made(folder, {"qrels.txt": JUDGED, **files}, **rules)


def shown(study: Study) -> list[str]:
    """Documents of each query, by rank."""
    results = study.results.sort_values(["query_number", "rank"])
    return ["".join(docs.astype(str)) for _, docs in results.groupby("query_number")["doc"]]


KEEP = "Keep it if the ranks are what was shown; else read with --set order=score."
DISORDER = (
    "a.run: 1 query with 2 results whose ranks don't follow their scores; the rank column counts; "
    f"trec_eval orders by score, then document name, descending. {KEEP}"
)
TIES = (
    "a.run: 1 query with 2 results of equal scores; "
    f"they are ordered by rank; trec_eval orders them by document name, descending. {KEEP}"
)
OF_NUMBERS = (
    "run.json: 1 query with 2 results of equal scores; they are ordered by document name, "
    "descending, as in trec_eval. If the file's order is what was shown, read with --set "
    "order=rows."
)
ORDERED: dict[str, tuple[Contents, str, str, list[str]]] = {  # what each order shows, and says
    "a run": ({"a.run": RUN}, "rank", "abc ab ba", [DISORDER, TIES]),
    "a run by score": ({"a.run": RUN}, "score", "bac ba ba", []),
    "a run that is none": ({"a.run": RUN.replace("7.0", "7.0.1")}, "rank", "abc ab ba", [
        "a.run: scores that are not numbers; the rank column counts. Nothing to do if it is what "
        "was shown."]),
    "numbers": ({"run.json": NUMBERS}, "rank", "cba ba", [OF_NUMBERS]),
    "numbers by score": ({"run.json": NUMBERS}, "score", "cba ba", [OF_NUMBERS]),
    "a run by rows": ({"a.run": RUN}, "rows", "abc ab ba", [
        "a.run: results whose ranks aren't used; they are ranked in the order of their rows. "
        "Nothing to do if this is right."]),
    "objects": ({"log.jsonl": OBJECTS}, "rank", "abc",
                [each.replace("a.run", "log.jsonl") for each in (DISORDER, TIES)]),
    "objects by score": ({"log.jsonl": OBJECTS}, "score", "bca", []),
}  # fmt: skip


@pytest.mark.parametrize("what", ORDERED)
def test_results_stand_as_was_chosen_and_what_speaks_against_it_is_said(
    what: str, tmp_path: Path
) -> None:
    files, order, lists, said = ORDERED[what]
    study = read(tmp_path, files, order=order)
    assert shown(study) == lists.split()
    assert [note for note in said_of(study) if "scores" in note or "aren't used" in note] == said


@pytest.mark.parametrize("base", ["auto", "0", "1"])
def test_by_score_the_ranks_are_those_of_trec_eval(base: str, tmp_path: Path) -> None:
    study = read(tmp_path, {"a.run": RUN}, order="score", rank_base=base)
    assert lists_of(study) == "t.1 t: 2=a 1=b c | t.2 t: 2=a 1=b | t.3 t: b a"
    moved = [line for _, line, _, rule in study.report.rows() if "by score" in rule]
    assert moved == [1, 2, 4, 5]
