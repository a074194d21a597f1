"""How is the number made?"""

from functools import partial

import streamlit as st

from analysis.by_hand import ByHand, by_hand, in_force
from analysis.definition.definition import Filters
from analysis.examples.checks import DIFFERS, SLIP, Check, literature_table
from analysis.examples.examples import Example
from analysis.examples.literature import literature
from analysis.examples.ready_examples import EXAMPLES
from analysis.live import live_each_session
from export.exhibits import Exhibit
from figures.by_hand import draw_by_hand
from pages.parts import keys
from pages.parts.comparable import pinned, show_keeping
from pages.parts.definition_panel import take_definition
from pages.parts.example_editor import edit, forget_edits
from pages.parts.live import follow
from pages.parts.opened import Opened
from pages.parts.show import (
    markdown_safe,
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_small,
    show_table,
)
from pages.parts.take_away import take_away
from study.problems import UnusableInputError

RED = "background-color: #b3261e; color: #ffffff"


def choose(opened: Opened) -> tuple[str, Example, float | None]:
    """An example, what its searcher expects to find, and the way to its source's definition."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox("Example", list(EXAMPLES), key=keys.EXAMPLE, bind="query-params")
        expected = st.number_input(
            "Relevant documents expected",
            1,
            None,
            None,
            placeholder="all there are",
            key=keys.EXPECTED,
            bind="query-params",
        )
        labels, own = opened.study.labels, EXAMPLES[key].definition
        if in_force(opened.definition, EXAMPLES[key], labels) != own:
            words = f"Count as its source does: {own.preset}"
            st.button(markdown_safe(words), on_click=take_definition, args=(own, labels))
    show_small(EXAMPLES[key].name, EXAMPLES[key].about)
    return key, EXAMPLES[key], expected


def show_steps(session: ByHand) -> None:
    """The formulas with their numbers, and what each query and rank adds up to."""
    st.subheader("With the numbers put in")
    for line in session.formulas:
        st.latex(line)
    st.subheader("Query by query")
    show_table(session.queries, "What each query adds")
    st.subheader("Other measures of each query")
    show_table(session.others, "Other measures of each query")
    st.subheader("Averages over the queries, rank by rank")
    show_table(session.averages, "Averages over the queries, rank by rank")


def show_literature(checks: list[Check]) -> None:
    """Every known number beside ours; one that differs is red."""
    st.subheader("Literature check")
    wrong = sum(check.verdict == DIFFERS for check in checks)
    if wrong:
        st.error(f"{wrong} of {len(checks)} lines differ from ours.")
    else:
        printed = sum(not check.worked for check in checks)
        st.markdown(
            f"All {len(checks)} lines are ours, known slips of the print aside: {printed} are "
            "printed, the others worked by hand or by the source's own program."
        )
    table = literature_table(checks)
    if wrong:
        table = table.style.apply(
            lambda row: [RED if row["verdict"] == DIFFERS else ""] * len(row), axis=1
        )
    st.dataframe(table, hide_index=True, alt="Literature check")


def show_session(opened: Opened, session: ByHand, beside: ByHand | None) -> Exhibit:
    """Show the steps, the curve growing, and what stands beneath."""
    own = Opened(session.study.digest, session.definition, Filters(), session.study)
    figure = None
    if session.vector.size:
        show_table(session.steps, "Every step, cell by cell", height=280, grade=85)
        draw = partial(draw_by_hand, session, beside=beside)
        figure = pinned(draw, keys.BY_HAND, own)
        follow(figure, keys.BY_HAND, own, live_each_session, ideal=True)
        show_figure(figure, f"By hand. {session.answer()}", keys.BY_HAND)
        show_keeping(keys.BY_HAND, opened)
    show_beneath(own, session.behind(), session.advice())
    show_steps(session)
    return Exhibit("Every step, cell by cell", session.steps, figure)


def show_printed(checks: list[Check]) -> None:
    """Show what the example's source prints, value by value."""
    for check in checks:
        if len(check.given) > 3:
            words = f"{markdown_safe(check.source)}: {markdown_safe(check.what)}, value by value"
            with st.expander(words, expanded=check.verdict == SLIP):
                show_table(check.by_rank(), f"{check.what}, value by value")
                if check.remark:
                    st.markdown(f":small[{markdown_safe(check.remark)}]")


def view(opened: Opened) -> None:
    """Answer, steps, the curve growing, and the check against the literature."""
    answer = st.container()
    key, ready, expected = choose(opened)
    example = edit(key, ready)
    if example != ready:
        st.button("Back to the example as it came", on_click=forget_edits, args=(key,))
    labels, kept = opened.study.labels, opened.kept
    definition = in_force(opened.definition, ready, labels)
    checks = st.session_state.get(keys.LITERATURE) or literature()
    st.session_state[keys.LITERATURE] = checks  # once per visit: no slider moves it
    try:
        session = by_hand(example, definition, expected=expected)
        still = kept and in_force(kept, ready, labels)
        beside = by_hand(example, still, expected=expected) if still else None
    except UnusableInputError as refused:
        with answer:
            show_answer(None, f"No number yet: {refused.problems[0]}")
    else:
        with answer:
            show_answer(None, session.answer())
        exhibit = show_session(opened, session, beside)
        show_printed([check for check in checks if check.example == key])
        own = Opened(session.study.digest, session.definition, Filters(), session.study)
        take_away(own, "by_hand", lambda: {"by_hand": exhibit})
    show_literature(checks)


show_page("by_hand", view)
