"""Logs of events: the study that comes of them is the one that their log of results makes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading import read, recipe
from sdcg_explorer.study.report import FOLDED
from sdcg_explorer.study.study import Study
from tests.support.told import lists_of, made, put

QRELS = b"t 0 a 2\nt 0 b 0\nt 0 c 1\n"
SAID = {"topic": "t", "system": "x"}


def lines_of(rows: list[dict[str, Any]]) -> bytes:
    """Rows as JSON lines."""
    return "".join(f"{json.dumps({**row, **SAID})}\n" for row in rows).encode()


def study_of(folder: Path, name: str, data: bytes, **rules: str) -> Study:
    return made(folder, {name: data, "qrels.txt": QRELS}, **rules)


TIMED = "searcher,topic,query_number,rank,doc,time\n"
DAY = "u,t,1,1,a,2026-01-0{0} 10:00\nu,t,1,2,b,2026-01-0{0} 10:00\nu,t,2,1,a,2026-01-0{0} 10:01\n"


def test_queries_numbered_from_the_first_again_are_warned_of(tmp_path: Path) -> None:
    log = {"log.csv": TIMED + DAY.format(1) + DAY.format(2), "j.csv": "topic,doc,grade\nt,a,1\n"}
    late = {**log, "log.csv": f"{TIMED}{DAY.format(1)}u,t,1,3,c,2026-01-01 10:00\n"}  # other order
    for files, gap, sessions, warned in ((log, "", 1, 1), (log, "30m", 2, 0), (late, "", 1, 0)):
        study = made(tmp_path, files, session_by="searcher", session_gap=gap)
        said = [(p.severity, p.remedy[-22:]) for p in study.report.problems if "again" in p.found]
        assert said == [("warning", "--set session_gap=30m.")] * warned
        assert len(study.sessions) == sessions


def own_ids() -> bytes:
    """Events whose queries have ids: one text twice, a second page, a list before its query."""
    hits = {"a": "ab", "b": "ca", "c": "de"}
    asked = [(10, "a", "tea"), (21, "b", "tea"), (30, "c", "cup")]
    rows: list[tuple[int, str, Any]] = [
        (at, "query_issued", {"qid": qid, "text": text}) for at, qid, text in asked
    ]
    listed = [(11, "a", 0), (20, "b", 0), (31, "c", 0), (32, "a", 2)]
    for at, qid, below in listed:
        docs = enumerate(hits[qid], start=below + 1)  # those of a second page have two letters
        shown = [{"rank": rank, "doc": doc * (2 if below else 1)} for rank, doc in docs]
        rows.append((at, "results_shown", {"qid": qid, "hits": shown}))
    rows += [
        (at, "click", {"qid": qid, "doc": doc, "rank": 1, "dwell_ms": ms})
        for at, qid, doc, ms in ((22, "a", "a", 1500), (33, "b", "a", 4000), (34, "b", "a", 9))
    ]
    every = [(9, "session_start", {}), *sorted(rows, key=lambda row: row[0])]
    return lines_of(
        [
            {"ts": f"2020-03-01T10:00:{at}Z", "event": name, "session": "s1", "data": data}
            for at, name, data in every
        ]
        + [{"ts": "2020-03-01T10:00:01Z", "event": "session_start", "session": "s2", "data": {}}]
    )


FLAT = """session,event,query_number,topic,query,rank,doc
s1,search,7,t,tea,,
s1,result_shown,7,t,,1,a
s1,result_shown,7,t,,2,b
s1,click,7,t,,2,b
s1,search,9,t,tea,,
s1,result_shown,9,t,,1,b
"""


@pytest.mark.parametrize("rules", [{}, {"query_by": "qid"}])
def test_queries_that_carry_ids_go_by_these(rules: dict[str, Any], tmp_path: Path) -> None:
    study = study_of(tmp_path, "e.jsonl", own_ids(), **rules)
    assert lists_of(study) == "s1.1 t: a* b aa bb | s1.2 t: c a* | s1.3 t: d e"
    assert study.queries["text"].tolist() == ["tea", "tea", "cup"]
    assert study.queries["data_dwell_ms"].fillna(0).tolist() == [1500, 4009, 0]
    assert study.results["dwell"].max() == 4  # in seconds, the longest of a result
    assert study.report.left_out["sessions without a query"] == 1
    assert study.report.left_out["column 'data_rank' stands beside no result"] == 1


def test_ids_of_pages_and_of_texts_and_clicks_without_documents(tmp_path: Path) -> None:
    paged = FLAT.replace("9,t,,1,b", "9,t,,3,c")  # its list goes on after the first page
    assert lists_of(study_of(tmp_path / "a", "e.csv", paged.encode())) == "s1.1 t: a b* c"
    texts = FLAT.replace("9,t,tea", "9,t,cup") + "".join(FLAT.splitlines(keepends=True)[1:4])
    again = study_of(tmp_path / "b", "e.csv", texts.encode())
    assert lists_of(again) == "s1.1 t: a b* | s1.2 t: b | s1.3 t: a b"
    for rank, lists, counted in (
        ("2", "s1.1 t: a b* | s1.2 t: b", {}),
        ("5", "s1.1 t: a b | s1.2 t: b", {"a click of a rank that its list doesn't have": 1}),
        ("", "s1.1 t: a b | s1.2 t: b", {"a click that names no document": 1}),
    ):
        bare = FLAT.replace("click,7,t,,2,b", f"click,7,t,,{rank},").encode()
        study = study_of(tmp_path / f"rank{rank}", "e.csv", bare)
        assert (lists_of(study), study.report.left_out) == (lists, counted)


@pytest.mark.parametrize("base", [0, 1])
def test_clicks_that_name_a_rank_alone_count_as_lists_do(base: int, tmp_path: Path) -> None:
    """In lists whose results have no ranks they count from 0 if any is 0."""
    rows = [
        {"session": "s1", "event": "query", "query": "tea", "results": ["a", "b"]},
        {"session": "s1", "event": "click", "position": base},
        {"session": "s1", "event": "query", "query": "cup", "results": ["b", "c", "a"]},
        {"session": "s1", "event": "click", "position": 1 + base},
    ]
    study = study_of(tmp_path, "e.jsonl", lines_of(rows))
    assert lists_of(study) == "s1.1 t: a* b | s1.2 t: b c* a"


def impressions(shape: str) -> bytes:
    """Events of which none says that somebody asked: lists, or results one by one, tell of it."""
    rows: list[dict[str, Any]] = []
    for i, (text, docs) in enumerate([("tea", "ab"), ("tea pot", "cad"), ("cup", "b")]):
        about = {"session": f"s{i // 2}", "ts": f"2020-01-0{i + 1}T10:00:00Z"}
        each = [{"id": doc, "pos": rank} for rank, doc in enumerate(docs, start=1)]
        seen = {"type": "impression", "query": text}
        if shape == "lists":
            rows += [{**about, **seen, "items": [*docs]}]
        elif shape == "lists without texts":
            rows += [{**about, "type": "impression", "items": [*docs]}]
        elif shape == "results":
            rows += [{**about, **seen, "doc": one["id"], "position": one["pos"]} for one in each]
        else:
            rows += [{**about, "type": "results_shown", "payload": {"q": text, "hits": each}}]
        click = {"payload": each[0]} if shape == "objects" else {"item": docs[0]}
        rows += [{**about, "type": "click", **(click if shape != "results" else {"doc": docs[0]})}]
        rows += [{**about, "type": "scroll"}]
    return lines_of(rows)


@pytest.mark.parametrize("shape", ["lists", "lists without texts", "results", "objects"])
def test_impressions_begin_queries_where_no_event_does(shape: str, tmp_path: Path) -> None:
    study = study_of(tmp_path, "e.jsonl", impressions(shape))
    assert lists_of(study) == "s0.1 t: a* b | s0.2 t: c* a d | s1.1 t: b*"
    if shape != "lists without texts":
        assert study.queries["text"].tolist() == ["tea", "tea pot", "cup"]


EMPTY_QUERIES = """session,time,event,query,results
s1,1,search,cup,
s1,2,serp_shown,cup,a b
s1,3,search,,
s1,4,serp_shown,,d b
s1,5,search,tea,
s1,6,serp_shown,tea,c
s2,7,search,,
s2,8,search,tea,
s2,9,serp_shown,tea,b c
s2,9.5,next,,
s2,9.6,serp_shown,tea,e f
"""


def test_a_search_whose_field_was_empty_is_a_query(tmp_path: Path) -> None:
    """Most searches have a text; events that never have one go on with the query before."""
    rows = [
        f"{row},{'topic' if not i else 't'}" for i, row in enumerate(EMPTY_QUERIES.splitlines())
    ]
    study = study_of(tmp_path, "e.csv", "\n".join(rows).encode(), events="query=next")
    lists = "s1.1 t: a b | s1.2 t: d b | s1.3 t: c | s2.1 t: | s2.2 t: b c e f"
    assert lists_of(study) == lists


PAGES = """session,time,event,url,topic,results
s1,1,search,/s?q=tea&start=0,t,
s1,2,shown,,,a b
s1,3,search,/s?q=tea&start=2,t,
s1,4,shown,,,c b
s1,5,search,/s?q=tea&start=0,t,
s1,6,shown,,,a
s1,7,search,/s?q=cup&start=2,t,
s1,8,shown,,,d
s2,9,search,/s?q=cup&start=4,t,
s2,9.1,shown,,,d
s2,9.2,search,/s?start=6&q=cup,t,
s2,9.3,shown,,,e
"""


def test_a_later_page_of_the_address_before_goes_on_with_its_query(tmp_path: Path) -> None:
    """Not of another address or session, nor a page that isn't later."""
    study = study_of(tmp_path, "e.csv", PAGES.encode())
    assert lists_of(study) == "s1.1 t: a b c | s1.2 t: a | s1.3 t: d | s2.1 t: d e"
    assert study.report.repaired[FOLDED] == 2


TWO_TASKS = """searcher,time,event,query,topic,doc,results
p1,1,search,tea,t,,a b
p1,9,click,,,b,
p1,6,search,cup,u,,c b
p1,2,click,,,a,
p1,0.5,hello,,,,
p2,7,search,cup,u,,c a
p2,8,click,,,c,
"""


def test_events_that_lack_a_part_of_their_session_go_on_with_it(tmp_path: Path) -> None:
    """By time, not by rows: the click at 2 is of the first session, that at 9 of the second."""
    study = study_of(tmp_path, "e.csv", TWO_TASKS.encode(), session_by="searcher,topic")
    assert lists_of(study) == "p1/t.1 t: a* b | p1/u.1 u: c b* | p2/u.1 u: c* a"
    assert study.report.repaired["events without topic have that of the event before"] == 4
    assert not study.report.left_out


GO = "2021-03-01 12:00:0{}.123456789 +0000 UTC m=+0.1,u1,{},DIV,,{},/s,10,20,1280,720,{}\n"
SEARCHX = (
    '{{"userId":"u1","sessionId":"s1","date":{{"$date":"2020-03-01T10:00:0{}Z"}},'
    '"event":"{}","meta":{}}}\n'
)


def test_known_loggers_are_read(tmp_path: Path) -> None:
    shown = [(1, "SEARCH_QUERY", '{"query":"tea","page":1}'),
             (2, "SEARCHRESULT_VIEW_URL", '{"url":"a","query":"tea"}'),
             (3, "SEARCHRESULT_CLICK_URL", '{"url":"a","query":"tea"}'),
             (4, "SEARCHRESULT_HOVERENTER", '{"url":"b","query":"tea"}'),
             (5, "BOOKMARK_ADD", '{"url":"a","query":"tea"}')]  # fmt: skip
    searchx = "".join(SEARCHX.format(*each) for each in shown).encode()
    details = [("QUERY_SUBMITTED", [("query", "tea")]),
               ("RESULT_SHOWN", [("docid", "a"), ("rank", 1)]),
               ("RESULT_CLICK", [("docid", "a")]),
               ("RESULT_BOOKMARK", [("docid", "a")])]  # fmt: skip
    logui = [
        {"eventType": "interactionEvent", "eventDetails": {"type": "x", "name": name},
         "sessionID": "s1", "timestamps": {"eventTimestamp": f"2021-04-01T10:00:0{i}.000Z"},
         "applicationSpecificData": {"userID": "u1"},
         "metadata": [{"name": key, "value": value} for key, value in pairs]}
        for i, (name, pairs) in enumerate(details)
    ]  # fmt: skip
    big = [(1, "query", "", "tea"), (2, "result", "a", ""), (3, "click", "a", ""),
           (4, "bookmark", "a", "")]  # fmt: skip
    files = {
        "searchx.jsonl": searchx,
        "logui.json": json.dumps(logui).encode(),
        "bigbrother.log": "".join(GO.format(*each) for each in big).encode(),
    }
    for name, data in files.items():
        given = put(tmp_path / name, {name: data, "j.csv": b"query,doc,grade\ntea,a,1\n"})
        rules = recipe.Recipe(session_by="searcher") if "big" in name else recipe.Recipe()
        names = {"doc": "id", "text": "comment"} if "big" in name else {}
        study = read.read_study(given, recipe=replace(rules, mapping=names))
        assert study.results[["rank", "doc", "clicked"]].astype(str).to_numpy().tolist() == [
            ["1", "a", "True"]
        ]
        assert study.queries["text"].tolist() == ["tea"]
        assert study.sessions["searcher"].tolist() == ["u1"]
        assert study.sessions["marked"].tolist() == [1.0]
