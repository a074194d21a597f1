"""Studies that can't be used, and what is said about each, word for word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from typer.main import get_command

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.study.problems import Problem, UnusableInputError

OPTION = re.compile(r"--[a-z]")
HEADER = "session,query_number,rank,doc,topic\n"
LOG = HEADER + "s1,1,1,a,t\ns1,1,2,b,t\ns2,1,1,b,t\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,0\n"


@dataclass(frozen=True)
class Refusal:
    """Contents of a log and its judgments, and what is said about them."""

    name: str
    message: str
    log: str = LOG
    judgments: str | None = JUDGMENTS
    log_name: str = "log_csv"
    judgments_name: str = "judgments_csv"

    @property
    def files(self) -> dict[str, str | bytes]:
        """Contents by name."""
        both: dict[str, str | bytes] = {self.log_name: self.log}
        return both if self.judgments is None else both | {self.judgments_name: self.judgments}


XML = """<sessiontrack2013>
<session num="1" starttime="0"><topic num="t"><desc>x</desc></topic>
<interaction num="1" starttime="1"><query>q</query><results>
<result rank="1"><docno>a</docno></result>
</results></interaction></session></sessiontrack2013>
"""
FILL = "Rename the column to {0}, or say which it is: --map {0}=NAME."

REFUSALS = [
    Refusal(
        "missing column",
        "log.csv, line 1: doc missing; a column for doc is needed, and the columns are "
        "session, query_number, rank, topic. " + FILL.format("doc"),
        log="session,query_number,rank,topic\ns1,1,1,t\n",
    ),
    Refusal(
        "missing column below a title",
        "log.csv, line 3: query_number missing; a column for query_number is needed, and the "
        "columns are session, rank, doc, topic. "
        + FILL.format("query_number")
        + " If there is none, say what a query is: --set query_by=COLUMN.",
        log="Study,,,\n,,,\nsession,rank,doc,topic\ns1,1,a,t\n",
    ),
    Refusal(
        "missing column of the judgments",
        "judgments.csv, line 1: grade missing; a column for grade is needed, and the columns are "
        "topic, doc, who. " + FILL.format("grade") + "\nfiles: 2 sessions, 2 queries, 3 results, "
        "33 % judged; sessions are session, queries query_number, documents doc, ranks rank, "
        "topics topic. Read with --grade judgments.csv=1.",
        judgments="topic,doc,who\nt,a,x\n",
    ),
    Refusal(
        "text in rank",
        "log.csv, line 5: rank 'first'; ranks are whole numbers from 1. Correct the cell.",
        log=LOG + "s2,1,first,c,t\n",
    ),
    Refusal(
        "text in query number",
        "log.csv, line 5: query number 'x'; query numbers are whole numbers from 1. "
        "Correct the cell.",
        log=LOG + "s2,x,2,c,t\n",
    ),
    Refusal(
        "ragged row",
        "log.csv, line 5: 3 cells; the header has 5 columns. Complete the row, or quote cells "
        "that contain the delimiter.",
        log=LOG + "s2,1,2\n",
    ),
    Refusal(
        "quote without its pair",
        "log.csv, line 5: unexpected end of data; quotes come in pairs and stand at a cell's "
        "ends. Correct the quotes.",
        log=LOG + 's2,1,2,"c,t\n',
    ),
    Refusal(
        "empty file",
        "log.csv, line 1: an empty file; a table has a header and rows. Export it again, or choose "
        "another file.",
        log="",
    ),
    Refusal(
        "header alone",
        "log.csv, line 1: no row; a table has rows below its header. Export it again.",
        log=HEADER,
    ),
    Refusal(
        "binary file",
        "log.csv: binary content; a table is text. Export it as CSV in UTF-8.",
        log=LOG + "s2,1,2,\0,t\n",
    ),
    Refusal(
        "XML cut in half",
        "log.xml, line 4: no element found; an XML log is complete and well formed. "
        "Copy the whole file again.",
        log=XML[: XML.index("</docno>")],
        log_name="log_xml",
    ),
    Refusal(
        "XML with a document type",
        "log.xml, line 2: a DOCTYPE; logs are read without document types or entities. "
        "Correct the file, or export it again.",
        log='<?xml version="1.0"?>\n<!DOCTYPE sessiontrack2013 [<!ENTITY a "aa">]>\n' + XML,
        log_name="log_xml",
    ),
    Refusal(
        "XML without sessions",
        "log.xml: no interaction; a session log has sessions with interactions. "
        "Choose the log file.",
        log="<topics><topic/></topics>",
        log_name="log_xml",
    ),
    Refusal(
        "text in grade",
        "judgments.csv, line 4: grade 'x'; grades are numbers. Correct the cell or leave it "
        "empty for unjudged.",
        judgments=JUDGMENTS + "t,c,x\n",
    ),
    Refusal(
        "two grades for a document",
        "judgments.csv, line 4: another grade, 2, for 'a' of topic 't'; a document has one grade "
        "for a topic. Keep one of the two, or choose: --set conflicts=first, last or highest.",
        judgments=JUDGMENTS + "t,a,2\n",
    ),
    Refusal(
        "two documents at one rank",
        "log.csv, line 5: document 'c' at rank 1 of query 1 of session 's2', where line 4 has "
        "'b'; a rank in a result list holds one document. Correct the rank, remove the row, or "
        "keep the first: --set same_rank=first.",
        log=LOG + "s2,1,1,c,t\n",
    ),
    Refusal(
        "two systems in one session",
        "log.csv, line 3: session 's1' has a second system, 'B'; a session is one searcher's work "
        "with one system, so it has one system. Give the parts different session ids, or correct "
        "the cell.",
        log="system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n",
    ),
    Refusal(
        "two topics in one query",
        "log.csv, line 5: query 1 of session 's2' has a second topic; a query has one topic. "
        "Correct the cell.",
        log=LOG + "s2,1,2,c,other\n",
    ),
    Refusal(
        "document without a rank",
        "log.csv, line 5: document 'c' without a rank; a result has a rank and a document, a "
        "query without results has neither. Fill in the rank.",
        log=LOG + "s2,1,,c,t\n",
    ),
    Refusal(
        "rank without a document",
        "log.csv, line 5: rank '2' without a document; a result has a rank and a document, a "
        "query without results has neither. Fill in the document, or empty the rank too.",
        log=LOG + "s2,1,2,,t\n",
    ),
    Refusal(
        "topic in the judgments alone",
        "log.csv, line 1: topic missing; either both log and judgments name topics, or neither "
        "does. " + FILL.format("topic") + " If all queries share one topic, --map "
        "'judgments.csv:topic=(none)' --topics-by one.",
        log="session,query_number,rank,doc\ns1,1,1,a\n",
    ),
    Refusal(
        "click that is neither 0 nor 1",
        "log.csv, line 2: clicked 'maybe'; clicked is 0 or 1. Correct the cell, or map no column "
        "to it.",
        log="clicked," + HEADER + "maybe,s1,1,1,a,t\n",
    ),
    Refusal(
        "column twice",
        "log.csv, line 1: column 'rank' twice; each column has its own name. Rename one.",
        log="rank," + HEADER + "1,s1,1,1,a,t\n",
    ),
    Refusal(
        "no grades anywhere",
        "log.csv: no judgments; grades come from judgments, or from a column of the log. Give the "
        "judgments as a second file, or name the log's column: --map grade=NAME.",
        judgments=None,
    ),
    Refusal(
        "qrels with a text for a grade",
        "qrels.txt, line 2: grade 'x'; grades are numbers. Correct the cell or leave it empty for "
        "unjudged.",
        judgments="t 0 a 1\nt 0 b x\nt 0 c 0\n",
        judgments_name="qrels_txt",
    ),
    Refusal(
        "qrels with a part missing",
        "qrels.txt, line 2: 3 parts; a line of qrels reads: topic 0 document grade. "
        "Complete the line.",
        judgments="t 0 a 1\nt 0 b\nt 0 c 0\n",
        judgments_name="qrels_txt",
    ),
]


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


def known_options() -> dict[str, set[str]]:
    """Options of each command of `sdcg`."""
    commands = get_command(sdcg.cli).commands  # pyright: ignore[reportAttributeAccessIssue]
    return {
        name: {
            option for param in command.params for option in (*param.opts, *param.secondary_opts)
        }
        for name, command in commands.items()
    }
