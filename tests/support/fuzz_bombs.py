"""Inputs made to break readers: bombs, depths, widths, names that leave their folder."""

import gzip
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from tests.support.formats import SHEETS, Files, packed, workbook, zip_of
from tests.support.fuzz_parquet import parquets

LOG = b"session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"
JUDGMENTS = b"topic,doc,grade\nt,a,1\nt,b,0\n"
ROW = b"session,query_number,rank,doc,topic,text\ns1,1,1,a,t,"
HEADER = ROW[: ROW.index(b"s1")]
LIST = b'session,query_number,topic,docs\ns1,1,t,"'
OBJECT = b'{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"'
XML = b'<log><session num="1"><topic num="t"/><interaction num="1"><query>q'
ENDED = b'</query><results><result rank="1"><docno>a</docno></result></results></interaction>'
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
DOCTYPE = f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>'.encode()
FIRST = '<row r="1"><c r="A1"><v>1</v></c></row>'
NAMES = (
    *("../log.csv", "/log.csv", "a/../../log.csv", "..\\log.csv", "C:\\log.csv", "C:log.csv"),
    *("CON", "nul.csv", "aux.", "log.csv ", ".", "..", "./log.csv", "a//log.csv", "~/log.csv"),
    *("x" * 201 + ".csv", "\u202evsc.gol", "=log.csv", "é\u0301.csv", "a\nb.csv"),
)
# by file: what comes first, and then a sign over and over
FIRSTS: dict[str, tuple[bytes, ...]] = {
    "log.csv": (b"", HEADER, ROW, ROW + b'"', LIST, LIST + b"[", LIST + b"a; "),
    "log.jsonl": (
        *(b"", b"[", OBJECT + b',"x":'),
        *(OBJECT + b',"', OBJECT + b',"r":[', b'{"t_0":{"a":'),
    ),
    "log.xml": (
        *(b"", b"<session", b'<session num="', b"<session>"),
        *(b"<session><!--", XML, b"<?xml "),
    ),
    "a.run": (b"", b"a ", b"a-1 Q0 a ", b"a-1 Q0 a 1 "),
    "log.xlsx": (b"", b"<row>", b'<row r="', b'<row r="2"><c r="', b'<row r="1" x="'),
    "judgments.csv": (JUDGMENTS, JUDGMENTS + b"t,c,"),
}
SIGNS = (
    *(b"'", b"\\'", b'"', b'\'""', b"'\\", b" ", b" ...", b"; ", b",", b"-", b"9", b"x", b"\0"),
    *(b"\r", b"\n", b'"\n', b"[", b"[],", b"{},", b'{"a":', b'"\\"', b'{"c%d":1}\n', b'"c%d":1,'),
    *(b'{"query_id":"t","result":[{"tool_name":"search%d"}]}\n', b"<tool_call>{"),
    *(b"c%d,", b"t_%d,"),
    *(b"<a>", b"<s", b'<session num="%d">', b"&amp;", b"&x;", b"<![CDATA[", b"-x"),
    *(b"<?", b' a%d=""'),
    *(b"<c", b"<f>", b"<f></f> ", b"r=", b"Z", b" count=", b'<c t="s"><v>0</v></c>', b"<c/>"),
    *(b"s,1,r%d,a,t,x\n", b"s,1,1,d%d,t,x\n", b"s,%d,1,a,t,\n"),
    *(b"s%d,1,1,a,t%d,\n", b"t,d%d,%d.5\n"),
    *(b"s%d-1 Q0 a 1 2 x\n", b"s1,1\n", b"s,1,%d99999999,a,t,\n", b"s,%d99999999,1,a,t,\n"),
)
TIMES = (100_000, 1_000_000)
Made = bytes | Callable[[], bytes]  # what takes long is made where it is tried
DEEP = ((b'{"a":', b"1", b"}"), (b"[", b"", b"]"))
CORNERS = ("1048576 XFD1048576", "2 A4294967295", "2 ZZZZZZZ2", "1000000 S1000000")


def bombs(one_in: int) -> Iterator[tuple[str, Files]]:
    """Name and files of each, or of one in so many."""
    some = slice(one_in // 3, None, one_in)
    firsts = [(file, first) for file, each in FIRSTS.items() for first in each]
    every = [*product(firsts, SIGNS, TIMES)]  # all take half an hour
    for (file, first), sign, times in every[9 * some.start :: 9 * one_in]:
        counts = sign.count(b"%d")
        units = (sign % ((i,) * counts) if counts else sign for i in range(times))
        data = first + b"".join(units)
        if file == "log.xlsx":
            data = workbook({"log": FIRST + data.decode()})
        name = f"{file}: {first[-40:]!r}, {times:,} × {sign[:40]!r}"
        yield name, {"log.csv": LOG, file: data} if file == "judgments.csv" else {file: data}
    for number, (before, within, after) in product((40, 500, 100_000), DEEP):
        data = OBJECT + b',"x":' + before * number + within + after * number + b"}"
        yield f"{number:,} × {before.decode()}, closed", {"log.jsonl": data}
    for row, cell in map(str.split, CORNERS):
        data = workbook({"log": f'{FIRST}<row r="{row}"><c r="{cell}"><v>1</v></c></row>'})
        yield f"sheet with a cell {cell}", {"log.xlsx": data}
    for file, given in (
        *(("study.zip", each) for each in (_zips(), broken_zips())),
        *(("log.xlsx", _workbooks()), ("log.parquet", parquets()), ("log.csv.gz", _packed())),
        ("log.xml", {"billion laughs": DOCTYPE + XML + b"&l9;" + ENDED + b"</session></log>"}),
    ):
        for name, made in [*given.items()][some]:
            yield name, {file: made if isinstance(made, bytes) else made()}


def _packed() -> dict[str, Made]:
    return {
        "gz bomb": lambda: packed(b"a" * 100_000_000),
        "gz bomb of members": gzip.compress(b"a" * 1_000_000, 1, mtime=0) * 200,
        "gz three times": packed(packed(packed(LOG))),
        "gz with more behind": packed(LOG) + b"more",
        "gz cut": packed(LOG)[:-9],
    }


def _zips() -> dict[str, Made]:
    judged, both = {"judgments.csv": JUDGMENTS}, {"log.csv": LOG, "judgments.csv": JUDGMENTS}
    about = (b'format = 1\nname = "x"\n', b"format = inf\n", b"format = 99\n", b"\xff\xfe\0")
    methods = (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    files: dict[str, Files] = {
        **{f"with {name[:12]!r}": {name: LOG, **judged} for name in NAMES},
        **{f"of {text!r}": {"study.toml": text, **both} for text in about},
        "of nothing but study.toml": {"study.toml": b"format = 1\nx = " + b"[" * 100_000},
        "of 1,001 files": {f"{i}.csv": LOG for i in range(1_001)},
        "of 300 logs": {f"{i}.csv": LOG for i in range(300)} | both,
        "in a zip": {"inner.zip": zip_of(both)},
        "of nothing": {},
        "of folders": {"a/": b"", "b/": b""},
        "of hidden files": {".log.csv": LOG, "__MACOSX/log.csv": LOG},
        "of gz in gz": {"log.csv.gz": packed(packed(LOG)), **judged},
        "of a broken gz": {"log.csv.gz": packed(LOG)[:-9], **judged},
        "of a broken workbook": {"log.xlsx": workbook({"log": "<c" * 9}), **judged},
        "of broken Parquet": {"log.parquet": b"PAR1" * 9, **judged},
        "of broken JSON": {"log.json": b'{"session":', **judged},
        "of a binary table": {"log.csv": LOG + b"\0", **judged},
    }
    zeros = {"log.csv": b"0" * 50_000_000, **judged}
    bombed = {f"zip bomb by method {method}": partial(zip_of, zeros, method) for method in methods}
    return {**bombed, **{f"zip {name}": partial(zip_of, given) for name, given in files.items()}}


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
    head = f'<sst xmlns="{SHEETS}"'
    one = {"log": FIRST}
    times = '<numFmts><numFmt numFmtId="164" formatCode="%s"/></numFmts>'
    cells = '<row><c t="s"><v>0</v></c></row>' * 50_000
    text = f"{head}><si><t>{'x' * 30_000}</t></si></sst>"
    return {
        "workbook of 200 sheets": workbook({f"S{i}": FIRST for i in range(200)}),
        "workbook cut": workbook(one)[:900],
        "workbook of 4,000,000,000 strings": workbook(one, f'{head} count="4000000000"/>'),
        "workbook of strings without an end": workbook(one, f"{head}>{'<si' * 300_000}</sst>"),
        "workbook of a long string 50,000 times": workbook({"log": cells}, text),
        "workbook with a DOCTYPE": workbook(one, f"{DOCTYPE.decode()}{head}><si>&l9;</si></sst>"),
        "workbook of a sheet called .csv": workbook({".csv" * 50_000: FIRST, "b": FIRST}),
        "workbook of a long format": workbook(one, styles=times % ("[h]" * 60_000)),
    }
