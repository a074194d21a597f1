"""Trees with several lists, and maps: which of them is the log, and what is read of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_parts, read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.plain_files import written
from tests.support.refusals import refusal

JUDGED = "topic,doc,grade\nt,a,2\nt,b,0\nt,c,1\n"
TURNS = [  # a session's query, with the results that it showed, and another list of documents
    {"session": "s", "topic": "t", "query_number": 1, "results": ["a", "b"], "cites": ["x"]},
    {"session": "s", "topic": "t", "query_number": 2, "results": ["c"], "cites": []},
    {"session": "s", "topic": "t", "query_number": 3, "results": [], "cites": ["y"]},
]


def turns(*, cites: dict[str, str] | None = None) -> str:
    """The turns as lines, each document an object; `cites` are other names of cited ones."""
    named = cites or {}
    lists = [
        {
            **turn,
            "results": [{"doc": doc} for doc in turn["results"]],
            "cites": [{"doc": named.get(doc, doc)} for doc in turn["cites"]],
        }
        for turn in TURNS
    ]
    return "".join(json.dumps(each) + "\n" for each in lists)


def shown(folder: Path, recipe: Recipe | None = None, /, **files: str) -> list[str]:
    """Query, rank and document of every result; queries without any have none of either."""
    written(folder, **files)
    study = read_study(folder, recipe=recipe or Recipe())
    found: list[str] = []
    for session, number in study.queries[["session", "query_number"]].to_numpy().tolist():
        of_query = study.results["session"].eq(session) & study.results["query_number"].eq(number)
        ranked = study.results.loc[of_query, ["rank", "doc"]].to_numpy().tolist()
        found += [f"{session} {number} {rank} {doc}" for rank, doc in ranked or [("", "")]]
    return [each.strip() for each in found]


def test_the_log_is_the_list_whose_documents_are_judged(tmp_path: Path) -> None:
    # the third query has no results, and keeps its place
    assert shown(tmp_path, turns_jsonl=turns(), judgments_csv=JUDGED) == [
        "s 1 1 a", "s 1 2 b", "s 2 1 c", "s 3",
    ]  # fmt: skip


def test_of_two_lists_of_judged_documents_one_is_asked_for_and_each_way_leads_there(
    tmp_path: Path,
) -> None:
    files = {"turns_jsonl": turns(cites={"x": "a"}), "judgments_csv": JUDGED}
    assert refusal(lambda: shown(tmp_path, **files)).splitlines()[0] == (
        "turns.jsonl: several lists of documents: results, cites; only one list has the results. "
        "Say which is the log: --set lists='turns.jsonl=results' or "
        "--set lists='turns.jsonl=cites'."
    )
    one, other = (
        Recipe().with_texts([f"lists=turns.jsonl={path}"]) for path in ("results", "cites")
    )
    assert len(shown(tmp_path, one, **files)) == 4
    assert shown(tmp_path, other, **files) == ["s 1 1 a", "s 2", "s 3 1 y"]
    wrong = Recipe().with_texts(["lists=turns.jsonl=hits"])
    assert refusal(lambda: shown(tmp_path, wrong, **files)) == (
        "turns.jsonl: no list 'hits'; its lists of objects are results, cites. Correct --set lists."
    )


BY_KEY: dict[str, Any] = {
    "sessions": {"s_1": {"hits": [{"docid": "a"}, {"docid": "b"}]}, "s_2": {"hits": []}},
    "a list by key": {"s_1": [{"docid": "a"}, {"docid": "b"}], "s_2": []},
}


@pytest.mark.parametrize("form", BY_KEY)
def test_a_map_is_read_as_things_by_their_keys(form: str, tmp_path: Path) -> None:
    whole = {"made": "2026", "queries": BY_KEY[form]}
    files = {"log_json": json.dumps(whole, indent=1), "qrels_txt": "s 0 a 2\n"}
    assert shown(tmp_path, **files) == ["s 1 1 a", "s 1 2 b", "s 2"]
    other = {"log_json": files["log_json"].replace("queries", "turns")}
    recipe = Recipe().with_texts(["mapping=query_number=key"])
    assert shown(tmp_path, recipe, **{**files, **other}) == ["s 1 1 a", "s 1 2 b", "s 2"]


def test_fields_of_inner_objects_play_the_roles_that_their_last_names_have(tmp_path: Path) -> None:
    lines = [
        {"query": {"qid": "7_1", "text": "x"}, "candidates": [{"docid": "a"}, {"docid": "b"}]},
        {"query": {"qid": "7_2", "text": "y"}, "candidates": []},
    ]
    log = "".join(json.dumps(each) + "\n" for each in lines)
    assert shown(tmp_path, log_jsonl=log, qrels_txt="7 0 a 2\n") == [
        "7 1 1 a", "7 1 2 b", "7 2",
    ]  # fmt: skip


def test_a_list_that_comes_late_has_a_row_for_what_stood_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdcg_explorer.reading.readers.json_files.LOOKED_AT", 2)
    objects: list[dict[str, Any]] = [
        {"session": "s", "topic": "t", "query_number": i + 1, "results": [{"doc": "a"}]}
        for i in range(5)
    ]
    objects[-1] = {**objects[-1], "results": [], "cites": [{"doc": "b"}]}
    log = "".join(json.dumps(each) + "\n" for each in objects)
    picked = Recipe().with_texts(["lists=log.jsonl=cites"])
    found = shown(tmp_path, picked, log_jsonl=log, judgments_csv=JUDGED)
    assert found == ["s 1", "s 2", "s 3", "s 4", "s 5 1 b"]


def test_too_many_lists_are_refused(tmp_path: Path) -> None:
    log = "".join(
        json.dumps({"session": "s", f"list{i}": [{"doc": "a"}]}) + "\n" for i in range(60)
    )
    with pytest.raises(UnusableInputError, match=r"objects of a file have at most 50 lists"):
        shown(tmp_path, log_jsonl=log, judgments_csv=JUDGED)


RANKED = {  # as Elasticsearch answers to a ranking evaluation
    "metric_score": 0.5,
    "details": {
        "p1_q1": {
            "unrated_docs": [{"_index": "i", "_id": "b"}],
            "hits": [
                {"hit": {"_index": "i", "_id": "a", "_score": 2.5}, "rating": 3},
                {"hit": {"_index": "i", "_id": "b", "_score": 1.5}, "rating": None},
            ],
        },
        "p1_q2": {"unrated_docs": [], "hits": []},
    },
}
ASKED = {
    "requests": [
        {"id": "p1_q1", "ratings": [{"_index": "i", "_id": "a", "rating": 3}]},
        {"id": "p1_q2", "ratings": [{"_index": "i", "_id": "c", "rating": 1}]},
    ]
}


def test_a_ranking_evaluation_is_read_by_its_hits(tmp_path: Path) -> None:
    files = {"response_json": json.dumps(RANKED), "request_json": json.dumps(ASKED)}
    assert shown(tmp_path, **files) == ["p1 1 1 a", "p1 1 2 b", "p1 2"]
    study = read_study(tmp_path)
    assert study.judgments["doc"].tolist() == ["a", "c"]
    assert study.results["grade"].isna().tolist() == [False, True]


XML = """<study made="2026">
 <person id="p1">
  <search session="s1" topic="t" query_number="1"><hit doc="a"/><hit doc="b"/></search>
  <search session="s1" topic="t" query_number="2"/>
 </person>
 <person id="p2"><search session="s2" topic="t" query_number="1"><hit doc="b"/></search></person>
</study>
"""


def test_other_xml_is_read_as_its_lists(tmp_path: Path) -> None:
    found = shown(tmp_path, log_xml=XML, judgments_csv=JUDGED)
    assert found == ["s1 1 1 a", "s1 1 2 b", "s1 2", "s2 1 1 b"]


NESTED = [
    {"session": "s", "topic": "t", "queries": [
        {"query": "x", "results": [{"doc": "a"}]},
        {"query": "y", "results": []},
        {"query": "z", "results": [{"doc": "c"}]},
    ]},
]  # fmt: skip


def test_queries_without_numbers_are_counted_in_their_list(tmp_path: Path) -> None:
    found = shown(tmp_path, log_json=json.dumps(NESTED), judgments_csv=JUDGED)
    assert found == ["s 1 1 a", "s 2", "s 3 1 c"]


def test_a_list_of_clicks_marks_the_results_beside_it(tmp_path: Path) -> None:
    log = turns(cites={"x": "b"}).replace('"cites"', '"clicks"')
    log = log.replace('"doc": "y"', '"doc": ""')
    written(tmp_path, log_jsonl=log, judgments_csv=JUDGED)
    results = read_study(tmp_path).results
    assert results["doc"].tolist() == ["a", "b", "c"]
    assert results["clicked"].tolist() == [False, True, False]


def test_maps_in_maps_are_read_by_both_keys(tmp_path: Path) -> None:
    whole = {
        "p1": {"Q1": {"shown": ["a", "b"]}, "Q2": {"shown": ["c"]}},
        "p2": {"Q1": {"shown": []}},
    }
    said = ["kinds=log.json=log", "mapping=log.json:session=outer_key,log.json:query_number=n"]
    recipe = Recipe().with_texts([*said, "mapping=log.json:doc=shown,log.json:topic=topic"])
    text = json.dumps(whole)
    for i in (1, 2):
        text = text.replace(f'"Q{i}": {{', f'"Q{i}": {{"n": {i}, "topic": "t", ')
    found = shown(tmp_path, recipe, log_json=text, judgments_csv=JUDGED)
    assert found == ["p1 1 1 a", "p1 1 2 b", "p1 2 1 c", "p2 1"]


def test_a_list_of_unknown_names_is_the_log_where_its_documents_are_judged(tmp_path: Path) -> None:
    turn = {"session": "s", "topic": "t", "query_number": 1}
    log = {**turn, "liste": [{"nr": "a"}, {"nr": "b"}], "unbekannt": [{"nr": "z"}]}
    more = {**turn, "query_number": 2, "liste": [{"nr": "c"}], "unbekannt": []}
    text = f"{json.dumps(log)}\n{json.dumps(more)}\n"
    found = shown(tmp_path, log_jsonl=text, judgments_csv=JUDGED)
    assert found == ["s 1 1 a", "s 1 2 b", "s 2 1 c"]
    with pytest.raises(UnusableInputError):  # either may be what was shown
        shown(tmp_path / "b", log_jsonl=text.replace('"z"', '"c"'), judgments_csv=JUDGED)


def test_numbers_by_document_rank_them_and_not_their_order(tmp_path: Path) -> None:
    turn = {"session": "s", "topic": "t"}
    scores = [{"a1": 1.5, "b2": 2.5}, {"c3": 0.5}, {"d4": 1.5, "e5": 0.5}, {"f6": 1.5, "g7": 9.5}]
    log = "".join(
        json.dumps({**turn, "query_number": i + 1, "results": own}) + "\n"
        for i, own in enumerate(scores)
    )
    found = shown(tmp_path, log_jsonl=log, judgments_csv="topic,doc,grade\nt,a1,2\nt,g7,1\n")
    assert found == [
        "s 1 1 b2", "s 1 2 a1", "s 2 1 c3", "s 3 1 d4", "s 3 2 e5", "s 4 1 g7", "s 4 2 f6",
    ]  # fmt: skip


def test_keys_of_a_map_have_no_order_that_ranks_documents(tmp_path: Path) -> None:
    by_doc = {"d1": {"score": 1.5}, "d2": {"score": 2.5}}
    turn = {"session": "s", "topic": "t", "query_number": 1, "docs": by_doc}
    log = json.dumps([turn])  # so that scores rank them
    assert shown(tmp_path, log_json=log, judgments_csv="topic,doc,grade\nt,d1,2\n") == [
        "s 1 2 d1",
        "s 1 1 d2",
    ]


EVENTS = [
    {"type": "query", "query": "x", "results": [{"doc": "a"}, {"doc": "b"}], "facets": [{"n": 3}]},
    {"type": "click", "doc": "b"},
    {"type": "query", "query": "y", "results": [], "facets": []},
]


def test_the_results_of_events_are_the_list_that_documents_stand_in(tmp_path: Path) -> None:
    log = "".join(json.dumps({"session": "s", "topic": "t", **each}) + "\n" for each in EVENTS)
    assert shown(tmp_path, log_jsonl=log, judgments_csv=JUDGED) == ["s 1 1 a", "s 1 2 b", "s 2"]


SESSION = (
    '<log><session num="1"><topic num="7"/><interaction num="1"><query>a</query><results>'
    '<result rank="1"><clueweb09id>d1</clueweb09id></result></results></interaction></session>{}'
    "</log>"
)
OF_OTHERS = (
    '<study><session id="{}"><query><text>a</text><doc><url>d{}</url></doc></query></session>'
)


def test_sessions_in_xml_without_interactions_are_a_tree_and_beside_others_a_fault(
    tmp_path: Path,
) -> None:
    file = tmp_path / "log.xml"
    file.write_text(SESSION.format(""), encoding="utf-16")  # in which no byte is as in ASCII
    assert read_parts([file])[1][0].raw.known.kind == "log"
    file.write_text(SESSION.format("<session><note>x</note></session>"), encoding="utf-8")
    with pytest.raises(UnusableInputError, match="<session> without num"):
        read_parts([file])
    file.write_text(f"{OF_OTHERS.format(1, 1)}</study>", encoding="utf-8")
    (part,) = read_parts([file])[1]
    assert part.raw.nested is not None
    assert part.raw.rows["url"].tolist() == ["d1"]
