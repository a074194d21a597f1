"""Inputs made to break readers: bombs, depths, widths, names that leave their folder."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterator

from tests.support.formats import SHEETS, Files, packed, table_of, workbook, zip_of
from tests.support.fuzz_parquet import parquets

LOG = b"session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"
JUDGMENTS = b"topic,doc,grade\nt,a,1\nt,b,0\n"
HEADER = b"session,query_number,rank,doc,topic,text\n"
LISTS = b"session,query_number,topic,docs\ns1,1,t,"
OBJECT = b'{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"'
XML = (
    b'<sessiontrack2013><session num="1"><topic num="t"/><interaction num="1"><query>q</query>'
    b'<results><result rank="1"><docno>a</docno></result></results></interaction></session>'
    b"</sessiontrack2013>"
)
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
DOCTYPE = f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>'.encode()
COLUMNS = 300_000
NAMES = (
    *("../log.csv", "/log.csv", "a/../../log.csv", "..\\log.csv", "C:\\log.csv", "C:log.csv"),
    *("CON", "nul.csv", "aux.", "log.csv ", ".", "..", "./log.csv", "a//log.csv", "~/log.csv"),
    *("x" * 201 + ".csv", "\u202evsc.gol", "=log.csv", "é\u0301.csv", "a\nb.csv"),
)


def bombs() -> Iterator[tuple[str, Files]]:
    """Name and files of each."""
    with_judgments = {**_tables(), **_objects(), **_elements(), **_packed()}
    with_judgments |= {f"runs of {name}": data for name, data in _runs().items()}
    for name, (file, data) in with_judgments.items():
        yield name, {file: data, "judgments.csv": JUDGMENTS}
    for name, data in {**_zips(), **broken_zips()}.items():
        yield name, {"study.zip": data}
    for name, data in {**_workbooks(), **_corners()}.items():
        yield name, {"log.xlsx": data, "judgments.csv": JUDGMENTS}
    for name, data in parquets().items():
        yield name, {"log.parquet": data, "judgments.csv": JUDGMENTS}
    yield from _beyond().items()
    for name, about in _own().items():
        log = LOG.replace(b"2,b,t", b"2,'=a,t").replace(b"1,a,t", b"1,=a,t")
        files = {"log.csv": log, "judgments.csv": JUDGMENTS}
        yield name, {"study.zip": zip_of({"study.toml": about, **files})}
    twice = LOG.replace(b"topic\n", b"topic,'=x,=x\n").replace(b",t\n", b",t,1,2\n")
    files = {"study.toml": b"format = 1\n", "log.csv": twice, "judgments.csv": JUDGMENTS}
    yield "study.toml beside names alike", {"study.zip": zip_of(files)}
    grades = JUDGMENTS.replace(b"a,1", b"a," + b"9" * 400)
    yield "a grade of 400 digits", {"log.csv": LOG, "judgments.csv": grades}
    yield "nothing but study.toml", {"study.zip": zip_of({"study.toml": b"format = 1\n"})}


def _tables() -> dict[str, tuple[str, bytes]]:
    wide = b",".join(b"c%d" % i for i in range(COLUMNS))
    cells = b"s1,1,1,a,t," + b"x" * 900_000 + b"\n"
    texts = {
        "300,000 columns": wide + b"\n" + b"1," * (COLUMNS - 1) + b"1\n",
        "300,000 columns alike": b"c," * (COLUMNS - 1) + b"c\n",
        "300,000 cells in a row": HEADER + b"," * COLUMNS + b"\n",
        "1,000 columns": HEADER.strip() + _more() + b"\n" + _row(1_000),
        "a cell of 900,000": HEADER + cells,
        "20 cells of 900,000": HEADER + cells * 20,
        "a cell of 2,000,000": HEADER + cells.replace(b"x", b"xyz"),
        "a cell of 200,000 lines": HEADER + b's1,1,1,a,t,"' + b"x\n" * 200_000 + b'"\n',
        "a cell of 700,000 lines": HEADER + b's1,1,1,a,t,"' + b"x\n" * 700_000 + b'"\n',
        "1,000,000 blank lines": HEADER + b"\n" * 1_000_000 + b"s1,1,1,a,t,x\n",
        "1,000,000 quotes": HEADER + b'"' * 1_000_000,
        "100,000 lines of a quote": HEADER + b'"\n' * 100_000,
        "100,000 ragged lines": HEADER + b"s1,1\n" * 100_000,
        "100,000 wrong ranks": HEADER + b"".join(b"s,1,r%d,a,t,x\n" % i for i in range(100_000)),
        "100,000 clashes": HEADER + b"".join(b"s,1,1,d%d,t,x\n" % i for i in range(100_000)),
        "NUL alone": b"\0" * 1_000_000,
        "blanks alone": b" \n" * 1_000_000,
        "byte order mark alone": b"\xff\xfe",
        "gz mark alone": b"\x1f\x8b",
        "zip mark alone": b"PK\x03\x04",
        "Parquet mark alone": b"PAR1",
        "digits beyond a number": LOG.replace(b"topic\n", b"topic,clicked\n").replace(
            b",t\n", b",t," + b"9" * 5_000 + b"\n"
        ),
        "blank after a quote": LOG.replace(b"\ns1,1,1", b'\n\n"s1" ,1,1'),
        "a list of lone surrogates": LISTS + b"\"['\\ud800', 'b']\"\n",
        "a list of 60,000 brackets": LISTS + b"[" * 60_000 + b"]" * 60_000 + b"\n",
    }
    return {name: ("log.csv", data) for name, data in texts.items()}


def _more() -> bytes:
    return b"".join(b",c%d" % i for i in range(1_000 - HEADER.count(b",") - 1))


def _row(columns: int) -> bytes:
    return b"s1,1,1,a,t" + b",1" * (columns - 5) + b"\n"


def _objects() -> dict[str, tuple[str, bytes]]:
    fields = b",".join(b'"c%d":1' % i for i in range(900))
    texts = {
        "objects 40 deep": b'{"a":' * 40 + b"1" + b"}" * 40,
        "objects 100,000 deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "lists 500 deep": OBJECT + b',"x":' + b"[" * 500 + b"]" * 500 + b"}",
        "lists 100,000 deep": OBJECT + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "100,000 objects in one": OBJECT + b',"r":[' + b",".join([b"{}"] * 100_000) + b"]}",
        "900 fields times 100,000": b"{" + fields + b',"r":[' + b"{}," * 100_000 + b"{}]}",
        "2,000 fields": b"{" + b",".join(b'"c%d":1' % i for i in range(2_000)) + b"}",
        "a field per line": b"\n".join(b'{"c%d":1}' % i for i in range(5_000)),
        "a list of 6,000,000 lists": b"[" + b"[]," * 3_000_000 + b"[]]",
        "a list of 200,000 objects": b"[" + b"{}," * 200_000 + b"{}]",
        "scores of 100,000 queries": b'{"t_0":{"a":0.5}'
        + b"".join(b',"t_%d":{}' % i for i in range(100_000))
        + b"}",
        "1,000,000 blanks, and a list": b" " * 1_000_000 + b"\n[" + b" " * 1_000_000 + b"1]",
        "a list 900 deep": b'[\n{"x":' + b"[" * 900 + b"]" * 900 + b"}]",
        "a name twice": OBJECT + b',"rank":7}',
        "numbers beyond": OBJECT + b',"x":1e999}\n' + OBJECT + b',"x":' + b"9" * 400 + b"}",
    }
    return {name: ("log.jsonl", data) for name, data in texts.items()}


def _elements() -> dict[str, tuple[str, bytes]]:
    texts = {
        "billion laughs": DOCTYPE + XML.replace(b">a<", b">&l9;<"),
        "billion laughs in UTF-16": (DOCTYPE + XML).decode().encode("utf-16"),
        "DOCTYPE of a file": b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]>' + XML,
        "elements 1,000,000 deep": b"<a>" * 1_000_000,
        "sessions 60 deep": b'<session num="1">' * 60,
        "session within an interaction": XML.replace(b"<query>", b'<session num="2"/><query>'),
        "an attribute of 2,000,000": XML.replace(b'num="t"', b'num="' + b"9" * 2_000_000 + b'"'),
        "100,000 attributes": XML.replace(
            b' num="t"', b"".join(b' a%d=""' % i for i in range(100_000))
        ),
        "an encoding that is none": b'<?xml version="1.0" encoding="zlib"?>' + XML,
        "a character that is none": XML.replace(b">a<", b">&#xD800;<"),
    }
    return {name: ("log.xml", data) for name, data in texts.items()}


def _runs() -> dict[str, tuple[str, bytes]]:
    line = b" Q0 a 1 2 x\n"
    return {
        "a slow query id": ("a.run", (b"-" * 60_000 + b"x" + line) * 3),
        "50,000 results": ("a.run", b"".join(b"s%d-1%b" % (i, line) for i in range(50_000))),
    }


def _packed() -> dict[str, tuple[str, bytes]]:
    inner = packed(LOG)
    return {
        "gz bomb": ("log.csv.gz", packed(b"a" * 100_000_000)),
        "gz bomb of members": ("log.csv.gz", gzip.compress(b"a" * 1_000_000, 1, mtime=0) * 200),
        "gz three times": ("log.csv.gz", packed(packed(inner))),
        "gz with more behind": ("log.csv.gz", inner + b"more"),
        "gz cut": ("log.csv.gz", inner[:-9]),
    }


def _zips() -> dict[str, bytes]:
    both = {"log.csv": LOG, "judgments.csv": JUDGMENTS}
    zeros = {"log.csv": b"0" * 50_000_000, "judgments.csv": JUDGMENTS}
    named = {
        f"zip with {name[:12]!r}": zip_of({name: LOG, "judgments.csv": JUDGMENTS}) for name in NAMES
    }
    return named | {
        "zip bomb": zip_of(zeros),
        "zip bomb in bz2": zip_of(zeros, zipfile.ZIP_BZIP2),
        "zip bomb in lzma": zip_of(zeros, zipfile.ZIP_LZMA),
        "zip of 1,001 files": zip_of({f"{i}.csv": LOG for i in range(1_001)}),
        "zip of 300 logs": zip_of({f"{i}.csv": LOG for i in range(300)} | both),
        "zip in a zip": zip_of({"inner.zip": zip_of(both)}),
        "zip of nothing": zip_of({}),
        "zip of folders": zip_of({"a/": b"", "b/": b""}),
        "zip of hidden files": zip_of({".log.csv": LOG, "__MACOSX/log.csv": LOG}),
    }


def broken_zips() -> dict[str, bytes]:
    """Fields of an archive's directory that lie."""
    both = {"log.csv": LOG, "judgments.csv": JUDGMENTS}
    lies = {"version": (6, b"\xff"), "method": (10, b"\x63"), "check sum": (16, b"\0\0\0\0")}
    lies |= {"size": (24, b"\xff\xff\xff\x7f"), "packed size": (20, b"\xff\xff\xff\x7f")}
    lies |= {"offset": (42, b"\xff\xff\xff\x7f"), "password": (8, b"\x01")}
    broken: dict[str, bytes] = {}
    for name, (at, lie) in lies.items():
        data = bytearray(zip_of(both))
        start = data.find(b"PK\x01\x02") + at
        data[start : start + len(lie)] = lie
        broken[f"zip that lies about its {name}"] = bytes(data)
    start = zip_of(both).find(b"PK\x05\x06") + 16
    moved = zip_of(both)[:start] + b"\xff\xff\0\0" + zip_of(both)[start + 4 :]
    broken["zip that lies about its directory"] = moved
    for name, method in (("bz2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA)):
        data = bytearray(zip_of({"log.csv": LOG * 1_000}, method))
        data[60:80] = b"\xff" * 20
        broken[f"zip of broken {name}"] = bytes(data)
    return broken


def _workbooks() -> dict[str, bytes]:
    cells = table_of(LOG)
    wide = table_of(b"session\n" + b"1\n" * 3)
    book = workbook({"log": cells})
    counts = f'<sst xmlns="{SHEETS}" count="4000000000" uniqueCount="4000000000"/>'
    text = f'<sst xmlns="{SHEETS}"><si><t>{"x" * 30_000}</t></si></sst>'
    strings = '<c t="s"><v>0</v></c>' * 5
    return {
        "workbook of 200 sheets": workbook({f"S{i}": cells for i in range(200)}),
        "workbook of empty sheets": workbook({"a": "", "b": ""}),
        "workbook cut": book[: len(book) // 2],
        "workbook of one column": workbook({"log": wide}),
        "workbook of 4,000,000,000 strings": workbook({"log": cells}, counts),
        "workbook of a long string 50,000 times": workbook(
            {"log": f"<row>{strings}</row>" * 10_000}, text
        ),
        "workbook with a DOCTYPE": workbook(
            {"log": cells}, f'{DOCTYPE.decode()}<sst xmlns="{SHEETS}"><si><t>&l9;</t></si></sst>'
        ),
    }


def _corners() -> dict[str, bytes]:
    """Sheets whose cells lie far apart, said in different ways."""
    first = '<row r="1"><c r="A1"><v>1</v></c></row>'
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    corners = {
        "corners": far,
        "corners in single quotes": far.replace('"', "'"),
        "corners in lower case": far.replace("XFD", "xfd"),
        "corners after a blank": far.replace("r=", "r ="),
        "a row of 4,294,967,295": '<row r="4294967295"><c><v>1</v></c></row>',
        "a cell in row 4,294,967,295": '<row r="2"><c r="A4294967295"><v>1</v></c></row>',
        "a column ZZZZZZZ": '<row r="2"><c r="ZZZZZZZ2"><v>1</v></c></row>',
        "3,000,000 cells": '<row r="1000000"><c r="C1000000"><v>1</v></c></row>',
        "19,000,000 cells": '<row r="1000000"><c r="S1000000"><v>1</v></c></row>',
    }
    found = {f"sheet of {name}": workbook({"log": first + rows}) for name, rows in corners.items()}
    found["sheet of corners elsewhere"] = workbook({"log": first + far}, folder="sheets")
    times = '<numFmts><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts>'
    times += '<cellXfs><xf numFmtId="164"/></cellXfs>'
    endless = first.replace('r="A1"', 'r="A1" s="0"').replace("<v>1<", "<v>1e15<")
    found["sheet of an endless time"] = workbook({"log": endless}, styles=times)
    return found


def _beyond() -> dict[str, Files]:
    """Logs and judgments that are small as files and large as studies."""
    long = b"".join(b"s0,%d,1,a,t,\n" % q for q in range(1, 1_001))
    short = b"".join(b"s%d,1,100,a,t,\n" % s for s in range(1, 2_000))
    endless = b"".join(b"s,%d,1,a,t,\n" % q for q in range(1, 100_001))
    topics = b"".join(b"s%d,%d,1,a,t%d,\n" % (i // 100, i % 100, i) for i in range(50_000))
    each = b"".join(b"t%d,a,%d\n" % (i, i % 100) for i in range(100_000))
    grades = b"topic,doc,grade\n" + b"".join(b"t,d%d,%d.%d\n" % (i, i, i) for i in range(99))
    logs = {
        "a session of 1,000 queries beside 1,999 of one": long + short,
        "a session of 100,000 queries": endless,
        "a topic for each of 50,000 queries": topics,
        "a rank of 999,999,999": b"s,1,999999999,a,t,\ns,1,2,b,t,\n",
        "a query number of 999,999,999": b"s,999999999,1,a,t,\ns,1,2,b,t,\n",
    }
    judged = {
        "121 distinct grades": b"topic,doc,grade\n"
        + b"".join(b"t,d%d,%.1f\n" % (i, i / 10) for i in range(121)),
        "100,000 judged topics, one of them asked": JUDGMENTS + each,
        "a grade of 310": JUDGMENTS.replace(b"a,1", b"a,310"),
        "a grade of -400": JUDGMENTS.replace(b"a,1", b"a,-400"),
        "99 fractions as grades": grades,
    }
    found = {
        name: {"log.csv": HEADER + rows, "judgments.csv": JUDGMENTS} for name, rows in logs.items()
    }
    return found | {name: {"log.csv": LOG, "judgments.csv": data} for name, data in judged.items()}


def _own() -> dict[str, bytes]:
    return {
        "study.toml of ours": b'format = 1\nname = "x"\n',
        "study.toml with an infinite format": b"format = inf\n",
        "study.toml of a newer format": b"format = 99\n",
        "study.toml 100,000 deep": b"format = 1\nx = " + b"[" * 100_000,
        "study.toml of bytes": b"\xff\xfe\0",
    }
