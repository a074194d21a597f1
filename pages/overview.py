"""What is in this study?"""

from typing import Any

import streamlit as st

from sdcg_explorer.export.link import view_parameters
from sdcg_explorer.figures.style import PALETTES
from sdcg_explorer.questions import catalogue, overview, wording
from sdcg_explorer.questions.overview import numbers, words
from sdcg_explorer.questions.overview.figure import draw_discount_example
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.scoring.definition import to_short_toml
from sdcg_explorer.screen import keys, link, scripts, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened, page_file


def show_sdcg_meaning(opened: Opened) -> bool:
    """Show what sDCG is, on one document found early and late, until it is closed."""
    with st.container(border=True):
        if is_open := link.toggle("What is sDCG?", keys.EXPLAINED, value=True):
            st.markdown(show.explained(words.WHAT), unsafe_allow_html=True)
            asked = opened.definition, opened.study.labels
            numbers_drawn = numbers.live_numbers(*asked)
            live = scripts.drawn_for(keys.MEANING, numbers.LIVE_COUNTS, numbers_drawn)
            light, dark = (palette[0] for palette in PALETTES)
            colour = f"light-dark({light}, {dark})"
            gains = numbers.example_gains(*asked)
            bars = draw_discount_example(gains, opened.bases, numbers.RANK, colour, live)
            with st.container(key=keys.MEANING):  # they follow the sliders
                st.markdown(bars, unsafe_allow_html=True)
    return is_open


FOLDS = {
    keys.BY_LENGTH: wording.LENGTHS,
    keys.WHO: "Who searched with what?",
    keys.GRADES_SHOWN: "Which grades were given?",
    keys.JUDGED_BY_RANK: "How many results are judged?",
}


def show_study_contents(opened: Opened, shown: Answer) -> None:
    """Show what is in the study, each part when its fold is open, which the link says."""
    lengths, judged = (shown.exhibits[name] for name in ("sessions_by_length", "judged_share"))
    for key, label in FOLDS.items():
        with (fold := st.expander(label, key=key, bind="query-params")):
            if fold.open and key == keys.BY_LENGTH:
                show.exhibit(lengths, "table_2")
                show.table(lengths.table, "Sessions per number of queries and system")
            elif fold.open and key == keys.WHO:
                who: numbers.Design = opened.ask(numbers.design)
                said = [words.repeats_sentence(opened.ask(numbers.overview))]
                said += [words.design_sentence(who), words.began_first(who)]
                said += words.spread_text(opened.ask(numbers.repeat_spread))
                show.lines(filter(None, said))
                if not who.is_balanced:
                    show.table(who.crossed(), overview.CROSSED, ours=False)
                if len(who.features):
                    show.table(who.features, overview.FEATURES)
            elif fold.open and key == keys.GRADES_SHOWN:
                seen = opened.ask(numbers.overview)
                show.table(seen.grades, overview.grades_caption(seen))
            elif fold.open:
                show.exhibit(judged, "judged_share")


def show_suggested_views(opened: Opened) -> None:
    """Show links to views that are a good start: of each the page, and what is in force there."""
    kept = {keys.KEPT: [to_short_toml(opened.definition)], keys.SEE: ["1"]}
    with st.container(horizontal=True, key="leads"):
        for lead in overview.suggested_views(opened):
            says = dict[str, list[str]]()
            for name, value in view_parameters(opened.study, lead.definition, opened.filters):
                says.setdefault(name, []).append(value)
            says |= {name: [value] for name, value in lead.choices.items()}
            says |= kept if lead.definition != opened.definition else {keys.SEE: ["1"]}
            st.page_link(page_file(lead.page), label=lead.words, query_params=says)


ACROSS = 3  # cards


def show_link(name: str, opened: Opened) -> None:
    """Show the way to a page, which is what it asks."""
    with st.container(key=f"way_to_{name}"):
        show.way(name, f"**{catalogue.question_of(name).words}**", {})


def show_question_cards(opened: Opened) -> None:
    """Show a card of each page; those that draw the study have its answer and a figure."""
    words = (
        "Last queries: solid; others: dashed. In Reformulations, each line shows the mean number "
        "of relevant documents found, by query number."
    )
    show.small("How to read them", f"{show.system_signs(opened)}. {words}")
    carded = [(question, question.card) for question in catalogue.QUESTIONS if question.card]
    places = [column for _ in range(0, len(carded) + 1, ACROSS) for column in st.columns(ACROSS)]
    look: Any = {"border": True, "height": "stretch", "vertical_alignment": "distribute"}
    for place, (question, answer) in zip(places, carded, strict=False):
        with place.container(**look):
            with st.container(gap="small"):
                show_link(question.name, opened)
                card = answer(opened)
                show.paragraphs([show.in_small(opened.shorten_names(card.headline))])
            if card.draw is None:
                continue
            key, figure = f"door_{question.name}", card.draw()
            if card.live:
                scripts.follow(figure, key, card.live)
            alt = f"Small figure: {question.title}"
            st.plotly_chart(figure, key=key, alt=alt, config={"staticPlot": True})
    for name in ("by_hand", "data"):
        with places[len(carded)].container(border=True):
            show_link(name, opened)


def view(opened: Opened) -> None:
    """Answer, what sDCG is, what the other pages answer, and what is in the study."""
    shown = overview.counts_answer(opened)
    if gone := words.GONE.get(st.query_params.get(keys.GONE, "")):
        st.info(gone)
    show.answer(opened, shown.headline)
    name = show.markdown_safe(opened.study.name)
    if opened.study.note:  # that of a sample says that it is invented
        show.small(name, opened.study.note)
    else:
        st.markdown(f":small[**{name}**]")
    if not shown.exhibits:
        return
    spelled = show_sdcg_meaning(opened)
    sidebar.show_at_hand()
    with st.container(key="door", width="content"):
        st.page_link(page_file("data"), label=scripts.BRING, icon=":material/upload_file:")
    show_suggested_views(opened)
    show_question_cards(opened)
    show.beneath(opened, shown.behind, shown.advice, spelled=not spelled)
    show_study_contents(opened, shown)
    take_away.offer(opened, "overview", lambda: shown.exhibits)


show.run_page("overview", view, alone=False)  # its links hold the address as it is
