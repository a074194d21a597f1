"""Robustness shows a fold of assessors only where it holds something."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.screen.library import store
from tests.support.plain_files import written
from tests.support.screen import opened

LOG = "session,system,searcher,topic,query_number,rank,doc\n" + "".join(
    f"s{i},{'AB'[i % 2]},p{i // 2},t,1,1,d{i % 3}\n" for i in range(8)
)


@pytest.mark.parametrize(("assessors", "is_shown"), [(2, True), (13, False)])
def test_a_fold_of_assessors_is_never_empty(
    assessors: int, is_shown: bool, folder: Path, tmp_path: Path
) -> None:
    every = [(d, who) for d in range(3) for who in range(assessors)]
    judged = "topic,doc,assessor,grade\n" + "".join(
        f"t,d{d},R{who},{(d + who % 2) % 3}\n" for d, who in every
    )
    files = written(tmp_path, log_csv=LOG, judgments_csv=judged).values()
    study = read_study(*files, recipe=Recipe(assessors="mean"))
    store().save(study)
    folds = opened("robustness", {"study": study.digest}).main.expander
    assert ("Each assessor, and how far they agree" in [f.label for f in folds]) == is_shown
