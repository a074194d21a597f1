"""Does the answer hold?"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

import pandas as pd

from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.questions.robustness import figure, numbers, words
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, View
from sdcg_explorer.questions.wording import FILTERS, in_unit, why_no_score
from sdcg_explorer.scoring.measures import USUAL
from sdcg_explorer.study.wording import capital

JUDGES = "Systems under each assessor"
AGREEMENT = "Agreement of assessors"
CONFUSION = "Grades of the two assessors who share the most documents"
ASK_FOR_ALL = (
    f"With more than {numbers.MOST_UNDER_ALL:,} sessions, comparing all reasonable definitions "
    "takes a while: open them on the page, or run sdcg robustness --all-definitions."
)


def answer(view: View) -> Answer:
    """The default score over b and bq, and of two systems under all reasonable definitions.

    And what the comparison comes to under each assessor, where there are several.
    """
    seen = bases_map(view, USUAL, chosen_pair(view, USUAL))
    if seen.pair is None or not seen.is_known:
        return robustness_answer(view, seen)
    if view.ask(numbers.has_few_sessions):
        found = robustness_answer(view, seen, under_all_definitions(view, seen))
    else:
        found = replace(robustness_answer(view, seen), more=[ASK_FOR_ALL])
    if (of := view.ask(numbers.compare_by_assessor, score=seen.score, pair=seen.pair)) is None:
        return found
    more = [*found.more, words.under_each_assessor(of)]
    return replace(found, more=more, tables=found.tables | tables_of(of))


def tables_of(of: numbers.Judges) -> dict[str, pd.DataFrame]:
    """Tables of each assessor and their agreement, by captions; none is empty."""
    tables = {JUDGES: of.rows, AGREEMENT: of.agreement, CONFUSION: of.confusion}
    return {caption: table for caption, table in tables.items() if len(table)}


def robustness_answer(
    view: View, seen: numbers.Robustness, every: numbers.AllDefinitions | None = None
) -> Answer:
    """The map, that of the order of sessions with one system, and all definitions if given."""
    if not seen.is_known:
        return Answer(words.headline(seen), advice=words.cautions(seen))
    score, more, methods = capital(seen.measure.words), list[str](), [words.method(seen)]
    draw = partial(figure.draw_robustness, seen, view.bases, view.systems)
    alt = words.headline(seen)
    caption = f"{score} over b and bq"
    exhibits = {"robustness": Exhibit(caption, seen.table, draw, alt=f"Map. {alt}")}
    if seen.has_session_order:
        order = "Rank correlation of sessions with the current definition"
        draw = partial(figure.draw_order, seen, view.bases)
        exhibits["order_of_sessions"] = Exhibit(order, seen.table, draw)
    if every:
        under = f"{score} under all reasonable definitions"
        said = words.all_definitions_headline(every)
        draw, alt = partial(figure.draw_all_definitions, every), f"All definitions. {said}"
        exhibits["all_definitions"] = Exhibit(under, every.table, draw, said, alt)
        more = words.all_definitions_sentences(every)
        methods.append(words.all_definitions_method(every))
    return Answer(
        words.headline(seen, every),
        exhibits,
        measured=in_unit(seen.measure.words, seen.unit),
        behind=words.map_notes(seen),
        advice=words.cautions(seen),
        more=more,
        tables={words.MOVED: every.choice_change_table()} if every else {},
        methods=methods,
    )


def bases_map(view: View, score: str, pair: numbers.Two) -> numbers.Robustness:
    """The map, which holds whatever b and bq are, but for the order of one system's sessions."""
    seen = view.with_default_fields("b", "bq").ask(numbers.robustness, score=score, pair=pair)
    return view.ask(numbers.robustness, score=score) if seen.has_session_order else seen


def chosen_pair(
    view: View, score: str, choose: Callable[[Comparison], int] = attrgetter("clearest_place")
) -> numbers.Two:
    """The pair that is chosen of several, the clearest unless said; None with no more than two."""
    if len(view.shown_systems) < 3:
        return None
    compared = view.ask(compare_systems, score=score)
    if not compared.pairs:
        return None
    own = compared.pairs[choose(compared)]
    return own.system_a, own.system_b


def under_all_definitions(view: View, seen: numbers.Robustness) -> numbers.AllDefinitions | None:
    """The difference under all reasonable definitions, the one in force among them."""
    own, asked = view_for_all_definitions(view, seen)
    known = own.ask(numbers.all_definitions, **asked)
    return known.under(view.ask(numbers.current, **asked), view.definition) if known else None


def view_for_all_definitions(view: View, seen: numbers.Robustness) -> tuple[View, dict[str, Any]]:
    """What all definitions are asked of, whatever b, bq and all else that is varied are."""
    asked = {"score": seen.score, "pair": seen.systems}
    return view.with_definition(numbers.unvaried_fields(view.definition)), asked


def headline(view: View, seen: numbers.Robustness) -> str:
    """The page's first line, with all definitions where these were compared before."""
    own, asked = view_for_all_definitions(view, seen)
    is_kept = own.is_answer_kept(numbers.all_definitions, **asked)
    if seen.pair is None or not seen.is_known or not is_kept:
        return words.headline(seen)
    return words.headline(seen, own.ask(numbers.all_definitions, **asked))


def card(view: View) -> Card:
    """Who is ahead over b and bq, and under all definitions where these were compared."""
    return Card(headline(view, bases_map(view, USUAL, chosen_pair(view, USUAL))))


def command_result(
    view: View, *, score: str = USUAL, pair: numbers.Two = None, with_all: bool = False
) -> CommandResult:
    """The difference over b and bq; under all reasonable definitions, too, if asked for.

    Raises
    ------
    ValueError : no such score or pair, or the filters leave no session
    """
    seen = view.ask(numbers.robustness, score=score, pair=pair)
    if not any(seen.sessions):
        raise ValueError(why_no_score(seen, FILTERS))
    every = view.ask(numbers.all_definitions, score=score, pair=pair) if with_all else None
    text, methods = words.robustness_text(seen, every), [words.method(seen)]
    found: dict[str, pd.DataFrame | str] = {"robustness.csv": seen.table()}
    lines = ["No two systems can be compared."]
    if every:
        found["all_definitions.csv"] = every.table()
        methods.append(words.all_definitions_method(every))
        lines = [words.all_definitions_headline(every), *words.all_definitions_sentences(every)]
    if with_all:
        text += "\n".join(["", "All reasonable definitions", *lines]) + "\n"
    if (of := view.ask(numbers.compare_by_assessor, score=score, pair=pair)) is not None:
        found |= {"judges.csv": of.rows, "assessors.csv": of.agreement}
        text += f"\n{JUDGES}\n{words.under_each_assessor(of)}\n"
    return CommandResult(view, found | {"robustness.txt": text}, methods)
