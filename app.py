"""The frame: the pages, and the sidebar with the study, the definition and the filters."""

import gc
import math
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.advice import out_of_order
from analysis.choices import LEAST, OPTIONS
from analysis.definition import (
    DEFAULT,
    PRESET_NAMES,
    PRESETS,
    Definition,
)
from pages import Opened, plain, put_definition
from pages.filtering import choose_filters
from pages.kept import listed, open_study, study_of, wanted_study
from pages.link import copy_link, in_link
from pages.not_here import show_not_here
from study.checks import UnusableInputError
from study.counts import label
from study.study import Study

ICON = Path(__file__).parent / "docs" / "icon.svg"
SLIDER = (1.1, 10.0)


@st.cache_resource(show_spinner=False)
def freeze() -> None:
    """Take what is imported out of the garbage collector's rounds, once per server."""
    gc.collect()
    gc.freeze()


def study_asked() -> tuple[str, Study | None, str]:
    """What the link asks for, its study, and why one that is kept can't be read.

    None stands for a study that is not here.
    """
    known = listed()
    if "study_wanted" not in st.session_state:
        st.session_state["study_wanted"] = wanted_study() or next(iter(known))
    wanted = st.session_state["study_wanted"]
    try:
        return wanted, study_of(wanted) if wanted in known else None, ""
    except UnusableInputError as refused:
        return wanted, None, f"{known[wanted]}: {refused.problems[0].sentence()}"


def pick_study(digest: str | None) -> None:
    """Draw the study picker; another study is opened by it."""
    known = listed()
    st.session_state["study_picked"] = digest
    st.selectbox(
        "Study",
        list(known),
        0 if digest else None,
        format_func=lambda digest: known.get(str(digest), "…"),
        key="study_picked",
        placeholder="not here",
        on_change=lambda: open_study(st.session_state["study_picked"]),
    )


def choose_study(wanted: str) -> None:
    """Study picker; its digest always stands in the URL, so that a link names its study."""
    st.session_state.pop("view", None)
    pick_study(wanted)
    in_link("study", [wanted])
    st.page_link("pages/data.py", label="Data: upload, report, rename", icon=":material/upload:")
    copy_link()


def take_preset(labels: tuple[float, ...], name: str | None = None) -> None:
    """The preset named, or chosen, sets the widgets' values."""
    if name := name or st.session_state["preset"]:
        put_definition(PRESETS[name], labels)


def follow_slider(key: str) -> None:
    """The exact entry follows its slider."""
    st.session_state[key] = st.session_state[f"{key}_slider"]


def slider(
    place: DeltaGenerator, key: str, words: str, ends: tuple[float, float], step: float
) -> None:
    """Draw a slider for the exact entry of the same key; beyond its ends it rests at the nearer."""
    low, high = ends
    st.session_state[f"{key}_slider"] = min(max(st.session_state[key], low), high)
    with place:
        st.slider(
            words,
            low,
            high,
            step=step,
            format="%g",
            key=f"{key}_slider",
            on_change=follow_slider,
            args=(key,),
            disabled=bool(st.session_state.get(f"{key}_off")),
        )


def exact(key: str, words: str, value: float, ends: tuple[float, float | None]) -> float:
    """Draw the exact entry of a number, which is the one in the URL."""
    return st.number_input(
        words, ends[0], ends[1], value, step=0.1, format="%g", key=key, bind="query-params"
    )


def show_line(text: str) -> None:
    """Show a line of plain words in small print."""
    st.markdown(f":small[{plain(text)}]")


def exact_base(key: str, words: str, default: float) -> float:
    """Draw the exact entry of a base, and the switch that turns its discount off."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        base = exact(key, words, default, (1.001, 999.999))
        off = st.checkbox("off", key=f"{key}_off", bind="query-params")
    show_line(OPTIONS["bases"][key].line)
    return math.inf if off else base


def choose(name: str, words: str, key: str = "") -> str:
    """Draw one of the definition's choices between words, with a line of what is chosen."""
    options = OPTIONS[name]
    chosen = st.selectbox(words, list(options), key=key or name, bind="query-params")
    show_line(options[chosen].line)
    return chosen


def choose_definition(study: Study) -> Definition:
    """Preset, sliders, top and the fold with exact entries; the URL holds the exact entries."""
    labels = study.labels
    preset, sliders = st.container(), st.container()
    top = st.number_input("Top X: results that count", 1, 100, 10, key="top", bind="query-params")
    show_line(OPTIONS["bases"]["top"].line)
    with st.expander("More choices"):
        b = exact_base("b", "b, exactly", DEFAULT.b)
        bq = exact_base("bq", "bq, exactly", DEFAULT.bq)
        gains = [
            exact(f"w{label(g)}", f"Gain of grade {label(g)}", float(gain), (0.0, None))
            for g, gain in zip(labels, DEFAULT.gains(labels), strict=True)
        ]
        scheme = st.container()
        chosen = {
            "discount": choose("discount", "Discount"),
            "repeats": choose("repeats", "Repeats"),
            "ideal": choose("ideal", "Ideal"),
            "unjudged": choose("unjudged", "Unjudged results"),
            "after_stop": choose("after_stop", "After the last query"),
            "average": choose("average", "Average of shares"),
            "others": choose("others", "Others, in Figure 1"),
            "grades": choose("grades", "Grades"),
        }
        short = choose("short_lists", "Short lists", "short")
        least = 1
        if short == LEAST:
            least = st.number_input("Cells, at least", 1, 100, 5, key="cells", bind="query-params")
    slider(sliders, "b", "b, rank: impatient … patient", SLIDER, 0.1)
    slider(sliders, "bq", "bq, query: impatient … patient", SLIDER, 0.1)
    for grade, count in zip(labels, study.grade_counts, strict=True):
        words = f"Gain of grade {label(grade)} ({count:,} judgments)"
        high = 1000.0 if grade >= 4 else 100.0
        slider(sliders, f"w{label(grade)}", words, (0.0, high), 1.0)
    definition = Definition(
        weights=tuple(zip(labels, gains, strict=True)),
        b=b,
        bq=bq,
        top=top,
        short_lists=least if short == LEAST else short,
        **chosen,
    ).named(labels)
    with preset:
        show_preset(definition, labels)
    with scheme:
        show_line(definition.option("weights").line)
    with sliders:
        if said := out_of_order(definition, labels):
            show_line(said)
    return definition


def show_preset(definition: Definition, labels: tuple[float, ...]) -> None:
    """Draw the preset picker, which follows the definition, and what was changed from it."""
    exactly = [name for name, preset in PRESETS.items() if preset == definition]
    st.session_state["preset"] = exactly[0] if exactly else None
    st.selectbox(
        "Definition",
        list(PRESETS),
        format_func=lambda name: PRESET_NAMES[name],
        key="preset",
        placeholder=definition.preset,
        on_change=take_preset,
        args=(labels,),
    )
    if not exactly:
        st.markdown(f":small[{plain(definition.preset)}]")
        name, _ = definition.nearest()
        back = f"Back to {plain(PRESET_NAMES[name])}"
        st.button(back, icon=":material/undo:", on_click=take_preset, args=(labels, name))


freeze()
st.set_page_config("sDCG Explorer", page_icon=str(ICON), layout="wide")
wanted, study, damage = study_asked()
page = st.navigation(
    [
        st.Page("pages/overview.py", title="Overview", default=True),
        st.Page("pages/query_order.py", title="Query order", url_path="query_order"),
        st.Page("pages/session_curves.py", title="Session curves", url_path="session_curves"),
        st.Page(
            "pages/individual_sessions.py",
            title="Individual sessions",
            url_path="individual_sessions",
        ),
        st.Page("pages/reformulations.py", title="Reformulations", url_path="reformulations"),
        st.Page("pages/compare_systems.py", title="Compare systems", url_path="compare_systems"),
        st.Page("pages/side_by_side.py", title="Side by side", url_path="side_by_side"),
        st.Page("pages/by_hand.py", title="By hand", url_path="by_hand"),
        st.Page("pages/data.py", title="Data", url_path="data"),
    ],
    position="top" if study else "hidden",
)
if st.session_state.pop("just_kept", False):
    st.switch_page("pages/overview.py", query_params={})  # bound ones can't be cleared or given
with st.sidebar:
    if study is None:
        pick_study(None)
    else:
        choose_study(wanted)
        definition = choose_definition(study)
        st.divider()
        filters = choose_filters(study)
        st.session_state["opened"] = Opened(wanted, definition, filters)
if study is None:
    show_not_here(wanted, damage)
else:
    page.run()
