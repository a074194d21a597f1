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
    by_query = {
        f"{name}_by_query": Exhibit(
            f"{figure.axis_of_means(steps, name)}: mean by query number".removeprefix("Mean "),
            lambda: steps.by_query,
            partial(figure.draw_by_query, *own, name, length=length, focus=focus),
        )
        for name in steps.measures_by_query
    }
    boxes = {
        place: partial(figure.draw_boxes, *own, place) if len(steps.rows_with_boxes(rows)) else None
        for place, rows in (("step", steps.changes), ("queries", steps.first))
    }
    exhibits: Exhibits = {
        "reformulation_shares": Exhibit(
            f"Reformulations that gained, kept or lost {steps.words}, by step",
            lambda: steps.shares,
            partial(figure.draw_shares, *own, length=length),
            alt=f"Reformulations. {words.headline(steps)}",
        ),
        "reformulations": Exhibit(
            f"Change of {steps.words} by step",
            lambda: steps.changes,
            boxes["step"],
            alt="Changes by step",
        ),
        **by_query,
        "first_queries": Exhibit(
            f"{steps.words} of the first query, by session length",
            lambda: steps.first,
            boxes["queries"],
            alt="First queries by session length",
        ),
    }
    return Answer(
        words.headline(steps),
        exhibits,
        behind=words.figure_notes(steps, every=every),
        advice=words.cautions(steps),
        tables={BY_SYSTEM: steps.table()},
    )


def card(view: View) -> Card:
    """Relevant documents found, query by query."""
    steps = view.ask(reformulations)
    small = partial(figure.draw_by_query, steps, view.systems, "found", small=True)
    return Card(words.headline(steps), small if len(steps.by_query) else None)
