"""What a report is made of: its elements, its texts, and the data of its figures."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace as with_other
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcg_explorer.figures.style import strip_markup
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support import plain_files, screen, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VILE = [
    *screen.HOSTILE,
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


def figures_of(content: bytes) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What all figures of a report share, and each one's data and layout, by its name."""
    page = content.decode()
    (packed,) = re.findall('<script type="text/plain" id="figures">([^<]*)</script>', page)
    shared, *each = map(json.loads, zlib.decompress(base64.b64decode(packed)).split(b"\n"))
    names = re.findall('<figure data-figure="([^"]*)"', page)
    return shared, dict(zip(names, (_whole(of, of.pop("arrays")) for of in each), strict=True))


def _whole(part: Any, arrays: list[Any]) -> Any:
    """A part of a figure with its arrays in their places."""
    if isinstance(part, dict):
        if [*part] == ["array"]:
            return arrays[part["array"]]
        return {name: _whole(each, arrays) for name, each in part.items()}
    return [_whole(each, arrays) for each in part] if isinstance(part, list) else part


class Seen(HTMLParser):
    """Elements by parent, texts by section and element, and traces by figure."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.elements: list[tuple[str, str, dict[str, Any]]] = []
        self.said: list[tuple[str, str, str]] = []
        self.figures = {name: of["data"] for name, of in figures_of(content)[1].items()}
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

    def text(self, section: str | None = None) -> str:
        """Texts of a section or of all, each element's on a line."""
        wanted = [of for of in self.said if of[0] == section or (section is None)]
        return "\n".join(text for _, inner, text in wanted if inner not in ("script", "style"))

    def legend(self, figure: str) -> list[str]:
        """Names that the traces of a figure have, as they read."""
        return [strip_markup(trace["name"]) for trace in self.figures[figure]]


def same_as(drawn: Any, known: Any, place: str = "") -> None:
    """Hold a part of a drawn figure to what the answer draws, numbers to the digits of tables."""
    if isinstance(known, dict):
        if "bdata" in known:
            known = screen.decoded(known)
        else:
            assert [*drawn] == [*known], place
            for name in known:
                same_as(drawn[name], known[name], f"{place}.{name}")
            return
    if isinstance(known, (list, tuple, np.ndarray)):
        try:
            theirs = np.asarray(known, dtype=float)
        except (TypeError, ValueError):
            assert len(drawn) == len(known), place
            for i, (one, other) in enumerate(zip(drawn, known, strict=True)):
                same_as(one, other, f"{place}[{i}]")
            return
        ours = np.array(drawn, dtype=float).reshape(theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=0, err_msg=place)
        return
    assert drawn == known or (drawn is None and np.isnan(known)), place


def vile(names: list[str]) -> tuple[Study, Definition, Filters]:
    """A view of a study that has these names for everything, and for tags."""
    study = plain_files.in_files(screen.hostile_study(names))
    tags = {(str(session), 2): (names[i],) for i, session in enumerate(study.sessions["session"])}
    study = with_other(study, name=names[0], note=" ".join(names), tags=tags)
    return study, Definition(), Filters(topics=tuple(names))


@contextmanager
def opened(browser: Browser, file: Path) -> Iterator[tuple[Page, list[str]]]:
    """A file, opened without a network and drawn, and what was asked for or went wrong."""
    with browser.new_context(offline=True, viewport=server.WIDE) as context:
        page, noted = context.new_page(), list[str]()
        context.on("request", lambda request: noted.append(request.url))
        page.on("console", lambda said: noted.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: noted.append(f"error: {error}"))
        page.add_init_script(WATCH)
        page.goto(file.as_uri())
        page.wait_for_function(READY)
        yield page, [*noted]  # until here: a test may ask for more
