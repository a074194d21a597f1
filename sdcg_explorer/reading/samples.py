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
    folders = sorted(SAMPLES.glob("*/study.toml"), key=_sample_sort_key)
    return tuple(_read_sample_study(path.parent) for path in folders)


def _sample_sort_key(about: Path) -> tuple[bool, bool, str]:
    """The first one first, and those that rate another last."""
    folder = about.parent
    return folder.name != FIRST, "of" in _sample_description(folder), folder.name


def named(sample: str) -> str:
    """The name of a sample's study."""
    return str(_sample_description(SAMPLES / sample)["name"])


def _sample_description(folder: Path) -> dict[str, str]:
    return tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))


def _read_sample_study(folder: Path) -> Study:
    about = _sample_description(folder)
    log = folder.with_name(about.get("of", folder.name))  # one sample may rate another
    ratings = [*log.glob("searchers.csv"), *sorted(folder.glob("*ratings.csv"))]
    files = log / "log.csv", log / "judgments.csv"
    study = read_study(*files, ratings=ratings, name=about["name"])
    return study.put(note=about["note"])
