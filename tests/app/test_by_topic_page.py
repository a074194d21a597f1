"""Compare systems of two agents: a baseline, topics that open their sessions, and outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest

from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import by_topic, compare_systems
from sdcg_explorer.questions.compare_systems.outcome import outcome
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.screen import comparing as parts
from sdcg_explorer.screen import library
from sdcg_explorer.study.study import Study
from tests.support.screen import Params, first_line, leaves, opened, paragraphs, without_escapes
from tests.support.two_agents import TASKS, agents_study

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """Two agents on twelve tasks, as the study that is open."""
    study = agents_study(tmp_path)
    monkeypatch.setattr(library, "fixed", lambda: {study.digest[: library.SHORT]: study})
    return study


def page(study: Study, params: Params | None = None) -> AppTest:
    own = {"study": study.digest[: library.SHORT]}
    return opened("compare_systems", own | (params or {}))


def lines(app: AppTest) -> dict[str, dict[str, list[str]]]:
    """Where each line of the list leads, in their order."""
    links = [each.proto for each in leaves(app.main) if each.type == "page_link"]
    assert {link.page for link in links} == {"individual_sessions"}
    return {without_escapes(link.label): parse_qs(link.query_string) for link in links}


def test_each_topic_opens_its_two_sessions_side_by_side(agents: Study) -> None:
    app = page(agents, {"score": "final"})
    found = by_topic(compare_systems(agents, DEFAULT, Filters(), score="final"), 0)
    told = "\n".join(map(without_escapes, paragraphs(app)))
    assert all(said in told for said in words.by_topic_sentences(found))
    rows = found.table.to_dict("records")
    doors = lines(app)
    assert [*doors] == [words.line(row, "A", "B") for row in rows]
    for row, (_, door) in zip(rows, doors.items(), strict=True):
        assert (door["session"], door["beside_session"]) == ([row["session_b"]], [row["session_a"]])
    first: Params = {name: value[0] for name, value in next(iter(doors.values())).items()}
    beside = opened("individual_sessions", first)
    assert not beside.exception
    heads = [without_escapes(head.value) for head in beside.subheader]
    assert all(any(rows[0][side] in head for head in heads) for side in ("session_a", "session_b"))


def test_the_baseline_and_the_column_stand_in_the_link(agents: Study) -> None:
    app = page(agents, {"baseline": "B", "right": "correct"})
    assert not app.exception
    assert app.selectbox(key="baseline").value == "B"
    own = compare_systems(agents, DEFAULT, Filters(), baseline="B")
    told = "\n".join(map(without_escapes, paragraphs(app)))
    assert words.by_topic_sentences(by_topic(own, 0))[0] in told
    found = outcome(agents, DEFAULT, Filters(), column="correct", baseline="B")
    said = words.outcome_sentences(found)
    assert [line for line in said if line not in told] == []
    app.selectbox(key="right").set_value(parts.NO_OUTCOME).run()
    assert said[0] not in "\n".join(map(without_escapes, paragraphs(app)))


def test_a_baseline_without_a_session_leaves_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = agents_study(tmp_path, of={"A": TASKS, "B": TASKS[:6]})
    monkeypatch.setattr(library, "fixed", lambda: {study.digest[: library.SHORT]: study})
    for baseline, said in (
        ("B", "The baseline, B, has no session with this score. "),
        ("odd", "Only A has sessions"),
    ):
        app = page(study, {"baseline": baseline, "topics": TASKS[7]})
        assert not app.exception
        assert first_line(app).startswith(said)
