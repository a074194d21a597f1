"""MB on disk of what an installation brings, folder by folder, with byte code."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEAST = 10  # MB of a folder that is printed


def bench_sizes() -> None:
    """Install the project by constraints.txt into an environment of its own, and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        constraints = "-c", str(ROOT / "constraints.txt")
        pip = [str(python), "-m", "pip", "install", "-q", "--compile"]
        subprocess.run([*pip, *constraints, str(ROOT)], check=True)
        (site,) = Path(folder).glob("lib/*/site-packages")
        sizes = Counter[str]()
        for path in site.rglob("*"):
            sizes[path.relative_to(site).parts[0]] += path.lstat().st_blocks * 512
    for name, size in sizes.most_common():
        if size > LEAST * 1e6:
            print(f"{name} {size / 1e6:.0f} MB")
    print(f"all {sizes.total() / 1e6:.0f} MB", flush=True)
