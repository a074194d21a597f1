"""Clicks in a table, or on lines, of their own; lists and rows that are taken by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written

SHOP = """queryId;sessionId;terms;items
11;s1;8,9;1,2,3
12;s1;8;4,5
13;s2;9,9,1;
14;s2;7;6,1
"""
BOUGHT = "queryId;at;itemId\n11;5;2\n14;9;1\n14;9;99\n" + "14;10;1\n" * 8
QRELS = "topic,doc,grade\nt,1,2\nt,2,1\nt,9,1\nt,a,1\nt,hit b,1\n"
ONE_TOPIC = Recipe().with_texts(["mapping=judgments.csv:topic=", "topics_by=one"])


def of(folder: Path, recipe: Recipe = ONE_TOPIC, **files: str) -> Study:
    written(folder, judgments_csv=QRELS, **files)
    return read_study(folder, recipe=recipe)


def rows(study: Study) -> list[str]:
    """Session, query number, document, and a star where it was clicked."""
    table = study.results[["session", "query_number", "doc"]].astype("str").agg(" ".join, axis=1)
    stars = study.results["clicked"].map({True: "*", False: ""}).fillna("")
    return [f"{row}{star}" for row, star in zip(table, stars, strict=True)]


def test_a_table_of_clicks_marks_the_results_of_its_queries(tmp_path: Path) -> None:
    study = of(tmp_path, shop_csv=SHOP, shop_clicks_csv=BOUGHT)
    assert rows(study) == [
        "s1 1 1", "s1 1 2*", "s1 1 3", "s1 2 4", "s1 2 5", "s2 2 6", "s2 2 1*",
    ]  # fmt: skip
    left_out = [(change.rule, change.lines.tolist()) for change in study.report.changes]
    assert ("a click on a document that no list shows", [4]) in left_out


def test_a_table_that_meets_no_list_is_not_taken_for_clicks(tmp_path: Path) -> None:
    other = "queryId;at;itemId\n11;5;70\n14;9;71\n"
    with pytest.raises(UnusableInputError, match=r"--set kinds=shop_clicks\.csv=other"):
        of(tmp_path, shop_csv=SHOP, shop_clicks_csv=other)
    study = of(tmp_path, ONE_TOPIC.with_texts(["kinds=shop_clicks.csv=other"]), shop_csv=SHOP)
    assert study.results["clicked"].isna().all()


def test_a_log_that_says_what_was_clicked_is_believed(tmp_path: Path) -> None:
    own = (
        SHOP.replace("items", "items;clicked")
        .replace("1,2,3", "1,2,3;[1]")
        .replace("\n12;s1;8;4,5", "\n12;s1;8;4,5;")
    )
    own = own.replace("13;s2;9,9,1;", "13;s2;9,9,1;;").replace("6,1", "6,1;[6]")
    study = of(tmp_path, shop_csv=own, shop_clicks_csv=BOUGHT)
    assert [row for row in rows(study) if row.endswith("*")] == ["s1 1 1*", "s2 2 6*"]


UBI = """query_id,client_id,timestamp,user_query,query_response_hit_ids
q1,c1,2026-05-01T10:00:00Z,tea,"a,b,c"
q2,c1,2026-05-01T10:01:00Z,tea pot,"d,e"
"""
UBI_EVENTS = """action_name,query_id,session_id,client_id,timestamp,object_id
search,q1,s1,c1,2026-05-01T10:00:00Z,
click,q1,s1,c1,2026-05-01T10:00:30Z,b
add_to_cart,q1,s1,c1,2026-05-01T10:00:40Z,b
search,q2,s1,c1,2026-05-01T10:01:00Z,
"""


def test_events_beside_queries_give_their_sessions_and_clicks(tmp_path: Path) -> None:
    recipe = ONE_TOPIC.with_texts(["mapping=query_number=at,text=user_query"])
    queries = UBI.replace("timestamp", "at").replace("2026-05-01T10:0", "").replace(":00Z", "")
    queries = queries.replace(",0,", ",1,").replace("q2,c1,1,", "q2,c1,2,")
    named = of(tmp_path, recipe, ubi_queries_csv=queries, ubi_events_csv=UBI_EVENTS)
    as_is = of(tmp_path, ubi_queries_csv=UBI, ubi_events_csv=UBI_EVENTS)
    assert rows(named) == rows(as_is) == ["s1 1 a", "s1 1 b*", "s1 1 c", "s1 2 d", "s1 2 e"]


LINES = "0\t0\tQ\t7\t1\t10\t11\n0\t5\tC\t11\n0\t9\tQ\t7\t1\t12\t13\n1\t0\tQ\t7\t2\t10\t11\n"


def test_lines_of_queries_and_clicks_are_judged_by_query_and_region(tmp_path: Path) -> None:
    written(tmp_path, clicks_txt=LINES, labels_txt="7\t1\t10\t1\n7\t2\t10\t0\n7\t1\t12\t0\n")
    study = read_study(tmp_path)
    assert rows(study) == ["0 1 10", "0 1 11*", "0 2 12", "0 2 13", "1 1 10", "1 1 11"]
    assert study.queries["topic"].tolist() == ["7/1", "7/1", "7/2"]
    assert study.judgments["topic"].tolist() == ["7/1", "7/2", "7/1"]


VECTORS = """session,query_number,vector,clicked_hash,product_hash
s1,1,"[0.5, -1.0]",['b'],"['a', 'b']"
s1,2,"[0.1, 2.0]",,['c']
s2,1,"[0.1, 2.0]",,
"""


def test_documents_are_the_lists_that_hold_the_clicked_ones(tmp_path: Path) -> None:
    assert rows(of(tmp_path, log_csv=VECTORS)) == ["s1 1 a", "s1 1 b*", "s1 2 c"]


BY_HAND = """session,query_number,action,found
s1,1,search,hit a / hit b
s1,1,scroll,hit c
s2,1,search,hit b
"""


def test_cells_are_taken_apart_and_rows_left_out_by_hand(tmp_path: Path) -> None:
    said = ["mapping=log.csv:doc=found", "leave_out=action=scroll", r"cells=found=hit (?P<doc>\w+)"]
    recipe = ONE_TOPIC.with_texts(["kinds=log.csv=log", *said])
    study = of(tmp_path, recipe, log_csv=BY_HAND)
    assert study.results["doc"].tolist() == ["a", "b", "b"]
    by_sign = recipe.with_texts(["cells=found=/"])
    assert of(tmp_path, by_sign, log_csv=BY_HAND).results["doc"].tolist() == [
        "hit a",
        "hit b",
        "hit b",
    ]
    with pytest.raises(UnusableInputError, match=r"no row whose action is save"):
        of(tmp_path, ONE_TOPIC.with_texts(["leave_out=action=save"]), log_csv=BY_HAND)


OUT_OF_ORDER = """session_hash,sent_epoch_ms,hits
s1,1550000100000,"['a', 'b']"
s1,1550000050000,['c']
s2,1550000200000,
"""


def test_rows_of_lists_are_queries_in_the_order_of_their_times(tmp_path: Path) -> None:
    assert rows(of(tmp_path / "a", log_csv=OUT_OF_ORDER)) == ["s1 2 a", "s1 2 b", "s1 1 c"]
    either = OUT_OF_ORDER.replace("_ms,hits", "_ms,seen_date,hits").replace(
        "00,", "00,2026-05-01 10:00:00,"
    )
    written(tmp_path / "b", log_csv=either.replace("00:00,['c']", "00:01,['c']"))
    _, (log,) = read_parts([tmp_path / "b" / "log.csv"])
    assert log.kind == "other"  # of two orders none is taken by the columns alone
