"""Ratings in a browser: both figures are drawn, axe has nothing, and a door opens its session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from sdcg_explorer.study.store import Store
from tests.support.accessibility import serious
from tests.support.rated import rated_study
from tests.support.server import READY, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

SIZE = "[document.documentElement.scrollWidth, window.innerWidth]"


def test_figures_are_drawn_and_a_door_opens_its_session(desk: BrowserContext, address: str) -> None:
    store = Store(Path(os.environ["SDCG_WORKSPACE"]))
    study = store.save(rated_study()).digest[:12]
    with visiting(desk, f"{address}/ratings?study={study}&rating=effort&b=3") as page:
        assert page.get_by_role("figure").count() >= 2
        assert serious(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        wide, window = page.evaluate(SIZE)
        assert wide <= window
        door = page.get_by_test_id("stMain").locator("[data-testid=stPageLink] a").first
        session = door.inner_text().partition(":")[0]
        door.click()
        page.wait_for_selector(READY)
        page.get_by_role("heading", name="Which sessions succeeded").wait_for()
        wait_ready(page)
        link = parse_qs(urlsplit(page.url).query)
        assert (link["session"][-1], link["b"][-1]) == (session, "3")
        page.get_by_role("heading", name=session).wait_for()
