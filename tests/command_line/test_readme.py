"""The README's commands do what it prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = "\n".join(re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL))
FILES = re.findall(r"\]\((?!http)([^)#]+)\)", README)


def split_example(text: str) -> tuple[list[str], str]:
    """Command and output of an example, lines ended by a backslash joined."""
    lines = text.replace("\\\n", " ").splitlines()
    return shlex.split(lines[0]), "\n".join(lines[1:])


EXAMPLES = re.split(r"^\$ ", CONSOLE, flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("text", EXAMPLES)
def test_example_prints_what_the_readme_says(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, expected = split_example(text)
    assert command[0] == "sdcg"
    given = [str(ROOT / part) if part.startswith("sample_") else part for part in command[1:]]
    monkeypatch.chdir(tmp_path)
    if text is EXAMPLES[0]:
        installed = Path(sys.executable).with_name("sdcg")
        printed = subprocess.run(
            [installed, *given], capture_output=True, text=True, check=True
        ).stdout
    else:
        assert sdcg.main(given) == 0
        printed = capsys.readouterr().out
    pattern = re.escape(expected.strip()).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, printed.strip(), flags=re.DOTALL)


def test_readme_has_examples_to_run() -> None:
    assert CONSOLE.count("$ sdcg ") >= 2


@pytest.mark.parametrize("name", FILES)
def test_files_that_the_readme_links_exist(name: str) -> None:
    assert (ROOT / name).exists()


def test_two_commands_of_the_readme_are_targets_of_make() -> None:
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in re.findall(r"^make (\w+)", README, flags=re.MULTILINE):
        assert re.search(rf"^{name}:", targets, flags=re.MULTILINE)
