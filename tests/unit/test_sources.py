"""Folders, patterns and archives: what is read, what is set aside, what is refused."""

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading import limits
from sdcg_explorer.reading.limits import UNPACK
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.readers import parquet, workbook
from sdcg_explorer.reading.sources import Source, sources_of
from sdcg_explorer.study.study import Study
from tests.support.formats import Files, put, zip_of
from tests.support.random_studies import random_log
from tests.support.refusals import JUDGMENTS, LOG, refusal

pa: Any = pyarrow
STUDY: Files = {"log.csv": LOG.encode(), "judgments.csv": JUDGMENTS.encode()}


def read(folder: Path, files: Files) -> Study:
    """Study of a folder with these files; of the one file, where there is one."""
    put(folder, files)
    return read_study(folder / next(iter(files)) if len(files) == 1 else folder)


def refused(folder: Path, files: Files) -> str:
    """The refusal, word for word."""
    return refusal(lambda: read(folder, files))


def tar_of(files: Files) -> bytes:
    """A tar of files, with a folder and a link, which hold nothing."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, kind in (("a", tarfile.DIRTYPE), ("b", tarfile.SYMTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/hostname"
            archive.addfile(entry)
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def zst_of(data: bytes) -> bytes:
    """Data as Zstandard packs it, in two frames."""
    half = len(data) // 2
    return b"".join(pa.compress(d, "zstd", asbytes=True) for d in (data[:half], data[half:]))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst_of,
    "zip": lambda data: zip_of({"x": data}),
    "tar": lambda data: tar_of({"x": data}),
}


@pytest.mark.parametrize("called", ["{}", "qrels.{}", "qrels.csv", "qrels.gz"])
def test_files_are_unpacked_by_what_they_hold_however_deep(called: str, tmp_path: Path) -> None:
    for outer, pack in PACKERS.items():
        for inner, first in PACKERS.items():
            folder = tmp_path / f"{outer} of {inner}"
            put(folder, {called.format(outer): pack(first(LOG.encode()))})
            (own,) = sources_of([folder], tmp_path)
            assert own.path.read_bytes() == LOG.encode(), folder.name


BAD_NAMES = ["../log.csv", "a/../../log.csv", "/log.csv", "a\\..\\log.csv", "C:\\log.csv"]
TOO_MUCH: dict[str, tuple[bytes, str]] = {
    **{
        name: (
            zip_of({name: LOG.encode()}),
            f"x.zip: a file named {name!r}; names in a zip stay within its folder. {UNPACK}",
        )
        for name in BAD_NAMES
    },
    "1,001 files": (
        zip_of({f"{i}.csv": b"" for i in range(1_001)}),
        f"x.zip: more than 1,000 files; a zip has at most 1,000 files. {UNPACK}",
    ),
    "a tar that climbs": (
        tar_of({"../log.csv": LOG.encode()}),
        f"x.zip: a file named '../log.csv'; names in a tar stay within its folder. {UNPACK}",
    ),
    "a long name": (
        zip_of({"n" * 201: b""}),
        f"x.zip: a name of 201, {'n' * 80}…; names in a zip have at most 200 characters. {UNPACK}",
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_zip_beyond_the_limits_is_refused_and_nothing_is_written(what: str, tmp_path: Path) -> None:
    content, message = TOO_MUCH[what]
    assert refused(tmp_path, {"x.zip": content}) == message
    assert [path.name for path in tmp_path.rglob("*")] == ["x.zip"]  # nothing is written


def test_archives_within_archives_come_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 400_000)
    data = LOG.encode()
    for _ in range(100):  # of some 1,000 bytes each
        data = gzip.compress(data)
    assert "more than 0 MB once unpacked" in refused(tmp_path, {"log.csv.gz": data})


def test_all_that_is_unpacked_counts_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limits.MOST_BYTES == 10**9
    monkeypatch.setattr(limits, "MOST_BYTES", 2_000_000)
    one = gzip.compress(LOG.encode() + b"\n" * 900_000)
    files = {f"log{i}.csv.gz": one for i in range(3)} | {"judgments.csv": JUDGMENTS.encode()}
    assert refused(tmp_path, files) == (
        "log2.csv.gz: more than 2 MB once unpacked; packed files unpack to at most 2 MB, or 200 "
        f"times their size; never over 1,000 MB. {UNPACK}"
    )


WHOLE = zip_of(STUDY)
BROKEN = [
    pytest.param("x.zip", WHOLE[:-30], id="zip without its end"),
    pytest.param("x.zip", WHOLE[: len(WHOLE) // 2], id="half a zip"),
    pytest.param("x.zip", zip_of({".": b"x"}), id="a file named ."),
    pytest.param("x.zip", zip_of({"__MACOSX/x": b"x"}), id="nothing of use"),
    pytest.param("x.zip", zip_of({}), id="an empty zip"),
    pytest.param("x.csv.gz", gzip.compress(LOG.encode())[:-12], id="gz without its end"),
    pytest.param("x.csv.gz", b"\x1f\x8bxx", id="no gz"),
    pytest.param("x.csv.bz2", bz2.compress(LOG.encode())[:-12], id="bz2 without its end"),
    pytest.param("x.csv.xz", lzma.compress(LOG.encode())[:-12], id="xz without its end"),
    pytest.param("x.csv.zst", zst_of(LOG.encode())[:-12], id="zst without its end"),
    pytest.param("x.tar", tar_of(STUDY)[:2_000], id="tar without its end"),
    pytest.param("study.toml", b'format = 1\nname = "x"\n', id="no table"),
]


@pytest.mark.parametrize(("name", "content"), BROKEN)
def test_broken_archives_are_refused_in_one_line_with_their_name(
    name: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    put(folder, {name: content})
    given = folder if name == "study.toml" else folder / name
    assert sdcg.main(["check", str(given)]) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)
    assert any(known in said.err for known in (name[:5], "log.csv", "no log", "no table"))


OTHERS: Files = {
    "notes.md": b"# Notes\nwhat we did, and why\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0",
    "topics.xml": b'<topics><topic num="t"/></topics>',
    "prices.csv": b"fruit,price\napple,1\n",
    "settings.json": b'{"a": 1}\n',
}


def test_a_name_that_is_no_text_is_refused_until_renamed(tmp_path: Path) -> None:
    name = os.fsdecode(b"l\xffog.csv")
    try:
        put(tmp_path, STUDY | {name: LOG.encode()})
    except (OSError, UnicodeEncodeError):
        pytest.skip("this system has no such names")
    assert refusal(lambda: read_study(tmp_path)) == (
        "l\\udcffog.csv: a name that is not in UTF-8; names of files and folders are text. "
        "Rename it."
    )
    (tmp_path / name).rename(tmp_path / "log.csv")
    assert len(read_study(tmp_path).sessions)


def test_no_message_names_the_folders_of_the_server(tmp_path: Path) -> None:
    put(tmp_path, {"log.csv.gz": gzip.compress(LOG.encode()), "all.zip": zip_of(STUDY)})
    readers = {"log.parquet": parquet.read_parquet, "log.xlsx": workbook.read_workbook}
    acts: list[tuple[str, Callable[[], object]]] = [
        (name, partial(read, Source(name, place)))
        for name, read in readers.items()
        for place in (tmp_path / "gone" / name, tmp_path)
    ]
    for name in ("log.csv.gz", "all.zip"):
        act = partial(sources_of, [Source(name, tmp_path / name)], tmp_path / "gone")
        acts.append((name.removesuffix(".gz"), act))
    for name, act in acts:
        said = refusal(act)
        assert "can't be read (" in said or said.startswith(f"{name}: ")
        assert str(tmp_path) not in said
        assert "Errno" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows forbids")
def test_signs_of_patterns_in_names_change_nothing(tmp_path: Path) -> None:
    plain = random_log(tmp_path)
    sessions = {line.split(",")[0] for line in plain[0].read_text("utf-8").splitlines()[1:]}
    rated = "".join(f"{each},{i % 5}\n" for i, each in enumerate(sorted(sessions)))
    texts = [path.read_text("utf-8") for path in plain] + [f"session,ease\n{rated}"]
    digests: list[str] = []
    for name in ("", "[1] * ? {a,b} %20"):
        files = [tmp_path / f"{kind}{name}.csv" for kind in ("l", "j", "r")]
        for path, text in zip(files, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        digests.append(read_study(files[0], files[1], ratings=files[2:]).digest)
        for decoy in ("l1", "l1 x y {a,b} %20", "l1 x y a %20", "j1 x y {a,b} %20"):
            (tmp_path / f"{decoy}.csv").write_text("session\nx\n", encoding="utf-8")
    assert digests[0] == digests[1]
