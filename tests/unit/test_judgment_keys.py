"""Judgments by topic, by text or by session: what they grade, and what is said of them."""

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from tests.support.formats import put
from tests.support.refusals import HEADER, JUDGMENTS, LOG
from tests.support.told import Contents, made, outcome

ASKED = "session,query_number,topic,query,rank,doc\n"
TEXTS = ASKED + (
    "s1,1,t,foot ulcer,1,a\ns1,1,t,foot ulcer,2,b\ns1,2,t,diabetes,1,c\n"
    "s2,1,u,foot ulcer,1,a\ns2,2,u,insulin,1,d\n"
)
BY_TEXT = "query,doc,grade\nfoot ulcer,a,2\nfoot ulcer,b,-1\ndiabetes,c,0.5\n"
CONFLICT = "topic,doc,grade\nt,a,1\nt,b,0\nt,a,3\nt,a,0.5\nt,b,0\nu,a,2\n"
APART = "query,doc,grade\ndiabetes,a,1\nfoot ulcer,a,2\n"
OWN = (
    "grade,"
    + ASKED
    + "-2,s1,1,t,x,1,a\n0.5,s1,1,t,x,2,b\n,s1,1,t,x,3,c\n-2,s2,1,t,y,1,a\n3,s3,1,t,y,1,b\n"
)
RUN = "106_1 Q0 a 1 9 x\n106_2 Q0 b 1 9 x\n107_1 Q0 a 1 9 x\n"
KEYED = "topic,query,session,doc,grade\nt,x,s1,a,1\nt,x,s1,b,0\n"
X = "query," + HEADER + "x,s1,1,1,a,t\nx,s2,1,1,a,t\n"
BOTH = "query,session,doc,grade\nx,s1,a,1\nx,s2,a,2\n"
SESSIONS = (
    "session,topic,query_number,rank,doc\ns1,t,1,1,a\ns1,t,1,2,b\ns1,t,2,1,a\n"
    "s2,t,1,1,b\ns2,t,1,2,c\ns3,u,1,1,a\ns3,u,2,1,d\n"
)
OF_EACH = "session,topic,doc,grade\n"
OF_EACH += "s1,t,a,3\ns1,t,b,1\ns2,t,a,1\ns2,t,b,2\ns2,t,c,1\ns3,u,a,2\ns3,u,d,2\n"
TWO = "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns2,1,1,b\n"
GRADED = "doc,grade\na,3\nb,1\nnever,2\n"
NO_TOPIC = (
    "no topic named; documents are judged for topics, but neither log nor judgments name any. "
    "Choose: --topics-by one (all queries are on one topic, with one ideal), or --topics-by "
    "session (each session is a topic of its own, whose ideal is the best of what the session "
    "showed). Or name the log's column: --map topic=NAME."
)
KEEP = "Keep one of the two, or choose: --set conflicts=first, last or highest."
BY_SESSION = (
    "judgments by session; as grades of one topic disagree, each session is a topic, "
    "TOPIC/SESSION. Nothing to do if this is right."
)
SAY = "If another column is right, add: --set judged_by="
LISTS = "s1.1 t: a b | s1.2 t: c | s2.1 u: a | s2.2 u: d"
OF_TOPICS = {"q-t_v2.csv": "doc,grade\na,1\nc,2\nz,1\n", "u.csv": "doc,grade\na,3\n"}
BY_NAME = "no column of topics; the file's name has its topic. Nothing to do if this is right."
BY_TWO = "participant,task,query_number,rank,doc\nu,t,1,1,a\nu,t,1,2,b\nv,t,1,1,a\n"
OF_TWO = "participant,task,doc,usefulness\nu,t,a,2\nu,t,b,0\nv,t,a,1\n"
JUDGED: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "sessions and query numbers": ({
            "log.csv": TEXTS + "s2,3,t,diabetes,1,c\n",
            "j.csv": "session,query_number,doc,grade\ns2,1,a,2\ns2,3,c,1\n",
        }, {},
        f"{LISTS} | s2.3 t: c // t/c=1 u/a=2"),
    "searchers of their own sessions": ({"log.csv": BY_TWO, "j.csv": OF_TWO}, {"session_by":
            "searcher,topic", "judged_by": "session"},
        "u/t.1 t/u/t: a b | v/t.1 t/v/t: a // t/u/t/a=2 t/u/t/b=0 t/v/t/a=1\n"
        "log.csv: 2 sessions; sessions are identified by searcher, topic. Check the first "
        "session.\nj.csv: judgments; column participant has the log's searchers, so they can be "
        f"matched by session. Nothing to do if this is right.\nj.csv: {BY_SESSION}"),
    "searchers of some grades alone": ({"log.csv": BY_TWO,
            "j.csv": OF_TWO.replace("u,t,b", ",t,b")}, {"session_by": "searcher,topic",
            "conflicts": "highest"},
        "u/t.1 t: a b | v/t.1 t: a // t/a=2 t/b=0\nj.csv [4] left out: conflicting judgments: the "
        "highest counts\nlog.csv: 2 sessions; sessions are identified by searcher, topic. Check "
        "the first session."),
    "searchers of their own sessions, unasked": ({"log.csv": BY_TWO, "j.csv": OF_TWO}, {},
        "log.csv, line 1: no session column; the file has participant, task, query_number, rank, "
        "doc. Rename the column to session, or say which it is: --map session=NAME. If there is "
        "none, say what a session is: --session-by searcher,topic.\nfiles: 2 sessions, 2 queries, "
        "3 results, 100% judged; sessions are participant, queries query_number, documents doc, "
        "ranks rank, topics task; how judgments are matched: session. Read with --map "
        "log.csv:session=participant --set judged_by=session."),
    "a grade of no topic": ({"log.csv": SESSIONS,
            "j.csv": "topic,doc,grade\nt,b,1\nt,c,0\n,a,1\nu,d,2\n"}, {},
        "s1.1 t: a b | s1.2 t: a | s2.1 t: b c | s3.1 u: a | s3.2 u: d // t/b=1 t/c=0 u/d=2\n"
        "j.csv [4] left out: judgments without a topic"),
    "a file for each topic": ({"log.csv": SESSIONS, **OF_TOPICS}, {},
        "s1.1 t: a b | s1.2 t: a | s2.1 t: b c | s3.1 u: a | s3.2 u: d // t/a=1 t/c=2 t/z=1 u/a=3\n"
        f"q-t_v2.csv: {BY_NAME}\nu.csv: {BY_NAME}"),
    "a file of one topic": ({"log.csv": SESSIONS, "q_u.csv": "doc,grade\na,3\n"}, {},
        "s1.1 t: a b | s1.2 t: a | s2.1 t: b c | s3.1 u: a | s3.2 u: d // u/a=3\n"
        f"q_u.csv: {BY_NAME.replace('each', 'the')}"),
    "a topic beside a query number": (
        {"log.csv": LOG, "j.csv": "topic,query_number,doc,grade\nt,1,a,1\n"},
        {},
        "s1.1 t: a b | s2.1 t: b // t/a=1\n"
        "j.csv: columns for query number beside topic; judgments are matched by topic, so they "
        "count for every query on it. Remove the topic column if each query was judged by itself."),
    "texts that nobody asked": ({"j.csv": BY_TEXT + "gout,a,3\ngout,z,3\nrickets,a,1\n"}, {},
        f"{LISTS} // gout/a=3 gout/z=3 rickets/a=1 t/a=2 t/b=-1 t/c=0.5 u/a=2 u/b=-1\n"
        "j.csv: 3 judgments by a query text that the log lacks; they count for no query and no "
        "ideal. Check that log and judgments write it alike."),
    "the highest of grades": ({"j.csv": CONFLICT}, {"conflicts": "highest"},
        f"{LISTS} // t/a=3 t/b=0 u/a=2\n"
        "j.csv [2, 5] left out: conflicting judgments: the highest counts\n"
        "j.csv [6] repaired: agreeing judgments merged"),
    "texts that disagree": ({"j.csv": APART}, {},
        "j.csv, line 3: a second grade (2) for 'a' on topic 't'; a document may have only "
        "one grade per topic. Match by query text (conflicts left: 0 of 1): "
        f"--set judged_by=text. {KEEP}"),
    "own grades that disagree": ({"log.csv": OWN}, {},
        "log.csv, line 6: a second grade (3) for 'b' on topic 't'; a document may have only "
        "one grade per topic. Match by session (conflicts left: 0 of 1): "
        f"--set judged_by=session. {KEEP}"),
    "a run's whole ids": (
        {"log.csv": "", "log.run": RUN, "q.txt": "106_1 0 a 2\n106_2 0 a 1\n107_1 0 a 0\n"},
        {},
        "106.1 106_1: a | 106.2 106_2: b | 107.1 107_1: a // 106_1/a=2 106_2/a=1 107_1/a=0\n"
        "log.run: query ids; each is read as a session and a query number, and the topic is the "
        "whole query id, as in the judgments. For example, 106_1 is query 1 of 106.\n"
        "log.csv: ignored; no table (an empty file; a table has a header and rows). "
        "If it belongs to the study, say what it is."),
    "another part of the study": (
        {"j.csv": "topic,doc,grade\nt,a,1\n", "q.csv": "topic,doc,grade\nv,x,1\nw,y,0\n"},
        {},
        f"{LISTS} // t/a=1 v/x=1 w/y=0\n"
        "q.csv: judgments of 2 topics that the log lacks ('v', …); they count for no query. "
        "Nothing to do if this is right."),
    "the text, as is said": ({"log.csv": X, "j.csv": KEYED}, {"judged_by": "text"},
        "s1.1 t: a | s2.1 t: a // t/a=1 t/b=0"),
    "a session beside the text": ({"log.csv": X, "j.csv": KEYED.replace("topic,", "x,")}, {},
        "s1.1 t: a | s2.1 t: a // t/a=1 t/b=0\n"
        "j.csv: columns for session beside text; judgments are matched by query text, in every "
        f"session that asked it. {SAY}session."),
    "topics of two files alone": ({"log.csv": "session,query_number,rank,doc\n1,1,1,a\n",
            "j.csv": "topic,doc,grade\nt,a,1\n", "k.csv": "topic,doc,grade\nt,a,1\n"}, {},
        "log.csv, line 1: topic missing; either both log and judgments name topics, or neither "
        "does. Rename the column to topic, or say which it is: --map topic=NAME. If all queries "
        "share one topic, --map 'j.csv:topic=(none),k.csv:topic=(none)' --topics-by one."),
    "a session that the log lacks beside the text": ({"log.csv": X, "j.csv":
            KEYED.replace("topic,", "x,").replace("s1", "z")}, {},
        "s1.1 t: a | s2.1 t: a // t/a=1 t/b=0"),
    "sessions that don't disagree": (
        {"log.csv": X.replace("x,s2,1,1,a,t", "y,s2,1,1,a,u"), "j.csv": BOTH},
        {"judged_by": "session"},
        "s1.1 t: a | s2.1 u: a // t/a=1 u/a=2"),
    "a key of neither": ({"log.csv": LOG, "j.csv": JUDGMENTS}, {"judged_by": "text"},
        "j.csv: judgments to be matched by text; j.csv has no column for it. Rename the column to "
        "text, or say which it is: --map text=NAME."),
    "sessions apart": ({"log.csv": SESSIONS, "j.csv": OF_EACH}, {"judged_by": "session"},
        "s1.1 t/s1: a b | s1.2 t/s1: a | s2.1 t/s2: b c | s3.1 u/s3: a | s3.2 u/s3: d // "
        "t/s1/a=3 t/s1/b=1 t/s2/a=1 t/s2/b=2 t/s2/c=1 u/s3/a=2 u/s3/d=2\n"
        f"j.csv: {BY_SESSION}"),
    "pairs that are said to be judgments": (
        {"log.csv": LOG, "foo.txt": "t a\n\nt z\n"}, {"kinds": {"foo.txt": "judgments"}},
        "s1.1 t: a b | s2.1 t: b // t/a=1 t/z=1\nfoo.txt: judgments without grades; each document "
        "that is listed is judged 1. Give the grades, if there are any."),
    "no topics": ({"log.csv": TWO, "j.csv": GRADED}, {}, f"log.csv: {NO_TOPIC}"),
    "no topics: one": ({"log.csv": TWO, "j.csv": GRADED}, {"topics_by": "one"},
        "s1.1 : a b | s2.1 : b // /a=3 /b=1 /never=2\n"
        "log.csv: no topic named; as chosen, all queries are on one topic, with one ideal. "
        "If not, name each query's topic in the log."),
}  # fmt: skip


@pytest.mark.parametrize("what", JUDGED)
def test_judgments_grade_what_they_name(what: str, tmp_path: Path) -> None:
    files, rules, told = JUDGED[what]
    assert outcome(tmp_path, {"log.csv": TEXTS} | dict(files), grades=True, **rules) == told


def test_names_of_files_that_grade_documents_of_other_topics_are_no_topics(tmp_path: Path) -> None:
    both = {"t.csv": "doc,grade\na,1\nd,2\n", "u.csv": "doc,grade\na,3\nd,0\n"}
    said = outcome(tmp_path, {"log.csv": SESSIONS, **both})
    assert said.startswith("files: 2 readings fit")  # as of assessors


RATED = "searcher,topic,ease\np,t,4\nq,t,2\nr,u,1\n"


def test_ratings_go_by_the_topics_of_the_log(tmp_path: Path) -> None:
    log = SESSIONS.replace("\ns1", "\np,s1").replace("\ns2", "\nq,s2").replace("\ns3", "\nr,s3")
    files = {"log.csv": f"searcher,{log}", "j.csv": OF_EACH, "r.csv": RATED}
    assert made(tmp_path, files, judged_by="session").sessions["ease"].tolist() == [4, 2, 1]


def test_the_app_refuses_in_words_that_hold_without_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = put(tmp_path, {"log.csv": TWO, "j.csv": GRADED})
    assert sdcg.main(["app", "--study", *map(str, files)]) == 2
    assert capsys.readouterr().err == (
        "log.csv: no topic named; documents are judged for topics, but neither log nor judgments "
        "name any. Start the app without --study, drop the files on its Data page, and choose "
        "there.\n"
    )
