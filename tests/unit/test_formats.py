"""The same study, written in every format that is read, is the same study: one digest."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path

import orjson
import pyarrow as pa
import pytest

from sdcg_explorer.reading import read, recipe
from sdcg_explorer.reading.formats import FORMATS, reader_of
from sdcg_explorer.reading.sources import Head, Source
from sdcg_explorer.study.study import Study
from tests.support.formats import (
    GRADES,
    STUDY,
    Asked,
    Files,
    by_query,
    by_result,
    csv_of,
    database_of,
    feather_of,
    frame_of,
    graded,
    gz_of,
    json_of,
    ods_of,
    old_workbook_of,
    page_of,
    parquet_of,
    put,
    qrels_of,
    query_objects,
    results,
    run_of,
    session_objects,
    workbook_of,
    xml_of,
    zip_of,
)
from tests.support.told import lists_of
from tests.unit.test_file_names import SIMULATED

EMPTY_LISTS = "clicked documents as lists that may be empty"
LOG, JUDGMENTS = csv_of(by_result()), csv_of(graded())
BY_CSV: Files = {"log.csv": LOG, "judgments.csv": JUDGMENTS}


def both(log: bytes, judgments: bytes, ending: str) -> Files:
    """A log and judgments whose names have the same ending."""
    return {f"log.{ending}": log, f"judgments.{ending}": judgments}


def tables(delimiter: str, ending: str, *, quoted: bool = False) -> Files:
    """Log and judgments as text with a delimiter."""
    log = csv_of(by_result(), delimiter, quoted=quoted)
    return both(log, csv_of(graded(), delimiter, quoted=quoted), ending)


def encoded(encoding: str) -> Files:
    """Log and judgments in another encoding."""
    return both(LOG.decode().encode(encoding), JUDGMENTS.decode().encode(encoding), "csv")


def mixed_ends() -> Files:
    """Lines that end in every way, in turns."""
    ends = cycle([b"\n", b"\r\n", b"\r"])
    log = b"".join(line + next(ends) for line in LOG.split(b"\n")[:-1])
    return both(log, JUDGMENTS.replace(b"\n", b"\r\n"), "csv")


def of_lists(docs: Callable[[Asked], object], clicked: Callable[[Asked], object]) -> Files:
    """A row per query, with judgments as CSV."""
    return both(csv_of(by_query(docs, clicked)), JUDGMENTS, "csv")


def as_json(values: object) -> str:
    """A list as JSON, as a cell."""
    return orjson.dumps(values).decode()


def flags(asked: Asked) -> list[bool]:
    """Whether each result was clicked."""
    return [doc in asked.clicked for doc in asked.docs]


def by_json(objects: list[dict[str, object]]) -> Files:
    """Log and judgments as JSON lines."""
    return both(json_of(objects), json_of(graded().objects()), "jsonl")


def by_value(log: object) -> Files:
    """A log as one JSON value over many lines."""
    return {
        "log.json": orjson.dumps(log, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS),
        "judgments.csv": JUDGMENTS,
    }


def parquet_lists() -> Files:
    """A log with lists in its columns."""
    table = by_query(lambda q: list(q.docs), flags)
    lists = {"docs": pa.list_(pa.string()), "clicked": pa.list_(pa.bool_())}
    return both(parquet_of(table, **lists), parquet_of(graded()), "parquet")


BY_JSON = by_json(by_result().objects())
FULL: dict[str, Files] = {
    "comma": BY_CSV,
    "semicolon": tables(";", "csv"),
    "tab": tables("\t", "tsv"),
    "every cell quoted": tables(",", "csv", quoted=True),
    "mixed line ends": mixed_ends(),
    "UTF-8 with byte order mark": encoded("utf-8-sig"),
    "UTF-16": encoded("utf-16"),
    "Latin-1": encoded("latin-1"),
    "grades with a point": both(LOG, csv_of(graded(form=lambda g: f"{float(g)}")), "csv"),
    "lists as JSON": of_lists(lambda q: as_json(q.docs), lambda q: as_json(flags(q))),
    "lists as Python": of_lists(
        lambda q: str(list(q.docs)), lambda q: str(list(map(int, flags(q))))
    ),
    EMPTY_LISTS: of_lists(lambda q: as_json(q.docs), lambda q: as_json(q.clicked)),
    "lists with blanks": of_lists(lambda q: " ".join(q.docs), lambda q: " ".join(q.clicked)),
    "lists with bars": of_lists(lambda q: "|".join(q.docs), lambda q: "|".join(q.clicked)),
    "JSON by result": BY_JSON,
    "JSON by query": by_json(query_objects(lists=False)),
    "JSON by query, documents as a list": by_json(query_objects(lists=True)),
    "JSON by session": by_json(session_objects()),
    "JSON by result, one value": by_value(by_result().objects()),
    "JSON by query, one value": by_value(query_objects(lists=False)),
    "JSON by session, one value": by_value(session_objects()),
    "Parquet": both(parquet_of(by_result()), parquet_of(graded()), "parquet"),
    "Parquet, ranks as pandas writes them": both(
        parquet_of(by_result(), rank=pa.float64(), clicked=pa.float32()),
        parquet_of(graded()),
        "parquet",
    ),
    "Parquet, lists": parquet_lists(),
    "Feather": both(feather_of(by_result()), feather_of(graded()), "feather"),
    "one page": {"study.xls": page_of(by_result(), graded())},
    "Excel's XML": {"study.xml": old_workbook_of(by_result(), graded())},
    "one database": {"study.db": database_of(log=by_result(), judgments=graded())},
    "ods": {"study.ods": ods_of(by_result(), graded())},
    "JSON, objects below one another": {
        "log.json": b"\n".join(
            orjson.dumps(each, option=orjson.OPT_INDENT_2) for each in query_objects(lists=False)
        ),
        "judgments.csv": JUDGMENTS,
    },
    "JSON by columns": by_value(frame_of(by_result()).to_dict()),
    "JSON, rows below names": by_value(frame_of(by_result()).to_dict("split")),
    "workbooks": both(workbook_of(log=by_result()), workbook_of(judgments=graded()), "xlsx"),
    "one workbook": {"study.xlsx": workbook_of(log=by_result(), judgments=graded())},
    "CSV, gzip": gz_of(BY_CSV),
    "JSON, zip": {f"{name}.zip": zip_of({name: data}) for name, data in BY_JSON.items()},
    "one zip, in folders": {"study.zip": zip_of({f"a/b/{n}": c for n, c in BY_CSV.items()})},
    "judgments before the log": {"a.csv": JUDGMENTS, "b.csv": LOG},
}
NO_SYSTEM = both(csv_of(by_result(without=["system"])), JUDGMENTS, "csv")
XML: dict[str, Files] = {
    **{name: {"log.xml": xml_of(name)} for name in ("docno", "clueweb09id", "clueweb12id")},
    "ranks from 0, pages folded": {"log.xml": xml_of("id", first=0, paged=True)},
    "gzip": gz_of({"log.xml": xml_of("docno")}),
}


def of_run(session: str, system: str = "A") -> list[Asked]:
    """What a run can say of the study: sessions (by a pattern) that are their own topics."""
    names = {asked.session: session.format(asked.session[1:]) for asked in STUDY}
    return [
        replace(q, session=names[q.session], topic=names[q.session], system=system) for q in STUDY
    ]


def own_grades(study: list[Asked]) -> dict[tuple[int | str, str], float]:
    """Judgments of the study under the topics of a run."""
    topics = {asked.session[-2:]: asked.topic for asked in STUDY}
    pairs = {(asked.topic, topics[str(asked.topic)[-2:]]) for asked in study}
    return {
        (own, doc): grade
        for own, topic in sorted(pairs, key=str)
        for (of, doc), grade in GRADES.items()
        if of == topic
    }


def reduced(study: list[Asked], judged: list[Asked], *more: str) -> Files:
    """The CSV files of what a run says; `more` are columns that it does not say."""
    without = [*more, "searcher", "query", "time", "clicked"]
    log = csv_of(by_result(study, without=without))
    return both(log, csv_of(graded(own_grades(judged))), "csv")


RUN = of_run("{}")
S_RUN = of_run("s{}", "bm25")
OTHER = [replace(asked, docs=asked.docs[::-1], system="neural") for asked in of_run("{}")]
BM25 = [replace(asked, system="bm25") for asked in RUN]
EARLY = [asked for asked in BM25 if asked.session in ("11", "12")]
LATE = [asked for asked in OTHER if asked.session in ("13", "14")]
QRELS = {"qrels.txt": qrels_of(own_grades(RUN))}
ONE_RUN = {"bm25.run": run_of(RUN, "{}-{}"), **QRELS}
TWO_RUNS = {"bm25.run": run_of(BM25, "{}-{}"), "neural.run": run_of(OTHER, "{}-{}"), **QRELS}
NAMED = [replace(q, session=f"{q.system}/{q.session}") for q in (*BM25, *OTHER)]
LOGS = {
    f"{name}.csv": csv_of(by_result(asked, without=["system"]))
    for name, asked in (("bm25", STUDY), ("neural", [replace(q, searcher="p9") for q in STUDY]))
}
BY_FILE = [
    replace(q, session=f"{system}/{q.session}", system=system, searcher=who or q.searcher)
    for system, who in (("bm25", ""), ("neural", "p9"))
    for q in STUDY
]
BY_NUMBERS = {
    f"{name}.json": orjson.dumps(
        {f"{q.session}-{q.number}": {doc: 9.5 - rank for rank, doc, _ in results(q)} for q in run}
    )
    for name, run in (("bm25", BM25), ("neural", OTHER))
}
RUNS: dict[str, tuple[Files, Files]] = {
    "query ids such as 12-3": (ONE_RUN, reduced(BM25, RUN)),
    "query ids such as s12_q3": (
        {"bm25.run": run_of(S_RUN, "{}_q{}"), "qrels.txt": qrels_of(own_grades(S_RUN))},
        reduced(S_RUN, S_RUN),
    ),
    "runs of different sessions": (
        {"bm25.run": run_of(EARLY, "{}-{}"), "neural.run": run_of(LATE, "{}-{}"), **QRELS},
        reduced([*EARLY, *LATE], RUN),
    ),
    "runs of the same sessions": (TWO_RUNS, reduced(NAMED, RUN)),
    "runs as JSON": (BY_NUMBERS | QRELS, reduced(NAMED, RUN)),
    "runs in one zip": ({"study.zip": zip_of(TWO_RUNS)}, reduced(NAMED, RUN)),
}
BY_SYSTEM = "a system by file"
REFERENCES: dict[str, Files] = {
    "CSV": BY_CSV,
    "CSV without systems": NO_SYSTEM,
    BY_SYSTEM: both(csv_of(by_result(BY_FILE)), JUDGMENTS, "csv"),
    **{name: reference for name, (_, reference) in RUNS.items()},
}
CASES: dict[str, tuple[Files, str]] = {
    **{name: (files, "CSV") for name, files in FULL.items()},
    **{
        f"XML, {name}": ({**files, "qrels.txt": qrels_of(GRADES)}, "CSV without systems")
        for name, files in XML.items()
    },
    **{name: (files, name) for name, (files, _) in RUNS.items()},
    BY_SYSTEM: ({**LOGS, "judgments.csv": JUDGMENTS}, BY_SYSTEM),
}


@cache
def digest_of(reference: str) -> str:
    """Digest of the CSV files that say the same."""
    with tempfile.TemporaryDirectory() as folder:
        return read.read_study(put(Path(folder), REFERENCES[reference])).digest


def as_uploads(paths: list[Path], files: Files, rules: recipe.Recipe) -> Study:
    """The study of uploads, the last first."""
    sources = [Source(name, path) for name, path in zip(files, paths, strict=True)][::-1]
    about, parts = read.read_parts(sources)
    return read.reading_of(about, parts[::-1], name="uploads", recipe=rules).study()


def as_zip(paths: list[Path], files: Files, rules: recipe.Recipe) -> Study:
    """The study of a zip; one that holds a zip is given as it is."""
    if any(name.endswith(".zip") for name in files):
        return read.read_study(paths, recipe=rules)
    packed = {"study.zip": zip_of(dict(reversed(files.items())))}
    return read.read_study(put(paths[0].parent.parent, packed), recipe=rules)


WAYS: list[Callable[[list[Path], Files, recipe.Recipe], Study]] = [
    lambda paths, _, rules: read.read_study(paths[::-1], recipe=rules),
    lambda paths, _, rules: read.read_study(paths[0].parent, recipe=rules),
    as_uploads,
    as_zip,
]
IN_EVERY_WAY = {"comma", "XML, docno", "runs of the same sessions", BY_SYSTEM}  # others in two


@pytest.mark.parametrize("form", CASES)
def test_the_same_study_is_read_in_every_form_and_whichever_way_it_is_given(
    form: str, tmp_path: Path
) -> None:
    files, reference = CASES[form]
    rules = recipe.Recipe(system_by_file=form == BY_SYSTEM)
    paths = put(tmp_path / "in", files)
    own = [*CASES].index(form) % len(WAYS)
    ways = WAYS if form in IN_EVERY_WAY else WAYS[own : own + 1]
    studies = [read.read_study(paths, recipe=rules), *(way(paths, files, rules) for way in ways)]
    assert {study.digest for study in studies} == {digest_of(reference)}
    first, *others = [sorted(study.report.files, key=str) for study in studies]
    assert all(report == first for report in others)
    assert {file.role for file in first} == {"log", "judgments"}
    assert all(file.rows_used == file.rows_in for file in first)


def test_the_study_that_all_are_compared_with_holds_what_was_written(tmp_path: Path) -> None:
    study = read.read_study(*put(tmp_path, BY_CSV))
    sessions = ["/".join(row) for row in study.sessions.astype(str).to_numpy().tolist()]
    assert sessions == ["s11/A/p1", "s12/A/p2", "s13/A/p1", "s14/A/p3"]
    assert study.queries[["text", "time"]].astype(str).to_numpy().tolist() == [
        *(['café "au lait"', "10:38:38.560218"], ["nothing, found", "10:39:02"]),
        *(["a first line\na second", "10:41:07.5"], ["naïve; tea\tpot", "3.5"]),
        *(["tea", "0.25"], ["tea pot", "61"], ["coffee", "17.125"]),
    ]
    assert lists_of(study) == (
        "s11.1 7: d1 é2* d,3 | s11.2 7: | s11.3 7: é2 d4 | s12.1 12: d5* d1* | s13.1 12: d5 | "
        "s13.2 12: d6* d5* d7 | s14.1 7: d1"
    )
    assert study.judgments["grade"].tolist() == [2.0, -2.0, 0.5, 4.0, 1.0, 1.0, 0.0, 3.25]


# every form of file has one reader, which recognises it by its content before any other does
OWN = "table of ours"
ONE_EACH: dict[str, bytes] = {  # a file for each reader, in the order in which they are tried
    OWN: LOG,
    "Parquet": parquet_of(by_result()),
    "workbook": workbook_of(log=by_result(), judgments=graded()),
    "database": database_of(log=by_result()),
    "page": page_of(by_result()),
    "session log in XML": xml_of("docno"),
    "JSON": json_of(by_result().objects()),
    "SimIIR": SIMULATED["news-bm25-1-GPT-short.log"],
    "click log": b"0\t0\tQ\t7\t1\td1\td2\n0\t5\tC\td2\n" * 2,
    "run or qrels": run_of(STUDY, "{}-{}"),
    "table": LOG,
}


def test_every_reader_recognises_and_reads_its_sample_and_none_before_it_does(
    tmp_path: Path,
) -> None:
    for reader, (name, sample) in zip(FORMATS, ONE_EACH.items(), strict=True):
        (path,) = put(tmp_path, {name: sample})
        head = Head(Source(name, path), own=name == OWN)
        assert reader_of(head) is reader
        assert reader.seems_ours(head)
        tables = reader.tables(head.source)
        assert len(tables) == 1 + (name == "workbook"), name
        assert all(len(table.rows) > 3 for table in tables), name
