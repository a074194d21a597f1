"""What holds of a column's distinct texts, by Arrow: each is looked at once, in its place."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from sdcg_explorer.study.arrays import Bools, Floats, Ints

pc: Any = compute  # whose functions are made as it is loaded
LOOKED_AT = 10_000  # rows, before all are


def as_arrow(texts: Any) -> Any:
    """Texts as an Arrow array."""
    return pa.array(texts, pa.large_string())


def in_text_order(texts: Any) -> tuple[Ints, list[str]]:
    """Place of each text (T,) among all distinct ones in NFC, and these, by their characters."""
    plain = as_arrow(texts)
    if not pc.all(pc.string_is_ascii(plain)).as_py():
        plain = as_arrow([unicodedata.normalize("NFC", text) for text in plain.to_pylist()])
    order = pc.array_sort_indices(plain)
    in_order, place = plain.take(order), np.empty(len(plain), dtype=np.int32)
    new = np.append(True, _as_bool_array(pc.not_equal(in_order[1:], in_order[:-1])))[: len(plain)]
    place[order.to_numpy()] = np.cumsum(new) - 1
    return place, in_order.filter(pa.array(new)).to_pylist()


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
    places = pc.index_in(added, as_arrow(own.array)).to_numpy(zero_copy_only=False)
    lacking = np.isnan(places)
    if not lacking.any():
        return own, places.astype(np.int32)
    alone = added.filter(pa.array(lacking))
    order = pc.array_sort_indices(alone).to_numpy()
    places[np.flatnonzero(lacking)[order]] = np.arange(len(order)) + len(own)
    more = pd.array(alone.take(pa.array(order)), dtype="str")
    return own.append(pd.Index(more)), places.astype(np.int32)


# of a whole number as a table of floats has it, and of an address
START = r"\Ahttps?://(?:www\.)?"
END = r"(?:\.0+|/)\z"


def bare(texts: Iterable[str]) -> list[str]:
    """Texts in small letters, without blanks around, zeros or http before, and ".0" or "/" behind.

    >>> bare([" 007.0", "http://A.org/x/", "https://www.a.org/x"])
    ['7', 'a.org/x', 'a.org/x']
    """
    plain = pc.utf8_ltrim(pc.utf8_trim_whitespace(as_arrow([*texts])), "0")
    plain = pc.replace_substring_regex(pc.utf8_lower(plain), START, "")
    return pc.replace_substring_regex(plain, END, "").to_pylist()


def lengths(column: pd.Series[Any]) -> Ints:
    """Bytes of each distinct text; (T,)."""
    return pc.binary_length(as_arrow(column.cat.categories.array)).to_numpy().astype(np.int64)


def are_blank(column: pd.Series[Any]) -> Bools:
    """Which texts are nothing but blanks, as Python strips them; (T,)."""
    return _as_bool_array(pc.equal(_trimmed_category_texts(column), ""))


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
    """Codes of a chunked column and its distinct texts, which numbers have, too.

    Where runs are long, only their firsts are looked up.
    """
    begun = _differs_from_previous(column[:LOOKED_AT])
    if 2 * np.count_nonzero(begun) > begun.size:
        return _codes_and_distinct_texts(column)
    begun = _differs_from_previous(column)
    codes, texts = _codes_and_distinct_texts(column.filter(pa.array(begun)))
    return np.repeat(codes, np.diff(np.flatnonzero(begun), append=begun.size)), texts


def _differs_from_previous(column: Any) -> Any:
    """Where a text differs from that before it."""
    if len(column) == 0:
        return np.zeros(0, dtype=bool)
    return np.append(True, pc.not_equal(column[1:], column[:-1]).to_numpy())


def _codes_and_distinct_texts(column: Any) -> tuple[Any, Any]:
    coded = column.dictionary_encode().combine_chunks()
    return coded.indices.to_numpy(), pd.array(coded.dictionary.cast(pa.string()), dtype="str")


def _trimmed_category_texts(column: pd.Series[Any]) -> Any:
    return pc.utf8_trim_whitespace(as_arrow(column.cat.categories.array))


def _as_bool_array(array: Any) -> Bools:
    return array.to_numpy(zero_copy_only=False).astype(bool)
