"""What a column says: by its name, as times, and by its distinct texts, each looked at once."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from sdcg_explorer.study.arrays import Bools, Floats, Ints, category_codes

PLACES = ("position", "session_position", "session_order")  # of sessions among a searcher's
DWELL = {"dwell", "dwelltime", "verweildauer", "verweilzeit", "lesedauer", "lesezeit", "停留时间"}
MILLISECONDS = {"ms", "msec", "millis", "milliseconds"}
KANA = 8  # class of the signs that voice a Japanese letter, which is another letter then
DIGITS = re.compile(r"[0-9]{1,19}([.,][0-9]{1,12})?")
OF_JSON = re.compile(r"^/Date\(([0-9]{1,16})([+-][0-9]{4})?\)/$")  # of .NET, in ms
AFTER_ZONE = re.compile(r"( (?![AP]M)[A-Z]{1,5})?( m=\S+)?$")  # as Go writes times
YEAR_FIRST = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}.*")
MONTH_IN_WORDS = re.compile(  # Mar 2, 2026 @ 9:02:22, or Mon, 2 March 2026 09:02
    r"(\w+, )?([0-9]{1,2} [A-Z][a-z]+|[A-Z][a-z]+ [0-9]{1,2}),? [0-9]{4}\b.*"
)
DAY_FIRST = re.compile(r"([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4})(.*)")  # 3/4/2021 may be either
DAYS, OF_A_DAY = (2e4, 1e5), re.compile(r"[.,][0-9]{8}")  # since 1900, as spreadsheets count
UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))  # from nano-, micro- and milliseconds since 1970


@lru_cache(10_000)  # each name is asked for some fifty times as a file is read
def plain_name(name: str) -> str:
    """Name of a column in lower case without accents, words joined by underscores.

    >>> plain_name("QueryText"), plain_name("Requête n°"), plain_name("Query #")
    ('query_text', 'requete_n', 'query_no')
    """
    numbered = re.sub("(?i)(?<=query) *#$", "_no", name.strip())
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", numbered)
    apart = unicodedata.normalize("NFD", spaced.lower())
    letters = "".join(sign for sign in apart if unicodedata.combining(sign) in (0, KANA))
    return re.sub(r"[\W_]+", "_", unicodedata.normalize("NFC", letters)).strip("_")


def is_dwell_time(column: str) -> bool:
    """Whether a column says how long results were looked at, by its name.

    >>> is_dwell_time("dwellTime"), is_dwell_time("Verweildauer (s)"), is_dwell_time("time")
    (True, True, False)
    """
    return not DWELL.isdisjoint(plain_name(column).split("_"))


def is_in_ms(column: str) -> bool:
    """Whether a column counts milliseconds, by its name.

    >>> is_in_ms("dwell_ms"), is_in_ms("dwellTime")
    (True, False)
    """
    return not MILLISECONDS.isdisjoint(plain_name(column).split("_"))


def seconds_of(column: pd.Series) -> Floats:
    """Times (N,) in seconds since 1970, or since whatever they count from; nan where unreadable.

    Numbers from 1e11 on are milli-, from 1e14 micro-, from 1e17 nanoseconds; those of a spreadsheet
    are days since 1900. Dates have their year first, day, month and year with points between, or
    their month in words.

    >>> times = "2024-05-01 14:30", "2024-05-01 02:30 PM", "May 1, 2024 @ 14:30:00"
    >>> np.unique(seconds_of(pd.Series(times, dtype="category")) / 3600).tolist()
    [476270.5]
    >>> days = pd.Series(["46024,4166666667", "46024,4201388889"], dtype="category")
    >>> np.diff(seconds_of(days)).round(3).tolist()
    [300.0]
    """
    texts = [OF_JSON.sub(r"\1", str(text).strip()) for text in column.cat.categories]
    if all(DIGITS.fullmatch(text) for text in texts if text):
        values = np.array([float(text.replace(",", ".") or "nan") for text in texts], dtype=float)
        least = np.nanmin(values, initial=np.inf)
        unit = next((unit for size, unit in UNITS if least >= size), 1.0)
        in_days = least > DAYS[0] and np.nanmax(values, initial=0) < DAYS[1]
        if in_days and any(map(OF_A_DAY.search, texts)):
            unit = 1 / 86_400
        return (values / unit)[category_codes(column)]
    plain = [_date_with_year_first(AFTER_ZONE.sub("", text)) for text in texts]
    made = pd.to_datetime(pd.Series(plain, dtype="str"), utc=True, format="mixed", errors="coerce")
    stamps = made.to_numpy(dtype="datetime64[ns]")
    return np.where(np.isnat(stamps), np.nan, stamps.astype(np.int64) / 1e9)[category_codes(column)]


def _date_with_year_first(text: str) -> str:
    """A date with its year first; nothing where it isn't known which part is the day."""
    if fit := DAY_FIRST.fullmatch(text):
        return f"{fit[3]}-{fit[2]:0>2}-{fit[1]:0>2}{fit[4]}"
    known = YEAR_FIRST.fullmatch(text) or MONTH_IN_WORDS.fullmatch(text)
    return text.replace(" @ ", " ") if known else ""


pc: Any = compute  # whose functions are made as it is loaded


def as_arrow(texts: Any) -> Any:
    """Texts as an Arrow array."""
    return pa.array(texts, pa.large_string())


def in_text_order(texts: Any) -> tuple[Ints, list[str]]:
    """Place of each text (T,) among all distinct ones in NFC, and these, by their characters."""
    plain = as_arrow(texts)
    if not pc.all(pc.string_is_ascii(plain)).as_py():
        plain = as_arrow([unicodedata.normalize("NFC", text) for text in plain.to_pylist()])
    distinct = pc.unique(plain)
    in_order = distinct.take(pc.array_sort_indices(distinct))
    return pc.index_in(plain, in_order).to_numpy().astype(np.int32), in_order.to_pylist()


def text_order(column: pd.Series[Any]) -> Ints:
    """Place of each row's text (N,) in that order."""
    return in_text_order(column.cat.categories.array)[0][category_codes(column)]


def used_texts(column: pd.Series[Any]) -> tuple[Any, Ints]:
    """Texts of a column of categories that it uses, and the place of each row's, −1 for none."""
    own: Any = column.array
    known = np.zeros(len(own.categories) + 1, dtype=bool)
    known[own.codes] = True
    texts = own.categories.astype("str")
    if known[:-1].all():
        return texts.array, own.codes
    place = np.append(np.cumsum(known[:-1]) - 1, -1).astype(np.int32)
    return texts[known[:-1]].array, place[own.codes]


def together(own: pd.Index[str], others: Any) -> tuple[pd.Index[str], Ints]:
    """Distinct texts, and after them those of others (T,) that they lack; and the others' places.

    >>> together(pd.Index(["b", "d"], dtype="str"), ["d", "c", "a"])[1].tolist()
    [1, 3, 2]
    """
    added = as_arrow(others)
    alone = added.filter(pc.invert(pc.is_in(added, as_arrow(own.array))))
    more = alone.take(pc.array_sort_indices(alone))
    every = own.append(pd.Index(pd.array(more, dtype="str")))
    return every, pc.index_in(added, as_arrow(every.array)).to_numpy().astype(np.int32)


def plain_ids(texts: Iterable[str]) -> list[str]:
    """Texts in small letters, without blanks around, zeros or http before, and ".0" or "/" behind.

    >>> plain_ids([" 007.0", "http://A.org/x/", "https://www.a.org/x"])
    ['7', 'a.org/x', 'a.org/x']
    """
    plain = pc.utf8_ltrim(pc.utf8_trim_whitespace(as_arrow([*texts])), "0")
    plain = pc.replace_substring_regex(pc.utf8_lower(plain), r"\Ahttps?://(?:www\.)?", "")
    return pc.replace_substring_regex(plain, r"(?:\.0+|/)\z", "").to_pylist()


def lengths(column: pd.Series[Any]) -> Ints:
    """Bytes of each distinct text; (T,)."""
    return pc.binary_length(as_arrow(column.cat.categories.array)).to_numpy().astype(np.int64)


def are_blank(column: pd.Series[Any]) -> Bools:
    """Which texts are nothing but blanks, as Python strips them; (T,)."""
    return _as_bool_array(pc.equal(_trimmed_category_texts(column), ""))


def are_all(column: pd.Series[Any], form: re.Pattern[str]) -> bool:
    """Whether all texts have a form, blanks around aside; those that are blank say nothing.

    >>> are_all(pd.Series(["1", " 2", ""], dtype="category"), DIGITS)
    True
    """
    texts = {str(text).strip() for text in column.cat.categories} - {""}
    return bool(texts) and all(map(form.fullmatch, texts))


def as_numbers(column: pd.Series[Any], pattern: re.Pattern[str]) -> Floats:
    """Numbers of a pattern, blanks around aside, nan where a text is none; (T,)."""
    trimmed = _trimmed_category_texts(column)
    fits = pc.match_substring_regex(trimmed, rf"\A(?:{pattern.pattern})\z")
    values = pc.if_else(fits, trimmed, None).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.where(np.isfinite(values), values, np.nan)


def beyond_ascii(column: pd.Series[Any]) -> Bools:
    """Which texts have other letters than the plain ones; (T,)."""
    return ~_as_bool_array(pc.string_is_ascii(as_arrow(column.cat.categories.array)))


def factorised(column: Any) -> tuple[Any, Any]:
    """Codes of a chunked column and its distinct texts, which numbers have, too."""
    coded = column.dictionary_encode().combine_chunks()
    return coded.indices.to_numpy(), pd.array(coded.dictionary.cast(pa.string()), dtype="str")


def _trimmed_category_texts(column: pd.Series[Any]) -> Any:
    return pc.utf8_trim_whitespace(as_arrow(column.cat.categories.array))


def _as_bool_array(array: Any) -> Bools:
    return array.to_numpy(zero_copy_only=False).astype(bool)
