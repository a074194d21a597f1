"""What pages of text show as run is run: commands print what they say."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.pages_of_text import FENCE, files_of, pages, sections
from tests.support.plain_files import ROOT

PAGES = pages()


def split_example(text: str) -> tuple[list[str], str]:
    """Command and output of an example, lines ended by a backslash joined."""
    lines = text.replace("\\\n", " ").splitlines()
    return shlex.split(lines[0]), "\n".join(lines[1:])


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
