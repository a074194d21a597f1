"""Parquet, every column as text; lists stay lists, objects in lists become rows.

A few hundred bytes can stand for gigabytes: what the file says of itself is checked first, then it
is decoded batch by batch, texts once each, until they are more than a table may hold.
"""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sdcg_explorer.reading.limits import LONGEST_LINE, MOST_COLUMNS
from sdcg_explorer.reading.raw_table import RawTable, as_text
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.problems import UnusableInputError, cut, error, in_words

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
    if isinstance(value, float) and abs(value) >= EXACT_BELOW:
        raise ValueError(f"the number {value:.0f} as a float: ids beyond 2⁵³ stand as text")
    return as_text(value.decode("utf-8") if isinstance(value, bytes) else value)


REMEDY = "Write it again, or export it as CSV."
RULE = "a cell is a text, a number, or a time of the years 1 to 9999"
HELD = 24_000_000  # bytes of a batch
PREFIXED = {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"}  # texts that can't be read once each
MOST = 524_288  # rows of a batch: a row group's dictionary is copied for each


def read_parquet(source: Source) -> list[RawTable]:
    """Cells as text, as a CSV file would hold them; `lines` count rows from 1.

    Raises
    ------
    UnusableInputError : a broken file, objects in cells, too many columns, rows, cells or bytes
    """
    try:
        file = pq.ParquetFile(source.path)
        _check_size(source, file.metadata)
        names = [str(field.name) for field in file.schema_arrow]
        if len({*names}) < len(names):
            _refuse(source, "a name twice", "each column has its own name")
        for column in file.schema_arrow:
            _check_kind(source, column)
        rows = _read(source, file)
    except UnusableInputError:
        raise
    except (pa.ArrowException, OSError, *NO_TEXT, MemoryError, RecursionError) as fault:
        found = in_words(fault)[:200] or "nothing that can be read"
        _refuse(source, found, "a Parquet file is whole")
        raise
    return [RawTable(source.name, rows, np.arange(len(rows)) + 1)]


def _check_size(source: Source, about: Any) -> None:
    """What the file says of itself: its own sizes are those before anything is repeated."""
    chunks = _chunks(about) if about.num_columns <= MOST_COLUMNS else []
    rows, columns = about.num_rows, about.num_columns
    cells = rows * columns + _listed(about, chunks)
    source.counter.check(source.name, cells, rows=rows, columns=columns)
    source.counter.unpack(source.name, sum(chunk.total_uncompressed_size for chunk in chunks))


def _chunks(about: Any) -> list[Any]:
    return [
        about.row_group(i).column(j)
        for i in range(about.num_row_groups)
        for j in range(about.num_columns)
    ]


def _listed(about: Any, chunks: list[Any]) -> int:
    """Values of columns whose cells are lists."""
    columns = [about.schema.column(i) for i in range(about.num_columns)]
    listed = {column.path for column in columns if column.max_repetition_level}
    return sum(chunk.num_values for chunk in chunks if chunk.path_in_schema in listed)


def _check_kind(source: Source, column: Any) -> None:
    kind = column.type
    if pa.types.is_nested(kind) and _has_objects(kind):
        rule = "a cell holds a value, or a list of values"
        _refuse(source, f"objects in column {str(column.name)[:100]!r}", rule)
    if _width(kind) > LONGEST_LINE:
        rule = f"a line has at most {LONGEST_LINE:,} bytes"
        _refuse(source, f"a column of {_width(kind):,} bytes a cell", rule)


def _width(kind: Any) -> int:
    """Bytes of a value of a fixed width, the lists of fixed length that it is in included."""
    if pa.types.is_fixed_size_list(kind):
        return kind.list_size * _width(kind.value_type)
    return kind.byte_width if pa.types.is_fixed_size_binary(kind) else 8


def _refuse(source: Source, found: str, rule: str) -> None:
    raise UnusableInputError([error(source.name, None, found, rule, REMEDY)])


def _read(source: Source, file: Any) -> pd.DataFrame:
    """All cells, batch by batch, as long as their texts stay within the limits."""
    columns = [Column(column.type) for column in file.schema_arrow]
    names = [str(column.name) for column in file.schema_arrow]
    for batch in _batches(source, file):
        for name, column, values in zip(names, columns, batch.columns, strict=True):
            _made(source, name, partial(column.add, values))
            if column.longest > LONGEST_LINE:
                rule = f"a cell has at most {LONGEST_LINE:,} characters"
                _refuse(source, f"{column.longest:,} characters", rule)
        source.counter.check(source.name, 0, sum(column.bytes for column in columns))
    named = zip(names, columns, strict=True)
    return pd.DataFrame({name: _made(source, name, own.categories) for name, own in named})


def _made(source: Source, name: str, make: Callable[[], Any]) -> Any:
    """What is made of a column's cells; one that has no text is refused in its row."""
    try:
        return make()
    except CellError as fault:
        found = f"{fault} in column {cut(name)!r}"
        refused = [error(source.name, fault.row + 1, found, RULE, REMEDY)]
        raise UnusableInputError(refused) from None


def _batches(source: Source, file: Any) -> Iterator[Any]:
    """Batches of rows, their texts once each where the file has them so."""
    about, chunks = file.metadata, _chunks(file.metadata)
    columns = [about.schema.column(i) for i in range(about.num_columns)]
    odd = [chunk for chunk in chunks if PREFIXED & {*chunk.encodings}]
    prefixed = {chunk.path_in_schema for chunk in odd}
    texts = [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY"
        and column.logical_type.type != "DECIMAL"
        and column.path not in prefixed
    ]
    width = sum(_width(column.type) for column in file.schema_arrow)
    # texts as differences, thousands in few bytes: none of them is longer than that
    width += sum(chunk.total_uncompressed_size for chunk in odd)
    rows = min(max(HELD // max(width, 1), 1), MOST)
    return pq.ParquetFile(source.path, read_dictionary=texts).iter_batches(batch_size=rows)


def _has_objects(kind: Any) -> bool:
    if pa.types.is_struct(kind) or pa.types.is_map(kind):
        return True
    return any(pa.types.is_nested(kind.field(i).type) for i in range(kind.num_fields))
