"""Refusals of what is read, and what becomes of them once their remedies are carried out."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.formats import Table, workbook, workbook_of, zip_of
from tests.support.refusals import HEADER, JUDGMENTS, LOG, XML

Files = dict[str, str | bytes]
CHECK = "check log.csv judgments.csv"


@dataclass(frozen=True)
class Trial:
    """Files and arguments that are refused, and what a remedy makes of them.

    bad : files by name · good : those that the remedy changes · args : what is refused, several
    commands on a line each · cured : what the remedy makes of it · then : what is refused after
    all, where no study is made. Of commands that ";" parts the last one counts.
    """

    bad: Files
    good: Files = field(default_factory=dict[str, str | bytes])
    args: str = CHECK
    cured: str = ""
    then: str = ""


def changed(bad: str, good: str, args: str = CHECK, **more: str) -> Trial:
    """A log that is corrected; its judgments are the usual."""
    return Trial({"log.csv": bad, "judgments.csv": JUDGMENTS, **more}, {"log.csv": good}, args)


def graded(bad: str, good: str) -> Trial:
    """Judgments that are corrected."""
    return Trial({"log.csv": LOG, "judgments.csv": bad}, {"judgments.csv": good})


def said(files: Files, args: str, *cured: str) -> list[Trial]:
    """Files that stay as they are: each of these commands is a remedy, in place of `args`."""
    every = {"log.csv": LOG, "judgments.csv": JUDGMENTS, **files}
    return [Trial(every, {}, args, each) for each in cured]


def formed(name: str, bad: str | bytes, good: str | bytes = "") -> Trial:
    """A log in another form: corrected, or written as the usual CSV."""
    files: Files = {name: bad, "judgments.csv": JUDGMENTS, **({} if good else {"log.csv": LOG})}
    args = f"check {name} judgments.csv"
    return Trial(files, {name: good} if good else {}, args, args if good else CHECK)


ROW = '{"session":"s1","query_number":1,"rank":1,"doc":"a","topic":"t"}'
ODD = '{"session":"s1","query_number":1,"rank":2,"doc":1e30,"topic":"t"}'
RUN = "t_1 Q0 a 1 2 x\nt_1 Q0 b 2 1 x\n"
COLUMNS = ("session", "query_number", "rank", "doc", "topic")
CELLS = ("s1", 1, 1, "a", "t")
NAMELESS = "session,query_number,rank,doc,theme\ns1,1,1,a,t\ns2,1,1,a,u\n"
BARE = LOG.removeprefix(HEADER)
# rows that differ in time, so that none is known to be a list
TIMED = "session,query_number,stand,doc,topic,time\ns1,1,1,a,t,5\ns1,1,2,b,t,6\ns2,1,1,b,t,7\n"
NAMED = f"{CHECK} --columns session,query_number,rank,doc,topic"
CONFLICT = JUDGMENTS + "t,a,2\n"
BY = "topic,session,doc,grade\nt,s1,a,1\nt,s2,a,2\nt,s1,b,0\n"
TOML = 'format = 1\nname = "x"\n'
RATED = {"log.csv": "searcher," + HEADER + "p,s1,1,1,a,t\np,s2,1,1,b,t\n"}
RATINGS = f"{CHECK} --ratings r.csv"


def sheet(cell: str) -> bytes:
    """A workbook whose log has one cell of this XML in place of a document."""
    rows = (COLUMNS, ("s1", "1", "1", "a", "t"), ("s1", "1", "2", "", "t"))
    cells = [[f'<c t="str"><v>{text}</v></c>' for text in row] for row in rows]
    cells[2][3] = f"<c>{cell}</c>"
    return workbook({"log": "".join(f"<row>{''.join(row)}</row>" for row in cells)})


def rated(bad: str, good: str, log: str = RATED["log.csv"]) -> Trial:
    """A table of ratings that is corrected."""
    files: Files = {"log.csv": log, "judgments.csv": JUDGMENTS, "r.csv": bad}
    return Trial(files, {"r.csv": good}, RATINGS)


MERGED = HEADER + "s1,1,1,a,t\n,,2,b,\n,,3,c,\n,,4,d,\ns2,1,1,b,t\n"
WORDS = "topic,doc,grade\nt,a,R\nt,b,SR\n"


def simulated(bad: str) -> Trial:
    """A simulated searcher's log that is corrected; its name says the topic."""
    return Trial({"s-t.log": bad, "judgments.csv": JUDGMENTS}, {"s-t.log": SIMULATED},
                 "check s-t.log judgments.csv --name '{system}-{topic}'")  # fmt: skip


def deep() -> tuple[str, str]:
    """A log of short sessions and some long, which one result at rank 100 makes too large."""
    long = [f"far{s},{q},1,a,t\n" for s in range(200) for q in range(1, 102)]
    log = HEADER + "".join(long) + "".join(f"s{s},1,1,a,t\n" for s in range(1_800))
    return f"{log}far1,1,100,b,t\n", log


EVENTS = """session,time,event,query,doc,topic
s1,1,search,tea,,t
s1,2,result,,a,
s1,3,result,,b,
s1,4,click,,b,
s1,9,search,pots,,
s1,9,result,,b,
"""
BY_TASK = "user,task,query_number,rank,doc\nu1,t,1,1,a\nu1,t,1,2,b\nu2,t,1,1,b\n"
DEEPER = "user,task,query_number,rank,doc\nu1,t,1,3,a\nu1,t,1,4,b\nu2,t,1,3,b\n"
NO_SESSION = EVENTS.replace("session", "user")
ASSESSED = "topic,doc,grade,assessor\nt,a,2,anna\nt,a,1,ben\nt,b,0,ben\n"
LONG = "".join(f"s3,{q},1,a,t\n" for q in range(1, 10_002))
FINE = "topic,doc,grade\nt,a,0\n" + "".join(f"t,d{i},{i / 10}\n" for i in range(121))
COARSE = "topic,doc,grade\nt,a,0\n" + "".join(f"t,d{i},{i // 10}\n" for i in range(121))
SIMULATED = """ACTION QUERY 900 1 tea
ACTION SNIPPET 900 2 SNIPPET_RELEVANT b'a'
ACTION MARK 900 3 CONSIDERED_RELEVANT b'a'
"""
LISTS = '{"session":"s1","topic":"t","query_number":1,"results":[{"rank":1,"doc":"a"}]'

TRIALS = [
    # cells of a log
    changed(LOG + ",1,2,c,t\n", LOG + "s2,1,2,c,t\n"),
    changed(LOG + ",1,2,c,t\n", LOG),
    changed(LOG + "s2,1,x,c,t\n", LOG + "s2,1,2,c,t\n"),
    changed(LOG + "s2,1,,c,t\n", LOG + "s2,1,2,c,t\n"),
    changed(LOG + "s2,1,2,,t\n", LOG + "s2,1,2,c,t\n"),
    changed(LOG + "s2,1,2,,t\n", LOG + "s2,2,,,t\n"),
    changed("system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n",
            "system," + HEADER + "A,s1,1,1,a,t\nB,s2,2,1,a,t\n"),
    changed("system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n",
            "system," + HEADER + "A,s1,1,1,a,t\nA,s1,2,1,a,t\n"),
    changed(HEADER + "s1,1,,,t\n", LOG),
    changed(LOG + "s2,1,1,c,t\n", LOG + "s2,1,2,c,t\n"),
    changed(LOG + "s2,1,1,c,t\n", LOG),
    *said({"log.csv": LOG + "s2,1,1,c,t\n"}, CHECK, f"{CHECK} --set same_rank=first"),
    *said({"log.csv": LOG + "s1,1,0,c,t\n"}, f"{CHECK} --set rank_base=1",
          f"{CHECK} --set rank_base=0"),
    *said({"log.csv": LOG + "s3,10001,1,a,t\n"}, f"{CHECK} --query-numbers keep",
          f"{CHECK} --query-numbers renumber"),
    changed("grade," + HEADER + "2,s1,1,1,a,t\n1,s1,1,1,a,t\n",
            "grade," + HEADER + "2,s1,1,1,a,t\n"),
    changed("clicked," + HEADER + "maybe,s1,1,1,a,t\n", "clicked," + HEADER + "1,s1,1,1,a,t\n"),
    *said({"log.csv": "clicked," + HEADER + "maybe,s1,1,1,a,t\n"}, CHECK,
          f"{CHECK} --map clicked=(none)"),
    changed("session,query_number,docs,topic\ns1,1,['a' ... 'z'],t\n", LOG),
    changed(LOG + LONG, LOG),
    changed(LOG + LONG, LOG + LONG.replace("s3,10001,", "s4,10001,")),
    changed(*deep()),
    changed(HEADER, LOG),
    # columns
    changed("rank," + HEADER + "1,s1,1,1,a,t\n", "place," + HEADER + "1,s1,1,1,a,t\n"),
    changed(TIMED, TIMED.replace("stand", "rank")),
    *said({"log.csv": TIMED}, CHECK, f"{CHECK} --map rank=stand"),
    *said({}, f"{CHECK} --map doc=URL", CHECK, f"{CHECK} --map doc=doc"),
    *said({}, f"{CHECK} --map log.csv:session=doc",
          f"{CHECK} --map log.csv:doc=doc,log.csv:session=session"),
    *said({}, f"{CHECK} --map doc", f"{CHECK} --map doc=doc"),
    *said({}, f"{CHECK} --map doc=doc,doc=rank", f"{CHECK} --map doc=doc"),
    *said({"log.csv": BARE}, CHECK, NAMED),
    *said({"log.csv": BARE}, f"{CHECK} --columns session,doc", NAMED),
    *said({"log.csv": BARE}, f"{CHECK} --columns session,session", NAMED),
    changed(",".join(f"c{i}" for i in range(1_001)) + "\n", LOG),
    changed(LOG + "s2,1\n", LOG),
    changed(LOG + 's2,1,2,"c,t\n', LOG + 's2,1,2,"c",t\n'),
    changed(LOG + "s2,1,2," + "c" * 1_000_000 + ",t\n", LOG),
    changed("", LOG),
    changed(LOG + "s2,1,2,\0,t\n", LOG),
    # judgments
    graded(CONFLICT, JUDGMENTS),
    *said({"judgments.csv": CONFLICT}, CHECK,
          *(f"{CHECK} --set conflicts={which}" for which in ("first", "last", "highest"))),
    *said({"judgments.csv": BY}, CHECK, f"{CHECK} --set judged_by=session"),
    graded(JUDGMENTS + "t,c,x\n", JUDGMENTS + "t,c,\n"),
    graded(JUDGMENTS + "t,c,310\n", JUDGMENTS + "t,c,3.1\n"),
    graded(FINE, COARSE),
    *said({}, f"{CHECK} --set judged_by=text", CHECK),
    *said({"log.csv": LOG.replace("a,t", "a#1,t").replace("b,t", "b#1,t")}, CHECK,
          f"{CHECK} --doc-id '(?P<doc>.+?)(?:\\#[0-9]+)?'"),
    *said({"log.csv": LOG.replace("a,t", "abcd,t").replace("b,t", "efgh,t"),
           "judgments.csv": "topic,doc,grade\nt,abcdx,1\nt,efgh-y,0\n"}, CHECK,
          f"{CHECK} --doc-id '(?P<doc>.{{4}}).*'"),
    *said({"log.csv": LOG.replace(",t\n", ",t.1\n")}, CHECK,
          f"{CHECK} --set topic_id='(?P<topic>.+?)(?:\\.[0-9]+)?'"),
    *said({"judgments.csv": JUDGMENTS.replace("t,", "T,")}, CHECK, f"{CHECK} --set fix=alike-ids"),
    *said({"log.csv": HEADER.replace("\n", ",name\n") + "s1,1,1,x,t,a\ns2,1,1,y,t,b\n"}, CHECK,
          f"{CHECK} --map doc=name"),
    *said({"log.run": "t_8 Q0 a 1 2 x\nt_9 Q0 b 1 1 x\n"}, "check log.run judgments.csv",
          *(f"check log.run judgments.csv {way}" for way in
            ("--query-id whole", "--query-numbers keep", "--query-numbers renumber"))),
    Trial({"a.tsv": "t_1\ta\nt_1\tb\n", "b.tsv": "t\ta\n"}, {}, "check .",
          "check . --set kinds=a.tsv=log --set kinds=b.tsv=judgments"),
    Trial({"log.csv": LOG, "qrels.txt": "t 0 x1 1\n"}, {"qrels.txt": "t 0 a 1\n"},
          "check log.csv qrels.txt"),
    *said({"log.csv": "words," + LOG.replace("\ns", "\nx,s"),
           "judgments.csv": "words,doc,grade\nx,a,1\n"},
          f"{CHECK} --set judged_by=text", f"{CHECK} --set judged_by=text --map text=words"),
    Trial({"log.csv": "mark," + HEADER + "1,s1,1,1,a,t\n"}, {}, "check log.csv",
          "check log.csv --map grade=mark"),
    Trial({"log.csv": LOG}, {"judgments.csv": JUDGMENTS}, "check log.csv", CHECK),
    *said({"log.csv": NAMELESS, "judgments.csv": "doc,grade\na,3\n"}, CHECK,
          f"{CHECK} --topics-by one", f"{CHECK} --topics-by session"),
    *said({"log.csv": NAMELESS, "judgments.csv": "theme,doc,grade\nt,a,3\n"}, CHECK,
          f"{CHECK} --map topic=theme"),
    Trial({"log.csv": NAMELESS, "judgments.csv": "doc,grade\na,3\n"}, {}, CHECK,
          f"{CHECK} --map topic=theme", "both log and judgments name topics"),
    # files
    Trial({"judgments.csv": JUDGMENTS, "odd.csv": "x,y\n1,2\n"}, {"log.csv": LOG}, "check ."),
    Trial({"judgments.csv": JUDGMENTS, "odd.csv": "x,y\n1,2\n"}, {"odd.csv": LOG}, "check ."),
    Trial({"a.csv": LOG, "b.csv": HEADER + "s1,1,1,z,t\n", "judgments.csv": JUDGMENTS},
          {}, "check .", "check . --system-by-file"),
    Trial({"a.csv": LOG, "b.csv": HEADER + "s1,1,1,z,t\n", "judgments.csv": JUDGMENTS},
          {"b.csv": HEADER + "s9,1,1,z,t\n"}, "check ."),
    Trial({"study.toml": TOML}, {"log.csv": LOG, "judgments.csv": JUDGMENTS}, "check ."),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS, "study.toml": "name ="},
          {"study.toml": TOML}, "check ."),
    Trial({f"{of}/{name}": text for of in "ab" for name, text in
           {"log.csv": LOG, "judgments.csv": JUDGMENTS, "study.toml": TOML}.items()},
          {}, "check .", "check a"),
    *said({}, "check lag.csv judgments.csv", CHECK),
    Trial({"a.json": '{"t_1":{"a":2}}', "b.json": '{"t":{"a":2}}'}, {}, "check .",
          "check a.json b.json"),
    Trial({"a.zip": zip_of({"../log.csv": LOG.encode()}), "judgments.csv": JUDGMENTS},
          {"log.csv": LOG}, "check a.zip judgments.csv", CHECK),
    # ratings
    rated("pupil,ease\np,4\n", "searcher,ease\np,4\n"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS, "r.csv": "searcher,ease\np,4\n"}, {},
          RATINGS, CHECK),
    Trial({**RATED, "judgments.csv": JUDGMENTS,
           "r.csv": "session,doc,grade,searcher\ns1,ease,4,p\n"},
          {"r.csv": "session,ease\ns1,4\n"}, "check log.csv r.csv", RATINGS),
    rated("searcher,topic,ease\np,t,4\n", "session,ease\ns1,4\n"),
    rated("session,topic,ease\ns1,u,4\n", "session,topic,ease\ns1,t,4\n"),
    rated("session,ease\ns1,4\ns1,5\n", "session,ease\ns1,4\n"),
    # other forms
    formed("log.jsonl", f"{ROW}\n{{\n", f"{ROW}\n"),
    formed("log.json", '["s1"]\n["s1"]\n', f"{ROW}\n"),
    formed("log.jsonl", f'{{"a":"{"x" * 1_000_000}"}}\n{{}}\n', f"{ROW}\n"),
    *said({"log.jsonl": LISTS + ',"cites":[{"doc":"b"}]}\n'}, "check log.jsonl judgments.csv",
          *(f"check log.jsonl judgments.csv --set lists=log.jsonl={path}"
            for path in ("results", "cites"))),
    *said({"log.jsonl": LISTS + ',"cites":[{"doc":"z"}]}\n'},
          "check log.jsonl judgments.csv --set lists=log.jsonl=x", "check log.jsonl judgments.csv"),
    formed("log.jsonl", "".join(f'{{"l{i}":[{{"doc":"a"}}]}}\n' for i in range(51)),
           f"{ROW}\n"),
    *said({}, f"{CHECK} --set leave_out=topic=v", CHECK),
    *said({}, f"{CHECK} --set lists=log.jsonl", CHECK),
    *said({}, f"{CHECK} --set cells=url=,", CHECK),
    *said({"k.csv": "session,doc\ns9,z\n"}, "check '*.csv' --set kinds=k.csv=clicks", CHECK),
    formed("log.jsonl", '{"a":' * 60 + "1" + "}" * 60, f"{ROW}\n"),
    formed("log.jsonl", "{" + ",".join(f'"n{i}":1' for i in range(1_001)) + "}", f"{ROW}\n"),
    formed("log.jsonl", f"{ROW}\n{ODD}", f"{ROW}\n" + ODD.replace("1e30", '"1e30"')),
    formed("log.jsonl", ROW.replace('"a"', '"a\\u0000"'), f"{ROW}\n"),
    formed("log.jsonl", '{"a":{"b":1},"a_b":1}\n', f"{ROW}\n"),
    formed("log.jsonl", "{" + "".join(f'"n{i}":1,' for i in range(600)) + '"results":['
           + ",".join(['{"rank":1}'] * 2_000) + "]}", LISTS + "}\n"),
    formed("log.json", "[\n1]", f"[\n{ROW}]"),
    formed("log.json", "[\n{\n", f"[\n{ROW}]"),
    formed("log.json", "[" + "1," * 5_000_001 + "1]", f"[{ROW}]"),
    formed("log.json", "7", f"[{ROW}]"),
    formed("log.json", '{"t_1":{"a":2},\n"t_1":{"b":1}}', '{"t_1":{"a":2,"b":1}}'),
    formed("log.parquet", b"PAR1 cut"),
    formed("log.xml", XML[: XML.index("</docno>")], XML),
    formed("log.xml", "<!DOCTYPE sessiontrack2013>\n" + XML, XML),
    formed("log.xml", "<topics><topic/></topics>", XML),
    formed("log.run", RUN + "t_2 Q0 a\n", RUN + "t_2 Q0 a 1 2 x\n"),
    formed("log.xlsx", workbook_of(log=Table((), []))),
    formed("log.xlsx", workbook_of(log=Table((*COLUMNS, "doc"), [(*CELLS, "b")])),
           workbook_of(log=Table(COLUMNS, [CELLS]))),
    formed("log.xlsx", sheet("<f>1+1</f>"), sheet("<f>1+1</f><v>2</v>")),
    *said({"log.run": "t|1 Q0 a 1 2 x\n"}, "check log.run judgments.csv",
          "check log.run judgments.csv --query-id '(?P<session>.+)[|](?P<query>[0-9]+)'"),
    *said({"log.run": "t|1 Q0 a 1 2 x\n"}, "check log.run judgments.csv --query-id '(?P<q>.+)'",
          "check log.run judgments.csv --query-id '(?P<session>.+)[|](?P<query>[0-9]+)'"),
    *said({}, f"{CHECK} --set order=score", CHECK),
    *said({"log.run": RUN.replace(" 2 x", " two x")},
          "check log.run judgments.csv --set order=score",
          "check log.run judgments.csv --set order=rank"),
    # repairs
    *said({"log.csv": MERGED}, CHECK, f"{CHECK} --set fix=merged-cells"),
    *said({"log.csv": MERGED}, f"{CHECK} --set fix=merged", f"{CHECK} --set fix=merged-cells"),
    # grades in words
    *said({"judgments.csv": WORDS}, CHECK, f"{CHECK} --set grade_words=SR,R"),
    *said({"judgments.csv": WORDS.replace("SR", "B")}, CHECK,
          f"{CHECK} --set grade_words=B,R", f"{CHECK} --set grade_words=R,B"),
    *said({"judgments.csv": WORDS.replace("SR", "1 - very relevant")
           .replace("R\n", "2 - relevant\n")}, CHECK,
          f"{CHECK} --set grade_scale=lower", f"{CHECK} --set grade_scale=higher"),
    # events
    *said({"log.csv": DEEPER}, CHECK, f"{CHECK} --session-by searcher,topic"),
    Trial({"log.csv": BY_TASK, "judgments.csv": f"{JUDGMENTS}t,c,x\n"},
          {"judgments.csv": JUDGMENTS}),
    *said({}, f"{CHECK} --set query_by=odd", CHECK),
    *said({"log.csv": BY_TASK, "judgments.csv": "doc,grade\na,1\nb,0\n"}, CHECK,
          f"{CHECK} --map 'log.csv:topic=(none),session=user' --topics-by one"),
    *said({"log.csv": BY_TASK.replace("u1,t,1,2", "u1,s,1,1")}, f"{CHECK} --session-by searcher",
          f"{CHECK} --session-by searcher,topic"),
    *said({"log.csv": NO_SESSION.replace("user", "who")}, f"{CHECK} --set session_gap=1h",
          f"{CHECK} --set session_gap=1h --map searcher=who"),
    *said({"log.csv": "session,query_number,rank,doc\ns,1,1,a\n"}, CHECK,
          f"{CHECK} --map 'judgments.csv:topic=(none)' --topics-by one"),
    *said({"log.csv": NO_SESSION}, CHECK, f"{CHECK} --session-by searcher",
          f"{CHECK} --set session_gap=30m"),
    *said({"log.csv": EVENTS.replace("result", "row")}, CHECK, f"{CHECK} --set events=result=row"),
    *said({"log.csv": NO_SESSION.replace(",9,", ",soon,")}, f"{CHECK} --set session_gap=1h",
          f"{CHECK} --session-by searcher"),
    *said({"log.csv": EVENTS}, f"{CHECK} --set events=result", CHECK),
    *said({}, f"{CHECK} --set session_gap=soon", CHECK),
    *said({}, f"{CHECK} --session-by session,", f"{CHECK} --session-by session"),
    *said({}, f"{CHECK} --session-by task", CHECK),
    # assessors
    *said({"judgments.csv": ASSESSED}, CHECK, f"{CHECK} --assessors mean",
          f"{CHECK} --assessors max", f"{CHECK} --assessors anna"),
    *said({"judgments.csv": ASSESSED}, f"{CHECK} --assessors zoe", f"{CHECK} --assessors anna"),
    *said({"judgments.csv": ASSESSED + "t,a,0,anna\n"}, f"{CHECK} --assessors mean",
          f"{CHECK} --assessors mean --set conflicts=last"),
    # simulated searchers, and names of files
    simulated(SIMULATED.removeprefix("ACTION QUERY 900 1 tea\n") + "ACTION QUERY 900 4 tea\n"),
    simulated(SIMULATED.replace("SNIPPET 900 2 SNIPPET_RELEVANT b'a'", "SERP 900 2 EXAMINE_SERP")),
    simulated(SIMULATED.replace(" b'a'", "")),
    Trial({"s-t.log": SIMULATED, "judgments.csv": JUDGMENTS}, {},
          "check . --name '{system}_{topic}'", "check . --name '{system}-{topic}'"),
    Trial({"s.log": SIMULATED, "judgments.csv": JUDGMENTS}, {"s-t.log": SIMULATED, "s.log": ""},
          "check s.log judgments.csv --name '{system}-{topic}'",
          "check s-t.log judgments.csv --name '{system}-{topic}'"),
    *said({}, f"{CHECK} --file-name system", CHECK),
]  # fmt: skip
