"""Small inputs that once took minutes, gigabytes or a traceback: each ends well, and soon."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.formats import SHEETS, Files, packed, workbook, zip_of
from tests.support.fuzz_bombs import JUDGMENTS, LOG, OBJECT

LISTS = b"session,query_number,topic,docs,clicked\ns1,1,t,"
MANY = [b"d%05d" % i for i in range(30_000)]
FIRST = '<row r="1"><c r="A1"><v>1</v></c></row>'
FAR = 2**62


def slow() -> Iterator[tuple[str, Files]]:
    """Name and files of each."""
    logs = {**_cells(), **_objects(), **_markup(), **_runs(), **_odd(), **_agents()}
    for name, (file, data) in logs.items():
        yield name, {file: data, "judgments.csv": JUDGMENTS}
    for name, data in _workbooks().items():
        yield f"workbook of {name}", {"log.xlsx": data, "judgments.csv": JUDGMENTS}
    for name, data in _parquets().items():
        yield f"Parquet of {name}", {"log.parquet": data, "judgments.csv": JUDGMENTS}
    for name, data in _archives().items():
        yield f"zip of {name}", {"study.zip": data}


def _cells() -> dict[str, tuple[str, bytes]]:
    """Lists in cells: quotes that never close, signs that never end."""
    cells = {
        "450,000 escaped quotes": b"[" + b"\\'" * 450_000 + b"]",
        "20,000 escaped quotes": b"[" + b"\\'" * 20_000 + b"]",
        "150,000 quotes": b"[" + b"'" * 150_001 + b"]",
        "quotes that alternate": b"[" + b'\'""' * 100_001 + b"]",
        "450,000 backslashes": b"[" + b"'\\" * 450_000 + b"]",
        "900,000 blanks": b"[" + b" " * 900_000 + b"]",
        "450,000 semicolons": b"a" + b"; " * 450_000,
        "900,000 dots": b"[" + b" ..." * 200_000 + b"x]",
    }
    found = {
        f"list of {name}": LISTS + b'"' + cell.replace(b'"', b'""') + b'",\n'
        for name, cell in cells.items()
    }
    marked = b",".join(MANY)
    found["list of 30,000, clicked as many"] = LISTS + b'"[%b]","[%b]"\n' % (marked, marked[7:])
    return {name: ("log.csv", data) for name, data in found.items()}


def _objects() -> dict[str, tuple[str, bytes]]:
    lines = {
        "a lone surrogate": OBJECT + b',"x":"\\ud800"}',
        "a NUL in a name": OBJECT + b',"x\\u0000":1}',
        "100,000 digits": OBJECT + b',"x":' + b"9" * 100_000 + b"}",
        "100,000 zeros": OBJECT + b',"x":0.' + b"0" * 100_000 + b"1}",
        "a number in 1e-400": OBJECT + b',"x":1e-400}',
        "a name of 900,000": OBJECT + b',"' + b"x" * 900_000 + b'":1}',
        "names of 30,000 signs": OBJECT + b',"' + b"\\u2028" * 30_000 + b'":1}',
        "a mark before each line": (b"\xef\xbb\xbf" + OBJECT + b"}\n") * 2,
        "a list of quotes": b"[" + b'"\\"' * 100_000,
        "a list of lines": b"[" + b"\n" * 900_000 + b"{}]",
        "900 fields of 900, lines of 900": b'{"a":' * 9
        + json.dumps({f"c{i}": "x" for i in range(900)}).encode()
        + b"}" * 9,
        "900 fields around 1,000 objects, 20 times": (
            json.dumps({f"c{i}": "x" for i in range(900)} | {"results": [{}] * 1_000}) + "\n"
        ).encode()
        * 20,
        "two values": b"{}\n" * 2 + b"[]\n" + b"nul\n",
        "text of a BOM": b"\xef\xbb\xbf" * 3 + b"[{}]",
    }
    return {f"objects: {name}": ("log.jsonl", data) for name, data in lines.items()}


def _markup() -> dict[str, tuple[str, bytes]]:
    """XML whose tags, comments and texts never end."""
    texts = {
        "an attribute of 16,000,000": b'<session num="' + b"9" * 16_000_000,
        "a comment of 4,000,000": b"<sessiontrack2013><!--" + b"-x" * 2_000_000,
        "an open tag": b"<session" + b" " * 4_000_000,
        "an instruction": b"<?xml " + b"<?" * 2_000_000,
        "1,000,000 tags that open": b"<s" * 1_000_000,
        "1,000,000 entities": b"<session>" + b"&amp;" * 1_000_000,
        "1,000,000 unknown entities": b"<session>" + b"&x;" * 1_000_000,
        "CDATA without an end": b"<session><![CDATA[" + b"]]" * 1_000_000,
        "a rank of 100,000 digits": b'<sessiontrack2013><session num="1"><topic num="t"/>'
        b'<interaction num="1"><results><result rank="' + b"9" * 100_000 + b'"><docno>a</docno>'
        b"</result></results></interaction></session></sessiontrack2013>",
    }
    return {f"XML with {name}": ("log.xml", data) for name, data in texts.items()}


def _runs() -> dict[str, tuple[str, bytes]]:
    line = b" Q0 a 1 2 x\n"
    ids = (b"-" * 190 + b"%05dx" % i for i in range(10_000))
    return {
        "run of ids of 200 signs": ("a.run", b"".join(one + line for one in ids)),
        "run of blanks": ("a.run", (b"a " + b" " * 60_000 + b"Q0 a 1 2\n") * 20),
        "run of a rank of 60,000": ("a.run", b"a-1 Q0 a " + b"9" * 60_000 + b" 2 x\n"),
        "run of a score of 60,000": ("a.run", b"a-1 Q0 a 1 " + b"9" * 60_000 + b" x\n"),
        "run of CR alone": ("a.run", b"\r" * 900_000 + b"a-1 Q0 a 1 2 x\r"),
    }


def _odd() -> dict[str, tuple[str, bytes]]:
    """Texts in several encodings, and texts that are none."""
    utf16 = LOG.decode().encode("utf-16")
    texts = {
        "UTF-16 of lone surrogates": utf16 + b"\x00\xd8" * 9,
        "UTF-16 cut in a letter": utf16[:-1],
        "UTF-16 turned": b"\xfe\xff" + utf16[2:],
        "UTF-8, then UTF-16": LOG + utf16,
        "UTF-8 with marks within": LOG.replace(b"\ns", b"\n\xef\xbb\xbfs"),
        "lone surrogates in UTF-8": LOG.replace(b"a,t", b"\xed\xa0\x80,t"),
        "a NUL in an id": LOG.replace(b"a,t", b"a\0,t"),
        "a name of 900,000": LOG.replace(b"topic", b"topic," + b"X-y" * 300_000, 1),
        "a number of 900,000": LOG.replace(b"1,a", b"9" * 900_000 + b",a"),
        "a grade of 0s": b"topic,doc,grade\nt,a," + b"0" * 900_000 + b"\n",
        "300 names of 3,000": b",".join(b"%03d" % i * 1_000 for i in range(300)) + b"\n1\n",
        "CR and LF in turns": LOG.replace(b"\n", b"\r\n\r"),
        "form feeds": LOG.replace(b"\n", b"\n\x0c\x1c\x85"),
    }
    return {f"table with {name}": ("log.csv", data) for name, data in texts.items()}


def _agents() -> dict[str, tuple[str, bytes]]:
    """Tags that never close, spans within spans, tools without end, documents that are no ids."""
    span = '{"trace_id":"t","span_id":"%d","parent_id":"%d","span_kind":"RETRIEVER",'
    span += '"start_time":1,"input":"q","output":[{"id":"a"}]}\n'
    tagged = {"messages": [{"role": "assistant", "content": "<tool_call>{" * 20_000}]}
    tool = '{"type":"tool_call","tool_name":"search%d","arguments":{"query":"q"},"output":[%s]}'
    every = ",".join(tool % (i, '{"docid":"a"}') for i in range(3_000))
    empty = tool.replace("[%s]", "%s") % (1, json.dumps("\n=======\n" * 300_000))
    odd = tool % (1, '{"docid":"a\\u0000b"}')
    made = {
        "20,000 tags that never close": json.dumps(tagged),
        "6,000 spans within each other": "".join(span % (i, i + 1) for i in range(6_000)),
        "two spans within each other": "".join(span % (i, 1 - i) for i in range(2)),
        "3,000 tools": run(every),
        "a document of NUL": run(odd),
        "runs that never searched": '{"query_id":"t","result":[{"tool_name":"x"}]}\n' * 2,
        "300,000 empty lists": run(empty),
    }
    return {name: ("runs.jsonl", text.encode()) for name, text in made.items()}


def run(steps: str) -> str:
    """A run of an agent with these steps."""
    return f'{{"query_id":"t","result":[{steps}]}}'


def _workbooks() -> dict[str, bytes]:
    """Parts that patterns took long to scan, cells without a value, names without an end."""
    rows = {
        "400,000 <c": "<c" * 400_000,
        "400,000 <f": "<f" * 400_000,
        "200,000 <f>": "<f>" * 200_000,
        "100,000 formulas open": "<f></f> " * 100_000,
        "a formula, and blanks": "<f></f>" + " " * 900_000,
        "900,000 r": "r" * 900_000,
        "r, and blanks": '<row r="1">' + "r   " * 200_000,
        "counts": " count=" * 100_000,
        "rows without numbers": "<row/>" * 60_000 + f"<row>{'<c/>' * 16_000}<c><v>1</v></c></row>",
        "rows of a prefix": '<x:row r="1048576"><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>',
        "a formula without a value": FIRST
        + '<row r="2"><c r="A2"><v>2</v></c></row>'
        + '<row r="3"><c r="A3"><f>1+1</f><v/></c></row>',
        "an attribute of 2,000,000": f'<row r="1" x="{"9" * 2_000_000}"/>',
        "a date in year 100,000": FIRST.replace("<v>1<", "<v>1e300<"),
        "a column of 300 letters": f'<row r="2"><c r="{"Z" * 300}2"><v>1</v></c></row>',
        "a row of 300 digits": f'<row r="{"9" * 300}"><c><v>1</v></c></row>',
    }
    found = {name: workbook({"log": FIRST + given}) for name, given in rows.items()}
    found["a sheet called .csv 50,000 times"] = workbook({".csv" * 50_000: FIRST, "b": FIRST})
    found["a sheet called 200,000 letters"] = workbook({"x" * 200_000: FIRST + FIRST, "b": ""})
    strings = f'<sst xmlns="{SHEETS}">{"<si" * 300_000}</sst>'
    found["300,000 strings open"] = workbook({"log": FIRST}, strings)
    times = '<numFmts><numFmt numFmtId="164" formatCode="%s"/></numFmts>' % ("[h]" * 60_000)
    found["a format of 180,000"] = workbook({"log": FIRST}, styles=times)
    return found


def _parquets() -> dict[str, bytes]:
    """Times that Python has no date for, and kinds of column that logs don't have."""
    us, ns = pa.timestamp("us"), pa.duration("ns")
    columns: dict[str, Any] = {
        "a time beyond year 9999": pa.array([FAR], us),
        "a time before year 1": pa.array([-FAR], pa.timestamp("ms")),
        "a time in an unknown zone": pa.array([0], pa.timestamp("s", "Mars/Crater")),
        "a day beyond": pa.array([2**31 - 1], pa.date32()),
        "a day in ms beyond": pa.array([FAR // 86_400_000 * 86_400_000], pa.date64()),
        "a duration": pa.array([FAR], ns),
        "a long duration": pa.array([FAR], pa.duration("s")),
        "a time of 99 hours": pa.array([2**31 - 1], pa.time32("s")),
        "lists of times beyond": pa.array([[FAR]], pa.list_(us)),
        "lone surrogates": pa.array([b"\xed\xa0\x80"], pa.binary()),
        "no kind": pa.nulls(1),
        "large numbers": pa.array([2**64 - 1], pa.uint64()),
        "halves": pa.array([0.5], pa.float16()),
        "infinities": pa.array([float("inf")]),
    }
    log = {"session": ["s"], "query_number": [1], "rank": [1], "doc": ["a"], "topic": ["t"]}
    return {name: _parquet({**log, "time": given}) for name, given in columns.items()}


def _parquet(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def _archives() -> dict[str, bytes]:
    judged = {"judgments.csv": JUDGMENTS}
    inner = zip_of({"log.csv": LOG})
    return {
        "a zip in gz": zip_of({"log.gz": packed(inner), **judged}),
        "a gz in gz": zip_of({"log.csv.gz": packed(packed(LOG)), **judged}),
        "a broken gz": zip_of({"log.csv.gz": packed(LOG)[:-9], **judged}),
        "a broken workbook": zip_of({"log.xlsx": workbook({"log": "<c" * 9}), **judged}),
        "a broken Parquet": zip_of({"log.parquet": b"PAR1" * 9, **judged}),
        "broken JSON": zip_of({"log.json": b'{"session":', **judged}),
        "broken XML": zip_of({"log.xml": b"<session>", **judged}),
        "a binary table": zip_of({"log.csv": LOG + b"\0", **judged}),
    }
