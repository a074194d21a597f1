"""What a log comes to by its recipe: its lists, the lines that were changed, what is said."""

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading import cells, read, recipe
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study import report, study
from tests.support.refusals import HEADER, JUDGMENTS, LOG, refusal
from tests.support.told import Contents, outcome, put

ZERO = HEADER + "s1,1,0,a,t\ns1,1,1,b,t\ns1,2,,,t\ns1,3,1,b,t\n"
CLASHES = HEADER + "s1,1,1,a,t\ns1,1,1,b,t\ns1,1,2,b,t\ns1,1,1,a,t\ns1,1,1,c,t\ns2,1,1,b,t\n"
GAPS = HEADER + "s1,2,1,a,t\ns1,5,1,b,u\ns2,1,1,a,t\n"
LONG = HEADER + "s1,1,1,a,t\ns1,10001,1,b,t\n"
DOTTED = r"(?P<topic>\w+)\.(?P<session>\w+)\.(?P<query>\d+)"
RUN = "t7.alpha.2 Q0 a 1 9 x\nt7.alpha.1 Q0 b 1 9 x\nt8.alpha.3 Q0 a 1 9 x\nt8.beta.1 Q0 a 1 9 x\n"
SHIFTED = (
    "all ranks of the file are shifted by one. Check that the first result of a list has rank 0 "
    "in the file."
)
CLOSED = (
    "repaired: query numbers closed to 1, 2, …\n"
    "log.csv: {} renumbered; queries are numbered 1, 2, … within a session{}."
)
GAP = ", and a gap is not counted as a query"
FROM_ZERO = "repaired: ranks from 0 are renumbered from 1"
ONE_DOC = (
    "a rank in a result list holds one document. Correct the rank, remove the row, or keep "
    "the first: --set same_rank=first."
)
SHARED = (
    "A.csv, B.csv: 2 session names in several files ('s1', 's2'); sessions of one name are one "
    "session, and here their rows clash. Read each file as a system of its own, "
    "--system-by-file, or rename the sessions. If each is a searcher: --file-name '{searcher}' "
    "--session-by searcher,session."
)
OF_TWO = {"A": "a", "B": "b"}
ONE = "session,query_number,rank,doc,topic,{role}\ns1,1,1,{cell},t,{cell}1\n"
TWINS = "documents need a column of their own. Say which is which: --map doc=NAME,"
TEXTS = "session,topic,text,rank,doc\ns1,t,tea,1,a\ns1,t,tea,2,b\n"
BY_TEXT = {"query_by": "text", "kinds": {"log.csv": "log"}}
BY_ROWS = (
    "log.csv: queries identified by text; within a session they are numbered in the order of "
    "their rows. If another column identifies them, read with --set query_by=COLUMN."
)
# a second page, another text, and this text again: from its first page, and by another session
PAGED = TEXTS.replace("text", "text,page").replace("tea,", "tea,1,") + (
    "s1,t,tea,2,{},c\ns1,t,tea,2,{},d\ns1,t,pots,2,1,c\n"
    "s1,t,tea,1,1,a\ns1,t,tea,1,1,b\ns2,t,tea,2,1,d\n"
)
NO_PAGE = "left out: column 'page' has no role and differs within a query"
READ: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "ranks from 1": ({"log.csv": ZERO + "s2,1,0,b,t\n"}, {"rank_base": "1"},
        "log.csv, line 2: rank '0' (and 1 more: line 6); ranks count from 1. Correct the cell, "
        "or read with --set rank_base=0."),
    "ranks from 0 in one file": ({"zero.csv": ZERO, "one.csv": LOG.replace("s1", "s8")}, {},
        "s8.1 t: a b | s2.1 t: b | s1.1 t: a b | s1.2 t: | s1.3 t: 2=b\n"
        f"zero.csv [2, 3, 5] {FROM_ZERO}\n"
        "one.csv, zero.csv: 2 tables of one log, in which no column names a system; all are one "
        "system. If each is a system of its own: --system-by-file. If each is a searcher: "
        "--file-name '{searcher}' --session-by searcher,session.\n"
        "zero.csv: ranks from 0 (3 results); all ranks of the file are shifted by one, though some "
        "lists have no rank 0. If rank 0 marks an ad, or the like, leave it out: --set "
        "leave_out=rank=0."),
    **{f"ranks from 0, {base}": ({"log.csv": HEADER + f"s1,1,{n},a,t\ns1,2,{n},b,t\n"},
        {"rank_base": base}, f"s1.1 t: {at}a | s1.2 t: {at}b\nlog.csv [2, 3] {FROM_ZERO}\n"
        f"log.csv: ranks from 0 (2 results); {SHIFTED}")
       for base, n, at in (("auto", 0, ""), ("0", 1, "2="))},
    "first at a rank": ({"log.csv": CLASHES}, {"same_rank": "first"},
        "s1.1 t: a b | s2.1 t: b\n"
        "log.csv [3, 6] left out: a second document at a rank: the first is kept\n"
        "log.csv [5] repaired: rows of one result merged"),
    "gaps kept": ({"log.csv": GAPS}, {"query_numbers": "keep"},
        "s1.1 t: | s1.2 t: a | s1.3 u: | s1.4 u: | s1.5 u: b | s2.1 t: a"),
    "a gap too wide to keep": ({"log.csv": LONG}, {"query_numbers": "keep"},
        "log.csv, line 3: query number 10001; with gaps kept, query numbers go up to 10,000. "
        "Read with --query-numbers renumber."),
    "gaps too many to keep": (
        {"log.csv": HEADER + "".join(f"s{i},10000,1,a,t\n" for i in range(101))},
        {"query_numbers": "keep"},
        "log.csv: 1,010,000 queries; sessions have at most 1,000,000 queries in all, kept gaps "
        "included. Read with --query-numbers renumber."),
    "query ids by a letter": (
        {"log.run": "s1x1 Q0 a 1 9 x\ns1x2 Q0 b 1 9 x\n", "qrels.txt": "s1 0 a 1\n"},
        {"query_id": "(?P<session>.+)x(?P<query>.+)"}, "s1.1 s1: a | s1.2 s1: b\n"
        "log.run: query ids; session and query are read by (?P<session>.+)x(?P<query>.+), and the "
        "topic is the session. For example, s1x1 is query 1 of s1."),
    "query ids by a pattern": (
        {"log.run": RUN, "qrels.txt": "t7 0 a 1\nt8 0 a 0\n"},
        {"query_id": DOTTED},
        "alpha.2 t7: a | alpha.1 t7: b | alpha.3 t8: a | beta.1 t8: a\n"
        "log.run: query ids; session and query are read by "
        "(?P<topic>\\w+)\\.(?P<session>\\w+)\\.(?P<query>\\d+), and the topic is what it names. "
        "For example, t7.alpha.2 is query 2 of alpha."),
    "query ids that don't fit": ({
            "log.run": RUN + "x Q0 a 1 9 x\nx Q0 b 2 8 x\n",
            "qrels.txt": "t7 0 a 1\nt8 0 a 0\n",
        }, {"query_id": DOTTED},
        "log.run, line 5: query id 'x' (and 1 more: line 6); query ids are read as "
        "(?P<topic>\\w+)\\.(?P<session>\\w+)\\.(?P<query>\\d+). Say how they split into session "
        "and query: --query-id REGEX, or whole."),
    "a searcher by file, sessions of one name": (
        {"P1.csv": LOG, "P2.csv": LOG.replace(",a,", ",c,")},
        {"file_name": "{searcher}", "session_by": "searcher,session"},
        "P1/s1.1 t: a b | P1/s2.1 t: b | P2/s1.1 t: c b | P2/s2.1 t: b\n"
        "P1.csv: file names; they are read as {searcher}. For example, P1 is searcher P1.\n"
        "P1.csv: 2 sessions; sessions are identified by searcher, session. Check the first "
        "session.\n"
        "P2.csv: 2 sessions; sessions are identified by searcher, session. Check the first "
        "session."),
    "files that go on": (
        {f"{name}.csv": ONE.format(role="system", cell="a").replace("s1,1", f"s1,{query}")
         for query, name in enumerate("AB", start=1)}, {},
        "s1.1 t: a | s1.2 t: a\n"
        "A.csv, B.csv: 1 session name in several files ('s1'); rows of one name are one session's. "
        "Nothing to do if this is right."),
    "files that clash": (
        {"A.csv": LOG, "B.csv": HEADER + "s1,1,1,b,t\ns1,1,2,a,t\ns2,1,1,a,t\n"},
        {},
        f"{SHARED}\n"
        "B.csv, line 2: document 'b' at rank 1 of query 1 of session 's1', where A.csv, line 2, "
        f"has 'a' (and 2 more: line 3; line 4); {ONE_DOC}"),
    **{f"files that clash, with {role}": (
        {f"{name}.csv": ONE.format(role=role, cell=cell) for name, cell in OF_TWO.items()}, {},
        "A.csv, B.csv: 1 session name in several files ('s1'); sessions of one name are one "
        f"session, and here their rows clash. Rename the sessions{way}\n"
        f"B.csv, line 2: session 's1' has a second {role}, 'b1'; a session is one searcher's work "
        "with one system. Give the parts different session ids, or correct the cell.\n"
        "B.csv, line 2: document 'b' at rank 1 of query 1 of session 's1', where A.csv, line 2, "
        f"has 'a'; {ONE_DOC}")
       for role, way in (("searcher", ", or read with --session-by searcher,session."),
                         ("system", SHARED[SHARED.index(". If"):]))},
    **{f"a code among grades, {code} and {beside}": (
        {"log.csv": LOG, "judgments.csv": f"{JUDGMENTS}t,c,{code}\nt,e,{beside}\n"}, {},
        "s1.1 t: a b | s2.1 t: b" + is_code * (
            f"\njudgments.csv: grade {code}; it stands far apart from the other grades, as codes "
            f"for “can't judge” do. If it is one, leave it out: --set leave_out=grade={code}."))
       for code, beside, is_code in ((99, 0, True), (9, 0, True), (9, 3, False))},
    "a row of names alone": ({"log.csv": HEADER + "s1,1,1,a,t\ns0,,,,t\ns2,1,1,b,t\n"}, {},
        "s1.1 t: a | s2.1 t: b\n"
        "log.csv: 1 session without queries ('s0'); a session without queries has no score. "
        "Log the queries if there were any."),
    "columns of two logs by another's role": ({
            "a.csv": "session,query_number,topic,rank,url,doc,doc_2\ns1,1,t,1,a,x,y\n",
            "b.csv": "session,query_number,topic,rank,url\ns2,1,t,1,a\n",
        }, {"mapping": {"doc": "url"}},
        "s1.1 t: a | s2.1 t: a"),
    "sessions called as documents": ({"log.csv": HEADER + "a,1,1,a,t\nb,1,1,b,t\n"}, {},
        f"log.csv, line 1: the texts of doc ('a', 'b') as session; {TWINS}session=NAME."),
    "searchers called as documents": (
        {"log.csv": "searcher," + HEADER + "a,s1,1,1,a,t\n,s1,2,,,t\nb,s2,1,1,b,t\n"},
        {},
        f"log.csv, line 1: the texts of doc ('a', 'b') as searcher; {TWINS}searcher=NAME."),
    "a stray quote": ({"log.csv": f'{HEADER}s1,1,1,a,t\ns2,1,1,a,t\ns"2,1,2,b,t\n'}, {},
        'log.csv, line 4: session \'s"2\'; other rows have the id without the quotation mark. '
        "Correct the quotes."),
    "letters in pieces": ({
            "log.csv": HEADER + "s1,1,1,cafe\u0301,t\n",
            "judgments.csv": "topic,doc,grade\nt,caf\u00e9,1\n",
        }, {},
        "s1.1 t: café\n"
        "log.csv: letters not in NFC in doc; texts of several Unicode forms are one text, read "
        "in NFC. Nothing to do."),
    "a text left blank": ({"log.csv": f"{TEXTS}s1,t,,1,c\ns1,t,tea,1,b\n"}, BY_TEXT,
        "s1.1 t: a b | s1.2 t: c | s1.3 t: b\n"
        f"{BY_ROWS}"),
    "a blank text below the first of a list": ({"log.csv": f"{TEXTS}s1,t,,3,c\n"}, BY_TEXT,
        "log.csv, line 4: an empty query number; each row needs its query number. Fill the cell, "
        "or remove the row."),
    "pages whose ranks start again": ({"log.csv": PAGED.format(1, 2)}, BY_TEXT,
        "s1.1 t: a b c d | s1.2 t: c | s1.3 t: a | s1.4 t: b | s2.1 t: d\n"
        f"log.csv [4] repaired: {report.FOLDED}\nlog.csv [1] {NO_PAGE}\n{BY_ROWS}"),
    "pages of documents": (
        {"log.csv": PAGED.partition("s1,t,tea,2")[0].replace("tea,1", "tea,3")
         + "s1,t,tea,4,1,c\n"}, BY_TEXT, f"s1.1 t: a b | s1.2 t: c\n{BY_ROWS}"),
    "a page whose rank is no number": ({"log.csv": PAGED.format(1, "two")}, BY_TEXT,
        "log.csv, line 5: rank 'two'; ranks are whole numbers from 0 or 1. Correct the cell."),
    "pages whose ranks go on": ({"log.csv": PAGED.format(3, 4)}, BY_TEXT,
        "s1.1 t: a b c d | s1.2 t: c | s1.3 t: a | s1.4 t: b | s2.1 t: d\n"
        f"log.csv [1] {NO_PAGE}\n{BY_ROWS}"),
    "files that list documents, with a grade each": (
        {"log.csv": LOG, "judgments.csv": "topic,doc\nt,a\n", "gold.txt": "t b\n"},
        {"grade": "judgments.csv=2,gold.txt=1"}, "s1.1 t: a b | s2.1 t: b"),
    "query numbers from 0": ({"log.csv": HEADER + "s1,0,1,a,t\ns1,1,1,b,t\n"}, {},
        "s1.1 t: a | s1.2 t: b\nlog.csv [2, 3] repaired: query numbers from 0 are renumbered from "
        "1\nlog.csv: 2 queries were renumbered; queries are numbered 1, 2, … within a session. "
        "Nothing to do."),
    "ids without chunks": ({"log.csv": HEADER + "s1,1,1,a.x,t\ns1,1,2,b.x,t\n"},
        {"doc_id": r"(?P<doc>.)\.x"}, "s1.1 t: a b\nlog.csv: 2 ids are 2 documents; documents are "
        r"read from ids by '(?P<doc>.)\.x'. Nothing to do if this is right."),
    "query numbers with a gap": ({"log.csv": HEADER + "s1,0,1,a,t\ns1,2,1,b,t\n"}, {},
        f"s1.1 t: a | s1.2 t: b\nlog.csv [2] {CLOSED.format('1 query was', GAP)} If a query "
        "found nothing there, read with --query-numbers keep."),
    "cells not split": ({"log.csv": "session,query_number,topic,docs\ns1,1,t,a\ns1,2,t,b\n"},
        {"cells": {"docs": "one"}}, "s1.1 t: a | s1.2 t: b"),
    "signs of no width": ({"log.csv": LOG.replace("s2", "s\u200b2")}, {},
        "s1.1 t: a b | s\u200b2.1 t: b\n"
        "log.csv, line 4: 1 id of session with characters that can't be seen ('s\\u200b2'); ids "
        "are compared letter by letter, and these characters count. Remove them from all files, "
        "unless they belong there."),
}  # fmt: skip


@pytest.mark.parametrize("what", READ)
def test_a_log_is_read_by_its_recipe(what: str, tmp_path: Path) -> None:
    files, rules, told = READ[what]
    assert outcome(tmp_path, {"judgments.csv": JUDGMENTS} | dict(files), **rules) == told


def in_browser(folder: Path, most: tuple[float, float] = cells.NO_END) -> study.Study:
    """Study of the files in a folder, as a page reads them."""
    about, parts = read.read_parts([Source(path.name, path) for path in sorted(folder.iterdir())])
    return read.reading_of(about, parts, name="s", recipe=recipe.DEFAULT, most=most).study()


MOST = {
    "rows": (LOG, (2, 9), "3 rows", "2 results"),
    "lists": ("session,query_number,topic,docs\ns1,1,t,a b c d e\n", (2, 9), "5 rows", "2 results"),
    "sessions": (LOG, (9, 1), "2 sessions", "1 sessions"),
    "a run": ("12-1 Q0 a 1 9 x\n13-1 Q0 b 1 9 x\n", (9, 1), "2 sessions", "1 sessions"),
}


@pytest.mark.parametrize("what", MOST)
def test_a_study_in_the_browser_has_its_limits(what: str, tmp_path: Path) -> None:
    log, most, found, rule = MOST[what]
    put(tmp_path, {"log.csv": log, "qrels.txt": "12 0 a 1\n13 0 a 1\nt 0 a 1\n"})
    assert len(in_browser(tmp_path).results) > 1
    assert refusal(lambda: in_browser(tmp_path, most)) == (
        f"log.csv: {found}; a study in the browser has at most {rule}. Read a part of it, or use "
        "the command line."
    )
