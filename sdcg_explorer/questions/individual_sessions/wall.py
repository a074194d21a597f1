"""What did each query of each session bring, and how did each session end? One row a session."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sdcg_explorer.metrics.arrays import Bools, Floats, Ints
from sdcg_explorer.questions.individual_sessions.inspector import has_parts, shortfall_of
from sdcg_explorer.questions.individual_sessions.numbers import (
    ALL,
    ENDS,
    GAVE_UP,
    LAST_ONLY,
    NOTHING,
    UNKNOWN_END,
    Gaining,
    listed_rows,
)
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import brought
from sdcg_explorer.scoring.scores import named, session_topics, shown_in_top
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.study import Study

SHADES = {  # by what cells are shaded, and what that is
    "dcg": "DCG of the query, before the query discount",
    "relevant found": "relevant documents not shown earlier in the session",
    "change of dcg": "change of DCG from the query before",
    "repeated": "relevant documents that an earlier query had shown",
    "still missing": "relevant documents of the topic not shown so far",
    "behind the ideal": "how much the query loses against the ideal",
}
OF_PARTS = {"parts found": "share of the parts of the task found so far"}
LACKS = {  # by shade: its column in what queries lack (shortfall.py)
    "repeated": "repeated",
    "still missing": "missing",
    "behind the ideal": "behind",
    "parts found": "parts_found",
}
# looks of a cell: beyond the session's end, a value, and what has none
BEYOND, VALUE, NOBODY, NO_RESULTS, FIRST = range(-1, 4)
MOST_ROWS = 2000  # sessions from which on the page opens on one system and topic
MOST_CELLS, MOST_QUERIES = 100_000, 40  # that are coloured; each colour is a rule of style
MOST_SHOWN = 2_000_000  # numbers that a browser is sent; the table to take away has all


@dataclass(frozen=True, eq=False)
class Wall:
    """Sessions in an order, and what each of their queries brought.

    names, searchers, topics (N,); systems (N,): places in `system_names`; queries (N,)
    scores : by name of the first of ``SHADES``, and of `shade`, (N, Q), nan where undefined or
    beyond the session
    looks (N, Q) : how each cell of `shade` looks; shown (N, Q): its results in the top X
    ends (N,) : how each ended, as in ``ENDS``, −1 where that is undefined
    ended : sessions by end, of those that `only` keeps · kept : by filter, of all it chose from
    """

    names: tuple[str, ...]
    searchers: tuple[str, ...]
    topics: tuple[str, ...]
    systems: Ints
    system_names: tuple[str, ...]
    queries: Ints
    scores: dict[str, Floats]
    looks: Ints
    shown: Ints
    ends: Ints
    shade: str
    only: str
    ended: dict[str, int]
    kept: dict[str, int]
    not_whole: int
    without_judgments: int

    @property
    def values(self) -> Floats:
        """What cells are shaded by, (N, Q)."""
        return np.where(self.looks == VALUE, self.scores[self.shade], np.nan)

    @property
    def ended_so(self) -> list[str]:
        """How each ended, in words."""
        words = {UNKNOWN_END: "undefined", **dict(enumerate(ENDS))}
        return [words[place] for place in self.ends.tolist()]

    @property
    def shown_queries(self) -> int:
        """Queries that have a column where the wall is shown: all, unless they are very many."""
        room = max(MOST_QUERIES, MOST_SHOWN // max(1, len(self.names)))
        return min(int(self.queries.max(initial=1)), room)

    @property
    def shown_values(self) -> Floats:
        """What these columns show, (N, shown queries): 0 for a list without results, too."""
        undefined = np.isin(self.looks, (BEYOND, NOBODY, FIRST))
        return np.where(undefined, np.nan, self.scores[self.shade])[:, : self.shown_queries]

    @property
    def is_coloured(self) -> bool:
        """Whether its cells are coloured where it is shown, and drawn as a figure."""
        queries = int(self.queries.max(initial=1))
        return queries <= MOST_QUERIES and len(self.names) * queries <= MOST_CELLS

    def table(self) -> pd.DataFrame:
        """One row per session and query, in the order of the wall."""
        row, query = (place.astype(np.int32) for place in np.nonzero(self.looks != BEYOND))
        names = {"session": self.names, "searcher": self.searchers, "topic": self.topics}
        coded = {name: pd.factorize(np.array(each, dtype=object)) for name, each in names.items()}
        coded |= {
            "system": (self.systems, self.system_names),
            "end": (self.ends % (len(ENDS) + 1), (*ENDS, "")),
        }
        order = "session", "system", "searcher", "topic", "end"
        return pd.DataFrame(
            {
                **{
                    name: named(coded[name][0].astype(np.int32)[row], coded[name][1])
                    for name in order
                },
                "query_number": query + 1,
                "results": self.shown[row, query],
                **{_column(name): each[row, query] for name, each in self.scores.items()},
            },
            copy=False,
        )


def _column(shade: str) -> str:
    """Name of a shade as a column, as queries.csv has it.

    >>> [_column(name) for name in SHADES]
    ['dcg', 'relevant_found', 'change_dcg', 'repeated', 'missing', 'behind']
    """
    return {"change of dcg": "change_dcg", **LACKS}.get(shade, shade.replace(" ", "_"))


def shades_of(study: Study) -> dict[str, str]:
    """What cells of a study's wall can be shaded by, and what each is."""
    return SHADES | (OF_PARTS if has_parts(study) else {})


def wall(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    system: str | None = None,
    topic: str | None = None,
    shade: str = "dcg",
    order: str = "worth",
    only: str = ALL,
) -> Wall:
    """What each query of each session brought; of one system or all, on one topic or all.

    order : one of `orders_of` the study · only : one of ``ONLY`` · shade : one of `shades_of` it

    Raises
    ------
    ValueError : an order, filter or shade that is none
    """
    if shade not in shades_of(study):
        raise ValueError(f"no shade {shade!r}; there are {', '.join(shades_of(study))}")
    chosen = select(study, definition, filters.of(system, topic))
    sample, gaining = chosen.sample, Gaining(chosen)
    rows = listed_rows(study, chosen, order, only)
    lacks = {shade: LACKS[shade]} if shade in LACKS else {}
    short = shortfall_of(study, chosen).columns if lacks else {}
    scores = _scores(chosen) | {name: short[column] for name, column in lacks.items()}
    scores = {name: each[rows] for name, each in scores.items()}
    shown = shown_in_top(study, chosen)[0][rows]
    searchers = [*sample.block.searcher_names, ""]
    topics = session_topics(sample)
    ended = Counter(gaining.ends[rows].tolist())
    return Wall(
        names=tuple(study.sessions["session"].astype("str").iloc[sample.sessions[rows]].tolist()),
        searchers=tuple(searchers[code] for code in sample.block.searchers[sample.sessions[rows]]),
        topics=tuple(topics[row] for row in rows.tolist()),
        systems=sample.systems[rows],
        system_names=sample.block.system_names,
        queries=sample.queries[rows],
        scores=scores,
        looks=_looks(scores[shade], shown, sample.asked_at[rows], shade),
        shown=shown,
        ends=gaining.ends[rows],
        shade=shade,
        only=only,
        ended={end: ended[place] for place, end in enumerate(ENDS)},
        kept={each: _count(gaining, each) for each in (NOTHING, GAVE_UP, LAST_ONLY)},
        not_whole=int((sample.judged & ~gaining.is_whole).sum()),
        without_judgments=int((~sample.judged).sum()),
    )


def _count(gaining: Gaining, only: str) -> int:
    return int((gaining.kept(only) & gaining.chosen.sample.judged).sum())


def _scores(chosen: Selection) -> dict[str, Floats]:
    """What each query brought, (S, Q)."""
    found = np.where(chosen.sample.judged_at, brought(chosen), np.nan)
    dcg, change = (chosen.query_scores[name] for name in ("dcg", "change_dcg"))
    return dict(zip(SHADES, (dcg, found, change), strict=False))


def _looks(values: Floats, shown: Ints, asked: Bools, shade: str) -> Ints:
    """How each cell looks: what it lacks, if it lacks anything, (N, Q)."""
    first = (np.arange(values.shape[1]) == 0) & (shade == "change of dcg")
    silent = (shown == 0) & (shade not in LACKS)  # what a query lacks it lacks without results, too
    cases = [~asked, first, np.isnan(values), silent]
    return np.select(cases, [BEYOND, FIRST, NOBODY, NO_RESULTS], VALUE)
