"""The studies that come with the explorer: a folder each, with log, judgments and a note."""

from __future__ import annotations

import tomllib
from pathlib import Path

from sdcg_explorer import sample_sessions
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study

SAMPLES = Path(sample_sessions.__path__[0])
FIRST = "ecir2008"


def sample_studies() -> list[Study]:
    """Read the sample studies, the one to open on first."""
    folders = sorted(SAMPLES.glob("*/study.toml"), key=lambda path: path.parent.name != FIRST)
    return [_sample(path.parent) for path in folders]


def _sample(folder: Path) -> Study:
    about = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    files, searchers = (folder / "log.csv", folder / "judgments.csv"), folder / "searchers.csv"
    ratings = [searchers] if searchers.is_file() else []
    study = read_study(*files, ratings=ratings, name=about["name"])
    return study.put(note=about["note"])
