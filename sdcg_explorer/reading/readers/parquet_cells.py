"""Cells of a Parquet file, held once each until the distinct ones are turned into text."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sdcg_explorer.reading.limits import LONGEST_LINE

EXACT_BELOW = 2**53
NO_TEXT = (ValueError, OverflowError, LookupError)  # of text and times that Python does not know


class CellError(ValueError):
    """A cell that has no text; its row, from 0."""

    def __init__(self, row: int, fault: Exception) -> None:
        super().__init__("a time beyond these" if isinstance(fault, OverflowError) else str(fault))
        self.row = row


@dataclass
class Column:
    """A column as it grows, batch by batch.

    bytes : of its cells as text, a separator each; what is no text counts as one · longest : of its
    longest cell, which is not made where it is beyond a line
    """

    kind: Any
    chunks: list[Any] = field(default_factory=list[Any])
    bytes: int = 0
    longest: int = 0

    def add(self, values: Any) -> None:
        """Add the cells of a batch; of a row group's dictionary that is longer, what they use."""
        if pa.types.is_nested(self.kind):
            values = self._lists(values)
        codes, dictionary = _coded(values)
        if len(dictionary) > codes.size:
            known = codes >= 0
            used = np.full(codes.size, -1, dtype=np.int32)
            used[known], kept = pd.factorize(codes[known])
            codes, dictionary = used, dictionary.take(pa.array(kept))
        sizes = _sizes(dictionary)
        times = np.bincount(codes[codes >= 0], minlength=sizes.size)
        self.longest = max(self.longest, int(sizes[times > 0].max(initial=0)))
        self.bytes += int(times @ sizes) + codes.size
        indices = pa.array(codes, mask=codes < 0)
        self.chunks.append(pa.DictionaryArray.from_arrays(indices, dictionary))

    def _lists(self, values: Any) -> Any:
        """Lists as JSON lists of texts; none where one of them is beyond a line."""
        parents = pc.call_function("list_parent_indices", [values]).to_numpy(zero_copy_only=False)
        codes, dictionary = _coded(pc.call_function("list_flatten", [values]))
        before = sum(map(len, self.chunks))
        texts = _texts(dictionary, lambda i: before + int(parents[np.argmax(codes == i)]))
        dumped = [json.dumps(text, ensure_ascii=False) for text in [*texts, ""]]  # −1 is the last
        sizes = np.array([len(text) + 2 for text in dumped], dtype=np.int64)
        self.longest = int(np.bincount(parents, sizes[codes], minlength=1).max())
        if self.longest > LONGEST_LINE:
            return pa.array([""] * len(values), pa.string())
        ends = np.searchsorted(parents, np.arange(len(values) + 1)).tolist()
        each = np.array(dumped, dtype=object)[codes]
        known = values.is_valid().to_pylist()
        every = [
            f"[{', '.join(each[start:end])}]" if is_known else None
            for start, end, is_known in zip(ends[:-1], ends[1:], known, strict=True)
        ]
        return pa.array(every, pa.string())

    def categories(self) -> Any:
        """All cells as categories, in order of appearance."""
        if not self.chunks:
            return pd.Categorical([], pd.Index([], dtype="str"))
        coded = pa.chunked_array(self.chunks).unify_dictionaries().combine_chunks()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        place, texts = _distinct(coded.dictionary, lambda i: int(np.argmax(codes == i)))
        codes, used = _by_appearance(place[codes])
        distinct = pd.array(texts.take(pa.array(used)), dtype="str")
        return pd.Categorical.from_codes(codes, pd.Index(distinct))


def _coded(values: Any) -> tuple[Any, Any]:
    """Codes of values, −1 where there is none, and the values that they stand for."""
    coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    return coded.indices.fill_null(-1).to_numpy(zero_copy_only=False), coded.dictionary


def _sizes(values: Any) -> Any:
    """Bytes of each of these, (N,); what is no text counts as one."""
    is_text = pa.types.is_binary(values.type) or pa.types.is_string(values.type)
    if is_text or pa.types.is_large_binary(values.type) or pa.types.is_large_string(values.type):
        lengths = pc.call_function("binary_length", [values]).fill_null(0)
        return lengths.to_numpy(zero_copy_only=False).astype(np.int64)
    width = values.type.byte_width if pa.types.is_fixed_size_binary(values.type) else 1
    return np.full(len(values), width, dtype=np.int64)


def _by_appearance(codes: Any) -> tuple[Any, Any]:
    """Codes anew, in order of appearance, and what they were; often they are so already."""
    latest = np.maximum.accumulate(codes)
    if codes.size and latest[0] == 0 and (np.diff(latest) <= 1).all():
        return codes, np.arange(latest[-1] + 1)
    return pd.factorize(codes)


def _distinct(values: Any, row: Callable[[int], int]) -> tuple[Any, Any]:
    """Places (N + 1,) of values among the texts that they are, each once; the last is ""'s."""
    if not _are_plain(values):
        texts = np.array([*_texts(values, row), ""], dtype=object)
        place, distinct = pd.factorize(texts)
        return place, pa.array(distinct, pa.string())
    empty = pc.call_function("index", [values], pc.IndexOptions(pa.scalar(""))).as_py()
    place = np.arange(len(values) + 1, dtype=np.int32)
    if empty >= 0:
        place[-1] = empty
    return place, pa.concat_arrays([values, pa.array([""])])


def _texts(values: Any, row: Callable[[int], int]) -> list[str]:
    """Values as texts; one that has none is an error in its row, which `row` knows.

    Raises
    ------
    CellError
    """
    try:
        return [_text(value) for value in values.to_pylist()]
    except NO_TEXT:
        pass
    for i in range(len(values)):
        try:
            _text(values[i].as_py())
        except NO_TEXT as fault:
            raise CellError(row(i), fault) from None
    return []


def _are_plain(values: Any) -> bool:
    """Whether values are texts that stand as they are."""
    if not pa.types.is_string(values.type) or values.null_count:
        return False
    odd = pc.MatchSubstringOptions(r"[\r\x00]")
    found = pc.call_function("match_substring_regex", [values], odd)
    return not pc.call_function("any", [found]).as_py()


def _text(value: Any) -> str:
    """A value as text: whole numbers without a point, true as 1, nothing as empty."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        if abs(value) >= EXACT_BELOW:
            raise ValueError(f"the number {value:.0f} as a float: ids beyond 2⁵³ stand as text")
        return f"{value:.0f}" if value.is_integer() else repr(value)
    text = value.decode("utf-8") if isinstance(value, bytes) else str(value)
    if "\0" in text:
        raise ValueError("a text with a NUL character")
    return text.replace("\r\n", "\n").replace("\r", "\n")
