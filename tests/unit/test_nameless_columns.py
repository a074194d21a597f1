"""Columns without a name: places in lists, BEIR's qrels, numbers for ids, no header row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.study import Study
from tests.support.formats import Table, csv_of, gz_of, workbook_of
from tests.support.plain_files import written
from tests.support.refusals import JUDGMENTS, LOG
from tests.support.refusals import refused as lines_of_refusal

DOCS = [{"doc": "b"}, {"doc": "a"}, {"doc": "c"}]
ABOUT = {"session": "s1", "query_number": 1, "topic": "t"}


def read(folder: Path, log: Any, judgments: str = JUDGMENTS, **asked: Any) -> Study:
    """The study of a JSON log."""
    files = written(folder, log_json=json.dumps(log), judgments_csv=judgments)
    return read_study(*files.values(), **asked)


def refused(*files: Path, **asked: Any) -> list[str]:
    """What is said of files that make no study."""
    return lines_of_refusal(lambda: read_study(*files, **asked))


PLACED: dict[str, Any] = {
    "a query": {**ABOUT, "results": DOCS},
    "a list of queries": [{**ABOUT, "hits": DOCS}],
    "sessions of queries": [
        {"session": "s1", "topic": "t", "queries": [{"query_number": 1, "results": DOCS}]}
    ],
    "a rank of what the list is in": [{**ABOUT, "answers": [{"rank": 1, "passages": DOCS}]}],
    "lists within results": [
        {**ABOUT, "results": [{**doc, "parts": [{"x": 1}, {"x": 2}]} for doc in DOCS]}
    ],
    "a result alone": [{**ABOUT, "results": DOCS[:1]}],
}


@pytest.mark.parametrize("shape", PLACED)
def test_objects_in_a_list_stand_in_their_order(shape: str, tmp_path: Path) -> None:
    study = read(tmp_path, PLACED[shape])
    shown = study.results[["rank", "doc"]].astype(str).to_numpy().tolist()
    assert shown == [["1", "b"], ["2", "a"], ["3", "c"]][: len(shown)]
    assert len(shown) == (1 if shape == "a result alone" else 3)
    (said,) = [str(p) for p in study.report.problems if "without a rank" in p.found]
    assert said == (
        "log.json: results without a rank; they stand in the order of their list. Nothing to do, "
        "if so."
    )
    texts = {**ABOUT, "results": [doc["doc"] for doc in DOCS[: len(shown)]]}
    by_texts = read(tmp_path / "texts", texts).results.astype(str)
    assert study.results.astype(str).equals(by_texts)


PAIRS = [*zip((3, 1, 2), DOCS, strict=True)]
RANKED: dict[str, Any] = {
    "ranks of their own": {**ABOUT, "results": [{"rank": rank, **doc} for rank, doc in PAIRS]},
    "one each": [{**ABOUT, "ranks": [{"rank": rank, "of": [doc]} for rank, doc in PAIRS]}],
}


@pytest.mark.parametrize("shape", RANKED)
def test_ranks_of_documents_count_and_not_their_places(shape: str, tmp_path: Path) -> None:
    study = read(tmp_path, RANKED[shape])
    shown = study.results.astype(str).sort_values("rank")
    assert shown["doc"].tolist() == ["a", "c", "b"]
    assert not [p for p in study.report.problems if "without a rank" in p.found]


def test_judgments_and_ratings_in_lists_keep_no_place(tmp_path: Path) -> None:
    graded = {"topic": "t", "documents": [{"doc": "a", "grade": 1}, {"doc": "b", "grade": 0}]}
    rated = {"searchers": [{"of": "p", "sessions": [{"session": "s1", "ease": 4}]}]}
    written(tmp_path, log_csv=LOG, graded_json=json.dumps(graded), rated_json=json.dumps(rated))
    study = read_study(tmp_path)
    assert study.judgments["grade"].tolist() == [1.0, 0.0]
    assert [*study.sessions] == ["session", "system", "searcher", "of", "ease"]


BEIR = "query-id\tcorpus-id\tscore\n{0}\ta\t1\n{1}\tb\t0\n"
JUDGED = {
    "a log": (LOG, BEIR.format("t", "t")),
    "a run": ("12-1 Q0 a 1 9 x\n12-2 Q0 b 1 9 x\n", BEIR.format("12-1", "12-2")),
}


@pytest.mark.parametrize("what", JUDGED)
def test_qrels_of_beir_are_known_by_their_names(what: str, tmp_path: Path) -> None:
    log, qrels = JUDGED[what]
    written(tmp_path, log_txt=log, test_tsv=qrels)
    study = read_study(tmp_path)
    assert study.checked()["judged_share"] == 1.0
    (file,) = [file for file in study.report.files if file.file == "test.tsv"]
    assert (file.role, file.reason) == ("judgments", "its columns are those of BEIR's qrels")


NUMBERED = "person,{0},rank,doc,topic\np1,{1},1,a,t\np1,{1},2,b,t\np2,{2},1,b,t\n"


@pytest.mark.parametrize("name", ["qid", "query_id", "query_number"])
def test_whole_numbers_of_queries_go_by_who_searched(name: str, tmp_path: Path) -> None:
    log = NUMBERED.format(name, 7, 12)
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    study = read_study(*files.values())
    assert study.sessions["session"].tolist() == ["p1", "p2"]
    assert any("--map session=person" in str(problem) for problem in study.report.problems)


def test_other_query_ids_are_split_and_numbers_as_asked(tmp_path: Path) -> None:
    texts = NUMBERED.format("qid", "x", "y")
    files = written(tmp_path, log_csv=texts, judgments_csv=JUDGMENTS)
    assert any("--query-id REGEX" in line for line in refused(*files.values()))
    judged = {"judgments_csv": JUDGMENTS.replace("\nt,", "\n7,")}
    files = written(tmp_path, log_csv=NUMBERED.format("qid", 71, 72), **judged)
    study = read_study(*files.values(), recipe=Recipe(query_id=r"(?P<session>\d)(?P<query>\d)"))
    assert study.queries[["session", "query_number"]].astype(str).to_numpy().tolist() == [
        ["7", "1"],
        ["7", "2"],
    ]


BARE, BARE_JUDGMENTS = (text.partition("\n")[2] for text in (LOG, JUDGMENTS))
NAMES = "session,query_number,rank,doc,topic"
NAMED = {"": NAMES.split(",")}


def test_a_table_without_a_header_row_says_so_and_how_to_name_its_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, judged = map(str, written(tmp_path, log_csv=BARE, judged_csv=JUDGMENTS).values())
    assert sdcg.main(["check", log, judged]) == 2
    assert capsys.readouterr().err.splitlines()[0] == (
        "log.csv, line 1: no header row ('s1', '1', '1', 'a', 't'); the first row of a table names "
        "its columns. Name its 5 columns: --columns session,query_number,rank,doc,…."
    )
    assert sdcg.main(["check", log, judged, "--columns", NAMES]) == 0
    study = read_study(Path(log), Path(judged), recipe=Recipe(columns=NAMED))
    plain = read_study(*written(tmp_path / "plain", log_csv=LOG, judged_csv=JUDGMENTS).values())
    assert study.digest == plain.digest
    assert study.report.files[0].rows_in == 3


def test_each_table_of_a_folder_may_lack_its_header(tmp_path: Path) -> None:
    written(tmp_path, log_csv=BARE, judged_csv=BARE_JUDGMENTS)
    assert [line.split(";")[0] for line in refused(tmp_path)] == [
        "files: no log",
        "log.csv, line 1: no header row ('s1', '1', '1', 'a', 't')",
    ]
    study = read_study(tmp_path, recipe=Recipe(columns=NAMED))  # judgments are by their form
    assert study.checked()["judged_share"] == 1.0
    both = {**NAMED, "judged.csv": ["topic", "doc", "grade"]}
    assert read_study(tmp_path, recipe=Recipe(columns=both)).checked()["judged_share"] == 1.0


TABLE = Table(("s1", "1", "1", "a", "t"), [("s1", 1, 2, "b", "t"), ("s2", 1, 1, "b", "t")])
QUOTED = csv_of(TABLE, quoted=True)
GAPS = b"\n" + csv_of(TABLE, "\t").replace(b"\ns2", b"\n\ns2")
FORMS: dict[str, tuple[str, bytes, str]] = {
    "plain": ("log.csv", BARE.encode(), "line 1: rank 'a' (and 2 more: line 2; line 3)"),
    "quoted": ("log.csv", QUOTED, "line 1: rank 'a' (and 2 more: line 2; line 3)"),
    "blank lines": ("log.tsv", GAPS, "line 2: rank 'a' (and 2 more: line 3; line 5)"),
    "gzip": (
        *("log.csv.gz", gz_of({"x": QUOTED})["x.gz"]),
        "line 1: rank 'a' (and 2 more: line 2; line 3)",
    ),
    "workbook": (
        *("log.xlsx", workbook_of(log=TABLE)),
        "line 1: rank 'a' (and 2 more: line 2; line 3)",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_and_lines_of_a_table_without_a_header_are_whole(form: str, tmp_path: Path) -> None:
    name, content, places = FORMS[form]
    (tmp_path / name).write_bytes(content)
    (judged,) = written(tmp_path, judged_csv=JUDGMENTS).values()
    study = read_study(tmp_path / name, judged, recipe=Recipe(columns=NAMED))
    assert study.results["doc"].tolist() == ["a", "b", "b"]
    wrong = {"": ["session", "query_number", "doc", "rank", "topic"]}
    (line,) = refused(tmp_path / name, judged, recipe=Recipe(columns=wrong))
    assert places in line


COUNTED = "0,1,2,3,4\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"  # as pandas names columns


def test_columns_that_pandas_numbered_are_a_header(tmp_path: Path) -> None:
    files = written(tmp_path, log_csv=COUNTED, judged_csv=JUDGMENTS)
    roles = {"session": "0", "query_number": "1", "rank": "2", "doc": "3", "topic": "4"}
    assert len(read_study(*files.values(), recipe=Recipe(mapping=roles)).results) == 3
