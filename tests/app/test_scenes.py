"""The talk that comes along is docs/teaching.md's, and a scene is its link, whatever was before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest

from sdcg_explorer.analysis.definition.definition import DEFAULT
from sdcg_explorer.figures.talk import TEXT
from sdcg_explorer.questions.catalogue import QUESTIONS
from sdcg_explorer.questions.scenes import Scene
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.talk import talk
from tests.app.test_teaching import LINK, QUOTE, lessons
from tests.support.screen import charts, opened
from tests.support.studies import SAMPLES
from tests.support.uploads import sample

pytestmark = pytest.mark.usefixtures("own_samples")
STEP = re.compile(r"^\d+\. \*\*(.+?)\*\* \(\d+ min\)(.*?)(?=^\d+\. |^\*\*|\Z)", re.M | re.S)
WORDS = re.compile(r"\[([^\]]+)\]\([^)]*\)")
SCENES = talk().scenes


@dataclass(frozen=True)
class Taught:
    """A step of a lesson: its title, its links with their words, and what else it says."""

    title: str
    links: dict[tuple[str, str], str]
    prose: str


def taught() -> list[Taught]:
    return [
        Taught(
            title,
            {place(link): WORDS.findall(whole)[0] for whole, link in linked(body)},
            " ".join(WORDS.sub(r"\1", QUOTE.sub("", body)).split()),
        )
        for lesson in lessons()
        for title, body in STEP.findall(lesson)
    ]


def linked(body: str) -> list[tuple[str, str]]:
    return [(found[0], found[1]) for found in LINK.finditer(body)]


def place(link: str) -> tuple[str, str]:
    """A link's page, and what it says, in an order."""
    parts = urlsplit(link)
    page = parts.path.strip("/") or QUESTIONS[0].name
    return page, repr(sorted(parse_qs(parts.query).items()))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_scene_of_the_ready_talk_is_a_step_of_a_lesson_word_for_word(scene: Scene) -> None:
    own = scene.page, repr(sorted(scene.says.items()))
    (step,) = [
        step for step in taught() if own in step.links and scene.title.startswith(step.title)
    ]
    assert scene.title in (step.title, f"{step.title}: {step.links[own]}")
    assert scene.notes in step.prose


def test_the_ready_talk_has_ten_minutes_of_the_first_two_lessons() -> None:
    assert talk().title == "sDCG in ten minutes"
    steps = [step.title for step in taught()]
    order = [next(t for t in steps if s.title.startswith(t)) for s in SCENES]
    assert order == sorted(order, key=steps.index)
    assert len(SCENES) == 13


def test_a_number_alone_leads_to_the_scene_and_another_forgets_what_was_chosen() -> None:
    app = opened("overview", {keys.TALK: "9"})
    assert not app.exception
    assert app.session_state[keys.OPENED].definition.bq == 100
    (figure,) = charts(app).values()
    assert figure["layout"]["xaxis"]["tickfont"]["size"] == TEXT
    app.session_state[keys.KEPT] = "[definition]\nbq = 9.0\n"
    app.session_state[keys.TOP] = 3
    app.session_state[keys.SYSTEMS] = ["System 1"]
    app.run()
    assert app.session_state[keys.OPENED].filters.systems == ("System 1",)
    app.query_params.clear()
    app.query_params.update(SCENES[6].says | {keys.TALK: "7"})
    app.run()
    assert app.session_state[keys.OPENED].definition == DEFAULT
    assert app.session_state[keys.OPENED].filters.systems == ()
    assert app.session_state[keys.OPENED].kept is None


@pytest.mark.parametrize("said", ["", "0", "14", "x", "-1"])
def test_a_talk_without_a_scene_shows_the_view_of_its_address(said: str) -> None:
    app = opened("compare_systems", {keys.STUDY: sample(SAMPLES[0]), keys.TALK: said, "bq": "9"})
    assert app.session_state[keys.TALK_AT] == 0
    assert app.session_state[keys.OPENED].definition.bq == 9
