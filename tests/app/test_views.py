"""Each page under its choices: its link gives them back, and it shows what its answer says.

What answers say is held by tests/answers and tests/unit.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions import (
    compare_systems,
    cost,
    fit,
    overview,
    query_order,
    ratings,
    reformulations,
    robustness,
    session_curves,
    side_by_side,
)
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.compare_systems.numbers import compare_systems as compared_by
from sdcg_explorer.questions.compare_systems.words import next_study_headline, next_study_sentences
from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.individual_sessions.words import headline as of_sessions
from sdcg_explorer.questions.methods import definition_text
from sdcg_explorer.questions.query_order.numbers import CurveChoices
from sdcg_explorer.questions.ratings.numbers import RatingChoices
from sdcg_explorer.questions.view import Answer, StudyView
from sdcg_explorer.reading.read import read_study, sample_studies
from sdcg_explorer.scoring.definition import BESIDE, DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from tests.support import screen, two_agents, uploads
from tests.support.costly import FILES, SHORT_LOG
from tests.support.many_systems import NAMES, many_systems
from tests.support.plain_files import in_files, study_of, written
from tests.unit.test_residuals import two_systems

pytestmark = pytest.mark.usefixtures("folder")
FULL: screen.Params = {
    **{"b": "3", "bq": "7", "w3": "50", "top": "5", "discount": "jk2002", "repeats": "first"},
    **{"ideal": "spread", "others": "per-session", "short": "at least", "cells": "3"},
    **{"systems": "System 2", "topics": ["A", "B"], "min_queries": "2", "max_queries": "6"},
}
MADE = Definition(
    weights=((0.0, 0.0), (1.0, 1.0), (2.0, 10.0), (3.0, 50.0)),
    **{"b": 3.0, "bq": 7.0, "top": 5, "discount": "jk2002", "repeats": "first"},
    **{"ideal": "spread", "others": "per-session", "short_lists": 3},
)
FILTERS = Filters(("System 2",), ("A", "B"), (), 2, 6)
IN_WORDS = (
    "Gain by grade (own): 0 → 0, 1 → 1, 2 → 10, 3 → 50; discount by rank 1/log_3 r from r = 3 on, "
    "by query 1/(1 + log_7 q); top 5 results per query, short lists padded to 3, and so is their "
    "ideal; repeats count once; ideal: each judged document once, best order at every position; an "
    "unjudged result gains 0; after the last query a session keeps its share of the ideal; mean of "
    "the sessions' shares; last against other queries: others are averaged within their session "
    "first."
)


@cache
def study(name: str) -> Study:
    """A sample, by the beginning of its name, or a study that is made."""
    with TemporaryDirectory() as folder:
        if name in ("costly", "timed"):
            log, grades = SHORT_LOG if name == "timed" else FILES["log.csv"], FILES["judgments.csv"]
            files = written(Path(folder), log_csv=log, judgments_csv=grades)
            return read_study(*files.values())
        if name == "agents":
            return two_agents.agents_study(Path(folder) / "agents")
    made = {"unjudged": lambda: study_of(two_systems()), "many": lambda: in_files(many_systems())}
    if name in made:
        return made[name]()
    return next(each for each in sample_studies() if each.name.startswith(name))


def of_robustness(view: StudyView, score: str) -> Answer:
    seen = robustness.bases_map(view, score, robustness.chosen_pair(view, score))
    shown = robustness.robustness_answer(view, seen)
    return replace(shown, headline=robustness.headline(view, seen))


def of_outcome(view: StudyView) -> Answer:
    shown = compare_systems.score_answer(view, baseline="B")
    topics = compare_systems.topics_answer(view.ask(compared_by, baseline="B"), 0)
    more = compare_systems.outcome_answer(view, "correct", "B").more
    return replace(shown, more=[*shown.more, *topics.more, *more])


def of_next_study(view: StudyView, plan_for: float) -> Answer:
    shown = compare_systems.score_answer(view)
    planned = compare_systems.plan_study(view.ask(compared_by), 0, plan_for=plan_for)
    more = [next_study_headline(planned), *next_study_sentences(planned)]
    exhibits = shown.exhibits | compare_systems.next_study_exhibits(planned)
    return replace(shown, exhibits=exhibits, more=[*shown.more, *more])


def of_unjudged(view: StudyView) -> Answer:
    shown = compare_systems.score_answer(view, score="final")
    compared = view.ask(compared_by, score="final")
    left = compare_systems.left_open_answer(compare_systems.left_open_of_pair(view, compared, 0))
    assert left.more
    return replace(shown, more=[*shown.more, *left.more])


ECIR, TOYS, RATED = "ECIR 2008 (reconstructed)", "Three", "ECIR 2008 (reconstructed), with"
Asked = Callable[[StudyView], Answer]
# choices of a page in the link beside FULL, and its answer under them
UNDER_FULL: dict[str, tuple[screen.Params, Asked]] = {
    "overview": ({"by_length": "true", "judged_by_rank": "true"}, overview.counts_answer),
    "query_order": (
        {"split": "best", "depth": "20", "bands": "true"},
        lambda of: query_order.answer(of, drawn=CurveChoices(20, ("best",))),
    ),
    "session_curves": (
        {"measure": "raw", "topic": "B", "at_least": "3", "length": "4"},
        lambda of: session_curves.measure_answer(
            of.with_topic("B"), "raw", bands=False, length=4, at_least=(1, 3)
        ),
    ),
    "individual_sessions": (
        {
            **{"one_topic": "B", "order": "length", "axis": "4"},
            **{"shade": "change of dcg", "only": "only the last gained"},
            **{"group": "system", "where": "end: found and stopped"},
        },
        lambda of: Answer(of_sessions(of.with_topic("B").ask(individual_sessions, **ON_THE_WALL))),
    ),
    "reformulations": (
        {"query_measure": "relative_recall"},
        lambda of: reformulations.answer(of, measure="relative_recall"),
    ),
    "cost": (
        {"cost": "opened", "reached": "share of the ideal", "every": "true", "cost_bands": "false"},
        lambda of: cost.cost_answer(of, "normalised", spent="opened", every=True),
    ),
    "compare_systems": (
        {"score": "mean_dcg"},
        lambda of: compare_systems.score_answer(of, score="mean_dcg"),
    ),
    "robustness": ({"score": "mean_dcg"}, lambda of: of_robustness(of, "mean_dcg")),
    "side_by_side": (
        {"beside": ["linear", "session-track"]},
        lambda of: side_by_side.presets_answer(of, ("linear", "session-track")),
    ),
    "fit": (
        {"model": "sdcg_jk2002", "fitted_by": "KL"},
        lambda of: fit.fit_answer(
            of, fit.all_fits(of), fit.all_fits(of).fit_of("sdcg_jk2002", "KL")
        ),
    ),
    "ratings": (
        {"coefficient": "kendall", "version": "partial", "low_is_good": "true"},
        lambda of: ratings.rating_answer(
            of, RatingChoices("satisfaction", "final_normalised", "kendall", "partial", True)
        ),
    ),
    "by_hand": ({"example": "T-3", "expected": "2"}, lambda _: Answer("")),
    "paper": ({"printed": ["final", "best"]}, lambda _: Answer("")),
}
ON_THE_WALL: dict[str, Any] = {
    **{"system": "System 2", "order": "length", "group": "system"},
    **{"only": "only the last gained", "where": ("end: found and stopped",)},
}
# study, choices, and the answer under the usual definition
OTHERS: dict[str, tuple[str, screen.Params, Asked]] = {
    "overview, who searched": (
        TOYS,
        {"who_searched": "true", "grades_shown": "true"},
        lambda of: replace(overview.answer(of), exhibits={}),
    ),
    "query_order, as nDCG": (
        ECIR,
        {"curve": "ndcg", "several": "true", "undiscounted": "true"},
        lambda of: query_order.answer(
            of, bands=False, drawn=CurveChoices(several=True, discounted=False, measure="ndcg")
        ),
    ),
    "session_curves, a saw-tooth": (
        ECIR,
        {"measure": "saw-tooth", "bands": "true", "every": "true"},
        lambda of: replace(
            session_curves.measure_answer(of, "saw-tooth", length=11),
            note=session_curves.stopping_answer(of).headline,
        ),
    ),
    "reformulations, as nDCG": (
        ECIR,
        {"query_measure": "ndcg", "every": "true", "boxes": "true"},
        lambda of: reformulations.answer(of, measure="ndcg", every=True),
    ),
    "cost, of queries": (
        "costly",
        {"cost": "tokens (of queries)"},
        lambda of: cost.cost_answer(of, spent="tokens (of queries)", bands=True),
    ),
    "cost, of sessions": (
        "costly",
        {"cost": "money", "score": "outcome: right"},
        lambda of: cost.cost_answer(of, spent="money", score="outcome: right"),
    ),
    "cost, in seconds where they are known": (
        "timed",
        {},
        lambda of: cost.cost_answer(of, bands=True),
    ),
    "compare_systems, of agents": ("agents", {"baseline": "B"}, of_outcome),
    "compare_systems, without outcomes": (
        "agents",
        {"right": "none"},
        compare_systems.score_answer,
    ),
    "compare_systems, left open": ("unjudged", {"score": "final"}, of_unjudged),
    "compare_systems, a pair of many": (
        "many",
        {"pair": "BM25 with query expansion (RM3) and Wide MMM WWW @@@ of capitals"},
        lambda of: compare_systems.score_answer(of, place=10),
    ),
    "compare_systems, the next study": (
        ECIR,
        {"plan_for": "0.05"},
        lambda of: of_next_study(of, plan_for=0.05),
    ),
    "session_curves, one of many": (
        "many",
        {"focus": NAMES[1]},
        lambda of: session_curves.measure_answer(of, "normalised", bands=False, focus=NAMES[1]),
    ),
    "robustness, one system": (
        ECIR,
        {"systems": "System 1", "score": "final"},
        lambda of: of_robustness(replace(of, filters=Filters(systems=("System 1",))), "final"),
    ),
    "robustness, no topic in common": (TOYS, {}, lambda of: of_robustness(of, "final_normalised")),
    "side_by_side, many": (
        "many",
        {},
        lambda of: replace(side_by_side.presets_answer(of, BESIDE), exhibits={}),
    ),
    "side_by_side, alone": (ECIR, {"beside": ""}, lambda of: side_by_side.presets_answer(of, ())),
}


def data_of(figure: Any) -> list[tuple[Any, ...]]:
    """Names, colours and values of a figure's traces."""
    parts = "x", "y", "z", "text"
    return [
        (
            *(trace.get("name"), trace.get("line", {}).get("color")),
            *(str(screen.decoded(trace.get(part, []))) for part in parts),
        )
        for trace in figure["data"]
    ]


def assert_shows(app: AppTest, view: StudyView, shown: Answer) -> None:
    """Headline, figures, tables and sentences of the answer stand on the page."""
    assert screen.first_line(app) == view.shorten_names(shown.headline)
    told = "\n".join(map(screen.without_escapes, screen.paragraphs(app)))
    said = [shown.measured, shown.note, shown.behind, *shown.advice, *shown.more]
    assert [line for line in said if line not in told] == []
    drawn = screen.charts(app)
    for name, exhibit in shown.exhibits.items():
        alt = exhibit.alt or exhibit.caption.replace("Mean session curves, ", "Side by side. ")
        if exhibit.figure is not None and alt in drawn:
            own = json.loads(str(exhibit.figure.to_json()))
            seen = data_of(drawn.pop(alt))
            is_small = alt.startswith("Side by side.")  # without who still searches
            at = len(seen) if is_small else -1 if name == "robustness" else None  # a mark by script
            assert seen[:at] == data_of(own)[:at], name
    assert len(drawn) < len(screen.charts(app)) or not shown.exhibits
    tables = {each.proto.alt: each.value for each in app.main.dataframe}
    for caption, table in shown.tables.items():
        assert caption not in tables or tables[caption].equals(table), caption


def shown_as_asked(
    page: str, of: Study, view: StudyView, link: screen.Params, answer: Asked
) -> AppTest:
    """The page of a link, which keeps all of it, asks its question and shows the answer."""
    link = uploads.link_to(of) | link
    app = screen.opened(page, link)
    assert not app.exception
    for key, value in link.items():
        now = app.query_params[key]
        assert now == value or float(str(now)) == float(str(value)), key
    assert [title.value for title in app.title] == [question_of(page).words]
    if (shown := answer(view)).headline:
        assert_shows(app, view, shown)
    if shown.exhibits:
        assert screen.definition_in_force(app) == definition_text(view.definition, of)
    return app


@pytest.mark.parametrize("page", UNDER_FULL)
def test_a_link_gives_every_choice_back_and_shows_its_answer(page: str) -> None:
    choices, answer = UNDER_FULL[page]
    of = study(RATED if page == "ratings" else ECIR)
    view = StudyView(of, MADE.named(of.labels), FILTERS)
    app = shown_as_asked(page, of, view, FULL | choices, answer)
    side = app.sidebar
    assert [screen.slider_of(app, key).value for key in ("b", "bq", "w3")] == [3.0, 7.0, 50.0]
    assert side.multiselect(key="topics").value == ["A", "B"]
    assert side.pills(key="systems").value == ["System 2"]
    assert screen.definition_in_force(app).endswith(IN_WORDS)


def test_with_a_baseline_the_others_are_compared_with_it_alone() -> None:
    view = StudyView(study("many"), DEFAULT, Filters())
    said = compare_systems.score_answer(view, baseline="Wide MMM WWW @@@ of capitals").headline
    assert said.endswith("; 1 of 11 pairs differs clearly.")


@pytest.mark.parametrize("what", OTHERS)
def test_a_page_shows_what_its_answer_says(what: str) -> None:
    name, link, answer = OTHERS[what]
    of = study(name)
    view = StudyView(of, DEFAULT.named(of.labels), Filters())
    shown_as_asked(what.partition(",")[0], of, view, link, answer)
