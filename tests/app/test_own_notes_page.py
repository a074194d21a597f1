"""A note beneath an answer, and the plan of the data: kept with the study, and said."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import fixed, store
from sdcg_explorer.study import store as kept_in
from tests.support.kept import another_writer
from tests.support.screen import Serve, opened, without_escapes
from tests.support.uploads import picked, pressed, sample, upload

FIELD = "note on compare_systems"
NAME = next(study.name for study in sample_studies() if "toy" in study.name)


def note(app: AppTest, page: str = "compare_systems") -> str | None:
    return app.text_area(key=f"note on {page}").value


def page(name: str = "compare_systems", **more: str) -> AppTest:
    app = opened(name, {"study": sample(NAME), **more})
    assert not app.exception
    return app


def test_a_note_is_kept_changed_and_printed(folder: Path) -> None:
    app = page()
    assert note(app) == ""
    app = app.text_area(key="note on compare_systems").set_value(" *Seen* \r\ntwice ").run()
    assert (note(app), note(page())) == ("*Seen* \ntwice",) * 2
    assert note(page("overview"), "overview") == ""
    assert "Which system is better? – *Seen* \ntwice" in [each.value for each in page("paper").text]
    app = app.text_area(key="note on compare_systems").set_value("").run()
    assert store().written(sample(NAME)) == {}
    assert not [each for each in page("by_hand").text_area if "note on" in str(each.key)]


def test_another_windows_note_stays_and_what_is_not_kept_stays_typed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = page(), page()
    other.text_area(key=FIELD).set_value("Yours.").run()
    one = one.text_area(key=FIELD).set_value("Mine.").run()
    assert note(one) == note(page()) == "Yours.\n\nMine."
    monkeypatch.setattr(kept_in, "WAIT", 0.01)
    app = page()
    with another_writer(folder):
        app = app.text_area(key=FIELD).set_value("Typed long ago.").run()
    (error,) = app.error
    assert without_escapes(error.value).startswith("The note was not saved: database is locked")
    assert note(app) == note(app.run()) == "Typed long ago."


def test_zip_joins_what_is_written_already(folder: Path) -> None:
    page().text_area(key="note on compare_systems").set_value("Mine.").run()
    study = fixed()[sample(NAME)].put(written={"compare_systems": "Yours.", "overview": "New."})
    app = upload({"toys.zip": study_zip(study, Definition(), Filters())})
    assert picked(pressed(app, "Accept and open")) == sample(NAME)
    assert note(page()) == "Mine.\n\nYours."
    assert note(page("overview"), "overview") == "New."


@pytest.mark.parametrize("mode", ["shared", "ephemeral"])
def test_where_several_people_are_a_sample_takes_no_note(mode: str, serve: Serve) -> None:
    serve(mode)
    assert page().text_area(key="note on compare_systems").disabled
