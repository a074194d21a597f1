"""What is refused of a study, whole, and that each remedy with an option leads on.

Beside the refusals of tests/support/refusals.py and those that stand with their subject.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.refusals import HEADER, JUDGMENTS, LOG
from tests.support.told import Contents, outcome

TURN = {"turn_id": "t1", "references": {"a": 1.0}, "responses": []}
STEP = {"type": "tool_call", "tool_name": "search", "arguments": {"query": "q"}}


def agent(output: Any = "", **more: Any) -> str:
    """A run of one call, in a line."""
    return json.dumps({"query_id": "t", "result": [{**STEP, "output": output, **more}]}) + "\n"


EVENTS = (
    "session,time,event,query,doc,topic\ns1,1,search,tea,,t\ns1,2,result,,a,\ns1,3,result,,b,\n"
    "s1,4,click,,b,\ns1,9,search,pots,,\ns1,9,result,,b,\n"
)
USERS = EVENTS.replace("session", "user")
SIMULATED = (
    "ACTION QUERY 900 1 tea\nACTION SNIPPET 900 2 SNIPPET_RELEVANT b'a'\n"
    "ACTION MARK 900 3 CONSIDERED_RELEVANT b'a'\n"
)
NAME = {"file_name": "{system}-{topic}"}
WHO = "searcher," + HEADER + "p,s1,1,1,a,t\np,s2,1,1,b,t\n"
FAR = HEADER + "".join(f"far{s},{q},1,a,t\n" for s in range(200) for q in range(1, 102))
FAR += "".join(f"s{s},1,1,a,t\n" for s in range(1_800)) + "far1,1,100,b,t\n"
LONG = LOG + "".join(f"s3,{q},1,a,t\n" for q in range(1, 10_002))
FINE = "topic,doc,grade\nt,a,0\n" + "".join(f"t,d{i},{i / 10}\n" for i in range(121))
RUN = "t_1 Q0 a 1 two x\nt_1 Q0 b 2 1 x\n"
SAID = "topic,doc,grade\nt,a,2 - relevant\nt,b,1 - very relevant\n"
ONLY: dict[str, Any] = {"log.csv": ""}
MATCH = "judgments.csv: no document in common; the ids almost match "
SIMIIR = "a line of SimIIR's logs reads: ACTION what limit seconds, and what it is about."
REFUSED: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "no result": ({"log.csv": HEADER + "s1,1,,,t\n"}, {},
        "log.csv, line 1: no result; a log has results. Check the columns for rank and document."),
    "own grades of a result": ({"log.csv": "grade," + HEADER + "2,s1,1,1,a,t\n1,s1,1,1,a,t\n"}, {},
        "log.csv, line 3: grade 1, but 2 in another row; rows of one result must agree on its "
        "grade. Keep one of the two."),
    "a list with dots": ({"log.csv": "session,query_number,docs,topic\ns1,1,['a' ... 'z'],t\n"}, {},
        'log.csv, line 2: results that can\'t be read, "[\'a\' ... \'z\']"; a cell holds every '
        "document: alone, in an object that names it, or with a rank or score. Write a row, or "
        "an object, for each result."),
    "queries of a session": ({"log.csv": LONG}, {},
        "log.csv: session 's3' has 10,001 queries; a session has at most 10,000 queries. Split "
        "that session, or leave it out."),
    "places": ({"log.csv": FAR}, {},
        "log.csv: 2,000 sessions × 101 queries of the longest × 100 ranks are 20,200,000 places "
        "for 22,001 results; session 'far0' is the longest; here 20,000,000 places fit; the next "
        "longest session has 101 queries. Leave out the longest sessions or the deepest ranks."),
    "grades": ({"judgments.csv": FINE}, {},
        "judgments.csv: 121 distinct grades; a study has at most 120 distinct grades. Write "
        "grades with fewer digits, or on a coarser scale."),
    "ids cut": ({
            "log.csv": LOG.replace("a,t", "abcd,t").replace("b,t", "efgh,t"),
            "judgments.csv": "topic,doc,grade\nt,abcdx,1\nt,efgh-y,0\n",
        }, {},
        f"{MATCH}('abcd' and 'abcdx'); ids in the log are cut off after 4 characters. Shorten the "
        "others: --doc-id '(?P<doc>.{4}).*'."),
    "documents of nothing": ({"judgments.csv": "topic,doc,grade\nt,x1,1\n"}, {},
        "judgments.csv: none of its documents ('x1') is in the log, which has 'a', …; they look "
        "like judgments of other documents, or their ids are written differently. Write documents "
        "alike in both, or give the judgments of what the log shows. If it is a questionnaire, "
        "give it as ratings: --ratings FILE."),
    "two runs, or pairs": (
        {"log.csv": "", "judgments.csv": "", "a.tsv": "t_1\ta\nt_1\tb\n", "b.tsv": "t\ta\n"},
        {},
        "a.tsv: its rows by query and document may be a run or judgments; nothing is "
        "read as grades unless you say so. Say which: --set kinds=a.tsv=judgments, "
        "or --set kinds=a.tsv=log.\n"
        "b.tsv: its rows by query and document may be a run or judgments; nothing is "
        "read as grades unless you say so. Say which: --set kinds=b.tsv=judgments, "
        "or --set kinds=b.tsv=log."),
    "judgments by texts that the log lacks": (
        {"judgments.csv": "query,topic,doc,grade\nx,t,a,1\n"}, {"judged_by": "text"},
        "judgments.csv: judgments to be matched by text; log.csv has no column for it. Rename "
        "the column to text, or say which it is: --map text=NAME."),
    "a study that is cut": ({"study.toml": "name ="}, {},
        "study.toml: Invalid value (at end of document); study.toml must be as it was written. "
        "Take the zip as it was downloaded."),
    "two studies": ({f"{of}/study.toml": 'format = 1\nname = "x"\n' for of in "ab"}, {},
        "b/study.toml: a second study; files hold one study. Give one of them."),
    "ratings of several sessions": ({"log.csv": WHO, "r.csv": "searcher,topic,ease\np,t,4\n"}, {},
        "r.csv, line 2: searcher 'p' has several sessions on the topic; a rating by searcher and "
        "topic must be about one session. Name the session in the ratings."),
    "ratings of another topic": ({"log.csv": WHO, "r.csv": "session,topic,ease\ns1,u,4\n"}, {},
        "r.csv, line 2: topic 'u', which is not the log's; ratings and log must agree on the "
        "topic. Correct one of the two."),
    **{f"clicks of nothing, {how}": ({f"{file}.csv": "session,query_number,doc\ns9,1,z\n"}, recipe,
        f"{file}.csv: clicks that match no shown result; nine in ten must name a result of one "
        "list, by columns that both files have. Check that it belongs to this log, or leave it "
        "out.")
       for how, file, recipe in (("as said", "k", {"kinds": {"k.csv": "clicks"}}),
                                 ("by name, and no second log", "clicks", {}))},
    "clicks of other sessions": ({"clicks.csv": "session,query_number,rank,doc\nS-1,1,1,a\n"}, {},
        "clicks.csv: clicks that match no shown result; nine in ten must name a result of one "
        "list, by columns that both files have. Check that it belongs to this log, or leave it "
        "out."),
    "NUL in JSON": ({
            **ONLY,
            "log.jsonl": '{"session":"s1","query_number":1,"rank":1,"doc":"a\\u0000","topic":"t"}',
        }, {},
        "log.jsonl, line 1: a text with a NUL character; texts hold letters and signs. Remove the "
        "character."),
    "a field twice": ({**ONLY, "log.jsonl": '{"a":{"b":1},"a_b":1}\n'}, {},
        "files: no log; a study needs a log, with columns for session, query number, rank and "
        "document. Give the log, or say which file it is.\n"
        "log.jsonl: set aside; two fields named a_b; each field has its own name. If it is the "
        "log, correct it, or export it as CSV."),
    "no Parquet": ({"log.parquet": b"PAR1 cut"}, {},
        "log.parquet: Parquet magic bytes not found in footer. Either the file is corrupted or "
        "this is not a parquet file.; a Parquet or Arrow file must be complete. Write it again, or "
        "export it as CSV."),
    "scores that are not numbers": ({**ONLY, "log.run": RUN}, {"order": "score"},
        "log.run, line 1: score 'two'; scores are numbers. Correct the score, or read with "
        "--set order=rank."),
    "order of a table": ({}, {"order": "score"},
        "log.csv: results by score; no log has scores. Leave out --set order=score."),
    "columns of two files by roles": ({
            "log.csv": "Participant;Tâche;N;Rang;Document\nP1;t;1;1;a\nP1;t;1;2;b\n",
            "more.csv": "Participant;Tâche;N;Rang;Document;X\nP2;t;1;1;a;y\nP2;t;2;1;b;y\n",
        }, {"kinds": dict.fromkeys(["log.csv", "more.csv"], "log"),
            "mapping": {"log.csv:query_number": "N"}},
        "log.csv, more.csv, line 1: no session column; the file has Participant, Tâche, N, Rang, "
        "Document, X. Rename the column to session, or say which it is: --map session=NAME. If "
        "there is none, say what a session is: --session-by searcher,topic."),
    "a grade of the file beside a column": (
        {"log.csv": LOG, "j.csv": "topic,doc,mark\nt,a,1\n"},
        {"grade": "j.csv=1", "mapping": {"j.csv:grade": "mark"}},
        "j.csv: grade 1 for every row, and column 'mark' as grade; a row has one grade. Leave out "
        "--grade, or the column's role."),
    "rows left out of which there are none": (
        {"log.csv": WHO, "about.csv": "searcher,doc\np,a\n"}, {"leave_out": "searcher=q"},
        "log.csv: no row whose searcher is q; its columns are searcher, session, query_number, "
        "rank, doc, topic. Correct --set leave_out."),
    "rows left out by no column": ({}, {"leave_out": "Participant=p"},
        "log.csv: no row whose Participant is p; its columns are session, query_number, rank, doc, "
        "topic. Correct --set leave_out."),
    **{f"all rows left out, of the {what}": ({"log.csv": WHO}, {"leave_out": chosen},
        f"{file}: no row left; all rows of the {what} are left out, as chosen. Correct --set "
        "leave_out.")
       for file, what, chosen in (("log.csv", "log", "doc=a,session=s2"),
                                  ("judgments.csv", "judgments", "grade=1,grade=0"))},
    "no searcher": ({"log.csv": USERS.replace("user", "wer")}, {"session_gap": "1h"},
        "log.csv, line 1: no column 'searcher'; the file's columns are wer, time, event, query, "
        "doc, topic. Rename the column to searcher, or say which it is: --map searcher=NAME."),
    "events without results": ({"log.csv": EVENTS.replace("result", "row")}, {},
        "log.csv: no results of queries; a query's results are logged in its own event, or in one "
        "event each. Say which events show results: --set events=result=row."),
    "events whose documents nothing names": ({"log.csv": EVENTS.replace("doc", "value", 1)}, {},
        "log.csv, line 1: results without a document; an event that shows a result names its "
        "document. Rename the column to doc, or say which it is: --map doc=NAME."),
    "times that are none": ({"log.csv": USERS.replace(",9,", ",soon,")}, {"session_gap": "1h"},
        "log.csv, line 2: time '1' (and 5 more: line 3; line 4; …); pauses are found from times, "
        "as dates with times or in seconds. Correct the cell, or instead of session_gap use "
        "--session-by searcher,topic."),
    "a result before a query": ({
            **ONLY,
            "s-t.log": SIMULATED[SIMULATED.index("\n") + 1 :] + "ACTION QUERY 900 4 tea\n",
        }, NAME,
        f"s-t.log, line 1: a result before the first query (and 1 more: line 2); {SIMIIR} Add "
        "the query."),
    "a mark of no result": ({
            **ONLY,
            "s-t.log": SIMULATED.replace(
                "SNIPPET 900 2 SNIPPET_RELEVANT b'a'", "SERP 900 2 EXAMINE_SERP"
            ),
        }, NAME,
        "s-t.log, line 3: document 'a'; what is opened or marked is a result of the query "
        "before. Add the line of the result."),
    "a line cut": ({**ONLY, "s-t.log": SIMULATED.replace(" b'a'", "")}, NAME,
        f"s-t.log, line 2: 'SNIPPET_RELEVANT' (and 1 more: line 3); {SIMIIR} Complete the line."),
    **{f"a line that says {line[:12]!r}": ({**ONLY, "s-t.log": f"{SIMULATED}{line}\n"}, NAME,
        f"s-t.log, line 4: {line!r}; {SIMIIR} Complete the line.")
       for line in ("ACTION SLEEP 900 20 x", "ACTION QUERY")},
    "names of another pattern": ({**ONLY, "s-t.log": SIMULATED}, {"file_name": "{system}_{topic}"},
        "s-t.log: the name 's-t'; file names are read as {system}_{topic}. Correct the pattern, or "
        "rename the file: --file-name PATTERN."),
    "an id in brackets": ({**ONLY, "runs.jsonl": agent([{"docid": ["a"]}])}, {},
        "runs.jsonl, line 1: a document's id in brackets; ids are texts or numbers. Write "
        "it as a text."),
    "turns unalike": ({
            **ONLY,
            "runs.jsonl": f"{json.dumps(TURN)}\n{json.dumps({**TURN, 'references': {'a': 'x'}})}\n",
        }, {},
        "runs.jsonl, line 2: an object that lacks a part or has it in another form; it reads "
        "as turns with references, each object alike. Correct it, or leave it out."),
    "turns of two forms": ({
            **ONLY,
            "runs.jsonl": f"{json.dumps({**TURN, 'conversation_id': 'c', 'contexts': []})}\n{{}}\n",
        }, {},
        "runs.jsonl, line 1: an object that lacks a part or has it in another form; it reads "
        "as turns with contexts, each object alike. Correct it, or leave it out."),
    "ids of chunks": ({
            **ONLY,
            "runs.jsonl": '{"query_id": "t", "retrieved_docids": [{"q": ["a-1", "b-2"]}]}\n',
        }, {"doc_id": "(?P<doc>x)"},
        "runs.jsonl: pattern '(?P<doc>x)'; it must fit ids such as 'a-1'. Correct the "
        "pattern: --doc-id PATTERN."),
    "parts of no judgments": ({
            "log.csv": "session,query_number,rank,doc,topic,grade\ns,1,1,a,t,1\n",
            "judgments.csv": "",
        }, {"parts": "grade"},
        "log.csv: no judgments; parts are a column of the judgments. Give them as a file."),
    "events without sessions": ({"log.csv": USERS}, {},
        "log.csv, line 1: events without a session; an event belongs to a session. Rename the "
        "column to session, or say which it is: --map session=NAME. If there is none, say what a "
        "session is: --session-by searcher,topic.\n"
        "files: 1 session, 2 queries, 3 results, 100% judged; each user is one session. Read with "
        "--session-by searcher."),
    "grades that count down": ({"judgments.csv": SAID}, {},
        "judgments.csv: the lowest number stands for the best grade ('2 - relevant' is 2, '1 - "
        "very relevant' is 1); numbers are expected to rise with relevance. If 1 is the best: "
        "--set grade_scale=lower. If 2 is the best: --set grade_scale=higher."),
    "documents and grades exchanged": ({"judgments.csv": "topic,grade,doc\nt,a,0\nt,b,2\n"}, {},
        "judgments.csv, line 1: columns 'doc' and 'grade' are exchanged; it is the column for "
        "grades that names documents of the log. Exchange them: --map "
        "judgments.csv:doc=grade,judgments.csv:grade=doc."),
    "rows of another delimiter": ({"log.csv": HEADER + "s1;1;1;a;t\ns1;1;2;b;t\n"}, {},
        "log.csv, line 2: cells parted by ';'; the header is parted by ','; a table has one "
        "delimiter. Write the header with ';', too."),
    "topics that the log lacks": ({"log.csv": LOG.replace(",topic", "").replace(",t", ""),
            "judgments.csv": JUDGMENTS + "u,a,2\nu,b,\n"}, {},
        "log.csv, line 1: topic missing; judgments.csv has several topics, and grades a "
        "document differently on them. Rename the column to topic, or say which it is: --map "
        "topic=NAME."),
    "parts of no column": ({}, {"parts": "odd"},
        "judgments.csv, line 1: no column 'odd'; columns of the judgments are topic, doc, "
        "grade. Name one of them: --set parts=grade."),
    "grades of no file": ({}, {"grade": "j.csv=2"},
        "j.csv: no such judgment file; judgment files: judgments.csv. Name a judgment file: "
        "--grade judgments.csv=2."),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_makes_no_study_is_refused_with_a_remedy(what: str, tmp_path: Path) -> None:
    files, rules, told = REFUSED[what]
    given = {"log.csv": LOG, "judgments.csv": JUDGMENTS} | dict(files)
    assert outcome(tmp_path, {name: text for name, text in given.items() if text}, **rules) == told
