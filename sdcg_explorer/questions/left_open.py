"""What do unjudged documents leave open of a difference, and which are to be judged next?"""

from __future__ import annotations

import pandas as pd

from sdcg_explorer.analysis.sessions.residuals import Residuals, residuals
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.left_open import LeftOpen, left_open, with_ranges
from sdcg_explorer.questions.view import Answer, Exhibit, View
from sdcg_explorer.questions.words import left_open as words
from sdcg_explorer.study.own_judgments import qrels

JUDGE_NEXT = "Documents to judge next, which could move the difference most first"


def opened_of(view: View, compared: Comparison, place: int) -> LeftOpen:
    """What is left open of the difference of a pair, by its place."""
    found: Residuals = view.ask(residuals, score=compared.score)
    return left_open(compared, found, place)


def of_left_open(of: LeftOpen) -> Answer:
    """Whether who is ahead could turn, and what to judge next."""
    made = {"judge_next": Exhibit(JUDGE_NEXT, lambda: of.table)} if not of.why else {}
    methods = [] if of.why else [words.METHOD]
    return Answer(words.answer(of), made, more=words.said(of), methods=methods)


def ranged(view: View, compared: Comparison, table: pd.DataFrame) -> pd.DataFrame:
    """A table of pairs with the range of each difference, where unjudged documents leave one."""
    found: Residuals = view.ask(residuals, score=compared.score)
    return with_ranges(table, compared, found) if found.without.any() else table


def files_of_left_open(view: View, compared: Comparison) -> dict[str, pd.DataFrame | str]:
    """Files of `sdcg compare --residuals`: pairs with their ranges, and what to judge next.

    The list is that of the pair that differs most, as a table and as qrels without grades.
    """
    found: dict[str, pd.DataFrame | str] = {
        "comparison.csv": with_ranges(
            compared.table(), compared, view.ask(residuals, score=compared.score)
        )
    }
    if not compared.pairs:
        return found
    of = opened_of(view, compared, compared.most)
    if not of.why:
        found |= {"judge_next.csv": of.table, "judge_next.qrels": to_judge(of)}
    return found


def to_judge(of: LeftOpen) -> str:
    """Documents to judge next as qrels whose grades are to be given."""
    return qrels(of.table[["topic", "doc", "grade"]].itertuples(index=False, name=None))
