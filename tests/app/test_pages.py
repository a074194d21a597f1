"""Every page: it opens on samples, on little, much and hostile texts, and its ways lead on."""

import math
import re
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from html import unescape
from itertools import cycle, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.export.paper_files import paper_latex_table
from sdcg_explorer.questions import bibliography, catalogue, wording
from sdcg_explorer.questions.columns import column_words
from sdcg_explorer.questions.overview import suggested_views
from sdcg_explorer.questions.paper import paper
from sdcg_explorer.questions.query_order.numbers import CurveChoices, query_order
from sdcg_explorer.questions.ratings import words as rating_words
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Definition, Filters
from sdcg_explorer.screen import importing, keys, scripts
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.study import Study
from tests.support import screen, server, studies, thorough, two_agents, uploads
from tests.support.large_studies import random_study, write_files
from tests.support.odd_studies import ODD, ONE
from tests.support.plain_files import study_of, write_rows
from tests.support.plain_loop import PlainSession, PlainStudy

pytestmark = pytest.mark.usefixtures("own_samples")
EVERY = (*server.PAGES, "data")
NOTE = (
    "Invented data: only the design and the counts are the paper's. No evidence about any system."
)
FIGURES = {
    **{"overview": 8, "reformulations": 4, "cost": 2, "compare_systems": 2, "robustness": 2},
    **{"side_by_side": 4, "fit": 1, "paper": 2},
}


def assert_answers(app: AppTest, page: str, definition: Definition) -> None:
    """The page says what its question answers under this definition."""
    asked = catalogue.question_of(page)
    if asked.answer:
        answer = asked.answer(StudyView(studies.at_hand(studies.SAMPLES[0]), definition, Filters()))
        drawn = [name for name, exhibit in answer.exhibits.items() if exhibit.draw]
        lacking = [name for name in drawn if not any(fnmatchcase(name, f) for f in asked.figures)]
        assert not lacking, f"`figures` of {page} in questions/catalogue.py lack {lacking}"
        # a page may have its intervals drawn, and said, when it is asked to
        one, other = (
            re.sub(r" \([^)]*\)", "", each) for each in (screen.first_line(app), answer.headline)
        )
        assert one == other, f"pages/{page}.py: show.answer"


@pytest.mark.parametrize("page", server.PAGES)
def test_page_opens_without_choices_and_answers_under_the_sliders(page: str) -> None:
    app = screen.opened(page)
    assert_answers(app, page, DEFAULT)
    said = " ".join(screen.without_escapes(body) for body in screen.paragraphs(app))
    assert said.count("discounted cumulated gain") == 1, f"pages/{page}.py: show.beneath, once"
    assert uploads.note(app) == NOTE
    columns = [name for each in app.main.dataframe for name in map(str, each.value.columns)]
    lacking = [name for name in columns if "_" in name and not column_words(name)]
    assert not lacking, f"questions/columns.py has no words for {lacking} of {page}"
    alternatives = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert len({*alternatives}) == len(alternatives)
    where = f"pages/{page}.py: show.exhibit, or FIGURES in tests/app/test_pages.py"
    assert len(alternatives) == FIGURES.get(page, 1), where
    assert all(len(text) > 15 for text in alternatives)
    folds = [each.label for each in app.expander]
    assert any(label.startswith("Downloads") for label in folds), f"pages/{page}.py: no take_away"
    screen.slider_of(app, "b").set_value(5.0)
    app.sidebar.checkbox(key="bq_off").check().run()
    assert float(str(app.query_params["b"])) == 5.0
    assert "discount by rank 1/(1 + log_5 r), none by query" in screen.definition_in_force(app)
    assert_answers(app, page, Definition(b=5.0, bq=math.inf))


# folds that are computed once they are open, and what stands there then
FOLDS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    (
        "compare_systems",
        ("data_compare_systems", "next_study_fold", "summary_fold"),
        ("Power.", "Sample size of a next study", "Summary by system", "Study: ECIR 2008"),
    ),
    (
        "robustness",
        ("all_definitions",),
        ("All definitions.", "Mean absolute change", "The difference depends most on "),
    ),
    ("side_by_side", ("measures_beside",), ("Would another measure say otherwise?",)),
]


@pytest.mark.parametrize("place", range(len(FOLDS)))
def test_what_a_fold_holds_is_computed_once_it_is_open(place: int) -> None:
    page, folds, shown = FOLDS[place]
    app = screen.opened(page)

    def told() -> str:
        tables = [each.proto.alt for each in app.main.dataframe]
        return "\n".join(
            [*screen.charts(app), *tables, *screen.paragraphs(app), *(t.value for t in app.text)]
        )

    before = told()
    for fold in folds:
        app.session_state[fold] = True
    app = app.run()
    assert not app.exception
    assert [each for each in shown if each in before or each not in told()] == []


def test_another_study_brings_its_own_answer_and_link_and_nothing_old_stands_meanwhile() -> None:
    def hides_old() -> bool:
        return importing.OLD in [each.proto.body for each in app.get("html")]

    app = screen.opened("overview")
    assert not hides_old()
    app.sidebar.selectbox(key="study_picked").set_value(uploads.sample(studies.SAMPLES[1])).run()
    assert screen.first_line(app).startswith("3 sessions by 3 searchers on 3 topics with 2 systems")
    assert app.query_params["study"] == uploads.sample(studies.SAMPLES[1])
    app.session_state[keys.STUDY_WANTED] = uploads.sample(studies.SAMPLES[0])
    app.run()
    assert hides_old()
    app.run()
    assert not hides_old()


def test_results_are_kept_by_digest_definition_filters_and_choices_while_a_page_is_drawn() -> None:
    of, another = uploads.sample(studies.SAMPLES[0]), uploads.sample(studies.SAMPLES[1])
    given = Opened(of, Definition(), Filters())
    kept = given.ask(query_order)
    assert Opened(of, Definition(), Filters()).ask(query_order) is kept
    others = [
        Opened(of, Definition(b=3.0), Filters()).ask(query_order),
        Opened(of, Definition(), Filters(min_queries=2)).ask(query_order),
        Opened(another, Definition(), Filters()).ask(query_order),
        given.ask(query_order, drawn=CurveChoices(splits=("best",))),
    ]
    assert len({id(result) for result in [kept, *others]}) == 5
    with given.holding() as drawn:
        assert drawn.held == {given.digest: given.study}
        assert drawn.with_definition(Definition(b=3.0)).study is drawn.study
    assert drawn.held == given.held == {}


def test_first_screen_says_what_sdcg_is_until_it_is_closed() -> None:
    app = screen.opened("overview", {"bq": "9"})
    said = "\n".join(screen.paragraphs(app))
    assert 'bq = <span data-base="bq">9</span>: patience with asking again' in said
    assert said.count("data-value=") == 6
    assert not app.main.dataframe  # of folds that are closed
    app.main.toggle(key="explained").set_value(False).run()
    for each in (app, screen.opened("overview", {"explained": "false"})):
        assert not any("data-value=" in body.value for body in each.main.markdown)


def test_tables_texts_and_ways_of_the_paper_are_those_of_the_view() -> None:
    app = screen.opened("paper", {"printed": ["final", "mean_ndcg"]})
    view = StudyView(studies.at_hand(studies.SAMPLES[0]), DEFAULT, Filters())
    made = paper(view, scores=["final", "mean_ndcg"])
    shown = [table.value for table in app.dataframe]
    assert [each.to_dict() for each in shown] == [t.cells.to_dict() for t in made.tables.values()]
    tables = made.tables.items()
    printed = [paper_latex_table(name, t.cells, t.caption, t.best) for name, t in tables]
    texts = [*printed, made.methods, bibliography.bibtex(made.methods)]
    assert [code.value.strip() for code in app.code] == [text.strip() for text in texts]
    links = [link.proto for link in app.get("page_link")]
    assert [link.query_string.count("score=") for link in links[:2]] == [1, 1]
    assert links[0].label == "Which system is better? (sDCG at the end)"


def ways(app: AppTest) -> dict[str, tuple[str, screen.Params]]:
    """Links to pages by their words: the page, and what the link says."""
    links = [each.proto for each in app.main.get("page_link") if each.proto.label != scripts.BRING]
    return {
        screen.without_escapes(link.label): (link.page, {**parse_qs(link.query_string)})
        for link in links
    }


def test_ways_lead_to_the_same_view_and_a_lead_to_one_that_differs_in_one_thing() -> None:
    app = screen.opened("overview", {"topics": ["A", "B"], "b": "3", "bq": "7"})
    doors = [link for _, link in ways(app).values() if keys.SEE not in link]
    assert len(doors) > 6
    for link in doors:
        assert (link["b"], sorted(link["topics"])) == (["3"], ["A", "B"])
    (page, link) = ways(app)["See what b does: try b = 10"]
    assert page == "session_curves"
    app = screen.opened(page, link)
    now = app.session_state[keys.OPENED]
    assert (now.definition.b, now.definition.bq, now.filters.topics) == (10, 7, ("A", "B"))
    assert (now.kept.b, now.kept.bq) == (3, 7)
    assert keys.SEE not in app.query_params
    # what was chosen before is forgotten, as by a link from elsewhere
    app.query_params[keys.SEE] = "1"
    app.query_params["bq"] = "100"
    app.query_params["measure"] = "normalised"
    del app.query_params["b"]
    now = app.run().session_state[keys.OPENED].definition
    assert (now.b, now.bq) == (2, 100)
    assert "of the ideal" in screen.first_line(app)
    page, link = next(
        way for name, way in ways(screen.opened("overview")).items() if "least" in name
    )
    (heading,) = screen.opened(page, link).main.subheader
    assert "sDCG 0" in heading.value


def test_leads_need_what_they_show() -> None:
    def of(topic: str) -> StudyView:
        plain = PlainStudy([PlainSession("s", [(topic, {1: "a"})], "A")], {("t", "a"): 1.0})
        return StudyView(study_of(plain), DEFAULT, Filters())

    assert [lead.words for lead in suggested_views(of("t"))] == [
        "See what b does: try b = 10",
        "See the session that gained least",
        "See how a session's number is made",
    ]
    assert suggested_views(of("u")) == []  # which nobody judged


def test_a_topic_and_a_disagreement_open_their_sessions(folder: Path) -> None:
    rated = uploads.sample("ECIR 2008 (reconstructed), with invented ratings")
    agents = uploads.link_to(two_agents.agents_study(folder / "agents"))
    asked: list[tuple[screen.Params, str, int]] = [
        ({"study": rated}, "ratings", 10),
        (agents, "compare_systems", 12),
    ]
    for link, page, count in asked:
        doors = [way for way in ways(screen.opened(page, link)).values() if "session" in way[1]]
        assert len(doors) == count
        wanted: screen.Params = {name: of[0] for name, of in doors[0][1].items()}
        heads = " ".join(screen.headings(screen.opened(doors[0][0], wanted)))
        sides = [str(wanted[name]) for name in ("session", "beside_session") if name in wanted]
        assert [side for side in sides if side not in heads] == []


def test_a_page_without_ratings_leads_to_a_sample_with_invented_ones() -> None:
    app = screen.opened("ratings")
    assert screen.first_line(app) == rating_words.NONE
    assert not screen.charts(app)
    app.main.button(key="sample_beside").click().run()
    assert screen.first_line(app).startswith("Sessions with a higher share of the ideal")
    assert any(
        "Invented data, ratings as well" in small for small in screen.small_print(app.sidebar)
    )


def test_rating_that_came_along_is_a_score_of_its_study_alone() -> None:
    name = screen.HOSTILE[0]
    app = uploads.accepted({**uploads.FILES, "ratings.csv": f"session,{name}\ns1,5\ns2,3\n"})
    app.switch_page("pages/ratings.py").run()
    apart = [text for text in screen.small_print(app) if "than" in text and "rated" in text.lower()]
    assert apart == ["Scored higher than rated: none", "Rated higher than scored: none"]
    app.switch_page("pages/compare_systems.py").run()
    box = app.main.selectbox(key="score")
    assert box.options[-1] == f"rating: {name}"
    box.set_value(f"rating: {name}").run()
    assert f"points of {name}" in screen.first_line(app)
    assert [body for body in screen.paragraphs(app) if name in body] == []
    app.sidebar.selectbox(key="study_picked").set_value(uploads.sample(studies.SAMPLES[0])).run()
    assert screen.first_line(app).startswith("System 1 and System 2 don't differ clearly")
    assert app.main.selectbox(key="score").value == "final_normalised"


CARDED = [question for question in catalogue.QUESTIONS if question.card]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def test_each_card_says_the_numbers_of_its_page() -> None:
    view = StudyView(studies.at_hand(studies.SAMPLES[0]), DEFAULT, Filters())
    app = screen.opened("overview")
    names = {question.name for question in CARDED}
    shown = {
        door.proto.page: screen.without_escapes(said.value)
        .removeprefix(":small[")
        .removesuffix("]")
        for door, said in pairwise(screen.leaves(app.main))
        if door.type == "page_link" and door.proto.page in names
        if "see=" not in door.proto.query_string
    }
    assert [*shown] == [question.name for question in catalogue.QUESTIONS[1:] if question.answer]
    for question in CARDED:
        assert question.card
        assert question.answer
        card, said = question.card(view).headline, shown[question.name]
        assert said == card or question.name == "robustness"  # which may not have compared all
        assert {*NUMBER.findall(card)} <= {*NUMBER.findall(question.answer(view).headline)}


NOTHING: list[screen.Params] = [{"min_queries": "9", "max_queries": "2"}, {"min_queries": "50"}]


@pytest.mark.parametrize(("page", "filters"), [*zip(server.OF_STUDY, cycle(NOTHING))])
def test_filters_that_leave_nothing_are_said(page: str, filters: screen.Params) -> None:
    app = screen.opened(page, filters)
    assert re.match(
        r"The filters leave no (session|query)\b|This study has no numeric ratings ",
        screen.first_line(app),
    )
    assert not screen.charts(app)


def test_chosen_study_is_the_first_and_a_preset_keeps_its_name_on_its_grades(
    choose_study: screen.Choose,
) -> None:
    choose_study(ODD["one session"])
    app = screen.opened("overview")
    picker = app.sidebar.selectbox(key="study_picked")
    assert (picker.options[:2], picker.index) == (["log", studies.SAMPLES[0]], 0)
    assert screen.first_line(app).startswith("1 session by 1 searcher on 1 topic with 1 system;")
    choose_study(ODD["nothing relevant"])
    assert screen.first_line(screen.opened("session_curves"))
    choose_study(PlainStudy([ONE], {("t", "a"): 0.0, ("t", "b"): 1.0}))
    app = screen.opened("query_order")
    for preset in ("session-track", "dynamic-domain"):
        app.sidebar.selectbox(key="preset").set_value(preset).run()
        assert app.sidebar.selectbox(key="preset").value == preset
    choose_study(PlainStudy([ONE], {("t", "a"): 0.5, ("t", "b"): 4.0}))
    said = "Gain by grade (paper): 0.5 → 0.316228, 4 → 1000;"
    assert said in screen.definition_in_force(screen.opened("individual_sessions"))


@pytest.mark.parametrize("page", ["compare_systems", "data"])
def test_grades_of_searchers_that_are_not_logged_are_said(
    page: str, choose_study: screen.Choose
) -> None:
    choose_study(PlainStudy([ONE], {("t", "a"): 1.0}))
    app = screen.opened(page, {"grades": "searcher"})
    assert not app.exception
    refused = (
        "log: no grades by searchers in the log; the definition takes the searchers' grades. Add "
        "a column grade to the log, or choose judgments under Grades."
    )
    assert [each.value for each in app.error] == [refused] * (page != "data")


HEADER = ["session", "searcher", "system", "topic", "query_number", "text", "rank", "doc", "grade"]
TEXTS = [
    *screen.HOSTILE,
    ("a long query without an end, " * 200)[:5000],
    "w" * 5000,
    "糖尿病足溃疡的治疗与护理。" * 385,
    *("\u202e right to left مرحبا", "=1+1", "a\nb\n\n# c", "", " "),
]


def of_rows(rows: list[list[Any]]) -> Study:
    """Study of a log with its own grades."""
    with TemporaryDirectory() as folder:
        return read_study(write_rows(Path(folder) / "log.csv", HEADER, rows))


@cache
def with_texts() -> Study:
    """Hostile names; each text is the first query of a session, and the one before its second."""
    rows: list[list[Any]] = []
    for i, text in enumerate(TEXTS):
        own = [f"s{i}", screen.HOSTILE[2 + i % 3], screen.HOSTILE[i % 2], screen.HOSTILE[5]]
        for q, asked in enumerate((text, TEXTS[i - 1]), start=1):
            docs = [(i + q + rank) % 7 for rank in (1, 2, 3)]
            rows += [[*own, q, asked, r, f"d{doc}", doc % 4] for r, doc in enumerate(docs, 1)]
    return of_rows(rows)


def into(session: str) -> screen.Params:
    """A link that looks into a session, whichever its system and topic."""
    return {"system": "all systems", "one_topic": "all topics", "session": session}


@pytest.mark.parametrize("page", EVERY)
def test_long_foreign_and_hostile_texts_stay_text(page: str, folder: Path) -> None:
    app = screen.opened(page, uploads.link_to(with_texts()) | into("s0"))
    assert screen.first_line(app).endswith(".")
    assert not app.error
    bodies = screen.markdown_of(app)
    assert [name for name in screen.HOSTILE for body in bodies if name in body] == []
    for name in screen.HOSTILE[:2]:
        assert any(name in screen.without_escapes(body) for body in bodies)
    assert all(max(map(len, body.split("\n\n"))) < 3000 or "<figure" in body for body in bodies)
    for heading in [*app.main.title, *app.main.header, *app.main.subheader]:
        named = any(
            name in screen.without_escapes(heading.value) for name in (*screen.HOSTILE, "s0")
        )
        assert not named or re.match("^[a-z_0-9]+$", heading.anchor or ""), heading.value
    # a heading in Markdown has its own words for address
    assert not any(re.search(r"^#+ ", body.value, re.MULTILINE) for body in app.main.markdown)


LITTLE: list[list[list[Any]]] = [
    [["s", "", "A", "t", 1, "x", 1, "a", 0], ["u", "", "B", "t", 1, "z", 1, "c", 1]],
    [["s", "p", "A", "t", 1, "x", 1, "a", 1]],
    [  # names that the page uses itself
        ["none", "all", "all systems", "all topics", 1, "x", 1, "a", 1],
        ["all topics", "all", "B", "all systems", 1, "x", 1, "a", 0],
        ["None", "all", "B", "all topics", 1, "x", 1, "b", 2],
    ],
]


@pytest.mark.parametrize("place", range(len(LITTLE)))
def test_little_is_looked_into(place: int, folder: Path) -> None:
    study = of_rows(LITTLE[place])
    first = str(study.sessions["session"].iloc[0])
    link = into(first) | ({"system": "A"} if place == 1 else {})
    app = screen.opened("individual_sessions", uploads.link_to(study) | link)
    assert screen.first_line(app).endswith(".")
    assert not app.error
    assert screen.headings(app) == [first]


MANY = 2_000 if thorough.THOROUGH > 1 else 600


@cache
def large() -> Study:
    """A large study, from real files."""
    made = random_study(MANY)
    names = [f"System {i % 2 + 1}" for i in range(len(made.sessions))]
    with TemporaryDirectory() as folder:
        named = replace(made, sessions=made.sessions.assign(system=names))
        return read_study(*write_files(named, Path(folder)))


# in make soak all
@pytest.mark.parametrize("page", EVERY if thorough.THOROUGH > 1 else ["compare_systems", "data"])
def test_many_sessions_are_answered(page: str, folder: Path) -> None:
    app = screen.opened(page, uploads.link_to(large()))
    assert screen.first_line(app).endswith(".")
    if page in ("overview", "data"):
        assert f"{MANY:,} sessions" in screen.first_line(app)
    for chart in screen.charts(app).values():
        assert len(chart["data"]) <= 24


def test_of_many_sessions_those_looked_into_are_on_top_and_a_wrong_name_is_said(
    folder: Path,
) -> None:
    names = [str(name) for name in large().sessions["session"]]
    link = uploads.link_to(large()) | into(names[0]) | {"beside_session": names[-1]}
    app = screen.opened("individual_sessions", link)
    assert screen.headings(app) == [names[0], names[-1]]
    (figure,) = [each for alt, each in screen.charts(app).items() if alt.startswith("Figure 4.")]
    drawn = [trace["name"] for trace in figure["data"]]
    assert len(drawn) <= 12
    assert drawn[-2:] == [f"session {names[0]}", f"session {names[-1]}"]
    app = app.main.text_input(key="session").set_value(" ".join(screen.HOSTILE)).run()
    said = f":small[Session {' '.join(screen.HOSTILE)} is not in the table.]"
    assert said in [screen.without_escapes(body) for body in screen.paragraphs(app)]
    assert not any(each in body for body in screen.markdown_of(app) for each in screen.HOSTILE)


def test_a_name_without_end_is_in_short_on_the_page(folder: Path) -> None:
    start = "an endless name & " * 600
    names = f"{start}1", f"{start}2"  # which differ at their ends alone
    sessions = [
        PlainSession(f"{name[-1]}{i}", [("t", {1: f"d{name[-1]}"})] * (1 + i % 2), name, f"p{i}")
        for name in names
        for i in range(8)
    ]
    study = study_of(PlainStudy(sessions, {("t", "d1"): 1.0, ("t", "d2"): 3.0}))
    link = uploads.link_to(study)
    for page in ("overview", "compare_systems", "session_curves", "robustness"):
        app = screen.opened(page, link)
        assert len(screen.first_line(app)) <= 2 * wording.HEADLINE, page
        assert not any(names[0][:61] in unescape(text.value) for text in app.main.markdown)
        drawn = unescape(str([chart["layout"] for chart in screen.charts(app).values()]))
        assert names[0][:61] not in drawn.replace("<br>", "")
