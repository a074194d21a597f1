"""Columns of tables on screen: in words, the CSV's name in their help; uploaded names as is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.columns import WORDS, column
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.scoring.scores import scores
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.screen import Choose, opened
from tests.support.studies import SAMPLES, at_hand

pytestmark = pytest.mark.usefixtures("own_samples")


def shown(app: AppTest) -> list[tuple[str, dict[str, Any]]]:
    """Tables of a page by text alternative, and how each of their columns is shown."""
    assert not app.exception
    return [(each.proto.alt, json.loads(each.proto.columns)) for each in app.main.dataframe]


def test_columns_that_can_be_taken_away_have_words() -> None:
    view = at_hand(SAMPLES[1]), DEFAULT, Filters()
    tables = [scores(*view).sessions, scores(*view).queries]
    for question in QUESTIONS:
        if question.answer:
            tables += [each.table for each in question.answer(StudyView(*view)).exhibits.values()]
    names = {str(name) for table in tables for name in table.columns}
    without = {name for name in names if "_" in name} - {*WORDS}
    assert without == set(), "give columns words in sdcg_explorer/questions/columns.py"
    assert {*SESSION_SCORES, *QUERY_SCORES} <= {*WORDS}
    assert len({*WORDS.values()}) == len(WORDS)
    assert {name: WORDS[name] for name in WORDS if is_spelt_otherwise(name)} == {}
    known = column("mean_ndcg")
    assert known
    assert known.help.endswith(", mean nDCG of queries; unit: nDCG.")


MEASURE = re.compile(r"(?<![a-z])[a-z]*dcg", re.IGNORECASE)  # dcg, nsDCG, LNDCG


ENDS = {"_a": "A", "_b": "B", "low": "from", "high": "to"}


def is_spelt_otherwise(name: str) -> bool:
    """Whether a column is called by one measure, side or end, and is another in words."""
    called, said = (MEASURE.findall(each.lower()) for each in (name, WORDS[name]))
    ends = [word for end, word in ENDS.items() if name.endswith(end)]
    return bool(called and called != said) or not {*ends} <= {*re.findall(r"\w+", WORDS[name])}


def test_a_topic_called_as_a_column_keeps_its_name(choose_study: Choose) -> None:
    topics = ("low", "low", "low", "mean")
    sessions = [
        PlainSession(f"s{i}", [(topic, {1: "a"})], "AB"[i % 2], f"p{i}")
        for i, topic in enumerate(topics)
    ]
    choose_study(PlainStudy(sessions, {(topic, "a"): 1.0 for topic in topics}))
    (columns,) = [
        columns
        for alt, columns in shown(opened("overview", {"who_searched": "true"}))
        if alt == "Sessions of each system on each topic"
    ]
    assert "label" not in columns.get("low", {})
