"""The pictures of the documentation.

A picture that is no longer what the app shows is named, and taken anew; with `--check` it is only
named, and the program ends with 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from sdcg_explorer.reading.read import RATED, sample_name, sample_studies
from tests.support import pages_of_text, server, waiting
from tests.support.data_page import data_page, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).resolve().parent
LIMIT = 250_000
# of 255, and of the points of a tile: what another version of the browser, or of its fonts, may
# change; a word that comes or goes is more, however large the picture
FAR, MANY, TILE = 48, 0.05, 32
MOVING = "[data-testid^=stSkeleton], [data-testid=stAppSkeleton]"
# the same bytes for the same page: no shortcuts in drawing that depend on time or on the screen
STEADY = (
    "--disable-partial-raster",
    "--disable-skia-runtime-opts",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
)


def at_rest(page: Page) -> bytes:
    """A picture of a page that nothing moves on any more: the next one is the same.

    What still stands for something else is looked for before each, as it may be gone after it.
    """
    taken = [b""]

    def is_still() -> bool:
        page.wait_for_selector(server.READY)
        moves = page.locator(MOVING).count()
        taken.append(b"" if moves else page.screenshot(animations="disabled", caret="hide"))
        return taken[-1] == taken[-2] != b""

    page.evaluate("document.fonts.ready")
    waiting.until(is_still, "a page at rest")
    return taken[-1]


def picture(browser: Browser, address: str, name: str) -> bytes:
    """One page."""
    with server.visiting(browser, address) as page:
        taken = at_rest(page)
    if len(taken) > LIMIT:
        raise ValueError(f"{name}: {len(taken):,} bytes; {LIMIT:,} at most")
    return taken


def own(browser: Browser, address: str) -> Iterator[tuple[str, bytes]]:
    """The way of docs/start.md: its two files are dropped, looked over and accepted."""
    with TemporaryDirectory() as folder, browser.new_context(reduced_motion="reduce") as context:
        paths = [Path(folder) / name for name in ("log.csv", "judgments.csv")]
        given = pages_of_text.files_of((HERE / "start.md").read_text(encoding="utf-8"))
        for path in paths:
            path.write_text(given[path.name], encoding="utf-8")
        with data_page(context, f"{address}/data") as page:
            upload(page, paths)
            yield "own_files.png", at_rest(page)
            page.get_by_role("button", name="Accept and open").click()
            page.wait_for_url("**/?study=*")
            server.wait_ready(page)
            server.turn_to(page, "Query order")
            yield "own_figure.png", at_rest(page)


def pictures(browser: Browser, address: str) -> Iterator[tuple[str, bytes]]:
    """Every picture, by its file's name."""
    yield from own(browser, address)
    guide = (HERE / "guide.md").read_text(encoding="utf-8")
    rated = next(each for each in sample_studies() if each.name == sample_name(RATED))
    for name, path in (server.PAGES | {"ratings": f"ratings?study={rated.digest[:12]}"}).items():
        if f"{name}.png" in guide:
            yield f"{name}.png", picture(browser, f"{address}/{path}", name)


def apart(one: bytes, other: bytes) -> float:
    """Largest share of a tile's points that two pictures colour otherwise; 1 if sizes differ."""
    first, second = (
        np.asarray(Image.open(BytesIO(each)).convert("RGB"), dtype=np.int16)
        for each in (one, other)
    )
    if first.shape != second.shape:
        return 1.0
    far = np.abs(first - second).max(axis=2) > FAR
    edges = [np.arange(0, length, TILE) for length in far.shape]
    tiles = np.add.reduceat(np.add.reduceat(far, edges[0], axis=0, dtype=int), edges[1], axis=1)
    return float(tiles.max() / TILE**2)


def renewed(file: Path, taken: bytes, *, write: bool) -> bool:
    """Whether a file is no longer what was taken; it is written then, if so asked."""
    share = apart(file.read_bytes(), taken) if file.exists() else 1.0
    if share <= MANY:
        return False
    if write:
        file.write_bytes(taken)
    sys.stdout.write(f"{file.name}: {share:.0%} of a tile's points differ{', written' * write}\n")
    return True


def main() -> None:
    """Take every picture from a server of our own, and compare it with the one that is here."""
    if missing := server.browser_missing():
        raise SystemExit(f"No pictures: {missing}.")
    only = "--check" in sys.argv[1:]
    with (
        TemporaryDirectory() as kept,
        server.serving("--workspace", kept) as address,
        server.browsing(*STEADY) as browser,
    ):
        each = pictures(browser, address)
        changed = [renewed(HERE / name, taken, write=not only) for name, taken in each]
        sys.stdout.write(f"{sum(changed)} of {len(changed)} pictures differ.\n")
    sys.exit(only and any(changed))


if __name__ == "__main__":
    main()
