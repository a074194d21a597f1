"""The first screen of every page, measured: a table for the documentation, and what is wrong.

Each page is opened on the sample and on a study of five systems with long names, light and dark, in
four windows. It ends with 1 where anything is cut, over another, too small, or out of sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.study.store import Store
from tests.support.first_screen import LAPTOPS, SIZES, FirstScreen, measured
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files
from tests.support.server import PAGES, Scheme, visiting, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

FILE = Path(__file__).with_name("first_screens.md")
SYSTEMS = 5
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
# at 1280 × 650, on the sample: where the figure and the sliders ended in version 6863a81
BEFORE: dict[str, tuple[int, int]] = {
    "overview": (485, 713),
    "query_order": (816, 713),
    "session_curves": (893, 713),
    "individual_sessions": (918, 713),
    "reformulations": (736, 713),
    "compare_systems": (832, 713),
    "robustness": (870, 713),
    "side_by_side": (1093, 713),
    "by_hand": (698, 474),
}
HEAD = """# The first screen of every page

Written by `make screenshots`, which opens every page in four windows, light and dark, on the sample
and on a study of five systems with long names, and ends with an error where a text is cut, over
another or under 12 pixels, where a page scrolls sideways, or where answer, figure or a slider is
not in sight as it should be. `make test` measures each page once at 1280 × 650.

Pixels from the window's top: where the answer and the figure begin and end, and where the sliders
of b and bq end; the figure's share of the window; the worst of light and dark. Windows of 650 are
what a laptop of 768 leaves a page.
"""
Seen = tuple[str, str, "ViewportSize", FirstScreen]


def first_screens(browser: Browser, address: str, workspace: Path) -> Iterator[Seen]:
    """Each page's first screen, with its study and window: of light and dark the worse."""
    store = Store(workspace)
    five = store.save(in_files(many_systems(NAMES[:SYSTEMS]))).digest[:12]
    for study, link in {"sample": "", "five systems": f"?study={five}"}.items():
        for size in SIZES:
            each: dict[str, list[FirstScreen]] = {name: [] for name in PAGES}
            for scheme in SCHEMES:
                with visiting(browser, address, size=size, scheme=scheme) as page:
                    for name, path in PAGES.items():
                        page.goto(f"{address}/{path}{link}")
                        wait_ready(page)
                        each[name].append(measured(page, name, size))
            for name, seen in each.items():
                worst = max(seen, key=lambda one: (len(one.faults), one.figure[1]))
                yield name, study, size, worst


def table(seen: list[Seen]) -> str:
    """The document: a section a page with its picture, a row a window."""
    parts = [HEAD, _before(seen)]
    for name in PAGES:
        parts.append(f"## {question_of(name).title}\n\n![{question_of(name).words}]({name}.png)\n")
        rows = [
            "| window | study | answer | lines | figure | sliders | share |",
            "|---|---|---|---|---|---|---|",
        ]
        for of, study, size, one in seen:
            if of == name:
                parts_of = [
                    f"{size['width']} × {size['height']}",
                    study,
                    "–".join(map(str, one.answer)),
                    str(one.lines),
                    "–".join(map(str, one.figure)),
                    str(one.sliders or "–"),
                    f"{one.share:.0%}",
                ]
                rows.append(f"| {' | '.join(parts_of)} |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _before(seen: list[Seen]) -> str:
    """Where figures and sliders ended before, and end now, on a laptop and the sample."""
    now = {name: one for name, study, size, one in seen if (study, size) == ("sample", LAPTOPS[0])}
    rows = [
        "| page at 1280 × 650 | figure ended | ends | sliders ended | end |",
        "|---|---|---|---|---|",
    ]
    for name, (figure, sliders) in BEFORE.items():
        one = now[name]
        ends = one.figure[1], sliders, one.sliders or "out of sight"
        rows.append(f"| {question_of(name).title} | {figure} | {' | '.join(map(str, ends))} |")
    return "\n".join(rows) + "\n"


def faults_of(seen: list[Seen]) -> list[str]:
    """What is wrong, a line each."""
    return [
        f"{name}, {study}, {size['width']} × {size['height']}: {fault}"
        for name, study, size, one in seen
        for fault in one.faults
    ]
