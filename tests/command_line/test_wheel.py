"""The wheel: it holds every file of the package, collides with nothing of others, and runs."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.support.plain_files import ROOT
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


def ran(*asked: str | Path, folder: Path, packages: str = "") -> str:
    """What Python prints, run in a folder with packages instead of those of the checkout."""
    given = ["-S"] * bool(packages), [str(each) for each in asked]  # -S: none of the checkout
    done = subprocess.run(
        [sys.executable, *given[0], *given[1]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": packages},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel is unpacked, beside packages of others."""
    folder = tmp_path_factory.mktemp("wheel")
    source = shutil.copytree(ROOT, folder / "source", ignore=ASIDE)
    shutil.copytree(ROOT / SETTINGS, source / SETTINGS)
    ran("-c", BUILD, folder=source)
    (wheel,) = (source / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, folder / "site", "zip")
    assert {each.name for each in (folder / "site").iterdir()} == OURS
    for name in OTHERS:
        text = f"OWNER = 'somebody else, {name}'"
        (folder / "site" / f"{name}.py").write_text(text, encoding="utf-8")
    return folder / "site"


BUILD = "from setuptools import build_meta; build_meta.build_wheel('dist')"
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
from importlib.metadata import entry_points
print(sorted(each.name for each in entry_points(module="sdcg_explorer.__main__") if each.load()))
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(sys.argv[1], default_timeout=float(sys.argv[2])).run()
print([each.value for each in page.title], [each.value for each in page.exception])
print(page.sidebar.selectbox(key="study_picked").options[0])
"""


def test_every_file_of_the_package_is_in_the_wheel(installed: Path) -> None:
    package, own = installed / "sdcg_explorer", [*(ROOT / "sdcg_explorer").rglob("*.*")]
    wanted = [package / path.relative_to(ROOT / "sdcg_explorer") for path in own if path.is_file()]
    for name in ("metrics", "pages", "sample_sessions"):
        wanted += [package / path.relative_to(ROOT) for path in (ROOT / name).rglob("*.*")]
    aside = ("generate.py", "README.md")  # of the samples
    lacking = [path for path in wanted if not path.exists() and path.name not in aside]
    assert [path.name for path in lacking if path.suffix != ".pyc"] == []


def test_parts_are_imported_when_they_are_asked_for_beside_packages_of_others_and_pages_open(
    installed: Path,
) -> None:
    packages = f"{installed}{os.pathsep}{sysconfig.get_path('purelib')}"
    app = installed / "sdcg_explorer" / "start" / "app.py"
    asked = "-c", IMPORTED, app, str(PATIENCE)
    printed = ran(*asked, folder=installed.parent, packages=packages).splitlines()
    others = " ".join(f"somebody else, {name}" for name in OTHERS)
    assert printed == [
        *("0.5", "[] True", "['T-1', 'T-2', 'T-3']", others, "['sdcg', 'sdcg-explorer']"),
        *("['What is in this study?'] []", "ECIR 2008 (reconstructed)"),
    ]
