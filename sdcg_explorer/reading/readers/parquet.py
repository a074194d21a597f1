"""Parquet and Arrow, every column as text; lists stay lists, objects in lists become rows.

A few hundred bytes can stand for gigabytes: what the file says of itself is checked first, then it
is decoded batch by batch, texts once each, until they are more than a table may hold.
"""

# pyright: basic
# pyarrow ships no types.

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sdcg_explorer.reading import limits, raw_table
from sdcg_explorer.reading.sources import Head, Source
from sdcg_explorer.study.columns import pc
from sdcg_explorer.study.problems import UnusableInputError, cut, in_words, refusal

REMEDY = "Write it again, or export it as CSV."
RULE = "a cell is a text, a number, or a time of the years 1 to 9999"
NO_TEXT = (ValueError, OverflowError, LookupError)  # of text and times that Python does not know
HELD = 24_000_000  # bytes of a batch
PREFIXED = {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"}  # texts that can't be read once each
MOST = 524_288  # rows of a batch: a row group's dictionary is copied for each


@dataclass
class Column:
    """A column as it grows, batch by batch; bytes: of its cells as text, a separator each."""

    source: Source
    about: Any
    chunks: list[Any] = field(default_factory=list[Any])
    bytes: int = 0

    def add(self, values: Any) -> None:
        """Add the cells of a batch; of a row group's dictionary that is longer, what they use."""
        if pa.types.is_nested(self.about.type):
            values = self._lists_as_json(values)
        if pa.types.is_null(values.type):  # whose dictionaries can't be unified
            values = values.cast(pa.string())
        codes, dictionary = _codes_and_distinct_values(values)
        if len(dictionary) > codes.size:
            used, kept = pd.factorize(pd.Series(codes, dtype="Int32").mask(codes < 0))
            codes, dictionary = used.astype(np.int32), dictionary.take(pa.array(kept))
        sizes = _byte_counts(dictionary)
        times = np.bincount(codes[codes >= 0], minlength=sizes.size)
        self._check_length(int(sizes[times > 0].max(initial=0)))
        self.bytes += int(times @ sizes) + codes.size
        indices = pa.array(codes, mask=codes < 0)
        self.chunks.append(pa.DictionaryArray.from_arrays(indices, dictionary))

    def _lists_as_json(self, values: Any) -> Any:
        """Lists as JSON lists of texts, whose length is looked at before any is made."""
        parents = pc.list_parent_indices(values).to_numpy(zero_copy_only=False)
        codes, dictionary = _codes_and_distinct_values(pc.list_flatten(values))
        before = sum(map(len, self.chunks))
        texts = self._texts(dictionary, lambda i: before + int(parents[np.argmax(codes == i)]))
        dumped = [json.dumps(text, ensure_ascii=False) for text in [*texts.to_pylist(), ""]]
        each = np.array(dumped, dtype=object)[codes]  # −1 is the last
        sizes = np.array([len(text) + 2 for text in dumped], dtype=np.int64)
        self._check_length(int(np.bincount(parents, sizes[codes], minlength=1).max()))
        ends = np.searchsorted(parents, np.arange(len(values) + 1)).tolist()
        every = [f"[{', '.join(each[start:end])}]" for start, end in pairwise(ends)]
        return pa.array(every, pa.string(), mask=values.is_null().to_numpy(zero_copy_only=False))

    def _check_length(self, longest: int) -> None:
        if longest > limits.LONGEST_LINE:
            rule = f"a cell has at most {limits.LONGEST_LINE:,} characters"
            _refuse_file(self.source, f"{longest:,} characters", rule)

    def _texts(self, values: Any, row: Callable[[int], int]) -> Any:
        """Values as texts; one that has none is refused in its row, which `row` knows."""
        is_text = pa.types.is_string(values.type)
        if is_text and not pc.any(pc.match_substring_regex(values, r"[\r\x00]")).as_py():
            return values.fill_null("")
        texts: list[str] = []
        for value in values:
            try:
                one = value.as_py()
                texts.append(raw_table.cell_text(one.decode() if isinstance(one, bytes) else one))
            except NO_TEXT as fault:
                beyond = isinstance(fault, OverflowError)
                found = f"{'a time beyond these' if beyond else fault} in column"
                line = row(len(texts)) + 1
                _refuse_file(self.source, f"{found} {cut(str(self.about.name))!r}", RULE, line)
        return pa.array(texts, pa.string())

    def categories(self) -> Any:
        """All cells as categories, in order of appearance."""
        if not self.chunks:
            return pd.Categorical([], pd.Index([], dtype="str"))
        coded = pa.chunked_array(self.chunks).unify_dictionaries().combine_chunks()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        texts = self._texts(coded.dictionary, lambda i: int(np.argmax(codes == i)))
        once = pa.concat_arrays([texts, pa.array([""])]).dictionary_encode()  # −1 is the last
        distinct = pd.Index(pd.array(once.dictionary, dtype="str"))
        cells = pd.Categorical.from_codes(once.indices.to_numpy()[codes], distinct)
        return raw_table.in_appearance(pd.Series(cells))


def _codes_and_distinct_values(values: Any) -> tuple[Any, Any]:
    """Codes of values, −1 where there is none, and the values that they stand for."""
    coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    return coded.indices.fill_null(-1).to_numpy(zero_copy_only=False), coded.dictionary


def _byte_counts(values: Any) -> Any:
    """Bytes of each of these, (N,); what is no text counts as one."""
    with suppress(pa.ArrowNotImplementedError):
        return pc.binary_length(values).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return np.ones(len(values), dtype=np.int64)


def read_parquet(source: Source) -> list[raw_table.RawTable]:
    """Cells as text, as a CSV file would hold them; `lines` count rows from 1.

    Raises
    ------
    UnusableInputError : a broken file, objects in cells, too many columns, rows, cells or bytes
    """
    try:
        if Head(source).data.startswith(b"ARROW1"):  # as Feather's do
            file = pa.ipc.open_file(source.path)
            schema, batches = file.schema, _arrow_batches(source, file)
        else:
            file = pq.ParquetFile(source.path)
            _check_size(source, file.metadata)
            schema, batches = file.schema_arrow, _row_batches(source, file)
        columns = {str(column.name): Column(source, column) for column in schema}
        if len(columns) < len(schema):
            _refuse_file(source, "a name twice", "each column has its own name")
        for column in schema:
            _check_kind(source, column)
        for batch in batches:
            for column, values in zip(columns.values(), batch.columns, strict=True):
                column.add(values)
            source.counter.check(source.name, 0, sum(own.bytes for own in columns.values()))
        rows = pd.DataFrame({name: column.categories() for name, column in columns.items()})
    except UnusableInputError:
        raise
    except (pa.ArrowException, OSError, *NO_TEXT, MemoryError, RecursionError) as fault:
        found = in_words(fault)[:200] or "nothing that can be read"
        _refuse_file(source, found, "a Parquet or Arrow file must be complete")
    return [raw_table.RawTable(source.name, rows, np.arange(len(rows)) + 1)]


def _check_size(source: Source, about: Any) -> None:
    """What the file says of itself: its own sizes are those before anything is repeated."""
    chunks = _column_chunks(about) if about.num_columns <= limits.MOST_COLUMNS else []
    rows, columns = about.num_rows, about.num_columns
    every = map(about.schema.column, range(columns))
    lists = {column.path for column in every if column.max_repetition_level}
    listed = sum(chunk.num_values for chunk in chunks if chunk.path_in_schema in lists)
    source.counter.check(source.name, rows * columns + listed, rows=rows, columns=columns)
    source.counter.unpack(source.name, sum(chunk.total_uncompressed_size for chunk in chunks))


def _column_chunks(about: Any) -> list[Any]:
    groups = [about.row_group(i) for i in range(about.num_row_groups)]
    return [group.column(j) for group in groups for j in range(about.num_columns)]


def _check_kind(source: Source, column: Any) -> None:
    kind = column.type
    if re.search("struct<|map<|list<.*list<", str(kind)):
        rule = "a cell holds a value, or a list of values"
        _refuse_file(source, f"objects in column {str(column.name)[:100]!r}", rule)
    if _value_byte_width(kind) > limits.LONGEST_LINE:
        rule = f"a line has at most {limits.LONGEST_LINE:,} bytes"
        _refuse_file(source, f"a column of {_value_byte_width(kind):,} bytes a cell", rule)


def _value_byte_width(kind: Any) -> int:
    """Bytes of a value of a fixed width, the lists of fixed length that it is in included."""
    if pa.types.is_fixed_size_list(kind):
        return kind.list_size * _value_byte_width(kind.value_type)
    return kind.byte_width if pa.types.is_fixed_size_binary(kind) else 8


def _refuse_file(source: Source, found: str, rule: str, line: int | None = None) -> NoReturn:
    raise refusal(source.name, line, found, rule, REMEDY)


def _row_batches(source: Source, file: Any) -> Iterator[Any]:
    """Batches of rows, their texts once each where the file has them so."""
    about, chunks = file.metadata, _column_chunks(file.metadata)
    odd = [chunk for chunk in chunks if PREFIXED & {*chunk.encodings}]
    prefixed = {chunk.path_in_schema for chunk in odd}
    texts = [
        column.path
        for column in map(about.schema.column, range(about.num_columns))
        if column.physical_type == "BYTE_ARRAY"
        and column.logical_type.type != "DECIMAL"
        and column.path not in prefixed
    ]
    width = sum(_value_byte_width(column.type) for column in file.schema_arrow)
    # texts as differences, thousands in few bytes: none of them is longer than that
    width += sum(chunk.total_uncompressed_size for chunk in odd)
    rows = min(max(HELD // max(width, 1), 1), MOST)
    file = pq.ParquetFile(source.path, read_dictionary=texts)
    for group in range(about.num_row_groups):  # Arrow joins no lists of several groups
        yield from file.iter_batches(batch_size=rows, row_groups=[group])


def _arrow_batches(source: Source, file: Any) -> Iterator[Any]:
    """Batches of rows, as the file has them; how much each unpacks to is known afterwards."""
    for i in range(file.num_record_batches):
        batch = file.get_batch(i)
        source.counter.unpack(source.name, batch.nbytes)
        yield batch
