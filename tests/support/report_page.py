"""What a browser makes of a report: its elements, its texts, and the numbers of its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as with_other
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.export.report import report
from tests.support.plain_files import in_files
from tests.support.screen import HOSTILE, decoded, hostile_study
from tests.support.server import WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Ends = dict[str, list[float]]
Points = list[tuple[float, float]]
VILE = [
    *HOSTILE,
    *("</script><script>document.title='broken'</script>", "<img src=x onerror=\"alert('x')\">"),
    *("</title></style></td></svg><!--", "{{ 7*7 }}{% raw %}", "&lt;b&gt;&amp;amp;", "<b>bold</b>"),
    *(
        "\"' onmouseover=alert(1) x='",
        "\u202e right to left مرحبا",
        "w" * 500,
        "%{y} %{x}",
        "糖尿病",
    ),
]
WATCH = """window.refused = []; window.alert = said => window.refused.push(said);
document.addEventListener("securitypolicyviolation", e => window.refused.push(e.blockedURI));"""
READY = "() => document.body.dataset.live === 'ready'"
VOID = {"meta", "br", "wbr"}
UNTOLD = {"td", "th", "tr", "tbody"}  # whose end HTML need not tell
POINT = re.compile(r"[ML]([^,]+),([^ML]+)")


@dataclass
class Drawn:
    """A trace as it is drawn: its name, the ends of its axes, and its elements' attributes."""

    name: str
    ends: Ends
    paths: list[str] = field(default_factory=list[str])
    uses: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rects: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def points(self) -> Points:
        """Points of its line or area; else of its marks."""
        if self.paths:
            found = [(float(x) / 10, float(y) / 10) for x, y in POINT.findall(self.paths[0])]
        else:
            found = [
                (_part(use["x"]), _part(use["y"])) for use in self.uses if "display" not in use
            ]
        return [(self._at("x", x), self._at("y", 100 - y)) for x, y in found]

    def bars(self) -> list[float]:
        """How high its bars are."""
        tall = [_part(rect["height"]) for rect in self.rects if "fill" not in rect]
        return [each * float(np.ptp(self.ends["y"])) / 100 for each in tall]

    def boxes(self) -> list[tuple[float, float, float]]:
        """First quartile, median and third of its boxes."""
        medians = [self._at("y", 100 - _part(use["y"])) for use in self.uses]
        sides = [
            (_part(rect["y"]), _part(rect["y"]) + _part(rect["height"])) for rect in self.rects
        ]
        ends = [tuple(self._at("y", 100 - at) for at in side) for side in sides]
        return [(low, middle, high) for (high, low), middle in zip(ends, medians, strict=True)]

    def _at(self, axis: str, place: float) -> float:
        low, high = self.ends[axis]
        return low + (high - low) * place / 100


def _part(place: str) -> float:
    return float(place.removesuffix("%"))


class Seen(HTMLParser):
    """Elements by parent, texts by section and element, and traces by figure."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.elements: list[tuple[str, str, dict[str, Any]]] = []
        self.said: list[tuple[str, str, str]] = []
        self.figures: dict[str, list[Drawn]] = {}
        self._ends: Ends = {}
        self._trace: Drawn | None = None
        self.feed(content.decode())
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own: dict[str, Any] = dict(attrs)
        assert len(own) == len(attrs), tag
        if tag in UNTOLD:
            self._end_untold({"td", "th"} if tag in ("td", "th") else {"td", "th", "tr"})
        self.elements.append((self.open[-1][0] if self.open else "", tag, own))
        if tag not in VOID:
            within = self.open[-1][1] if self.open else ""
            is_section = own.get("class") == "section"
            self.open.append((tag, str(own["id"]) if is_section else within))
        self._draw(tag, own)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("thead", "table"):
            self._end_untold(UNTOLD)
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        inner, section = self.open[-1] if self.open else ("", "")
        self.said.append((section, inner, data))

    def _end_untold(self, tags: set[str]) -> None:
        while self.open and self.open[-1][0] in tags:
            self.open.pop()

    def _draw(self, tag: str, own: dict[str, Any]) -> None:
        """Remember what is drawn of a trace."""
        if tag == "figure":
            self.figures[own["data-figure"]] = []
        if "data-picture" in own:
            self._ends, self._trace = json.loads(own["data-picture"]), None
        if own.get("class") == "leaders" or own.get("class") == "legend":
            self._trace = None
        if "data-name" in own:
            self._trace = Drawn(own["data-name"], self._ends)
            self.figures[[*self.figures][-1]].append(self._trace)
        elif self._trace is not None and tag in ("path", "use", "rect"):
            into: list[Any] = getattr(self._trace, f"{tag}s")
            into.append(own.get("d", "") if tag == "path" else own)

    def text(self, section: str | None = None) -> str:
        """Texts of a section or of all, each element's on a line."""
        wanted = [of for of in self.said if of[0] == section or (section is None)]
        return "\n".join(text for _, inner, text in wanted if inner not in ("script", "style"))

    def legend(self, figure: str) -> list[str]:
        """Names that the traces of a figure have."""
        return [trace.name for trace in self.figures[figure]]


def same_as(drawn: Drawn, trace: dict[str, Any]) -> None:
    """Hold a drawn trace to what a figure has it show, to a thousandth of its axes in a hundred."""
    kind, near = trace["type"], 3e-5 * float(np.ptp(drawn.ends["y"]))
    if kind == "bar":
        known = [value for value in decoded(trace["y"]) if not np.isnan(value)]
        assert drawn.bars() == pytest.approx(known, abs=near)
    elif kind == "box":
        rows = zip(*(decoded(trace[name]) for name in ("q1", "median", "q3")), strict=True)
        for ours, theirs in zip(drawn.boxes(), rows, strict=True):
            assert ours == pytest.approx(theirs, abs=near)
    elif kind == "scatter":
        _same_points(drawn, trace, near)
    else:
        assert kind in ("heatmap", "contour")
        assert drawn.paths or np.isnan(decoded(trace["z"])).all()


def _same_points(drawn: Drawn, trace: dict[str, Any], near: float) -> None:
    mode, x, y = trace.get("mode", "lines"), decoded(trace["x"]), decoded(trace["y"])
    if trace.get("line", {}).get("shape") == "vh":
        x, y = np.repeat(x, 2)[:-1].tolist(), np.repeat(y, 2)[1:].tolist()
    known = list(zip(x, y, strict=True))
    colours = trace.get("marker", {}).get("color")
    if "lines" not in mode and isinstance(colours, list):  # marks of a colour stand together
        known = [known[i] for i in sorted(range(len(known)), key=lambda i: colours[i])]
    known = [point for point in known if not np.isnan(point[1])]
    is_unseen = trace.get("marker", {}).get("opacity") == 0 or mode == "text"
    points = [] if is_unseen else drawn.points()
    if trace.get("error_y") or trace.get("error_x"):  # whose ends are marks, too
        assert all(_is_near(each, points, drawn.ends, near) for each in known)
        return
    if is_unseen:
        return
    wide = 3e-5 * float(np.ptp(drawn.ends["x"]))
    ours, theirs = np.array(points).reshape(-1, 2), np.array(known).reshape(-1, 2)
    np.testing.assert_allclose(ours[:, 0], theirs[:, 0], atol=wide)
    np.testing.assert_allclose(ours[:, 1], theirs[:, 1], atol=near)


def _is_near(point: tuple[float, float], points: Points, ends: Ends, near: float) -> bool:
    wide = 3e-5 * float(np.ptp(ends["x"]))
    return any(abs(point[0] - x) < wide and abs(point[1] - y) < near for x, y in points)


def vile(names: list[str]) -> bytes:
    """The report of a study that has these names for everything, and for tags."""
    study = in_files(hostile_study(names))
    tags = {(str(session), 2): (names[i],) for i, session in enumerate(study.sessions["session"])}
    study = with_other(study, name=names[0], note=" ".join(names), tags=tags)
    return report(study, Definition(), Filters(topics=tuple(names)))


@contextmanager
def opened(browser: Browser, file: Path) -> Iterator[tuple[Page, list[str]]]:
    """A file, opened without a network and drawn, and what was asked for or went wrong."""
    with browser.new_context(offline=True, viewport=WIDE) as context:
        page, noted = context.new_page(), list[str]()
        context.on("request", lambda request: noted.append(request.url))
        page.on("console", lambda said: noted.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: noted.append(f"error: {error}"))
        page.add_init_script(WATCH)
        page.goto(file.as_uri())
        page.wait_for_function(READY)
        yield page, [*noted]  # until here: a test may ask for more
