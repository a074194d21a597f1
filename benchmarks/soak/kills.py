"""Servers killed around the moment in which a browser's upload is accepted, and what is left."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from benchmarks.soak.part import Part
from benchmarks.soak.processes import server_of
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import FILE, Store
from tests.support import plain_files, uploads, waiting
from tests.support.data_page import data_page, upload
from tests.support.server import answer, browsing, free_port, serving, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SETTLED = 0.5  # seconds in which news that were sent still arrive
SHORT = 12  # characters of a digest in a link
ENDS = {
    (False, False): "killed before the study was there",
    (False, True): "killed when it was there, and not acknowledged yet",
    (True, True): "killed after it was acknowledged",
    (True, False): "acknowledged, and lost",
}


@dataclass
class Killed:
    """Uploads so far: the digest of each, and which were acknowledged."""

    folder: Path
    chance: Random
    digests: list[str] = field(default_factory=list[str])
    acknowledged: list[str] = field(default_factory=list[str])
    saving: tuple[float, float] | None = None  # seconds from click to first file, and to the answer

    def there(self) -> set[str]:
        """Studies in the folder's file, which need not be whole."""
        return {kept.digest for kept in Store(self.folder).kept()}

    def begun(self) -> int:
        """When the folder's file was last written to, or is being written to by now."""
        files = (self.folder / FILE, self.folder / f"{FILE}-journal")
        return max((path.stat().st_mtime_ns for path in files if path.exists()), default=0)


def soak_kills(kills: int) -> Part:
    """Upload by a browser, kill the server, start it anew, look for the study; and once more."""
    part, port = Part(f"{kills} kills around saving"), free_port()
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name, browsing() as browser:
        killed = Killed(Path(name) / "studies", Random(kills))
        for i in range(kills + 1):
            with serving("--workspace", str(killed.folder), port=port) as address:
                if i:
                    ends[_ending(browser, address, killed, part)] += 1
                if i < kills:
                    _kill_while_accepting(browser, address, killed, Path(name) / f"{i}")
            _check_folder(killed, part)
    if kills and not killed.acknowledged:
        part.blame("no upload was acknowledged before its server was killed: none could be lost")
    for end in ENDS.values():
        part.add(end, f"{ends[end]}")
    part.add("errors and losses", f"{len(part.faults)}")
    return part


def _kill_while_accepting(browser: Browser, address: str, killed: Killed, folder: Path) -> None:
    """Have a study of its own accepted, and the server killed meanwhile."""
    log = uploads.LOG.replace("s2,", f"{folder.name} of {address},")
    folder.mkdir()
    files = [*plain_files.written(folder, log_csv=log, judgments_csv=uploads.JUDGMENTS).values()]
    killed.digests.append(read_study(*files).digest)
    with browser.new_context() as context, data_page(context, f"{address}/data") as page:
        upload(page, files)
        accept = _accept_and_kill if killed.saving else _accept_and_time
        accept(page, killed, server_of(address))
        page.wait_for_timeout(1000 * SETTLED)
        if _study(page) == killed.digests[-1][:SHORT]:
            killed.acknowledged.append(killed.digests[-1])


def _accept_and_time(page: Page, killed: Killed, server: int) -> None:
    """Accept, and see how long it takes; the server is killed when the browser has its study."""
    before, start = killed.begun(), time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(_wait_begun, killed, before)
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_function(
            "study => location.search.includes(`study=${study}`)", arg=killed.digests[-1][:SHORT]
        )
        said = time.monotonic() - start
        killed.saving = begun.result() - start, said
    os.kill(server, signal.SIGKILL)


def _accept_and_kill(page: Page, killed: Killed, server: int) -> None:
    """Accept, while a thread kills the server: counted from the click, or from the first file."""
    begun, said = killed.saving or (0.0, 0.0)
    before, from_click = killed.begun(), len(killed.digests) % 2
    if from_click:
        wait = killed.chance.uniform(0.8 * begun, 1.2 * said)
    else:  # most of them while files are written, which is soon done
        wait = (said - begun) * killed.chance.random() ** 3

    def kill() -> None:
        if not from_click:
            _wait_begun(killed, before)
        time.sleep(wait)
        os.kill(server, signal.SIGKILL)

    with ThreadPoolExecutor(1) as pool:
        killing = pool.submit(kill)
        page.get_by_role("button", name="Accept and open").click()
        killing.result()


def _wait_begun(killed: Killed, before: int) -> float:
    """Wait until something more stands in the folder; when it was."""
    end = time.monotonic() + waiting.PATIENCE
    while killed.begun() <= before and time.monotonic() < end:
        time.sleep(0.0005)
    return time.monotonic()


def _ending(browser: Browser, address: str, killed: Killed, part: Part) -> str:
    """What became of the last upload, as a browser sees it once the server is there again."""
    last = killed.digests[-1]
    acknowledged, there = last in killed.acknowledged, last in killed.there()
    if acknowledged or there:
        with visiting(browser, f"{address}/?study={last[:SHORT]}") as page:
            if _study(page) != last[:SHORT] or "2 sessions" not in answer(page):
                part.blame(f"{last[:SHORT]} is not opened: {answer(page)}")
    if acknowledged and not there:
        part.blame(f"{last[:SHORT]} was acknowledged, and is lost")
    return ENDS[acknowledged, there]


def _check_folder(killed: Killed, part: Part) -> None:
    """Whatever stands in the folder is whole, and what was acknowledged stands there."""
    store, there = Store(killed.folder), killed.there()
    for digest in there:
        with suppress(UnusableInputError):
            if store.load(digest).digest == digest and digest in killed.digests:
                continue
        part.blame(f"{digest[:SHORT]} is half a study")
    for digest in {*killed.acknowledged} - there:
        part.blame(f"{digest[:SHORT]} was acknowledged, and is lost")


def _study(page: Page) -> str:
    """The study that the page's address names."""
    return parse_qs(urlsplit(page.url).query).get("study", [""])[0]
