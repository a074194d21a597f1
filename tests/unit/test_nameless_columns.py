"""Columns that say little: BEIR's qrels, numbers for ids of queries, no header row."""

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from tests.support.formats import Table, csv_of, gz_of, workbook_of
from tests.support.refusals import JUDGMENTS, LOG, refusal
from tests.support.told import Contents, lists_of, outcome, put

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


BARE, BARE_JUDGMENTS = (text.partition("\n")[2] for text in (LOG, JUDGMENTS))
COLUMNS = LOG.partition("\n")[0].split(",")
TABLE = Table(("s1", "1", "1", "a", "t"), [("s1", 1, 2, "b", "t"), ("s2", 1, 1, "b", "t")])
QUOTED = csv_of(TABLE, quoted=True)
GAPS = b"\n" + csv_of(TABLE, "\t").replace(b"\ns2", b"\n\ns2")
FORMS: dict[str, tuple[str, bytes, str]] = {
    "plain": ("log.csv", BARE.encode(), "line 1: rank 'a' (and 2 more: line 2; line 3)"),
    "quoted": ("log.csv", QUOTED, "line 1: rank 'a' (and 2 more: line 2; line 3)"),
    "blank lines": ("log.tsv", GAPS, "line 2: rank 'a' (and 2 more: line 3; line 5)"),
    "gzip": ("log.csv.gz", gz_of({"x": QUOTED})["x.gz"], "line 1: rank 'a' (and 2 more: line 2; "),
    "workbook": ("log.xlsx", workbook_of(log=TABLE), "line 1: rank 'a' (and 2 more: line 2; "),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_and_lines_of_a_table_without_a_header_are_whole(form: str, tmp_path: Path) -> None:
    name, content, places = FORMS[form]
    files = put(tmp_path, {name: content, "j.csv": JUDGMENTS})
    for columns in ({"": COLUMNS}, {"": COLUMNS, "j.csv": ["topic", "doc", "grade"]}):
        study = read_study(*files, recipe=Recipe(columns=columns))
        assert lists_of(study) == "s1.1 t: a b | s2.1 t: b"
        assert (study.report.files[0].rows_in, study.checked()["judged_share"]) == (3, 1)
        put(tmp_path, {"j.csv": BARE_JUDGMENTS})
    wrong = Recipe(columns={"": ["session", "query_number", "doc", "rank", "topic"]})
    assert places in refusal(lambda: read_study(*files, recipe=wrong))
