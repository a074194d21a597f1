"""Links to a view: they restore it, also where its study is gone, damaged, or comes from files."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.export.link import ADDRESS, view_link
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.data.numbers import NO_ROLE
from sdcg_explorer.questions.methods import filters_sentence
from sdcg_explorer.reading.read import read_study, sample_studies
from sdcg_explorer.scoring.definition import DEFAULT, PRESETS, Definition, Filters
from sdcg_explorer.screen.library import load_study, store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.store import Kept, Store
from sdcg_explorer.study.study import Study
from tests.support import formats, screen, uploads
from tests.support.kept import spoil
from tests.support.studies import SAMPLES, at_hand


def test_link_of_what_is_usual_names_the_study_alone() -> None:
    study = at_hand(SAMPLES[0])
    assert view_link(study, Definition(), Filters()) == f"{ADDRESS}?study={study.digest[:12]}"
    assert len({view_link(study, preset, Filters()) for preset in PRESETS.values()}) == len(PRESETS)


FILTERED = {
    "with system A, with 1 query": Filters(("A",), max_queries=1),
    "with systems A, B and C, with 1 to 3 queries": Filters(("A", "B", "C"), max_queries=3),
    "on topic 1, with 2 or more queries": Filters(topics=("1",), min_queries=2),
    "by searcher x, with 2 queries": Filters((), (), ("x",), 2, 2),
}


def test_filters_in_words() -> None:
    assert filters_sentence(Filters()) == ""
    found = {filters_sentence(filters): filters for filters in FILTERED.values()}
    assert found == {f"Only sessions {said}.": filters for said, filters in FILTERED.items()}


def test_link_to_a_study_that_is_not_here_says_so() -> None:
    app = screen.opened("overview", {"study": "[gone](http://evil.example)"})
    assert (
        screen.first_line(app) == f"{screen.NOT_HERE} [gone](http:…)."
    )  # as much of it as a link holds
    assert "[gone](" not in app.main.markdown[0].value
    assert not screen.charts(app)
    assert [selectbox.value for selectbox in app.sidebar.selectbox] == [None]


TOO_LONG = "9" * 400


OF_READING: screen.Params = {"grades": "behaviour", "depth": "1e400"}


@pytest.mark.parametrize(
    ("odd", "left"),
    [
        ({"b": "0", "bq": "1e9", "focus": "System 1", "kept": "[definition]\nb = 0.5\n"}, {}),
        ({"b": "many", "bq": "nan", "at_least": "1e999", "cells": TOO_LONG, "kept": "b = "}, {}),
        (
            dict.fromkeys(("top", "length", "w3", "b"), TOO_LONG)
            | {"min_queries": "inf", "max_queries": "-1e999", "kept": f"b = {TOO_LONG}"},
            {},
        ),
        ({"read_seconds": "-1e999", "kept": "[definition.weights]\n7 = 1"}, {}),
        (OF_READING | {"read_seconds": "1e999"}, {"grades": "behaviour"}),
        (OF_READING | {"read_seconds": "12.0"}, {"grades": "behaviour", "read_seconds": 12}),
    ],
)
def test_what_a_link_has_of_no_use_falls_back(
    odd: screen.Params, left: dict[str, Any], own_samples: None
) -> None:
    app = screen.opened("query_order" if left else "session_curves", odd)
    assert not app.exception
    found = app.session_state["opened"]
    assert (found.definition, found.filters, found.kept) == (
        replace(DEFAULT, **left),
        Filters(),
        None,
    )
    assert "kept" not in app.query_params


def test_the_address_of_the_page_words_opens_overview_and_names_the_glossary() -> None:
    for gone, is_said in (("words", True), ("other", False)):
        app = screen.opened("overview", {"gone": gone})
        assert screen.first_line(app).startswith("120 sessions")
        assert any("/glossary.html" in each.value for each in app.info) == is_said


HEADER = "session,query_number,rank,doc,topic,system,searcher\n"
ROWS = [
    f"{system}{topic}{searcher},{query},{rank},d{(query + rank) % 4},{topic},{system},{searcher}\n"
    for system in "ABC"
    for topic in "tuv"
    for searcher in "xyz"
    for query in range(1, 3 if system == "A" else 4)
    for rank in (1, 2)
]
JUDGED = "topic,doc,grade\n" + "".join(
    f"{topic},d{doc},{(doc + place) % 3}\n" for place, topic in enumerate("tuv") for doc in range(4)
)
FILES: uploads.Files = {"log.csv": HEADER + "".join(ROWS), "judgments.csv": JUDGED}
OTHER: uploads.Files = {**FILES, "judgments.csv": JUDGED.replace("d3,", "d9,")}
RATED: uploads.Files = {"rated.csv": "session,rating\nAtx,4\nBuy,2\n"}
FILTERS = Filters(("A", "C"), ("u", "v"), ("y", "z"), 2, 3)
VIEW: screen.Params = {
    **{"b": "3", "w2": "7", "repeats": "first", "systems": ["A", "C"], "topics": ["u", "v"]},
    **{"searchers": ["y", "z"], "min_queries": "2", "max_queries": "3"},
}
PLAIN = Definition(), Filters()
OPEN = Definition(bq=9.0), Filters(topics=("t",))  # when a bundle was written


def study_of(files: uploads.Files, folder: Path) -> Study:
    formats.put(folder, files)
    return read_study(folder, name="log")


@pytest.fixture
def study(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study that no server has seen."""
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    return study_of(FILES, tmp_path_factory.mktemp("files") / "study")


def link(study: Study, **more: str | list[str]) -> screen.Params:
    return {**VIEW, "study": study.digest[:12], **more}


def in_link(app: AppTest, wanted: screen.Params = VIEW) -> screen.Params:
    """What of these the address has."""
    return {name: app.query_params[name] for name in wanted if name in app.query_params}


def kept() -> list[Kept]:
    return store().kept()


def shown(app: AppTest) -> tuple[str, Opened]:
    """The page's answer, and the study, definition and filters in force."""
    return screen.first_line(app), app.session_state["opened"]


def told(app: AppTest) -> str:
    """Everything in words on the screen."""
    warned = [screen.without_escapes(each.value) for each in (*app.warning, *app.error, *app.info)]
    return "\n".join([*uploads.texts(app), *warned, *uploads.warnings(app)])


def repacked(content: bytes, prefix: str) -> bytes:
    """A zip whose files were unpacked into a folder, and zipped again with what systems add."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(sink, "w") as new:
        for name in reversed(old.namelist()):
            named = name.replace("/", "\\") if "\\" in prefix else name
            new.writestr(f"{prefix}{named}", old.read(name))
        new.writestr("__MACOSX/study/._log.csv", b"\x00")
        new.writestr(f"{prefix}.DS_Store", b"\x00")
    return sink.getvalue()


def json_lines(_: Study) -> uploads.Files:
    names = HEADER.strip().split(",")
    rows = [json.dumps(dict(zip(names, row.strip().split(","), strict=True))) for row in ROWS]
    return {"a.jsonl.gz": gzip.compress("\n".join(rows).encode()), "j.csv": JUDGED}


@cache
def bundled() -> bytes:
    """A bundle of the study, under what was open when it was written."""
    with TemporaryDirectory() as folder:
        return bundle(study_of(FILES, Path(folder) / "study"), *OPEN)


# form of the files, how the server was started, page of the link, choices on it
Case = tuple[Callable[[Study], uploads.Files], str, str, screen.Params]
CASES: dict[str, Case] = {
    "json lines": (json_lines, "shared", "session_curves", {"measure": "raw", "at_least": "2"}),
    "our zip in a folder": (
        lambda study: {"x.zip": repacked(study_zip(study, *OPEN), "a/b/")},
        "",
        "compare_systems",
        {"score": "last"},
    ),
    "our bundle by Windows": (
        lambda _: {"x.zip": repacked(bundled(), "b\\")},
        "ephemeral",
        "side_by_side",
        {"beside": ["linear", "ecir2008"]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_any_form_opens_the_whole_view(name: str, study: Study, serve: screen.Serve) -> None:
    form, mode, page, chosen = CASES[name]
    serve(mode)
    view = link(study, **chosen)
    app = screen.opened(page, view)
    assert (screen.first_line(app), kept()) == (f"{screen.NOT_HERE} {view['study']}…).", [])
    app = uploads.upload(form(study), app)
    answer = shown(app)
    asked = answer[1].definition
    assert (asked.b, asked.repeats, answer[1].filters) == (3.0, "first", FILTERS)
    assert in_link(app, view) == view
    assert [each.digest for each in kept()] == [study.digest]
    assert shown(screen.opened(page, view)) == answer  # as after F5, or in another's window
    foreign = screen.opened("overview").sidebar.selectbox(key="study_picked").options
    assert len(foreign) == len(sample_studies()) + (not mode)  # and what one person has kept


def test_note_tags_and_name_come_with_the_zip_and_ratings_make_the_study_of_the_link(
    study: Study, folder: Path, tmp_path: Path
) -> None:
    told = replace(study, name="Pilot [a](b)", note="*One* day.", tags={("Atx", 1): ("typo",)})
    app = uploads.upload({"x.zip": study_zip(told, *PLAIN)}, screen.opened("overview", link(study)))
    assert kept() == [Kept(study.digest, told.name, told.note)]
    assert store().tags(study.digest) == told.tags
    assert uploads.note(app) == "*One* day."
    rated = study_of({**FILES, **RATED}, tmp_path / "rated")
    files: uploads.Files = {"b.zip": bundled()}
    app = uploads.upload(files, screen.opened("overview", link(rated)))
    assert screen.first_line(app) == f"{screen.NOT_HERE} {rated.digest[:12]}…)."
    app = uploads.upload({**files, **RATED}, app)
    assert uploads.picked(app) == rated.digest[:12]


def test_other_files_open_once_they_are_accepted(study: Study, folder: Path) -> None:
    app = uploads.upload(OTHER, screen.opened("query_order", link(study)))
    assert (len(app.main.warning), kept()) == (1, [])
    app = uploads.pressed(app, "Accept and open")
    (other,) = kept()
    assert (uploads.picked(app), app.query_params["study"]) == (other.digest[:12],) * 2
    assert screen.first_line(app).startswith("27 sessions")
    assert "; 72 queries." in screen.first_line(uploads.to_data(app))
    assert [title.value for title in app.title] == ["What was read, and can I trust it?"]
    again = screen.opened("query_order", link(study))
    assert screen.first_line(again) == f"{screen.NOT_HERE} {study.digest[:12]}…)."


def test_study_deleted_in_another_window_leaves_the_view_and_opens_from_its_files(
    study: Study, folder: Path
) -> None:
    store().save(study)
    app = screen.opened("query_order", link(study, split="best"))
    store().delete(study.digest)
    assert screen.first_line(app.run()) == f"{screen.NOT_HERE} {study.digest[:12]}…)."
    app.run()  # widgets that are not drawn take theirs along, until the next run
    assert in_link(app) == VIEW
    assert screen.first_line(uploads.upload(FILES, app)).startswith(
        "Best queries against the others at rank 10:"
    )


def test_a_damaged_study_or_a_name_that_it_lacks_is_said_and_stays_in_the_link(
    study: Study, serve: screen.Serve
) -> None:
    folder = serve("")
    store().save(study)
    for kind in ("systems", "topics", "searchers"):
        assert "Nobody" in told(
            screen.opened("query_order", {"study": study.digest[:12], kind: "Nobody"})
        )
    spoil(folder, "results")
    serve("")
    app = screen.opened("query_order", link(study))
    assert "results changed" in told(app)
    assert in_link(app, link(study)) == link(study)


def test_a_role_corrected_opens_the_view_and_a_study_that_cannot_be_kept_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def corrected(app: AppTest) -> AppTest:
        return uploads.give(uploads.give(app, "position", NO_ROLE), "order", "rank")

    digest = str(uploads.picked(uploads.pressed(corrected(uploads.upload()), "Accept and open")))
    store().delete(load_study(digest).digest)
    app = uploads.upload(app=screen.opened("query_order", {"study": digest}))
    assert screen.first_line(app) == f"{screen.NOT_HERE} {digest}…)."
    app = corrected(app)
    assert (uploads.picked(app), screen.first_line(app)[:9]) == (digest, "Compared ")

    def full(*_: object, **__: object) -> None:
        raise UnusableInputError([error("store", None, "no room", "rule", "Make room.")])

    another = load_study(uploads.picked(uploads.accepted()))
    store().delete(another.digest)
    monkeypatch.setattr(Store, "save", full)
    app = uploads.upload(app=screen.opened("overview", {"study": another.digest[:12]}))
    said = [screen.without_escapes(each.value) for each in app.error]
    assert said == ["Nothing was saved: no room; rule. Make room."]
    assert screen.first_line(app).startswith(screen.NOT_HERE)
