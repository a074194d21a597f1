"""Tables as researchers have them: names, shapes, and cells that hold lists."""

import json
from pathlib import Path

import pytest

from docs.column_names import names_table
from sdcg_explorer.reading.mapping import ROLES, map_columns
from sdcg_explorer.reading.propose import judged_share
from tests.support import plain_files, tables
from tests.support.agent_layouts import lines
from tests.support.formats import Table, database_of
from tests.support.refusals import JUDGMENTS, refusal
from tests.support.told import lists_of, made


def test_a_column_is_known_by_each_name_however_it_is_spelled() -> None:
    for role in (role for of_kind in ROLES.values() for role in of_kind):
        for name in role.names:
            for spelled in (name, name.upper(), name.replace("_", " "), name.replace("_", "-")):
                assert map_columns([spelled], (role,), {}) == {role.name: spelled}
            joined = name.replace("_", "")
            assert map_columns([joined], (role,), {}) == {role.name: joined}
    assert names_table() in (plain_files.ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


LISTED = "session,query_number,topic,docs\n"


def quoted(cell: str) -> str:
    """A cell as CSV has it."""
    return '"' + cell.replace('"', '""') + '"'


NO_RESULTS = {
    "a field of a result": '{"score": 9.5, "rank": 1}',
    "texts by name": '{"a": "b c", "d": "e f"}',
    "objects without a document": '[{"score": 1}, {"score": 2}]',
    "nothing as a document": '{"1": "a", "2": null}',
    "a document twice": '{"a": 2.5, "a": 1.5}',
    "a set, which has no order": "{'a', 'b'}",
    "pairs of texts": "[('a', 'b c'), ('d', 'e')]",
    "lists of lists": '[["a", "b", "c"], ["d"]]',
    "cut short": '{"1": "a", "2": "b',
    "no Python": "(a b, c d)",
    "another type": "defaultdict(<class 'float'>, {'a': 1.5})",
    "scores of documents 1 and 2, or documents 30 and 20": '{"1": 30, "2": 20}',
    "scores or ranks": '{"a": 2, "b": 1}',
    "brackets of one id": "a (b c) d",
}


@pytest.mark.parametrize("case", NO_RESULTS)
def test_objects_that_are_no_results_are_refused(case: str, tmp_path: Path) -> None:
    files = {"log_csv": f"{LISTED}s1,1,t,{quoted(NO_RESULTS[case])}\n", "judgments_csv": JUDGMENTS}
    line = refusal(lambda: tables.read(tmp_path, **files))
    assert line.startswith(f"log.csv, line 2: results that can't be read, {NO_RESULTS[case]!r}; ")


WIDE = {  # header and row of a column for each rank: the list, or why there is none
    "places": ("query_number,r1,r2,r3", "1,a,b,c", "s1.1 t: a b c"),
    "a list of ranks": ("query_number,doc1,doc2,doc3,clicked", '1,a,b,c,"1,3"', "s1.1 t: a* b c*"),
    "places and a list": ("query_number,r1,r2,r3,clicked", '1,a,b,c,"1,3"', "s1.1 t: a* b c*"),
    "a document": ("query_number,url_1,url_2,url_3,clicked_url", "1,a,b,c,b", "s1.1 t: a b* c"),
    "each result": (
        "query_number,result1_url,result1_clicked,result2_id,result2_clicked",
        "1,a,0,b,1",
        "s1.1 t: a b*",
    ),
    "a number alone": ("query_number,r1,r2,r3,clicked", "1,a,b,c,3", "clicked '3 beside 3 doc"),
    "a gap": ("query_number,r1,r2,r3,clicked", '1,a,,c,"1,3"', "no rank column"),
}


@pytest.mark.parametrize("what", WIDE)
def test_a_column_for_each_rank_stands_beside_what_was_clicked(what: str, tmp_path: Path) -> None:
    header, row, told = WIDE[what]
    files = {"log_csv": f"session,topic,{header}\ns1,t,{row}\n", "judgments_csv": JUDGMENTS}
    if told.startswith("s1"):
        assert lists_of(tables.read(tmp_path, **files)) == told
    else:
        assert told in refusal(lambda: tables.read(tmp_path, **files))


@pytest.mark.parametrize(
    ("times", "asked", "told"),
    [
        (("1:05 PM", "11:00 AM"), ["tea", "milk"], "they are numbered by time"),
        (("13:05:00", "9:00:30"), ["tea", "milk"], "they are numbered by time"),
        (("46024,4201388889", "46024,4166666667"), ["tea", "milk"], "they are numbered by time"),
        (("23:58", "0:04"), ["milk", "tea"], "they are numbered in the order of their rows."),
        (("2031-02-03", "2031-02-03"), ["milk", "tea"], "in the order of their rows."),
        (("noon", "9:00 AM"), ["milk", "tea"], "as times such as 'noon' aren't read"),
    ],
)
def test_times_of_day_order_a_session_s_queries_but_not_over_midnight(
    times: tuple[str, str], asked: list[str], told: str, tmp_path: Path
) -> None:
    rows = zip(times, ("milk", "tea"), "ab", strict=True)
    log = "".join(f's1,t,"{time}",{query},1,{doc}\n' for time, query, doc in rows)
    log = f"session,topic,time,query,rank,doc\n{log}"
    study = tables.read(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    by_number = study.queries.sort_values("query_number")
    assert by_number["text"].tolist() == asked
    assert any(told in str(problem) for problem in study.report.problems)


def test_text_with_elements_within_is_read_whole(tmp_path: Path) -> None:
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><query>foo <em>bar</em> baz'
        '</query><results><result rank="1"><docno>a</docno></result></results></interaction>'
        "</session></log>"
    )
    study = tables.read(tmp_path, log_xml=log, judgments_csv=JUDGMENTS)
    assert study.queries["text"].tolist() == ["foo bar baz"]


TURNS = [
    *({"role": "user", "content": "tea"}, {"role": "assistant", "content": "", "citations": ["a"]}),
    *({"role": "user", "content": "milk"}, {"role": "assistant", "citations": ["b", "a"]}),
]
SEARCHES = [
    *({"type": "web_search_call", "action": {"query": q, "sources": [{"url": d} for d in docs]}}
      for q, docs in (("tea", "a"), ("milk", "ba"))),
]  # fmt: skip
PASSAGES = [{"id": d, "text": f"of {d}"} for d in "ba"]
SESSION = {"session": "s1", "topic": "t"}
ASIAN = "会话,任务,查询序号,查询词,排名,文档ID\ns1,t,1,茶叶,1,a\ns1,t,2,牛奶,1,b\ns1,t,2,牛奶,2,a\n"
KANA = "セッション,課題,クエリ番号,クエリ,順位,文書ID\ns1,t,1,茶,1,a\ns1,t,2,乳,1,b\n"
ACTIONS = "session_id,topic,date,action_label,search_term,result_ids,record_id\n" + (
    "s1,t,2026-03-02 09:00:00,search,tea,a;c,\ns1,t,2026-03-02 09:00:09,view_record,,,a\n"
    "s1,t,2026-03-02 09:01:00,search,milk,b;a,\n"
)
DATED = "session.id,labels.task,@timestamp,query,docs\n" + "".join((
    's1,t,"Mar 2, 2026 @ 10:00:00.000",milk,b;a\n',
    's1,t,"Mar 2, 2026 @ 9:00:00.000",tea,a;c\n',
))  # fmt: skip
KINDS = {  # what studies of search are kept in, each with its lists and the texts of its queries
    "answers that cite": (
        {"log.json": json.dumps([{"conversation_id": "s1", "topic": "t", "messages": TURNS}])},
        "s1.1 t: a | s1.2 t: b a", "tea milk",
    ),
    "web searches of a response": (
        {"log.jsonl": lines(
            [{"id": "r1", "object": "response", "metadata": {"topic": "t"}, "output": SEARCHES}]
        )},
        "t.1 t: a | t.2 t: b a", "tea milk",
    ),
    "passages with texts": (
        {"log.jsonl": lines([
            {**SESSION, "query_number": 1, "query": "tea", "results": PASSAGES[1:]},
            {**SESSION, "query_number": 2, "query": "milk", "results": PASSAGES},
        ])},
        "s1.1 t: a | s1.2 t: b a", "tea milk",
    ),
    "Chinese": ({"log.csv": ASIAN.encode("gb18030")}, "s1.1 t: a | s1.2 t: b a", "茶叶 牛奶"),
    "Japanese": ({"log.csv": KANA.encode("shift_jis")}, "s1.1 t: a | s1.2 t: b", "茶 乳"),
    "bars": (
        {"log.csv": "session|topic|query_number|query|rank|doc\ns1|t|1|tea|1|a\ns1|t|2|milk|1|b\n"},
        "s1.1 t: a | s1.2 t: b", "tea milk",
    ),
    "records viewed": ({"log.csv": ACTIONS}, "s1.1 t: a* c | s1.2 t: b a", "tea milk"),
    "names with dots and months in words": (
        {"log.csv": DATED}, "s1.2 t: b a | s1.1 t: a c", "milk tea",
    ),
    "a row per session": (
        {"log.csv": "pid,topic,q1_text,q1_results,q2_text,q2_results\ns1,t,tea,a;c,milk,b;a\n"},
        "s1/t.1 t: a c | s1/t.2 t: b a", "tea milk",
    ),
    "tables of a database": (
        {
            "sessions.csv": "id,participant_id,task_id\n8,p,t\n",
            "queries.csv": "id,session_id,query,time\n31,8,tea,10\n32,8,milk,20\n",
            "serp_items.csv": "query_id,position,document\n31,1,a\n32,1,b\n32,2,a\n",
            "judgments.csv": "task_id,document,relevance\nt,a,1\nt,b,0\n",
        },
        "8.1 t: a | 8.2 t: b a", "tea milk",
    ),
    "a database of a program": (
        {
            "judgments.csv": "",
            "study.db": database_of(
                app_session=Table(("id", "participant_id", "task_id"), [(8, "p", "t")]),
                app_query=Table(("id", "session_id", "query"), [(31, 8, "tea"), (32, 8, "milk")]),
                app_result=Table(
                    ("query_id", "rank", "doc"), [(31, 1, "a"), (32, 1, "b"), (32, 2, "a")]
                ),
                app_judgment=Table(("task_id", "doc", "grade"), [("t", "a", 1), ("t", "b", 0)]),
            ),
        },
        "8.1 t: a | 8.2 t: b a", "tea milk",
    ),
    "judgments by a query's id beside its text": (
        {
            "judgments.csv": "",
            "run.txt": "31_1 Q0 a 1 2.5 x\n31_2 Q0 b 1 2.5 x\n",
            "judgments.jsonl": lines([
                {"query": "tea", "qid": f"31_{n}", "docid": d, "relevance": "2 - good"}
                for n in (1, 2) for d in "ab"
            ]),
        },
        "31.1 31_1: a | 31.2 31_2: b", " ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_studies_of_search_are_kept_in_is_read(kind: str, tmp_path: Path) -> None:
    files, told, texts = KINDS[kind]
    rules = {"session_by": "pid,topic"} if kind == "a row per session" else {}
    files = {"judgments.csv": "topic,doc,grade\nt,a,1\nt,b,0\n"} | files
    study = made(tmp_path, {name: text for name, text in files.items() if text}, **rules)
    assert lists_of(study) == told
    assert " ".join(study.queries["text"].astype("str")) == texts
    assert judged_share(study) >= 3 / 4
