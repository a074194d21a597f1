"""Whether a bundle is of its study: report, tables and texts are made again and compared."""

import base64
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from fnmatch import fnmatch
from html import unescape
from importlib.metadata import version
from io import BytesIO
from itertools import islice, zip_longest
from os.path import commonprefix
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from sdcg_explorer.export.bundle import write_bundle
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.own_study import OTHER_DIGEST, SUMS, read_sums
from sdcg_explorer.reading.own_study import RULE as BESIDE
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.sources import sources_of
from sdcg_explorer.reading.worker import read_apart, size_of
from sdcg_explorer.scoring.definition import Definition, Filters, read_definition
from sdcg_explorer.scoring.live import unpacked
from sdcg_explorer.study.machine import sum_of
from sdcg_explorer.study.problems import Problem, cut, error, refusal

DEFINITION = "scores/definition.toml"
FOLDERS = ("scores", "comparison", "agreement", "figures")
ENDINGS = (".csv", ".txt", ".toml")
BEFORE = 40  # characters of a line that are shown before the first that differs
MOST_TOLD = 1_000  # of one file
KEY = 2  # columns that name a row
NOTHING, UNMADE = "no line", f"a file that {SUMS} does not name"
EQUAL = 1e-9  # relative: machines round the last digits otherwise
NOTHING_LEFT = 1e-12  # a difference that is 0 but for that
FITTED = 1e-5  # of minima, which a search finds to fewer digits
SEARCHED = {"figures/fit.csv": FITTED, "figures/fits.csv": FITTED}
REPORT = "report.html"
MADE_WITH = re.compile(r'<p class="small">Made with Python [\w.+]+(, [\w-]+ [\w.+]+)+\.</p>')
SECTION = re.compile('(?:<details class="section" id="|figure )([^":]*)')
FIGURE = re.compile('<figure data-figure="([^"]*)"')
FIGURES = re.compile('<script type="text/plain" id="figures">([^<]*)</script>')
# a number, or an array that is packed
VALUE = re.compile(r'(\{"type":"\w+","data":"[^"]*"\}|-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)')
NUMBER = re.compile(rb"<td>[-\xe2\d][^<]*")  # of a report's cells
RULE = "numbers of a bundle are those of its study under its definition"
REMEDY = "Take the bundle as it was downloaded, or export it again."


MADE_BY = re.compile(r"^Made with .*\bsdcg-explorer (\d+)\.(\d+)", re.M)  # in a bundle's README.txt


FEW = "means of groups under ten searchers have intervals by t"
ENDS = ("low", "high")
OF_IDEALS = (
    *("final_normalised", "average_normalised", "ideal_sdcg", "ndcg", "lndcg", "esndcg"),
    *("relevant_found", "relative_recall", "recall_effort", "union_recall", "union_ndcg"),
    *("mean_ndcg", "mean_lndcg", "mean_relative_recall", "mean_recall_effort"),
    *("normalised", "normalised_low", "normalised_high", "saw_tooth"),
)
OF_ROWS = (*ENDS, "bounded", "top", "repeats", "weights", "discount", "ideal", "average", "b", "bq")
LAST = ("rbp_last", "inst_last", "err_last", "ndcg_last")
# files of a bundle, columns in which 1.0 wrote other numbers of the same study, and why, as the
# changelog's Numbers; and the choice of grades under which they changed, "" whatever it is
CHANGED_SINCE_1 = (
    ("*", LAST, "undefined where the last query is not known", ""),
    ("figures/*", ("last_best",), "counted before the query discount", ""),
    ("comparison/outcomes.csv", ENDS, "over tasks instead of runs", ""),
    *((f"figures/{name}.csv", ENDS, FEW, "") for name in ("means*", "under_*", "gain_per_cost")),
    ("figures/all_definitions.csv", OF_ROWS, "equal differences keep one order", ""),
    ("*", OF_IDEALS, "the ideal is made of the searchers' grades", "searcher"),
)


def changed_since_1(file: str, grades: str) -> dict[str, str]:
    """Why columns of a bundle's file hold other numbers than 1.0 wrote, by column."""
    found = dict[str, str]()
    for files, columns, why, under in CHANGED_SINCE_1:
        if fnmatch(file, files) and under in ("", grades):
            found |= dict.fromkeys(columns, why)
    return found


def older_maker(readme: Path | None) -> str:
    """The older major version that made a bundle, as "1.0"; "" where its README.txt names none."""
    text = readme.read_text(encoding="utf-8", errors="replace") if readme else ""
    found, ours = MADE_BY.search(text), int(version("sdcg-explorer").partition(".")[0])
    return f"{found[1]}.{found[2]}" if found and int(found[1]) < ours else ""


@dataclass(frozen=True)
class Verified:
    """What was made again of a bundle: files, numbers in them, and each thing that differs.

    The first of these is the study, where its tables were changed since. Files that are not made
    again, as pictures, are `unchanged` by their sums, or differ. Of a bundle that an older major
    version made (`made_by`), `changed` says why columns are not compared, by column.
    """

    files: int
    numbers: int
    differing: tuple[Problem, ...]
    changed: dict[str, str] = field(default_factory=dict[str, str])
    made_by: str = ""
    unchanged: int = 0


def verify(bundle: Path) -> Verified:
    """Make the report, tables and texts of a bundle again, of its own study, and compare them.

    All other files are held to their sums. Of a bundle that an older major version made, the tables
    alone are made again, and compared in the columns that both have.

    Raises
    ------
    UnusableInputError : no bundle, or one whose study can't be read
    """
    with TemporaryDirectory() as opened, TemporaryDirectory() as folder:
        files = _bundle_files(bundle, Path(opened))
        older = older_maker(files.get("README.txt"))
        _, sums = read_sums(files.pop(SUMS, None))
        study = read_apart(read_study, bundle, where=bundle.name, size=size_of([bundle]))
        again = Path(folder) / "again.zip"
        told = [each for each in study.report.problems if each.rule != BESIDE]  # of no report
        own = replace(study, report=replace(study.report, problems=told))
        view = StudyView(own, *_bundle_definition(bundle, files[DEFINITION]))
        grades = view.definition.grades
        with again.open("wb") as sink:
            write_bundle(sink, view, drawing=False)
        with zipfile.ZipFile(again) as made:
            names = [name for name in made.namelist() if _is_remade(name, older)]
            names = [name for name in names if not older or name in files or name in sums]
            texts = ((name, files.get(name), made.read(name)) for name in names)
            found = [_verify_file(*each, older and grades) for each in texts]
        beside = sorted({*files, *sums}.difference(names))
        faults = {name: _sum_fault(files.get(name), sums.get(name)) for name in beside}
        held = [error(name, None, each, RULE, REMEDY) for name, each in faults.items() if each]
    changed = [each for each in study.problems if each.found == OTHER_DIGEST]
    differing = [*changed, *(problem for each in found for problem in each.differing), *held]
    moved = {column: why for each in found for column, why in each.changed.items()}
    numbers = sum(each.numbers for each in found)
    return Verified(len(found), numbers, tuple(differing), moved, older, len(beside) - len(held))


def _sum_fault(path: Path | None, asked: str | None) -> str:
    """What is wrong with a file that is not made again, by its sum; "" where nothing is."""
    if path is None or asked is None:
        return UNMADE if path else "no such file"
    return "" if asked == sum_of(path) else "changed since it was made (its checksum differs)"


def _bundle_definition(bundle: Path, path: Path) -> tuple[Definition, Filters]:
    """Definition and filters of a bundle, its faults with the place that they have there."""
    try:
        return read_definition(path)
    except ValueError as fault:
        place = f"{bundle.name}, {DEFINITION}"
        raise ValueError(f"{place}{str(fault).removeprefix(str(path))}") from None


def _bundle_files(bundle: Path, folder: Path) -> dict[str, Path]:
    """The files of a bundle, by their names there, wherever the bundle's folder lies.

    Raises
    ------
    UnusableInputError : no bundle
    """
    files = {each.name: each.path for each in sources_of([bundle], folder) if not each.unread}
    around = next((n.removesuffix(DEFINITION) for n in files if n.endswith(DEFINITION)), None)
    if around is None:
        rule, remedy = f"a bundle has {DEFINITION}", "Give the zip that sdcg export wrote."
        raise refusal(bundle.name, None, "no bundle", rule, remedy)
    own = {n.removeprefix(around): path for n, path in files.items() if n.startswith(around)}
    return {name: path for name, path in own.items() if not name.startswith("again/")}


def _is_remade(name: str, older: str) -> bool:
    """Whether a file is made again; the sentences of an older version may be worded otherwise."""
    is_table = name.partition("/")[0] in FOLDERS and name.endswith(".csv" if older else ENDINGS)
    return is_table or (name == REPORT and not older)


def _verify_file(name: str, given: Path | None, again: bytes, older: str) -> Verified:
    """One file as it was given, and as it is made again.

    older : the grades that count in a bundle of an older version; "" in one of this
    """
    if given is None:
        return Verified(1, 0, (error(name, None, "no such file", RULE, REMEDY),))
    content = given.read_bytes()
    if not name.endswith(".csv"):
        cells = again.partition(b'id="figures"')[0] if name == REPORT else b""
        return Verified(1, len(NUMBER.findall(cells)), _few(name, _diffs(name, content, again)))
    was, made = _csv_texts(content), _csv_texts(again)
    numbers, changed = int(np.isfinite(_numeric_cells(made[1:])).sum()), dict[str, str]()
    if content == again:
        return Verified(1, numbers, ())
    if older and len(was) and was.columns.is_unique:
        was, made, changed = _common_columns(was, made, changed_since_1(name, older))
    is_alike = was.shape == made.shape and [*was] == [*made]
    found = _differing_cells(name, was, made) if is_alike else _diffs(name, content, again)
    moved = {f"{column} of {name}": why for column, why in changed.items()}
    return Verified(1, numbers, _few(name, found), moved)


def _common_columns(
    was: pd.DataFrame, made: pd.DataFrame, changed: dict[str, str]
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, str]]:
    """Two tables in the columns that both have; why others of them are left out.

    Ranks beyond the longest list, which 1.0 wrote as well, are left out.
    """
    both = [name for name in made if name in was]
    changed = {name: why for name, why in changed.items() if name in both}
    if "rank" in both:
        was = was[was["rank"].isin(made["rank"])]
    kept = [name for name in both if name not in changed]
    return was[kept], made[kept], changed


def _few(name: str, differing: Iterator[Problem]) -> tuple[Problem, ...]:
    """As many as a reader may want of one file, and how many more there are."""
    told = (*islice(differing, MOST_TOLD),)
    more = sum(1 for _ in differing)
    return (*told, error(name, None, f"{more:,} more that differ", RULE, REMEDY)) if more else told


def _csv_texts(content: bytes) -> pd.DataFrame:
    """Cells of a CSV as texts, its header the first row; nothing where it is no table."""
    try:
        table = pd.read_csv(BytesIO(content), header=None, dtype=str, keep_default_na=False)
    except ValueError:
        return pd.DataFrame()
    return table.set_axis(table.iloc[0], axis=1)


def _numeric_cells(table: pd.DataFrame) -> Floats:
    """Numbers of a table's cells, (rows, columns); nan where a cell is none."""
    return table.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)


def _differing_cells(name: str, was: pd.DataFrame, now: pd.DataFrame) -> Iterator[Problem]:
    """Each cell of two tables of one form that differs, and by more than machines round."""
    apart = was.to_numpy() != now.to_numpy()
    bound = SEARCHED.get(name, EQUAL)
    apart &= ~np.isclose(_numeric_cells(was), _numeric_cells(now), rtol=bound, atol=NOTHING_LEFT)
    head, texts = [*now], [table.to_numpy(dtype=str) for table in (was, now)]
    for row, column in np.argwhere(apart).tolist():
        key = ", ".join(f"{what} {cut(str(texts[1][row, i]))}" for i, what in enumerate(head[:KEY]))
        old, new = (repr(cut(str(table[row, column]))) for table in texts)
        found = f"row {row:,} ({key}): {head[column]} is {old}, made again {new}"
        yield error(name, None, found, RULE, REMEDY)


def _diffs(name: str, was: bytes, now: bytes) -> Iterator[Problem]:
    """What differs between two texts, line by line; of reports, where lines are like each other.

    A report's template writes each row of a table as one line.
    """
    both = [each.decode("utf-8", "replace") for each in (was, now)]
    old_lines, lines = _with_figures(*both) if name == REPORT else [t.split("\n") for t in both]
    blocks = [("", 0, len(old_lines), 0, len(lines))]
    if name == REPORT:
        blocks = SequenceMatcher(None, old_lines, lines, False).get_opcodes()
    section, bounds = "", list[float]()
    for line in lines:
        section = found[1] if (found := SECTION.match(line)) else section
        bounds.append(FITTED if section == "fit" else EQUAL)
    bounds.append(EQUAL)
    for _, i, i_end, j, j_end in blocks:
        pairs = zip_longest(old_lines[i:i_end], lines[j:j_end])
        for number, (old, new) in enumerate(pairs, start=j):
            if old == new or all(MADE_WITH.fullmatch(each or "") for each in (old, new)):
                continue
            head, colon, _ = (new or old or "").partition(": ")
            figure = head + colon if head.startswith("figure ") else ""
            for said in _line_diffs(old, new, bounds[min(number, len(lines))]):
                place = None if figure else number + 1
                yield error(name, place, f"{figure}{said}", RULE, REMEDY)


def _with_figures(was: str, now: str) -> list[list[str]]:
    """Lines of two reports; behind them, where both can be read, a line for each figure's data."""
    texts, found = [was, now], [FIGURES.search(text) for text in (was, now)]
    if found[0] and found[1]:
        made = zlib.decompress(base64.b64decode(found[1][1]))
        with suppress(ValueError, zlib.error):
            # no more than what is made again, however much it would unpack to
            given = zlib.decompressobj().decompress(base64.b64decode(found[0][1]), 2 * len(made))
            for i, (text, data) in enumerate([(was, given), (now, made)]):
                parts = data.decode("utf-8", "replace").split("\n")
                named = zip_longest(["all", *FIGURE.findall(text)], parts, fillvalue="")
                lines = [FIGURES.sub("", text), *(f"figure {name}: {part}" for name, part in named)]
                texts[i] = "\n".join(lines)
    return [text.split("\n") for text in texts]


def _line_diffs(old: str | None, new: str | None, bound: float) -> Iterator[str]:
    """What differs between two lines, and by more than machines round, with what is around it."""
    read = [each and unescape(re.sub("(<[^<>]*>)+", " ", each)).strip() for each in (old, new)]
    both = read if read[0] != read[1] else [old, new]
    parts = [re.split(VALUE, each or "") for each in both]
    if None in both or len(parts[0]) != len(parts[1]):
        parts = [[each or ""] for each in both]
    places = [0, 0]
    for i, (was, now) in enumerate(zip(*parts, strict=True)):
        if was != now and not (i % 2 and _is_close(was, now, bound)):
            same = len(commonprefix([was, now]))  # noqa: RUF071 of letters
            said = (_excerpt_at(*each, same) for each in zip(both, places, strict=True))
            yield ", made again ".join(said)
        places = [places[0] + len(was), places[1] + len(now)]


def _is_close(was: str, now: str, bound: float) -> bool:
    """Whether two numbers, or arrays of them as reports pack them, are equal but for rounding."""
    try:
        given, made = (json.loads(each) for each in (was, now))
        if isinstance(made, dict):
            made = unpacked(made)
            given = unpacked(given, 8 * made.size + 1)
        alike = np.shape(given) == np.shape(made)
        return alike and np.allclose(given, made, bound, NOTHING_LEFT, equal_nan=True)
    except (OverflowError, TypeError, ValueError, zlib.error):
        return False


def _excerpt_at(text: str | None, place: int, same: int) -> str:
    """What stands around a place of a line, and from its next letters that are the same on."""
    if text is None:
        return NOTHING
    first = max(0, place + same - BEFORE)
    return repr(f"{'…' * (first > 0)}{cut(text[first:])}")
