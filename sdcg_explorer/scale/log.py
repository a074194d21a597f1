"""A log of any size scored whole: read once, cut into parts of whole sessions, and added up.

A session is scored by itself, by the code that reads and scores any study; everything else is a
mean. So what a part comes to are its sessions' scores, and sums by cluster (searchers, or the
sessions of nobody), system and position.
"""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sdcg_explorer.metrics import mean_interval
from sdcg_explorer.questions.query_order import numbers as query_order
from sdcg_explorer.questions.robustness.numbers import session_scores_over
from sdcg_explorer.questions.session_curves import numbers as session_curves
from sdcg_explorer.reading import log_rows, mapping, read, worker
from sdcg_explorer.reading.assemble import no_rows_error, tables_beside
from sdcg_explorer.reading.cells import NUMBER, Findings
from sdcg_explorer.reading.judgments import no_topic
from sdcg_explorer.reading.mapped_table import map_roles
from sdcg_explorer.reading.raw_table import RawTable, arrow_categories
from sdcg_explorer.reading.recipe import FIELDS, Recipe
from sdcg_explorer.reading.table_kinds import as_kind, recognise_table
from sdcg_explorer.scoring import mean_curves, measures
from sdcg_explorer.scoring.base_grid import GRID, BaseGrid
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.mean_curves import Sums, curves_of
from sdcg_explorer.scoring.scores import session_values, sessions_table
from sdcg_explorer.scoring.selection import Sample, Selection, passing
from sdcg_explorer.statistics.two_way import differences_from_sums
from sdcg_explorer.study import report, wording
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.grades import labels_of
from sdcg_explorer.study.machine import free_memory
from sdcg_explorer.study.problems import PLACES, Problem, UnusableInputError, error, note, refuse
from sdcg_explorer.study.study import Study

LEAST_RUNNING, MOST_QUERIES = 30, 50  # positions end where fewer sessions run, and there
MOST_CLUSTERS = 2_000  # searchers that are resampled one by one
GROUPS = 256  # of searchers, where these are more
A_RESULT = 1_000  # bytes that a result takes while its part is scored
MOST_RESULTS = 400_000  # of a part: larger ones are no faster
MOST_PLACES = 20_000_000  # of a part, sessions laid out like the longest
SHORTEST = 8  # queries to which sessions are laid out alike; then to twice as many, and so on
FILE = "file of the log"  # the column that says where a row stood
NUMBERED = ("session", "query_number", "rank")  # the place of a row in its file
ROLES = (*NUMBERED, "doc", "topic", "system", "searcher", "clicked", "examined", "grade")
FREE = ("mapping", "rank_base", "conflicts", "query_numbers", "topics_by", "assessors")
AS_IT_STANDS = "which takes a log as it is. Make one that needs no such option."


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of a log.

    log, judgments : files, read by the recipe · passes : definitions by name, with their
    filters · depth : ranks of Figure 1 · sample : sessions to keep · memory : bytes · plane : a
    score of sessions that is asked over b and bq, in place of all else
    """

    log: str
    judgments: Path
    recipe: Recipe
    passes: Sequence[tuple[str, Definition, Filters]]
    depth: int
    sample: int
    memory: int
    plane: str = ""


@dataclass(frozen=True, eq=False)
class Plan:
    """What all parts are read and scored by, as it was found of the whole log.

    file : the log, as problems name it · judgments : topic, doc and grade of all · grades, systems
    : of the whole · queries : to which sums go · grouped : whether searchers are added up in
    ``GROUPS`` · parts : how many
    """

    asked: Asked
    file: str
    judgments: pd.DataFrame
    grades: tuple[float, ...]
    systems: tuple[str, ...]
    queries: int
    grouped: bool
    parts: int


@dataclass(eq=False)
class PartSums:
    """Sums that parts come to: `by` cluster, a row each, its systems' columns flat, and `over` all.

    names : of the scores · longest : list
    """

    by: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])
    over: dict[str, Any] = field(default_factory=dict[str, Any])
    names: tuple[str, ...] = ()
    longest: int = 1

    def put(self, name: str, sums: Sums, clusters: list[str]) -> None:
        """Hold sums of clusters, of which the last may have none."""
        for of, each in (("values", sums.values), ("over", sums.over)):
            table = pd.DataFrame(each.reshape(len(each), -1), clusters[: len(each)])
            self.by[f"{name} {of}"] = table.reindex(clusters, fill_value=0.0)
        self.over[f"{name} number"] = sums.number

    def add(self, other: PartSums) -> None:
        """Add what another part comes to."""
        for name, table in other.by.items():
            self.by[name] = self.by[name].add(table, fill_value=0.0) if name in self.by else table
        for name, value in other.over.items():
            self.over[name] = self.over[name] + value if name in self.over else value
        self.names, self.longest = other.names or self.names, max(self.longest, other.longest)

    def sums(self, name: str, end: int | None = None) -> Sums:
        """Sums by cluster, in the order of their names, and by system, to a position."""
        number = self.over[f"{name} number"]
        tables = (self.by[f"{name} {of}"].sort_index().to_numpy() for of in ("values", "over"))
        values, over = (each.reshape(len(each), number.shape[1], -1) for each in tables)
        return Sums(values[..., :end], number[..., :end], over[..., :end])


def score_log(
    asked: Asked, engine: Any, sessions: Sequence[Path], tell: Callable[[str], None]
) -> tuple[Plan, list[tuple[Any, ...]], list[Problem]]:
    """Score a log under each definition; its sessions' scores are written on the way.

    With the plan of it, and what the reading had to say. Of each definition: itself, its filters,
    tables by name, and what counts over all.

    Raises
    ------
    UnusableInputError : rows that break a rule, each with how often and the first places
    ValueError : what is not for a log at scale
    """
    for name in asked.recipe.choices:
        if name not in FREE:
            raise ValueError(f"{name} does not work with --engine, {AS_IT_STANDS}")
    if asked.recipe.topics_by not in ("", "one"):
        raise ValueError("--topics-by session does not work with --engine. Leave it out.")
    tell("reading the columns and the judgments")
    try:
        plan, notes, sql = _make_plan(asked, engine)
    except UnusableInputError as refused:
        raise UnusableInputError([*map(_for_engine, refused.problems)]) from None
    totals = [PartSums() for _ in asked.passes]
    problems, writers = dict[tuple[str, str], Problem](), dict[int, Any]()
    with ExitStack() as files:
        for number, (found, broken) in enumerate(engine.results(sql, plan), 1):
            for i, (table, added) in enumerate(found):
                totals[i].add(added)
                if len(table):  # names as text, whatever a part has of them
                    names = dict.fromkeys(table.select_dtypes("category").columns, "str")
                    rows = pa.Table.from_pandas(table.astype(names), preserve_index=False)
                    if i not in writers:
                        writers[i] = files.enter_context(pq.ParquetWriter(sessions[i], rows.schema))
                    writers[i].write_table(rows)
            for new in map(_for_engine, broken):  # one error a rule
                known = problems.get((new.rule, new.remedy), replace(new, count=0, examples=()))
                own = new.examples or (new.file,)
                if {*own} <= {*known.examples}:  # each part says it of the log
                    continue
                places, count = (*known.examples, *own)[:PLACES], known.count + new.count
                problems[new.rule, new.remedy] = replace(known, count=count, examples=places)
            free_memory()  # selections and what they cache are in cycles
            tell(f"{wording.counted(number, 'part')} scored")
    refuse([*problems.values()])
    if not all(total.by for total in totals):
        raise ValueError("the filters leave no session; widen them.")
    for rule, rows in totals[0].over["changes"].items():
        notes.append(note(plan.file, wording.counted(rows, "row"), rule))
    passes = list[tuple[Any, ...]]()
    for total, (_, definition, filters) in zip(totals, asked.passes, strict=True):
        over = {of: int(np.sum(total.over[of])) for of in ("sessions", "queries", "judged")}
        tables = _result_tables(total, plan, definition)
        passes.append((definition.named(plan.grades), filters, tables, over))
    return plan, passes, notes


def _for_engine(problem: Problem) -> Problem:
    """A problem whose remedy is no option that a log at scale is refused."""
    named = re.findall("--(?:set )?([a-z_-]+)", problem.remedy)
    theirs = {name.replace("-", "_") for name in named} & {*FIELDS} - {*FREE}
    return replace(problem, remedy="Correct it, and write the file again.") if theirs else problem


def _make_plan(asked: Asked, engine: Any) -> tuple[Plan, list[Problem], str]:
    """All that parts share, found once over the whole log; and the SQL of their rows."""
    head, files = engine.open(asked.log)
    name = ", ".join(files[:PLACES])
    if not head.num_rows:
        refuse([no_rows_error(name)])
    cells = [pc.fill_null(column.cast(pa.string()), "") for column in head.columns]
    raw = RawTable(name, arrow_categories(pa.table(cells, names=head.column_names)))
    part = as_kind(recognise_table(raw, asked.recipe.mapping), "log", "given as the log")
    found = Findings()
    map_roles(raw, part.columns, mapping.LOG_ROLES, found)
    found.check()
    given = asked.judgments, asked.recipe
    judgments, file, by_topic, said = worker.read_apart(
        read.topic_judgments, *given, where=given[0].name, size=worker.size_of(given[:1])
    )
    notes = [problem for problem in (*found.problems, *said) if problem.severity != "error"]
    size = int(judgments.memory_usage(deep=True).sum())
    if size > asked.memory / 4:
        what = f"judgments of {size / 1e9:.1f} GB in memory"
        rule = f"they take at most a quarter of --memory, {asked.memory / 1e9:.1f} GB"
        remedy = "Give more memory, or leave out judgments of topics that no query is on."
        refuse([error(file, None, what, rule, remedy)])
    columns = {role: column for role, column in part.columns.items() if role in ROLES}
    engine.name_log(columns)
    steps = _create_sessions_table(engine, columns)
    of_all = steps.sum().astype(int)
    if not of_all["results"]:
        refuse([log_rows.no_result_error(name)])
    named = bool(of_all["topics"])
    if named != by_topic or not (named or asked.recipe.topics_by == "one"):
        refuse([no_topic(file) if named else no_topic(name, "", [file] * by_topic)])
    base = asked.recipe.rank_base
    if base == "auto":
        base = "0" if of_all["zeros"] else "1"
        if base == "0":
            notes.append(log_rows.zero_rank_warning(name, int(of_all["results"])))
    texts = _texts(engine, "system") if "system" in columns else [""]
    systems = {*filter(None, texts)} or {log_rows.ONE_SYSTEM}
    systems |= {log_rows.NO_SYSTEM} if len(texts) > len(systems) else set()
    given = _texts(engine, "grade") if "grade" in columns else []  # what is none is refused later
    own = np.array([float(text) for text in given if NUMBER.fullmatch(text.strip())])
    clusters = "case when who = '' then concat('1', session) else concat('0', who) end"
    results = min(MOST_RESULTS, max(10_000, asked.memory // 4 // A_RESULT))
    sql, parts = _partition_sql(steps, results, [*columns, FILE])
    plan = Plan(
        replace(asked, recipe=replace(asked.recipe, rank_base=base)),
        name,
        judgments,
        tuple(labels_of(judgments["grade"].to_numpy(float), own).tolist()),
        tuple(sorted(systems)),
        min(MOST_QUERIES, int(steps["longest"].max())),
        len(_texts(engine, clusters, f"sessions limit {MOST_CLUSTERS + 1}")) > MOST_CLUSTERS,
        parts,
    )
    for _, definition, filters in asked.passes:
        definition.gains(plan.grades)
        for system in filters.systems:
            if system not in plan.systems:
                raise ValueError(f"no system {system!r}; the log has {', '.join(plan.systems)}")
    return plan, notes, sql


def _texts(engine: Any, what: str, of: str = "log") -> list[str]:
    """Distinct texts of a column."""
    return engine.rows(f"select distinct {what} as text from {of}").column("text").to_pylist()


def _create_sessions_table(engine: Any, columns: Mapping[str, str]) -> pd.DataFrame:
    """Have the engine keep the sessions; what they come to by step, those that are laid out alike.

    Each has its place by the md5 of its name, a number of 32 bits.
    """
    searcher, topic = (role if role in columns else "''" for role in ("searcher", "topic"))
    step = f"greatest(0, cast(ceil(log2(queries / {float(SHORTEST)})) as int))"
    engine.table(
        "sessions",
        f"select *, {step} as step, {engine.key.format('session')} as place from (select session, "
        f"min({searcher}) as who, count(*) as size, count(distinct query_number) as queries, "
        f"count(nullif(trim({topic}), '')) as topics, count(nullif(trim(rank), '')) as results, "
        "count(case when try_cast(rank as double) = 0 then 1 end) as zeros "
        "from log group by session) as each",
    )
    return engine.rows(
        "select step, count(*) as sessions, max(queries) as longest, sum(size) as size, "
        "sum(topics) as topics, sum(results) as results, sum(zeros) as zeros "
        "from sessions group by step order by step"
    ).to_pandas()


def _partition_sql(steps: pd.DataFrame, results: int, names: Sequence[str]) -> tuple[str, int]:
    """SQL of the log's rows, each with its part, and how many these are.

    A part goes by the place of its session, long ones apart.
    """
    first, cases = 0, list[str]()
    for step, sessions, size in steps[["step", "sessions", "size"]].astype(int).to_numpy().tolist():
        places = sessions * SHORTEST * 2**step * 20
        number = max(-(-size // results), -(-places // MOST_PLACES))
        cases.append(f"when {step} then {first} + cast(floor(place * {number} / {2.0**32}) as int)")
        first += number
    listed = ", ".join(f'log."{name}"' for name in names)
    sql = (
        f"select {listed}, case step {' '.join(cases)} end as part "
        "from log join sessions on log.session = sessions.session"
    )
    return sql, first


def sample_study(plan: Plan, engine: Any) -> Study:
    """Whole sessions, chosen by the md5 of their searchers, as a study that the app opens."""
    whose = engine.key.format("case when who = '' then session else who end")
    chosen = f"select session from sessions order by {whose}, session limit {plan.asked.sample}"
    rows = engine.rows(f"select log.* from log where session in ({chosen})")
    study = part_study(rows, replace(plan, grades=()))
    (of,) = engine.rows("select count(*) as n from sessions").to_pylist()
    note = (
        f"{len(study.sessions):,} of {of['n']:,} sessions, chosen by the md5 of the searcher, or "
        "of the session where none is named."
    )
    return study.put(name=f"{Path(plan.file).stem}, a sample", note=note)


@dataclass(frozen=True)
class PartRows(RawTable):
    """Rows of a part: their places are those that a row has in any order of rows."""

    files: Any = ()

    def place(self, row: int) -> tuple[str, None]:
        """File, session, query and rank of a row."""
        named = (f"{n.split('_')[0]} {str(self.rows[n].iloc[row])!r}" for n in NUMBERED)
        return ", ".join([self.files[row].as_py(), *named]), None


def part_study(table: Any, plan: Plan) -> Study:
    """The study of a part's rows, a pyarrow Table of text whose columns go by their roles.

    Raises
    ------
    UnusableInputError : rows that break a rule, with session, query and rank as their places
    """
    cells = arrow_categories(table.drop_columns([FILE]))
    raw, found = PartRows(plan.file, cells, files=table.column(FILE)), Findings()
    log = map_roles(raw, {name: name for name in raw.header}, mapping.LOG_ROLES, found)
    rows = log_rows.read_log_rows(log, found, plan.asked.recipe)
    none = log_rows.no_result_error(raw.file)  # others have some
    found.problems = [each for each in found.problems if each != none]
    found.check()
    topics = log_rows.text_of(rows.columns, "topic").cat.categories
    judged = plan.judgments[plan.judgments["topic"].isin(topics)].reset_index(drop=True)
    tables = tables_beside(rows, judged, found)
    found.check(last=True)
    own = *tables, judged, report.Report(plan.file, changes=found.changes)
    return Study(plan.file, *own, grades_of_all=plan.grades)


Result = tuple[list[tuple[pd.DataFrame, PartSums]], list[Problem]]


def score_part(table: Any, plan: Plan) -> Result:
    """What a part comes to under each definition, or what of its rows breaks a rule."""
    try:
        return [*_score_part(part_study(table, plan), plan)], []
    except UnusableInputError as refused:
        return [], refused.problems


def _score_part(study: Study, plan: Plan) -> Iterator[tuple[pd.DataFrame, PartSums]]:
    """Sessions' scores and sums of a part, under each definition that is asked for."""
    asked, whose = plan.asked, _session_cluster_names(study, grouped=plan.grouped)

    def select(definition: Definition, filters: Filters) -> Selection:
        own = study.block(max(DEPTH, definition.top, asked.depth), definition.arrangement)
        names = (name if name in plan.systems else log_rows.NO_SYSTEM for name in own.system_names)
        places = np.array([plan.systems.index(name) for name in names])
        block = replace(own, systems=places[own.systems], system_names=plan.systems)
        structure = definition.top, definition.repeats, definition.short_lists
        sample = Sample(block, passing(block, filters, part=True), *structure)
        vars(sample).update(clusters=np.unique(whose[sample.sessions], return_inverse=True)[1])
        return Selection(sample, definition)

    for _, definition, filters in asked.passes:
        chosen, added, table = select(definition, filters), PartSums(), pd.DataFrame()
        sample = chosen.sample
        added.over["changes"] = Counter(study.report.repaired | study.report.left_out)
        if sample.sessions.size:
            clusters = np.unique(whose[sample.sessions]).tolist()
            added.over |= {
                "sessions": np.bincount(sample.systems, minlength=len(plan.systems)),
                "judged": int(sample.judged.sum()),
                "queries": int(sample.queries.sum()),
            }
            if asked.plane:
                parts = [session_scores_over(BaseGrid(of), asked.plane) for of in chosen.parts()]
                scores = np.concatenate([each.reshape(len(each), -1) for each in parts])
                scores[~np.isfinite(scores).all(axis=1)] = np.nan
            else:
                values = [session_values(measures.Measured(each)) for each in chosen.parts()]
                table = sessions_table(study, chosen, values)
                added.names = tuple(str(n) for n, of in table.items() if of.dtype.kind == "f")
                added.longest = sample.ranks(asked.depth)
                scores = table[[*added.names]].to_numpy()
                full = select(query_order.with_full_lists(definition), filters)
                _add_curve_sums(added, chosen, full, plan, clusters)
            added.put("score", mean_curves.score_sums(sample, scores), clusters)
        yield table, added


def _session_cluster_names(study: Study, *, grouped: bool) -> Any:
    """Name of each session's cluster (S,): its searcher, or itself, or the group of either.

    Searchers stand before sessions of nobody, as they do in a whole study; groups go by the first
    byte of the md5.
    """
    session, searcher = (study.sessions[name].astype("str") for name in ("session", "searcher"))
    names = ("0" + searcher).fillna("1" + session).tolist()
    if grouped:
        digests = (hashlib.md5(name[1:].encode(), usedforsecurity=False) for name in names)
        names = [f"{digest.digest()[0]:03}" for digest in digests]
    return np.array(names)


def _add_curve_sums(
    added: PartSums, chosen: Selection, full: Selection, plan: Plan, clusters: list[str]
) -> None:
    """Sums of session curves by position, and of Figure 1 by rank."""
    sample, positions = chosen.sample, plan.queries * chosen.sample.top
    if chosen.continues:  # ideals, after a session's last query, too
        most, own = max(plan.queries, sample.most_queries), sample.clusters
        vars(sample := sample.take(slice(None))).update(most_queries=most, clusters=own)
    wide = Selection(sample, chosen.definition)
    sums, rows = mean_curves.session_sums(wide, 1, by_cluster=True)
    for name, of in zip(("raw", "share"), sums, strict=True):
        added.put(name, of.to(positions), clusters)
    most = plan.queries if sample.short_lists == "pad" else positions
    running = session_curves.running_counts(sample, rows)[:, :most]
    added.over["running"] = np.pad(running, ((0, 0), (0, most - running.shape[1])))
    drawn = query_order.CurveChoices(plan.asked.depth)
    for split in query_order.SPLITS:
        counts = query_order.count_query_groups(full, split, drawn)
        added.put(split, query_order.query_sums(full, counts, drawn).to(drawn.depth), clusters)


def _result_tables(total: PartSums, plan: Plan, definition: Definition) -> dict[str, pd.DataFrame]:
    """What all parts come to under one definition."""
    shown = np.flatnonzero(total.over["sessions"]).tolist()
    if plan.asked.plane:
        return {"robustness": _robustness_table(total.sums("score"), shown, plan)}
    running = total.over["running"]
    step = definition.top if definition.short_lists == "pad" else None
    end = max(1, int((running.sum(axis=0) >= LEAST_RUNNING).sum()))
    positions = end * (step or 1)

    def curves(name: str) -> list[mean_curves.MeanCurve]:
        """To the last cluster that any judged session is of, as they are of a whole study."""
        of = total.sums(name, positions)
        last = int(np.flatnonzero(of.over[:, :, 0].any(axis=1)).max(initial=-1)) + 1
        return curves_of(Sums(of.values[:last], of.number, of.over[:last]), bands=True)

    raw, share = curves("raw"), curves("share")
    each = tuple(
        session_curves.SystemCurves(plan.systems[i], 1, raw[i], share[i], running[i][:end])
        for i in shown
    )
    most, judged = end if step else plan.queries, total.over["judged"]
    others = int(np.sum(total.over["sessions"])) - judged
    whole = session_curves.SessionCurves(each, positions, step, most, judged, others, bands=True)
    queries = [
        query_order.QueryCurve(**vars(of), system=system, group=group, queries=int(of.sessions[0]))
        for split, groups in query_order.SPLITS.items()
        for i, of in enumerate(curves_of(total.sums(split), bands=True))
        for system, group in [(plan.systems[i // 2], groups[i % 2])]
        if i // 2 in shown
    ]
    means = curves_of(total.sums("score"), bands=True, interval=mean_interval)
    columns = ["system", "score", "sessions", "mean", "low", "high"]
    scores = (
        pd.DataFrame({"system": plan.systems[i], "score": total.names, **vars(means[i])})[columns]
        for i in shown
    )
    return {
        "session_curves": whole.table(),
        "query_order": query_order.curves_table(queries, total.longest),
        "scores": pd.concat(scores, ignore_index=True),
    }


def _robustness_table(of: Sums, shown: Sequence[int], plan: Plan) -> pd.DataFrame:
    """Difference of the means of every two systems at each b and bq, second less first."""
    if len(shown) < 2:
        raise ValueError("a log of one system has no difference; sdcg score gives its means.")
    b, bq = (each.ravel() for each in np.meshgrid(GRID, GRID, indexing="ij"))
    tables = list[pd.DataFrame]()
    for i, j in combinations(shown, 2):
        found = differences_from_sums(of.values, of.over, i, j)
        low, high = found.interval()
        own = {"score": plan.asked.plane, "system_a": plan.systems[i], "system_b": plan.systems[j]}
        own |= {"b": b, "bq": bq, "difference": found.value, "low": low, "high": high}
        tables.append(pd.DataFrame(own))
    return pd.concat(tables, ignore_index=True)
