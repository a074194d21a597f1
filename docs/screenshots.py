"""The pictures of the documentation: each page, and walks over the first screens of all."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from export.questions import QUESTIONS
from tests.support.server import (
    PAGES,
    READY,
    Scheme,
    browser_missing,
    browsing,
    serving,
    visiting,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

HERE = Path(__file__).resolve().parent
LIMIT = 200_000
SMALL, SETTLED = 0.5, 2_500  # of a walk: scale of its screens, milliseconds until nothing moves
SHEET = """body { display: flex; flex-wrap: wrap; gap: 16px; margin: 16px; font: 20px sans-serif }
    figure { margin: 0 } img { display: block; border: 1px solid grey }"""
WALKS: dict[str, tuple[Scheme, ViewportSize]] = {
    "light": ("light", {"width": 1280, "height": 720}),
    "dark": ("dark", {"width": 1280, "height": 720}),
    "phone": ("light", {"width": 390, "height": 844}),
}
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


def walk(browser: Browser, address: str, name: str, scheme: Scheme, size: ViewportSize) -> None:
    """Write the first screens of all pages, beside each other, as one picture."""
    page = browser.new_page(viewport=size, color_scheme=scheme)
    screens: list[str] = []
    for question in QUESTIONS:
        page.goto(f"{address}/{question.name if question is not QUESTIONS[0] else ''}")
        page.wait_for_selector(READY)
        page.wait_for_timeout(SETTLED)
        taken = b64encode(page.screenshot(type="jpeg", quality=80)).decode()
        image = f'<img width="{SMALL * size["width"]:.0f}" src="data:image/jpeg;base64,{taken}">'
        screens.append(f"<figure>{image}<figcaption>{question.title}</figcaption></figure>")
    page.set_viewport_size({"width": 2000, "height": 400})
    page.set_content(f"<style>{SHEET}</style>{''.join(screens)}")
    page.screenshot(path=HERE / f"walk_{name}.jpg", full_page=True, type="jpeg", quality=60)
    page.close()


def main() -> None:
    """Take every picture from a server of our own."""
    if missing := browser_missing():
        raise SystemExit(f"No pictures: {missing}.")
    with serving() as address, browsing(*STEADY) as browser:
        for name, path in PAGES.items():
            picture(browser, f"{address}/{path}", name)
        picture(browser, f"{address}/query_order", "query_order", "dark")
        for name, (scheme, size) in WALKS.items():
            walk(browser, address, name, scheme, size)


if __name__ == "__main__":
    main()
