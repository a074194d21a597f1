"""Inputs made to break readers: bombs, depths, widths, names that leave their folder."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterator

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
MANY = (100_000, 900_000)
SIGNS = (b"'", b"\\'", b'\'""', b"'\\", b" ", b" ...", b"; ", b"[", b"{", b"9", b"\0", b"\r")
# file, what comes first, what is repeated (%d counts), how often, what comes last
REPEATED: list[tuple[str, bytes, bytes, int, bytes]] = [
    *(("log.csv", LIST, sign, times, b'"\n') for sign in SIGNS for times in MANY),
    *(("log.csv", LIST + b"[", sign, times, b']"\n') for sign in SIGNS for times in MANY),
    ("log.csv", b"", b"c%d,", 300_000, b"\n"),
    ("log.csv", b"", b"c,", 300_000, b"c\n"),
    ("log.csv", HEADER[:-1], b",c%d", 994, b"\ns1,1,1,a,t" + b",1" * 995 + b"\n"),
    ("log.csv", HEADER, b",", 300_000, b"\n"),
    ("log.csv", HEADER, ROW.removeprefix(HEADER) + b"x" * 900_000 + b"\n", 20, b""),
    ("log.csv", ROW, b"x", 2_000_000, b"\n"),
    ("log.csv", ROW + b'"', b"x\n", 700_000, b'"\n'),
    ("log.csv", HEADER, b"\n", 1_000_000, b"s1,1,1,a,t,x\n"),
    ("log.csv", HEADER, b'"', 1_000_000, b""),
    ("log.csv", HEADER, b'"\n', 100_000, b""),
    ("log.csv", HEADER, b"s1,1\n", 100_000, b""),
    ("log.csv", HEADER, b"s,1,r%d,a,t,x\n", 100_000, b""),
    ("log.csv", HEADER, b"s,1,1,d%d,t,x\n", 100_000, b""),
    ("log.csv", HEADER, b"s,%d,1,a,t,\n", 100_000, b"s,100000,1,a,t,\n"),
    ("log.csv", HEADER, b"s%d,1,1,a,t%d,\n", 50_000, b""),
    ("log.csv", HEADER + b"s,1,", b"9", 9, b",a,t,\n"),
    ("log.csv", HEADER + b"s,", b"9", 9, b",1,a,t,\n"),
    ("log.csv", b"", b"\0", 1_000_000, b""),
    ("judgments.csv", JUDGMENTS, b"t%d,a,1\n", 100_000, b""),
    ("judgments.csv", JUDGMENTS, b"t,d%d,%d.5\n", 121, b""),
    *(("judgments.csv", JUDGMENTS + b"t,c,", b"%b" % sign, 400, b"\n") for sign in (b"9", b"-")),
    *(("log.jsonl", OBJECT + b',"x":', b"[", n, b"]" * n + b"}") for n in (40, 500, 100_000)),
    *(("log.jsonl", b"", b'{"a":', n, b"1" + b"}" * n) for n in (40, 100_000)),
    ("log.jsonl", OBJECT + b',"r":[', b"{},", 100_000, b"{}]}"),
    ("log.jsonl", b"{", b'"c%d":1,', 899, b'"r":[' + b"{}," * 100_000 + b"{}]}"),
    ("log.jsonl", b"{", b'"c%d":1,', 2_000, b'"c":1}'),
    ("log.jsonl", b"", b'{"c%d":1}\n', 5_000, b""),
    ("log.jsonl", b"[", b"[],", 3_000_000, b"[]]"),
    ("log.jsonl", b"[", b"{},", 200_000, b"{}]"),
    ("log.jsonl", b"[", b'"\\"', 100_000, b""),
    ("log.jsonl", b'{"t_0":{"a":0.5}', b',"t_%d":{}', 100_000, b"}"),
    ("log.jsonl", OBJECT + b',"x":', b"9", 100_000, b"}"),
    ("log.jsonl", OBJECT + b',"', b"x", 900_000, b'":1}'),
    (
        "log.jsonl",
        b'{"messages":[{"role":"assistant","content":"',
        b"<tool_call>{",
        20_000,
        b'"}]}',
    ),
    ("log.jsonl", b"", b'{"trace_id":"t","span_id":"%d","parent_id":"1"}\n', 6_000, b""),
    ("log.jsonl", b'{"query_id":"t","result":[', b'{"tool_name":"search%d"},', 3_000, b"{}]}"),
    ("log.xml", b"", b"<a>", 1_000_000, b""),
    ("log.xml", b"", b"<s", 1_000_000, b""),
    ("log.xml", b"", b'<session num="1">', 60, b""),
    ("log.xml", b'<session num="', b"9", 16_000_000, b""),
    ("log.xml", b"<session", b" ", 4_000_000, b""),
    ("log.xml", b"<session", b' a%d=""', 100_000, b">"),
    ("log.xml", b"<session><!--", b"-x", 2_000_000, b""),
    ("log.xml", b"<?xml ", b"<?", 2_000_000, b""),
    *(("log.xml", b"<session>", sign, 1_000_000, b"") for sign in (b"&amp;", b"&x;", b"<![CDATA[")),
    ("log.xml", DOCTYPE + XML, b"&l9;", 1, ENDED + b"</session></log>"),
    ("log.xml", XML, b"&#xD800;", 1, ENDED + b"</session></log>"),
    ("log.xml", XML, b"q", 900_000, ENDED * 9 + b"</session></log>"),
    ("a.run", b"-" * 60_000, b"x Q0 a 1 2 x\n", 3, b""),
    ("a.run", b"", b"s%d-1 Q0 a 1 2 x\n", 50_000, b""),
    ("a.run", b"a ", b" ", 900_000, b"Q0 a 1 2\n"),
    ("a.run", b"a-1 Q0 a ", b"9", 60_000, b" 2 x\n"),
    ("a.run", b"", b"\r", 900_000, b"a-1 Q0 a 1 2 x\r"),
]
# of the rows of a sheet, the same
ROWS: list[tuple[str, str, int, str]] = [
    *((f"{FIRST}", sign, 200_000, "") for sign in ("<c", "<f>", "<f></f> ", "r", "r ", " count=")),
    (f"{FIRST}<row>", '<c t="s"><v>0</v></c>', 50_000, "</row>"),
    (f"{FIRST}<row>", "<c/>", 16_000, "<c><v>1</v></c></row>"),
    (f'{FIRST}<row r="1" x="', "9", 2_000_000, '"/>'),
    (f'{FIRST}<row r="', "9", 300, '"><c><v>1</v></c></row>'),
    (f'{FIRST}<row r="2"><c r="', "Z", 300, '2"><v>1</v></c></row>'),
    *(
        (f'{FIRST}<row r="{row}"><c r="{cell}', "", 0, '"><v>1</v></c></row>')
        for row, cell in (
            *(("1048576", "XFD1048576"), ("1048576", "xfd1048576"), ("2", "A4294967295")),
            *(("2", "ZZZZZZZ2"), ("1000000", "C1000000"), ("1000000", "S1000000")),
        )
    ),
]


def bombs(one_in: int) -> Iterator[tuple[str, Files]]:
    """Name and files of each, or of one in so many."""
    some = slice(one_in // 3, None, one_in)
    for file, first, unit, times, last in REPEATED[some]:
        data = b"".join([first, *_repeated(unit, times), last])
        name = f"{file}: {first[-40:]!r}, {times:,} × {unit[:20]!r}, {last[:9]!r}"
        yield name, {"log.csv": LOG, file: data} if file == "judgments.csv" else {file: data}
    for first, unit, times, last in ROWS[some]:
        name = f"sheet: {first[-40:]!r}, {times:,} × {unit[:20]!r}, {last[:9]!r}"
        yield name, {"log.xlsx": workbook({"log": first + unit * times + last})}
    for file, given in (
        *(("study.zip", each) for each in (_zips(), broken_zips())),
        *(("log.xlsx", _workbooks()), ("log.parquet", parquets()), ("log.csv.gz", _packed())),
    ):
        yield from ((name, {file: data}) for name, data in [*given.items()][some])


def _repeated(unit: bytes, times: int) -> Iterator[bytes]:
    counts = unit.count(b"%d")
    return (unit % ((i,) * counts) if counts else unit for i in range(times))


def _packed() -> dict[str, bytes]:
    return {
        "gz bomb": packed(b"a" * 100_000_000),
        "gz bomb of members": gzip.compress(b"a" * 1_000_000, 1, mtime=0) * 200,
        "gz three times": packed(packed(packed(LOG))),
        "gz with more behind": packed(LOG) + b"more",
        "gz cut": packed(LOG)[:-9],
    }


def _zips() -> dict[str, bytes]:
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
    bombed = {f"zip bomb by method {method}": zip_of(zeros, method) for method in methods}
    return bombed | {f"zip {name}": zip_of(given) for name, given in files.items()}


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
    book, one = workbook({"log": FIRST}), {"log": FIRST}
    times = '<numFmts><numFmt numFmtId="164" formatCode="%s"/></numFmts>'
    timed = f'{times % "[h]:mm:ss"}<cellXfs><xf numFmtId="164"/></cellXfs>'
    endless = FIRST.replace('r="A1"', 'r="A1" s="0"').replace("<v>1<", "<v>1e15<")
    cells = '<row><c t="s"><v>0</v></c></row>' * 50_000
    return {
        "workbook of 200 sheets": workbook({f"S{i}": FIRST for i in range(200)}),
        "workbook of empty sheets": workbook({"a": "", "b": ""}),
        "workbook cut": book[: len(book) // 2],
        "workbook of 4,000,000,000 strings": workbook(one, f'{head} count="4000000000"/>'),
        "workbook of strings without an end": workbook(one, f"{head}>{'<si' * 300_000}</sst>"),
        "workbook of a long string 50,000 times": workbook(
            {"log": cells}, f"{head}><si><t>{'x' * 30_000}</t></si></sst>"
        ),
        "workbook with a DOCTYPE": workbook(one, f"{DOCTYPE.decode()}{head}><si>&l9;</si></sst>"),
        "workbook of a sheet called .csv": workbook({".csv" * 50_000: FIRST, "b": FIRST}),
        "workbook of a long format": workbook(one, styles=times % ("[h]" * 60_000)),
        "workbook of an endless time": workbook({"log": endless}, styles=timed),
        "workbook of sheets elsewhere": workbook(one, folder="sheets"),
    }
