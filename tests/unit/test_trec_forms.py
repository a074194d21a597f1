"""Forms of TREC and its kin: runs and qrels of two to six parts, whichever sign is between."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.study import Study
from tests.support.refusals import refusal
from tests.support.thorough import THOROUGH

RUN = [
    line.split()
    for line in """
31_1 Q0 d2 1 9.5 x
31_1 Q0 d1 2 8.5 x
31_2 Q0 d3 1 7.5 x
31_2 Q0 d4 2 7.1 x
""".strip().splitlines()
]
QRELS = "31_1 0 d1 2\n31_1 0 d2 0\n31_2 0 d3 1\n"
GRADES = {("31_1", "d1"): 2.0, ("31_1", "d2"): 0.0, ("31_2", "d3"): 1.0}


def lines(*parts: int, sign: str = " ", head: str = "", end: str = "") -> str:
    """These parts of a run's lines."""
    return head + "".join(sign.join(row[i] for i in parts) + f"{end}\n" for row in RUN)


def read(folder: Path, recipe: Recipe | None = None, /, **files: str) -> Study:
    """The study of files, by name and ending."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return read_study(sorted(folder.iterdir()), recipe=recipe or Recipe())


RUNS = {
    "all": lines(0, 1, 2, 3, 4, 5),
    "all, with an object behind": lines(0, 1, 2, 3, 4, 5, end=' {"text": "a b"}'),
    "without tag": lines(0, 1, 2, 3, 4),
    "without Q0": lines(0, 2, 3, 4, 5),
    "without rank": lines(0, 1, 2, 4, 5),
    "query, Q0, document, rank": lines(0, 1, 2, 3),
    "query, Q0, document, score": lines(0, 1, 2, 4),
    "query, document, rank, score": lines(0, 2, 3, 4),
    "query, document, score, tag": lines(0, 2, 4, 5),
    "query, document, rank": lines(0, 2, 3),
    "query, document, score": lines(0, 2, 4),
}
TABLES = {
    "named": lines(0, 2, 4, sign=",", head="q_id,doc_id,score\n"),
    "named, with a rank": lines(0, 2, 3, 4, sign=";", head="Query ID;Doc.ID;rank;score\n"),
    "named, in rows": lines(0, 2, sign=",", head="qid,docno\n"),
    "named, by blanks": lines(0, 2, 4, head="query_id docno score\n"),
    "pairs": lines(0, 2, sign="\t"),
}
NAMED = {"tab": "\t", "comma": ",", "semicolon": ";"}
SIGNS = {  # by turns; in make soak all
    f"{form} by {name}": text.replace(" ", NAMED[name])
    for i, (form, text) in enumerate(RUNS.items())
    for name in ([*NAMED] if THOROUGH > 1 else [[*NAMED][i % len(NAMED)]])
    if "object" not in form
}


NO_RANK = "without rank", "query, Q0, document, score", "query, document, score"


@pytest.mark.parametrize("form", [*RUNS, *TABLES, *SIGNS])
def test_runs_of_any_parts_are_the_run(form: str, tmp_path: Path) -> None:
    text = (RUNS | TABLES | SIGNS)[form]
    study = read(tmp_path, a_txt=text, q_txt=QRELS)
    rows = study.results[["session", "query_number", "rank", "doc"]].astype(str)
    shown = ["31 1 1 d2", "31 1 2 d1", "31 2 1 d3", "31 2 2 d4"]
    assert rows.agg(" ".join, axis=1).tolist() == shown
    assert dict(zip(zip(study.judgments["topic"], study.judgments["doc"], strict=True),
                    study.judgments["grade"], strict=True)) == GRADES  # fmt: skip
    has_rank = form == "named, with a rank" or not (form in TABLES or form.startswith(NO_RANK))
    said = [problem.found for problem in study.report.problems]
    assert ("results without a rank" in said) == (not has_rank)


JUDGED = {
    "document and grade": ("31_1 d1 2\n31_1 d2 0\n31_2 d3 1\n", GRADES),
    "five parts": ("31_1 0 d1 2 .9\n31_1 0 d2 0 .8\n31_2 0 d3 1 .5\n", GRADES),
    "Q0": (QRELS.replace(" 0 d", " Q0 d"), GRADES),
    "comma": (QRELS.replace(" ", ","), GRADES),
    "points": (QRELS.replace("2\n", "2.0\n"), GRADES),
    "pairs": ("31_1\td1\n31_2\td3\n", dict.fromkeys([*GRADES][::2], 1.0)),
    "named pairs": ("topic,docno\n31_1,d1\n31_2,d3\n", dict.fromkeys([*GRADES][::2], 1.0)),
    "parts of topics": ("31_1 1 d1 2\n31_1 2 d2 0\n31_2 1 d3 1\n", GRADES),
    "LETOR": (
        "2 qid:31_1 1:.5 2:0 # d1\n0 qid:31_1 1:.2 #docid = d2 inc = 1\n1 qid:31_2 1:1 #d3\n",
        GRADES,
    ),
}


@pytest.mark.parametrize("form", JUDGED)
def test_judgments_of_any_parts_are_the_judgments(form: str, tmp_path: Path) -> None:
    text, expected = JUDGED[form]
    table = read(tmp_path, a_run=RUNS["all"], q_txt=text).judgments
    pairs = zip(table["topic"].astype(str), table["doc"].astype(str), strict=True)
    assert dict(zip(pairs, table["grade"], strict=True)) == expected


def test_rows_of_a_log_without_names_are_no_run(tmp_path: Path) -> None:
    for rows in ("s1,1,1,d1\ns1,1,2,d2\ns1,2,1,d3\n", "s1,1,d1,1\ns1,1,d2,2\ns1,2,d3,1\n"):
        said = refusal(lambda rows=rows: read(tmp_path, a_csv=rows, q_txt="s1 0 d1 1\n"))
        assert "a.csv, line 1: no header row" in said


def test_a_run_of_three_parts_and_pairs_tell_each_other(tmp_path: Path) -> None:
    study = read(tmp_path, x_tsv=lines(0, 2, 3, sign="\t"), y_tsv="31_1\td1\n31_2\td3\n")
    assert (len(study.results), study.judgments["grade"].tolist()) == (4, [1.0, 1.0])


@pytest.mark.parametrize(
    "files",
    [
        {"a_run": RUNS["all"], "q_txt": "31_1 d2 1\n31_1 d1 2\n31_2 d3 1\n"},  # ranks or grades
        {"x_tsv": lines(0, 2, sign="\t"), "y_tsv": "31_1\td1\n31_2\td3\n"},
    ],
)
def test_lines_that_may_be_both_are_asked(files: dict[str, str], tmp_path: Path) -> None:
    said = refusal(lambda: read(tmp_path, **files))
    one, other = sorted(name.replace("_", ".") for name in files)
    assert f"--set kinds={other}=judgments, or --set kinds={other}=log." in said
    study = read(tmp_path, Recipe(kinds={one: "log", other: "judgments"}))
    assert len(study.results) == 4


def test_lines_of_features_alone_are_lists_with_grades(tmp_path: Path) -> None:
    study = read(tmp_path, a_txt=JUDGED["LETOR"][0])
    assert study.results["doc"].tolist() == ["d1", "d2", "d3"]
    assert study.results["grade"].tolist() == [2, 0, 1]


UNNAMED = "qid,docno,{}\n9-1,b,{}\n9-1,a,{}\n9-1,c,{}\n9-2,a,1\n"


@pytest.mark.parametrize(
    ("column", "cells", "docs"),
    [
        ("Stelle", "123", "bac"),
        ("Stelle", "312", "acb"),
        ("note", "xyz", "bac"),
        ("score", "132", "acb"),
    ],
)
def test_results_without_a_rank_stand_by_what_counts_them_by_score_or_by_rows(
    column: str, cells: str, docs: str, tmp_path: Path
) -> None:
    text = UNNAMED.format(column, *cells)
    study = read(tmp_path, a_csv=text, q_txt="9 0 a 1\n")
    first = study.results[study.results["query_number"] == 1].sort_values("rank")
    assert "".join(first["doc"].astype(str)) == docs


def test_rows_that_differ_in_time_are_no_list(tmp_path: Path) -> None:
    clicks = "qid,docno,time\n9-1,a,5\n9-1,b,7\n"
    assert "rank missing" in refusal(lambda: read(tmp_path, a_csv=clicks, q_txt="9 0 a 1\n"))


def test_sessions_called_as_the_topics_judged_are_on_them_where_documents_agree(
    tmp_path: Path,
) -> None:
    log = "session,doc,rank\n71,a,1\n71,b,2\n72,c,1\n"
    study = read(tmp_path, a_csv=log, q_txt="71 0 a 1\n72 0 c 1\n")
    assert study.queries["topic"].astype(str).tolist() == ["71", "72"]
    assert study.queries["query_number"].tolist() == [1, 1]
    said = refusal(lambda: read(tmp_path, a_csv=log, q_txt="71 0 c 1\n72 0 a 1\n"))
    assert "topic missing" in said
