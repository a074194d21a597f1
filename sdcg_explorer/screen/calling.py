"""Calls of tools among uploads: which tools search, which open a document, and ids of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from sdcg_explorer.reading.calls.queries import calls_by_tool, tools_table
from sdcg_explorer.reading.calls.tools import OPEN, SEARCH, kind_of_tool
from sdcg_explorer.reading.patterns import pattern_fault
from sdcg_explorer.reading.raw_table import aligned, joined
from sdcg_explorer.reading.rules import ASKED, Rules
from sdcg_explorer.reading.table_kinds import Part, of_kind
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.show import markdown_safe, show_table

NONE = "none"  # where no tool is chosen, whatever their names say


def choose_tools(parts: Sequence[Part], rules: Rules) -> Rules:
    """Rules with what the tools of agents do, where a log is one of their calls."""
    raws = [part.raw for part in of_kind(parts, "log") if part.raw.known.calls]
    if not raws:
        return rules
    counts = calls_by_tool(joined(aligned(raws)))
    st.markdown("**This log holds calls of tools.** Each call that searched is a query:")
    columns = zip(st.columns(2), (("search_tools", SEARCH), ("open_tools", OPEN)), strict=True)
    said: dict[str, str] = {}
    for column, (name, kind) in columns:
        usual = [tool for tool in counts if kind_of_tool(tool) == kind]
        key = keys.of_files(name, sorted(counts))
        chosen = column.multiselect(ASKED[name], sorted(counts), usual, key=key)
        said[name] = ",".join(chosen) or NONE
    rules = replace(rules, **said)
    show_table(
        tools_table(counts, rules),
        "tools, how often they were called, and what they do",
        ours=False,
    )
    return replace(rules, doc_id=_doc_id(sorted(counts)))


def _doc_id(tools: Sequence[str]) -> str:
    """How documents are taken out of ids of chunks, as said."""
    pattern = st.text_input(
        f"{ASKED['doc_id']} (a pattern with (?P<doc>…), where results are chunks)",
        key=keys.of_files("doc_id", tools),
        placeholder="(?P<doc>.+)#[0-9]+",
    ).strip()
    if pattern and (fault := pattern_fault(pattern, ("doc",))):
        st.warning(markdown_safe(f"{pattern!r}; {fault}. Correct it."))
        return ""
    return pattern
