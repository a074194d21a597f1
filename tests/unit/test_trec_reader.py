"""TREC: a hand-written Session Track log with everything such logs have, and qrels."""

from pathlib import Path

from tests.support.told import grades_of, lists_of, made

LOG = """<?xml version="1.0" encoding="UTF-8"?>
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
QRELS = "12 0 cw12-1 2\n12 0 cw09-2\t-2\n\n12\t0  cw12-99 4\n"


FILES = {"log.xml": LOG, "qrels.txt": QRELS}


def test_a_session_log_keeps_what_it_says(tmp_path: Path) -> None:
    study = made(tmp_path, FILES)
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
    for other in ({"qrels.txt": QRELS.replace("\n", "\r\n")}, {"qrels.txt": table}):
        assert made(tmp_path, FILES | other).digest == study.digest


def test_who_searched_may_stand_in_an_element(tmp_path: Path) -> None:
    named = LOG.replace('<session num="8" starttime="0">', '<session num="8"><user>p8</user>')
    assert named != LOG
    study = made(tmp_path, {**FILES, "log.xml": named})
    assert study.sessions["searcher"].tolist()[1] == "p8"
