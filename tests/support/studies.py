"""Every study at hand: the samples, and logs that researchers released where they are present."""

import os
import tempfile
from functools import cache
from pathlib import Path

import pytest

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.fit.numbers import fit
from sdcg_explorer.questions.ratings.numbers import agreement
from sdcg_explorer.questions.robustness.numbers import all_definitions, robustness
from sdcg_explorer.reading.read import read_study, sample_studies
from sdcg_explorer.study.study import Study
from tests.support import plain_files, tables, thorough

DATA = Path(os.environ.get("SDCG_SHARED", plain_files.ROOT.parent / "shared")) / "data"
TREC = DATA / "trec-session-2013"
CHIIR = DATA / "chiir24-layouts"
THUIR = DATA / "thuir-usefulness"
# what answers, cards and commands of one study ask for alike, and what takes long
ASKED_AGAIN = agreement, all_definitions, compare_systems, fit, robustness
SAMPLES = ("ECIR 2008 (reconstructed)", "Three toy sessions")
# log, judgments, ratings
REAL: dict[str, tuple[Path, Path, tuple[Path, ...]]] = {
    "trec-session-2013": (TREC / "sessiontrack2013.xml", TREC / "qrels.txt", ()),
    "chiir24-layouts": (CHIIR / "log.csv", CHIIR / "judgments.csv", (CHIIR / "sessions.csv",)),
    "thuir-usefulness": (
        THUIR / "search_logs.xml",
        THUIR / "relevance_annotation.tsv",
        (THUIR / "query_satisfaction_annotation.tsv", THUIR / "task_satisfaction_annotation.tsv"),
    ),
}
real_logs = pytest.mark.real_logs  # skipped where there are none: tests/conftest.py
TRIED = REAL if thorough.THOROUGH > 1 else ("thuir-usefulness",)  # which has ratings of both kinds
every_study = pytest.mark.parametrize(
    "name", [*SAMPLES, *(pytest.param(name, marks=real_logs) for name in TRIED)]
)


@cache
def at_hand(name: str) -> Study:
    """A sample or real study by name, read once."""
    if name in SAMPLES:
        return next(study for study in sample_studies() if study.name == name)
    log, judgments, ratings = REAL[name]
    return read_study(log, judgments, ratings=ratings, name=name)


@cache
def small(session: str = "s1") -> Study:
    """A small study whose first session is called so; another name, another digest."""
    table = tables.TABLE.replace("s1,", f"{session},")
    with tempfile.TemporaryDirectory() as folder:
        return tables.read(Path(folder), log_csv=table, judgments_csv=tables.GRADED)


def shape(study: Study) -> dict[str, object]:
    """All that a study shows of itself."""
    return {
        "digest": study.digest,
        "name": study.name,
        "note": study.note,
        "checked": study.checked(),
        "lines": list(study.report.rows()),
    }
