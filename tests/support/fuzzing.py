"""Inputs that readers must end well on: as a study, or as errors with their places.

`python -m tests.support.fuzzing "csv, truncated 1" FOLDER` writes the files of one input, by name.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.support.formats import Files, zip_of
from tests.support.fuzz_bombs import JUDGMENTS, LOG, bombs
from tests.support.fuzz_changes import BYTES, TEXTS, Change
from tests.support.fuzz_samples import Sample, samples
from tests.support.fuzz_slow import slow
from tests.support.thorough import THOROUGH

T = TypeVar("T")
ROUNDS = THOROUGH  # of each change to each plain form
PACKED_ROUNDS = THOROUGH
SHARED = 9 if THOROUGH == 1 else 1  # forms among which changes go round
EACH = 9 if THOROUGH == 1 else 1  # one of so many bombs is tried: all take two minutes
DRAWN = 6 * THOROUGH  # of each kind that Hypothesis makes
SLOW = ("truncated", "shuffled", "emptied", "lone quote", "other number", "in UTF-16", "flipped")
HEADERS = ("session", "query_number", "rank", "doc", "topic", "system", "clicked", "x", "grade")
CELLS = ("", "1", "2", "3", "s1", "s1", "a", "b", "t", "t", "0", "[a, b]", '"q"', " ", "é", "-1")


@dataclass(frozen=True)
class Input:
    """Files by name, log first, then judgments; or a folder of files that is read as one."""

    name: str
    files: Files
    folder: bool = False

    def written(self, folder: Path) -> list[Path]:
        """Write the files; what is given to the readers."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / name for name in self.files]
        for path, data in zip(paths, self.files.values(), strict=True):
            path.write_bytes(data)
        return [folder] if self.folder else paths


def inputs() -> Iterator[Input]:
    """All inputs, the same on each run: each is made from its name alone."""
    for place, sample in enumerate(samples()):
        yield Input(sample.name, sample.files)
        yield from _slow(sample) if sample.slow else [*_changed(sample)][place % SHARED :: SHARED]
    for name, files in [*bombs(), *slow()][EACH // 3 :: EACH]:
        yield Input(name, files)
    for i, text in enumerate(_drawn(_tables()), start=1):
        yield Input(f"drawn table {i}", {"log.csv": text, "judgments.csv": JUDGMENTS})
    for i, text in enumerate(_drawn(_anything()), start=1):
        yield Input(f"drawn text {i}", {"log.txt": text, "judgments.csv": JUDGMENTS})
    for i, text in enumerate(_drawn(_grades()), start=1):
        yield Input(f"drawn judgments {i}", {"log.csv": LOG, "judgments.csv": text})


def _changed(sample: Sample) -> Iterator[Input]:
    """A sample under every change: its log, its judgments, what is packed in it."""
    changes = TEXTS if sample.plain else BYTES
    for i in range(1, (ROUNDS if sample.plain else PACKED_ROUNDS) + 1):
        for what, change in changes.items():
            yield _one(sample, f"{sample.name}, {what} {i}", change)
    if sample.plain:
        for what in ("truncated", "other number", "in Latin-1", "flipped"):
            name = f"{sample.name} in a folder, {what}"
            first, *_ = sample.files
            more = {f"b.{first}": TEXTS[what](Random(name), sample.files[first])}
            yield Input(name, sample.files | more, folder=True)
    elif sample.name in ("zip", "xlsx"):
        for what, change in TEXTS.items():
            yield _within(sample, f"{sample.name}, {what} within", change)


def _slow(sample: Sample) -> Iterator[Input]:
    for what in SLOW:
        yield _one(sample, f"{sample.name}, {what}", TEXTS[what])


def _one(sample: Sample, name: str, change: Change) -> Input:
    """One file of a sample changed, the log more often than the judgments."""
    chance = Random(name)
    first, *others = sample.files
    file = chance.choice([first, first, first, *others])
    return Input(name, sample.files | {file: change(chance, sample.files[file])})


def _within(sample: Sample, name: str, change: Change) -> Input:
    """One entry of an archive changed, and all packed again."""
    chance = Random(name)
    ((file, data),) = sample.files.items()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    entry = chance.choice([one for one in entries if one.endswith((".csv", "sheet1.xml"))])
    return Input(name, {file: zip_of(entries | {entry: change(chance, entries[entry])})})


def _drawn(strategy: st.SearchStrategy[T]) -> list[T]:
    """Examples of Hypothesis, the same on each run."""
    found: list[T] = []

    @seed(2008)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(strategy)
    def keep(value: T) -> None:
        found.append(value)

    keep()
    return found


def _tables() -> st.SearchStrategy[bytes]:
    """Small tables, most of them with the columns of a log."""
    more = st.lists(st.sampled_from(HEADERS[5:]), max_size=3)
    headers = st.one_of(
        more.map(lambda names: [*HEADERS[:5], *names]),
        st.lists(st.sampled_from(HEADERS), min_size=1, max_size=6),
    )
    good = st.tuples(*map(st.sampled_from, (["s1", "s2"], "123", "123456", "abcd", "t")))
    cells = st.one_of(st.sampled_from(CELLS), st.text(max_size=8))
    rows = st.lists(st.tuples(good, st.lists(cells, max_size=4), st.integers(0, 9)), max_size=8)
    signs = st.sampled_from([",", ";", "\t"])
    return st.builds(_table, headers, rows, signs)


def _table(
    header: list[str], rows: list[tuple[tuple[str, ...], list[str], int]], sign: str
) -> bytes:
    """Rows that fit the header, and odd ones where the drawn number says so."""
    lines = [sign.join(header)]
    for good, odd, number in rows:
        fitting = [*good, *odd, *[""] * len(header)][: len(header)]
        lines.append(sign.join(odd if not number else fitting))
    return ("\n".join(lines) + "\n").encode()


def _anything() -> st.SearchStrategy[bytes]:
    """Any bytes and texts, some behind the first bytes of a form that is read."""
    heads = (b"", b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"<session>", b"{", b"\xff\xfe", LOG[:40])
    bodies = st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode))
    return st.builds(bytes.__add__, st.sampled_from(heads), bodies)


def _grades() -> st.SearchStrategy[bytes]:
    """Judgments whose grades are numbers of every kind, and texts."""
    numbers = st.one_of(st.integers(-3, 4), st.floats(), st.integers(), st.sampled_from(CELLS))
    rows = st.lists(st.tuples(st.sampled_from("tu"), st.sampled_from("abcd"), numbers), max_size=4)
    return rows.map(
        lambda drawn: "\n".join(
            ["topic,doc,grade", *(f"{topic},{doc},{grade}" for topic, doc, grade in drawn), ""]
        ).encode()
    )


def main() -> int:
    """Write the files of the input that is named."""
    name, folder = sys.argv[1:]
    found = next((one for one in inputs() if one.name == name), None)
    if found is None:
        return 1
    found.written(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
