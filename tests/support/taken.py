"""What a page shows and what its downloads say: traces, tables, and files that must be whole."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.support.server import READY, in_the_middle, unfold
from tests.support.waiting import PATIENCE, SOON, may_be_lost, until

if TYPE_CHECKING:
    from playwright.sync_api import Download, Page

FOLD = "Downloads: data, figure, report, methods"
SVG = "{http://www.w3.org/2000/svg}"
FONT_FILES = {"/FontFile", "/FontFile2", "/FontFile3"}
KEYS = ("x", "y", "q1", "median", "q3", "lowerfence", "upperfence")
# every figure's traces with all that is drawn of them, and the ranges of its axes, by its label
SHOWN = """() => {
    const list = values => values == null ? null : [...values];
    const charts = '[role=figure]:has(.js-plotly-plot)'; // not the small pictures
    const told = [...document.querySelectorAll(charts)].map(figure => {
        const plot = figure.querySelector('.js-plotly-plot');
        const traces = plot._fullData.map(trace => ({
            name: trace.name,
            up: list(trace.error_y?.array),
            down: list(trace.error_y?.arrayminus),
            ...Object.fromEntries(KEYS.map(key => [key, list(trace[key])])),
        }));
        const layout = plot._fullLayout;
        const ranges = [layout.xaxis.range, layout.yaxis.range];
        return [figure.getAttribute('aria-label'), {traces, ranges}];
    });
    return JSON.stringify(Object.fromEntries(told));
}""".replace("KEYS", json.dumps(KEYS))

# what belonged to the exhibit before is gone
ALONE = """() => document.querySelectorAll('input[aria-label="Width in mm"]').length < 2"""

Numbers = list[float]
Traces = dict[str, dict[str, Numbers]]
Rows = list[dict[str, str]]


def open_fold(page: Page) -> None:
    """Open the fold, and wait until it holds its last button."""
    page.get_by_text(FOLD).click()
    page.get_by_text("Download methods.txt").wait_for()


def choose(page: Page, control: str, option: str) -> None:
    """Choose from a list by its name; a page that still moves may close the list."""
    box = page.get_by_role("combobox", name=control, exact=True)
    wanted = page.get_by_role("option", name=option, exact=True)

    def chosen() -> bool:
        if box.input_value() != option:
            unfold(box)
            with may_be_lost():
                wanted.click(timeout=1000 * SOON)
                wanted.wait_for(state="detached", timeout=1000 * SOON)
        return box.input_value() == option

    until(chosen, f"{option} as {control}")


def choose_place(page: Page, place: int, name: str) -> None:
    """Choose the exhibit at this place, which has this name; a page with one has no list."""
    arrived = page.get_by_role("button", name=f"Download {name}.csv", exact=True)

    def chosen() -> bool:
        if not arrived.is_visible():
            box = page.get_by_role("combobox", name="Figure or table", exact=True)
            unfold(box)
            with may_be_lost():
                page.get_by_role("option").nth(place).click(timeout=1000 * SOON)
                arrived.wait_for()
                page.wait_for_function(ALONE)
        return arrived.is_visible()

    until(chosen, name)


def set_width(page: Page, width: float) -> None:
    """Type a width in mm, and wait until it is in force; a page that still moves forgets it."""
    box = page.get_by_role("combobox", name="Width in mm")
    there = page.get_by_role("button", name=re.compile(f", {width:g} mm wide$"))
    offered = page.get_by_role("option", name=re.compile(rf"^(Add: )?{width:g}$"))

    def entered() -> bool:
        if not there.is_visible():
            in_the_middle(box)
            box.fill("")  # what stands there already would unfold no list
            box.fill(f"{width:g}")
            with may_be_lost():
                offered.wait_for(timeout=1000 * SOON)
                box.press("Enter")
                there.wait_for(timeout=1000 * SOON)
        return there.is_visible()

    until(entered, f"a width of {width:g} mm")


def named(label: str) -> re.Pattern[str]:
    """Name of the button that gives this file, of whatever width."""
    return re.compile(f"^Download {re.escape(label)}(, .* wide)?$")


def taken(page: Page, label: str) -> bytes:
    """Bytes of a download, by its button's name; a click may be lost while a page is drawn."""
    page.wait_for_selector(READY)
    button = page.get_by_role("button", name=named(label))
    # a table comes at once, a figure from a browser that starts may take its time
    limit = SOON if label.endswith((".csv", ".tex")) else PATIENCE / 3

    def pressed() -> Download | None:
        with may_be_lost():
            # an earlier click that was late, not lost, brings another file
            with page.expect_download(
                lambda coming: coming.suggested_filename == label, timeout=1000 * limit
            ) as coming:
                button.click()
            return coming.value
        return None

    return until(pressed, f"a download of {label}").path().read_bytes()


def figures(page: Page) -> dict[str, Any]:
    """Traces and ranges of every figure of a page, by its text alternative."""
    return json.loads(page.evaluate(SHOWN))


def of_figure(told: dict[str, Any], alternative: str) -> dict[str, Any]:
    """The figure whose text alternative is this, or else begins so."""
    begun = next((known for known in told if known.startswith(alternative)), "")
    return told[alternative if alternative in told else begun]


def traces_of(figure: dict[str, Any]) -> Traces:
    """Values of its traces by name; a curve's thin rest, which repeats a point, is joined to it."""
    found: Traces = {}
    for trace in figure["traces"]:
        if trace["x"] == [None]:  # of the legend alone
            continue
        values = {
            key: [np.nan if value is None else float(value) for value in trace[key]]
            for key in (*KEYS, "up", "down")
            if trace[key] is not None
        }
        name = trace["name"].replace("<br>", "")
        whole = name.removesuffix(", few sessions")
        if whole != name and whole in found:
            for key, old in found[whole].items():
                assert old[-1] == values[key][0]
                old += values[key][1:]
        else:
            found[whole] = values
    return found


def rows_of(made: bytes) -> Rows:
    """Rows of a CSV file."""
    return [*csv.DictReader(io.StringIO(made.decode("utf-8")))]


def column(rows: Iterable[dict[str, str]], name: str) -> Numbers:
    """Numbers of a column; an empty cell is undefined."""
    return [float(row[name]) if row[name] else np.nan for row in rows]


def agree(shown: Traces, said: Traces) -> None:
    """Every trace is said, no other is, and each number is the same to six digits."""
    assert shown.keys() == said.keys()
    for name, parts in said.items():
        for key, values in parts.items():
            assert values, (name, key)
            expected = pytest.approx(shown[name][key], rel=1e-6, abs=1e-9, nan_ok=True)
            assert values == expected, (name, key)


def tex_agrees(tex: str, rows: Rows) -> None:
    """A LaTeX table has the header and cells of the CSV table, to the digits that it prints."""
    for part in (r"\begin{table}", r"\end{table}", r"\toprule", r"\midrule", r"\bottomrule"):
        assert tex.count(part) == 1
    head, body = tex.split(r"\midrule")
    names = _cells(head.split(r"\toprule")[1].strip())
    lines = [_cells(line) for line in body.split(r"\bottomrule")[0].strip().splitlines()]
    named = [name.replace("\\", "") for name in names]
    if not {*named} <= {*rows[0]}:  # of means in place of a row for each session
        assert len(lines) < len(rows)
        return
    every = iter(rows)
    for cells in lines:  # of a long table some rows, in their order
        of = next(row for row in every if _is_row(named, cells, row))
        assert len(lines) < len(rows) or [*of] == named


def _is_row(names: list[str], cells: list[str], row: dict[str, str]) -> bool:
    plain = [cell.replace("$-$", "-").replace("\\", "") for cell in cells]
    return all(_same(cell, row[name]) for name, cell in zip(names, plain, strict=True))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removesuffix(r"\\").split(" & ")]


def _same(cell: str, value: str) -> bool:
    """Whether a cell is the value, rounded to the cell's own last digit."""
    if not re.fullmatch(r"-?\d+(\.\d+)?", cell):
        return cell == (value or "--") or (not value and not cell)
    decimals = len(cell.partition(".")[2])
    return float(cell) == pytest.approx(float(value or "nan"), abs=0.500001 * 10**-decimals)


def whole_svg(made: bytes, width: float) -> str:
    """All text of an SVG of a width in mm, which parses."""
    root = ElementTree.fromstring(made.decode())
    assert root.tag == f"{SVG}svg"
    assert float(root.attrib["width"]) == pytest.approx(width / 25.4 * 96, abs=0.01)
    return "\n".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))


def whole_pdf(made: bytes, width: float) -> str:
    """All text of a PDF of one page, of a width in mm, which embeds its fonts."""
    from pypdf import PdfReader

    sheets: Any = PdfReader(io.BytesIO(made)).pages
    (sheet,) = sheets
    assert float(sheet.mediabox.width) / 72 * 25.4 == pytest.approx(width, abs=0.5)
    fonts = sheet["/Resources"]["/Font"]
    assert len(fonts)
    for font in (fonts[name].get_object() for name in fonts):
        (inner,) = font["/DescendantFonts"]
        assert FONT_FILES & {*inner.get_object()["/FontDescriptor"]}
    return sheet.extract_text()


def whole_png(made: bytes, width: float) -> set[tuple[int, ...]]:
    """Colours of a PNG of a width in mm at 300 dots an inch."""
    from PIL import Image

    assert struct.unpack(">I", made[16:20]) == (round(width / 25.4 * 300),)
    with Image.open(io.BytesIO(made)) as image:
        image.load()
        counts = image.convert("RGB").getcolors(1 << 24)
    assert counts is not None
    assert len(counts) > 2
    return {colour for _, colour in counts if isinstance(colour, tuple)}


def on_traces(made: bytes, figure: dict[str, Any]) -> int:
    """Curves of an SVG's main axes that lie on the traces, which they are taken from in order."""
    root = ElementTree.fromstring(made.decode())
    clip = next(c for c in root.iter(f"{SVG}clipPath") if c.attrib["id"].endswith("xyplot"))
    size = [float(clip[0].attrib[side]) for side in ("width", "height")]
    layer = next(g for g in root.iter(f"{SVG}g") if "scatterlayer" in g.get("class", ""))
    paths = [p.attrib["d"] for p in layer.iter(f"{SVG}path") if p.get("class") == "js-line"]
    for path, trace in zip(paths, figure["traces"], strict=False):
        _on_trace(path, trace, size, figure["ranges"])
    return len(paths)


def _on_trace(path: str, trace: dict[str, Any], size: Sequence[float], ranges: Any) -> None:
    """A path's points, mapped back through the axes, within 0.5 % of the axis of the trace."""
    points = np.array([part.split(",") for part in re.split("[ML]", path)[1:]], dtype=float)
    (left, right), (low, high) = ranges
    x = left + points[:, 0] / size[0] * (right - left)
    y = low + (1 - points[:, 1] / size[1]) * (high - low)
    across, up = (np.array(trace[key], dtype=float) for key in "xy")
    assert np.abs(np.interp(x, across, up) - y).max() < 0.005 * (high - low)
    for end in (0, -1):
        assert x[end] == pytest.approx(across[end], abs=0.005 * (right - left))
    assert y.max() == pytest.approx(up.max(), abs=0.005 * (high - low))
