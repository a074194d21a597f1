"""Our pages beside the least app of the same stack, alternating in one installed browser.

Opening to the first drawn figure, in new contexts and in one that knows the pages; an arrow key on
b to the frame with the moved curve, and to the server's own figure; frames while b is dragged;
bytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from tests.support.large_studies import random_study, write_files
from tests.support.server import (
    READY,
    TRACES,
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

ROUNDS, MOVES, STEPS = 3, 3, 60
LARGE = (10_000, 100_000)  # sessions, beside those of the sample
BARE = "bare app"
FIGURES = {
    BARE: "Bare.",
    "query_order": "Figure 1.",
    "session_curves": "Session curves.",
    "individual_sessions": "Figure 4.",
    "side_by_side": "Side by side. ECIR 2008, changed",
    "by_hand": "By hand.",
    "overview": "Small figure: Session curves",
}
OF_LARGE = ("query_order", "session_curves")
FIRST = """(() => {
    const drawn = '.js-plotly-plot .main-svg :is(.scatterlayer, .barlayer) .trace'
    const look = () => document.querySelector(drawn)
        ? window.firstFigure = performance.now() : requestAnimationFrame(look)
    requestAnimationFrame(look)
})()"""
PATHS = """alternative => {
    const figure = document.querySelector(`[role=figure][aria-label^="${alternative}"]`)
    const lines = '.scatterlayer path.js-line'
    const paths = [...(figure?.querySelectorAll(lines) ?? [])]
    return paths.length ? paths.map(path => path.getAttribute('d')).join() : null
}"""
# from the key's own event to the first frame in which the figure is another
TIMED = """alternative => new Promise(done => {
    const seen = %s
    const before = seen(alternative)
    document.addEventListener('keydown', () => {
        const start = performance.now()
        const look = () => {
            const now = seen(alternative)
            if (now !== null && now !== before) done(performance.now() - start)
            else requestAnimationFrame(look)
        }
        look()
    }, {once: true, capture: true})
})"""
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


def moved(page: Page, alternative: str, seen: str) -> float:
    """Milliseconds from an arrow key on b until what is seen of the figure is another."""
    slider = page.get_by_role("slider", name="result list (b)").first
    slider.focus()
    timed = f"alternative => {{ window.took = ({TIMED % seen})(alternative) }}"
    page.evaluate(timed, alternative)
    value = float(slider.get_attribute("aria-valuetext") or "")
    page.keyboard.press("ArrowRight" if value < 6 else "ArrowLeft")
    took = float(page.evaluate("window.took"))
    at_rest(page)
    return took


def dragged(page: Page) -> tuple[float, float]:
    """Median and 95th percentile of the frames while b is dragged, in milliseconds."""
    middle = page.get_by_role("slider", name="result list (b)").first.evaluate(MIDDLE)
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


def bench_latency() -> None:
    """Print every page's times as ratios to the least app's."""
    if missing := browser_missing():
        print(f"no latency: {missing}")
        return
    with ExitStack() as stack:
        bare = stack.enter_context(serving_bare())
        ours = stack.enter_context(serving())
        places = {BARE: bare, **{name: f"{ours}/{name}?b=3" for name in FIGURES if name != BARE}}
        places["overview"] = f"{ours}/?b=3"
        _bench("the sample", places)
    for sessions in LARGE:
        with tempfile.TemporaryDirectory() as folder:
            files = map(str, write_files(random_study(sessions), Path(folder)))
            bench_study(f"{sessions:,} sessions", *files)


def bench_study(words: str, *files: str) -> None:
    """Times of both pages of curves on a study's files, or on the sample."""
    study = ["--study", *files] if files else []
    with serving_bare() as bare, serving(*study) as ours:
        _bench(words, {BARE: bare, **{name: f"{ours}/{name}?b=3" for name in OF_LARGE}})


def _bench(words: str, places: dict[str, str]) -> None:
    """One study's pages, each in its turn, as often as there are rounds."""
    times: dict[str, Times] = defaultdict(lambda: defaultdict(list))
    sizes: dict[str, int] = {}
    frames: dict[str, tuple[float, float]] = {}
    with browsing() as browser, browser.new_context() as cached:
        for address in places.values():
            with opened(cached, address):
                pass
        for _ in range(ROUNDS):
            for name, address in places.items():
                with browser.new_context() as new, opened(new, address) as (_, first, sizes[name]):
                    times["opened, new context"][name].append(first)
                with opened(cached, address) as (page, first, _):
                    times["opened, known pages"][name].append(first)
                    for _ in range(MOVES):
                        curve = moved(page, FIGURES[name], PATHS)
                        times["key to moved curve"][name].append(curve)
                        figure = moved(page, FIGURES[name], TRACES)
                        times["key to the server's figure"][name].append(figure)
                    if name != BARE:
                        frames[name] = dragged(page)
    for what, of in times.items():
        least = median(of[BARE])
        print(f"{words}, {what}: {BARE} {least:.0f} ms")
        for name in places:
            if name != BARE:
                print(
                    f"    {name}: {median(of[name]):.0f} ms, {median(of[name]) / least:.2f} times"
                )
    for name, (half, most) in frames.items():
        drag = f"frames while dragged: median {half:.1f} ms, 95th percentile {most:.1f}"
        print(f"{words}, {name}: {drag}; {sizes[name] / 1e3:.0f} kB to open")
