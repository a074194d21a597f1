"""Two systems topic by topic in words: how many were won, and what each line of the list says."""

from __future__ import annotations

import math
from typing import Any

from sdcg_explorer.analysis.systems.by_topic import ByTopic
from sdcg_explorer.questions.words.wording import counted, left_out, short

LINES = "what was lost worst stands first; each opens its two sessions side by side"


def answer(of: ByTopic) -> str:
    """How many topics the second system won, lost and tied."""
    a, b = of.pair.system_a, of.pair.system_b
    if not len(of.table):
        return f"{a} and {b} met on no topic."
    won, lost, tied = (of.number(result) for result in ("won", "lost", "tied"))
    topics = counted(len(of.table), "topic")
    return f"Against {a}, {b} won {won:,} of {topics}, lost {lost:,} and tied {tied:,}."


def said(of: ByTopic) -> list[str]:
    """The answer; of several runs what they are apart, and which are shown; what is left out."""
    if not len(of.table):
        return [answer(of)]
    runs = _runs(of) if of.is_of_runs else ""
    left = left_out(of.apart, why="on topics of one of the two").strip()
    return [*filter(None, (answer(of), runs, left))]


def _runs(of: ByTopic) -> str:
    """Runs against topics, and which runs a line names."""
    spread = ""
    if not math.isnan(of.topics_apart):
        spread = (
            f"Runs of one system on one topic are {short(of.runs_apart)} {of.unit} apart, topics "
            f"{short(of.topics_apart)} (standard deviations). "
        )
    return (
        f"{spread}A topic counts once, by its sessions' means; the session that a line names is "
        "the one nearest to its mean."
    )


def line(row: dict[Any, Any], a: str, b: str) -> str:
    """A topic of the list: what it was, and by how much."""
    apart, means = row["difference"], f"{b} {short(row['mean_b'])}, {a} {short(row['mean_a'])}"
    how = "tied" if row["result"] == "tied" else f"{row['result']} by {short(abs(apart))}"
    return f"{row['topic']}: {how} ({means})"


def most(shown: int, topics: int) -> str:
    """Which lines stand of very many topics."""
    half = shown // 2
    return f"only the {half} lost worst and the {half} won most of {topics:,}; the table has all"
