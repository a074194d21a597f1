"""The tour: the strip above each page that asks, leads on and back, and puts each step in force.

A step is a link, and opens as one. Within a visit the widgets of the panel hold what they show
against what a link says, so that a step is put as a preset is; so are choices of a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.analysis.definition.file import to_short_toml
from sdcg_explorer.export.link import view_parameters
from sdcg_explorer.questions.catalogue import QUESTIONS, question_of
from sdcg_explorer.questions.tour import STEPS, Step, tour
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.definition_panel import put_definition
from sdcg_explorer.screen.link import in_link
from sdcg_explorer.screen.opened import Opened, page_file
from sdcg_explorer.screen.show import markdown_safe
from sdcg_explorer.study.study import Study

DOOR = "Take the tour: six steps, three minutes"
BARE = {keys.STUDY, keys.TOUR, *keys.NAMES, keys.MIN_QUERIES, keys.MAX_QUERIES}
STRIP, WAYS, ON = (f".st-key-{key}" for key in (keys.TOUR_STRIP, keys.TOUR_WAYS, keys.TOUR_ON))
LOOK = f"""<style>
{STRIP} {{ border-left: 4px solid #3b8fc4; padding-block: 0.75rem }}
{WAYS} a {{ background: none; border: 1px solid #8a8f98 }}
{ON} a {{ border: 2px solid #3b8fc4 }}
{WAYS} a * {{ font-weight: 400 }}
{ON} a * {{ font-weight: 600 }}
</style>"""


@dataclass(frozen=True)
class Before:
    """What was in force before the tour, of which study; it comes back at the end."""

    digest: str
    definition: Definition
    kept: Definition | None


def arrive(study: Study, digest: str) -> None:
    """Put the step that the link names in force; to be called before any widget is drawn.

    A link that was opened says itself what is in force, unless it names a step and no more.
    """
    state, known = st.session_state, st.session_state.get(keys.TOUR_AT)
    number = _asked() or (known[1] if known else 0)
    now = digest, number
    if not number or now == known:
        if number:
            in_link(keys.TOUR, [str(number)])  # of who turned to another page
        return
    opened: Opened | None = state.get(keys.OPENED)
    if known is None and opened is not None:
        state[keys.BEFORE_TOUR] = Before(opened.digest, opened.definition, opened.kept)
    if opened is not None or BARE.issuperset(st.query_params):
        filters = opened.filters if opened is not None and opened.digest == digest else Filters()
        _put(steps_of(Opened(digest, DEFAULT, filters))[number - 1], study)
    state[keys.TOUR_AT] = now
    st.query_params[keys.TOUR] = str(number)  # also tells the browser, which is on the same page


def steps_of(opened: Opened) -> tuple[Step, ...]:
    """The steps for the study and filters, which start from the definition of ECIR 2008."""
    return opened.under(DEFAULT).ask(tour)


def show_strip(page: str) -> None:
    """Show the step: its sentence, the ways on and back, and the way out."""
    room = st.container()  # there in any case, so that nothing beneath is mounted anew
    at = st.session_state.get(keys.TOUR_AT)
    if at is None:
        return
    opened: Opened = st.session_state[keys.OPENED]
    number, steps = at[1], steps_of(opened)
    step = steps[number - 1]
    with room, st.container(key=keys.TOUR_STRIP, border=True, gap="small"):
        st.html(LOOK)
        _show_words(number, step, page == step.page)
        with st.container(key=keys.TOUR_WAYS, horizontal=True, vertical_alignment="center"):
            if page != step.page:
                _way(opened, step, number, f"To step {number}")
            if number > 1:
                _way(opened, steps[number - 2], number - 1, "Back")
            if number < STEPS:
                with st.container(key=keys.TOUR_ON, width="content"):
                    title = steps[number].title or question_of(steps[number].page).title
                    _way(opened, steps[number], number + 1, f"Next: {title}")
            words = "Leave the tour" if number < STEPS else "End the tour"
            st.button(words, type="tertiary", on_click=_leave, args=(opened.study, opened.digest))


def _show_words(number: int, step: Step, is_here: bool) -> None:
    """The step's sentence, or where it is asked, and what becomes of one's own definition."""
    elsewhere = f"goes on at {question_of(step.page).title}; this page is not part of it."
    words = markdown_safe(step.words) if is_here else elsewhere
    st.markdown(f"**Tour, {number} of {STEPS}{'.' if is_here else ''}** {words}")
    before: Before | None = st.session_state.get(keys.BEFORE_TOUR)
    if before and before.definition != DEFAULT:
        own = markdown_safe(before.definition.preset)
        st.markdown(f":small[Steps start from ECIR 2008; yours ({own}) comes back as you leave.]")


def show_door(opened: Opened) -> None:
    """Show the way into the tour, where one is not on it."""
    if keys.TOUR_AT not in st.session_state:
        _way(opened, Step(QUESTIONS[0].name, ""), 1, DOOR, icon=":material/tour:")


def _way(opened: Opened, step: Step, number: int, words: str, icon: str = "") -> None:
    """The link to a step."""
    says = step_parameters(opened, step, number)
    look: Any = {"icon": icon or None, "width": "content"}
    st.page_link(page_file(step.page), label=words, query_params=says, **look)


def step_parameters(opened: Opened, step: Step, number: int) -> dict[str, list[str]]:
    """What a step's link says: study and filters as they are, and all that the step sets."""
    says: dict[str, list[str]] = {}
    for name, value in view_parameters(opened.study, step.definition, opened.filters):
        says.setdefault(name, []).append(value)
    if step.kept:
        says[keys.KEPT] = [to_short_toml(step.kept)]
    said = {name: "true" if value is True else str(value) for name, value in step.choices if value}
    says |= {name: [value] for name, value in said.items()}
    return {**says, keys.TOUR: [str(number)]}


def _asked() -> int:
    """The step that the link names; 0 for none, or for one that there is not."""
    said = st.query_params.get(keys.TOUR, "")
    return int(said) if said in map(str, range(1, STEPS + 1)) else 0


def _put(step: Step, study: Study) -> None:
    """Put a step's definition, kept curves and choices."""
    put_definition(step.definition, study.labels)
    st.session_state[keys.KEPT] = to_short_toml(step.kept) if step.kept else ""
    for name, value in step.choices:
        st.session_state[name] = value


def _leave(study: Study, digest: str) -> None:
    """End the tour; what was in force before it comes back."""
    del st.session_state[keys.TOUR_AT]
    in_link(keys.TOUR, [])
    before: Before | None = st.session_state.pop(keys.BEFORE_TOUR, None)
    if before and before.digest == digest:
        put_definition(before.definition, study.labels)
        st.session_state[keys.KEPT] = to_short_toml(before.kept) if before.kept else ""
