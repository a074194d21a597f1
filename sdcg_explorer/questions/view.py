"""What a question is asked of: a study, the definition in force, and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, Self, TypeVar

from sdcg_explorer.analysis.definition.choices import FITTED_TO
from sdcg_explorer.analysis.definition.definition import DEFAULT, Definition, Filters
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import in_short
from sdcg_explorer.study.written import Written

Choices = ParamSpec("Choices")
Result = TypeVar("Result")
Kept = tuple[frozenset[Callable[..., Any]], dict[Any, Any]]
_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


class View:
    """A study under a definition and filters; ``*view`` gives the three."""

    definition: Definition
    filters: Filters

    @property
    def study(self) -> Study:
        """The study itself."""
        raise NotImplementedError

    def ask(self, question: Callable[..., Any], **choices: Any) -> Any:
        """What a question of analysis/ finds in this view."""
        raise NotImplementedError

    def is_answered(self, question: Callable[..., Any], **choices: Any) -> bool:
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

    def in_short(self, text: str) -> str:
        """A sentence about the study, its long names in short."""
        return in_short(text, *self.study.long_names) if self.study.long_names else text

    @property
    def bases(self) -> tuple[float, float]:
        """B and bq in force."""
        return self.definition.b, self.definition.bq

    @property
    def still(self) -> Self:
        """The same, whatever the sliders stand at."""
        return self.with_usual("b", "bq", "weights", FITTED_TO)

    def with_usual(self, *names: str) -> Self:
        """The same, some fields of the definition as ECIR 2008 has them."""
        usual = {name: getattr(DEFAULT, name) for name in names}
        return self.under(replace(self.definition, **usual))

    def under(self, definition: Definition) -> Self:
        """The same under another definition."""
        return replace(self, definition=definition)  # pyright: ignore[reportArgumentType]

    def on_topic(self, topic: str | None) -> Self:
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
        """The study itself."""
        return self.given

    def ask(self, question: Callable[..., Any], **choices: Any) -> Any:
        """What a question of analysis/ finds in this view."""
        return once(question, *self, **choices)


@contextmanager
def asking_once(*questions: Callable[..., Any]) -> Iterator[None]:
    """For as long as it lasts, what `once` finds by these questions is kept (decision 123)."""
    token = _kept.set((frozenset(questions), {}))
    try:
        yield
    finally:
        _kept.reset(token)


def once(
    question: Callable[Choices, Result], *args: Choices.args, **choices: Choices.kwargs
) -> Result:
    """An answer, kept where it may be.

    >>> with asking_once(list):
    ...     once(list, "ab") is once(list, "ab"), once(sorted, "ab") is once(sorted, "ab")
    (True, False)
    >>> once(list, "ab") is once(list, "ab")
    False
    """
    kept = _kept.get()
    if kept is None or question not in kept[0]:
        return question(*args, **choices)
    key = question, args, tuple(sorted(choices.items()))
    if key not in kept[1]:
        kept[1][key] = question(*args, **choices)
    return kept[1][key]
