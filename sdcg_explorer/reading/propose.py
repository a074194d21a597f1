"""Proposals: how tables are to be read where their names don't say it, tried on these very tables.

Candidates (candidates.py) are made of names and content; the best few of distinct outcomes are read
in full. One that is clearly ahead is taken, and said in a note; else the best are offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from shlex import quote
from typing import Any, cast

import numpy as np
import pandas as pd

from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.by_hand import last_of, with_rows_left_out
from sdcg_explorer.reading.candidates import (
    BY_ROWS,
    HINTS,
    KEEP,
    Candidate,
    Join,
    Table,
    candidates,
    clash,
    constant,
    fit,
    is_list,
    is_time,
    joins,
    spread,
    table_of,
)
from sdcg_explorer.reading.cells import NO_END, WHOLE, Findings, coded
from sdcg_explorer.reading.log_names import with_file_names
from sdcg_explorer.reading.log_rows import NO_NAME, ONE_SYSTEM
from sdcg_explorer.reading.mapped_table import DAY, with_repaired_rows
from sdcg_explorer.reading.mapping import GRADE, VERDICTS, is_called, joined_name
from sdcg_explorer.reading.patterns import parts_of
from sdcg_explorer.reading.raw_table import OF_THE_LOG, RawTable, joined, texts_of
from sdcg_explorer.reading.recipe import ALL, AND, DEFAULT, FIELDS, FOLD, NONE, Recipe, option
from sdcg_explorer.reading.shapes import meaning_of
from sdcg_explorer.reading.table_kinds import Part, events_of, of_kind, part_of, stem, taken_as
from sdcg_explorer.reading.tables_beside import OF_CLICKS, with_kinds_of_clicks
from sdcg_explorer.study.arrays import Bools
from sdcg_explorer.study.grades import FEW_GRADES
from sdcg_explorer.study.problems import Problem, Remedy, UnusableInputError, error, note
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted

TRIED = 4  # candidates that are read in full
OFFERED = 3
DIGITS = re.compile("[0-9]+")
MOST_SEARCHED = 2_000_000  # rows; of more, names alone say what they are
MOST_DOUBTED = 200_000  # results of a study whose reading by names is looked over
AHEAD = 1.25  # of the next candidate's score: clearly
FLOOR = 12.0  # score of a candidate without another
MOST_SILENT = 0.1  # share of queries without text and results, beside others
MANY = 20  # results, of which shares tell; with fewer, names do
LEAST_JUDGED = 0.02  # share of results that a table judges, with less it isn't one of judgments
OF_RESULTS = {*map(joined_name, GRADE.names)}  # what grades are called in a log
PAUSE = "30m"  # that ends a session, as most studies of logs have it
LEAST, LEAST_BY_TOPIC = 0.3, 0.1  # share that names and judgments are taken from; with topics


@dataclass(frozen=True, eq=False)
class Proposal:
    """A reading of tables that was tried on them.

    recipe : what was said already and what this adds · added : the latter, as `--set` has it; ()
    for tables as their names say · parts : the tables as it takes them · study : what it gives ·
    why : one line
    """

    recipe: Recipe
    added: tuple[str, ...]
    parts: list[Part]
    study: Study
    why: str = ""

    @property
    def gives(self) -> str:
        """What it gives, in counts.

        As "2 sessions, 3 queries, 4 results, 100% judged".
        """
        study = self.study
        tables = study.sessions, study.queries, study.results
        return _study_size_words([*map(len, tables)], judged_share(study))

    @property
    def command(self) -> str:
        """The options that say the same."""
        return " ".join(command_line_options(self.added))


@dataclass(frozen=True, eq=False)
class Reading:
    """How tables are read: what is taken, or what is offered, best first.

    refusal : why tables as their names say are none · nearest : the reading that comes nearest, and
    what it lacks, where none can be offered
    """

    taken: Proposal | None
    offered: list[Proposal] = field(default_factory=list[Proposal])
    refusal: UnusableInputError | None = None
    nearest: list[Problem] = field(default_factory=list[Problem])

    def study(self) -> Study:
        """The study of what is taken.

        Raises
        ------
        UnusableInputError : what is offered, or why nothing is
        """
        if self.taken is not None:
            return self.taken.study
        found = self.refusal.problems if self.refusal else []
        if self.offered:
            if len(self.offered) > 1:
                what = f"{len(self.offered)} readings fit"
                rule = "names and content don't decide between them"
                found = [error("files", None, what, rule, "Choose one of these.")]
            raise UnusableInputError([*found, *map(offer, self.offered)])
        counted_of = self.refusal.counted if self.refusal else None
        raise UnusableInputError([*found, *self.nearest], counted_of)


def judged_share(study: Study) -> float:
    """Share of results whose document is judged for their query's topic; nan without results."""
    shown = study.arranged_results()
    return float((shown.label < shown.unjudged).mean()) if shown.label.size else float("nan")


def _study_size_words(counts: Sequence[int], judged: float | None) -> str:
    """Numbers of sessions, queries and results, and the share that is judged, if known."""
    named = ", ".join(map(counted, counts, ("session", "query", "result")))
    return named if judged is None else f"{named}, {judged:.0%} judged"


def offer(proposal: Proposal) -> Problem:
    """One reading that fits, and what takes it."""
    remedy = Remedy(f"Read with {proposal.command}.", f"Choose it: {proposal.why}.")
    return error("files", None, proposal.gives, proposal.why, remedy)


def _by_choice(what: str, why: str, added: Sequence[str]) -> Problem:
    """Note of a reading by content, with the options that say the same."""
    remedy = Remedy(
        f"To force it: {' '.join(command_line_options(added))}.",
        f"Choose otherwise under “{FOLD}”.",
    )
    return note("files", what, why, remedy)


def command_line_options(added: Sequence[str]) -> list[str]:
    """Choices as the command line has them."""
    pairs = (text.partition("=")[::2] for text in added)
    return [option(name, quote(value)) for name, value in pairs]


# ---------------------------------------------------------------- whether names say it


def is_reading_certain(parts: Sequence[Part], recipe: Recipe) -> bool:
    """Whether names say what each table is and what its columns are, as far as a study needs.

    What else is wrong with such tables is an error of theirs, and no other reading is looked for.
    """
    logs, judged = of_kind(parts, "log"), of_kind(parts, "judgments")
    if of_kind(parts, "") or any(_is_form(part) for part in logs):
        return True
    if sum(len(part.raw.rows) for part in parts) > MOST_SEARCHED:
        return True
    if any(part.raw.first for part in parts):
        return True  # which columns without names are is asked by itself
    graded = [_has_grades(part) or _is_form(part) for part in judged]
    if not logs or not all(graded) or not all(_has_roles(part, recipe) for part in logs):
        return False
    others = any(part.kind in ("other", "ratings") and part.raw.header for part in parts)
    if not judged:
        return not others or any("grade" in part.columns for part in logs)
    keys = {key for part in judged for key in part.columns}
    named = any("topic" in part.columns for part in logs)
    return named == ("topic" in keys) or bool({"text", "session"} & keys)


def _is_form(part: Part) -> bool:
    """Whether a reader knows a table by its form: a run, events, calls, a table of ours."""
    raw = part.raw
    known = raw.exact or raw.known.kind or raw.known.scored or raw.known.calls
    named = raw.nested is not None and {"session", "doc"} <= part.columns.keys()
    named = named and ("query_number" not in part.columns or _are_numbers(part, "query_number"))
    return bool(known) or named or events_of(part) is not None


def _are_numbers(part: Part, role: str) -> bool:
    """Whether half of a column's texts are whole numbers."""
    texts = [text for text in texts_of(part.raw.rows[part.columns[role]]) if text.strip()]
    return 2 * sum(bool(WHOLE.fullmatch(text.strip())) for text in texts) >= len(texts)


def _has_grades(part: Part) -> bool:
    """Whether judgments have documents and grades by their names, and no verdicts beside these."""
    rows, columns = part.raw.rows, part.columns
    if not {"doc", "grade"} <= columns.keys():
        return False
    others = (texts_of(rows[name]) for name in part.raw.header if name != columns["grade"])
    words = ({text.strip().casefold() for text in texts} - {""} for texts in others)
    return not any(own and own <= VERDICTS for own in words)


def _has_roles(part: Part, recipe: Recipe) -> bool:
    """Whether a log's columns for documents, sessions and queries are known, and hold such."""
    columns = part.columns
    if "doc" not in columns or not (recipe.query_by or "query_number" in columns):
        return False
    by = recipe.session_by or recipe.session_gap
    has_session = "session" in columns or bool(by)
    if recipe.query_by:
        return has_session
    if _are_numbers(part, "query_number") != has_session:  # ids name the session, too
        return False
    usual = not has_session and recipe.query_id == DEFAULT.query_id
    texts = [text for text in texts_of(part.raw.rows[columns["query_number"]]) if text.strip()]
    if usual and not any(parts_of(texts[:KEEP], recipe.query_id)):
        return False
    return "session" not in columns or bool(by) or not _has_several_searchers(part)


def _has_several_searchers(part: Part) -> bool:
    """Whether the same session stands beside several searchers, by names, in most sessions."""
    rows, own = part.raw.rows.iloc[:KEEP], part.columns["session"]
    session = coded(rows[own]).astype(np.int64)
    names = [n for n in part.raw.header if fit("searcher", n) or fit("system", n) == 1]
    return any(constant(coded(rows[name]).astype(np.int64), session) < 0.5 for name in names)


def is_study_doubtful(study: Study, parts: Sequence[Part], by: str) -> bool:
    """Whether a study that names make is odd.

    Nothing is judged, or only by the log though a table beside it is not known; all lists hold one
    result though columns go by other names than roles have; some rows may be no query; or a
    session has several searchers, unless somebody said what a session goes `by`.
    """
    if len(study.results) > MOST_DOUBTED or any(map(_is_form, of_kind(parts, "log"))):
        return False
    names = ("session", "query_number", "rank", "doc")
    named = all(part.columns.get(n) == n for part in of_kind(parts, "log") for n in names)
    single = len(study.queries) >= len(study.results) > 3 and not named
    if _has_usable_own_grades(parts):
        return True
    logs = [part for part in of_kind(parts, "log") if "session" in part.columns]
    shared = not by and any(map(_has_several_searchers, logs))
    worded = bool((study.queries["text"].astype("str") != "").any())
    silent = worded and MOST_SILENT < _silent_share(study) < 1
    return single or shared or silent or (len(study.judgments) > 0 and judged_share(study) == 0)


def _has_usable_own_grades(parts: Sequence[Part]) -> bool:
    """Whether a log's own grades serve, though a table beside it may be its judgments."""
    own = any("grade" in part.columns for part in of_kind(parts, "log"))
    beside = any(part.raw.header for part in of_kind(parts, "other"))
    return own and beside and not of_kind(parts, "judgments")


def _as_named(plain: Proposal) -> Proposal:
    """The reading by names alone, with the options that keep it."""
    roles = ("session", "query_number", "topic", "doc")
    columns = next(iter(of_kind(plain.parts, "log"))).columns
    named = ",".join(f"{role}={columns[role]}" for role in roles if role in columns)
    return replace(plain, added=(f"mapping={named}",), why="columns are what their names say")


# ---------------------------------------------------------------- candidates as recipes


@dataclass(frozen=True, eq=False)
class _Group:
    """Tables with the same columns, read as one."""

    parts: list[Part]
    table: Table

    @property
    def header(self) -> list[str]:
        """Names of the columns of all of them."""
        return self.table.raw.header


def _table_groups(parts: Sequence[Part], recipe: Recipe) -> list[_Group]:
    """Tables that are free to be read otherwise, those that have columns alike together."""
    found, looked_at = list[list[Part]](), {id(part): part for part in parts}
    with suppress(UnusableInputError):
        left = with_rows_left_out(parts, recipe, Findings())
        looked_at = {id(part): own for part, own in zip(parts, left, strict=True)}
    for part in parts:
        if not part.raw.header or not len(part.raw.rows) or part.kind in OF_THE_LOG:
            continue
        own = next((own for own in found if are_alike(part, own[0])), list[Part]())
        found += [] if own else [own]
        own.append(part)
    made = list[_Group]()
    for own in found:
        raws = [_repaired_table(looked_at[id(part)]) for part in own]
        made.append(_Group(own, table_of(joined(raws))))
    return made


def are_alike(one: Part, other: Part) -> bool:
    """Whether two tables have the same columns, up to one or two that came along."""
    columns, others = {*one.raw.header}, {*other.raw.header}
    if _is_form(one) or _is_form(other) or last_of(one) != last_of(other):
        return False
    return columns == others or (len(columns & others) > 3 and len(columns ^ others) <= 2)


def _repaired_table(part: Part) -> RawTable:
    """A table as it would be with every repair of its rows."""
    if _is_form(part):
        return part.raw
    as_log = taken_as(part, "log", "") if part.kind == "other" else part
    return with_repaired_rows(as_log, Findings(fixes=Recipe(fix=ALL).fixes)).raw


Said = dict[str, tuple[str, ...]]


def _columns_given_by_recipe(group: _Group, recipe: Recipe) -> Said:
    """Columns that a recipe gives roles, as far as the group has them."""
    given: dict[str, str] = {}
    for part in group.parts:
        taken = {role: c for role, c in part.given.items() if c in group.header}
        given |= {role: c for role, c in taken.items() if c in recipe.mapping.values()}
    named = {"query_number": "number"}
    said: Said = {named.get(role, role): (column,) for role, column in given.items()}
    columns = group.parts[0].columns
    for role, text in (("session", recipe.session_by), ("by", recipe.query_by)):
        names = [name.strip() for name in text.split(",") if name.strip()]
        by = tuple(columns.get(name, name) for name in names)
        if by and {*by} <= {*group.header}:
            said[role] = by
    return said


def _best_candidates(
    groups: list[_Group], recipe: Recipe, fixed: Collection[str]
) -> list[tuple[_Group, Candidate]]:
    """The best candidate of each outcome, of all tables that may be the log; the best first."""

    def free(group: _Group, kind: str) -> bool:
        """Whether tables may be of a kind, by what was said and by their form."""
        if kind == "judgments" and _is_of_clicks(group):
            return False
        said = {p.kind for p in group.parts if p.raw.file in fixed or _is_form(p)}
        return said | {p.kind for p in group.parts if p.kind in OF_THE_LOG} <= {kind}

    logs = [group for group in groups if free(group, "log") and not any(map(_is_form, group.parts))]
    told = [g for g in logs if any(p.raw.file in fixed for p in g.parts)]
    most = max((len(group.table.raw.rows) for group in told or logs), default=1)
    found: list[tuple[_Group, Candidate]] = []
    for group in told or logs:
        said = _columns_given_by_recipe(group, recipe)
        size = len(group.table.raw.rows) / most
        for log, doc in _document_column_candidates(group.table, said):
            ways = [
                join
                for place, other in enumerate(groups)
                if other is not group and free(other, "judgments") and not _is_log(other, fixed)
                for join in joins(log, doc, other.table, place)
                if join.judged >= LEAST_JUDGED
                and _join_fits_recipe(join, said, _columns_given_by_recipe(other, recipe))
                if join.grade or not any("," in part.raw.file for part in other.parts)
            ]
            ways = sorted(ways, key=lambda join: -join.score)[:3] or _own_grades(log, doc)
            if not ways and len(groups) == 1 and fit("doc", doc):
                ways = [Join(-1, doc)]  # of which counts can be told
            more = 1.5 * size + 0.8 * fit("doc", doc)
            for join in ways:
                one = replace(join, score=join.score + more)
                every = [(group, made) for made in candidates(log, one, said)]
                found += [
                    each for each in every if each[1].rank != BY_ROWS or not _is_of_clicks(group)
                ]
    best = dict[tuple[object, ...], tuple[_Group, Candidate]]()
    for group, made in sorted(found, key=lambda each: -each[1].score):
        best.setdefault(made.outcome, (group, made))
    return [*best.values()][: 2 * TRIED]


def _is_of_clicks(group: _Group) -> bool:
    """Whether a table's name says that its rows are clicks."""
    names = (last_of(part) or stem(part.raw.file) for part in group.parts)
    return any(meaning_of(name) == "click" for name in names)


def _is_log(group: _Group, fixed: Collection[str]) -> bool:
    """Whether a table has ranks by name, and so is no judgments, unless it is said to be."""
    said = any(part.raw.file in fixed for part in group.parts)
    return not said and any(fit("rank", name) == 1 for name in group.header)


def _join_fits_recipe(join: Join, log: Said, judged: Said) -> bool:
    """Whether a join is as the recipe has the columns."""
    own = {"doc": join.log_doc, "topic": join.log_topic}
    others = {"doc": join.doc, "topic": join.topic, "grade": join.grade}
    return all(
        said.get(role, (column,)) == (column,)
        for said, columns in ((log, own), (judged, others))
        for role, column in columns.items()
    )


def _document_column_candidates(table: Table, said: Said) -> list[tuple[Table, str]]:
    """Columns that may hold documents, with the table as a row for each of them."""
    found, nested = list[tuple[Table, str]](), table.raw.nested
    for name, column in table.columns.items():
        if said.get("doc", (name,)) != (name,) or (column.is_prose and fit("doc", name) < 1):
            continue
        if clash("doc", name) or column.is_named(("clicked", "expected")) or column.distinct < 2:
            continue
        if column.is_number and not column.is_whole:
            continue
        if is_list(column):
            made = spread(table, name)
            found += [(made, name)] if made else []
        elif nested and name in nested.lists and not _is_ranked(table, nested.lists, name):
            place = nested.places[nested.lists[name]][table.rows].astype(np.int64)
            found.append((replace(table, place=place), name))
        else:
            found.append((table, name))
    return found


def _is_ranked(table: Table, lists: Mapping[str, tuple[str, ...]], doc: str) -> bool:
    """Whether ranks stand beside the documents of a list, by their name."""
    beside = (c for name, c in table.columns.items() if lists.get(name) == lists[doc])
    return any(column.is_whole and fit("rank", column.name) == 1 for column in beside)


def _own_grades(log: Table, doc: str) -> list[Join]:
    """A log's own grades, where a column is named so, in part at least, and documents are, too."""
    named = [
        (1.0 if joined_name(name) in OF_RESULTS else min(fit("grade", name), 0.5), name)
        for name, column in log.columns.items()
        if fit("grade", name) and fit("doc", doc) and column.is_number
        if not clash("grade", name) and column.distinct <= FEW_GRADES
    ]
    exact = [name for fits, name in named if fits == 1]
    filled = log.columns[doc].filled
    return [
        Join(-1, doc, "", "", "", name, float(log.columns[name].filled[filled].mean()), fits)
        for fits, name in named
        if [name] == exact[:1] or len(named) == 1
    ]


def _recipe_from_candidate(
    group: _Group,
    candidate: Candidate,
    groups: list[_Group],
    recipe: Recipe,
    parts: Sequence[Part],
    fixed: Collection[str],
) -> Recipe:
    """The recipe of a candidate: what was said, and what names alone don't say."""
    join = candidate.join
    log = group.parts
    judged = groups[join.table].parts if join.table >= 0 else []
    changed: dict[str, Any] = {}
    roles = {"doc": join.log_doc, "rank": candidate.rank if candidate.rank != BY_ROWS else ""}
    if len(candidate.session) == 1:
        roles["session"] = candidate.session[0]
    elif candidate.session and not recipe.session_by:
        changed["session_by"] = ",".join(candidate.session)
    if candidate.number:
        roles["query_number"] = candidate.number
    elif not recipe.query_by:
        changed["query_by"] = ",".join(candidate.by)
    roles |= _hinted(group, candidate, {*roles.values()})
    others = {"doc": join.doc, **({"grade": join.grade} if join.grade else {})}
    if judged and not join.grade:
        changed["grade"] = ",".join(f"{part.raw.file}=1" for part in judged)
    own = taken_as(log[0], "log", "").columns
    of_judged = taken_as(judged[0], "judgments", "").columns if judged else {}
    by_text = own.get("text") == join.log_topic and "topic" not in of_judged
    if join.topic and by_text:
        others["text"] = join.topic
    elif join.topic:
        roles["topic"], others["topic"] = join.log_topic, join.topic
    elif "topic" in of_judged and any("topic" in p.columns for p in of_kind(parts, "ratings")):
        pass  # sessions take theirs from that table
    elif judged or (join.grade and "topic" not in own):
        roles["topic"], others["topic"] = "", ""
        if not recipe.topics_by:
            changed["topics_by"] = "one"
    if not judged and join.grade:
        roles["grade"] = join.grade
    mapping = _mapping(log, "log", roles) | _mapping(judged, "judgments", others)
    mapping = _mapping_without_file_names(mapping, [*log, *judged])
    made = replace(recipe, **changed, mapping={**recipe.mapping, **mapping})
    kinds: dict[str, str] = {}
    as_named = with_kinds_of_clicks([part_of(part.raw, made) for part in parts], made)
    for part, again in zip(parts, as_named, strict=True):
        known = part.raw.file in fixed or _is_form(part) or part.kind in OF_THE_LOG
        if known or again.kind == "clicks":
            continue
        kind = next((k for k, own in (("log", log), ("judgments", judged)) if part in own), "")
        kind = kind or _kind_of_remaining_table(again, group.table, join.log_doc)
        if again.kind != kind:
            kinds[part.raw.file] = kind
    return replace(made, kinds={**recipe.kinds, **kinds})


def _hinted(group: _Group, candidate: Candidate, used: set[str]) -> dict[str, str]:
    """Further roles of a log that names say in part, where content doesn't speak against it."""
    columns, made = group.table.columns, dict[str, str]()
    known = taken_as(group.parts[0], "log", "").columns
    for role in ("searcher", "system", "time", "text", "clicked"):
        some = [
            name
            for name, column in columns.items()
            if name not in used and not clash(role, name)
            if fit(role, name) or (role == "time" and column.is_moment)
            if role not in ("searcher", "system") or candidate.is_same_within(group.table, column)
            if role not in ("time", "text") or is_time(column) == (role == "time")
            if role != "clicked" or {*column.texts} <= {"", "0", "1"}
        ]
        if known.get(role, "") in ("", candidate.join.log_topic) and len(some) == 1:
            made[role] = some[0]
    for by in (columns[by] for by in candidate.by if "text" not in {*known, *made}):
        if any(" " in text.strip() for text in by.texts[:KEEP]) and not is_time(by):
            made["text"] = by.name
    named = {*known.values(), *made.values(), candidate.join.log_topic}
    whose = [name for name in candidate.session if name not in named]
    one = len(whose) == 1 and candidate.join.log_topic in candidate.session
    one &= "searcher" not in {*known, *made}
    if one and columns[whose[0]].distinct >= FEWEST_SEARCHERS:  # fewer may be systems
        made["searcher"] = whose[0]
    return made


def _recipes_by_topic_choice(ways: list[Recipe], recipe: Recipe) -> list[Recipe]:
    """Recipes, where nothing names topics by each of the ways that these could be meant."""
    if ways[0].topics_by == recipe.topics_by:
        return ways
    options = [by for by in FIELDS["topics_by"].options if by]
    return [replace(made, topics_by=by) for by in options for made in ways]


def _recipes_by_time_column(made: Recipe, group: _Group, candidate: Candidate) -> list[Recipe]:
    """The recipe, where several columns may tell the order of queries by each of them.

    Days alone tell none beside moments.
    """
    times = {name: column for name, column in group.table.columns.items() if is_time(column)}
    if "time" in {*made.mapping, *group.parts[0].columns} or not candidate.by or len(times) < 2:
        return [made]
    finer = [name for name, column in times.items() if not all(map(DAY.fullmatch, column.texts))]
    return [replace(made, mapping={**made.mapping, "time": name}) for name in finer or times]


def _kind_of_remaining_table(part: Part, log: Table, doc: str) -> str:
    """What a table is that is neither the log nor its judgments as a reading has them.

    Another one with ranks is a log, too; judgments are those of documents of the log.
    """
    columns = part.columns
    if part.kind not in ("log", "judgments") or (part.kind == "log" and "rank" in columns):
        return part.kind
    judges = part.kind == "judgments" and {"doc", "grade"} <= columns.keys()
    if judges and not {*log.columns[doc].texts}.isdisjoint(texts_of(part.raw.rows[columns["doc"]])):
        return part.kind
    keys = [name for name in part.raw.header if fit("session", name) or fit("searcher", name)]
    return "ratings" if keys and "rank" not in columns else "other"


def _mapping(parts: list[Part], kind: str, roles: Mapping[str, str]) -> dict[str, str]:
    """FILE:ROLE → column where names alone don't say it."""
    made: dict[str, str] = {}
    for part in parts:
        changed: dict[str, str] = {}
        for _ in range(2):  # a column that is given one role is no longer found for another
            named = replace(taken_as(part, kind, ""), given={**part.given, **changed}).columns
            there = {r: c for r, c in roles.items() if {*c.split(AND)} & {*part.raw.header, ""}}
            changed |= {role: c for role, c in there.items() if named.get(role, "") != c}
        made |= {f"{part.raw.file}:{role}": column for role, column in changed.items()}
    return made


def _mapping_without_file_names(mapping: dict[str, str], meant: Sequence[Part]) -> dict[str, str]:
    """Roles without their files, where each table that has the column gives it that role."""
    made: dict[str, str] = {}
    for key, column in mapping.items():
        role = key.rpartition(":")[2]
        having = [p for p in meant if column in p.raw.header]
        alike = column and all(
            mapping.get(f"{part.raw.file}:{role}", part.columns.get(role)) == column
            for part in having
        )
        made[role if alike and made.get(role, column) == column else key] = column
    return made


def _added_settings(recipe: Recipe, base: Recipe) -> tuple[str, ...]:
    """What a recipe adds to another, as `--set` has it."""
    made = list[str]()
    for name, new in recipe.choices.items():
        old = getattr(base, name)
        if isinstance(new, dict):
            more = {key: c for key, c in cast(dict[str, str], new).items() if old.get(key) != c}
            made += [f"{name}={','.join(f'{k}={c or NONE}' for k, c in more.items())}"] * bool(more)
        elif new != old:
            made.append(f"{name}={new}")
    return tuple(made)


def _candidate_summary(candidate: Candidate, recipe: Recipe) -> str:
    """What a candidate takes for what, in one line."""
    join = candidate.join
    session = " + ".join(candidate.session)
    keys = f"sessions are {session}, queries {candidate.number or ' + '.join(candidate.by)}"
    if not session:
        keys = f"sessions and queries are named by {candidate.number}"
    elif candidate.by == candidate.session:
        keys = f"each {session} is a session of one query"
    elif candidate.by and "time" in recipe.mapping:
        keys = f"{keys} in the order of {recipe.mapping['time']}"
    places = {"": "ranks by the order of lists", BY_ROWS: "ranks by score, or the order of rows"}
    topics = f", topics {join.log_topic}" * bool(join.log_topic)
    if recipe.topics_by and not join.log_topic:
        topics = ", all on one topic" if recipe.topics_by == "one" else ", each session a topic"
    topics += f", grades {join.grade}" * bool(join.grade and fit("grade", join.grade) < 1)
    names = {name: FIELDS[name].words for name in NEVER_TAKEN}
    values = {f"{words[0].lower()}{words[1:]}": getattr(recipe, n) for n, words in names.items()}
    said = [f"{words}: {value}" for words, value in values.items() if value]
    ranks = places.get(candidate.rank, f"ranks {candidate.rank}")
    return "; ".join([f"{keys}, documents {join.log_doc}, {ranks}{topics}", *said])


# ---------------------------------------------------------------- what is taken


def parts_under_recipe(parts: Sequence[Part], recipe: Recipe, fixed: Collection[str]) -> list[Part]:
    """The tables as another recipe has them; what they were given as stays."""
    made = [*parts]
    for i, part in enumerate(parts):
        if part.raw.header and not _is_form(part):
            again = part_of(part.raw, recipe)
            own = {role: c for role, c in part.given.items() if c == OF_CLICKS}
            again = replace(again, given={**own, **again.given})
            stays = part.raw.file in fixed or part.kind in OF_THE_LOG
            made[i] = taken_as(again, part.kind, part.why) if stays else again
    return with_kinds_of_clicks(made, recipe)


def propose(
    parts: list[Part],
    recipe: Recipe = DEFAULT,
    *,
    name: str,
    most: tuple[float, float] = NO_END,
    fixed: Collection[str] = (),
) -> Reading:
    """How tables are read: as their names say where that is certain, else by content.

    fixed : files whose kind was said · most : results and sessions that a log may have
    """
    said = [p.raw.file for p in parts if any(is_called(p.raw.file, name) for name in recipe.kinds)]
    fixed, made = {*fixed, *said}, partial(assemble, name=name, most=most)
    reading = _reading_of(parts, recipe, made, fixed)
    asked = _ways_to_name_systems(reading.taken, recipe, made) if reading.taken else []
    return Reading(None, asked) if asked else reading


def _reading_of(
    parts: list[Part], recipe: Recipe, made: Callable[..., Study], fixed: Collection[str]
) -> Reading:
    """How tables are read, whatever names their systems."""
    try:
        plain = Proposal(recipe, (), parts, made(parts, recipe=recipe))
    except UnusableInputError as refused:
        found = Reading(None, [], refused)
        by_file = _by_names_of_files(parts, recipe, made, fixed)
        if by_file or not is_reading_certain(parts, recipe):
            found = _reading_by_content(parts, recipe, made, fixed, refused)
        offered = [*by_file, *([found.taken] if found.taken else found.offered)]
        if not offered and (by_pauses := _by_pauses(parts, recipe, made, fixed)):
            return Reading(None, by_pauses, refused)
        return Reading(None, offered[:OFFERED], refused) if by_file else found
    if not is_study_doubtful(plain.study, parts, recipe.session_by or recipe.session_gap):
        return Reading(plain)
    other = _reading_by_content(parts, recipe, made, fixed, None)
    ways = [other.taken] if other.taken else other.offered
    if _has_usable_own_grades(parts):
        ways = [way for way in ways if of_kind(way.parts, "judgments")]
    else:
        least = max(0.05, judged_share(plain.study))
        ways = [way for way in ways if judged_share(way.study) >= least]
    better = [way for way in ways if way.added]
    return Reading(None, [*better[: OFFERED - 1], _as_named(plain)]) if better else Reading(plain)


def _by_names_of_files(
    parts: list[Part], recipe: Recipe, study_of: Callable[..., Study], fixed: Collection[str]
) -> list[Proposal]:
    """What tables of results give where each is a searcher's, and no column tells sessions.

    Where several are of one searcher, by a column, each is a session.
    """
    tables = [part for part in parts if part.kind in ("log", "other") and not _is_form(part)]
    taken = [taken_as(part, "log", "") for part in tables]
    logs = [part for part in taken if {"rank", "doc"} <= part.columns.keys()]
    roles = {role for part in logs for role in part.columns}
    told = recipe.file_name or recipe.session_by or recipe.session_gap
    if len(logs) < 2 or told or "session" in roles:
        return []
    role = "session" if "searcher" in roles else "searcher"
    if role == "session":
        who = [texts_of(p.raw.rows[p.columns["searcher"]]) for p in logs if "searcher" in p.columns]
        if any(len(own) > 1 for own in who) or len({*chain.from_iterable(who)}) == len(logs):
            return []
    by_name = f"{{{role}}}"
    named = [next((p for p in logs if p.raw is part.raw), part) for part in parts]
    named = with_file_names(named, by_name, Findings())
    found = _reading_by_content(named, replace(recipe, file_name=by_name), study_of, fixed, None)
    return [
        replace(
            way,
            added=_added_settings(way.recipe, recipe),
            parts=parts_under_recipe(parts, way.recipe, fixed),
        )
        for way in ([found.taken] if found.taken else found.offered)
        if role == "session" or "searcher of file" in way.recipe.session_by
    ]


def _ways_to_name_systems(
    way: Proposal, recipe: Recipe, study_of: Callable[..., Study]
) -> list[Proposal]:
    """What a reading gives whose log names no system, where a column may, or the files' names."""
    sessions, logs = way.study.sessions, of_kind(way.parts, "log")
    told = any("system" in part.columns for part in logs) or "system" in way.recipe.mapping
    known = any(p.raw.exact or p.raw.known.scored or p.raw.known.calls for p in logs)
    if told or known or way.recipe.file_name or {*sessions["system"]} != {ONE_SYSTEM}:
        return []
    names = [
        name
        for name in map(str, sessions.columns[1:])
        if all(name in part.raw.header for part in logs) and fit("system", name)
        if not clash("system", name) and 1 < sessions[name].nunique() <= FEW_GRADES
    ]
    who = [texts_of(p.raw.rows[p.columns["searcher"]]) for p in logs if "searcher" in p.columns]
    stems = {DIGITS.sub("", stem(part.raw.file)) for part in logs}  # part1, part2 are none
    by_file = 1 < len(logs) == len(stems) == len(who) <= FEW_GRADES and min(map(len, who)) > 1
    mapped = partial(replace, way.recipe)
    ways = {f"the systems are in the column {name}": {"system": name} for name in names}
    made = {why: mapped(mapping={**way.recipe.mapping, **roles}) for why, roles in ways.items()}
    made |= {"each file is a system": mapped(system_by_file=True)} if by_file and not made else {}
    found = list[Proposal]()
    if len(made) == 1:
        made["there is one system"] = mapped(mapping={**way.recipe.mapping, "system": ""})
    for why, own in made.items() if len(made) == 2 else ():
        column = own.mapping.get("system", "")
        given = {"system": column} if column else {}
        as_read = [
            replace(part, given={**part.given, **given}) if part in logs else part
            for part in way.parts
        ]
        with suppress(UnusableInputError):
            study = study_of(as_read, recipe=own)
            said = f"{why}; {way.why}" if way.why else why
            found.append(Proposal(own, _added_settings(own, recipe), as_read, study, said))
    return found


def _by_pauses(
    parts: list[Part], recipe: Recipe, study_of: Callable[..., Study], fixed: Collection[str]
) -> list[Proposal]:
    """What a log gives that names searchers and times, but no session: with pauses, or whole."""
    logs = of_kind(parts, "log")
    roles, events = [part.columns for part in logs], any(map(events_of, logs))
    told = recipe.session_by or recipe.session_gap or any("session" in own for own in roles)
    needed = {"searcher", "time", *([] if events else ["doc"])}
    if told or not roles or not all(needed <= own.keys() for own in roles):
        return []
    numbered = events or all("query_number" in own for own in roles)
    by = recipe.query_by or ("" if numbered else "text")
    found, who = list[Proposal](), roles[0]["searcher"]
    for key, why in (
        ({"session_gap": PAUSE}, f"the searches of each {who} are split at pauses over {PAUSE}"),
        ({"session_by": "searcher"}, f"each {who} is one session"),
    ):
        own = replace(recipe, query_by=by, **key)
        as_read = parts_under_recipe(parts, own, fixed)
        with suppress(UnusableInputError):
            study, added = study_of(as_read, recipe=own), _added_settings(own, recipe)
            why = f"{why}; queries differ by text" if by else why
            found.append(Proposal(own, added, as_read, study, why))
    return found


def _reading_by_content(
    parts: list[Part],
    recipe: Recipe,
    study_of: Callable[..., Study],
    fixed: Collection[str],
    refused: UnusableInputError | None,
) -> Reading:
    """The best candidates, in full; where rows of some kinds hold no query, without these, too."""
    groups = _table_groups(parts, recipe)
    found = _best_candidates(groups, recipe, fixed)
    reading = _candidates_in_full(found, groups, parts, recipe, study_of, fixed, refused)
    rows = _rows_without_query(*found[0]) if found and not recipe.leave_out else None
    if rows is None:
        return reading
    name, values = rows
    own = replace(recipe, leave_out=",".join(f"{name}={value}" for value in values))
    fewer = _reading_by_content(parts, own, study_of, fixed, refused)
    why = f"rows whose {name} is {' or '.join(value or 'empty' for value in values)} hold no query"
    others = [
        replace(way, added=_added_settings(way.recipe, recipe), why=f"{why}; {way.why}")
        for way in ([fewer.taken] if fewer.taken else fewer.offered)
    ]
    whole = [reading.taken] if reading.taken else reading.offered
    return Reading(None, [*others, *whole][:OFFERED], refused) if others else reading


def _rows_without_query(group: _Group, candidate: Candidate) -> tuple[str, list[str]] | None:
    """A column, and its values that never stand beside a text or a document, if all others do."""
    columns = group.table.columns
    texts = [column for column in columns.values() if fit("text", column.name)]
    has_none = [~column.filled for column in (columns[candidate.join.log_doc], *texts)]
    is_silent: Bools = np.all(has_none, axis=0)
    for column in sorted(columns.values(), key=lambda each: -fit("kind", each.name)):
        if not fit("kind", column.name) and (not texts or column.is_named(HINTS)):
            continue  # a searcher, or a session, may have no query
        silent, others = ({*column.code[rows].tolist()} for rows in (is_silent, ~is_silent))
        values = [text for code, text in enumerate(column.texts) if code in silent]
        if any("," in value for value in values):
            continue
        if values and len(column.texts) <= FEW_GRADES and silent.isdisjoint(others):
            return column.name, values
    return None


def _candidates_in_full(
    found: list[tuple[_Group, Candidate]],
    groups: list[_Group],
    parts: list[Part],
    recipe: Recipe,
    study_of: Callable[..., Study],
    fixed: Collection[str],
    refused: UnusableInputError | None,
) -> Reading:
    """The one that is clearly ahead, or what is offered."""
    made, nearest = list[tuple[float, Proposal]](), list[tuple[Problem, UnusableInputError]]()
    for group, candidate in found:
        if len(made) == TRIED or (made and candidate.score <= made[0][0] - AHEAD):
            break
        made_of = _recipe_from_candidate(group, candidate, groups, recipe, parts, fixed)
        ways = _recipes_by_topic_choice(_recipes_by_time_column(made_of, group, candidate), recipe)
        for own in ways:
            added, why = _added_settings(own, recipe), _candidate_summary(candidate, own)
            if not added and refused and not made:  # the best is what names say: it has errors
                return Reading(None, refusal=refused)
            as_read = parts_under_recipe(parts, own, fixed)
            try:
                study = study_of(as_read, recipe=own)
            except UnusableInputError as lacking:
                ways += (answers := own.answered(lacking.problems))
                if added and not made and not answers:
                    judged = candidate.join.judged if candidate.join.grade else None
                    what = f"nearest reading: {_study_size_words(candidate.counts, judged)}"
                    nearest.append((_by_choice(what, why, added), lacking))
                continue
            by_name = any(fit("session", name) for name in candidate.session)
            unjudged = not len(study.judgments) and by_name  # and so opens with its clicks
            if judged_share(study) < LEAST_JUDGED and not unjudged:
                continue
            proposal = Proposal(own, added, as_read, study, why)
            if all(_essence(study) != _essence(other.study) for _, other in made):
                made.append((candidate.score, proposal))
    told = bool(found) and _has_enough_evidence(found[0][1], found[0][0].header)
    if not made:
        scores = [candidate.score for _, candidate in found]
        clear = len(scores) == 1 or (len(scores) > 1 and scores[0] - scores[1] >= AHEAD)
        if nearest and told and clear and scores[0] >= FLOOR:  # whose own errors are told
            (problem, lacking), *_ = nearest
            said = [problem, *lacking.problems]
            return Reading(None, refusal=UnusableInputError(said, lacking.counted))
        return Reading(None, [], refused, [problem for problem, _ in nearest[:1]])
    (score, best), *others = made
    clear = score - others[0][0] >= AHEAD if others else score >= FLOOR
    asked = any(getattr(best.recipe, name) != getattr(recipe, name) for name in NEVER_TAKEN)
    asked |= AND in found[0][1].join.grade or found[0][1].rank == BY_ROWS  # may be clicks alone
    own = found[0][1].session
    unnamed = not any(fit("session", name) for name in own)
    asked |= bool(own) and unnamed and found[0][1].by == own  # the log may lack its sessions
    asked |= MOST_SILENT < _silent_share(best.study) < 1  # some rows may be no query
    if clear and told and not asked and not nearest:
        best.study.report.problems.append(_by_choice(f"read as {best.gives}", best.why, best.added))
        return Reading(best)
    return Reading(None, [proposal for _, proposal in made[:OFFERED]], refused)


def _silent_share(study: Study) -> float:
    """Share of queries without a text or a result."""
    keys = ["session", "query_number"]
    shown = study.results[keys].astype("str").drop_duplicates().assign(shown=True)
    queries = study.queries[[*keys, "text"]].astype("str").merge(shown, how="left", on=keys)
    return float((queries["shown"].isna() & (queries["text"] == "")).mean())


FEWEST_SEARCHERS = 8
NEVER_TAKEN = ("grade", "fix", "grade_words", "assessors")  # which are offered alone


def _has_enough_evidence(candidate: Candidate, header: Sequence[str]) -> bool:
    """Whether names or many results speak for a candidate; of a few rows any share may be 1.

    No column without a name is taken, and none in the place of one whose name says the role in
    full. Judgments are told by a column of documents, by topics, or by what they judge.
    """
    join = candidate.join
    used = {
        "session": candidate.session,
        "query_number": (candidate.number, *candidate.by),
        "rank": (candidate.rank,),
        "doc": (join.log_doc,),
    }
    if join.table < 0 and join.grade and fit("grade", join.grade) < 1:
        return False
    if any(NO_NAME.fullmatch(name) for names in used.values() for name in names):
        return False
    for role, names in used.items():
        exact = {name for name in header if fit(role, name) == 1}
        if exact and exact.isdisjoint(names) and any(names):
            return False
    judges = fit("doc", join.doc) or join.judged >= (LEAST_BY_TOPIC if join.topic else LEAST)
    many = candidate.counts[2] >= MANY or candidate.shares["names"] >= LEAST
    return many and (join.table < 0 or bool(judges))


def _essence(study: Study) -> tuple[object, ...]:
    """What a study is, whatever its sessions are called and whatever came along.

    Each session by its results: query number, rank, document and grade of each.
    """
    shown, results = study.arranged_results(), study.results
    cells = pd.DataFrame({"number": shown.number, "rank": shown.rank, "label": shown.label})
    hashes = pd.util.hash_pandas_object(cells.assign(doc=results["doc"].to_numpy()), index=False)
    sessions = hashes.groupby(shown.session).sum().sort_values()
    return len(study.queries), study.topics, len(study.judgments), tuple(sessions)
