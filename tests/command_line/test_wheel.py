"""The wheel: installed into an environment of its own it collides with nothing, and runs."""

import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.support import server, visit
from tests.support.plain_files import ROOT, THREE_SESSIONS
from tests.support.waiting import PATIENCE

ASIDE = shutil.ignore_patterns(
    *(".git", ".venv", ".streamlit", "typings", "build", "dist", "*.egg-info"),
    *("__pycache__", "tests"),
    *(".*_cache", "benchmarks"),
)
SETTINGS = Path("sdcg_explorer", "start", ".streamlit")
OTHERS = ("metrics", "study", "pages")  # packages of others, which ours may not hide
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
OURS = {"sdcg_explorer", f"sdcg_explorer-{VERSION}.dist-info"}


def ran(*command: str | Path, folder: Path) -> str:
    """What a command prints; run where nothing of the checkout is near."""
    options: Any = {"cwd": folder, "capture_output": True, "text": True, "timeout": PATIENCE}
    done = subprocess.run([*map(str, command)], check=False, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what it depends on is that of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    source = shutil.copytree(ROOT, folder / "source", ignore=ASIDE)
    shutil.copytree(ROOT / SETTINGS, source / SETTINGS)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    alone = "--no-deps", "--no-index", "--no-build-isolation"
    ran(*pip, "wheel", "-q", *alone, "--wheel-dir", folder / "dist", source, folder=folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    ran(*pip, "--python", python, "install", "-q", "--no-deps", "--no-index", wheel, folder=folder)
    site = Path(ran(python, "-c", SITE, folder=folder).strip())
    assert {each.name for each in site.iterdir() if "pip" not in each.name} == OURS
    for name in OTHERS:
        (site / f"{name}.py").write_text(f"OWNER = 'somebody else, {name}'", encoding="utf-8")
    (site / "depends.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return environment / "bin"


SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"
IMPORTED = """
import sys
from sdcg_explorer.metrics import ndcg
import numpy as np
print(ndcg(np.array([0.0, 3.0]), np.array([3.0, 0.0]), np.array([1.0, 0.5]))[-1])
import sdcg_explorer as sx
print([name for name in ("metrics", "study", "pandas") if name in sys.modules], "score" in dir(sx))
print(sx.score(sx.samples()["Three toy sessions"]).sessions["session"].tolist())
import sdcg_explorer.pages, metrics, study, pages
print(metrics.OWNER, study.OWNER, pages.OWNER)
"""


def test_parts_are_imported_when_they_are_asked_for_beside_packages_of_others(
    installed: Path,
) -> None:
    printed = ran(installed / "python", "-c", IMPORTED, folder=installed).splitlines()
    others = " ".join(f"somebody else, {name}" for name in OTHERS)
    assert printed == ["0.5", "[] True", "['T-1', 'T-2', 'T-3']", others]


def test_command_line_reads_and_scores_a_study(installed: Path, tmp_path: Path) -> None:
    files = [
        shutil.copy(file, tmp_path) for file in sorted(THREE_SESSIONS.glob("*.csv"), reverse=True)
    ]
    ran(installed / "sdcg-explorer", "score", *files, "--out", "scores", folder=tmp_path)
    assert (tmp_path / "scores" / "sessions.csv").read_text(encoding="utf-8").count("\n") == 4


def test_app_is_served_from_where_it_is_installed_and_draws_its_first_page(
    installed: Path, tmp_path: Path
) -> None:
    kept = "--workspace", str(tmp_path / "workspace")
    with (
        server.serving(*kept, program=[str(installed / "sdcg")], folder=tmp_path) as address,
        Drawn(address, "") as page,
    ):
        assert "What is in this study?" in page.said
        assert any(each.startswith("ECIR 2008") for each in page.said)
        assert page.faults == []


class Drawn(visit.Session):
    """A visit that keeps what a page says, and whatever goes wrong."""

    def __init__(self, address: str, page: str) -> None:
        super().__init__(address, page)
        self.said, self.faults = list[str](), list[str]()

    def hear(self, kind: str, message: ForwardMsg) -> None:
        super().hear(kind, message)
        element = message.delta.new_element
        self.said += [element.heading.body, *element.selectbox.options]
        if element.WhichOneof("type") == "exception":
            self.faults.append(element.exception.message)
