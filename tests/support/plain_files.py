"""Plain studies as files, and files as plain studies: the road to a real Study and back."""

import contextlib
import csv
import io
import json
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import reject

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import Definition
from sdcg_explorer.study.study import Study
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, Query

ROOT = Path(__file__).resolve().parents[2]
THREE_SESSIONS = ROOT / "sample_sessions" / "three_sessions"
ECIR2008 = ROOT / "sample_sessions" / "ecir2008"
TOYS = THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv"
Row: TypeAlias = tuple[object, ...]
LOG_HEADER = ("session", "searcher", "system", "topic", "query_number", "rank", "doc")


def log_rows(sessions: list[PlainSession]) -> list[tuple[object, ...]]:
    """Rows of log.csv; a query without results is a row without rank and doc."""
    return [
        (s.name, s.searcher, s.system, topic, number, rank, doc)
        for s in sessions
        for number, (topic, results) in enumerate(s.queries, start=1)
        for rank, doc in (results or {"": ""}).items()
    ]


def judgment_rows(plain: PlainStudy) -> list[tuple[object, ...]]:
    """Rows of judgments.csv."""
    return [(topic, doc, grade) for (topic, doc), grade in plain.judgments.items()]


def write_rows(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


def write_study(plain: PlainStudy, folder: Path) -> tuple[Path, Path]:
    """Write log.csv and judgments.csv."""
    return (
        write_rows(folder / "log.csv", LOG_HEADER, log_rows(plain.sessions)),
        write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judgment_rows(plain)),
    )


def written(folder: Path, **contents: str | bytes) -> dict[str, Path]:
    """Files of any content: log_csv="…" becomes log.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for key, content in contents.items():
        stem, _, ending = key.rpartition("_")
        paths[key] = folder / f"{stem}.{ending}"
        paths[key].write_bytes(content.encode() if isinstance(content, str) else content)
    return paths


def report_of(*files: Path | str) -> dict[str, Any]:
    """What `sdcg check --json` says of a log and its judgments."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = sdcg.main(["check", *map(str, files), "--json"])
    return {"exit": code} | json.loads(out.getvalue() or "{}")


def study_of(plain: PlainStudy) -> Study:
    """The Study that our readers make of these sessions, over real files.

    A log without any result is refused, and so are judgments that name none of its documents:
    Hypothesis is told to draw another. Judgments go as qrels, which are read in half the time of a
    CSV file.
    """
    lists = [results for session in plain.sessions for _, results in session.queries]
    shown = {doc for results in lists for doc in results.values()}
    judged = {doc for _, doc in plain.judgments}
    if not shown or (judged and judged.isdisjoint(shown)):
        reject()
    return _read_once(tuple(log_rows(plain.sessions)), tuple(judgment_rows(plain)))


@lru_cache(maxsize=64)  # what is drawn again, for the next case of a law, is not read again
def _read_once(rows: tuple[Row, ...], judged: tuple[Row, ...]) -> Study:
    with tempfile.TemporaryDirectory() as folder:
        log = write_rows(Path(folder) / "log.csv", LOG_HEADER, rows)
        qrels = Path(folder) / "qrels.txt"
        lines = [f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in judged]
        qrels.write_text("".join(lines), encoding="utf-8")
        return read_study(log, qrels)


def in_files(plain: PlainStudy) -> Study:
    """The Study that our readers make of these files."""
    with tempfile.TemporaryDirectory() as folder:
        return read_study(*write_study(plain, Path(folder)))


def rows_in(file: Path) -> list[dict[str, str]]:
    """Rows of a CSV file by the csv module alone."""
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def read_plain(log: Path, judgments: Path, columns: dict[str, str] | None = None) -> PlainStudy:
    """A study's files by the csv module alone; `columns` maps our names to the files' own."""
    own = {name: name for name in LOG_HEADER} | (columns or {})
    queries: dict[str, dict[int, Query]] = {}
    who: dict[str, tuple[str, str]] = {}
    for row in rows_in(log):
        name = row[own["session"]]
        who[name] = (row[own["system"]], row[own["searcher"]])
        asked = queries.setdefault(name, {})
        query = asked.setdefault(int(row[own["query_number"]]), (row[own["topic"]], {}))
        if row[own["rank"]]:
            query[1][int(row[own["rank"]])] = row[own["doc"]]
    graded = {
        (row[own["topic"]], row[own["doc"]]): float(row["grade"]) for row in rows_in(judgments)
    }
    sessions = [
        PlainSession(name, [asked[number] for number in sorted(asked)], *who[name])
        for name, asked in queries.items()
    ]
    return PlainStudy(sessions, graded)


def definition_of(choices: Choices, others: str = "pooled") -> Definition:
    """The product's definition for the same choices."""
    return Definition(
        weights=tuple(choices.gains.items()),
        b=choices.b,
        bq=choices.bq,
        top=choices.top,
        discount=choices.form,
        repeats=choices.repeats,
        ideal=choices.ideal,
        short_lists=choices.short,
        others=others,
    )
