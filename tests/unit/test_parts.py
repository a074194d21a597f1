"""Some sessions at a time, or all at once: the same numbers; and what a new name leaves known."""

from dataclasses import replace

import pandas as pd
import pytest

from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.study import Study
from tests.support.large_studies import random_study

DEFINITIONS = (Definition(), Definition(repeats="every", ideal="spread", short_lists="as-is"))
MODULES = "sdcg_explorer.scoring.selection", "sdcg_explorer.scoring.mean_curves"


def tables(study: Study, definition: Definition) -> list[pd.DataFrame]:
    RESULTS.clear()
    view = study, definition, Filters()
    scored, curves = scores(*view), session_curves(*view, bands=True)
    listed = individual_sessions(*view)
    return [scored.queries, scored.sessions, curves.table(), listed.values(), listed.table()]


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_parts_of_the_sessions_come_to_what_all_come_to(
    definition: Definition, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = random_study(23)
    whole = tables(study, definition)
    for module in MODULES:
        monkeypatch.setattr(f"{module}.PLACES", 400)  # four sessions
    monkeypatch.setattr("metrics.interval.WORKED_ON", 40)
    again = replace(study)
    for one, other in zip(whole, tables(again, definition), strict=True):
        pd.testing.assert_frame_equal(one, other, rtol=1e-12)
    assert again.digest == study.digest
