"""Means of few searchers are drawn without an interval, and that is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.figure import draw_compare_systems
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters


@pytest.mark.parametrize(("sample", "is_bare"), [(0, False), (1, True)])
def test_no_interval_of_few_searchers_is_drawn(sample: int, is_bare: bool) -> None:
    study = list(sample_studies())[sample]
    compared = compare_systems(study, Definition(), Filters())
    figure: Any = draw_compare_systems(compared, study.block().system_names, by_topic=True)
    bars = np.concatenate([t.error_y.array for t in figure.data if t.name.endswith(", mean")])
    assert bool(np.isnan(bars.astype(float)).all()) == is_bare
    assert bool(np.isnan(bars.astype(float)).any()) == is_bare
    assert ("Some means have no interval" in " ".join(words.advice(compared))) == is_bare
