"""Four visitors in browsers of their own take 20 figures at once; each gets their own, whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from tests.server import ANSWER, browsing, serving, visiting, wait_ready
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
from tests.test_browser_downloads import taken

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

FORMS = ("svg", "pdf", "png")
EACH = 5
PATIENCE = 60  # seconds that one visitor waits for the others
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

    def orders(self) -> list[tuple[str, int]]:
        """Forms and widths; no other visitor asks for these widths."""
        return [(FORMS[(self.number + i) % 3], 60 + 20 * i + 3 * self.number) for i in range(EACH)]


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
assert len({width for each in VISITORS for _, width in each.orders()}) == EACH * len(VISITORS)


def visit(visitor: Visitor, address: str, folder: Path, together: Barrier) -> dict[str, Any]:
    """Take all figures of a visitor, each as the others take one of theirs."""
    folder.mkdir()
    try:
        with browsing() as browser, browser.new_context(reduced_motion="reduce") as context:
            page = context.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            page.goto(f"{address}/{visitor.view}")
            wait_ready(page)
            open_fold(page)
            made: list[bytes] = []
            for form, width in visitor.orders():
                set_width(page, width)
                if form == "svg":  # another form is in force, or the width is not yet
                    choose(page, "Form", "png")
                choose(page, "Form", form)
                together.wait(PATIENCE)
                made.append(taken(page, f"{visitor.name}.{form}", folder))
            return {"made": made, "figure": of_figure(figures(page), visitor.figure)}
    except BaseException:
        together.abort()  # nobody waits for one who is gone
        raise


@pytest.fixture(scope="module")
def brought(
    desk: BrowserContext, address: str, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """What each visitor brought home, in their order."""
    with visiting(desk, f"{address}/{VISITORS[0].view}"):  # first visits are tested below
        folder = tmp_path_factory.mktemp("at_once")
    together = Barrier(len(VISITORS))
    with ThreadPoolExecutor(len(VISITORS)) as pool:
        going = [
            pool.submit(visit, each, address, folder / str(each.number), together)
            for each in VISITORS
        ]
        return [each.result() for each in going]


@pytest.mark.parametrize("visitor", VISITORS, ids=[str(each.number) for each in VISITORS])
def test_each_gets_their_own_figures_whole(visitor: Visitor, brought: list[dict[str, Any]]) -> None:
    made, figure = brought[visitor.number]["made"], brought[visitor.number]["figure"]
    assert len(made) == EACH
    for (form, width), each in zip(visitor.orders(), made, strict=True):
        if form == "png":
            assert whole_png(each, width) & {FIRST, SECOND} == visitor.colours
            continue
        said = whole_svg(each, width) if form == "svg" else whole_pdf(each, width)
        assert visitor.says in said
        assert visitor.never not in said
        if form == "svg":
            assert on_traces(each, figure)


def test_first_visitors_of_a_server_who_come_at_once_by_links_all_get_their_page(
    desk: BrowserContext,
) -> None:
    pages = [desk.new_page() for _ in VISITORS]
    try:
        with serving() as fresh:
            for page, visitor in zip(pages, VISITORS, strict=True):
                page.goto(f"{fresh}/{visitor.view}", wait_until="commit")
            for page in pages:
                page.wait_for_selector(f"{ANSWER}, [data-testid=stException]", timeout=60_000)
            assert [page.locator("[data-testid=stException]").count() for page in pages] == [0] * 4
    finally:
        for page in pages:
            page.close()
