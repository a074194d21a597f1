"""Figures as files for a paper: their size, their text, their numbers, their fonts."""

from __future__ import annotations

import io
import os
import re
import struct
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from sdcg_explorer.export import figure_files
from sdcg_explorer.export.figure_files import (
    NO_BROWSER,
    NoBrowserError,
    PaperSize,
    browser_path,
    figure_bytes,
    paper_figure,
)
from sdcg_explorer.figures.style import LIGHT
from sdcg_explorer.questions.query_order.figure import draw_query_order
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.screen import decoded

PNGS = [(84, 300), (174, 300), (100, 96), (40.5, 600)]  # widths in mm, dots an inch
SVG = "{http://www.w3.org/2000/svg}"
# a machine without a browser still tests all the rest
needs_browser = pytest.mark.skipif(
    not browser_path() and os.environ.get("REQUIRE_BROWSER") != "1", reason="no Chromium or Chrome"
)


@cache
def figure() -> go.Figure:
    """Figure 1 of one system under a definition of one's own."""
    study = next(iter(sample_studies()))
    order = query_order(study, Definition(b=3.0), Filters(systems=("System 2",)), depth=20)
    return draw_query_order(order, study.block().system_names)


# form, width and dots
EIGHT = [*(("svg", 84, 300), ("pdf", 174, 300), *(("png", *size) for size in PNGS)),
         *(("svg", 90, 300), ("pdf", 90, 300))]  # fmt: skip


@cache
def at_once() -> dict[tuple[str, float, int], bytes]:
    """Eight figures as files, asked for by four threads at once."""
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda of: figure_bytes(figure(), of[0], PaperSize(*of[1:])), EIGHT)
        return dict(zip(EIGHT, made, strict=True))


def drawn(form: str, width: float = 84, dpi: int = 300) -> bytes:
    return at_once()[form, width, dpi]


def traces(of: Any) -> list[tuple[str, list[float]]]:
    return [(trace["name"], decoded(trace["y"])) for trace in of.to_plotly_json()["data"]]


def test_numbers_are_those_of_the_screen() -> None:
    assert traces(paper_figure(figure(), PaperSize())) == traces(figure())


def test_style_is_a_papers() -> None:
    paper: Any = paper_figure(figure(), PaperSize(174))
    assert paper.layout.width == pytest.approx(174 / 25.4 * 96)
    assert paper.layout.font.size == pytest.approx(8 / 72 * 96)
    for axis in (paper.layout.xaxis, paper.layout.yaxis):
        assert axis.tickfont.size == pytest.approx(8 / 72 * 96)
        assert (axis.tickfont.color, axis.title.font.color) == ("#000000", "#000000")
    widths = {trace.line.width for trace in paper.data}
    assert [width * 72 / 96 for width in widths] == [pytest.approx(1.2, abs=0.06)]
    assert {trace.line.color for trace in paper.data} == {LIGHT[1]}  # the second system's own
    assert len({trace.line.dash for trace in paper.data}) == 2
    assert not paper.layout.title.text


@needs_browser
def test_pdf_has_its_size_and_embeds_its_fonts() -> None:
    from pypdf import PdfReader

    pages: Any = PdfReader(io.BytesIO(drawn("pdf", 174))).pages
    (page,) = pages
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(174, abs=0.5)
    assert "Rank of the result" in page.extract_text()
    fonts = page["/Resources"]["/Font"]
    for font in (fonts[name].get_object() for name in fonts):
        (inner,) = font["/DescendantFonts"]
        files = {"/FontFile", "/FontFile2", "/FontFile3"}
        assert files & {*inner.get_object()["/FontDescriptor"]}


@needs_browser
def test_svg_parses_names_its_font_and_asks_for_nothing() -> None:
    svg = drawn("svg").decode()
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {"Rank of the result", "sDCG (gain)"} <= {*texts}
    assert any("System 2, last" in " ".join(text.split()) for text in texts)
    assert "DejaVu Sans" in svg
    assert not re.findall(r"(?:href|src)=\"https?:", svg)


@needs_browser
def test_eight_at_once_are_all_whole_and_a_png_has_the_asked_pixels() -> None:
    assert len(at_once()) == 8
    for (form, width, dpi), made in at_once().items():
        assert made.startswith({"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}[form])
        if form == "png":
            assert struct.unpack(">I", made[16:20]) == (round(width / 25.4 * dpi),)


def test_without_a_browser_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_files, "browser_path", lambda: "")
    with pytest.raises(NoBrowserError, match="install one of them") as refused:
        figure_bytes(figure(), "pdf", PaperSize())
    assert str(refused.value) == NO_BROWSER


def test_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of svg, pdf, png"):
        figure_bytes(figure(), "gif", PaperSize())
