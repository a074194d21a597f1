"""Trees with several lists, and maps: which of them is the log, and what is read of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.recipe import Recipe
from tests.support.refusals import refusal
from tests.support.told import Contents, lists_of, made, put

JUDGED = "topic,doc,grade\nt,a,2\nt,b,0\nt,c,1\n"
QUERY: dict[str, Any] = {"session": "s", "topic": "t", "query_number": 1}


def docs(*names: str) -> list[dict[str, str]]:
    """Results that are objects."""
    return [{"doc": name} for name in names]


def graded(*names: str) -> list[dict[str, Any]]:
    """The same with a grade each."""
    return [{"doc": name, "relevance": ord(name) - 97} for name in names]


def lines(*objects: Any, **each: Any) -> str:
    """Objects, one a line."""
    return "".join(json.dumps({**each, **one}) + "\n" for one in objects)


def turns(other: str = "cites", first: str = "x", last: str = "y") -> str:
    """Queries with the results that they showed, and another list of documents."""
    return lines(
        {**QUERY, "results": docs("a", "b"), other: docs(first)},
        {**QUERY, "query_number": 2, "results": docs("c"), other: []},
        {**QUERY, "query_number": 3, "results": [], other: docs(last)},
    )


def in_a_map(**queries: Any) -> str:
    """Queries by their keys beside another field."""
    return json.dumps({"made": "2026", "queries": queries}, indent=1)


BY_KEY = {"s_1": {"hits": [{"docid": "a"}, {"docid": "b"}]}, "s_2": {"hits": []}}
LISTS = {"s_1": [{"docid": "a"}, {"docid": "b"}], "s_2": []}
LATE = [{**QUERY, "query_number": i, "results": docs("a")} for i in range(1, 5)]
LISTE = [{**QUERY, "liste": [{"nr": "a"}, {"nr": "b"}], "unbekannt": [{"nr": "z"}]},
         {**QUERY, "query_number": 2, "liste": [{"nr": "c"}], "unbekannt": []}]  # fmt: skip
SCORES = [{"a1": 1.5, "b2": 2.5}, {"c3": 0.5}, {"d4": 1.5, "e5": 0.5}, {"f6": 1.5, "g7": 9.5}]
EVENTS = [
    {"type": "query", "query": "x", "results": docs("a", "b"), "facets": [{"n": 3}]},
    {"type": "click", "doc": "b"},
    {"type": "query", "query": "y", "results": [], "facets": []},
]
PLACED = docs("b", "a", "c")
SHOWN: dict[str, tuple[Contents, list[str], str]] = {
    # the third query has no results, and keeps its place
    "judged documents": ({"log.jsonl": turns()}, [], "s.1 t: a b | s.2 t: c | s.3 t:"),
    "as is said": ({"log.jsonl": turns(first="a")}, ["lists=log.jsonl=cites"],
                   "s.1 t: a | s.2 t: | s.3 t: y"),
    "clicks beside": ({"log.jsonl": turns("clicks", "b", "")}, [],
                      "s.1 t: a b* | s.2 t: c | s.3 t:"),
    "a map of queries": ({"log.json": in_a_map(**BY_KEY), "q.txt": "s 0 a 2\n"}, [],
                         "s.1 s: a b | s.2 s:"),
    "a map of lists": ({"log.json": in_a_map(**LISTS), "q.txt": "s 0 a 2\n"}, [],
                       "s.1 s: a b | s.2 s:"),
    "a list that comes late": ({"log.jsonl": lines(*LATE, {**QUERY, "query_number": 5,
                                                           "results": [], "cites": docs("b")})},
                               ["lists=log.jsonl=cites"],
                               "s.1 t: | s.2 t: | s.3 t: | s.4 t: | s.5 t: b"),
    "grades, and clicks beside": ({"j.csv": "", "log.json": json.dumps({"session": "s", "queries": [
        {"query": "x", "clicks": docs("b"), "results": graded("a", "b")},
        {"query": "y", "clicks": [], "results": graded("a")}]})}, ["topics_by=session"],
        "s.1 s: a b* | s.2 s: a"),
    "clicks as objects, beside results in a list of texts": ({"log.json": json.dumps(
        {"session": "s", "topic": "t", "queries": [
            {"query": "x", "results": ["b", "a"], "clicks": [{"docid": "a", "at": 3}]},
            {"query": "y", "results": ["c"], "clicks": []}]})}, [], "s.1 t: b a* | s.2 t: c"),
    "grades in a list beside documents in one": ({"j.csv": "", "log.jsonl": lines(
        {**QUERY, "docs": ["b", "a"], "rels": [0, 2]},
        {**QUERY, "query_number": 2, "docs": ["c"], "rels": [1]})}, [], "s.1 t: b a | s.2 t: c"),
    "names that nobody knows": ({"log.jsonl": lines(*LISTE)}, [], "s.1 t: a b | s.2 t: c"),
    "numbers by document": ({"log.jsonl": lines(*({**QUERY, "query_number": i, "results": own}
                                                  for i, own in enumerate(SCORES, 1))),
                             "j.csv": "topic,doc,grade\nt,a1,2\nt,g7,1\n"}, [],
                            "s.1 t: b2 a1 | s.2 t: c3 | s.3 t: d4 e5 | s.4 t: g7 f6"),
    "keys of a map, by their scores": ({"log.json": json.dumps([
        {**QUERY, "docs": {"d1": {"score": 1.5}, "d2": {"score": 2.5}}}]),
        "j.csv": JUDGED.replace("t,a", "t,d1")}, [], "s.1 t: 2=d1 1=d2"),
    "events": ({"log.jsonl": lines(*EVENTS, session="s", topic="t")}, [], "s.1 t: a b* | s.2 t:"),
    "ranks that were opened": ({"log.json": json.dumps(
        [{**QUERY, "hits": PLACED, "clicks": [1, 3]}])}, [], "s.1 t: b* a c*"),
    "documents that were opened": ({"log.json": json.dumps(
        [{**QUERY, "hits": PLACED, "clicks": ["a"]}])}, [], "s.1 t: b a* c"),
}  # fmt: skip


@pytest.mark.parametrize("what", SHOWN)
def test_the_log_is_the_list_of_what_was_shown(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "late" in what:
        monkeypatch.setattr("sdcg_explorer.reading.readers.json_files.LOOKED_AT", 2)
    files, texts, told = SHOWN[what]
    put(tmp_path, {name: text for name, text in {"j.csv": JUDGED, **files}.items() if text})
    study = made(tmp_path, {}, **vars(Recipe().with_texts(texts)))
    assert lists_of(study) == told
    if what == "numbers by document":
        rules = {p.found: p.rule for p in study.report.problems}
        assert rules["scores beside documents in results"].startswith("in an object they rank")


def chat(*, who: str, listing: str, searched: bool) -> dict[str, Any]:
    """A conversation of three questions, an empty list among the answers, and thanks."""
    made: list[dict[str, Any]] = []
    for asked, found in (("tea", "ba"), ("tea pot", ""), ("cup", "c"), ("thanks", None)):
        passages = [{"docid": doc, "text": f"about {doc}"} for doc in found or ""]
        lists: dict[str, Any] = {"retrieval": None}
        if found is not None:
            own = {"query": f"{asked}!"} if searched else {}
            lists = {"retrieval": {**own, "passages": passages}}
        ask = {who: "User", "text": asked, **(lists if listing == "asks" else {})}
        answer = {who: "assistant", "text": f"On {asked}."}
        made += [ask, {**answer, **(lists if listing == "answers" else {})}]
    return {"session": "s", "topic": "t", "turns": made}


# each of these with each of the others
KINDS = [True] * 3 + [False] * 3, [True, False, "the last first"] * 2
TURNS = zip(["asks", "answers"] * 3, *KINDS, strict=True)


@pytest.mark.parametrize(("listing", "searched", "flat"), [*TURNS])
def test_a_turn_that_asks_and_its_answer_are_one_query(
    listing: str, searched: bool, flat: bool | str, tmp_path: Path
) -> None:
    talk = chat(who="role", listing=listing, searched=searched)
    talks = [talk, {**talk, "session": "s2"}]
    if flat:  # messages as they came, of two conversations at once
        turns = talk.pop("turns")
        talks = [{**talk, "session": session, **turn} for turn in turns for session in ("s", "s2")]
    if flat == "the last first":
        talks = [{**m, "created_at": 1000 + i, "query_time": 2000 - i} for i, m in enumerate(talks)]
        talks.reverse()
        talks.sort(key=lambda message: message["session"])
    study = made(tmp_path, {"log.json": json.dumps(talks), "j.csv": JUDGED})
    texts = [f"{text}{'!' * searched}" for text in ("tea", "tea pot", "cup")]
    lists = [f"{{0}}.{i} t: {shown}".rstrip() for i, shown in enumerate(["b a", "", "c"], start=1)]
    assert lists_of(study) == " | ".join(one.format(s) for s in ("s", "s2") for one in lists)
    assert study.queries["text"].tolist() == texts * 2
    (said,) = [p.found for p in study.problems if "turns" in p.found]
    assert said == "16 turns of conversations"


def test_turns_of_two_sides_that_both_list_stay_as_they_are(tmp_path: Path) -> None:
    talk = chat(who="speaker", listing="answers", searched=False)
    talk["turns"][0]["retrieval"] = {"passages": [{"docid": "c"}]}
    assert len(made(tmp_path, {"log.json": json.dumps(talk), "j.csv": JUDGED}).queries) == 8


REFUSED: dict[str, tuple[str, list[str], str]] = {
    "two lists of judged documents": (turns(first="a"), [],
        "log.jsonl: several lists of documents: results, cites; only one list has the results. Say "
        "which is the log: --set lists='log.jsonl=results' or --set lists='log.jsonl=cites'."),
    "another list": (turns(first="a"), ["lists=log.jsonl=hits"],
        "log.jsonl: no list 'hits'; its lists of objects are results, cites. Correct --set lists."),
    "clicks beside documents of no known name": (
        lines({**QUERY, "rank": 1, "clicked": ["x"], "hits": [{"page": "a"}, {"page": "b"}]}), [],
        "files: nearest reading: 1 session, 1 query, 2 results, 100% judged; sessions are session, "
        "queries query_number, documents page, ranks by the order of lists, topics topic. To force "
        "it: --map 'doc=page,log.jsonl:rank=(none)'."),
    "lists without end": (lines(*({"session": "s", f"l{i}": docs("a")} for i in range(60))), [],
        "log.jsonl: more lists of objects; objects of a file have at most 50 lists of objects. "
        "Write what names them as a field."),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_lists_that_either_may_be_are_asked(what: str, tmp_path: Path) -> None:
    log, texts, told = REFUSED[what]
    put(tmp_path, {"log.jsonl": log, "j.csv": JUDGED})
    recipe = vars(Recipe().with_texts(texts))
    assert refusal(lambda: made(tmp_path, {}, **recipe)).splitlines()[0] == told


def test_what_parts_of_a_document_say_is_not_the_query_s_text(tmp_path: Path) -> None:
    log = lines({**QUERY, "query": "x", "hits": [{"docid": "a", "parts": [{"text": "said"}]}]})
    assert made(tmp_path, {"log.jsonl": log, "j.csv": JUDGED}).queries["text"].tolist() == ["x"]
