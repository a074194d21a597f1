"""Gains from clicks beside gains from judgments, where a study has both."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sdcg_explorer.questions.wording import all_of, counted, enumerated, interval, signed
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.selection import select
from sdcg_explorer.statistics.correlations import Coefficient, between, of_columns
from sdcg_explorer.statistics.effect_sizes import DIGITS
from sdcg_explorer.study.behaviour import is_logged
from sdcg_explorer.study.study import Study

Order = tuple[tuple[str, ...], ...]  # systems from the highest mean down, those that tie together
TITLE = "Judgments and clicks: how far they agree"
BIASED = "Top-ranked results get more clicks, and a result that nobody saw can't gain anything."


@dataclass(frozen=True, eq=False)
class JudgmentsAndClicks:
    """Gain of sessions by judgments beside their gain by clicks, under the same discounts.

    table : a row for each system: sessions, both means, rank correlation (Spearman's ρ) of its
    sessions · without : sessions to which clicks bring no gain · correlation : of all sessions,
    with its interval by searcher · orders : systems from the highest mean down, by either ·
    alike : of judgments and clicks those whose gain is the same in all sessions
    """

    table: pd.DataFrame
    sessions: int
    without: int
    correlation: Coefficient
    orders: tuple[Order, Order]
    alike: tuple[str, ...]


def judgments_and_clicks(
    study: Study, definition: Definition, filters: Filters
) -> JudgmentsAndClicks | None:
    """Both gains of the sessions within the filters; None where a study lacks either."""
    logged = study.graded_by(None)
    if not (len(logged.judgments) and is_logged(logged.results)) or definition.behaviour:
        return None
    gains = {"grades": "behaviour", "weights": "linear", "ideal": "repeated"}
    judged = select(logged, replace(definition, grades="judgments"), filters)
    clicked = select(logged, replace(definition, **gains), filters).session_score("final")
    pairs = np.column_stack([judged.session_score("final"), clicked])
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
    orders = [
        tuple(tuple(tied.index) for _, tied in column.groupby(-column))
        for column in (table["judgments"], table["clicks"])
    ]
    counts = len(frame), int((frame["clicks"] == 0).sum())
    table = table.rename_axis("system").reset_index()
    alike = (*frame.columns[frame.nunique() == 1],)
    return JudgmentsAndClicks(table, *counts, found, (orders[0], orders[1]), alike)


def clicks_sentence(both: JudgmentsAndClicks) -> str:
    """Whether clicks rank sessions, and systems, as judgments do."""
    value, low, high = both.correlation
    found = f"rank correlation of {signed(value)}{interval(signed, low, high)}"
    none = f" (none in {both.without:,} of them)" * bool(both.without)
    whose = counted(both.sessions, "session")
    said = f"In {whose}, gains from clicks{none} and from judgments have a {found}."
    if both.alike:
        each = "each " * (len(both.alike) > 1)
        every = f"{all_of(both.sessions)} sessions"
        said = f"Gains from {enumerated(both.alike)} are {each}the same in {every}."
    judged, clicked = both.orders
    first, other = ("no system" if len(o) == 1 else enumerated(o[0]) for o in both.orders)
    others = "the others alike" if judged == clicked else "the others differently"
    order = f"By mean gain, judgments put {first} first, clicks {other}."
    if first == other:
        rest = f" and rank {others}" if len(both.table) > 2 else ""
        order = f"By mean gain, both put {first} first{rest}."
    if len(judged) == len(clicked) == 1:
        order = "Both rank the systems as equal." if len(both.table) > 1 else ""
    return " ".join(filter(None, (said, order, BIASED)))
