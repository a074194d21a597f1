"""Figures as files for a paper: white ground, text of 8 pt, lines of 1.2 pt, a width in mm."""

from __future__ import annotations

import json
import re
import shutil
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any

import plotly.graph_objects as go

from sdcg_explorer.export.paper import fit
from sdcg_explorer.figures.lettering import scaled
from sdcg_explorer.figures.palettes import LIGHT
from sdcg_explorer.figures.style import COLOURS, FAINT, GREY

FORMS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
WIDTHS = (84, 174)  # mm: one column, two
NARROWEST, WIDEST = 40, 400  # mm
DPI = 300  # of PNG
INCH, CSS = 25.4, 96.0  # mm, and pixels of a browser, in an inch
TEXT = 8 / 72 * CSS  # 8 pt (decision 42)
SCREEN = 16.0  # pixels of the screen's text
FAMILY = "DejaVu Sans, Arial, Helvetica, sans-serif"
INKS: dict[str, str] = dict(
    zip((*COLOURS, GREY), (*LIGHT, "#000000"), strict=True)
)  # of the screen's colours
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NO_BROWSER = (
    "PDF, PNG and this SVG are drawn by Chromium or Google Chrome, and neither is installed here: "
    "install one of them. The camera above a figure downloads it as SVG without."
)
CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]")  # HTML and SVG forbid them
SIGNED = re.compile('^(<span style="color:)(#[0-9]{6})')
_one = threading.Lock()


class NoBrowserError(RuntimeError):
    """No Chromium or Chrome draws a figure here."""


@dataclass(frozen=True)
class Paper:
    """Size of a figure on paper: width in mm, and the dots of a PNG in an inch."""

    width: float = WIDTHS[0]
    dpi: int = DPI

    @property
    def pixels(self) -> int:
        """Width of a PNG in pixels."""
        return round(self.width / INCH * self.dpi)


def browser_path() -> str:
    """The installed Chromium or Chrome; "" where there is none."""
    return next((path for path in map(shutil.which, BROWSERS) if path), "")


def inked(figure: go.Figure) -> dict[str, Any]:
    """The parts of a figure in print colours, black on white, at the sizes of the screen."""
    parts = _inked(json.loads(json.dumps(figure.to_plotly_json(), default=_plain)))
    layout = parts["layout"]
    font = {"family": FAMILY, "size": SCREEN, "color": "#000000"}
    layout.update(template={}, paper_bgcolor="#ffffff", plot_bgcolor="#ffffff", font=font)
    for name in _axes(layout):
        layout[name].setdefault("gridcolor", FAINT)
    return parts


def on_paper(figure: go.Figure, paper: Paper) -> go.Figure:
    """The figure in the style of a paper: everything of the screen at 8 pt instead of 16 px."""
    parts = inked(figure)
    scaled(parts, TEXT / SCREEN)
    fit(parts, paper.width / INCH * CSS, TEXT, TEXT / SCREEN)
    layout = parts["layout"]
    for name in _axes(layout):
        layout[name].update(showline=True, linecolor="#000000", linewidth=0.8, ticks="outside")
        layout[name].update(ticklen=3, tickwidth=0.8, gridwidth=0.8)
    return go.Figure(parts)


def _axes(layout: dict[str, Any]) -> list[str]:
    """Names of the axes of a layout."""
    return [name for name in layout if name.startswith(("xaxis", "yaxis"))]


def figure_bytes(figure: go.Figure, form: str, paper: Paper) -> bytes:
    """A figure as SVG, PDF (fonts embedded) or PNG, drawn by the installed browser.

    Raises
    ------
    NoBrowserError : no browser is installed
    ValueError : no such form
    """
    return drawn_bytes(on_paper(figure, paper), form, paper)


def drawn_bytes(drawn: go.Figure, form: str, paper: Paper) -> bytes:
    """The same of a figure that is laid out for paper already; its width is its own.

    Raises
    ------
    NoBrowserError : no browser is installed
    ValueError : no such form
    """
    if form not in FORMS:
        raise ValueError(f"form {form!r}; known are {', '.join(FORMS)}.")
    width, height = (float(drawn.layout[name]) for name in ("width", "height"))
    options: dict[str, Any] = {"format": form, "width": width, "height": height}
    if form == "png":
        options["scale"] = paper.dpi / CSS
        options["width"] = (paper.pixels + 0.2) / options["scale"]  # what is over is cut off
    if not (path := browser_path()):
        raise NoBrowserError(NO_BROWSER)
    import kaleido

    with _one:  # asked by two threads at once, it may answer either with the other's figure
        _start(path)
        return kaleido.calc_fig_sync(drawn, opts=options)


@cache
def _start(path: str) -> None:
    """Start the browser that draws; it stays until the program ends."""
    import kaleido

    # a CDN would be asked for mathjax; a container runs as root, which Chrome's sandbox refuses
    kaleido.start_sync_server(
        n=1, path=path, mathjax=False, enable_sandbox=False, timeout=60, silence_warnings=True
    )


def _inked(part: Any, key: str = "") -> Any:
    """A part of a figure with the screen's colours replaced; a name may read like one.

    A sign of a system begins a text with a tag, which no name does: those are escaped.
    """
    if isinstance(part, dict):
        return {name: _inked(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [_inked(value, key) for value in part]
    if isinstance(part, str):
        part = re.sub(CONTROL, "\N{REPLACEMENT CHARACTER}", part)
    if key == "text" and isinstance(part, str):
        return re.sub(SIGNED, lambda found: f"{found[1]}{INKS[found[2]]}", part)
    return INKS.get(part, part) if key.endswith(("color", "colorscale")) else part


def _plain(value: Any) -> Any:
    """Arrays as lists."""
    return value.tolist()
