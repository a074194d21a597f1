"""Tables of text with one fault or oddity each: a log, its judgments, and options."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from sdcg_explorer.reading.recipe import FIELDS

HEAD = "session,query_number,rank,doc,topic"
ROWS = "s1,1,1,a,t\ns1,1,2,b,t\ns1,2,1,b,t\ns2,1,1,c,u\n"
LOG = f"{HEAD}\n{ROWS}"
JUDGED = "topic,doc,grade\nt,a,1\nt,b,0\nu,c,2\n"
OWN = f"{HEAD},grade\n" + ROWS.replace("\n", ",1\n")
BARE = ROWS.replace("t\n", "topic\n")
NFD = "e\u0301"


@dataclass(frozen=True)
class Odd:
    """Contents of a log and of judgments, and options that both commands have."""

    log: str | bytes = LOG
    judgments: str | bytes = JUDGED
    options: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, list[str]]:
        """Names that the options give to the columns of the log."""
        return FIELDS["columns"].read([*self.options[1:]] if "--columns" in self.options else [])

    def written(self, folder: Path) -> list[Path]:
        """The files, log and judgments."""
        files = {folder / "log.csv": self.log, folder / "judgments.csv": self.judgments}
        for path, content in files.items():
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return [*files]


def log(text: str | bytes, *options: str) -> Odd:
    """A log with the usual judgments."""
    return Odd(text, JUDGED, options)


def row(cells: str, *options: str) -> Odd:
    """The usual log with a row more."""
    return log(f"{LOG}{cells}\n", *options)


def judged(cells: str, *options: str) -> Odd:
    """The usual judgments with a row more."""
    return Odd(LOG, f"{JUDGED}{cells}\n", options)


def headed(header: str, *options: str) -> Odd:
    """The usual log under another header."""
    return log(f"{header}\n{ROWS}", *options)


def wide(name: str, *cells: str) -> Odd:
    """The usual log with a column more, whose cells come round."""
    lines = ROWS.splitlines()
    rows = (f"{line},{cells[i % len(cells)]}\n" for i, line in enumerate(lines))
    return log(f"{HEAD},{name}\n{''.join(rows)}")


TEXT = {  # bytes, lines and quotes
    "plain": log(LOG),
    "byte order mark": log("\ufeff" + LOG),
    "Latin-1": log(LOG.replace("a,t", "é,t").encode("latin-1")),
    "UTF-16, little end first": log(b"\xff\xfe" + LOG.encode("utf-16-le")),
    "UTF-16, big end first": log(b"\xfe\xff" + LOG.encode("utf-16-be")),
    "UTF-16 without its mark": log(LOG.encode("utf-16-le")),
    "UTF-16 cut in a letter": log(b"\xff\xfe" + LOG.encode("utf-16-le") + b"\xd8"),
    "letters in pieces": Odd(LOG.replace("a,t", f"{NFD},t"), JUDGED.replace("a,1", "é,1")),
    "two lines' ends": log(LOG.replace("\n", "\r\n")),
    "carriage returns": log(LOG.replace("\n", "\r")),
    "mixed line ends": log(LOG.replace("\n", "\r\n", 2)),
    "NUL": row("s3,1,1,\0,t"),
    "empty": log(""),
    "blanks alone": log(" \n\n\t\n"),
    "empty judgments": Odd(LOG, ""),
    "header alone": log(HEAD),
    "header alone, with a line end": log(HEAD + "\n"),
    "title line": log("My study 2008\n" + LOG),
    "title line with commas": log("My study,2008,,,\n" + LOG),
    "blank lines above": log("\n \n\n" + LOG),
    "blank lines between": log(LOG.replace("\ns2", "\n\n\ns2")),
    "blank lines with line ends of two": log(("\n\n" + LOG + "\n").replace("\n", "\r\n")),
    "line of blanks": log(LOG.replace("\ns2", "\n   \ns2")),
    "delimiter at the end of a row": row("s3,1,1,a,t,"),
    "delimiter at the end of all but the header": log(f"{HEAD}\n" + ROWS.replace("\n", ",\n")),
    "a cell too few": row("s3,1,1,a"),
    "a cell too many": row("s3,1,1,a,t,x"),
    "one too few and an empty one too many": row("s3,1,1,a\ns4,1,1,a,t,"),
    "unpaired quote": row('s3,1,1,"a,t'),
    "quote within a cell": row('s3,1,1,a"b,t'),
    "text behind a quote": row('s3,1,1,"a"b,t'),
    "blank behind a quote": row('s3,1,1,"a" ,t'),
    "blank before a quote": row('s3,1,1, "a",t'),
    "doubled quotes": row('s3,1,1,"a ""b"" c",t'),
    "backslash before a quote": row('s3,1,1,"a\\"b",t'),
    "quoted cells": log(LOG.replace("a,t", '"a","t"')),
    "cell of several lines": row('s3,1,1,"a\n\nb",t\ns4,1,1,a,t'),
    "several lines, then a cell too few": row('s3,1,1,"a\n\nb",t\ns4,1,1'),
    "quoted empty cells": row('s3,1,"","",t'),
    "semicolons": log(LOG.replace(",", ";")),
    "tabs": log(LOG.replace(",", "\t")),
    "bars": log(LOG.replace(",", "|")),
    "decimal commas": judged("t,d,1,5"),
    "packed": log(gzip.compress(LOG.encode(), mtime=0)),
    "packed and cut": log(gzip.compress(LOG.encode(), mtime=0)[:-9]),
    "packed Latin-1": log(gzip.compress(LOG.replace("a,t", "é,t").encode("latin-1"))),
    "long line": row("s3,1,1," + "a" * 1_000_001 + ",t"),
}
COLUMNS = {
    "column twice": headed("session,session,rank,doc,topic"),
    "names that differ by case alone": wide("Session", "x"),
    "column without a name": wide("", "x"),
    "columns without names": log(LOG.replace("\n", ",,\n")),
    "aliases": headed("Sess,Interaction,Position,DocID,Task"),
    "missing column": headed("session,query_number,stand,doc,topic"),
    "missing grade": Odd(LOG, "topic,doc,worth\nt,a,1\n"),
    "mapped": headed("session,query_number,stand,doc,topic", "--map", "rank=stand"),
    "one column for two roles": headed(
        "session,query_number,rank,doc,topic", "--map", "doc=session"
    ),
    "no header": log(ROWS),
    "no header, of judgments": Odd(LOG, JUDGED.split("\n", 1)[1]),
    "no header, named": log(ROWS, "--columns", HEAD),
    "many columns": log("\n".join(f"{line}{',x' * 996}" for line in LOG.splitlines()) + "\n"),
    "no topics": Odd("session,query_number,rank,doc\ns1,1,1,a\n", "doc,grade\na,1\n"),
    "no topics, one": Odd(
        "session,query_number,rank,doc\ns1,1,1,a\n", "doc,grade\na,1\n", ("--topics-by", "one")
    ),
    "one topic, though named": log(LOG, "--topics-by", "one"),
    "no topics in the log": Odd("session,query_number,rank,doc\ns1,1,1,a\n", JUDGED),
    "no topics in the judgments": Odd(LOG, "doc,grade\na,1\n"),
    "blank topics of the log": log(LOG.replace(",t\n", ",\n").replace(",u\n", ",\n")),
    "judgments by query id": Odd(LOG, JUDGED.replace("topic", "qid")),
    "BEIR's judgments": Odd(LOG, JUDGED.replace("topic,doc,grade", "query-id,corpus-id,score")),
    "documents as sessions": log(f"{HEAD}\na,1,1,a,t\nb,1,1,b,t\n"),
    "documents as searchers": wide("searcher", "a", "b", "b", "c"),
    "clicked": wide("clicked", "1", "0", "", "yes"),
    "clicked, no flag": wide("clicked", "1", "maybe"),
    "own grade": wide("grade", "1", "", "2"),
    "own grade, no number": wide("grade", "1", "x"),
    "own grade, too large": wide("grade", "1", "310"),
    "own grades that disagree": log(OWN + "s1,1,1,a,t,2\n"),
}
CELLS = {
    "rank 0": row("s3,1,0,a,t"),
    "rank 0, from 1": row("s3,1,0,a,t", "--set", "rank_base=1"),
    "all ranks from 0": log(LOG.replace(",1,1,", ",1,0,")),
    **{
        f"rank {each!r}": row(f"s3,1,{each},a,t")
        for each in (*("-1", "1.0", "1.5", "1e2", " 1 ", "9" * 20, "1\u00a0"),)
    },
    **{f"query number {each!r}": row(f"s3,{each},1,a,t") for each in ("0", "1.5", "2.0", "", "x")},
    "gaps in query numbers": row("s3,4,1,a,t\ns3,9,1,b,t"),
    "empty session": row(",1,1,a,t"),
    "blank session": row("\u00a0,1,1,a,t"),
    "document without a rank": row("s3,1,,a,t"),
    "rank without a document": row("s3,1,1,,t"),
    "query without results": row("s3,1,,,t"),
    "no result": log(f"{HEAD}\ns1,1,,,t\ns2,1,,,t\n"),
    "empty row": row(",,,,"),
    "two documents at a rank": row("s1,1,1,z,t"),
    "two documents at a rank, first": row("s1,1,1,z,t", "--set", "same_rank=first"),
    "a document at two ranks": row("s1,1,3,a,t"),
    "rows twice": log(LOG + ROWS),
    "second topic": row("s1,1,3,z,u"),
    "second system": wide("system", "A", "B"),
    "second system, empty": wide("system", "A", ""),
    "second searcher": wide("searcher", "p", "q"),
    "blanks around ids": row(" s1,1,3,a ,t "),
    "long ids": row(f"{'s' * 5000},1,1,{'d' * 5000},t"),
    "quotes in ids": row('"s""3",1,1,"\'a\'",t'),
    "signs of SQL": row("'; drop table x; --,1,1,%_\\,t"),
    "signs that nobody sees": row("s3,1,1,a\u200b,t"),
    "words for nothing": row("NULL,1,1,nan,None"),
    "unknown topics": row("s3,1,1,a,nobody"),
    "unknown topics alone": Odd(LOG, "topic,doc,grade\nx,a,1\n"),
    "a session of many queries": log(LOG + "".join(f"far,{i},1,a,t\n" for i in range(1, 10_002))),
}
GRADES = {
    "semicolons, and decimal commas": Odd(LOG, "topic;doc;grade\nt;a;1,5\nt;b;0,5\n"),
    **{
        f"grade {each!r}": judged(f"t,d,{each}")
        for each in (
            *("x", "nan", "-inf", "310", "-310", "100", "100.5", "1e400", "", " 2 ", "1_0"),
        )
    },
    "bad grade without a document": judged("t,,x"),
    "no grade at all": Odd(LOG, "topic,doc,grade\nt,a,\n"),
    "grades twice": Odd(LOG, JUDGED + JUDGED.split("\n", 1)[1]),
    "grades written in two ways": judged("t,a,1.0"),
    "grades that disagree": judged("t,a,2"),
    "grades that disagree, highest": judged("t,a,2", "--set", "conflicts=highest"),
    "121 grades": judged("\n".join(f"t,d{i},{i / 10}" for i in range(121))),
    "120 grades": Odd(LOG, "topic,doc,grade\n" + "".join(f"t,d{i},{i / 10}\n" for i in range(120))),
}
ODD = TEXT | COLUMNS | CELLS | GRADES
