"""README.md as a package index shows it, where a link to a file beside it leads nowhere."""

from __future__ import annotations

import re
from typing import Any

PICTURES = (".gif", ".jpg", ".jpeg", ".png", ".svg", ".webp")
# fences, code spans, maths and escaped signs, in which nothing is a link
LITERAL = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^`\n]*\n(?:.*?^[ \t>]*(?P=fence)[`~]*[ \t]*$|.*)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)*?(?<!`)(?P=ticks)(?!`)"
    r"|\$\$.*?\$\$|\$(?![\s$])[^$\n]*(?<![\s\\])\$(?!\w)|\\[^\w\s]",
    re.MULTILINE | re.DOTALL,
)
# a path beside README, after what makes it a link: in brackets, of a reference, or in HTML
BESIDE = re.compile(
    r"(?:\]\(\s*<?|(?P<reference>^[ >]*\[(?!\^)[^]\n]+\]:\s*<?)"
    r"|<[a-z][^>]*?\s(?P<attribute>src(?:set)?|href|poster)\s*=\s*[\"']?(?:[^\"'>]*,\s+)?)"
    r"(?P<path>(?![a-z][\w+.-]*:|//|#)[^\s\0\"'<>)]+)",
    re.MULTILINE | re.IGNORECASE,
)


def front_page(readme: str, project: dict[str, Any]) -> str:
    """The text with links to files, and pictures, at the project's address under its version.

    Raises
    ------
    ValueError : a link leads out of the repository
    """
    home, version = project["urls"]["Homepage"], f"v{project['version']}"
    while link := BESIDE.search(bare := LITERAL.sub(lambda each: "\0" * len(each[0]), readme)):
        file = re.sub(r"^(?:\.?/)+", "", link["path"])
        if ".." in file.split("/"):
            raise ValueError(f"README.md: {link['path']} leads out of the repository.")
        start, end = link.span("path")
        shown = "raw" if _is_picture(link, bare) else "blob"
        readme = f"{readme[:start]}{home}/{shown}/{version}/{file}{readme[end:]}"
    return readme


def _is_picture(link: re.Match[str], bare: str) -> bool:
    """Whether a page shows the file itself; a reference, which may be both, by its name."""
    if link["attribute"]:
        return link["attribute"].lower() != "href"
    if link["reference"]:
        return link["path"].lower().endswith(PICTURES)
    at, depth = link.start(), 1
    while depth and at:  # back to the bracket that opens its words
        at -= 1
        depth += {"]": 1, "[": -1}.get(bare[at], 0)
    return bare[:at].endswith("!")
