"""The command line refuses in one plain line, exit 2, and checks a study in words and as JSON."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.plain_files import THREE_SESSIONS, report_of, written
from tests.support.refusals import LOG, REFUSALS, Refusal

NAMES = [refusal.name for refusal in REFUSALS]
STUDY = [str(THREE_SESSIONS / "log.csv"), str(THREE_SESSIONS / "judgments.csv")]
PROBLEM = {"severity", "file", "line", "found", "rule", "remedy", "count", "examples"}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, printed: bool = False) -> str:
    """The one line on standard error with which a command exits 2."""
    code = sdcg.main([*arguments])
    said = capsys.readouterr()
    assert (code, bool(said.out)) == (2, printed)
    assert said.err.endswith("\n")
    assert len(said.err.splitlines()) == 1, said.err
    return said.err.rstrip("\n")


@pytest.mark.parametrize("command", ["check", "score"])
@pytest.mark.parametrize("refusal", REFUSALS[::6], ids=NAMES[::6])
def test_unusable_input_exits_2_with_one_line(
    refusal: Refusal, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(path) for path in written(tmp_path, **refusal.files).values()]
    out = tmp_path / "out"
    more = ["--out", str(out)] if command == "score" else []
    counted = command == "check" and "no judgments" in refusal.message
    assert refused(capsys, command, *files, *more, printed=counted) == refusal.message
    assert not out.exists()


BAD_OPTIONS = {  # beside those of test_options_first.py and test_definition_files.py
    "weights that leave grades out": ("weights", "1=1"),
    "weights with two gains for a grade": ("weights", "0=0,1=1,1=2,2=2,3=3"),
    "a weight twice over": ("weights", "0=0,1=1,2=2,3=3=3"),
    "weight of grade nan": ("weights", "0=0,1=1,2=2,3=3,nan=1"),
    "unknown system": ("systems", "C"),
    "unknown topic": ("topics", "topic 9"),
    "unknown searcher": ("searchers", "nobody"),
    "at least more queries than any": ("min-queries", "99"),
    "b with an underline": ("b", "1_0"),
    "b of 400 digits": ("b", "9" * 400),
    "short lists in other digits": ("short-lists", "\uff15"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_bad_option_exits_2_with_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option, value = BAD_OPTIONS[case]
    out = tmp_path / "out"
    line = refused(capsys, "score", *STUDY, "--out", str(out), f"--{option}", value)
    assert min(len(value), 30) < len(line) <= 300
    assert not out.exists()


def test_check_of_a_log_without_judgments_prints_its_counts_and_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ungraded = "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns1,2,1,a\ns2,1,1,c\n"
    path = str(written(tmp_path, log_csv=ungraded)["log_csv"])
    assert sdcg.main(["check", path]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("sessions: 2\nqueries: 3\nresults: 4\njudgments: 0\n")
    assert "file log.csv: log, 4 rows, 4 used; it was given as log\n" in said.out
    assert "unjudged" not in said.out
    assert [line.split(";")[0] for line in said.err.splitlines()] == ["log.csv: no judgments"]
    report = report_of(Path(path))
    assert (report["exit"], report["queries"], report["grades"]) == (2, 3, {})
    assert [each["found"] for each in report["problems"]] == ["no judgments"]
    capsys.readouterr()
    written(tmp_path, log_csv=LOG + "s3,1,x,a,t\n")
    assert sdcg.main(["check", path]) == 2
    said = capsys.readouterr()
    faults = ["log.csv: no judgments", "log.csv, line 5: rank 'x'"]
    assert (said.out, [line.split(";")[0] for line in said.err.splitlines()]) == ("", faults)


COUNTS = {
    **{"sessions": 3, "queries": 9, "results": 42, "judgments": 25, "topics": 3},
    **{"topics_judged": 3, "searchers": 3, "systems": 2, "queries_without_results": 1},
    **{"repeats": 4, "clicked": None, "query_lengths": {"2": 1, "3": 1, "4": 1}},
    **{"grades": {"0": 4, "1": 7, "2": 6, "3": 8}, "judgments_matched": 25},
    **{"judgments_never_shown": 0, "sessions_without_judgments": 0, "lists_with_rank_gaps": 0},
    **{"pages_folded": 0, "rank_clashes": 0, "withheld_queries": 0},
}


def test_check_counts_a_study_in_json_and_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    report = report_of(*map(Path, STUDY))
    assert {name: report[name] for name in COUNTS} == COUNTS
    assert report["judged_share"] == pytest.approx(1 - (3 + 2 + 8) / 42)
    assert (report["left_out"], report["repaired"], report["extras"]) == ({}, {}, {})
    (problem,) = report["problems"]
    assert {*problem} == PROBLEM
    assert problem["found"] == "systems with few sessions (A: 2, B: 1)"
    assert sdcg.main(["check", *STUDY]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert set(lines) >= {name.replace("_", " ") for name in COUNTS}
    assert (lines["sessions"], lines["clicked"]) == ("3", "unknown")
    assert lines["file judgments.csv"] == "judgments, 25 rows, 25 used; it was given as judgments"
    assert sdcg.main(["--version"]) == 0
    assert f"sdcg-explorer {version('sdcg-explorer')}, numpy " in capsys.readouterr().out


def test_names_of_a_log_do_not_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    acting = "\x1b[2J\x9b1m\u202e\x07"
    log, judgments = tmp_path / "log\x9b.csv", tmp_path / "judgments.csv"
    rows = [f"s{i},{i},{system},1,1,c,t\n" for i, system in enumerate((acting, "B", "b") * 3)]
    log.write_text("session,searcher,system,query_number,rank,doc,topic\n" + "".join(rows))
    judgments.write_text("topic,doc,grade\nt,c,1\n")
    files = [str(log), str(judgments)]
    printed: list[str] = []
    for command in (["check"], ["check", "--json"], ["compare", "--out", str(tmp_path / "out")]):
        assert sdcg.main([command[0], *files, *command[1:]]) == 0
        printed.append("".join(capsys.readouterr()))
        assert not [c for c in printed[-1] if not c.isprintable() and c != "\n"]
    assert r"\x1b[2J\x9b1m\u202e\x07" in printed[2]
    assert log.name in {problem["file"] for problem in json.loads(printed[1])["problems"]}
    assert acting in (tmp_path / "out" / "compare.txt").read_text(encoding="utf-8")
