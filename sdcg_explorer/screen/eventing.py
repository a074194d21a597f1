"""Logs of events among uploads: what each event means, and what a session is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from sdcg_explorer.reading.event_tables import events_table
from sdcg_explorer.reading.patterns import MEANINGS, NOT_USED, events_fault, seconds_of_gap
from sdcg_explorer.reading.rules import ASKED, Rules
from sdcg_explorer.reading.table_kinds import Part, events_of, of_kind, shapes_of
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.show import markdown_safe, show_table


def choose_events(parts: Sequence[Part], rules: Rules) -> Rules:
    """Rules with what events mean and what a session is, where a log is one of events."""
    logs = [part for part in of_kind(parts, "log") if events_of(part)]
    if not logs:
        return _with_sessions(parts, rules)
    part = logs[0]
    st.markdown("**The rows of this log are events.** Queries and their results come of them:")
    rules = replace(rules, events=_said(shapes_of(parts)))
    if events := events_of(part, rules.events):
        about = "events, how many there are, and what they mean"
        show_table(events_table(part.raw, events), about, ours=False)
    return _with_sessions(parts, rules)


def _said(seed: object) -> str:
    """What events mean, where their names don't say."""
    said = st.text_input(
        f"{ASKED['events']}, where names don't say ({', '.join(MEANINGS)} or {NOT_USED})",
        key=keys.of_files("events", seed),
        placeholder=f"{MEANINGS[0]}=NAME,{MEANINGS[1]}=NAME,{NOT_USED}=NAME",
    ).strip()
    if said and (fault := events_fault(said)):
        st.warning(markdown_safe(f"{said!r}; {fault}. Correct it."))
        return ""
    return said


def _with_sessions(parts: Sequence[Part], rules: Rules) -> Rules:
    """Rules with what a session is, where a log names searchers, and no session."""
    logs = [{*part.columns} for part in of_kind(parts, "log")]
    if any("session" in there for there in logs) or not any("searcher" in there for there in logs):
        return rules
    seed, timed = shapes_of(parts), any({"searcher", "time"} <= there for there in logs)
    usual = (
        "searcher" if timed or not any("topic" in there for there in logs) else "searcher, topic"
    )
    left, right = st.columns(2)
    key = keys.of_files("session_by", seed)
    by = left.text_input(f"{ASKED['session_by']} (columns)", usual, key=key).strip()
    if not timed:  # a pause is seen by times
        return replace(rules, session_by=", ".join(filter(None, by.split(","))))
    gap = right.text_input(
        f"{ASKED['session_gap']} more than", "30m", key=keys.of_files("session_gap", seed)
    ).strip()
    if gap and not seconds_of_gap(gap):
        st.warning(markdown_safe(f"{gap!r} is no pause as 90s, 30m or 1h. Correct it."))
        gap = ""
    return replace(rules, session_by=", ".join(filter(None, by.split(","))), session_gap=gap)
