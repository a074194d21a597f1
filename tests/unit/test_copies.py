"""Documents twice in a list, and repeats by topic and by document."""

from __future__ import annotations

from pathlib import Path

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.overview import words as overview_words
from sdcg_explorer.questions.overview.numbers import overview
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.report import TWICE
from sdcg_explorer.study.result_rows import NEVER
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS

# query 2 shows a, which query 1 had, at ranks 1 and 3; and the unjudged x twice
COPIES = HEADER + (
    "s1,1,1,a,t\ns1,1,2,b,t\ns1,2,3,a,t\ns1,2,1,a,t\ns1,2,2,x,t\ns1,2,4,x,t\ns1,3,1,x,t\n"
)
TURNS = HEADER + "s1,1,1,a,t\ns1,2,1,a,u\ns1,3,1,a,u\n"  # a second topic from query 2 on


def read(folder: Path, log: str) -> Study:
    return read_study(*written(folder, log_csv=log, judgments_csv=JUDGMENTS).values())


def test_a_second_copy_in_a_list_is_counted_and_no_repeat(tmp_path: Path) -> None:
    study = read(tmp_path, COPIES)
    checked = study.checked()
    assert (checked["documents_twice_in_a_list"], checked["repeats"]) == (2, 2)
    assert study.report.repaired == {TWICE: 2}
    assert [line for _, line, *_ in study.report.rows()] == [4, 7]
    seen = study.block().seen_at[0]
    assert seen[1, :4].tolist() == [1, NEVER, NEVER, NEVER]
    assert seen[2, 0] == 2
    assert overview(study, DEFAULT, Filters()).repeats == (2,)


def test_repeats_by_document_are_named_where_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = read(tmp_path, TURNS)
    checked = study.checked()
    assert (checked["repeats"], checked["repeats_by_document"]) == (1, 2)
    seen = overview(study, DEFAULT, Filters())
    assert overview_words.repeated(seen) == (
        "Results shown again within a session (top 10), on the same topic: the system, 1 of 3. On "
        "any topic: the system, 2 of 3."
    )
    assert sdcg.main(["check", str(tmp_path)]) == 0
    assert "\nrepeats: 1\nrepeats by document: 2\n" in capsys.readouterr().out
    assert read(tmp_path, COPIES).checked()["repeats_by_document"] == 2
    assert sdcg.main(["check", str(tmp_path)]) == 0
    assert "repeats by document" not in capsys.readouterr().out


def test_repeats_by_document_stay_within_the_top(tmp_path: Path) -> None:
    deep = TURNS.replace("s1,1,1,a,t", "s1,1,1,b,t\ns1,1,12,a,t")
    assert overview(read(tmp_path, deep), DEFAULT, Filters()).repeats_by_document == (1,)
