"""What is in force on a page: study, definition and filters, and what is asked of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Self

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from sdcg_explorer import pages
from sdcg_explorer.questions.catalogue import question_of
from sdcg_explorer.questions.view import Asked, Choices, Result, View
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.library import load_study, store, whose
from sdcg_explorer.serving.workers import answered
from sdcg_explorer.study import annotations, problems
from sdcg_explorer.study.study import Study


@dataclass(frozen=True)
class Opened(View):
    """What the sidebar has chosen: a study (by digest), a definition and filters."""

    digest: str
    definition: Definition
    filters: Filters
    by_hand: Study | None = None
    kept: Definition | None = None  # whose curves stay beside those in force
    held: dict[str, Study] = field(default_factory=dict, compare=False)  # by its digest

    @contextmanager
    def holding(self) -> Iterator[Self]:
        """The same while a page is drawn, with the study as it stands when that begins.

        A page asks for it a hundred times; what outlives the drawing doesn't hold it.
        """
        drawn = replace(self, held={} if self.by_hand else {self.digest: self.logged})
        try:
            yield drawn
        finally:
            drawn.held.clear()

    @property
    def logged(self) -> Study:
        """The study itself, as it was logged; one made by hand is in no store.

        Where another window has deleted it, the frame is run anew, and shows another.
        """
        try:
            return self.by_hand or self.held.get(self.digest) or load_study(self.digest)
        except problems.UnusableInputError:
            st.rerun()

    @property
    def study(self) -> Study:
        """The same with the grades that the definition asks for; say it where it has none."""
        try:
            return self.definition.graded(self.logged)
        except problems.UnusableInputError as refused:
            st.error(" ".join(refused.lines_in_browser()))
            st.stop()

    @property
    def tags(self) -> annotations.Tags:
        """Tags of the study's queries, as they stand now."""
        return {} if self.by_hand else store().tags(self.digest, whose(self.digest))

    @property
    def written(self) -> annotations.Written:
        """Notes beneath answers, as they stand now."""
        return {} if self.by_hand else store().written(self.digest, whose(self.digest))

    @property
    def tagged_study(self) -> Study:
        """The study as it is taken away: with the tags and texts of now."""
        return self.study.put(tags=self.tags, written=self.written)

    def ask(
        self, question: Asked[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
    ) -> Result:
        """What a question finds, unless it is kept; say if it takes too much."""
        key = _answer_cache_key(question, self, *args, **choices)
        try:
            return RESULTS.of(key, lambda: answered(question, *self, *args, **choices))
        except problems.UnusableInputError as refused:  # which names nothing uploaded
            st.error(" ".join(refused.lines_in_browser()))
            st.stop()

    def is_answer_kept(
        self, question: Asked[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
    ) -> bool:
        """Whether what a question finds is kept, so that asking takes no time."""
        return _answer_cache_key(question, self, *args, **choices) in {*RESULTS.keys()}


def page_file(name: str) -> str:
    """File of a question's page, as Streamlit is given it."""
    return str(Path(pages.__path__[0]) / f"{name}.py")


def open_page(name: str) -> Opened:
    """Show the page's question; what is in force on the page: the first line of every page.

    A folder named pages makes the server run a page alone on its first visit, where a deep link
    came first; switching that off and running again leads through app.py, at the same address. Of
    several first visitors at once each comes by, whoever switched it off.
    """
    if PagesManager.uses_pages_directory or keys.OPENED not in st.session_state:
        PagesManager.uses_pages_directory = False
        st.rerun()
    opened, question = st.session_state[keys.OPENED], question_of(name)
    st.title(question.words)
    return opened


def _answer_cache_key(
    question: Callable[..., object], opened: Opened, *args: object, **choices: object
) -> tuple[object, ...]:
    """By which an answer is kept: the same, whether a usual choice is named or not."""
    name = f"{question.__module__}.{question.__qualname__}"  # two modules may have one of a name
    study = opened.digest, annotations.layer_name(opened.study.layer)
    asked = signature(question).bind(study, opened.definition, opened.filters, *args, **choices)
    asked.apply_defaults()
    values = asked.arguments.values()  # tags are by query
    return name, *(frozenset(v.items()) if isinstance(v, dict) else v for v in values)
