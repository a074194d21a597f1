"""What made an export: this software, Python, and what the numbers depend on."""

from __future__ import annotations

import platform
import re
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("sdcg-explorer", "numpy", "pandas", "scipy", "plotly")
MADE_BY = re.compile(r"^Made with .*\bsdcg-explorer (\d+)\.(\d+)", re.M)  # in a bundle's README.txt
# columns in which 1.0 wrote other numbers of the same study, and why (the changelog's Numbers)
CHANGED_SINCE_1: dict[str, str] = {}


def versions() -> str:
    """Names and versions, in a row."""
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    )


def made_by(readme: Path | None) -> str:
    """The older major version that made a bundle, as "1.0"; "" where its README.txt names none."""
    text = readme.read_text(encoding="utf-8", errors="replace") if readme else ""
    found, ours = MADE_BY.search(text), int(version("sdcg-explorer").partition(".")[0])
    return f"{found[1]}.{found[2]}" if found and int(found[1]) < ours else ""
