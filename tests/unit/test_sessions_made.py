"""Sessions that a log does not name: made of columns, none of them two, and none for nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.tables import written

JUDGED = "topic,doc,grade\nt,a,1\n"
HEADER = "searcher,system,topic,query_number,rank,doc\n"
TIMED = "searcher,topic,query_number,rank,doc,time\n"
DAY = "u,t,1,1,a,2026-01-0{0} 10:00\nu,t,1,2,b,2026-01-0{0} 10:00\nu,t,2,1,a,2026-01-0{0} 10:01\n"


def study_of(folder: Path, log: str, by: str, gap: str = "") -> Study:
    files = written(folder, log_csv=log, judgments_csv=JUDGED)
    return read_study(*files.values(), recipe=Recipe(session_by=by, session_gap=gap))


def test_columns_that_say_other_things_make_other_sessions(tmp_path: Path) -> None:
    log = HEADER + "u,a/b,c,1,1,a\nu,a,b/c,1,1,a\n"
    study = study_of(tmp_path / "both", log, "system,topic")
    assert sorted(study.sessions["session"]) == [r"a/b\/c", r"a\/b/c"]
    one = study_of(
        tmp_path / "one", log.splitlines(keepends=True)[0] + "u,a/b,c,1,1,a\n", "system,topic"
    )
    assert [*one.sessions["session"]] == ["a/b/c"]


def test_who_is_not_named_is_nobody(tmp_path: Path) -> None:
    log = HEADER + ",x,t,1,1,a\nu,x,t,1,1,a\n"
    timed = TIMED + ",t,1,1,a,2026-01-01 10:00\n" + DAY.format(1)
    for text, by, gap in ((log, "searcher,topic", ""), (log, "searcher", ""), (timed, "", "30m")):
        with pytest.raises(UnusableInputError, match="line 2: an empty session"):
            study_of(tmp_path, text, by, gap)


@pytest.mark.parametrize(
    ("rows", "finer"),
    [
        ("u,x,t,1,1,a\nu,x,s,1,1,a\n", "searcher,topic"),
        ("u,x,t,1,1,a\nu,y,t,2,1,a\n", "searcher,system"),
    ],
)
def test_sessions_too_wide_say_what_parts_them(rows: str, finer: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match=f"--session-by {finer}"):
        study_of(tmp_path, HEADER + rows, "searcher")
    assert len(study_of(tmp_path, HEADER + rows, finer).sessions) == 2


def test_queries_numbered_from_the_first_again_are_warned_of(tmp_path: Path) -> None:
    log = TIMED + DAY.format(1) + DAY.format(2)
    (said,) = [p for p in study_of(tmp_path, log, "searcher").report.problems if "again" in p.found]
    assert (said.severity, said.remedy[-22:]) == ("warning", "--set session_gap=30m.")
    parted = study_of(tmp_path, log, "searcher", gap="30m")
    assert (len(parted.sessions), len(parted.results)) == (2, 6)
    assert not [p for p in parted.report.problems if "again" in p.found]
    late = TIMED + DAY.format(1) + "u,t,1,3,c,2026-01-01 10:00\n"  # rows in another order
    assert not [
        p for p in study_of(tmp_path, late, "searcher").report.problems if "again" in p.found
    ]
