"""Two visitors take figures at once; each gets their own, whole."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.server import visiting
from tests.support.taken import (
    choose,
    figures,
    of_figure,
    on_traces,
    open_fold,
    set_width,
    whole_png,
    whole_svg,
)
from tests.support.thorough import THOROUGH

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

pytestmark = pytest.mark.skipif(THOROUGH == 1, reason="ten seconds: in make soak")
FORMS = ("svg", "png")
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
        *(1, "session_curves?b=5&bq=2&systems=System+1&topics=A", "session_curves"),
        *("Session curves.", "Share of the ideal (nsDCG)", "System 2", frozenset({FIRST})),
    ),
)


@pytest.fixture(scope="module")
def brought(desk: BrowserContext, address: str) -> list[tuple[bytes, dict[str, Any]]]:
    """What each visitor took, and their figure: they come and press at once, by links."""
    with ExitStack() as stack:
        pages = [
            stack.enter_context(visiting(desk, f"{address}/{visitor.view}")) for visitor in VISITORS
        ]
        buttons = [chosen(page, visitor) for page, visitor in zip(pages, VISITORS, strict=True)]
        with ExitStack() as presses:
            coming = [presses.enter_context(page.expect_download()) for page in pages]
            for page, button in zip(pages, buttons, strict=True):
                page.bring_to_front()
                button.click()
        return [
            (each.value.path().read_bytes(), of_figure(figures(page), visitor.figure))
            for page, visitor, each in zip(pages, VISITORS, coming, strict=True)
        ]


def chosen(page: Page, visitor: Visitor) -> Locator:
    """The button that gives a visitor's figure in their form and width."""
    page.bring_to_front()  # a window that another covers is drawn once a second
    open_fold(page)
    set_width(page, visitor.width)
    choose(page, "Format", visitor.form)
    name = f"Download {visitor.name}.{visitor.form}, {visitor.width} mm wide"
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize("visitor", VISITORS, ids=[each.form for each in VISITORS])
def test_each_gets_their_own_figure_whole(
    visitor: Visitor, brought: list[tuple[bytes, dict[str, Any]]]
) -> None:
    made, figure = brought[visitor.number]
    if visitor.form == "png":
        assert whole_png(made, visitor.width) & {FIRST, SECOND} == visitor.colours
        return
    lines = " ".join(whole_svg(made, visitor.width).split())  # a name may stand in two
    assert visitor.says in lines
    assert visitor.never not in lines
    assert on_traces(made, figure)
