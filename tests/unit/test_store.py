"""The store: studies are kept whole, opened as they were, refused where they were changed."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.screen import opened_store
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.store.folder import FolderStore, Kept, Store
from sdcg_explorer.study.store.memory import MemoryStore
from tests.support.refusals import refused
from tests.support.studies import at_hand, every_study, shape, small

Change = Callable[[Path], object]
AS_WRITTEN = "a kept study is as it was written. Delete it, and upload its files again."
GONE = "a link opens a study that is here. Upload its files again."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "studies"


@pytest.fixture
def store(folder: Path) -> FolderStore:
    return FolderStore(folder)


@pytest.fixture(params=["folder", "memory"])
def either(request: pytest.FixtureRequest, folder: Path) -> Store:
    return FolderStore(folder) if request.param == "folder" else MemoryStore()


def rewrite(folder: Path, **fields: object) -> None:
    """Put other fields into study.json."""
    path = folder / "study.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(kept | fields), encoding="utf-8")


@every_study
def test_kept_study_opens_as_it_was(name: str, folder: Path) -> None:
    study = replace(at_hand(name), name=f"{name}, kept", note="A note – with “signs” and 🙂.")
    kept = FolderStore(folder).save(study)
    assert kept == Kept(study.digest, study.name, study.note)
    another = FolderStore(folder)
    assert another.kept() == [kept]
    assert shape(another.load(study.digest)) == shape(study)


def test_saving_twice_keeps_one_study_under_its_first_name(either: Store) -> None:
    study = replace(small(), name="first")
    first = either.save(study)
    assert either.save(replace(study, name="second")) == first
    assert either.kept() == [Kept(study.digest, "first")]


def test_saving_twice_keeps_one_folder(store: FolderStore) -> None:
    assert store.save(small()) == store.save(small())
    assert os.listdir(store.folder) == [small().digest]


def later(folder: Path) -> None:
    """Make all that is kept a second older."""
    for path in folder.glob("*/study.json"):
        let_pass(path, 1)


def test_studies_are_listed_oldest_first(either: Store, folder: Path) -> None:
    digests = []
    for session in ("z", "m", "a"):
        later(folder)
        digests.append(either.save(small(session)).digest)
    assert [kept.digest for kept in either.kept()] == digests


def test_renamed_study_keeps_its_place(store: FolderStore) -> None:
    digests = []
    for session in ("z", "m"):
        later(store.folder)
        digests.append(store.save(small(session)).digest)
    later(store.folder)
    store.rename(digests[0], "renamed", "")
    assert [kept.digest for kept in store.kept()] == digests


def test_study_is_renamed(either: Store) -> None:
    digest = either.save(small()).digest
    either.rename(digest[:12], "A “new” name 🙂", "and\na note")
    assert either.kept() == [Kept(digest, "A “new” name 🙂", "and\na note")]
    study = either.load(digest)
    assert (study.name, study.note, study.digest) == ("A “new” name 🙂", "and\na note", digest)


def test_study_is_deleted_alone(store: FolderStore) -> None:
    first, second = (store.save(small(session)) for session in ("a", "b"))
    store.delete(first.digest[:12])
    assert store.kept() == [second]
    gone = f"store: no study {first.digest}; {GONE}"
    assert refused(lambda: store.load(first.digest)) == [gone]
    assert refused(lambda: store.delete(first.digest)) == [gone]
    assert refused(lambda: store.rename(first.digest, "x", "")) == [gone]
    assert store.save(small("a")) == store.find(first.digest)


def test_deleted_study_leaves_nothing_behind(store: FolderStore) -> None:
    store.delete(store.save(small()).digest)
    assert os.listdir(store.folder) == []


@pytest.mark.parametrize("length", [8, 12, 63, 64])
def test_prefix_finds_a_study(length: int, either: Store) -> None:
    digest = either.save(small()).digest
    either.save(small("other"))
    assert either.load(digest[:length]).digest == digest


NONSENSE = ["", "*", "..", "../..", "????????????", "[0-9a-f]*", "a" * 64, "/", "about.json"]


@pytest.mark.parametrize("wanted", NONSENSE)
def test_nonsense_finds_no_study(wanted: str, either: Store) -> None:
    kept = either.save(small())
    acts = (either.load, either.delete, lambda digest: either.rename(digest, "x", ""))
    for act in acts:
        assert refused(lambda act=act: act(wanted))[0].startswith(f"store: no study {wanted}; ")
    assert either.kept() == [kept]


def test_no_study_outside_the_folder_is_found(store: FolderStore, tmp_path: Path) -> None:
    inner = store.save(small()).digest
    outer = FolderStore(tmp_path / "elsewhere").save(small("other")).digest
    place = tmp_path / "elsewhere" / outer
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    for wanted in (f"../elsewhere/{outer}", str(place), f"{inner}/../../elsewhere/{outer}"):
        assert refused(lambda wanted=wanted: store.load(wanted)) == [
            f"store: no study {wanted}; {GONE}"
        ]
        refused(lambda wanted=wanted: store.rename(wanted, "x", ""))
        refused(lambda wanted=wanted: store.delete(wanted))
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip(path: Path) -> None:
    """Change the lowest bit of the byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


MISSING = "unreadable ({file}: No such file or directory)"
CHANGES: dict[str, tuple[Change, str]] = {
    "truncated": (lambda at: cut(at / "results.parquet"), "results.parquet changed"),
    "one bit": (lambda at: flip(at / "sessions.parquet"), "sessions.parquet changed"),
    "two files": (
        lambda at: [flip(at / f"{name}.parquet") for name in ("judgments", "queries")],
        "queries.parquet, judgments.parquet changed",
    ),
    "missing table": (lambda at: (at / "queries.parquet").unlink(), MISSING),
    "missing json": (lambda at: (at / "study.json").unlink(), MISSING),
    "empty json": (
        lambda at: (at / "study.json").write_bytes(b""),
        "unreadable (study.json: Input is a zero-length, empty document: line 1 column 1 (char 0))",
    ),
    "truncated json": (
        lambda at: (at / "study.json").write_bytes(b'{"format": 1'),
        "unreadable (study.json: unexpected end of data: line 1 column 13 (char 12))",
    ),
}
FILES = {"missing table": "queries.parquet", "missing json": "study.json"}


@pytest.mark.parametrize("what", CHANGES)
def test_changed_study_is_refused_and_mended_by_saving(what: str, store: FolderStore) -> None:
    study = small()
    store.save(study)
    place = store.folder / study.digest
    change, found = CHANGES[what]
    change(place)
    found = found.format(file=FILES.get(what))
    assert refused(lambda: store.load(study.digest)) == [f"{study.digest}: {found}; {AS_WRITTEN}"]
    store.save(study)
    assert shape(store.load(study.digest)) == shape(study)
    assert os.listdir(store.folder) == [study.digest]


RECORDS = {
    "nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "a field nested 1,000 deep": b'{"name":"x","note":%s}' % (b"[" * 1_000 + b"]" * 1_000),
    "half a pair of surrogates": rb'{"name":"\ud800","note":"","format":1}',
    "a number that is none": b'{"name":NaN,"note":"","format":NaN}',
    "fields of other kinds": b'{"name":1,"note":null,"format":"1"}',
    "no fields": b"[]",
    "not UTF-8": b'{"name":"\xff","note":""}',
}


def test_a_damaged_record_is_named_and_the_rest_opens(store: FolderStore) -> None:
    study, other = small(), small("s0")
    store.save(study)
    store.save(other)
    store.rename(other.digest, "other", "")
    place, unnamed = store.folder / study.digest, f"{study.digest[:8]} (about.json unreadable)"
    record = (place / "study.json").read_bytes()
    for what, damage in RECORDS.items():
        (place / "study.json").write_bytes(record)
        (place / "about.json").write_bytes(damage)
        (place / "tags.jsonl").write_bytes(damage)
        assert {each.name for each in store.kept()} == {unnamed, "other"}, what
        assert (store.load(study.digest).name, store.tags(study.digest)) == (unnamed, {}), what
        (place / "study.json").write_bytes(damage)
        assert len(store.kept()) == 2
        (line,) = refused(lambda: store.load(study.digest))
        assert line.startswith(f"{study.digest}: unreadable ("), what
    assert store.load(other.digest).digest == other.digest
    (place / "study.json").write_bytes(record)
    assert store.save(study) == store.find(study.digest) == Kept(study.digest, study.name)


REPORT = {"file": "log.csv", "withheld": 7, "problems": [], "changes": []}
BROKEN: dict[str, Change] = {
    "report altered": lambda at: rewrite(at, report=REPORT),
    "no report": lambda at: (at / "study.json").write_text('{"format": 1, "sums": {}}'),
    "no sums": lambda at: [rewrite(at, sums={}), flip(at / "results.parquet")],
    "sums of another kind": lambda at: rewrite(at, sums=["results.parquet"]),
    "another digest": lambda at: at.rename(at.with_name("0" * 64)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_changed_record_is_refused(what: str, store: FolderStore) -> None:
    digest = store.save(small()).digest
    BROKEN[what](store.folder / digest)
    (there,) = os.listdir(store.folder)
    assert refused(lambda: store.load(there))


def test_newer_format_is_refused(store: FolderStore) -> None:
    digest = store.save(small()).digest
    rewrite(store.folder / digest, format=2)
    rule = "this version reads format 1. Update sDCG Explorer: a newer one wrote it."
    assert refused(lambda: store.load(digest)) == [f"{digest}: format 2; {rule}"]


def test_saving_leaves_a_newer_format(store: FolderStore) -> None:
    study = small()
    store.save(study)
    rewrite(store.folder / study.digest, format=2)
    with contextlib.suppress(UnusableInputError):
        store.save(study)
    about = json.loads((store.folder / study.digest / "study.json").read_text(encoding="utf-8"))
    assert about["format"] == 2


def test_saving_lists_a_study_without_a_name(store: FolderStore) -> None:
    study = small()
    store.save(study)
    (store.folder / study.digest / "about.json").unlink()
    store.save(study)
    assert store.kept() == [Kept(study.digest, study.name)]


def let_pass(path: Path, seconds: float) -> None:
    """Have a folder be so many seconds older."""
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_what_was_left_aside_long_ago_is_removed(folder: Path) -> None:
    kept = FolderStore(folder).save(small())
    for name, age in {"tmp-old": 660, "trash-old": 660, "tmp-new": 540, "trash-new": 540}.items():
        aside = folder / f".{name}"
        aside.mkdir()
        (aside / "results.parquet").write_bytes(b"half")
        let_pass(aside, age)
    let_pass(folder / kept.digest, 660)
    store = FolderStore(folder)
    assert store.removed == 2
    assert sorted(os.listdir(folder)) == [".tmp-new", ".trash-new", kept.digest]
    assert store.kept() == [kept]


def test_folder_that_is_a_file_is_not_called_full(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (line,) = refused(lambda: FolderStore(tmp_path / "file"))
    assert "Free some room" not in line
    (tmp_path / "file").unlink()
    assert FolderStore(tmp_path / "file").kept() == []


def test_a_workspace_that_can_not_be_written_to_is_said_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "workspace"
    FolderStore(place).save(small())
    monkeypatch.setenv("SDCG_WORKSPACE", str(place))
    monkeypatch.delenv("SDCG_MODE", raising=False)
    opened_store.close_store()
    assert opened_store.store_trouble() == ""

    def refused(_: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(place / "x"))

    monkeypatch.setattr(opened_store, "try_writing", refused)
    opened_store.close_store()
    said = opened_store.store_trouble()
    assert said.startswith("workspace: Read-only file system; ")
    assert str(tmp_path) not in said
    assert len(opened_store.store().kept()) == 1
    opened_store.close_store()
