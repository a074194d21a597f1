"""Recipe of reading: what each does to doubtful input, which lines it touches, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.cells import NO_END
from sdcg_explorer.reading.read import read_parts, read_study, reading_of
from sdcg_explorer.reading.recipe import DEFAULT, Recipe
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.report import SAME_RANK
from sdcg_explorer.study.study import Study
from tests.support.plain_files import report_of, written
from tests.support.refusals import HEADER, JUDGMENTS, LOG, refusal

FROM_ZERO = "ranks counted from 0 are counted from 1"
CLOSED = "query numbers closed to 1, 2, …"
ALIKE = "sessions called alike in two systems are named SYSTEM/SESSION"
ZERO = HEADER + "s1,1,0,a,t\ns1,1,1,b,t\ns1,2,,,t\ns1,3,1,b,t\n"


def read(folder: Path, log: str = LOG, judgments: str = JUDGMENTS, **rules: Any) -> Study:
    """Study of two CSV files under these rules."""
    files = written(folder, log_csv=log, judgments_csv=judgments)
    return read_study(*files.values(), recipe=Recipe(**rules))


def refused(folder: Path, log: str, **rules: Any) -> str:
    """The refusal, word for word."""
    return refusal(lambda: read(folder, log, **rules))


def lines(study: Study, file: str = "log.csv") -> list[tuple[int, str, str]]:
    """Line, action and rule of what was changed in one file."""
    return [
        (line, action, rule) for name, line, action, rule in study.report.rows() if name == file
    ]


def from_zero(count: int, file: str = "log.csv") -> str:
    """The warning that ranks were taken to count from 0."""
    return (
        f"{file}: ranks from 0 ({count} results); all ranks of the file are shifted by one. Check "
        "that the first result of a list has rank 0 in the file."
    )


@pytest.mark.parametrize("base", ["auto", "0"])
def test_ranks_from_0_are_shifted_and_the_lines_of_results_listed(
    base: str, tmp_path: Path
) -> None:
    study = read(tmp_path, ZERO, rank_base=base)
    assert study.results["rank"].tolist() == [1, 2, 2]
    assert lines(study) == [(line, "repaired", FROM_ZERO) for line in (2, 3, 5)]
    assert [str(problem) for problem in study.report.problems] == [from_zero(3)]


def test_rank_base_1_refuses_a_rank_0(tmp_path: Path) -> None:
    assert refused(tmp_path, ZERO + "s2,1,0,b,t\n", rank_base="1") == (
        "log.csv, line 2: rank '0' (and 1 more: line 6); ranks count from 1. Correct the "
        "cell, or read with --set rank_base=0."
    )


def test_rank_base_auto_looks_at_each_file_alone(tmp_path: Path) -> None:
    one = LOG.replace("s1", "s8")
    files = written(tmp_path, zero_csv=ZERO, one_csv=one, judgments_csv=JUDGMENTS)
    study = read_study([*files.values()])
    assert study.results["rank"].tolist() == [1, 2, 1, 1, 2, 2]  # files go by their names
    assert [row[0] for row in study.report.rows()] == ["zero.csv"] * 3
    assert [str(problem) for problem in study.report.problems] == [from_zero(3, "zero.csv")]


CLASHES = HEADER + "s1,1,1,a,t\ns1,1,1,b,t\ns1,1,2,b,t\ns1,1,1,a,t\ns1,1,1,c,t\ns2,1,1,b,t\n"


def test_same_rank_first_keeps_the_first_and_lists_the_others(tmp_path: Path) -> None:
    study = read(tmp_path, CLASHES, same_rank="first")
    shown = study.results[["session", "rank", "doc"]].astype(str).to_numpy().tolist()
    assert shown == [["s1", "1", "a"], ["s1", "2", "b"], ["s2", "1", "b"]]
    assert study.report.left_out == {SAME_RANK: 2}
    assert study.report.repaired == {"rows of one result merged": 1}
    assert sorted(lines(study)) == [
        (3, "left out", SAME_RANK),
        (5, "repaired", "rows of one result merged"),
        (6, "left out", SAME_RANK),
    ]
    assert study.checked()["rank_clashes"] == 2


def test_same_rank_error_refuses_clashes_with_both_lines_of_the_first(tmp_path: Path) -> None:
    rest = (
        "at rank 1 of query 1 of session 's1', where line 2 has 'a' (and 1 more: line 6); a rank "
        "of one result list holds one document. Correct the rank, remove the row, or keep the "
        "first: --set same_rank=first."
    )
    assert refused(tmp_path, CLASHES) == f"log.csv, line 3: document 'b' {rest}"


GAPS = HEADER + "s1,2,1,a,t\ns1,5,1,b,u\ns2,1,1,a,t\n"


def test_query_numbers_renumber_closes_gaps_and_lists_the_queries(tmp_path: Path) -> None:
    study = read(tmp_path, GAPS)
    assert study.queries["query_number"].tolist() == [1, 2, 1]
    assert lines(study) == [(2, "repaired", CLOSED), (3, "repaired", CLOSED)]


def test_query_numbers_keep_makes_gaps_queries_without_results(tmp_path: Path) -> None:
    study = read(tmp_path, GAPS, query_numbers="keep")
    columns = ["session", "query_number", "topic", "text", "time"]
    assert study.queries[columns].astype(str).to_numpy().tolist() == [
        *(["s1", "1", "t", "", ""], ["s1", "2", "t", "", ""], ["s1", "3", "u", "", ""]),
        *(["s1", "4", "u", "", ""], ["s1", "5", "u", "", ""], ["s2", "1", "t", "", ""]),
    ]
    assert study.results["query_number"].tolist() == [2, 5, 1]
    assert list(study.report.rows()) == []
    assert study.checked()["queries_without_results"] == 3


def test_query_numbers_keep_refuses_more_than_ten_thousand(tmp_path: Path) -> None:
    log = HEADER + "s1,1,1,a,t\ns1,10001,1,b,t\n"
    assert refused(tmp_path, log, query_numbers="keep") == (
        "log.csv, line 3: query number 10001; query numbers that are kept are at most 10,000. Read "
        "with --query-numbers renumber."
    )
    assert len(read(tmp_path, log).queries) == 2


RUN = "t7.alpha.2 Q0 a 1 9 x\nt7.alpha.1 Q0 b 1 9 x\nt8.alpha.3 Q0 a 1 9 x\nt8.beta.1 Q0 a 1 9 x\n"
DOTTED = r"(?P<topic>\w+)\.(?P<session>\w+)\.(?P<query>\d+)"


def test_query_id_pattern_names_session_query_and_topic(tmp_path: Path) -> None:
    files = written(tmp_path, log_run=RUN, qrels_txt="t7 0 a 1\nt8 0 a 0\n")
    study = read_study(*files.values(), recipe=Recipe(query_id=DOTTED))
    queries = study.queries[["session", "query_number", "topic"]].astype(str)
    assert sorted(queries.to_numpy().tolist()) == [
        *(["alpha", "1", "t7"], ["alpha", "2", "t7"], ["alpha", "3", "t8"], ["beta", "1", "t8"]),
    ]
    assert [str(problem) for problem in study.report.problems] == [
        f"log.run: query ids; session and query are read off it by {DOTTED}, and the topic is what "
        "it names. Check one: t7.alpha.2 is query 2 of alpha."
    ]


def test_query_ids_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    files = written(tmp_path, log_run=RUN + "x Q0 a 1 9 x\nx Q0 b 2 8 x\n", qrels_txt="t7 0 a 1\n")
    assert refusal(lambda: read_study(*files.values(), recipe=Recipe(query_id=DOTTED))) == (
        f"log.run, line 5: query id 'x' (and 1 more: line 6); query ids read {DOTTED}. "
        "Say how they split into session and query: --query-id REGEX, or whole."
    )


def test_system_by_file_names_sessions_that_two_files_share(tmp_path: Path) -> None:
    files = written(tmp_path, A_csv=LOG, B_csv=LOG + "s3,1,1,a,t\n", judgments_csv=JUDGMENTS)
    study = read_study([*files.values()], recipe=Recipe(system_by_file=True))
    sessions = study.sessions[["session", "system"]].astype(str).to_numpy().tolist()
    names = ["A/s1", "A/s2", "B/s1", "B/s2", "B/s3"]
    assert sessions == [[name, name[0]] for name in names]
    assert study.report.repaired == {ALIKE: 7}
    assert lines(study, "B.csv") == [(line, "repaired", ALIKE) for line in (2, 3, 4, 5)]


def test_system_by_file_leaves_the_names_of_different_sessions(tmp_path: Path) -> None:
    other = LOG.replace("s1", "s8").replace("s2", "s9")
    files = written(tmp_path, A_csv=LOG, B_csv=other, judgments_csv=JUDGMENTS)
    study = read_study([*files.values()], recipe=Recipe(system_by_file=True))
    assert study.sessions["session"].tolist() == ["s1", "s2", "s8", "s9"]
    assert study.sessions["system"].tolist() == ["A", "A", "B", "B"]
    assert list(study.report.rows()) == []


def test_system_by_file_names_the_system_of_one_file(tmp_path: Path) -> None:
    assert read(tmp_path, system_by_file=True).sessions["system"].unique().tolist() == ["log"]


def test_system_by_file_finds_sessions_by_content_like_any_log(tmp_path: Path) -> None:
    study = read(tmp_path, LOG.replace("session", "x", 1), system_by_file=True)
    assert study.sessions["session"].tolist() == ["s1", "s2"]


def in_browser(folder: Path, most: tuple[float, float] = NO_END) -> Study:
    """Study of the files in a folder, as a page reads them."""
    about, parts = read_parts([Source(path.name, path) for path in sorted(folder.iterdir())])
    return reading_of(about, parts, name="s", recipe=DEFAULT, most=most).study()


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ({"log_csv": LOG}, "log.csv: 3 rows; a study in the browser has at most 2 results"),
        (
            {"log_csv": "session,query_number,topic,docs\ns1,1,t,a b c d e\n"},
            "5 rows; a study in the browser has at most 2 results",
        ),
    ],
)
def test_most_results_refuses_a_longer_log(log: dict[str, str], found: str, tmp_path: Path) -> None:
    written(tmp_path, **log, judgments_csv=JUDGMENTS)
    assert len(in_browser(tmp_path).results) > 2
    said = f"{found}. Read a part of it, or use the command line."
    assert refusal(lambda: in_browser(tmp_path, (2, 9))).endswith(said)


def test_most_sessions_refuses_a_log_or_a_run_of_more(
    tmp_path: Path,
) -> None:
    rule = "a study in the browser has at most 1 sessions. Read a part of it, or use the command"
    log, run = tmp_path / "log", tmp_path / "run"
    written(log, log_csv=LOG + "s2,1,1,a,t\n", judgments_csv=JUDGMENTS)
    assert refusal(lambda: in_browser(log, (9, 1))) == f"log.csv: 2 sessions; {rule} line."
    lines = "12-1 Q0 a 1 9 x\n13-1 Q0 b 1 9 x\n"
    written(run, run_txt=lines, qrels_txt="12 0 a 1\n13 0 a 1\n")
    assert "2 sessions" in refusal(lambda: in_browser(run, (9, 1)))


def test_options_of_the_command_line_are_the_rules(tmp_path: Path) -> None:
    log = HEADER + "s1,0,0,a,t\ns1,0,0,b,t\ns1,2,0,b,t\n"
    files = written(tmp_path, log_csv=log, judgments_csv=JUDGMENTS + "t,a,3\n")
    ranks = ("--set", "rank_base=0", "--set", "same_rank=first")
    more = ("--set", "conflicts=highest", "--query-numbers", "keep")
    said = report_of(*files.values(), *map(Path, (*ranks, *more)))
    assert (said["queries"], said["results"], said["rank_clashes"]) == (3, 2, 1)
    assert said["grades"] == {"0": 1, "3": 1}
    assert said["repaired"][FROM_ZERO] == 3


def test_a_row_with_nothing_but_names_is_a_session_without_queries(tmp_path: Path) -> None:
    log = HEADER + "s1,1,1,a,t\ns0,,,,t\ns2,1,1,b,t\n"
    study = read(tmp_path, log)
    assert study.sessions["session"].tolist() == ["s1", "s0", "s2"]
    assert study.queries["session"].tolist() == ["s1", "s2"]
    assert "1 session without queries ('s0')" in [each.found for each in study.problems]
    said = refusal(lambda: read(tmp_path, log + "s2,,,,t\n"))
    assert "log.csv, line 5: an empty query number" in said
