"""Logs without topics: somebody says what a topic is, and each choice does what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.export.study_zip import study_zip
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.scoring.definition import PRESETS, Filters
from sdcg_explorer.scoring.scores import scores
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS, LOG

TWO = "session,query_number,rank,doc\ns1,1,1,a\ns1,1,2,b\ns2,1,1,b\n"  # two sessions, no topic
GRADED = "doc,grade\na,3\nb,1\nnever,2\n"
BLANK = HEADER + "s1,1,1,a, \ns1,1,2,b,\ns2,1,1,b,\n"


def read(folder: Path, log: str = TWO, judgments: str | None = GRADED, **rules: Any) -> Study:
    """Study of these files under rules."""
    files = {"log_csv": log} | ({"judgments_csv": judgments} if judgments else {})
    return read_study(*written(folder, **files).values(), recipe=Recipe(**rules))


def judged(study: Study) -> set[tuple[str, str, float]]:
    """Every judgment: topic, document, grade."""
    rows = study.judgments.astype({"topic": "str", "doc": "str"})
    return {*rows[["topic", "doc", "grade"]].itertuples(index=False, name=None)}


OWN = TWO.replace("doc\n", "doc,grade\n").replace("a\n", "a,3\n").replace("b\n", "b,1\n")
ASKED = {
    "neither names any": (TWO, GRADED),
    "both have a blank column": (BLANK, "topic,doc,grade\n,a,3\n,b,1\n"),
    "the log's own grades": (OWN, None),
    "a query number without its session": (TWO, "text,doc,grade\nx,a,1\n"),
}


@pytest.mark.parametrize("what", ASKED)
def test_a_log_without_topics_is_refused_until_one_is_chosen(what: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError) as raised:
        read(tmp_path, *ASKED[what])
    (problem,) = raised.value.problems
    assert problem.found == "no topic named"
    for choice in ("one", "session"):
        study = read(tmp_path, *ASKED[what], topics_by=choice)
        assert study.checked()["topics"] == (1 if choice == "one" else 2)
        assert ("note", "no topic named") in {(p.severity, p.found) for p in study.problems}


NOT_ASKED = {
    "judged by session": (TWO, "session,doc,grade\ns1,a,3\ns2,b,1\n", 2),
    "judged by query text": (
        TWO.replace("rank", "text,rank").replace(",1,1,", ",1,x,1,").replace(",1,2,", ",1,x,2,"),
        "text,doc,grade\nx,a,3\n",
        1,
    ),
    "named by some": (BLANK.replace("b,\n", "b,t\n", 1).replace("a, ", "a,t"), JUDGMENTS, 2),
}


@pytest.mark.parametrize("what", NOT_ASKED)
def test_nothing_is_asked_where_something_names_topics(what: str, tmp_path: Path) -> None:
    log, judgments, topics = NOT_ASKED[what]
    assert read(tmp_path, log, judgments).checked()["topics"] == topics


def test_one_topic_holds_every_judgment_and_sessions_grade_what_they_showed(tmp_path: Path) -> None:
    one = read(tmp_path, topics_by="one")
    assert judged(one) == {("", "a", 3), ("", "b", 1), ("", "never", 2)}
    each = read(tmp_path, topics_by="session")
    assert judged(each) == {("s1", "a", 3), ("s1", "b", 1), ("s2", "b", 1), ("", "never", 2)}
    checked = each.checked()
    assert (checked["judgments_matched"], checked["judgments_never_shown"]) == (3, 1)
    linear = PRESETS["linear"]
    shares = [
        scores(study, linear, Filters()).sessions["final_normalised"].round(12).tolist()
        for study in (one, each)
    ]
    # log2: a rank 1 counts 1, rank 2 counts 1/2, rank 3 1/(1 + log2 3)
    ideal = 3 + 2 / 2 + 1 / (1 + 1.584962500721156)
    assert shares == [[round(3.5 / ideal, 12), round(1 / ideal, 12)], [1.0, 1.0]]


@pytest.mark.parametrize("choice", ["one", "session"])
def test_a_zip_of_what_was_chosen_reads_back_unasked(choice: str, tmp_path: Path) -> None:
    study = read(tmp_path, topics_by=choice)
    path = tmp_path / "study.zip"
    path.write_bytes(study_zip(study, PRESETS["linear"], Filters()))
    assert read_study(path).digest == study.digest


def test_queries_without_a_topic_beside_others_are_counted(tmp_path: Path) -> None:
    study = read(tmp_path, LOG + "s3,1,1,a,\ns3,2,1,a,\n", JUDGMENTS)
    (said,) = [str(p) for p in study.problems if "without a topic" in p.found]
    assert said == (
        "log.csv: 2 queries without a topic; queries without a topic share one nameless topic, and "
        "one ideal. Fill in the topic of each query."
    )


def test_the_app_refuses_in_words_that_hold_without_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = written(tmp_path, log_csv=TWO, judgments_csv=GRADED)
    assert sdcg.main(["app", "--study", *map(str, files.values())]) == 2
    assert capsys.readouterr().err == (
        "log.csv: no topic named; documents are judged for topics, but neither log nor judgments "
        "name any. Start the app without --study, drop the files on its Data page, and choose "
        "there.\n"
    )
