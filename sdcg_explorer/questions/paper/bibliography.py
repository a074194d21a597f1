"""BibTeX of every source that a methods text names, by its reference or by a method's name.

`bibliography.bib` has the entries, each beneath what it is named by: the key of one of the
definition's references, or a method.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sdcg_explorer.scoring.definition import REFERENCES

ENTRY = re.compile(r"^% (.+)\n(@\w+\{([^,]+),\n(?:  .+\n)+\}\n)", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A source: the key of its entry, and the entry."""

    key: str
    bibtex: str


_TEXT = Path(__file__).with_suffix(".bib").read_text(encoding="utf-8")
_ENTRIES: list[tuple[str, str, str]] = ENTRY.findall(_TEXT)
BY_NAME = {name: Source(key, entry) for name, entry, key in _ENTRIES}
DEFINITIONS = [BY_NAME[key] for key in REFERENCES]
# by how a text names them, those of the definition first
NAMED = {REFERENCES.get(name, name): source for name, source in BY_NAME.items()}


def sources_of(text: str) -> list[Source]:
    """Sources that a text names, those of the definition first."""
    return [source for name, source in NAMED.items() if name in text]


def bibtex(text: str) -> str:
    """BibTeX of the sources that a text names."""
    return "\n".join(source.bibtex for source in sources_of(text))
