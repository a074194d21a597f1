"""Refusals of counting, of the app's start and of options, and what their remedies come to."""

from __future__ import annotations

from sdcg_explorer.counting.counted import FORMAT
from sdcg_explorer.counting.counted_study import TABLES
from tests.support.refusals import HEADER, JUDGMENTS, LOG
from tests.support.trials import CONFLICT, NAMELESS, ROW, Trial, said

COUNTS = "counts log.csv judgments.csv --out counts"
SCORE = "score log.csv judgments.csv --out out"
QUERIES = "session,query_number,topic\n"
NEWER = {
    "counts/counts.json": f'{{"format": {FORMAT + 1}}}',
    **{f"counts/{each}.parquet": "" for each in TABLES},
}
THEMES = "theme,doc,grade\nt,a,1\nt,b,0\n"
APART = {"log.csv": "session,query_number,rank,doc\ns1,1,1,a\ns1,2,1,a\n"}


def counted(bad: str, good: str, args: str = COUNTS, **more: str) -> Trial:
    """A log that is corrected before it is counted."""
    return Trial({"log.csv": bad, "judgments.csv": JUDGMENTS, **more}, {"log.csv": good}, args)


def chosen(good: str, *bad: str) -> Trial:
    """Options, each of which is corrected."""
    return Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS}, {}, "\n".join(bad), good)


CELLS = (",1,2,c,t\n", "s2,1,x,c,t\n", "s2,x,2,c,t\n", "s2,1,,c,t\n", "s2,1,2,,t\n", "s2,1,2,c,u\n")
TRIALS = [
    counted(LOG + "".join(CELLS), LOG),
    counted(LOG + "".join(CELLS), LOG + "s2,1,2,c,t\n"),
    counted("system," + HEADER + "A,s1,1,1,a,t\nB,s1,2,1,a,t\n",
            "system," + HEADER + "A,s1,1,1,a,t\nB,s2,2,1,a,t\n"),
    counted(HEADER + "s1,1,,,t\n", LOG),
    Trial({"log.parquet": b"PAR1", "log.csv": LOG, "judgments.csv": JUDGMENTS}, {},
          COUNTS.replace("log.csv", "log.parquet"), COUNTS),
    *said({"log.csv": LOG.replace("rank", "stand")}, COUNTS, f"{COUNTS} --map rank=stand"),
    *said({"log.csv": LOG.replace("session", "user")}, COUNTS, f"{COUNTS} --map session=user"),
    *said({"log.csv": LOG + "s1,1,0,c,t\n"}, f"{COUNTS} --rank-base 1", f"{COUNTS} --rank-base 0"),
    *said({"log.csv": LOG + "s2,1,1,c,t\n"}, COUNTS, f"{COUNTS} --same-rank first"),
    *said({"judgments.csv": CONFLICT}, COUNTS, f"{COUNTS} --conflicts highest"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS + "t,c,x\n"},
          {"judgments.csv": JUDGMENTS + "t,c,\n"}, COUNTS),
    *said({"log.csv": NAMELESS}, COUNTS, f"{COUNTS} --map topic=theme"),
    *said({"log.csv": NAMELESS, "judgments.csv": THEMES}, COUNTS, f"{COUNTS} --topics-by one",
          f"{COUNTS} --map topic=theme"),
    *said({"log.csv": LOG.removeprefix(HEADER)}, COUNTS, f"{COUNTS} --columns {HEADER.strip()}"),
    counted(ROW, LOG),
    counted("My study\n" + LOG, LOG),
    counted("searcher," + HEADER + "p,s1,1,1,a,t\n" * 2 + "q,s1,1,1,a,t\n",
            "searcher," + HEADER + "p,s1,1,1,a,t\n" * 3),
    counted("clicked,grade," + HEADER + "maybe,x,s1,1,1,a,t\n1,310,s1,1,2,b,t\n",
            "clicked,grade," + HEADER + "1,2,s1,1,1,a,t\n0,1,s1,1,2,b,t\n"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS + "t,c,310\n"},
          {"judgments.csv": JUDGMENTS + "t,c,3\n"}, COUNTS),
    Trial({**APART, "judgments.csv": JUDGMENTS, "queries.csv": QUERIES + "s1,1,t\n"},
          {"queries.csv": QUERIES + "s1,1,t\ns1,2,t\n"}, f"{COUNTS} --queries queries.csv"),
    Trial({"log.csv": LOG + "s1,2,1,a,t\n", "judgments.csv": JUDGMENTS,
           "queries.csv": QUERIES + "s1,1,t\n"}, {}, f"{COUNTS} --queries queries.csv", COUNTS),
    Trial({"a/log.csv": LOG, "a/log.parquet": b"PAR1", "judgments.csv": JUDGMENTS}, {},
          "counts a judgments.csv --out counts", "counts 'a/*.csv' judgments.csv --out counts"),
    *said({}, COUNTS.replace("log", "lag"), COUNTS),
    chosen(COUNTS, f"{COUNTS} --memory much", f"{COUNTS} --memory 1MB", f"{COUNTS} --top 0",
            f"{COUNTS} --engine hive", f"{COUNTS} --master yarn", f"{COUNTS} --conflicts first",
            f"{COUNTS} --engine spark --memory 2GB", f"{COUNTS} --short-lists observed",
            f"{COUNTS} --map doc=URL", f"{COUNTS} --map dog=doc"),
    *said({}, f"{COUNTS} --topics-by session", f"{COUNTS} --topics-by one --sample 9 ; check "
          "counts/sample/log.parquet counts/sample/judgments.parquet"),
    chosen(SCORE, f"{SCORE} --preset mine", f"{SCORE} --weights 1=x", f"{SCORE} --b 1"),
    *said({}, f"{COUNTS} ; score counts --repeats first --short-lists observed --out out",
          f"{COUNTS} ; score counts --out out"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS, "counts/counts.json": "{}"}, {},
          "check counts", f"{COUNTS} ; check counts"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS, **NEWER}, {},
          "check counts", f"{COUNTS} ; check counts"),
    Trial({"log.csv": LOG, "judgments.csv": JUDGMENTS, "mine.toml": "[definition]\nb = 1\n"},
          {"mine.toml": "[definition]\nb = 2\n"}, f"{SCORE} --definition mine.toml"),
    *said({"out/sessions.csv": "mine\n"}, SCORE, f"{SCORE}/new", f"{SCORE} --force"),
    *said({"out/mine.csv": "mine\n"}, SCORE, f"{SCORE}/new", f"{SCORE} --force"),
    *said({}, "app --ephemeral --shared", "app --ephemeral", "app --shared"),
    *said({}, "app --address 0.0.0.0", "app --address 0.0.0.0 --shared",
          "app --address 0.0.0.0 --ephemeral"),
    *said({"judgments.csv": CONFLICT}, "app --study log.csv judgments.csv", "app"),
]  # fmt: skip
