"""Four visitors in two browsers take eight figures at once; each gets their own, whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.server import serving, wait_ready
from tests.support.taken import (
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
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

FORMS = ("svg", "pdf", "png")
EACH = 2
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

    @property
    def form(self) -> str:
        """The form that they ask for."""
        return FORMS[self.number % len(FORMS)]


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


@contextmanager
def visitors(*browsers: BrowserContext) -> Iterator[list[Page]]:
    """A page for each visitor, on a server that just began.

    They come at once, by links, from browsers that share nothing, in two windows of each.
    """
    with serving() as address, ExitStack() as stack:
        pages = [browser.new_page() for browser in (*browsers, *browsers)]
        for page in pages:
            stack.callback(page.close)
        for page, visitor in zip(pages, VISITORS, strict=True):
            page.set_default_timeout(1000 * PATIENCE)
            page.goto(f"{address}/{visitor.view}", wait_until="commit")
        for page in pages:
            wait_ready(page)
        yield pages


@pytest.fixture(scope="module")
def brought(desk: BrowserContext, elsewhere: BrowserContext) -> list[dict[str, Any]]:
    """What each visitor brought home: as many rounds as each takes, all press at once."""
    with visitors(desk, elsewhere) as pages:
        buttons = [chosen(page, visitor) for page, visitor in zip(pages, VISITORS, strict=True)]
        made: list[list[bytes]] = [[] for _ in VISITORS]
        for _ in range(EACH):
            with ExitStack() as stack:
                coming = [stack.enter_context(page.expect_download()) for page in pages]
                for page, button in zip(pages, buttons, strict=True):
                    page.bring_to_front()
                    button.click()
            for own, each in zip(made, coming, strict=True):
                own.append(each.value.path().read_bytes())
        told = [
            of_figure(figures(page), visitor.figure)
            for page, visitor in zip(pages, VISITORS, strict=True)
        ]
    return [{"made": own, "figure": figure} for own, figure in zip(made, told, strict=True)]


def chosen(page: Page, visitor: Visitor) -> Locator:
    """The button that gives a visitor's figure in their form and width."""
    page.bring_to_front()  # a window that another covers is drawn once a second
    open_fold(page)
    set_width(page, visitor.width)
    choose(page, "Form", visitor.form)
    name = f"Download {visitor.name}.{visitor.form}, {visitor.width} mm wide"
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize("visitor", VISITORS, ids=[str(each.number) for each in VISITORS])
def test_each_gets_their_own_figures_whole(visitor: Visitor, brought: list[dict[str, Any]]) -> None:
    made, figure = brought[visitor.number]["made"], brought[visitor.number]["figure"]
    assert len(made) == EACH
    for each in made:
        if visitor.form == "png":
            assert whole_png(each, visitor.width) & {FIRST, SECOND} == visitor.colours
            continue
        whole = whole_svg if visitor.form == "svg" else whole_pdf
        said = whole(each, visitor.width)
        lines = " ".join(said.split())  # a name may stand in two
        assert visitor.says in lines
        assert visitor.never not in lines
        if visitor.form == "svg":
            assert on_traces(each, figure)
