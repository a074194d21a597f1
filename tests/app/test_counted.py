"""A counts folder that is open: pages of means answer, the others lead to the sample beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import DEFAULT, Filters
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.count import CountChoices, count
from sdcg_explorer.counting.kept import open_counts
from sdcg_explorer.questions.words import overview as overview_words
from sdcg_explorer.questions.words import query_order as order_words
from sdcg_explorer.questions.words import session_curves as curve_words
from sdcg_explorer.screen import keys
from sdcg_explorer.serving import workers
from tests.support.counting import sample
from tests.support.plain_files import ECIR2008
from tests.support.screen import first_line, opened, small_print
from tests.support.uploads import pressed, upload


@pytest.fixture
def counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of counts with a sample beside them, which the app opens on."""
    out = folder.parent / f"{folder.name}-counts"
    out.mkdir()
    engine = DuckDBEngine("500MB", out / "spill")
    log, judgments = (str(ECIR2008 / name) for name in ("log.csv", "judgments.csv"))
    count(CountChoices(log, judgments, sample=20), engine, out, lambda what, share: None)
    engine.close()
    monkeypatch.setenv("SDCG_STUDY", json.dumps([str(out)]))
    st.cache_resource.clear()
    yield out
    st.cache_resource.clear()


def test_pages_of_means_answer_and_others_lead_to_the_sample(counts: Path) -> None:
    counted, whole = open_counts(counts), sample(ECIR2008)
    digest = counted.digest[:12]
    for page in ("overview", "side_by_side", "robustness", "data"):
        app = opened(page, {"study": digest})
        assert not app.exception
        assert len(first_line(app)) > 20
    app = opened("session_curves", {"study": digest})
    assert first_line(app) == curve_words.answer(
        session_curves(whole, DEFAULT, Filters()), "normalised"
    )
    assert any("Intervals resample up to 256 groups" in line for line in small_print(app.main))
    app = opened("query_order", {"study": digest})
    assert first_line(app) == order_words.answer(query_order(counted, DEFAULT, Filters()))
    app = opened("compare_systems", {"study": digest})
    assert first_line(app) == "This takes single sessions, which counts have not."
    app.button(key=keys.SAMPLE).click().run()
    assert app.session_state[keys.STUDY_WANTED] != digest


def test_counts_are_dropped_and_accepted(counts: Path) -> None:
    app = upload({path.name: path.read_bytes() for path in counts.iterdir() if path.is_file()})
    app = pressed(app, "Accept and open")
    assert not app.exception
    assert app.session_state[keys.STUDY_WANTED] == open_counts(counts).digest[:12]
    assert keys.UPLOADS not in app.session_state


def test_a_server_for_several_answers_from_counts_beside_itself(
    counts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, definition = open_counts(counts), (DEFAULT, Filters())
    here = overview_words.answer(overview(counted, *definition))
    monkeypatch.setattr(workers, "is_several", lambda: True)
    for few in (workers.QUICK_RESULTS, -1):
        monkeypatch.setattr(workers, "QUICK_RESULTS", few)
        assert overview_words.answer(workers.answered(overview, counted, *definition)) == here
    workers.ANSWERERS.close()
