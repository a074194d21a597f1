"""TREC: a hand-written Session Track log with everything such logs have, and qrels."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_files import report_of, written

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


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [*written(tmp_path, log_xml=LOG, qrels_txt=QRELS).values()]


@pytest.fixture
def study(files: list[Path]) -> Study:
    return read_study(*files)


def test_trec_results_keep_rank_document_and_clicks(study: Study) -> None:
    columns = ["session", "query_number", "rank", "doc", "clicked"]
    assert study.results[columns].astype(str).to_numpy().tolist() == [
        ["7", "1", "1", "cw12-1", "False"],
        ["7", "1", "2", "cw09-2", "True"],
        ["7", "1", "10", "cw09-10", "False"],
        ["7", "1", "11", "cw12-11", "True"],
        ["7", "1", "12", "cw12-1", "False"],
        ["7", "3", "1", "cw12-1", "False"],
        ["7", "3", "2", "cw12-11", "False"],
        ["8", "1", "1", "d", "False"],
    ]


def test_trec_queries_keep_topic_text_and_time(study: Study) -> None:
    columns = ["session", "query_number", "topic", "text", "time"]
    assert study.queries[columns].astype(str).to_numpy().tolist() == [
        ["7", "1", "12", "café & tea", "9.5"],
        ["7", "2", "12", "nothing found", "20"],
        ["7", "3", "12", "tea", "30"],
        ["8", "1", "13", "q", ""],
    ]


def test_trec_currentquery_is_withheld_and_said(study: Study, files: list[Path]) -> None:
    said = report_of(*files)
    assert (said["withheld_queries"], said["queries"]) == (1, 4)
    assert "withheld" not in study.queries["text"].tolist()
    assert said["problems"][0] == {
        "severity": "warning",
        "file": "log.xml",
        "line": None,
        "found": "1 query whose results the log withholds",
        "rule": "they are left out of their sessions, so the last query here is not the "
        "searcher's last",
        "remedy": "Read 'last' as the last query with results.",
        "count": 1,
        "examples": [],
    }


def test_trec_counts(files: list[Path]) -> None:
    expected = {
        "sessions": 2,
        "results": 8,
        "queries_without_results": 1,
        "clicked": 2,
        "repeats": 2,
        "lists_with_rank_gaps": 1,
        "searchers": None,
        "systems": 1,
        "topics": 2,
        "topics_judged": 1,
        "sessions_without_judgments": 1,
        "query_lengths": {"1": 1, "3": 1},
        "grades": {"-2": 1, "2": 1, "4": 1},
        "judgments_matched": 2,
        "judgments_never_shown": 1,
    }
    said = report_of(*files)
    assert {name: said[name] for name in expected} == expected


def test_qrels_are_topic_document_and_grade(study: Study) -> None:
    assert study.judgments.astype({"topic": str, "doc": str}).to_numpy().tolist() == [
        ["12", "cw12-1", 2.0],
        ["12", "cw09-2", -2.0],
        ["12", "cw12-99", 4.0],
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_qrels_and_csv_of_the_same_judgments_are_the_same_study(ends: str, tmp_path: Path) -> None:
    table = "topic,doc,grade\n12,cw12-1,2\n12,cw09-2,-2\n12,cw12-99,4\n"
    one = written(tmp_path, log_xml=LOG, qrels_txt=QRELS.replace("\n", ends))
    two = written(tmp_path, log_xml=LOG, judgments_csv=table)
    assert read_study(*one.values()).digest == read_study(*two.values()).digest
