"""The studies that come with the explorer: a folder each, with log, judgments and a note."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from sdcg_explorer import sample_sessions
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study

SAMPLES = Path(sample_sessions.__path__[0])
FIRST, RATED = "ecir2008", "ecir2008_rated"


@cache
def sample_studies() -> tuple[Study, ...]:
    """The sample studies, the one to open on first; each process reads them once."""
    folders = sorted(SAMPLES.glob("*/study.toml"), key=_place)
    return tuple(_sample(path.parent) for path in folders)


def _place(about: Path) -> tuple[bool, bool, str]:
    """The first one first, and those that rate another last."""
    folder = about.parent
    return folder.name != FIRST, "of" in _about(folder), folder.name


def named(sample: str) -> str:
    """The name of a sample's study."""
    return str(_about(SAMPLES / sample)["name"])


def _about(folder: Path) -> dict[str, str]:
    return tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))


def _sample(folder: Path) -> Study:
    about = _about(folder)
    log = folder.with_name(about.get("of", folder.name))  # one sample may rate another
    ratings = [*log.glob("searchers.csv"), *sorted(folder.glob("*ratings.csv"))]
    files = log / "log.csv", log / "judgments.csv"
    study = read_study(*files, ratings=ratings, name=about["name"])
    return study.put(note=about["note"])
