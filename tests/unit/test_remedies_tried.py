"""Every remedy that a refusal names is carried out, and ends in a study or another refusal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.recipe import FIELDS, option
from tests.support import trials, trials_of_agents, trials_of_options
from tests.support.plain_files import ROOT
from tests.support.refusals import known_options
from tests.support.remedies import remedies
from tests.support.trials import Files, Trial

TRIALS = [*trials.TRIALS, *trials_of_agents.TRIALS, *trials_of_options.TRIALS]
OWN_WORDS = {"query_id", "doc_id"}  # whose value nobody can tell
RULES = {option(name, "").strip() for name in FIELDS if name not in OWN_WORDS}
OPTIONS = known_options()
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
Ran = tuple[int, str, str]  # exit code, printed, refused
OF_FEW = "every session has one", "systems with few"  # what is said of any study as small
ENGINE = "tests/command_line/test_scale.py::test_options_that_an_engine_has_or_has_not_are_said"
# what no trial here can do: the test that does it, or why there is none
SOURCES = "tests/unit/test_sources.py"
ELSEWHERE = {
    "If the file's order is what was shown, read with": (
        "tests/unit/test_run_order.py::test_numbers_that_tie_say_whose_order_was_taken"
    ),
    "Rename it.": f"{SOURCES}::test_a_name_that_is_no_text_is_refused_until_renamed",
    "--definition {}.toml twice; each names a folder. Rename one.": ENGINE,
    "--definition twice; without --engine there is one. Leave the other out.": ENGINE,
    "--residuals is not for --engine. Leave it out.": ENGINE,
    "--pair and --all-definitions are not for --engine. Leave them out.": ENGINE,
    "--master": ENGINE,
    "--memory": ENGINE,
    "--sample": ENGINE,
    "--engine {}; known are {}.": ENGINE,
    "{} is of --engine. Name one: {}.": ENGINE,
    "--master is Spark's, and the engine is duckdb. Leave it out.": ENGINE,
    "--engine takes the log and its judgments apart. Name both.": ENGINE,
    "--ratings is not for --engine.": ENGINE,
    " of version 1.0: there is no room to take over the tables, which are read from the "
    "old folders. Free some, and start the app anew.": (
        "tests/unit/test_store.py::test_without_room_the_old_folders_are_read_and_taken_over_later"
    ),
    "{} ({}): counts that version 1.0 made are not taken over. Make them again: sdcg "
    "score LOG JUDGMENTS --engine duckdb.": (
        "tests/unit/test_store.py::test_a_workspace_of_version_1_is_taken_over_once_and_left"
    ),
    "Another app is writing to it: do it again in a moment.": (
        "tests/unit/test_store.py::test_whoever_writes_at_once_waits_and_then_is_told"
    ),
    "Start the app anew: it opens what can be read, or the daily copy.": (
        "tests/unit/test_store.py::test_no_flipped_byte_shows_a_wrong_table"
    ),
    "Its copy of {} is opened{}, without what was changed later.": (
        "tests/unit/test_store.py::test_a_damaged_header_opens_the_copy_and_says_so"
    ),
    "Until then kept studies open, and none is added.": (
        "tests/unit/test_store.py::test_a_file_that_is_read_only_opens_and_says_so"
    ),
    "The daily copy of the studies could not be made: {}.": (
        "no remedy: what was said once at the start"
    ),
    "Give the log a column grade, or take the judgments': --grades judgments.": (
        "tests/app/test_unjudged_topics.py::test_grades_that_are_not_logged_are_refused_by_the_command"
    ),
    "The log was scored in parts of whole sessions; means and their numbers are sums over "
    "all parts. Curves end where fewer than {} sessions still run, at most after {} "
    "queries. Intervals are pointwise 95 % bootstrap-t intervals (1,000 resamples of {}, "
    "fixed seed).": ("a paragraph of the methods"),
    "Close the quote that it starts with, or shorten it.": (
        "tests/unit/test_loose_quotes.py"
        "::test_a_cell_or_a_row_that_is_too_long_is_refused_by_its_line"
    ),
    "Shorten its cells.": (
        "tests/unit/test_loose_quotes.py"
        "::test_a_cell_or_a_row_that_is_too_long_is_refused_by_its_line"
    ),
    **dict.fromkeys(
        (
            "Give the judgments, or take gains from clicks: --preset behaviour.",
            "Give the log a column clicked, or take the judgments' grades: --grades judgments.",
            "Take each query's best list: --ideal repeated.",
        ),
        "tests/unit/test_behaviour.py::test_what_clicks_can_not_say_is_refused",
    ),
    "Ask for a smaller depth.": "tests/unit/test_bounds.py::test_a_depth_may_be_too_much",
    "Divide the grades.": (
        "tests/unit/test_bounds.py::test_kept_study_beyond_the_bounds_is_refused_and_can_be_deleted"
    ),
    "Read a part of it, or use the command line.": (
        "tests/unit/test_reading_rules.py::test_most_results_refuses_a_longer_log"
    ),
    "Update sDCG Explorer: a newer one wrote it.": (
        "tests/unit/test_study_zip_files.py::test_newer_format_is_refused"
    ),
    "Delete it, and upload its files again.": (
        "tests/unit/test_store.py::test_a_flipped_byte_in_a_table_names_its_study_and_the_rest_opens"
    ),
    "Leave one out, or rename it.": (
        "tests/unit/test_files_given.py::test_uploads_of_one_name_are_refused"
    ),
    "Upload its files again.": "tests/unit/test_store.py::test_study_is_deleted_alone",
    "Free some room there, and do it again: nothing of it was kept.": (
        "tests/command_line/test_store_processes.py::test_full_disk_keeps_nothing_and_says_so"
    ),
    "Check that the folder can be written to; nothing was changed.": (
        "tests/unit/test_store.py::test_a_folder_that_is_a_file_is_said_and_studies_live_in_memory"
    ),
    "{}: {}; {}. {}, or name another place for --out": (
        "tests/command_line/test_whole.py::test_a_full_disk_leaves_the_old_result_and_is_a_sentence"
    ),
    "Export it again, or leave it out.": (
        "tests/unit/test_agent_layouts.py"
        "::test_what_a_reader_did_not_think_of_is_said_without_an_exception"
    ),
    "Split it, or use a larger machine.": "a larger machine",
    "Nothing to do, if so; else read with {}.": (
        "tests/unit/test_repairs.py::test_repairs_make_the_study_of_the_clean_files"
    ),
    "Leave out columns that nobody asks for, or split the file.": "a smaller file",
    "Leave out columns or rows that nobody asks for, or split it.": "a smaller file",
    "Read a part of it.": "50 million results",
    "Check that it is the right file.": "nothing that begins like JSON is neither list nor object",
    "Take the topic out if each query was judged by itself.": "a note, and no refusal",
    **dict.fromkeys(
        ("--server.address={}", "--server.allowedHosts={}", "--server.fileWatcherType={}"),
        "Streamlit's own options",
    ),
    "--server.port={}": "Streamlit's own options",
}


@dataclass(frozen=True)
class Outcome:
    """What a trial came to: exit codes and words before and after its remedy, and the report."""

    codes: set[int]
    refused: str
    cured: int
    after: str
    report: dict[str, Any]


def put(files: Files) -> None:
    """Write files here."""
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def ran(commands: str) -> Ran:
    """The last exit code of some commands, what they printed, and what they refused."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        codes = [sdcg.main(shlex.split(command)) for command in commands.split(";")]
    return codes[-1], out.getvalue(), err.getvalue()


def tried(trial: Trial, folder: Path, known: dict[object, Ran]) -> Outcome:
    """Run a trial in a folder of its own; what mends several is known once it has run on one."""
    folder.mkdir()
    with contextlib.chdir(folder):
        put(trial.bad)
        codes, _, refused = zip(*map(ran, trial.args.splitlines()), strict=True)
        put(trial.good)
        cured = trial.cured or trial.args
        reports = cured.startswith("check") and not trial.then
        of = (cured, reports, *(trial.bad | trial.good).items())
        known[of] = known.get(of) or ran(f"{cured} --json" if reports else cured)
    last, out, after = known[of]
    return Outcome(
        {*codes}, "".join(refused), last, after, json.loads(out) if reports and not last else {}
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("trials")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "execve", lambda *_: None)  # the app's server
        known = dict[object, Ran]()
        return [tried(trial, folder / str(place), known) for place, trial in enumerate(TRIALS)]


@pytest.mark.parametrize("place", range(len(TRIALS)))
def test_a_remedy_that_is_carried_out_helps(place: int, outcomes: list[Outcome]) -> None:
    trial, came = TRIALS[place], outcomes[place]
    assert came.codes == {2}, trial
    assert came.cured == (2 if trial.then else 0), (trial, came)
    assert trial.then in came.after
    assert came.after != came.refused
    there = set[str]().union(*(OPTIONS[command] for command in commands(trial.args)))
    assert {*NAMED.findall(came.refused)} - {*NAMED.findall(trial.args)} <= there, trial
    for named, value in ruled(trial):
        choice = re.sub("--(set )?|=", "", named).replace("-", "[-_]")
        assert re.search(rf"{choice}[^.]*({re.escape(value)}|NAME)", came.refused), trial
        notes = [problem["found"] for problem in came.report["problems"]]
        said = [note for note in notes if not note.startswith(OF_FEW)]
        assert said or came.report["left_out"] or came.report["repaired"], trial


def commands(args: str) -> list[str]:
    """The commands of some lines."""
    return [each.split()[0] for line in args.splitlines() for each in line.split(";")]


def ruled(trial: Trial) -> list[tuple[str, str]]:
    """Recipe of reading that a remedy brings, each with its value."""
    words = shlex.split(trial.cured) if trial.cured.startswith("check") else []
    before = shlex.split(trial.args)
    pairs = [(a, b) for a, b in pairwise([*words, ""]) if not (a in before and b in before)]
    split = [(f"{a} {b.partition('=')[0]}=", b.partition("=")[2]) for a, b in pairs if a == "--set"]
    return [(a, b) for a, b in (*pairs, *split) if a in RULES and a not in ("--map", "--columns")]


def test_every_remedy_of_the_sources_is_carried_out(outcomes: list[Outcome]) -> None:
    said = "\n".join(outcome.refused for outcome in outcomes)
    named = {text: place for text, place in remedies().items() if text not in ELSEWHERE}
    holes = {text: ".*".join(map(re.escape, text.split("{}"))) for text in named}
    assert {named[text]: text for text in named if not re.search(holes[text], said)} == {}


def test_what_is_carried_out_elsewhere_is_a_test() -> None:
    assert {*ELSEWHERE} <= {*remedies()}
    for said in ELSEWHERE.values():
        file, _, name = said.partition("::")
        assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
