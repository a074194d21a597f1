"""Four visitors in browsers of their own take 20 figures at once; each gets their own, whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server import browsing, serving, wait_ready
from tests.taken import (
    choose,
    figures,
    of_figure,
    on_traces,
    open_fold,
    set_width,
    whole_pdf,
    whole_png,
    whole_svg,
)
from tests.test_browser_downloads import named, taken

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ORDERED = ("pdf", "png", "svg", "pdf", "svg")
PATIENCE = 120  # seconds; four browsers and a server share two cores
FIRST, SECOND = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)  # in print


@dataclass(frozen=True)
class Visitor:
    """A view, the figure that is taken of it, what it says, and what only others say."""

    number: int
    view: str
    name: str
    figure: str
    says: str
    never: str
    colours: frozenset[tuple[int, ...]]

    @property
    def width(self) -> int:
        """A width in mm that no other visitor asks for."""
        return 60 + 20 * self.number


VISITORS = (
    Visitor(
        *(0, "query_order?b=3&bq=7&w3=50&systems=System+2&topics=A&topics=B", "query_order"),
        *("Figure 1.", "System 2, last", "System 1", frozenset({SECOND})),
    ),
    Visitor(
        *(1, "query_order?b=2&bq=4&w3=100&systems=System+1&topics=C", "query_order"),
        *("Figure 1.", "System 1, last", "System 2", frozenset({FIRST})),
    ),
    Visitor(
        *(2, "session_curves?b=5&bq=2&systems=System+1&topics=A", "session_curves"),
        *("Session curves.", "Share of the ideal (nsDCG)", "System 2", frozenset({FIRST})),
    ),
    Visitor(
        *(3, "session_curves?b=9&w3=70&measure=raw&topics=D", "session_curves"),
        *("Session curves.", "sDCG (gain)", "Share of the ideal", frozenset({FIRST, SECOND})),
    ),
)


def visit(visitor: Visitor, address: str, folder: Path) -> dict[str, Any]:
    """Take all figures of a visitor, one form after the other."""
    folder.mkdir()
    with browsing() as browser, browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"{address}/{visitor.view}")
        wait_ready(page)
        open_fold(page)
        set_width(page, visitor.width)
        made: list[bytes] = []
        for form in ORDERED:
            choose(page, "Form", form)
            page.get_by_role("button", name=named(f"{visitor.name}.{form}")).wait_for()
            made.append(taken(page, f"{visitor.name}.{form}", folder))
        return {"made": made, "figure": of_figure(figures(page), visitor.figure)}


@pytest.fixture(scope="module")
def brought(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What each visitor brought home from a fresh server, to which they come at once by links."""
    folder = tmp_path_factory.mktemp("at_once")
    with serving() as address, ThreadPoolExecutor(len(VISITORS)) as pool:
        going = [pool.submit(visit, each, address, folder / str(each.number)) for each in VISITORS]
        return [each.result() for each in going]


@pytest.mark.parametrize("visitor", VISITORS, ids=[str(each.number) for each in VISITORS])
def test_each_gets_their_own_figures_whole(visitor: Visitor, brought: list[dict[str, Any]]) -> None:
    made, figure = brought[visitor.number]["made"], brought[visitor.number]["figure"]
    for form, each in zip(ORDERED, made, strict=True):
        if form == "png":
            assert whole_png(each, visitor.width) & {FIRST, SECOND} == visitor.colours
            continue
        said = whole_svg(each, visitor.width) if form == "svg" else whole_pdf(each, visitor.width)
        assert visitor.says in said
        assert visitor.never not in said
        if form == "svg":
            assert on_traces(each, figure)
