"""The command line refuses in one plain line, exit 2, and checks a study as JSON."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.plain_files import THREE_SESSIONS, report_of, written
from tests.support.refusals import JUDGMENTS, LOG, REFUSALS, Refusal

NAMES = [refusal.name for refusal in REFUSALS]
STUDY = [str(THREE_SESSIONS / "log.csv"), str(THREE_SESSIONS / "judgments.csv")]
CHECKED = {
    *("sessions", "queries", "results", "judgments", "topics", "topics_judged", "searchers"),
    *("systems", "queries_without_results", "repeats", "clicked", "query_lengths", "grades"),
    *("judgments_matched", "judgments_never_shown", "sessions_without_judgments"),
    *("lists_with_rank_gaps", "pages_folded", "rank_clashes", "withheld_queries"),
    *("judged_share", "left_out", "repaired", "files", "problems"),
}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, printed: bool = False) -> str:
    """The one line on standard error with which a command exits 2."""
    code = sdcg.main([*arguments])
    said = capsys.readouterr()
    assert (code, bool(said.out)) == (2, printed)
    assert "Traceback" not in said.err
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


UNGRADED = "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns1,2,1,a\ns2,1,1,c\n"


def test_check_of_a_log_without_judgments_prints_its_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(tmp_path, log_csv=UNGRADED)["log_csv"])
    assert sdcg.main(["check", path]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("sessions: 2\nqueries: 3\nresults: 4\njudgments: 0\n")
    assert "file log.csv: log, 4 rows, 4 used; it was given as log\n" in said.out
    assert "unjudged" not in said.out
    assert [line.split(";")[0] for line in said.err.splitlines()] == ["log.csv: no judgments"]
    report = report_of(Path(path))
    assert (report["exit"], report["queries"], report["grades"]) == (2, 3, {})
    assert [each["found"] for each in report["problems"]] == ["no judgments"]


def test_check_of_a_log_with_faults_of_its_own_tells_all_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(tmp_path, log_csv=LOG + "s3,1,x,a,t\n")["log_csv"])
    assert sdcg.main(["check", path]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.split(";")[0] for line in said.err.splitlines()] == [
        "log.csv: no judgments",
        "log.csv, line 5: rank 'x'",
    ]


BAD_OPTIONS = {  # beside those of test_options_first.py
    "b of 1000": ("b", "1000"),
    "b nan": ("b", "nan"),
    "bq below 1": ("bq", "0.5"),
    "weights that leave grades out": ("weights", "1=1"),
    "negative weights": ("weights", "0=0,1=-1,2=2,3=3"),
    "weights with two gains for a grade": ("weights", "0=0,1=1,1=2,2=2,3=3"),
    "unknown system": ("systems", "C"),
    "unknown topic": ("topics", "topic 9"),
    "unknown searcher": ("searchers", "nobody"),
    "at least more queries than any": ("min-queries", "99"),
    "b beyond all numbers": ("b", "1e400"),
    "b with an underline": ("b", "1_0"),
    "b in other digits": ("b", "\uff13"),
    "b of 400 digits": ("b", "9" * 400),
    "weight beyond all sums": ("weights", "0=0,1=1,2=2,3=1e308"),
    "weight beyond all numbers": ("weights", "0=0,1=1,2=2,3=1e400"),
    "weight of 400 digits": ("weights", f"0=0,1=1,2=2,3={'9' * 400}"),
    "weight nan": ("weights", "0=0,1=1,2=2,3=nan"),
    "weight of grade nan": ("weights", "0=0,1=1,2=2,3=3,nan=1"),
    "weight true": ("weights", "0=0,1=1,2=2,3=true"),
    "a weight twice over": ("weights", "0=0,1=1,2=2,3=3=3"),
    "top of 400 digits": ("top", "9" * 400),
    "short lists of 5,000 digits": ("short-lists", "9" * 5000),
    "short lists in other digits": ("short-lists", "\uff15"),
    "most queries of 400 digits": ("max-queries", "9" * 400),
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


def test_check_json_has_every_key_of_the_design() -> None:
    report = report_of(*map(Path, STUDY))
    assert set(report) >= CHECKED
    assert {name: report[name] for name in ("sessions", "queries", "results", "judgments")} == {
        "sessions": 3,
        "queries": 3 + 4 + 2,
        "results": 15 + 7 + 20,
        "judgments": 12 + 3 + 10,
    }
    assert report["query_lengths"] == {"2": 1, "3": 1, "4": 1}
    assert report["grades"] == {"0": 4, "1": 7, "2": 6, "3": 8}
    assert (report["searchers"], report["systems"], report["clicked"]) == (3, 2, None)
    assert (report["queries_without_results"], report["repeats"]) == (1, 4)
    assert (report["judgments_matched"], report["judgments_never_shown"]) == (25, 0)
    assert report["judged_share"] == pytest.approx(1 - (3 + 2 + 8) / 42)
    assert (report["left_out"], report["repaired"], report["extras"]) == ({}, {}, {})
    assert [problem["found"] for problem in report["problems"]] == [
        "systems with few sessions (A: 2, B: 1)"
    ]


def test_check_json_problems_have_place_rule_remedy_and_count(tmp_path: Path) -> None:
    judgments = JUDGMENTS.replace("t,", "elsewhere,")
    files = written(tmp_path, log_csv=LOG, judgments_csv=judgments)
    named = "--map=session=session,query_number=query_number,topic=topic,doc=doc"
    problems = report_of(*files.values(), named)["problems"]
    names = {"severity", "file", "line", "found", "rule", "remedy", "count", "examples"}
    assert [problem["found"].split(" (")[0] for problem in problems] == [
        "1 unjudged topic",
        "100% of the results in the top 10 unjudged",
        "every session has one query",
        "systems with few sessions",
    ]
    assert all(set(problem) == names for problem in problems)
    assert {problem["severity"] for problem in problems} == {"warning"}


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdcg.main(["--version"]) == 0
    assert f"sdcg-explorer {version('sdcg-explorer')}, numpy " in capsys.readouterr().out


def test_check_prints_every_count_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdcg.main(["check", *STUDY]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    counts = CHECKED - {"left_out", "repaired", "files", "problems"}
    assert set(lines) >= {name.replace("_", " ") for name in counts}
    assert (lines["sessions"], lines["clicked"]) == ("3", "unknown")
    why = "it was given as judgments"
    assert lines["file judgments.csv"] == f"judgments, 25 rows, 25 used; {why}"


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
