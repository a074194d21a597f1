"""One small study as plain data, and the same study written in every format that is read."""

import csv
import gzip
import io
import sqlite3
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

Files = dict[str, bytes]
Contents = Mapping[str, str | bytes]


def put(folder: Path, files: Contents) -> list[Path]:
    """Files of a folder, in the order they are given."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return [folder / name for name in files]


@dataclass(frozen=True)
class Table:
    """A header, and rows of texts and numbers; None is an empty cell."""

    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def objects(self) -> list[dict[str, Any]]:
        """One object per row, without its empty cells."""
        rows = [zip(self.header, row, strict=True) for row in self.rows]
        return [{name: cell for name, cell in row if cell is not None} for row in rows]


@dataclass(frozen=True)
class Asked:
    """A query; `docs` were shown from rank 1, `clicked` of them were clicked."""

    session: str
    searcher: str
    topic: int | str
    number: int
    text: str
    time: str
    docs: tuple[str, ...] = ()
    clicked: tuple[str, ...] = ()
    system: str = "A"


STUDY = [
    Asked("s11", "p1", 7, 1, 'café "au lait"', "10:38:38.560218", ("d1", "é2", "d,3"), ("é2",)),
    Asked("s11", "p1", 7, 2, "nothing, found", "10:39:02"),
    Asked("s11", "p1", 7, 3, "a first line\na second", "10:41:07.5", ("é2", "d4")),
    Asked("s12", "p2", 12, 1, "naïve; tea\tpot", "3.5", ("d5", "d1"), ("d5", "d1")),
    Asked("s13", "p1", 12, 1, "tea", "0.25", ("d5",)),
    Asked("s13", "p1", 12, 2, "tea pot", "61", ("d6", "d5", "d7"), ("d6", "d5")),
    Asked("s14", "p3", 7, 1, "coffee", "17.125", ("d1",)),
]
GRADES: dict[tuple[int | str, str], float] = {
    **{(7, "d1"): 2, (7, "é2"): -2, (7, "d,3"): 0.5, (7, "d4"): 4, (7, "d5"): 1},
    **{(12, "d5"): 1, (12, "d1"): 0, (12, "never"): 3.25},
}
ABOUT = ("session", "searcher", "system", "topic", "query_number", "query", "time")


def about(asked: Asked) -> tuple[Any, ...]:
    """What is said of a query, in the order of ABOUT."""
    session = (asked.session, asked.searcher, asked.system, asked.topic)
    return (*session, asked.number, asked.text, asked.time)


def results(asked: Asked) -> list[tuple[int, str, int]]:
    """Rank, document and click of each result."""
    return [(r, doc, int(doc in asked.clicked)) for r, doc in enumerate(asked.docs, start=1)]


def by_result(study: Iterable[Asked] = STUDY, *, without: Sequence[str] = ()) -> Table:
    """A row per result; a query without results has one too."""
    header = (*ABOUT, "rank", "doc", "clicked")
    none = (None, None, None)
    rows = [(*about(q), *result) for q in study for result in (results(q) or [none])]
    kept = [i for i, name in enumerate(header) if name not in without]
    return Table(tuple(header[i] for i in kept), [tuple(row[i] for i in kept) for row in rows])


def by_query(docs: Any, clicked: Any) -> Table:
    """A row per query, documents and clicks as `docs` and `clicked` write a query's."""
    rows = [(*about(asked), docs(asked), clicked(asked)) for asked in STUDY]
    return Table((*ABOUT, "docs", "clicked"), rows)


def graded(grades: dict[tuple[int | str, str], float] | None = None, form: Any = None) -> Table:
    """A row per judgment; `form` writes its grade."""
    rows = [
        (topic, doc, grade if form is None else form(grade))
        for (topic, doc), grade in (grades or GRADES).items()
    ]
    return Table(("topic", "doc", "grade"), rows)


def csv_of(table: Table, delimiter: str = ",", *, quoted: bool = False) -> bytes:
    """A CSV file in UTF-8."""
    text = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return text.getvalue().encode()


def table_of(data: bytes) -> Table:
    """The table of a CSV file, whose whole numbers are numbers."""
    header, *rows = csv.reader(io.StringIO(data.decode()))
    return Table(tuple(header), [tuple(int(c) if c.isdecimal() else c for c in r) for r in rows])


def json_of(objects: Iterable[dict[str, Any]]) -> bytes:
    """JSON lines."""
    return b"\n".join(map(orjson.dumps, objects)) + b"\n"


def query_objects(*, lists: bool) -> list[dict[str, Any]]:
    """An object per query, with its results as objects, or as lists of documents."""
    found: list[dict[str, Any]] = []
    for asked in STUDY:
        shown = [dict(zip(("rank", "doc", "clicked"), r, strict=True)) for r in results(asked)]
        more = {"docs": asked.docs, "clicked": asked.clicked} if lists else {"results": shown}
        found.append({**dict(zip(ABOUT, about(asked), strict=True)), **more})
    return found


def session_objects() -> list[dict[str, Any]]:
    """An object per session, its queries and their results within it."""
    found: list[dict[str, Any]] = []
    for _, group in groupby(query_objects(lists=False), key=lambda each: each["session"]):
        queries = list(group)
        outer = {name: queries[0][name] for name in ABOUT[:4]}
        inner = [{k: v for k, v in query.items() if k not in outer} for query in queries]
        found.append({**outer, "queries": inner})
    return found


def frame_of(table: Table) -> pd.DataFrame:
    """The table as one of pandas, which writes some forms."""
    return pd.DataFrame([*table.rows], columns=[*table.header])


def feather_of(table: Table) -> bytes:
    """A Feather file, which is Arrow's."""
    data = io.BytesIO()
    frame_of(table).to_feather(data)
    return data.getvalue()


def database_of(**tables: Table) -> bytes:
    """A database of SQLite with an empty table beside, as one that is written ahead."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE empty (a)")
        for name, table in tables.items():
            frame_of(table).to_sql(name, base, index=False)
        data = base.serialize()
    return data[:18] + b"\2\2" + data[20:]


def _marked(table: Table, row: str, cell: str) -> str:
    """Rows of markup; % stands for what is in a row, or in a cell."""
    rows = ([escape(str(v)) if v is not None else "" for v in each] for each in table.rows)
    every = ["".join(cell.replace("%", text) for text in each) for each in (table.header, *rows)]
    return "".join(row.replace("%", each) for each in every)


def page_of(*tables: Table) -> bytes:
    """A page of HTML with these tables below a title, as many programs write for Excel."""
    title = '<table border=1><tr><td colspan="9">The study</td></tr>'
    every = (f"{title}{_marked(table, '<tr>%', '<td>%</td>')}</table>" for table in tables)
    return f"<!DOCTYPE html><br><p>Made today{''.join(every)}".encode()


def old_workbook_of(*tables: Table) -> bytes:
    """Excel's XML of 2003."""
    cell = '<Cell><Data ss:Type="String">%</Data></Cell>'
    every = (f"<Table>{_marked(table, '<Row>%</Row>', cell)}</Table>" for table in tables)
    name = "urn:schemas-microsoft-com:office:spreadsheet"
    return f'<?xml version="1.0"?><Workbook xmlns:ss="{name}">{"".join(every)}</Workbook>'.encode()


def ods_of(*sheets: Table | str) -> bytes:
    """A workbook of LibreOffice; a sheet is a table, or the XML of its rows."""
    cell = '<table:table-cell office:value-type="string"><text:p>%</text:p></table:table-cell>'
    row = "<table:table-row>%</table:table-row>"
    empty = row.replace("row>", 'row table:number-rows-repeated="1048576">', 1)
    empty = empty.replace("%", '<table:table-cell table:number-columns-repeated="16384"/>')
    every = "".join(
        f'<table:table table:name="sheet {i}">'
        f"{sheet if isinstance(sheet, str) else _marked(sheet, row, cell) + empty}</table:table>"
        for i, sheet in enumerate(sheets)
    )
    spaces = (f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ODS)
    body = f"<office:body><office:spreadsheet>{every}</office:spreadsheet></office:body>"
    content = f"<office:document-content {' '.join(spaces)}>{body}</office:document-content>"
    return zip_of(
        {"content.xml": content.encode(), "META-INF/manifest.xml": b"<manifest/>"} | ODS_KIND
    )


def parquet_of(table: Table, **types: Any) -> bytes:
    """A Parquet file; `types` are those of columns whose cells do not tell."""
    columns = {
        name: pa.array([row[i] for row in table.rows], types.get(name))
        for i, name in enumerate(table.header)
    }
    data = io.BytesIO()
    pq.write_table(pa.table(columns), data)
    return data.getvalue()


ODS = "office", "table", "text"
ODS_KIND = {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def workbook_of(**sheets: Table) -> bytes:
    """A workbook of these sheets."""
    return workbook(sheets)


def workbook(
    sheets: Mapping[str, Table | str], strings: str = "", *, styles: str = "", merged: str = ""
) -> bytes:
    """A minimal workbook; a sheet is a table, or the XML of its rows; merged: ranges (A2:A4 B2)."""
    ranges = "".join(f'<mergeCell ref="{each}"/>' for each in merged.split())
    ranges = f"<mergeCells>{ranges}</mergeCells>" * bool(merged)
    names = list(enumerate(sheets, start=1))
    listed = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in names)
    targets = [(f"r{i}", "worksheet", f"worksheets/sheet{i}.xml") for i, _ in names]
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": _relations([("r1", "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [*targets, ("s", "sharedStrings", "sharedStrings.xml")]
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{SHEETS}">{styles}</styleSheet>',
        "xl/sharedStrings.xml": strings or f'<sst xmlns="{SHEETS}"/>',
    }
    for (i, _), given in zip(names, sheets.values(), strict=True):
        rows = given if isinstance(given, str) else _rows(given)
        sheet = f'<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData>{ranges}</worksheet>'
        parts[f"xl/worksheets/sheet{i}.xml"] = sheet
    return zip_of({name: part.encode() for name, part in parts.items()})


def _relations(targets: list[tuple[str, str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for key, kind, target in targets
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def _rows(table: Table) -> str:
    rows = enumerate([table.header, *table.rows], start=1)
    return "".join(_row(number, row) for number, row in rows)


def _row(number: int, row: Sequence[Any]) -> str:
    cells = ""
    for i, value in enumerate(row):
        place = f'r="{chr(65 + i)}{number}"'
        if isinstance(value, str):
            text = f'<t xml:space="preserve">{escape(value)}</t>'
            cells += f'<c {place} t="inlineStr"><is>{text}</is></c>'
        elif value is not None:
            cells += f"<c {place}><v>{value}</v></c>"
    return f'<row r="{number}">{cells}</row>'


def packed(data: bytes) -> bytes:
    """What gzip makes of data, the same on each run."""
    return gzip.compress(data, mtime=0)


def gz_of(files: Files) -> Files:
    """Each file packed by gzip."""
    return {f"{name}.gz": packed(content) for name, content in files.items()}


def zip_of(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of several files, the same on each run."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            archive.writestr(entry, content, compress_type=method)
    return out.getvalue()


def xml_of(document: str, *, first: int = 1, paged: bool = False) -> bytes:
    """A session log after the pattern of TREC's, or (paged) of THUIR's."""
    root = ElementTree.Element("sessiontrack2013")
    for (name, who, topic), group in groupby(STUDY, lambda q: (q.session, q.searcher, q.topic)):
        session = ElementTree.SubElement(root, "session", num=name, starttime="0", userid=who)
        about_topic = ElementTree.SubElement(session, "topic", num=str(topic))
        ElementTree.SubElement(about_topic, "desc").text = "what is needed"
        number = 0
        for asked in group:
            shown = [(rank - 1 + first, doc) for rank, doc, _ in results(asked)]
            pages = [shown[:2], shown[1:]] if paged and len(shown) > 2 else [shown]
            for place, page in enumerate(pages):
                number += 1
                kind = "page" if place else "reformulate"
                given = {"num": str(number), "starttime": asked.time, "type": kind}
                at = ElementTree.SubElement(session, "interaction", given)
                _fill(at, asked, page, document)
                if page is pages[-1]:
                    _click(at, asked, first, by_document=paged)
    return ElementTree.tostring(root, encoding="utf8" if paged else "utf-8")


def _fill(at: Any, asked: Asked, page: list[tuple[int, str]], document: str) -> None:
    ElementTree.SubElement(at, "query").text = asked.text
    listed = ElementTree.SubElement(at, "results")
    for rank, doc in page:
        result = ElementTree.SubElement(listed, "result", rank=str(rank))
        ElementTree.SubElement(result, "url").text = "http://example.org/"
        ElementTree.SubElement(result, document).text = doc


def _click(at: Any, asked: Asked, first: int, *, by_document: bool) -> None:
    clicks = ElementTree.SubElement(at, "clicked")
    for number, doc in enumerate(asked.clicked, start=1):
        click = ElementTree.SubElement(clicks, "click", num=str(number), starttime="1")
        ElementTree.SubElement(click, "rank").text = str(asked.docs.index(doc) + first)
        if by_document:
            ElementTree.SubElement(click, "docno").text = doc


def qrels_of(grades: dict[tuple[int | str, str], float]) -> bytes:
    """Judgments as TREC writes them."""
    return "".join(f"{t} 0 {doc} {grade}\n" for (t, doc), grade in grades.items()).encode()


def run_of(study: Iterable[Asked], pattern: str) -> bytes:
    """A run; `pattern` writes session and query number into a query's id."""
    return "".join(
        f"{pattern.format(asked.session, asked.number)} Q0 {doc} {rank} {9.5 - rank} bm25\n"
        for asked in study
        for rank, doc, _ in results(asked)
    ).encode()
