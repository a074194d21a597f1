"""README.md as a package index shows it, where a link to a file beside it leads nowhere."""

from __future__ import annotations

import re
from typing import Any

BESIDE = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def front_page(readme: str, project: dict[str, Any]) -> str:
    """The text with links to files, and pictures, at the project's address under its version."""
    home = f"{project['urls']['Homepage']}/{{}}/v{project['version']}"

    def led(link: re.Match[str]) -> str:
        picture, words, file = link.groups()
        return f"{picture}[{words}]({home.format('raw' if picture else 'blob')}/{file})"

    return BESIDE.sub(led, readme)
