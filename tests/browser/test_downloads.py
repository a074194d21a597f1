"""What a page gives to take along, in a real browser: it arrives, is valid, and has its numbers."""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.support.server import READY, lines, visiting

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Download, Page

VIEW = "query_order?b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B"  # a filter, own choices
MOST = 40_000  # milliseconds until the first figure is drawn by a browser that starts


@pytest.fixture(scope="module")
def page(desk: BrowserContext, address: str) -> Iterator[Page]:
    """The view with its fold open."""
    with visiting(desk, f"{address}/{VIEW}") as page:
        page.get_by_text("Data, figure, report, methods text").click()
        page.get_by_text("Download methods.txt").wait_for()
        yield page


def named(label: str) -> re.Pattern[str]:
    """Name of the button that gives this file, of whatever width."""
    return re.compile(f"^Download {re.escape(label)}(, .* wide)?$")


def taken(page: Page, label: str, folder: Path) -> bytes:
    """Bytes of a download, by its button's name."""
    page.wait_for_timeout(200)
    page.wait_for_selector(READY)
    download = pressed(page, label, again=1)
    assert download.suggested_filename == label
    download.save_as(folder / label)
    return (folder / label).read_bytes()


def pressed(page: Page, label: str, again: int) -> Download:
    """What comes of a press; while a page is drawn a click may be lost, and is made again."""
    from playwright.sync_api import TimeoutError as TooLate

    try:
        with page.expect_download(timeout=MOST) as coming:
            page.get_by_role("button", name=named(label)).click()
        return coming.value
    except TooLate:
        if not again:
            raise
        return pressed(page, label, again - 1)


def choose_form(page: Page, form: str) -> None:
    button = page.get_by_role("button", name=named(f"query_order.{form}"))
    if button.is_visible():
        return
    page.get_by_role("combobox", name="Form").click()
    page.get_by_role("option", name=form, exact=True).click()
    button.wait_for()


def test_csv_has_the_figures_numbers(page: Page, tmp_path: Path) -> None:
    shown = lines(page, "Figure 1.")
    rows = csv.DictReader(io.StringIO(taken(page, "query_order.csv", tmp_path).decode()))
    found: dict[str, list[float]] = {}
    for row in rows:
        name = f"{row['system']}, {row['group']}"
        found.setdefault(name, []).append(float(row["mean"]))
    assert found.keys() == shown.keys() == {"System 2, last", "System 2, other"}
    for name, values in shown.items():
        assert found[name] == pytest.approx(values, rel=1e-6)


def test_tex_says_the_definition(page: Page, tmp_path: Path) -> None:
    tex = taken(page, "query_order.tex", tmp_path).decode()
    assert r"\toprule" in tex
    assert r"1/(1 + log\_3 r)" in tex


def test_bundle_of_the_view_arrives_whole(desk: BrowserContext, address: str) -> None:
    page = desk.new_page()
    try:
        page.goto(f"{address}/data?b=3&topics=A")
        with page.expect_download(timeout=MOST) as coming:
            page.get_by_role("button", name="Download all of this view").click()
        with zipfile.ZipFile(coming.value.path()) as archive:
            assert archive.testzip() is None
            assert {"figures/query_order.pdf", "study/log.csv", "comparison/comparison.csv"} <= {
                *archive.namelist()
            }
            said = archive.read("README.txt").decode()
            rows = archive.read("scores/sessions.csv").decode().splitlines()
    finally:
        page.close()
    assert "discount by rank 1/(1 + log_3 r)" in said
    assert f"    {address}/?study=" in said
    assert "&b=3&topics=A" in said
    assert len(rows) == 31  # the sessions on topic A, and the header


def test_figures_own_button_downloads_it_without_a_second_browser(
    page: Page, tmp_path: Path
) -> None:
    figure = page.locator("[role=figure][aria-label^='Figure 1.']")
    figure.hover()
    with page.expect_download() as coming:
        figure.locator("[data-title^='Download plot']").click()
    assert coming.value.suggested_filename == "figure_1.svg"
    coming.value.save_as(tmp_path / "own.svg")
    said = "".join(ElementTree.parse(tmp_path / "own.svg").getroot().itertext())
    assert "Rank of the result" in said


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_figure_arrives_whole(form: str, page: Page, tmp_path: Path) -> None:
    choose_form(page, form)
    made = taken(page, f"query_order.{form}", tmp_path)
    if form == "svg":
        said = "".join(ElementTree.fromstring(made.decode()).itertext())
        assert "System 2, last" in said
        assert "System 1" not in said
    elif form == "pdf":
        from pypdf import PdfReader

        (sheet,) = PdfReader(io.BytesIO(made)).pages
        assert "System 2, last" in sheet.extract_text()
    else:
        assert struct.unpack(">I", made[16:20]) == (round(84 / 25.4 * 300),)
