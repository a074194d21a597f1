"""The recipe of an upload, and a widget for each choice of it.

Each widget shows what is in force and puts what is changed into the recipe, so that choices outlive
a page that is drawn anew, and a file that is corrected.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from sdcg_explorer.reading import judgments, raw_table, shapes, table_kinds
from sdcg_explorer.reading.event_logs import OPEN, SEARCH, calls_by_tool, kind_of_tool, tools_table
from sdcg_explorer.reading.recipe import AND, ASKED, DEFAULT, FIELDS, Recipe, answers_in, option
from sdcg_explorer.screen import keys, show
from sdcg_explorer.study.problems import Problem

MOST_COLUMNS = 60  # that are offered a role each
READ_AS = "files"  # of what is said of all of them together
NO_TOOL = "none"  # where no tool is chosen, whatever their names say
BY_TABLE = ("kinds", "mapping", "columns")  # chosen beside each table
SEVERAL = ("session_by", "query_by", "search_tools", "open_tools")  # have several names
# what is chosen of tables, by what it is about; other choices are of files, which are read anew
GROUPS: dict[str, tuple[str, ...]] = {
    "Sessions and queries": (
        *("session_by", "session_gap", "query_by", "query_id", "query_numbers"),
        "missing_sessions",
    ),
    "Topics and systems": ("topics_by", "judged_by", "system_by_file", "file_name"),
    "Results": (
        *("rank_base", "same_rank", "order", "doc_id", "events", "search_tools", "open_tools"),
    ),
    "Grades": ("grade_words", "grade_scale", "conflicts", "assessors", "grade", "parts"),
}
EXAMPLES = {  # of what may be typed, where no help has one
    "lists": "log.json=details.hits",
    "cells": "doc=;",
    "leave_out": "action=scroll,is_test=1",
    "events": "event=action,query=search,result=impression",
    "session_gap": "30m",
    "topic_id": r"T?0*(?P<topic>\d+)",
    "grade_words": "no,partly,yes",
}
EVENTS = (
    "The column that names events (event=COLUMN), then what its values are: query, result, click, "
    "bookmark, or none for those that count for nothing."
)
LATER = {"kinds", "mapping", *(name for names in GROUPS.values() for name in names)}


@dataclass(frozen=True)
class Choices:
    """What a reader has chosen, for which upload, and for which tables: their files and columns."""

    recipe: Recipe = DEFAULT
    upload: tuple[str, ...] = ()
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def fitting(self, parts: Sequence[table_kinds.Part]) -> Recipe:
        """What was chosen for tables before, as far as it fits these.

        A table is the one before where its file or its columns are called alike; where none is,
        this is another study, and nothing was chosen.
        """
        names: dict[str, str] = {}
        for file, header in self.tables:
            alike = [part.raw.file for part in parts if part.raw.file == file]
            alike += [part.raw.file for part in parts if tuple(part.raw.header) == header]
            names |= {file: alike[0]} if alike else {}
        if not names:
            return DEFAULT
        there = {part.raw.file: part.raw.header for part in parts}
        kinds = {names[file]: kind for file, kind in self.recipe.kinds.items() if file in names}
        mapping: dict[str, str] = {}
        for key, column in self.recipe.mapping.items():
            file, sign, role = key.rpartition(":")
            meant = [names[file]] if file in names else [] if file else [*there]
            if any({*column.split(AND)} <= {*there[name], ""} for name in meant):
                mapping[f"{names.get(file, '')}{sign}{role}"] = column
        return replace(self.recipe, kinds=kinds, mapping=mapping)


def chosen_recipe() -> Recipe:
    """What was chosen of how these files are read."""
    return st.session_state.get(keys.CHOICES, Choices()).recipe


def set_recipe(recipe: Recipe) -> None:
    """Choose how these files are read."""
    before = st.session_state.get(keys.CHOICES, Choices())
    st.session_state[keys.CHOICES] = replace(before, recipe=recipe)


def show_chosen() -> None:
    """What was chosen, and the way back."""
    if chosen_recipe() != DEFAULT:
        chosen = ", ".join(ASKED[name] for name in chosen_recipe().choices)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":small[Chosen: {show.markdown_safe(chosen)}.]")
            st.button("Undo my choices", on_click=set_recipe, args=(DEFAULT,))


def choose_asked(
    upload: tuple[str, ...], problems: Sequence[Problem], parts: Sequence[table_kinds.Part]
) -> list[str]:
    """Have the choices made that errors of an upload name as their remedy; these choices.

    What was asked once stays while the files do. A value that a remedy has is one click away.
    """
    known = st.session_state.get(keys.ASKED, ("", []))
    before: list[str] = known[1] if known[0] == upload else []
    errors = [problem for problem in problems if problem.severity == "error"]
    own = [problem for problem in errors if problem.file != READ_AS]  # else of what comes nearest
    remedies = " ".join(problem.remedy for problem in own or errors)
    choices = [name for name in FIELDS if name not in ("kinds", "mapping", "columns", "fix")]
    named = [name for name in choices if option(name, "").rstrip() in remedies]
    asked = list(dict.fromkeys([*before, *named]))
    st.session_state[keys.ASKED] = (upload, asked)
    for name in asked:
        offer_choice(name, parts, at_once=True)
        with st.container(horizontal=True):
            for value in [] if FIELDS[name].options else answers_in(remedies, name):
                if not re.fullmatch("[A-Z=:]+", value):  # NAME, which stands for one
                    look: dict[str, Any] = {"on_click": _take_value, "args": (name, value)}
                    words = show.markdown_safe(value)
                    st.button(words, key=keys.file_choice_key(f"take_{name}", value), **look)
    return asked


def _take_value(name: str, value: str) -> None:
    """Choose a value that a remedy has."""
    set_recipe(chosen_recipe().with_texts([f"{name}={value}"]))


def offer_all_choices(parts: list[table_kinds.Part], asked: Sequence[str]) -> None:
    """Have every choice of how tables are read looked over, but those that are asked already."""
    further = [name for name in FIELDS if name not in (*LATER, *BY_TABLE, "fix")]
    for words, names in {**GROUPS, "Files": tuple(further)}.items():
        left = [name for name in names if name in FIELDS and name not in asked]
        if left:
            st.markdown(f"**{words}**")
        columns = st.columns(2) if left else []
        for i, name in enumerate(left):
            with columns[i % 2]:
                offer_choice(name, parts)


def offer_choice(name: str, parts: Sequence[table_kinds.Part], *, at_once: bool = False) -> None:
    """Have one choice of the recipe made; `at_once` its values stand side by side."""
    value, names = getattr(chosen_recipe(), name), _names_for(name, parts)[:MOST_COLUMNS]
    if not names and name in (*SEVERAL, "assessors", "parts") and value == getattr(DEFAULT, name):
        return  # nothing in these files can be chosen
    key, about = keys.rule(name), FIELDS[name]
    fault = st.session_state.get(keys.fault(name))
    look: dict[str, Any] = {"key": key, "on_change": _set_value, "args": (name,)}
    options = {**about.options, **{each: each for each in names}}
    if isinstance(value, bool):
        st.session_state[key] = value
        st.checkbox(about.words, **look)
    elif name in SEVERAL:
        chosen = [each.strip() for each in value.split(",") if each.strip() not in ("", NO_TOOL)]
        if kind := {"search_tools": SEARCH, "open_tools": OPEN}.get(name) if not value else "":
            chosen = [tool for tool in names if kind_of_tool(tool) == kind]
        st.session_state[key] = chosen
        st.multiselect(about.words, list(dict.fromkeys([*names, *chosen])), **look)
    elif options:
        offered = [each for each in options if each or not at_once]  # "" has been refused
        if not about.options and not at_once:
            offered = ["", *offered]
        chosen = value if value in offered else None
        st.session_state[key] = chosen
        look |= {"format_func": lambda each: options.get(each) or each or "no column"}
        look["index"] = None if chosen is None else 0
        (st.radio if at_once else st.selectbox)(about.words, offered, **look)
    else:
        if not fault:
            st.session_state[key] = _as_text(value)
        look |= {"help": show.markdown_safe(EVENTS if name == "events" else about.typed) or None}
        look |= {"placeholder": f"For example {EXAMPLES[name]}" if name in EXAMPLES else None}
        (st.text_input if isinstance(value, str) else st.text_area)(about.words, **look)
    if fault:
        st.warning(show.markdown_safe(f"{fault}. Correct it; until then the old value is used."))


def _names_for(name: str, parts: Sequence[table_kinds.Part]) -> list[str]:
    """Names in the files that a choice may have as its value, or as one of them."""
    logs = table_kinds.of_kind(parts, "log")
    if name in ("search_tools", "open_tools"):
        return sorted(_tool_call_counts(parts))
    if name in SEVERAL:
        return list(dict.fromkeys(column for part in logs for column in part.raw.header))
    found = {"assessors": judgments.assessors_of, "parts": judgments.columns_of_parts}
    return found[name](parts) if name in found else []


def _tool_call_counts(parts: Sequence[table_kinds.Part]) -> Any:
    """How often each tool of agents was called, where a log is one of their calls."""
    raws = [part.raw for part in table_kinds.of_kind(parts, "log") if part.raw.known.calls]
    return calls_by_tool(raw_table.join_tables(raws)) if raws else {}


def _as_text(value: str | Mapping[str, Any]) -> str:
    """A value as it is typed: of what holds by name, a line each."""
    if isinstance(value, str):
        return value
    each = {name: [of] if isinstance(of, str) else of for name, of in value.items()}
    return "\n".join(f"{name}={of}" for name, several in each.items() for of in several)


def _set_value(name: str) -> None:
    """Choose what a widget has; what can't be chosen is said beside it, and changes nothing."""
    typed = st.session_state[keys.rule(name)]
    text = ",".join(typed) if isinstance(typed, list) else "" if typed is None else str(typed)
    if name in ("search_tools", "open_tools"):
        text = text or NO_TOOL
    st.session_state.pop(keys.fault(name), None)
    try:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        value = FIELDS[name].read(lines) if lines else getattr(DEFAULT, name)
        set_recipe(replace(chosen_recipe(), **{name: value}))
    except ValueError as wrong:
        st.session_state[keys.fault(name)] = str(wrong)


def show_meanings(parts: Sequence[table_kinds.Part]) -> None:
    """What tools of agents do, and what events of a log mean, where it holds such."""
    if calls := _tool_call_counts(parts):
        about = "tools, how often they were called, and what they do"
        show.table(tools_table(calls, chosen_recipe()), about, ours=False)
    for part in table_kinds.of_kind(parts, "log"):
        if events := table_kinds.events_of(part, chosen_recipe().events):
            about = "events, how many there are, and what they mean"
            show.table(shapes.events_table(part.raw, events), about, ours=False)
