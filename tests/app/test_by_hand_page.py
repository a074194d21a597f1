"""The page By hand: its examples, its way to the sources' numbers, edits, and its link."""

import json
import math
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.support import plain_by_hand, screen
from tests.support.plain_loop import Choices, PlainSession, PlainStudy, ideal_of, session_vector

pytestmark = pytest.mark.usefixtures("own_samples")
LINEAR = Choices(plain_by_hand.WORTH["linear"])
SLIDERS: screen.Params = {"w2": "2", "w3": "3"}  # of the sample's grades 0 to 3: linear gain
COUNT, BACK = "Use its definition: ", "Start over"


def on_example(example: str, params: screen.Params | None = None) -> AppTest:
    app = screen.opened("by_hand", {"example": example, **(params or {})})
    assert not app.exception
    return app


def table(app: AppTest, alternative: str) -> pd.DataFrame:
    """The table of the page whose text alternative begins so."""
    return next(t for t in app.main.dataframe if t.proto.alt.startswith(alternative)).value


def edit(app: AppTest, rows: dict[str, dict[str, object]]) -> None:
    """Type into rows of the grades: a browser sends all that were typed."""
    (editor,) = [t.proto for t in app.main.dataframe if t.proto.alt == "Grades to edit"]
    edits = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    screen.send(app, editor.id, json.dumps(edits))


CELL = re.compile(r'<td(?: title="(.*?)")?[^>]*>(.*?)</td>')


def added(app: AppTest) -> list[float]:
    """What each step adds, exactly."""
    (drawn,) = [each.proto.body for each in app.get("html") if "data-step" in each.proto.body]
    place = re.findall(r'<th scope="col">(.*?)</th>', drawn).index("added")
    rows = [CELL.findall(row)[place] for row in re.findall(r"<tr data-step.*?</tr>", drawn)]
    return [float((exact or text).replace("–", "nan")) for exact, text in rows]


def choose(app: AppTest, example: str) -> AppTest:
    """Choose another example, by the list that it stands in."""
    if example in plain_by_hand.LESSONS:
        return app.main.button_group(key="lesson").set_value(example).run()
    return app.main.selectbox(key="paper").set_value(example).run()


def buttons(app: AppTest) -> dict[str, str]:
    """Buttons of the page that can be pressed, as they read, to find them again."""
    pressed = [button for button in app.main.button if not button.disabled]
    return {screen.without_escapes(button.label): button.label for button in pressed}


def press(app: AppTest, beginning: str) -> None:
    label = next(label for said, label in buttons(app).items() if said.startswith(beginning))
    next(button for button in app.main.button if button.label == label).click().run()
    assert not app.exception


def assert_shows(app: AppTest, session: plain_by_hand.Plain, chosen: Choices) -> None:
    """First line, curve and steps are the loop's."""
    vector = session_vector(session.queries, session.judgments, chosen)
    ideal = ideal_of(session.queries, session.judgments, chosen)
    worth = f"{vector[-1]:#.3g}".rstrip(".")
    share = f"{vector[-1] / ideal[-1]:.2f}".removeprefix("0")
    assert screen.first_line(app) == f"This session's sDCG is {worth}, {share} of its ideal."
    drawn = screen.lines_of(app, "By hand.")
    assert drawn["this session, V"] == pytest.approx(vector, rel=1e-9)
    assert drawn["its ideal, I"] == pytest.approx(ideal, rel=1e-9)
    expected = [row["added"] for row in plain_by_hand.plain_steps(session, chosen)]
    assert added(app) == pytest.approx(expected, rel=1e-9)


def test_lessons_come_first_and_stand_in_the_link() -> None:
    app = screen.opened("by_hand")
    for example, session in plain_by_hand.LESSONS.items():
        if example != next(iter(plain_by_hand.LESSONS)):
            choose(app, example)
        assert_shows(app, session, Choices(plain_by_hand.WORTH["paper"]))
        assert app.query_params["example"] == example
        assert not any(said.startswith((COUNT, BACK)) for said in buttons(app))
    app = on_example("T-1", {"unjudged": "condense", "b_off": "true", "bq_off": "true", "top": "3"})
    chosen = Choices(plain_by_hand.WORTH["paper"], b=math.inf, bq=math.inf, top=3)
    assert_shows(app, plain_by_hand.condensed(plain_by_hand.SESSIONS["T-1"]), chosen)


def test_a_button_names_and_brings_the_sources_definition_also_where_grades_lack(
    choose_study: screen.Choose,
) -> None:
    assert f"{COUNT}plain linear" in buttons(on_example("T-1"))
    assert f"{COUNT}plain linear, changed: b" in buttons(on_example("ecir2008"))
    assert not any(said.startswith(COUNT) for said in buttons(on_example("T-1", SLIDERS)))
    for example, b, top, form in (("T-1", 2.0, 10, "ecir2008"), ("l14", 2.0, 3, "kanoulas2011")):
        app = on_example(example, {"b": "7", "short": "as-is", "repeats": "first"})
        press(app, COUNT)
        assert not any(said.startswith(COUNT) for said in buttons(app))
        side = app.sidebar
        shown = [side.number_input(key=key).value for key in ("b", "bq", "top", "w1")]
        assert (shown, side.selectbox(key="discount").value) == ([b, 4.0, top, 1.0], form)
        assert side.selectbox(key="short").value == "pad"
        session = PlainSession("s", [("t", {1: "a", 2: "b"})], "A", "p")
        choose_study(PlainStudy([session], {("t", "a"): 0.0, ("t", "b"): 1.0}))
    app = on_example("T-1", {"w1": "5"})
    said = next(
        text for text in screen.small_print(app.main) if "has no weights for these grades" in text
    )
    filled = {float(grade): float(gain) for grade, gain in re.findall(r"(\d+) → (\d+)", said)}
    assert set(filled) == {2.0, 3.0}
    assert_shows(app, plain_by_hand.SESSIONS["T-1"], Choices({0.0: 0.0, 1.0: 5.0, **filled}))
    assert "0 → 0, 1 → 5, 2 → " in screen.definition_in_force(app)


def test_expected_number_is_what_relative_recall_is_of() -> None:
    app = on_example("T-2", SLIDERS)
    assert table(app, "Other")["relative_recall"].tolist() == pytest.approx([2 / 3, 1, 1, 1])
    app.main.number_input(key="expected").set_value(4).run()
    # three of four are found, the third in the second list, and all forty cells are examined
    assert table(app, "Other")["relative_recall"].tolist() == [0.5, 0.75, 0.75, 0.75]
    effort = [4 / 10, 4 / 20, 4 / 30, 4 / 40]
    assert table(app, "Other")["recall_effort"].tolist() == pytest.approx(effort)


EDIT: screen.Params = {"judged": "a1:1 a2:2 a3:1", "lists": "a3 a1|- a2 u1||a2 u2"}
EDITED = plain_by_hand.plain("a1:1 a2:2 a3:1", "[a3 a1] [- a2 u1] [] [a2 u2]")


def test_link_opens_the_edited_session_whose_edits_stay_with_it_and_can_be_taken_back() -> None:
    app = on_example("T-2", SLIDERS | EDIT)
    assert_shows(app, EDITED, LINEAR)
    assert {name: app.query_params[name] for name in EDIT} == EDIT
    assert table(app, "Grades to edit")["grade"].tolist() == [1, 2, 1]
    assert table(app, "Result lists")["Q2"].tolist()[:4] == ["", "a2", "u1", ""]
    choose(app, "T-1")
    assert_shows(app, plain_by_hand.SESSIONS["T-1"], LINEAR)
    assert not {"judged", "lists"} & set(app.query_params)
    app.switch_page("pages/overview.py").run()
    app.switch_page("pages/by_hand.py").run()
    choose(app, "T-2")
    assert_shows(app, EDITED, LINEAR)
    assert app.query_params["lists"] == EDIT["lists"]
    press(app, BACK)
    assert_shows(app, plain_by_hand.SESSIONS["T-2"], LINEAR)
    assert not {"judged", "lists"} & set(app.query_params)
    assert BACK not in buttons(app)
    # T-2 of docs/methods.md, with 3 as the grade of a1: it comes once, at rank 2 of the first query
    edit(app, {"0": {"grade": 3}})
    assert_shows(
        app, plain_by_hand.plain("a1:3 a2:2 a3:3", "[a3 a1] [a3 a2 u1] [] [a2 u2]"), LINEAR
    )
    assert app.query_params["judged"] == "a1:3 a2:2 a3:3"
    assert app.query_params["lists"] == "a3 a1|a3 a2 u1||a2 u2"
    edit(app, {"0": {"grade": 0.5}, "1": {"grade": 1}})
    assert app.query_params["judged"] == "a1:0.5 a2:1 a3:3"


NOTHING = "This session's sDCG is 0, .00 of", "No number yet: "


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (EDIT | {"judged": ""}, NOTHING),
        (EDIT | {"lists": ""}, NOTHING),
        ({"judged": "a1:1", "lists": "||"}, NOTHING),
        ({"judged": "a1:1", "lists": "- -|-"}, NOTHING),
        *(
            ({"judged": f"{doc}:1 {doc}:2", "lists": doc}, ("No number yet: grades, line 2",))
            for doc in (re.sub(r"\s", "_", name) for name in screen.HOSTILE)
        ),
    ],
)
def test_session_of_empty_lists_or_odd_names_is_worth_nothing_or_says_what_to_do(
    edit: screen.Params, said: tuple[str, ...]
) -> None:
    app = on_example("T-2", SLIDERS | edit)
    assert screen.first_line(app).startswith(said)
    assert "Check the columns" not in screen.first_line(app)  # there are none to check on this page
    assert BACK in buttons(app)
    name = re.sub("[|:/]", "_", str(edit["lists"]).rpartition("/")[2])
    bodies = [*app.markdown, *app.caption, *app.warning, *app.error, *app.latex]
    assert not any(f"'{name}'" in body.value for body in bodies)


def test_no_axes_are_drawn_without_a_cell_and_a_list_can_be_rated_above_a_perfect_one() -> None:
    link: screen.Params = {
        "judged": "a1:1",
        "lists": "u v",
        "short": "as-is",
        "unjudged": "condense",
    }
    assert not screen.charts(on_example("T-2", link))
    # one document of grade 3, nine of grade 2: (7 + 3 · 3.544) / (7 · 2.494) = 1.010
    docs = [f"x{i}" for i in range(10)]
    judged = " ".join(f"{doc}:{3 if doc == 'x0' else 2}" for doc in docs)
    app = on_example("T-1", {"judged": judged, "lists": " ".join(docs)})
    assert table(app, "Other")["lndcg"].tolist() == pytest.approx([1.010], abs=5e-4)
