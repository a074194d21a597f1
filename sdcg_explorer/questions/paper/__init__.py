"""What goes into the paper? Short tables of a study's answers, the two figures, and the methods."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools
from sdcg_explorer.questions import query_order as by_rank
from sdcg_explorer.questions import ratings, robustness, session_curves
from sdcg_explorer.questions.catalogue import notes_of
from sdcg_explorer.questions.compare_systems import left_open_answer, left_open_of_pair, methods_of
from sdcg_explorer.questions.compare_systems.numbers import Comparison, compare_systems
from sdcg_explorer.questions.methods import methods_text
from sdcg_explorer.questions.paper import words
from sdcg_explorer.questions.query_order.numbers import QueryOrder, last_against_others, query_order
from sdcg_explorer.questions.ratings.numbers import Agreement, RatingChoices, agreement
from sdcg_explorer.questions.view import Exhibit, View
from sdcg_explorer.questions.wording import FILTERS, enumerated, interval_cells, why_no_score
from sdcg_explorer.scoring import measures
from sdcg_explorer.scoring.definition import Definition
from sdcg_explorer.scoring.ratings import study_ratings

SCORES = (measures.USUAL, "final", "mean_ndcg")
LINES = 10  # of a table, at most
PAGES = {  # that have the numbers of a table, or a figure
    **{"results": "compare_systems", "last_against_others": "query_order"},
    **{"agreement": "ratings", "query_order": "query_order", "session_curves": "session_curves"},
}


@dataclass(frozen=True, eq=False)
class PaperTable:
    """A table as a paper prints it.

    numbers : in full · cells : texts, a row per line · best : rows whose mean is in bold, for the
    test says that it is above every other's
    """

    caption: str
    numbers: pd.DataFrame
    cells: pd.DataFrame
    best: Bools


@dataclass(frozen=True, eq=False)
class Paper:
    """Tables and figures by their files' names, sentences, and the methods section.

    more : paragraphs of the methods that say what was done beyond scoring · methods : all of them ·
    notes : of one's own, by the question in words
    """

    tables: dict[str, PaperTable]
    figures: dict[str, Exhibit]
    caption: str
    said: list[str]
    more: list[str]
    methods: str
    notes: dict[str, str]


def usual_scores(definition: Definition) -> list[str]:
    """``SCORES``, of which shares of an ideal of clicks compare no systems."""
    return [name for name in SCORES if not (definition.behaviour and measures.is_of_ideal(name))]


def paper(view: View, *, scores: Sequence[str] = (), rating: str = "", baseline: str = "") -> Paper:
    """What of a view goes into a paper: systems on scores, last queries, a rating, Figures 1 and 2.

    Each system is set against the best of its score, or against a `baseline`; `rating` is the
    study's first unless given. Where there are more systems than lines of a table, the highest on
    the first score stand there.

    Raises
    ------
    ValueError : no such score, rating or baseline, or the filters leave no session
    """
    scores = scores or usual_scores(view.definition)
    every = [view.ask(compare_systems, score=score, baseline=baseline) for score in scores]
    if not (known := [of for of in every if of.names]):
        raise ValueError(why_no_score(every[0], FILTERS))
    highest = _highest_systems(known[0], LINES)
    compared = known[: max(1, LINES // len(highest))]
    left = [of.score for of in every if of not in compared]
    rating = rating or next(iter(study_ratings(view.study)), "")
    beside = view.ask(agreement, asked=RatingChoices(rating)) if rating else None
    beside = beside if beside and beside.number else None
    tables = {
        "results": _results_table(view, compared, highest, left),
        "last_against_others": _rank_table(view, view.ask(query_order, bands=True), known[0]),
    }
    said = [robustness.card(view).headline]
    if beside:
        tables["agreement"] = _agreement_table(view, scores, beside)
        said.append(ratings.words.headline(beside))
    curves = session_curves.measure_answer(view, session_curves.measures_comparing_systems(view)[0])
    figures = {**by_rank.answer(view).exhibits, **curves.exhibits}
    caption = words.figures_caption(view.definition, view.study.labels)
    more = [*filter(None, _methods(view, compared, beside))]
    return Paper(tables, figures, caption, said, more, methods_text(*view, *more), notes_of(view))


def table_pages(made: Paper) -> list[tuple[str, str, str]]:
    """Where the numbers are: each table and figure, its page, and the score that is asked there."""
    scores = made.tables["results"].numbers["score"].unique().tolist()
    of = {name: [""] for name in (*made.tables, *made.figures)} | {"results": scores}
    return [(name, PAGES[name], score) for name, scores in of.items() for score in scores]


def _results_table(
    view: View, compared: Sequence[Comparison], highest: Sequence[str], left: Sequence[str]
) -> PaperTable:
    """A row per score and system; `left` are scores that find no line, or no session has."""
    first = compared[0]
    numbers = pd.concat([_score_rows(of, highest) for of in compared], ignore_index=True)
    best, names = numbers.pop("best").to_numpy(dtype=bool), numbers["score"].map(words.score_label)
    cells = pd.DataFrame(
        {
            "Score": names.where(~names.duplicated(), ""),
            "System": numbers["system"].map(words.short_name),
            "n": numbers["sessions"].map("{:,}".format),
            "Mean [95% interval]": interval_cells(numbers[["mean", "low", "high"]]),
            "p (Holm)" if first.has_several_pairs else "p": numbers["p"].map(words.p_cell),
            "g": numbers["hedges_g"].map(words.number_cell),
        }
    )
    without = words.omitted_rows_note(len(first.names) - len(highest), left, first.score)
    how = words.clause(view.definition, view.study.labels, without=words.OF_CURVES)
    caption = f"Scores of sessions by system ({how})."
    if first.has_difference:
        caption = f"{caption} {words.tests_caption(first.baseline)}"
    return PaperTable(f"{caption}{without}", numbers, cells, best)


def _highest_systems(of: Comparison, most: int) -> list[str]:
    """The systems, or as many of the highest as there may be, in the study's order."""
    kept = {*of.systems.sort_values("mean", ascending=False, kind="stable")["system"][:most]}
    return [name for name in of.names if name in kept]


def _score_rows(of: Comparison, systems: Sequence[str]) -> pd.DataFrame:
    """Means of systems on one score, each with what sets it apart from the reference.

    The reference is the baseline, or else the highest mean. The best is one that every pair that
    was compared says is clearly higher.
    """
    rows = of.systems[of.systems["system"].isin(systems)].reset_index(drop=True)
    top = str(rows["system"][int(np.argmax(rows["mean"]))])
    against = of.baseline or top
    found = dict[str, tuple[float, float]]()  # p and g of each other system over the reference
    for pair, p in zip(of.pairs, of.p_holm, strict=True):
        if against == pair.system_a:
            found[pair.system_b] = float(p), pair.hedges_g
        elif against == pair.system_b:
            found[pair.system_a] = float(p), -pair.hedges_g
    own = [i for i, pair in enumerate(of.pairs) if top in (pair.system_a, pair.system_b)]
    is_best = len(own) == len(of.names) - 1 > 0 and all(of.clear[i] for i in own)
    p, g = zip(*(found.get(name, (nan, nan)) for name in rows["system"]), strict=True)
    numbers = rows[["system", "sessions", "mean", "low", "high"]].assign(against=against)
    numbers.insert(0, "score", of.score)
    return numbers.assign(p=p, hedges_g=g, best=(rows["system"] == top) & is_best)


def _rank_table(view: View, order: QueryOrder, of: Comparison) -> PaperTable:
    """A row per system and group of queries, the means at a few ranks."""
    ranks = sorted({min(rank, order.longest) for rank in by_rank.RANKS})
    every = order.rows_at_ranks(ranks)
    numbers = every[every["system"].isin(_highest_systems(of, LINES // 2))]
    by_group = numbers.set_index(["system", "group", "queries", "rank"])["mean"]
    wide = by_group.unstack("rank").reindex(columns=ranks)  # in the order of the curves
    wide = wide.loc[[*dict.fromkeys(key[:3] for key in by_group.index)]]
    cells = wide.map(words.number_cell).reset_index()
    cells.columns = ["System", "Group", "n", *(f"rank {rank}" for rank in ranks)]
    cells["System"] = cells["System"].map(words.short_name)
    cells["n"] = cells["n"].map("{:,}".format)
    caption = words.ranks_caption(view.definition, view.study.labels, order.unit)
    left = every["system"].nunique() - numbers["system"].nunique()
    caption += words.omitted_rows_note(left, (), of.score)
    numbers = numbers.reset_index(drop=True)
    return PaperTable(caption, numbers, cells, np.zeros(len(cells), dtype=bool))


def _agreement_table(view: View, scores: Sequence[str], of: Agreement) -> PaperTable:
    """A row per score: how it goes with the rating; scores of queries where those were rated."""
    every = view.ask(ratings.numbers.coefficients, asked=of.asked)
    own = (every["coefficient"] == of.asked.coefficient) & (every["version"] == of.asked.version)
    numbers = every[own].set_index("score")
    asked = [name for name in scores if name in numbers.index]
    no_score = (of.score, ratings.numbers.LENGTH)
    rated = [of.score, *(name for name in numbers.index if name not in no_score)]
    numbers = numbers.loc[asked or rated[:LINES]].reset_index()
    cells = pd.DataFrame(
        {
            "Score": numbers["score"].map(words.score_label),
            "n": numbers[of.rated_noun].map("{:,}".format),
            f"{of.asked.words} [95% interval]": interval_cells(numbers[["value", "low", "high"]]),
        }
    )
    caption = f"Correlation ({of.asked.words}) of scores with {of.asked.rating}."
    caption += words.omitted_rows_note(0, [name for name in scores if asked and name not in asked])
    return PaperTable(caption, numbers, cells, np.zeros(len(cells), dtype=bool))


def _methods(view: View, compared: Sequence[Comparison], beside: Agreement | None) -> list[str]:
    """How systems, last queries and a rating were compared, a paragraph each."""
    first, *others = compared
    more = [*methods_of(first), by_rank.words.method(view.ask(last_against_others))]
    if first.has_difference:
        alike = enumerated([words.score_label(of.score) for of in others]) if others else ""
        more += [f"Compared in the same way: {alike}." * bool(others), words.SIZES]
        opened = left_open_of_pair(view, first, first.clearest_place)
        left = left_open_answer(opened)
        more += [left.headline, *left.methods] if opened.without and not opened.why else []
    if beside:
        more.append(ratings.words.method(beside))
    return more
