"""Tags on the screen: by a click, by typing, in two windows, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.screen.library import fixed, store
from sdcg_explorer.study.tags import SUGGESTED, Tags
from tests.support.screen import HOSTILE, Params, Serve, opened, paragraphs, without_escapes
from tests.support.uploads import accepted, picked, pressed, sample, texts, upload, warnings
from tests.support.zips import PLAIN

SAMPLES = tuple(study.name for study in sample_studies())
TOYS: Params = {"system": "all systems", "one_topic": "all topics"}
T1, T2 = ("T-1", 1), ("T-2", 1)


def toys(session: str = "T-1", **more: str) -> AppTest:
    """A window that looks into a toy session."""
    link = TOYS | {"study": sample(SAMPLES[1]), "session": session} | more
    app = opened("individual_sessions", link)
    assert not app.exception
    return app


def pills(app: AppTest, session: str = "T-1", number: int = 1) -> Any:
    return app.main.pills(key=f"tags of {session}, {number}")


def typed(app: AppTest, text: str, session: str = "T-1", number: int = 1) -> AppTest:
    """The window after a tag of one's own was typed."""
    return app.main.text_input(key=f"another tag of {session}, {number}").set_value(text).run()


def tags(name: str = SAMPLES[1]) -> Tags:
    return store().tags(sample(name))


def table(app: AppTest, alt: str) -> Any:
    (found,) = [each for each in app.main.dataframe if each.proto.alt == alt]
    return found.value


def said(app: AppTest) -> list[str]:
    """Why something was not kept."""
    assert not app.exception
    return [without_escapes(error.value) for error in app.error]


def test_tags_are_clicked_typed_and_taken_away(folder: Path) -> None:
    app = toys()
    assert [without_escapes(tag) for tag in pills(app).options] == [*SUGGESTED]
    assert not [each for each in app.main.dataframe if each.proto.alt == "Tags by system"]
    assert "tags" not in table(app, "Queries of session T-1")
    app = pills(app).set_value(["typo", "too broad"]).run()
    assert tags() == {T1: ("typo", "too broad")}
    app = typed(app, "  zu  eng; 太窄 ")
    assert tags() == {T1: ("typo", "too broad", "zu eng, 太窄")}
    assert pills(app).value == ["typo", "too broad", "zu eng, 太窄"]
    assert app.main.text_input(key="another tag of T-1, 1").value == ""
    shown = table(app, "Queries of session T-1")["tags"].tolist()
    assert shown == ["typo; too broad; zu eng, 太窄", *[""] * (len(shown) - 1)]
    app = pills(app).set_value(["zu eng, 太窄"]).run()
    assert tags() == {T1: ("zu eng, 太窄",)}
    app = pills(app).set_value([]).run()
    assert (tags(), pills(app).value, len(pills(app).options)) == ({}, [], len(SUGGESTED))
    assert "tags" not in table(app, "Queries of session T-1")


def test_tag_keeps_the_sample_and_is_there_after_a_restart(serve: Serve) -> None:
    serve("")
    toys()
    assert store().kept() == []
    pills(toys()).set_value(["typo"]).run()
    (found,) = store().kept()
    study = fixed()[sample(SAMPLES[1])]
    assert (found.digest, found.name, found.note) == (study.digest, study.name, study.note)
    serve("")
    app = toys()
    assert pills(app).value == ["typo"]
    assert list(app.sidebar.selectbox(key="study_picked").options) == [*SAMPLES]
    assert not warnings(app)


def test_tags_are_counted_by_system(folder: Path) -> None:
    app = pills(toys()).set_value(["typo"]).run()
    app = pills(toys("T-3"), "T-3").set_value(["typo", "wrong angle"]).run()
    assert "Why did queries fail?" in [heading.value for heading in app.main.subheader]
    systems = fixed()[sample(SAMPLES[1])].sessions.set_index("session")["system"]
    assert (systems["T-1"], systems["T-3"]) == ("A", "B")
    every = "2 of 9 queries tagged; most often with A: typo (1); B: wrong angle (1)."
    assert every in texts(app)
    counts = table(app, "Tags by system").to_dict("list")
    assert (counts["tag"], counts["system"]) == (["wrong angle", "typo", "typo"], ["B", "A", "B"])
    assert counts["queries"] == [1, 1, 1]
    app = app.sidebar.pills(key="systems").set_value(["A"]).run()
    assert texts(app)[-1].endswith("(1 outside the filters); most often with A: typo (1).")
    app = pills(toys("T-3"), "T-3").set_value([]).run()
    assert "1 of 9 queries tagged; most often with A: typo (1)." in texts(app)


def test_markdown_in_a_tag_is_no_markdown(folder: Path) -> None:
    app = toys()
    for tag in HOSTILE:
        app = typed(app, tag)
    assert tags()[T1] == tuple(sorted(HOSTILE))
    assert pills(app).value == sorted(HOSTILE)
    bodies = [*pills(app).options, *(body for body in paragraphs(app))]
    for tag in HOSTILE:
        assert sum(tag in without_escapes(body) for body in bodies) >= 1
        assert not any(tag in body for body in bodies)
    shown = table(app, "Queries of session T-1")["tags"][0]
    assert shown == "; ".join(sorted(HOSTILE))


def test_two_windows_see_each_others_tags(folder: Path) -> None:
    one, two = toys(), toys()
    typed(one, "too narrow")
    two.run()
    assert pills(two).value == ["too narrow"]
    pills(two).set_value(["too narrow", "typo"]).run()
    one.run()
    assert pills(one).value == ["typo", "too narrow"]
    assert table(one, "Queries of session T-1")["tags"][0] == "typo; too narrow"


@pytest.mark.parametrize("how", ["click", "typing"])
def test_a_window_that_is_behind_takes_no_tag_of_another_away(how: str, folder: Path) -> None:
    one, two = toys(), toys()
    pills(one).set_value(["typo"]).run()
    if how == "click":
        pills(two).set_value(["too broad"]).run()
    else:
        typed(two, "too broad")
    assert tags() == {T1: ("typo", "too broad")}


def test_a_window_that_is_behind_brings_no_tag_back(folder: Path) -> None:
    pills(toys()).set_value(["typo"]).run()
    one, two = toys(), toys()
    pills(one).set_value([]).run()
    pills(two).set_value(["typo", "too broad"]).run()
    assert tags() == {T1: ("too broad",)}


def test_tag_of_a_deleted_study_says_why_it_was_not_kept(folder: Path) -> None:
    digest = picked(accepted())
    app = opened("individual_sessions", {"study": digest, "session": "s1"})
    store().delete(digest)
    app = pills(app, "s1").set_value(["typo"]).run()
    assert (store().kept(), store().tags(digest)) == ([], {})
    (reason,) = said(app)
    assert reason.startswith("The tag was not saved: the study was deleted;")


def test_zip_with_tags_brings_them_along(folder: Path) -> None:
    pills(toys()).set_value(["too broad"]).run()
    tagged = {T1: ("typo", "own"), T2: ("own",)}
    study = fixed()[sample(SAMPLES[1])].put(tags=tagged)
    pressed(upload({"toys.zip": study_zip(study, *PLAIN)}), "Accept and open")
    assert tags() == {T1: ("typo", "too broad", "own"), T2: ("own",)}
    assert pills(toys()).value == ["typo", "too broad", "own"]
