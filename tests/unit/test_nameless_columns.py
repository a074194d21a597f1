"""Columns that say little: BEIR's qrels, numbers for ids of queries, no header row."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.refusals import JUDGMENTS, LOG
from tests.support.told import Contents, outcome

BEIR = "query-id\tcorpus-id\tscore\n{0}\ta\t1\n{1}\tb\t0\n"
NUMBERED = "person,{0},rank,doc,topic\np1,{1},1,a,t\np1,{1},2,b,t\np2,{2},1,b,t\n"
NAMED: dict[str, tuple[Contents, dict[str, Any], str]] = {
    "a log by BEIR": ({"log.txt": LOG, "test.tsv": BEIR.format("t", "t")}, {},
                      "s1.1 t: a b | s2.1 t: b // t/a=1 t/b=0"),
    **{name: ({"log.csv": NUMBERED.format(name, 7, 12), "j.csv": JUDGMENTS}, {},
              "p1.1 t: a b | p2.1 t: b // t/a=1 t/b=0")
       for name in ("qid", "query_id", "query_number")},
    "ids that say nothing": ({"log.csv": NUMBERED.format("qid", "x", "y"), "j.csv": JUDGMENTS}, {},
                             "p1.1 t: a b | p2.1 t: b // t/a=1 t/b=0"),
}  # fmt: skip


@pytest.mark.parametrize("what", NAMED)
def test_names_and_numbers_of_others_are_known(what: str, tmp_path: Path) -> None:
    files, rules, told = NAMED[what]
    assert told in outcome(tmp_path, files, grades=True, **rules).splitlines()
