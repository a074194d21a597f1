"""Inputs that readers must end well on: a small study in every form, changed, and bombs.

`python -m tests.support.fuzzing "csv, cut 1" FOLDER` writes the files of one input, by name.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.support import formats, fuzz_bombs
from tests.support.agent_layouts import GRADES as AGENTS_GRADES
from tests.support.agent_layouts import LAYOUTS
from tests.support.plain_files import ECIR2008
from tests.support.thorough import THOROUGH

SHARED = 7 if THOROUGH == 1 else 1  # forms among which changes go round
EACH = 29 if THOROUGH == 1 else 1  # one of so many bombs is tried: all take two minutes
CODES = ("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "shift-jis", "utf-32")
ENDS = (b"\n", b"\r\n", b"\r", b"\n\n", b"\n \n", b" \n")
TOPS = (b"\n", b"\r\n\r\n", b"  \n", b"\t\n", b"# log\n", b"sep=,\n", b"PAR1", b"\x1f\x8b", b"{")
BETWEEN = (b"\0", b"\0" * 100, b'"', b"'", b'""', b'" ', b' "', b"x" * 300_000, b"\xed\xa0\x80")
NUMBERS = (
    *("1e999", "-1e999", "nan", "inf", "-inf", "1" + "0" * 30, "-1", "0", "1.0", "1.5", "1e3"),
    *("0x10", "1_0", "٣", "²", "9" * 5_000, "999999999", "-0", "+1", "01", "", " 1 ", "1,5"),
)
WORDS = (
    *("=1+1", "@SUM(A1)", "-2", "+3", "CON", "nul", "NULL", "None", "NaN", "true", "\ufeff", ""),
    *("😀🏳️‍🌈", "\u202eevil\u202c", "\u200f", "e\u0301", "\x85", "\u2028", "\x1c", "\x0b"),
    *(" ", "\t"),
    *("../../x", "<b>", "&amp;", "&l9;", "]]>", "'", '"', "a|b", "[a, b]", "{}", "\\", "#"),
)


def samples() -> dict[str, formats.Files]:
    """The study in all forms: its files, the log first."""
    rows, judged = formats.by_result(), formats.graded()
    log, beside = formats.csv_of(rows), {"judgments.csv": formats.csv_of(judged)}
    by_query = formats.by_query(lambda asked: [*asked.docs], lambda asked: [*asked.clicked])
    lines = formats.json_of(rows.objects())
    grades = {
        (q.session, doc): formats.GRADES.get((q.topic, doc), 0)
        for q in formats.STUDY
        for doc in q.docs
    }
    agents = {name: LAYOUTS[name] for name in ("runs in lines, lists as text", "spans")}
    return {
        "csv": {"log.csv": log, **beside},
        "quoted csv": {"log.csv": formats.csv_of(rows, quoted=True), **beside},
        "tsv": {"log.tsv": formats.csv_of(rows, "\t"), **beside},
        "lists in cells": {"log.csv": formats.csv_of(by_query), **beside},
        "json lines": {"log.jsonl": lines, "judgments.jsonl": formats.json_of(judged.objects())},
        "json sessions": {"log.jsonl": formats.json_of(formats.session_objects()), **beside},
        "session xml": {
            "log.xml": formats.xml_of("docno"),
            "qrels.txt": formats.qrels_of(formats.GRADES),
        },
        "run": {
            "bm25.run": formats.run_of(formats.STUDY, "{}_{}"),
            "qrels.txt": formats.qrels_of({**grades}),
        },
        **{name: {**files, "grades.tsv": AGENTS_GRADES} for name, files in agents.items()},
        "gz": {"log.csv.gz": formats.packed(log), **beside},
        "zip": {"study.zip": formats.zip_of({"log.csv": log, **beside})},
        "parquet": {"log.parquet": formats.parquet_of(rows), **beside},
        "xlsx": {"study.xlsx": formats.workbook_of(log=rows, judgments=judged)},
        "ods": {"study.ods": formats.ods_of(rows, judged)},
        "page": {"study.xls": formats.page_of(rows, judged)},
        "database": {"study.db": formats.database_of(log=rows, judgments=judged)},
        "feather": {"log.feather": formats.feather_of(rows), **beside},
        "ecir2008": {n: (ECIR2008 / n).read_bytes() for n in ("log.csv", "judgments.csv")},
    }


def _put_in(chance: Random, data: bytes, given: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + given + data[at:]


def _flipped(chance: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice([1, 2, 20])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _by_line(chance: Random, data: bytes) -> bytes:
    """Lines but the first dropped, repeated and shuffled, or none left."""
    first, *rest = data.splitlines(keepends=True)
    return b"".join([first, *chance.choices(rest or [b""], k=chance.choice([0, 3, len(rest)]))])


def _other(pattern: bytes, texts: tuple[str, ...]) -> Change:
    """Up to three of what matches a pattern are another text."""

    def change(chance: Random, data: bytes) -> bytes:
        found = list(re.finditer(pattern, data))
        for match in sorted(chance.sample(found, min(3, len(found))), key=lambda m: -m.start()):
            text = chance.choice(texts).encode()
            data = data[: match.start()] + text + data[match.end() :]
        return data

    return change


Change = Callable[[Random, bytes], bytes]
CHANGES: dict[str, Change] = {
    "cut": lambda chance, data: data[: chance.randrange(len(data) + 1)],
    "flipped": _flipped,
    "filled": lambda chance, data: _put_in(chance, data, chance.randbytes(chance.choice([4, 999]))),
    "put in": lambda chance, data: _put_in(chance, data, chance.choice(BETWEEN)),
    "doubled": lambda chance, data: _put_in(chance, data, data[chance.randrange(len(data)) :]),
    "lines": _by_line,
    "other numbers": _other(rb"(?<![\w.-])\d+(?![\w.-])", NUMBERS),
    "other words": _other(rb"\b[A-Za-z]\w+", WORDS),
    "ends": lambda chance, data: b"".join(d + chance.choice(ENDS) for d in data.splitlines()),
    "top": lambda chance, data: chance.choice(TOPS) + data,
    "code": lambda chance, data: (
        data.decode(errors="replace")
        .replace("query", "quéry")
        .encode(chance.choice(CODES), "replace")
    ),
}


def changed(chance: Random, file: str, data: bytes, change: Change) -> bytes:
    """A file's bytes changed, or an entry of an archive."""
    if not file.endswith((".zip", ".xlsx", ".ods")) or chance.random() < 0.3:
        return change(chance, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    entry = chance.choice(
        [one for one in entries if one.endswith((".csv", "sheet1.xml", "content.xml"))]
    )
    return formats.zip_of(entries | {entry: change(chance, entries[entry])})


def inputs() -> Iterator[tuple[str, formats.Files]]:
    """Name and files of all inputs, the same on each run: each is made from its name alone."""
    for place, (form, files) in enumerate(samples().items()):
        yield form, files
        names = [f"{form}, {what} {i}" for i in range(1, 2 * THOROUGH + 1) for what in CHANGES]
        for name in names[place % SHARED :: SHARED]:
            chance = Random(name)
            file = chance.choice([*files, *[*files][:1] * 2])  # the log more often
            change = CHANGES[name.removeprefix(f"{form}, ").rpartition(" ")[0]]
            yield name, files | {file: changed(chance, file, files[file], change)}
    for name, files in fuzz_bombs.bombs(EACH):
        alone = {*files} <= {"study.zip"} or "judgments.csv" in files
        yield name, files if alone else {**files, "judgments.csv": fuzz_bombs.JUDGMENTS}


if __name__ == "__main__":
    formats.put(Path(sys.argv[2]), dict(inputs())[sys.argv[1]])
