"""Every refusal of the readers: the whole message, with its place, rule and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
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


def said_of(paths: dict[str, Path]) -> str:
    """What is said about these files."""
    with pytest.raises(UnusableInputError) as raised:
        read_study(*paths.values())
    assert_each_has_its_means(raised.value.problems)
    return str(raised.value)


@pytest.mark.parametrize("refusal", REFUSALS, ids=NAMES)
def test_refusal_says_place_found_rule_remedy(refusal: Refusal, tmp_path: Path) -> None:
    paths = written(tmp_path, **refusal.files)
    assert said_of(paths) == refusal.message


TWO = {"a_csv": HEADER + "s1,1,x,a,t\n", "b_csv": HEADER + "s2,1,y,a,t\n"}
RANKS = "ranks are whole numbers from 1. Correct the cell."


def test_all_problems_are_reported_at_once_a_cause_with_its_count(tmp_path: Path) -> None:
    log = LOG + "s3,x,y,c,t\n,1,1,c,t\n"
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS).splitlines() == [
        "log.csv, line 5: query number 'x'; query numbers are whole numbers from 1. Correct the "
        "cell.",
        f"log.csv, line 5: rank 'y'; {RANKS}",
        "log.csv, line 6: an empty session; each row has its session. Fill the cell, or remove "
        "the row.",
    ]
    log = HEADER + "".join(f"s1,1,r{i},a,t\n" for i in range(130))
    assert refusal_of(tmp_path, log_csv=log, judgments_csv=JUDGMENTS) == (
        f"log.csv, line 2: rank 'r0' (and 129 more: line 3; line 4; …); {RANKS}"
    )
    folder = tmp_path / "two"
    written(folder, **TWO, judgments_csv=JUDGMENTS)
    assert said_of({"folder": folder}) == (
        f"a.csv, line 2: rank 'x' (and 1 more: b.csv, line 2); {RANKS}"
    )


def test_problems_beyond_a_hundred_are_counted() -> None:
    problems = [error("a.csv", i, f"{i}", "rule", "Remedy.") for i in range(130, 0, -1)]
    lines = UnusableInputError(problems).lines()
    assert len(lines) == 101
    assert lines[99] == "a.csv, line 100: 100; rule. Remedy."
    assert lines[100] == "and 30 more"


def test_missing_file_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "nothing.csv"
    said = said_of({"log": path})
    assert said == f"{path}: no such file; each file to read must exist. Check the path."


WIDE = "text," + HEADER
SPREAD = '"one\ntwo\n\nfour",s1,1,1,a,t\n'  # lines 2 to 5
PLACES = [
    ("after it", WIDE + SPREAD + "x,s1,1,no,b,t\n", 6),
    ("in it", WIDE + SPREAD.replace("1,1,a", "1,no,a"), 2),
    ("after two", WIDE + SPREAD * 2 + "x,s1,1,no,b,t\n", 10),
    ("blank first line", "\n" + HEADER + "s1,1,1,a,t\ns1,1,no,b,t\n", 4),
    ("blank lines", HEADER + "\ns1,1,1,a,t\n\n\ns1,1,no,b,t\n", 6),
    ("quotes in it", WIDE + '"a ""quoted""\nword",s1,1,1,a,t\nx,s1,1,no,b,t\n', 4),
    ("ragged", WIDE + SPREAD + "x,s1\n", 6),
    ("too many", LOG + "s2,1,2,c,t,\n", 5),
    ("blank rank", LOG + "s2,1, ,c,t\n", 5),
    ("blank query number", LOG + "s2, ,2,c,t\n", 5),
]
NO = f"rank 'no'; {RANKS}"
FOUND = {
    "ragged": "2 cells; the header has 6 columns",
    "too many": "6 cells; the header has 5 columns",
    "blank rank": "document 'c' without a rank; a result",
    "blank query number": "an empty query number; each row",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("where", "log", "line"), PLACES, ids=[place[0] for place in PLACES])
def test_line_numbers_are_right_where_cells_span_lines(
    where: str, log: str, line: int, ends: str, tmp_path: Path
) -> None:
    said = refusal_of(tmp_path, log_csv=log.replace("\n", ends), judgments_csv=JUDGMENTS)
    assert said.startswith(f"log.csv, line {line}: {FOUND.get(where, NO)}")


def test_lines_of_qrels_and_xml_are_right(tmp_path: Path) -> None:
    said = refusal_of(tmp_path, log_csv=LOG, qrels_txt="t 0 a 1\n\n\nt 0 a 2\n")
    assert said.startswith("qrels.txt, line 4: a second grade (2)")
    log = '<s>\n<session num="1">\n<topic num="t"/>\n<interaction num="1">\n<results>\n'
    log += '<result rank="1"><docno>a</docno></result>\n<result\nrank="x"><docno>b</docno>'
    log += "</result></results></interaction></session></s>"
    said = refusal_of(tmp_path, log_xml=log, judgments_csv=JUDGMENTS)
    assert said.startswith("log.xml, line 7: rank 'x'; ")
