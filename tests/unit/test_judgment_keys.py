"""Judgments by topic, by query text or by session: which results they grade, and what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import DEFAULT, Recipe
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import refusal

HEADER = "session,query_number,topic,query,rank,doc\n"
LOG = (
    HEADER
    + "s1,1,t,foot ulcer,1,a\n"
    + "s1,1,t,foot ulcer,2,b\n"
    + "s1,2,t,diabetes,1,c\n"
    + "s2,1,u,foot ulcer,1,a\n"
    + "s2,2,u,insulin,1,d\n"
)
NO_TOPICS = (
    "session,query_number,query,rank,doc\n"
    "s1,1,foot ulcer,1,a\n"
    "s1,1,foot ulcer,2,b\n"
    "s1,2,diabetes,1,c\n"
    "s2,1,foot ulcer,1,a\n"
)
BY_TEXT = "query,doc,grade\nfoot ulcer,a,2\nfoot ulcer,b,-1\ndiabetes,c,0.5\n"
MERGED = "agreeing judgments merged"


def study_of(
    folder: Path, judgments: str | None, log: str = LOG, recipe: Recipe = DEFAULT
) -> Study:
    """Study of a log and its judgments; without these, the log's own grades serve."""
    files: dict[str, str | bytes] = {"log_csv": log}
    if judgments is not None:
        files["judgments_csv"] = judgments
    return read_study(*written(folder, **files).values(), recipe=recipe)


def graded(study: Study) -> list[tuple[str, str, float]]:
    """Topic, document and grade of each judgment."""
    judgments = study.judgments.astype({"topic": str, "doc": str})
    return sorted(judgments.itertuples(index=False, name=None))


def said(study: Study, severity: str) -> list[str]:
    """What is said about the judgments, or about the log by its reader."""
    return [str(each) for each in study.report.problems if each.severity == severity]


def refused(folder: Path, judgments: str | None, **more: Any) -> str:
    """The refusal, word for word."""
    return refusal(lambda: study_of(folder, judgments, **more))


def test_topics_beat_texts_where_both_files_name_both(tmp_path: Path) -> None:
    judgments = "query,topic,doc,grade\nfoot ulcer,t,a,2\nno such text,u,a,1\n"
    study = study_of(tmp_path, judgments)
    assert graded(study) == [("t", "a", 2.0), ("u", "a", 1.0)]
    assert said(study, "warning") == []


def test_judgments_by_text_count_on_each_topic_it_was_asked_on(tmp_path: Path) -> None:
    study = study_of(tmp_path, BY_TEXT)
    assert graded(study) == [
        *(("t", "a", 2.0), ("t", "b", -1.0), ("t", "c", 0.5)),
        *(("u", "a", 2.0), ("u", "b", -1.0)),
    ]
    checked = study.checked()
    assert checked["grades"] == {"-1": 2, "0.5": 1, "2": 2}
    # u's b was never shown there; d of u was never judged
    assert (checked["judgments_matched"], checked["judgments_never_shown"]) == (4, 1)
    assert checked["judged_share"] == 4 / 5
    assert study.report.problems == []


def test_judgments_by_session_and_query_number_count_on_that_querys_topic(tmp_path: Path) -> None:
    log = LOG + "s2,3,t,diabetes,1,c\n"
    study = study_of(tmp_path, "session,query_number,doc,grade\ns2,1,a,2\ns2,3,c,1\n", log)
    assert graded(study) == [("t", "c", 1.0), ("u", "a", 2.0)]
    assert study.report.problems == []


def test_text_that_nobody_asked_is_kept_but_never_shown_and_said(tmp_path: Path) -> None:
    study = study_of(tmp_path, BY_TEXT + "gout,a,3\ngout,z,3\nrickets,a,1\nscurvy,a,1\nflu,a,1\n")
    assert ("gout", "a", 3.0) in graded(study)
    checked = study.checked()
    assert (checked["judgments"], checked["judgments_never_shown"]) == (10, 1 + 5)
    assert (checked["topics"], checked["judged_share"]) == (2, 4 / 5)
    (warning,) = study.report.problems
    assert str(warning) == (
        "judgments.csv: 5 judgments by a query text that the log does not have; they are kept, but "
        "count for no query and no ideal. Check that log and judgments write each query text alike."
    )
    assert (warning.severity, warning.examples) == ("warning", ("gout", "rickets", "scurvy"))


def test_log_without_topics_takes_the_judged_texts_as_topics(tmp_path: Path) -> None:
    study = study_of(tmp_path, BY_TEXT, NO_TOPICS)
    assert study.queries["topic"].tolist() == ["foot ulcer", "diabetes", "foot ulcer"]
    ulcer = [("foot ulcer", "a", 2.0), ("foot ulcer", "b", -1.0)]
    assert graded(study) == [("diabetes", "c", 0.5), *ulcer]
    assert study.checked()["judged_share"] == 1.0


def test_log_without_topics_takes_the_judged_sessions_as_topics(tmp_path: Path) -> None:
    study = study_of(tmp_path, "session,doc,grade\ns1,a,2\ns2,a,0\n", NO_TOPICS)
    assert study.queries["topic"].tolist() == ["s1", "s1", "s2"]
    assert graded(study) == [("s1", "a", 2.0), ("s2", "a", 0.0)]


@pytest.mark.parametrize(
    "judgments", [BY_TEXT, "session,doc,grade\ns1,a,2\n"], ids=["text", "session"]
)
def test_log_without_topics_is_told_what_its_topics_are(judgments: str, tmp_path: Path) -> None:
    notes = said(study_of(tmp_path, judgments, NO_TOPICS), "note")
    assert len(notes) == 1
    assert "the log names no topic" in notes[0]


def test_judgments_by_query_grade_no_other_query_of_a_log_without_topics(tmp_path: Path) -> None:
    log = "session,query_number,rank,doc\ns1,1,1,a\ns1,2,1,a\n"
    study = study_of(tmp_path, "session,query_number,doc,grade\ns1,1,a,2\ns1,2,b,0\n", log)
    assert study.checked()["judged_share"] == 1 / 2


@pytest.mark.parametrize(
    "text", [" café  noir ", "cafe\u0301  noir", '"café  noir\t"'], ids=["blanks", "NFD", "tab"]
)
def test_texts_are_compared_in_nfc_without_blanks_around(text: str, tmp_path: Path) -> None:
    log = HEADER + "s1,1,t,café  noir,1,a\ns1,2,t,café noir,1,b\n"
    study = study_of(tmp_path, f"query,doc,grade\n{text},a,2\n", log)
    assert graded(study) == [("t", "a", 2.0)]


def test_agreeing_judgments_are_merged_with_their_lines(tmp_path: Path) -> None:
    judgments = "topic,doc,grade\nt,a,2\nt,b,0\nt,a,2.0\nu,a,2\nt,a,+2\nt,b,-0\n"
    study = study_of(tmp_path, judgments)
    assert graded(study) == [("t", "a", 2.0), ("t", "b", 0.0), ("u", "a", 2.0)]
    assert study.report.repaired == {MERGED: 3}
    assert list(study.report.rows()) == [
        ("judgments.csv", line, "repaired", MERGED) for line in (4, 6, 7)
    ]


CONFLICT = "topic,doc,grade\nt,a,1\nt,b,0\nt,a,3\nt,a,0.5\nt,b,0\nu,a,2\n"
CONFLICTS = {"first": (1.0, [4, 5]), "last": (0.5, [2, 4]), "highest": (3.0, [2, 5])}


@pytest.mark.parametrize("which", CONFLICTS)
def test_conflicting_judgments_count_by_rule_and_are_listed(which: str, tmp_path: Path) -> None:
    grade, lines = CONFLICTS[which]
    study = study_of(tmp_path, CONFLICT, recipe=Recipe(conflicts=which))
    assert graded(study) == [("t", "a", grade), ("t", "b", 0.0), ("u", "a", 2.0)]
    rule = f"conflicting judgments: the {which} counts"
    assert study.report.left_out == {rule: 2}
    assert study.report.repaired == {MERGED: 1}
    assert sorted(study.report.rows()) == [
        *(("judgments.csv", line, "left out", rule) for line in lines),
        ("judgments.csv", 6, "repaired", MERGED),
    ]


ON_TWO = pytest.param(LOG, id="one of them on another topic too")


@pytest.mark.parametrize("log", [ON_TWO, pytest.param(LOG[: LOG.index("s2")], id="both on one")])
def test_texts_of_one_topic_that_disagree_are_refused(log: str, tmp_path: Path) -> None:
    judgments = "query,doc,grade\ndiabetes,a,1\nfoot ulcer,a,2\n"
    assert refused(tmp_path, judgments, log=log) == (
        "judgments.csv, line 3: another grade, 2, for 'a' of topic 't'; a document has one grade "
        "for a topic. Matched by query text, no conflict is left: --set judged_by=text. Keep one "
        "of the "
        "two, "
        "or choose: --set conflicts=first, last or highest."
    )
    apart = study_of(tmp_path, judgments, log, Recipe(judged_by="text"))
    assert ("t/diabetes", "a", 1.0) in graded(apart)
    assert ("t/foot ulcer", "a", 2.0) in graded(apart)


def test_grades_of_no_topic_that_disagree_may_lack_it(tmp_path: Path) -> None:
    judgments = "topic,doc,grade\nt,a,2\nt,b,0\nt,c,1\n,a,1\n,a,0\n"
    assert refused(tmp_path, judgments) == (
        "judgments.csv, line 6: another grade, 0, for 'a' of topic ''; a document has one grade "
        "for a topic. Fill in the topic, keep one of the two, or choose: --set conflicts=first, "
        "last or highest."
    )


OWN = "grade," + HEADER + "-2,s1,1,t,x,1,a\n0.5,s1,1,t,x,2,b\n,s1,1,t,x,3,c\n-2,s2,1,t,y,1,a\n"


def test_own_grades_of_two_sessions_that_disagree_are_refused_or_chosen(tmp_path: Path) -> None:
    log = OWN + "3,s3,1,t,y,1,b\n"
    assert refused(tmp_path, None, log=log) == (
        "log.csv, line 6: another grade, 3, for 'b' of topic 't'; a document has one grade for a "
        "topic. Matched by session, no conflict is left: --set judged_by=session. Keep one of "
        "the two, or "
        "choose: --set conflicts=first, last or highest."
    )
    apart = study_of(tmp_path, None, log, Recipe(judged_by="session"))
    own = [("t/s1", "a", -2.0), ("t/s1", "b", 0.5), ("t/s2", "a", -2.0), ("t/s3", "b", 3.0)]
    assert graded(apart) == own
    chosen = study_of(tmp_path, None, log, Recipe(conflicts="highest"))
    assert graded(chosen) == [("t", "a", -2.0), ("t", "b", 3.0)]


RUN = "106_1 Q0 a 1 9 x\n106_2 Q0 b 1 9 x\n107_1 Q0 a 1 9 x\n"
QRELS = {
    "whole": ("106_1 0 a 2\n106_2 0 a 1\n107_1 0 a 0\n", ["106_1", "106_2", "107_1"], 2 / 3),
    "session": ("106 0 a 2\n106 0 b 1\n107 0 a 0\n", ["106", "106", "107"], 1.0),
}


@pytest.mark.parametrize("key", QRELS)
def test_topic_of_a_run_is_the_query_id_or_session_that_qrels_go_by(
    key: str, tmp_path: Path
) -> None:
    qrels, topics, judged = QRELS[key]
    study = read_study(*written(tmp_path, log_run=RUN, qrels_txt=qrels).values())
    assert study.queries["topic"].tolist() == topics
    assert study.queries["session"].tolist() == ["106", "106", "107"]
    assert study.queries["query_number"].tolist() == [1, 2, 1]
    assert study.checked()["judged_share"] == pytest.approx(judged)
    of = "the whole query id, as in the judgments" if key == "whole" else "the session"
    assert said(study, "note") == [
        "log.run: query ids; session and query are read by (?P<session>.+?)"
        f"(?:[-_. :/]+[qQ]?|[qQ])(?P<query>\\d+), and the topic is {of}. "
        "Check one: 106_1 is query 1 of 106."
    ]


SEARCHED = "searcher,system,session,topic,query_number,rank,doc,age\n" + "".join(
    f"p{k},{'AB'[k % 2]},s{k},t,1,{rank},doc-{k}{rank},{20 + k}\n"
    for k in (1, 2)
    for rank in (1, 2)
)


def test_judgments_of_another_part_of_the_study_are_kept_and_warned_of(tmp_path: Path) -> None:
    elsewhere = "topic,doc,grade\nv,x,1\nw,y,0\n"
    used = written(tmp_path, log_csv=SEARCHED, j_csv="topic,doc,grade\nt,doc-11,1\n")
    other = written(tmp_path, q_csv=elsewhere)["q_csv"]
    study = read_study([*used.values(), other])
    assert len(study.judgments) == 3
    assert said(study, "warning")[0] == (
        "q.csv: judgments of 2 topics that the log lacks ('v', …); they count for no query. "
        "Nothing to do if they belong to another part of the study."
    )
    alone = refusal(lambda: read_study([used["log_csv"], other]))
    assert "q.csv: none of its 2 documents ('x', …) is in the log" in alone
