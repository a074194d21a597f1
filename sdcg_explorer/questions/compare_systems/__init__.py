"""Which system is better?"""

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from sdcg_explorer.questions.compare_systems import figure, numbers, words
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems, plan_study
from sdcg_explorer.questions.query_order import words as last_words
from sdcg_explorer.questions.query_order.numbers import LastAgainstOthers, last_against_others
from sdcg_explorer.questions.view import Answer, Card, CommandResult, Exhibit, Exhibits, View, once
from sdcg_explorer.questions.wording import FILTERS, first_fit, in_unit, why_no_score
from sdcg_explorer.scoring.ratings import RATING
from sdcg_explorer.scoring.residuals import Residuals, residuals
from sdcg_explorer.study.annotations import qrels

TOPIC_BY_TOPIC = "Topics by difference"
RIGHT = {  # captions of the tables on whether answers were right, by the files' names
    "outcomes": "Sessions that were right",
    "outcome_corners": "Sessions by what they found, and whether they were right",
    "outcome_pairs": "Topics by which of two systems got them right",
}
MOST_TOPICS = 12  # that are drawn beside each other


def answer(view: View) -> Answer:
    """The default score: means, every pair, topics, outcomes and the next study."""
    shown, compared = score_answer(view), view.ask(compare_systems)
    if not compared.names:
        return shown
    parts = [summary_answer(view, compared, compared.clearest_place), order_answer(view, compared)]
    parts += [topics_answer(compared, compared.clearest_place), outcome_answer(view)]
    exhibits = shown.exhibits | {name: it for part in parts for name, it in part.exhibits.items()}
    more = [*shown.more, *(line for part in parts for line in part.more)]
    if compared.pairs:
        planned = once(plan_study, compared, compared.clearest_place, plan_for=None)
        more += words.next_study_paragraphs(planned)
        exhibits |= next_study_exhibits(planned)
    methods = [*methods_of(compared), *(line for part in parts for line in part.methods)]
    return replace(shown, exhibits=exhibits, more=more, methods=methods)


def score_answer(view: View, *, place: int | None = None, **asked: Any) -> Answer:
    """Systems on a score, looking into the pair of a place, or else the clearest."""
    compared: Comparison = view.ask(compare_systems, **asked)
    measured = in_unit(compared.measure.words, compared.unit)
    if not compared.names:
        return Answer(words.headline(compared), measured=measured)
    own = compared.clearest_place if place is None else place
    headline, reversing = _with_other_measures(view, compared)
    behind, advice = words.figure_notes(compared), [*reversing, *words.cautions(compared, own)]
    more, methods = words.pair_details(compared, own), words.method(compared)
    exhibits = _comparison_exhibits(view, compared)
    return Answer(
        headline, exhibits, measured, behind=behind, advice=advice, more=more, methods=methods
    )


def _with_other_measures(view: View, compared: Comparison) -> tuple[str, list[str]]:
    """The answer with how many main measures put another system first, and a line of which."""
    said = words.headline(compared)
    if compared.score.startswith(RATING) or not compared.has_difference:
        return said, []
    means = dict(zip(compared.names, compared.systems["mean"], strict=True))
    pair = compared.pairs[compared.clearest_place]
    if (means[pair.system_b] - means[pair.system_a]) * pair.difference < 0:
        return said, [words.UNADJUSTED]  # so would other measures' means be
    others, here = view.ask(numbers.main_measures, but=compared.score), numbers.leaders(means)
    forms = [f"{said[:-1]}; {turned}." for turned in words.other_leaders(others, here)]
    return first_fit(*forms, said), words.other_leaders_line(others, here)


def summary_answer(view: View, compared: Comparison, place: int) -> Answer:
    """A row per system as papers print it, and the sentence that reports a pair."""
    table = partial(view.ask, numbers.summary)
    said = words.apa_report(compared, place) if compared.pairs else ""
    exhibit = Exhibit("Summary by system", table, brief=lambda: words.table_of_means(table()))
    return Answer(said, {"summary": exhibit}, more=[said] if said else [])


def order_answer(view: View, compared: Comparison) -> Answer:
    """What the place among a searcher's sessions does; nothing where topics are a sample."""
    if not compared.pairs or compared.topics_are == "sample":
        return Answer("")
    if why := numbers.why_no_order(compared):
        return Answer(words.NO_ORDER[why], more=[words.NO_ORDER[why]])
    means, table = once(numbers.session_order, compared)
    said = words.order_headline(table, compared.unit)
    draw = partial(figure.draw_order, means, compared, view.systems)
    by_place = "Scores by place in the searcher's sequence"
    made = {"order": Exhibit(by_place, means, draw, said, f"Order. {said}")}
    effects = "Differences without and with session order in the model"
    made["order_effects"] = Exhibit(effects, table)
    return Answer(said, made, more=[said], methods=[words.ORDER_METHOD])


def topics_answer(compared: Comparison, place: int) -> Answer:
    """Topics by difference, of the pair of a place.

    Nothing where there is no pair, no topic of both, or searchers stand between.
    """
    if not compared.pairs or not numbers.pairs_topics(compared, place):
        return Answer("")
    table = numbers.by_topic(compared, place)
    if not len(table):
        return Answer("")
    said, short = words.by_topic_sentence(compared.pairs[place], table), [*numbers.NAMED]
    exhibit = Exhibit(TOPIC_BY_TOPIC, table.drop(columns=short))
    return Answer(said, {"topics": exhibit}, more=[said])


def outcome_answer(view: View, column: str = "", baseline: str = "") -> Answer:
    """Whether answers were right, by a column or the usual one; nothing where there is none."""
    if not (column := column or numbers.usual_outcome(view.study)):
        return Answer("")
    found: numbers.Outcome = view.ask(numbers.compare_outcomes, column=column, baseline=baseline)
    tables = (found.shares, found.corners, found.pairs)
    made = {
        name: Exhibit(caption, table)
        for (name, caption), table in zip(RIGHT.items(), tables, strict=True)
        if len(table)
    }
    more = words.outcome_sentences(found)
    return Answer(more[0], made, more=more, methods=[words.outcome_method(found)])


def _comparison_exhibits(view: View, compared: Comparison) -> Exhibits:
    """Sessions and means of the systems, on all topics and by topic, and every pair."""
    draw = partial(figure.draw_compare_systems, compared, view.systems)
    said = words.headline(compared)
    each, alt = "Score of each session", f"Comparison. {said}"
    points = Exhibit(each, compared.points, draw, alt=alt, brief=lambda: compared.systems)
    made = {"compare_systems": points, "means": Exhibit("Means by system", compared.systems)}
    if 1 < compared.by_topic["topic"].nunique() <= MOST_TOPICS:
        draw, alt = partial(draw, by_topic=True), "Comparison by topic"
        made["means_by_topic"] = Exhibit("Means by topic", compared.by_topic, draw, alt=alt)
    if compared.pairs:
        is_drawn = compared.has_several_pairs and compared.has_difference
        draw = partial(figure.draw_pairs, compared) if is_drawn else None
        short = compared.table().drop(columns=[*numbers.WIDE])
        made["pairs"] = Exhibit("All pairs of systems", short, draw, alt=f"Pairs. {said}")
    return made


def next_study_exhibits(planned: numbers.NextStudy) -> Exhibits:
    """Power by the number of units, where a study can be planned."""
    if not planned.plans:
        return {}
    draw, said = partial(figure.draw_next_study, planned), words.next_study_headline(planned)
    caption = "Sample size of a next study"
    return {"next_study": Exhibit(caption, planned.table, draw, said, f"Power. {said}")}


def methods_of(compared: Comparison, *, plan_for: float | None = None) -> list[str]:
    """Paragraphs of a methods section: how systems were compared, and the next study planned."""
    if not compared.has_difference:
        return []
    planned = once(plan_study, compared, compared.clearest_place, plan_for=plan_for)
    return [*words.method(compared), words.next_study_method(planned)]


def card(view: View) -> Card:
    """Means of the systems' sessions with their intervals."""
    compared: Comparison = view.ask(compare_systems)
    small = partial(figure.draw_compare_systems, compared, view.systems, small=True)
    return Card(words.headline(compared), small if compared.names else None)


def command_result(
    view: View,
    *,
    plan_for: float | None = None,
    right: str = "",
    with_residuals: bool = False,
    **asked: Any,
) -> CommandResult:
    """Tables of pairs, of last queries, topics, outcomes and next studies, and sentences.

    Next studies of every pair are planned, for a difference of `plan_for`, too, if it is given; in
    words that of the clearest pair, and so are topics. `right` is the column that says
    whether a session was; the usual one unless given. `with_residuals` adds what unjudged documents
    leave open.

    Raises
    ------
    ValueError : no such score, choice of topics, baseline or column, a difference to plan for that
        is not above 0, or the filters leave no session
    """
    compared: Comparison = view.ask(compare_systems, **asked)
    if not compared.names:
        raise ValueError(why_no_score(compared, FILTERS))
    last: LastAgainstOthers = view.ask(last_against_others)
    places = range(len(compared.pairs))
    planned = [once(plan_study, compared, place, plan_for=plan_for) for place in places]
    place, outcomes = compared.clearest_place, outcome_answer(view, right, compared.baseline)
    topics = topics_answer(compared, place)
    nothing = pd.DataFrame(columns=list(numbers.PLAN_COLUMNS))
    tables = [plan.table() for plan in planned if plan.plans] or [nothing]
    placed, summed = order_answer(view, compared), summary_answer(view, compared, place)
    found: dict[str, pd.DataFrame | str] = {
        "next_study.csv": pd.concat(tables),
        "last_against_others.csv": last.table(),
        "comparison.csv": compared.table(),
    }
    if by_topic := [pair for pair in places if numbers.pairs_topics(compared, pair)]:
        found["topics.csv"] = pd.concat([numbers.by_topic(compared, pair) for pair in by_topic])
    exhibits = summed.exhibits | placed.exhibits | outcomes.exhibits
    found |= {f"{name}.csv": exhibit.table for name, exhibit in exhibits.items()}
    more, methods = list[str](), [*methods_of(compared, plan_for=plan_for), last_words.method(last)]
    if with_residuals:
        known = view.ask(residuals, score=compared.score)
        found["comparison.csv"] = numbers.with_ranges(compared.table(), compared, known)
    if with_residuals and places:
        of = left_open_of_pair(view, compared, place)
        still_open = left_open_answer(of)
        more, methods = still_open.more, [*methods, *still_open.methods]
        if not of.why:
            found |= {"judge_next.csv": of.table, "judge_next.qrels": qrels_to_judge(of)}
    next_one = words.next_study_paragraphs(planned[place]) if planned else []
    parts = last_words.sentences(last), placed.more, next_one, topics.more, outcomes.more, more
    lines = ["\n".join(part) + "\n" for part in parts if part]
    found["compare.txt"] = "\n".join([words.comparison_text(compared), *lines])
    return CommandResult(view, found, [*methods, *placed.methods, *outcomes.methods])


JUDGE_NEXT = "Documents to judge next, largest possible effect first"


def left_open_of_pair(view: View, compared: Comparison, place: int) -> numbers.LeftOpen:
    """What is left open of the difference of a pair, by its place."""
    found: Residuals = view.ask(residuals, score=compared.score)
    return numbers.left_open(compared, found, place)


def left_open_answer(of: numbers.LeftOpen) -> Answer:
    """Whether who is ahead could turn, and what to judge next."""
    made = {"judge_next": Exhibit(JUDGE_NEXT, lambda: of.table)} if not of.why else {}
    methods, said = [] if of.why else [words.METHOD], words.left_open_sentences(of)
    return Answer(said[0] if said else "", made, more=said, methods=methods)


def pairs_with_ranges(view: View, compared: Comparison, table: pd.DataFrame) -> pd.DataFrame:
    """A table of pairs with the range of each difference, where unjudged documents leave one."""
    found: Residuals = view.ask(residuals, score=compared.score)
    return numbers.with_ranges(table, compared, found) if found.without.any() else table


def qrels_to_judge(of: numbers.LeftOpen) -> str:
    """Documents to judge next as qrels whose grades are to be given."""
    return qrels(of.table[["topic", "doc", "grade"]].itertuples(index=False, name=None))
