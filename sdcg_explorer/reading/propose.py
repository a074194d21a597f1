"""Proposals: how tables are to be read where their names don't say it, tried on these very tables.

Candidates say which columns are documents, ranks, sessions and queries, by names and by content,
and what judges them. Each is tried on arrays of a table's rows; shares between 0 and 1 are weighed
(WEIGHTS), and what cannot be is left out at once: vetoes do more than weights. The best few of
distinct outcomes are read in full. One that is clearly ahead is taken, and said in a note; else the
best are offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, combinations, product
from shlex import quote
from typing import Any, cast

import numpy as np
import pandas as pd

from sdcg_explorer.reading import recipe as recipes
from sdcg_explorer.reading import table_kinds
from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.cells import NO_END, NUMBER, WHOLE, Findings, coded
from sdcg_explorer.reading.grade_words import MOST_WORDS, are_levels
from sdcg_explorer.reading.log_names import FILLED, with_file_names
from sdcg_explorer.reading.log_rows import NO_NAME, ONE_SYSTEM, grouped, places
from sdcg_explorer.reading.mapped_table import DAY, with_repaired_rows, with_rows_left_out
from sdcg_explorer.reading.mapping import GRADE, LISTS, ROLES, VERDICTS, is_called, joined_name
from sdcg_explorer.reading.patterns import LONGEST, match_groups
from sdcg_explorer.reading.raw_table import OF_THE_LOG, RawTable, join_tables, texts_of
from sdcg_explorer.reading.recipe import AND, ASKED, DEFAULT, FIELDS, QUERY_ID, Recipe, names_in
from sdcg_explorer.reading.shapes import is_bracketed, meaning_of, on_one_scale, spread_lists
from sdcg_explorer.reading.table_kinds import PLACE, Part, as_kind, innermost_list, of_kind, stem
from sdcg_explorer.study.arrays import Bools, Floats, Ints
from sdcg_explorer.study.columns import is_dwell_time, plain_name, seconds_of
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

    @property
    def ways(self) -> list[Proposal]:
        """What is taken, else what is offered."""
        return [self.taken] if self.taken else self.offered

    def study(self) -> Study:
        """The study of what is taken.

        Raises
        ------
        UnusableInputError : what is offered, or why nothing is
        """
        if self.taken is not None:
            return self.taken.study
        found = self.refusal.problems if self.refusal else []
        counted_of = self.refusal.counted if self.refusal and not self.offered else None
        if len(self.offered) > 1:
            what = f"{len(self.offered)} readings fit"
            rule = "names and content don't decide between them"
            found = [error("files", None, what, rule, "Choose one of these.")]
        ways = [*map(offered_reading, self.offered), *self.nearest]
        raise UnusableInputError([*found, *ways], counted_of)


def judged_share(study: Study) -> float:
    """Share of results whose document is judged for their query's topic; nan without results."""
    shown = study.results_looked_at()
    return float((shown.label < shown.unjudged).mean()) if shown.label.size else float("nan")


def _study_size_words(counts: Sequence[int], judged: float | None) -> str:
    """Numbers of sessions, queries and results, and the share that is judged, if known."""
    named = ", ".join(map(counted, counts, ("session", "query", "result")))
    return named if judged is None else f"{named}, {judged:.0%} judged"


def offered_reading(proposal: Proposal) -> Problem:
    """One reading that fits, and what takes it."""
    way = command_line_options(proposal.added)
    remedy = Remedy(f"Read with {way}.", f"Choose it: {proposal.why}.")
    return error("files", None, proposal.gives, proposal.why, remedy)


def _reading_note(what: str, why: str, added: Sequence[str]) -> Problem:
    """Note of a reading by content, with the options that say the same."""
    page = f"Choose otherwise under “Columns and their roles” or “{recipes.FOLD}”."
    return note("files", what, why, Remedy(f"To force it: {command_line_options(added)}.", page))


def command_line_options(added: Sequence[str]) -> str:
    """Choices as the command line has them."""
    pairs = (text.partition("=")[::2] for text in added)
    return " ".join(recipes.option(name, quote(value)) for name, value in pairs)


# ---------------------------------------------------------------- names and columns


Said = dict[str, tuple[str, ...]]  # columns that a recipe gives roles
NAMES = {role.name: {n.replace("_", "") for n in role.names} for role in chain(*ROLES.values())}
HINTS = {  # by role: what its columns are often called, in part
    "session": r"sess|sitzung|conversation|dialog|thread|trajector|episode|visit|sitting|seance",
    "searcher": r"^user(id|name|n[or]|hash|key)*$|particip|proband|nutzer|searcher|person|subject"
    r"|worker|teilnehm|^vp|^[pu]id$|sujet|被试",
    "query_number": r"query(num|no|nr|ind|pos)|turn|round|step|interaction|suche?n|anfragen|order"
    r"|^(n[ro]?|num(ber|ero)?|nummer)(of|der|d[ei])?(query|anfrage|suche|requete|consulta)$",
    "query_by": r"query(id|key|uuid|hash)|q(key|id)$|(search|request|impression|anfrage|suche?)id",
    "text": r"query|search(term|string|text)|keyword|utterance|anfrage|prompt|^terms$|paramsq$",
    "doc": r"doc|dok|url|link|item|result|passage|clueweb|page|product|sku|article|chunk|treffer",
    "rank": r"rank|^pos|posit|platz|rang|slot",
    "topic": r"topic|task|aufgabe|thema|need|scenario|case|query|qid|user",
    "system": r"system|^cond|condition$|^bed$|bedingung|interface|engine|algorithm|variant|layout"
    r"|model|^ui$|^arm$|^app(lication)?$|^(re)?ranker$|^retriever$",
    "time": r"time|date|zeit|stamp|epoch|^ts$|(created|sent|logged|asked|shown|started)at$",
    "clicked": r"click|klick",
    "grade": r"grade|rel|judg|urteil|bewert|rating|label|useful|match$|correct|^final|consensus"
    r"|^agreed|adjudicat",
    "assessor": r"assess|annotat|rater|judge|gutacht",
    "score": r"score|wert$|^sim|^rsv$",
    "title": r"^(doc(ument)?|page|result|url)?title$|snippet|abstract|headline",  # of a document
    "expected": r"gold|expect|groundtruth|relevantdoc|reference",  # lists that nobody saw
    "kind": r"(event|action)(type|name|kind)?$|^type$|^kind$"
    r"|(trial|row|record|entry|step|message)(type|kind)$",  # of a row of a log of events
}
LASTING = re.compile(r"time(on|spent|taken|to|needed)|duration|dwell|dauer")
MOMENT = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[ T]+\d{1,2}:\d{2}")
KEEP = 8_000  # rows that are looked at whole; of more, STRETCHES of STRETCH from several places
STRETCHES, STRETCH = 8, 750
MOST_COLUMNS = 40
MOST = {"rank": 2, "session": 10, "query": 7}  # that are tried together
MOST_AGAIN = 0.3  # of results, documents that stand in their list already: these are none
WEIGHTS = {
    "twice": -6.0,  # two results at one rank
    "again": -4.0,  # a document twice in a list
    "single": -1.0,  # all lists of one
    "clash": -0.7,  # a column whose name says another role
    "ranks": 2.0,  # lists begin at the base, without gaps
    "lists_adjacent": 1.5,
    "sessions_adjacent": 0.7,
    "numbers": 1.5,  # queries are numbered 1, 2, …
    "several": 1.0,  # queries in sessions of several
    "constant": 2.0,  # searcher, system and such within a session
    "topic_of_query": 2.0,
    "topic_of_session": 1.0,
    "text": 1.5,  # one text within a query
    "names": 2.5,
    "join": 1.0,
}


def fit(role: str, name: str) -> float:
    """How well a column's name says a role: 1, .5 in part, 0."""
    if (plain := joined_name(name)) in NAMES.get(role, ()):
        return 1.0
    if role == "text" and (fit("query_number", name) == 1 or fit("query_by", name)):
        return 0.0  # an id of a query is not its text
    return 0.5 if re.search(HINTS.get(role, r"(?!)"), plain) else 0.0


def clash(role: str, name: str) -> float:
    """Whether a column's name says another role in full, and this one not."""
    return float(fit(role, name) < 1 and any(fit(other, name) == 1 for other in NAMES))


EMPTY = ("", "NA", "nan")


@dataclass(eq=False)
class Column:
    """A column's distinct texts, and which of them each row (N,) that is looked at has."""

    name: str
    texts: list[str]
    code: Ints

    @cached_property
    def values(self) -> Floats:
        """Number of each distinct text; nan where it is none."""
        plain = [text.replace(",", ".") if text.count(",") == 1 else text for text in self.texts]
        return np.array([float(t) if NUMBER.fullmatch(t) else np.nan for t in plain], dtype=float)

    def is_named(self, roles: Iterable[str], least: float = 0.5) -> bool:
        """Whether its name says one of these roles, at least so well."""
        return any(fit(role, self.name) >= least for role in roles)

    @property
    def number(self) -> Floats:
        """Number of each row (N,)."""
        return self.values[self.code]

    @cached_property
    def filled(self) -> Bools:
        """Which rows (N,) hold anything."""
        return np.array([text not in EMPTY for text in self.texts], dtype=bool)[self.code]

    @cached_property
    def distinct(self) -> int:
        """Different texts among the rows."""
        return np.unique(self.code[self.filled]).size

    @cached_property
    def is_whole(self) -> bool:
        """Whether whole numbers stand in it, from 0."""
        texts = [text for text in self.texts if text not in EMPTY]
        return bool(texts) and all(WHOLE.fullmatch(text) for text in texts)

    @cached_property
    def is_number(self) -> bool:
        """Whether numbers stand in it."""
        texts = np.array([text not in EMPTY for text in self.texts], dtype=bool)
        return bool(texts.any()) and float(np.isfinite(self.values[texts]).mean()) > 0.9

    @cached_property
    def is_moment(self) -> bool:
        """Whether times of the day stand in it."""
        some = [text for text in self.texts[:50] if text]
        return bool(some) and all(MOMENT.search(text) for text in some)

    @cached_property
    def is_prose(self) -> bool:
        """Whether sentences stand in it."""
        some = self.texts[:500]
        spaced = sum(" " in text for text in some)
        return sum(map(len, some)) > 40 * len(some) and spaced > 0.5 * len(some)


@dataclass(eq=False)
class Table:
    """A table as columns of codes, on the rows that are looked at.

    raw : the table · starts : rows at which a stretch of them begins · place (N,) : of each row in
    the list of its cell, from 1, where documents stand as lists in cells; 0 without · rows : of the
    table, that are looked at; all without
    """

    raw: RawTable
    columns: dict[str, Column]
    place: Ints | None = None
    starts: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    rows: Ints | slice = field(default_factory=lambda: slice(None))


def table_of(raw: RawTable) -> Table:
    """A table on all its rows, or on stretches of them."""
    rows, at = np.arange(len(raw.rows)), np.zeros(1, dtype=np.int64)
    if rows.size > KEEP:
        starts = np.linspace(0, rows.size - STRETCH, STRETCHES).astype(int)
        rows = (starts[:, None] + np.arange(STRETCH)).ravel()
        at = np.arange(STRETCHES) * STRETCH
    columns = dict[str, Column]()
    for name in raw.header[:MOST_COLUMNS]:
        column = raw.rows[name]
        places, texts = pd.factorize(np.array([text.strip() for text in texts_of(column)], object))
        columns[name] = Column(name, [*texts], places[coded(column)[rows]])
    return Table(raw, columns, starts=at, rows=rows)


def is_list(column: Column) -> bool:
    """Whether most cells hold several documents, or are written as lists."""
    texts = [text for text in column.texts[:500] if text]
    bracketed = sum(map(is_bracketed, texts)) > 0.5 * len(texts)
    parted = sum(bool(re.search(r"\S[;|]\S|\S,\S", text)) and " " not in text for text in texts)
    listed = plain_name(column.name) in LISTS or 3 * parted >= len(texts)
    return bracketed or (listed and parted > 0 and not column.is_number)


def spread_list_column(table: Table, doc: str) -> Table | None:
    """The table with a row per document of a column of lists; None where they can't be read."""
    raw = table.raw.take(np.arange(min(len(table.raw.rows), KEEP // 4)))
    found = Findings()
    lists = (n for n in table.columns if any(map(is_bracketed, table.columns[n].texts[:500])))
    beside = [("grade", name) for name in lists if fit("grade", name) and name != doc]
    made, roles = spread_lists(raw, {"doc": doc, **dict(beside)}, found)
    if found.errors or roles.get("rank") is None:
        return None
    new = table_of(made)
    ranks = new.columns.pop(roles["rank"])
    return Table(table.raw, new.columns, np.nan_to_num(ranks.number, nan=0).astype(np.int64))


# ---------------------------------------------------------------- what judges a log's documents


@dataclass(frozen=True)
class Join:
    """How judgments are those of a log: documents, topics and grades of the one and the other.

    table : of the judgments, by its place among all; -1 for the log's own grades, or none ·
    judged, topics : shares of results and topics that are judged · score : how well it fits
    """

    table: int
    log_doc: str
    doc: str = ""
    log_topic: str = ""
    topic: str = ""
    grade: str = ""
    judged: float = 0.0
    score: float = 0.0


KEYS, VALUE = {"key", "outer_key"}, "value"  # of a map, as readers call them


def _shared_text_count(one: Column, other: Column) -> int:
    """Texts of the one that the other has, too, among up to 2,000."""
    few, many = sorted((one.texts, other.texts), key=len)
    step = max(1, len(few) // 2000)
    known = {*many}
    return sum(text in known for text in few[::step] if text) * step


def possible_joins(log: Table, log_doc: str, judged: Table, place: int) -> Iterator[Join]:
    """Ways in which a table judges documents of a log's column."""
    docs, table = log.columns[log_doc], judged
    for doc in table.columns.values():
        judged = table
        if any(map(is_bracketed, doc.texts[:500])):
            if doc.name != VALUE and plain_name(doc.name) not in LISTS:
                continue  # it may list what was shown, or what is not relevant
            judged = spread_list_column(table, doc.name) or table
            doc = judged.columns[doc.name]
        few = doc.is_number and len(doc.texts) <= FEW_GRADES // 2 < doc.code.size
        if doc.is_prose or clash("doc", doc.name) or (few and not fit("doc", doc.name)):
            continue
        both = _shared_text_count(docs, doc)
        if not both or both < 0.02 * min(len(docs.texts), len(doc.texts)):
            continue
        keys = KEYS & {*judged.columns} if judged is not table else set[str]()  # tell lists apart
        judged = _without_other_assessors(judged, doc.name)
        for grade in grade_columns(judged, doc.name):
            joins = _joins_by_topic_columns(log, docs, judged, doc, grade, place)
            yield from (join for join in joins if keys <= {join.topic, grade})


def _joins_by_topic_columns(
    log: Table, docs: Column, judged: Table, doc: Column, grade: str, place: int
) -> Iterator[Join]:
    """The same by each pair of columns that may name topics in both, or without."""
    own, has = _places_among_texts(doc, docs), docs.filled
    names = (fit("doc", docs.name) + fit("doc", doc.name) + fit("grade", grade)) / 4
    plain = Join(place, docs.name, doc.name, grade=grade, judged=float((own[has] >= 0).mean()))
    found = list[Join]()
    for topic in judged.columns.values():
        is_other = topic.name in (doc.name, *grade.split(AND)) or not _may_be_topic(topic.name)
        if is_other or not 0 < topic.distinct <= 0.9 * topic.code.size + 2:
            continue
        for other in log.columns.values():
            if other.name == docs.name or (other.is_prose and fit("text", other.name) < 0.5):
                continue
            both = _shared_text_count(topic, other)
            least = min(topic.distinct, other.distinct)
            if not both or both < 0.1 * least or not _may_be_topic(other.name):
                continue
            logged = _places_among_texts(topic, other)
            pairs = topic.code * len(doc.texts) + doc.code
            mine = np.where((own >= 0) & (logged >= 0), logged * len(doc.texts) + own, -1)
            if (hit := np.isin(mine[has], pairs)).any():
                named = fit("topic", topic.name) + fit("topic", other.name)
                rich = -0.5 if topic.is_number and not named else 0.3  # numbers meet by chance
                rich -= 0.5 * (fit("searcher", other.name) == 1)  # who judged, rather
                shares = float(hit.mean()), min(1.0, both / least)
                made = Join(place, docs.name, doc.name, other.name, topic.name, grade, shares[0])
                found.append(_with_fit(made, names + named / 8, pairs, shares[1], rich))
    topical = [join for join in found if join.judged > 0.02]
    yield from topical or (_with_fit(plain, names, doc.code, 1.0, 0.0), *found)


def _places_among_texts(one: Column, other: Column) -> Ints:
    """Place of each row's text of the other (N,) among those of the one; -1 for none."""
    return pd.Index(one.texts).get_indexer(pd.Index(other.texts)).astype(np.int64)[other.code]


def _may_be_topic(name: str) -> bool:
    """Whether judgments may go by a column of this name, or its texts be topics of the log."""
    roles = ("text", "session", "searcher", "query_number")
    return not clash("topic", name) or any(fit(role, name) == 1 for role in roles)


def _with_fit(join: Join, names: float, judged: Ints, topics: float, rich: float) -> Join:
    """A join with how well it fits."""
    unique = np.unique(judged).size / max(1, judged.size)
    score = 2 * join.judged + 0.5 * topics + 0.5 * unique + 0.6 * names + rich
    return replace(join, score=score - 0.3 * (not join.grade))


MOST_SMALL = 20  # rows of a table in which a grade may be missing by chance


def grade_columns(table: Table, doc: str) -> list[str]:
    """Columns that may hold grades, the likeliest alone where its name says so; "" for none.

    Columns of numbers, or words, on one scale may be those of an assessor each: first together.
    """
    named, in_words, others, scales = list[str](), list[str](), list[str](), dict[str, set[str]]()
    never, size = ("time", "rank", "session", "searcher"), table.columns[doc].code.size
    for column in table.columns.values():
        if column.name == doc or clash("grade", column.name) or column.is_named(never):
            continue
        words = {text.casefold() for text in column.texts}
        if "reject" in words and words <= {*VERDICTS, ""}:
            return [column.name]
        if len(words) <= FEW_GRADES and (column.is_whole or not any(map(WHOLE.fullmatch, words))):
            scales[column.name] = words - {""}
        is_label = column.distinct == 1 and not column.is_number  # the same throughout
        if fit("grade", column.name) and not fit("assessor", column.name) and not is_label:
            named.append(column.name)
        elif 1 < column.distinct <= MOST_WORDS and are_levels(words - {""}):
            in_words.append(column.name)
        elif column.is_number and 0 < column.distinct <= min(FEW_GRADES, max(5, size / 2)):
            others.append(column.name)
    named.sort(key=lambda name: -fit("grade", name))
    alike = on_one_scale(scales, 0.5 if size >= MOST_SMALL else 0)
    texts = set[str]().union(*(scales[name] for name in alike))
    together = [AND.join(alike)] if 1 < len(texts) <= FEW_GRADES else []
    return named[:1] or [*together, *(in_words or (others or alike)[:3])] or [""]


def _without_other_assessors(table: Table, doc: str) -> Table:
    """A table without columns of others than a column's assessor, where each has documents.

    As Anna_doc, Anna_grade, Ben_doc and Ben_grade, or with names behind.
    """
    for parted, step in ((str.partition, 2), (str.rpartition, -2)):
        pairs = {name: parted(plain_name(name), "_")[::step] for name in table.columns}
        own, what = pairs[doc]
        others = {who for who, of in pairs.values() if of == what} - {own}
        graded = [of for name, (who, of) in pairs.items() if who == own and fit("grade", name)]
        if not {*product(others, graded)}.isdisjoint(pairs.values()):
            kept = {n: c for n, c in table.columns.items() if pairs[n][0] not in others}
            return replace(table, columns=kept)
    return table


# ---------------------------------------------------------------- ranks, sessions and queries


@dataclass(frozen=True)
class Candidate:
    """A reading of a log, what it would give, and how well it fits.

    rank : a column; "" where documents stand in the order of a list, BY_ROWS in that of the rows ·
    session : columns that tell sessions apart · number : the column of query numbers, or without a
    session of ids that name both; else queries go by the columns `by`
    """

    join: Join
    rank: str = ""
    session: tuple[str, ...] = ()
    number: str = ""
    by: tuple[str, ...] = ()
    counts: tuple[int, int, int] = (0, 0, 0)
    shares: dict[str, float] = field(default_factory=dict[str, float], compare=False)

    @property
    def score(self) -> float:
        """Weighted sum of the shares."""
        return sum(weight * self.shares[name] for name, weight in WEIGHTS.items())

    def is_same_within(self, log: Table, column: Column) -> bool:
        """Whether a column says one thing of each session, and not the same of all."""
        if not self.session or column.distinct < 2:
            return column.name in self.session
        session = grouped(*(log.columns[name].code for name in self.session))
        return same_share(column.code[column.filled], session[column.filled]) == 1

    @property
    def outcome(self) -> tuple[object, ...]:
        """What distinguishes one reading from another: counts, and what is a result's worth."""
        join = self.join
        worth = (join.table, join.log_doc, join.doc, join.grade, round(join.judged, 3))
        return (*self.counts, self.rank, *worth)


def same_share(inner: Ints, outer: Ints) -> float:
    """Share of the groups `outer` (N,) in which `inner` (N,) is one."""
    if not outer.size:
        return 1.0
    width = int(inner.max(initial=0)) + 1
    pairs = np.unique(outer * width + inner)
    return float((np.unique(pairs // width, return_counts=True)[1] == 1).mean())


def candidates(log: Table, join: Join, said: Said) -> Iterator[Candidate]:
    """Readings of a log whose documents are known, tried one by one.

    said : columns that a recipe gives rank, session, number and by; these alone are tried
    """
    doc = log.columns[join.log_doc]
    own_grade = join.grade * (join.table < 0)
    for rank, name, fits in _rank_column_candidates(log, doc, said):
        if name and name == own_grade:
            continue
        trial = _Trial(log, doc, name, rank, join, {join.log_doc, name, own_grade} - {""})
        if own_grade and trial.is_level(log.columns[own_grade]):
            continue  # of sessions or queries, and of no result
        sessions = _session_columns(trial, said)[: MOST["session"]]
        pairs = product(sessions, _query_columns(trial, said)[: MOST["query"]])
        made = [trial.tried(own, key, (fits + f + g) / 3) for (own, f), (key, g) in pairs]
        named = (column.is_named(["session"], 1) for column in trial.columns_of_lists)
        if not (said.get("session") or said.get("by") or any(named)):
            made += [trial.candidate_from_ids(column, fits) for column in trial.columns_of_lists]
        yield from (candidate for candidate in made if candidate is not None)


def _rank_column_candidates(log: Table, doc: Column, said: Said) -> list[tuple[Floats, str, float]]:
    """Rank of each row (N,), its column and how well it fits, the likeliest first."""
    if log.place is not None:
        return [(log.place.astype(float), "", 0.55)]
    found = list[tuple[Floats, str, float]]()
    for column in log.columns.values():
        if column is doc or clash("rank", column.name) or not column.is_whole:
            continue
        values = column.number[doc.filled]
        values = values[np.isfinite(values)]
        is_full = values.size >= max(1, 0.97 * doc.filled.sum())
        if column.name not in said.get("rank", (column.name,)) or not is_full:
            continue
        named, least, step = fit("rank", column.name), values.min(), np.diff(values)
        counts_on = float(((step == 1) | (values[1:] == least)).mean())
        if least in (0, 1) and (named or (step == 1).mean() > 0.3) and values.max() <= 10_000:
            found.append((column.number, column.name, 0.6 * named + 0.4 * counts_on))
    if not found and not said.get("rank"):
        found = _ranks_by_rows(log, doc)
    return sorted(found, key=lambda each: -each[2])[: MOST["rank"]]


def _ranks_by_rows(log: Table, doc: Column) -> list[tuple[Floats, str, float]]:
    """Place of each row (N,) among those beside it with the same query; none without queries."""
    others = [column for column in log.columns.values() if column is not doc]
    if not any(column.is_named(OF_QUERY) for column in others):
        return []
    codes = [column.code for column in others if column.is_named((*OF_QUERY, *OF_SESSION))]
    begins: Bools = np.logical_or.reduce([np.diff(code, prepend=-1) != 0 for code in codes])
    begins[log.starts] = True
    if begins.sum() > 1.1 * np.unique(grouped(*codes)).size + log.starts.size:
        return []  # rows stand in no order
    times = [c.code for c in others if c.is_named(["time"], 1) or c.is_moment]
    if any((np.diff(code, prepend=-1) != 0)[~begins].any() for code in times):
        return []  # each row is something that happened, as a click
    ranks = places(np.cumsum(begins, dtype=np.int64), np.arange(begins.size))
    return [(ranks.astype(float), BY_ROWS, 0.3)] if ranks.max(initial=1) > 1 else []


BY_ROWS = "by rows"
OF_QUERY = ("query_number", "query_by", "text")
OF_SESSION = ("session", "searcher", "system", "topic")
Keys = tuple[str, ...]
NO_SESSION = ("text", "time", "expected", "kind", "title")  # of these none tells sessions apart


def _session_columns(trial: _Trial, said: Said) -> list[tuple[Keys, float]]:
    """Columns that may tell sessions apart, up to three together, the likeliest first."""
    if given := said.get("session"):
        return [(given, 1.0)]
    level = [column for column in trial.columns_of_lists if column.name != PLACE]  # which was made
    no_key, keyed = ("rank", "clicked", "grade", "examined"), (*OF_SESSION, "query_number")
    keys = [c for c in level if not (c.is_prose or c.is_moment or c.is_named(NO_SESSION))]
    found: list[tuple[Keys, float]] = [
        ((c.name,), fit("session", c.name))
        for c in keys
        if c.distinct > 1 or c.is_named(("session", "searcher"))
        if not c.is_named((*no_key, "system"), 1) and (c.is_whole or not c.is_number)
    ]
    few = [
        c
        for c in keys
        if c.distinct > 1 and not c.is_named(("query_number", "rank"), 1)
        if not c.is_number or np.nanmax(c.values) <= FEW_GRADES or c.is_named(keyed)
    ][:8]
    for one, other in combinations(few, 2):
        together = np.unique(grouped(one.code, other.code)).size
        if together in (np.unique(one.code).size, np.unique(other.code).size):
            continue  # the one tells apart what both do
        counts = any(c.is_number and not c.is_named(keyed[:-1]) for c in (one, other))
        if counts and together >= np.unique(trial.lists).size:
            continue  # which numbers the queries, or all rows
        who = [c for c in (one, other) if fit("searcher", c.name)]
        others = [c for c in (one, other) if c not in who]
        task, system = (any(fit(role, c.name) for c in others) for role in ("topic", "system"))
        fits = 0.4 * bool(who) + 0.3 * (task or system) + 0.02 * task
        found.append((tuple(c.name for c in (*who, *others)), fits))
    roles = ("searcher", "topic", "system")
    for three in product(*([c for c in few if fit(role, c.name)] for role in roles)):
        codes, names = [c.code for c in three], tuple(c.name for c in three)
        pairs = (np.unique(grouped(*two)).size for two in combinations(codes, 2))
        if len({*names}) == 3 and max(pairs) < np.unique(grouped(*codes)).size:
            found.append((names, 0.74))  # each task with each system
    if not found:  # all rows one session, or each query its own
        found = [((c.name,), 0.0) for c in level if c.is_named(("topic", "text"))]
    return sorted(found, key=lambda each: -each[1])


Asked = tuple[str, Keys]  # the column of numbers, or columns that tell queries apart


def _query_columns(trial: _Trial, said: Said) -> list[tuple[Asked, float]]:
    """Columns that may number queries or tell them apart, the likeliest first."""
    if given := said.get("by"):
        return [(("", given), 1.0)]
    if given := said.get("number"):
        return [((given[0], ()), 1.0)]
    found = list[tuple[Asked, float]]()
    never = ("rank", "doc", "clicked", "grade", "examined")
    for column in trial.columns_of_lists:
        if column.is_named(never, 1) or column.is_named(("searcher", "system", "score", "title")):
            continue
        if column.is_whole and fit("text", column.name) != 1:
            found.append(((column.name, ()), fit("query_number", column.name)))
        if column.distinct > 1:
            names = max(0.9 * bool(fit("query_by", column.name)), 0.8 * fit("text", column.name))
            names = max(names, 0.7 * fit("query_number", column.name))
            found.append((("", (column.name,)), max(names, 0.4 * fit("time", column.name))))
    found.sort(key=lambda each: -each[1])
    return [*found[: MOST["query"] - 1], (("", ()), 0.1)]


@dataclass(eq=False)
class _Trial:
    """Rows of a log with their lists, on which sessions and queries are tried."""

    log: Table
    doc: Column
    name: str
    rank: Floats
    join: Join
    used: set[str]

    @cached_property
    def lists(self) -> Ints:
        """Lists (N,) as they stand: a new one begins where the rank doesn't grow."""
        lists = np.zeros(self.doc.filled.size, dtype=np.int64)
        lists[self.doc.filled] = np.cumsum(self._is_list_start)
        return lists

    @cached_property
    def _is_list_start(self) -> Bools:
        """Results at which a list begins: another query, or a rank that doesn't grow."""
        own = self.doc.filled
        asked = (c for name, c in self.log.columns.items() if joined_name(name).endswith("query"))
        stretch = np.isin(np.arange(own.size), self.log.starts)
        apart = np.diff(np.cumsum(stretch)[own]) > 0
        for code, known in ((column.code[own], column.filled[own]) for column in asked):
            apart |= (np.diff(code) != 0) & known[1:] & known[:-1]
        return np.append(True, (np.diff(self.rank[own]) <= 0) | apart)[: int(own.sum())]

    @cached_property
    def in_order(self) -> bool:
        """Whether lists stand together: each begins with the first rank."""
        rank = self.rank[self.doc.filled]
        at_first = rank[self._is_list_start] == rank.min(initial=np.inf)
        return int((~at_first).sum()) <= self.log.starts.size + 0.1 * at_first.size

    def is_level(self, column: Column) -> bool:
        """Whether a column says the same of a whole list, of lists that have several results."""
        own = self.doc.filled & column.filled
        several = np.bincount(self.lists[own]).max(initial=0) > 1
        return bool(several) and same_share(column.code[own], self.lists[own]) > 0.97

    @cached_property
    def columns_of_lists(self) -> list[Column]:
        """Columns that say the same of a whole list; of rows in no order, any but their own."""
        own = self.doc.filled
        return [
            column
            for column in self.log.columns.values()
            if column.name not in self.used and column.filled.any()
            if not is_dwell_time(column.name)
            if same_share(column.code[own], self.lists[own]) > 0.97
            or (not self.in_order and column.distinct < 0.9 * own.sum())
        ]

    @cached_property
    def alike(self) -> list[tuple[Column, float]]:
        """Columns that should say the same of a session, and how much that counts."""
        few = max(2, 0.7 * np.unique(self.lists[self.doc.filled]).size)
        return [
            (column, 2.0 if column.is_named(roles, 1) else 1.0)
            for column in self.columns_of_lists
            if column.distinct > 1 and not column.is_named(("text", "time"))
            for roles in [("topic", "system", "searcher") * (not fit("query_number", column.name))]
            if column.is_named(roles) or (not column.is_number and column.distinct < few)
        ]

    def tried(self, own: Keys, asked: Asked, names: float) -> Candidate | None:
        """Sessions and queries by columns, with counts and shares; None where that can't be."""
        number, by = asked
        columns = self.log.columns
        one_each = not number and not by
        if one_each and len(own) > 1 and not any(fit("searcher", name) for name in own):
            return None
        by = own if one_each else by
        twice = number in own or (by and not one_each and {*by} & {*own})
        if twice or {*own, *by, number} & self.used:
            return None
        topic = columns.get(self.join.log_topic)
        if topic and topic.is_whole and topic.name in {number, *by} - {*own}:
            return None  # numbers of queries are no topics
        if any(columns[name].filled.mean() < 0.98 for name in own):
            return None
        session = grouped(*(columns[name].code for name in own))
        query = grouped(session, *(columns[name].code for name in (number, *by) if name))
        apart = np.count_nonzero(np.diff(query)) >= np.unique(query).size  # rows of one query
        is_ordered = self.in_order or not apart or any(map(is_time, columns.values()))
        if by and not (one_each or is_ordered):
            return None  # nothing tells their order
        texts = [columns[name].code for name in columns if fit("text", name) and name not in own]
        if one_each and any(same_share(code, session) < 0.97 for code in texts):
            return None  # several were asked
        if len(by) == 1 and fit("text", by[0]) and self.in_order:
            query = grouped(query, self.lists)  # a text that is asked again is another query
        place = columns[number].number if number else None
        wrong = sum(clash("session", name) for name in own) if len(own) == 1 else 0.0
        wrong += clash("query_number", number) if number else 0.0
        shares = {"names": names, "clash": wrong}
        made = Candidate(self.join, self.name, own, number, by, shares=shares)
        return self.with_shares(made, session, query, place)

    def candidate_from_ids(self, column: Column, fits: float) -> Candidate | None:
        """Sessions and numbers by ids that name both; None where they don't."""
        named = max(fit("query_number", column.name), fit("query_by", column.name))
        fits_ids = named and not column.is_number and max(map(len, column.texts)) <= LONGEST
        split = match_groups(column.texts, QUERY_ID) if fits_ids else []
        parts = [part for part in split if part]
        if not parts or len(parts) < len(split):
            return None
        number = np.array([float(part["query"]) for part in parts])[column.code]
        names = np.array([part["session"] for part in parts], dtype=object)
        session = pd.factorize(names)[0].astype(np.int64)[column.code]
        shares = {"names": (fits + 2 * named) / 3, "clash": 0.0}
        made = Candidate(self.join, self.name, number=column.name, shares=shares)
        return self.with_shares(made, session, column.code, number)

    def with_shares(
        self, made: Candidate, session: Ints, query: Ints, number: Floats | None
    ) -> Candidate | None:
        """A candidate with its counts, and shares (0 to 1) for and against it; None by a veto.

        made : with the shares that its names have · session, query (N,) : of each row · number
        (N,) : of queries, as it is logged
        """
        used = {*made.session, made.number, *made.by}
        own = self.doc.filled
        results, rank = query[own], self.rank[own]
        first = np.unique(query, return_index=True)[1]
        of = pd.factorize(session[first])[0]
        per = np.bincount(of)
        several = float((per[of] > 1).mean())
        same, weights = list[float](), list[float]()
        for column, weight in ((c, weight) for c, weight in self.alike if c.name not in used):
            same.append(same_share(column.code[column.filled], session[column.filled]))
            weights.append(weight)
            of_one = fit("searcher", column.name) or fit("system", column.name) == 1
            if same[-1] < 0.97 and of_one:
                return None  # a session is one searcher's work with one system
        numbers = 0.55
        if number is not None:
            numbers = _share_of_places_taken(of, number[first])
            if numbers < FILLED and several:
                return None  # ids that jump number nothing
            numbers = numbers if several else min(numbers, 0.5)
        codes = pd.factorize(rank)[0], self.doc.code[own]
        apart = (np.unique(grouped(results, code)).size for code in codes)
        twice, again = (1 - size / max(1, results.size) for size in apart)
        if twice > 0.02 or again > MOST_AGAIN:
            return None
        lists = pd.Series(rank).groupby(results)
        low, high, size = (each.to_numpy() for each in (lists.min(), lists.max(), lists.size()))
        base = min(low.min(initial=1), 1)
        whole = (low == base) & (high - low + 1 == size)
        texts = [c for c in self.log.columns.values() if fit("text", c.name) == 1]
        texts = [c for c in texts if c.name not in used | self.used]
        topic = self.log.columns.get(self.join.log_topic)
        shares = {
            **made.shares,
            "twice": twice,
            "again": again,
            "single": float(results.size > 3 and results.size == np.unique(results).size),
            "ranks": 0.5 * float(whole.mean()) + 0.5 * float((low == base).mean()),
            "lists_adjacent": first.size / (1 + np.count_nonzero(np.diff(query))),
            "sessions_adjacent": per.size / (1 + np.count_nonzero(np.diff(session))),
            "numbers": numbers,
            "several": several,
            "constant": float(np.average(same, weights=weights)) if same else 1.0,
            "topic_of_query": same_share(topic.code, query) if topic else 1.0,
            "topic_of_session": same_share(topic.code, session) if topic else 1.0,
            "text": same_share(texts[0].code, query) if texts else 1.0,
            "join": self.join.score,
        }
        counts = np.unique(session).size, first.size, int(own.sum())
        return replace(made, counts=counts, shares=shares)


def _share_of_places_taken(of: Ints, number: Floats) -> float:
    """Share of the places up to the highest number (Q,) of each session that are taken."""
    known = np.isfinite(number)
    if known.mean() < 0.98 or number[known].min(initial=0) < 0:
        return 0.0
    of, number = of[known], number[known]
    lists = pd.Series(number).groupby(of)
    base = min(1.0, float(number.min(initial=1)))
    most, size = lists.max().to_numpy() - base + 1, lists.size().to_numpy()
    return float((size / np.maximum(most, size)).mean())


def is_time(column: Column) -> bool:
    """Whether moments stand in a column; numbers are if its name says so, and not how long."""
    lasts = LASTING.search(joined_name(column.name))
    if not column.is_moment and (lasts or not fit("time", column.name)):
        return False
    some: pd.Series = pd.Series(pd.Categorical(column.texts[:200]))
    return bool(np.isfinite(seconds_of(some)).mean() > 0.9)


# ---------------------------------------------------------------- whether names say it


def is_reading_certain(parts: Sequence[Part], recipe: Recipe) -> bool:
    """Whether names say what each table is and what its columns are, as far as a study needs.

    What else is wrong with such tables is an error of theirs, and no other reading is looked for.
    """
    logs, judged = of_kind(parts, "log"), of_kind(parts, "judgments")
    if of_kind(parts, "") or any(map(_is_form, logs)) or any(part.raw.first for part in parts):
        return True  # which kinds, or columns without names, are is asked by itself
    if sum(len(part.raw.rows) for part in parts) > MOST_SEARCHED:
        return True
    graded = all(_has_grades(part) or _is_form(part) for part in judged)
    if not logs or not graded or not all(_has_roles(part, recipe) for part in logs):
        return False
    if not judged:
        others = any(part.kind in ("other", "ratings") and part.raw.header for part in parts)
        return not others or any("grade" in part.columns for part in logs)
    keys = {key for part in judged for key in part.columns}
    named = any("topic" in part.columns for part in logs)
    return named == ("topic" in keys) or bool({"text", "session"} & keys)


def _is_form(part: Part) -> bool:
    """Whether a reader knows a table by its form: a run, events, calls, a table of ours."""
    raw = part.raw
    known = raw.exact or raw.known.kind or raw.known.scored or raw.known.calls
    named = raw.nested is not None and {"session", "doc"} <= part.columns.keys()
    return bool(known) or (named and _are_numbers(part)) or table_kinds.events_of(part) is not None


def _are_numbers(part: Part) -> bool:
    """Whether half of the texts of query numbers, if these are a column, are whole numbers."""
    texts = list(filter(str.strip, part.texts("query_number")))
    return 2 * sum(bool(WHOLE.fullmatch(text.strip())) for text in texts) >= len(texts)


def _has_grades(part: Part) -> bool:
    """Whether judgments have documents and grades by their names, and no verdicts beside these."""
    if not {"doc", "grade"} <= part.columns.keys():
        return False
    names = (name for name in part.raw.header if name != part.columns["grade"])
    others = (texts_of(part.raw.rows[name]) for name in names)
    words = ({text.strip().casefold() for text in texts} - {""} for texts in others)
    return not any(own and own <= VERDICTS for own in words)


def _has_roles(part: Part, recipe: Recipe) -> bool:
    """Whether a log's columns for documents, sessions and queries are known, and hold such."""
    columns, by = part.columns, recipe.session_by or recipe.session_gap
    if "doc" not in columns or not (recipe.query_by or "query_number" in columns):
        return False
    has_session = "session" in columns or bool(by)
    if recipe.query_by or _are_numbers(part) != has_session:  # ids name the session, too
        return bool(recipe.query_by) and has_session
    usual = not has_session and recipe.query_id == DEFAULT.query_id
    texts = list(filter(str.strip, part.texts("query_number")))
    if usual and not any(match_groups(texts[:KEEP], recipe.query_id)):
        return False
    return "session" not in columns or bool(by) or not _has_several_searchers(part)


def _has_several_searchers(part: Part) -> bool:
    """Whether the same session stands beside several searchers, by names, in most sessions."""
    rows, own = part.raw.rows.iloc[:KEEP], part.columns["session"]
    session = coded(rows[own]).astype(np.int64)
    names = [n for n in part.raw.header if fit("searcher", n) or fit("system", n) == 1]
    return any(same_share(coded(rows[name]).astype(np.int64), session) < 0.5 for name in names)


def is_study_doubtful(study: Study, parts: Sequence[Part], by: str) -> bool:
    """Whether a study that names make is odd.

    Nothing is judged, or only by the log though a table beside it is not known; all lists hold one
    result though columns go by other names than roles have; some rows may be no query; or a
    session has several searchers, unless somebody said what a session goes `by`.
    """
    if len(study.results) > MOST_DOUBTED or any(map(_is_form, of_kind(parts, "log"))):
        return False
    if _has_usable_own_grades(parts):
        return True
    names, logs = ("session", "query_number", "rank", "doc"), of_kind(parts, "log")
    named = all(part.columns.get(n) == n for part in logs for n in names)
    single = len(study.queries) >= len(study.results) > 3 and not named
    keyed = (part for part in logs if "session" in part.columns)
    shared = not by and any(map(_has_several_searchers, keyed))
    worded = bool((study.queries["text"].astype("str") != "").any())
    silent = worded and MOST_SILENT < _empty_query_share(study) < 1
    return single or shared or silent or (len(study.judgments) > 0 and judged_share(study) == 0)


def _has_usable_own_grades(parts: Sequence[Part]) -> bool:
    """Whether a log's own grades serve, though a table beside it may be its judgments."""
    own = any("grade" in part.columns for part in of_kind(parts, "log"))
    beside = any(part.raw.header for part in of_kind(parts, "other"))
    return own and beside and not of_kind(parts, "judgments")


def _reading_by_names(plain: Proposal) -> Proposal:
    """The reading by names alone, with the options that keep it."""
    roles = ("session", "query_number", "topic", "doc")
    columns = next(iter(of_kind(plain.parts, "log"))).columns
    named = ",".join(f"{role}={columns[role]}" for role in roles if role in columns)
    return replace(plain, added=(f"mapping={named}",), why="columns mean what their names say")


# ---------------------------------------------------------------- candidates as recipes


@dataclass(frozen=True, eq=False)
class _Group:
    """Tables with the same columns, read as one."""

    parts: list[Part]
    table: Table

    def is_of_clicks(self) -> bool:
        """Whether the name of a table says that its rows are clicks."""
        names = (innermost_list(part) or stem(part.raw.file) for part in self.parts)
        return any(meaning_of(name) == "click" for name in names)

    def given_by(self, recipe: Recipe) -> Said:
        """Columns that a recipe gives roles, as far as the group has them."""
        header, named = {*self.table.raw.header}, {"query_number": "number"}
        taken = header & {*recipe.mapping.values()}
        pairs = (pair for part in self.parts for pair in part.given.items() if pair[1] in taken)
        said: Said = {named.get(role, role): (column,) for role, column in pairs}
        for role, text in (("session", recipe.session_by), ("by", recipe.query_by)):
            by = tuple(self.parts[0].columns.get(name, name) for name in names_in(text))
            if by and {*by} <= header:
                said[role] = by
        return said


def are_alike(one: Part, other: Part) -> bool:
    """Whether two tables have the same columns, up to one or two that came along."""
    columns, others = {*one.raw.header}, {*other.raw.header}
    if _is_form(one) or _is_form(other) or innermost_list(one) != innermost_list(other):
        return False
    return columns == others or (len(columns & others) > 3 and len(columns ^ others) <= 2)


def _repaired_table(part: Part) -> RawTable:
    """A table as it would be with every repair of its rows."""
    as_log = as_kind(part, "log", "") if part.kind == "other" else part
    return with_repaired_rows(as_log, Findings(fixes=Recipe(fix=recipes.ALL).fixes)).raw


def _join_fits_recipe(join: Join, log: Said, judged: Said) -> bool:
    """Whether a join is as the recipe has the columns."""
    own = {"doc": join.log_doc, "topic": join.log_topic}
    others = {"doc": join.doc, "topic": join.topic, "grade": join.grade}
    fits = all(log.get(role, (column,)) == (column,) for role, column in own.items())
    return fits and all(judged.get(role, (c,)) == (c,) for role, c in others.items())


def _document_column_candidates(table: Table, said: Said) -> Iterator[tuple[Table, str]]:
    """Columns that may hold documents, with the table as a row for each of them."""
    nested = table.raw.nested
    for name, column in table.columns.items():
        if said.get("doc", (name,)) != (name,) or (column.is_prose and fit("doc", name) < 1):
            continue
        if clash("doc", name) or column.is_named(("clicked", "expected")) or column.distinct < 2:
            continue
        if column.is_number and not column.is_whole:
            continue
        if is_list(column):
            if made := spread_list_column(table, name):
                yield made, name
        elif nested and name in nested.lists and not _is_ranked(table, nested.lists, name):
            place = nested.places[nested.lists[name]][table.rows].astype(np.int64)
            yield replace(table, place=place), name
        else:
            yield table, name


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
    if len(named) > 1:
        named = [each for each in named if each[0] == 1][:1]
    filled = log.columns[doc].filled
    shares = [float(log.columns[name].filled[filled].mean()) for _, name in named]
    pairs = zip(named, shares, strict=True)
    return [Join(-1, doc, grade=name, judged=share, score=fits) for (fits, name), share in pairs]


def _roles_hinted_by_names(group: _Group, candidate: Candidate, used: set[str]) -> dict[str, str]:
    """Further roles of a log that names say in part, where content doesn't speak against it."""
    columns, made = group.table.columns, dict[str, str]()
    known = as_kind(group.parts[0], "log", "").columns
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
        if any(" " in text for text in by.texts[:KEEP]) and not (is_time(by) or by.is_moment):
            made["text"] = by.name
    named = {*known.values(), *made.values(), candidate.join.log_topic}
    whose = [name for name in candidate.session if name not in named]
    one = len(whose) == 1 and candidate.join.log_topic in candidate.session
    one &= "searcher" not in {*known, *made}
    if one and columns[whose[0]].distinct >= FEWEST_SEARCHERS:  # fewer may be systems
        made["searcher"] = whose[0]
    return made


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
    judges = part.kind == "judgments" and "grade" in columns
    if judges and not {*log.columns[doc].texts}.isdisjoint(part.texts("doc")):
        return part.kind
    keyed = any(fit("session", name) or fit("searcher", name) for name in part.raw.header)
    return "ratings" if keyed else "other"


def _columns_to_say(parts: list[Part], kind: str, roles: Mapping[str, str]) -> dict[str, str]:
    """FILE:ROLE → column where names alone don't say it."""
    made: dict[str, str] = {}
    for part in parts:
        changed: dict[str, str] = {}
        for _ in range(2):  # a column that is given one role is no longer found for another
            named = replace(as_kind(part, kind, ""), given={**part.given, **changed}).columns
            there = {r: c for r, c in roles.items() if {*c.split(AND)} & {*part.raw.header, ""}}
            changed |= {role: c for role, c in there.items() if named.get(role, "") != c}
        made |= {f"{part.raw.file}:{role}": column for role, column in changed.items()}
    return made


def _mapping_without_file_names(mapping: dict[str, str], meant: Sequence[Part]) -> dict[str, str]:
    """Roles without their files, where each table that has the column gives it that role."""
    made: dict[str, str] = {}
    for key, column in mapping.items():
        role = key.rpartition(":")[2]
        alike = column and all(
            mapping.get(f"{part.raw.file}:{role}", part.columns.get(role)) == column
            for part in meant
            if column in part.raw.header
        )
        made[role if alike and made.get(role, column) == column else key] = column
    return made


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
    if recipe.topics_by and not join.log_topic and recipe.judged_by != "text":
        topics = ", all on one topic" if recipe.topics_by == "one" else ", each session a topic"
    topics += f", grades {join.grade}" * bool(join.grade and fit("grade", join.grade) < 1)
    values = {ASKED[name]: getattr(recipe, name) for name in NEVER_TAKEN}
    said = [f"{words[0].lower()}{words[1:]}: {value}" for words, value in values.items() if value]
    ranks = places.get(candidate.rank, f"ranks {candidate.rank}")
    return "; ".join([f"{keys}, documents {join.log_doc}, {ranks}{topics}", *said])


# ---------------------------------------------------------------- what is taken


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
    search = Search(parts, recipe, partial(assemble, name=name, most=most), {*fixed, *said})
    reading = search.reading()
    asked = search.ways_to_name_systems(reading.taken) if reading.taken else []
    return Reading(None, asked) if asked else reading


@dataclass(frozen=True, eq=False)
class Search:
    """Tables of which readings are looked for.

    recipe : what was said · study_of : reads tables by a recipe · fixed : files whose kind was
    said · refused : why tables as their names say are no study
    """

    parts: list[Part]
    recipe: Recipe
    study_of: Callable[..., Study]
    fixed: Collection[str]
    refused: UnusableInputError | None = None

    def parts_under(self, recipe: Recipe) -> list[Part]:
        """The tables as another recipe has them; what they were given as stays."""
        made = [*self.parts]
        for i, part in enumerate(made):
            if part.raw.header and not _is_form(part):
                again = table_kinds.part_of(part.raw, recipe)
                own = {role: c for role, c in part.given.items() if c == table_kinds.OF_CLICKS}
                again = replace(again, given={**own, **again.given})
                stays = part.raw.file in self.fixed or part.kind in OF_THE_LOG
                made[i] = as_kind(again, part.kind, part.why) if stays else again
        return table_kinds.with_kinds_of_clicks(made, recipe)

    def proposal(self, recipe: Recipe, why: str, parts: list[Part] | None = None) -> Proposal:
        """What a recipe gives, tried.

        Raises
        ------
        UnusableInputError : the tables are no study by it
        """
        parts = self.parts_under(recipe) if parts is None else parts
        study = self.study_of(parts, recipe=recipe)
        return Proposal(recipe, self.added_by(recipe), parts, study, why)

    def added_by(self, recipe: Recipe) -> tuple[str, ...]:
        """What a recipe adds to what was said, as `--set` has it."""
        made = list[str]()
        for name, new in recipe.choices.items():
            old = getattr(self.recipe, name)
            if isinstance(new, dict):
                more = {k: c for k, c in cast(dict[str, str], new).items() if old.get(k) != c}
                pairs = ",".join(f"{k}={c or recipes.NONE}" for k, c in more.items())
                made += [f"{name}={pairs}"] * bool(more)
            elif new != old:
                made.append(f"{name}={new}")
        return tuple(made)

    def reading(self) -> Reading:
        """How the tables are read, whatever names their systems."""
        try:
            plain = self.proposal(self.recipe, "", self.parts)
        except UnusableInputError as refused:
            found = Reading(None, [], refused)
            by_file = self._by_names_of_files()
            if by_file or not is_reading_certain(self.parts, self.recipe):
                found = replace(self, refused=refused)._by_content()
            offered = [*by_file, *found.ways]
            by_pauses = self._by_pauses()
            told = bool(self.recipe.session_gap)
            if by_pauses and (told or self._are_by_searcher(offered)):
                alike = len({_identity(way.study) for way in by_pauses}) < len(by_pauses)
                if told or (alike and found.taken):  # no pause is longer
                    return self._take(by_pauses[-1])
                return Reading(None, by_pauses[alike:], refused)
            return Reading(None, offered[:OFFERED], refused) if by_file else found
        by = self.recipe.session_by or self.recipe.session_gap
        if not is_study_doubtful(plain.study, self.parts, by):
            return Reading(plain)
        ways = [way for way in self._by_content().ways if way.added]
        if _has_usable_own_grades(self.parts):
            better = [way for way in ways if of_kind(way.parts, "judgments")]
        else:
            least = max(0.05, judged_share(plain.study))
            better = [way for way in ways if judged_share(way.study) >= least]
        offered = [*better[: OFFERED - 1], _reading_by_names(plain)]
        return Reading(None, offered) if better else Reading(plain)

    def _take(self, way: Proposal) -> Reading:
        """A proposal as the reading, and said."""
        way.study.report.problems.append(_reading_note(f"read as {way.gives}", way.why, way.added))
        return Reading(way)

    def _are_by_searcher(self, ways: list[Proposal]) -> bool:
        """Whether the sessions of all are a column that names searchers; of none, they are."""
        who = {part.columns.get("searcher", "") for part in of_kind(self.parts, "log")} - {""}
        mappings = (way.recipe.mapping.items() for way in ways)
        named = ({c for of, c in pairs if of.endswith("session")} for pairs in mappings)
        return all(columns and columns <= who for columns in named)

    def _by_names_of_files(self) -> list[Proposal]:
        """What tables of results give where each is a searcher's, and no column tells sessions.

        Where several are of one searcher, by a column, each is a session.
        """
        recipe = self.recipe
        tables = [p for p in self.parts if p.kind in ("log", "other") and not _is_form(p)]
        taken = [as_kind(part, "log", "") for part in tables]
        ranked = [part for part in taken if "rank" in part.columns]
        logs = [part for part in ranked if any(fit("doc", name) for name in part.raw.header)]
        roles = {role for part in logs for role in part.columns}
        told = recipe.file_name or recipe.session_by or recipe.session_gap
        if len(logs) < 2 or told or "session" in roles:
            return []
        role = "session" if "searcher" in roles else "searcher"
        who = [part.texts("searcher") for part in logs if "searcher" in part.columns]
        if who and (any(len(own) > 1 for own in who) or len({*chain(*who)}) == len(logs)):
            return []
        files = [part.raw.file.replace("\\", "/") for part in logs]
        folders, names = {file.rpartition("/")[0] for file in files}, {*map(stem, files)}
        patterns = [f"{{{role}}}"]
        if all(folders) and len(folders) > 1 and not {"system", "searcher"} & roles:
            by_folder = "{system}/{searcher}"
            if 1 < len(names) < len(files):  # some are in several: systems, fewer than searchers
                patterns = [by_folder if len(folders) <= len(names) else "{searcher}/{system}"]
            elif 2 * len(folders) <= len(files) and len(folders) <= FEW_GRADES:
                patterns = [by_folder, *patterns]
        logged, ways = {part.raw.file: part for part in logs}, list[Proposal]()
        for pattern in patterns:
            parts = [logged.get(part.raw.file, part) for part in self.parts]
            named = with_file_names(parts, pattern, Findings())
            asked = replace(recipe, file_name=pattern)
            ways += replace(self, parts=named, recipe=asked)._by_content().ways
        return [
            replace(way, added=self.added_by(way.recipe), parts=self.parts_under(way.recipe))
            for way in ways
            if role == "session" or "searcher of file" in way.recipe.session_by
        ]

    def ways_to_name_systems(self, way: Proposal) -> list[Proposal]:
        """What a reading gives whose log names no system, where a column may, or files' names."""
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
        stems = {DIGITS.sub("", stem(part.raw.file)) for part in logs}  # part1, part2 are none
        who = [len(part.texts("searcher")) for part in logs]
        by_file = 1 < len(logs) == len(stems) <= FEW_GRADES and min(who) > 1
        if len(names) > 1 or not (names or by_file):
            return []
        columns, found = way.recipe.mapping, list[Proposal]()
        made: dict[str, Any] = {"each file is a system": {"system_by_file": True}}
        if names:
            why = f"the systems are in the column {names[0]}"
            made = {why: {"mapping": {**columns, "system": names[0]}}}
        made["there is one system"] = {"mapping": {**columns, "system": ""}}
        for why, changed in made.items():
            own = replace(way.recipe, **changed)
            given = {"system": column} if (column := own.mapping.get("system", "")) else {}
            as_read = [p.with_rows(p.raw.rows, given) if p in logs else p for p in way.parts]
            with suppress(UnusableInputError):
                found.append(self.proposal(own, f"{why}; {way.why}".rstrip("; "), as_read))
        return found

    def _by_pauses(self) -> list[Proposal]:
        """What a log gives that has searchers and times, but no session: with pauses, or whole."""
        recipe, logs = self.recipe, of_kind(self.parts, "log")
        roles, events = [part.columns for part in logs], any(map(table_kinds.events_of, logs))
        told = recipe.session_by or any("session" in own for own in roles)
        needed = {"searcher", "time", *([] if events else ["doc"])}
        if told or not roles or not all(needed <= own.keys() for own in roles):
            return []
        numbered = events or all("query_number" in own for own in roles)
        by = recipe.query_by or ("" if numbered else "text")
        found, who = list[Proposal](), roles[0]["searcher"]
        pause = recipe.session_gap or PAUSE
        ways = {
            f"the searches of each {who} are split at pauses over {pause}": {"session_gap": pause},
            f"each {who} is one session": {"session_by": "searcher"},
        }
        for why, key in [*ways.items()][: 1 if recipe.session_gap else 2]:
            with suppress(UnusableInputError):
                own = replace(recipe, query_by=by, **key)
                found.append(self.proposal(own, f"{why}{'; queries differ by text' * bool(by)}"))
        return found

    def _by_content(self) -> Reading:
        """The best candidates, in full; where rows of some kinds hold no query, without these."""
        found = self.best_candidates()
        reading = self._candidates_in_full(found)
        rows = _rows_without_query(*found[0]) if found and not self.recipe.leave_out else None
        if rows is None:
            return reading
        name, values = rows
        own = replace(self.recipe, leave_out=",".join(f"{name}={value}" for value in values))
        which = " or ".join(value or "empty" for value in values)
        others = list[Proposal]()
        for way in replace(self, recipe=own)._by_content().ways:
            why = f"rows whose {name} is {which} hold no query; {way.why}"
            others.append(replace(way, added=self.added_by(way.recipe), why=why))
        ways = [*others, *reading.ways][:OFFERED]
        return Reading(None, ways, self.refused) if others else reading

    @cached_property
    def groups(self) -> list[_Group]:
        """Tables that are free to be read otherwise, those that have columns alike together."""
        looked_at: Sequence[Part] = self.parts
        with suppress(UnusableInputError):
            looked_at = with_rows_left_out(self.parts, self.recipe, Findings())
        found = list[list[tuple[Part, Part]]]()
        for part, left in zip(self.parts, looked_at, strict=True):
            if part.raw.header and len(part.raw.rows) and part.kind not in OF_THE_LOG:
                if alike := [own for own in found if are_alike(part, own[0][0])]:
                    alike[0].append((part, left))
                else:
                    found.append([(part, left)])
        tables = (join_tables([_repaired_table(left) for _, left in own]) for own in found)
        parts = ([part for part, _ in own] for own in found)
        return [*map(_Group, parts, map(table_of, tables))]

    def _may_be(self, group: _Group, kind: str) -> bool:
        """Whether tables may be of a kind, by what was said, by their form and by their names."""
        is_said = any(part.raw.file in self.fixed for part in group.parts)
        ranked = not is_said and any(fit("rank", name) == 1 for name in group.table.raw.header)
        if kind == "judgments" and (ranked or group.is_of_clicks()):
            return False
        return all(part.kind == kind for part in group.parts if self._is_known(part))

    def _is_known(self, part: Part) -> bool:
        """Whether a table is what it is taken for: it was said, or its form or the log tells."""
        return part.raw.file in self.fixed or _is_form(part) or part.kind in OF_THE_LOG

    def best_candidates(self) -> list[tuple[_Group, Candidate]]:
        """The best candidate of each outcome, of all tables that may be the log; best first."""
        free = [g for g in self.groups if not any(map(_is_form, g.parts))]
        logs = [group for group in free if self._may_be(group, "log")]
        logs = [g for g in logs if any(p.raw.file in self.fixed for p in g.parts)] or logs
        most = max((len(group.table.raw.rows) for group in logs), default=1)
        found: list[tuple[_Group, Candidate]] = []
        for group in logs:
            said, size = group.given_by(self.recipe), len(group.table.raw.rows) / most
            for log, doc in _document_column_candidates(group.table, said):
                ways = [
                    join
                    for place, other in enumerate(self.groups)
                    if other is not group and self._may_be(other, "judgments")
                    for join in possible_joins(log, doc, other.table, place)
                    if join.judged >= LEAST_JUDGED
                    and _join_fits_recipe(join, said, other.given_by(self.recipe))
                    if join.grade or not any("," in part.raw.file for part in other.parts)
                ]
                ways = sorted(ways, key=lambda join: -join.score)[:3] or _own_grades(log, doc)
                if not ways and len(self.groups) == 1 and fit("doc", doc):
                    ways = [Join(-1, doc)]  # of which counts can be told
                more = 1.5 * size + 0.8 * fit("doc", doc)
                scored = (replace(join, score=join.score + more) for join in ways)
                new = chain.from_iterable(candidates(log, join, said) for join in scored)
                found += [(group, c) for c in new if c.rank != BY_ROWS or not group.is_of_clicks()]
        best = dict[tuple[object, ...], tuple[_Group, Candidate]]()
        for group, made in sorted(found, key=lambda each: -each[1].score):
            best.setdefault(made.outcome, (group, made))
        return [*best.values()][: 2 * TRIED]

    def _recipe_from_candidate(self, group: _Group, candidate: Candidate) -> Recipe:
        """The recipe of a candidate: what was said, and what names alone don't say."""
        recipe, join, log = self.recipe, candidate.join, group.parts
        judged = self.groups[join.table].parts if join.table >= 0 else []
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
        roles |= _roles_hinted_by_names(group, candidate, {*roles.values()})
        others = {"doc": join.doc, **({"grade": join.grade} if join.grade else {})}
        if judged and not join.grade:
            changed["grade"] = ",".join(f"{part.raw.file}=1" for part in judged)
        own = as_kind(log[0], "log", "").columns
        of_judged = as_kind(judged[0], "judgments", "").columns if judged else {}
        rated = any("topic" in part.columns for part in of_kind(self.parts, "ratings"))
        if join.topic and own.get("text") == join.log_topic and "topic" not in of_judged:
            others["text"] = join.topic
        elif join.topic:
            roles["topic"], others["topic"] = join.log_topic, join.topic
        elif "topic" in of_judged and rated:
            pass  # sessions take theirs from that table
        elif judged or (join.grade and "topic" not in own):
            roles["topic"], others["topic"] = "", ""
            if not recipe.topics_by:
                changed["topics_by"] = "one"
        if not judged and join.grade:
            roles["grade"] = join.grade
        mapping = _columns_to_say(log, "log", roles) | _columns_to_say(judged, "judgments", others)
        mapping = _mapping_without_file_names(mapping, [*log, *judged])
        made = replace(recipe, **changed, mapping={**recipe.mapping, **mapping})
        kinds: dict[str, str] = {}
        as_named = [table_kinds.part_of(part.raw, made) for part in self.parts]
        as_named = table_kinds.with_kinds_of_clicks(as_named, made)
        for part, again in zip(self.parts, as_named, strict=True):
            if self._is_known(part) or again.kind == "clicks":
                continue
            kind = next((k for k, own in (("log", log), ("judgments", judged)) if part in own), "")
            kind = kind or _kind_of_remaining_table(again, group.table, join.log_doc)
            if again.kind != kind:
                kinds[part.raw.file] = kind
        return replace(made, kinds={**recipe.kinds, **kinds})

    def _candidates_in_full(self, found: list[tuple[_Group, Candidate]]) -> Reading:
        """The one that is clearly ahead, or what is offered."""
        made, nearest = list[tuple[float, Proposal]](), list[tuple[Problem, UnusableInputError]]()
        for group, candidate in found:
            if len(made) == TRIED or (made and candidate.score <= made[0][0] - AHEAD):
                break
            made_of = self._recipe_from_candidate(group, candidate)
            ways = _recipes_by_time_column(made_of, group, candidate)
            if made_of.topics_by != self.recipe.topics_by:  # which nothing names
                options = [by for by in FIELDS["topics_by"].options if by]
                ways = [replace(way, topics_by=by) for by in options for way in ways]
            for own in ways:
                added, why = self.added_by(own), _candidate_summary(candidate, own)
                if not added and self.refused and not made:  # the best is what names say
                    return Reading(None, refusal=self.refused)
                try:
                    proposal = self.proposal(own, why)
                except UnusableInputError as lacking:
                    ways += (answers := own.answered(lacking.problems))
                    refused = self.refused.problems if self.refused else []
                    in_vain = own.topics_by and [p.found for p in refused] == ["topic missing"]
                    if added and lacking.problems != refused and not (made or answers or in_vain):
                        judged = candidate.join.judged if candidate.join.grade else None
                        what = f"nearest reading: {_study_size_words(candidate.counts, judged)}"
                        nearest.append((_reading_note(what, why, added), lacking))
                    continue
                study = proposal.study
                by_name = any(fit("session", name) for name in candidate.session)
                unjudged = not len(study.judgments) and by_name  # and so opens with its clicks
                if judged_share(study) < LEAST_JUDGED and not unjudged:
                    continue
                if all(_identity(study) != _identity(other.study) for _, other in made):
                    made.append((candidate.score, proposal))
        if not found:
            return Reading(None, [], self.refused)
        first, scores = found[0][1], [candidate.score for _, candidate in found]
        told = _has_enough_evidence(first, found[0][0].table.raw.header)
        if not made:
            clear = len(scores) == 1 or scores[0] - scores[1] >= AHEAD
            if nearest and told and clear and scores[0] >= FLOOR:  # whose own errors are told
                (problem, lacking), *_ = nearest
                said = [problem, *lacking.problems]
                return Reading(None, refusal=UnusableInputError(said, lacking.counted))
            return Reading(None, [], self.refused, [problem for problem, _ in nearest[:1]])
        (score, best), *others = made
        clear = score - others[0][0] >= AHEAD if others else score >= FLOOR
        asked = any(getattr(best.recipe, n) != getattr(self.recipe, n) for n in NEVER_TAKEN)
        asked |= AND in first.join.grade or first.rank == BY_ROWS  # may be clicks alone
        asked |= fit("searcher", first.join.log_topic) == 1  # whose grades these may be
        unnamed = not any(fit("session", name) for name in first.session)
        asked |= bool(first.session) and unnamed and first.by == first.session  # may lack its own
        asked |= MOST_SILENT < _empty_query_share(best.study) < 1  # some rows may be no query
        if clear and told and not asked and not nearest:
            return self._take(best)
        return Reading(None, [proposal for _, proposal in made[:OFFERED]], self.refused)


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
        plain = bool(values) and not any("," in value for value in values)
        if plain and len(column.texts) <= FEW_GRADES and silent.isdisjoint(others):
            return column.name, values
    return None


def _empty_query_share(study: Study) -> float:
    """Share of queries without a text or a result."""
    results = np.bincount(study.results_looked_at().query, minlength=len(study.queries))
    return float(((results == 0) & (study.queries["text"].astype("str") == "")).mean())


FEWEST_SEARCHERS = 8
NEVER_TAKEN = ("grade", "fix", "grade_words", "assessors", "judged_by")  # which are offered alone


def _has_enough_evidence(candidate: Candidate, header: Sequence[str]) -> bool:
    """Whether names or many results speak for a candidate; of a few rows any share may be 1.

    No column without a name is taken, and none in the place of one whose name says the role in
    full. Judgments are told by a column of documents, by topics, or by what they judge.
    """
    join = candidate.join
    used = {"session": candidate.session, "query_number": (candidate.number, *candidate.by)}
    used |= {"rank": (candidate.rank,), "doc": (join.log_doc,)}
    if join.table < 0 and join.grade and fit("grade", join.grade) < 1:
        return False
    for role, names in used.items():
        exact = {name for name in header if fit(role, name) == 1}
        passed_over = exact and exact.isdisjoint(names) and any(names)
        if passed_over or any(map(NO_NAME.fullmatch, names)):
            return False
    judges = fit("doc", join.doc) or join.judged >= (LEAST_BY_TOPIC if join.topic else LEAST)
    many = candidate.counts[2] >= MANY or candidate.shares["names"] >= LEAST
    return many and (join.table < 0 or bool(judges))


def _identity(study: Study) -> tuple[object, ...]:
    """What a study is, whatever its sessions are called and whatever came along.

    Each session by its results: query number, rank, document and grade of each.
    """
    shown, results = study.results_looked_at(), study.results
    cells = pd.DataFrame({"number": shown.number, "rank": shown.rank, "label": shown.label})
    hashes = pd.util.hash_pandas_object(cells.assign(doc=results["doc"].to_numpy()), index=False)
    sessions = hashes.groupby(shown.session).sum().sort_values()
    return len(study.queries), study.topics, len(study.judgments), study.labels, tuple(sessions)
