"""What is in this study?"""

from typing import Any

import streamlit as st

from analysis.design import design
from analysis.first_screen import RANK, Worth, sentences, worths
from analysis.individual_sessions import MOST_LINES, individual_sessions
from analysis.live import live_each_session, live_queries, live_sessions
from analysis.overview import Overview, overview
from analysis.query_curves import Drawn
from analysis.query_order import query_order
from analysis.session_curves import session_curves
from export.exhibits import of_overview
from figures.end_labels import sign_of
from figures.first_screen import Found
from figures.individual_sessions import draw_individual_sessions
from figures.overview import draw_judged_share, draw_overview
from figures.query_order import draw_query_order
from figures.session_curves import draw_session_curves
from pages.parts import keys
from pages.parts.live import follow
from pages.parts.opened import Opened, ask
from pages.parts.show import (
    markdown_safe,
    show_answer,
    show_beneath,
    show_figure,
    show_first_screen,
    show_page,
    show_picture,
    show_small,
    show_table,
)
from pages.parts.take_away import take_away
from pages.parts.tour import show_door as show_tour
from study.block import DEPTH

LAST, EACH = "Last query and others", "Individual sessions"
SHARE, GAIN = "Session curves, share of the ideal", "Session curves, raw gain"


def show_door(label: str, name: str, answer: str, figure: Any) -> None:
    """Show what a page answers, with one small figure, and the way to it."""
    with st.container(border=True):
        here = {key: st.query_params.get_all(key) for key in st.query_params}
        st.page_link(f"pages/{name}.py", label=label, query_params=here)
        st.markdown(f":small[{markdown_safe(answer)}]")
        show_picture(figure, f"Small figure: {label}", keys.door(label))


def show_doors(opened: Opened) -> None:
    """Show the small figures of the pages that follow."""
    signs = (f"{sign_of(opened.systems, name)} {name}" for name in opened.shown_systems)
    words = "In the first, solid are the last queries, dashed the others."
    show_small("In the pictures", f"{', '.join(signs)}. {words}")
    doors, systems = [*st.columns(2), *st.columns(2)], opened.systems
    order = ask(query_order, opened)
    small = draw_query_order(order, systems, small=True)
    whole = Drawn(DEPTH)
    follow(small, keys.door(LAST), opened, live_queries, DEPTH, split="last", drawn=whole)
    with doors[0]:
        show_door(LAST, "query_order", order.answer(), small)
    curves = ask(session_curves, opened)
    small = draw_session_curves(curves, systems, small=True)
    follow(small, keys.door(SHARE), opened, live_sessions, measure="normalised")
    with doors[1]:
        show_door(SHARE, "session_curves", curves.answer("normalised"), small)
    small = draw_session_curves(curves, systems, measure="raw", length=6, small=True)
    follow(small, keys.door(GAIN), opened, live_sessions, measure="raw")
    with doors[2]:
        show_door(GAIN, "session_curves", curves.answer("raw"), small)
    one_topic, first = opened.on_topic(opened.first_topic), opened.shown_systems[0]
    one = ask(individual_sessions, one_topic, system=first)
    small = draw_individual_sessions(one, systems, small=True)
    if len(one.names) <= MOST_LINES:
        follow(small, keys.door(EACH), one_topic, live_each_session, system=first)
    with doors[3]:
        show_door(EACH, "individual_sessions", one.answer(), small)


def show_meaning(opened: Opened) -> None:
    """Show what sDCG is, on one document found early and late, until it is closed."""
    if not st.toggle("What is sDCG?", value=True, key=keys.EXPLAINED, bind="query-params"):
        return
    early, late = worths(opened.definition, opened.study.labels)
    with st.container(border=True):
        words, bars = st.columns(2)
        with words:
            for line in sentences(opened.definition, early, late):
                st.markdown(markdown_safe(line))
        with bars:
            show_first_screen([found(early), found(late)])


def found(worth: Worth) -> Found:
    """A document that a session found at one of its queries, step by step."""
    return Found(
        f"Found by query {worth.query}, at rank {RANK}",
        (
            ("gain of its grade", worth.gain),
            ("after the rank discount", worth.by_rank),
            ("after the query discount", worth.by_query),
        ),
    )


def show_searchers(opened: Opened, seen: Overview) -> None:
    """Show who searched with what."""
    st.subheader("Who searched with what?")
    who = ask(design, opened)
    for line in (*who.sentences(), seen.repeated()):
        st.markdown(markdown_safe(line))
    if not who.is_balanced:
        show_table(who.crossed(), "Sessions of each system on each topic")
    if len(who.features):
        show_table(who.features, "Features of the searchers, mean and standard deviation")


def view(opened: Opened) -> None:
    """Answer, what sDCG is, what the other pages answer, and what is in the study."""
    seen, systems = ask(overview, opened), opened.systems
    show_answer(opened, seen.answer())
    if not seen.sessions:
        return
    show_tour(opened)
    show_meaning(opened)
    show_doors(opened)
    problems = [p.sentence() for p in opened.study.problems if p.severity == "warning"]
    show_beneath(opened, seen.behind(), problems)
    st.subheader("Sessions by their number of queries")
    show_figure(draw_overview(seen, systems), f"Table 2. {seen.answer()}", keys.TABLE_2)
    show_table(seen.table(), "Sessions per number of queries and system")
    show_searchers(opened, seen)
    show_table(seen.grades, "Grades: judgments, and results shown by each system")
    st.subheader("How much of what was shown is judged?")
    show_figure(draw_judged_share(seen, systems), "Judged share by rank", keys.JUDGED_SHARE)
    take_away(opened, "overview", lambda: of_overview(seen, systems))


show_page("overview", view, alone=False)  # its links hold the address as it is
