"""Start the command line of an installed package, whose parts import each other by short names."""

import sys
from pathlib import Path


def run() -> None:
    """Put the package's folder first on the path, and run the command line."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from sdcg import run as command_line

    command_line()
