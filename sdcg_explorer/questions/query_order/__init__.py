"""How much better is the last query than the others?"""

from functools import partial

from sdcg_explorer.questions.methods import not_drawn
from sdcg_explorer.questions.query_order import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, Exhibit, Live, View

RANKS = (1, 5, 10, 20)  # that a paper prints
WITHIN = "Last query − mean of the others, within sessions of several queries"
CURVES = "Curves at one rank"
PICTURE = (
    "Each line is a mean over queries, by rank: solid for last (or best) queries, dashed for the "
    "others."
)


def answer(
    view: View,
    *,
    focus: str = "",
    beside: View | None = None,
    bands: bool = True,
    drawn: numbers.CurveChoices = numbers.AS_IN_PAPER,
) -> Answer:
    """Figure 1, with intervals; `beside` are the same curves of a view that is kept."""
    order = view.ask(numbers.query_order, drawn=drawn, bands=bands)
    if not order.nonempty_curves:
        return Answer(words.headline(order))
    kept = beside.ask(numbers.query_order, drawn=drawn) if beside else None
    draw = partial(figure.draw_query_order, order, view.systems, focus=focus, beside=kept)
    live = Live(view, numbers.live_queries, {"drawn": drawn}, drawn.depth)
    alt, brief = f"Figure 1. {words.headline(order)}", partial(order.rows_at_ranks, RANKS)
    whose = f"{order.unit.partition(' (')[0]} of {order.curves[0].group} and other queries by rank"
    exhibit = Exhibit(whose, order.table, draw, alt=alt, live=live, brief=brief)
    tables = {CURVES: order.reading_rank_table()}
    if order.paired and order.paired.differences:
        tables = {f"{WITHIN}, top {order.paired.top}": order.paired.short_table(), **tables}
    lacking = not_drawn(view.definition.measures, numbers.MEASURES)
    behind, advice = words.figure_notes(order), [*words.cautions(order), *lacking]
    said, exhibits = words.headline(order), {"query_order": exhibit}
    methods = [words.method(order.paired) if order.paired else ""]
    return Answer(said, exhibits, behind=behind, advice=advice, tables=tables, methods=methods)


def card(view: View) -> Card:
    """Last queries and others, by rank."""
    order = view.ask(numbers.query_order)
    small = partial(figure.draw_query_order, order, view.systems, small=True)
    live = Live(view, numbers.live_queries, {"drawn": order.drawn}, order.drawn.depth)
    return Card(words.headline(order), small, live)
