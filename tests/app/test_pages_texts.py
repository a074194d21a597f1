"""Every page on long, foreign and hostile texts, on little, and on many sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.screen import library as kept
from sdcg_explorer.screen.library import close_store
from sdcg_explorer.study.study import Study
from tests.app.test_pages_edge import markdown_of
from tests.support.large_studies import random_study, write_files
from tests.support.plain_files import write_rows
from tests.support.screen import (
    HOSTILE,
    Params,
    charts,
    first_line,
    opened,
    paragraphs,
    without_escapes,
)
from tests.support.server import PAGES
from tests.support.thorough import THOROUGH

EVERY = (*PAGES, "data")
LOOKED_INTO = "individual_sessions"
every_page = pytest.mark.parametrize("page", EVERY)
OpenOn = Callable[[Study], Params]
HEADER = [
    *("session", "searcher", "system", "topic", "query_number", "text", "time"),
    *("rank", "doc", "grade"),
]
LONG = ("a long query without an end, " * 200)[:5000]
WORD = "w" * 5000
CHINESE = "糖尿病足溃疡的治疗与护理。" * 385
TEXTS = [
    *HOSTILE,
    LONG,
    WORD,
    CHINESE,
    "\u202e right to left مرحبا",
    "=1+1",
    "a\nb\n\n# c",
    "",
    " ",
]


@pytest.fixture
def open_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OpenOn]:
    """Makes the app open on a study as one that was given at start."""
    monkeypatch.setenv("SDCG_WORKSPACE", str(tmp_path))
    close_store()

    def choose(study: Study) -> Params:
        monkeypatch.setattr(kept, "fixed", lambda: {study.digest[: kept.SHORT]: study})
        return {"study": study.digest[: kept.SHORT]}

    yield choose
    close_store()


def study_of(rows: list[list[Any]], header: list[str] = HEADER) -> Study:
    """Study of a log with its own grades."""
    with TemporaryDirectory() as folder:
        return read_study(write_rows(Path(folder) / "log.csv", header, rows))


def with_texts() -> Study:
    """Two systems; each text is the first query of a session, and the one before its second."""
    rows: list[list[Any]] = []
    for i, text in enumerate(TEXTS):
        own = [f"s{i}", f"p{i % 3}", "AB"[i % 2], "t"]
        for q, asked in enumerate((text, TEXTS[i - 1]), start=1):
            for rank in (1, 2, 3):
                rows.append([*own, q, asked, "", rank, f"d{(i + q + rank) % 7}", ""])
    for row in rows:
        row[-1] = int(row[-2][1:]) % 4
    return study_of(rows)


LITTLE: dict[str, list[list[Any]]] = {
    "grades in the log, no searchers": [
        *(["s", "", "A", "t", 1, "x", "", 1, "a", 0], ["s", "", "A", "t", 1, "x", "", 2, "b", 2]),
        *(["s", "", "A", "t", 2, "y", "", 1, "b", 2], ["u", "", "B", "t", 1, "z", "", 1, "c", 1]),
    ],
    "one session of one query": [["s", "p", "A", "t", 1, "x", "", 1, "a", 1]],
    "names that the page uses itself": [
        ["none", "all", "all systems", "all topics", 1, "x", "", 1, "a", 1],
        ["all topics", "all", "B", "all systems", 1, "x", "", 1, "a", 0],
        ["", "all", "B", "all topics", 1, "x", "", 1, "b", 2],
    ],
}
LITTLE["names that the page uses itself"][2][0] = "None"


@cache
def known(name: str) -> Study:
    return with_texts() if name == "texts" else study_of(LITTLE[name])


def inspected(study: Study, session: str) -> Params:
    """A link that looks into a session, whichever its system and topic."""
    several = study.sessions["system"].nunique() > 1
    system = "all systems" if several else str(study.sessions["system"].iloc[0])
    return {"system": system, "one_topic": "all topics", "session": session}


def link(page: str, study: Study) -> Params:
    """A link to a page; into the first session, where sessions are looked into."""
    first = str(study.sessions["session"].iloc[0])
    return inspected(study, first) if page == "individual_sessions" else {}


def table(app: AppTest, alt: str) -> Any:
    (found,) = [each for each in app.main.dataframe if each.proto.alt.startswith(alt)]
    return found.value


def headings(app: AppTest) -> list[str]:
    """Sessions that are looked into."""
    return [without_escapes(each.value).split(",")[0] for each in app.main.subheader]


@every_page
def test_long_foreign_and_hostile_texts_open(page: str, open_on: OpenOn) -> None:
    study = known("texts")
    app = opened(page, open_on(study) | link(page, study))
    assert first_line(app).endswith(".")
    assert not app.error
    for body in markdown_of(app):
        longest = max(map(len, body.split("\n\n")))
        assert longest < 3000 or body.startswith("<figure")
        assert not any(name in body for name in HOSTILE)


@pytest.mark.parametrize("place", [0, len(HOSTILE)])
def test_inspector_shows_a_text_as_it_is(place: int, open_on: OpenOn) -> None:
    study = known("texts")
    app = opened("individual_sessions", open_on(study) | inspected(study, f"s{place}"))
    assert not app.exception
    shown = table(app, f"Queries of session s{place}")["text"].tolist()
    assert shown == [TEXTS[place], TEXTS[place - 1]]
    assert not any(name in body for body in markdown_of(app) for name in HOSTILE)


@pytest.mark.parametrize("name", LITTLE)
def test_little_is_looked_into(name: str, open_on: OpenOn) -> None:
    study = known(name)
    app = opened(LOOKED_INTO, open_on(study) | link(LOOKED_INTO, study))
    assert first_line(app).endswith(".")
    assert not app.error
    assert headings(app) == [str(study.sessions["session"].iloc[0])]


def test_session_of_a_hostile_name_is_looked_into_and_tagged(open_on: OpenOn) -> None:
    name = " ".join(HOSTILE)
    study = study_of([[name, name, name, "t", 1, name, "", 1, "a", 1]])
    app = opened("individual_sessions", open_on(study) | inspected(study, name))
    app = app.main.pills(key=f"tags of {name}, 1").set_value(["typo"]).run()
    assert not app.exception
    assert without_escapes(app.main.subheader[0].value).startswith(f"{name}, {name} by {name}:")
    assert kept.store().tags(study.digest) == {(name, 1): ("typo",)}
    assert not any(each in body for body in markdown_of(app) for each in HOSTILE)


MANY = 2_000 if THOROUGH > 1 else 600


@cache
def large() -> Study:
    """A large study, from real files."""
    made = random_study(MANY)
    names = [f"System {i % 2 + 1}" for i in range(len(made.sessions))]
    with TemporaryDirectory() as folder:
        named = replace(made, sessions=made.sessions.assign(system=names))
        return read_study(*write_files(named, Path(folder)))


# in make soak all; individual sessions beneath
@pytest.mark.parametrize(
    "page",
    [each for each in EVERY if each != LOOKED_INTO]
    if THOROUGH > 1
    else ["overview", "compare_systems", "data"],
)
def test_many_sessions_are_answered(page: str, open_on: OpenOn) -> None:
    app = opened(page, open_on(large()))
    assert first_line(app).endswith(".")
    if page in ("overview", "data"):
        assert f"{MANY:,} sessions" in first_line(app)
    for chart in charts(app).values():
        assert len(chart["data"]) <= 24


ALL: Params = {"system": "all systems", "one_topic": "all topics"}


def test_figure_4_of_many_sessions_has_those_looked_into_on_top(open_on: OpenOn) -> None:
    listed = table(many(open_on), "Sessions and queries. ")["session"].tolist()
    first, last = str(listed[0]), str(listed[-1])
    app = many(open_on, session=first, beside_session=last)
    assert (len(listed), headings(app)) == (MANY, [first, last])
    (figure,) = [each for alt, each in charts(app).items() if alt.startswith("Figure 4.")]
    names = [trace["name"] for trace in figure["data"]]
    assert len(names) <= 12
    assert names[-2:] == [f"session {first}", f"session {last}"]
    assert any(name.endswith("median") for name in names)


def many(open_on: OpenOn, **more: str) -> AppTest:
    """All sessions of the large study."""
    return opened("individual_sessions", open_on(large()) | ALL | more)


def test_name_that_is_no_sessions_is_said(open_on: OpenOn) -> None:
    app = many(open_on, session="s000007")
    for name in ("S000007", " ".join(HOSTILE), "", " "):
        app = app.main.text_input(key="session").set_value(name).run()
        assert not app.exception
        assert headings(app) == []
        said = f":small[Session {name} is not in the table.]"
        found = [without_escapes(body) for body in paragraphs(app)]
        assert (said in found) == bool(name)
        assert not any(each in body for body in markdown_of(app) for each in HOSTILE)
