"""Runs: ranks against the order of the scores, and the choice between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import JUDGMENTS, LOG, refusal

RUN = (
    "t_1 Q0 a 1 1.5 x\nt_1 Q0 b 2 2.5 x\nt_1 Q0 c 3 0.5 x\n"  # b is worth more than a
    "t_2 Q0 a 1 7 x\nt_2 Q0 b 2 7.0 x\n"  # equal: the later name first
    "t_3 Q0 b 1 1e1 x\nt_3 Q0 a 2 9.5 x\n"  # as ranked
)


def read(folder: Path, run: str = RUN, **rules: Any) -> Study:
    """Study of a run under rules."""
    files = written(folder, a_run=run, qrels_txt="t 0 a 1\nt 0 b 0\n")
    return read_study(*files.values(), recipe=Recipe(**rules))


def shown(study: Study) -> list[str]:
    """Documents of each query, by rank."""
    results = study.results.sort_values(["query_number", "rank"])
    return ["".join(docs.astype(str)) for _, docs in results.groupby("query_number")["doc"]]


def test_ranks_that_are_not_the_order_of_the_scores_are_warned_of(tmp_path: Path) -> None:
    study = read(tmp_path)
    assert shown(study) == ["abc", "ab", "ba"]
    said = [(p.severity, str(p)) for p in study.problems if "score" in p.found]
    keep = "Keep it if the ranks are what was shown; else read with --set order=score."
    assert said == [
        (
            "warning",
            "a.run: 1 query with 2 results whose ranks don't follow their scores; the rank column "
            f"counts; trec_eval orders by score, then document name, descending. {keep}",
        ),
        (
            "note",
            "a.run: 1 query with 2 results of equal scores that the file does not order by "
            "document name; they are ordered by rank; trec_eval orders them by document name, "
            f"descending. {keep}",
        ),
    ]


def test_ties_are_no_disorder(tmp_path: Path) -> None:
    ties = "".join(f"t_1 Q0 {doc} {rank} 1.0 x\n" for rank, doc in enumerate("abcd", start=1))
    said = read(tmp_path, ties).report.problems
    assert [(p.severity, p.found) for p in said if "score" in p.found] == [
        (
            "note",
            "1 query with 4 results of equal scores that the file does not order by document name",
        )
    ]
    later = "".join(f"t_1 Q0 {doc} {rank} 1.0 x\n" for rank, doc in enumerate("dcba", start=1))
    assert not [p for p in read(tmp_path, later).report.problems if "score" in p.found]


@pytest.mark.parametrize("order", ["rank", "score"])
def test_numbers_that_tie_say_whose_order_was_taken(order: str, tmp_path: Path) -> None:
    numbers = '{"t_1": {"a": 2, "b": 2, "c": 3}, "t_2": {"b": 1, "a": 1}}'
    files = written(tmp_path, run_json=numbers, qrels_txt="t 0 a 1\nt 0 b 0\n")
    study = read_study(*files.values(), recipe=Recipe(order=order))
    assert shown(study) == ["cba", "ba"]
    assert [str(p) for p in study.report.problems if "equal" in p.found] == [
        "run.json: 1 query with 2 results of equal scores that the file does not order by "
        "document name; they are ordered by document name, descending, as in trec_eval. If the "
        "file's order is "
        "what was shown, read with --set order=rows."
    ]
    assert study.report.repaired == {}
    assert shown(read_study(*files.values(), recipe=Recipe(order="rows"))) == ["abc", "ba"]


def test_objects_in_a_list_with_scores_are_asked_as_runs_are(tmp_path: Path) -> None:
    listed = [{"doc": "a", "score": 1.5}, {"doc": "b", "score": 2.5}, {"doc": "c", "score": 1.5}]
    log = json.dumps({"session": "s", "query_number": 1, "topic": "t", "results": listed})
    files = written(tmp_path, log_jsonl=log, qrels_txt="t 0 a 1\nt 0 b 0\n")
    plain, by_score = (
        read_study(*files.values(), recipe=Recipe(order=o)) for o in ("rank", "score")
    )
    assert (shown(plain), shown(by_score)) == (["abc"], ["bca"])
    assert [p.found for p in plain.report.problems if "score" in p.found] == [
        "1 query with 2 results whose ranks don't follow their scores",
        "1 query with 2 results of equal scores that the file does not order by document name",
    ]


@pytest.mark.parametrize("base", ["auto", "0", "1"])
def test_by_score_the_ranks_are_those_of_trec_eval(base: str, tmp_path: Path) -> None:
    study = read(tmp_path, order="score", rank_base=base)
    assert shown(study) == ["bac", "ba", "ba"]
    assert study.results["rank"].min() == 1
    moved = [line for _, line, _, rule in study.report.rows() if "by score" in rule]
    assert moved == [1, 2, 4, 5]
    assert not [p for p in study.problems if "follow their scores" in p.found]


def test_runs_in_order_are_the_same_either_way_and_keep_no_column(tmp_path: Path) -> None:
    run = "t_1 Q0 b 1 2 x\nt_1 Q0 a 2 1 x\n"
    study = read(tmp_path, run)
    assert study.digest == read(tmp_path, run, order="score").digest
    assert (study.report.left_out, study.report.repaired) == ({}, {})
    assert "score" not in study.queries


def test_scores_that_are_no_numbers_matter_only_where_they_rank(tmp_path: Path) -> None:
    run = RUN.replace("7.0", "7.0.1")
    assert "a.run: scores that are not numbers" in str(read(tmp_path, run).problems[0])
    with pytest.raises(UnusableInputError, match=r"a\.run, line 5: score '7\.0\.1'; scores are nu"):
        read(tmp_path, run, order="score")


def test_order_by_score_is_refused_where_nothing_has_scores(tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)
    assert refusal(lambda: read_study(*files.values(), recipe=Recipe(order="score"))) == (
        "log.csv: results by score; no log has scores. Leave out --set order=score."
    )


@pytest.mark.parametrize("seed", range(12))
def test_scores_that_fall_or_not_are_ordered_as_sorting_has_it(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    every = [(f"t_{q}", doc, rank) for q in (1, 2) for rank, doc in enumerate("abc", 1)]
    falls = seed % 3 == 0
    scores = [9 - rank if falls else int(rng.integers(3)) for *_, rank in every]
    rows = [(*row, score) for row, score in zip(every, scores, strict=True)]
    rows = rows if seed % 2 else [rows[i] for i in rng.permutation(len(rows))]
    run = "".join(f"{q} Q0 {doc} {rank} {score} x\n" for q, doc, rank, score in rows)
    by_rank = sorted(rows, key=lambda row: (row[0], row[2]))
    by_both = sorted(by_rank, key=lambda row: (row[0], -row[3]))
    by_score = sorted(rows, key=lambda row: (row[0], -row[3], -ord(row[1])))
    found = " ".join(problem.found for problem in read(tmp_path, run).problems)
    assert ("don't follow their scores" in found) == (by_rank != by_both)
    assert ("of equal scores" in found) == (by_both != by_score)
    docs = "".join(doc for _, doc, *_ in by_score)
    assert shown(read(tmp_path, run, order="score")) == [docs[:3], docs[3:]]
