"""Does the answer hold?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.questions.robustness import words
from sdcg_explorer.questions.robustness.figure import (
    draw_all_definitions,
    draw_order,
    draw_robustness,
)
from sdcg_explorer.questions.robustness.numbers import (
    MOST_UNDER_ALL,
    AllDefinitions,
    Robustness,
    all_definitions,
    is_quick,
    present,
    robustness,
    unvaried,
)
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, View
from sdcg_explorer.questions.wording import FILTERS, fitting, no_score
from sdcg_explorer.scoring.measures import USUAL
from sdcg_explorer.study.wording import capital

ON_ITS_PAGE = "Robustness compares all reasonable definitions."
ASK_FOR_ALL = (
    f"With more than {MOST_UNDER_ALL:,} sessions, comparing all reasonable definitions takes a "
    "while: open them on the page, or run sdcg robustness --all-definitions."
)
Systems = tuple[str, str]


def answer(view: View) -> Answer:
    """The default score over b and bq, and of two systems under all reasonable definitions."""
    seen = over_bases(view, USUAL, clearest_pair(view, USUAL))
    if seen.pair is None or not seen.is_known:
        return answer_over_bases(view, seen)
    if not view.ask(is_quick):
        return replace(answer_over_bases(view, seen), more=[ASK_FOR_ALL])
    return answer_over_bases(view, seen, under_all_definitions(view, seen))


def answer_over_bases(view: View, seen: Robustness, every: AllDefinitions | None = None) -> Answer:
    """The map, that of the order of sessions with one system, and all definitions if given."""
    if not seen.is_known:
        return Answer(words.answer(seen), advice=words.advice(seen))
    score, more, methods = capital(seen.words), list[str](), [words.method(seen)]
    draw, alt = partial(draw_robustness, seen, view.bases, view.systems), words.answer(seen)
    exhibits = {
        "robustness": Exhibit(f"{score} over b and bq", seen.table, draw, alt=f"Map. {alt}")
    }
    if seen.has_order:
        order = "Rank correlation of sessions with the definition in force"
        draw = partial(draw_order, seen, view.bases)
        exhibits["order_of_sessions"] = Exhibit(order, seen.table, draw)
    if every:
        under, said = (
            f"{score} under all reasonable definitions",
            words.all_definitions_answer(every),
        )
        draw, alt = partial(draw_all_definitions, every), f"All definitions. {said}"
        exhibits["all_definitions"] = Exhibit(under, every.table, draw, said, alt)
        more = words.all_definitions_sentences(every)
        methods.append(words.all_definitions_method(every))
    return Answer(
        words.answer(seen, every and every.lead),
        exhibits,
        measured=f"{seen.words}, in {seen.unit}",
        behind=words.behind(seen),
        advice=words.advice(seen),
        more=more,
        tables={words.MOVED: every.moved_table()} if every else {},
        methods=methods,
    )


def over_bases(view: View, score: str, pair: Systems | None) -> Robustness:
    """The map, which holds whatever b and bq are, but for the order of one system's sessions."""
    seen: Robustness = view.with_usual("b", "bq").ask(robustness, score=score, pair=pair)
    return view.ask(robustness, score=score) if seen.has_order else seen


def clearest_pair(view: View, score: str) -> Systems | None:
    """The clearest pair; None where there is none to choose."""
    if len(view.shown_systems) < 3:
        return None
    compared: Comparison = view.ask(compare_systems, score=score)
    return systems_of(compared, compared.clearest) if compared.pairs else None


def systems_of(compared: Comparison, place: int) -> Systems | None:
    """The systems of one of the pairs that are compared; None where there is no pair."""
    own = compared.pairs[place] if compared.pairs else None
    return (own.system_a, own.system_b) if own else None


def under_all_definitions(view: View, seen: Robustness) -> AllDefinitions | None:
    """The difference under all reasonable definitions, the one in force among them."""
    own, asked = view_of_all_definitions(view, seen)
    known: AllDefinitions | None = own.ask(all_definitions, **asked)
    return known.under(view.ask(present, **asked), view.definition) if known else None


def view_of_all_definitions(view: View, seen: Robustness) -> tuple[View, dict[str, Any]]:
    """What all definitions are asked of, whatever b, bq and all else that is varied are."""
    asked = {"score": seen.score, "pair": seen.systems}
    return view.under(unvaried(view.definition)), asked


def headline(view: View, seen: Robustness, elsewhere: str) -> str:
    """The page's first line; `elsewhere` says where the rest is, if it was not counted yet."""
    if seen.pair is None or not seen.is_known:
        return words.answer(seen)
    own, asked = view_of_all_definitions(view, seen)
    if not own.is_answered(all_definitions, **asked):
        return fitting(f"{words.answer(seen)} {elsewhere}", words.answer(seen))
    every: AllDefinitions | None = own.ask(all_definitions, **asked)
    return words.answer(seen, every and every.lead)


def card(view: View) -> Card:
    """Who is ahead over b and bq, and under all definitions where these were compared."""
    seen = over_bases(view, USUAL, clearest_pair(view, USUAL))
    return Card(headline(view, seen, ON_ITS_PAGE))


def result(
    view: View, *, score: str = USUAL, pair: Systems | None = None, with_all: bool = False
) -> CommandResult:
    """The difference over b and bq; under all reasonable definitions, too, if asked for.

    Raises
    ------
    ValueError : no such score or pair, or the filters leave no session
    """
    seen: Robustness = view.ask(robustness, score=score, pair=pair)
    if not any(seen.sessions):
        raise ValueError(no_score(seen, FILTERS))
    every = view.ask(all_definitions, score=score, pair=pair) if with_all else None
    text, methods = words.sentences(seen, every and every.lead), [words.method(seen)]
    found: dict[str, pd.DataFrame | str] = {"robustness.csv": seen.table()}
    if every:
        found["all_definitions.csv"] = every.table()
        methods.append(words.all_definitions_method(every))
    if with_all:
        lines = (
            [words.all_definitions_answer(every), *words.all_definitions_sentences(every)]
            if every
            else ["No two systems can be compared."]
        )
        text += "\n".join(["", "All reasonable definitions", *lines]) + "\n"
    return CommandResult(view, found | {"robustness.txt": text}, methods)
