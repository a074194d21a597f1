"""The pictures of the documentation: each page, wide and light, and one in the dark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.server import PAGES, Scheme, browser_missing, browsing, serving, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).resolve().parent
LIMIT = 200_000
# the same bytes for the same page: no shortcuts in drawing that depend on time or on the screen
STEADY = (
    "--disable-partial-raster",
    "--disable-skia-runtime-opts",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
)


def picture(browser: Browser, address: str, name: str, scheme: Scheme = "light") -> None:
    """Write one page's picture, as it stands when nothing moves any more."""
    ending = "_dark" if scheme == "dark" else ""
    with visiting(browser, address, scheme=scheme) as page:
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)  # Streamlit fades new elements in
        taken = page.screenshot(animations="disabled", caret="hide")
    if len(taken) > LIMIT:
        raise ValueError(f"{name}{ending}.png has {len(taken):,} bytes; {LIMIT:,} at most")
    (HERE / f"{name}{ending}.png").write_bytes(taken)


def main() -> None:
    """Take every picture from a server of our own."""
    if missing := browser_missing():
        raise SystemExit(f"No pictures: {missing}.")
    with serving() as address, browsing(*STEADY) as browser:
        for name, path in PAGES.items():
            picture(browser, f"{address}/{path}", name)
        picture(browser, f"{address}/query_order", "query_order", "dark")


if __name__ == "__main__":
    main()
