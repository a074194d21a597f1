"""The command line refuses in one plain line, exit 2, and checks a study in words and as JSON."""

import json
import math
import random
import shutil
import sys
import tomllib
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import typer.main

import sdcg_explorer as sx
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.commands import options as of_commands
from sdcg_explorer.export.into import WRITTEN
from sdcg_explorer.export.tables import table_bytes
from sdcg_explorer.questions.data.words import COUNTS as CALLED
from sdcg_explorer.scoring.measures import SESSION_SCORES
from tests.support.formats import put
from tests.support.plain_files import (
    ECIR2008,
    TOYS,
    read_plain,
    report_of,
    rows_in,
    write_rows,
    written,
)
from tests.support.plain_loop import Choices
from tests.support.plain_other_measures import every_query_score
from tests.support.plain_session_scores import session_scores
from tests.support.rated import rated_files
from tests.support.refusals import JUDGMENTS, LOG, REFUSALS, Refusal
from tests.support.thorough import THOROUGH
from tests.support.two_agents import write_agents

STUDY = [*map(str, TOYS)]
PROBLEM = {"severity", "file", "line", "found", "rule", "remedy", "count", "examples"}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, printed: bool = False) -> str:
    """The one line on standard error with which a command exits 2."""
    code = sdcg.main([*arguments])
    said = capsys.readouterr()
    assert (code, bool(said.out)) == (2, printed)
    assert said.err.endswith("\n")
    assert len(said.err.splitlines()) == 1, said.err
    return said.err.rstrip("\n")


@pytest.mark.parametrize("refusal", REFUSALS[::6], ids=[each.name for each in REFUSALS[::6]])
def test_unusable_input_exits_2_with_one_line(
    refusal: Refusal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(path) for path in written(tmp_path, **refusal.files).values()]
    out = tmp_path / "out"
    assert refused(capsys, "score", *files, "--out", str(out)) == refusal.message
    assert not out.exists()
    counted = "no judgments" in refusal.message
    assert refused(capsys, "check", *files, printed=counted) == refusal.message


def test_files_in_the_other_order_and_a_second_log_are_refused_as_such(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert refused(capsys, "check", *reversed(STUDY)) == (
        f"{TOYS[1].name}: given as the log; the other way round they are 3 sessions, 9 queries, "
        "42 results, 69% judged. Give the log first, and the judgments second."
    )
    second = shutil.copy(STUDY[0], tmp_path / "second.csv")
    assert refused(capsys, "check", str(STUDY[0]), str(second)) == (
        "second.csv: given as the judgments; its columns are those of a log. If both are parts of "
        "one log, give their folder, or a pattern in quotes."
    )


def test_check_of_a_log_without_judgments_prints_its_counts_and_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ungraded = "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns1,2,1,a\ns2,1,1,c\n"
    path = str(written(tmp_path, log_csv=ungraded)["log_csv"])
    assert sdcg.main(["check", path]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("sessions: 2\nqueries: 3\nresults: 4\njudgments: 0\n")
    assert "file log.csv: log, 4 rows, 4 used; given as the log\n" in said.out
    assert "warning" not in said.out
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
    report = report_of(*TOYS)
    assert {name: report[name] for name in COUNTS} == COUNTS
    assert report["judged_share"] == pytest.approx(1 - (3 + 2 + 8) / 42)
    assert (report["left_out"], report["repaired"], report["extras"]) == ({}, {}, {})
    (problem,) = report["problems"]
    assert {*problem} == PROBLEM
    assert problem["found"] == "systems with few sessions (A: 2, B: 1)"
    assert sdcg.main(["check", *STUDY]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    plain = [name.replace("_", " ") for name in COUNTS]
    assert {*lines} >= {CALLED.get(name, name) for name in plain}
    assert lines["sessions by number of queries"] == "2: 1; 3: 1; 4: 1"
    assert (lines["sessions"], lines["clicked"]) == ("3", "unknown")
    assert lines["file judgments.csv"] == "judgments, 25 rows, 25 used; given as the judgments"
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


# what `sdcg score` writes: files, columns, numbers, and a definition that reads back


LINEAR = Choices(gains={0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0})
WHO = ["session", "system", "searcher", "topic", "queries"]


def score(out: Path, *options: str, study: tuple[Path, ...] = TOYS) -> Path:
    """Folder of what `sdcg score` writes."""
    assert sdcg.main(["score", *map(str, study), "--out", str(out), *options]) == 0
    return out


def written_definition(folder: Path) -> dict[str, dict[str, object]]:
    """The definition and filters as written."""
    return tomllib.loads((folder / "definition.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def linear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return score(tmp_path_factory.mktemp("score") / "new" / "folder", "--preset", "linear")


def test_cells_are_the_plain_loop_to_ten_digits_and_undefined_is_empty(linear: Path) -> None:
    plain = read_plain(*TOYS)
    rows = rows_in(linear / "sessions.csv")
    assert [rows[1][column] for column in WHO] == ["T-2", "A", "searcher 2", "topic 2", "4"]
    for row, session in zip(rows, plain.sessions, strict=True):
        expected = session_scores(session.queries, plain.judgments, LINEAR)
        assert {name: row[name] for name in SESSION_SCORES} == {
            name: written_as(value) for name, value in expected.items()
        }
    asked = [
        row for s in plain.sessions for row in every_query_score(s.queries, plain.judgments, LINEAR)
    ]
    for row, expected in zip(rows_in(linear / "queries.csv"), asked, strict=True):
        assert [row[name] for name in expected] == [written_as(v) for v in expected.values()]


def written_as(value: float) -> str:
    """A number in ten significant digits, as short as can be; empty where undefined."""
    return "" if math.isnan(value) else f"{value:.10g}"


def test_option_beats_file_and_file_beats_preset(tmp_path: Path) -> None:
    text = '[definition]\nweights = "linear"\nb = 3\nbq = 3\n[filters]\nsystems = ["A"]\n'
    file = written(tmp_path, my_toml=text + "min_queries = 4\n")["my_toml"]
    options = ("--preset", "session-track", "--definition", str(file), "--b", "5")
    out = score(tmp_path / "out", *options, "--min-queries", "3")
    chosen = written_definition(out)
    names = ("discount", "weights", "bq", "b")
    assert [chosen["definition"][name] for name in names] == ["kanoulas2011", "linear", 3, 5]
    assert (chosen["filters"]["systems"], chosen["filters"]["min_queries"]) == (["A"], 3)
    assert [row["session"] for row in rows_in(out / "sessions.csv")] == ["T-1", "T-2"]


@pytest.mark.parametrize("preset", ["linear", "session-track"])
def test_definition_keeps_the_weighting_chosen_where_another_gives_the_same_gains(
    preset: str, tmp_path: Path
) -> None:
    files = written(tmp_path, log_csv=LOG, judgments_csv=JUDGMENTS)  # grades 0 and 1 alone
    out = score(tmp_path / "out", "--preset", preset, study=(*files.values(),))
    named = {
        "linear": ("linear", "plain linear."),
        "session-track": ("exponential", "Session track (Kanoulas)."),
    }
    weights, name = named[preset]
    assert written_definition(out)["definition"]["weights"] == weights
    assert name in (out / "methods.txt").read_text(encoding="utf-8")


# what `sdcg compare` writes, and what it, `robustness` and `agreement` refuse


OF_COMPARE = {
    *("comparison.csv", "last_against_others.csv", "next_study.csv", "compare.txt"),
    *("summary.csv", "definition.toml", "methods.txt"),
}
SAMPLE = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"


def run_on(command: str, out: Path, *options: str, files: tuple[Path, ...] = SAMPLE) -> int:
    return sdcg.main([command, *map(str, files), "--out", str(out), *options])


def test_two_agents_have_topics_and_outcomes_against_a_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, out = write_agents(tmp_path / "files"), tmp_path / "out"
    options = ("--score", "final", "--weights", "linear", "--baseline", "B", "--right", "correct")
    assert run_on("compare", out, *options, files=files) == 0
    more = {"topics.csv", "outcomes.csv", "outcome_corners.csv", "outcome_pairs.csv"}
    assert {path.name for path in out.iterdir()} == OF_COMPARE | more | {WRITTEN}
    (pair,) = rows_in(out / "comparison.csv")
    assert (pair["system_a"], pair["system_b"]) == ("B", "A")
    topics = rows_in(out / "topics.csv")
    apart = [float(row["difference"]) for row in topics]
    assert fmean(apart) == pytest.approx(float(pair["difference"]), rel=1e-9)
    assert [row["result"] for row in topics].count("lost") == 7
    text = (out / "compare.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == text
    assert "Against B, A won 1 of 12 topics, lost 7 and tied 4." in text
    assert "Right answers: A 42%, B 75%." in text
    (right,) = rows_in(out / "outcome_pairs.csv")  # the baseline stands first, as in comparison.csv
    assert [right[name] for name in ("system_a", "only_a", "only_b", "both")] == [
        "B",
        "5",
        "1",
        "4",
    ]
    methods = (out / "methods.txt").read_text(encoding="utf-8")
    assert "Whether a session's answer was right is taken from the column correct." in methods
    assert run_on("compare", out) == 0  # what the run before has left goes
    assert {path.name for path in out.iterdir()} == OF_COMPARE | {WRITTEN}


REFUSED = {
    "compare --score finale": "score 'finale'; choose one of final_normalised, ",
    "compare --scores final": "No such option: --scores",
    "compare --plan-for -1": "a difference of -1 to plan for; it has to be above 0.",
    "compare --systems Odd": "no system 'Odd'; the study's systems: ",
    "compare --min-queries 50": "The filters leave no session with this score: widen them.",
    "compare --baseline C": "no baseline 'C'; systems are System 1, System 2.",
    "compare --right odd": "outcome 'odd'; columns of sessions that say yes or no",
    "robustness --score finale": "score 'finale'; choose one of ",
    "robustness --pair A B": "no pair A and B; systems are System 1, System 2.",
    "robustness --min-queries 50": "The filters leave no session with this score: widen them.",
    # beside those of tests/unit/test_definition.py
    "score --weights 1=1": "weights: no gain for grades 0, 2, 3",
    "score --weights 0=0,1=1,1=2,2=2,3=3": "weights: two gains for grade 1; it has one",
    "score --weights 0=0,1=1,2=2,3=3=3": "weights.3 '3=3'; a gain is from 0 to 1e+100",
    "score --weights 0=0,1=1,2=2,3=3,nan=1": "weights: grade 'nan'; a grade is a number",
    "score --topics topic_9": "no topic 'topic_9'; the study's topics: A, B, C, D",
    "score --searchers nobody": "no searcher 'nobody'; the study's searchers: invented-P01, ",
    "score --min-queries 99": "the filters leave no session; widen them.",
    "score --b 1_0": "b '1_0'; it must be above 1 and below 1,000, or inf",
    f"score --b {'9' * 400}": f"b '{'9' * 38}…; it must be above 1 and below 1,000, or inf",
    "score --short-lists \uff15": "short_lists '\uff15'; choose one of pad, as-is, observed, or 1 ",
    "score --residuals --unjudged condense": "unjudged condense; residuals need unjudged zero. ",
    "agreement --with mood": "rating 'mood'; choose one of satisfaction, effort, age, ",
    "agreement --with ease --score final": "score 'final'; choose one of dcg, sdcg",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_wrong_option_is_refused_in_one_line(
    asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = asked.split()
    files = SAMPLE
    if command == "agreement":
        log, judgments, *ratings = put(tmp_path, rated_files())
        files = log, judgments
        options += [option for path in ratings for option in ("--ratings", str(path))]
    out = tmp_path / "out"
    said = refused(capsys, command, *map(str, files), "--out", str(out), *options)
    assert said.startswith(REFUSED[asked])
    assert not out.exists()


# `--residuals` of `sdcg score` and `sdcg compare`: ranges, and what to judge next


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sample, of whose judgments one in eight is missing."""
    chance, folder = random.Random(5), tmp_path_factory.mktemp("unjudged")
    rows = [row for row in rows_in(ECIR2008 / "judgments.csv") if chance.random() > 1 / 8]
    kept = [(row["topic"], row["doc"], row["grade"]) for row in rows]
    judged = write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), kept)
    return ECIR2008 / "log.csv", judged


def test_comparison_has_its_range_and_what_to_judge_next(
    unjudged: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, after = tmp_path / "before", tmp_path / "after"
    assert run_on("compare", out, "--residuals", files=unjudged) == 0
    (pair,) = rows_in(out / "comparison.csv")
    lowest, highest = float(pair["difference_lowest"]), float(pair["difference_highest"])
    assert lowest < float(pair["difference"]) < highest
    listed = rows_in(out / "judge_next.csv")
    moves = [abs(float(row["moves"])) for row in listed]
    assert (moves, sum(moves)) == (sorted(moves)[::-1], pytest.approx(highest - lowest))
    lines = (out / "judge_next.qrels").read_text(encoding="utf-8").splitlines()
    assert lines == [f"{row['topic']}\t0\t{row['doc']}" for row in listed]
    printed = capsys.readouterr().out
    assert "judging them could change their order." in printed
    assert lines[0] not in printed
    again = sx.compare(sx.read(*unjudged), residuals=True)
    assert again.sentence == (out / "compare.txt").read_text(encoding="utf-8")
    assert table_bytes(again.tables["judge_next"]) == (out / "judge_next.csv").read_bytes()
    # the list joins the judgments: what is graded 0 leaves the difference, what is not is unjudged
    graded = [(row["topic"], row["doc"], "0" if i < 20 else "") for i, row in enumerate(listed)]
    given = [tuple(row.values()) for row in rows_in(unjudged[1])]
    both = write_rows(tmp_path / "judged.csv", ("topic", "doc", "grade"), [*given, *graded])
    assert run_on("compare", after, "--residuals", files=(unjudged[0], both)) == 0
    (narrower,) = rows_in(after / "comparison.csv")
    assert narrower["difference"] == pair["difference"]
    width = float(narrower["difference_highest"]) - float(narrower["difference_lowest"])
    assert width == pytest.approx(sum(moves[20:]), rel=1e-6)


# options are checked before anything is read: of a missing log and a wrong option the latter


NOTHING = ("no.csv", "none.csv")
BARE = {
    "app": [],
    "check": [*NOTHING],
    "agreement": [*NOTHING, "--with", "ease"],
    **{
        name: [*NOTHING, "--out", "out"]
        for name in ("score", "compare", "robustness", "fit", "export", "paper")
    },
}
OF_THE_APP = ["--study", *NOTHING]  # of the app, after which its own options are tried
ON_DISK = (
    "--ephemeral; with --ephemeral nothing is on disk, so it excludes --shared and --workspace. "
    "Leave one out.\n"
)
# a wrong value of each option, and what is said of it
WRONG = {
    **{f"--{name}": ("odd", "odd") for name in ("discount", "repeats", "ideal", "others")},
    "--preset": (
        "odd",
        "--preset 'odd'; choose one of ecir2008, session-track, dynamic-domain, linear, behaviour, "
        "agents.\n",
    ),
    **{f"--{name}": ("odd", "odd") for name in ("short-lists", "unjudged", "after-stop", "grades")},
    **{f"--{name}": ("odd", "odd") for name in ("query-numbers", "topics-by", "set", "recipe")},
    **{f"--{name}": ("0.5", "0.5") for name in ("b", "bq")},
    **{f"--{name}": ("odd", "odd") for name in ("average", "coefficient", "version", "topics-are")},
    **{f"--{name}": ("0", name) for name in ("depth", "cache", "top")},
    **{
        f"--{name}": ("0", f"{name.replace('-', '_')} 0") for name in ("min-queries", "max-queries")
    },
    "--definition": ("odd.toml", "odd.toml"),
    "--weights": ("1=x", "weights.1 'x'"),
    "--map": ("dog=doc", "role 'dog'"),
    "--columns": ("doc,doc", "'doc' names two columns"),
    "--query-id": ("odd", "query_id 'odd'"),
    "--name": ("odd", "file_name 'odd'"),
    "--doc-id": ("odd", "doc_id 'odd'"),
    "--grade": ("odd", "grade 'odd'"),
    "--session-by": (",", "session_by ','"),
    **{f"--{name}": ("-1", name.replace("-", "_")) for name in ("p", "srbp-b", "inst-t")},
    **{f"--{name}": ("-1", name.replace("-", "_")) for name in ("p-reform", "p-down")},
    "--measure": ("odd", "measure 'odd'"),
    "--err-rule": ("odd", "err_rule 'odd'"),
    "--plan-for": ("-1", "a difference of -1"),
    "--out": ("odd.csv", "odd.csv: "),
    "--engine": ("odd", "--engine 'odd'; choose one of"),
    "--master": ("yarn", "--master needs --engine spark. Add that, or leave --master out."),
    "--memory": ("odd --engine duckdb", "--memory 'odd'"),
    **{f"--{name}": ("-1", f"--{name}") for name in ("sample", "port")},
    "--address": (
        "0.0.0.0",
        "--address 0.0.0.0; one person's studies are for this machine only. Add --shared or "
        "--ephemeral.\n",
    ),
    "--shared": ("--ephemeral", ON_DISK),
    "--ephemeral": ("--shared", ON_DISK),
    "--workspace": ("x --ephemeral", ON_DISK),
    "--with-texts": ("--b 3", "--without-persons"),
    "--read-seconds": ("0", "it must be a whole number of seconds from 1 to 36,000"),
    "--last-click": ("x", "choose one of satisfies, as-read"),
    "--with-order": ("--topics-are sample", "can be adjusted for only where topics are fixed"),
}
OF_ONE = {("robustness", "--score"): ("odd", "score 'odd'")}  # elsewhere it may be a rating
TOLD_BY_THE_STUDY = {
    "--ratings",  # files that are looked for as the log is
    *("--systems", "--topics", "--searchers", "--pair", "--with", "--score", "--study"),
    *("--assessors", "--baseline", "--right"),
}
NEVER_WRONG = {
    *("--json", "--force", "--all-definitions", "--low-is-good", "--system-by-file", "--reload"),
    *("--host", "--residuals", "--without-persons", "--help"),
}
OPTIONS = [  # with each command that has it
    (option, command)
    for command, made in typer.main.get_command(sdcg.cli).commands.items()  # pyright: ignore[reportAttributeAccessIssue]
    for option in (next((n for n in of.opts[::-1] if n.startswith("--")), "") for of in made.params)
    if option not in NEVER_WRONG | TOLD_BY_THE_STUDY or (command, option) in OF_ONE
]
ONCE = [*{option: each for each in OPTIONS if (option := each[0])}.values()]  # with the last


def test_a_wrong_option_is_refused_before_the_log_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text("mine", encoding="utf-8")
    for option, command in OPTIONS if THOROUGH > 1 else ONCE:
        assert (command, option) in OF_ONE or option in WRONG, (
            f"add {option} to WRONG in tests/command_line/test_cli.py"
        )
        value, said = OF_ONE.get((command, option)) or WRONG[option]
        given = [*BARE[command], option, *value.split(), *(OF_THE_APP if command == "app" else [])]
        assert sdcg.main([command, *given]) == 2, option
        err = capsys.readouterr().err
        assert said in err
        assert not any(name in err for name in NOTHING)


# a command that takes longer than a moment says on a terminal what it is at


def test_a_terminal_alone_is_told_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    for watched in (True, False):
        screen: Any = StringIO()
        screen.isatty = lambda is_one=watched: is_one
        monkeypatch.setattr(sys, "stderr", screen)
        with of_commands.showing_progress("reading a\x1b.txt"):
            pass
        shown = screen.getvalue()
        assert bool(shown) == shown.startswith("\r\x1b[Kreading a") == watched
        assert bool(shown) == shown.endswith("\r\x1b[K")
        assert "a\x1b" not in shown
