"""What does asking again bring?"""

from functools import partial

from sdcg_explorer.questions.reformulations import figure, words
from sdcg_explorer.questions.reformulations.numbers import USUAL, reformulations
from sdcg_explorer.questions.view import Answer, Card, Exhibit, Exhibits, View

BY_SYSTEM = "Reformulations and best queries by system"


def answer(view: View, *, measure: str = USUAL, every: bool = False, focus: str = "") -> Answer:
    """Changes by step, by query number, and best queries by system; axes to `every` query."""
    steps = view.ask(reformulations, measure=measure)
    if not len(steps.shares):
        return Answer(words.headline(steps))
    own, length = (steps, view.systems), steps.end(every=every)
    by_query = Exhibits()
    for name in steps.measures_by_query:
        caption = f"{figure.axis_of_means(steps, name)}: mean by query number"
        draw = partial(figure.draw_by_query, *own, name, length=length, focus=focus)
        caption = caption.removeprefix("Mean ")
        by_query[f"{name}_by_query"] = Exhibit(caption, lambda: steps.by_query, draw)
    boxes = {
        place: partial(figure.draw_boxes, *own, place) if len(steps.rows_with_boxes(rows)) else None
        for place, rows in (("step", steps.changes), ("queries", steps.first))
    }
    caption = f"Reformulations that gained, kept or lost {steps.words}, by step"
    draw, said = partial(figure.draw_shares, *own, length=length), words.headline(steps)
    change, first = f"Change of {steps.words} by step", f"{steps.words} of the first query"
    by_length = "by session length"
    exhibits: Exhibits = {
        "reformulation_shares": Exhibit(caption, steps.shares, draw, alt=f"Reformulations. {said}"),
        "reformulations": Exhibit(change, steps.changes, boxes["step"], alt="Changes by step"),
        **by_query,
        "first_queries": Exhibit(
            f"{first}, {by_length}", steps.first, boxes["queries"], alt=f"First queries {by_length}"
        ),
    }
    behind, advice = words.figure_notes(steps, every=every), words.cautions(steps)
    return Answer(said, exhibits, behind=behind, advice=advice, tables={BY_SYSTEM: steps.table()})


def card(view: View) -> Card:
    """Relevant documents found, query by query."""
    steps = view.ask(reformulations)
    small = partial(figure.draw_by_query, steps, view.systems, "found", small=True)
    return Card(words.headline(steps), small if len(steps.by_query) else None)
