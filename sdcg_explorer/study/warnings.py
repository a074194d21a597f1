"""Warnings that follow from the tables: what can be read but could mislead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd

from sdcg_explorer.study.arrays import Bools, Ints
from sdcg_explorer.study.distinct_texts import bare, nearly_in
from sdcg_explorer.study.problems import Problem, warning
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.result_rows import Shown, codes
from sdcg_explorer.study.wording import counted

MOST_UNJUDGED = 0.5
FEWEST_SESSIONS = 10
TOP_OF_WARNINGS = 10  # ranks that are looked at


def warnings_of(
    sessions: pd.DataFrame,
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    shown: Shown,
    report: Report,
) -> list[Problem]:
    """Warnings about a whole study."""
    return [
        *_withheld(report),
        *_topics(queries, judgments, report),
        *_nameless(queries, report),
        *_unjudged(shown, report),
        *_almost(queries, results, judgments, shown, report),
        *_small(sessions, queries, report),
        *_alike(sessions, report),
    ]


def _withheld(report: Report) -> list[Problem]:
    if not report.withheld:
        return []
    number = counted(report.withheld, "query")
    return [
        warning(
            report.file,
            f"{number} whose results the log withholds",
            "they are no part of their sessions, so the last query here is not the searcher's last",
            "Read 'last' as the last query with results.",
        )
    ]


def _topics(queries: pd.DataFrame, judgments: pd.DataFrame, report: Report) -> list[Problem]:
    unjudged = set(queries["topic"].unique()) - set(judgments["topic"].unique())
    return unjudged_topics(len(unjudged), map(str, unjudged), report.file)


def unjudged_topics(number: int, some: Iterable[str], file: str) -> list[Problem]:
    """Warn of topics that queries are on and nobody judged, by the first of their names."""
    if not number:
        return []
    names = sorted(topic or "the nameless one" for topic in some)
    found = f"{counted(number, 'unjudged topic')} ({', '.join(names[:3])}{' …' * (number > 3)})"
    rule = "sessions on these topics alone have no worth and are left out of every mean"
    remedy = "Add their judgments, or expect fewer sessions."
    return [warning(file, found, rule, remedy, *names[:3])]


def _nameless(queries: pd.DataFrame, report: Report) -> list[Problem]:
    """Warn of queries that name no topic, where others do."""
    nameless = int((queries["topic"].astype("str") == "").sum())
    return without_topic(nameless, len(queries), report.file)


def without_topic(nameless: int, queries: int, file: str) -> list[Problem]:
    """Warn of some queries that name no topic."""
    if nameless in (0, queries):
        return []
    found = counted(nameless, "query")
    rule = "queries without a topic share one nameless topic, and one ideal"
    remedy = "Fill in the topic of each query."
    return [warning(file, f"{found} without a topic", rule, remedy)]


def _unjudged(shown: Shown, report: Report) -> list[Problem]:
    near = shown.rank <= TOP_OF_WARNINGS
    share = (shown.label[near] == shown.unjudged).mean() if near.any() else 0.0
    return mostly_unjudged(float(share), TOP_OF_WARNINGS, report.file)


def mostly_unjudged(share: float, top: int, file: str) -> list[Problem]:
    """Warn of results in the top of which nobody judged most."""
    if share <= MOST_UNJUDGED:
        return []
    found, rule = (
        f"{share:.0%} of the results in the top {top} unjudged",
        "an unjudged result counts as gain 0",
    )
    remedy = "Check that the judgments name topics and documents as the log does."
    return [warning(file, found, rule, remedy)]


def _almost(
    queries: pd.DataFrame,
    results: pd.DataFrame,
    judgments: pd.DataFrame,
    shown: Shown,
    report: Report,
) -> list[Problem]:
    """Warn of keys that would match if both were bare."""
    unseen = codes(judgments["doc"])[~shown.matched]
    ungraded = codes(results["doc"])[shown.label == shown.unjudged]
    topics = codes(queries["topic"]), codes(judgments["topic"])
    pairs = (
        ("topic", queries["topic"].cat.categories, *topics),
        ("document", results["doc"].cat.categories, ungraded, unseen),
    )
    warnings: list[Problem] = []
    for what, texts, logged, judged in pairs:
        in_log, in_judgments = (_those(texts.size, of) for of in (logged, judged))
        near = nearly_in(texts.array, in_log & ~in_judgments, in_judgments & ~in_log)
        alone, others = (set(map(str, texts[of])) for of in near)
        examples = almost_alike(alone, others)
        if examples:
            some = "; ".join(examples[:3])
            warnings.append(
                warning(
                    report.file,
                    f"{len(examples)} {what} ids of log and judgments almost match ({some})",
                    "ids are compared as the text they are",
                    "Write them alike in both files if they mean the same.",
                    *examples[:3],
                )
            )
    return warnings


def _those(size: int, codes: Ints) -> Bools:
    """Which of so many texts are used, by the codes of rows."""
    used = np.zeros(size, dtype=bool)
    used[codes] = True
    return used


def almost_alike(some: Iterable[str], others: Iterable[str]) -> list[str]:
    """Pairs of texts that are alike but for what `bare` takes off.

    >>> almost_alike({"1", "7"}, {"001", "8"}), almost_alike({"7.0"}, {"7"})
    (["'1' and '001'"], ["'7.0' and '7'"])
    """
    plain = {bare(text): text for text in sorted(others)}
    pairs = ((one, plain.get(bare(one))) for one in some) if plain else ()
    return [f"{one!r} and {other!r}" for one, other in sorted(p for p in pairs if p[1] is not None)]


def _alike(sessions: pd.DataFrame, report: Report) -> list[Problem]:
    """Warn of names that are one but for case or blanks around."""
    warnings: list[Problem] = []
    for what in ("session", "system", "searcher"):
        names = [str(name) for name in sessions[what].dropna().unique()]
        times = Counter(name.strip().lower() for name in names)
        twice = [name for name in names if times[name.strip().lower()] > 1]
        if twice:
            some = ", ".join(repr(name) for name in twice[:3])
            found = f"{len(twice)} {what}s whose names differ by case or blanks alone ({some})"
            rule = "names are compared as the text they are"
            remedy = "Write them alike if they mean the same."
            warnings.append(warning(report.file, found, rule, remedy, *map(repr, twice[:3])))
    return warnings


def _small(sessions: pd.DataFrame, queries: pd.DataFrame, report: Report) -> list[Problem]:
    warnings: list[Problem] = []
    counts = np.bincount(codes(queries["session"]), minlength=len(sessions))
    if counts.max(initial=0) == 1:
        rule = "session curves and last against other queries need sessions of several"
        remedy = "Check that the session column says which queries belong together."
        found = "every session has one query"
        warnings.append(warning(report.file, found, rule, remedy))
    sizes = sessions["system"].value_counts()
    few = [f"{name}: {n}" for name, n in sizes.items() if n < FEWEST_SESSIONS]
    if few:
        rule = f"means over fewer than {FEWEST_SESSIONS} sessions tell little"
        remedy = "Read their intervals, or gather more sessions."
        found = f"systems with few sessions ({', '.join(few[:3])}{' …' * (len(few) > 3)})"
        warnings.append(warning(report.file, found, rule, remedy, *few[:3]))
    return warnings
