"""Odd links: to studies that are deleted, damaged or misspelt, and files that do or don't match."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import store
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.store import Kept
from sdcg_explorer.study.study import Study
from tests.support.kept import spoil
from tests.support.screen import (
    NOT_HERE,
    Params,
    Serve,
    first_line,
    opened,
    without_escapes,
)
from tests.support.uploads import (
    Files,
    note,
    picked,
    pressed,
    texts,
    to_data,
    upload,
    warnings,
)

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
FILES: Files = {"log.csv": HEADER + "".join(ROWS), "judgments.csv": JUDGED}
OTHER: Files = {**FILES, "judgments.csv": JUDGED.replace("d3,", "d9,")}
RATED: Files = {"rated.csv": "session,rating\nAtx,4\nBuy,2\n"}
FILTERS = Filters(("A", "C"), ("u", "v"), ("y", "z"), 2, 3)
VIEW: Params = {
    **{"b": "3", "w2": "7", "repeats": "first", "systems": ["A", "C"], "topics": ["u", "v"]},
    **{"searchers": ["y", "z"], "min_queries": "2", "max_queries": "3"},
}
PLAIN = Definition(), Filters()
OPEN = Definition(bq=9.0), Filters(topics=("t",))  # when a bundle was written


def study_of(files: Files, folder: Path) -> Study:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_study(folder, name="log")


@pytest.fixture
def study(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study that no server has seen."""
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    return study_of(FILES, tmp_path_factory.mktemp("files") / "study")


def link(study: Study, **more: str | list[str]) -> Params:
    return {**VIEW, "study": study.digest[:12], **more}


def kept() -> list[Kept]:
    return store().kept()


def shown(app: AppTest) -> tuple[str, Opened]:
    """The page's answer, and the study, definition and filters in force."""
    return first_line(app), app.session_state["opened"]


def told(app: AppTest) -> str:
    """Everything in words on the screen."""
    warned = [without_escapes(each.value) for each in (*app.warning, *app.error, *app.info)]
    return "\n".join([*texts(app), *warned, *warnings(app)])


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


def shuffled(_: Study) -> Files:
    rows = random.Random(1).sample(ROWS, len(ROWS))
    header, *judged = JUDGED.splitlines(keepends=True)
    return {"what i found.txt": HEADER + "".join(rows), "z.csv": "".join([header, *judged[::-1]])}


def json_lines(_: Study) -> Files:
    names = HEADER.strip().split(",")
    rows = [json.dumps(dict(zip(names, row.strip().split(","), strict=True))) for row in ROWS]
    return {"a.jsonl.gz": gzip.compress("\n".join(rows).encode()), "j.csv": JUDGED}


@cache
def bundled() -> bytes:
    """A bundle of the study, under what was open when it was written."""
    with TemporaryDirectory() as folder:
        return bundle(study_of(FILES, Path(folder) / "study"), *OPEN)


def of_bundle(prefix: str = "") -> Callable[[Study], Files]:
    return lambda _: {"x.zip": repacked(bundled(), prefix)}


def zipped(
    pack: Callable[[Study, Definition, Filters], bytes], prefix: str = ""
) -> Callable[[Study], Files]:
    return lambda study: {"x.zip": repacked(pack(study, *OPEN), prefix)}


# form of the files, how the server was started, page of the link, choices on it
Case = tuple[Callable[[Study], Files], str, str, Params]
CASES: dict[str, Case] = {
    "other names and order": (shuffled, "", "overview", {}),
    "json lines": (json_lines, "shared", "session_curves", {"measure": "raw", "at_least": "2"}),
    "our zip in a folder": (zipped(study_zip, "a/b/"), "", "compare_systems", {"score": "last"}),
    "our bundle": (of_bundle(), "ephemeral", "side_by_side", {"beside": ["linear", "ecir2008"]}),
    "our bundle by Windows": (of_bundle("b\\"), "", "query_order", {"split": "best"}),
}


@pytest.mark.parametrize("case", CASES)
def test_any_form_opens_the_whole_view(case: str, study: Study, serve: Serve) -> None:
    form, mode, page, chosen = CASES[case]
    serve(mode)
    view = link(study, **chosen)
    app = opened(page, view)
    assert (first_line(app), kept()) == (f"{NOT_HERE} {view['study']}…).", [])
    app = upload(form(study), app)
    answer = shown(app)
    asked = answer[1].definition
    assert (asked.b, asked.repeats, answer[1].filters) == (3.0, "first", FILTERS)
    now = {name: app.query_params[name] for name in view}
    assert now == view
    assert [each.digest for each in kept()] == [study.digest]
    assert shown(opened(page, now)) == answer  # as after F5, or in another's window
    foreign = opened("overview").sidebar.selectbox(key="study_picked").options
    assert len(foreign) == len(sample_studies()) + (not mode)  # and what one person has kept


def test_note_tags_and_name_come_with_the_zip(study: Study, folder: Path) -> None:
    told = replace(study, name="Pilot [a](b)", note="*One* day.", tags={("Atx", 1): ("typo",)})
    app = upload({"x.zip": study_zip(told, *PLAIN)}, opened("overview", link(study)))
    assert kept() == [Kept(study.digest, told.name, told.note)]
    assert store().tags(study.digest) == told.tags
    assert note(app) == "*One* day."


def test_ratings_beside_the_study_make_the_study_of_the_link(
    study: Study, folder: Path, tmp_path: Path
) -> None:
    rated = study_of({**FILES, **RATED}, tmp_path / "rated")
    files: Files = {"b.zip": bundled()}
    app = upload(files, opened("overview", link(rated)))
    assert (first_line(app), kept()) == (f"{NOT_HERE} {rated.digest[:12]}…).", [])
    app = upload({**files, **RATED}, app)
    assert (picked(app), [each.digest for each in kept()]) == (rated.digest[:12], [rated.digest])


def test_other_files_open_once_they_are_accepted(study: Study, folder: Path) -> None:
    app = upload(OTHER, opened("query_order", link(study)))
    assert (len(app.main.warning), kept()) == (1, [])
    app = pressed(app, "Accept and open")
    (other,) = kept()
    assert (picked(app), app.query_params["study"]) == (other.digest[:12],) * 2
    assert first_line(app).startswith("27 sessions")
    assert "; 27 sessions, " in first_line(to_data(app))
    assert [title.value for title in app.title] == ["What was read, and may I trust it?"]
    again = opened("query_order", link(study))
    assert first_line(again) == f"{NOT_HERE} {study.digest[:12]}…)."


def test_study_deleted_in_another_window_leaves_the_view_and_opens_from_its_files(
    study: Study, folder: Path
) -> None:
    store().save(study)
    app = opened("query_order", link(study, split="best"))
    store().delete(study.digest)
    assert first_line(app.run()) == f"{NOT_HERE} {study.digest[:12]}…)."
    app.run()  # widgets that are not drawn take theirs along, until the next run
    now = {name: app.query_params[name] for name in VIEW if name in app.query_params}
    assert now == VIEW
    assert first_line(upload(FILES, app)).startswith(
        "At rank 10, best queries differ from the others by"
    )


def damaged(serve: Serve, study: Study, harm: Callable[[Path], object]) -> Path:
    """A server's folder with a study, noted and tagged, in which something is broken."""
    folder = serve("")
    store().save(replace(study, name="Pilot", note="One day.", tags={("Atx", 1): ("typo",)}))
    harm(folder)
    return serve("")


def test_link_to_a_damaged_study_stays_its_link(study: Study, serve: Serve) -> None:
    damaged(serve, study, lambda folder: spoil(folder, "results"))
    app = opened("query_order", link(study))
    assert "results changed" in told(app)
    now = {name: app.query_params[name] for name in link(study) if name in app.query_params}
    assert now == link(study)


def test_filter_by_a_name_that_the_study_lacks_is_said(study: Study, folder: Path) -> None:
    store().save(study)
    for kind in ("systems", "topics", "searchers"):
        assert "Nobody" in told(opened("query_order", {"study": study.digest[:12], kind: "Nobody"}))
