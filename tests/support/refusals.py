"""Studies that can't be used, and what is said about each, word for word."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from sdcg_explorer.study.problems import Problem, UnusableInputError

OPTION = re.compile(r"--[a-z]")
HEADER = "session,query_number,rank,doc,topic\n"
LOG = HEADER + "s1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,0\n"


@dataclass(frozen=True)
class Refusal:
    """A log and its judgments as test files write them, log first, and what is said about them."""

    name: str
    files: dict[str, str | bytes]
    message: str


XML = """<sessiontrack2013>
<session num="1" starttime="0"><topic num="t"><desc>x</desc></topic>
<interaction num="1" starttime="1"><query>q</query><results>
<result rank="1"><docno>a</docno></result>
</results></interaction></session></sessiontrack2013>
"""
TWICE = (
    "twice; each column of a table has its own name. Rename one, or give each table a file or "
    "sheet of its own."
)
FILL = "Rename the column to {0}, or say which it is: --map {0}=NAME."

# by what is wrong: what is another than the usual log and judgments, and what is said, whole
SAID: dict[str, tuple[dict[str, str | bytes | None], str]] = {
    "missing column": ({"log.csv": "session,query_number,rank,topic\ns1,1,1,t\n"},
        "log.csv, line 1: no doc column; the file has session, "
        f'query_number, rank, topic. {FILL.format("doc")}'),
    "missing column of a large log": (
        {"log.csv": "session,topic,query_number,rank\n" + "s1,t,1,1\n" * 9_000},
        "log.csv, line 1: no doc column; the file has session, topic, query_number, rank. "
        f"{FILL.format('doc')}"),
    "missing column below a title": (
        {"log.csv": "Study,,,\n,,,\nsession,rank,doc,topic\ns1,1,a,t\n"},
        "log.csv, line 3: no query_number column; the file has session, rank, doc, topic. "
        f"{FILL.format('query_number')} If there is none, say what a query is: --set "
        "query_by=COLUMN."),
    "missing column of the judgments": ({"judgments.csv": "topic,doc,who\nt,a,x\n"},
        "judgments.csv, line 1: no grade column; the file has topic, doc, who. "
        f'{FILL.format("grade")}\n'
        "files: 2 sessions, 2 queries, 3 results, 33% judged; sessions are session, queries "
        "query_number, documents doc, ranks rank, topics topic; grade of every row in a judgment "
        "file: judgments.csv=1. Read with --grade judgments.csv=1."),
    "row too long": ({"log.csv": LOG + "s2,1,2,c,t,x\n"},
        "log.csv, line 5: 6 cells; the header has 5 columns. Shorten the row, or quote cells "
        "that contain the delimiter."),
    "ragged row": ({"log.csv": LOG + "s2,1,2\n"},
        "log.csv, line 5: 3 cells; the header has 5 columns. Complete the row, or quote cells "
        "that contain the delimiter."),
    "quote without its pair": ({"log.csv": LOG + 's2,1,2,"c,t\n'},
        "log.csv, line 5: unexpected end of data; quotes come in pairs, at the ends of a cell. "
        "Correct the quotes."),
    "empty file": ({"log.csv": ""},
        "log.csv, line 1: an empty file; a table has a header and rows. Export it again, or "
        "choose another file."),
    "header alone": ({"log.csv": HEADER},
        "log.csv, line 1: no row; a table has rows below its header. Export it again."),
    "binary file": ({"log.csv": LOG + "s2,1,2,\0,t\n"},
        "log.csv: binary content; a table is text. Export it as CSV in UTF-8."),
    "XML cut in half": ({"log.xml": XML[: XML.index("</docno>")], "log.csv": None},
        "log.xml, line 4: no element found; an XML log must be complete and well formed. Copy the "
        "whole file again."),
    "XML with a document type": ({
            "log.xml": '<?xml version="1.0"?>\n<!DOCTYPE sessiontrack2013 [<!ENTITY a "aa">]>\n'
            + XML,
            "log.csv": None,
        },
        "log.xml, line 2: a DOCTYPE; logs are read without document types or entities. Correct "
        "the file, or export it again."),
    "XML without sessions": ({"log.xml": "<topics><topic/></topics>", "log.csv": None},
        "log.xml: no interaction; a session log has sessions with interactions. Choose the log "
        "file."),
    "text in grade": ({"judgments.csv": JUDGMENTS + "t,c,x\n"},
        "judgments.csv, line 4: grade 'x'; grades are numbers. Correct the cell or leave it "
        "empty for unjudged."),
    "two grades for a document": ({"judgments.csv": JUDGMENTS + "t,a,2\n"},
        "judgments.csv, line 4: a second grade (2) for 'a' on topic 't'; a document may have only "
        "one grade per topic. Keep one of the two, or choose: --set conflicts=first, last or "
        "highest."),
    "two documents at one rank": ({"log.csv": LOG + "s2,1,1,c,t\n"},
        "log.csv, line 5: document 'c' at rank 1 of query 1 of session 's2', where line 4 has "
        "'b'; a rank in a result list holds one document. Correct the rank, remove the row, "
        "or keep the first: --set same_rank=first."),
    "two systems in one session": ({"log.csv": "system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n"},
        "log.csv, line 3: session 's1' has a second system, 'B'; a session is one searcher's "
        "work with one system. Give the parts different session ids, or correct the cell."),
    "two topics in one query": ({"log.csv": LOG + "s2,1,2,c,other\n"},
        "log.csv, line 5: query 1 of session 's2' has a second topic, 'other'; a query has one "
        "topic. Correct the cell."),
    "document without a rank": ({"log.csv": LOG + "s2,1,,c,t\n"},
        "log.csv, line 5: document 'c' without a rank; a result has a rank and a document, a "
        "query without results has neither. Fill in the rank."),
    "rank without a document": ({"log.csv": LOG + "s2,1,2,,t\n"},
        "log.csv, line 5: rank '2' without a document; a result has a rank and a document, a "
        "query without results has neither. Fill in the document, or empty the rank too."),
    "topic in the judgments alone": ({"log.csv": "session,query_number,rank,doc\ns1,1,1,a\n"},
        "log.csv, line 1: topic missing; either both log and judgments name topics, or neither "
        f'does. {FILL.format("topic")} If all queries share one topic, --map '
        "'judgments.csv:topic=(none)' --topics-by one."),
    "click that is neither 0 nor 1": ({"log.csv": "clicked," + HEADER + "maybe,s1,1,1,a,t\n"},
        "log.csv, line 2: clicked 'maybe'; clicked is 0 or 1. Correct the cell, or map no "
        "column to it."),
    "column twice": ({"log.csv": "rank," + HEADER + "1,s1,1,1,a,t\n"},
        f"log.csv, line 1: column 'rank' {TWICE}"),
    "no grades anywhere": ({"judgments.csv": None},
        "log.csv: no judgments; grades come from judgments, or from a column of the log. Give "
        "the judgments as a second file, or name the log's column: --map grade=NAME."),
    "qrels with a text for a grade": (
        {"qrels.txt": "t 0 a 1\nt 0 b x\nt 0 c 0\n", "judgments.csv": None},
        "qrels.txt, line 2: grade 'x'; grades are numbers. Correct the cell or leave it empty "
        "for unjudged."),
    "qrels with a part missing": ({"qrels.txt": "t 0 a 1\nt 0 b\nt 0 c 0\n", "judgments.csv": None},
        "qrels.txt, line 2: 3 parts; a line reads: topic 0 doc grade. Correct "
        "the line."),
    "many columns": ({"log.csv": ",".join(f"c{i}" for i in range(1_001)) + "\n1\n"},
        "log.csv, line 1: 1,001 columns; a table has at most 1,000 columns. Check the delimiter."),
    "UTF-16 cut in a letter": ({"log.csv": b"\xff\xfe" + LOG.encode("utf-16-le") + b"\xd8"},
        "log.csv: bytes that are not UTF-16; a text that starts as UTF-16 is UTF-16 to its end. "
        "Export it again."),
    "signs that do not print": ({"log.csv": HEADER.replace("doc", "r\x07k") + "s1,1,1,a,t\n"},
        "log.csv, line 1: no doc column; the file has session, "
        f"query_number, rank, r\\x07k, topic. {FILL.format('doc')}"),
}  # fmt: skip


def files_of(own: dict[str, str | bytes | None]) -> dict[str, str | bytes]:
    """The files by their keys, without those that are none."""
    every = {"log.csv": LOG, "judgments.csv": JUDGMENTS} | own
    names = sorted(every, key=lambda name: not name.startswith("log"))
    return {name.replace(".", "_"): text for name in names if (text := every[name]) is not None}


REFUSALS = [Refusal(name, files_of(own), message) for name, (own, message) in SAID.items()]


def assert_each_has_its_means(found: Sequence[Problem]) -> None:
    """No option where a page shows it, and one where the page says something else."""
    for problem in found:
        assert not OPTION.search(str(problem.in_browser))
        assert bool(problem.on_page) == bool(OPTION.search(str(problem)))


def refused(act: Callable[[], object]) -> list[str]:
    """The lines with which an act is refused."""
    with pytest.raises(UnusableInputError) as found:
        act()
    return found.value.lines()


def refusal(act: Callable[[], object]) -> str:
    """The same as one text."""
    return "\n".join(refused(act))
