"""How much better is the last query than the others?"""

import streamlit as st

from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.query_order import PICTURE, answer, numbers
from sdcg_explorer.scoring.selection import FURTHER_CURVES
from sdcg_explorer.screen import controls, keys, link, show, take_away
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.study.grade_cube import DEPTH


def view(opened: Opened) -> None:
    """Answer, Figure 1, and what stands beneath."""
    with controls.toolbar() as above:
        split = link.one_of("Queries", ("last", "best"), keys.SPLIT, meaning("last query"))
        further = {*FURTHER_CURVES} - {*opened.definition.measures}
        known = {name: words for name, words in numbers.MEASURES.items() if name not in further}
        own, about = link.choice_by_words(keys.CURVE, known), meaning("sDCG", "nDCG")
        measure = st.segmented_control("Measure", **own, required=True, help=about)
        bands = link.toggle("95% intervals", keys.BANDS, meaning("interval"))
        more = controls.options()
    with more:
        depth = link.number("Depth (ranks)", 1, DEPTH, DEPTH, keys.DEPTH, width=140)
        several = link.toggle("Only sessions with several queries", keys.SEVERAL)
        no_place = measure in ("ndcg", "rbp")  # which know no D(q)
        before = link.toggle("Without the query discount", keys.UNDISCOUNTED, disabled=no_place)
        focus = controls.choose_focus(opened)
    drawn = numbers.CurveChoices(depth, (split,), several, not before, measure)
    kept = opened.with_definition(opened.kept) if opened.kept else None
    shown = answer(opened, focus=focus, beside=kept, bands=bands, drawn=drawn)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    exhibit, look = shown.exhibits["query_order"], {"bands": bands, "drawn": drawn}
    figure = controls.show_curves(opened, exhibit, keys.FIGURE_1, **look)
    controls.show_keeping(keys.FIGURE_1, opened)
    for caption, table in shown.tables.items():
        st.subheader(caption)
        show.table(table, caption)
    show.beneath(opened, shown.behind, shown.advice, picture=PICTURE)
    take_away.offer(opened, "query_order", lambda: {"query_order": figure}, methods=shown.methods)


show.run_page("query_order", view)
