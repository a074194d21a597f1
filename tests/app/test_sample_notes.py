"""Notes and tags of samples, which nobody uploaded: kept by one person, and by nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.screen.annotating import NO_TAGS_HERE as NOT_HERE
from sdcg_explorer.screen.library import fixed, store
from sdcg_explorer.study.tags import Tags
from tests.support.screen import Params, Serve, first_line, opened, paragraphs, small_print
from tests.support.uploads import (
    accepted,
    button,
    note,
    picked,
    pressed,
    sample,
    texts,
    to_data,
    warnings,
)

SAMPLES = tuple(study.name for study in sample_studies())
TOYS: Params = {"system": "all systems", "one_topic": "all topics", "session": "T-1"}
NOTE = "Only *three* sessions, [look](http://e.example)."


def toys(page: str = "individual_sessions", **more: str) -> AppTest:
    """A window on the toy sessions."""
    app = opened(page, TOYS | {"study": sample(SAMPLES[1])} | more)
    assert not app.exception
    return app


def pills(app: AppTest, session: str = "T-1") -> Any:
    return app.main.pills(key=f"tags of {session}, 1")


def tags() -> Tags:
    """Tags of the toy sessions."""
    return store().tags(sample(SAMPLES[1]))


def noted(note: str, name: str = "") -> AppTest:
    """The data page after the toys' note, and perhaps their name, was saved."""
    app = toys("data")
    app.text_input(key="new_note").set_value(note)
    if name:
        app.text_input(key="new_name").set_value(name)
    return pressed(app, "Save name and note")


def test_note_of_a_sample_is_kept_and_shown_on_pages(serve: Serve) -> None:
    serve("")
    assert "Delete …" not in [each.label for each in toys("data").button]
    app = noted(NOTE)
    digest = fixed()[sample(SAMPLES[1])].digest
    assert [(each.digest, each.name, each.note) for each in store().kept()] == [
        (digest, SAMPLES[1], NOTE)
    ]
    assert (picked(app), warnings(app)) == (digest[:12], [])
    serve("")
    for page in ("overview", "compare_systems", "data"):
        app = toys(page)
        assert note(app) == NOTE
        assert not any(NOTE in body for body in paragraphs(app))
    assert note(opened("overview")) != NOTE


def test_sample_goes_by_the_name_that_it_was_given(folder: Path) -> None:
    app = noted("", name="Mine")
    assert list(app.sidebar.selectbox(key="study_picked").options) == [
        SAMPLES[0],
        "Mine",
        SAMPLES[2],
    ]
    assert picked(toys("overview")) == sample(SAMPLES[1])
    assert first_line(toys("overview")).startswith("3 sessions")


@pytest.mark.usefixtures("visited")
def test_delete_removes_the_note_and_tags_and_the_sample_stays(folder: Path) -> None:
    noted(NOTE, "Mine")
    pills(toys()).set_value(["typo"]).run()
    app = pressed(toys("data"), "Delete …")
    (body,) = app.get("dialog")[0].markdown
    assert body.value == (
        "**Mine**: this deletes its notes, tags and your judgments from this machine, for "
        "everyone. "
        "The study itself stays because it was not uploaded."
    )
    button(app, "Delete …").click()  # AppTest runs no dialog alone: it is opened anew, and then
    pressed(app, "Delete")  # may not turn to another study, as it does in a browser
    assert (store().kept(), tags()) == ([], {})
    app = toys("data")
    assert list(app.sidebar.selectbox(key="study_picked").options) == [*SAMPLES]
    assert ("; 3 sessions," in first_line(app), warnings(app)) == (True, [])
    assert note(app) != NOTE
    assert app.text_input(key="new_note").value == fixed()[sample(SAMPLES[1])].note
    pills(toys()).set_value(["too broad"]).run()
    assert tags() == {("T-1", 1): ("too broad",)}
    assert [each.name for each in store().kept()] == [SAMPLES[1]]


def test_samples_are_not_tagged_where_several_people_are(serve: Serve) -> None:
    serve("")
    pills(toys()).set_value(["typo"]).run()  # by the one person who used this folder before
    store().rename(sample(SAMPLES[1]), "private", "private note")
    serve("shared")
    app = toys()
    assert pills(app).disabled
    assert app.main.text_input(key="another tag of T-1, 1").disabled
    assert NOT_HERE in small_print(app.main)
    assert pills(app).value == []
    assert not any("tags" in each.value for each in app.main.dataframe)
    assert not any("private" in text for text in texts(app))
    data = to_data(app)
    assert not [each for each in data.text_input if each.key in ("new_name", "new_note")]
    assert not {"Delete …", "Save name and note"} & {each.label for each in data.button}
    mine = accepted(name="Mine")
    mine.query_params["session"] = "s1"
    app = mine.switch_page("pages/individual_sessions.py").run()
    assert not pills(app, "s1").disabled
    pills(app, "s1").set_value(["typo"]).run()
    assert store().tags(picked(mine), str(app.query_params["of"])) == {("s1", 1): ("typo",)}


@pytest.mark.parametrize("mode", ["shared", "ephemeral"])
def test_a_forged_click_tags_no_sample(mode: str, serve: Serve) -> None:
    serve(mode)
    app = toys()
    pills(app).proto.disabled = False  # as one who sends what no browser would
    app = pills(app).set_value(["typo"]).run()
    assert not app.exception
    assert (store().kept(), tags()) == ([], {})
