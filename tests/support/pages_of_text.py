"""Pages of text: their blocks, the files that they give in full, and their examples."""

import re

from tests.support.plain_files import ROOT

FENCE = re.compile(r"^```([\w{}-]*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([\w./-]+)`:\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> dict[str, str]:
    """README and the pages of docs/, by their path."""
    paths = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def files_of(text: str) -> dict[str, str]:
    """Files that a text gives in full: a line with the name alone, and a block with the content."""
    return dict(FILE.findall(text))


def sections(text: str) -> list[str]:
    """Parts of a page, each beneath its heading."""
    return re.split(r"^(?=##+ )", text, flags=re.MULTILINE)
