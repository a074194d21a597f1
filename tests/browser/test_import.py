"""A workbook as studies keep them, from one upload to an opened study, in a real browser."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.accessibility import COLOURS, fits_the_phone, serious, switch
from tests.support.data_page import UPLOADER, data_page
from tests.support.formats import workbook
from tests.support.server import READY, WIDE, answer, wait_ready
from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PEOPLE, TASKS, SYSTEMS = 6, ("T1", "T2", "T3"), ("Alt", "Neu", "Sprache")
UNDERSTOOD = (
    "6 searchers × 3 topics × 3 systems, within searchers, each topic and system once (Latin "
    "square); 18 sessions, 28 queries, 6 of them without results."
)
MOST_CLICKS = 6  # of whoever has a workbook, the upload among them


def sheet(rows: list[list[Any]]) -> str:
    """Rows of a sheet, as a workbook has them; None is an empty cell."""

    def cell(place: str, value: Any) -> str:
        if isinstance(value, str):
            return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
        return f'<c r="{place}"><v>{value}</v></c>'

    made = ""
    for number, row in enumerate(rows, start=1):
        cells = [(f"{chr(65 + i)}{number}", value) for i, value in enumerate(row)]
        inner = "".join(cell(*each) for each in cells if each[1] is not None)
        made += f'<row r="{number}">{inner}</row>'
    return made


def study() -> bytes:
    """A protocol below a title, two assessors side by side, and a questionnaire.

    Each person has each task once and each system once. Six sessions ask in vain first. One answer
    of the questionnaire names nobody.
    """
    log: list[list[Any]] = [
        ["Protokoll der Sitzungen"],
        [None],
        ["VP", "Aufgabe", "System", "Anfrage Nr.", "Suchanfrage", "Pos.", "DokID", "geklickt"],
    ]
    rated: list[list[Any]] = [["VP", "Aufgabe", "Zufriedenheit"]]
    for person, task in product(range(PEOPLE), range(3)):
        who, system = f"VP{person + 1:02}", SYSTEMS[(person + task) % 3]
        queries = 2 if task == person % 3 or system == "Neu" else 1
        for number in range(1, queries + 1):
            about = [who, TASKS[task], system, number, f"Suche {task} {number}"]
            if system == "Neu" and number == 1:
                log.append([*about, None, None, None])
                continue
            for place in range(1, 5):
                doc = f"{TASKS[task].lower()}-{(person * 3 + number * 5 + place) % 12:03}"
                log.append([*about, place, doc, "x" if place == 2 else None])
        rated.append([who if (person, task) != (2, 1) else "vp99", TASKS[task], 1 + person % 5])
    judged: list[list[Any]] = [["Aufgabe", "DokID", "Gutachterin K", "Gutachter M"]]
    for task, number in product(TASKS, range(12)):
        grade = number % 4
        judged.append([task, f"{task.lower()}-{number:03}", grade, max(grade - number % 3 // 2, 0)])
    return workbook({"Protokoll": sheet(log), "Urteile": sheet(judged), "Fragebogen": sheet(rated)})


def settled(page: Page) -> None:
    page.wait_for_timeout(300)
    page.wait_for_selector(READY)


def test_a_workbook_is_one_upload_and_at_most_six_clicks(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    (path := tmp_path / "Studie.xlsx").write_bytes(study())
    with data_page(desk, f"{address}/data") as page:
        clicks = 1
        page.set_input_files(UPLOADER, path)
        highest = page.get_by_text("the highest of their grades", exact=True)
        session = page.get_by_role("button", name="searcher,topic")
        highest.wait_for()
        settled(page)
        for asked in (session, highest):
            if asked.is_visible():
                asked.click()
                clicks += 1
                settled(page)
        until(lambda: answer(page) == UNDERSTOOD, UNDERSTOOD)
        page.get_by_text("Ratings joined for 17 of 18 sessions; not found in the log").wait_for()
        page.get_by_text("Two assessors, weighted κ =").wait_for()
        assert serious(page) == []
        switch(page, "dark")
        assert serious(page, *COLOURS) == []
        fits_the_phone(page)
        page.set_viewport_size(WIDE)
        page.get_by_role("button", name="Accept and open").click()
        clicks += 1
        page.wait_for_url("**/?study=*")
        wait_ready(page)
        assert clicks <= MOST_CLICKS


def test_a_workbook_opens_by_the_keyboard_alone(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    (path := tmp_path / "Studie.xlsx").write_bytes(study())
    with data_page(desk, f"{address}/data") as page:
        page.set_input_files(UPLOADER, path)
        page.get_by_text("the highest of their grades", exact=True).wait_for()
        settled(page)
        session = page.get_by_role("button", name="searcher,topic")
        if session.is_visible():
            session.focus()
            page.keyboard.press("Enter")
            settled(page)
        page.get_by_role("radio", name="the mean of their grades").focus()
        page.keyboard.press("ArrowDown")
        until(lambda: answer(page) == UNDERSTOOD, UNDERSTOOD)
        page.get_by_role("button", name="Accept and open").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/?study=*")
        wait_ready(page)


def test_a_log_that_nobody_judged_opens_with_its_clicks(
    desk: BrowserContext, address: str, tmp_path: Path
) -> None:
    rows = [
        f"s{s},{'AB'[s % 2]},p{s},{q},{r},d{s}{q}{r},{int(r == 1 + (s + q) % 3)}"
        for s in range(8)
        for q in (1, 2)
        for r in (1, 2, 3)
    ]
    head = "session,system,searcher,query_number,rank,doc,clicked"
    (path := tmp_path / "log.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    with data_page(desk, f"{address}/data") as page:
        page.set_input_files(UPLOADER, path)
        page.get_by_role("button", name="Accept and open").click()
        page.wait_for_url("**/?study=*")
        wait_ready(page)
        until(lambda: "results in the top 10 were seen" in answer(page), "what was seen")
        page.goto(page.url.replace("/?", "/query_order?"))
        wait_ready(page)
        until(lambda: answer(page).startswith("Last queries"), "Figure 1")
        assert page.locator(".js-plotly-plot").first.is_visible()
        assert page.get_by_text("gains from clicks: what stands on top is clicked more").count()
