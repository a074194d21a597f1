"""What pages give to take along: tables with their figures' numbers, the view as one file."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export import figure_files
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.take_away import known_trouble
from tests.support.screen import charts, decoded, opened
from tests.support.taken import KEYS, rows_of
from tests.support.taken_tables import WALKS, Walk, assert_said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("own_samples")
Given = dict[str, Callable[[], Any]]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    """What the buttons of a page give, by the name of the file."""
    files: Given = {}

    def button(label: str, content: Any, name: str, *_: Any, **more: Any) -> bool:
        files[name] = content
        return False

    monkeypatch.setattr("streamlit.download_button", button)
    return files


def with_its_fold(walk: Walk) -> AppTest:
    """A page under its choices, with the fold open."""
    app = opened(walk.page, {**parse_qs(walk.query)})
    app.session_state[keys.take_away(walk.page)] = True
    return app.run()


def shown(app: AppTest) -> dict[str, Any]:
    """Traces of every figure of a page, by its text alternative, as a browser has them."""
    return {alt: {"traces": [*map(drawn, spec["data"])]} for alt, spec in charts(app).items()}


def drawn(trace: dict[str, Any]) -> dict[str, Any]:
    bars = trace.get("error_y", {})
    parts = {key: trace.get(key) for key in KEYS}
    parts |= {"up": bars.get("array"), "down": bars.get("arrayminus")}
    series = {key: None if of is None else decoded(of) for key, of in parts.items()}
    defined = {
        key: of and [None if np.isnan(value) else value for value in of]
        for key, of in series.items()
    }
    return {"name": trace["name"], **defined}


# the first is taken in a browser
@pytest.mark.parametrize("walk", WALKS[1:], ids=lambda walk: walk.page)
def test_every_table_has_its_figures_numbers(walk: Walk, given: Given) -> None:
    app = with_its_fold(walk)
    told = shown(app)
    for place, exhibit in enumerate(walk.exhibits):
        if len(walk.exhibits) > 1:
            app.main.selectbox(key=keys.exhibit(walk.page)).select_index(place).run()
        assert not app.exception
        rows, tex = given[f"{exhibit.name}.csv"](), given.pop(f"{exhibit.name}.tex", lambda: None)()
        assert_said(exhibit, rows_of(rows), tex, told, of_study=walk.page == "data")


@pytest.mark.whole
def test_form_and_width_stay_where_another_exhibit_is_chosen(given: Given) -> None:
    known_trouble.clear()
    walk = next(each for each in WALKS if each.page == "reformulations")
    app = with_its_fold(walk)
    app.main.selectbox(key=keys.width(walk.page)).set_value("174").run()
    app.main.selectbox(key=keys.form(walk.page)).set_value("pdf").run()
    assert "reformulation_shares.pdf" in given
    app.main.selectbox(key=keys.exhibit(walk.page)).select_index(2).run()
    assert "found_by_query.pdf" in given
    assert app.main.selectbox(key=keys.width(walk.page)).value == "174"


def test_bundle_of_the_view_arrives_whole(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_files, "browser_path", lambda: "a browser")
    monkeypatch.setattr(figure_files, "drawn_bytes", lambda figure, form, paper: form.encode())
    monkeypatch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
    app = opened("data", {"b": "3", "topics": "A"})
    assert not app.exception
    made = next(of for name, of in given.items() if name.endswith("-bundle.zip"))()
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        said = archive.read("README.txt").decode()
        rows = archive.read("scores/sessions.csv").decode().splitlines()
    assert "discount by rank 1/(1 + log_3 r)" in said
    assert "&b=3&topics=A" in said
    assert len(rows) == 31  # the sessions on topic A, and the header
    assert {"study/log.csv", "comparison/comparison.csv"} <= {*names}
    figures = {name.removeprefix("figures/") for name in names if name.startswith("figures/")}
    drawings = {name.removesuffix(".svg") for name in figures if name.endswith(".svg")}
    assert drawings > {"compare_systems", "individual_sessions", "query_order"}
    assert figures >= {f"{name}.{form}" for name in drawings for form in ("csv", "pdf", "svg")}


@pytest.mark.whole
@pytest.mark.skipif(os.name == "nt", reason="a program of a shell")
def test_a_browser_that_does_not_draw_is_said_in_place_of_its_button(
    given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(figure_files, "PATIENCE", 2)
    known_trouble.clear()
    app = with_its_fold(next(each for each in WALKS if each.page == "query_order"))
    assert not app.exception
    said = [body.value for body in app.main.markdown]
    assert any("did not answer when it was asked for a figure" in line for line in said)
    assert "query_order.csv" in given
    assert "query_order.svg" not in given
    known_trouble.clear()
