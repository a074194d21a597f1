"""What a column of a log says: by the words of its name, and as times."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
import pandas as pd

from sdcg_explorer.study.arrays import Floats
from sdcg_explorer.study.result_rows import category_codes

PLACES = ("position", "session_position", "session_order")  # of sessions among a searcher's
DWELL = {"dwell", "dwelltime", "verweildauer", "verweilzeit", "lesedauer", "lesezeit", "停留时间"}
MILLISECONDS = {"ms", "msec", "millis", "milliseconds"}
KANA = 8  # class of the signs that voice a Japanese letter, which is another letter then
DIGITS = re.compile(r"[0-9]{1,19}([.,][0-9]{1,12})?")
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

    >>> plain_name("QueryText"), plain_name("Requête n°"), plain_name("ユーザー")
    ('query_text', 'requete_n', 'ユーザー')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
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
    texts = [str(text).strip() for text in column.cat.categories]
    if all(DIGITS.fullmatch(text) for text in texts if text):
        values = np.array([float(text.replace(",", ".") or "nan") for text in texts], dtype=float)
        least = np.nanmin(values, initial=np.inf)
        unit = next((unit for size, unit in UNITS if least >= size), 1.0)
        if (
            least > DAYS[0]
            and np.nanmax(values, initial=0) < DAYS[1]
            and any(map(OF_A_DAY.search, texts))
        ):
            unit = 1 / 86_400
        return (values / unit)[category_codes(column)]
    plain = [_date_with_year_first(AFTER_ZONE.sub("", text)) for text in texts]
    made = pd.to_datetime(pd.Series(plain, dtype="str"), utc=True, format="mixed", errors="coerce")
    stamps = made.to_numpy(dtype="datetime64[ns]")
    seconds = np.where(np.isnat(stamps), np.nan, stamps.astype(np.int64) / 1e9)
    return seconds[category_codes(column)]


def _date_with_year_first(text: str) -> str:
    """A date with its year first; nothing where it isn't known which part is the day."""
    if fit := DAY_FIRST.fullmatch(text):
        return f"{fit[3]}-{fit[2]:0>2}-{fit[1]:0>2}{fit[4]}"
    known = YEAR_FIRST.fullmatch(text) or MONTH_IN_WORDS.fullmatch(text)
    return text.replace(" @ ", " ") if known else ""
