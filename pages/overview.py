"""What is in this study?"""

import streamlit as st

from analysis.design import design
from analysis.individual_sessions import individual_sessions
from analysis.overview import overview
from analysis.query_order import query_order
from analysis.session_curves import session_curves
from export.exhibits import of_overview
from figures.individual_sessions import draw_individual_sessions
from figures.overview import draw_judged_share, draw_overview
from figures.query_order import draw_query_order
from figures.session_curves import draw_session_curves
from pages.parts import keys
from pages.parts.opened import ask, open_page
from pages.parts.show import markdown_safe, show_answer, show_beneath, show_figure, show_table
from pages.parts.take_away import take_away

opened = open_page("overview")
seen = ask(overview, opened)
show_answer(opened, seen.answer())


def door(column: int, figure: object, name: str, label: str) -> None:
    """Show one small figure, and the way to its page."""
    with doors[column], st.container(border=True):
        here = {key: st.query_params.get_all(key) for key in st.query_params}
        st.page_link(f"pages/{name}.py", label=label, query_params=here)
        show_figure(figure, f"Small figure: {label}", keys.door(label))


if seen.sessions:
    systems = opened.systems
    show_figure(draw_overview(seen, systems), f"Table 2. {seen.answer()}", keys.TABLE_2)
    show_beneath(
        opened,
        seen.behind(),
        [p.sentence() for p in opened.study.problems if p.severity == "warning"],
    )
    show_table(seen.table(), "Sessions per number of queries and system")
    who = ask(design, opened)
    st.subheader("Who searched with what?")
    for said in (*who.sentences(), seen.repeated()):
        st.markdown(markdown_safe(said))
    if not who.is_balanced:
        show_table(who.crossed(), "Sessions of each system on each topic")
    if len(who.features):
        show_table(who.features, "Features of the searchers, mean and standard deviation")
    show_table(seen.grades, "Grades: judgments, and results shown by each system")
    doors = [*st.columns(2), *st.columns(2)]
    order = ask(query_order, opened)
    door(0, draw_query_order(order, systems, small=True), "query_order", "Last query and others")
    curves = ask(session_curves, opened)
    small = draw_session_curves(curves, systems, small=True)
    door(1, small, "session_curves", "Session curves, share of the ideal")
    small = draw_session_curves(curves, systems, measure="raw", length=6, small=True)
    door(2, small, "session_curves", "Session curves, raw gain")
    one_topic = opened.on_topic(opened.first_topic)
    one = ask(individual_sessions, one_topic, system=opened.shown_systems[0])
    small = draw_individual_sessions(one, systems, small=True)
    door(3, small, "individual_sessions", "Individual sessions")
    st.subheader("How much of what was shown is judged?")
    figure = draw_judged_share(seen, systems)
    show_figure(figure, "Judged share by rank", keys.JUDGED_SHARE)
    take_away(opened, "overview", lambda: of_overview(seen, systems))
