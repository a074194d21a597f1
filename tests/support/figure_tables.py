"""What the analyses say of a view, by file of a bundle's figures/."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from sdcg_explorer.analysis.curves.query_order import query_order
from sdcg_explorer.analysis.curves.session_curves import session_curves
from sdcg_explorer.analysis.curves.side_by_side import side_by_side
from sdcg_explorer.analysis.curves.stopping import stopping
from sdcg_explorer.analysis.definition.definition import PRESETS
from sdcg_explorer.analysis.inventory.overview import overview
from sdcg_explorer.analysis.robustness.all_definitions import all_definitions
from sdcg_explorer.analysis.robustness.robustness import robustness
from sdcg_explorer.analysis.robustness.specification import AllDefinitions
from sdcg_explorer.analysis.sessions.individual_sessions import individual_sessions
from sdcg_explorer.analysis.sessions.reformulations import reformulations
from sdcg_explorer.analysis.sessions.session_heatmap import wall
from sdcg_explorer.analysis.systems.compare_systems import compare_systems
from sdcg_explorer.analysis.systems.last_against_others import last_against_others


def known(every: AllDefinitions | None) -> AllDefinitions:
    """Where two systems can be compared."""
    assert every is not None
    return every


def frames(*view: Any) -> dict[str, pd.DataFrame]:
    """What the analyses say, by file of figures/."""
    seen, compared, steps = overview(*view), compare_systems(*view), reformulations(*view)
    under = {each.name: each.curves for each in side_by_side(*view, presets=tuple(PRESETS)).each}
    files = (re.sub(r"\W+", "_", name.lower()).strip("_") for name in under)
    tables = {f"under_{file}": of.table() for file, of in zip(files, under.values(), strict=True)}
    tables |= {f"{name}_by_query": steps.by_query for name in ("coverage", "found", "novelty")}
    curves = session_curves(*view, bands=True).table()
    tables |= {"session_curves": curves, "session_curves_raw": curves}
    return tables | {
        "sessions_by_length": seen.table(),
        "stopping": stopping(*view).table(),
        "judged_share": seen.judged_table(),
        "query_order": query_order(*view, depth=100, bands=True).table(),
        "individual_sessions": individual_sessions(*view).values(),
        "reformulation_shares": steps.shares,
        "reformulations": steps.changes,
        "first_queries": steps.first,
        "compare_systems": compared.points,
        "robustness": robustness(*view).table(),
        "all_definitions": known(all_definitions(*view)).table(),
        "wall": wall(*view).table(),
        "means": compared.systems,
        "means_by_topic": compared.by_topic,
        "pairs": compared.short_table(),
        "last_against_others": last_against_others(*view).table(),
    }
