"""An environment of its own for a wheel: what is in it, and whether it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(sys.executable).parent  # where uv and cyclonedx-py are
PAGE = """
import sys, time, urllib.request
for path in ("/_stcore/health", "/"):
    with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}{path}", timeout=30) as answer:
        assert answer.status == 200, path
"""


@dataclass(frozen=True)
class Environment:
    """A folder with Python, a wheel, and what this needs as constraints.txt has it."""

    folder: Path

    def install(self, wheel: Path, constraints: Path) -> None:
        """Make it, without anything that the wheel does not need."""
        run(HERE / "uv", "venv", "--quiet", "--python", sys.executable, self.folder)
        asked = "--quiet", "--system-certs", "--python", self.python, "-c", constraints, wheel
        run(HERE / "uv", "pip", "install", *asked)

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / "bin" / "python"

    def tried(self, sample: Path) -> None:
        """Score a sample, and serve the first page.

        Raises
        ------
        subprocess.CalledProcessError : one of them fails
        """
        sdcg, out = self.folder / "bin" / "sdcg", self.folder / "scores"
        run(sdcg, "score", sample / "log.csv", sample / "judgments.csv", "--out", out)
        command = [sdcg, "app", "--ephemeral", "--port", "0"]
        quiet = {**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet) as server:
            try:
                said = server.stdout.readline() if server.stdout else ""
                port = said.split(" (")[0].rsplit(":", 1)[-1]
                run(self.python, "-c", PAGE, port)
            finally:
                server.terminate()


def materials(environment: Environment, project: Path, wheel: Path, epoch: int) -> Path:
    """The bill of materials of what the wheel runs with (CycloneDX, JSON), beside the wheel."""
    out = wheel.parent / f"{'-'.join(wheel.name.split('-')[:2])}.cdx.json"
    asked = "--output-reproducible", "--pyproject", project, "--output-file", out
    python = environment.python
    run(HERE / "cyclonedx-py", "environment", *asked, python, SOURCE_DATE_EPOCH=str(epoch))
    return out


def run(*command: str | Path, **variables: str) -> None:
    """Run a command, and say what it printed if it fails."""
    asked, environment = [*map(str, command)], {**os.environ, **variables}
    done = subprocess.run(asked, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()
