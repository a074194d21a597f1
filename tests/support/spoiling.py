"""A small clean study, and what spreadsheets do to its tables: spoilers change rows of cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from random import Random

from tests.support.formats import Table, workbook_of

Grid = list[list[str]]
HEAD = ["session", "query_number", "rank", "doc", "topic", "clicked", "text"]
JUDGED = ["topic", "doc", "grade"]
WORDS = (
    ["Sitzung", "Anfrage", "Rang", "Dokument", "Thema", "geklickt", "Suchbegriff"],
    ["session", "requête", "rang", "document", "tâche", "clic", "texte de requête"],
    ["Sesión", "Consulta", "Posición", "Documento", "Tema", "clic", "texto de consulta"],
    ["会话", "查询", "排名", "文档", "主题", "点击", "查询词"],
)
MARKS = (("ja", "nein"), ("Oui", "Non"), ("sí", "no"), ("x", ""), ("✓", "✗"), ("WAHR", "FALSCH"),
         ("TRUE", "FALSE"), ("是", "否"))  # fmt: skip


def clean_study(chance: Random) -> tuple[Grid, Grid]:
    """A log and its judgments, each with its header; a click at least, or blanks say nothing."""
    log, docs = [HEAD], "abcdef"
    for session in range(1, chance.randint(2, 4)):
        topic = chance.choice("tu")
        for query in range(1, chance.randint(2, 4)):
            shown = chance.sample(docs, chance.randint(1, 4))
            about = [f"s{session}", str(query)]
            log += [[*about, str(rank), doc, topic, chance.choice("01"), f"query {query}"]
                    for rank, doc in enumerate(shown, start=1)]  # fmt: skip
    log[1][5] = "1"
    judged = [[topic, doc, chance.choice(("0", "1", "1.5", "2"))] for topic in "tu" for doc in docs]
    return log, [JUDGED, *judged]


def titled(grid: Grid, chance: Random) -> Grid:
    """Titles and blank rows above the header."""
    above = [[chance.choice(("Study of May", "", "Table 1"))] for _ in range(chance.randint(1, 3))]
    return [[*row, *[""] * (len(grid[0]) - 1)] for row in above] + grid


def blank_rows(grid: Grid, chance: Random) -> Grid:
    """Blank rows among the rows."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(len(grid) // 2, len(grid))
        grid = [*grid[:at], [""] * len(grid[0]), *grid[at:]]
    return grid


def totals(grid: Grid, chance: Random) -> Grid:
    """A row of totals at the foot."""
    word = chance.choice(("Total", "Summe:", "moyenne", "合计"))
    return [*grid, [word, *[""] * (len(grid[0]) - 2), "12"]]


def commas(grid: Grid, chance: Random) -> Grid:
    """Numbers with a decimal comma."""
    columns = [i for i, name in enumerate(HEAD) if name in ("query_number", "rank")]
    if len(grid[-1]) == len(JUDGED):
        return [[*row[:2], row[2].replace(".", ",")] for row in grid]
    i = chance.choice(columns)
    return [[*r[:i], f"{r[i]},0", *r[i + 1 :]] if r[i].isdigit() else r for r in grid]


def signs(grid: Grid, chance: Random) -> Grid:
    """Words and signs for yes and no."""
    yes, no = chance.choice(MARKS)
    i = len(HEAD) - 2
    return [[*r[:i], {"1": yes, "0": no}.get(r[i], r[i]), *r[i + 1 :]] if len(r) > i else r
            for r in grid]  # fmt: skip


def other_words(grid: Grid, chance: Random) -> Grid:
    """Columns called in another language."""
    words = dict(zip(HEAD, chance.choice(WORDS), strict=True))
    return [[words.get(cell, cell) for cell in row] for row in grid]


def in_two_rows(grid: Grid, chance: Random) -> Grid:
    """A header in two rows, the second with the names of a few columns."""
    at = next(i for i, row in enumerate(grid) if all(row))
    low = chance.sample(range(len(grid[at])), 2)
    upper = ["" if i in low else name for i, name in enumerate(grid[at])]
    lower = [name if i in low else "" for i, name in enumerate(grid[at])]
    return [*grid[:at], upper, lower, *grid[at + 1 :]]


def blank_columns(grid: Grid, chance: Random) -> Grid:
    """A column of nothing."""
    at = chance.randint(0, len(grid[0]))
    return [[*row[:at], "", *row[at:]] for row in grid]


SPOILERS: dict[str, Callable[[Grid, Random], Grid]] = {
    each.__name__: each
    for each in (other_words, commas, signs, totals, blank_rows, in_two_rows, titled, blank_columns)
}


def spoiled(grid: Grid, names: Sequence[str], chance: Random) -> Grid:
    """A table as several spoilers leave it, in their order."""
    for name in (name for name in SPOILERS if name in names):
        grid = SPOILERS[name](grid, chance)
    return grid


def as_file(grid: Grid, form: str) -> bytes:
    """A table as a file: with a sign between its cells, or a workbook."""
    if form == "xlsx":
        rows: list[tuple[str | None, ...]] = [tuple(cell or None for cell in row) for row in grid]
        return workbook_of(sheet=Table(tuple(grid[0]), rows[1:]))
    written = io.StringIO()
    csv.writer(written, delimiter=form, lineterminator="\n").writerows(grid)
    return written.getvalue().encode()
