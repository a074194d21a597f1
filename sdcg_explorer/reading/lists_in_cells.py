"""Cells that hold a whole result list: one row per result, ranks by place in the list."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading.cells import Findings, coded
from sdcg_explorer.reading.mapping import LISTS, plain_name
from sdcg_explorer.reading.raw_table import RawTable, category_columns, texts_of
from sdcg_explorer.study.distinct_texts import begin_with
from sdcg_explorer.study.wording import counted

NESTED = re.compile(r"^\s*\[(\s*[\[{]|.*(\s|,)\.\.\.(\s|,|\]))", re.DOTALL)
WORD = re.compile(  # a quote that never closes runs to the end, so that nothing is scanned twice
    r""" "([^"\\]*+(?:\\.?[^"\\]*+)*+)("?)
    | '([^'\\]*+(?:\\.?[^'\\]*+)*+)('?)
    | ([^\s,"'][^\s,]*) """,
    re.VERBOSE | re.DOTALL,
)
ESCAPED = re.compile(r"\\(.)")
SIGNS = re.compile(r"[;,]?\s+|;")
BEFORE_URL = re.compile(r";?\s+|;(?=https?://)")
A_ROW_EACH = "Write a row, or an object, for each result."
PARTING = (" ", "\n", "|", ";")
PARALLEL = ("rank", "clicked", "examined", "grade")


def spread_lists(
    raw: RawTable, columns: dict[str, str], found: Findings
) -> tuple[RawTable, dict[str, str]]:
    """Table with a row per result, where documents stand as lists in cells; else as it is.

    Cells read `["d1","d2"]`, `d1 d2`, `d1;d2` or `d1|d2`. Other columns may hold lists of the same
    length, or, for clicked and examined, the documents that were.
    """
    name = columns.get("doc")
    if name is None or not _is_listed(raw, columns):
        return raw, columns
    docs = raw.rows[name]
    nested = np.array([not _is_whole(text) for text in texts_of(docs)], dtype=bool)
    found.refuse(
        raw,
        np.flatnonzero(nested[coded(docs)]),
        lambda i: f"a list of more than documents, or cut short, {str(docs.iloc[i])[:80]!r}",
        rule="a list of results holds every document, and documents alone",
        remedy=A_ROW_EACH,
    )
    lists = [list_of(text) for text in texts_of(docs)]
    sizes = np.array([len(docs) for docs in lists], dtype=np.int64)[coded(docs)]
    rows = np.maximum(sizes, 1)  # a query without results keeps its row
    row = np.repeat(np.arange(len(docs)), rows)
    place = np.arange(row.size) - np.repeat(np.cumsum(rows) - rows, rows)
    spread = raw.take(row)
    shown: list[list[str]] = [lists[int(code)] for code in coded(docs)]
    texts: dict[str, list[str]] = {name: [doc for docs in shown for doc in (docs or [""])]}
    for role in PARALLEL:
        column = columns.get(role)
        if column is not None:
            cells = raw.rows[column].astype("str")
            pairs = zip(shown, cells, strict=True)
            texts[column] = [cell for docs, text in pairs for cell in _beside(docs, text, role)]
    if "rank" not in columns:
        columns = {**columns, "rank": "rank"}
        ranks = np.where(sizes[row] > 0, place + 1, 0).tolist()
        texts["rank"] = [str(rank) if rank else "" for rank in ranks]
    return _with(spread, texts), columns


def list_of(text: str) -> list[str]:
    """Documents in a cell: texts in brackets (JSON, Python, numpy), or parted by signs or blanks.

    >>> list_of('["d1", "d2"]'), list_of("d1 d2"), list_of("['a' 'b']"), list_of("d1, d2;d3")
    (['d1', 'd2'], ['d1', 'd2'], ['a', 'b'], ['d1', 'd2', 'd3'])
    """
    plain = text.strip()
    if _is_bracketed(plain):
        return [_word(*found) for found in WORD.findall(plain[1:-1])]
    if "|" in plain:
        return [part.strip() for part in plain.split("|")]
    signs = BEFORE_URL if "://" in plain else SIGNS
    return [part for part in signs.split(plain) if part]


def is_several(text: str) -> bool:
    """Whether a cell holds several texts by signs that sentences lack; blanks may be theirs."""
    return _is_bracketed(text.strip()) or any(sign in text.strip() for sign in PARTING[1:])


def _is_bracketed(plain: str) -> bool:
    return plain.startswith("[") and plain.endswith("]")


def _is_whole(text: str) -> bool:
    """Whether a cell has no list within its list, and nothing that was cut."""
    plain = text.strip()
    if NESTED.search(plain):
        return False
    if not _is_bracketed(plain) or ('"' not in plain and "'" not in plain):
        return True
    return all(closed or also or bare for _, closed, _, also, bare in WORD.findall(plain[1:-1]))


def _word(double: str, _: str, single: str, __: str, bare: str) -> str:
    """One text of a list; nothing where it reads null."""
    if double:
        try:
            return str(orjson.loads(f'"{double}"'))
        except orjson.JSONDecodeError:
            return double
    if single:
        return ESCAPED.sub(r"\1", single)
    return "" if bare in ("null", "None", "nan") else bare


def _is_listed(raw: RawTable, columns: dict[str, str]) -> bool:
    """Whether documents stand as lists: brackets in most cells, or no rank and lists by name."""
    if "rank" in columns:  # [7] beside a rank is an id
        return bool(begin_with(raw.rows[columns["rank"]], "[").any())
    texts = [text.strip() for text in texts_of(raw.rows[columns["doc"]])]
    texts = [text for text in texts if text]
    bracketed = sum(map(_is_bracketed, texts))
    if texts and 2 * bracketed > len(texts):
        return True
    several = sum(any(sign in text for sign in PARTING) for text in texts)
    return plain_name(columns["doc"]) in LISTS or 2 * several > len(texts) > 0


def _beside(docs: list[str], text: str, role: str) -> list[str]:
    """Cells of another column beside the documents of a list."""
    if not docs:
        return [""]
    values = list_of(text) if text.strip() else []
    if not values and text.strip() and role in ("clicked", "examined"):
        return ["0"] * len(docs)  # an empty list: none was
    marked = set(values)
    marks = role in ("clicked", "examined") and not marked <= {"0", "1"}
    if marks and marked <= set(docs):
        return [str(int(doc in marked)) for doc in docs]
    if len(values) == len(docs):
        return values
    if not values or len(docs) == 1:
        return [text] * len(docs)
    return [f"{text} beside {counted(len(docs), 'document')}"] * len(docs)


def _with(raw: RawTable, texts: dict[str, list[str]]) -> RawTable:
    """The same table with columns of other texts."""
    rows: pd.DataFrame = raw.rows.drop(columns=[name for name in texts if name in raw.rows])
    return replace(raw, rows=pd.concat([rows, category_columns(texts)], axis=1))
