"""The questions, a row each, in the order of the pages; app, pages, report and tests read them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module

from sdcg_explorer.questions.view import Answer, Card, StudyView, View
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.study.study import Study


@dataclass(frozen=True)
class Question:
    """A question, and its answer where it is asked of the study and view that are open.

    name : of its page's file, its address, its section of the report and its folder, and, as
    `title`, in the navigation · words : the question, which is its page's title · figures : names
    of those that it may draw, * for what the study or definition decides · group : what the bar of
    pages has it under; none where it stands for itself · before : its name in version 1
    """

    name: str
    words: str
    figures: tuple[str, ...] = ()
    group: str = ""
    before: str = ""

    @property
    def answer(self) -> Callable[[View], Answer] | None:
        """Its sentences and exhibits for report and bundle; None where it isn't of the view."""
        return getattr(import_module(f"sdcg_explorer.questions.{self.name}"), "answer", None)

    @property
    def card(self) -> Callable[[View], Card] | None:
        """What Overview says of it."""
        return getattr(import_module(f"sdcg_explorer.questions.{self.name}"), "card", None)

    @property
    def title(self) -> str:
        """Its name as a reader sees it.

        >>> question_of("side_by_side").title
        'Side by side'
        """
        return self.name.replace("_", " ").capitalize()


QUESTIONS = (
    Question("overview", "What is in this study?", ("sessions_by_length", "judged_share")),
    Question(
        "query_order",
        "How much better is the last query than the others?",
        ("query_order",),
        "Curves",
    ),
    Question(
        "session_curves",
        "How does gain grow over a session, and in which system faster?",
        ("session_curves", "session_curves_raw"),
        "Curves",
    ),
    Question(
        "individual_sessions",
        "Which sessions succeeded, and at which query?",
        ("individual_sessions", "wall"),
        "Curves",
    ),
    Question(
        "reformulations",
        "What does asking again bring?",
        ("reformulation_shares", "reformulations", "*_by_query", "first_queries"),
        "Curves",
    ),
    Question("cost", "What did it cost?", ("cost", "cost_points"), "Curves"),
    Question(
        "compare_systems",
        "Which system is better?",
        ("compare_systems", "means_by_topic", "pairs", "order", "next_study"),
        "Systems",
    ),
    Question(
        "robustness",
        "Does the answer hold?",
        ("robustness", "order_of_sessions", "all_definitions"),
        "Systems",
    ),
    Question(
        "ratings",
        "Do scores agree with what the searchers said?",
        ("agreement", "agreement_map"),
        "Systems",
        before="agreement",
    ),
    Question("side_by_side", "Would another definition say otherwise?", ("under_*",), "Systems"),
    Question("fit", "What did searchers look at?", ("fit",), "Systems"),
    Question("by_hand", "How is the number made?", group="Learning"),
    Question("data", "What was read, and can I trust it?"),
    Question("paper", "What goes into the paper?"),
)
_BY_NAME = {question.name: question for question in QUESTIONS}


def question_of(name: str) -> Question:
    """The question of a page, by its name."""
    return _BY_NAME[name]


def notes_of(view: View) -> dict[str, str]:
    """Notes of one's own, by the question in words that each stands beneath."""
    written = view.written
    return {each.words: written[each.name] for each in QUESTIONS if each.name in written}


def iterate_answers(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[Question, Answer]]:
    """The answers to all that is asked of a study and view, one by one; `tell` hears of each.

    Large tables need not be there at once.
    """
    for question in QUESTIONS:
        if question.answer is not None:
            tell(question.title)
            view = StudyView(study, definition, filters)
            answer = question.answer(view)
            yield question, replace(answer, headline=view.shorten_names(answer.headline))
