"""Counts that strangers made end as a study whose pages answer, or as a refusal, in 1 GB."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.counting.counted_study import CountedStudy
from sdcg_explorer.counting.opening import counts_among
from sdcg_explorer.questions.words import data as data_words
from sdcg_explorer.questions.words import robustness as words
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.fuzz_counts import large_counts, odd_counts
from tests.support.fuzz_endings import endings_of, is_bad
from tests.support.fuzzing import Input

FEWEST = 400
MEMORY = 1_000_000_000  # of reading anything that is as small
SMALL = 60_000  # bytes


def test_each_column_and_number_as_something_else_is_a_study_or_a_refusal(tmp_path: Path) -> None:
    ended: dict[str, list[str]] = {"study": [], "refusal": [], "no place": []}
    for name, files in odd_counts():
        paths = Input(name, files).written(tmp_path)
        try:
            found = counts_among([Source(path.name, path) for path in paths])
        except UnusableInputError as refused:
            placed = all(each.file.endswith((".json", ".parquet")) for each in refused.problems)
            ended["refusal" if placed else "no place"].append(name)
        else:
            assert found is not None
            answer(found)
            ended["study"].append(name)
    assert len(ended["refusal"]) >= FEWEST
    assert ended["no place"] == []
    assert 10 < len(ended["study"]) < 50
    assert "counts as they are" in ended["study"]


def answer(counts: CountedStudy) -> None:
    """Ask what pages ask of counts."""
    short = counts.counted.short_lists or "as-is"
    asked = counts, Definition(top=counts.counted.top, short_lists=short), Filters()
    assert data_words.answer(counts)
    for question in (overview, query_order, session_curves, side_by_side):
        assert question(*asked)
    assert words.answer(robustness(*asked, grid=(2.0,)))


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is Linux's")
def test_small_zips_that_stand_for_gigabytes_are_refused_within_one(tmp_path: Path) -> None:
    given = [Input(name, files) for name, files in large_counts()]
    found = {one["name"]: one for one in endings_of(given, tmp_path)}
    assert [one for one in found.values() if is_bad(one) or one["ending"] != "error"] == []
    for one in given:
        if sum(map(len, one.files.values())) < SMALL:
            assert found[one.name]["memory"] < MEMORY
    said = {name: one["said"] for name, one in found.items()}
    assert "counts.parquet: more0 string, " in said["100 columns more"]
    assert "counts.parquet: 19,000,000 rows in " in said["19 million rows alike"]
