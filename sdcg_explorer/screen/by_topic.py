"""Parts of Compare systems: topics by difference, each the way to its two sessions; outcomes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sdcg_explorer.analysis.systems.by_topic import ByTopic, by_topic
from sdcg_explorer.analysis.systems.compare_systems import Comparison
from sdcg_explorer.analysis.systems.outcome import outcomes_of, usual_outcome
from sdcg_explorer.questions.compare_systems import TOPIC_BY_TOPIC, of_outcome, of_topics
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.questions.words import by_topic as words
from sdcg_explorer.questions.words.outcome import TITLE
from sdcg_explorer.screen import keys, show
from sdcg_explorer.screen.inspecting import ALL, EVERY
from sdcg_explorer.screen.link import pick
from sdcg_explorer.screen.opened import Opened

MOST_LINES = 100  # of topics lost worst and won most: a browser draws each as a part of its own
LIST = 330  # pixels that the list takes, which scrolls
NONE = "none: every two systems"
NO_OUTCOME = "none"


def choose_baseline(opened: Opened) -> str:
    """The system that others are compared with; of two the first unless another is chosen."""
    systems = [*opened.shown_systems]
    if len(systems) < 2:
        return ""
    names = [NONE, *systems] if len(systems) > 2 else systems
    chosen = pick("Baseline", names, keys.BASELINE)
    return "" if chosen == names[0] else chosen


def show_topic_by_topic(opened: Opened, compared: Comparison, place: int) -> Answer:
    """Show a pair's topics by difference, where no searchers stand between."""
    shown = of_topics(compared, place)
    if not shown.more:
        return shown
    st.subheader(TOPIC_BY_TOPIC)
    show.lines(shown.more)
    for exhibit in shown.exhibits.values():
        show.small("Lines", words.LINES)
        _show_doors(opened, by_topic(compared, place))
        show.table(exhibit.table, exhibit.caption)
    return shown


def _show_doors(opened: Opened, of: ByTopic) -> None:
    """Show each topic as the way to its sessions; of very many, those that differ most."""
    rows = of.table.to_dict("records")
    half = MOST_LINES // 2
    few = len(rows) <= MOST_LINES
    with st.container(height="content" if len(rows) < 8 else LIST, border=True, gap=None):
        for row in rows if few else [*rows[:half], *rows[-half:]]:
            _show_door(opened, of, row)
    if not few:
        show.small("Not all lines", words.most(MOST_LINES, len(rows)))


def _show_door(opened: Opened, of: ByTopic, row: dict[Any, Any]) -> None:
    """Show the way to a topic's two sessions, side by side, under what is in force."""
    topic = row["topic"] if row["topic"] in opened.topics else ALL
    own = {
        keys.SYSTEM: EVERY,
        keys.ONE_TOPIC: topic,
        keys.SESSION: row["session_b"],
        keys.BESIDE_SESSION: row["session_a"],
    }
    label = show.markdown_safe(words.line(row, of.pair.system_a, of.pair.system_b))
    show.way("individual_sessions", label, own)


def show_outcome(opened: Opened, baseline: str) -> Answer:
    """Show whether answers were right, where a column of the sessions says so."""
    if not (known := outcomes_of(opened.study)):
        return Answer("")
    st.subheader(TITLE)
    names = [*known, NO_OUTCOME]
    first = usual_outcome(opened.study) or NO_OUTCOME
    column = pick("The column that says so", names, keys.OUTCOME, names.index(first), width=320)
    if column == NO_OUTCOME:
        return Answer("")
    shown = of_outcome(opened, column, baseline)
    show.lines(shown.more)
    for exhibit in shown.exhibits.values():
        show.table(exhibit.table, exhibit.caption)
    return shown
