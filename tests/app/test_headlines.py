"""Every page's headline: whole, in two lines, and who is said to be ahead is so in the table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import combinations

import pytest

from sdcg_explorer.export.report import figure_json
from sdcg_explorer.questions.catalogue import QUESTIONS, iterate_answers
from sdcg_explorer.questions.compare_systems import score_answer
from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.side_by_side import presets_answer
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.questions.wording import HEADLINE
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.screen import library as kept
from sdcg_explorer.screen.library import close_store
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import in_short
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files, study_of
from tests.support.plain_loop import PlainSession, PlainStudy, Query
from tests.support.screen import first_line, opened
from tests.support.server import PAGES
from tests.support.studies import DATA, REAL, SAMPLES, TRIED, at_hand, real_logs
from tests.support.thorough import THOROUGH

EVERY = (*PAGES, "data")
TIDY = DATA.parent / "cases" / "workbook" / "tidy"
Headline = Callable[[str, Study], str]
GRADED = {("t", f"d{grade}"): float(grade) for grade in range(4)}


def met_by_all(**grades: str) -> Study:
    """Each of eight searchers has a session with each system, a query for each grade at rank 1."""
    sessions: list[PlainSession] = []
    for system, own in grades.items():
        for i in range(8):
            queries: list[Query] = [("t", {1: f"d{grade}"}) for grade in own.split()[i % 2]]
            sessions.append(PlainSession(f"{system}{i}", queries, system, f"p{i}"))
    return study_of(PlainStudy(sessions, GRADED))


def tidy() -> Study:
    return read_study(
        TIDY / "log.csv", TIDY / "judgments.csv", ratings=(TIDY / "sessions.csv",), name="tidy"
    )


STUDIES: dict[str, Callable[[], Study]] = {
    **{name: lambda name=name: at_hand(name) for name in (*SAMPLES, *TRIED)},
    "workbook": tidy,
    "three systems, all clear": lambda: met_by_all(Low="0 1", Middle="1 2", High="3 23"),
    "three systems, one clear": lambda: met_by_all(Low="0 1", Middle="0 3", High="2 3"),
    "three systems, alike": lambda: met_by_all(Low="3 2", Middle="2 3", High="3 3"),
    "five systems": lambda: in_files(many_systems(("cy", "ada", "dee", "bob", "eve"))),
    "twelve systems": lambda: in_files(many_systems(NAMES)),
    "one system": lambda: met_by_all(Alone="13 2"),
    "nothing relevant": lambda: met_by_all(A="0 00", B="00 0"),
}
LONG_NAMES = ("twelve systems",)  # of up to 40 letters, which may take a third line
PRESENT = [
    pytest.param(name, marks=real_logs if name in REAL or name == "workbook" else ())
    for name in STUDIES
]
every_study = pytest.mark.parametrize("name", PRESENT)


@pytest.fixture
def headline(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory
) -> Iterator[Headline]:
    """A page's headline on a study, as it reads."""
    monkeypatch.setenv("SDCG_WORKSPACE", str(tmp_path))
    close_store()

    def read(page: str, study: Study) -> str:
        monkeypatch.setattr(kept, "fixed", lambda: {study.digest[: kept.SHORT]: study})
        return first_line(opened(page, {"study": study.digest[: kept.SHORT]}))

    yield read
    close_store()


@every_study
def test_no_headline_is_cut_and_each_fits_two_lines(name: str) -> None:
    view, place = StudyView(STUDIES[name](), DEFAULT, Filters()), [*STUDIES].index(name)
    asked = [question for question in QUESTIONS if question.answer]
    for question in asked if THOROUGH > 1 else asked[place % 3 :: 3]:  # all in make soak
        said = view.shorten_names(question.answer(view).headline) if question.answer else ""
        assert "…" not in said, question.name
        assert said.endswith("."), question.name
        if name not in LONG_NAMES:
            assert len(said) <= HEADLINE, (question.name, said)


def ahead_in(said: str, names: tuple[str, ...]) -> set[tuple[str, str]]:
    """Who is said to be ahead of whom: "A and B are ahead of C (…), B of A (…)"."""
    some = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    row = rf"(?:{some})(?:(?:, | and )(?:{some}))*"
    found = re.findall(rf"({row}) (?:(?:is|are) ahead )?of ({row})", said)
    return {
        (one, other)
        for ahead, behind in found
        for one in re.findall(some, ahead)
        for other in re.findall(some, behind)
    }


@every_study
def test_whom_compare_systems_says_to_be_ahead_is_ahead_in_its_table(name: str) -> None:
    study = STUDIES[name]()
    compared = compare_systems(study, DEFAULT, Filters())
    said = score_answer(StudyView(study, DEFAULT, Filters())).headline
    pairs = compared.table().assign(clear=compared.clear)
    ahead = {
        (row["system_b"], row["system_a"])[:: 1 if row["difference"] > 0 else -1]
        for row in pairs[pairs["clear"]].to_dict("records")
    }
    told = ahead_in(said, compared.names)
    assert told == ahead if len(compared.names) <= 3 else told <= ahead
    assert bool(told) == bool(ahead)
    for one, other in combinations(compared.names, 2):
        if f"{one} and {other} don't differ clearly" in said:
            assert not {(one, other), (other, one)} & ahead


# One's only query is the best; Many's others bring a little more, of much more that they could
FIRST = "One is ahead of Many by 0.417 nsDCG (95 % interval 0.350 to 0.484, "
TURNED = {
    "reversed": (
        {"One": "3 3", "Many": "321 32"},
        f"{FIRST}p = .008); 2 of 8 other measures put Many first.",
        "Other measures disagree: Many is first on sDCG at the end and sRBP.",
        "Both definitions put One first (all of them clearly); 2 of 8 other measures put Many "
        "first.",
    ),
    "alike": (
        {"Low": "0 1", "High": "3 2"},
        "High is ahead of Low by 0.517 nsDCG (95 % interval 0.131 to 0.903, p = .008).",
        "",
        "Both definitions put High first (all of them clearly); all 8 other measures agree.",
    ),
}


@pytest.mark.parametrize("name", TURNED)
def test_measures_that_reverse_an_answer_are_counted_in_it_and_named_beneath(name: str) -> None:
    grades, said, beneath, beside = TURNED[name]
    view = StudyView(met_by_all(**grades), DEFAULT, Filters())
    shown = score_answer(view)
    assert shown.headline == said
    assert [line for line in shown.advice if line.startswith("Other measures")] == [
        *([beneath] if beneath else [])
    ]
    assert presets_answer(view, ("linear",)).headline == beside


def test_a_name_without_end_is_in_short_in_headlines_and_figures_and_whole_in_tables(
    headline: Headline,
) -> None:
    start = "an endless name & " * 600
    names = f"{start}1", f"{start}2"  # which differ at their ends alone
    study = met_by_all(**dict(zip(names, ("0 1", "3 23"), strict=True)))
    view = StudyView(study, DEFAULT, Filters())
    for page in EVERY:
        said = headline(page, study)
        assert len(said) <= 2 * HEADLINE, page
        assert said.endswith("."), page
    overview = opened("overview", {"study": study.digest[: kept.SHORT]})
    assert not any(names[0][:61] in unescape(text.value) for text in overview.main.markdown)
    said = headline("compare_systems", study)
    first, second = map(in_short, names)
    assert said.startswith(f"{second} is ahead of {first} (p = ")
    for question, answer in iterate_answers(*view):
        assert len(answer.headline) <= 2 * HEADLINE, question.name
        for name, exhibit in answer.exhibits.items():
            if exhibit.figure is not None:
                of = json.loads(figure_json(exhibit.figure, None))
                drawn = json.dumps([of["layout"], [each.get("name") for each in of["data"]]])
                assert len(drawn) < 200_000, name
                assert names[0][:61] not in unescape(drawn).replace("<br>", ""), name
    pairs = next(
        of for question, of in iterate_answers(*view) if question.name == "compare_systems"
    )
    assert set(pairs.exhibits["pairs"].table["system_b"]) <= set(names)
    middles = {in_short(f"{start}{middle}{start}") for middle in "123"}
    assert (len(middles), {*map(len, middles)}) == (3, {60})
    at_most = "n" * 60
    view = StudyView(met_by_all(**{at_most: "0 1", "other": "3 23"}), DEFAULT, Filters())
    assert view.shorten_names(f"{at_most} is whole") == f"{at_most} is whole"
