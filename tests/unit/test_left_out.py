"""Rows that are left out by hand: what stays is the study of the other rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.told import made

JUDGED = "topic,doc,grade\nt,a,2\nt,b,1\n"
HEADER = "session,searcher,topic,query_number,rank,doc,kind\n"
PILOT = "s0,P00,t,1,1,a,result\n"
ADVERT = "s1,P01,t,1,2,c,advert\n"
REST = "s1,P01,t,1,1,b,result\ns1,P01,t,2,1,a,result\ns2,P02,t,1,1,b,result\n"
OTHERS = {"log.csv": HEADER + REST, "judgments.csv": JUDGED}
# files, what is left out, and rows of each file, and of these those that are used
LEFT: dict[str, tuple[dict[str, str], str, dict[str, tuple[int, int]]]] = {
    "a searcher": ({"log.csv": HEADER + PILOT + REST}, "searcher=P00", {"log.csv": (4, 3)}),
    "the last": ({"log.csv": HEADER + REST + PILOT}, "session=s0", {"log.csv": (4, 3)}),
    "results": ({"log.csv": HEADER + REST + ADVERT}, "kind=advert", {"log.csv": (4, 3)}),
    "a file": ({"log.csv": HEADER + REST, "p00.csv": HEADER + PILOT}, "searcher=P00",
        {"log.csv": (3, 3), "p00.csv": (1, 0)}),
}  # fmt: skip


@pytest.mark.parametrize("what", LEFT)
def test_a_study_is_that_of_the_rows_that_stay(what: str, tmp_path: Path) -> None:
    files, leave_out, rows = LEFT[what]
    study = made(tmp_path / "all", {**files, "judgments.csv": JUDGED}, leave_out=leave_out)
    assert study.digest == made(tmp_path / "rest", OTHERS).digest
    read = {file.file: (file.rows_in, file.rows_used) for file in study.report.files}
    assert read == {**rows, "judgments.csv": (2, 2)}
    assert [*study.report.left_out.values()] == [1]
