"""The tour: each step opens, asks, and has its own definition in force, as link and on the way."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.questions.tour import STEPS, Step
from sdcg_explorer.questions.words.definition import sentence
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import fixed, study_of
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.tour import DOOR, step_parameters, steps_of
from tests.support.plain_loop import PlainStudy
from tests.support.random_studies import random_study
from tests.support.screen import Choose, Params, opened, without_escapes
from tests.support.studies import SAMPLES
from tests.support.three_documents import ALL
from tests.support.uploads import pressed, sample

OWN = Definition(b=3.0, top=5)
KEPT = "[definition]\nbq = 9.0\n"
TWO = ["overview", "query_order", *["session_curves"] * 2, "individual_sessions", "compare_systems"]
ONE = [*TWO[:-1], "by_hand"]


def steps(digest: str, filters: Filters = ALL) -> tuple[Opened, tuple[Step, ...]]:
    view = Opened(digest, DEFAULT, filters)
    return view, steps_of(view)


def assert_there(app: AppTest, digest: str, number: int, step: Step) -> None:
    """The step is on screen: its sentence, its definition, its choices."""
    assert not app.exception
    said = [without_escapes(body.value) for body in app.main.markdown]
    assert said[0] == f"**Tour, {number} of {STEPS}.** {step.words}"
    found, labels = app.session_state["opened"], study_of(digest).labels
    assert sentence(found.definition, labels) == sentence(step.definition, labels)
    assert found.kept == step.kept
    chosen = {n: value for n, value in step.choices if n != keys.WITH_ORDER}  # drawn where it can
    assert {name: app.session_state[name] for name in chosen} == chosen


def walk(app: AppTest, digest: str) -> list[str]:
    """The pages of the tour, walked to its end within one visit."""
    view, there = steps(digest)
    for number, step in enumerate(there, start=1):
        app.query_params.clear()
        app.query_params.update(step_parameters(view, step, number))
        app.switch_page(f"pages/{step.page}.py").run()
        assert_there(app, digest, number, step)
    return [step.page for step in there]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_step_opens_the_table_that_it_names(own_samples: None, name: str) -> None:
    view, there = steps(sample(name))
    app = opened("overview", dict(step_parameters(view, there[0], 1)))
    (named,) = re.findall("“(.*?)”", there[0].words)
    (fold,) = [each for each in app.main.expander if each.label == named]
    assert fold.proto.expanded
    tables = [table.proto.alt for table in fold.dataframe]
    assert tables == ["Sessions per number of queries and system"]


@pytest.mark.parametrize("name", SAMPLES)
def test_tour_puts_each_step_and_gives_the_own_definition_back(
    own_samples: None, name: str
) -> None:
    own: Params = {"study": sample(name), "b": "3", "top": "5", "measure": "raw", "kept": KEPT}
    app = opened("session_curves", own)
    assert walk(app, sample(name)) == TWO
    left = pressed(app, "End the tour")
    assert not left.exception
    view = left.session_state["opened"]
    assert sentence(view.definition, (1.0,)) == sentence(OWN, (1.0,))
    assert view.kept == replace(DEFAULT, bq=9.0)
    assert keys.TOUR not in left.query_params
    assert not any("**Tour, " in body.value for body in left.main.markdown)


def test_each_step_is_a_link_that_keeps_study_and_filters(own_samples: None) -> None:
    narrowed = Filters(systems=("System 2",), topics=("A", "B"), min_queries=2)
    view, there = steps(sample(SAMPLES[0]), narrowed)
    assert [step.page for step in there] == ONE  # one system is left
    for number in (4, 5):
        step = there[number - 1]
        app = opened(step.page, dict(step_parameters(view, step, number)))
        assert_there(app, view.digest, number, step)
        assert app.session_state["opened"].filters == narrowed
    app = opened("overview", {"study": view.digest})
    assert [link.proto.label for link in app.get("page_link")].count(DOOR) == 1
    app = opened("reformulations", {**step_parameters(view, there[1], 2)})
    assert "goes on at Query order" in app.main.markdown[0].value


def test_a_link_of_a_step_opens_what_was_changed_there_and_a_bare_one_the_step(
    own_samples: None,
) -> None:
    changed = opened("session_curves", {"tour": "4", "bq": "7"}).session_state["opened"]
    bare = opened("session_curves", {"tour": "4"}).session_state["opened"]
    assert (changed.definition.bq, changed.kept) == (7.0, None)
    assert (bare.definition.bq, bare.kept) == (100.0, replace(DEFAULT, bq=1.5))
    none = opened("session_curves", {"tour": "7"})
    assert "**Tour, " not in none.main.markdown[0].value


@pytest.mark.parametrize("most", [1, 4])
def test_tour_of_one_system_asks_what_it_can(choose_study: Choose, most: int) -> None:
    drawn = random_study(random.Random(3))
    sessions = [replace(s, system="A", queries=s.queries[:most]) for s in drawn.sessions]
    choose_study(PlainStudy(sessions, drawn.judgments))
    digest = next(iter(fixed()))
    assert walk(opened("overview"), digest) == ONE
    turned = steps(digest)[1][3].definition
    assert (turned.b, turned.bq) == ((100.0, 4.0) if most == 1 else (2.0, 100.0))
