"""What every page opens with: the guard, the study in force, and the frame of an answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from analysis.advice import advice as general_advice
from analysis.choices import LEAST
from analysis.definition import CHOICES, DEFAULT, SHORT_LISTS, Definition, Filters
from analysis.sentence import filter_words, sentence
from pages.kept import study_of, tags_of
from study.checks import UnusableInputError
from study.counts import label
from study.study import Study
from study.tags import Tags

JOINER = "\u2060"  # takes no room and joins what it parts
# What no backslash stops: -> becomes an arrow, and addresses become links.
ACTING = re.compile(r"(?<=[-<>=!~+])(?=[-<>=~+])|(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)


@dataclass(frozen=True)
class Opened:
    """What the sidebar has chosen: a study (by digest), a definition and filters."""

    digest: str
    definition: Definition
    filters: Filters
    by_hand: Study | None = None

    @property
    def study(self) -> Study:
        """The study itself; one made by hand is in no store.

        Where another window has deleted it, the frame is run anew, and shows another.
        """
        try:
            return self.by_hand or study_of(self.digest)
        except UnusableInputError:
            st.rerun()

    @property
    def tags(self) -> Tags:
        """Tags of the study's queries, as they stand now."""
        return {} if self.by_hand else tags_of(self.digest)

    @property
    def tagged_study(self) -> Study:
        """The study as it is taken away: with the tags of now."""
        return replace(self.study, tags=self.tags)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems of the study, which keep their colours by this order."""
        return self.study.block().system_names

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics that sessions may be on, those of the filters or else all."""
        return self.filters.topics or self.study.topics

    @property
    def first_topic(self) -> str:
        """The topic to open on: that of the most sessions, or else the first."""
        busiest = self.study.busiest_topic
        return busiest if busiest in self.topics else self.topics[0]

    @property
    def shown_systems(self) -> tuple[str, ...]:
        """The systems that the filters leave."""
        return self.filters.systems or self.systems

    def on_topic(self, topic: str | None) -> Opened:
        """The same, narrowed to the sessions on one topic."""
        return replace(self, filters=replace(self.filters, topics=(topic,))) if topic else self


def guard() -> None:
    """Run through app.py even where a deep link came first.

    A folder named pages makes the server run a page alone on its first visit; switching that off
    and running again leads through app.py, at the same address. Of several first visitors at once
    each comes by, whoever switched it off.
    """
    if PagesManager.uses_pages_directory or "opened" not in st.session_state:
        PagesManager.uses_pages_directory = False
        st.rerun()


def open_page() -> Opened:
    """What is in force on this page: the first line of every page."""
    guard()
    return st.session_state["opened"]


@st.cache_resource(max_entries=256, show_spinner=False)
def computed(
    _question: Callable[..., Any],
    _opened: Opened,
    name: str,
    digest: str,
    definition: Definition,
    filters: Filters,
    **choices: Any,
) -> Any:
    """Result of an analysis, kept by its name, digest, definition, filters and choices."""
    return _question(_opened.study, definition, filters, **choices)


def ask(question: Callable[..., Any], opened: Opened, **choices: Any) -> Any:
    """Put a question to the study in force."""
    known = opened.digest, opened.definition, opened.filters
    return computed(question, opened, question.__name__, *known, **choices)


def put_definition(definition: Definition, labels: tuple[float, ...]) -> None:
    """Set the sidebar's widgets to a definition; `labels` are the open study's grades."""
    for name in CHOICES:
        st.session_state[name] = getattr(definition, name)
    st.session_state["top"] = definition.top
    for key in ("b", "bq"):
        base = getattr(definition, key)
        st.session_state[f"{key}_off"] = math.isinf(base)
        st.session_state[key] = getattr(DEFAULT, key) if math.isinf(base) else float(base)
    short = definition.short_lists
    st.session_state["short"] = short if short in SHORT_LISTS else LEAST
    for grade, gain in zip(labels, definition.gains(labels), strict=True):
        st.session_state[f"w{label(grade)}"] = float(gain)


def plain(text: str) -> str:
    r"""Text with everything that Markdown would act on made harmless.

    >>> plain("a*b [c](d)")
    'a\\*b \\[c\\]\\(d\\)'
    """
    apart = re.sub(ACTING, JOINER, text)
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", apart)


def show_answer(opened: Opened | None, text: str) -> None:
    """Show the page's first line, and what must be known of the study to read it rightly."""
    st.markdown(f"## {plain(text)}")
    study = opened.study if opened is not None else None
    if study is not None:
        for said in (study.note, st.session_state.get("lacking", {}).get(study.digest)):
            if said:
                st.markdown(f":small[:material/info: {plain(said)}]")


def show_figure(figure: Any, alt: str, key: str, clicked: Callable[[], None] | None = None) -> None:
    """Show one figure, large, with its text alternative; `clicked` is called after a click."""
    st.plotly_chart(
        figure,
        key=key,
        alt=alt,
        config={
            "displaylogo": False,
            "modeBarButtons": [["toImage"]],
            "toImageButtonOptions": {"format": "svg", "filename": key},
        },
        on_select=clicked or "ignore",
        selection_mode="points",
    )


def show_not_kept() -> None:
    """Why what was last asked for was not kept, once."""
    if reason := st.session_state.pop("not_kept", ""):
        st.error(plain(reason))


def show_small(title: str, text: str) -> None:
    """Show a paragraph in small print that is dark enough to read."""
    st.markdown(f":small[**{title}:** {plain(text)}]")


def show_beneath(opened: Opened, behind: str, advice: list[str] | None = None) -> None:
    """Definition in force, what stands behind the picture, and plain advice."""
    study = opened.study
    show_small("Definition in force", sentence(opened.definition, study.labels))
    if shown := filter_words(opened.filters):
        show_small("Shown", shown)
    if behind:
        show_small("Behind the picture", behind)
    every: list[str] = [*(advice or []), *ask(general_advice, opened)]
    for said in dict.fromkeys(every):
        st.markdown(f":small[:material/info: {plain(said)}]")


def show_table(table: Any, alt: str, height: int | Literal["auto"] = "auto", **widths: int) -> None:
    """Show a table, numbers with three significant digits; some columns in pixels wide."""
    short = st.column_config.NumberColumn(format="%.3g")
    cells = getattr(table, "data", table)  # of a styled table
    columns: dict[str, Any] = dict.fromkeys(cells.select_dtypes("float").columns, short)
    columns |= {name: st.column_config.Column(width=width) for name, width in widths.items()}
    look = {"column_config": columns, "placeholder": "–", "height": height}
    st.dataframe(table, hide_index=True, alt=alt, **look)
