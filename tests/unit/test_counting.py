"""Counts by DuckDB: row by row those of plain loops over the study that the same files make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.analysis.selection.counts import session_counts
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.counting.by_duckdb import DuckDBEngine
from sdcg_explorer.counting.count import CountChoices
from sdcg_explorer.counting.counted import Counted, read_counted
from sdcg_explorer.counting.counted_study import CountedStudy
from sdcg_explorer.counting.kept import open_counts
from sdcg_explorer.questions.words import robustness as words
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.study.study import Study
from tests.support.counting import assert_alike, counted, random_log, sample
from tests.support.plain_counts import plain_counts
from tests.support.plain_files import ECIR2008, THREE_SESSIONS
from tests.support.refusals import refused as lines_of_refusal

HEAD = "session,system,topic,query_number,rank,doc\n"
JUDGED = "topic,doc,grade\nt,a,1\nt,b,2\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine("500MB", tmp_path / "spill")
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def random_files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return random_log(tmp_path_factory.mktemp("random"))


@pytest.mark.parametrize(("top", "short"), [(3, "pad"), (5, "as-is"), (9, 2)])
def test_random_sessions_are_counted_as_by_loops(
    engine: DuckDBEngine, tmp_path: Path, random_files: tuple[Path, Path], top: int, short: Any
) -> None:
    counts = counted(engine, tmp_path, *random_files, top=top, short_lists=short)
    plain = plain_counts(read_study(*random_files), top, short)
    assert_alike(counts, plain)
    assert_alike(read_counted(tmp_path / "counts", bounded=True), counts)
    assert {0, 1} == {*counts.tables["counts"]["repeat"]}
    assert len(counts.grades) + 2 in {*counts.tables["counts"]["code"]}  # copies, too
    assert -1 in {*counts.tables["layouts"]["topic"]}


@pytest.mark.parametrize("folder", [ECIR2008, THREE_SESSIONS], ids=lambda path: path.name)
def test_samples_are_counted_as_by_loops(
    engine: DuckDBEngine, tmp_path: Path, folder: Path
) -> None:
    counts = counted(engine, tmp_path, folder / "log.csv", folder / "judgments.csv")
    assert_alike(counts, plain_counts(sample(folder), 10))
    assert_alike(read_counted(tmp_path / "counts"), counts)


def test_counts_are_those_that_session_curves_are_made_of(tmp_path: Path) -> None:
    study = sample(ECIR2008)
    counts = plain_counts(study, 10)
    for repeats in ("every", "first"):
        chosen = select(study, Definition(repeats=repeats), Filters())
        expected = session_counts(chosen.sample, 1).grades.sum(axis=0)[..., : len(counts.grades)]
        found = np.zeros(expected.shape)
        rows = counts.tables["counts"].assign(query_number=query_numbers(counts))
        rows = rows[(rows["code"] < len(counts.grades))]
        rows = rows if repeats == "every" else rows[rows["repeat"] == 0]
        place = [rows[name].to_numpy() for name in ("query_number", "rank", "code")]
        np.add.at(found, (place[0] - 1, place[1] - 1, place[2]), rows["results"])
        np.testing.assert_array_equal(found, expected)


def test_counts_without_groups_have_the_same_means_and_no_intervals(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    files = ECIR2008 / "log.csv", ECIR2008 / "judgments.csv"
    found = counted(engine, tmp_path, *files, intervals=False)
    bare = open_counts(tmp_path / "counts", bounded=True)
    assert {*found.tables["groups"]["bucket"]} == {0}
    whole = CountedStudy(plain_counts(sample(ECIR2008), 10))
    assert bare.rows < whole.rows
    view = Definition(), Filters()
    means, groups = (
        session_curves(each, *view, bands=True, saw=True).table() for each in (bare, whole)
    )
    edges = [name for name in means if str(name).rpartition("_")[2] in ("low", "high")]
    assert means[edges].isna().all(axis=None)
    assert groups[edges].notna().any(axis=None)
    pd.testing.assert_frame_equal(
        means.drop(columns=edges), groups.drop(columns=edges), rtol=1e-12, atol=1e-12
    )
    assert words.answer(robustness(bare, *view, grid=(2.0, 4.0)))
    assert "counted without" in " ".join(bare.remarks)


def query_numbers(counts: Counted) -> list[int]:
    """The number of the query that each count is of, by a loop over groups and their lists."""
    asked = {y: [*of["query_number"]] for y, of in counts.tables["layouts"].groupby("layout")}
    lists = [number for layout in counts.tables["groups"]["layout"] for number in asked[layout]]
    sizes = counts.tables["lists"]["counts"]
    return [number for number, size in zip(lists, sizes, strict=True) for _ in range(size)]


def parquet(study: Study, folder: Path) -> dict[str, Any]:
    """The log in two Parquet files, queries in a table of their own."""
    results = study.results[["session", "query_number", "rank", "doc"]]
    (folder / "log").mkdir()
    half = len(results) // 2
    for name, part in (("1", results.iloc[:half]), ("2", results.iloc[half:])):
        part.astype({"session": "str", "doc": "str"}).to_parquet(folder / f"log/{name}.parquet")
    queries = study.queries.merge(study.sessions, on="session")
    keys = ["session", "query_number", "topic", "system", "searcher"]
    queries = queries[keys].astype({"session": "str", "topic": "str"})
    queries.to_parquet(folder / "queries.parquet")
    return {"log": folder / "log", "queries": str(folder / "queries.parquet")}


def from_zero(study: Study, folder: Path) -> dict[str, Any]:
    """Ranks from 0, all rows twice, other names of columns, no second queries, a pattern."""
    log = pd.read_csv(folder / "log.csv", dtype=str, keep_default_na=False)
    log["rank"] = [str(int(rank) - 1) if rank else "" for rank in log["rank"]]
    log["query_number"] = [str(int(of) + (of != "1")) for of in log["query_number"]]
    log = log.rename(columns={"session": "Sess", "doc": "Page", "searcher": "user"})
    (folder / "parts").mkdir()
    for name in "ab":
        log.to_csv(folder / f"parts/{name}.csv", index=False)
    renamed = pd.read_csv(folder / "judgments.csv", dtype=str).rename(columns={"doc": "Page"})
    pd.concat([renamed, renamed, renamed.iloc[:2].assign(grade="")]).to_csv(
        folder / "judgments.csv", index=False
    )
    return {"log": folder / "parts" / "*.csv", "mapping": {"doc": "Page"}}


@pytest.mark.parametrize("form", [parquet, from_zero])
def test_another_form_of_the_same_log_comes_to_the_same_counts(
    engine: DuckDBEngine, tmp_path: Path, form: Any
) -> None:
    files = random_log(tmp_path)
    study = read_study(*files)
    given = form(study, tmp_path)
    counts = counted(engine, tmp_path, given.pop("log"), files[1], top=4, **given)
    assert_alike(counts, plain_counts(study, 4))
    assert counts.totals == totals_of(study, again=form is from_zero)


def totals_of(study: Study, *, again: bool) -> dict[str, int]:
    """What counting says of the size of a study, and of what `from_zero` did to it."""
    queries, results = study.queries, len(study.results)
    without = len(queries) - len(study.results[["session", "query_number"]].drop_duplicates())
    return {
        "sessions": len(study.sessions),
        "queries": len(queries),
        "queries_without_results": without,
        "queries_renumbered": again * int((queries["query_number"] > 1).sum()),
        "results": results,
        "searchers": study.sessions["searcher"].nunique(),
        "topics": queries["topic"].nunique(),
        "rows_merged": again * results,
        "ranks_clashing": 0,
        "judgments_merged": again * len(study.judgments),
        "judgments_left_out": again * 2,
    }


def counts_of(folder: Path, rows: list[str], judgments: str = JUDGED, **asked: Any) -> Counted:
    engine = DuckDBEngine("500MB", folder / "spill")
    try:
        (folder / "log.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
        (folder / "judgments.csv").write_text(judgments)
        return counted(engine, folder, folder / "log.csv", folder / "judgments.csv", **asked)
    finally:
        engine.close()


def test_what_breaks_a_rule_is_refused_with_its_places(tmp_path: Path) -> None:
    rows = [
        *("s1,A,t,1,1,a", "s1,A,t,1,1,b", "s1,B,t,2,1,a"),
        *("s2,A,t,1,1,a", "s2,A,u,1,2,b", "s2,A,t,2,x,c", "s2,A,t,3,,c", "s2,A,t,3,2,"),
        *(",A,t,1,1,a", "s3,A,t,one,1,a"),
    ]
    judged = JUDGED + "t,a,2\nt,c,good\n"
    assert lines_of_refusal(lambda: counts_of(tmp_path, rows, judged)) == [
        "log: an empty session; each row has its session. Fill the cell, or remove the row.",
        "log: session 's3' with a query number that is none; query numbers are "
        "whole numbers from 1. Correct the cell.",
        "log: query 2 of session 's2' with a rank that is none; ranks are whole numbers from 1. "
        "Correct the cell.",
        "log: query 3 of session 's2' with a document without a rank; a result has a rank and a "
        "document, a query without results has neither. Fill in the rank.",
        "log: query 3 of session 's2' with a rank without a document; a result has a rank and a "
        "document, a query without results has neither. Fill in the document, or empty the rank "
        "too.",
        "log: session 's1' has a second system, 'B'; a session is one searcher's work with one "
        "system, so it has one system. Give the parts different session ids, or correct the cell.",
        "log: query 1 of session 's2' has a second topic, 'u'; a query is judged against one "
        "topic. Correct the cell.",
        "log: document 'b' at rank 1 of query 1 of session 's1', where another stands; a rank of "
        "one result list holds one document. Correct the rank, or keep the first by name: "
        "--same-rank first.",
        "judgments: a grade that is none for 'c' of topic 't'; grades are numbers. Correct the "
        "cell or leave it empty for unjudged.",
        "judgments: another grade for 'a' of topic 't'; a document has one grade for a topic. "
        "Keep one of the two, or choose: --conflicts highest.",
    ]


def test_an_option_allows_what_a_rule_forbids(tmp_path: Path) -> None:
    rows = ["s1,A,t,1,0,b", "s1,A,t,1,0,a", "s1,A,t,1,1,b", "s1,A,t,2,0,x", "s1,A,t,2,0,y"]
    rules = Rules(same_rank="first", conflicts="highest")
    counts = counts_of(tmp_path, rows, JUDGED + "t,a,3\n", rules=rules)
    found = counts.tables["counts"][["rank", "code"]]
    assert [[counts.grades[code], rank] for rank, code in found.to_numpy()] == [[3, 1], [2, 2]]
    assert (counts.totals["ranks_clashing"], counts.rules["ranks_from"]) == (2, "0")
    assert counts.totals["results"] == 3


def test_places_are_three_whatever_their_number(tmp_path: Path) -> None:
    rows = [f"s{i},A,t,1,{rank},a" for i in range(5) for rank in ("1", "x", "x")]
    assert lines_of_refusal(lambda: counts_of(tmp_path, rows)) == [
        "log: query 1 of session 's0' with a rank that is none (and 9 more: query 1 of session "
        "'s1'; query 1 of session 's2'; …); ranks are whole numbers from 1. Correct the cell."
    ]


def test_a_sample_is_whole_sessions_that_open_as_a_study(tmp_path: Path) -> None:
    log, judgments = random_log(tmp_path)
    engine = DuckDBEngine("500MB", tmp_path / "spill")
    counted(engine, tmp_path, log, judgments, sample=7)
    engine.close()
    folder, study = tmp_path / "counts/sample", read_study(log, judgments)
    kept = read_study(folder / "log.parquet", folder / "judgments.parquet")
    names = {*map(str, kept.sessions["session"])}
    queries = study.queries[study.queries["session"].isin([*names])]
    assert (len(names), len(kept.queries)) == (7, len(queries))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"top": 101}, "--top 101; from 1 to 100 ranks are counted."),
        (
            {"rules": Rules(conflicts="last")},
            "--conflicts last; rows of a table have no order here, so it is error or highest.",
        ),
        (
            {"rules": Rules(topics_by="session")},
            "--topics-by session; a layout for each session would be no smaller than the log. "
            "Read a sample instead.",
        ),
        (
            {"short_lists": "observed"},
            "--short-lists 'observed'; counts know pad, as-is, or a number; observed needs single "
            "results.",
        ),
    ],
)
def test_what_counts_cannot_be_made_by_is_said(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        CountChoices("log", "judgments", **asked)
