"""Readings that names don't tell: found by what columns hold, taken where clear, else offered."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading import propose, recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.told import Contents, made, outcome, remedies_of

JUDGED = "need,paper,worth\nbees,p1,0\nbees,p2,2\nbees,p3,1\nwasps,p2,1\nwasps,p4,3\n"
IDS = (
    "visit,need,search_key,words,at,slot,paper\n"
    "v1,bees,7fe0,hives,2031-02-03 09:10:00,1,p1\nv1,bees,7fe0,hives,2031-02-03 09:10:00,2,p2\n"
    "v1,bees,01ab,hive health,2031-02-03 09:08:00,1,p3\n"
    "v2,wasps,c4d4,nests,2031-02-04 10:00:00,1,p4\n"
    "v2,wasps,aa10,nests in roofs,2031-02-04 10:02:00,1,p2\n"
)
LISTS = (
    "session,need,time,query,docs\ns1,bees,0,hives,p1;p2\ns1,bees,95,hive health,p3\n"
    "s2,wasps,0,nests,p4\ns2,wasps,60,nests in roofs,p2\n"
)
WITHIN = "person,engine,nr,words,slot,paper\n" + "".join(
    f"{who},{engine},{q},{who} {engine} {q},{rank},p{(3 * q + rank + len(engine)) % 4 + 1}\n"
    for who in ("ada", "bo") for engine in ("old", "brandnew") for q in (1, 2) for rank in (1, 2, 3)
)  # fmt: skip
GRADED = "session,query_number,topic,rank,doc,grade\n" + "".join(
    f"u1,1,u1,{rank},p{rank},{5 - rank}\n" for rank in range(1, 5)
)
ITALIAN = "Partecipante,Compito,Data,Ora,Interrogazione,Ris. 1,Ris. 2,Ris. 3\n" + (
    "P1,T1,06/03/2023,09:02:02,peste,p1,p2,p4\n,,06/03/2023,09:04:00,peste,,,\n"
    ",T2,06/03/2023,09:10:00,dati,p3,p2,p1\nP2,T2,16/03/2023,10:00:00,dati,p3,p1,\n"
    ",,16/03/2023,10:01:00,dati,p4,p2,p3\nTotale,,,,5,,,\n* ore locali,,,,,,,\n"
)
WEATHER = "day,temp,rain\n" + "".join(f"{i},{i % 7},{i % 3}\n" for i in range(1, 40))
TIMES = (
    "visit,need,search_key,sent_at,seen_at,slot,paper\n"
    "v1,bees,7fe0,2031-02-03 09:10,2031-02-03 09:10,1,p1\n"
    "v1,bees,01ab,2031-02-03 09:08,2031-02-03 09:12,1,p3\n"
    "v2,wasps,c4d4,2031-02-04 10:00,2031-02-04 10:01,1,p4\n"
    "v2,wasps,aa10,2031-02-04 10:02,2031-02-04 10:03,1,p2\n"
)
CLOCKS = (
    "session,topic,date,time,query,rank,doc\ns1,t,2031-02-03,15:03:00,hive health,1,p3\n"
    "s1,t,2031-02-03,14:58:00,hives,1,p1\ns1,t,2031-02-03,14:58:00,hives,2,p2\n"
)
GRADES = "topic,doc,grade\nt,p1,0\nt,p2,2\nt,p3,1\n"
SITTINGS = "{},topic,{},text,rank,doc\ns1,t,1,hives,1,p1\ns1,t,1,hives,2,p2\ns1,t,2,bees,1,p3\n"
EXPECTED = (
    "run_id,query,expected_docs,rank,document_id,is_match\n"
    "m1,hives,\"['p1', 'p3']\",1,p1,1\nm1,hives,\"['p1', 'p3']\",2,p2,0\n"
    "m2,nests,\"['p4', 'p9']\",1,p5,0\nm2,nests,\"['p4', 'p9']\",2,p4,1\n"
)
WORDS = (  # of two assessors; blanks and capitals make none another
    "need,paper,L.M.,I.U.\nbees,p1,very relevant,relevant\nbees,p2,not relevant,not relevant\n"
    "bees,p3,relevant ,marginal\nwasps,p4,relevant,relevant\nwasps,p4 ,relevant,relevant\n"
    "wasps,p2,Relevant,not relevant\n"
)
STUDY = json.dumps([  # whose sessions have a rating, and whose results grades
    {"user": f"u{u}", "sessions": [
        {"task": f"T{t}", "rating": 1 + u + t, "queries": [
            {"text": f"q{n}", "results": [
                {"doc": f"d{u + t + n + i}", "rank": i, "relevance": (u + t + n + i) % 3 or None}
                for i in range(1, 4)]} for n in range(2)]} for t in range(2)]} for u in range(2)
])  # fmt: skip
NUMBERED = "session,query_number,rank,doc\n" + "".join(
    f"s{s},{q},{r},{(7 * s + 11 * q + 3 * r) % 50}\n"
    for s in range(4) for q in (1, 2) for r in range(1, 9)
)  # fmt: skip
# visits are numbered for each person: who takes them for sessions mixes five people
VISITS = "person_key,session,query_number,rank,doc,topic\n" + "".join(
    f"{who},{visit},{10 * who + q},{rank},p{(who + q + rank) % 4 + 1},t\n"
    for who in range(5) for visit in (1, 2)
    for q in range(2 * visit, 2 * visit + 2) for rank in (1, 2)
)  # fmt: skip
CHOSEN = json.dumps([  # as an annotation tool exports them
    {"id": 7 + i, "data": {"need": need, "paper": paper}, "annotations": [
        {"completed_by": 3, "result": [{"value": {"choices": [choice]}, "type": "choices"}]}]}
    for i, (need, paper, choice) in enumerate([
        ("bees", "p1", "Not relevant"), ("bees", "p2", "Highly relevant"), ("bees", "p3", "Partly"),
        ("wasps", "p2", "Partly"), ("wasps", "p4", "Highly relevant")])
])  # fmt: skip
# an annotation tool's choice among options, beside its verdict on the task
OPTIONS = [{"id": i, "text": f"{i}"} for i in range(3)]
ACCEPTED = "".join(
    json.dumps({"need": need, "paper": paper, "options": OPTIONS,
        "accept": [grade] * (grade < 3), "answer": "accept" if grade < 3 else "ignore"}) + "\n"
    for need, paper, grade in [
        ("bees", "p1", 0), ("bees", "p2", 2), ("bees", "p3", 3), ("wasps", "p2", 1),
        ("wasps", "p4", 2)
    ]
)  # fmt: skip
KEYED = json.dumps({"sessions": {
    f"-N{s}": {"need": "bees", "queries": {
        f"-Q{s}{q}": {"query": f"tea {q}", "ts": 1_700_000_000_000 - q, "shown": [f"p{s}", f"p{q}"]}
        for q in (3, 4)}} for s in (1, 2)
}})  # fmt: skip
NAMES = {"visit": "v1", "need": "bees"}
FOUND = [(["p1", "p2", "p3"], "hive tools", [1]), (["p3", "p1"], "hives", [0, 1])]
SHOWN = "".join(
    json.dumps({**NAMES, "asked": asked,
        "ads": [{"position": 1, "page": f"ad {asked}"}, {"position": 2, "page": "ad"}],
        "organic": [{"position": i + 1, "page": p} for i, p in enumerate(papers)]}) + "\n"
    for papers, asked, _ in FOUND
)  # fmt: skip
TALK = json.dumps([{"conversation_id": "c1", "need": "bees", "messages": [
    each for papers, asked, _ in FOUND for each in (
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "Well.", "sources": [{"id": p} for p in papers]})]}
])  # fmt: skip
BY_KEYS = json.dumps({who: {need: [
    {"query": f"{who} {i}", "shown": [f"p{i}", "p3"]} for i in (1, 2)]
    for need in ("bees", "wasps")} for who in ("P1", "P2")})  # fmt: skip
EITHER = "".join(  # a longer list, and one that is judged, too: either may be what was shown
    json.dumps({**NAMES, "asked": f"hive {q}", "all": [{"page": f"p{i}"} for i in range(1, 5)],
        "few": [{"page": f"p{q}"}]}) + "\n"
    for q in range(1, 4)
)  # fmt: skip
COUNTED = "kind,step,pid,need,query,shown\n" + "".join(  # each row of a person's has a number
    f"intro,0,P{who},,,\n" + "".join(
        f"search,{4 * t + q},P{who},{need},{need} tool {q}{who},"
        f"p{(who + q) % 4 + 1};p{(who + t + 1) % 4 + 1}\n" if q < 3 else
        f"survey,{4 * t + q},P{who},{need},,\n"
        for t, need in enumerate(("bees", "wasps")) for q in (1, 2, 3))
    for who in range(6)
)  # fmt: skip
ASKED = "visit,asked,slot,paper\n" + "".join(
    f"v{v},hive {q},{slot},p{(v + q + slot) % 4 + 1}\n"
    for v in range(4) for q in range(2) for slot in (1, 2)
)  # fmt: skip
INDICES = "".join(
    json.dumps({**NAMES, "query": asked, "clicked_indices": at,
        "hits": [{"paper": p, "parts": [{"text": "said", "kind": "x"}]} for p in papers]}) + "\n"
    for papers, asked, at in FOUND
)  # fmt: skip
CLICKED = (
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n7\ttea\t2006-03-01 10:00:00\t2\ta.org\n"
    "7\ttea\t2006-03-01 10:00:00\t5\tb.org\n7\tpots\t2006-03-01 10:02:00\t\t\n"
    "7\tpots\t2006-03-01 12:00:00\t1\tc.org\n"
)
NO_LOG = (
    "files: no log; a study needs a log, with columns for session, query number, rank and "
    "document. Give the log, or say which file it is."
)
READING = re.compile(
    r"files: (?:read as |nearest reading: )?(.*?% judged); .*?\. (?:Read with|To force it:) (.*)\.$"
)
READ: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "choices of an annotation tool": ({"log.csv": IDS, "judged.json": CHOSEN, "judged.csv": ""}, {},
        "2 sessions, 4 queries, 5 results, 100% judged: --set kinds=log.csv=log --map doc=paper,"
        "rank=slot,session=visit,time=at,judged.json:doc=data_paper,grade=value_choices --set "
        "query_by=search_key --set grade_words='Not relevant,Partly,Highly relevant'"),
    "clicks alone": ({"log.tsv": CLICKED, "judged.csv": ""},
        {"session_by": "searcher", "session_gap": "30m", "query_by": "Query,QueryTime",
         "mapping": {"time": "QueryTime"}},
        "7/1.1 : 2=a.org* 5=b.org* | 7/1.2 : | 7/2.1 : c.org*"),
    "clicks of people": ({"log.tsv": "user\ttime\tquery\trank\turl\tclicked\n" + "".join(
            f"u\t2026-11-0{day} 10:0{n}:00\tq{n}\t{rank}\tp{n + rank}\t{rank % 2}\n"
            for day in (1, 2) for n in (1, 2) for rank in (1, 2)), "judged.csv": ""}, {},
        "2 sessions, 4 queries, 8 results, 0% judged: --set query_by=text --set session_gap=30m\n"
        "1 session, 4 queries, 8 results, 0% judged: --session-by searcher --set query_by=text"),
    "ids of queries that name no session": ({"log.csv": "user,task,query_id,rank,url,relevance\n"
            "u,t,k1z,1,p1,2\nu,t,k1z,2,p2,0\nu,t,k2z,1,p3,1\nv,t,k3z,1,p1,2\n",
            "judged.csv": ""}, {},
        "u.1 t: p1 p2 | u.2 t: p3 | v.1 t: p1\n2 sessions, 3 queries, 4 results, 100% judged: "
        "--map session=user --set query_by=query_id"),
    "ids of queries beside topics that judgments go by, with times of clicks": ({
            "log.csv": "query_id,topic,rank,doc,click_time\ns-1,t,1,p1,\ns-1,t,2,p2,10:09\n",
            "judged.csv": f"{GRADES}s-1,p2,1\n"}, {},
        "s.1 t: p1 p2*"),
    "a day and a time of day": ({"log.csv": CLOCKS, "judged.csv": GRADES}, {},
        "s1.2 t: p3 | s1.1 t: p1 p2\n"
        "1 session, 2 queries, 3 results, 100% judged: --set kinds=log.csv=log --map time=time "
        "--set query_by=query"),
    **{f"words in part, {names[0]}": (
        {"log.csv": SITTINGS.format(*names), "judged.csv": GRADES}, {},
        "s1.1 t: p1 p2 | s1.2 t: p3\n"
        f"1 session, 2 queries, 3 results, 100% judged: --map session={names[0]},"
        f"query_number={names[1]}")
       for names in (("Sitting", "no_of_query"), ("Seance", "N_requete"))},
    "two that may be the log": (
        {"log.csv": LISTS, "more.csv": IDS.replace("slot", "rank").replace("visit", "session")}, {},
        "2 sessions, 4 queries, 5 results, 100% judged: --map doc=paper,grade=worth\n"
        "2 sessions, 4 queries, 5 results, 100% judged: --set kinds=log.csv=ratings,more.csv=log "
        "--map doc=paper,time=at,grade=worth --set query_by=search_key"),
    "clicks are no judgments": (
        {"log.csv": IDS, "clicks.csv": JUDGED.replace("worth", "seconds"), "judged.csv": ""}, {},
        NO_LOG),
    "the weather beside grades": ({"log.csv": GRADED, "judged.csv": WEATHER}, {},
        "u1.1 u1: p1 p2 p3 p4"),
    "two times": ({"log.csv": TIMES}, {},
        "2 sessions, 4 queries, 4 results, 100% judged: --set kinds=log.csv=log --map "
        "doc=paper,rank=slot,session=visit,grade=worth,time=sent_at --set query_by=sent_at\n"
        "2 sessions, 4 queries, 4 results, 100% judged: --set kinds=log.csv=log --map "
        "doc=paper,rank=slot,session=visit,grade=worth,time=seen_at --set query_by=sent_at"),
    "two times that agree": ({"log.csv": TIMES.replace("09:08", "09:11")}, {},
        "v1.1 bees: p1 | v1.2 bees: p3 | v2.1 wasps: p4 | v2.2 wasps: p2\n"
        "2 sessions, 4 queries, 4 results, 100% judged: --set kinds=log.csv=log --map "
        "doc=paper,rank=slot,session=visit,grade=worth,time=sent_at --set query_by=sent_at"),
    "expected documents beside": ({"log.csv": EXPECTED, "judged.csv": ""}, {},
        "2 sessions, 2 queries, 4 results, 100% judged: --set kinds=log.csv=log --map "
        "session=query,grade=is_match --topics-by one --set query_by=query\n"
        "2 sessions, 2 queries, 4 results, 100% judged: --set kinds=log.csv=log --map "
        "session=query,grade=is_match --topics-by session --set query_by=query"),
    "accepted options": ({"log.csv": IDS, "judged.csv": "", "judged.jsonl": ACCEPTED}, {},
        "2 sessions, 4 queries, 5 results, 80% judged: --set kinds=log.csv=log --map doc=paper,"
        "rank=slot,session=visit,time=at,grade=accept --set query_by=search_key"),
    "a list beside another": ({"log.jsonl": SHOWN}, {},
        "v1.1 bees: p1 p2 p3 | v1.2 bees: p3 p1\n"
        "1 session, 2 queries, 5 results, 100% judged: --set kinds='log.jsonl [organic]=log' "
        "--map doc=page,session=visit,text=asked,judged.csv:doc=paper,grade=worth --set "
        "query_by=asked"),
    "sources of answers": ({"log.json": TALK}, {},
        "c1.1 bees: p1 p2 p3 | c1.2 bees: p3 p1\n"
        "1 session, 2 queries, 5 results, 100% judged: --map doc=id,judged.csv:doc=paper,"
        "grade=worth --set query_by=text"),
    "places of clicks, passages": ({"log.jsonl": INDICES}, {},
        "v1.1 bees: p1 p2* p3 | v1.2 bees: p3* p1*\n"
        "1 session, 2 queries, 5 results, 100% judged: --set kinds=log.jsonl=log --map doc=paper,"
        "session=visit,grade=worth --set query_by=query"),
    "people and their tasks as keys": ({"log.json": BY_KEYS}, {},
        "4 sessions, 8 queries, 16 results, 62% judged: --map topic=key,doc=paper,grade=worth "
        "--session-by outer_key,key"),
    "two lists of judged documents": ({"log.jsonl": EITHER}, {},
        "1 session, 3 queries, 12 results, 75% judged: --set kinds='log.jsonl [all]=log' "
        "--map doc=page,session=visit,text=asked,judged.csv:doc=paper,grade=worth --set "
        "query_by=asked\n"
        "1 session, 3 queries, 12 results, 75% judged: --set kinds='log.jsonl "
        "[all]=log' --map 'doc=page,log.jsonl "
        "[all]:session=visit,log.jsonl [all]:text=asked' --set query_by=asked --grade "
        "'log.jsonl [few]=1'\n"
        "1 session, 3 queries, 3 results, 100% judged: --set kinds='log.jsonl [few]=log' "
        "--map doc=page,session=visit,text=asked,judged.csv:doc=paper,grade=worth --set "
        "query_by=asked"),
    "a number of each row": ({"log.csv": COUNTED}, {},
        "12 sessions, 24 queries, 48 results, 65% judged: --set kinds=log.csv=log --map "
        "doc=shown,searcher=pid,judged.csv:doc=paper,grade=worth --set "
        "leave_out=kind=intro,kind=survey --session-by pid,need --set query_by=query\n"
        "6 sessions, 42 queries, 48 results, 65% judged: --map "
        "doc=shown,session=pid,query_number=step,judged.csv:doc=paper,grade=worth"),
    "topics in a table of sessions": ({"log.csv": ASKED,
        "visits.csv": "session,topic\nv0,bees\nv1,bees\nv2,wasps\nv3,wasps\n",
        "judged.csv": JUDGED.replace("need", "topic")}, {},
        "v0.1 bees: p2 p3 | v0.2 bees: p3 p4 | v1.1 bees: p3 p4 | v1.2 bees: p4 p1 | v2.1 "
        "wasps: p4 p1 | v2.2 wasps: p1 p2 | v3.1 wasps: p1 p2 | v3.2 wasps: p2 p3\n"
        "4 sessions, 8 queries, 16 results, 56% judged: --set kinds=log.csv=log --map "
        "doc=paper,rank=slot,session=visit,text=asked,grade=worth --set query_by=asked"),
    "clicks by their rows": ({"log.csv": "", "clicks.csv": "qid,topic,item\n" + "".join(
        f"q{i // 2},bees,p{i % 3 + 1}\n" for i in range(8)),
        "judged.csv": JUDGED.replace("need", "topic")}, {}, NO_LOG),
    "ids of queries as keys": ({"log.json": KEYED}, {},
        "-N1.2 bees: p1 p3 | -N1.1 bees: p1 p4 | -N2.2 bees: p2 p3 | -N2.1 bees: p2 p4\n"
        "2 sessions, 4 queries, 8 results, 75% judged: --map time=ts,doc=paper,grade=worth --set "
        "query_by=query_id"),
    "a rating of sessions beside grades": ({"study.json": STUDY, "judged.csv": ""}, {},
        "study-1.1 T0: d1 d2 d3 | study-1.2 T0: d2 d3 d4 | study-2.1 T1: d2 d3 d4 | "
        "study-2.2 T1: d3 d4 d5 | study-3.1 T0: d2 d3 d4 | study-3.2 T0: d3 d4 d5 | "
        "study-4.1 T1: d3 d4 d5 | study-4.2 T1: d4 d5 d6"),
    "grades in words": ({"log.csv": WITHIN, "judged.csv": WORDS}, {},
        "\n".join(
            "4 sessions, 8 queries, 24 results, 100% judged: --map 'doc=paper,rank=slot,"
            "query_number=nr,searcher=person,grade=I.U.,judged.csv:topic=(none)' --topics-by "
            f"{by} --session-by person,engine --set grade_words='not relevant,marginal,relevant'"
            for by in ("one", "session"))),
    "a row for each query, merged": ({
            "log.csv": ITALIAN,
            "judged.csv": "Compito,ID documento,Valutatore A,Valutatore B\n"
            "T1,p1,pertinente,non pertinente\nT1,p2,non pertinente,?\nT2,p3,pertinente,\n",
            "who.csv": "Codice,Sistema assegnato,anni\nP1,Lista,20\nP2,Faccette,22\nMedia,,21\n",
        }, {},
        "3 sessions, 5 queries, 11 results, 45% judged: --set fix=merged-cells --session-by "
        "Partecipante,Compito --set query_by='query key (row)' --assessors mean --set "
        "grade_words='non pertinente,pertinente,?='"),
    "a file of each searcher, its cells merged": ({
            **{f"{who}.csv": "task,n query,query,rank,doc\nT1,1,x,1,p1\n,,,2,p2\n,2,y,1,p3\n"
                "T2,1,x,1,p2\n,,,2,p3\n" for who in ("P1", "P2")},
            "judged.csv": "topic,doc,grade\nT1,p1,1\nT1,p2,0\nT2,p2,2\nT2,p3,1\n",
        }, {},
        "4 sessions, 6 queries, 10 results, 80% judged: --file-name '{searcher}' --set "
        "fix=merged-cells --session-by 'searcher of file,task'\n"
        "2 sessions, 6 queries, 10 results, 80% judged: --map session=task,topic=task --set "
        "fix=merged-cells --set query_by=query"),
    **{f"files of searchers and systems, {pattern}": ({
            **{f"{name}.csv": f"task,n query,rank,doc\nT{i % 2},1,1,p1\nT{i % 2},1,2,p{i}\n"
                for i, name in enumerate(names.split())},
            "judged.csv": "topic,doc,grade\nT0,p1,1\nT0,p2,0\nT1,p1,2\nT1,p3,1\n",
        }, {},
        f"{n} sessions, {n} queries, {2 * n} results, {share}% judged: --file-name '{pattern}' "
        f"--session-by 'searcher of file,{by}'")
       for pattern, by, names, n, share in (
           ("{system}/{searcher}", "system of file", "A/P1 A/P2 B/P1 B/P2", 4, 88),
           ("{searcher}/{system}", "task", "P1/A P1/B P2/A P2/B P3/A P3/B", 6, 75))},
    "files of searchers, each with one system": ({
            **{f"{name}.csv": "task,n query,rank,doc\nT0,1,1,p1\nT1,1,1,p3\n"
                for name in ("A/P1", "A/P2", "B/P3", "B/P4")},
            "judged.csv": "topic,doc,grade\nT0,p1,1\nT0,p2,0\nT1,p1,2\nT1,p3,1\n",
        }, {},
        "\n".join(f"8 sessions, 8 queries, 8 results, 100% judged: --file-name '{pattern}' "
                  "--session-by 'searcher of file,task'"
                  for pattern in ("{system}/{searcher}", "{searcher}"))),
    "a file of each searcher, and no name says documents": ({
            **{f"{who}.csv": "task,n query,rank,result\nT1,1,1,p1\nT1,1,2,p2\nT1,2,1,p3\n"
                "T2,1,1,p2\nT2,1,2,p3\n" for who in ("P1", "P2")},
            "judged.csv": "task,result,grade\nT1,p1,1\nT1,p2,0\nT2,p2,2\nT2,p3,1\n",
        }, {},
        "4 sessions, 6 queries, 10 results, 80% judged: --map doc=result --file-name '{searcher}' "
        "--session-by 'searcher of file,task'"),
    "a file of each session": ({
            **{f"{name}.csv": f"user,need,query,rank,doc\n{who},bees,hive,1,p1\n"
                f"{who},bees,{name},1,p3\n" for name, who in ("ax", "bx", "cy")},
        }, {},
        "3 sessions, 6 queries, 6 results, 100% judged: --map doc=paper,grade=worth --file-name "
        "'{session}' --set query_by=query\n"
        "2 sessions, 6 queries, 6 results, 100% judged: --set kinds=a.csv=log,b.csv=log,c.csv=log "
        "--map session=user,doc=paper,grade=worth --set query_by=query"),
    "the weather": ({"log.csv": NUMBERED, "judged.csv": WEATHER}, {},
        "4 sessions, 8 queries, 64 results, 14% judged: --map doc=temp,grade=rain --topics-by one"),
    "rows in no order": ({"judged.csv": GRADES, "log.csv": "who,topic,query,paper\n" + "".join(
            f"{'uv'[i % 2]},t,{'xy'[i % 2]},p{1 + i % 3}\n" for i in range(12))}, {}, NO_LOG),
    "clicks without ranks": ({"judged.csv": GRADES,
            "log.csv": "user,topic,query,time,doc\nu,t,x,2031-02-03 10:00,p2\n"
            "u,t,x,2031-02-03 10:01,p1\nu,t,y,2031-02-03 10:04,p3\n"}, {}, NO_LOG),
    "documents by topic": ({"log.csv": GRADED.replace(",grade", ",seen"),
            "judged.json": '{"u1": ["p1", "p4"], "u2": ["p9"]}', "judged.csv": ""}, {},
        "1 session, 1 query, 4 results, 50% judged: --map doc=value,topic=key "
        "--grade judged.json=1"),
    "documents by topic and grade": ({"log.csv": GRADED.replace(",grade", ",seen"),
            "judged.json": '{"u1": {"2": ["p1"], "0": ["p4", "p2"]}}', "judged.csv": ""}, {},
        "u1.1 u1: p1 p2 p3 p4\n1 session, 1 query, 4 results, 75% judged: --map doc=value,"
        "grade=key,topic=outer_key"),
    "documents and grades of two assessors": ({"log.csv": GRADED.replace(",grade", ",seen"),
            "judged.csv": "topic,Al_doc,Al_grade,Bo_doc,Bo_grade\nu1,p1,0,p2,2\nu1,p2,1,p1,1\n",
        }, {},
        "1 session, 1 query, 4 results, 50% judged: --map doc=Al_doc,grade=Al_grade\n"
        "1 session, 1 query, 4 results, 50% judged: --map doc=Bo_doc,grade=Bo_grade"),
    "sessions of several searchers": ({
            "log.csv": VISITS,
            "judged.csv": "topic,doc,grade\nt,p1,0\nt,p2,2\nt,p3,1\nt,p4,3\n",
        }, {},
        "10 sessions, 20 queries, 40 results, 100% judged: --map searcher=person_key --session-by "
        "person_key,session --set query_by=query_number\n"
        "5 sessions, 20 queries, 40 results, 100% judged: --map session=person_key --set "
        "query_by=query_number\n"
        "2 sessions, 20 queries, 40 results, 100% judged: --map session=session,"
        "query_number=query_number,topic=topic,doc=doc"),
}  # fmt: skip


def readings(told: str) -> str:
    """Lists, and what is counted of each reading with its options; else the first line."""
    kept = [f"{fit[1]}: {fit[2]}" if (fit := READING.match(line)) else line
            for line in told.splitlines() if ".1 " in line or READING.match(line)]  # fmt: skip
    return "\n".join(kept) or told.splitlines()[0]


@pytest.mark.parametrize("what", READ)
def test_what_names_don_t_tell_is_taken_or_offered(what: str, tmp_path: Path) -> None:
    files, rules, told = READ[what]
    given = {name: text for name, text in ({"judged.csv": JUDGED} | dict(files)).items() if text}
    came = outcome(tmp_path, given, **rules)
    assert readings(came) == told
    if "To force it" in came and ".1 " in came:  # the same, and unasked
        options, *_ = remedies_of(came.splitlines()[-1])
        said: dict[str, Any] = vars(recipe.Recipe(**rules).with_texts(options))
        again = outcome(tmp_path, {}, **said)
        assert again.splitlines()[0] == came.splitlines()[0]
        assert "files: read as" not in again


def test_a_table_that_may_judge_a_log_with_grades_is_asked(tmp_path: Path) -> None:
    judged = "topic,Werk,grade\nu1,p2,1\nu1,p3,0\nu1,p9,1\n"
    with pytest.raises(UnusableInputError, match="Read with --map doc=Werk"):
        made(tmp_path, {"log.csv": GRADED, "judged.csv": judged})


def test_a_long_log_is_looked_at_in_several_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"KEEP": 24, "STRETCHES": 4, "STRETCH": 6}.items():
        monkeypatch.setattr(propose, name, value)
    log = "visit,key,need,words,slot,paper\n" + "".join(  # by need, and the first four unjudged
        f"{need}{visit},{need}-{visit}-{q},need{need},w{need} {q},{rank + 1},{need}_{q + rank}\n"
        for need in range(8) for visit in range(5) for q in range(2) for rank in range(3)
    )  # fmt: skip
    judged = [f"need{need},{need}_{i},{i % 3}\n" for need in range(4, 8) for i in range(4)]
    files = {"log.csv": log, "j.csv": "need,paper,worth\n" + "".join(judged)}
    assert outcome(tmp_path, files).startswith("00.1 need0: 0_0 0_1 0_2 | 00.2 need0: 0_1 0_2 0_3")


def test_results_that_say_search_or_click_are_no_events(tmp_path: Path) -> None:
    log = "session,query_number,topic,rank,doc,event\n" + "".join(
        f"s,{q},t,{rank},d{q + rank},{'click' if rank == q else 'search'}\n"
        for q in (1, 2) for rank in (1, 2, 3)
    )  # fmt: skip
    said = outcome(tmp_path, {"log.csv": log, "j.csv": "topic,doc,grade\nt,d2,1\nt,d5,0\n"})
    assert said.splitlines()[0] == "s.1 t: d2 d3 d4 | s.2 t: d3 d4 d5"
