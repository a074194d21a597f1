"""Records as tools of experiments, databases and assessors write them: each is one small study."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import outcome

GRADES = "topic,doc,grade\nbees,a,0\nbees,b,2\nbees,c,1\nwasps,b,1\nwasps,d,3\n"
ASKED = (  # session, searcher, topic, query number, text, documents
    ("s1", "p1", "bees", 1, "hives", "a b"), ("s1", "p1", "bees", 2, "hives", "c a"),
    ("s2", "p2", "wasps", 1, "nests", "b d"),
)  # fmt: skip
EACH = "s1.1 bees: a b | s1.2 bees: c a | s2.1 wasps: b d"
CLICKED = EACH.replace("b |", "b* |")
LOG = "session,topic,query_number,rank,doc\ns1,bees,1,1,a\ns1,bees,1,2,b\ns2,wasps,1,1,d\n"
FEW = "s1.1 bees: a b | s2.1 wasps: d"
MODEL = "session,topic,query_number,rank,doc,model\ns1,bees,1,1,a,old\ns2,wasps,1,1,d,new\n"
TWO = "2 sessions, 2 queries, 2 results, 100% judged; "
FOUR = TWO.replace("2 ", "4 ")
OFFERED = (
    "files: 2 readings fit; names and content don't decide between them. Choose one of these.\n"
)


def by_query(line: str, header: str, sign: str = " ") -> str:
    """A line for each query, with a sign between its documents."""
    lines = (
        line.format(*asked[:5], sign.join(asked[5].split())).replace("'", '""') for asked in ASKED
    )
    return "\n".join([header, *lines, ""])


def run(query_id: str) -> str:
    """A run with these ids of queries."""
    return "".join(
        f"{query_id.format(*asked)} Q0 {doc} {rank} {9 - rank} sys\n"
        for asked in ASKED for rank, doc in enumerate(asked[5].split(), 1)
    )  # fmt: skip


def objects(*names: str) -> str:
    """Objects in lines, with these names for topic, text, documents."""
    return "".join(
        json.dumps({"session": s, **dict(zip(names, (topic, text, docs.split()), strict=True))})
        + "\n" for s, _, topic, _, text, docs in ASKED
    )  # fmt: skip


EVENTS = "event,session,data\n" + "".join(
    f'{event},{s},"{json.dumps({"task": topic, **told}).replace(chr(34), chr(34) * 2)}"\n'
    for s, _, topic, n, text, docs in ASKED
    for event, told in (
        ("search", {"query": f"{text} {n}", "results": docs.split()}),
        ("click", {"doc": docs.split()[1]}),
    )
)
OF_PEOPLE = {
    who: {
        topic: {"system": "x", "queries": [{"query": who, "results": docs}]}
        for topic, docs in (("bees", ["a", "b"]), ("wasps", ["b", "d"]))
    }
    for who in ("p1", "p2")
}
RECORDS: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "objects in a column of a table": ({"log.csv": EVENTS}, {},
        EACH.replace("b |", "b* |").replace("c a", "c a*").replace("b d", "b d*")),
    "a list for each row, whatever is asked": ({"log.jsonl": objects("topic", "query", "docs")},
        {"query_by": "query"}, EACH),
    "places in lists": ({"log.csv": by_query('{0},{2},{3},"1. {5}"', "session,topic,query_no,docs",
        "\n2. ")}, {}, EACH),
    "as R writes lists": ({"log.csv": by_query('{0},{2},{3},"c(\'{5}\')"',
        "session,topic,query_no,docs", "', '")}, {}, EACH),
    "clicks in columns by rank": ({"log.csv": "session,topic,query_no,r1,r2,c1,c2\ns1,bees,1,a,b,"
        "0,1\ns1,bees,2,c,a,0,\ns2,wasps,1,b,d,0,0\n"}, {}, CLICKED),
    "clicks by searcher and topic": ({"log.csv": "session,user,topic,query_no,rank,doc\n"
        "s1,u,bees,1,1,a\ns1,u,bees,1,2,b\ns2,v,bees,1,1,a\n", "clicks.csv":
        "participant,task,url\nu,bees,b\nv,bees,a\n"}, {}, "s1.1 bees: a b* | s2.1 bees: a*"),
    "clicks by rank": ({"log.csv": LOG, "clicks.csv": "session,query_number,rank,at\ns1,1,2,9\n"
        "s2,1,1,9\n"}, {}, "s1.1 bees: a b* | s2.1 wasps: d*"),
    **{f"clicks with ranks, {how}": ({"log.csv": LOG, f"{file}.csv":
        f"session,query_number,doc,rank{more}\ns1,1,b,2{cell}\ns2,1,d,1{cell}\n"}, {},
        "s1.1 bees: a b* | s2.1 wasps: d*")
       for how, file, more, cell in (("by name", "klicks", "", ""),
                                     ("read", "seconds", ",dwell", ",9"))},
    "clicks that may be of several lists": ({"log.csv": LOG.replace("s2,wasps,1,1,d",
        "s1,bees,2,1,a"), "clicks.csv": "session,page\ns1,a\n"}, {},
        "s1.1 bees: a b | s1.2 bees: a"),
    "places of clicks, with commas": ({"log.csv": "session,topic,query_no,docs,clicked_ranks\n"
        's1,bees,1,a;b,"1,2"\ns1,bees,2,c;a,1\n'}, {}, "s1.1 bees: a* b* | s1.2 bees: c* a"),
    "places of clicks, in JSON": ({"log.jsonl": "".join(json.dumps({"session": "s1", "topic":
        "bees", "results": docs.split(), "clicks": places}) + "\n"
        for docs, places in (("a b", [1, 2]), ("c a", [2]), ("b d", [])))}, {},
        "s1.1 bees: a* b* | s1.2 bees: c a* | s1.3 bees: b d"),
    "a file for each system": ({f"{of}.csv": "session,searcher,topic,query_number,rank,doc\n"
        f"{of}1,p1,bees,1,1,{of}\n{of}2,p2,bees,1,1,c\n" for of in "ab"}, {},
        f"{OFFERED}files: {FOUR}each file is a system. Read with --system-by-file.\n"
        f"files: {FOUR}there is one system. Read with --map 'system=(none)'."),
    "judgments in files, of no topic": ({"log.csv": LOG.replace("topic", "aim").replace("s2", "s1")
        .replace(",1,1,d", ",2,1,d"), "judged.csv": "", "x.csv": "doc,grade\na,1\nb,0\n",
        "y.csv": "doc,grade\nd,2\n"}, {"topics_by": "one"}, "s1.1 : a b | s1.2 : d"),
    "rows that hold no query": ({"log.jsonl": "".join(json.dumps(
        {"type": kind, "time": n, "session": s, "topic": t, **told}) + "\n" for s, _, t, n, q, d in
        ASKED for kind, told in (("hint", {"prefix": "h"}), ("asked", {"query": f"{q} {n}",
            "results": d.split()})))}, {}, OFFERED.strip().replace("2", "3")),
    "tasks with each system": ({"log.csv": "participant,ui,task,time,query,rank,url\n" + "".join(
        f"p{k // 8},{'xy'[k // 4 % 2]},{('bees', 'wasps')[k // 2 % 2]},2026-01-02 {k + 10}:00,"
        f"q{k},{r},{d}\n" for k in range(10) for r, d in ((1, "b"), (2, "acd"[k % 3])))}, {},
        "p0/bees/x.1 bees: b a | p0/bees/x.2 bees: b c | p0/wasps/x.1 wasps: b d | p0/wasps/x.2 "
        "wasps: b a | p0/bees/y.1 bees: b c | p0/bees/y.2 bees: b d | p0/wasps/y.1 wasps: b a | "
        "p0/wasps/y.2 wasps: b c | p1/bees/x.1 bees: b d | p1/bees/x.2 bees: b a"),
    "clicks by the id of a result, and a query without results": ({
        "sessions.csv": "id,user_id,task\n1,7,bees\n2,8,wasps\n",
        "users.csv": "id,timestamp,age\n7,2026-01-01 09:00,30\n8,2026-01-01 09:05,40\n",
        "queries.csv": "id,session_id,query_text,issued_at\nx,1,hives,2026-01-02 10:05\n"
            "y,1,bee,2026-01-02 10:01\nz,2,nests,2026-01-02 11:00\nw,2,ants,2026-01-02 11:01\n",
        "results.csv": "id,query_id,position,document\n1,x,1,a\n2,x,2,b\n3,y,1,c\n4,z,1,d\n",
        "clicks.csv": "id,result_id,dwell_seconds\n1,2,5\n2,4,9\n"}, {},
        "1.2 bees: a b* | 1.1 bees: c | 2.1 wasps: d* | 2.2 wasps:"),
    "ids that name the session, too": ({"log.csv": "session,query_id,topic,rank,doc\n"
        "s1,s1-7,bees,1,a\ns1,s1-7,bees,2,b\ns1,s1-9,bees,1,c\ns2,s2-3,wasps,1,d\n"}, {},
        "s1.1 bees: a b | s1.2 bees: c | s2.1 wasps: d"),
    "ids that name the topic between": ({"all.run": run("{1}-{2}-{3}")}, {},
        EACH.replace("s1", "p1-bees").replace("s2", "p2-wasps")),
    "topics of a run's sessions": ({"all.run": run("{1}.{3}"),
        "who.csv": "session,topic\np1,bees\np2,wasps\n"}, {}, EACH.replace("s", "p", 1).replace(
        "| s", "| p").replace("s2", "p2")),
    "clicks alone, a query for each text, timed as .NET does": ({"log.jsonl": "".join(json.dumps(
        {"DateCreated": f"/Date(135825{at}000000)/", "SessionId": s, "SearchQuery": topic,
            "DocumentId": doc, "Rank": rank, "Title": f"Of {topic} {at}"}) + "\n"
        for at, s, topic, doc, rank in ((2, "s1", "bees", "b", 2), (1, "s1", "wasps", "d", 3),
            (3, "s2", "wasps", "b", 1)))}, {}, "s1.2 bees: 2=b | s1.1 wasps: 3=d | s2.1 wasps: b"),
    "texts that differ in a session": ({"log.csv": "SessionId,Keywords,DocumentId,Rank,Clicked\n"
        "s1,hives,a,1,1\ns1,nests,b,3,1\ns2,bees,b,2,1\n", "judged.csv": ""}, {}, "files: no log; "
        "a study needs a log, with columns for session, query number, rank and document. Give the "
        "log, or say which file it is."),
    "times of reading": ({"log.csv": LOG, "reading.csv": "session,query_number,doc,dwell_seconds\n"
        "s1,1,b,12.5\ns2,1,d,3\n"}, {}, "s1.1 bees: a b* | s2.1 wasps: d*\n"
        "log.csv [3, 4] repaired: 'dwell_seconds' is added up over the results of a query"),
    "people and their tasks by name": ({"log.json": json.dumps(OF_PEOPLE)},
        {"mapping": {"log.json:topic": "key"}, "session_by": "outer_key,key"},
        "p1/bees.1 bees: a b | p1/wasps.1 wasps: b d | p2/bees.1 bees: a b | p2/wasps.1 wasps: b d"
        ),
    "tabs part cells with blanks": ({"log.tsv": "x1\tblue bees\t1\t1\ta\nx1\tblue bees\t1\t2\tb\n"},
        {}, "files: no log; a study needs a log, with columns for session, query number, rank and "
        "document. Give the log, or say which file it is."),
    "a file of each assessor": ({"log.csv": LOG, "judged.csv": "",
        "ann.txt": "bees 0 a 0\nbees 0 b 2\nwasps 0 d 3\n",
        "ben.txt": "bees 0 a 1\nbees 0 b 2\nwasps 0 d 3\n"}, {},
        "ann.txt, ben.txt: assessors graded 1 document differently; a document may have only "
        "one grade per topic. Choose whose grades count: --assessors mean, max, or a name: ann, "
        "ben."),
    "labels in lists of one": ({"log.csv": LOG, "judged.csv": "", "labels.jsonl": "".join(
        json.dumps({"label": [label], "meta": {"topic": topic, "doc": doc}}) + "\n"
        for label, topic, doc in (("relevant", "bees", "b"), ("relevant", "bees", "c"),
            ("not relevant", "wasps", "d")))}, {},
        f"{FEW} // bees/b=1 bees/c=1 wasps/d=0"),
    "a log, and grades by BEIR": ({"judged.csv": "",
        "log.txt": "session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n",
        "test.tsv": "query-id\tcorpus-id\tscore\nt\ta\t1\nt\tb\t0\n"}, {},
        "s1.1 t: a b | s2.1 t: b // t/a=1 t/b=0"),
    **{f"{name} by {one} and {other}": ({"judged.csv": "topic,doc,grade\nt,a,1\nt,b,0\n", "log.csv":
        f"person,{name},rank,doc,topic\np1,{one},1,a,t\np1,{one},2,b,t\np2,{other},1,b,t\n"}, {},
        "p1.1 t: a b | p2.1 t: b // t/a=1 t/b=0")
       for name, one, other in (("qid", 7, 12), ("query_id", 7, 12), ("query_number", 7, 12),
                                ("qid", "x", "y"))},
    "final grades": ({"log.csv": LOG, "judged.csv": "topic,doc,ann,ben,final\nbees,a,0,2,1\n"
        "bees,b,2,2,2\nwasps,d,3,1,2\n"}, {}, f"{FEW} // bees/a=1 bees/b=2 wasps/d=2"),
    "a column that may name systems": ({"log.csv": MODEL}, {},
        f"{OFFERED}files: {TWO}the systems are in the column model. Read with --map system=model.\n"
        f"files: {TWO}there is one system. Read with --map 'system=(none)'."),
}  # fmt: skip


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_is_the_study_that_it_holds(what: str, tmp_path: Path) -> None:
    files, rules, told = RECORDS[what]
    given = {name: text for name, text in ({"judged.csv": GRADES} | files).items() if text}
    came = outcome(tmp_path, given, grades=" // " in told, **rules)
    assert "\n".join(came.splitlines()[: told.count("\n") + 1]) == told
