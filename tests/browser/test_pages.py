"""Every page in a real browser: first screen, link, privacy, accessibility, a phone's width."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

from sdcg_explorer.study.store import Store
from tests.support import plain_files, screen, server
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

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from sdcg_explorer.study.study import Study

SCHEMES: tuple[server.Scheme, ...] = ("light", "dark")  # page by page; both in make soak
# by axe in tests of their own
LOOKED_AT = {"query_order", "individual_sessions", "robustness"}
WALK = [*zip(server.LINKS, server.PAGES, strict=True), ("Ratings", "ratings")]
POLICY = "Content Security Policy"
RATED = sample("ECIR 2008 (reconstructed), with invented ratings")  # each page has an answer


@pytest.fixture(scope="module")
def walked(desk: BrowserContext, address: str) -> Iterator[tuple[Page, list[str], list[str]]]:
    """A tab that opened on a phone and walks from page to page: all that it asks for, all that
    its own policy refuses it."""
    asked, refused = list[str](), list[str]()

    def note(page: Page) -> None:
        page.on("console", lambda said: refused.append(said.text) if POLICY in said.text else None)
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))

    desk.once("page", note)
    with server.visiting(desk, f"{address}/session_curves?b=3&study={RATED}", size=PHONE) as page:
        assert faults(page, "session_curves", PHONE) == []
        fits_the_phone(page)
        widen(page, PROJECTOR)
        assert faults(page, "session_curves", PROJECTOR) == []
        assert any(url.startswith("ws:") for url in asked)
        yield page, asked, refused


@pytest.mark.parametrize(("name", "place"), WALK)
def test_page_fits_a_phone_and_axe_and_asks_nobody(
    name: str, place: str, walked: tuple[Page, list[str], list[str]]
) -> None:
    page, asked, refused = walked
    widen(page, LAPTOP)
    server.turn_to(page, name)
    if place in server.PAGES:  # of Ratings the answer comes before figures
        assert faults(page, place, LAPTOP) == []
    assert page.locator("h2").first.get_attribute("id") == "answer"
    link = urlsplit(page.url)
    assert link.path == f"/{server.PAGES.get(place, place)}"
    assert {("study", RATED), ("b", "3")} <= {*parse_qsl(link.query)}
    fits_the_phone(page)
    tells_the_phone(page)
    if THOROUGH > 1 or place not in LOOKED_AT:
        show_all(page)
        for scheme in SCHEMES if THOROUGH > 1 else SCHEMES[WALK.index((name, place)) % 2 :][:1]:
            switch(page, scheme)
            assert serious(page) == []
    remote = [url for url in asked if urlsplit(url).scheme not in ("data", "blob")]
    asked.clear()
    assert {urlsplit(url).hostname for url in remote} <= {"127.0.0.1"}
    assert refused == []


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
