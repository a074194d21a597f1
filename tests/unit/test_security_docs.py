"""What docs/security.md and docs/deploy.md say is so: tests, limits and options are as named."""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from sdcg_explorer.analysis.selection import results
from sdcg_explorer.analysis.selection.results import USUAL, budget
from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading import limits
from tests.support.plain_files import ROOT

SECURITY, DEPLOY, FORMATS = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("docs/security.md", "docs/deploy.md", "docs/formats.md")
)
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_every_line_has_a_test_that_is_there() -> None:
    rows = SECURITY.split("## Each line")[1].split("\n## ")[0].splitlines()
    lines = [row for row in rows if row.startswith("| ")][1:]
    assert len(lines) >= 15
    for line in lines:
        path, name = re.findall(r"`(tests/\S+\.py)::(test_\w+)`", line)[0]
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, line


def test_a_proxy_takes_what_the_app_takes() -> None:
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    taken = re.findall(r"max_size (\d+)MB|client_max_body_size (\d+)m;", caddy + DEPLOY)
    most = CONFIG["server"]["maxUploadSize"] + 1  # a form's own words stand beside the file
    assert [int(one or other) for one, other in taken] == [most] * 3
    compose = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    (trusted,) = re.findall(r"FORWARDED_ALLOW_IPS: (\S+)", compose)
    assert f"ipv4_address: {trusted}\n" in compose.split("  proxy:")[1]


def test_the_page_has_every_limit() -> None:
    table = FORMATS.split("| limit | at most |")[1].split("\n\n")[0]
    said = {int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", table)}
    said |= {number * 10**unit for number in said for unit in (6, 9)}  # as MB, as GB
    inside = {"MOST_REPEATED", "MOST_CHUNK", "MOST_PREFIXED"}  # beyond what one would write
    for name, value in vars(limits).items():
        if name.isupper() and name not in inside and isinstance(value, int):
            assert value in said, name
    assert CONFIG["server"]["maxUploadSize"] in said


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_proxies_let_through_what_the_app_takes(proxy: str) -> None:
    (block,) = re.findall(rf"```{proxy}\n(.*?)```", DEPLOY, re.DOTALL)
    assert block.count("{") == block.count("}")
    (size,) = re.findall(r"(?:client_max_body_size|max_size) (\d+)", block)
    assert int(size) == CONFIG["server"]["maxUploadSize"] + 1  # and the form around the file
    assert "127.0.0.1:8501" in block
    assert "Strict-Transport-Security" in block
    if proxy == "nginx":
        for needed in ("Host $http_host;", "Upgrade $http_upgrade;", "X-Forwarded-Proto $scheme;"):
            assert f"proxy_set_header {needed}" in block


def test_options_of_the_pages_are_those_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert sdcg.main(["app", "--help"]) == 0
    known = capsys.readouterr().out
    for option in {*re.findall(r"(?<!\w)--[a-z]+", SECURITY + DEPLOY)}:
        assert option in known


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "sdcg.example.org"])
def test_one_persons_server_stays_on_its_machine(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sdcg.main(["app", "--address", address]) == sdcg.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith(f"--address {address}; studies of one person are for this machine alone")


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
