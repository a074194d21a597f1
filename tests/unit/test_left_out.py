"""Rows that are left out by hand: what stays is the study of the other rows."""

from pathlib import Path

import pytest

from sdcg_explorer.study.problems import UnusableInputError
from tests.support.told import made

JUDGED = "topic,doc,grade\nt,a,2\nt,b,1\n"
HEADER = "session,searcher,topic,query_number,rank,doc,kind\n"
REST = "s1,P01,t,1,1,b,result\ns1,P01,t,2,1,a,result\ns2,P02,t,1,1,b,result\n"


ASIDE = {"about.csv": "searcher,doc\nP01,a\n", "log.csv": HEADER + REST, "judged.csv": JUDGED}
# what can't be left out, and what is said of it
REFUSED = {
    "searcher=P09": "log.csv: no row whose searcher is P09; rows are left out by a column and its "
    "value. Correct --set leave_out.",
    "Participant=P01": "log.csv: no column 'Participant'; its columns are session, searcher, "
    "topic, query_number, rank, doc, kind. Correct --set leave_out.",
    "searcher=P01,session=s2": "log.csv: no row left; all rows of the log are left out, as "
    "chosen. Correct --set leave_out.",
    "grade=1,grade=2": "judged.csv: no row left; all rows of the judgments are left out, as "
    "chosen. Correct --set leave_out.",
}


@pytest.mark.parametrize("leave_out", REFUSED)
def test_rows_that_are_none_or_all_are_refused_by_the_log(leave_out: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError) as refused:
        made(tmp_path, ASIDE, leave_out=leave_out)
    assert refused.value.lines() == [REFUSED[leave_out]]
