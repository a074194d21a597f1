"""Every page on both samples: it answers its question, its words and links hold."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.query_order.numbers import query_order
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import fixed
from sdcg_explorer.screen.opened import Opened
from tests.support.plain_files import ECIR2008, THREE_SESSIONS, read_plain
from tests.support.plain_loop import PlainStudy
from tests.support.screen import (
    Params,
    charts,
    definition_in_force,
    first_line,
    lines_of,
    opened,
    paragraphs,
    slider_of,
    without_escapes,
)
from tests.support.server import PAGES
from tests.support.studies import at_hand
from tests.support.uploads import note

pytestmark = pytest.mark.usefixtures("own_samples")
SAMPLES = {"ecir2008": ECIR2008, "three_sessions": THREE_SESSIONS}
NAMES = {"ecir2008": "ECIR 2008 (reconstructed)", "three_sessions": "Three toy sessions"}
NOTES = {
    "ecir2008": "Invented data: only the design and the counts are the paper's. "
    "No evidence about any system.",
    "three_sessions": "Three hand-made sessions to check numbers by; nobody searched.",
}
BY_RANK = "discount by rank 1/(1 + log_2 r), by query 1/(1 + log_4 q)"
DEFAULT = (
    f"ECIR 2008. Gain by grade (paper): 0 → 0, 1 → 1, 2 → 10, 3 → 100; {BY_RANK}; top 10 results "
    "per query, short lists padded with gain 0; repeats count every time; ideal: each query "
    "returns its topic's best list; an unjudged result gains 0; after the last query a session "
    "keeps its share of the ideal; mean of the sessions' shares; in Query order, all other "
    "queries weigh the same."
)
every_page = pytest.mark.parametrize("page", list(PAGES))
every_sample = pytest.mark.parametrize("sample", list(SAMPLES))


@cache
def plain_sample(sample: str) -> PlainStudy:
    return read_plain(SAMPLES[sample] / "log.csv", SAMPLES[sample] / "judgments.csv")


def digest(sample: str) -> str:
    return next(key for key, study in fixed().items() if study.name == NAMES[sample])


def on_sample(page: str, sample: str, params: Params | None = None) -> AppTest:
    return opened(page, {"study": digest(sample), **(params or {})})


FIGURES = {
    **{"overview": 8, "reformulations": 4, "cost": 2, "compare_systems": 2, "robustness": 2},
    **{"side_by_side": 4, "fit": 1, "paper": 2},
}
FEWER = {("robustness", "three_sessions"): 0}  # systems without a common topic


def assert_answers(app: AppTest, page: str, sample: str, definition: Definition) -> None:
    """The page says what its question answers under this definition."""
    if answer := question_of(page).answer:
        view = StudyView(at_hand(NAMES[sample]), definition, Filters())
        said = view.shorten_names(answer(view).headline)
        # a page may have its intervals drawn, and said, when it is asked to
        one, other = (re.sub(r" \([^)]*\)", "", each) for each in (first_line(app), said))
        assert one == other


@pytest.mark.parametrize(
    ("sample", "page"),
    [*product(["ecir2008"], PAGES), *product(["three_sessions"], ("overview", "robustness"))],
)
def test_page_opens_with_its_question_and_answers_under_the_sliders(page: str, sample: str) -> None:
    app = on_sample(page, sample)
    assert not app.exception
    assert [title.value for title in app.title] == [
        question_of(page).question_words(at_hand(NAMES[sample]))
    ]
    assert_answers(app, page, sample, Definition())
    unused = "1 → 1, 2 → 10, " if page == "by_hand" else ""  # the lesson has no such grades
    assert definition_in_force(app) == DEFAULT.replace(unused, "")
    said = " ".join(without_escapes(body) for body in paragraphs(app))
    assert said.count("discounted cumulated gain") == 1
    assert NOTES[sample] in note(app)
    alternatives = [chart.proto.alt for chart in app.get("plotly_chart")]
    figures = FEWER.get((page, sample), FIGURES.get(page, 1))
    assert len(alternatives) == figures
    assert all(len(text) > 15 for text in alternatives)
    assert len(set(alternatives)) == len(alternatives)
    slider_of(app, "b").set_value(5.0).run()
    assert float(str(app.query_params["b"])) == 5.0
    assert_answers(app, page, sample, Definition(b=5.0))
    app.sidebar.checkbox(key="b_off").check()
    app.sidebar.checkbox(key="bq_off").check().run()
    assert "no discount by rank, none by query" in definition_in_force(app)
    assert_answers(app, page, sample, Definition(b=math.inf, bq=math.inf))


@every_sample
def test_overview_counts_sessions_by_length(sample: str) -> None:
    app = on_sample("overview", sample, {"by_length": "true"})
    plain = plain_sample(sample)
    lengths = Counter((s.system, len(s.queries)) for s in plain.sessions)
    longest = max(length for _, length in lengths)
    for name, counts in lines_of(app, "Table 2.").items():
        system = name.partition(" (mean")[0]
        assert counts == [lengths[system, length] for length in range(1, longest + 1)]


def test_another_study_brings_its_own_answer_and_link() -> None:
    app = on_sample("overview", "ecir2008")
    app.sidebar.selectbox(key="study_picked").set_value(digest("three_sessions")).run()
    assert first_line(app).startswith("3 sessions by 3 searchers on 3 topics with 2 systems")
    assert app.query_params["study"] == digest("three_sessions")
    assert len(charts(app)) == 8


def test_results_are_kept_by_name_digest_definition_and_filters() -> None:
    given = Opened(digest("ecir2008"), Definition(), Filters())
    kept = given.ask(query_order)
    assert Opened(digest("ecir2008"), Definition(), Filters()).ask(query_order) is kept
    others = [
        Opened(digest("ecir2008"), Definition(b=3.0), Filters()).ask(query_order),
        Opened(digest("ecir2008"), Definition(), Filters(min_queries=2)).ask(query_order),
        Opened(digest("three_sessions"), Definition(), Filters()).ask(query_order),
        given.ask(query_order, splits=("best",)),
        given.ask(session_curves),
    ]
    assert len({id(result) for result in [kept, *others]}) == 6


def test_a_study_is_held_for_the_drawing_of_a_page_and_no_longer() -> None:
    opened = Opened(digest("ecir2008"), Definition(), Filters())
    with opened.holding() as drawn:
        assert drawn.held == {opened.digest: opened.study}
        assert drawn.under(Definition(b=3.0)).study is drawn.study
    assert drawn.held == opened.held == {}


def test_first_screen_says_what_sdcg_is_until_it_is_closed() -> None:
    app = opened("overview", {"bq": "9"})
    said = "\n".join(body for body in paragraphs(app))
    assert 'bq = <span data-base="bq">9</span>: patience with asking again' in said
    assert said.count("data-value=") == 6
    app.main.toggle(key="explained").set_value(False).run()
    closed = opened("overview", {"explained": "false"})
    for each in (app, closed):
        assert not any("data-value=" in body.value for body in each.main.markdown)


FOLDS = {
    "by_length": "Sessions per number of queries and system",
    "who_searched": "Searchers (mean, standard deviation)",
    "grades_shown": "Grades of judgments and of shown results",
}


def test_inventory_is_made_when_its_fold_is_open_and_the_link_holds_it() -> None:
    assert not opened("overview").main.dataframe
    for fold, alt in FOLDS.items():
        app = opened("overview", {fold: "true"})
        assert [table.proto.alt for table in app.main.dataframe] == [alt]
        assert app.query_params[fold] == "true"
    drawn = charts(opened("overview", {"judged_by_rank": "true"}))
    assert [alt for alt in drawn if not alt.startswith("Small figure")] == ["Judged share by rank"]
