"""Options that no such files can meet, and files that are not there, are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.plain_files import written
from tests.support.refusals import JUDGMENTS, LOG, XML, refusal

QRELS = "t 0 a 1\nt 0 b 0\n"
RUN = "s1-1 Q0 a 1 9 x\ns1-1 Q0 b 2 8 x\n"
TOLD: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "sessions of qrels": (
        {"log_xml": XML, "qrels_txt": QRELS},
        {"recipe": Recipe(judged_by="session")},
        "qrels.txt: judgments to be matched by session; qrels.txt has no column for it.",
    ),
    "texts that the log has not": (
        {"log_csv": LOG, "judgments_csv": "query,topic,doc,grade\nx,t,a,1\n"},
        {"recipe": Recipe(judged_by="text")},
        "judgments.csv: judgments to be matched by text; log.csv has no column for it.",
    ),
    "scores of a table": (
        {"log_csv": LOG, "judgments_csv": JUDGMENTS},
        {"recipe": Recipe(order="score")},
        "log.csv: results by score; no log has scores.",
    ),
    "a column that is not there": (
        {"log_csv": LOG, "judgments_csv": JUDGMENTS},
        {"recipe": Recipe(mapping={"doc": "URL"})},
        "log.csv, line 1: no column 'URL'; the file's columns are session,",
    ),
}


@pytest.mark.parametrize("what", TOLD)
def test_options_that_files_can_t_meet_are_refused(what: str, tmp_path: Path) -> None:
    files, given, said = TOLD[what]
    paths = [*written(tmp_path, **files).values()]
    assert refusal(lambda: read_study(*paths, **given)).startswith(said)


@pytest.mark.parametrize("missing", ["judgments", "ratings"])
def test_a_file_that_is_not_there_is_told(missing: str, tmp_path: Path) -> None:
    log, gone = written(tmp_path, log_csv=LOG)["log_csv"], tmp_path / "gone.csv"
    given: dict[str, Any] = {missing: gone if missing == "judgments" else [gone]}
    with pytest.raises(UnusableInputError, match=r"gone\.csv: no such file"):
        read_study(log, **given)


FIT: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "sessions of query ids": (
        {"log_run": RUN, "judgments_csv": "session,doc,grade\ns1,a,1\n"},
        {"recipe": Recipe(judged_by="session")},
    ),
    "columns of later objects": (
        {
            "log_jsonl": '{"session":"s1","query_number":1,"topic":"t"}\n'
            '{"session":"s1","query_number":2,"topic":"t","rank":1,"URL":"a"}\n',
            "judgments_csv": JUDGMENTS,
        },
        {"recipe": Recipe(mapping={"log.jsonl:doc": "URL"})},
    ),
    "scores of one of two logs": (
        {"log_run": RUN, "judgments_csv": JUDGMENTS.replace("t,", "s1,")},
        {"recipe": Recipe(order="score")},
    ),
}


@pytest.mark.parametrize("what", FIT)
def test_options_that_files_meet_are_read(what: str, tmp_path: Path) -> None:
    files, given = FIT[what]
    assert len(read_study(*written(tmp_path, **files).values(), **given).results)


LARGE: dict[str, tuple[str, str, str]] = {
    "a first line without its tag": (
        "log_run",
        "s1-1 Q0 a 1 9\n" + "s1-1 Q0 b 2 8 x\n" * 5_000,
        "log.run, line 1: 5 parts; a line of a run reads: query Q0 document rank score tag. "
        "Complete the line.",
    ),
    "a header without documents": (
        "log_csv",
        "session,topic,query_number,rank\n" + "s1,t,1,1\n" * 9_000,
        "log.csv, line 1: doc missing; a column for doc is needed, and the columns are session, "
        "topic, query_number, rank. Rename the column to doc, or say which it is: --map doc=NAME.",
    ),
}


@pytest.mark.parametrize("what", LARGE)
def test_a_large_file_is_refused_by_its_first_lines(what: str, tmp_path: Path) -> None:
    name, text, said = LARGE[what]
    paths = [*written(tmp_path, **{name: text, "j_csv": JUDGMENTS}).values()]
    assert refusal(lambda: read_study(paths[0], paths[1])) == said
