"""Arrow key on the b slider to the repainted figure, page by page, in the installed browser."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.studies import random_study, write_files
from tests.support.server import TRACES, browser_missing, browsing, serving, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOVES = 15
FIGURES = {
    "query_order": "Figure 1.",
    "session_curves": "Session curves.",
    "individual_sessions": "Figure 4.",
    "compare_systems": "Comparison. ",
    "side_by_side": "Side by side. ",
    "by_hand": "By hand.",
}
# from the key's own event to the first frame in which the figure has other values
TIMED = """alternative => new Promise(done => {
    const traces = %s;
    const before = traces(alternative);
    document.addEventListener('keydown', () => {
        const start = performance.now();
        const look = () => {
            const now = traces(alternative);
            if (now !== null && now !== before) done(performance.now() - start);
            else requestAnimationFrame(look);
        };
        look();
    }, {once: true, capture: true});
})"""


def bench_latency() -> None:
    """Print the median of each page, and its ratio to that of query_order."""
    if missing := browser_missing():
        print(f"no latency: {missing}")
        return
    times: dict[str, float] = {}
    with serving() as address, browsing() as browser:
        for name, alternative in FIGURES.items():
            with visiting(browser, f"{address}/{name}?b=3") as page:
                times[name] = median(moved(page, alternative) for _ in range(MOVES))
    times["individual_sessions, all 2,000"] = _many()
    for name, milliseconds in times.items():
        ratio = milliseconds / times["query_order"]
        print(f"arrow key to repainted {name}: {milliseconds:.0f} ms, {ratio:.2f} of query_order")


def _many(sessions: int = 2_000) -> float:
    """Milliseconds of one move where every session of a study is in one chart, one looked into."""
    view = "individual_sessions?b=3&system=all+systems&one_topic=all+topics&session=s000000"
    with tempfile.TemporaryDirectory() as folder:
        files = map(str, write_files(random_study(sessions), Path(folder)))
        with (
            serving("--study", *files) as address,
            browsing() as browser,
            visiting(browser, f"{address}/{view}") as page,
        ):
            return median(moved(page, "Figure 4.") for _ in range(MOVES))


def moved(page: Page, alternative: str) -> float:
    """Milliseconds of one move; the slider goes right, and back after ten."""
    slider = page.get_by_test_id("stSidebar").get_by_role("slider", name="b, rank")
    slider.focus()
    page.evaluate(
        f"alternative => {{ window.took = ({TIMED % TRACES})(alternative); }}", alternative
    )
    right = float(slider.get_attribute("aria-valuenow") or 0) < 6
    page.keyboard.press("ArrowRight" if right else "ArrowLeft")
    took = page.evaluate("window.took")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(150)
    return float(took)
