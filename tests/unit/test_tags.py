"""Tags and notes: cleaned, kept beside the study, counted by system, taken along and printed."""

from math import nan
from pathlib import Path

import pytest

from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.annotations import Tags, cleaned_tags
from sdcg_explorer.study.store import Store
from tests.support import plain_files, plain_loop, studies, zips


@pytest.mark.parametrize("text", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\x00", "\x1b"])
def test_what_nobody_can_see_is_no_tag(text: str) -> None:
    assert cleaned_tags([text]) == ()


PLAIN = plain_loop.PlainStudy(
    [
        plain_loop.PlainSession("s", [("t", {1: "a", 2: "b"}), ("t", {})], "B"),
        plain_loop.PlainSession("r", [("u", {1: "a"}), ("t", {1: "b"})], "B"),
        plain_loop.PlainSession("u", [("t", {1: "a"})], "A"),
    ],
    {("t", "a"): 1.0, ("t", "b"): 2.0},
)
TAGS: Tags = {
    ("s", 1): ("typo", "own"),
    ("s", 2): ("own",),
    ("r", 1): ("own",),  # unjudged
    ("r", 2): ("typo",),
    ("u", 1): ("=1", "查询"),
    ("gone", 1): ("typo",),
}
# gains: s, query 1 has 1 + 2/2 = 2, query 2 none; r, query 2 has 2; u has 1
OF_B = [("typo", "B", 2, 2 / 4, 2.0), ("own", "B", 3, 3 / 4, 1.0)]
OF_A = [("=1", "A", 1, 1.0, 1.0), ("查询", "A", 1, 1.0, 1.0)]
COUNTED = {  # rows, tagged queries, queries, tagged ones elsewhere
    "none": (Filters(), [OF_B[0], OF_A[0], OF_B[1], OF_A[1]], 5, 5, 1),
    "one system": (Filters(systems=("A",)), OF_A, 1, 1, 5),
    "unjudged alone": (Filters(topics=("u", "t"), systems=("B",), max_queries=2), OF_B, 4, 4, 2),
    "nothing left": (Filters(min_queries=50), [], 0, 0, 6),
}


@pytest.mark.parametrize("filters", COUNTED)
def test_tags_are_counted(filters: str) -> None:
    chosen, rows, found, asked, elsewhere = COUNTED[filters]
    seen = tagged(plain_files.study_of(PLAIN), Definition(weights="linear"), chosen, tags=TAGS)
    assert (seen.tagged, seen.queries, seen.elsewhere) == (found, asked, elsewhere)
    assert [*seen.table] == ["tag", "system", "queries", "share of its queries", "mean dcg"]
    table = [*seen.table.itertuples(index=False, name=None)]
    assert [row[:3] for row in table] == [row[:3] for row in rows]
    assert [row[3:] for row in table] == [pytest.approx(row[3:]) for row in rows]
    turned = dict(reversed(TAGS.items()))
    again = tagged(plain_files.study_of(PLAIN), Definition(weights="linear"), chosen, tags=turned)
    assert again.table.equals(seen.table)
    alone = tagged(plain_files.study_of(PLAIN), Definition(), Filters(), tags={("r", 1): ("own",)})
    assert alone.table["mean dcg"].tolist() == pytest.approx([nan], nan_ok=True)


NOTE = 'Twice "<b>seen</b>"; ½ 🙂\n= 1'


def test_a_plan_of_version_1_is_a_note_beneath_the_comparison(tmp_path: Path) -> None:
    plan = '[plan]\nscore = "final"\nsystems = ["A", "B"]'
    for own in ({"plan": plan}, {"compare_systems": NOTE, "plan": plan, "cost": "Dear."}):
        study = studies.at_hand(studies.SAMPLES[1]).put(written=own)
        read = zips.read_back(tmp_path, study_zip(study, *zips.PLAIN)).written
        before = f"{NOTE}\n\n" if "cost" in own else ""
        assert read["compare_systems"] == f"{before}The plan made before the data:\n\n{plan}"
        assert read.get("cost") == own.get("cost")
        assert "plan" not in read
    store = Store(tmp_path / "kept")
    digest = store.save(studies.small()).digest
    store.write(digest, "plan", plan)
    assert store.written(digest) == {"compare_systems": f"The plan made before the data:\n\n{plan}"}
