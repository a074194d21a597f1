"""What pages of text show as run is run: commands print what they say, options are known."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.pages_of_text import FENCE, files_of, pages, sections
from tests.support.plain_files import ROOT
from tests.support.refusals import known_options

PAGES = pages()
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# of a page; in `toml` and the like nothing is run, of `text` files are read where they are named
LANGUAGES = {"python", "console", "sh", "bat", "text", "toml", "ini", "nginx", "caddy"}
DIRECTIVES = {"{toctree}", "{eval-rst}"}
# options of other programs, and of all commands
OTHERS = {
    *("--help", "--master", "--deploy-mode", "--conf", "--executor-memory"),
    *("--project-name", "--check"),
}


def split_example(text: str) -> tuple[list[str], str]:
    """Command and output of an example, lines ended by a backslash joined."""
    lines = text.replace("\\\n", " ").splitlines()
    return shlex.split(lines[0]), "\n".join(lines[1:])


def of_ours(words: list[str]) -> list[str]:
    """Command and options of a line of a shell that starts this program; none of another line."""
    if words[:2] == ["docker", "run"]:  # its entry point is the app
        return ["app", *words[words.index("sdcg") + 1 :]]
    if words[1:3] == ["-m", "sdcg_explorer"]:
        return words[3:]
    if words[0] == "uvx":
        return words[words.index("sdcg") + 1 :]
    return words[1:] if words[0].rpartition("/")[2] == "sdcg" else []


def examples() -> list[tuple[str, str, dict[str, str]]]:
    """Page, text, and the files that its page gave before, of each example of the command line."""
    found: list[tuple[str, str, dict[str, str]]] = []
    for page, text in PAGES.items():
        given: dict[str, str] = {}
        for section in sections(text):
            given = given | files_of(section)
            blocks = [block for kind, block in FENCE.findall(section) if kind == "console"]
            runs = re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]
            found += [(page, run, given) for run in runs]
    return found


EXAMPLES = examples()


@pytest.mark.parametrize(("page", "text", "files"), EXAMPLES)
def test_example_prints_what_the_page_says(
    page: str,
    text: str,
    files: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command, expected = split_example(text)
    assert command[0] == "sdcg", page
    given = [str(ROOT / part) if part.startswith("sample_") else part for part in command[1:]]
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")
    if text is EXAMPLES[0][1]:
        installed = Path(sys.executable).with_name("sdcg")
        printed = subprocess.run(
            [installed, *given], capture_output=True, text=True, check=True
        ).stdout
    else:
        assert sdcg.main(given) == 0
        printed = capsys.readouterr().out
    pattern = re.escape(expected.strip()).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, printed.strip(), flags=re.DOTALL)


def test_every_block_is_of_a_kind_that_is_run_or_read() -> None:
    """Python is doctests, and each command of a shell has the options that it is given."""
    options = known_options()
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for page, text in PAGES.items():
        for kind, block in FENCE.findall(text):
            assert kind in LANGUAGES | DIRECTIVES, (page, kind)
            assert kind != "python" or ">>> " in block, (page, block)
            for line in block.replace("\\\n", " ").splitlines() if kind in ("sh", "bat") else ():
                words = shlex.split(line, comments=True)
                if words[:1] == ["make"] and len(words) > 1:
                    assert words[1] in targets, (page, line)
                elif words and (asked := of_ours(words)):
                    given = {word.partition("=")[0] for word in asked if word.startswith("--")}
                    assert given <= options[asked[0]], (page, line)
    known = set[str]().union(*options.values(), OTHERS)
    quoted = {
        (page, o)
        for page, text in PAGES.items()
        for code in re.findall(r"`[^`\n]+`", text)
        for o in OPTION.findall(code)
    }
    assert {each for each in quoted if each[1] not in known} == set()
