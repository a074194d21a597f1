"""The page Compare systems: every score, a choice of pairs, odd studies and names."""

from __future__ import annotations

from functools import cache
from statistics import fmean
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sdcg_explorer.questions.compare_systems import plan_of, words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.scoring.measures import SESSION_SCORES
from sdcg_explorer.scoring.named_scores import scores_of
from sdcg_explorer.screen.library import fixed
from tests.support.plain_files import ECIR2008, read_plain, study_of
from tests.support.plain_loop import Choices, PlainSession, PlainStudy
from tests.support.plain_session_scores import session_scores
from tests.support.plain_statistics import as_study
from tests.support.screen import (
    HOSTILE,
    Choose,
    Params,
    charts,
    first_line,
    lines_of,
    opened,
    without_escapes,
)
from tests.support.screen import paragraphs as bodies_of
from tests.support.studies import SAMPLES, at_hand
from tests.support.uploads import FILES, accepted
from tests.unit.test_compare_odd import rows_of

pytestmark = pytest.mark.usefixtures("own_samples")
PAPER = Choices({0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0})
THREE = as_study(
    rows_of(
        *("1 A p t", "2 B p t", "3 C p u", "0 A q u", "3 B q t", "1 C q t", "2 A r u", "2 B r u"),
        *("3 C r t", "3 A s t", "3 B s u", "1 C s u"),
    )
)


def page(params: Params | None = None) -> AppTest:
    return opened("compare_systems", params)


def compared(plain: PlainStudy, **more: Any) -> Comparison:
    return compare_systems(study_of(plain), DEFAULT, more.pop("filters", Filters()), **more)


def paragraphs(app: AppTest) -> list[str]:
    assert not app.exception
    return [without_escapes(body) for body in bodies_of(app)]


def assert_says(app: AppTest, shown: Comparison, place: int = 0) -> None:
    """The page says what the analysis does."""
    assert first_line(app).startswith(words.answer(shown).removesuffix("."))
    told = "\n".join(paragraphs(app))
    every = (
        [*words.details(shown, place), *words.advice(shown, place), words.behind(shown)]
        if shown.pairs
        else []
    )
    assert [said for said in every if said not in told] == []


@cache
def sample_scores() -> dict[str, dict[str, list[float]]]:
    """By score and system, by plain loops."""
    plain = read_plain(ECIR2008 / "log.csv", ECIR2008 / "judgments.csv")
    found: dict[str, dict[str, list[float]]] = {}
    for session in plain.sessions:
        scores = session_scores(session.queries, plain.judgments, PAPER)
        for name, value in scores.items():
            found.setdefault(name, {}).setdefault(session.system, []).append(value)
    return found


def test_every_score_shows_its_sessions_and_their_means() -> None:
    app = page()
    names = scores_of(at_hand(SAMPLES[0]))
    assert app.main.selectbox(key="score").options == [
        f"{SESSION_SCORES[name].words} · {name}" if name in SESSION_SCORES else name
        for name in names
    ]
    for score in [*SESSION_SCORES][::4]:  # of all of them, tests/unit
        app.main.selectbox(key="score").set_value(score).run()
        assert app.query_params.get("score") == (score if score != names[0] else None)
        shown = lines_of(app, "Comparison. ")
        for system, values in sample_scores()[score].items():
            assert sorted(shown[f"{system}, each session"]) == pytest.approx(sorted(values))
            assert shown[f"{system}, mean"] == pytest.approx([fmean(values)])
        own = compare_systems(at_hand(SAMPLES[0]), DEFAULT, Filters(), score=score)
        assert_says(app, own)


@pytest.mark.parametrize("pair", ["A and C", ""])
def test_pair_of_three_systems_is_that_of_the_link(pair: str, choose_study: Choose) -> None:
    choose_study(THREE)
    app = page({"pair": pair, "score": "mean_dcg"} if pair else {"score": "mean_dcg"})
    own = compared(THREE, score="mean_dcg")
    names = [f"{each.system_a} and {each.system_b}" for each in own.pairs]
    box = app.main.selectbox(key="pair")
    assert list(box.options) == ["the clearest pair", *names]
    place = names.index(pair) if pair in names else own.clearest_place
    assert box.value == (pair if pair in names else box.options[0])
    assert_says(app, own, place)
    every = next(t.value for t in app.main.dataframe if t.proto.alt == "All pairs of systems")
    assert len(every) == 3
    drawn = lines_of(app, "Pairs. ")
    shown = sorted(value for line in drawn.values() for value in line)
    assert shown == pytest.approx(sorted(range(3)))


def test_next_study_is_planned_as_the_link_says() -> None:
    app = page({"plan_for": "0.05"})
    shown = compare_systems(at_hand(SAMPLES[0]), DEFAULT, Filters())
    own = plan_of(shown, 0, plan_for=0.05)
    told = paragraphs(app)
    assert [
        line
        for line in (f"**{words.next_study_headline(own)}**", *words.next_study_sentences(own))
        if line not in told
    ] == []
    drawn = lines_of(app, "Power. ")
    for plan, name in zip(
        own.plans, ("The difference seen", "Half of it", "0.05 nsDCG"), strict=True
    ):
        assert drawn[name] == pytest.approx(own.curve(plan))
    table = next(t.value for t in app.main.dataframe if t.proto.alt.startswith("Sample size"))
    assert table["units_80"].tolist() == [str(plan.units[0]) for plan in own.plans]
    app.main.number_input(key="plan_for").set_value(0.1).run()
    said = words.next_study_headline(plan_of(shown, 0, plan_for=0.1))
    assert f"**{said}**" in paragraphs(app)


def test_next_study_is_not_computed_before_it_is_asked_for_and_methods_name_the_test() -> None:
    app = page()
    assert "How many searchers would the next study need?" in [e.label for e in app.main.expander]
    assert not [alt for alt in charts(app) if alt.startswith("Power")]
    app.session_state["data_compare_systems"] = True  # the fold, open
    (methods,) = [text.value for text in app.run().text]
    view = at_hand(SAMPLES[0]), DEFAULT, Filters()
    assert methods.count(words.method(compare_systems(*view))) == 1


def shared_topic(names: list[str]) -> PlainStudy:
    """One topic by all, so that hostile systems are compared."""
    queries = [("t", {1: "a"}), ("t", {1: "b", 2: "a"})]
    sessions = [PlainSession(f"{n} {k}", queries[k:], n, n) for n in names for k in (0, 1)]
    return PlainStudy(sessions, {("t", "a"): 1.0, ("t", "b"): 2.0})


def test_hostile_names_stay_text(choose_study: Choose) -> None:
    choose_study(shared_topic(HOSTILE))
    app = page({"pair": " and ".join(sorted(HOSTILE[:2]))})
    bodies = bodies_of(app)
    for name in HOSTILE:
        assert [body for body in bodies if name in body] == []
    for name in HOSTILE[:2]:
        assert any(name in without_escapes(body) for body in bodies[1:])


def test_rating_that_came_along_is_a_score_of_its_study_alone() -> None:
    name = HOSTILE[0]
    app = accepted({**FILES, "ratings.csv": f"session,{name}\ns1,5\ns2,3\n"})
    app.switch_page("pages/compare_systems.py").run()
    box = app.main.selectbox(key="score")
    assert box.options[-1] == f"rating: {name}"
    box.set_value(f"rating: {name}").run()
    assert f"points of {name}" in first_line(app)
    assert any("in points of" in said for said in paragraphs(app)[1:])
    assert [body for body in bodies_of(app) if name in body] == []
    first = next(key for key, study in fixed().items() if study.name == SAMPLES[0])
    app.sidebar.selectbox(key="study_picked").set_value(first).run()
    assert first_line(app).startswith("System 1 and System 2 don't differ clearly")
    assert app.main.selectbox(key="score").value == "final_normalised"
