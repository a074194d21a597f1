"""A part of a log, of whole sessions: read and scored by the code that reads and scores any study.

Sessions are scored each by itself; everything else is a mean. So what a part comes to are its
sessions' scores, and sums by cluster (searchers, or the sessions of nobody), system and position.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Bools, Floats, Ints
from sdcg_explorer.analysis.curves.mean_curves import session_sums
from sdcg_explorer.analysis.curves.query_order import (
    SPLITS,
    Drawn,
    query_counts_of,
    query_sums,
    with_full_lists,
)
from sdcg_explorer.analysis.curves.session_curves import running_of
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.base_grid import Plane
from sdcg_explorer.analysis.robustness.robustness import session_scores_over
from sdcg_explorer.analysis.selection.selection import Sample, Selection, passing
from sdcg_explorer.analysis.sessions.other_measures import Measured
from sdcg_explorer.analysis.sessions.scores import session_values, sessions_table
from sdcg_explorer.metrics import group_sums
from sdcg_explorer.reading.assemble import tables_beside
from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.log_rows import no_result, read_log_rows
from sdcg_explorer.reading.mapped_table import mapped
from sdcg_explorer.reading.mapping import LOG_ROLES
from sdcg_explorer.reading.raw_table import RawTable, arrow_categories
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.study.grade_cube import DEPTH, Block
from sdcg_explorer.study.problems import Problem, UnusableInputError
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.result_rows import NEVER
from sdcg_explorer.study.study import Study

GROUPS = 256  # of searchers, where these are too many to be resampled one by one
FILE = "file of the log"  # the column that says where a row stood, of several files
NUMBERED = ("session", "query_number", "rank")  # the place of a row


@dataclass(frozen=True, eq=False)
class Plan:
    """What all parts are read and scored by, as it was found of the whole log.

    file : the log, as problems name it · judgments : topic, doc and grade of all · grades, systems
    : of the whole · queries : to which sums go · grouped : whether searchers are added up in
    ``GROUPS`` · asked : name, definition and filters of each pass · depth : ranks of Figure 1
    · plane : a score of sessions that is asked over b and bq, in place of all else
    """

    file: str
    rules: Rules
    judgments: pd.DataFrame
    grades: tuple[float, ...]
    systems: tuple[str, ...]
    queries: int
    grouped: bool
    asked: tuple[tuple[str, Definition, Filters], ...]
    depth: int
    plane: str = ""


@dataclass(eq=False)
class Added:
    """Sums that parts come to: `by` cluster, its first axis as `clusters` have it, and `over` all.

    most : the largest of what parts have, by name · names : of the scores · changes : rows that
    were repaired or left out, by rule
    """

    clusters: list[str] = field(default_factory=list[str])
    by: dict[str, Any] = field(default_factory=dict[str, Any])
    over: dict[str, Any] = field(default_factory=dict[str, Any])
    most: dict[str, int] = field(default_factory=dict[str, int])
    names: tuple[str, ...] = ()
    changes: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: Added) -> None:
        """Add what another part comes to."""
        places = {name: i for i, name in enumerate(self.clusters)}
        rows = np.array([places.setdefault(name, len(places)) for name in other.clusters])
        for name, values in other.by.items():
            known = self.by.get(name, np.zeros((0, *values.shape[1:])))
            more = len(places) - len(known)
            known = np.concatenate([known, np.zeros((more, *known.shape[1:]))]) if more else known
            np.add.at(known, rows, values)
            self.by[name] = known
        self.clusters, self.names = [*places], other.names or self.names
        for name, values in other.over.items():
            self.over[name] = self.over.get(name, 0) + values
        self.changes += other.changes
        for name, value in other.most.items():
            self.most[name] = max(self.most.get(name, 0), value)


def study_of(table: Any, plan: Plan) -> Study:
    """The study of a part's rows, a pyarrow Table of text whose columns go by their roles.

    Raises
    ------
    UnusableInputError : rows that break a rule, with session, query and rank as their places
    """
    files = table.column(FILE).to_pylist() if FILE in table.column_names else None
    raw = RawTable(plan.file, arrow_categories(table.drop_columns([FILE] if files else [])))
    found = Findings()
    try:
        log = mapped(raw, {name: name for name in raw.header}, LOG_ROLES, found)
        rows = read_log_rows(raw, log.cells, log.extras, found, plan.rules)
        if not (rows.rank > 0).any():  # of other parts there are
            found.problems.remove(no_result(raw.file))
        found.check()
        topics = {*rows.columns["topic"].cat.categories} if "topic" in rows.columns else {""}
        judged = plan.judgments[plan.judgments["topic"].isin(topics)].reset_index(drop=True)
        sessions, queries, results = tables_beside(rows, judged, found)
        found.check(last=True)
    except UnusableInputError as refused:
        problems = [_placed(each, raw, files) for each in refused.problems]
        raise UnusableInputError(problems) from None
    report = Report(plan.file, changes=found.changes)
    return Study(plan.file, sessions, queries, results, judged, report, grades_of_all=plan.grades)


def _placed(problem: Problem, raw: RawTable, files: list[str] | None) -> Problem:
    """A problem whose places are those that a row has in any order of rows."""
    if problem.line is None:
        return problem
    lines = [problem.line, *(int(each.rpartition(" ")[2]) for each in problem.examples[1:])]
    places = [
        ", ".join(
            [
                files[line - 2] if files else raw.file,
                *(
                    f"{name.split('_')[0]} {str(raw.rows[name].iloc[line - 2])!r}"
                    for name in NUMBERED
                    if name in raw.rows
                ),
            ]
        )
        for line in lines
    ]
    return replace(problem, file=places[0], line=None, examples=tuple(places))


Result = tuple[list[tuple[pd.DataFrame, Added]], list[Problem]]


def scored_part(table: Any, plan: Plan) -> Result:
    """What a part comes to under each definition, or what of its rows breaks a rule."""
    try:
        return [*scored(study_of(table, plan), plan)], []
    except UnusableInputError as refused:
        return [], refused.problems


def scored(study: Study, plan: Plan) -> Iterator[tuple[pd.DataFrame, Added]]:
    """Sessions' scores and sums of a part, under each definition that is asked for."""
    blocks = dict[Any, Block]()

    def select(definition: Definition, filters: Filters) -> Selection:
        key = max(DEPTH, definition.top, plan.depth), definition.arrangement
        if key not in blocks:  # with the systems of the whole
            own = study.block(*key)
            places = np.array([plan.systems.index(name) for name in own.system_names])
            named = replace(own, systems=places[own.systems], system_names=plan.systems)
            blocks[key] = named
        block, structure = blocks[key], (definition.top, definition.repeats, definition.short_lists)
        return Selection(Sample(block, _passing(block, filters), *structure), definition)

    for _, definition, filters in plan.asked:
        chosen, added, table = select(definition, filters), Added(), pd.DataFrame()
        sample = chosen.sample
        for change in study.report.changes:
            added.changes[change.rule] += change.lines.size
        if sample.sessions.size:
            added.clusters, whose = _clusters(study, sample, plan)
            added.over = {
                "sessions": np.bincount(sample.systems, minlength=len(plan.systems)),
                "judged": int(sample.judged.sum()),
                "queries": int(sample.queries.sum()),
            }
            if plan.plane:
                parts = (session_scores_over(Plane(each), plan.plane) for each in chosen.parts())
                scores = np.concatenate([each.reshape(len(each), -1) for each in parts])
                everywhere = np.asarray(np.isfinite(scores).all(axis=1), dtype=np.bool_)[:, None]
                added.by = _by_cluster(sample, whose, scores, everywhere)
            else:
                values = [session_values(Measured(each)) for each in chosen.parts()]
                table = sessions_table(study, chosen, values)
                names = [str(name) for name, each in table.items() if each.dtype.kind == "f"]
                scores = table[names].to_numpy()
                added.names, added.most = tuple(names), {"list": sample.ranks(plan.depth)}
                added.by = _by_cluster(sample, whose, scores, ~np.isnan(scores))
                full = select(with_full_lists(definition), filters)
                _add_curves(added, _wide(chosen, plan.queries), full, plan, whose)
        yield table, added


def _passing(block: Block, filters: Filters) -> Ints:
    """Rows that pass, of a part that lacks some of the names that filters have."""
    known: dict[str, tuple[str, ...]] = {}
    for role in ("system", "topic", "searcher"):
        asked, names = getattr(filters, f"{role}s"), {*getattr(block, f"{role}_names")}
        known[f"{role}s"] = tuple(name for name in asked if name in names)
        if asked and not known[f"{role}s"]:
            return np.empty(0, dtype=np.int64)
    return passing(block, replace(filters, **known))


def _by_cluster(sample: Sample, whose: Ints, scores: Floats, known: Bools) -> dict[str, Floats]:
    """Scores (S, K) added up by cluster and system, and how many are known."""
    systems = len(sample.block.system_names)
    place, size = whose * systems + sample.systems, (int(whose.max()) + 1) * systems
    by = dict[str, Floats]()
    for name, each in (("values", np.where(known, scores, 0.0)), ("number", known.astype(float))):
        by[f"score {name}"] = group_sums(each, place, size).reshape(-1, systems, each.shape[1])
    return by


def _add_curves(added: Added, wide: Selection, full: Selection, plan: Plan, whose: Ints) -> None:
    """Sums of session curves by position, and of Figure 1 by rank."""
    sample, positions = wide.sample, plan.queries * wide.sample.top
    for each in (sample, full.sample):
        vars(each).update(clusters=whose)
    (raw, share), rows = session_sums(wide, 1, by_cluster=True)
    for name, of in {"raw": raw, "share": share}.items():
        for part, values in (("values", of.values), ("over", of.over)):
            more = len(added.clusters) - len(values)  # the last ones, without judged sessions
            padded = np.pad(_to(values, positions), ((0, more), (0, 0), (0, 0)))
            added.by[f"{name} {part}"] = padded
        added.over[f"{name} number"] = _to(of.number[0], positions)
    running = running_of(sample, rows)
    most = plan.queries if sample.short_lists == "pad" else positions
    more = max(0, most - running.shape[1])
    added.over["running"] = np.pad(running[:, :most], ((0, 0), (0, more)))
    for split in SPLITS:
        counts = query_counts_of(full, split, drawn := Drawn(plan.depth))
        worth, added.by[f"{split} over"] = query_sums(full, counts, drawn)
        added.by[f"{split} values"] = _to(worth, plan.depth)
        added.over[f"{split} queries"] = counts.queries


def _wide(chosen: Selection, queries: int) -> Selection:
    """The same with room for so many queries, where ideals go on after a session's last."""
    block = chosen.sample.block
    if not chosen.continues or queries <= chosen.sample.most_queries:
        return chosen
    nothing = {"codes": block.empty, "seen_at": NEVER, "lengths": 0, "observed": -1, "topics": -1}
    nothing |= {} if block.things is None else {"things": -1}
    padded = dict[str, Any]()
    for name, empty in nothing.items():
        values = getattr(block, name)
        sides = ((0, 0), (0, max(0, queries - values.shape[1])), (0, 0))[: values.ndim]
        padded[name] = np.pad(values, sides, constant_values=empty)
    sample = replace(chosen.sample, block=replace(block, **padded))
    vars(sample).update(most_queries=queries)
    return Selection(sample, chosen.definition)


def _to(values: Floats, positions: int) -> Floats:
    """Values whose last axis has so many positions: cut, or at their last value."""
    sides = [(0, 0)] * (values.ndim - 1) + [(0, max(0, positions - values.shape[-1]))]
    return np.pad(values[..., :positions], sides, mode="edge")


def _clusters(study: Study, sample: Sample, plan: Plan) -> tuple[list[str], Ints]:
    """Names of clusters, and the place of each session's, (S,): searchers, or groups of them.

    Searchers stand before sessions of nobody, as they do in a whole study.
    """
    _, first = np.unique(sample.clusters, return_index=True)
    block, sessions = sample.block, sample.sessions[first]
    alone, searchers = study.sessions["session"].array, block.searchers[sessions].tolist()
    names = [
        f"0{block.searcher_names[code]}" if code >= 0 else f"1{alone[session]}"
        for code, session in zip(searchers, sessions.tolist(), strict=True)
    ]
    if not plan.grouped:
        return names, sample.clusters
    groups = np.array([group_of(name[1:]) for name in names])
    some, place = np.unique(groups, return_inverse=True)
    return [f"{each:03}" for each in some.tolist()], place[sample.clusters]


def group_of(name: str) -> int:
    """Which of ``GROUPS`` a searcher, or a session of nobody, is in: the first byte of its md5."""
    text = unicodedata.normalize("NFC", name)
    return hashlib.md5(text.encode(), usedforsecurity=False).digest()[0]
