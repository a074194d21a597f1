"""The definition panel: preset, sliders, and the fold with every choice."""

from __future__ import annotations

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.advice import out_of_order
from analysis.definition.choices import LEAST, OPTIONS
from analysis.definition.definition import (
    CHOICES,
    DEFAULT,
    PRESET_NAMES,
    PRESETS,
    SHORT_LISTS,
    Definition,
)
from analysis.live import BASES, STEP
from pages.parts import keys
from pages.parts.live import watch
from pages.parts.show import markdown_safe
from study.grades import label
from study.study import Study


def put_definition(definition: Definition, labels: tuple[float, ...]) -> None:
    """Set the sidebar's widgets to a definition; `labels` are the open study's grades."""
    for name in CHOICES:
        st.session_state[name] = getattr(definition, name)
    st.session_state[keys.TOP] = definition.top
    for key in keys.BASES:
        base = getattr(definition, key)
        st.session_state[keys.off(key)] = math.isinf(base)
        st.session_state[key] = getattr(DEFAULT, key) if math.isinf(base) else float(base)
    short = definition.short_lists
    st.session_state[keys.SHORT_LISTS] = short if short in SHORT_LISTS else LEAST
    for grade, gain in zip(labels, definition.gains(labels), strict=True):
        st.session_state[keys.gain(label(grade))] = float(gain)


def take_preset(labels: tuple[float, ...], name: str | None = None) -> None:
    """The preset named, or chosen, sets the widgets' values."""
    if name := name or st.session_state[keys.PRESET]:
        put_definition(PRESETS[name], labels)


def follow_slider(key: str) -> None:
    """The exact entry follows its slider."""
    st.session_state[key] = st.session_state[keys.slider(key)]


def slider(
    place: DeltaGenerator, key: str, words: str, ends: tuple[float, float], step: float
) -> None:
    """Draw a slider for the exact entry of the same key; beyond its ends it rests at the nearer."""
    low, high = ends
    st.session_state[keys.slider(key)] = min(max(st.session_state[key], low), high)
    with place:
        st.slider(
            words,
            low,
            high,
            step=step,
            format="%g",
            key=keys.slider(key),
            on_change=follow_slider,
            args=(key,),
            disabled=bool(st.session_state.get(keys.off(key))),
        )


def show_line(text: str) -> None:
    """Show a line of plain words in small print."""
    st.markdown(f":small[{markdown_safe(text)}]")


def exact(key: str, words: str, value: float, ends: tuple[float, float | None]) -> float:
    """Draw the exact entry of a number, which is the one in the URL."""
    return st.number_input(
        words, ends[0], ends[1], value, step=0.1, format="%g", key=key, bind="query-params"
    )


def exact_base(key: str, words: str, default: float) -> float:
    """Draw the exact entry of a base, and the switch that turns its discount off."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        base = exact(key, words, default, (1.001, 999.999))
        off = st.checkbox("off", key=keys.off(key), bind="query-params")
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
    top = st.number_input(
        "Top X: results that count", 1, 100, 10, key=keys.TOP, bind="query-params"
    )
    show_line(OPTIONS["bases"]["top"].line)
    with st.expander("More choices"):
        b = exact_base(keys.B, "b, exactly", DEFAULT.b)
        bq = exact_base(keys.BQ, "bq, exactly", DEFAULT.bq)
        gains = [
            exact(keys.gain(label(g)), f"Gain of grade {label(g)}", float(gain), (0.0, None))
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
        short = choose("short_lists", "Short lists", keys.SHORT_LISTS)
        least = 1
        if short == LEAST:
            least = st.number_input(
                "Cells, at least", 1, 100, 5, key=keys.CELLS, bind="query-params"
            )
    slider(sliders, keys.B, "b, rank: impatient … patient", BASES, STEP)
    slider(sliders, keys.BQ, "bq, query: impatient … patient", BASES, STEP)
    for grade, count in zip(labels, study.grade_counts, strict=True):
        words = f"Gain of grade {label(grade)} ({count:,} judgments)"
        high = 1000.0 if grade >= 4 else 100.0
        slider(sliders, keys.gain(label(grade)), words, (0.0, high), 1.0)
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
        watch(study, definition.discount)
        if said := out_of_order(definition, labels):
            show_line(said)
    return definition


def show_preset(definition: Definition, labels: tuple[float, ...]) -> None:
    """Draw the preset picker, which follows the definition, and what was changed from it."""
    exactly = [name for name, preset in PRESETS.items() if preset == definition]
    st.session_state[keys.PRESET] = exactly[0] if exactly else None
    st.selectbox(
        "Definition",
        list(PRESETS),
        format_func=lambda name: PRESET_NAMES[name],
        key=keys.PRESET,
        placeholder=definition.preset,
        on_change=take_preset,
        args=(labels,),
    )
    if not exactly:
        st.markdown(f":small[{markdown_safe(definition.preset)}]")
        name, _ = definition.nearest()
        back = f"Back to {markdown_safe(PRESET_NAMES[name])}"
        st.button(back, icon=":material/undo:", on_click=take_preset, args=(labels, name))
