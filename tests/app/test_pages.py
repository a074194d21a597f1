"""Every page on both samples: its numbers are the plain loop's, its words and links hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cache
from statistics import fmean

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.screen.library import fixed
from sdcg_explorer.screen.opened import Opened
from tests.support.plain_by_hand import LESSONS
from tests.support.plain_figures import figure_one, figure_two
from tests.support.plain_files import ECIR2008, THREE_SESSIONS, read_plain
from tests.support.plain_loop import Choices, PlainStudy, factor_of, query_scores, session_vector
from tests.support.plain_session_scores import session_scores
from tests.support.screen import (
    Params,
    charts,
    decoded,
    definition_in_force,
    first_line,
    lines_of,
    opened,
    paragraphs,
    pictures,
    slider_of,
    without_escapes,
)
from tests.support.server import PAGES
from tests.support.studies import at_hand
from tests.support.uploads import note

Numbers = dict[str, float]
Checked = Callable[[AppTest, PlainStudy, Choices], tuple[Numbers, Numbers]]

pytestmark = pytest.mark.usefixtures("own_samples")
GAINS = {0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0}
PAPER = Choices(gains=GAINS)
SAMPLES = {"ecir2008": ECIR2008, "three_sessions": THREE_SESSIONS}
NAMES = {"ecir2008": "ECIR 2008 (reconstructed)", "three_sessions": "Three toy sessions"}
NOTES = {
    "ecir2008": "Invented data: only the design and the counts are the paper's. "
    "No evidence about any system.",
    "three_sessions": "Three hand-made sessions to check numbers by; nobody searched.",
}
BY_RANK = "discount by rank 1/(1 + log_2 r), by query 1/(1 + log_4 q)"
DEFAULT = (
    f"ECIR 2008. Gain by grade (paper): 0 → 0, 1 → 1, 2 → 10, 3 → 100; {BY_RANK}; the top 10 of "
    "each query count, short lists padded with gain 0; a repeat counts every time; ideal: each "
    "query returns its topic's best list; an unjudged result gains 0; after its last query a "
    "session keeps its share of the ideal; averages are means of the sessions' shares; other "
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


def lines_at_rank_10(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    shown = lines_of(app, "Figure 1.")
    expected = figure_one(plain, choices, split="last", others="pooled", depth=10)
    named = {", ".join(name): curve[9] for name, curve in expected.items()}
    bands = [name for name in shown if name not in named and "95" in name]  # as on paper
    return {name: curve[9] for name, curve in shown.items() if name not in bands}, named


def small_lines(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    drawn = pictures(app)["Small figure: Query order"]
    expected = figure_one(plain, choices, split="last", others="pooled", depth=20)
    names = [", ".join(name) for name in expected]
    return (
        {name: curve[:20][-1] for name, curve in zip(names, drawn, strict=True)},
        {", ".join(name): curve[19] for name, curve in expected.items()},
    )


def shares_after_query_2(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """Figure 2, or the first of several: that of the definition in force."""
    shown = lines_of(app, next(iter(charts(app))))
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][19] for name in expected},
        {name: shares[19] for name, (_, shares, _) in expected.items()},
    )


def gain_after_two_queries(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """Mean gain of each system for two queries, which is Figure 3's at the end of the second."""
    shown = lines_of(app, "Gain by cost.")
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][2] for name in expected},
        {name: gains[19] for name, (gains, _, _) in expected.items()},
    )


def at_the_present_point(
    app: AppTest, plain: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """The small curves beside the map; without a common topic there is neither."""
    if not charts(app):
        return {}, {}
    shown = lines_of(app, "Session curves at this point.")
    expected = figure_two(plain, choices, 20)
    return (
        {name: shown[name][19] for name in expected},
        {name: shares[19] for name, (_, shares, _) in expected.items()},
    )


def ends_of_sessions(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Gain at the quitting points of all sessions, on an axis of six queries."""
    (figure,) = charts(app).values()
    marks = next(t for t in figure["data"] if t["name"] == "the searcher quit here")
    own = [s for s in plain.sessions if len(s.queries) <= 6]
    return (
        dict(zip(marks["text"], decoded(marks["y"]), strict=True)),
        {s.name: session_scores(s.queries, plain.judgments, choices)["final"] for s in own},
    )


def changes_at_step_2(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Share of the second queries that bring more DCG than the first."""
    (figure,) = (spec for alt, spec in charts(app).items() if alt.startswith("Reformulations."))
    bars = [trace for trace in figure["data"] if trace["name"].endswith(", gained")]
    changes: dict[str, list[float]] = {}
    for session in plain.sessions:
        if len(session.queries) > 1:
            each = query_scores(session.queries, plain.judgments, choices)
            gained = each[1]["dcg"] - each[0]["dcg"] > 1e-12
            changes.setdefault(session.system, []).append(gained)
    names = [title["name"] for title in figure["layout"]["annotations"] if "name" in title]
    shown = [decoded(bar["y"])[0] for bar in bars if decoded(bar["x"])[0] == 2]
    return (
        dict(zip(names, shown, strict=True)),
        {system: fmean(values) for system, values in changes.items()},
    )


def mean_shares(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Mean final share of the ideal of each system."""
    shares: dict[str, list[float]] = {}
    for session in plain.sessions:
        scores = session_scores(session.queries, plain.judgments, choices)
        shares.setdefault(f"{session.system}, mean", []).append(scores["final_normalised"])
    shown = lines_of(app, "Comparison. ")
    return {name: shown[name][0] for name in shares}, {n: fmean(v) for n, v in shares.items()}


def curve_of_the_first_lesson(
    app: AppTest, _: PlainStudy, choices: Choices
) -> tuple[Numbers, Numbers]:
    """By hand, the first lesson is open, whatever study is."""
    first = next(iter(LESSONS.values()))
    expected = session_vector(first.queries, first.judgments, choices)
    shown = lines_of(app, "By hand.")["this session, V"]
    names = [f"V[{p}]" for p in range(1, len(expected) + 1)]
    return dict(zip(names, shown, strict=True)), dict(zip(names, expected, strict=True))


def shares_looked_at(app: AppTest, plain: PlainStudy, choices: Choices) -> tuple[Numbers, Numbers]:
    """Weights in force, adding up to 1 over what sessions may show; a query each without clicks."""
    shown = lines_of(app, "Looked at.")["in force"]
    longest = max(len(session.queries) for session in plain.sessions)
    ranks = range(1, 11 if any(map(math.isnan, shown)) else 2)
    told = [factor_of(q, r, choices) for q in range(1, longest + 1) for r in ranks]
    known = [weight for weight in shown if not math.isnan(weight)]
    return (
        {f"w[{place}]": weight for place, weight in enumerate(known)},
        {f"w[{place}]": told[place] / sum(told) for place in range(len(known))},
    )


CHECKS: dict[str, Checked] = {
    "overview": small_lines,
    "query_order": lines_at_rank_10,
    "session_curves": shares_after_query_2,
    "individual_sessions": ends_of_sessions,
    "reformulations": changes_at_step_2,
    "cost": gain_after_two_queries,
    "compare_systems": mean_shares,
    "robustness": at_the_present_point,
    "side_by_side": shares_after_query_2,
    "fit": shares_looked_at,
    "by_hand": curve_of_the_first_lesson,
    "paper": lines_at_rank_10,
}
ROUNDED = {"overview": 1e-5}  # its lines are drawn to so many digits
PICTURES = {"overview": 8}
FIGURES = {
    **{"overview": 0, "reformulations": 4, "cost": 2, "compare_systems": 2, "robustness": 2},
    **{"side_by_side": 4, "fit": 2, "paper": 2},
}
# systems without a common topic; results without a click
FEWER = {("robustness", "three_sessions"): 0, ("fit", "three_sessions"): 1}


def assert_as_the_loop(app: AppTest, page: str, sample: str, choices: Choices) -> None:
    assert page in CHECKS, f"{page}: its numbers beside the plain loop's, in CHECKS of this file"
    shown, expected = CHECKS[page](app, plain_sample(sample), choices)
    assert shown == pytest.approx(expected, rel=ROUNDED.get(page, 1e-9))


@every_page
@every_sample
def test_page_opens_with_its_question_and_follows_the_loop(page: str, sample: str) -> None:
    app = on_sample(page, sample)
    assert not app.exception
    assert [title.value for title in app.title] == [
        question_of(page).asked_of(at_hand(NAMES[sample]))
    ]
    assert_as_the_loop(app, page, sample, PAPER)
    unused = "1 → 1, 2 → 10, " if page == "by_hand" else ""  # the lesson has no such grades
    assert definition_in_force(app) == DEFAULT.replace(unused, "")
    said = " ".join(without_escapes(body) for body in paragraphs(app))
    assert said.count("session-discounted cumulated gain") == 1
    assert NOTES[sample] in note(app)
    alternatives = [chart.proto.alt for chart in app.get("plotly_chart")]
    figures = FEWER.get((page, sample), FIGURES.get(page, 1))
    assert len(alternatives) == figures
    alternatives += pictures(app)
    assert len(alternatives) == figures + PICTURES.get(page, 0)
    assert all(len(text) > 15 for text in alternatives)
    assert len(set(alternatives)) == len(alternatives)
    slider_of(app, "b").set_value(5.0).run()
    assert float(str(app.query_params["b"])) == 5.0
    assert_as_the_loop(app, page, sample, Choices(gains=GAINS, b=5.0))
    app.sidebar.checkbox(key="b_off").check()
    app.sidebar.checkbox(key="bq_off").check().run()
    assert "no discount by rank, none by query" in definition_in_force(app)
    assert_as_the_loop(app, page, sample, Choices(gains=GAINS, b=math.inf, bq=math.inf))


@every_sample
def test_overview_counts_sessions_by_length(sample: str) -> None:
    app = on_sample("overview", sample, {"by_length": "true"})
    plain = plain_sample(sample)
    lengths = Counter((s.system, len(s.queries)) for s in plain.sessions)
    longest = max(length for _, length in lengths)
    for name, counts in lines_of(app, "Table 2.").items():
        system = name.partition(" (mean")[0]
        assert counts == [lengths[system, length] for length in range(1, longest + 1)]


def test_overview_answers_with_the_papers_counts() -> None:
    answer = first_line(on_sample("overview", "ecir2008"))
    assert answer == (
        "120 sessions by 30 searchers on 4 topics with 2 systems; 343 queries; "
        "every shown result in the top 10 is judged."
    )


def test_another_study_brings_its_own_answer_and_link() -> None:
    app = on_sample("overview", "ecir2008")
    app.sidebar.selectbox(key="study_picked").set_value(digest("three_sessions")).run()
    assert first_line(app).startswith("3 sessions by 3 searchers on 3 topics with 2 systems")
    assert app.query_params["study"] == digest("three_sessions")
    assert (len(charts(app)), len(pictures(app))) == (0, 8)


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


def test_questions_of_one_name_in_two_modules_share_no_result() -> None:
    given = Opened(digest("three_sessions"), Definition(), Filters())
    one, other = (lambda *_: "one"), (lambda *_: "other")
    one.__module__, other.__module__ = "analysis.one", "analysis.other"
    assert (given.ask(one), given.ask(other)) == ("one", "other")


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
    "who_searched": "Features of the searchers, mean and standard deviation",
    "grades_shown": "Grades: judgments, and results shown by each system",
}


def test_inventory_is_made_when_its_fold_is_open_and_the_link_holds_it() -> None:
    assert not opened("overview").main.dataframe
    for fold, alt in FOLDS.items():
        app = opened("overview", {fold: "true"})
        assert [table.proto.alt for table in app.main.dataframe] == [alt]
        assert app.query_params[fold] == "true"
    (judged,) = charts(opened("overview", {"judged_by_rank": "true"}))
    assert judged == "Judged share by rank"
