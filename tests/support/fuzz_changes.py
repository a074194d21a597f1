"""Changes to a file's bytes: cut, shuffled, recoded, filled with what no reader expects."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Change = Callable[[Random, bytes], bytes]

CODES = {
    **{"UTF-16": "utf-16", "UTF-16 without mark": "utf-16-le", "UTF-8 with mark": "utf-8-sig"},
    **{"Latin-1": "latin-1", "Shift-JIS": "shift-jis", "UTF-32": "utf-32"},
}
NUMBERS = (
    *("1e999", "-1e999", "nan", "inf", "-inf", "1" + "0" * 30, "-1", "0", "1.0", "1.5", "1e3"),
    *("0x10", "1_0", "٣", "²", "9" * 5_000, "999999999", "-0", "+1", "01", "", " 1 ", "1,5"),
)
WORDS = (
    *("=1+1", "@SUM(A1)", "-2", "+3", "CON", "nul", "NULL", "None", "NaN", "true", "\ufeff"),
    *("😀🏳️‍🌈", "\u202eevil\u202c", "\u200f", "e\u0301"),
    *("\x85", "\u2028", "\x1c", "\x0b", " ", "\t"),
    *("../../x", "<b>", "&amp;", "&l9;", "]]>", "'", '"', '""', "a|b", "[a, b]", "{}", "\\", "#"),
)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


def truncated(chance: Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def shuffled(chance: Random, data: bytes) -> bytes:
    first, *rest = _lines(data)
    chance.shuffle(rest)
    return b"".join([first, *rest])


def repeated(chance: Random, data: bytes) -> bytes:
    lines = _lines(data)
    return b"".join([*lines, *chance.choices(lines, k=chance.choice([1, 3, len(lines)]))])


def dropped(chance: Random, data: bytes) -> bytes:
    return b"".join(line for line in _lines(data) if chance.random() < 0.8)


def header_alone(_: Random, data: bytes) -> bytes:
    return _lines(data)[0]


def emptied(chance: Random, data: bytes) -> bytes:
    """A few words gone."""
    return _some(chance, data, rb"[\w.-]+", lambda _: b"")


def columns_swapped(chance: Random, data: bytes) -> bytes:
    """Two columns change places, on all lines or on some."""
    lines = [line.rstrip(b"\r\n") for line in _lines(data)]
    sign = max((b",", b"\t", b";", b" "), key=lines[0].count)
    a, b = chance.randrange(1 + lines[0].count(sign)), chance.randrange(1 + lines[0].count(sign))
    share = chance.choice([0.1, 1.0])
    for i, line in enumerate(lines):
        cells = line.split(sign)
        if max(a, b) < len(cells) and chance.random() < share:
            cells[a], cells[b] = cells[b], cells[a]
            lines[i] = sign.join(cells)
    return b"\n".join([*lines, b""])


def flipped(chance: Random, data: bytes) -> bytes:
    """One bit of a few bytes turned."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 2, 20])):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def filled(chance: Random, data: bytes) -> bytes:
    """Random bytes in between."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.choice([1, 4, 1_000])) + data[at:]


def block_doubled(chance: Random, data: bytes) -> bytes:
    at, end = sorted(chance.choices(range(len(data) + 1), k=2))
    return data[:end] + data[at:]


def zeroed(chance: Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + b"\0" * chance.choice([1, 100]) + data[at:]


def lone_quote(chance: Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice([b'"', b"'", b'""', b'" ', b' "']) + data[at:]


def other_number(chance: Random, data: bytes) -> bytes:
    number = chance.choice(NUMBERS).encode()
    return _some(chance, data, rb"(?<![\w.-])\d+(?![\w.-])", lambda _: number)


def other_word(chance: Random, data: bytes) -> bytes:
    word = chance.choice(WORDS).encode()
    return _some(chance, data, rb"\b[A-Za-z]\w+", lambda found: chance.choice([word, found + word]))


def huge(chance: Random, data: bytes) -> bytes:
    """A word of many thousand letters."""
    size = chance.choice([10_000, 300_000, 1_500_000])
    return _some(chance, data, rb"[\w.-]+", lambda _: b"x" * size, most=1)


def ends_mixed(chance: Random, data: bytes) -> bytes:
    ends = (b"\n", b"\r\n", b"\r", b"\n\n", b"\n \n", b" \n")
    return b"".join(line.rstrip(b"\r\n") + chance.choice(ends) for line in _lines(data))


def blank_above(chance: Random, data: bytes) -> bytes:
    return chance.choice([b"\n", b"\r\n\r\n", b"  \n", b"\t\n", b"# log\n", b"sep=,\n"]) + data


def _some(
    chance: Random, data: bytes, pattern: bytes, change: Callable[[bytes], bytes], most: int = 3
) -> bytes:
    """What matches a pattern changed at up to so many places."""
    found = list(re.finditer(pattern, data))
    places = chance.sample(found, min(len(found), chance.randint(1, most)))
    for match in sorted(places, key=lambda match: -match.start()):
        data = data[: match.start()] + change(match[0]) + data[match.end() :]
    return data


def _recoded(code: str) -> Change:
    def change(chance: Random, data: bytes) -> bytes:
        text = data.decode("utf-8", errors="replace")
        marked = text.replace("query", chance.choice(["quéry", "検索", "query"]))
        return marked.encode(code, errors="replace")

    return change


def _named(*changes: Change) -> dict[str, Change]:
    return {change.__name__.replace("_", " "): change for change in changes}


BYTES = _named(truncated, flipped, filled, block_doubled, zeroed)
TEXTS = {
    **_named(truncated, shuffled, repeated, dropped, header_alone, emptied, columns_swapped),
    **_named(flipped, filled, zeroed, lone_quote, other_number, other_word, huge, ends_mixed),
    **_named(blank_above),
    **{f"in {name}": _recoded(code) for name, code in CODES.items()},
}
