"""The first screen: answer, whole figure and both sliders stand without scrolling."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.study.store.folder import FolderStore
from tests.support.first_screen import LAPTOPS, PHONE, PROJECTOR, measured
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files
from tests.support.server import PAGES, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_answer_figure_and_sliders_stand_in_one_look(desk: BrowserContext, address: str) -> None:
    store = FolderStore(Path(os.environ["SDCG_WORKSPACE"]))
    five = store.save(in_files(many_systems(NAMES[:5]))).digest[:12]
    faults: dict[str, tuple[str, ...]] = {}
    asked = [(LAPTOPS[0], "", name) for name in PAGES]
    asked += [(size, "", "session_curves") for size in (PHONE, PROJECTOR, LAPTOPS[1])]
    asked += [(LAPTOPS[0], f"?study={five}", name) for name in ("session_curves", "query_order")]
    with visiting(desk, address, size=LAPTOPS[0]) as page:
        for size, link, name in asked:
            page.set_viewport_size(size)
            page.goto(f"{address}/{PAGES[name]}{link}")
            wait_ready(page)
            faults[f"{name} {size['width']} {link[:6]}"] = measured(page, name, size).faults
    assert {place: found for place, found in faults.items() if found} == {}
