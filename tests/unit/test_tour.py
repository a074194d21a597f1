"""The tour's steps: what they say of a study is what plain loops find in it."""

from __future__ import annotations

import random
import re

import pytest

from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.tour import STEPS, tour
from sdcg_explorer.questions.words import session_curves as curve_words
from sdcg_explorer.screen import keys
from sdcg_explorer.study.study import Study
from tests.support.plain_files import in_files
from tests.support.plain_loop import Choices, PlainStudy
from tests.support.plain_session_scores import session_scores
from tests.support.random_studies import GRADES, random_study
from tests.support.studies import SAMPLES, at_hand
from tests.support.three_documents import ALL

GAINS = dict(zip(GRADES, DEFAULT.gains(GRADES).tolist(), strict=True))
DRAWN = [random_study(random.Random(seed)) for seed in range(4)]


@pytest.mark.parametrize("plain", DRAWN, ids=range(len(DRAWN)))
def test_steps_lead_to_pages_and_the_session_that_gained_least(plain: PlainStudy) -> None:
    study = in_files(plain)
    steps = tour(study, DEFAULT, ALL)
    assert len(steps) == STEPS
    assert all(question_of(step.page) for step in steps)
    names = {name for step in steps for name, _ in step.choices}
    assert names <= {key for key in vars(keys).values() if isinstance(key, str)}
    judged = {topic for topic, _ in plain.judgments}
    scores = {
        s.name: (session_scores(s.queries, plain.judgments, Choices(gains=GAINS))["final"], s)
        for s in plain.sessions
        if judged & {topic for topic, _ in s.queries}
    }
    chosen = dict(steps[4].choices).get("session")
    if not scores:
        assert chosen is None
        return
    least = min(final for final, _ in scores.values())
    alike = {name: len(s.queries) for name, (final, s) in scores.items() if final == least}
    assert alike[str(chosen)] == max(alike.values())
    final, one = scores[str(chosen)]
    worth = "gained least" if final > 0 else "gained nothing"
    assert re.search(rf"Session {one.name} \({one.system}\b.*\) {worth}", steps[4].words)


@pytest.mark.parametrize("name", SAMPLES)
def test_who_is_ahead_under_the_low_base_is_who_the_page_names(name: str) -> None:
    study: Study = at_hand(name)
    turned = tour(study, DEFAULT, ALL)[3]
    answer = curve_words.answer(session_curves(study, Definition(bq=1.5), ALL), "normalised")
    (ahead,) = {s for s in study.block().system_names if f"query {s} has reached" in answer}
    assert (
        f"bq 1.5, where {ahead} is ahead after the third query. Who is ahead now?" in turned.words
    )
    assert "bq from 1.5 to 100: late queries count nearly in full" in turned.words
    single = tour(study, DEFAULT, Filters(max_queries=1))[3]
    assert "b from 1.5 to 100: low ranks count nearly in full" in single.words


def test_steps_of_what_the_filters_leave_empty_still_are_six() -> None:
    none = Filters(min_queries=99)
    steps = tour(at_hand(SAMPLES[0]), DEFAULT, none)
    assert [step.page for step in steps][-2:] == ["individual_sessions", "by_hand"]
    assert "No session is on a judged topic" in steps[4].words
