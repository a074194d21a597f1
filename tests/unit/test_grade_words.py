"""Grades in words, in matrices and on scales that count down: what is known, what is asked."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.refusals import refusal
from tests.support.told import grades_of as told_grades_of
from tests.support.told import outcome, put

if TYPE_CHECKING:
    from pathlib import Path

    from sdcg_explorer.study.study import Study

LOG = "session,query_number,rank,doc,topic\ns1,1,1,a,t\ns1,1,2,b,t\ns1,1,3,c,t\ns2,1,1,d,t\n"
SET = re.compile(r"--set (grade_\w+='[^']*'|grade_\w+=\S*[^.,\s])")


def judged(folder: Path, column: str, *grades: str, **more: str) -> Study:
    """The study of a log whose documents a, b, c and d are graded so."""
    rows = (f't,{doc},"{grade}"\n' for doc, grade in zip("abcd", grades, strict=False))
    files = {"log.csv": LOG.encode(), "j.csv": f"topic,doc,{column}\n{''.join(rows)}".encode()}
    return read_study(put(folder, files), recipe=Recipe(**more))  # pyright: ignore[reportArgumentType]


def grades_of(study: Study) -> dict[str, float]:
    return dict(zip(study.judgments["doc"], study.judgments["grade"], strict=True))


CERTAIN = {
    "yes and no": ("relevant", "Yes", "no", "yes", ""),
    "verdicts": ("answer", "accept", "reject", "accept", "ignore"),
    "opposites": ("grade", "relevant", "not relevant", "relevant", ""),
}


@pytest.mark.parametrize("which", CERTAIN)
def test_two_opposites_are_1_and_0_and_what_says_nothing_is_unjudged(
    which: str, tmp_path: Path
) -> None:
    study = judged(tmp_path, *CERTAIN[which])
    assert grades_of(study) == {"a": 1, "b": 0, "c": 1}
    (said,) = [p for p in study.report.problems if p.found.startswith("grades in words")]
    (chosen,) = SET.findall(said.remedy)
    words = shlex.split(chosen)[0].partition("=")[2]
    assert grades_of(judged(tmp_path / "again", *CERTAIN[which], grade_words=words)) == {
        "a": 1, "b": 0, "c": 1,
    }  # fmt: skip


def test_an_order_of_words_is_asked_and_each_answer_leads_to_a_study(tmp_path: Path) -> None:
    for i, (words, orders) in enumerate({
        ("VR", "N", "SR", "R"): [{"a": 3, "b": 0, "c": 1, "d": 2}],
        ("highly relevant", "none", "partially relevant", "skip"): [{"a": 2, "b": 0, "c": 1}],
        ("blue", "red", "red", "blue"): [{"a": 0, "b": 1, "c": 1, "d": 0},
                                         {"a": 1, "b": 0, "c": 0, "d": 1}],
        ("RELEVANT", "", "RELEVANT", ""): [{"a": 1, "c": 1}],
        ("yes, quite", "hardly", "yes, quite", "no"): [
            {"a": 2, "b": 0, "c": 2, "d": 1}, {"a": 0, "b": 2, "c": 0, "d": 1}],
        ("Très pertinent", "hors sujet", "peu pertinent", "pertinent"): [
            {"a": 3, "b": 0, "c": 1, "d": 2}],
        ("non pertinente", "molto pertinente", "?", "marginalmente pertinente"): [
            {"a": 0, "b": 2, "d": 1}],
        ("não relevante", "muito relevante", "pouco relevante", "relevante"): [
            {"a": 0, "b": 3, "c": 1, "d": 2}],
        ("muy útil", "Marginal", "no relevante", "marginal "): [{"a": 2, "b": 1, "c": 0, "d": 1}],
    }.items()):  # fmt: skip
        with pytest.raises(UnusableInputError) as refused:
            judged(tmp_path / str(i), "grade", *words)
        (problem,) = refused.value.problems
        answers = [shlex.split(each)[0].partition("=")[2] for each in SET.findall(problem.remedy)]
        made = [judged(tmp_path / f"{i}a", "grade", *words, grade_words=each) for each in answers]
        assert [grades_of(study) for study in made] == orders


DOWN = "1 - highly relevant", "3 - not relevant", "2 - partially relevant"
SAID: dict[str, tuple[tuple[str, ...], dict[str, str], dict[str, float] | str]] = {
    "a word among numbers": (("2", "x", "1"), {}, "grade 'x'; grades are numbers"),
    "a word that is not said": (("VR", "R"), {"grade_words": "N,VR"}, "grade 'R'; grades are num"),
    "words against numbers": (DOWN, {}, "--set grade_scale=lower"),
    "the lowest is best": (DOWN, {"grade_scale": "lower"}, {"a": 2, "b": 0, "c": 1}),
    "the highest is best": (DOWN, {"grade_scale": "higher"}, {"a": 1, "b": 3, "c": 2}),
}


@pytest.mark.parametrize("what", SAID)
def test_words_against_their_numbers_are_asked(what: str, tmp_path: Path) -> None:
    grades, rules, told = SAID[what]
    if isinstance(told, dict):
        assert grades_of(judged(tmp_path, "grade", *grades, **rules)) == told
    else:
        assert told in refusal(lambda: judged(tmp_path, "grade", *grades, **rules))


@pytest.mark.parametrize("scale", ["", "lower", "higher"])
def test_marks_of_schools_are_asked_which_end_is_the_best(scale: str, tmp_path: Path) -> None:
    marks = "Schulnote", "1", "5", "2"
    if scale:
        best = {"lower": {"a": 4, "b": 0, "c": 3}, "higher": {"a": 1, "b": 5, "c": 2}}[scale]
        given = {"mapping": {"grade": "Schulnote"}, "grade_scale": scale}
        assert grades_of(judged(tmp_path, *marks, **given)) == best
    else:
        asked = refusal(lambda: judged(tmp_path, *marks))
        assert "If 1 is the best: --set grade_scale=lower. If 5 is the best" in asked


@pytest.mark.parametrize("clicks", [True, False])
def test_a_scale_that_clicks_or_ranks_speak_against_is_asked(clicks: bool, tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    mark = chance.integers(1, 6, 200)  # 1 is the best, and mostly clicked, or shown first
    rows = []
    for session in range(20):
        shown = np.arange(10 * session, 10 * session + 10)
        shown = shown if clicks else shown[np.argsort(mark[shown], kind="stable")]
        rows += [f"s{session},1,{rank},d{doc},t,{int(clicks and mark[doc] < 3)}\n"
                 for rank, doc in enumerate(shown, start=1)]  # fmt: skip
    log = f"session,query_number,rank,doc,topic,clicked\n{''.join(rows)}"
    study: dict[int, Study] = {}
    for low in (0, 1):
        graded = "".join(f"t,d{doc},{own + low - 1}\n" for doc, own in enumerate(mark))
        files = {"log.csv": log.encode(), "j.csv": f"topic,doc,grade\n{graded}".encode()}
        paths = put(tmp_path / str(low), files)
        if low:
            with pytest.raises(UnusableInputError, match="If 1 is the best: --set grade_scale=low"):
                read_study(paths)
        study[low] = read_study(paths, recipe=Recipe(grade_scale="lower" if low else ""))
    assert (study[1].judgments["grade"] == 4 - study[0].judgments["grade"]).all()


# grades as a matrix of topics and documents: a row for each grade, or why there are none
ASKED = """session,searcher,topic,query_number,rank,doc
s1,1,T01,1,1,d1
s1,1,T01,1,2,d2
s2,2,T02,1,1,d2
s2,2,T02,2,1,d3
"""
NUMBERED = ASKED.replace("d", "010").replace("010oc", "doc")  # 0101, 0102, 0103
WORDY = ASKED.replace("d1", "tea").replace("d2", "mint").replace("d3", "sage")
NO_TOPIC = "no topic in common; the ids almost match ('T01' and '1')"
COMMENTS = "topic,d1,d2\nT01,see p. 3,\nT02,,nice\n"

# by what it is: log, matrix, choices, and the grades, or what is said of none
MADE: dict[str, tuple[str, str, str, str]] = {
    "topics that look like levels": (
        WORDY.replace("T0", "L"), "topic,tea,mint,sage,Mean\nL1,2,0,,1\nL2,,1,3,2\n", "",
        "L1/mint=0 L1/tea=2 L2/mint=1 L2/sage=3"),
    "decimal commas": (ASKED, "topic;d1;d2\nT01;0,5;1\nT02;;1,5\n", "",
        "T01/d1=0.5 T01/d2=1 T02/d2=1.5"),
    "ids without zeros": (NUMBERED, "topic,101,102\nT01,2,0\nT02,,1\n", "fix=alike-ids",
        "T01/0101=2 T01/0102=0 T02/0102=1"),
    "ids without zeros, unasked": (NUMBERED, "topic,101,102\nT01,2,0\nT02,,1\n", "",
        "no document in common; the ids almost match ('0101' and '101')"),
    "topics of another form": (ASKED, "doc,1,2\nd1,2,\nd2,0,1\n", "", NO_TOPIC),
    "by hand, rows without a header": (
        ASKED.replace("T0", ""), "1,d1,2,x,0\n1,d2,0,y,1\n2,d2,1,x,1\n", "kinds=m.csv=judgments",
        "m.csv, line 1: no header row ('1', 'd1', '2', 'x', '0')"),
    "rows without a header": (ASKED.replace("T0", ""), "1,d1,2,x,0\n1,d2,0,y,1\n2,d2,1,x,1\n", "",
        "m.csv, line 1: no header row ('1', 'd1', '2', 'x', '0')"),
    "comments": (ASKED, COMMENTS, "",
        "set aside; it has topics and documents, but its cells are no grades (see p. 3, nice). If "
        "it has the judgments, say so: --set kinds=m.csv=judgments."),
    "scores": (ASKED, "doc,T01,T02\n" + "".join(f"d{i},0.{i}3,0.{i}9\n" for i in range(1, 9)), "",
        "its cells are no grades (0.13, 0.23, 0.33, …)"),
    "one value alone": (ASKED, "topic,d1,d2\nT01,1,\nT02,,1\n", "", "its cells are no grades (1)"),
    "seconds": (ASKED, "topic,d1,d2\nT01,140,3\nT02,,12\n", "", "its cells are no grades (140, 3,"),
}  # fmt: skip


@pytest.mark.parametrize("what", MADE)
def test_a_matrix_has_a_row_for_each_grade_or_it_is_said_why_not(what: str, tmp_path: Path) -> None:
    log, matrix, choices, expected = MADE[what]
    put(tmp_path, {"log.csv": log, "m.csv": matrix})
    recipe = Recipe().with_texts(choices.split())
    if expected.startswith(("T", "1/", "L1/")):
        assert told_grades_of(read_study(tmp_path, recipe=recipe)) == expected
    else:
        assert expected in refusal(lambda: read_study(tmp_path, recipe=recipe))


LISTED_BY_GRADE = {  # what lists documents of topic 101, and their grades or why they have none
    "relevant ones": ({"relevant": ["a", "c"]}, "101/a=1 101/c=1"),
    "of documents": ({"relevant_docs": ["a", "c"]}, "101/a=1 101/c=1"),
    "and others": ({"relevant": ["a", "c"], "not_relevant": ["b"]}, "101/a=1 101/b=0 101/c=1"),
    "three grades": ({"good": ["a", "b"], "bad": ["c"], "perfect": []}, "order is not known"),
    "others alone": ({"not_relevant": ["a", "c"]}, "no judgments"),
    "beside what was shown": ({"relevant": ["a", "c"], "shown": ["a", "b"]}, "no judgments"),
}


@pytest.mark.parametrize("what", LISTED_BY_GRADE)
@pytest.mark.parametrize("by_key", [True, False])
def test_documents_are_listed_by_their_grades(what: str, by_key: bool, tmp_path: Path) -> None:
    lists, told = LISTED_BY_GRADE[what]
    log = "session,topic,query_number,rank,doc\ns,101,1,1,a\ns,101,1,2,b\ns,101,1,3,c\n"
    rows: Any = {"101": lists, "102": lists} if by_key else [{"topic": 101, **lists}]
    files = {"log.csv": log, "gold.json": json.dumps(rows)}
    found = outcome(tmp_path, files, grades=True)
    assert told in found
