"""Numbers as every sentence and message says them, and counts with their noun."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isnan
from zlib import crc32

import pandas as pd

UNDEFINED = "undefined"
WHOLE = 1000  # from which a number is written without decimals
LARGE, SMALL = 1e15, 1e-4  # beyond which, and below, it is written with a power of ten
NAME, START, END = 60, 36, 18  # letters of a name outside tables at most, of its beginning and end


def counted(number: float, noun: str, nouns: str = "") -> str:
    """A count, or a mean of counts, with its noun, and with what else agrees with it.

    noun, nouns : behind 1 and behind other numbers; nouns may be left out where they are regular

    >>> counted(1, "query"), counted(1000.4, "session"), counted(1.004, "day"), counted(2.5, "hit")
    ('1 query', '1,000 sessions', '1 day', '2.5 hits')
    >>> counted(1, "session has", "sessions have"), counted(0, "session has", "sessions have")
    ('1 session has', '0 sessions have')
    """
    form = "," if number == int(number) else ",.0f" if number >= WHOLE else ".3g"
    written = f"{int(number) if form == ',' else number:{form}}"
    return f"{written} {plural(1 if written == '1' else 0, noun, nouns)}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Names behind one another, of many the first.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"])
    ('a, b', 'a, b, c, …')
    """
    return ", ".join([*names[:most], *["…"] * (len(names) > most)])


def in_short(text: str, *names: str) -> str:
    """A name, or a text with names in it, long ones without their middle: they may be endless.

    Names that begin and end alike stay apart by four signs that are made of their middle.

    >>> in_short("A" * 50 + "B" * 50)
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…1767…BBBBBBBBBBBBBBBBBB'
    >>> in_short(f"{'A' * 10_000}2 is ahead of B.", "A" * 10_000, "A" * 10_000 + "2", "B")
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…8aa0…AAAAAAAAAAAAAAAAA2 is ahead of B.'
    """
    long = {name for name in names or (text,) if len(name) > NAME}
    for name in sorted(long, key=len, reverse=True):  # one may begin another
        middle = crc32(name[START:-END].encode()) & 0xFFFF
        text = text.replace(name, f"{name[:START]}…{middle:04x}…{name[-END:]}")
    return text


def plural(number: int, noun: str, nouns: str = "") -> str:
    """A noun, or what else agrees with a number that is not said beside it.

    >>> plural(1, "day"), plural(2, "day"), plural(0, "query"), plural(2, "search")
    ('day', 'days', 'queries', 'searches')
    >>> plural(1, "is", "are"), plural(2, "is", "are")
    ('is', 'are')
    """
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return nouns or f"{noun[:-1]}ies"
    return nouns or f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def capital(text: str) -> str:
    """A text as a sentence begins; nDCG and its like stay as they are.

    >>> capital("mean DCG of queries"), capital("sDCG of the last query")
    ('Mean DCG of queries', 'sDCG of the last query')
    """
    return f"{text[:1].upper()}{text[1:]}" if text.partition(" ")[0].islower() else text


def short(value: float) -> str:
    """A number with three significant digits.

    >>> short(7.1), short(999.7), short(-1503.2), short(0), short(float("nan"))
    ('7.10', '1,000', '−1,500', '0', 'undefined')
    >>> short(1e99), short(-6e-11)
    ('1.00 × 10^99', '−6.00 × 10^−11')
    """
    if isnan(value):
        return UNDEFINED
    rounded = float(f"{value:.3g}")
    if not SMALL <= abs(rounded) < LARGE:
        return _power_of_ten_text(f"{rounded:.2e}") if rounded else "0"
    form = ",.0f" if abs(rounded) >= WHOLE else "#.3g"
    return f"{rounded:{form}}".rstrip(".").replace("-", "−")


def plain(value: float) -> str:
    """A number that was chosen, as gains are: as short as it can be.

    >>> plain(10.0), plain(0.5), plain(1e6), plain(1e99)
    ('10', '0.5', '1,000,000', '10^99')
    """
    told = f"{value:g}"
    if "e" not in told:
        return told
    return f"{value:,.0f}" if WHOLE <= abs(value) < LARGE else _power_of_ten_text(told)


def _power_of_ten_text(told: str) -> str:
    """A number with an exponent, as text: its power of ten written out."""
    mantissa, _, exponent = told.partition("e")
    power = f"10^{int(exponent)}".replace("-", "−")
    return power if mantissa == "1" else f"{mantissa} × {power}".replace("-", "−")


ROWS = 10  # of a table that are shown


def as_html(title: str, lines: Iterable[str], tables: Mapping[str, pd.DataFrame]) -> str:
    """A title, lines of text, and the first and last rows of tables by their names.

    >>> as_html("<b>", ["1 < 2"], {})
    '<div class="tex2jax_ignore mathjax_ignore"><p><b>&lt;b&gt;</b></p><p>1 &lt; 2</p></div>'
    """
    parts = [f"<p><b>{escape(title)}</b></p>", *(f"<p>{escape(line)}</p>" for line in lines)]
    for name, table in tables.items():
        rows = table.to_html(max_rows=ROWS, index=False, na_rep="–", escape=True)
        parts.append(f"<p>{escape(name)}: {counted(len(table), 'row')}</p>{rows}")
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'
