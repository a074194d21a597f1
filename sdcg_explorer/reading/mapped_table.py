"""Tables by role: each cell under the part that its column plays."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, Findings, blank, coded
from sdcg_explorer.reading.mapping import Role, map_columns, nameless, which_is_which
from sdcg_explorer.reading.patterns import SlowPatternError, parts_of
from sdcg_explorer.reading.raw_table import RawTable, in_order, texts_of, with_texts
from sdcg_explorer.reading.repairs import with_repaired_cells
from sdcg_explorer.reading.rules import by_rule
from sdcg_explorer.study.distinct_texts import beyond_ascii
from sdcg_explorer.study.problems import Problem, error, note, refuse, warning
from sdcg_explorer.study.wording import counted, plural

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
