"""Search agents: one study in each layout is one log, and what can't be one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.agent_layouts import GRADES, LAYOUTS, MAPPED, RUNS, WITHOUT_OPENED
from tests.support.formats import Files, put


def study_of(folder: Path, files: Files, **rules: object) -> Study:
    """The study of files and the judgments."""
    put(folder, {**files, "grades.tsv": GRADES})
    return read_study(folder, **rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_study_is_the_same_log_in_each_layout(layout: str, tmp_path: Path) -> None:
    study = study_of(tmp_path, LAYOUTS[layout], mapping=MAPPED.get(layout))
    queries = study.queries[["session", "query_number", "topic", "text"]].astype("str")
    assert queries.values.tolist() == [
        [task, str(k), task, searched.text]
        for task, run in RUNS.items()
        for k, searched in enumerate(run, start=1)
    ]
    shown = study.results[["session", "query_number", "rank", "doc"]].astype("str")
    assert shown.values.tolist() == [
        [task, str(k), str(rank), doc]
        for task, run in RUNS.items()
        for k, searched in enumerate(run, start=1)
        for rank, doc in enumerate(searched.docs, start=1)
    ]
    if layout not in WITHOUT_OPENED:
        assert study.results["clicked"].tolist() == [
            doc in searched.opened for run in RUNS.values() for searched in run
            for doc in searched.docs
        ]  # fmt: skip
    else:
        assert study.results["clicked"].isna().all()
    assert len(study.judgments) == 5
