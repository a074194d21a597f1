"""Search agents in a real browser: runs are dropped, accepted, compared and looked into."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

from tests.support.accessibility import serious
from tests.support.data_page import data_page, upload
from tests.support.server import answer, turn_to, wait_ready
from tests.support.two_agents import TASKS, write_agents

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext


def zipped_runs(folder: Path) -> list[Path]:
    """A zip with a file for each run, and the judgments."""
    log, judgments = write_agents(folder)
    packed = folder / "runs.zip"
    with zipfile.ZipFile(packed, "w") as into:
        for number, line in enumerate(log.read_text(encoding="utf-8").splitlines()):
            run = json.loads(line)
            usage = {"usage": {"input_tokens": 1000 + 10 * number, "output_tokens": 10}}
            name = f"{run['metadata']['model']}/{run['query_id']}.json"
            into.writestr(name, json.dumps(run | usage))
    return [packed, judgments]


def test_runs_that_are_dropped_lead_to_a_verdict(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    with data_page(desk, f"{address}/data") as page:
        upload(page, zipped_runs(tmp_path))
        said = page.locator("body").inner_text()
        assert f"A/task01.json and {2 * len(TASKS) - 1} more" in said
        assert "search (24): search" in said
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_url("**/?study=*")
        wait_ready(page)
        assert answer(page).startswith("24 sessions on 12 topics with 2 systems; 24 queries")
        page.get_by_role("combobox", name="Definition").click()
        page.get_by_role("option", name="Search agents", exact=True).click()
        page.get_by_text("Definition in force: Search agents").wait_for()
        turn_to(page, "Compare systems")
        ahead = "A and B don't differ clearly: B − A = 0.111 nsDCG (95 % interval 0.0171 to"
        assert answer(page).startswith(ahead)
        assert serious(page) == []
        page.get_by_role("link", name="task06: lost by ").click()
        for system in "AB":
            page.get_by_role("heading", name=f"{system}/task06, {system}: 1 query").wait_for()
        wait_ready(page)
        assert "ideal=spread" in page.url  # a line leads to what is in force now
        assert page.get_by_text("Where did it go wrong?").count() == 2
        page.get_by_text("It lost most against its ideal at Q1: ").first.wait_for()
        assert serious(page) == []
