"""The page By hand: its examples, its way to the sources' numbers, and what stands in its link."""

from __future__ import annotations

import math
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.support.plain_by_hand import (
    LESSONS,
    SESSIONS,
    WORTH,
    Plain,
    condensed,
    plain,
    plain_steps,
)
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, ideal_of, session_vector
from tests.support.screen import (
    Choose,
    Params,
    definition_in_force,
    first_line,
    lines_of,
    opened,
    slider_of,
    small_print,
    without_escapes,
)

pytestmark = pytest.mark.usefixtures("own_samples")
LINEAR = Choices(WORTH["linear"])
SLIDERS: Params = {"w2": "2", "w3": "3"}  # of the sample's grades 0 to 3: linear gain
BINARY = PlainStudy(
    [PlainSession("s", [("t", {1: "a", 2: "b"})], "A", "p")], {("t", "a"): 0.0, ("t", "b"): 1.0}
)
DEFINITIONS: dict[str, tuple[Params, Choices]] = {
    "default": ({}, Choices(WORTH["paper"])),
    "Kanoulas": (
        {"discount": "kanoulas2011", "b": "3", "bq": "2.5"},
        Choices(WORTH["paper"], form="kanoulas2011", b=3, bq=2.5),
    ),
    "first, spread, as-is": (
        {"repeats": "first", "ideal": "spread", "short": "as-is"},
        Choices(WORTH["paper"], repeats="first", ideal="spread", short="as-is"),
    ),
    "condense": (
        {"unjudged": "condense", "b_off": "true", "bq_off": "true", "top": "3"},
        Choices(WORTH["paper"], b=math.inf, bq=math.inf, top=3),
    ),
}


def on_example(example: str, params: Params | None = None) -> AppTest:
    app = opened("by_hand", {"example": example, **(params or {})})
    assert not app.exception
    return app


def table(app: AppTest, alternative: str) -> pd.DataFrame:
    """The table of the page whose text alternative begins so."""
    return next(t for t in app.main.dataframe if t.proto.alt.startswith(alternative)).value


CELL = re.compile(r'<td(?: title="(.*?)")?[^>]*>(.*?)</td>')


def steps(app: AppTest) -> pd.DataFrame:
    """The table of steps with its exact numbers; an undefined one is nan."""
    (drawn,) = [each.proto.body for each in app.get("html") if "data-step" in each.proto.body]
    names = re.findall(r'<th scope="col">(.*?)</th>', drawn)
    rows = [CELL.findall(row) for row in re.findall(r"<tr data-step.*?</tr>", drawn)]
    table = pd.DataFrame([[exact or text for exact, text in row] for row in rows], columns=names)
    for name in table.columns.difference(["document", "grade"]):
        table[name] = table[name].replace("–", "nan").astype(float)
    return table


def choose(app: AppTest, example: str) -> AppTest:
    """Choose another example, by the list that it stands in."""
    if example in LESSONS:
        return app.main.button_group(key="lesson").set_value(example).run()
    return app.main.selectbox(key="paper").set_value(example).run()


def buttons(app: AppTest) -> dict[str, str]:
    """Buttons of the page that can be pressed, as they read, to find them again."""
    pressed = [button for button in app.main.button if not button.disabled]
    return {without_escapes(button.label): button.label for button in pressed}


def press(app: AppTest, beginning: str) -> None:
    label = next(label for said, label in buttons(app).items() if said.startswith(beginning))
    next(button for button in app.main.button if button.label == label).click().run()
    assert not app.exception


def assert_shows(app: AppTest, session: Plain, chosen: Choices) -> None:
    """First line, curve and steps are the loop's."""
    vector = session_vector(session.queries, session.judgments, chosen)
    ideal = ideal_of(session.queries, session.judgments, chosen)
    worth = f"{vector[-1]:#.3g}".rstrip(".")
    share = f"{vector[-1] / ideal[-1]:.2f}".removeprefix("0")
    assert first_line(app) == f"This session's sDCG is {worth}, {share} of its ideal."
    drawn = lines_of(app, "By hand.")
    assert drawn["this session, V"] == pytest.approx(vector, rel=1e-9)
    assert drawn["its ideal, I"] == pytest.approx(ideal, rel=1e-9)
    rows = plain_steps(session, chosen)
    added = steps(app)["added"].tolist()
    assert added == pytest.approx([row["added"] for row in rows], rel=1e-9)


@pytest.mark.parametrize(("example", "name"), [*zip(SESSIONS, DEFINITIONS, strict=False)])
def test_example_opens_with_the_loops_numbers(example: str, name: str) -> None:
    params, chosen = DEFINITIONS[name]
    app = on_example(example, params)
    assert [title.value for title in app.title] == ["How is the number made?"]
    session = SESSIONS[example]
    assert_shows(app, condensed(session) if name == "condense" else session, chosen)


def test_lessons_come_first_and_stand_in_the_link() -> None:
    app = opened("by_hand")
    for example, session in LESSONS.items():
        if example != next(iter(LESSONS)):
            choose(app, example)
        assert_shows(app, session, Choices(WORTH["paper"]))
        assert app.query_params["example"] == example
        assert not any(said.startswith((COUNT, BACK)) for said in buttons(app))
    choose(app, "T-3")
    assert_shows(app, SESSIONS["T-3"], Choices(WORTH["paper"]))
    assert app.main.button_group(key="lesson").value in (None, [])


WIDGETS = {  # b, top, form
    "ecir2008": (4.0, 10, "ecir2008"),
    "w-en": (2.0, 6, "jk2002"),
    "yukawa-retrieved": (2.0, 15, "jk2002"),
    "yukawa-judged": (2.0, 15, "jk2002"),
    "l14": (2.0, 3, "kanoulas2011"),
}
COUNT = "Count as its source does: "


@pytest.mark.parametrize("example", SESSIONS)
def test_button_brings_the_sources_definition(example: str, choose_study: Choose) -> None:
    if [*SESSIONS].index(example) % 2:  # else the sample's grades 0 to 3
        choose_study(BINARY)
    app = on_example(example, {"b": "7", "short": "as-is", "repeats": "first"})
    press(app, COUNT)
    assert not any(said.startswith(COUNT) for said in buttons(app))
    side = app.sidebar
    b, top, form = WIDGETS.get(example, (2.0, 10, "ecir2008"))
    shown = [side.number_input(key=key).value for key in ("b", "bq", "top", "w1")]
    assert (shown, side.selectbox(key="discount").value) == ([b, 4.0, top, 1.0], form)
    assert (side.selectbox(key="short").value, slider_of(app, "b").value) == ("pad", b)


def test_button_names_what_it_brings() -> None:
    assert f"{COUNT}plain linear" in buttons(on_example("T-1"))
    assert f"{COUNT}plain linear, changed: b" in buttons(on_example("ecir2008"))
    assert not any(said.startswith(COUNT) for said in buttons(on_example("T-1", SLIDERS)))


def test_gains_of_grades_that_the_study_lacks_are_said(choose_study: Choose) -> None:
    choose_study(BINARY)
    app = on_example("T-1", {"w1": "5"})
    said = next(text for text in small_print(app.main) if "has no weights for these grades" in text)
    filled = {float(grade): float(gain) for grade, gain in re.findall(r"(\d+) → (\d+)", said)}
    assert set(filled) == {2.0, 3.0}
    assert_shows(app, SESSIONS["T-1"], Choices({0.0: 0.0, 1.0: 5.0, **filled}))
    assert "0 → 0, 1 → 5, 2 → " in definition_in_force(app)


def test_expected_number_is_what_relative_recall_is_of() -> None:
    app = on_example("T-2", SLIDERS)
    assert table(app, "Other")["relative_recall"].tolist() == pytest.approx([2 / 3, 1, 1, 1])
    app.main.number_input(key="expected").set_value(2).run()
    assert table(app, "Other")["relative_recall"].tolist() == pytest.approx([1, 1.5, 1.5, 1.5])
    linked = on_example("T-2", {"expected": "4"})
    # three of four are found, the third in the second list, and all forty cells are examined
    assert table(linked, "Other")["relative_recall"].tolist() == [0.5, 0.75, 0.75, 0.75]
    effort = [4 / 10, 4 / 20, 4 / 30, 4 / 40]
    assert table(linked, "Other")["recall_effort"].tolist() == pytest.approx(effort)


EDIT: Params = {"judged": "a1:1 a2:2 a3:1", "lists": "a3 a1|- a2 u1||a2 u2"}
EDITED = plain("a1:1 a2:2 a3:1", "[a3 a1] [- a2 u1] [] [a2 u2]")
BACK = "Start over"


def test_link_opens_the_edited_session_whose_edits_stay_with_it_and_can_be_taken_back() -> None:
    app = on_example("T-2", SLIDERS | EDIT)
    assert_shows(app, EDITED, LINEAR)
    assert {name: app.query_params[name] for name in EDIT} == EDIT
    assert table(app, "Grades to edit")["grade"].tolist() == [1, 2, 1]
    assert table(app, "Result lists")["Q2"].tolist()[:4] == ["", "a2", "u1", ""]
    choose(app, "T-1")
    assert_shows(app, SESSIONS["T-1"], LINEAR)
    assert not {"judged", "lists"} & set(app.query_params)
    app.switch_page("pages/overview.py").run()
    app.switch_page("pages/by_hand.py").run()
    choose(app, "T-2")
    assert_shows(app, EDITED, LINEAR)
    assert app.query_params["lists"] == EDIT["lists"]
    press(app, BACK)
    assert_shows(app, SESSIONS["T-2"], LINEAR)
    assert not {"judged", "lists"} & set(app.query_params)
    assert BACK not in buttons(app)
