"""A score is undefined exactly where its entry, and so its card, says it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import given
from sdcg_explorer.metrics import Score

from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import QUERY_SCORES, SESSION_SCORES
from sdcg_explorer.scoring.scores import scores
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainStudy, Query, cells_of, ideal_of, is_judged
from tests.support.plain_other_measures import documents
from tests.support.random_studies import choices, often, studies


@dataclass(frozen=True)
class At:
    """A query of a session, from 0, in a study under a definition."""

    queries: list[Query]
    q: int
    plain: PlainStudy
    choices: Choices

    def is_known(self, q: int) -> bool:
        """Whether a query is on a topic that somebody judged."""
        return is_judged([self.queries[q]], self.plain.judgments)

    def relevant(self) -> set[str]:
        """Documents of the query's topic that gain."""
        gains = self.choices.gains
        judged = self.plain.judgments.items()
        return {d for (t, d), grade in judged if t == self.queries[self.q][0] and gains[grade] > 0}

    def relevant_anywhere(self) -> bool:
        """Whether a topic of the session has a document that gains."""
        return any(replace(self, q=q).relevant() for q in range(len(self.queries)))

    def shown(self, first: int, last: int) -> set[str]:
        """Relevant documents that queries on the same topic show, down to the top."""
        same = [each for each in self.queries[first:last] if each[0] == self.queries[self.q][0]]
        return {d for each in same for d in documents(each, self.choices.top)} & self.relevant()

    def grades(self) -> list[float]:
        """Grades above 0 on the query's topic."""
        judged = self.plain.judgments.items()
        return [grade for (t, _), grade in judged if t == self.queries[self.q][0] and grade > 0]

    def cells(self, *topics: str) -> int:
        """Cells of the session so far, on any topic or on these."""
        placed = cells_of(self.queries[: self.q + 1], self.choices)
        return sum(not topics or self.queries[q - 1][0] in topics for q, _ in placed)

    def has_ideal(self) -> bool:
        """Whether the ideal has gained anything at the session's end."""
        return any(ideal_of(self.queries, self.plain.judgments, self.choices))


# what an entry says → whether it is so; of a session at its last query
OF_SESSIONS: dict[str, Callable[[At], bool]] = {
    "": lambda at: False,
    "where the ideal gains nothing": lambda at: not at.has_ideal(),
    "where no list has a cell": lambda at: not at.cells(),
    "where the last query is not known": lambda at: not at.is_known(at.q),
    "where nothing is relevant": lambda at: not at.relevant_anywhere(),
}
OF_QUERIES: dict[str, Callable[[At], bool]] = {
    "": lambda at: False,
    "where the ideal gains nothing": (
        lambda at: not at.relevant() or not replace(at, queries=at.queries[at.q :], q=0).cells()
    ),
    "where there is no query before, or it is not known": (
        lambda at: at.q == 0 or not at.is_known(at.q - 1)
    ),
    "for an empty list, and where nothing is relevant": (
        lambda at: not at.queries[at.q][1] or not at.grades()
    ),
    "where no relevant document was shown before": lambda at: not at.shown(0, at.q),
    "where it shows no relevant document": lambda at: not at.shown(at.q, at.q + 1),
    "where nothing is relevant": lambda at: not at.relevant(),
    "where nothing is relevant, or no cell examined": (
        lambda at: not at.relevant() or not at.cells(at.queries[at.q][0])
    ),
}


def at_every_query(is_undefined: Callable[[At], bool]) -> Callable[[At], bool]:
    """Whether a session has no known query at which a score of queries is defined."""
    return lambda at: all(
        not at.is_known(q) or is_undefined(replace(at, q=q)) for q in range(len(at.queries))
    )


OF_SESSIONS |= {
    f"where that of every query is: {said}": at_every_query(is_undefined)
    for said, is_undefined in OF_QUERIES.items()
}


def expected(name: str, of: Score, table: dict[str, Callable[[At], bool]], at: At) -> bool:
    """Whether a score is undefined where its entry is read."""
    said = f"{name} is undefined {of.undefined!r}: say in this file when that is so."
    assert of.undefined in table, said
    return table[of.undefined](at)


@often
@given(studies(), choices())
def test_score_is_undefined_exactly_where_its_entry_says(
    plain: PlainStudy, chosen: Choices
) -> None:
    tables = scores(study_of(plain), definition_of(chosen), Filters())
    every = [
        [At(s.queries, q, plain, chosen) for q in range(len(s.queries))] for s in plain.sessions
    ]
    for name, of in SESSION_SCORES.items():
        undefined = [
            not any(at.is_known(at.q) for at in each) or expected(name, of, OF_SESSIONS, each[-1])
            for each in every
        ]
        ours = np.isnan(tables.sessions[name].to_numpy(float)).tolist()
        assert ours == undefined, f"{name} is undefined {of.undefined or 'nowhere'}, it says"
    for name, of in QUERY_SCORES.items():
        undefined = [
            not at.is_known(at.q) or expected(name, of, OF_QUERIES, at)
            for each in every
            for at in each
        ]
        ours = np.isnan(tables.queries[name].to_numpy(float)).tolist()
        assert ours == undefined, f"{name} is undefined {of.undefined or 'nowhere'}, it says"
