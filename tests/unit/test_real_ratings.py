"""Agreement of scores with the ratings of a released log, where it is at hand."""

from __future__ import annotations

import pytest

from sdcg_explorer.questions.ratings import words
from sdcg_explorer.questions.ratings.numbers import RatingChoices, agreement
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.studies import at_hand, real_logs

# THUIR's raw files, worked out apart from this program
RAW = {
    "final": -0.335,
    "queries": -0.416,
    "per_query": 0.437,
    "final_normalised": 0.409,
    "mean_dcg": 0.425,
}
PARTIAL = {"final": 0.167, "per_query": 0.188, "final_normalised": 0.222}


@real_logs
def test_satisfaction_goes_with_scores_as_was_worked_out_apart() -> None:
    definition = Definition(weights="linear", b=2.0, bq=4.0)
    study = at_hand("thuir-usefulness")
    shown = agreement(study, definition, Filters(), asked=RatingChoices("satisfaction", "final"))
    of = {name: versions for name, (_, _, versions) in shown.found.items()}
    assert shown.number == 225
    assert {name: of[name]["raw"].value for name in RAW} == pytest.approx(RAW, abs=0.0006)
    found = {name: of[name]["partial"].value for name in PARTIAL}
    assert found == pytest.approx(PARTIAL, abs=0.001)
    assert "; with the number of queries partialled out .17 (clear)" in words.answer(shown)
