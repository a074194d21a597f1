"""Gains from clicks beside gains from judgments, where a study has both."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.questions.wording import counted, enumerated, interval, signed
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import session_score_of
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics.correlations import Coefficient, between, of_columns
from sdcg_explorer.statistics.effect_sizes import DIGITS
from sdcg_explorer.study.behaviour import is_logged
from sdcg_explorer.study.study import Study

TITLE = "Judgments and clicks: how far they agree"
BIASED = "Top-ranked results get more clicks, and a result that nobody saw can't gain anything."


@dataclass(frozen=True, eq=False)
class JudgmentsAndClicks:
    """Gain of sessions by judgments beside their gain by clicks, under the same discounts.

    table : a row for each system: sessions, both means, rank correlation (Spearman's ρ) of its
    sessions · without : sessions to which clicks bring no gain · correlation : of all sessions,
    with its interval by searcher
    """

    table: pd.DataFrame
    sessions: int
    without: int
    correlation: Coefficient


def judgments_and_clicks(
    study: Study, definition: Definition, filters: Filters
) -> JudgmentsAndClicks | None:
    """Both gains of the sessions within the filters; None where a study lacks either."""
    logged = study.graded_by(None)
    if not (len(logged.judgments) and is_logged(logged.results)) or definition.behaviour:
        return None
    gains = {"grades": "behaviour", "weights": "linear", "ideal": "repeated"}
    judged = select(logged, replace(definition, grades="judgments"), filters)
    clicked = select(logged, replace(definition, **gains), filters)
    pairs = np.column_stack([session_score_of("final", each) for each in (judged, clicked)])
    known = ~np.isnan(pairs).any(axis=1)
    if known.sum() < 2:
        return None
    sample, values = judged.sample.take(np.flatnonzero(known)), pairs[known]
    names = np.array(sample.block.system_names, dtype=object)[sample.systems]
    frame = pd.DataFrame(values, columns=["judgments", "clicks"]).round(DIGITS)
    own = frame.groupby(names)
    table = own.mean().assign(sessions=own.size())
    table["rank_correlation"] = [
        of_columns("spearman", each[["judgments"]].to_numpy(), each["clicks"].to_numpy())[0]
        for _, each in own
    ]
    found = between("spearman", values[:, 1], values[:, 0], sample.clusters)
    counts = len(frame), int((frame["clicks"] == 0).sum())
    return JudgmentsAndClicks(table.rename_axis("system").reset_index(), *counts, found)


def clicks_sentence(both: JudgmentsAndClicks) -> str:
    """Whether clicks rank sessions, and the first of the systems, as judgments do."""
    value, *ends = both.correlation
    of = f"{counted(both.sessions, 'session')} ({both.without:,} without a gain from clicks)"
    said = f"Rank correlation of gains from clicks and from judgments in {of}: {signed(value)}"
    firsts = [
        f"{enumerated([*both.table['system'][means == means.max()]])} by {gain}"
        for gain, means in both.table[["judgments", "clicks"]].items()
    ]
    order = f" First by mean gain: {', '.join(firsts)}." * (len(both.table) > 1)
    return f"{said}{interval(signed, *ends)}.{order} {BIASED}"
