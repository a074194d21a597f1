"""The first screen: answer, whole figure and both sliders stand without scrolling."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.study.store import Store
from tests.support.first_screen import LAPTOPS, PROJECTOR, measured
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files
from tests.support.server import turn_to, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, ViewportSize


def test_answer_figure_and_sliders_stand_in_one_look(desk: BrowserContext, address: str) -> None:
    store = Store(Path(os.environ["SDCG_WORKSPACE"]))
    five = store.save(in_files(many_systems(NAMES[:5]))).digest[:12]
    found: dict[str, tuple[str, ...]] = {}

    def measure(page: Page, name: str, size: ViewportSize = LAPTOPS[0], of: str = "") -> None:
        found[f"{of}{name} {size['width']}"] = measured(page, name, size).faults

    with visiting(desk, f"{address}/session_curves", size=PROJECTOR) as page:
        measure(page, "session_curves", PROJECTOR)
        page.set_viewport_size(LAPTOPS[1])
        page.reload()
        wait_ready(page)
        measure(page, "session_curves", LAPTOPS[1])
        page.set_viewport_size(LAPTOPS[0])
        page.goto(f"{address}/session_curves?study={five}")
        for name, title in (("session_curves", "Session curves"), ("query_order", "Query order")):
            turn_to(page, title)
            measure(page, name, of="five, ")
    assert {place: faults for place, faults in found.items() if faults} == {}
