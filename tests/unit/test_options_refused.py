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
    "a large header without documents": (
        {
            "log_csv": "session,topic,query_number,rank\n" + "s1,t,1,1\n" * 9_000,
            "judgments_csv": JUDGMENTS,
        },
        {},
        "log.csv, line 1: no doc column; the file has session, "
        "topic, query_number, rank. Rename the column to doc, or say which it is: --map doc=NAME.",
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
