"""`sdcg check` and `sdcg counts` have the same rules: what one refuses, the other does, and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.study.problems import Problem, UnusableInputError
from tests.support.odd_tables import ODD, TEXT, Odd

FILES = ("log.csv", "judgments.csv")
TOTALS = ("sessions", "queries", "results")
# of the study that check makes, not of its files
OF_A_STUDY = ("every session has one query", "systems with few sessions", "names differ by case")
# what counts are not made of, though studies are (docs/scale.md)
NOT_COUNTED = {
    "judgments by session": Odd(judgments="session,doc,grade\ns1,a,1\n"),
    "sessions named by query ids": Odd("query_id,rank,doc,topic\ns1-1,1,a,t\n"),
    "lists in cells": Odd('session,query_number,docs,topic\ns1,1,"[""a"",""b""]",t\n'),
    "JSON": Odd('{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"}\n'),
    "qrels": Odd(judgments="t 0 a 1\nt 0 b 0\n"),
}


@dataclass(frozen=True)
class Said:
    """How a command ended: its exit code, the problems, the totals and what it noted."""

    code: int
    problems: list[Problem]
    totals: list[int]
    notes: set[str]

    @property
    def rules(self) -> set[str]:
        return {problem.rule for problem in self.problems}

    @property
    def places(self) -> set[tuple[str, int | None]]:
        return {(problem.file, problem.line) for problem in self.problems}


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    """The problems of what was refused last."""
    seen: list[Problem] = []
    lines = UnusableInputError.lines

    def spied(self: UnusableInputError) -> list[str]:
        seen[:] = self.problems
        return lines(self)

    monkeypatch.setattr(UnusableInputError, "lines", spied)
    return seen


def checked(odd: Odd, refused: list[Problem], capsys: pytest.CaptureFixture[str]) -> Said:
    code = sdcg.main(["check", *FILES, "--json", *odd.options])
    out = capsys.readouterr().out
    report: dict[str, Any] = json.loads(out) if code == 0 else {"problems": []}
    found = [each for each in report["problems"] if each["severity"] != "error"]
    notes = {each["found"] for each in found if not any(w in each["found"] for w in OF_A_STUDY)}
    return Said(code, [*refused], [report.get(name, 0) for name in TOTALS], notes)


def counted(odd: Odd, refused: list[Problem], capsys: pytest.CaptureFixture[str]) -> Said:
    code = sdcg.main(["counts", *FILES, "--out", "counts", *odd.options])
    err = capsys.readouterr().err
    said = Path("counts/counts.json")
    totals: dict[str, int] = json.loads(said.read_text())["totals"] if said.is_file() else {}
    lines = (line.partition(": ")[2] for line in err.splitlines() if line[:5] in ("note:", "warni"))
    notes = {line.partition(": ")[2].partition("; ")[0] for line in lines}
    return Said(code, [*refused], [totals.get(name, 0) for name in TOTALS], notes)


@pytest.mark.parametrize("name", ODD)
def test_check_and_counts_say_the_same(
    name: str,
    refused: list[Problem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    odd = ODD[name]
    odd.written(tmp_path)
    one = checked(odd, refused, capsys)
    refused.clear()
    other = counted(odd, refused, capsys)
    assert (one.code, one.totals) == (other.code, other.totals)
    if any(problem.fix for problem in one.problems):
        assert one.rules <= other.rules  # counts take no repair
    else:
        assert one.rules == other.rules
    assert one.notes == other.notes
    if name in TEXT:
        assert one.places == other.places


@pytest.mark.parametrize("name", NOT_COUNTED)
def test_what_is_not_counted_is_refused(
    name: str,
    refused: list[Problem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    NOT_COUNTED[name].written(tmp_path)
    assert checked(NOT_COUNTED[name], refused, capsys).code == 0
    assert counted(NOT_COUNTED[name], refused, capsys).code == 2
    assert refused
