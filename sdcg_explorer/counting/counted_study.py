"""Counts of a log as what was observed: rows are groups of sessions alike, so many in each.

Means are made of it as of any study (study/observed.py). What takes single sessions, it has not:
to ask its arrays for it raises `NeedsSessionsError`.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcg_explorer.study.arrangement import AS_SHOWN, Arrangement
from sdcg_explorer.study.arrays import Bools, Ints
from sdcg_explorer.study.grade_cube import DEPTH, Block
from sdcg_explorer.study.observed import NeedsSessionsError, Observed
from sdcg_explorer.study.own_judgments import Layer
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.study import in_order
from sdcg_explorer.study.tags import Tags
from sdcg_explorer.study.written import Written

if TYPE_CHECKING:
    from sdcg_explorer.counting.counted import Counted

NOBODY = "topics nobody judged"
BUCKETS = 256
GROUPS = f"up to {BUCKETS} groups"  # of sessions, which intervals resample
TABLES = ("layouts", "groups", "lists", "counts", "judged", "shown")  # of a counts folder
SINGLE = ("codes", "seen_at", "observed", "things")  # arrays of a block that counts have not
REMARK = "Counted from a log: means without single sessions. "
INTERVALS = (
    f"Intervals resample {GROUPS} of sessions, each searcher's in one, in place of searchers."
)
NO_INTERVALS = "There are no intervals: it was counted without."


class CountedBlock(Block):
    """Arrays of groups of sessions (K,) in place of sessions, `number` in each, without codes.

    list_group, list_query (N,) : group of each list, and its query from 0 · list, rank, code,
    repeat, results (C,) : the cells that were counted, ranks from 0 · top, short_lists : to which
    they were · shown (G, top) : all results by system and rank · totals : of the log, by name
    """

    top: int
    short_lists: str | int
    list_group: Ints
    list_query: Ints
    list: Ints
    rank: Ints
    code: Ints
    repeat: Ints
    results: Ints
    shown: Ints
    totals: dict[str, int]

    def __init__(self, counted: Counted) -> None:
        for name, values in _arrays(counted).items():
            self.__dict__[name] = values

    def __getattr__(self, name: str) -> Any:
        if name in SINGLE:
            raise NeedsSessionsError("single results")
        raise AttributeError(name)

    @property
    def named(self) -> Bools:
        """None: buckets stand for searchers."""
        return np.zeros(self.queries.size, dtype=np.bool_)


def _arrays(counted: Counted) -> dict[str, Any]:
    """What a block holds, and the counts."""
    wide = (_columns(counted, name) for name in TABLES if name != "counts")
    layouts, groups, lists, judged, shown = wide
    counts = {str(name): column.to_numpy() for name, column in counted.tables["counts"].items()}
    layout, number = layouts["layout"], layouts["query_number"] - 1
    asked = np.bincount(layout)
    shape = asked.size, int(asked.max(initial=0))
    topics, cells = np.full(shape, -1), np.zeros(shape, dtype=np.int64)
    nobody = len(counted.topics)
    topics[layout, number] = np.where(layouts["topic"] < 0, nobody, layouts["topic"])
    cells[layout, number] = layouts["cells"]
    profile = np.zeros((nobody + 1, len(counted.grades)), dtype=np.int64)
    profile[judged["topic"], judged["code"]] = judged["documents"]
    results = np.zeros((len(counted.systems), counted.top), dtype=np.int64)
    results[shown["system"], shown["rank"] - 1] = shown["results"]
    whose = groups["layout"]
    queries = asked[whose]
    of = np.repeat(np.arange(whose.size), queries)
    number = np.arange(of.size, dtype=np.int32)
    return {
        "lengths": cells[whose],
        "topics": topics[whose],
        "queries": queries,
        "systems": groups["system"],
        "searchers": groups["bucket"],  # which stand for searchers where these are resampled
        "by_name": np.arange(whose.size),
        "judged": profile,
        "labels": counted.grades,
        "system_names": counted.systems,
        "topic_names": (*counted.topics, NOBODY),
        "searcher_names": (),
        "top": counted.top,
        "short_lists": counted.short_lists,
        "number": groups["sessions"],
        "list_group": of,
        "list_query": number - np.repeat(np.cumsum(queries) - queries, queries),
        "list": np.repeat(number, lists["counts"]),
        **counts,
        "rank": counts["rank"] - 1,
        "shown": results,
        "totals": counted.totals,
    }


def _columns(counted: Counted, name: str) -> dict[str, Ints]:
    table = counted.tables[name]
    return {str(column): table[column].to_numpy(dtype=np.int64) for column in table}


class CountedStudy(Observed):
    """The counts of a log, `Observed` as a study is, but for its single sessions."""

    def __init__(self, counted: Counted, name: str = "", note: str = "") -> None:
        self.counted, self.name, self.note = counted, name or counted.name, note
        self.report, self.tags, self.layer, self.written = Report(), Tags(), Layer(), Written()

    def block(self, depth: int = DEPTH, how: Arrangement = AS_SHOWN) -> CountedBlock:
        """Groups of sessions, whose lists are known to the top that was counted.

        Raises
        ------
        NeedsSessionsError : an arrangement that changes lists
        """
        if how != AS_SHOWN:
            raise NeedsSessionsError("single results (their own grades, those noticed or judged)")
        return self._groups

    @cached_property
    def _groups(self) -> CountedBlock:
        return CountedBlock(self.counted)

    def put(self, **words: Any) -> CountedStudy:
        """The same counts by another name, note or texts; they have no queries to tag."""
        said = {"name": self.name, "note": self.note, **words}
        other = CountedStudy(self.counted, said["name"], said["note"])
        other.written = words.get("written", self.written)
        return other

    def checked(self) -> dict[str, object]:
        """What was counted, under the names of `sdcg check --json` where it has them."""
        block, shown = self._groups, self.counted.tables["shown"]["results"]
        judged = np.append(block.judged_topics, False)[block.topics].any(axis=1)
        results, totals = int(shown.sum()), self.counted.totals
        return {
            "sessions": int(block.number.sum()),
            "queries": int((block.queries * block.number).sum()),
            "results": totals.get("results", results),
            "judgments": int(block.judged.sum()),
            "topics_judged": len(self.topics),
            "systems": len(block.system_names),
            "sessions_without_judgments": int(block.number[~judged].sum()),
            "judged_share": float(block.results.sum()) / results if results else None,
            "counted_to_rank": self.counted.top,
            "short_lists": str(self.counted.short_lists),
            **{k: v for k, v in totals.items() if k not in ("sessions", "queries", "results")},
            "left_out": {},
            "repaired": {},
            "problems": [],
        }

    def depth_to(self, depth: int) -> int:
        """Ranks that are known, at most so many."""
        return min(depth, self.counted.top)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What counts are, and their note."""
        said = INTERVALS if self.counted.buckets > 1 else NO_INTERVALS
        return REMARK + said, self.note

    @property
    def lacks(self) -> str:
        """Single sessions."""
        return str(NeedsSessionsError())

    @property
    def rows(self) -> int:
        """Cells that were counted."""
        return len(self.counted.tables["counts"])

    def own_files(self) -> dict[str, bytes]:
        """Contents of their folder."""
        from sdcg_explorer.counting.counted import write_counted

        with TemporaryDirectory() as folder:
            write_counted(self.counted, Path(folder))
            return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}

    def judged_by_rank(self, deepest: int) -> tuple[Ints, Ints, Ints]:
        """Ranks that were counted and have any result, results there, and judged ones."""
        block = self._groups
        results = block.shown.sum(axis=0)
        judged = np.bincount(block.rank, block.results, minlength=results.size)
        known = np.flatnonzero(results)
        return known + 1, results[known], judged[known].astype(np.int64)

    def repeats_by_document(self, groups: Ints, top: int) -> None:
        """Nobody knows: repeats were counted by topic."""
        return

    @cached_property
    def problems(self) -> list[Problem]:
        """None: what breaks a rule was refused before it was counted."""
        return []

    @cached_property
    def digest(self) -> str:
        """That of the counts."""
        return self.counted.digest

    @property
    def labels(self) -> tuple[float, ...]:
        """Grades that the judgments use, in ascending order."""
        return self.counted.grades

    @cached_property
    def grade_counts(self) -> tuple[int, ...]:
        """Judgments with each of the labels, of topics that were asked."""
        return tuple(self._groups.judged.sum(axis=0).tolist())

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Judged topics that queries are on."""
        return in_order(self.counted.topics)

    @cached_property
    def busiest_topic(self) -> str:
        """The topic of the most sessions, by their first queries."""
        block = self._groups
        sessions = np.bincount(block.topics[:, 0], block.number, minlength=len(self.topics))
        return block.topic_names[int(np.argmax(sessions[: len(self.topics)]))]
