"""The store: studies are kept whole, opened as they were, and gone once they are deleted."""

import os
import random
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partialmethod
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.screen import library
from sdcg_explorer.study import annotations, problems
from sdcg_explorer.study import store as module
from sdcg_explorer.study.store import COPY, FILE, Kept, Store
from sdcg_explorer.study.study import Study
from tests.support.kept import another_writer, change
from tests.support.refusals import refused
from tests.support.studies import SAMPLES, at_hand, every_study, shape, small
from tests.support.thorough import THOROUGH

AGAIN = "a saved study must be as it was written. Delete it, and upload its files again."
A, B = "a" * 32, "b" * 32
OWNERS = "", A, B  # one person, and two of several
WORD = "zebrafinch"  # that is looked for in the bytes of files
TEXTS = [
    *("查询太宽", "née 🙂", 'say "x"', "a,b", "back\\slash", "{}", "null", "true", "1", "'", "#x"),
    *("=1+1", "+1", "-1", "@x", "'=x", "<b>", "\u202eleft", "e\u0301", "typo"),
    *("a; b", "two\nlines"),
    *(" ", "", "x" * 500),
]
NONSENSE = ["", "*", "..", "../..", "????????????", "[0-9a-f]*", "a" * 64, "/", "%" * 12, "' or 1"]


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


class Plain:
    """A store as dicts: studies, and by study and owner what was said of it, by kind."""

    def __init__(self) -> None:
        self.studies = dict[str, Study]()
        self.words = defaultdict[tuple[str, str], dict[str, Any]](dict)

    def known(self, digest: str, of: str = "") -> str:
        whole = digest.isalnum() and len(digest) >= 8
        found = [known for known in self.studies if whole and known.startswith(digest)]
        if not found or (of and not self.holds(found[0], of)):
            raise problems.UnusableInputError([])
        return found[0]

    def holds(self, digest: str, of: str) -> bool:
        return "name" in self.words[digest, of]

    def find(self, digest: str, of: str = "") -> Kept | None:
        said = self.words[digest, of]
        known = Kept(digest, said.get("name") or digest[:8], said.get("note", ""))
        return known if digest in self.studies else None

    def given(self, kind: str, digest: str, of: str = "") -> dict[Any, Any]:
        return self.words[digest, of].setdefault(kind, {})

    tags = partialmethod(given, "tags")
    layer = partialmethod(given, "layer")
    written = partialmethod(given, "written")

    def kept(self) -> list[Kept | None]:
        return [self.find(digest) for digest in self.studies]

    def save(self, study: Study, of: str) -> Kept | None:
        self.studies.setdefault(study.digest, study)
        if not self.holds(study.digest, of):
            self.words[study.digest, of] |= {"name": study.name, "note": study.note}
        has = self.tags(study.digest, of)
        for query, tags in study.tags.items():
            self.tag(study.digest, *query, (*tags, *has.get(query, ())), of)
        return self.find(study.digest, of)

    def rename(self, digest: str, name: str, note: str, of: str) -> None:
        self.words[self.known(digest, of), of] |= {"name": name, "note": note}

    def put(self, kind: str, digest: str, thing: object, value: object, of: str) -> None:
        given = self.given(kind, self.known(digest, of), of)
        given[thing] = value
        if value in (None, "", ()):
            del given[thing]

    def tag(self, digest: str, session: str, q: int, tags: Iterable[str], of: str) -> None:
        self.put("tags", digest, (session, q), annotations.cleaned_tags(tags), of)

    def judge(self, digest: str, topic: str, doc: str, grade: float | None, of: str) -> None:
        self.put("layer", digest, (topic, doc), grade, of)

    def write(self, digest: str, about: str, text: str, of: str) -> None:
        self.put("written", digest, about, text, of)

    def delete(self, digest: str, of: str) -> None:
        digest = self.known(digest, of)
        del self.words[digest, of]
        if not of or not any(self.holds(digest, other) for other in OWNERS):
            del self.studies[digest]
            for other in OWNERS:
                self.words.pop((digest, other), None)


def act(chance: random.Random, studies: list[Study]) -> Callable[[Any], object]:
    """Something that is done to a store."""
    study, of = chance.choice(studies), chance.choice(OWNERS)
    one, *others = texts = chance.sample(TEXTS, 3)
    wanted = study.digest[: chance.choice([8, 12, 63, 64])]
    wanted = chance.choice([*[wanted] * 9, chance.choice(NONSENSE)])
    query = chance.choice(["s1", "=s", "界"]), chance.randint(1, 3)
    given = chance.choice(
        [
            *[("save", study), ("save", replace(study, name=one, tags={query: tuple(others)}))],
            *[("tag", wanted, *query, texts[:2])] * 2,
            *[("tag", wanted, *query, []), ("rename", wanted, one, texts[1]), ("delete", wanted)],
            ("judge", wanted, "t", one, chance.choice([None, 0.0, 2.5])),
            ("write", wanted, chance.choice(["cost", "fit"]), one),
        ]
    )
    return lambda store: getattr(store, given[0])(*given[1:], of)


def state(store: Any, digests: list[str]) -> list[object]:
    """All that a store says of these studies to each owner."""
    told = "find", "holds", "tags", "layer", "written"
    every = product(told, digests, OWNERS)
    return [store.kept(), *(getattr(store, what)(digest, of) for what, digest, of in every)]


@pytest.mark.parametrize("seed", range(THOROUGH))
def test_stores_do_what_plain_dicts_do(seed: int, folder: Path) -> None:
    chance, first = random.Random(seed), small()
    rounds = (first.sessions.assign(round=float(i)) for i in range(3))
    studies = [replace(first, sessions=each) for each in rounds]
    digests = [study.digest for study in studies]
    stores: list[Any] = [Plain(), Store(folder), Store()]

    def said(store: Any, done: Callable[[Any], object]) -> object:
        try:
            return done(store)
        except problems.UnusableInputError:
            return "refused"

    for _ in range(80):
        done = act(chance, studies)
        one, *others = [(said(each, done), state(each, digests)) for each in stores]
        assert others == [one, one]
    stores.append(Store(folder))
    assert state(stores[-1], digests) == state(stores[0], digests)
    for kept in stores[0].kept():
        for each in stores[1:]:
            study = each.load(kept.digest[:12])
            assert (study.digest, study.name, study.note) == (kept.digest, kept.name, kept.note)
            assert study.tags == stores[0].tags(kept.digest)


@every_study
def test_kept_study_opens_as_it_was(name: str, folder: Path) -> None:
    study = replace(at_hand(name), name=f"{name}, kept", note="A note – with “signs” and 🙂.")
    kept = Store(folder).save(study)
    another = Store(folder)
    assert another.kept() == [kept] == [Kept(study.digest, study.name, study.note)]
    assert shape(another.load(study.digest)) == shape(study)
    assert {*os.listdir(folder)} == {FILE, COPY}
    another.delete(study.digest)
    rule = "a link opens only a study that is stored here. Upload its files again."
    assert refused(lambda: another.load(study.digest)) == [
        f"store: no study {study.digest}; {rule}"
    ]


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


def kept_two(folder: Path) -> list[Kept]:
    """A store's file with two studies, and its copy."""
    store = Store(folder)
    first, second = (store.save(small(session)) for session in ("s0", "s1"))
    store.tag(second.digest, "s1", 1, ["typo"])
    (folder / COPY).unlink()
    Store(folder)
    return [first, second]


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
    """Wherever it is, each study is as it was or named; what is saved anew opens, and goes."""
    studies = [at_hand(SAMPLES[0]), small("s1")]  # results of the first have several pages
    kept = [Store(folder).save(study) for study in studies]
    Store(folder).tag(kept[1].digest, "s1", 1, ["typo"])
    whole, copy = ((folder / name).read_bytes() for name in (FILE, COPY))
    named, step = 0, max(1, 36 // THOROUGH)
    pages = range(0, len(whole), 4096 * max(1, len(whole) // 4096 // (3 * THOROUGH)))
    # of the header; which page is the next, and what a page holds
    for place in [*range(0, 108, step), *(page + at for page in pages for at in (3, 2_000))]:
        tried = folder.with_name("tried")
        shutil.rmtree(tried, ignore_errors=True)
        tried.mkdir()
        (tried / FILE).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        (tried / COPY).write_bytes(copy)
        store = Store(tried)
        for each, study in zip(kept, studies, strict=True):
            try:
                opened = [store.load(each.digest).digest] if each in store.kept() else []
                assert opened in ([], [each.digest])
            except problems.UnusableInputError as fault:
                (line,) = fault.lines()
                assert (line.startswith(f"{each.digest}: "), line.endswith(AGAIN)) == (True, True)
                named += 1
            store.save(study)
            assert shape(store.load(each.digest)) == shape(study)
        assert store.tags(kept[1].digest) in ({}, {("s1", 1): ("typo",)})
        for each in store.kept():
            store.delete(each.digest)
        assert store.kept() == []
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
    (folder / "studies.1.part").touch()  # of a run that goes on
    store = Store(folder)
    assert (folder / COPY).read_bytes() != first
    (folder / COPY).unlink()
    (folder / COPY).mkdir()  # which no file replaces
    os.utime(folder / COPY, (then, then))
    store.save(small("c"))
    store.save(small("d"))
    assert store.said == ["The daily copy of the studies could not be made: Is a directory."]
    assert {*os.listdir(folder)} == {FILE, COPY, "studies.1.part"}


# where it can't be written to


@pytest.fixture
def serve_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app's store is that of the folder."""
    monkeypatch.setenv("SDCG_WORKSPACE", str(folder))
    monkeypatch.delenv("SDCG_MODE", raising=False)
    library._opened.clear()
    yield folder
    library._opened.clear()


@contextmanager
def nobody() -> Iterator[None]:
    """Nobody in particular, where the tests are run by root, whom no mode of a file stops."""
    root = hasattr(os, "geteuid") and not os.geteuid()
    try:
        if root:
            os.seteuid(65_534)
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_file_that_is_read_only_opens_and_says_so(folder: Path, serve_folder: Path) -> None:
    kept = Store(folder).save(small())
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    with nobody():
        store = library.store()
        assert store.trouble == [
            f"{FILE}: attempt to write a readonly database; a study must be on disk before it "
            f"counts as saved. Check that the folder can be written to; nothing was changed. "
            "Until then saved studies open, but none can be added."
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
    assert {each.digest: each.name for each in store.kept()} == {ONE: "Pilot „1“ 🙂", TWO: TWO[:8]}
    study = store.load(ONE)
    assert (study.digest, study.note, study.report.file) == (ONE, "One day.", "log.csv")
    assert study.tags == {("s1", 1): ("typo", "eigenes, Wort")}
    assert store.layer(ONE) == {("t", "c"): 2.0}
    assert store.written(ONE) == {"cost": "Seen twice.\nAnd once."}
    assert [store.find(TWO, of) for of in (A, B)] == [Kept(TWO, "Of A"), Kept(TWO, "Of B", "mine")]
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
        f"{COUNTS[:8]} of version 1.0 was not copied: it holds counts. Score its log: "
        "sdcg score LOG JUDGMENTS --engine duckdb --out DIR.",
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


def fills_the_disk(db: sqlite3.Connection, *given: Any) -> None:
    """Put a study in, unless with its bytes."""
    if any(content for pieces in given[2].values() for _, content in pieces):
        fault = sqlite3.OperationalError("full")
        fault.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise fault
    put_in(db, *given)


LITTLE, put_in = type("Usage", (), {"free": 10_000}), module._insert
ways = (shutil, "disk_usage", lambda _: LITTLE), (module, "_insert", fills_the_disk)


@pytest.mark.parametrize("way", ways, ids=("known before", "met"))
def test_without_room_the_old_folders_are_read_and_taken_over_later(
    way: tuple[Any, str, Callable[..., Any]], old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(*way)
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
