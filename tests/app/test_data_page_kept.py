"""Studies that were accepted: opened, renamed, deleted, in this window and others, in each mode."""

from __future__ import annotations

import os
import zipfile
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.screen.library import fixed, store
from sdcg_explorer.study import store as kept_in
from tests.support.kept import another_writer, spoil
from tests.support.plain_files import ROOT
from tests.support.screen import NOT_HERE, Serve, first_line, opened, without_escapes
from tests.support.uploads import (
    accepted,
    button,
    note,
    picked,
    pressed,
    texts,
    to_data,
    upload,
    warnings,
)

SAMPLES = [study.name for study in sample_studies()]
ANSWER = "2 sessions on 1 topic with 2 systems; 3 queries; all results in the top 10 are judged."
RATINGS = "session,satisfaction,remark\nT-1,5,fine\nT-3,3,\n"


def offered(app: AppTest) -> list[str]:
    """Names that the sidebar offers."""
    return list(app.sidebar.selectbox(key="study_picked").options)


def on_data(digest: str) -> AppTest:
    """Another window, on the data page of a study."""
    return opened("data", {"study": digest})


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button]


def test_accepted_study_is_kept_and_opened(folder: Path) -> None:
    app = accepted(name="Pilot")
    assert first_line(app) == ANSWER
    assert {*os.listdir(folder)} == {kept_in.FILE, kept_in.COPY}
    ((digest, _, _),) = map(astuple, store().kept())
    assert (picked(app), app.query_params["study"]) == (digest[:12], digest[:12])
    assert offered(app) == [*SAMPLES, "Pilot"]
    another = opened("overview")  # in another session
    assert (offered(another), first_line(another)[:12]) == ([*SAMPLES, "Pilot"], "120 sessions")
    another.sidebar.selectbox(key="study_picked").set_value(digest[:12]).run()
    assert (first_line(another), another.query_params["study"]) == (ANSWER, digest[:12])


def test_accepted_study_opens_by_link_after_a_restart(serve: Serve) -> None:
    serve("")
    digest = accepted().query_params["study"]
    serve("")
    for page in ("overview", "query_order"):
        app = opened(page, {"study": digest})
        assert (picked(app), app.query_params["study"], warnings(app)) == (digest, digest, [])


def test_ratings_alone_join_the_study_that_is_open(folder: Path) -> None:
    toys = next(key for key, study in fixed().items() if study.name == SAMPLES[1])
    app = upload({"ratings.csv": RATINGS}, on_data(toys))
    assert f"These ratings are added to the study **{SAMPLES[1]}**." in texts(app)
    app = pressed(app, "Accept and open")
    assert app.query_params["study"] != toys
    study = store().load(picked(app))
    rated = study.sessions.set_index("session")
    assert rated["satisfaction"].reindex(["T-1", "T-3"]).tolist() == [5.0, 3.0]
    assert np.isnan(rated["satisfaction"]["T-2"])
    assert rated["remark"].fillna("none").tolist() == ["fine", "none", "none"]
    assert [study.checked()[name] for name in ("sessions", "queries", "results")] == [3, 9, 42]


def test_name_and_note_are_saved_and_shown_on_pages(folder: Path) -> None:
    app = to_data(accepted())
    app.text_input(key="new_name").set_value("Pilot, spring")
    app.text_input(key="new_note").set_value("Only two searchers.")
    app = pressed(app, "Save name and note")
    assert offered(app)[-1] == "Pilot, spring"
    for page in ("overview", "query_order"):
        another = opened(page, {"study": picked(app)})
        assert note(another) == "Only two searchers."


@pytest.mark.usefixtures("visited")
def test_delete_asks_first(folder: Path) -> None:
    app = pressed(to_data(accepted(name="Pilot")), "Delete …")
    assert [body.value for body in app.get("dialog")[0].markdown] == [
        "**Pilot**: this deletes the study, its notes, tags and your judgments from this machine, "
        "for everyone."
    ]
    assert labels(app)[-2:] == ["Cancel", "Delete"]
    assert len(store().kept()) == 1


def test_study_deleted_in_another_window_is_said(folder: Path) -> None:
    app = accepted()
    digest = picked(app)
    store().delete(digest)
    app.run()
    assert first_line(app) == f"{NOT_HERE} {digest}…)."
    assert (app.query_params["study"], offered(app)) == (digest, SAMPLES)


def test_shared_server_lists_no_foreign_study_and_opens_it_by_link(serve: Serve) -> None:
    serve("shared")
    owner = accepted(name="Mine")
    digest = picked(owner)
    assert offered(to_data(owner)) == [*SAMPLES, "Mine"]
    stranger = opened("overview")
    assert offered(stranger) == SAMPLES
    linked = on_data(digest)
    assert (offered(linked), picked(linked)) == ([*SAMPLES, digest[:8]], digest)
    assert "## 2 sessions on 1 topic with 2 systems, each once; 3 queries." in texts(linked)
    assert not {"Delete …", "Save name and note"} & set(labels(linked))
    assert not [each for each in linked.text_input if each.key in ("new_name", "new_note")]
    for part in (digest[:8], digest[:11], "", "*"):
        assert offered(opened("overview", {"study": part})) == SAMPLES


def test_ephemeral_server_writes_nothing_and_opens_what_was_accepted(serve: Serve) -> None:
    folder = serve("ephemeral")
    app = accepted(name="Demo")
    assert (first_line(app), offered(app)) == (ANSWER, [*SAMPLES, "Demo"])
    assert list(folder.rglob("*")) == []
    assert offered(opened("overview")) == SAMPLES
    linked = opened("query_order", {"study": picked(app)})
    assert (picked(linked), warnings(linked)) == (picked(app), [])
    serve("ephemeral")
    assert first_line(opened("overview", {"study": picked(app)})).startswith(NOT_HERE)


def test_broken_study_can_be_deleted_as_it_says(serve: Serve) -> None:
    folder = serve("")
    digest = picked(accepted(name="Pilot"))
    serve("")
    spoil(folder, "results")
    app = on_data(digest)
    (damage,) = app.main.error
    assert "Delete it, and upload its files again." in without_escapes(damage.value)
    assert button(app, "Delete Pilot, which can't be read")
    app = upload(app=app)  # its files mend it, too
    assert (first_line(app)[:10], offered(app)) == (ANSWER[:10], [*SAMPLES, "Pilot"])


def test_a_workspace_that_can_not_be_written_to_is_said_on_whatever_page_opens(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = serve("")
    accepted()
    serve("")
    monkeypatch.setattr(kept_in, "WAIT", 0.01)
    with another_writer(place):
        app = opened("compare_systems")
    assert not app.exception
    (said,) = (each.value for each in app.warning if "database is locked" in each.value)
    assert "Until then saved studies open, but none can be added" in without_escapes(said)
    assert str(place.parent) not in said


@pytest.mark.parametrize("mode", ["", "shared"])
def test_what_was_taken_over_is_said_to_one_person_alone(mode: str, serve: Serve) -> None:
    folder = serve(mode)
    with zipfile.ZipFile(ROOT / "tests" / "unit" / "workspace_1.0.zip") as archive:
        archive.extractall(folder)
    said = [line for each in opened("data").main.text for line in each.value.splitlines()]
    assert len([line for line in said if "version 1.0" in line]) == (0 if mode else 3)
    assert any(line.endswith("sdcg score LOG JUDGMENTS --engine duckdb.") for line in said) == (
        not mode
    )


def test_a_file_that_is_gone_is_said_in_words(folder: Path) -> None:
    app = to_data(accepted())
    (folder / kept_in.FILE).unlink()
    app = app.run()
    assert not app.exception
    (said,) = (without_escapes(each.value) for each in app.error)
    assert said.startswith(f"{kept_in.FILE}: unable to open database file; ")
