"""The store: studies are kept whole, opened as they were, and gone once they are deleted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.screen import library
from sdcg_explorer.study import store as module
from sdcg_explorer.study.store import COPY, FILE, Kept, Store
from tests.support.kept import another_writer, change
from tests.support.plain_files import ROOT
from tests.support.refusals import refused
from tests.support.studies import SAMPLES, at_hand, every_study, shape, small
from tests.support.thorough import THOROUGH

GONE = "a link opens only a study that is stored here. Upload its files again."
AGAIN = "a saved study must be as it was written. Delete it, and upload its files again."
A, B = "a" * 32, "b" * 32
WORD = "zebrafinch"  # that is looked for in the bytes of files


@pytest.fixture
def folder() -> Iterator[Path]:
    """A workspace in a folder that everybody may read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name) / "studies"
        for path in (Path(name), *Path(name).rglob("*")):
            path.chmod(0o755)


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(folder)


@pytest.fixture(params=["file", "memory"])
def either(request: pytest.FixtureRequest, folder: Path) -> Store:
    return Store(folder if request.param == "file" else None)


@every_study
def test_kept_study_opens_as_it_was(name: str, folder: Path) -> None:
    study = replace(at_hand(name), name=f"{name}, kept", note="A note – with “signs” and 🙂.")
    kept = Store(folder).save(study)
    assert kept == Kept(study.digest, study.name, study.note)
    another = Store(folder)
    assert another.kept() == [kept]
    assert shape(another.load(study.digest)) == shape(study)
    assert {*os.listdir(folder)} == {FILE, COPY}


def test_saving_twice_keeps_one_study_under_its_first_name(either: Store) -> None:
    study = replace(small(), name="first")
    first = either.save(study)
    assert either.save(replace(study, name="second")) == first
    assert either.kept() == [Kept(study.digest, "first")]
    either.rename(study.digest, "first", "noted")
    assert either.save(study) == Kept(study.digest, "first", "noted")


def test_studies_are_listed_as_they_were_saved(either: Store) -> None:
    digests = [either.save(small(session)).digest for session in ("z", "m", "a")]
    either.rename(digests[0], "renamed", "")
    assert [kept.digest for kept in either.kept()] == digests


def test_study_is_renamed(either: Store) -> None:
    digest = either.save(small()).digest
    either.rename(digest[:12], "A “new” name 🙂", "and\na note")
    assert either.kept() == [Kept(digest, "A “new” name 🙂", "and\na note")]
    study = either.load(digest)
    assert (study.name, study.note, study.digest) == ("A “new” name 🙂", "and\na note", digest)


def test_study_is_deleted_alone(store: Store) -> None:
    first, second = (store.save(small(session)) for session in ("a", "b"))
    store.delete(first.digest[:12])
    assert store.kept() == [second]
    gone = f"store: no study {first.digest}; {GONE}"
    assert refused(lambda: store.load(first.digest)) == [gone]
    assert refused(lambda: store.delete(first.digest)) == [gone]
    assert refused(lambda: store.rename(first.digest, "x", "")) == [gone]
    assert store.save(small("a")) == store.find(first.digest)


def test_what_is_deleted_is_in_no_bytes_of_file_and_copy(store: Store) -> None:
    store.save(small("other"))
    files = [store.path, store.path.with_name(COPY)]
    sizes = [path.stat().st_size for path in files]
    digest = store.save(replace(small(WORD), note=f"{WORD} too")).digest
    store.tag(digest, WORD, 1, [WORD])
    files[1].unlink()
    Store(store.path.parent)  # copies it, with the tag
    assert all(WORD.encode() in path.read_bytes() for path in files)
    store.tag(digest, WORD, 1, [])
    store.delete(digest)
    assert not any(WORD.encode() in path.read_bytes() for path in files)
    assert [path.stat().st_size for path in files] == sizes
    assert {*os.listdir(store.path.parent)} == {FILE, COPY}


def test_each_owner_sees_and_deletes_their_own_alone(either: Store) -> None:
    digest = either.save(replace(small(), name="Of A"), A).digest
    either.save(replace(small(), name="Of B", note="mine"), B)
    either.tag(digest, "s1", 1, ["typo"], A)
    assert either.find(digest, A) == Kept(digest, "Of A")
    assert either.find(digest, "c" * 32) == either.find(digest) == Kept(digest, digest[:8])
    assert (either.tags(digest, B), either.holds(digest, "c" * 32)) == ({}, False)
    for act in (either.delete, lambda d, of: either.rename(d, "x", "", of)):
        assert refused(lambda act=act: act(digest, "c" * 32))
    either.delete(digest, A)
    assert either.load(digest, B).note == "mine"
    assert (either.tags(digest, A), either.holds(digest, A)) == ({}, False)
    either.delete(digest, B)
    assert either.kept() == []


@pytest.mark.parametrize("length", [8, 12, 63, 64])
def test_prefix_finds_a_study(length: int, either: Store) -> None:
    digest = either.save(small()).digest
    either.save(small("other"))
    assert either.load(digest[:length]).digest == digest


NONSENSE = ["", "*", "..", "../..", "????????????", "[0-9a-f]*", "a" * 64, "/", "%" * 12, "' or 1"]


@pytest.mark.parametrize("wanted", NONSENSE)
def test_nonsense_finds_no_study(wanted: str, either: Store) -> None:
    kept = either.save(small())
    acts = (either.load, either.delete, lambda digest: either.rename(digest, "x", ""))
    for act in acts:
        assert refused(lambda act=act: act(wanted))[0].startswith(f"store: no study {wanted}; ")
    assert either.kept() == [kept]


def test_memory_keeps_the_latest_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    store, clock = Store(most=2, seconds=7_200.0), [1e9]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    kept = []
    for session in ("a", "b", "c"):
        kept.append(store.save(small(session)))
        clock[0] += 60
    assert store.kept() == kept[1:]
    assert refused(lambda: store.load(kept[0].digest)) == [
        f"store: no study {kept[0].digest}; studies are kept here for a limited time. Upload its "
        f"files again."
    ]
    clock[0] = 1e9 + 60 + 7_199
    assert store.kept() == kept[1:]
    clock[0] += 1
    assert store.kept() == kept[2:]


def test_memory_has_room_for_so_many_bytes() -> None:
    one = Store()
    one.save(small("a"))
    with one._read_connection() as db:
        (taken,) = db.execute("SELECT sum(length(bytes)) FROM tables").fetchone()
    store = Store(room=2.5 * taken)
    kept = [store.save(small(session)) for session in ("a", "b", "c")]
    assert store.kept() == kept[1:]
    store = Store(room=taken / 2)
    assert [store.save(small(session)) for session in ("a", "b")][1:] == store.kept()


# what a flipped byte does


def flip(path: Path, place: int) -> None:
    """Change the lowest bit of a byte."""
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def kept_two(folder: Path) -> list[Kept]:
    """A store's file with two studies, and its copy."""
    store = Store(folder)
    first, second = (store.save(small(session)) for session in ("s0", "s1"))
    store.tag(second.digest, "s1", 1, ["typo"])
    (folder / COPY).unlink()
    Store(folder)
    return [first, second]


def in_table(path: Path, digest: str) -> int:
    """Place of a byte in the midst of the results of a study, in the file."""
    with closing(sqlite3.connect(path)) as db:
        (piece,) = db.execute(
            "SELECT bytes FROM tables WHERE study = ? AND name = 'results'", (digest,)
        ).fetchone()
    whole = path.read_bytes()
    windows = (piece[i : i + 24] for i in range(len(piece) // 2, len(piece)))
    return whole.index(next(part for part in windows if whole.count(part) == 1)) + 12


@pytest.mark.parametrize("where", ["content", "chain"])
def test_a_flipped_byte_in_a_table_names_its_study_and_the_rest_opens(
    where: str, folder: Path
) -> None:
    study = at_hand(SAMPLES[0])  # whose results have several pages
    first, second = (Store(folder).save(each) for each in (small("s0"), study))
    Store(folder).tag(second.digest, "s1", 1, ["typo"])

    def harm() -> None:
        place = in_table(folder / FILE, second.digest)
        page = place // 4096 * 4096
        flip(folder / FILE, place if where == "content" else page + 3)  # which page is the next

    harm()
    store = Store(folder)
    assert (store.trouble, store.kept()) == ([], [first, second])
    (line,) = refused(lambda: store.load(second.digest))
    assert line.startswith(f"{second.digest}: ")
    assert line.endswith(AGAIN)
    assert shape(store.load(first.digest)) == shape(small("s0"))
    store.save(study)  # as it says
    assert shape(store.load(second.digest)) == shape(study)
    assert store.tags(second.digest) == {("s1", 1): ("typo",)}
    assert (store.kept(), store.trouble) == ([first, second], [])
    harm()
    store.delete(second.digest)
    assert (store.kept(), {*os.listdir(folder)}) == ([first], {FILE, COPY})
    assert store.load(first.digest).digest == first.digest


def test_a_damaged_header_opens_the_copy_and_says_so(folder: Path) -> None:
    kept = kept_two(folder)
    store = Store(folder)
    store.save(small("late"))
    damaged = bytes(100) + (folder / FILE).read_bytes()[100:]
    (folder / FILE).write_bytes(damaged)
    store = Store(folder)
    (said,) = store.trouble
    (aside,) = folder.glob("studies.damaged-*.db")
    assert said.startswith(f"{FILE} was damaged, and was renamed to {aside.name}. Its copy of 2")
    assert said.endswith(" was opened; later changes are missing.")
    assert (store.kept(), aside.read_bytes()) == (kept, damaged)
    assert store.tags(kept[1].digest) == {("s1", 1): ("typo",)}
    assert [store.load(each.digest).digest for each in kept] == [each.digest for each in kept]
    assert Store(folder).trouble == []


def test_a_file_that_is_cut_or_gone_or_never_had_a_copy(folder: Path) -> None:
    kept = kept_two(folder)
    for harm in (lambda path: path.unlink(), lambda path: os.truncate(path, 0)):
        harm(folder / FILE)
        store = Store(folder)
        assert (store.kept(), len(store.trouble)) == (kept, 1)
    (folder / COPY).unlink()
    (folder / FILE).write_bytes(b"no database at all, " * 500)
    store = Store(folder)
    (said,) = store.trouble
    assert said.endswith("No copy of it can be read, so the store starts empty.")
    assert store.save(small()) == store.kept()[0]


def test_no_flipped_byte_shows_a_wrong_table(folder: Path) -> None:
    """Wherever it is: each study is as it was, or named, and what is deleted goes."""
    kept = kept_two(folder)
    whole, copy = ((folder / name).read_bytes() for name in (FILE, COPY))
    tried = folder.with_name("tried")
    named, whole_digests = 0, {each.digest for each in kept}
    step = max(1, 24 // THOROUGH)
    for place in [*range(0, 108, step), *range(108, len(whole), step * len(whole) // 120)]:
        shutil.rmtree(tried, ignore_errors=True)
        tried.mkdir()
        (tried / FILE).write_bytes(whole)
        (tried / COPY).write_bytes(copy)
        flip(tried / FILE, place)
        store = Store(tried)
        there = store.kept()
        for each in there:
            try:
                opened = store.load(each.digest)
            except module.UnusableInputError as fault:
                (place,) = {problem.file for problem in fault.problems}
                named += place == each.digest
            else:
                assert opened.digest in whole_digests
        for each in there:
            store.delete(each.digest)
        assert store.kept() == []
        store.save(small("s0"))
        assert store.load(kept[0].digest).digest == kept[0].digest
    assert named


def test_a_study_whose_record_was_changed_is_refused(store: Store) -> None:
    digest = store.save(small()).digest
    change(store.path.parent, "UPDATE studies SET report = '{}'")
    assert refused(lambda: store.load(digest)) == [f"{digest}: report changed; {AGAIN}"]
    change(store.path.parent, "DELETE FROM tables WHERE name = 'queries'")
    assert refused(lambda: store.load(digest)) == [f"{digest}: report, queries changed; {AGAIN}"]
    change(store.path.parent, "DELETE FROM annotations")
    store.save(small())
    assert (store.load(digest).digest, store.kept()) == (digest, [Kept(digest, small().name)])


def test_a_newer_format_is_left_alone(folder: Path, serve_folder: Path) -> None:
    Store(folder).save(small())
    change(folder, "UPDATE format SET number = 2")
    before = (folder / FILE).read_bytes()
    newer = f"{FILE}: format 2; this version reads format 1. "
    assert refused(lambda: Store(folder)) == [
        f"{newer}Update sDCG Explorer: a newer version wrote it."
    ]
    assert library.store().trouble[0].startswith(newer)
    assert library.store().kept() == []
    library.store().save(small("b"))  # in memory
    assert (folder / FILE).read_bytes() == before


def test_the_copy_is_made_anew_after_a_day(folder: Path) -> None:
    store = Store(folder)
    assert not (folder / COPY).exists()
    store.save(small("a"))
    first = (folder / COPY).read_bytes()
    store.save(small("b"))
    assert (folder / COPY).read_bytes() == first
    then = time.time() - 86_401
    os.utime(folder / COPY, (then, then))
    (folder / "studies.0.part").write_bytes(b"half of one")
    os.utime(folder / "studies.0.part", (then, then))
    Store(folder)
    assert (folder / COPY).read_bytes() != first
    assert {*os.listdir(folder)} == {FILE, COPY}


# where it can't be written to


@pytest.fixture
def serve_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app's store is that of the folder."""
    monkeypatch.setenv("SDCG_WORKSPACE", str(folder))
    monkeypatch.delenv("SDCG_MODE", raising=False)
    library.close_store()
    yield folder
    library.close_store()


@pytest.fixture
def not_root() -> Iterator[None]:
    """Nobody in particular, where the tests are run by root, whom no mode of a file stops."""
    if not hasattr(os, "geteuid") or os.geteuid():
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def read_only(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


def test_a_file_that_is_read_only_opens_and_says_so(
    folder: Path, serve_folder: Path, request: pytest.FixtureRequest
) -> None:
    kept = Store(folder).save(small())
    read_only(folder)
    request.getfixturevalue("not_root")
    store = library.store()
    assert store.trouble == [
        f"{FILE}: attempt to write a readonly database; a study must be on disk before it counts "
        f"as saved. Check that the folder can be written to; nothing was changed. Until then "
        "saved studies open, but none can be added."
    ]
    assert (store.kept(), store.load(kept.digest).digest) == ([kept], kept.digest)
    (said,) = refused(lambda: store.tag(kept.digest, "s1", 1, ["typo"]))
    assert said.startswith(f"{FILE}: attempt to write a readonly database; ")


def test_a_folder_that_is_a_file_is_said_and_studies_live_in_memory(serve_folder: Path) -> None:
    serve_folder.write_bytes(b"")
    (line,) = library.store().trouble
    assert line.startswith("studies: File exists; ")
    assert line.endswith("nothing was changed. Until then studies are kept in memory only.")
    assert library.store().save(small()) == library.store().kept()[0]


def test_whoever_writes_at_once_waits_and_then_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT", 0.01)
    kept = store.save(small())
    with another_writer(store.path.parent):
        assert refused(lambda: store.rename(kept.digest, "x", "")) == [
            f"{FILE}: database is locked; a study must be on disk before it counts as saved. "
            "Another app is writing to it; try again in a moment."
        ]
        assert store.kept() == [kept]


def test_a_file_that_another_app_put_in_its_place_is_written_to(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = store.save(small()).digest
    connect, other = module._connect, [Store(store.path.parent)]

    def meanwhile(*args: Any) -> sqlite3.Connection:
        db = connect(*args)
        if other:
            other.pop()._rebuild()
        return db

    monkeypatch.setattr(module, "_connect", meanwhile)
    store.tag(digest, "s1", 1, ["typo"])
    assert Store(store.path.parent).tags(digest) == {("s1", 1): ("typo",)}


def test_a_file_that_another_app_put_in_its_place_is_read(store: Store) -> None:
    digest = store.save(small()).digest
    assert store.tags(digest) == {}  # a connection rests
    other = Store(store.path.parent)
    other._rebuild()
    other.tag(digest, "s1", 1, ["typo"])
    assert store.tags(digest) == {("s1", 1): ("typo",)}


# workspaces of version 1.0, one of which lies here as it wrote it

ONE = "6a1d87816b85c36cb83e54faee5809f3607c3b4b8106c7e4a13671417f60c5fe"
TWO = "65f96ec3906869becc604974d1113a0356ec4050b7f12a486d98f4bdd93d98fa"
SPOILED = "964bae30f7e54d3b8421459a01f2d2198ef17ab73e822646ff87b99b66cf8d52"
COUNTS = "8c812646942cbff284133227d77ee0e55b578f3d4ed0e861089b6791ecf97ab6"
TAKEN = (
    f"2 studies of version 1.0 copied into {FILE}; the old folders stay, and are no longer needed."
)


@pytest.fixture
def old(folder: Path) -> Path:
    with zipfile.ZipFile(Path(__file__).with_name("workspace_1.0.zip")) as archive:
        archive.extractall(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    every = (path for path in folder.rglob("*") if path.is_file() and path.parent != folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in every}


def assert_taken_over(store: Store) -> None:
    assert {each.digest: each.name for each in store.kept()} == {
        ONE: "Pilot „1“ 🙂",
        TWO: TWO[:8],
    }
    study = store.load(ONE)
    assert (study.digest, study.note, study.report.file) == (ONE, "One day.", "log.csv")
    assert study.tags == {("s1", 1): ("typo", "eigenes, Wort")}
    assert store.layer(ONE) == {("t", "c"): 2.0}
    assert store.written(ONE) == {"cost": "Seen twice.\nAnd once."}
    assert [store.find(TWO, of) for of in (A, B)] == [
        Kept(TWO, "Of A"),
        Kept(TWO, "Of B", "mine"),
    ]
    assert (store.tags(TWO, A), store.tags(TWO, B)) == ({("x1", 1): ("wrong angle",)}, {})
    assert (store.layer(TWO, A), store.layer(TWO, B)) == ({}, {("t", "c"): 0.0})
    assert store.load(TWO, B).digest == TWO


def test_a_workspace_of_version_1_is_taken_over_once_and_left(old: Path) -> None:
    before = contents(old)
    store = Store(old)
    assert_taken_over(store)
    assert contents(old) == before
    refusals = [
        f"{SPOILED[:8]} of version 1.0 was not copied: results.parquet changed.",
        f"Whole log ({COUNTS[:8]}): counts made by version 1.0 are not copied. Make them "
        "again: sdcg score LOG JUDGMENTS --engine duckdb.",
    ]
    assert (sorted(store.said), store.trouble) == (sorted([*refusals, TAKEN]), [])
    store.tag(ONE, "s1", 1, [])
    store = Store(old)
    assert (sorted(store.said), store.tags(ONE)) == (sorted(refusals), {})


def test_what_is_deleted_after_that_does_not_come_back(old: Path) -> None:
    store = Store(old)
    store.delete(TWO, A)
    assert not (old / TWO / "owners" / A).exists()
    store.delete(ONE)
    store.delete(TWO, B)
    assert Store(old).kept() == []
    assert not [path for path in contents(old) if path.startswith((ONE, TWO))]


def test_without_room_the_old_folders_are_read_and_taken_over_later(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: type("Usage", (), {"free": 10_000}))
        store = Store(old)
    assert_taken_over(store)
    (said,) = store.trouble
    assert said == (
        "2 studies of version 1.0: too little disk space to copy the tables, which are read from "
        "the old folders. Free some, and restart the app."
    )
    store.write(ONE, "cost", "")
    store = Store(old)
    assert (store.trouble, store.written(ONE)) == ([], {})
    assert TAKEN in store.said
    shutil.rmtree(old / ONE)
    assert store.load(ONE).digest == ONE


# what score and report import


def test_score_and_report_load_no_database() -> None:
    code = (
        "import sys, sdcg_explorer.commands.main, "
        "sdcg_explorer.export.report, sdcg_explorer.export.scores, sdcg_explorer.notebook.asking; "
        "sys.exit('sqlite3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
