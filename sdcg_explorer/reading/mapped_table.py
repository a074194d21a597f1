"""Tables by role, with the repairs that are offered: rows that are none of a table, and cells.

Repairs are made before anything else is checked, so that every further fault is seen at once; one
that nobody asked for is an error in the end.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial, reduce

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading import cells, log_rows, patterns, raw_table, shapes
from sdcg_explorer.reading.cells import NUMBER, WHOLE, Findings, RowRule, blank, coded, row_numbers
from sdcg_explorer.reading.mapping import ROLES, Role, Roles, lacking_columns, which_is_which
from sdcg_explorer.reading.raw_table import KINDS, RawTable, category, texts_of, with_texts
from sdcg_explorer.reading.recipe import ASKED, DEFAULT, GUESSED, Recipe, by_fix, by_rule, names_in
from sdcg_explorer.reading.table_kinds import Mapped, Part, as_kind, of_kind
from sdcg_explorer.study import arrays, wording
from sdcg_explorer.study.columns import are_all, beyond_ascii, is_dwell_time, plain_name
from sdcg_explorer.study.problems import Problem, Remedy, cut, note, refusal, warning

TOTALS = {
    *("total", "totals", "sum", "mean", "average", "summe", "gesamt", "insgesamt", "mittelwert"),
    *("durchschnitt", "somme", "moyenne", "suma", "promedio", "totale", "totali", "totais"),
    *("somma", "soma", "media", "média", "合计", "总计", "平均"),
    *("grand total", "count", "anzahl", "ergebnis", "gesamtergebnis"),  # as spreadsheets write them
}
STATISTICS = {"sd", "std", "stdev", "se", "min", "max", "n", "median", "minimum", "maximum"}
SUBTOTAL = re.compile(
    r"sub\W?total|sous\Wtota|(zwischen|teil)(summe|ergebnis)|(total|suma|soma) parcial"
    r"|(totale|somma) parziale|小计"
)
YES_WORDS = {
    *("ja", "j", "tak", "oui", "o", "si", "sí", "sì", "sim", "x", "✓", "✔", "☑", "是"),
    *("wahr", "vrai", "vero", "verdadeiro"),
}
NO_WORDS = {
    *("nein", "nee", "nie", "non", "não", "nao", "✗", "✘", "☐", "-", "–"),
    *("falsch", "faux", "falso", "否"),
}
COMMA = re.compile(r"([+-]?[0-9]{1,40}),([0-9]{1,40})")
COMMA_WHOLE = re.compile(r"([0-9]{1,9}),0{1,2}")  # 1,000 may be 1 or a thousand
PERCENT = re.compile(r"([+-]?[0-9]{1,40}([.,][0-9]{1,40})?)[ \u00a0\u202f]?%")
THOUSANDS = re.compile(r"[0-9]{1,3}([,.'’ \u00a0\u202f][0-9]{3}){1,2}")
SERIAL = re.compile(r"[3-6][0-9]{4}([.][0-9]{1,17})?")  # days, of 1982 to 2091
CLOCK = re.compile(r"(?:([0-9]{1,3}):(?=[0-9]{2}:))?([0-9]{1,3}):([0-5][0-9])((?:[.][0-9]{1,9})?)")
# a comma for a point, or between thousands; days, or seconds
DOUBTFUL = re.compile(r"[0-9]{1,3},[0-9]{3}|[0-9]{5}([.][0-9]{1,3})?")
KEPT_COMMAS = "commas may separate decimals or thousands, so the column stays text"
KEPT_DAYS = "read as seconds, though days since 1900 look the same"
NO_DIGIT = re.compile(r"[^0-9]")
QUOTED = re.compile(r"(['\"]+)(?P<text>[^'\"]+)\1|[“„”‘‚«](?P<other>[^“„”‘’‚«»]+)[”“’‘»]")
POINT_ZERO = re.compile(r"([0-9]{1,18})([.]0+|,0)")
ROW_NUMBERS = {
    *("unnamed_0", "index", "x", "row", "rows", "row_id", "rowid", "row_number", "row_names"),
    *("rownames", "lfd_nr", "laufende_nummer", "zeile", "n"),
}


def _yes_no_as_digit(text: str) -> str:
    low = text.casefold()
    return "1" if low in YES_WORDS | cells.YES else "0" if low in NO_WORDS | cells.NO else ""


def _text_rewriter(
    form: re.Pattern[str], by: Callable[[re.Match[str]], str] = lambda fit: fit[1]
) -> Callable[[str], str]:
    """What becomes of a text of a form; "" for another."""
    return lambda text: by(fit) if (fit := form.fullmatch(text)) else ""


def _without_thousands_signs(text: str) -> str:
    doubtful = text.endswith(",000") and text.count(",") == 1
    return NO_DIGIT.sub("", text) if THOUSANDS.fullmatch(text) and not doubtful else ""


def _date_from_serial_number(days: re.Match[str]) -> str:
    """A date and time by the days since 1900 that spreadsheets count."""
    moment = datetime(1899, 12, 30, tzinfo=UTC) + timedelta(days=float(days[0]))
    return f"{moment + timedelta(milliseconds=500):%Y-%m-%d %H:%M:%S}"


def _is_mark(text: str) -> bool:
    return text.lower() in cells.YES | cells.NO or bool(cells.COUNTED.fullmatch(text))


@dataclass(frozen=True)
class _OfCells:
    """A repair of the cells of a column.

    clean : what a text becomes, "" where it is no repair for it · is_right : whether one is right
    as it is · whole : whether all of the column are of one kind, and differ afterwards as they did
    """

    fix: str
    clean: Callable[[str], str]
    is_right: Callable[[str], object] = lambda _: False
    whole: bool = True


MOST_TOTALS = 20  # rows
SHORT = 40  # letters of a cell in a message
MOST_TEXTS = 100_000  # of a column that no spreadsheet made
IDS = ("session", "system", "searcher", "topic", "doc")
WITH_POINT = _text_rewriter(COMMA, lambda fit: f"{fit[1]}.{fit[2]}")
WITHOUT_PERCENT = _text_rewriter(PERCENT, lambda fit: fit[1].replace(",", "."))
SECONDS = _text_rewriter(  # of a time as clocks show it, 1:35 or 0:01:35
    CLOCK, lambda fit: f"{3600 * int(fit[1] or 0) + 60 * int(fit[2]) + int(fit[3])}{fit[4]}"
)
WITHOUT_QUOTES = _text_rewriter(QUOTED, lambda fit: (fit["text"] or fit["other"]).strip())
OF_QUOTES = _OfCells("quotes", WITHOUT_QUOTES)  # of a table whose ids are quoted
OF_WHOLES = (
    _OfCells("decimal-comma", _text_rewriter(COMMA_WHOLE), WHOLE.fullmatch, whole=False),
    _OfCells("thousands", _without_thousands_signs, WHOLE.fullmatch, whole=False),
)
OF_MARKS = (OF_QUOTES, _OfCells("yes-no", _yes_no_as_digit, _is_mark, whole=False))
OF_IDS = (OF_QUOTES, _OfCells("whole-numbers", _text_rewriter(POINT_ZERO)))
OF_NUMBERS = (
    _OfCells("decimal-comma", WITH_POINT, NUMBER.fullmatch),
    _OfCells("percent", WITHOUT_PERCENT, NUMBER.fullmatch),
    _OfCells("thousands", _without_thousands_signs, NUMBER.fullmatch),
)
OF_OTHERS = (*OF_NUMBERS, _OfCells("yes-no", _yes_no_as_digit))
# by the role of a column, "" for none; of several repairs of whole columns the first counts
OF_ROLES: dict[str, tuple[_OfCells, ...]] = {
    **dict.fromkeys(("session", "searcher", "topic", "doc"), OF_IDS),  # a system may be 2.0
    **dict.fromkeys(("query_number", "rank"), OF_WHOLES),
    **dict.fromkeys(("clicked", "examined", "saved"), OF_MARKS),
    "grade": (
        _OfCells("decimal-comma", WITH_POINT, NUMBER.fullmatch, whole=False),
        _OfCells("percent", WITHOUT_PERCENT),
    ),
    "time": (OF_QUOTES, _OfCells("serial-dates", _text_rewriter(SERIAL, _date_from_serial_number))),
    "dwell": (_OfCells("clock-times", SECONDS, NUMBER.fullmatch, whole=False), *OF_OTHERS),
    "": OF_OTHERS,
}
# no texts
NUMERIC = (*("query_number", "rank", "clicked", "examined", "saved", "grade", "time", "dwell", ""),)
KEYS = ("session", "query_number")


def with_repaired_rows(part: Part, found: Findings, recipe: Recipe = DEFAULT) -> Part:
    """A table without rows that are none of it, and with cells that are read as they mean.

    Rows without a grade, document or key are left out of judgments and ratings anyhow.
    """
    if not _may_be_repaired(part):
        return part
    part = _with_whole_rows(part, found, recipe)
    part = _with_cells_repaired(_without_row_numbers(part, found), found)
    return _with_year_first_dates(_with_missing_docs(part, found), recipe.dates, found)


def _may_be_repaired(part: Part) -> bool:
    """Whether a table has a role, and rows that a spreadsheet may have made."""
    raw = part.raw
    made = raw.exact or raw.known.scored or raw.known.calls
    return part.kind in ROLES and not made and len(raw.rows) > 0


def _with_whole_rows(part: Part, found: Findings, recipe: Recipe) -> Part:
    """A table without rows that are none of it, and with its merged cells filled."""
    raw = part.raw
    if part.kind in ("log", "ratings", "judgments"):
        empty = reduce(np.logical_and, (blank(raw.rows[name]) for name in raw.header))
        totals = _subtotal_rows(part) if part.kind == "log" else np.zeros_like(empty)
        totals |= _rows_with_totals(part, empty | totals)
        notes = _footnote_rows(part, empty | totals) if part.kind == "log" else np.zeros_like(empty)
        totals |= _rows_with_totals(part, empty | notes | totals)  # those above a note
        gone = np.zeros(len(raw.rows), dtype=bool)
        empty &= part.kind != "judgments"  # which lose them anyhow
        for fix, rows in (("blank-rows", empty), ("total-rows", totals), ("note-rows", notes)):
            if found.fix(raw, fix, np.flatnonzero(rows), partial(_row_description, raw), gone=True):
                gone |= rows
        part = replace(part, raw=raw.without(gone)) if gone.any() else part
    return _with_merged(part, recipe, found) if part.kind in ("log", "judgments") else part


def _with_cells_repaired(part: Part, found: Findings) -> Part:
    """A table whose cells are read as they mean, column by column.

    What is made only when asked for leaves the texts as they are, which is warned of.
    """
    roles = {column: role for role, column in part.columns.items()}
    ids = [part.raw.rows[name] for name, role in roles.items() if role in ("session", *IDS[2:])]
    first = (OF_QUOTES,) if ids and all(_repaired(column, OF_QUOTES) for column in ids) else ()
    made: dict[str, pd.Series] = {}
    for name in part.raw.header:
        role = roles.get(name, "dwell" * is_dwell_time(name))
        column = part.raw.rows[name]
        is_large = not role and len(column.cat.categories) > MOST_TEXTS
        repairs = first + OF_ROLES.get(role, ())
        if not repairs or is_large or log_rows.NO_NAME.fullmatch(name):
            continue
        what = role.replace("_", " ") if role else f"column {name!r}"
        if role in NUMERIC:
            is_rating = part.kind == "ratings" and not role
            column = _without_missing(part.raw, column, what, role, found, is_rating=is_rating)
        for repair in repairs:
            new = _repaired(column, repair)
            if not new:
                continue
            pairs = zip(texts_of(column), new, strict=True)
            odd = {text.strip() for text, clean in pairs if text != clean}
            doubtful = repair.whole and role in NUMERIC and all(map(DOUBTFUL.fullmatch, odd))
            is_guess = repair.fix in GUESSED
            if not (repair.fix not in found.fixes if is_guess else doubtful):
                column = found.rewrite(part.raw, repair.fix, column, new, what)
            elif cells := [text for text in column if text.strip() in odd]:
                more = f" and {len(cells) - 1:,} more like it" * (len(cells) > 1)
                some = f"{what} {cells[0]!r}{more}"
                said = note(part.raw.file, some, KEPT_COMMAS, "Write its numbers without commas.")
                if is_guess:
                    rule = KEPT_DAYS if doubtful else "it is read as plain text"
                    said = warning(part.raw.file, some, rule, by_fix(repair.fix))
                found.problems.append(replace(said, fix=repair.fix * is_guess))
            if repair.whole and repair is not OF_QUOTES:
                break
        if part.kind == "ratings" and not role and (new := without_codes(texts_of(column))):
            column = found.rewrite(part.raw, "no-answers", column, new, what)
        made[name] = column
    return part.with_rows(part.raw.rows.assign(**made))  # at once: it may have a thousand columns


def _row_description(raw: RawTable, row: int) -> str:
    """A row by its line, and by what it begins with."""
    first = next(filter(None, (str(raw.rows[name].iat[row]).strip() for name in raw.header)), "")
    return f"line {raw.line(row)}{f' ({cut(first, SHORT)!r})' * bool(first)}"


def _repaired(column: pd.Series, repair: _OfCells) -> list[str]:
    """Distinct texts of a column as a repair has them; nothing where it is none for them.

    Of a whole column none is of another kind, and no two become one.
    """
    texts, new = texts_of(column), list[str]()
    for text in map(str.strip, texts):
        right = repair.is_right(text) or (not text and repair.whole)
        new.append("" if right else repair.clean(text))
        if repair.whole and not right and not new[-1]:
            return []
    made = [clean or text for text, clean in zip(texts, new, strict=True)]
    one = len({*map(str.strip, made)}) < len({text.strip().casefold() for text in texts})
    alone = repair.fix == "yes-no" and len({*made} - {""}) < 2
    return [] if made == texts or (repair.whole and (one or alone)) else made


MOST_WORDS, MOST_OF_WORDS = 3, 0.2  # among the numbers of a rating: different, and of its cells


def _without_missing(
    raw: RawTable, column: pd.Series, what: str, role: str, found: Findings, *, is_rating: bool
) -> pd.Series:
    """A column of numbers or marks, NA and its like in it as empty cells.

    Among numbers of a rating these are a few words, too, whatever they are (n.r.).
    """
    texts = texts_of(column)
    words = cells.MISSING_WORDS if role in ("clicked", "examined") else cells.NOTHING
    if is_rating:
        odd = {text.strip().casefold() for text in texts if not _is_numeric(text.strip())}
        is_odd = np.array([text.strip().casefold() in odd for text in texts])[coded(column)]
        few = len(odd) <= MOST_WORDS and is_odd.sum() <= MOST_OF_WORDS * (~blank(column)).sum()
        words = words | odd if few and not re.search("[0-9]", "".join(odd)) else words
    new = ["" if text.strip().casefold() in words else text for text in texts]
    if new == texts or (role in ("", "grade") and not all(map(_is_numeric, map(str.strip, new)))):
        return column
    return found.rewrite(raw, "missing-words", column, new, what)


def without_codes(texts: Sequence[str]) -> list[str]:
    """Distinct numbers of a rating, "" for what surveys write where nobody answered; else nothing.

    A code is far above all others, or far below them, or negative where none of them is; -1 alone
    may be an answer.
    """
    texts = [text.strip() for text in texts]
    numbers = {text: float(text) for text in texts if NUMBER.fullmatch(text)}
    scale = {number for number in numbers.values() if number not in NO_ANSWER}
    if not scale or len(numbers) < len({*texts} - {""}):
        return []
    far, least = FAR * max(map(abs, scale)), min(scale)
    odd = {number for number in {*numbers.values()} - scale if number >= far and len(scale) > 1}
    odd |= {n for n in {*numbers.values()} - scale if n < -1 and (least >= 0 or n <= -far)}
    odd |= {-1.0} if odd and least > 0 else set()
    return ["" if numbers.get(text) in odd else text for text in texts] if odd else []


def _is_numeric(text: str) -> bool:
    """Whether a text is a number, in any form that is read as one, or empty."""
    return not text or any(each.is_right(text) or each.clean(text) for each in OF_NUMBERS)


NO_ANSWER = {-1, -7, -8, -9, -77, -88, -97, -98, -99, -999, 77, 88, 99, 999, 9999}
FAR = 9  # times as far from 0 as any number of the scale


def _with_missing_docs(part: Part, found: Findings) -> Part:
    """A log where NA, or "no results", stands for the document too, in rows without a rank."""
    raw, columns = part.raw, part.columns
    if part.kind != "log" or not {"doc", "rank"} <= {*columns}:
        return part
    docs, no_rank = raw.rows[columns["doc"]], blank(raw.rows[columns["rank"]])
    if not no_rank.any():
        return part
    none = {"no result", "no results", "no results found", "no hits", "keine treffer"}
    words = cells.NOTHING | none
    missing = np.array([text.strip(" ()").casefold() in words for text in texts_of(docs)])
    gone = missing[coded(docs)] & no_rank
    if not found.fix(raw, "missing-words", np.flatnonzero(gone), lambda i: f"doc {docs.iloc[i]!r}"):
        return part
    texts = np.where(gone, "", docs.astype("str").to_numpy(object))
    return part.with_rows(raw.rows.assign(**{columns["doc"]: category(texts)}))


LOCAL = re.compile(  # 16.04.2026 14:03, 4/16/26 2:03 PM
    r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2}),?"
    r"(?:[ T]+([0-9]{1,2})[:.h]([0-9]{2})(?:[:.]([0-9]{2}(?:[.][0-9]{1,9})?))?"
    r"(?: ?([AaPp])[.]?[Mm][.]?)?(?: Uhr)?)?"
)

DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9:.]{5,18})?")  # of no zone


DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T00:00:00)?|[0-9]{1,2}([./-])[0-9]{1,2}\2[0-9]{2,4}")


def _times_with_dates_added(part: Part, found: Findings) -> RawTable:
    """A log whose times of the day have their dates before, where one other column has these."""
    raw, name = part.raw, part.columns["time"]
    roles = part.columns.values()
    days = [c for c in raw.header if c not in roles and are_all(raw.rows[c], DAY)]
    if len(days) != 1 or not are_all(raw.rows[name], CLOCK):
        return raw
    rule = "a day and a time of day are read as one moment"
    found.note(raw.file, f"columns {days[0]} and {name}", rule)
    both = [
        f"{day.strip().removesuffix('T00:00:00')} {clock.strip()}" if day and clock else ""
        for day, clock in zip(raw.rows[days[0]], raw.rows[name], strict=True)
    ]
    return replace(raw, rows=raw.rows.assign(**{name: category(both)}))


def _with_year_first_dates(part: Part, dates: str, found: Findings) -> Part:
    """A log whose times have their year first, where dates are written as people write them.

    Some may have it first already, as a workbook's own dates have beside those that are texts.
    Where the first number may be the day or the month, and the order of times depends on it, that
    is asked.
    """
    if part.kind != "log" or "time" not in part.columns:
        return part
    raw, name = _times_with_dates_added(part, found), part.columns["time"]
    part, column = replace(part, raw=raw), raw.rows[name]
    texts = [text.strip() for text in texts_of(column)]
    fits = [LOCAL.fullmatch(text) for text in texts]
    ways = dict[str, list[str]]()
    for first in ("day", "month"):
        way = [
            _year_first(fit, first) if fit else text.replace("T", " ") * bool(DATED.fullmatch(text))
            for text, fit in zip(texts, fits, strict=True)
        ]
        if any(fits) and [*map(bool, way)] == [*map(bool, texts)]:
            ways[first] = way
    if not ways:
        return part
    rows = np.flatnonzero(np.array([*map(bool, fits)])[coded(column)])
    if len(ways) > 1 and not dates:
        days, months = (np.argsort([m for m in way if m], kind="stable") for way in ways.values())
        remedy = by_rule("dates", "day or month", "Say which:")
        rule, some = "either the day or the month comes first", f"time {column.iloc[rows[0]]!r}"
        if np.array_equal(days, months):  # whichever it is: the study stands without times
            rule = f"{rule}, so it is not read as a time"
            found.warn(raw.file, some, rule, remedy)
        else:
            rule = f"{rule}, and the order depends on it"
            found.error(*raw.place(int(rows[0])), some, rule, remedy)
        return part
    new = ways.get(dates) or next(iter(ways.values()))
    if not found.fix(raw, "local-dates", rows, lambda i: f"time {column.iloc[i]!r}"):
        return part
    return part.with_rows(raw.rows.assign(**{name: with_texts(column, new)}))


def _year_first(fit: re.Match[str], first: str) -> str:
    """A date and time with the year first; "" where no month has such a number.

    first : what it begins with, "day" or "month"; between points that is the day
    """
    one, sign, other, year, hour, minute, second, half = fit.groups()
    day, month = (one, other) if first == "day" else (other, one)
    if sign == "." and first != "day":
        return ""
    number = int(year) + (0 if len(year) == 4 else 2000 if int(year) < 70 else 1900)
    at = int(hour or 0) % 12 + 12 * (half in ("P", "p")) if half else int(hour or 0)
    try:
        date = datetime(number, int(month), int(day), at, int(minute or 0), tzinfo=UTC)
    except ValueError:
        return ""
    return f"{date:%Y-%m-%d}" if hour is None else f"{date:%Y-%m-%d %H:%M}:{second or '00'}"


def _without_row_numbers(part: Part, found: Findings) -> Part:
    """A table without columns that number its rows, as R and pandas write them."""
    raw, roles = part.raw, {*part.columns.values()}
    counts = np.arange(len(raw.rows))
    for name in (c for c in raw.header if plain_name(c) in ROW_NUMBERS and c not in roles):
        numbers = row_numbers(raw.rows[name], WHOLE)
        is_count = any(np.array_equal(numbers, counts + first) for first in (0, 1))
        what = f"column {name!r}, which numbers the rows"
        if is_count and found.fix(raw, "row-numbers", counts[:1], lambda _, what=what: what):
            raw = replace(raw, rows=raw.rows.drop(columns=name))
    return replace(part, raw=raw)


def _with_merged(part: Part, recipe: Recipe, found: Findings) -> Part:
    """A table whose merged cells are filled, where half of what it lists or more lacks its key.

    The key of a log's rows is their session and query, or what tells these apart; of judgments,
    what they go by. No cell is filled across one that starts a session or query anew.
    """
    raw, columns = part.raw, part.columns
    is_named = "session" in columns or "merged-cells" not in found.fixes
    usual = ["session"] if is_named else ["searcher", "topic"]
    key = names_in(recipe.session_by) or (["searcher"] if recipe.session_gap else usual)
    within = names_in(recipe.query_by) or ["query_number", shapes.QUERY_KEY]
    if part.kind == "judgments":
        roles = (recipe.judged_by, "topic", "text", "session")
        key = [next((role for role in roles if role in columns), "query_number")]
        within = ["query_number"]
    outer = [c for c in (columns.get(name, name) for name in key) if c in raw.header]
    inner = [c for c in (columns.get(name, name) for name in within) if c in raw.header]
    starts = {
        **{columns[role]: () for role in ("topic", "system", "searcher") if role in columns},
        **{columns[role]: (*outer, *inner) for role in ("text", "time") if role in columns},
        **dict.fromkeys(inner, tuple(outer)),
        **dict.fromkeys(outer, ()),
    }
    lacking = {name: blank(raw.rows[name]) for name in starts}
    keys = {*outer, *inner}
    if "doc" not in columns or any(lacking[name][:1].any() for name in keys):
        return part
    is_listed = ~blank(raw.rows[columns["doc"]])
    named = {name: (~lacks & is_listed).sum() for name, lacks in lacking.items()}
    merged = {name for name, number in named.items() if 0 < 2 * number <= is_listed.sum()}
    if not keys & merged:
        return part
    rows = np.flatnonzero(np.any([lacking[name] for name in keys], axis=0))
    anew = {  # of a column that every row has, where it changes
        name: ~lacks if lacks.any() else np.diff(coded(raw.rows[name]), prepend=-1) != 0
        for name, lacks in lacking.items()
    }
    filled = {
        name: _filled_from_above(raw.rows[name], [anew[each] for each in before])
        for name, before in starts.items()
        if before or name in keys | merged
    }
    said = "a cell that is blank below a filled one"
    rule = f"each row needs its {'session' if part.kind == 'log' else key[0].replace('_', ' ')}"
    found.fix(raw, "merged-cells", rows, lambda _: said, rule=rule)
    return part.with_rows(raw.rows.assign(**filled))


def _filled_from_above(column: pd.Series, starts: list[arrays.Bools]) -> pd.Series:
    """Cells, a blank one as the last filled one above, but none across a row that starts anew."""
    numbers = np.arange(len(column))
    above = np.maximum.accumulate(np.where(blank(column), 0, numbers))
    first = np.maximum.accumulate(np.where(np.any([numbers < 0, *starts], axis=0), numbers, 0))
    taken = column.take(np.where(above < first, numbers, above)).reset_index(drop=True)
    return raw_table.in_appearance(taken)


def _key_columns(part: Part) -> list[str]:
    """Columns of sessions and queries, or of what may tell these."""
    columns = part.columns
    keys = KEYS if "session" in columns else (*KEYS, "searcher", "topic")
    return [columns[role.name] for role in ROLES[part.kind] if role.name in {*keys} & {*columns}]


def _subtotal_rows(part: Part) -> arrays.Bools:
    """Rows of a log without a rank, in which a subtotal stands for a key, or beside none."""
    raw, keys = part.raw, _key_columns(part)
    subtotals = np.zeros(len(raw.rows), dtype=bool)
    shown = next((part.columns[role] for role in ("rank", "doc") if role in part.columns), "")
    rows = np.flatnonzero(blank(raw.rows[shown])) if shown else np.empty(0, np.int64)
    if not rows.size:
        return subtotals
    lacking = np.any([blank(raw.rows[name])[rows] for name in keys], axis=0)
    for name in {*raw.header} - {part.columns.get("text")}:
        texts = raw.rows[name].take(rows).astype("str").str.strip().str.casefold()
        others = {text.strip().casefold() for text in texts_of(raw.rows[name])}
        words = np.array([_is_subtotal(text, others) for text in texts], dtype=bool)
        subtotals[rows] |= words if name in keys else words & lacking
    return subtotals


def _is_subtotal(text: str, others: set[str]) -> bool:
    """Whether a text says a total, or that of another text (total s1, s1 total)."""
    (first, _, after), (before, _, last) = text.partition(" "), text.rpartition(" ")
    of_one = (first in TOTALS and after in others) or (last in TOTALS and before in others)
    return of_one or text.rstrip(" :") in TOTALS or bool(SUBTOTAL.match(text))


def _rows_with_totals(part: Part, empty: arrays.Bools) -> arrays.Bools:
    """Rows at the foot, a few, with a word for a total, and without session or query number.

    In place of a key further words may say of what, where the row of a log has no document, and
    no other row has these words. Beside a total, other statistics of ratings are such rows, too.
    """
    rows, doc = part.raw.rows, part.columns.get("doc", "")
    totals, needed, told = np.zeros(len(rows), dtype=bool), _key_columns(part), False
    known = TOTALS | STATISTICS if part.kind == "ratings" else TOTALS

    def is_alone(name: str, cell: str) -> bool:
        return (rows[name].astype("str").str.strip() == cell).sum() == 1

    for row in np.flatnonzero(~empty)[: -MOST_TOTALS - 1 : -1].tolist():
        cells = {name: str(rows[name].iat[row]).strip() for name in part.raw.header}
        plain = {name: cell.casefold().rstrip(" :") for name, cell in cells.items()}
        words = {name for name in plain if plain[name] in known}
        said = [name for name in needed if cells[name].casefold().split(" ")[0] in TOTALS]
        of_what = doc and not cells[doc] and any(is_alone(name, cells[name]) for name in said)
        is_key = part.kind != "log" and {*needed} <= words  # it stands for the searcher, or topic
        is_open = not all(cells[name] for name in needed) or (needed and is_key)
        if not of_what and not (words and is_open):
            break
        totals[row] = True
        told |= bool(of_what or not TOTALS.isdisjoint(plain.values()))
    return totals & told


HEADINGS = (
    r"(foot)?notes?|remarks?|comments?|legend|anmerkung(en)?|bemerkung(en)?|hinweise?"
    r"|legende|remarques?|légende|notas?|observaciones|leyenda|osservazioni|legenda|备注|注释"
)
HEADING = re.compile(rf".+[:：]|{HEADINGS}", re.IGNORECASE)
HEADED = re.compile(rf"({HEADINGS})\s*[:：]", re.IGNORECASE)


def _footnote_rows(part: Part, gone: arrays.Bools) -> arrays.Bools:
    """Rows at the foot, mostly blank, with signs of a note or words as no other cells have them.

    Two words are enough in place of a document, which would have a rank. A cell alone that ends in
    a colon, or is a word for notes, is their heading.

    gone : rows that are none of the table already
    """
    raw, notes = part.raw, np.zeros(len(part.raw.rows), dtype=bool)
    least = {part.columns.get("doc"): 1} if "rank" in part.columns else {}
    foot: dict[int, dict[str, str]] = {}  # the filled cells by column, by row
    for row in np.flatnonzero(~gone)[: -MOST_TOTALS - 1 : -1].tolist():
        cells = {name: str(raw.rows[name].iat[row]).strip() for name in raw.header}
        filled = {name: cell for name, cell in cells.items() if cell}
        if 2 * len(filled) >= len(raw.header):
            break
        foot[row] = filled
    others = ~gone
    others[[*foot]] = False

    def is_note(name: str, cell: str) -> bool:
        words = np.array([len(text.split()) for text in texts_of(raw.rows[name])])
        most = words[coded(raw.rows[name])[others]].max(initial=least.get(name, 2))
        signed = cell.startswith(("*", "†", "‡", "#", "¹", "²", "[1]")) or HEADED.match(cell)
        return bool(signed) or len(cell.split()) > most

    for row, cells in foot.items():
        first, *beside = cells.values()
        is_heading = notes.any() and not beside and bool(HEADING.fullmatch(first))
        if not is_heading and not all(is_note(*cell) for cell in cells.items()):
            break
        notes[row] = True
    return notes


INVISIBLE = re.compile(  # hyphens and blanks of no width, marks of direction, byte order marks
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff]"
)


def map_roles(
    raw: RawTable,
    columns: Roles,
    roles: tuple[Role, ...],
    found: Findings,
    in_file: Sequence[str] = (),
) -> Mapped:
    """A table by role, with an error for each role that is needed and missing.

    A column for topics that is blank throughout names none; in a table of ours it stands as it is.

    in_file : names of the columns in the files, where they go by their roles already
    """
    found.problems += lacking_columns(raw, roles, columns, in_file)
    cells = pd.DataFrame({role: raw.rows[column] for role, column in columns.items()}, copy=False)
    others = [name for name in raw.header if name not in (*columns.values(), shapes.QUERY_KEY)]
    if "topic" in cells and not raw.exact and blank(cells["topic"]).all():
        cells = cells.drop(columns="topic")
    _check_docs(raw, cells, columns, found)
    _check_quotes_in_ids(raw, cells, found)
    cells = _cells_in_one_unicode_form(raw, cells, found)
    _warn_about_invisible_characters(raw, cells, found)
    return Mapped(raw, cells, raw.rows[others])


def _cells_in_one_unicode_form(raw: RawTable, cells: pd.DataFrame, found: Findings) -> pd.DataFrame:
    """Cells in NFC, as the digest has them: é is one text, however it was typed."""
    changed: list[str] = []
    for role in cells.columns:
        if not beyond_ascii(cells[role]).any():
            continue
        texts = texts_of(cells[role])
        plain = [text if text.isascii() else unicodedata.normalize("NFC", text) for text in texts]
        if plain != texts:
            cells[role] = with_texts(cells[role], plain)
            changed.append(str(role))
    if changed:
        rule = "texts of several Unicode forms are one text, read in NFC"
        found.note(raw.file, f"letters not in NFC in {', '.join(changed)}", rule, "Nothing to do.")
    return cells


def _warn_about_invisible_characters(raw: RawTable, cells: pd.DataFrame, found: Findings) -> None:
    """Warn of ids that differ, or may, by what nobody sees."""
    for role in (role for role in IDS if role in cells):
        odd = beyond_ascii(cells[role])
        odd[odd] = [bool(INVISIBLE.search(text)) for text in cells[role].cat.categories[odd]]
        rows = np.flatnonzero(odd[coded(cells[role])]) if odd.any() else np.empty(0, np.int64)
        if rows.size:
            ids = wording.counted(int(odd.sum()), f"id of {role}", f"ids of {role}")
            what = f"{ids} with characters that can't be seen ({cells[role].iloc[rows[0]]!r})"
            rule = "ids are compared letter by letter, and these characters count"
            remedy = "Remove them from all files, unless they belong there."
            found.problems.append(Problem("warning", *raw.place(int(rows[0])), what, rule, remedy))


def _check_docs(raw: RawTable, cells: pd.DataFrame, columns: Roles, found: Findings) -> None:
    """Documents stand in a column of their own, and not in another's copy.

    Numbers may be alike by chance, and a topic may be called after its one document.
    """
    filled = np.flatnonzero(~blank(cells["doc"])) if "doc" in cells else np.empty(0, np.int64)
    if not filled.size:
        return
    docs = cells["doc"].iloc[filled]
    for role in cells.columns.difference(["doc", "topic", "text"]):
        other = cells[role].iloc[filled]
        alike = columns[role] == columns["doc"]
        if not alike and str(docs.iat[0]) == str(other.iat[0]):  # which most columns rule out
            texts = docs.astype("str")
            same = texts.nunique() > 1 and texts.equals(other.astype("str").rename("doc"))
            alike = same and not texts.str.fullmatch(NUMBER.pattern).all()
        if alike:
            some = ", ".join(map(repr, docs.astype("str").unique()[:3]))
            what, remedy = f"the texts of doc ({some}) as {role}", which_is_which("doc", str(role))
            rule = "documents need a column of their own"
            found.error(raw.file, raw.header_line, what, rule, remedy)


def _check_quotes_in_ids(raw: RawTable, cells: pd.DataFrame, found: Findings) -> None:
    """Refuse ids with a stray quotation mark, which other rows have without."""
    for role in (role for role in IDS if role in cells and not raw.exact):
        texts = texts_of(cells[role])
        plain = {text.strip() for text in texts} - {""}
        twice = np.array(['"' in t and t.replace('"', "").strip() in plain for t in texts], bool)
        said = RowRule("other rows have the id without the quotation mark", "Correct the quotes.")
        found.refuse_texts(raw, cells[role], twice, role, said)


CORRECT_CELLS = Remedy("Correct --set cells.", f"Correct “{ASKED['cells']}”.")


def with_rows_left_out(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """Parts without the rows that were said to be left out, by the value of a column or a role.

    A log's column is also what plays its role in other tables: whom a log loses rates nothing.

    Raises
    ------
    UnusableInputError : a column or value that no table has; nothing is left of log or judgments;
        merged cells that nobody asked to fill
    """
    if not recipe.leave_out:
        return [*parts]
    # a row takes those along that are merged with it
    made = [_with_whole_rows(p, found, recipe) if _may_be_repaired(p) else p for p in parts]
    found.check(last=True)
    remedy = Remedy("Correct --set leave_out.", f"Correct “{ASKED['leave_out']}”.")
    for said, value in patterns.parse_pairs(recipe.leave_out):
        rows, which, having = 0, f"whose {said} is {value or 'empty'}", list[Part]()
        logged = (part.columns.items() for part in of_kind(made, "log"))
        roles = [said, *(role for own in logged for role, column in own if column == said)]
        for i, part in enumerate(made):
            named = (part.columns[role] for role in roles if role in part.columns)
            column = said if said in part.raw.header else next(named, "")
            if not column:
                continue
            having.append(part)
            is_left = np.array([text.strip() != value for text in texts_of(part.raw.rows[column])])
            left = is_left[coded(part.raw.rows[column])]
            found.leave_out(part.raw, f"rows {which}, as chosen", np.flatnonzero(~left))
            rows += int((~left).sum())
            if left.any() and not left.all():
                made[i] = replace(part, raw=part.raw.without(~left))
            elif not left.any():
                made[i] = as_kind(part, "other", "all its rows were left out, as chosen")
        if rows:
            were = wording.plural(rows, "was", "were")
            found.methods.append(f"{wording.counted(rows, 'row')} {which} {were} left out.")
        else:
            first = min(having or made, key=lambda part: [*KINDS, ""].index(part.kind)).raw
            rule = f"its columns are {', '.join(first.header)}"
            raise refusal(first.file, None, f"no row {which}", rule, remedy)
    for kind in ("log", "judgments"):
        files = ", ".join(part.raw.file for part in of_kind(parts, kind))
        if files and not of_kind(made, kind):
            rule = f"all rows of the {kind} are left out, as chosen"
            raise refusal(files, None, "no row left", rule, remedy)
    return made


def with_cells_apart(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts whose cells are lists where it was said how they are taken apart.

    Raises
    ------
    UnusableInputError : a column that no table has, a pattern that takes too long
    """
    made = [*parts]
    for column, how in recipe.cells.items():
        those = [i for i, part in enumerate(made) if column in part.raw.header]
        if not those:
            names = dict.fromkeys(name for part in parts for name in part.raw.header)
            there, file = f"columns are {', '.join(names)}", parts[0].raw.file
            raise refusal(file, None, f"no column {column!r}", there, CORRECT_CELLS)
        for i in those:
            made[i] = replace(made[i], raw=_split_column_cells(made[i].raw, column, how))
    return made


def _split_column_cells(raw: RawTable, column: str, how: str) -> RawTable:
    texts = texts_of(raw.rows[column])
    try:
        if patterns.DOC_GROUP in how:
            docs = patterns.all_docs_in_text(texts, how)
        else:
            docs = [_split_cell(text, how) for text in texts]
    except patterns.SlowPatternError:
        rule = "a pattern must be read within a few seconds"
        raise refusal(raw.file, None, f"a slow pattern, {how}", rule, CORRECT_CELLS) from None
    lists = [orjson.dumps(own).decode() if own else "" for own in docs]
    return replace(raw, rows=raw.rows.assign(**{column: with_texts(raw.rows[column], lists)}))


def _split_cell(text: str, how: str) -> list[str]:
    """Texts in a cell; "one" takes it whole, "blank" at its blanks.

    >>> _split_cell("a, b", ","), _split_cell("a, b", "one"), _split_cell("a  b", "blank")
    (['a', 'b'], ['a, b'], ['a', 'b'])
    """
    parts = [text] if how == "one" else text.split(None if how == "blank" else how)
    return [part.strip() for part in parts if part.strip()]


SHARE = "largest_share"  # column of queries: what one document's chunks hold of a list
CORRECT = by_rule("doc_id", "PATTERN", "Correct the pattern:")


def with_doc_ids(log: Mapped, pattern: str, found: Findings) -> Mapped:
    """A log whose documents are what a pattern's group `doc` holds of each id, where it fits.

    The best rank of a document counts in each list. What the chunks of one document hold of a list
    at most, from 0 to 1, is a column of the query.

    Raises
    ------
    UnusableInputError : a pattern that fits no id, or takes too long
    """
    column = log.cells["doc"]
    chunks = [text for text in texts_of(column) if text]
    fits = patterns.match_groups_in_file(log.raw.file, chunks, pattern, CORRECT)
    docs = {chunk: fit["doc"] for chunk, fit in zip(chunks, fits, strict=True) if fit}
    if not docs:
        rule = f"it must fit ids such as {chunks[0]!r}" if chunks else "the log has documents"
        raise refusal(log.raw.file, None, f"pattern '{pattern}'", rule, CORRECT)
    odd = [chunk for chunk in chunks if chunk not in docs]
    if odd:
        what = wording.counted(len(odd), "id of a document", "ids of documents")
        rule = f"'{pattern}' does not fit {wording.plural(len(odd), 'it', 'them')}"
        found.warn(log.raw.file, what, f"{rule}, so each stays a document", CORRECT, *odd)
    has_queries = {"session", "query_number"} <= {*log.cells}  # or it is refused by itself
    if not has_queries or all(chunk == doc for chunk, doc in docs.items()):  # for judgments alone
        return log
    named = np.array([docs.get(text, text) for text in texts_of(column)], dtype=object)
    cells = log.cells.assign(doc=category(named[coded(column)]))
    asked = log_rows.pair_code(coded(cells["session"]), coded(cells["query_number"]))
    own = pd.DataFrame({"asked": asked, "doc": coded(cells["doc"])})[~blank(cells["doc"])]
    lists = own.value_counts().groupby("asked")  # what one document holds of each at most
    values = (lists.max() / lists.sum()).reindex(asked).to_numpy()
    shares = np.where(np.isnan(values), "", values.round(6).astype(str)).astype(object)
    ids = wording.counted(len(chunks), "id is", "ids are")
    what = f"{ids} {wording.counted(len({*docs.values()}) + len(odd), 'document')}"
    most = max((float(share) for share in {*shares.tolist()} if share), default=0.0)
    rule = f"documents are read from ids by '{pattern}'"
    several = len({*docs.values()}) < len(docs)  # ids of a document: its chunks
    rule += f"; one document's chunks fill at most {most:.0%} of a list ({SHARE})" * several
    found.note(log.raw.file, what, rule)
    return replace(log, cells=cells, extras=log.extras.assign(**{SHARE: category(shares)}))
