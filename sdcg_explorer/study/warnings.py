"""Warnings that follow from the tables: what can be read but could mislead."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from sdcg_explorer.study.problems import Problem, warning
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.result_rows import Shown, category_codes
from sdcg_explorer.study.wording import counted, listed

MOST_UNJUDGED = 0.5
FEWEST_SESSIONS = 10
TOP_OF_WARNINGS = 10  # ranks that are looked at
WITHHELD = "they are left out of their sessions, so the last query here is not the searcher's last"
UNJUDGED = "an unjudged result counts as gain 0"
ALONE = "sessions on such topics alone have no score and are left out of every mean"
OF_EVERY_VIEW = (WITHHELD, UNJUDGED)  # rules that advice says beneath figures, of what is in view


def study_warnings(
    tables: Mapping[str, pd.DataFrame], shown: Shown, report: Report
) -> list[Problem]:
    """Warnings about a whole study."""
    sessions, queries, judgments = (tables[of] for of in ("sessions", "queries", "judgments"))
    every = list[Problem]()

    def warn(found: str, rule: str, remedy: str, *examples: str) -> None:
        every.append(warning(report.file, found, rule, remedy, *examples))

    if report.withheld:
        found = f"{counted(report.withheld, 'query')} whose results the log withholds"
        warn(found, WITHHELD, "Read 'last' as the last query with results.")
    if len(judgments) and (
        unjudged := set(queries["topic"].unique()) - set(judgments["topic"].unique())
    ):
        names = sorted(str(topic) or "the nameless one" for topic in unjudged)
        found = f"{counted(len(names), 'unjudged topic')} ({listed(names)})"
        warn(found, ALONE, "Add judgments for them, or expect fewer sessions.", *names)
    nameless = int((queries["topic"].astype("str") == "").sum())
    if nameless not in (0, len(queries)):
        found = f"{counted(nameless, 'query')} without a topic"
        rule = "queries without a topic share one nameless topic, and one ideal"
        warn(found, rule, "Fill in the topic of each query.")
    near = shown.rank <= TOP_OF_WARNINGS
    share = float((shown.label[near] == shown.unjudged).mean()) if near.any() else 0.0
    if share > MOST_UNJUDGED and len(judgments):
        found = f"{share:.0%} of the results in the top {TOP_OF_WARNINGS} are unjudged"
        remedy = "Check that the judgments name topics and documents as the log does."
        warn(found, UNJUDGED, remedy)
    if np.bincount(category_codes(queries["session"]), minlength=len(sessions)).max(initial=0) == 1:
        rule = "Session curves and Query order need sessions of several queries"
        remedy = "Check that the session column says which queries belong together."
        warn("every session has only one query", rule, remedy)
    sizes = sessions["system"].value_counts()
    if few := [f"{name}: {n}" for name, n in sizes.items() if n < FEWEST_SESSIONS]:
        named = f"systems with few sessions ({listed(few)})"
        found = named if len(sizes) > 1 else counted(len(sessions), "session")
        rule = f"means over fewer than {FEWEST_SESSIONS} sessions tell little"
        warn(found, rule, "Gather more sessions, or don't rely on these means.", *few)
    return every
