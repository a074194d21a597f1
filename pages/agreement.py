"""Do scores agree with what the searchers said?"""

from dataclasses import replace
from typing import Any

import streamlit as st

from sdcg_explorer.analysis.definition.definition import DEFAULT
from sdcg_explorer.analysis.ratings.agreement import Agreement, Apart, agreement, coefficients
from sdcg_explorer.analysis.ratings.agreement_map import AgreementMap, agreement_map, present
from sdcg_explorer.analysis.ratings.ratings import NONE, USUAL, Asked, ratings_of
from sdcg_explorer.analysis.ratings.versions import VERSIONS
from sdcg_explorer.analysis.statistics.correlations import KINDS
from sdcg_explorer.figures.agreement import draw_agreement, draw_agreement_map
from sdcg_explorer.questions.exhibits import APART, of_agreement
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.definition_panel import show_at_hand
from sdcg_explorer.screen.inspecting import ALL
from sdcg_explorer.screen.opened import Opened, ask, page_file
from sdcg_explorer.screen.show import (
    markdown_safe,
    show_answer,
    show_beneath,
    show_figure,
    show_page,
    show_small,
    show_table,
)
from sdcg_explorer.screen.take_away import take_away

MEANT = "1 where both rise together, −1 where one falls as the other rises, 0 where neither tells"
MARKS = "; ".join(f"{name}: {words}" for name, words in VERSIONS.items())


def choose(opened: Opened) -> Asked:
    """The rating, the coefficient, and what the map is about."""
    known = ratings_of(opened.study)
    rating = st.selectbox("Rating", list(known), key=keys.RATING, bind="query-params")
    kinds: Any = {"options": list(KINDS), "default": "pearson", "required": True}
    kind = st.segmented_control("Coefficient", **kinds, key=keys.COEFFICIENT, bind="query-params")
    of = known[rating]
    names = list(of.scores)
    place = names.index(USUAL[of.of])
    score = st.selectbox("Score", names, place, key=keys.rated_score(of.of), bind="query-params")
    version = st.selectbox(
        "Version of the map", list(VERSIONS), key=keys.VERSION, bind="query-params", help=MARKS
    )
    words = "A low rating is good"
    low = st.toggle(words, key=keys.LOW_IS_GOOD, bind="query-params")
    return Asked(rating, score, kind, version, low)


def show_map(opened: Opened, asked: Asked) -> AgreementMap:
    """Show where over b × bq they would agree most; b and bq in force only mark their point."""
    usual = {"b": DEFAULT.b, "bq": DEFAULT.bq}
    grid = ask(agreement_map, opened.under(replace(opened.definition, **usual)), asked=asked)
    words = grid.said(ask(present, opened, asked=asked))
    st.subheader("Where would they agree most?")
    st.markdown(markdown_safe(words))
    if not grid.is_flat:
        at = opened.definition.b, opened.definition.bq
        show_figure(draw_agreement_map(grid, at), f"Map. {words}", keys.AGREEMENT_MAP)
    return grid


def show_apart(shown: Agreement) -> None:
    """Show where score and rating disagree most, each the way to its session."""
    st.subheader(APART)
    show_small(shown.score, "each opens its session; in brackets, the share that lies below")
    for column, is_high in zip(st.columns(2), (True, False), strict=True):
        with column:
            own = [each for each in shown.apart if each.is_high == is_high]
            words = "Scored high, rated low" if is_high else "Scored low, rated high"
            st.markdown(f"**{words}**" if own else f":small[{words}: none of the ten]")
            for each in own:
                show_door(each)


def show_door(each: Apart) -> None:
    """Show the way to one session, opened, under the definition and filters in force."""
    own = {keys.SYSTEM: each.system, keys.ONE_TOPIC: ALL, keys.SESSION: each.session}
    if each.query_number:
        own[keys.query("on_top")] = str(each.query_number)
    here = {key: st.query_params.get_all(key) for key in st.query_params}
    st.page_link(
        page_file("individual_sessions"),
        label=markdown_safe(each.said()),
        query_params={**here, **own},
    )


def view(opened: Opened) -> None:
    """Answer, every score beside the rating, the map, disagreements, and systems."""
    if not ratings_of(opened.study):
        show_answer(opened, NONE)
        return
    answer = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        asked = choose(opened)
    shown = ask(agreement, opened, asked=asked)
    with answer:
        show_answer(opened, shown.answer())
    if not shown.number:
        return
    show_small(shown.words, MEANT)
    show_figure(draw_agreement(shown), f"Agreement. {shown.answer()}", keys.AGREEMENT)
    show_at_hand()
    show_beneath(opened, shown.behind(), shown.advice())
    for pair in shown.systems:
        show_small("Systems", pair.said(shown.score))
    grid = show_map(opened, asked)
    show_apart(shown)
    show_table(shown.table(), "Coefficients of every score")
    show_small("Columns", MARKS)
    at = opened.definition.b, opened.definition.bq
    take_away(
        opened,
        "agreement",
        lambda: of_agreement(shown, ask(coefficients, opened, asked=asked), grid, at),
        methods=(shown.method(),),
    )


show_page("agreement", view, alone=False)  # its links hold the address as it is
