"""The toy study in every form that is read, as bytes that are the same on each run."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.plain_files import ECIR2008, THREE_SESSIONS

Row = dict[str, str]
Files = dict[str, bytes]
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


@dataclass(frozen=True)
class Sample:
    """A study in one form: its files, the log first; `plain` where these are lines of text."""

    name: str
    files: Files
    plain: bool = True
    slow: bool = False


def samples() -> list[Sample]:
    """The toy study in every form, and the larger sample as it is."""
    log = (THREE_SESSIONS / "log.csv").read_bytes()
    judgments = (THREE_SESSIONS / "judgments.csv").read_bytes()
    rows, judged = table_of(log), table_of(judgments)
    beside = {"judgments.csv": judgments}
    both = {"log.csv": log, **beside}
    large = {"log.csv": (ECIR2008 / "log.csv").read_bytes()}
    large["judgments.csv"] = (ECIR2008 / "judgments.csv").read_bytes()
    trec = {"qrels.txt": qrels_of(judged)}
    sheets = workbook({"log": cells_of(rows), "judgments": cells_of(judged)})
    return [
        Sample("csv", both),
        Sample("quoted csv", {"log.csv": csv_of(rows, quoted=True), **beside}),
        Sample("tsv", {"log.tsv": log.replace(b",", b"\t"), **beside}),
        Sample("lists in cells", {"log.csv": csv_of(listed(rows)), **beside}),
        Sample("json lines", {"log.jsonl": lines_of(rows), "judgments.jsonl": lines_of(judged)}),
        Sample("json sessions", {"log.jsonl": lines_of(nested(rows)), **beside}),
        Sample("session xml", {"log.xml": xml_of(rows), **trec}),
        Sample("run", {"bm25.run": run_of(rows), **trec}),
        Sample("gz", {"log.csv.gz": packed(log), **beside}, plain=False),
        Sample("zip", {"study.zip": zipped(both)}, plain=False),
        Sample("parquet", {"log.parquet": parquet_of(rows), **beside}, plain=False),
        Sample("xlsx", {"study.xlsx": sheets}, plain=False),
        Sample("ecir2008", large, slow=True),
    ]


def table_of(data: bytes) -> list[Row]:
    """Rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(data.decode())))


def cells_of(rows: list[Row]) -> list[list[str]]:
    """Header and rows as lists."""
    return [list(rows[0]), *(list(row.values()) for row in rows)]


def csv_of(rows: list[Row], *, quoted: bool = False) -> bytes:
    """A CSV file, every cell in quotes where asked for."""
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, lineterminator="\n", quoting=quoting).writerows(cells_of(rows))
    return out.getvalue().encode()


def lines_of(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """JSON lines; numbers as numbers."""
    plain = ({k: int(v) if str(v).isdecimal() else v for k, v in row.items()} for row in rows)
    return "".join(json.dumps(row) + "\n" for row in plain).encode()


def _queries(rows: list[Row]) -> list[list[Row]]:
    return [list(g) for _, g in groupby(rows, key=lambda row: (row["session"], row["query"]))]


def listed(rows: list[Row]) -> list[Row]:
    """One row per query, its documents as a list in a cell."""
    kept = ("session", "system", "topic", "query_number", "query")
    return [
        {name: query[0][name] for name in kept}
        | {"docs": json.dumps([row["doc"] for row in query if row["doc"]])}
        for query in _queries(rows)
    ]


def nested(rows: list[Row]) -> list[dict[str, Any]]:
    """One object per session, with its queries, with their results."""
    sessions: dict[str, dict[str, Any]] = {}
    for query in _queries(rows):
        first = query[0]
        about = {name: first[name] for name in ("session", "searcher", "system", "topic")}
        results = [{"rank": int(r["rank"]), "doc": r["doc"]} for r in query if r["doc"]]
        asked = {"query_number": int(first["query_number"]), "query": first["query"]}
        session = sessions.setdefault(first["session"], {**about, "queries": []})
        session["queries"].append({**asked, "results": results})
    return list(sessions.values())


def xml_of(rows: list[Row]) -> bytes:
    """A session log as TREC writes it."""
    lines = ["<sessiontrack2013>"]
    for name, queries in groupby(_queries(rows), key=lambda query: query[0]["session"]):
        lines.append(f'<session num="{name}" starttime="0">')
        for i, query in enumerate(queries):
            first = query[0]
            if not i:
                lines.append(f'<topic num="{first["topic"].replace(" ", "-")}"/>')
            lines.append(f'<interaction num="{first["query_number"]}" starttime="1">')
            lines.append(f"<query>{escape(first['query'])}</query><results>")
            for row in query:
                if row["doc"]:
                    found = f"<docno>{escape(row['doc'])}</docno></result>"
                    lines.append(f'<result rank="{row["rank"]}">{found}')
            lines.append('</results><clicked><click num="1"><rank>1</rank></click></clicked>')
            lines.append("</interaction>")
        lines.append("</session>")
    return "\n".join([*lines, "</sessiontrack2013>", ""]).encode()


def run_of(rows: list[Row]) -> bytes:
    """A run; its topics are the judgments' (topic-1 for session T-1)."""
    ids = [f"{row['topic'].replace(' ', '-')}_{row['query_number']}" for row in rows]
    return "".join(
        f"{query} Q0 {row['doc']} {row['rank']} 1 x\n"
        for query, row in zip(ids, rows, strict=True)
        if row["doc"]
    ).encode()


def qrels_of(judged: list[Row]) -> bytes:
    """Judgments as TREC writes them."""
    return "".join(
        f"{row['topic'].replace(' ', '-')} 0 {row['doc']} {row['grade']}\n" for row in judged
    ).encode()


def parquet_of(rows: list[Row]) -> bytes:
    """A Parquet file of texts."""
    out = io.BytesIO()
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), out)
    return out.getvalue()


def packed(data: bytes) -> bytes:
    """A gz file."""
    return gzip.compress(data, mtime=0)


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip, the same on each run."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            archive.writestr(entry, data, compress_type=method)
    return out.getvalue()


def _letters(column: int) -> str:
    return chr(65 + column)


def sheet_of(cells: list[list[str]]) -> str:
    """Rows of a sheet, numbers as numbers."""
    rows: list[str] = []
    for i, row in enumerate(cells, start=1):
        found = [
            f'<c r="{_letters(k)}{i}"><v>{text}</v></c>'
            if text.isdecimal()
            else f'<c r="{_letters(k)}{i}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'
            for k, text in enumerate(row)
            if text
        ]
        rows.append(f'<row r="{i}">{"".join(found)}</row>')
    return "".join(rows)


def workbook(
    sheets: Mapping[str, list[list[str]] | str],
    strings: str = "",
    *,
    folder: str = "worksheets",
    styles: str = "",
) -> bytes:
    """A minimal workbook; a sheet is its cells, or the XML of its rows."""
    names = list(enumerate(sheets, start=1))
    listed_sheets = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in names)
    related = "".join(
        f'<Relationship Id="r{i}" Type="{KINDS}/worksheet" Target="{folder}/sheet{i}.xml"/>'
        for i, _ in names
    )
    related += f'<Relationship Id="s" Type="{KINDS}/sharedStrings" Target="sharedStrings.xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"/>',
        "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r" '
        f'Type="{KINDS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{KINDS}">'
        f"<sheets>{listed_sheets}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}">{related}'
        "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{SHEET}">{styles}</styleSheet>',
        "xl/sharedStrings.xml": strings or f'<sst xmlns="{SHEET}"/>',
    }
    for i, name in names:
        given = sheets[name]
        rows = given if isinstance(given, str) else sheet_of(given)
        sheet = f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData></worksheet>'
        parts[f"xl/{folder}/sheet{i}.xml"] = sheet
    return zipped({name: text.encode() for name, text in parts.items()})
