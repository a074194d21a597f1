"""Every refusal of the readers: the whole message, with its place, rule and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError, error
from tests.support.plain_files import written
from tests.support.refusals import (
    HEADER,
    JUDGMENTS,
    LOG,
    REFUSALS,
    Refusal,
    assert_each_has_its_means,
)

NAMES = [refusal.name for refusal in REFUSALS]


def refusal_of(folder: Path, **files: str | bytes) -> str:
    """What is said about a log and (as the second file) its judgments."""
    return said_of(written(folder, **files))


def said_of(paths: dict[str, Path], mapping: dict[str, str] | None = None) -> str:
    """What is said about these files."""
    with pytest.raises(UnusableInputError) as raised:
        read_study(*paths.values(), recipe=Recipe(mapping=mapping or {}))
    if not mapping:  # which a page has not
        assert_each_has_its_means(raised.value.problems)
    return str(raised.value)


@pytest.mark.parametrize("refusal", REFUSALS, ids=NAMES)
def test_refusal_says_place_found_rule_remedy(refusal: Refusal, tmp_path: Path) -> None:
    paths = written(tmp_path, **refusal.files)
    assert said_of(paths) == refusal.message


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    log = LOG + "s3,x,y,c,t\n,1,1,c,t\n"
    number = "query number 'x'; query numbers are whole numbers from 1. Correct the cell."
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS).splitlines() == [
        f"log.csv, line 5: {number}",
        "log.csv, line 5: rank 'y'; ranks are whole numbers from 1. Correct the cell.",
        "log.csv, line 6: an empty session; each row has its session. Fill the cell, or remove "
        "the row.",
    ]


def test_one_cause_is_one_line_with_its_count_and_first_places(tmp_path: Path) -> None:
    log = HEADER + "".join(f"s1,1,r{i},a,t\n" for i in range(130))
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS) == (
        "log.csv, line 2: rank 'r0' (and 129 more: line 3; line 4; …); ranks are whole numbers "
        "from 1. Correct the cell."
    )
    log = LOG + "s9\n" * 3 + "s9,1,1\n"
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS) == (
        "log.csv, line 5: 1 cell (and 3 more: line 6; line 7; …); the header has 5 columns. "
        "Complete the row, or quote cells that contain the delimiter."
    )


def test_places_in_other_files_name_them(tmp_path: Path) -> None:
    written(tmp_path, a_csv=HEADER + "s1,1,x,a,t\n", b_csv=HEADER + "s2,1,y,a,t\n")
    files = written(tmp_path, judgments_csv=JUDGMENTS)
    said = said_of({"folder": files["judgments_csv"].parent})
    assert said.startswith("a.csv, line 2: rank 'x' (and 1 more: b.csv, line 2); ")


def test_problems_beyond_a_hundred_are_counted() -> None:
    problems = [error("a.csv", i, f"{i}", "rule", "Remedy.") for i in range(130, 0, -1)]
    lines = UnusableInputError(problems).lines()
    assert len(lines) == 101
    assert lines[99] == "a.csv, line 100: 100; rule. Remedy."
    assert lines[100] == "and 30 more"


def test_signs_that_do_not_print_are_written_as_their_escapes(tmp_path: Path) -> None:
    log = HEADER.replace("doc", "\tr\x07k").replace(",", ";") + "s1;1;1;a;t\n"
    said = refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    assert r"the columns are session, query_number, rank, \tr\x07k, topic. " in said


def test_a_missing_column_is_said_once_where_the_log_is_its_own_judgments(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv="session,query_number,rank,topic,grade\ns1,1,1,t,2\n")
    assert said == (
        "log.csv, line 1: doc missing; a column for doc is needed, and the columns are session, "
        "query_number, rank, topic, grade. Rename the column to doc, or say which it is: "
        "--map doc=NAME."
    )


def test_missing_file_is_refused_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError) as raised:
        read_study(tmp_path / "nothing.csv")
    path = tmp_path / "nothing.csv"
    expected = f"{path}: no such file; each file to be read exists. Check the path."
    assert str(raised.value) == expected


WIDE = "text," + HEADER
SPREAD = '"one\ntwo\n\nfour",s1,1,1,a,t\n'  # lines 2 to 5
PLACES = [
    ("after it", WIDE + SPREAD + "x,s1,1,no,b,t\n", 6),
    ("in it", WIDE + SPREAD.replace("1,1,a", "1,no,a"), 2),
    ("after two", WIDE + SPREAD * 2 + "x,s1,1,no,b,t\n", 10),
    ("blank first line", "\n" + HEADER + "s1,1,1,a,t\ns1,1,no,b,t\n", 4),
    ("blank lines", HEADER + "\ns1,1,1,a,t\n\n\ns1,1,no,b,t\n", 6),
    ("quotes in it", WIDE + '"a ""quoted""\nword",s1,1,1,a,t\nx,s1,1,no,b,t\n', 4),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("where", "log", "line"), PLACES, ids=[place[0] for place in PLACES])
def test_line_numbers_are_right_where_cells_span_lines(
    where: str, log: str, line: int, ends: str, tmp_path: Path
) -> None:
    said = refusal_of(tmp_path, log_csv=log.replace("\n", ends), judgments_csv=JUDGMENTS)
    rule = "rank 'no'; ranks are whole numbers from 1. Correct the cell."
    assert said == f"log.csv, line {line}: {rule}", where


def test_line_of_ragged_row_is_right_after_a_cell_over_several_lines(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv=WIDE + SPREAD + "x,s1\n", judgments_csv=JUDGMENTS)
    assert said.startswith("log.csv, line 6: 2 cells; ")


def test_lines_of_qrels_and_xml_are_right(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv=LOG, qrels_txt="t 0 a 1\n\n\nt 0 a 2\n")
    assert said.startswith("qrels.txt, line 4: another grade, 2, ")
    log = '<s>\n<session num="1">\n<topic num="t"/>\n<interaction num="1">\n<results>\n'
    log += '<result rank="1"><docno>a</docno></result>\n<result\nrank="x"><docno>b</docno>'
    log += "</result></results></interaction></session></s>"
    said = refusal_of(tmp_path, log_xml=log, judgments_csv=JUDGMENTS)
    assert said.startswith("log.xml, line 7: rank 'x'; ")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("s2,1, ,c,t\n", "log.csv, line 5: document 'c' without a rank; "),
        ("s2, ,2,c,t\n", "log.csv, line 5: an empty query number; "),
    ],
    ids=["rank", "query number"],
)
def test_blank_cells_are_as_empty_as_empty_ones(row: str, said: str, tmp_path: Path) -> None:
    assert refusal_of(tmp_path, log_csv=LOG + row, judgments_csv=JUDGMENTS).startswith(said)


def test_row_with_an_empty_cell_too_many_is_ragged(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv=LOG + "s2,1,2,c,t,\n", judgments_csv=JUDGMENTS)
    assert said.startswith("log.csv, line 5: 6 cells; ")
