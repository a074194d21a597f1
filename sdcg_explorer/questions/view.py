"""What a question is asked of (study, definition, filters), and what its answer is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import pandas as pd
import plotly.graph_objects as go

from sdcg_explorer.scoring.definition import DEFAULT, FITTED_TO, Definition, Filters
from sdcg_explorer.study.annotations import Written
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import as_html, capital, in_short

Choices = ParamSpec("Choices")
Result = TypeVar("Result")
Asked = Callable[Concatenate[Study, Definition, Filters, Choices], Result]
Kept = tuple[frozenset[Callable[..., Any]], dict[Any, Any]]
_kept: ContextVar[Kept] = ContextVar("kept", default=(frozenset(), {}))


class View:
    """A study under a definition and filters; ``*view`` gives the three."""

    definition: Definition
    filters: Filters

    @property
    def study(self) -> Study:
        """The study itself."""
        raise NotImplementedError

    def ask(
        self, question: Asked[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
    ) -> Result:
        """What a question's function finds in this view, under its own choices."""
        return once(question, *self, *args, **choices)

    def is_answer_kept(
        self, question: Asked[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
    ) -> bool:
        """Whether to ask takes no time; where nobody waits for a screen it may take some."""
        return True

    @property
    def written(self) -> Written:
        """Notes beneath the study's answers."""
        return self.study.written

    def __iter__(self) -> Iterator[Any]:
        yield from (self.study, self.definition, self.filters)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems of the study, which keep their colours by this order."""
        return self.study.block().system_names

    @property
    def shown_systems(self) -> tuple[str, ...]:
        """The systems that the filters leave."""
        return self.filters.systems or self.systems

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics that sessions may be on, those of the filters or else all."""
        return self.filters.topics or self.study.topics

    @property
    def first_topic(self) -> str:
        """The topic to open on: that of the most sessions, or else the first."""
        busiest = self.study.busiest_topic
        return busiest if busiest in self.topics else self.topics[0]

    def shorten_names(self, text: str) -> str:
        """A sentence about the study, its long names in short."""
        return in_short(text, *self.study.long_names) if self.study.long_names else text

    @property
    def bases(self) -> tuple[float, float]:
        """B and bq in force."""
        return self.definition.b, self.definition.bq

    @property
    def without_sliders(self) -> Self:
        """The same, whatever the sliders stand at."""
        return self.with_default_fields("b", "bq", "weights", FITTED_TO)

    def with_default_fields(self, *names: str) -> Self:
        """The same, some fields of the definition as ECIR 2008 has them."""
        usual = {name: getattr(DEFAULT, name) for name in names}
        return self.with_definition(replace(self.definition, **usual))

    def with_definition(self, definition: Definition) -> Self:
        """The same under another definition."""
        return replace(self, definition=definition)  # pyright: ignore[reportArgumentType]

    def with_topic(self, topic: str | None) -> Self:
        """The same, narrowed to the sessions on one topic."""
        narrowed = self.filters.of(topic=topic)
        return replace(self, filters=narrowed)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, eq=False)
class StudyView(View):
    """A view of a study in hand."""

    given: Study
    definition: Definition
    filters: Filters

    @property
    def study(self) -> Study:
        """The study itself, with the grades that the definition asks for."""
        return self.definition.graded(self.given)


@contextmanager
def caching_answers(*questions: Callable[..., Any]) -> Iterator[None]:
    """For as long as it lasts, what `once` finds by these questions is kept."""
    token = _kept.set((frozenset(questions), {}))
    try:
        yield
    finally:
        _kept.reset(token)


def once(
    question: Callable[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
) -> Result:
    """An answer, kept where it may be.

    >>> with caching_answers(list):
    ...     once(list, "ab") is once(list, "ab"), once(sorted, "ab") is once(sorted, "ab")
    (True, False)
    >>> once(list, "ab") is once(list, "ab")
    False
    """
    questions, kept = _kept.get()
    if question not in questions:
        return question(*args, **choices)
    key = question, args, tuple(sorted(choices.items()))
    if key not in kept:
        kept[key] = question(*args, **choices)
    return kept[key]


@dataclass(frozen=True, eq=False)
class Live:
    """By what lines follow the sliders: a function that packs counts, and its choices.

    depth : ranks of the curves, where they go by rank
    """

    view: View
    counts: Callable[..., Any]
    choices: dict[str, Any] = field(default_factory=dict[str, Any])
    depth: int | None = None


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Numbers as a table, what they are, and the figure that shows them, where one does.

    given : the table, or what makes it when it is asked for · draw : makes the figure, of curves
    from the `least` end of their axis · said : what it says in a sentence, where that is not the
    answer's · alt : the figure in words, for who can't see it · of_study : of the whole study,
    whatever definition and filters are in force · brief : the rows that a paper prints, where the
    table has more
    """

    caption: str
    given: pd.DataFrame | Callable[[], pd.DataFrame]
    draw: Callable[..., go.Figure] | None = None
    said: str = ""
    alt: str = ""
    live: Live | None = None
    of_study: bool = False
    brief: Callable[[], pd.DataFrame] | None = None

    @property
    def table(self) -> pd.DataFrame:
        """The numbers; a table is made anew each time."""
        return self.given() if callable(self.given) else self.given

    @cached_property
    def figure(self) -> go.Figure | None:
        """The figure, drawn once."""
        return self.draw() if self.draw else None


Exhibits = dict[str, Exhibit]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a question's page says; exhibits by their files' names, further tables by caption.

    measured : what the figure counts, and its unit · note : what stands beneath the figure as its
    own paragraph · behind : what stands behind the picture · advice : where a reader could be
    misled · more : further sentences · methods : paragraphs of a methods section
    """

    headline: str
    exhibits: Exhibits = field(default_factory=dict[str, Exhibit])
    measured: str = ""
    note: str = ""
    behind: str = ""
    advice: list[str] = field(default_factory=list[str])
    more: list[str] = field(default_factory=list[str])
    tables: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])
    methods: list[str] = field(default_factory=list[str])

    @property
    def figure_paragraphs(self) -> list[str]:
        """All that stands beneath the figure, a paragraph each."""
        measured = f"{capital(self.measured)}." if self.measured else ""
        behind = " ".join(filter(None, (measured, self.behind)))
        return [line for line in (self.note, behind, *self.advice) if line]


@dataclass(frozen=True, eq=False)
class Card:
    """What a question answers in a line, and its small figure, where it has one."""

    headline: str
    draw: Callable[[], go.Figure] | None = None
    live: Live | None = None


@dataclass(frozen=True, eq=False)
class CommandResult:
    """What a command finds in a study.

    found : tables, and the sentences, by file name · methods : paragraphs of a methods section
    """

    view: View
    found: dict[str, pd.DataFrame | str]
    methods: list[str]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by their files' names, without the endings."""
        each = self.found.items()
        return {name[: -len(".csv")]: it for name, it in each if isinstance(it, pd.DataFrame)}

    @property
    def sentence(self) -> str:
        """What was found in sentences, a line each."""
        each = self.found.items()
        return "".join(it for name, it in each if isinstance(it, str) and name.endswith(".txt"))

    def _repr_html_(self) -> str:
        return as_html(self.view.study.name, self.sentence.splitlines(), self.tables)
