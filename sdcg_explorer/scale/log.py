"""A log of any size scored whole: read once, parted, scored part by part, added up, written."""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sdcg_explorer.analysis.curves.mean_curves import Sums, curves_of
from sdcg_explorer.analysis.curves.query_order import SPLITS
from sdcg_explorer.analysis.curves.session_curves import SessionCurves, SystemCurves
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.robustness.base_grid import GRID
from sdcg_explorer.analysis.statistics.fit import reach_of
from sdcg_explorer.metrics import bootstrap_interval, mean_interval, normalised
from sdcg_explorer.reading.assemble import judgments_of, no_row
from sdcg_explorer.reading.cells import NUMBER, Findings
from sdcg_explorer.reading.judgments import judgment_key, no_topic, read_judgments, with_assessors
from sdcg_explorer.reading.log_rows import NO_SYSTEM, ONE_SYSTEM, from_zero
from sdcg_explorer.reading.mapped_table import mapped
from sdcg_explorer.reading.mapping import LOG_ROLES
from sdcg_explorer.reading.raw_table import RawTable, arrow_categories
from sdcg_explorer.reading.read import read_parts
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.reading.table_kinds import columns_of, recognised, taken_as
from sdcg_explorer.scale.part import FILE, Added, Plan, study_of
from sdcg_explorer.study.grades import labels_of
from sdcg_explorer.study.problems import PLACES, Problem, error, note, refuse
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted

LEAST_RUNNING, MOST_QUERIES = 30, 50  # positions end where fewer sessions run, and there
MOST_CLUSTERS = 2_000  # searchers that are resampled one by one
A_RESULT = 1_000  # bytes that a result takes while its part is scored
MOST_RESULTS = 400_000  # of a part: larger ones are no faster
MOST_PLACES = 20_000_000  # of a part, sessions laid out like the longest
SHORTEST = 8  # queries to which sessions are laid out alike; then to twice as many, and so on
ROLES = ("session", "query_number", "rank", "doc", "topic", "system", "searcher")
MARKS = ("clicked", "examined", "grade")
FREE = ("rank_base", "conflicts", "query_numbers", "topics_by", "assessors")


@dataclass(frozen=True)
class Asked:
    """What is asked of a log: files, how they are read, passes by name, ranks of Figure 1."""

    log: str
    judgments: Path
    mapping: Mapping[str, str]
    rules: Rules
    passes: Sequence[tuple[str, Definition, Filters]]
    depth: int
    sample: int
    memory: int
    plane: str = ""


@dataclass(frozen=True)
class Scored:
    """A log under one definition: tables by name; sessions, queries, and sessions that count."""

    definition: Definition
    filters: Filters
    grades: tuple[float, ...]
    tables: dict[str, pd.DataFrame]
    sessions: int
    queries: int
    judged: int


@dataclass(frozen=True)
class Found:
    """What was scored, pass by pass, and what one should know of the reading.

    grouped : whether intervals resample groups of searchers · sample : sessions that were asked for
    """

    file: str
    passes: tuple[Scored, ...]
    notes: tuple[Problem, ...]
    grouped: bool
    sample: Study | None


def score_log(
    asked: Asked, engine: Any, sessions: Sequence[Path], tell: Callable[[str], None]
) -> Found:
    """Score a log under each definition; its sessions' scores are written on the way.

    Raises
    ------
    UnusableInputError : rows that break a rule, each with how often and the first places
    ValueError : what is not for a log at scale
    """
    _refuse_others(asked)
    tell("reading the columns and the judgments")
    plan, notes, sql = _planned(asked, engine)
    totals = [Added() for _ in asked.passes]
    problems = dict[tuple[str, str], Problem]()
    for number, (passes, broken) in enumerate(engine.results(sql, plan, sessions), 1):
        for total, found in zip(totals, passes, strict=False):
            if found is not None:
                total.add(found)
        for problem in broken:
            _merge(problems, problem)
        tell(f"{counted(number, 'part')} scored")
    refuse([*problems.values()])
    each = zip(totals, asked.passes, strict=True)
    scored = tuple(_scored(total, plan, *view[1:]) for total, view in each)
    for rule, rows in totals[0].changes.items():
        notes.append(note(plan.file, counted(rows, "row"), rule, "Nothing to do, if so."))
    sample = _sample(plan, engine, asked.sample) if asked.sample else None
    return Found(plan.file, scored, tuple(notes), plan.grouped, sample)


def _refuse_others(asked: Asked) -> None:
    """Refuse what a log at scale can't be asked for."""
    usual = Rules()
    for rule in fields(Rules):
        if rule.name not in FREE and getattr(asked.rules, rule.name) != getattr(usual, rule.name):
            option = f"--{rule.name.replace('_', '-')}"
            raise ValueError(f"{option} is not for --engine; the log is clean there. Leave it out.")
    if asked.rules.topics_by not in ("", "one"):
        raise ValueError("--topics-by session with --engine; parts know no other session's topic.")


def _merge(problems: dict[tuple[str, str], Problem], new: Problem) -> None:
    """One error a rule: how often it is broken in all parts, and its first places."""
    known = problems.get((new.rule, new.remedy))
    if known:
        places = (*known.examples, *(new.examples or (new.file,)))[:PLACES]
        new = replace(known, count=known.count + new.count, examples=places)
    else:
        new = replace(new, examples=new.examples or (new.file,))
    problems[new.rule, new.remedy] = new


def _planned(asked: Asked, engine: Any) -> tuple[Plan, list[Problem], str]:
    """All that parts share, found once over the whole log; and the SQL of their rows."""
    head, files = engine.open(asked.log)
    name, rules = ", ".join(files[:PLACES]), asked.rules
    if not head.num_rows:
        refuse([no_row(name)])
    raw = RawTable(name, arrow_categories(_as_text(head)))
    part = taken_as(recognised(raw, dict(asked.mapping)), "log", "it was given as the log")
    columns = columns_of(raw, "log", part.given)
    found = Findings()
    log = mapped(raw, columns, LOG_ROLES, found)
    found.check()
    marked = any(each.short_lists == "observed" for _, each, _ in asked.passes)
    wanted = {*ROLES, *(MARKS if marked else MARKS[2:])}
    columns = {role: column for role, column in columns.items() if role in wanted}
    several = len(files) > 1
    engine.name_log(columns, ONE_SYSTEM, several=several)
    cells = log.cells
    if "topic" in columns and "topic" not in cells:  # the first rows name none
        (named,) = engine.rows("select count(*) as n from log where trim(topic) <> ''").to_pylist()
        cells = cells.assign(topic=raw.rows[columns["topic"]]) if named["n"] else cells
    judgments = _judgments(asked, name, cells, found)
    systems = _column(engine, "system") if "system" in columns else [ONE_SYSTEM]
    if ONE_SYSTEM in systems and len(systems) > 1:  # some name theirs
        engine.name_log(columns, NO_SYSTEM, several=several)
        systems = _column(engine, "system")
    searcher = "min(searcher)" if "searcher" in columns else "''"
    engine.table(
        "sessions",
        f"select session, {searcher} as who, count(*) as size, count(distinct query_number) as "
        "queries from log group by session",
    )
    (all_of,) = engine.rows(
        "select max(queries) as longest, sum(size) as size, count(distinct case when who = '' then "
        "concat('1', session) else concat('0', who) end) as clusters from sessions"
    ).to_pylist()
    notes = [problem for problem in found.problems if problem.severity != "error"]
    if rules.rank_base == "auto":
        (zero,) = engine.rows(
            "select count(*) as n from log where try_cast(rank as double) = 0"
        ).to_pylist()
        rules = replace(rules, rank_base="0" if zero["n"] else "1")
        notes += [from_zero(name, int(all_of["size"]))] if zero["n"] else []
    own = _grades(_column(engine, "grade")) if "grade" in columns else np.empty(0)
    plan = Plan(
        name,
        rules,
        judgments,
        tuple(labels_of(judgments["grade"].to_numpy(float), own).tolist()),
        tuple(sorted(systems)),
        min(MOST_QUERIES, int(all_of["longest"])),
        int(all_of["clusters"]) > MOST_CLUSTERS,
        tuple(asked.passes),
        asked.depth,
        asked.plane,
    )
    for _, definition, filters in asked.passes:
        definition.gains(plan.grades)
        _check_names(filters, plan)
    return plan, notes, _parted(engine, results_of(asked.memory), [*columns], several=several)


def results_of(memory: int) -> int:
    """Results of a part that is scored within a quarter of the memory."""
    return min(MOST_RESULTS, max(10_000, memory // 4 // A_RESULT))


def _as_text(table: pa.Table) -> pa.Table:
    """A table's cells as text, empty where there is nothing."""
    columns = [pc.fill_null(column.cast(pa.string()), "") for column in table.columns]
    return pa.table(columns, names=table.column_names)


def _column(engine: Any, role: str) -> list[str]:
    """Distinct texts of a column."""
    return engine.rows(f"select distinct {role} as text from log").column("text").to_pylist()


def _grades(texts: Sequence[str]) -> np.ndarray:
    """Grades of a log's own column; what is none is refused where its row is read."""
    return np.array([float(text) for text in texts if NUMBER.fullmatch(text.strip())])


def _check_names(filters: Filters, plan: Plan) -> None:
    for name in filters.systems:
        if name not in plan.systems:
            raise ValueError(f"no system {name!r}; the log has {', '.join(plan.systems)}")


def _judgments(asked: Asked, name: str, log: pd.DataFrame, found: Findings) -> pd.DataFrame:
    """The judgments, by the readers of files, and refused where they take too much memory."""
    _, parts = read_parts([asked.judgments], mapping=dict(asked.mapping))
    given = [taken_as(part, "judgments", "they were given as such") for part in parts]
    as_given = judgments_of(given, found)
    graded = with_assessors(as_given, asked.rules, found, given[0].raw.file) or as_given
    key = judgment_key(graded.cells, log, asked.rules.judged_by)
    both = "topic" in graded.cells and "topic" in log
    if not both and not (key == () and asked.rules.topics_by == "one"):
        found.problems.append(no_topic(name))
    found.check()
    table = read_judgments(graded.raw, graded.cells, log, found, asked.rules, own=False)
    found.check(last=True)
    table = table[["topic", "doc", "grade"]]
    size = int(table.memory_usage(deep=True).sum())
    if size > asked.memory / 4:
        what = f"judgments of {size / 1e9:.1f} GB in memory"
        rule = f"they take at most a quarter of --memory, {asked.memory / 1e9:.1f} GB"
        remedy = "Give more memory, or leave out judgments of topics that nobody asked."
        refuse([error(graded.raw.file, None, what, rule, remedy)])
    return table


def _parted(engine: Any, results: int, roles: Sequence[str], *, several: bool) -> str:
    """SQL of the log's rows, each with its part: by md5 of the session, long ones apart."""
    steps = f"greatest(0, cast(ceil(log2(queries / {float(SHORTEST)})) as int))"
    place = engine.key.format("session")
    engine.table(
        "placed", f"select session, queries, size, {steps} as step, {place} as place from sessions"
    )
    sizes = engine.rows(
        "select step, count(*) as sessions, sum(size) as size from placed group by step "
        "order by step"
    ).to_pylist()
    first, cases = 0, list[str]()
    for row in sizes:
        step, places = row["step"], row["sessions"] * SHORTEST * 2 ** row["step"] * 20
        number = int(max(-(-row["size"] // results), -(-places // MOST_PLACES)))
        cases.append(f"when {step} then {first} + cast(floor(place * {number} / {2.0**32}) as int)")
        first += number
    names = ", ".join(f'log."{role}"' for role in roles)
    names += f', log."{FILE}"' if several else ""
    return (
        f"select {names}, case step {' '.join(cases)} end as part "
        "from log join placed on log.session = placed.session"
    )


def _sample(plan: Plan, engine: Any, number: int) -> Study:
    """Whole sessions, chosen by the md5 of their searchers, as a study that the app opens."""
    whose = engine.key.format("case when who = '' then session else who end")
    chosen = f"select session from sessions order by {whose}, session limit {number}"
    rows = engine.rows(f"select log.* from log where session in ({chosen})")
    study = study_of(rows, replace(plan, grades=()))
    (of,) = engine.rows("select count(*) as n from placed").to_pylist()
    note = (
        f"{len(study.sessions):,} of {of['n']:,} sessions, chosen by the md5 of their searchers; "
        "intervals say what that costs."
    )
    return study.put(name=f"{Path(plan.file).stem}, a sample", note=note)


def _scored(total: Added, plan: Plan, definition: Definition, filters: Filters) -> Scored:
    """What all parts come to under one definition."""
    if not total.clusters:
        raise ValueError("the filters leave no session; widen them.")
    order = np.argsort(np.array(total.clusters, dtype=object))
    by = {name: values[order] for name, values in total.by.items()}
    if plan.plane:
        tables = {"robustness": _robustness(by, total, plan)}
    else:
        tables = {
            "session_curves": _session_curves(by, total, plan, definition).table(),
            "query_order": _query_order(by, total, plan),
            "scores": _means(by, total, plan),
        }
    number = {name: int(np.sum(total.over[name])) for name in ("sessions", "queries", "judged")}
    return Scored(definition.named(plan.grades), filters, plan.grades, tables, **number)


def _session_curves(
    by: dict[str, Any], total: Added, plan: Plan, definition: Definition
) -> SessionCurves:
    """Mean curves as far as enough sessions run."""
    running = total.over["running"]
    padded = definition.short_lists == "pad"
    end = max(1, int((running.sum(axis=0) >= LEAST_RUNNING).sum()))
    positions = end * definition.top if padded else end
    last = int(np.flatnonzero(by["raw over"][:, :, 0].any(axis=1)).max(initial=-1)) + 1

    def curves(kind: str) -> Any:
        values, over = (by[f"{kind} {of}"][:last, :, :positions] for of in ("values", "over"))
        number = total.over[f"{kind} number"][None, :, :positions]
        return curves_of(Sums(values, number, over), bands=True)

    raw, share = curves("raw"), curves("share")
    shown = np.flatnonzero(total.over["sessions"])
    return SessionCurves(
        tuple(SystemCurves(plan.systems[i], 1, raw[i], share[i], running[i][:end]) for i in shown),
        positions,
        definition.top if padded else None,
        end if padded else plan.queries,
        total.over["judged"],
        int(np.sum(total.over["sessions"])) - total.over["judged"],
        bands=True,
    )


def _query_order(by: dict[str, Any], total: Added, plan: Plan) -> pd.DataFrame:
    """Figure 1's curves, as far as the longest list, as `sdcg score` has them."""
    ranks = np.arange(1, max(1, total.most["list"]) + 1)
    shown = np.flatnonzero(total.over["sessions"]).tolist()
    tables: list[pd.DataFrame] = []
    for split, groups in SPLITS.items():
        sums, over = by[f"{split} values"], by[f"{split} over"]
        mean = normalised(sums.sum(axis=0), over.sum(axis=0))
        low, high = bootstrap_interval(sums, over)
        for i in (i for system in shown for i in (2 * system, 2 * system + 1)):
            about = {"system": plan.systems[i // 2], "group": groups[i % 2], "rank": ranks}
            about["queries"] = int(total.over[f"{split} queries"][i])
            edges = {"mean": mean[i], "low": low[i], "high": high[i]}
            own = {name: each[: ranks.size] for name, each in edges.items()}
            tables.append(pd.DataFrame(about | own))
    return pd.concat(tables, ignore_index=True)


def _robustness(by: dict[str, Any], total: Added, plan: Plan) -> pd.DataFrame:
    r"""Difference of the means of every two systems at each b and bq, second less first.

    Its 95 % interval is by t over clusters, each of which moves the difference, to first order, by
    its sum less its number times the mean, over the number of all, of either system.
    """
    sums, number = by["score values"], by["score number"]
    of_all = number.sum(axis=0)
    mean = normalised(sums.sum(axis=0), np.broadcast_to(of_all, sums.shape[1:]))
    moves = normalised(sums - number * np.nan_to_num(mean), np.broadcast_to(of_all, sums.shape))
    b, bq = (each.ravel() for each in np.meshgrid(GRID, GRID, indexing="ij"))
    tables = list[pd.DataFrame]()
    for i, j in combinations(np.flatnonzero(total.over["sessions"]).tolist(), 2):
        clusters = int((number[:, [i, j]] > 0).any(axis=(1, 2)).sum())
        spread = np.sqrt(((moves[:, j] - moves[:, i]) ** 2).sum(axis=0))
        reach = spread * np.sqrt(clusters / max(1, clusters - 1)) * reach_of(clusters - 1)
        value = mean[j] - mean[i]
        low, high = (value - reach, value + reach) if clusters > 1 else (value * np.nan,) * 2
        about = {"score": plan.plane, "system_a": plan.systems[i], "system_b": plan.systems[j]}
        edges = {"b": b, "bq": bq, "difference": value, "low": low, "high": high}
        tables.append(pd.DataFrame({**about, **edges}))
    if not tables:
        raise ValueError("a log of one system has no difference; sdcg score says its means.")
    return pd.concat(tables, ignore_index=True)


def _means(by: dict[str, Any], total: Added, plan: Plan) -> pd.DataFrame:
    """Mean of each score of sessions by system, over the sessions that have it."""
    sums, number = by["score values"], by["score number"]
    low, high = mean_interval(sums, number)
    sessions = number.sum(axis=0).astype(int)
    mean = normalised(sums.sum(axis=0), number.sum(axis=0))
    return pd.DataFrame(
        [
            (plan.systems[i], name, sessions[i, k], mean[i, k], low[i, k], high[i, k])
            for i in np.flatnonzero(total.over["sessions"]).tolist()
            for k, name in enumerate(total.names)
        ],
        columns=["system", "score", "sessions", "mean", "low", "high"],
    )
