"""The sidebar: the definition, by preset, sliders and a fold with every choice, and the filters.

The note that says to which study a definition was fitted is kept in the session, and in the link.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from sdcg_explorer.export.link import CELLS, definition_of, link_values
from sdcg_explorer.figures.style import system_mark
from sdcg_explorer.questions import advice, view
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.scoring import base_grid, live
from sdcg_explorer.scoring import definition as declared
from sdcg_explorer.scoring.definition import DEFAULT, FIELDS, PRESETS, Definition, Filters
from sdcg_explorer.screen import keys, link, scripts, show
from sdcg_explorer.screen.widget_values import clicks, sends
from sdcg_explorer.study import behaviour, grades
from sdcg_explorer.study.study import Study

# of a line in the fold: its pixels, those about a paragraph, and letters that it surely holds
LINE, ABOUT, LETTERS = 26, 16, 29
BEHAVIOUR = "behaviour"  # the preset, and whose grades it takes


def put_number(key: str, number: float) -> None:
    """Set the exact entry of a base or a gain; infinity turns a base's discount off."""
    if key in keys.BASES:
        st.session_state[keys.off(key)] = math.isinf(number)
    st.session_state[key] = getattr(DEFAULT, key) if math.isinf(number) else float(number)


def put_definition(definition: Definition, labels: tuple[float, ...]) -> None:
    """Set the sidebar's widgets to a definition; `labels` are grades of the open study's judges."""
    own = behaviour.BEHAVIOUR_GRADES if definition.grades == BEHAVIOUR else labels
    st.session_state.update(link_values(definition, own))


def chosen_grade_source() -> str:
    """Whose grades are asked for, before the panel is drawn."""
    return st.session_state.get(keys.GRADES) or st.query_params.get(keys.GRADES, DEFAULT.grades)


def as_graded(study: Study) -> Study:
    """The study with the grades that are asked for, as far as it has them.

    One without judgments opens with gains from clicks.
    """
    if declared.usual_definition(study).behaviour and chosen_grade_source() == DEFAULT.grades:
        put_definition(PRESETS[BEHAVIOUR], behaviour.BEHAVIOUR_GRADES)
    if chosen_grade_source() != BEHAVIOUR or not behaviour.is_logged(study.results):
        return study
    state = {**st.query_params, **st.session_state}
    last, asked = state.get(keys.LAST_CLICK, DEFAULT.last_click), PRESETS[BEHAVIOUR]
    with suppress(ValueError, OverflowError):  # of a link that was written by hand
        seconds = int(float(state.get(keys.READ_SECONDS, DEFAULT.read_seconds)))
        asked = replace(asked, read_seconds=seconds, last_click=last)
    return study.graded_by(asked.behaviour)


def apply_definition(definition: Definition, labels: tuple[float, ...]) -> None:
    """From a button, which may stand in a page's own part: put a definition, and draw all anew."""
    put_definition(definition, labels)
    st.rerun()


def show_map(exhibit: view.Exhibit, key: str, *, stretches: int = 0) -> None:
    """Show a map over b and bq; a click puts both bases, three digits of each, and draws anew."""

    def take() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points and points[0].get("customdata"):
            for name, base in zip(keys.BASES, points[0]["customdata"], strict=True):
                put_number(name, float(f"{base:.3g}"))
            st.rerun()

    exhibit = replace(exhibit)  # files have the mark where it is
    scripts.mark_by_script(exhibit.figure)
    with sends(clicks(lambda at: len(at) == 2 and {*at} <= {*base_grid.GRID})):
        show.exhibit(exhibit, key, take, stretches=stretches)


def follow_slider(exact: str, place: str, times: int) -> None:
    """From a widget's callback: the exact entry follows a slider.

    One that is gone from the page, or is where it was drawn, is only heard late: a browser tells
    of all its sliders when one is moved.
    """
    stood, now, own = st.session_state[keys.SLIDERS][place]
    value = st.session_state[keys.slider_key(place, times)]
    if times == now and value != stood:
        put_number(exact, value)
        st.session_state[keys.SLIDERS][place] = value, times, own
        st.session_state[keys.MOVED] = True
        if place == keys.at_hand(exact):
            st.rerun()  # it is in the page's own part: the panel would wait


def show_slider(slider: live.Slider, place: str) -> None:
    """Draw a slider for an exact entry.

    It is another one after the number was changed elsewhere: set from here, its thumb would be
    pulled back under a finger, and what it stood at before would be taken for a new wish. What it
    passes stays as long as it does.
    """
    sliders = st.session_state.setdefault(keys.SLIDERS, {})
    rest = scripts.in_force(slider.key)
    stood, times, own = sliders.get(place, (rest, 0, rest))
    if stood != rest:
        times, own = times + 1, rest
    sliders[place] = rest, times, own
    with st.container(key=keys.stand(place)):
        st.select_slider(
            slider.words,
            declared.with_own(slider.scale, own),
            rest,
            declared.slider_text,
            key=keys.slider_key(place, times),
            on_change=follow_slider,
            args=(slider.key, place, times),
            help=meaning(slider.key) if slider.key in keys.BASES else None,
        )


def show_at_hand() -> None:
    """Draw the sliders of both bases again, beneath a figure: on a phone the panel hides it."""
    with st.container(key="at_hand", gap=None):
        for slider in live.study_sliders(st.session_state[keys.OPENED].study)[: len(keys.BASES)]:
            show_slider(slider, keys.at_hand(slider.key))


def exact(key: str, words: str, value: float, ends: tuple[float, float]) -> None:
    """Draw the exact entry of a number, which is the one in the URL."""
    link.number(words, *ends, value, key, step=0.1, format="%g")


def show_option(name: str, option: declared.Choice) -> None:
    """Show the line of one of a choice's options; another one moves nothing beneath."""
    if chosen_grade_source() == BEHAVIOUR and declared.BY_SESSION[0] in option.words:
        option = declared.Choice(option.words.replace(*declared.BY_SESSION))  # which is ours
    longest = max(len(option.line) for option in FIELDS[name].options.values())
    room = f"<div style='height: {ABOUT + LINE * math.ceil(longest / LETTERS)}px'>"
    text = show.markdown_safe(option.line)
    st.markdown(f"{room}\n\n:small[{text}]\n\n</div>", unsafe_allow_html=True)


def offer_measures() -> None:
    """Draw the choice of further measures, and parameters of those that are asked for or shown."""
    asked = st.multiselect(
        "Further measures", [*declared.FURTHER], key=keys.MEASURES, **link.LINKED
    )
    show.small_line(
        "Adds these measures to the CSVs of scores. RBP and sRBP also have curves on Query order "
        "and Session curves."
    )
    shown = {*asked, declared.further_of(str(st.session_state.get(keys.SCORE) or ""))} & {
        *declared.FURTHER
    }
    needed = {name for measure in shown for name in declared.FURTHER[measure].parameters}
    for name, of in declared.PARAMETERS.items():
        if name in needed:
            words = f"{of.sign.removesuffix(' = ')}: {of.words}"
            link.number(words, of.least, of.most, getattr(DEFAULT, name), name, step=0.01)
    if keys.ERR_RULE in needed:
        link.pick(FIELDS[keys.ERR_RULE].words, declared.RULES, keys.ERR_RULE)


def choose_definition(study: Study) -> Definition:
    """Preset, sliders, top and the fold with exact entries; the URL holds the exact entries."""
    labels = study.labels
    preset, sliders = st.container(gap="xsmall", key="definition_said"), st.container()
    about = f"{meaning('top X')} {FIELDS['top'].line}"
    link.number(FIELDS["top"].words, 1, 100, DEFAULT.top, keys.TOP, help=about)
    with st.expander("More choices"):
        with st.container(key="exact"):
            for key in keys.BASES:
                with st.container(horizontal=True, vertical_alignment="bottom"):
                    exact(key, f"{key}, exactly", getattr(DEFAULT, key), declared.ENDS)
                    st.checkbox("off", key=keys.off(key), **link.LINKED)
                show.small_line(FIELDS[key].line)
            for grade, gain in zip(labels, DEFAULT.gains(labels), strict=True):
                words, key = f"Gain of grade {grades.short_label(grade)}", grades.label(grade)
                exact(keys.gain(key), words, float(gain), (0.0, declared.LARGEST_GAIN))
            scheme = st.container()
        left = () if chosen_grade_source() == BEHAVIOUR else declared.OF_BEHAVIOUR
        choices = (*declared.CHOICES, "short_lists")  # with a line of what is chosen
        for name in (name for name in choices if name not in left):
            of = FIELDS[name]
            chosen = link.pick(of.words, of.options, of.key or name, help=meaning(of.about))
            show_option(name, of.options[chosen])
        if st.session_state[keys.SHORT_LISTS] == declared.LEAST:
            link.number("Minimum length", 1, 100, CELLS, keys.CELLS)
        for name in (name for name in declared.NUMBERS if name not in left):
            of = FIELDS[name]
            link.number(of.words, of.least, of.most, getattr(DEFAULT, name), name)
            show.small_line(of.line)
        offer_measures()
    if keys.FITTED_TO not in st.session_state:
        noted = st.query_params.get(keys.FITTED_TO, "")
        st.session_state[keys.FITTED_TO] = noted[: declared.LONGEST_NOTE]
    definition = definition_of(st.session_state, labels)
    with preset:
        show_preset(definition, study.graded_by(None).labels)
    with scheme:
        show_option("weights", definition.option("weights"))
    with sliders:
        every = live.study_sliders(study)
        for slider in every[: len(keys.BASES)]:
            show_slider(slider, keys.slider(slider.key))
        with st.container(key="gains"):  # in two columns (page.css)
            for slider in every[len(keys.BASES) :]:
                show_slider(slider, keys.slider(slider.key))
    # the note, as long as nothing that it names was moved
    note = definition.fitted_to if declared.fit_in_force(definition) else ""
    st.session_state[keys.FITTED_TO] = note
    link.put_in_link(keys.FITTED_TO, [note] if note else [])
    return replace(definition, fitted_to=note)


def show_remarks(definition: Definition, study: Study) -> None:
    """Show what must be known of the definition in force: last, so that it moves no control."""
    with st.container(key="remarks"):
        if said := advice.gains_out_of_order(definition, study.labels):
            show.small_line(said)


def show_preset(definition: Definition, labels: tuple[float, ...]) -> None:
    """Draw the preset picker, which follows the definition, and what was changed from it."""
    names, lines = declared.PRESET_NAMES, declared.PRESET_LINES
    presets = "\n".join(f"- {names[name]}: {line}" for name, line in lines.items())

    def apply() -> None:
        if name := st.session_state[keys.PRESET]:
            put_definition(PRESETS[name], labels)

    exactly = [name for name, preset in PRESETS.items() if preset == definition]
    st.session_state[keys.PRESET] = exactly[0] if exactly else None
    st.selectbox(
        "Definition",
        list(PRESETS),
        format_func=names.__getitem__,
        key=keys.PRESET,
        placeholder=definition.preset_text,
        help=f"{meaning('definition')}\n\n{presets}",
        on_change=apply,
    )
    back = f"Back to {show.markdown_safe(names[name := definition.nearest_preset()[0]])}"
    put = {"on_click": apply_definition, "args": (PRESETS[name], labels), "type": "tertiary"}
    about = None if exactly else show.markdown_safe(definition.preset_text)
    st.button(back, icon=":material/undo:", disabled=bool(exactly), help=about, **put)


MANY, TALL = 6, 150  # systems whose pills are scrolled, and in how many pixels


def choose_filters(study: Study) -> Filters:
    """Systems, topics, searchers and numbers of queries to show."""
    block = study.block()
    names = block.system_names
    lacking(dict(zip(keys.NAMES, (names, study.topics, block.searcher_names), strict=True)), study)
    with st.container(gap=None):
        st.markdown("#### Filters")
        with st.container(height=TALL if len(names) > MANY else "content", border=False):
            asked = st.session_state.get(keys.SYSTEMS, st.query_params.get_all(keys.SYSTEMS))
            chosen = st.session_state[keys.SYSTEMS] = [name for name in asked if name in names]
            with st.container(key="systems_shown" if chosen else "all_systems_shown"):
                systems = st.pills(
                    "Systems",
                    names,
                    selection_mode="multi",
                    format_func=lambda name: (
                        f"{system_mark(names, name)} {show.markdown_safe(name)}"
                    ),
                    key=keys.SYSTEMS,
                    help=f"{meaning('system')} Choose none to see all.",
                )
            link.put_in_link(keys.SYSTEMS, systems)
    with st.expander(_more_filters_label(), key="more_filters"):
        topics = several("Topics", keys.TOPICS, study.topics, meaning("topic"))
        known, about = block.searcher_names, meaning("searcher")
        searchers = several("Searchers", keys.SEARCHERS, known, about) if known else []
        if not known:
            show.small_line("The log names no searchers.")
        with st.container(horizontal=True):
            end = declared.MOST_FILTERED
            least = link.number("Queries per session: from", 1, end, 1, keys.MIN_QUERIES)
            most = link.number("to", 1, end, None, keys.MAX_QUERIES, placeholder="all")
    return Filters(tuple(systems), tuple(topics), tuple(searchers), least, most)


def _more_filters_label() -> str:
    """What the filters in the fold are called, and how many of them are in force."""
    usual = {keys.TOPICS: [], keys.SEARCHERS: [], keys.MIN_QUERIES: 1, keys.MAX_QUERIES: None}
    state, asked = st.session_state, st.query_params
    chosen = [state[k] != v if k in state else k in asked for k, v in usual.items()]
    return f"More filters ({sum(chosen)} active)" if any(chosen) else "More filters"


def several(words: str, key: str, names: Sequence[str], about: str) -> list[str]:
    """Names chosen from a list, none for all."""
    return st.multiselect(words, names, placeholder="all", key=key, help=about, **link.LINKED)


def lacking(known: dict[str, Sequence[str]], study: Study) -> None:
    """Note which names of a link's filters the study lacks; every page says so."""
    unknown = [
        f"{kind.removesuffix('s')} {name}"
        for kind, names in known.items()
        for name in st.query_params.get_all(kind)
        if name not in names
    ]
    if unknown:
        words = "The link filters by names that this study lacks; they are ignored"
        words = f"{words}: {', '.join(unknown)}."
        st.session_state[keys.LACKING] = {study.digest: words}
