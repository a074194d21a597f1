"""Forms of TREC and its kin: runs and qrels of two to six parts, and session logs."""

from pathlib import Path

import pytest

from tests.support.refusals import LOG
from tests.support.told import grades_of, lists_of, made, outcome

RUN = [
    line.split()
    for line in """
31_1 Q0 d2 1 9.5 x
31_1 Q0 d1 2 8.5 x
31_2 Q0 d3 1 7.5 x
31_2 Q0 d4 2 7.1 x
""".strip().splitlines()
]


def lines(*parts: int, sign: str = " ", head: str = "") -> str:
    """These parts of a run's lines."""
    return head + "".join(sign.join(row[i] for i in parts) + "\n" for row in RUN)


WHOLE = lines(0, 1, 2, 3, 4, 5)
JUDGED = {
    "levels": "31_1 d1 L2\n31_1 d2 L0\n31_2 d3 L1\n",
    "LETOR": "2 qid:31_1 1:.5 2:0 # d1\n0 qid:31_1 1:.2 #docid = d2 inc = 1\n1 qid:31_2 1:1 #d3\n",
    "LETOR, named": "2 qid:31_1 1:.5 #docid = d1 inc = 1\n0 qid:31_1 # d2\n1 qid:31_2 # d3\n",
}


@pytest.mark.parametrize("form", JUDGED)
def test_judgments_of_any_parts_are_the_judgments(form: str, tmp_path: Path) -> None:
    study = made(tmp_path, {"a.run": WHOLE, "q.txt": JUDGED[form]})
    assert grades_of(study) == "31_1/d1=2 31_1/d2=0 31_2/d3=1"


RANKS = {"a.run": WHOLE, "q.txt": "31_1 d2 1\n31_1 d1 2\n31_2 d3 1\n"}
PAIRS = {"x.tsv": lines(0, 2, sign="\t"), "y.tsv": "31_1\td1\n31_2\td3\n"}
UNNAMED = "qid,docno,{}\n9-1,b,{}\n9-1,a,{}\n9-1,c,{}\n9-2,a,1\n"
CALLED = "session,doc,rank\n71,a,1\n71,b,2\n72,c,1\n"
NINE = "9 0 a 1\n"
ASKED = "--set kinds={0}=judgments, or --set kinds={0}=log."
OTHERS: dict[str, tuple[dict[str, str], str]] = {  # lists, or what is said
    "a log without names": ({"a.csv": "s1,1,1,d1\ns1,1,2,d2\n", "q.txt": "s1 0 d1 1\n"},
                            "a.csv, line 1: no header row"),
    "such with ranks behind": ({"a.csv": "s1,1,d1,1\ns1,1,d2,2\n", "q.txt": "s1 0 d1 1\n"},
                               "a.csv, line 1: no header row"),
    "three parts and pairs": ({**PAIRS, "x.tsv": lines(0, 2, 3, sign="\t")},
                              "31.1 31_1: d2 d1 | 31.2 31_2: d3 d4"),
    "ranks, or grades": (RANKS, ASKED.format("q.txt")),
    "pairs and pairs": (PAIRS, ASKED.format("y.tsv")),
    "a count": ({"a.csv": UNNAMED.format("Stelle", *"123"), "q.txt": NINE},
                "9.1 9: b a c | 9.2 9: a"),
    "a count in another order": ({"a.csv": UNNAMED.format("Stelle", *"312"), "q.txt": NINE},
                                 "9.1 9: 3=b 1=a 2=c | 9.2 9: a"),
    "notes": ({"a.csv": UNNAMED.format("note", *"xyz"), "q.txt": NINE}, "9.1 9: b a c | 9.2 9: a"),
    "scores": ({"a.csv": UNNAMED.format("score", *"132"), "q.txt": NINE},
               "9.1 9: 3=b 1=a 2=c | 9.2 9: a"),
    "times": ({"a.csv": "qid,docno,time\n9-1,a,5\n9-1,b,7\n", "q.txt": NINE}, "no rank column"),
    "pairs in qrels": ({"log.csv": LOG, "qrels.txt": "t a\nt c\n"}, "s1.1 t: a b | s2.1 t: b"),
    "a run below names": ({
            "a.txt": lines(0, 1, 2, 3, 4, 5, head="topic Q0 docno rank score run_tag\n"),
            "q.txt": "31 0 d1 1\n",
        }, "31.1 31: d2 d1 | 31.2 31: d3 d4"),
    "pairs called gold": ({"log.csv": LOG, "gold.txt": "t a\nt c\n"}, "s1.1 t: a b | s2.1 t: b"),
    "pairs in a file of words": ({"log.csv": LOG, "words.txt": "t a\nt c\n"}, "no judgments"),
    "sessions called as topics": ({"a.csv": CALLED, "q.txt": "71 0 a 1\n72 0 c 1\n"},
                                  "71.1 71: a b | 72.1 72: c"),
    "such of other documents": ({"a.csv": CALLED, "q.txt": "71 0 c 1\n72 0 a 1\n"},
                                "topic missing"),
}  # fmt: skip


@pytest.mark.parametrize("form", OTHERS)
def test_other_rows_are_lists_where_nothing_else_fits_or_it_is_asked(
    form: str, tmp_path: Path
) -> None:
    files, told = OTHERS[form]
    came = outcome(tmp_path, files)
    assert came.splitlines()[0] == told if ": " in told and ".csv" not in told else told in came
    if "kinds" in told:
        one, other = sorted(files)
        assert len(made(tmp_path, files, kinds={one: "log", other: "judgments"}).results) == 4


# a hand-written Session Track log with everything such logs have
SESSIONS = """<?xml version="1.0" encoding="UTF-8"?>
<sessiontrack2013>
  <session num="7" starttime="0">
    <topic num="12"><title>t</title><desc>&lt;caf\u00e9&gt; &amp; tea</desc></topic>
    <interaction num="1" starttime="9.5" type="reformulate">
      <query>caf\u00e9 &amp; tea</query>
      <results>
        <result rank="1"><url>u</url><clueweb12id>cw12-1</clueweb12id><title>x</title></result>
        <result rank="2"><docno> cw09-2 </docno></result>
        <result rank="10"><clueweb09id>cw09-10</clueweb09id></result>
        <result rank="11"><clueweb12id>cw12-11</clueweb12id></result>
        <result rank="12"><clueweb12id>cw12-1</clueweb12id></result>
      </results>
      <clicked>
        <click num="1" starttime="10" endtime="11"><rank>2</rank></click>
        <click num="2" starttime="12" endtime="13"><rank>2</rank></click>
        <click num="3" starttime="14" endtime="15"><rank>11</rank></click>
      </clicked>
    </interaction>
    <interaction num="2" starttime="20"><query>nothing found</query><results/></interaction>
    <interaction num="3" starttime="30">
      <query>tea</query>
      <results><result rank="1"><clueweb12id>cw12-1</clueweb12id></result>
        <result rank="2"><clueweb12id>cw12-11</clueweb12id></result></results>
    </interaction>
    <currentquery starttime="40"><query>withheld</query></currentquery>
  </session>
  <session num="8" starttime="0">
    <topic num="13"/>
    <interaction num="1"><query>q</query>
      <results><result rank="1"><docno>d</docno></result></results>
      <clicked/>
    </interaction>
  </session>
</sessiontrack2013>
"""
GRADES = "12 0 cw12-1 2\n12 0 cw09-2\t-2\n\n12\t0  cw12-99 4\n"


OF_SESSIONS = {"log.xml": SESSIONS, "qrels.txt": GRADES}


def test_a_session_log_keeps_what_it_says(tmp_path: Path) -> None:
    study = made(tmp_path, OF_SESSIONS)
    assert lists_of(study) == (
        "7.1 12: cw12-1 cw09-2* 10=cw09-10 11=cw12-11* 12=cw12-1 | 7.2 12: | "
        "7.3 12: cw12-1 cw12-11 | 8.1 13: d"
    )
    assert grades_of(study) == "12/cw09-2=-2 12/cw12-1=2 12/cw12-99=4"
    assert study.queries[["text", "time"]].astype(str).to_numpy().tolist() == [
        *(["café & tea", "9.5"], ["nothing found", "20"], ["tea", "30"], ["q", ""])
    ]
    assert study.problems[0].found == "1 query whose results the log withholds"
    table = "topic,doc,grade\n12,cw12-1,2\n12,cw09-2,-2\n12,cw12-99,4\n"
    for other in ({"qrels.txt": GRADES.replace("\n", "\r\n")}, {"qrels.txt": table}):
        assert made(tmp_path, OF_SESSIONS | other).digest == study.digest


def test_who_searched_may_stand_in_an_element(tmp_path: Path) -> None:
    named = SESSIONS.replace('<session num="8" starttime="0">', '<session num="8"><user>p8</user>')
    assert named != SESSIONS
    study = made(tmp_path, {**OF_SESSIONS, "log.xml": named})
    assert study.sessions["searcher"].tolist()[1] == "p8"
