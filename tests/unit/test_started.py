"""How a server is started: for whom, behind which proxy, with what budget."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.scoring import cache as results
from sdcg_explorer.scoring.cache import USUAL, budget


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "sdcg.example.org"])
def test_one_persons_server_stays_on_its_machine(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sdcg.main(["app", "--address", address]) == sdcg.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith(f"--address {address}; one person's studies are for this machine only")


def started(monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """The command that the server is started by."""
    commands: list[list[str]] = []
    monkeypatch.setattr(os, "chdir", lambda _: None)
    monkeypatch.setattr(os, "execve", lambda _, command, __: commands.append(command))
    assert sdcg.main(["app", *options]) == 0
    return commands[0]


def test_names_and_watcher_reach_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [f"--server.allowedHosts={name}" for name in ("127.0.0.1", "localhost", "::1")]
    plain = started(monkeypatch)
    assert [part for part in plain if "allowedHosts" in part] == own
    assert {"--server.address=127.0.0.1", "--server.fileWatcherType=none"} <= {*plain}
    asked = ("--shared", "--address", "0.0.0.0", "--host", "a.example", "--host", "b.example")
    several = started(monkeypatch, *asked, "--reload")
    named = [f"--server.allowedHosts={name}.example" for name in "ab"]
    assert [part for part in several if "allowedHosts" in part] == [*own, *named]
    assert {"--server.address=0.0.0.0", "--server.fileWatcherType=auto"} <= {*several}


def test_the_budget_of_results_is_what_the_option_says(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, str]] = []
    monkeypatch.setattr(os, "chdir", lambda _: None)
    monkeypatch.setattr(os, "execve", lambda _, __, environment: told.append(environment))
    for options, size in (((), USUAL), (("--cache", "64"), 64)):
        assert sdcg.main(["app", *options]) == 0
        monkeypatch.setenv("SDCG_CACHE", told[-1]["SDCG_CACHE"])
        assert budget() == size * 1_000_000
    spec = spec_from_file_location("results_anew", results.__file__)
    assert spec
    assert spec.loader
    anew = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "results_anew", anew)
    spec.loader.exec_module(anew)
    assert (anew.RESULTS.budget, anew.STUDIES.budget) == (64_000_000, 64_000_000)
