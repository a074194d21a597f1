"""Grades in words and scales that count down: what is known at once, and what is asked."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.refusals import refusal
from tests.support.told import put

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
