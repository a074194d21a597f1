"""What pages give to take along: tables with their figures' numbers, the view as one file."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export import figure_files
from sdcg_explorer.screen import take_away
from tests.support import report_page, screen
from tests.support.studies import at_hand

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")
Given = dict[str, Callable[[], Any]]
BASES = r"1/(1 + log\_3 r), by query 1/(1 + log\_7 q)"
VIEW: screen.Params = {"b": "3", "bq": "7", "w3": "50", "topics": ["A", "B"]}
ONE: screen.Params = {"systems": "System 2"}
# pages under choices, and what they offer in its order
LOOKED_INTO: screen.Params = {"session": "S009", "beside_session": "S081"}
EXHIBITS: list[tuple[str, screen.Params, str]] = [
    (
        "overview",
        {"by_length": "true", "judged_by_rank": "true"},
        "sessions_by_length judged_share",
    ),
    ("session_curves", ONE | {"every": "true"}, "session_curves stopping"),
    ("by_hand", ONE, "by_hand"),
    ("individual_sessions", LOOKED_INTO, "individual_sessions wall session_on_top session_beside"),
    ("compare_systems", {}, "compare_systems means means_by_topic"),
    ("robustness", {}, "robustness"),
    ("fit", ONE | {"model": "srbp"}, "fit fits"),
    ("data", {"study": "64b48c2ce3b1"}, "counts unjudged_by_rank"),
]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    """What the buttons of a page give, by the name of the file."""
    files: Given = {}

    def button(label: str, content: Any, name: str, *_: Any, **more: Any) -> bool:
        files[name] = content
        return False

    monkeypatch.setattr("streamlit.download_button", button)
    return files


def with_its_fold(page: str, params: screen.Params) -> AppTest:
    """A page under its choices, with the fold open."""
    return screen.opened(page, params, **{f"data_{page}": True})


@pytest.mark.parametrize(("page", "choices", "exhibits"), EXHIBITS, ids=[of[0] for of in EXHIBITS])
def test_a_table_to_take_along_is_the_one_on_the_page(
    page: str, choices: screen.Params, exhibits: str, given: Given
) -> None:
    app = with_its_fold(page, VIEW | choices)
    for place, name in enumerate(exhibits.split()):
        assert given, f"pages/{page}.py has no take_away"
        if " " in exhibits:
            app.main.selectbox(key=f"which_{page}").select_index(place).run()
        assert not app.exception
        assert f"{name}.csv" in given, f"pages/{page}.py: take_away gives no {name}"
        shown = app.main.dataframe[-1].value
        rows = [*csv.DictReader(io.StringIO(given[f"{name}.csv"]().decode("utf-8")))]
        assert len(rows) == len(shown) > 0
        assert f"{name}.tex" in given or len(rows) > take_away.MOST_PRINTED
        tex = given.pop(f"{name}.tex", lambda: BASES)()
        assert (BASES in tex) == (page != "data"), name


def test_form_and_width_stay_where_another_exhibit_is_chosen_and_are_the_files(
    given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdcg_explorer.screen.take_away.known_trouble", lambda: "")
    monkeypatch.setattr(figure_files, "drawn_bytes", lambda laid, form: (form, laid.layout.width))
    page = "reformulations"
    app = with_its_fold(page, {"every": "true"})
    app.main.selectbox(key=f"width_{page}").set_value("174").run()
    app.main.selectbox(key=f"form_{page}").set_value("pdf").run()
    assert "reformulation_shares.pdf" in given
    app.main.selectbox(key=f"which_{page}").select_index(2).run()
    assert "found_by_query.pdf" in given
    assert app.main.selectbox(key=f"width_{page}").value == "174"
    screen.send(app, app.main.selectbox(key=f"width_{page}").id, "120.5")
    assert given["found_by_query.pdf"]() == ("pdf", 120.5 / 25.4 * 96)
    app = screen.opened(page, {}, **{f"data_{page}": True, f"width_{page}": "4 *mm*"})
    assert r":small[No width from 40 to 400 mm\: 4 \*mm\*]" in [m.value for m in app.main.markdown]


def test_a_map_has_its_mark_in_the_file(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdcg_explorer.screen.take_away.known_trouble", lambda: "")
    monkeypatch.setattr(figure_files, "drawn_bytes", lambda laid, form: laid.data[-1])
    with_its_fold("robustness", {"b": "10", "bq": "100"})
    mark = given["robustness.svg"]()
    assert (mark.name, *mark.x, *mark.y) == ("current definition", 2, 1)


def test_bundle_of_the_view_arrives_whole(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    app = screen.opened("data", {"b": "3", "topics": "A"})
    assert not app.exception
    made = next(of for name, of in given.items() if name.endswith("-bundle.zip"))()
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        said = archive.read("README.txt").decode()
        rows = archive.read("scores/sessions.csv").decode().splitlines()
    assert "discount by rank 1/(1 + log_3 r)" in said
    assert "&b=3&topics=A" in said
    assert len(rows) == 31  # the sessions on topic A, and the header


@pytest.mark.whole
@pytest.mark.skipif(os.name == "nt", reason="a program of a shell")
def test_a_browser_that_does_not_draw_is_said_in_place_of_its_button(
    given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(figure_files, "PATIENCE", 0.5)
    take_away.known_trouble.clear()
    app = with_its_fold("query_order", {})
    assert not app.exception
    said = [body.value for body in app.main.markdown]
    assert any("did not answer when it was asked for a figure" in line for line in said)
    assert "query_order.csv" in given
    assert "query_order.svg" not in given
    take_away.known_trouble.clear()


def test_report_and_bundle_name_no_person_where_that_is_chosen(given: Given) -> None:
    app = screen.opened("data")
    app.main.toggle(key="without_persons_data").set_value(True).run()
    assert not app.exception
    page = given["without-persons-report.html"]()
    said = f"{page.decode()}{report_page.figures_of(page)}"
    assert said.count("System 2") > 20
    old, words = at_hand("ECIR 2008 (reconstructed)").sessions, {*re.findall(r"[\w-]+", said)}
    for name in ("session", "searcher"):
        assert old[name].str.fullmatch(r"[\w-]+").all()
        assert words & {*old[name]} == set()
    assert "without-persons-bundle.zip" in given
