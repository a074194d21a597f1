"""What files come to: records of many kinds, and the same with one thing wrong, in words.

A file of `files/` is a record: its files one after the other, each below a line with its name; a
sheet of a workbook is BOOK/SHEET. Where something is wrong, the lines that differ are told.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sdcg_explorer.questions.data.words import design_sentences
from sdcg_explorer.reading import read, recipe
from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.propose import Search
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.answers.made import FOLDER
from tests.support.agent_layouts import GRADES, LAYOUTS
from tests.support.formats import put, table_of, workbook_of
from tests.support.told import changes_of, remedies_of, said_of

Texts = dict[str, str]
Change = Callable[[list[str], random.Random], list[str]]
RECORDS = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "files").iterdir()}
AGENTS = {name: files for name, files in LAYOUTS.items() if "log.eval" not in files}
NAMES = (*sorted(RECORDS), *AGENTS)
AS_IS, UNNAMED = "as it is", "columns without names"
KEY, VALUE = re.compile(r'"(\w+)":'), re.compile(r': ?("[^"{}]*"|[\d.]+)')


def record(name: str) -> Texts:
    """The files of a record, by their names."""
    if name in AGENTS:
        texts = {file: content.decode() for file, content in AGENTS[name].items()}
        return {**texts, "judgments.tsv": GRADES.decode()}
    _, *parts = re.split(r"^=== (.+)\n", RECORDS[name], flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def told(name: str, wrong: Iterable[str]) -> dict[str, list[str]]:
    """What a record comes to, and for some things that are wrong what becomes otherwise."""
    asis = record(name)
    before, led = outcome(asis, led=True)
    found = {AS_IS: [*before, *led, *_tried(asis)]}
    unnamed = {file: _unnamed(text) for file, text in asis.items()}
    found[UNNAMED] = [*outcome(unnamed)[0], *_tried(unnamed)]
    for what in wrong:
        chance = random.Random(f"{name}, {what}")
        file = chance.choice(sorted(asis))
        changed = WRONG[what](asis[file].splitlines(), chance)
        texts = {**asis, file: "".join(f"{line}\n" for line in changed)}
        if texts != asis:
            now, _ = outcome({file: text for file, text in texts.items() if text})
            found[f"{what} ({file})"] = [*_differing(before, now)]
    return found


def text_of(name: str) -> str:
    """All of it, as it is kept."""
    parts = told(name, WRONG).items()
    return "\n".join(line for what, lines in parts for line in (f"# {what}", *lines)) + "\n"


def kept(name: str) -> dict[str, list[str]]:
    """What is kept of a record, by what is wrong."""
    text = path_of(name).read_text(encoding="utf-8")
    parts = (part.splitlines() for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:])
    return {what: lines for what, *lines in parts}


def path_of(name: str) -> Path:
    """Where it is kept."""
    return FOLDER / "kept" / f"reading-{re.sub('[^a-z_]+', '_', name)}.txt"


def _differing(before: list[str], now: list[str]) -> Iterator[str]:
    """Lines that are gone (-) and that are new (+)."""
    for line in unified_diff(before, now, n=0, lineterm=""):
        if not line.startswith(("@@", "---", "+++")):
            yield line


def outcome(texts: Texts, *, led: bool = False) -> tuple[list[str], list[str]]:
    """Lines that tell the study of these files, or why there is none; and where remedies led."""
    with TemporaryDirectory() as name:
        folder = _put_all(Path(name), texts)
        try:
            return [*_told(read.read_study(folder, name="study"))], []
        except UnusableInputError as refused:
            said = str(refused).replace(name, "study")
            ways = [*remedies_of(said)] if led else []
            ends = {f"{' '.join(way)} → ": _led(folder, way) for way in ways}
            whole = next((lines for _, *lines in ends.values() if lines), [])
            return said.splitlines(), [*(way + to for way, (to, *_) in ends.items()), *whole]


def _put_all(folder: Path, texts: Texts) -> Path:
    """A folder with these files, sheets in their workbook."""
    put(folder, {file: text for file, text in texts.items() if ".xlsx/" not in file})
    sheets = {file: table_of(text.encode()) for file, text in texts.items() if ".xlsx/" in file}
    if sheets:
        named = {file.partition("/")[2]: table for file, table in sheets.items()}
        put(folder, {next(iter(sheets)).partition("/")[0]: workbook_of(**named)})
    return folder


def _unnamed(text: str) -> str:
    """A table whose columns are called c0, c1, …; what has no header, or is no table, as it is."""
    first, *lines = text.splitlines()
    by, (cells, *_) = _cells([first])
    if len(cells) > 1 and not re.search("[0-9]", first):
        first = by.join(f"c{i}" for i in range(len(cells)))
    return "".join(f"{line}\n" for line in (first, *lines))


def _tried(texts: Texts) -> Iterator[str]:
    """Readings by what columns hold, the best first, with what speaks for each."""
    with TemporaryDirectory() as name:
        try:
            _, parts = read.read_parts([_put_all(Path(name), texts)])
        except UnusableInputError:
            return
        search = Search(parts, recipe.DEFAULT, partial(assemble, name="study"), ())
        for _, candidate in search.best_candidates():
            told = re.sub(r"np\.float64\(([^)]*)\)", r"\1", f"tried: {candidate}")
            yield re.sub(r"\d+\.\d+", lambda own: f"{float(own[0]):.6g}", told)


def _led(folder: Path, remedy: list[str]) -> list[str]:
    """Counts of the study that a remedy leads to and the study, or the first line of a refusal."""
    try:
        study = read.read_study(folder, recipe=recipe.DEFAULT.with_texts(remedy))
    except UnusableInputError as refused:
        return str(refused).splitlines()[:1]
    return [", ".join(f"{study.checked()[what]} {what}" for what in COUNTS), *_told(study)]


COUNTS = ("sessions", "queries", "results", "judgments", "topics", "systems", "clicked", "repeats")


def _told(study: Study) -> Iterator[str]:
    """Tables, cell by cell, and all that is said of them."""
    for name in ("sessions", "queries", "results", "judgments"):
        table = getattr(study, name)
        yield f"{name}: {', '.join(table.columns)}"
        rows = table.astype(object).where(table.notna(), "").astype(str).to_numpy()
        if name == "results":  # a line for each list
            lists: dict[str, list[str]] = {}
            for session, number, *cells in rows:
                lists.setdefault(f"{session} {number}", []).append("/".join(cells))
            yield from (f"  {key}: {' '.join(cells)}" for key, cells in lists.items())
        elif name == "judgments":
            yield from (f"  {', '.join(row)}" for row in sorted(rows.tolist()))
        else:
            yield from (f"  {', '.join(row)}" for row in rows)
    yield from design_sentences(study)
    for file in study.report.files:
        yield f"file: {file}"
    yield from (f"recipe: {name} = {value}" for name, value in study.report.recipe.items())
    yield from changes_of(study)
    yield from said_of(study)
    for what, number in study.checked().items():
        if number and what not in ("files", "problems", "recipe"):  # which are told already
            yield f"{what}: {number}"


def _cells(lines: list[str]) -> tuple[str, list[list[str]]]:
    """What parts a table's cells, and these; a row a line of what is no table."""
    by = max(",;\t ", key=lines[0].count)
    is_table = lines[0][:1] not in "{[<" and by in lines[0]
    return by, [line.split(by) if is_table else [line] for line in lines]


def _a_cell(change: Callable[[str], str]) -> Change:
    """A change of one cell below the header, or of one value of a tree."""

    def changed(lines: list[str], chance: random.Random) -> list[str]:
        by, cells = _cells(lines)
        filled = [(i, k) for i, row in enumerate(cells) for k, c in enumerate(row) if c and i]
        if len(cells[0]) > 1 and filled:
            row, column = chance.choice(filled)
            cells[row][column] = change(cells[row][column])
            return [by.join(row) for row in cells]
        text = "\n".join(lines)
        values = [*VALUE.finditer(text)]
        if not values:
            return lines
        at = chance.choice(values)
        quote = '"' * at[1].startswith('"')
        new = change(at[1].strip('"'))
        put_in = f"{quote}{new}{quote}" if quote or new else "null"
        return f"{text[: at.start(1)]}{put_in}{text[at.end(1) :]}".split("\n")

    return changed


def _a_column(change: Callable[[list[list[str]], int], object]) -> Change:
    """A change of one column, or of one key of a tree wherever it stands."""

    def changed(lines: list[str], chance: random.Random) -> list[str]:
        by, cells = _cells(lines)
        if len(cells[0]) > 1:
            change(cells, chance.randrange(len(cells[0])))
            return [by.join(row) for row in cells]
        keys = sorted({key for line in lines for key in KEY.findall(line)})
        if not keys:
            return lines
        key = chance.choice(keys)
        return [line.replace(f'"{key}":', '"another":') for line in lines]

    return changed


def _called_otherwise(cells: list[list[str]], column: int) -> None:
    cells[0][column] = "another"


def _taken_out(cells: list[list[str]], column: int) -> None:
    for row in cells:
        del row[column : column + 1]


def _turned(lines: list[str], _: random.Random) -> list[str]:
    by, cells = _cells(lines)
    return [by.join(row[::-1]) for row in cells]


def _shuffled(lines: list[str], chance: random.Random) -> list[str]:
    first, *others = lines
    return [first, *chance.sample(others, len(others))]


def _repeated(lines: list[str], chance: random.Random) -> list[str]:
    line = chance.randrange(1, len(lines)) if len(lines) > 1 else 0
    return [*lines[: line + 1], *lines[line:]]


def _without_one(lines: list[str], chance: random.Random) -> list[str]:
    line = chance.randrange(1, len(lines)) if len(lines) > 1 else 0
    return lines[:line] + lines[line + 1 :]


def _more(text: str) -> str:
    return re.sub(r"[0-9]+(?!.*[0-9])", lambda number: str(int(number[0]) + 1), text) or text


WRONG: dict[str, Change] = {
    "a file that lacks": lambda *_: [],
    "no first line": lambda lines, _: lines[1:],
    "a line that lacks": _without_one,
    "a line twice": _repeated,
    "lines in another order": _shuffled,
    "columns in another order": _turned,
    "a column that lacks": _a_column(_taken_out),
    "a column called otherwise": _a_column(_called_otherwise),
    "an empty cell": _a_cell(lambda _: ""),
    "a word in a cell": _a_cell(lambda _: "word"),
    "a number that is one more": _a_cell(_more),
    "blanks around a cell": _a_cell(lambda text: f" {text} "),
}
