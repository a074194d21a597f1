"""What outlives a server, in a real browser: an upload, tags, a link; and what may be removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from sdcg_explorer.screen.module import LET_GO
from sdcg_explorer.study.store import Kept, Store
from tests.support.accessibility import COLOURS, fits_the_phone, serious, show_all, switch
from tests.support.data_page import JUDGMENTS, LOG, data_page, give, wait_previewed
from tests.support.server import READY, WIDE, answer, lines, serving, turn_to, visiting, wait_ready
from tests.support.studies import small
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize

CURVES = "Session curves"
ALERTS = "[data-testid=stSidebar] [data-testid=stAlert]"
OWN = "zu *eng* <b>"
COUNTED = "1 of 3 queries tagged; most often with A: typo (1)."
WALL_SIZED: ViewportSize = {"width": 2600, "height": 900}
FILES = {"log.csv": LOG, "judgments.csv": JUDGMENTS}
DRAG = """([kind, files]) => {
    const carried = new DataTransfer()
    for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name))
    const told = {bubbles: true, cancelable: true, dataTransfer: carried}
    return !document.querySelector('h2').dispatchEvent(new DragEvent(kind, told))
}"""
PRESSED = "[data-testid=stMain] [data-variant=pills][aria-pressed=true]"


@dataclass(frozen=True)
class Server:
    """A server: where it is, where it keeps its studies, and how it is killed, as by kill -9."""

    address: str
    folder: Path
    kill: Callable[[], None]


@dataclass(frozen=True)
class Upload:
    """An upload in progress, and what axe found on its page."""

    page: Page
    faults: list[str]


@dataclass(frozen=True)
class Left:
    """What the first server left: a link, and what it shows."""

    link: str
    shown: object


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("kept")
    with ExitStack() as stack:
        address = stack.enter_context(serving("--workspace", str(folder)))
        yield Server(address, folder, stack.close)


@pytest.fixture(scope="module")
def uploaded(desk: BrowserContext, first: Server) -> Iterator[Upload]:
    """Files dropped on the first page that the server gives, which is a deep link's.

    The data page has the upload in progress, a misleading column corrected, every fold open. It is
    looked at here, since what is accepted is no upload any more.
    """
    with visiting(desk, f"{first.address}/query_order?b=3") as page:
        title = page.get_by_role("heading", level=1).inner_text()
        assert title == "How much better is the last query than the others?"
        base = page.get_by_test_id("stSidebar").get_by_role("slider", name="result list (b)")
        assert base.get_attribute("aria-valuetext") == "3"
        drop(page)
        wait_previewed(page, [("b", "1"), ("c", "0"), ("a", "3"), ("d", "2")])
        page.get_by_text("Columns and their roles").first.click()
        give(page, "position", "no role")
        page.get_by_text("why this can't be used yet").wait_for()
        give(page, "order", "rank")
        wait_previewed(page, [("a", "3"), ("b", "1"), ("c", "0"), ("d", "2")])
        for fold in ("How doubtful input is taken", "Every count"):
            page.get_by_text(fold).first.click()
        show_all(page)
        faults = serious(page)
        switch(page, "dark")
        faults += serious(page, *COLOURS)
        fits_the_phone(page)
        yield Upload(page, faults)


def drop(page: Page) -> None:
    """Drop a log on a page with a figure, which leads to the page Data."""
    page.wait_for_selector(".st-key-dropping[style*=none]", state="attached")
    assert page.evaluate(DRAG, ["dragover", FILES])  # else the browser would open the file
    page.get_by_text(LET_GO).wait_for()
    assert page.evaluate(DRAG, ["drop", FILES])
    page.get_by_text(LET_GO).wait_for(state="hidden")
    page.get_by_role("button", name="Accept and open").wait_for()


def test_dropped_upload_in_progress_fits_a_phone_and_axe(uploaded: Upload) -> None:
    assert uploaded.faults == []


@pytest.fixture(scope="module")
def accepted(uploaded: Upload) -> Left:
    """The upload, opened."""
    page = uploaded.page
    page.set_viewport_size(WIDE)
    page.get_by_role("button", name="Accept and open").click()
    page.wait_for_url("**/?study=*")
    wait_ready(page)
    assert "2 sessions" in answer(page)
    link = page.url.split("?")[1]
    turn_to(page, "Session curves")
    drawn = lines(page, CURVES)
    return Left(f"session_curves?{link}", drawn)


def pill(page: Page, tag: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=tag, exact=True)


def wait_pressed(page: Page, *tags: str) -> None:
    """Wait until exactly these tags are given."""
    until(lambda: page.locator(PRESSED).all_inner_texts() == list(tags), f"{tags} pressed")
    page.wait_for_selector(READY)


def headings(page: Page) -> list[str]:
    return page.get_by_role("heading", level=3).all_inner_texts()


def cells(page: Page, table: str) -> list[list[str]]:
    """Rows of a table, as screen readers have them, once it is drawn."""
    region = page.get_by_role("region", name=table, exact=True)
    region.scroll_into_view_if_needed()
    rows = region.locator("tbody tr")
    rows.first.wait_for(state="attached")
    return [rows.nth(i).locator("td").all_inner_texts() for i in range(rows.count())]


@pytest.fixture(scope="module")
def tagged(desk: BrowserContext, first: Server) -> Left:
    """A session that was tagged, by a click and by typing."""
    store = Store(first.folder)
    digest = store.save(small()).digest
    link = f"individual_sessions?study={digest[:12]}&session=s1"
    with visiting(desk, f"{first.address}/{link}") as page:
        assert "Why did queries fail?" not in headings(page)
        pill(page, "typo").click()
        page.get_by_text(COUNTED).wait_for()
        page.get_by_label("Another tag").fill(OWN)
        page.get_by_label("Another tag").press("Enter")
        wait_pressed(page, "typo", OWN)
        assert page.get_by_label("Another tag").input_value() == ""
        assert pill(page, OWN).locator("em, b").count() == 0
    assert store.tags(digest) == {("s1", 1): ("typo", OWN)}
    return Left(link, None)


def picker(page: Page) -> str:
    return page.get_by_role("combobox", name="Study").input_value()


def test_renamed_study_stays_open_and_deleted_it_gives_way_to_another(
    desk: BrowserContext, first: Server
) -> None:
    before = Store(first.folder).kept()
    study = replace(small("renamed"), name="renamed")  # called as its first session
    kept = Store(first.folder).save(study)
    with data_page(desk, f"{first.address}/data?study={kept.digest[:12]}") as page:
        page.get_by_label("Note, shown on every page").wait_for()
        page.get_by_label("Name", exact=True).fill("Spring")
        page.get_by_label("Name", exact=True).press("Enter")
        page.get_by_role("button", name="Save name and note").click()
        until(lambda: picker(page) == "Spring", "the new name")
        page.get_by_role("slider", name="result list (b)").press("ArrowRight")
        page.wait_for_url("**b=2.5*")
        page.wait_for_selector(READY)
        assert page.locator(ALERTS).all_inner_texts() == []
        assert picker(page) == "Spring"
        delete(page, first.folder, before)
        until(lambda: answer(page).startswith("120 sessions"), "another study")
        page.wait_for_selector(READY)
        assert picker(page) == "ECIR 2008 (reconstructed)"
        assert page.locator(ALERTS).all_inner_texts() == []


def delete(page: Page, folder: Path, before: list[Kept]) -> None:
    """Delete the open study once it was asked; nothing else is."""
    after = Store(folder).kept()
    assert len(after) == len(before) + 1
    page.get_by_role("button", name="Delete …").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert (
        "Spring: this deletes the study, its notes, tags and your judgments from this machine"
        in dialog.inner_text()
    )
    assert Store(folder).kept() == after
    dialog.get_by_role("button", name="Delete", exact=True).click()
    dialog.wait_for(state="detached")
    page.get_by_test_id("stToast").get_by_text(
        "Deleted: Spring: the study, its notes, tags and your judgments"
    ).wait_for()
    until(lambda: Store(folder).kept() == before, "one study less, and no other")


@pytest.fixture(scope="module")
def second(first: Server, accepted: Left, tagged: Left) -> Iterator[Callable[[Left], str]]:
    """Where a server that took the place of the first, which was killed, has what that one left."""
    assert accepted.link != tagged.link
    first.kill()
    port = urlsplit(first.address).port or 0
    with serving("--workspace", str(first.folder), port=port) as address:
        assert address == first.address
        yield lambda left: f"{address}/{left.link}"


def test_accepted_study_is_there_after_a_kill(
    desk: BrowserContext, second: Callable[[Left], str], accepted: Left
) -> None:
    with visiting(desk, second(accepted)) as page:
        drawn = lines(page, CURVES)
        assert drawn == accepted.shown
        assert {"A", "B"} <= set(drawn)


def test_tags_outlive_the_server_and_go_with_their_study(
    desk: BrowserContext, second: Callable[[Left], str], tagged: Left, first: Server
) -> None:
    with visiting(desk, second(tagged), size=WALL_SIZED) as page:  # the table whole beside the wall
        wait_pressed(page, "typo", OWN)
        queries = cells(page, "Queries of session s1")
        assert [row[-1] for row in queries] == [f"typo; {OWN}", ""]
        assert "Why did queries fail?" in headings(page)
        page.get_by_text(COUNTED).wait_for()
        counts = [row[:4] for row in cells(page, "Tags by system")]
        assert counts == [["typo", "A", "1", "0.5"], [OWN, "A", "1", "0.5"]]
        Store(first.folder).delete(small().digest)  # in another window
        pill(page, "too broad").click()
        title = "Where is the study of this link?"
        until(lambda: page.locator("h1").inner_text() == title, "what became of the study")
        page.wait_for_selector(READY)
        assert "encountered an error" not in page.get_by_test_id("stMain").inner_text()
