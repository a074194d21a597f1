"""What unjudged documents leave open, on Compare systems."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.left_open import left_open
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.residuals import residuals
from sdcg_explorer.study.study import Study
from tests.support.plain_files import study_of
from tests.support.screen import Params, opened
from tests.support.uploads import accepted, texts
from tests.unit.test_residuals import two_systems

pytestmark = pytest.mark.usefixtures("own_samples")


def files(study: Study) -> dict[str, str]:
    """The study's tables as CSV."""
    log = study.results.merge(study.queries, on=["session", "query_number"])
    log = log.merge(study.sessions, on="session")
    columns = ["session", "query_number", "rank", "doc", "topic", "system", "searcher"]
    return {
        "log.csv": log[columns].to_csv(index=False),
        "judgments.csv": study.judgments.to_csv(index=False),
    }


def listed(app: AppTest) -> list[str]:
    (table,) = [each.value for each in app.main.dataframe if "to judge next" in each.proto.alt]
    return table["doc"].tolist()


def test_page_says_whether_it_could_turn_and_lists_what_to_judge_next() -> None:
    study = study_of(two_systems())
    accepted(files(study))
    link: Params = {"study": study.digest[:12], "score": "final"}
    app = opened("compare_systems", link)
    view = study, Definition(), Filters()
    compared = compare_systems(*view, score="final")
    found = left_open(compared, residuals(*view, score="final"), 0)
    assert {*words.left_open_sentences(found)} <= {*texts(app)}
    assert words.left_open_answer(found).startswith(
        "The unjudged results (62 %) could reverse the difference"
    )
    assert listed(app) == found.table["doc"].tolist()
    assert words.WHY["condense"] in texts(
        opened("compare_systems", link | {"unjudged": "condense"})
    )


def test_page_of_a_study_that_is_all_judged_says_nothing_of_it() -> None:
    app = opened("compare_systems")
    assert not {words.NOTHING_OPEN, words.RANGE} & {*texts(app)}
    assert not [each for each in app.main.dataframe if "to judge next" in each.proto.alt]
