"""Tags of queries: cleaned, and written so that neither a crash nor odd lines spoil the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store import TAGS, Store
from sdcg_explorer.study.store.tag_log import read_tags
from sdcg_explorer.study.tags import LONGEST, SUGGESTED, Tags, cleaned, tags_of, tags_table
from tests.support.studies import small

S1, S2 = ("s1", 1), ("s1", 2)
CLEANED: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "nothing": ([], ()),
    "blanks of any kind": (["", " ", "\t\n", "\u00a0", "\u2003", "\u3000", "\x85"], ()),
    "on one line": (["a\nb", "c\r\n d", "e\tf", " g  h "], ("a b", "c d", "e f", "g h")),
    "no semicolon": (["a;b", ";", "; ;"], (",", ", ,", "a,b")),
    "each once": (["b", "a", "b ", " a", "typo", "typo"], ("typo", "a", "b")),
    "one form of each letter": (["e\u0301", "é"], ("é",)),
    "suggested first, as they are listed": (["b", *SUGGESTED[::-1], "a"], (*SUGGESTED, "a", "b")),
    "capitals are told apart": (["Typo", "typo"], ("typo", "Typo")),
    "cut": (["x" * 100, "界" * 100], ("x" * LONGEST, "界" * LONGEST)),
    "cut at a blank": (["x" * (LONGEST - 1) + " y"], ("x" * (LONGEST - 1),)),
}


@pytest.mark.parametrize("what", CLEANED)
def test_tags_are_cleaned(what: str) -> None:
    texts, expected = CLEANED[what]
    assert cleaned(texts) == expected
    assert cleaned(expected) == expected
    assert cleaned(reversed(texts)) == expected


@pytest.mark.parametrize("text", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\x00", "\x1b"])
def test_what_nobody_can_see_is_no_tag(text: str) -> None:
    assert cleaned([text]) == ()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "studies")


def test_a_line_cut_short_anywhere_spoils_no_other(store: Store) -> None:
    digest = store.save(small()).digest
    path = store.folder / digest / TAGS
    ends, states = [0], list[Tags]([{}])
    for query, tags in ((S1, ["界;\n"]), (S2, ["typo"]), (S1, []), (S2, ['"', "née"])):
        store.tag(digest, *query, tags)
        ends.append(path.stat().st_size)
        states.append(store.tags(digest))
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        expected = [state for end, state in zip(ends, states, strict=True) if end <= cut][-1]
        assert read_tags(path) == expected
        store.tag(digest, "s2", 1, ["after"])
        assert store.tags(digest) == expected | {("s2", 1): ("after",)}


LINE = json.dumps({"session": "s1", "query_number": 1, "tags": ["typo"]}).encode()
ODD = {
    "blank lines": b"\n\n" + LINE + b"\n\r\n",
    "zeros, as a crash of the machine leaves": LINE + b"\n" + bytes(50) + b"\n",
    "no UTF-8": b"\xff\xfe\n" + LINE,
    "other JSON": b'1\n"a"\nnull\n[]\n{}\n{"session": 1}\n' + LINE,
    "a line without a list": b'{"session": "s1", "query_number": 2, "tags": null}\n' + LINE,
    "a number that is none": b'{"session": "s1", "query_number": "x", "tags": []}\n' + LINE,
}
ODDER = {
    "no end of a number": b'{"session": "s1", "query_number": 1e999, "tags": []}\n' + LINE,
    "no end of brackets": b"[" * 100_000 + b"\n" + LINE,
    "one text for a list": b'{"session": "s1", "query_number": 2, "tags": "own"}\n' + LINE,
}


@pytest.mark.parametrize("what", [*ODD, *(what for what in ODDER)])
def test_odd_lines_are_passed_over(what: str, tmp_path: Path) -> None:
    (tmp_path / TAGS).write_bytes((ODD | ODDER)[what])
    assert read_tags(tmp_path / TAGS) == {S1: ("typo",)}


def test_tags_that_cannot_be_read_are_refused_in_words(store: Store) -> None:
    digest = store.save(small()).digest
    (store.folder / digest / TAGS).mkdir()
    with pytest.raises(UnusableInputError):
        store.tags(digest)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes, as on a disk that is nearly full."""
    resource = pytest.importorskip("resource", reason="limits of processes are POSIX's")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 1, 20])
def test_tag_that_finds_no_room_is_refused(room: int, store: Store) -> None:
    digest = store.save(small()).digest
    store.tag(digest, *S1, ["typo"])
    size = (store.folder / digest / TAGS).stat().st_size
    with room_for(size + room), pytest.raises(UnusableInputError, match="Free some room"):
        store.tag(digest, *S2, ["lost"])
    assert store.tags(digest) == {S1: ("typo",)}


TABLE = [
    *(("s1", 2, "own"), ("s1", 1, "typo"), ("s1", "1", "a;b"), ("s1", 1, "typo"), (7, 3, "x")),
    *(("s1", 0.5, "x"), ("s1", "", "x"), ("s1", None, "x"), ("s1", -1, "x"), ("s1", "²", "x")),
    ("s1", 4, " "),
]


def test_tables_of_tags_are_read_row_by_row() -> None:
    table = pd.DataFrame(TABLE, columns=["session", "query_number", "tag"], dtype=object)
    expected = {S2: ("own",), S1: ("typo", "a,b"), ("7", 3): ("x",)}
    assert tags_of(table) == expected
    again = tags_table(expected)
    assert again.to_numpy().tolist() == [
        *(["7", 3, "x"], ["s1", 1, "typo"], ["s1", 1, "a,b"], ["s1", 2, "own"]),
    ]
    assert tags_of(again) == expected
    assert tags_of(tags_table({})) == {}
