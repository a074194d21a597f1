"""Our pages beside the least app of the same stack, in one installed browser.

Opening to the first drawn figure, in new contexts and in one that knows the pages; a key on b to
the frame with the moved curve; the server asked, to its whole answer; frames while b is dragged;
bytes.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from tests.support.server import (
    OF_STUDY,
    PAGES,
    READY,
    WIDE,
    browser_missing,
    browsing,
    free_port,
    is_healthy,
    serving,
)
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

ROUNDS, MOVES, STEPS = 3, 20, 60
BARE, SLIDER = "bare app", "result list (b)"
FIRST = """(() => {
    const drawn = '.js-plotly-plot .main-svg :is(.trace, .hm)'
    const look = () => document.querySelector(drawn)
        ? window.firstFigure = performance.now() : requestAnimationFrame(look)
    requestAnimationFrame(look)
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (...message) {
        window.asked = performance.now()
        return send.apply(this, message)
    }
})()"""
# from the key's own event to the first frame in which a curve is another; and from the question to
# the server, which waits until no key follows, to the last change of what the page shows, or the
# end of the script, after which all is still for half a second
TIMED = """() => { window.took = new Promise(done => {
    const paths = () => [...document.querySelectorAll('.scatterlayer path.js-line')]
        .map(path => path.getAttribute('d')).join()
    const before = paths()
    document.addEventListener('keydown', () => {
        const start = performance.now()
        let curve = null, last = start
        window.asked = null
        const still = new MutationObserver(() => { last = performance.now() })
        const app = document.querySelector('[data-testid=stApp]')
        const state = 'data-test-script-state'
        still.observe(app, {attributes: true, attributeFilter: [state]})
        still.observe(document.querySelector('[data-testid=stMain]'), {
            subtree: true, childList: true, characterData: true,
            attributes: true, attributeFilter: ['d', 'transform', 'x', 'y'],
        })
        const look = () => {
            const now = performance.now()
            if (curve === null && paths() !== before) curve = now - start
            const since = now - Math.max(last, window.asked)
            if (window.asked && app.getAttribute(state) === 'notRunning' && since > 500) {
                still.disconnect()
                done([curve, last - window.asked])
            } else requestAnimationFrame(look)
        }
        look()
    }, {once: true, capture: true})
}) }"""
TOOK = """Promise.race([window.took, new Promise((_, fail) =>
    setTimeout(fail, 30_000, `no answer to a key at ${location}`))])"""
FRAMES = """() => {
    window.frames_ = []
    let last = performance.now()
    const next = () => {
        const now = performance.now()
        window.frames_.push(now - last)
        last = now
        requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
}"""
MIDDLE = """node => {
    const box = node.getBoundingClientRect()
    return {x: box.x + box.width / 2, y: box.y + box.height / 2}
}"""
Times = dict[str, list[float]]


@contextmanager
def serving_bare() -> Iterator[str]:
    """Address of the least app."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    script = str(Path(__file__).with_name("bare.py"))
    options = ["--server.port", str(port), "--server.headless", "true"]
    quiet = ["--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options, *quiet]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            until(lambda: is_healthy(address), "the least app")
            yield address
        finally:
            server.kill()


@contextmanager
def opened(context: BrowserContext, address: str) -> Iterator[tuple[Page, float, int]]:
    """A page at rest; milliseconds to its first figure, and bytes that came with it."""
    page, received = context.new_page(), list[int]()
    page.set_viewport_size(WIDE)
    page.add_init_script(FIRST)
    page.on("websocket", lambda own: own.on("framereceived", lambda f: received.append(len(f))))
    try:
        page.goto(address)
        page.wait_for_function("() => window.firstFigure")
        first = float(page.evaluate("window.firstFigure"))
        at_rest(page)
        yield page, first, sum(received)
    finally:
        page.close()


def at_rest(page: Page) -> None:
    """Wait until the script rests and the browser has had time to draw."""
    page.wait_for_selector(READY)
    page.wait_for_timeout(400)


def moved(page: Page) -> tuple[float | None, float]:
    """Milliseconds from an arrow key on b to the moved curve; and the server's, to its answer."""
    slider = page.get_by_role("slider", name=SLIDER).first
    page.evaluate(TIMED)
    value = float(slider.get_attribute("aria-valuetext") or "")
    slider.press("ArrowRight" if value < 6 else "ArrowLeft")
    curve, answer = page.evaluate(TOOK)
    return curve, answer


def dragged(page: Page) -> tuple[float, float]:
    """Median and 95th percentile of the frames while b is dragged, in milliseconds."""
    middle = page.get_by_role("slider", name=SLIDER).first.evaluate(MIDDLE)
    x, y = middle["x"], middle["y"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y, steps=3)
    page.evaluate(FRAMES)
    for step in range(STEPS):
        page.mouse.move(x + 5 + step, y)
    frames = page.evaluate("window.frames_")
    page.mouse.up()
    at_rest(page)
    return median(frames), quantiles(frames, n=20)[-1]


def bench_latency(*files: str) -> None:
    """Print times of every page of a study, of the sample where no files are named."""
    if missing := browser_missing():
        print(f"no latency: {missing}")
        return
    study = ["--study", *files] if files else []
    with serving_bare() as bare, serving(*study) as ours:
        # those that draw of any study: Ratings does of one that has some
        drawn = {name: f"{ours}/{path}?b=3" for name, path in PAGES.items() if name in OF_STUDY}
        _bench({BARE: bare} | drawn)


def _bench(places: dict[str, str]) -> None:
    """Pages, each in its turn, as often as there are rounds."""
    times: dict[str, Times] = defaultdict(lambda: defaultdict(list))
    sizes: dict[str, int] = {}
    frames: dict[str, tuple[float, float]] = {}
    # what the tests tell Chromium to leave uncompiled is compiled
    with browsing("--js-flags=") as browser, browser.new_context() as known:
        for name, address in places.items():
            with opened(known, address) as (page, _, _):
                for move in range(MOVES + 1):
                    curve, answer = moved(page)
                    if move:  # the first reads what the others find
                        times["server asked, to its whole answer"][name].append(answer)
                    if move and curve is not None:
                        times["key on b to the moved curve"][name].append(curve)
                frames[name] = dragged(page)
        for _ in range(ROUNDS):
            for name, address in places.items():
                with browser.new_context() as new, opened(new, address) as (_, first, sizes[name]):
                    times["opened, new context"][name].append(first)
                with opened(known, address) as (_, first, _):
                    times["opened, known pages"][name].append(first)
    for what, of in times.items():
        least = median(of[BARE])
        print(f"{what}: {BARE} {least:.0f} ms")
        for name in (name for name in of if name != BARE):
            print(f"    {name}: {median(of[name]):.0f} ms, {median(of[name]) / least:.2f} times")
    for name, (half, most) in frames.items():
        drag = f"frames while b is dragged: median {half:.1f} ms, 95th percentile {most:.1f}"
        print(f"{name}: {drag}; {sizes[name] / 1e3:.0f} kB to open")
