"""Tables by role, with the repairs that are offered: rows that are none of a table, and cells.

Repairs are made before anything else is checked, so that every further fault is seen at once; one
that nobody asked for is an error in the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import (
    COUNTED,
    NO,
    NUMBER,
    WHOLE,
    YES,
    Findings,
    blank,
    coded,
    rule_of,
)
from sdcg_explorer.reading.log_rows import NO_NAME
from sdcg_explorer.reading.mapping import ROLES, Role, map_columns, nameless, which_is_which
from sdcg_explorer.reading.patterns import SlowPatternError, parts_of
from sdcg_explorer.reading.raw_table import RawTable, in_appearance, in_order, texts_of, with_texts
from sdcg_explorer.reading.recipe import by_fix, by_rule
from sdcg_explorer.reading.rules import ROW_RULES
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Bools
from sdcg_explorer.study.distinct_texts import beyond_ascii
from sdcg_explorer.study.problems import Problem, error, note, refuse, warning
from sdcg_explorer.study.wording import counted, plural

TOTALS = {
    *("total", "totals", "sum", "mean", "average"),
    *("summe", "gesamt", "insgesamt", "mittelwert", "durchschnitt"),
    *("somme", "moyenne", "suma", "promedio", "合计", "总计", "平均"),
}
YES_WORDS = {"ja", "j", "oui", "o", "si", "sí", "x", "✓", "✔", "☑", "wahr", "vrai", "是"}
NO_WORDS = {"nein", "non", "✗", "✘", "☐", "-", "–", "falsch", "faux", "falso", "否"}
COMMA = re.compile(r"[+-]?[0-9]{1,40},[0-9]{1,40}")
COMMA_WHOLE = re.compile(r"[0-9]{1,9},0{1,2}")  # 1,000 may be 1 or a thousand
PERCENT = re.compile(r"([+-]?[0-9]{1,40}([.,][0-9]{1,40})?)[ \u00a0\u202f]?%")
THOUSANDS = re.compile(r"[0-9]{1,3}([,.'’ \u00a0\u202f][0-9]{3}){1,2}")
SERIAL = re.compile(r"[3-6][0-9]{4}([.][0-9]{1,17})?")  # days, of 1982 to 2091
# a comma for a point, or between thousands; days, or seconds
DOUBTFUL = re.compile(r"[0-9]{1,3},[0-9]{3}|[0-9]{5}([.][0-9]{1,3})?")
NO_DIGIT = re.compile(r"[^0-9]")


def _flagged(text: str) -> str:
    known = {**dict.fromkeys(YES_WORDS, "1"), **dict.fromkeys(NO_WORDS, "0")}
    return known.get(text.casefold(), "")


def _answered(text: str) -> str:
    low = text.casefold()
    return "1" if low in YES_WORDS | YES else "0" if low in NO_WORDS | NO - {""} else ""


def _with_point(text: str) -> str:
    return text.replace(",", ".") if COMMA.fullmatch(text) else ""


def _whole_with_point(text: str) -> str:
    return text.partition(",")[0] if COMMA_WHOLE.fullmatch(text) else ""


def _share(text: str) -> str:
    fit = PERCENT.fullmatch(text)
    return fit[1].replace(",", ".") if fit else ""


def _without_signs(text: str) -> str:
    doubtful = text.endswith(",000") and text.count(",") == 1
    return NO_DIGIT.sub("", text) if THOUSANDS.fullmatch(text) and not doubtful else ""


def _day(text: str) -> str:
    """A date and time by the days since 1900 that spreadsheets count."""
    if not SERIAL.fullmatch(text):
        return ""
    moment = datetime(1899, 12, 30, tzinfo=UTC) + timedelta(days=float(text))
    return f"{moment + timedelta(milliseconds=500):%Y-%m-%d %H:%M:%S}"


def _is_mark(text: str) -> bool:
    return text.lower() in YES | NO or bool(COUNTED.fullmatch(text))


@dataclass(frozen=True)
class _OfCells:
    """A repair of cells: of which roles, which are right as they are, and what others become.

    clean : "" where it is no repair for a text
    """

    fix: str
    roles: tuple[str, ...]
    is_right: Callable[[str], object]
    clean: Callable[[str], str]


MOST_TOTALS = 20  # rows
MOST_TEXTS = 100_000  # of a column that no spreadsheet made
# by the role of a column, "" for none: what is right in it as it is, and what other texts become
OF_COLUMNS: dict[str, dict[str, tuple[Callable[[str], object], Callable[[str], str]]]] = {
    "time": {"serial-dates": (lambda _: False, _day)},
    "": {
        "decimal-comma": (NUMBER.fullmatch, _with_point),
        "percent": (NUMBER.fullmatch, _share),
        "thousands": (NUMBER.fullmatch, _without_signs),
        "yes-no": (lambda _: False, _answered),
    },
}
KEYS = ("session", "query_number")
MERGED = {  # role → what starts anew where it is filled: no cell is filled across it
    "session": (),
    "topic": (),
    "system": (),
    "searcher": (),
    "query_number": ("session",),
    "text": KEYS,
    "time": KEYS,
}
WHOLES = ("query_number", "rank")
OF_CELLS = (
    _OfCells("decimal-comma", WHOLES, WHOLE.fullmatch, _whole_with_point),
    _OfCells("decimal-comma", ("grade",), NUMBER.fullmatch, _with_point),
    _OfCells("thousands", WHOLES, WHOLE.fullmatch, _without_signs),
    _OfCells("percent", ("grade",), NUMBER.fullmatch, _share),
    _OfCells("yes-no", ("clicked", "examined"), _is_mark, _flagged),
)


def with_repaired_cells(raw: RawTable, cells: pd.DataFrame, found: Findings) -> pd.DataFrame:
    """Cells by role, those that a repair makes sense of as it has them."""
    for repair in OF_CELLS:
        for role in (role for role in repair.roles if role in cells):
            column = cells[role]
            texts = [text.strip() for text in texts_of(column)]
            new = ["" if repair.is_right(text) else repair.clean(text) for text in texts]
            if not any(new):
                continue
            rows = np.flatnonzero(np.array([bool(text) for text in new])[coded(column)])
            what, rule = role.replace("_", " "), ROW_RULES[role]["rule"]
            cell = partial(_cell, what, column)
            found.offer(raw, repair.fix, rows, cell, rule=rule)
            clean = [b or a for a, b in zip(texts_of(column), new, strict=True)]
            cells = cells.assign(**{role: with_texts(column, clean)})
    return cells


def _cell(what: str, column: pd.Series, row: int) -> str:
    return f"{what} {column.iloc[row]!r}"


def with_repaired_rows(part: Part, found: Findings) -> Part:
    """A table without rows that are none of it: titles, blank ones, totals at the foot."""
    raw = part.raw
    for offer in raw.offers if part.kind in ROLES else ():
        found.offer_lines(offer)
    made = raw.exact or raw.known.scored or raw.known.calls  # by no spreadsheet
    if part.kind not in ("log", "ratings") or made or not len(raw.rows):
        return part
    if part.kind == "ratings":  # rows without a key are left out anyhow
        return _with_cells_repaired(part, found)
    empty = _empty(raw)
    totals = _totals(part, empty)
    rule = ROW_RULES["session"]["rule"]
    for fix, gone in (("blank-rows", empty), ("total-rows", totals)):
        said = "a blank row" if gone is empty else "a row of totals"
        found.offer(raw, fix, np.flatnonzero(gone), lambda _, s=said: s, rule=rule, gone=True)
    gone = empty | totals
    part = replace(part, raw=_without(raw, gone)) if gone.any() else part
    return _with_cells_repaired(_with_merged(part, found), found)


def _with_cells_repaired(part: Part, found: Findings) -> Part:
    """A log or ratings whose columns of times, and those without a role, are read as they mean.

    All cells of such a column are of one kind, and differ afterwards as they did. Until somebody
    asks they are the texts that they are, which is warned of.
    """
    roles = {column: role for role, column in part.columns.items()}
    made: dict[str, pd.Series] = {}
    for name in part.raw.header:
        column = part.raw.rows[name]
        if len(column.cat.categories) > MOST_TEXTS or NO_NAME.fullmatch(name):
            continue
        texts = [text.strip() for text in texts_of(column)]
        for fix, (is_right, clean) in OF_COLUMNS.get(roles.get(name, ""), {}).items():
            new = _all_clean(texts, is_right, clean)
            if not new or (fix == "yes-no" and len({*new} - {""}) < 2):
                continue
            rows = np.flatnonzero((np.array(new) != np.array(texts))[coded(column)])
            if found.has_taken(fix):
                found.repair(part.raw, rule_of(fix), rows)
                made[name] = with_texts(column, new)
            else:
                found.problems.append(_as_text(part.raw.file, name, fix, column.iloc[rows[0]]))
            break
    raw = replace(part.raw, rows=part.raw.rows.assign(**made))
    return replace(part, raw=raw) if made else part


def _all_clean(
    texts: list[str], is_right: Callable[[str], object], clean: Callable[[str], str]
) -> list[str]:
    """Texts as a repair has them; nothing where one is of another kind, or two become one."""
    new = [text if not text or is_right(text) else clean(text) for text in texts]
    changed = [text for text, cleaned in zip(texts, new, strict=True) if text != cleaned]
    lost = any(text and not cleaned for text, cleaned in zip(texts, new, strict=True))
    one = len({*new}) < len({text.casefold() for text in texts})
    return [] if lost or one or all(map(DOUBTFUL.fullmatch, changed)) else new


def _as_text(file: str, name: str, fix: str, some: str) -> Problem:
    """Warning of a column that stays text until its repair is asked for."""
    what, rule = f"column {name!r} with {some!r}", "it is read as the text that it is"
    return replace(warning(file, what, rule, by_fix(fix)), fix=fix)


def _with_merged(part: Part, found: Findings) -> Part:
    """A log whose merged cells are filled, where most results lack their session or query."""
    raw, columns = part.raw, {role: part.columns[role] for role in MERGED if role in part.columns}
    lacking = {role: blank(raw.rows[name]) for role, name in columns.items()}
    if "doc" not in part.columns or any(
        lacking[role][:1].any() for role in KEYS if role in lacking
    ):
        return part
    is_result = ~blank(raw.rows[part.columns["doc"]])
    most = [role for role in lacking if 2 * (lacking[role] & is_result).sum() > is_result.sum()]
    keys = [role for role in KEYS if role in lacking]
    if not {*keys} & {*most}:
        return part
    rows = np.flatnonzero(np.any([lacking[role] for role in keys], axis=0))
    filled = {
        name: _from_above(raw.rows[name], [~lacking[key] for key in MERGED[role] if key in lacking])
        for role, name in columns.items()
        if role in {*keys, *most}
    }
    said, rule = "a cell that is blank below a filled one", ROW_RULES["session"]["rule"]
    found.offer(raw, "merged-cells", rows, lambda _: said, rule=rule)
    return replace(part, raw=replace(raw, rows=raw.rows.assign(**filled)))


def _from_above(column: pd.Series, starts: list[Bools]) -> pd.Series:
    """Cells, a blank one as the last filled one above, but none across a row that starts anew."""
    numbers = np.arange(len(column))
    above = np.maximum.accumulate(np.where(blank(column), 0, numbers))
    first = np.maximum.accumulate(np.where(np.any([numbers < 0, *starts], axis=0), numbers, 0))
    taken = column.take(np.where(above < first, numbers, above)).reset_index(drop=True)
    return in_appearance(taken)


def _without(raw: RawTable, gone: Bools) -> RawTable:
    """A table without some rows, and without texts that stood in these alone."""
    kept = raw.take(np.flatnonzero(~gone))
    rows = {name: in_appearance(kept.rows[name]) for name in kept.header}
    return replace(kept, rows=pd.DataFrame(rows))


def _empty(raw: RawTable) -> Bools:
    """Rows with nothing in any cell."""
    empty = np.ones(len(raw.rows), dtype=bool)
    for name in raw.header:
        empty &= blank(raw.rows[name])
        if not empty.any():
            break
    return empty


def _totals(part: Part, empty: Bools) -> Bools:
    """Rows at the foot, a few, with a word for a total, and without session or query number."""
    rows = part.raw.rows
    totals = np.zeros(len(rows), dtype=bool)
    columns = part.columns
    keys = KEYS if "session" in columns else (*KEYS, "searcher", "topic")  # which may tell it
    needed = [columns[role.name] for role in ROLES[part.kind] if role.name in {*keys} & {*columns}]
    for row in np.flatnonzero(~empty)[: -MOST_TOTALS - 1 : -1].tolist():
        cells = {name: str(rows[name].iat[row]).strip() for name in part.raw.header}
        if not any(cell.casefold().rstrip(" :") in TOTALS for cell in cells.values()):
            break
        if all(cells[name] for name in needed):
            break
        totals[row] = True
    return totals


LOOKED_AT = 1_000  # rows, before all are
IDS = ("session", "system", "searcher", "topic", "doc")
INVISIBLE = re.compile(  # hyphens and blanks of no width, marks of direction, byte order marks
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff]"
)


@dataclass(frozen=True, eq=False)
class Mapped:
    """A table with its cells by role, and those of the columns without a role."""

    raw: RawTable
    cells: pd.DataFrame
    extras: pd.DataFrame


def mapped(
    raw: RawTable, columns: dict[str, str], roles: tuple[Role, ...], found: Findings
) -> Mapped:
    """A table by role, with an error for each role that is needed and missing.

    A column for topics that is blank throughout names none; in a table of ours it stands as it is.
    """
    given = {role.name: columns.get(role.name, "") for role in roles if not role.required}
    lacking = map_columns(raw.header, roles, {**given, **columns}, raw.file, exact=True)[1]
    found.problems += [nameless(raw.file, raw.first, roles)] if lacking and raw.first else lacking
    cells = pd.DataFrame({role: raw.rows[column] for role, column in columns.items()}, copy=False)
    others = [name for name in raw.header if name not in columns.values()]
    if "topic" in cells and not raw.exact and blank(cells["topic"]).all():
        cells = cells.drop(columns="topic")
    _check_docs(raw, cells, columns, found)
    _check_quotes(raw, cells, found)
    cells = with_repaired_cells(raw, cells, found)
    cells = _composed(raw, cells, found)
    _say_invisible(raw, cells, found)
    return Mapped(raw, cells, raw.rows[others])


def _composed(raw: RawTable, cells: pd.DataFrame, found: Findings) -> pd.DataFrame:
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
        found.problems.append(composed(raw.file, changed))
    return cells


def composed(file: str, roles: Iterable[str]) -> Problem:
    """Note of letters that were composed."""
    rule = "texts of several Unicode forms are one text, read in NFC"
    return note(file, f"letters not in NFC in {', '.join(roles)}", rule, "Nothing to do.")


def _say_invisible(raw: RawTable, cells: pd.DataFrame, found: Findings) -> None:
    """Warn of ids that differ, or may, by what nobody sees."""
    for role in (role for role in IDS if role in cells):
        odd = beyond_ascii(cells[role])
        if not odd.any():
            continue
        texts = texts_of(cells[role])
        odd[odd] = [bool(INVISIBLE.search(texts[i])) for i in np.flatnonzero(odd)]
        rows = np.flatnonzero(odd[coded(cells[role])]) if odd.any() else np.empty(0, np.int64)
        if rows.size:
            some = cells[role].iloc[rows[0]]
            found.problems.append(unseen(raw.place(int(rows[0])), role, int(odd.sum()), some))


def unseen(place: tuple[str, int | None], role: str, number: int, some: str) -> Problem:
    """Warning of so many distinct ids of a role with characters that nobody sees."""
    ids = counted(number, f"id of {role}", f"ids of {role}")
    what = f"{ids} with characters that can't be seen ({some!r})"
    rule = "ids are compared as the text they are, and these characters are part of it"
    remedy = "Take them out in all files, unless they belong there."
    return Problem("warning", *place, what, rule, remedy)


def _check_docs(
    raw: RawTable, cells: pd.DataFrame, columns: dict[str, str], found: Findings
) -> None:
    """Documents stand in a column of their own, and not in another's copy.

    Numbers may be alike by chance, and a topic may be called after its one document.
    """
    if "doc" not in cells:
        return
    filled = np.flatnonzero(~blank(cells["doc"]))
    for role in cells.columns.difference(["doc", "topic", "text"]):
        pair = cells[["doc", role]]
        alike = _begin_alike(pair, filled) and are_alike(pair.iloc[filled[:LOOKED_AT]])
        alike = alike and are_alike(pair.iloc[filled])
        if alike or columns[role] == columns["doc"]:
            some = cells["doc"].iloc[filled].astype("str").unique()[:3]
            found.problems.append(docs_as(str(role), some, raw.file))


def docs_as(role: str, some: Iterable[str], file: str) -> Problem:
    """Error for documents whose texts stand in another role's column, too."""
    what = f"the texts of doc ({', '.join(map(repr, some))}) as {role}"
    rule = "documents have a column of their own"
    return error(file, 1, what, rule, which_is_which("doc", role))


def _check_quotes(raw: RawTable, cells: pd.DataFrame, found: Findings) -> None:
    """Refuse ids with a stray quotation mark, which other rows have without."""
    for role in (role for role in IDS if role in cells and not raw.exact):
        texts = texts_of(cells[role])
        marked = [code for code, text in enumerate(texts) if '"' in text]
        plain = {text.strip() for text in texts} if marked else set[str]()
        bare = {code: texts[code].replace('"', "").strip() for code in marked}
        twice = [code for code, text in bare.items() if text and text in plain]
        rows = np.flatnonzero(np.isin(coded(cells[role]), twice))
        found.refuse(
            raw,
            rows,
            lambda i, column=cells[role], role=role: f"{role} {column.iloc[i]!r}",
            rule="other rows have it without the quotation mark",
            remedy="Correct the quotes.",
        )


def _begin_alike(pair: pd.DataFrame, filled: np.ndarray) -> bool:
    """Whether the first of these rows holds the same text twice, which most columns rule out."""
    return filled.size > 0 and len({str(pair[name].iat[filled[0]]) for name in pair}) == 1


def are_alike(pair: pd.DataFrame) -> bool:
    """Whether two columns hold the same texts row by row: several, and not numbers alone."""
    one, other = (pair.iloc[:, i].astype("str") for i in (0, 1))
    if not one.equals(other.rename("doc")) or one.nunique() < 2:
        return False
    return not one.str.fullmatch(NUMBER.pattern).all()


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
    try:
        fits = parts_of(chunks, pattern)
    except SlowPatternError:
        rule = "a pattern takes some seconds at most"
        refuse([error(log.raw.file, None, f"pattern {pattern!r}", rule, CORRECT)])
        raise
    docs = {chunk: fit["doc"] for chunk, fit in zip(chunks, fits, strict=True) if fit}
    if not docs:
        rule = f"it fits ids of documents, as {chunks[0]!r}" if chunks else "the log has documents"
        refuse([error(log.raw.file, None, f"pattern {pattern!r}", rule, CORRECT)])
    odd = [chunk for chunk in chunks if chunk not in docs]
    if odd:
        what = counted(len(odd), "id of a document", "ids of documents")
        rule = f"{pattern!r} does not fit {plural(len(odd), 'it', 'them')}"
        about = log.raw.file, what, f"{rule}, so each stays a document", CORRECT
        found.problems.append(warning(*about, *odd[:3]))
    named = np.array([docs.get(text, text) for text in texts_of(column)], dtype=object)
    cells = log.cells.assign(doc=in_order(named[coded(column)]))
    shares = _largest_share(cells)
    ids = counted(len(chunks), "id is", "ids are")
    what = f"{ids} {counted(len({*docs.values()}) + len(odd), 'document')}"
    rule = f"documents are taken out of ids by {pattern!r}{_said(shares)}"
    found.problems.append(note(log.raw.file, what, rule, "Nothing to do, if so."))
    return replace(log, cells=cells, extras=log.extras.assign(**{SHARE: in_order(shares)}))


def _said(shares: np.ndarray) -> str:
    """What one document's chunks hold of a list at most, in words."""
    known = [float(text) for text in {*shares.tolist()} if text]
    most = f"; one document's chunks hold at most {max(known):.0%} of a list" if known else ""
    return f"{most} ({SHARE})" if most else ""


def _largest_share(cells: pd.DataFrame) -> np.ndarray:
    """What one document holds of the list of each row (N,) at most, as text; "" without results."""
    listed = cells[["session", "query_number", "doc"]].astype("str")
    listed = listed[~blank(cells["doc"])]
    lists = ["session", "query_number"]
    sizes = listed.groupby([*lists, "doc"], sort=False).size()
    share = sizes.groupby(level=lists).max() / sizes.groupby(level=lists).sum()
    keys = pd.MultiIndex.from_frame(cells[lists].astype("str"))
    values = share.reindex(keys).to_numpy()
    return np.where(np.isnan(values), "", values.round(6).astype(str)).astype(object)
