"""Rows that are left out by hand: what stays is the study of the other rows."""

from pathlib import Path

import pytest

from sdcg_explorer.study.problems import UnusableInputError
from tests.support.told import lists_of, made

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
    "by the column's name": ({"log.csv": (HEADER + PILOT + REST).replace("searcher", "VP")},
        "VP=P00", {"log.csv": (4, 3)}),
    "by its role": ({"log.csv": (HEADER + PILOT + REST).replace("searcher", "VP")},
        "searcher=P00", {"log.csv": (4, 3)}),
}  # fmt: skip


RATED = {"ratings.csv": "VP,useful\nP00,7\nP01,1\nP02,3\n", "judgments.csv": JUDGED}


def test_who_is_left_out_of_the_log_by_its_column_rates_nothing(tmp_path: Path) -> None:
    log = (HEADER + PILOT + REST).replace("searcher", "Participant")
    study = made(tmp_path, {"log.csv": log, **RATED}, leave_out="Participant=P00")
    assert study.report.methods == ["2 rows whose Participant is P00 were left out."]
    assert {file.file: file.rows_used for file in study.report.files}["ratings.csv"] == 2


@pytest.mark.parametrize("what", LEFT)
def test_a_study_is_that_of_the_rows_that_stay(what: str, tmp_path: Path) -> None:
    files, leave_out, rows = LEFT[what]
    study = made(tmp_path / "all", {**files, "judgments.csv": JUDGED}, leave_out=leave_out)
    assert study.digest == made(tmp_path / "rest", OTHERS).digest
    read = {file.file: (file.rows_in, file.rows_used) for file in study.report.files}
    assert read == {**rows, "judgments.csv": (2, 2)}
    assert [*study.report.left_out.values()] == [1]
    column, _, value = leave_out.partition("=")
    assert study.report.methods == [f"1 row whose {column} is {value} was left out."]


# merged by searcher and query, with a pilot between two; notes beside some results
MERGED_ROWS = [
    *("s1,P01,t,1,1,b,", ",,,,2,a,", "s0,P00,t,1,1,a,", ",,,,2,b,", ",,,2,1,b,"),
    *("s2,P02,t,1,1,b,pause", ",,,,2,a,"),
]


@pytest.mark.parametrize("left_out", ["searcher=P00", "kind=pause"])
def test_rows_take_along_what_is_merged_with_them_alone(left_out: str, tmp_path: Path) -> None:
    files = {"judgments.csv": JUDGED, "log.csv": "\n".join([HEADER.strip(), *MERGED_ROWS, ""])}
    study = made(tmp_path / "merged", files, leave_out=left_out, fix="merged-cells")
    rows = ["s1,P01,t,1,1,b", "s1,P01,t,1,2,a", "s2,P02,t,1,2,a"]
    if left_out == "searcher=P00":
        rows[2:2] = ["s2,P02,t,1,1,b"]
    else:
        rows[2:2] = ["s0,P00,t,1,1,a", "s0,P00,t,1,2,b", "s0,P00,t,2,1,b"]
    clean = "".join(f"{row},\n" for row in rows)
    rest = made(tmp_path / "clean", {**files, "log.csv": HEADER + clean})
    assert lists_of(study) == lists_of(rest)
    with pytest.raises(UnusableInputError, match=r"blank below a filled one.*merged-cells"):
        made(tmp_path / "asked", files, leave_out=left_out)


ASIDE = {"about.csv": "searcher,doc\nP01,a\n", "log.csv": HEADER + REST, "judged.csv": JUDGED}
# what can't be left out, and what is said of it
REFUSED = {
    "searcher=P09": "log.csv: no row whose searcher is P09; rows are left out by a column and its "
    "value. Correct --set leave_out.",
    "Participant=P01": "log.csv: no column 'Participant'; its columns are session, searcher, "
    "topic, query_number, rank, doc, kind. Correct --set leave_out.",
    "searcher=P01,session=s2": "log.csv: no row left; all rows of the log are left out, as "
    "chosen. Correct --set leave_out.",
    "grade=1,grade=2": "judged.csv: no row left; all rows of the judgments are left out, as "
    "chosen. Correct --set leave_out.",
}


@pytest.mark.parametrize("leave_out", REFUSED)
def test_rows_that_are_none_or_all_are_refused_by_the_log(leave_out: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError) as refused:
        made(tmp_path, ASIDE, leave_out=leave_out)
    assert refused.value.lines() == [REFUSED[leave_out]]
