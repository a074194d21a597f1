"""Remedies that refusals name are carried out, and end in a study or another refusal."""

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
from tests.support.refusals import known_options
from tests.support.trials import Files, Trial

TRIALS = [*trials.TRIALS, *trials_of_agents.TRIALS, *trials_of_options.TRIALS]
OWN_WORDS = {"query_id", "doc_id"}  # whose value nobody can tell
RULES = {option(name, "").strip() for name in FIELDS if name not in OWN_WORDS}
OPTIONS = known_options()
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
Ran = tuple[int, str, str]  # exit code, printed, refused
OF_FEW = "every session has one", "systems with few"  # what is said of any study as small


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
