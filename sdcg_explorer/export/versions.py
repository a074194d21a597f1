"""What made an export: this software, Python, and what the numbers depend on."""

from __future__ import annotations

import platform
from importlib.metadata import version

PACKAGES = ("sdcg-explorer", "numpy", "pandas", "scipy", "plotly")


def versions() -> str:
    """Names and versions, in a row."""
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    )
