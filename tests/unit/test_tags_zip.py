"""Tags taken along: in the zip of a study and back, and in the tables of `sdcg score`."""

from __future__ import annotations

import io
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.tags import SUGGESTED, Tags, cleaned
from tests.support.plain_files import THREE_SESSIONS, rows_in, write_rows
from tests.support.studies import SAMPLES, at_hand, small
from tests.support.zips import PLAIN, is_harmless, read_back, tables
from tests.unit.test_study_zip import TEXTS, hostile

SIGNS = ["=1+1", "+1", "-1", "@x", "'", "'=x", "''-1", '"', "a,b", "a;b", "查询", "#x", "typo"]
LINE = b'"s1",1,"typo"'
HEAD = b"session,query_number,tag"


def tagged_at_random(study: Study, texts: list[str], seed: int = 5) -> Study:
    """The study with up to three tags on two thirds of its queries."""
    chance = random.Random(seed)
    queries = zip(study.queries["session"], study.queries["query_number"].tolist(), strict=True)
    given: Tags = {
        (str(session), number): cleaned(chance.sample(texts, chance.randint(1, 3)))
        for session, number in queries
        if chance.random() < 2 / 3
    }
    return replace(study, tags={query: tags for query, tags in given.items() if tags})


def assert_tags_read_back(study: Study, folder: Path) -> None:
    """The zip reads back to the same study with the same tags, and no spreadsheet runs a cell."""
    content = study_zip(study, *PLAIN)
    header, *rows = tables(content)["tags.csv"]
    assert header == ["session", "query_number", "tag"]
    assert len(rows) == sum(map(len, study.tags.values()))
    assert all(is_harmless(cell, number=False) for row in rows for cell in (row[0], row[2]))
    back = read_back(folder, content)
    assert (back.digest, back.name, back.tags) == (study.digest, study.name, study.tags)
    assert [str(problem) for problem in back.report.problems if problem.severity != "note"] == []
    again = study_zip(back, *PLAIN)  # but for what was repaired when it was read first
    assert {**tables(again)} == {**tables(content)}
    assert study_zip(read_back(folder, again), *PLAIN) == again


def test_tags_on_hostile_sessions_read_back(tmp_path: Path) -> None:
    study = tagged_at_random(hostile(tmp_path), [*SIGNS, *TEXTS, "e\u0301", "x" * 60])
    assert set(SIGNS[:4]) <= {session for session, _ in study.tags}
    assert_tags_read_back(study, tmp_path)


def test_tags_on_queries_kept_with_gaps_read_back(tmp_path: Path) -> None:
    header = ("session", "query_number", "rank", "doc", "topic", "grade")
    rows = [("s", 1, 1, "a", "t", 1), ("s", 4, 1, "b", "t", 0)]
    log = write_rows(tmp_path / "log.csv", header, rows)
    study = read_study(log, recipe=Recipe(query_numbers="keep"))
    assert study.queries["query_number"].tolist() == [1, 2, 3, 4]
    study = replace(study, tags={("s", 3): ("own",), ("s", 4): ("typo",)})
    assert_tags_read_back(study, tmp_path)
    assert scores(study, DEFAULT, Filters()).queries["tags"].tolist() == ["", "", "own", "typo"]


def read_with(folder: Path, old: bytes, new: bytes) -> Study:
    """Study of a zip with one tag, in whose tags.csv something was replaced."""
    tagged = replace(small(), tags={("s1", 1): ("typo",)})
    return read_back(folder, study_zip(tagged, *PLAIN), tags_csv=(old, new))


def test_tags_of_unknown_queries_are_counted(tmp_path: Path) -> None:
    study = read_with(tmp_path, LINE, b"zz,1,typo")
    assert any("tag" in str(said) for said in (*study.problems, *study.report.left_out))


HEADS = {
    "another name": (b"session,query_number,label", "another header"),
    "capitals": (b"Session,Query_Number,Tag", "another header"),
    "a column twice": (b"session,query_number,tag,tag", "column 'tag' twice"),
    "too few": (b"session,query_number", "3 cells; the header has 2 columns"),
}


@pytest.mark.parametrize("what", HEADS)
def test_another_header_is_refused(what: str, tmp_path: Path) -> None:
    header, found = HEADS[what]
    with pytest.raises(UnusableInputError) as refused:
        read_with(tmp_path, HEAD, header)
    assert refused.value.lines()[0].startswith("tags.csv, line ")
    assert found in refused.value.lines()[0]


@pytest.mark.parametrize("top", ["", "study/"])
def test_tags_read_back_from_a_zip_that_was_packed_anew(top: str, tmp_path: Path) -> None:
    tags: Tags = {("s1", 1): ("typo", "own"), ("s2", 1): ("own",)}
    content = study_zip(replace(small(), tags=tags), *PLAIN)
    with (
        zipfile.ZipFile(io.BytesIO(content)) as whole,
        zipfile.ZipFile(tmp_path / "anew.zip", "w") as copy,
    ):
        for name in whole.namelist():
            copy.writestr(f"{top}{name}", whole.read(name))
    study = read_study(tmp_path / "anew.zip")
    assert (study.digest, study.tags) == (small().digest, tags)


def scored(folder: Path, *arguments: object) -> list[dict[str, str]]:
    """Rows of queries.csv that `sdcg score` writes."""
    out = folder / "scores"
    assert sdcg.main(["score", *map(str, arguments), "--out", str(out)]) == 0
    return rows_in(out / "queries.csv")


def test_score_of_a_zip_writes_the_tags(tmp_path: Path) -> None:
    study = tagged_at_random(at_hand(SAMPLES[1]), [*SUGGESTED[:2], "own", "查询", "a,b"])
    study = replace(study, tags=study.tags | {("T-1", 1): ("=1", "own")})
    (tmp_path / "study.zip").write_bytes(study_zip(study, *PLAIN))
    rows = scored(tmp_path, tmp_path / "study.zip")
    for row in rows:
        given = "; ".join(study.tags.get((row["session"], int(row["query_number"])), ()))
        assert row["tags"] == (f"'{given}" if given.startswith("=") else given)
    assert sum(bool(row["tags"]) for row in rows) == len(study.tags)
    assert rows[0]["tags"] == "'=1; own"
    without = scored(tmp_path, THREE_SESSIONS / "log.csv", THREE_SESSIONS / "judgments.csv")
    assert [{k: v for k, v in row.items() if k != "tags"} for row in rows] == without
