"""Advice and methods: each sentence has a study that calls for it, and none is absurd."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.questions import catalogue, compare_systems, overview, robustness
from sdcg_explorer.questions import ratings as agreement
from sdcg_explorer.questions.advice import SHRINKING, advice
from sdcg_explorer.questions.compare_systems import words
from sdcg_explorer.questions.compare_systems.numbers import compare_systems as compared
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.questions.ratings.numbers import RatingChoices
from sdcg_explorer.questions.view import StudyView, caching_answers
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support import odd_studies, plain_files, sentences
from tests.support.plain_loop import PlainSession, PlainStudy
from tests.support.studies import ASKED_AGAIN
from tests.support.tables import read

HEADER = "session,query_number,topic,rank,doc\n"
JUDGMENTS = "topic,doc,grade\nt,a,1\nt,b,2\nt,c,4\nz,a,0\n"
ABOVE = (
    "Sessions above 1: 1. Repeats count in the session but not in the ideal: count repeats once, "
    "or let the ideal repeat."
)
BEYOND = (
    "Sessions that can't reach 1: 1. Repeats count once, but the ideal repeats its list with every "
    "query: use the spread ideal."
)
UNDEFINED = "Sessions whose ideal gains 0: 1. Their shares are undefined and left out of means."
SPREAD = {"ideal": "spread"}
AGAIN = "s,1,t,1,c s,2,t,1,c r,1,t,1,a"  # c, the best document, comes again
FOURS = "s,1,t,1,a s,1,t,2,b s,2,t,1,a s,3,t,1,a s,4,t,1,x"


def weighed(four: float) -> dict[str, Any]:
    return {"weights": ((0.0, 0.0), (1.0, 1.0), (2.0, 10.0), (4.0, four))}


ALIKE = {"weights": ((0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (4.0, 1.0))}
CASES: list[tuple[str, dict[str, Any], list[str]]] = [  # rows, choices, and what is said
    ("s,1,t,1,a s,2,t,1,b", {}, []),
    (AGAIN, SPREAD, [ABOVE]),
    (AGAIN, {}, []),
    (AGAIN, SPREAD | {"repeats": "first"}, []),
    ("s,1,t,1,c s,1,t,2,b s,1,t,3,a", SPREAD, []),  # exactly 1
    (
        "s,1,t,1,a",
        weighed(9.5),
        ["Gains don't follow the grades: grade 4 gains 9.5, grade 2 gains 10."],
    ),
    ("s,1,t,1,a", weighed(10), []),
    ("s,1,t,1,a s,2,t,1,b r,1,t,1,a", {"repeats": "first"}, [BEYOND]),
    ("s,1,t,1,a s,2,z,1,a r,1,t,1,a", {"repeats": "first"}, []),
    ("s,1,t,1,a s,2,t,1,b", ALIKE | {"repeats": "first", "top": 1}, []),  # b is as good as a
    ("s,1,t,1,a s,2,t,1,b", ALIKE | {"repeats": "first", "top": 2}, [BEYOND]),
    ("s,1,t,1,a", {"short_lists": "as-is"}, [SHRINKING]),
    ("s,1,t,1,a", {"short_lists": 3}, [SHRINKING]),
    ("s,1,t,1,a", {"short_lists": 10}, []),
    ("s,1,t,1,a r,1,z,1,a", {}, [UNDEFINED]),
    ("s,1,t,1,a r,1,z,1,a r,2,t,1,a", {}, []),
    (FOURS, {}, []),  # a fifth of the results
    (
        f"{FOURS} s,4,t,2,y s,4,t,11,a",
        {},
        ["33% of the results in the top 10 are unjudged; on judged topics they gain 0."],
    ),
    (
        f"{FOURS} s,4,t,2,y",
        {"unjudged": "condense"},
        ["33% of the results in the top 10 are unjudged; on judged topics they are removed."],
    ),
]


@pytest.mark.parametrize(("rows", "choices", "said"), CASES)
def test_what_misleads_is_said_and_nothing_else(
    rows: str, choices: dict[str, Any], said: list[str], tmp_path: Path
) -> None:
    log = HEADER + "".join(f"{row}\n" for row in rows.split())
    study = read(tmp_path, log_csv=log, judgments_csv=JUDGMENTS)
    assert advice(study, Definition(**choices), Filters()) == said
    assert advice(study, Definition(**choices), Filters(min_queries=5)) == []


def test_overview_says_once_what_the_import_warns_of_too(tmp_path: Path) -> None:
    results = "".join(
        f'<result rank="{i}"><docno>{doc}</docno></result>' for i, doc in enumerate("axyz", start=1)
    )
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><results>'
        f"{results}</results></interaction><currentquery/></session></log>"
    )
    view = StudyView(read(tmp_path, log_xml=log, judgments_csv=JUDGMENTS), Definition(), Filters())
    assert advice(*view)[-1] == (
        "Final queries whose results the log withholds: 1; here “last” means the last query with "
        "results."
    )
    told = overview.answer(view).advice
    for word in ("withholds", "unjudged"):
        assert word in " ".join(each.sentence() for each in view.study.problems)
        assert sum(word in each for each in told) == 1
    filtered = overview.answer(StudyView(view.study, Definition(), Filters(topics=("t",))))
    assert "In the whole study: 1 session; means over" in " ".join(filtered.advice)


VIEW = Definition(), Filters()


def study(*searchers: str, withheld: int = 0) -> Study:
    sessions = [PlainSession(f"s{i}", [("t", {1: "a"})], "A", p) for i, p in enumerate(searchers)]
    read = plain_files.study_of(PlainStudy(sessions, {("t", "a"): 1.0}))
    return replace(read, report=replace(read.report, withheld=withheld))


def test_withheld_queries_stand_in_methods_and_comparison() -> None:
    said = "Final queries whose results the log withholds: 2; "
    for number in (0, 2):
        own = study("p", "q", withheld=number)
        assert (said in methods_text(own, *VIEW)) == bool(number)
        assert (said in words.comparison_text(compared(own, *VIEW))) == bool(number)


def test_methods_say_what_is_resampled() -> None:
    mixed = "searchers, and of sessions that name none"
    for who, whom in ("pq", "searchers"), (("p", ""), mixed), (("", ""), "sessions"):
        assert f"1,000 resamples of {whom}, fixed seed" in methods_text(study(*who), *VIEW)


@cache
def said_of(name: str) -> list[tuple[str, str]]:
    """All that is said of one of these studies, by where."""
    with caching_answers(*ASKED_AGAIN):
        return [*every_text(odd_studies.rated(name))]


def every_text(study: Study) -> Iterator[tuple[str, str]]:
    """All that pages, cards, report, methods text and commands say, by where they do."""
    view = StudyView(study, DEFAULT, Filters())
    for question, answer in catalogue.iterate_answers(*view):
        parts = [answer.headline, *answer.figure_paragraphs, *answer.more, *answer.methods]
        for exhibit in answer.exhibits.values():
            parts += [exhibit.caption, exhibit.said, exhibit.alt]
        yield from ((question.name, part) for part in parts)
    cards = ((each.name, each.card) for each in catalogue.QUESTIONS)
    yield from ((f"card of {name}", card(view).headline) for name, card in cards if card)
    yield from (("advice", line) for line in advice(*view))
    yield "methods", methods_text(*view)
    yield from (("warnings", str(problem)) for problem in study.problems)
    for name, asked in COMMANDS.items():
        try:
            yield f"sdcg {name}", asked(view).sentence
        except ValueError as fault:
            yield f"sdcg {name}", str(fault)


COMMANDS = {
    "compare": lambda view: compare_systems.command_result(view, with_residuals=True),
    "robustness": robustness.command_result,
    "agreement": lambda view: agreement.command_result(view, RatingChoices("satisfaction")),
}


FALSE = {  # what is said of other studies, and would be false of these
    "one system": ("Systems were compared on", "not adjusted for topics"),
    "no searchers": ("System, topic and searcher effects", "as if sessions were independent"),
    "topics as units": ("topics fixed", "taken as fixed", "answers for these topics"),
    "nothing relevant": ("widen", "falls behind", ": 0 sessions"),
    "nothing judged that was asked": ("widen",),
    "all alike": ("Without effect on this score", "no interval excludes", "first, too"),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_holds_of_others_is_not_said(name: str) -> None:
    texts = [text for _, text in said_of(name)]
    assert [text for text in texts for false in FALSE[name] if false in text] == []


@pytest.mark.parametrize("name", odd_studies.ODD)
def test_no_answer_is_absurd(name: str) -> None:
    wrong = [(where, fault) for where, text in said_of(name) for fault in sentences.absurd(text)]
    assert wrong == []
