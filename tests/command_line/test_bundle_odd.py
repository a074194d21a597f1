"""Odd bundles: under every option, of hostile names, and read back from wherever they lie."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export import bundle as bundling
from sdcg_explorer.export import figure_files, into
from sdcg_explorer.export.bundle import COMPARE, LINE, bundle
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.methods import filters_sentence
from sdcg_explorer.questions.robustness import numbers as robustness
from sdcg_explorer.reading import own_study, read, sources
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.app.test_links_odd import repacked
from tests.support import plain_files, screen, thorough
from tests.support.zips import unpacked

HEADER = (*plain_files.LOG_HEADER, "text", "clicked", "grade")
RATED = "Session ID,rating\ns0,4\ns3,2\n"
TAGS = {("s0", 1): ("typo", "=SUM(A1)")}
HARD = [
    *("=x", "a,b", 'say "q"', "née 🙂", "a\\b", "{0}", "a\nb", "'q", " lead", "../../up"),
    *screen.HOSTILE,
]
FILTERS = Filters((HARD[0], HARD[1]), tuple(HARD[:3]), tuple(HARD[:4]), 2, 4)
GAINS = ((0.0, 0.1), (1 / 3, 1e-7), (1.0, 1e5), (2.0, 1 / 3))
# what is not usual at least once
DEFINITIONS = {
    "all others": (
        Definition(
            *("exponential", 3.5, 7.25, 1000, "jk2002", "first", "spread", "as-is", "condense"),
            *("ideal-continues", "ratio-of-means", "per-session", "searcher"),
        ),
        Filters(),
    ),
    "own gains": (Definition(GAINS, 1.0000001, 999.9999, short_lists=3), FILTERS),
}


@pytest.fixture(autouse=True, scope="module")
def undrawn() -> Iterator[None]:
    """Figures, the report and all definitions have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "browser_path", lambda: "")
        patch.setattr(robustness, "VARIED", robustness.VARIED | thorough.FEWER)
        patch.setattr(bundling, "report_of", lambda answers, *_, **__: b"%d" % len([*answers]))
        yield


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Sessions of hostile names, whose rows lie about in the log, with note and tags."""
    folder, draw = tmp_path_factory.mktemp("study"), random.Random(4)
    rows: list[list[object]] = []
    for s in range(16):
        who = [f"s{s}", HARD[s % 4], HARD[s % 3], HARD[s // 4 % 3]]
        for number in range(1, draw.randrange(2, 5)):
            text = f"{HARD[number]} {number}"
            own = [draw.choice(["", 0, 1, 2]) for _ in range(draw.randrange(5))]
            docs = draw.sample(range(9), len(own))
            found = [(r, f"d{docs[r - 1]}", text, r % 3 % 2, g) for r, g in enumerate(own, 1)]
            rows += [[*who, number, *each] for each in found or [("", "", text, "", "")]]
    draw.shuffle(rows)
    # as the mean of three judges is
    judged = [(t, f"d{d}", (0, 1, 2, 1 / 3)[d % 4]) for t in HARD[:3] for d in range(8)]
    log = plain_files.write_rows(folder / "log.csv", HEADER, rows)
    judgments = plain_files.write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), judged)
    study = read.read_study(log, judgments, name="Pilot <b> {x} [l](u)")
    return replace(study, note='Two "days".\n*One* {y}', tags=TAGS)


@pytest.fixture(scope="module")
def content(study: Study) -> bytes:
    return bundle(study, *DEFINITIONS["own gains"])


@pytest.mark.parametrize("name", DEFINITIONS)
def test_lines_of_the_readme_make_the_same_bytes(
    name: str, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition, filters = DEFINITIONS[name]
    monkeypatch.chdir(unpacked(bundle(study, definition, filters), tmp_path))
    readme = (tmp_path / "README.txt").read_text(encoding="utf-8")
    for line in map(str, (LINE, COMPARE)):
        assert f"\n    {line}\n" in readme
        assert sdcg.main(line.split()[1:]) == 0
    made = {path.name: path.read_bytes() for path in (tmp_path / "again").glob("*.*")}
    assert made.pop(into.WRITTEN)
    ours = [*(tmp_path / "scores").iterdir(), *(tmp_path / "comparison").iterdir()]
    assert made == {path.name: path.read_bytes() for path in ours}
    assert len(made) == 11
    assert read.read_study(tmp_path / "study").digest == study.digest
    for said in (readme, (tmp_path / "scores" / "methods.txt").read_text(encoding="utf-8")):
        assert filters_sentence(filters) in said
        assert ("Only sessions" in said) == (filters == FILTERS)
    names = "".join(path.name for path in tmp_path.rglob("*"))
    assert {*names} <= {*"abcdefghijklmnopqrstuvwxyz0123456789_.README"}


def as_zip(content: bytes, folder: Path, prefix: str = "") -> Path:
    (folder / "B.zip").write_bytes(repacked(content, prefix) if prefix else content)
    return folder / "B.zip"


BARE = "its study alone"
PLACES: dict[str, Callable[[bytes, Path], Path]] = {
    "the zip": as_zip,
    "a folder": unpacked,
    BARE: lambda content, at: unpacked(content, at) / "study",
    "zipped by Windows": lambda content, at: as_zip(content, at, "figures\\b\\"),
}


@pytest.mark.parametrize("place", PLACES)
def test_bundle_reads_back_from(place: str, study: Study, content: bytes, tmp_path: Path) -> None:
    path = PLACES[place](content, tmp_path)
    back = read.read_study(path)
    assert (back.digest, back.tags) == (study.digest, study.tags)
    assert (back.name, back.note) == (study.name, study.note)
    assert back.report.problems == []
    report = plain_files.report_of(path)
    files = {each["file"]: each["role"] for each in report.pop("files")}
    said = json.dumps(report)
    assert [part for part in ('"exit": 0', "scores/", "README") if part in said] == ['"exit": 0']
    within = unpacked(content, tmp_path / "again") / ("study" if place == BARE else "")
    shown = [name for name in files if not sources.is_hidden(PurePosixPath(name))]
    assert len(shown) == sum(path.is_file() for path in within.rglob("*"))
    used = {name.rpartition("/")[2]: role for name, role in files.items() if role != "set aside"}
    assert used.pop("study.toml") == "study"
    assert {*used.values()} >= {"log", "judgments", "tags"}
    assert used == {name: own_study.OWN_TABLES[name] for name in used}


LOST = {
    "among the scores": ("", "scores/satisfaction.csv"),
    "called as a table of ours": ("", "sessions.csv"),
    "beside our zip in study/": ("study/", "scores/satisfaction.csv"),
}


@pytest.mark.parametrize("where", LOST)
def test_file_of_a_user_is_not_lost(
    where: str, study: Study, content: bytes, tmp_path: Path
) -> None:
    prefix, name = LOST[where]
    unpacked(study_zip(study, Definition(), Filters()) if prefix else content, tmp_path / prefix)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(RATED)
    back = read.read_study(tmp_path)
    assert "rating" in back.sessions or name in "\n".join(map(str, back.report.problems))


def test_bundle_and_zip_are_refused_as_such(study: Study, content: bytes, tmp_path: Path) -> None:
    out = unpacked(content, tmp_path)
    (out / "tables.zip").write_bytes(study_zip(study, Definition(), Filters()))
    with pytest.raises(UnusableInputError, match=r"study\.toml"):
        read.read_study(out)
