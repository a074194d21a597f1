"""Every page in a real browser: first screen, link, lines that move, axe, a phone's width."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest

from sdcg_explorer.questions.catalogue import QUESTIONS, question_of
from sdcg_explorer.study.store import Store
from tests.support import live_lines, plain_files, screen, server
from tests.support.accessibility import (
    PHONE,
    fits_the_phone,
    serious,
    show_all,
    switch,
    tells_the_phone,
    widen,
)
from tests.support.first_screen import LAPTOP, PROJECTOR, faults
from tests.support.many_systems import NAMES, many_systems
from tests.support.thorough import THOROUGH
from tests.support.uploads import sample
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from sdcg_explorer.study.study import Study

SCHEMES: tuple[server.Scheme, ...] = ("light", "dark")  # half of the pages each; both in make soak
WALK = [*zip(server.LINKS, server.PAGES.values(), strict=True), ("Ratings", "ratings")]
POLICY = "Content Security Policy"
RATED = sample("ECIR 2008 (reconstructed), with invented ratings")  # each page has an answer


class Walked(NamedTuple):
    """A tab, all that it asks for, all that its own policy refuses it, and all that it throws."""

    page: Page
    asked: list[str]
    refused: list[str]
    thrown: list[str]


@pytest.fixture(scope="module")
def walked(desk: BrowserContext, address: str) -> Iterator[Walked]:
    """A tab that opened on a phone and walks from page to page."""
    asked, refused, thrown = list[str](), list[str](), list[str]()

    def note(page: Page) -> None:
        page.on("console", lambda said: refused.append(said.text) if POLICY in said.text else None)
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("pageerror", lambda fault: thrown.append(str(fault)))

    desk.once("page", note)
    view = f"session_curves?b=3&bq=7&study={RATED}"
    with server.visiting(desk, f"{address}/{view}", size=PHONE) as page:
        assert faults(page, "session_curves", PHONE) == []
        fits_the_phone(page)
        widen(page, PROJECTOR)
        until(lambda: not faults(page, "session_curves", PROJECTOR), "figures drawn as wide")
        assert any(url.startswith("ws:") for url in asked)
        assert {("study", RATED), ("b", "3"), ("bq", "7")} <= view_of(page)
        yield Walked(page, asked, refused, thrown)


def view_of(page: Page) -> set[tuple[str, str]]:
    """What the link says."""
    return {*parse_qsl(urlsplit(page.url).query)}


@pytest.mark.parametrize(("name", "place"), WALK)
def test_page_fits_a_phone_and_axe_asks_nobody_and_its_lines_move_as_the_server_draws_them(
    name: str, place: str, walked: Walked
) -> None:
    page = walked.page
    widen(page, LAPTOP)
    taken = {own for own in view_of(page) if own[0] in ("study", "b", "bq")}
    server.turn_to(page, name)
    if place != "ratings":  # whose answer comes before figures
        assert faults(page, place or "overview", LAPTOP) == []
    assert page.locator("h2").first.get_attribute("id") == "answer"
    assert urlsplit(page.url).path == f"/{place}"
    assert len(taken & view_of(page)) == len(taken) == 3
    if place in live_lines.FIGURES:
        live_lines.assert_lines_move(page, place)
    elif place == "robustness":
        live_lines.assert_the_map_is_pointed_at(page)
    fits_the_phone(page)
    tells_the_phone(page)
    if THOROUGH > 1 or place != "individual_sessions":  # at which test_wall.py looks
        show_all(page)
        half = WALK.index((name, place)) // 7
        for scheme in SCHEMES if THOROUGH > 1 or place == "robustness" else SCHEMES[half:][:1]:
            switch(page, scheme)
            assert serious(page) == []
    remote = [url for url in walked.asked if urlsplit(url).scheme not in ("data", "blob")]
    walked.asked.clear()
    assert {urlsplit(url).hostname for url in remote} <= {"127.0.0.1"}
    assert walked.refused == walked.thrown == []


# pages without lines that follow; in make soak all, and each slider
STILL = [each.name for each in QUESTIONS if server.PAGES.get(each.name) not in live_lines.FIGURES]
NUMBERS = "Gain of grade 1", "asking again (bq)", "result list (b)"


@pytest.mark.parametrize("name", STILL if THOROUGH > 1 else STILL[1:2])
def test_what_does_not_follow_is_faint_until_the_server_has_drawn_it(
    walked: Walked, name: str
) -> None:
    page = walked.page
    widen(page, server.WIDE)
    server.turn_to(page, question_of(name).title)
    page.wait_for_selector(".st-key-live_module", state="attached")  # it comes last
    page.wait_for_selector(server.READY)
    place = STILL.index(name) % len(NUMBERS)
    for number in NUMBERS if THOROUGH > 1 else NUMBERS[place : place + 1]:
        live_lines.assert_is_faint_until_drawn(page, number, all_waits=name != "data")


def kept(study: Study) -> str:
    """The link to a study that the server keeps."""
    store = Store(Path(os.environ["SDCG_WORKSPACE"]))
    return f"study={store.save(study).digest[:12]}"


def test_first_screen_of_many_systems(desk: BrowserContext, address: str) -> None:
    many = kept(plain_files.in_files(many_systems(NAMES[:5])))
    with server.visiting(desk, f"{address}/session_curves?{many}", size=LAPTOP) as page:
        assert faults(page, "session_curves", LAPTOP) == []
        server.turn_to(page, "Query order")
        assert faults(page, "query_order", LAPTOP) == []


# an address of the app itself may name a session
AWAY = """() => [...document.querySelectorAll('[href], [src]')].map(one => one.href || one.src)
    .filter(to => typeof to === 'string' && new URL(to, location).host.includes('evil'))"""


def test_hostile_names_are_read_as_they_stand_and_become_no_link(
    desk: BrowserContext, address: str
) -> None:
    hostile = kept(plain_files.in_files(screen.hostile_study(screen.HOSTILE + screen.STUBBORN)))
    with server.visiting(desk, f"{address}/session_curves?{hostile}") as page:
        # each system's panel is headed by its sign and its name, in lines
        heads = page.locator(".annotation-text").all_text_contents()
        named = {"".join(head[1:].replace("\u2060", "").split()) for head in heads}
        assert {"".join(name.split()) for name in screen.HOSTILE + screen.STUBBORN} <= named
        # the others draw what these draw, or no names
        for name in ("Session curves", "Individual sessions", "Compare systems"):
            server.turn_to(page, name)
            assert page.evaluate(AWAY) == [], name
            assert page.evaluate("document.querySelectorAll('svg a').length") == 0, name
