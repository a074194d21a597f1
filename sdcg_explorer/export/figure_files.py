"""Figures as files for a paper: white ground, text of 8 pt, lines of 1.2 pt, a width in mm."""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Coroutine, Iterator
from concurrent import futures
from contextlib import suppress
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from sdcg_explorer.figures import panels, style
from sdcg_explorer.figures.style import COLOURS, FAINT, GREY, LIGHT
from sdcg_explorer.questions.wording import enumerated
from sdcg_explorer.scoring.definition import is_number

FORMS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
WIDTHS = (84, 174)  # mm: one column, two
NARROWEST, WIDEST = 40, 400  # mm
DPI = 300  # of PNG
INCH, CSS = 25.4, 96.0  # mm, and pixels of a browser, in an inch
TEXT = 8 / 72 * CSS  # 8 pt
PAPER_FORMS = ("svg", "pdf")
SCREEN = 16.0  # pixels of the screen's text
SCALED = ("size", "width", "thickness", "standoff")
STEP = ("contours", "size")  # of the numbers
FAMILY = "DejaVu Sans, Arial, Helvetica, sans-serif"
# of the screen's colours
INKS: dict[str, str] = dict(zip((*COLOURS, GREY), (*LIGHT, "#000000"), strict=True))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NO_BROWSER = (
    "SVG, PDF and PNG are drawn by Chromium or Google Chrome, and neither is installed here: "
    "install one of them. The camera above a figure in the app downloads it as SVG without."
)
CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]")  # HTML and SVG forbid them
SIGNED = re.compile('^(<span style="color:)(#[0-9]{6})')
GRACE = 10.0  # seconds to end in
PATIENCE = 60.0  # seconds without a figure, after which a browser counts as broken
NO_ANSWER = (
    "{0}, the first browser in the PATH, did not answer when it was asked for a figure (it has "
    "{1:g} seconds). Check that {0} --version answers; repair it, or take it out of the PATH."
)


class NoBrowserError(RuntimeError):
    """No Chromium or Chrome draws a figure here."""


def browser_path() -> str:
    """The installed Chromium or Chrome; "" where there is none."""
    return next((path for path in map(shutil.which, BROWSERS) if path), "")


def browser_problem() -> str:
    """Why no browser draws here, which is asked to start; "" where one does."""
    try:
        with Browser.one_at_a_time:
            Browser.running()
    except NoBrowserError as fault:
        return str(fault)
    return ""


def in_print_colours(figure: go.Figure, by: float = 1) -> dict[str, Any]:
    """The parts of a figure in print colours, black on white, `by` the sizes of the screen."""
    lists = json.dumps(figure.to_plotly_json(), default=lambda array: array.tolist())
    parts = _scaled_for_paper(json.loads(lists), by)
    layout = parts["layout"]
    font = {"family": FAMILY, "size": SCREEN * by, "color": "#000000"}
    layout.update(template={}, paper_bgcolor="#ffffff", plot_bgcolor="#ffffff", font=font)
    for name in _axis_names(layout):
        layout[name].setdefault("gridcolor", FAINT)
    return parts


def paper_figure(figure: go.Figure, width: float = WIDTHS[0]) -> go.Figure:
    """The figure as a paper has it, `width` in mm: what is 16 px on screen is 8 pt."""
    parts, wide = in_print_colours(figure, TEXT / SCREEN), width / INCH * CSS
    layout = parts["layout"]
    layout["width"] = wide
    if "panels" in layout.get("meta", {}):
        panels.arrange(layout, TEXT, wide)
    else:
        _fit_layout_to_width(parts, wide)
    for name in _axis_names(layout):
        layout[name].update(showline=True, linecolor="#000000", linewidth=0.8, ticks="outside")
        layout[name].update(ticklen=3, tickwidth=0.8, gridwidth=0.8)
    return go.Figure(parts)


def _fit_layout_to_width(parts: dict[str, Any], wide: float) -> None:
    """Lay a scaled figure out in its width: names in lines, and as tall as its legend asks for."""
    layout, by = parts["layout"], TEXT / SCREEN
    letters = wide / TEXT / style.LETTER
    margin = {side: own * by for side, own in layout["margin"].items()}
    across = layout["xaxis"]["title"]
    across["text"] = style.wrapped(across["text"], letters - 5 - margin["r"] / TEXT)
    height = layout["height"] * by
    for trace in parts["data"]:
        if trace.get("mode") == "text":
            before = 1 + style.lines_of(trace["text"])
            trace["text"] = [style.wrapped(text, letters - 3) for text in trace["text"]]
            height *= max(1.0, (1 + style.lines_of(trace["text"])) / before)
    if layout["showlegend"]:
        height = max(height, 0.75 * height + 40 + style.legend(parts["data"], wide, (TEXT,))[1])
        layout["legend"]["font"]["size"] = TEXT
    for name in _axis_names(layout):
        if name.startswith("y"):
            low, top = layout[name].get("domain", (0, 1))
            up = (height - 90) * (top - low) / TEXT / style.LETTER
            title = layout[name]["title"]
            words = max(style.text_width(f"{word} ") for word in title["text"].split(" "))
            title["text"] = style.wrapped(title["text"], max(up, words))
    layout.update(height=height, margin=margin)


def _axis_names(layout: dict[str, Any]) -> list[str]:
    """Names of the axes of a layout."""
    return [name for name in layout if name.startswith(("xaxis", "yaxis"))]


def drawn_bytes(laid: go.Figure, form: str) -> bytes:
    """A figure that is laid out for paper as SVG, PDF (fonts embedded) or PNG, drawn by a browser.

    Raises
    ------
    NoBrowserError : no browser is installed
    ValueError : no such form
    """
    if form not in FORMS:
        raise ValueError(f"form {form!r}; choose one of {', '.join(FORMS)}.")
    width, height = (float(laid.layout[name]) for name in ("width", "height"))
    options: Any = {"format": form, "width": width, "height": height}
    if form == "png":
        options["scale"] = DPI / CSS
        # what is over is cut off
        options["width"] = (round(width * options["scale"]) + 0.2) / options["scale"]
    with Browser.one_at_a_time:
        browser = Browser.running()
        return browser.ask(browser.kaleido.calc_fig(laid, opts=options))


class Pictures:
    """Figures of a study as files, as far as they can be drawn here.

    missing : names of files that were not drawn · why : a sentence, "" where none is missing
    """

    def __init__(self) -> None:
        self.missing, self.why = list[str](), ""

    def files(self, name: str, laid: go.Figure) -> Iterator[tuple[str, bytes]]:
        """SVG and PDF of a figure that is laid out for paper.

        A browser that doesn't answer is not asked again.
        """
        for form in PAPER_FORMS:
            if not self.why:
                try:
                    yield f"{name}.{form}", drawn_bytes(laid, form)
                except NoBrowserError as fault:
                    self.why = str(fault)
                else:
                    continue
            self.missing.append(f"{name}.{form}")

    @property
    def said(self) -> str:
        """What is missing and why, as a sentence; "" where nothing is."""
        if not self.missing:
            return ""
        return f"{enumerated(self.missing)} could not be drawn. {self.why}"


class Browser:
    """The browser that draws, one figure at a time; it stays until the program ends.

    Kaleido's own server waits for ever for a browser that never answers. Here its coroutines run
    on a loop of ours, each for as long as `PATIENCE`.
    """

    one_at_a_time = threading.Lock()
    _running: Browser | None = None

    def __init__(self, path: str) -> None:
        import kaleido

        logging.getLogger("choreographer").setLevel(logging.CRITICAL)  # what it met is told here
        self.path, self.runner = path, asyncio.Runner()
        self.loop = self.runner.get_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        # a CDN would be asked for mathjax; a container runs as root, which Chrome's sandbox refuses
        own: Any = {"mathjax": False, "enable_sandbox": False, "timeout": None}
        self.kaleido = kaleido.Kaleido(n=1, path=path, **own)
        self.ask(self.kaleido.open(), started=False)

    @classmethod
    def running(cls) -> Browser:
        """The one that runs, or else a new one; another program means another browser.

        Raises
        ------
        NoBrowserError : none is installed, or it doesn't start
        """
        if not (path := browser_path()):
            raise NoBrowserError(NO_BROWSER)
        if cls._running is not None and cls._running.path != path:
            cls._running.stop()
        if cls._running is None:
            cls._running = cls(path)
            atexit.register(cls._running.stop)
        return cls._running

    def _run(self) -> None:
        with self.runner:  # which ends what is still asked
            self.loop.run_forever()

    def ask(self, asked: Coroutine[Any, Any, Any], *, started: bool = True) -> Any:
        """What a coroutine of its own comes to.

        Raises
        ------
        NoBrowserError : it doesn't answer any more
        """
        try:
            return asyncio.run_coroutine_threadsafe(asked, self.loop).result(PATIENCE)
        except Exception as fault:
            process = getattr(self.kaleido, "subprocess", None)  # none where it could not be run
            runs = process is not None and process.poll() is None
            if started and runs and not isinstance(fault, TimeoutError | futures.CancelledError):
                raise  # of the figure, not of the browser
            self.stop()
            raise NoBrowserError(NO_ANSWER.format(Path(self.path).stem, PATIENCE)) from None

    def stop(self) -> None:
        """End it with all its processes and files."""
        type(self)._running = None
        atexit.unregister(self.stop)
        process = getattr(self.kaleido, "subprocess", None)  # none where it could not be run
        if process is not None:
            _kill_process_group(process.pid)
            process.wait(GRACE)  # a close before would ask it once more
        with suppress(Exception):  # whatever it is, its files go
            asyncio.run_coroutine_threadsafe(self.kaleido.close(), self.loop).result(GRACE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(GRACE)


def _kill_process_group(leader: int) -> None:
    """End a process and those that it started, which are a group of their own."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(leader)], check=False)
        return
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _scaled_for_paper(part: Any, by: float, key: str = "") -> Any:
    """A part of a figure with the screen's colours replaced, and sizes, widths and dashes scaled.

    A name may read like a colour. A sign of a system begins a text with a tag, which no name does:
    those are escaped.
    """
    if isinstance(part, dict):
        return {
            name: value if (key, name) == STEP else _scaled_for_paper(value, by, name)
            for name, value in part.items()
        }
    if isinstance(part, list):
        return [_scaled_for_paper(value, by, key) for value in part]
    if key in SCALED and is_number(part):
        return part * by
    if isinstance(part, str):
        part = re.sub(CONTROL, "\N{REPLACEMENT CHARACTER}", part)
    if key == "dash" and part:
        return re.sub("[0-9.]+", lambda found: f"{float(found[0]) * by:.3g}", part)
    if key == "text" and isinstance(part, str):
        return re.sub(SIGNED, lambda found: f"{found[1]}{INKS[found[2]]}", part)
    return INKS.get(part, part) if key.endswith(("color", "colorscale")) else part
