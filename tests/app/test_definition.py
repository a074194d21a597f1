"""The definition: its panel, sliders and presets, and each choice by each road that it travels."""

from dataclasses import asdict, fields, replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from sdcg_explorer.metrics import FORMS
from streamlit.testing.v1 import AppTest

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.questions.methods import say_definition
from sdcg_explorer.questions.paper.words import clause
from sdcg_explorer.questions.side_by_side.words import changes_text
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import (
    AUTHORS,
    DEFAULT,
    OF_BEHAVIOUR,
    Definition,
    Filters,
    from_toml,
    to_toml,
)
from sdcg_explorer.screen import widget_values
from tests.support import screen, uploads
from tests.support.plain_files import written

pytestmark = pytest.mark.usefixtures("own_samples")
NONE = "no published source"
S08, JK02 = "Järvelin et al. 2008", "Järvelin & Kekäläinen 2002"
B05, DD = "Burges et al. 2005", "TREC Dynamic Domain"
# the source of each option as docs/methods.md names it (but not for condense and pooled)
SOURCES = {
    "discount": {name: AUTHORS.get(form.reference, "") for name, form in FORMS.items()},
    "repeats": {"every": S08, "first": DD},
    "ideal": {"repeated": S08, "spread": DD},
    "unjudged": {"zero": S08, "condense": "Sakai 2007"},
    "after_stop": {"hold": S08, "ideal-continues": NONE},
    "average": {"mean-of-ratios": S08, "ratio-of-means": S08},
    "others": {"pooled": S08, "per-session": NONE},
    "grades": {"judgments": S08, "searcher": S08, "behaviour": "Fox et al. 2005"},
    "short": {"pad": S08, "as-is": NONE, "observed": NONE, "at least": NONE},
}
WEIGHTS: dict[str, tuple[screen.Params, str]] = {
    "paper": ({}, f"Gains 0, 1, 10, 100: tenfold per grade from grade 1 on. ({S08}, §3.1)"),
    "linear": ({"w2": "2", "w3": "3"}, f"Gain is the grade. ({JK02})"),
    "exponential": ({"w2": "3", "w3": "7"}, f"Gain is 2^grade − 1. ({B05})"),
    "binary": ({"w2": "1", "w3": "1"}, f"Gain 1 for grades of 1 or more. ({JK02}, liberal)"),
    "strict": (
        {"w1": "0", "w2": "0", "w3": "1"},
        f"Gain 1 for the highest grade only. ({JK02}, strict)",
    ),
    "custom": ({"w2": "11"}, f"Gains of your own. ({NONE})"),
}


def more_choices(app: AppTest) -> Any:
    """The fold of the definition, beneath that of the filters."""
    fold, filters = app.sidebar.expander
    assert filters.label.startswith("More filters")
    assert fold.label == "More choices"
    return fold


def line_under(app: AppTest, key: str) -> str:
    """The small print right beneath a control, wherever in the sidebar it stands."""
    definition = app.sidebar.children[0]
    fold = more_choices(app).children
    held = [part.children for part in fold.values() if part.type == "flex_container"]
    for row in (definition.children, fold, *held):
        parts = list(row.values())
        for part, beneath in zip(parts, [*parts[1:], None], strict=True):
            row_of = part.children.values() if part.type == "flex_container" else ()
            if any(getattr(each, "key", None) == key for each in (part, *row_of)):
                said = screen.without_escapes(str(getattr(beneath, "value", ""))).split("\n\n")
                return next((text[7:-1] for text in said if text.startswith(":small[")), "")
    raise AssertionError(f"no control {key}")


@pytest.mark.parametrize(("place", "scheme"), [*enumerate(WEIGHTS)])
def test_every_option_and_its_gains_have_words_and_a_source(place: int, scheme: str) -> None:
    chosen = {
        name: list(options)[place] for name, options in SOURCES.items() if len(options) > place
    }
    link, gains = WEIGHTS[scheme]
    app = screen.opened("query_order", {**chosen, **link})
    for name, option in chosen.items():
        words, _, source = line_under(app, name).removesuffix(")").rpartition(" (")
        assert len(words.split()) >= 4, name
        assert source.partition(", ")[0] == SOURCES[name][option], name
        assert words[0].isupper() or words[0].isdigit(), name
        assert words.endswith("."), name
    boxes = {box.key: box.options for box in more_choices(app).selectbox if box.key in SOURCES}
    assert boxes == {name: list(options) for name, options in SOURCES.items()}
    assert screen.small_print(more_choices(app)).count(gains) == 1
    assert not {other for _, other in WEIGHTS.values() if other != gains} & {
        *screen.small_print(app.sidebar)
    }


def test_everyday_controls_are_in_sight_with_words_and_the_rest_in_one_fold() -> None:
    app = screen.opened("query_order", {"w2": "0.5"})
    sliders = [slider.key for slider in app.sidebar.select_slider]
    assert {str(key).partition("_")[0] for key in sliders} == {"b", "bq", "w0", "w1", "w2", "w3"}
    fold = more_choices(app)
    assert not fold.select_slider
    inner = {"min_queries", "max_queries", *(number.key for number in fold.number_input)}
    assert {number.key for number in app.sidebar.number_input} - inner == {"top"}
    about = str(app.sidebar.number_input(key="top").help)
    for line in (line_under(app, "b"), line_under(app, "bq"), about):
        assert line.partition(" (")[2].startswith(S08)
    said = "Gains don't follow the grades: grade 2 gains 0.5, grade 1 gains 1."
    assert "2 → 0.5" in screen.definition_in_force(app)
    assert said in screen.small_print(app.sidebar)
    assert f":material/info: {said}" in screen.small_print(app.main)
    level = screen.opened("query_order", {"w2": "1"})
    assert not any("order: grade" in text for text in screen.small_print(level))


PRESETS = {
    "session-track": (
        "Session track (Kanoulas)", (0, 1, 3, 7), "kanoulas2011", "every", "repeated",
    ),
    "agents": ("Search agents", (0, 1, 2, 3), "ecir2008", "first", "spread"),
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_preset_sets_the_widgets_names_itself_and_has_a_way_back(preset: str) -> None:
    name, gains, *choices = PRESETS[preset]
    app = screen.opened("query_order", {"b": "7", "w2": "33", "top": "3", "bq_off": "true"})
    assert app.sidebar.selectbox(key="preset").value is None
    app.sidebar.selectbox(key="preset").set_value(preset).run()
    b, bq = (inf, 10.0) if preset == "agents" else (2.0, 4.0)

    def assert_set() -> None:
        side = app.sidebar
        assert [side.number_input(key=key).value for key in ("b", "bq", "top")] == [2.0, bq, 10]
        assert [screen.slider_of(app, name).value for name in ("b", "bq")] == [b, bq]
        assert [side.checkbox(key=f"{key}_off").value for key in ("b", "bq")] == [b == inf, False]
        assert tuple(side.number_input(key=f"w{grade}").value for grade in range(4)) == gains
        assert tuple(screen.slider_of(app, f"w{grade}").value for grade in range(4)) == gains
        assert [side.selectbox(key=k).value for k in ("discount", "repeats", "ideal")] == choices
        assert side.selectbox(key="preset").value == preset
        assert screen.definition_in_force(app).startswith(f"{name}. Gain by grade")

    assert_set()
    screen.slider_of(app, "bq").set_value(5.0).run()
    screen.slider_of(app, "w3").set_value(9.0).run()
    (back,) = [each for each in app.sidebar.button if each.label.startswith("Back to")]
    assert screen.without_escapes(back.help) == f"{name}, changed: weights, bq"
    assert (screen.without_escapes(back.label), back.disabled) == (f"Back to {name}", False)
    back.click().run()
    assert_set()
    assert [key for key in ("bq", "w3") if app.query_params.get(key) in ("5.0", "9.0")] == []
    (back,) = [each for each in app.sidebar.button if each.label.startswith("Back to")]
    assert back.disabled  # it keeps its place


# links, and where the sliders stand that they don't name alike
IN_FORCE: list[tuple[screen.Params, dict[str, float]]] = [
    ({"b": "1.001", "bq": "100", "w2": "2.5", "w3": "5000"}, {"w0": 0, "w2": 2.5, "w3": 5000}),
    ({"b": "3.19", "bq": "999.999", "w1": "1e100"}, {"w1": 1e100, "w2": 10}),
    ({"b": "2.718281828459045", "bq": "7", "bq_off": "true"}, {"bq": inf}),
    ({"b": "2.0000000001", "bq": "1.07"}, {}),
]


@pytest.mark.parametrize(("link", "expected"), IN_FORCE)
def test_a_slider_stands_at_the_number_in_force_whatever_it_came_from(
    link: screen.Params, expected: dict[str, float]
) -> None:
    app = screen.opened("query_order", link)
    expected = {name: float(str(link[name])) for name in ("b", "bq")} | expected
    for name, number in expected.items():
        slider = screen.slider_of(app, name)
        numbers = [float(each.replace("∞", "inf")) for each in slider.options]
        stands = slider.value, numbers[int(slider.proto.default[0])]
        assert stands == pytest.approx((number, number), rel=1e-5)  # it says six digits
        assert numbers == sorted({*numbers})


def test_the_end_of_a_slider_turns_a_discount_off_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget_values, "ON_ITS_WAY", 0.0)  # each page was seen before the next move
    app = screen.opened("query_order", {"b": "3"})
    screen.slider_of(app, "b").set_value(inf).run()
    assert app.sidebar.checkbox(key="b_off").value
    assert "no discount by rank" in screen.definition_in_force(app)
    assert ("b" in app.query_params, app.query_params["b_off"]) == (False, "true")
    app.sidebar.checkbox(key="b_off").set_value(False).run()
    assert screen.slider_of(app, "b").value == 2
    app.sidebar.checkbox(key="b_off").set_value(True).run()
    assert screen.slider_of(app, "b").value == inf
    screen.slider_of(app, "b").set_value(8.0).run()
    assert "1/(1 + log_8 r)" in screen.definition_in_force(app)
    assert "b_off" not in app.query_params
    screen.slider_of(app, "w2").set_value(33.0).run()
    assert [screen.slider_of(app, name).value for name in ("b", "w2")] == [8.0, 33.0]
    assert {"b": "8.0", "w2": "33.0"}.items() <= app.query_params.items()
    app.sidebar.number_input(key="b").set_value(5.05).run()
    assert screen.slider_of(app, "b").value == 5.05


FIGURES = {"query_order": "Figure 1.", "session_curves": "Session curves.", "by_hand": "By hand."}


def kept(app: AppTest, page: str) -> dict[str, list[float]]:
    """Curves that are kept, by the names of those in force."""
    lines = screen.lines_of(app, FIGURES[page])
    return {k.removesuffix(", kept"): v for k, v in lines.items() if k.endswith(", kept")}


@pytest.mark.parametrize("page", FIGURES)
def test_curves_are_kept_in_the_link_until_they_are_taken_away(page: str) -> None:
    app = screen.opened(page, {"b": "3"})
    before = screen.lines_of(app, FIGURES[page])
    assert not kept(app, page)
    uploads.pressed(app, "Keep these curves")
    screen.slider_of(app, "b").set_value(6.0).run()
    still = kept(app, page)
    assert still
    for name, values in still.items():  # of few sessions, a curve goes on as another
        drawn = before["this session, V" if page == "by_hand" else name]
        assert values[: len(drawn)] == drawn
    (words,) = [
        text for text in screen.small_print(app.main) if text.startswith("**Faint curves, kept")
    ]
    assert words.endswith("b 3 (ECIR 2008, changed: b)")
    again = screen.opened(page, {name: app.query_params[name] for name in ("b", "kept")})
    assert kept(again, page) == still
    uploads.pressed(again, "Remove kept curves")
    assert not kept(again, page)
    assert "kept" not in again.query_params


def top(app: AppTest) -> float:
    """Upper end of the axis of Figure 1."""
    spec: dict[str, Any] = next(
        v for k, v in screen.charts(app).items() if k.startswith("Figure 1.")
    )
    return spec["layout"]["yaxis"]["range"][1]


def test_axis_grows_to_round_numbers_and_shrinks_when_it_is_fitted() -> None:
    app = screen.opened("query_order", {"b": "2"})
    first = top(app)
    screen.slider_of(app, "b").set_value(10.0).run()
    grown = top(app)
    screen.slider_of(app, "b").set_value(2.0).run()
    assert first < grown == top(app)
    assert first in (40, 50, 60, 80, 100)
    uploads.pressed(app, "Fit the axis")
    assert top(app) == first
    screen.slider_of(app, "b").set_value(10.0).run()
    app.main.number_input(key="depth").set_value(3).run()
    assert top(app) < grown  # another figure


TAKE = "Use this fit as the definition"
NOTED = "b = 3.55 and bq = 1.29 fitted to ECIR 2008 (reconstructed) (120 sessions)"


def test_a_click_takes_a_fit_and_pages_say_from_which_study_until_it_is_moved() -> None:
    app = screen.opened("fit")
    uploads.pressed(app, TAKE)  # sRBP is the nearest
    assert app.query_params["measures"] == "srbp"
    assert "also sRBP (b = " in screen.definition_in_force(app)
    before = screen.lines_of(app, "Examined results.")
    app.main.selectbox(key="model").set_value("sdcg_kanoulas2011").run()
    assert NOTED not in screen.definition_in_force(app)
    uploads.pressed(app, TAKE)
    assert not app.exception
    taken = {"b": "3.55", "bq": "1.29", "discount": "kanoulas2011", "model": "sdcg_kanoulas2011"}
    assert {name: app.query_params[name] for name in taken} == taken
    assert "discount by rank 1/log_3.55(r + 2.55)" in screen.definition_in_force(app)
    assert NOTED in screen.definition_in_force(app)
    assert app.main.button(key="take_fit").disabled
    now = screen.lines_of(app, "Examined results.")
    assert now["examined"] == before["examined"]
    assert now["current definition"][:9] == pytest.approx(now["sDCG kanoulas2011"][:9], rel=0.02)
    link = {name: app.query_params[name] for name in ("b", "bq", "discount", "fitted_to")}
    elsewhere = screen.opened("session_curves", link)
    assert NOTED in screen.definition_in_force(elsewhere)
    for moved in (elsewhere, app):
        screen.slider_of(moved, "bq").set_value(5.0).run()
        assert NOTED not in screen.definition_in_force(moved)
        assert "fitted_to" not in moved.query_params


FURTHER = ("rbp", "srbp", "inst", "err", "esndcg")
PARAMETERS = ("p", "srbp_b", "inst_t", "err_rule", "p_reform", "p_down")
ASKED = [word for name in FURTHER for word in ("--measure", name)]
# each field off its default, and what the link and the command line call it
CHANGED: dict[str, Any] = {
    "weights": ((0.0, 0.0), (1.0, 2.0), (2.0, 10.0), (3.0, 100.0)),
    **{"b": 3.0, "bq": 8.0, "top": 2, "discount": "kanoulas2011", "repeats": "first"},
    **{"ideal": "spread", "short_lists": "observed", "unjudged": "condense"},
    **{"after_stop": "ideal-continues", "average": "ratio-of-means", "others": "per-session"},
    **{"grades": "searcher", "read_seconds": 5, "last_click": "as-read", "measures": FURTHER},
    **{"p": 0.8, "srbp_b": 0.5, "inst_t": 3.0, "err_rule": "ntcir", "p_reform": 0.5},
    "p_down": 0.5,
}
IN_LINK: dict[str, screen.Params] = {
    "weights": {"w1": "2"},
    "short_lists": {"short": "observed"},
    "measures": {"measures": [*FURTHER]},
}
BY_COMMAND = {"weights": ["--weights", "0=0,1=2,2=10,3=100"], "measures": ASKED}
CLICKS = ["--grades", "behaviour"]
LABELS = (0.0, 1.0, 2.0, 3.0)
NAMES = tuple(field.name for field in fields(Definition) if field.name != "fitted_to")
# a study on which every choice shows: repeats, unjudged results, clicks, own grades, three lengths
LOG = """session,system,searcher,topic,query_number,rank,doc,clicked,grade,dwell
s1,A,p1,t,1,1,a,1,1,9
s1,A,p1,t,1,2,x,0,,
s1,A,p1,t,1,3,b,0,2,
s1,A,p1,t,2,1,a,1,3,40
s1,A,p1,t,2,2,c,0,,
s1,A,p1,t,3,1,d,1,0,2
s2,A,p2,t,1,1,x,0,,
s2,A,p2,t,1,2,d,1,3,3
s2,A,p2,t,2,1,d,1,1,1
s3,B,p1,u,1,1,e,1,2,4
s3,B,p1,u,1,3,f,0,,
s3,B,p1,u,2,1,e,0,1,
"""
JUDGMENTS = "topic,doc,grade\nt,a,3\nt,b,2\nt,c,1\nt,d,1\nt,g,0\nu,e,1\nu,f,2\n"


def asked_as(name: str) -> list[str]:
    """The options of the command that change a field."""
    value = CHANGED[name]
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return BY_COMMAND.get(name, [f"--{name.replace('_', '-')}", text])


def in_link(name: str) -> screen.Params:
    value = CHANGED[name]
    return IN_LINK.get(name, {name: f"{value:g}" if isinstance(value, float) else str(value)})


def changed(*names: str) -> Definition:
    asked = {"measures": FURTHER} if {*names} & {*PARAMETERS} else {}
    asked |= {"grades": "behaviour"} if {*names} <= {*OF_BEHAVIOUR} else {}
    return replace(DEFAULT, **asked, **{n: CHANGED[n] for n in names if n not in asked})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    both = written(tmp_path_factory.mktemp("study"), log_csv=LOG, judgments_csv=JUDGMENTS)
    return [str(path) for path in both.values()]


def tables(files: list[str], folder: Path, *options: str) -> dict[str, str]:
    """What `sdcg score` writes under these options."""
    assert sdcg.main(["score", *files, "--out", str(folder), *options]) == 0
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def test_each_choice_changes_a_number_is_named_and_comes_back_from_toml(
    files: list[str], tmp_path: Path
) -> None:
    assert tuple(CHANGED) == NAMES, "add a field to CHANGED in tests/app/test_definition.py"
    before = {
        " ".join(how): tables(files, tmp_path / f"before{i}", *how)
        for i, how in enumerate(([], ASKED, CLICKS))
    }
    for name in NAMES:
        assert CHANGED[name] != getattr(DEFAULT, name)
        more = ASKED if name in PARAMETERS else CLICKS if name in OF_BEHAVIOUR else []
        plain, now = before[" ".join(more)], tables(files, tmp_path / name, *asked_as(name), *more)
        assert [t for t in plain if t.endswith(".csv") and now[t] != plain[t]], (
            f"{name} is not computed"
        )
        of, back = changed(name), replace(changed(name), **{name: getattr(DEFAULT, name)})
        words = say_definition(of, LABELS)
        clauses = say_definition(back, LABELS).removeprefix(back.preset_text)
        place = f"{name} needs a clause: sdcg_explorer/scoring/definition.py"
        assert words.removeprefix(of.preset_text) != clauses, place
        of_sdcg = [] if name in (*PARAMETERS, "measures") else [name.replace("_", " ")]
        assert of.changed_fields(back) == of_sdcg, (
            "PARAMETERS in sdcg_explorer/scoring/definition.py"
        )
        assert clause(of, LABELS)  # of captions
        assert changes_text(of)
        assert words in now["methods.txt"]
        assert from_toml(now["definition.toml"])[0].named(LABELS) == changed(name)
        assert from_toml(to_toml(changed(name), Filters())) == (changed(name), Filters())
    file = tmp_path / "definition.toml"
    file.write_text(to_toml(changed(*NAMES), Filters()), encoding="utf-8")
    by_file = tables(files, tmp_path / "file", "--definition", str(file))
    options = [word for name in NAMES for word in asked_as(name)]
    assert by_file == tables(files, tmp_path / "options", *options)


def test_choices_come_back_from_a_link(files: list[str], folder: Path) -> None:
    study = uploads.link_to(read_study(*map(Path, files)))
    for names in (tuple(name for name in NAMES if name not in OF_BEHAVIOUR), OF_BEHAVIOUR):
        link = {key: value for name in names for key, value in in_link(name).items()}
        link |= {"grades": "behaviour"} if names == OF_BEHAVIOUR else {}
        app = screen.opened("session_curves", study | link)
        place = "a choice is not in the panel: sdcg_explorer/screen/sidebar.py"
        assert screen.definition_in_force(app) == say_definition(changed(*names), LABELS), place
        assert {key: app.query_params[key] for key in link} == link
        assert asdict(app.session_state["opened"].definition) == asdict(changed(*names))


def test_where_gains_are_clicks_the_ideal_is_of_the_session_s_own_lists() -> None:
    app = screen.opened("overview", {"grades": "behaviour"})
    shown = [screen.without_escapes(each.value) for each in app.sidebar.markdown]
    assert any("Each query returns the session's own best list." in each for each in shown)
