"""Candidates: readings of tables by names and by content, ranked by what they would give.

A reading says which columns are documents, ranks, sessions and queries, and what judges them. Each
is tried on arrays of a table's rows; shares between 0 and 1 are weighed (WEIGHTS), and what cannot
be is left out at once: vetoes do more than weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, WHOLE, Findings, coded
from sdcg_explorer.reading.grade_words import MOST_WORDS, are_levels
from sdcg_explorer.reading.log_names import FILLED, LONGEST
from sdcg_explorer.reading.log_rows import places
from sdcg_explorer.reading.mapping import LISTS, ROLES, VERDICTS, joined_name
from sdcg_explorer.reading.patterns import parts_of
from sdcg_explorer.reading.raw_table import RawTable, texts_of
from sdcg_explorer.reading.recipe import AND, QUERY_ID
from sdcg_explorer.reading.shapes import is_bracketed, on_one_scale, spread_lists
from sdcg_explorer.reading.table_kinds import PLACE
from sdcg_explorer.study.arrays import Bools, Floats, Ints
from sdcg_explorer.study.columns import is_dwell_time, plain_name, seconds_of
from sdcg_explorer.study.grades import FEW_GRADES

NAMES = {
    role.name: {name.replace("_", "") for name in role.names}
    for roles in ROLES.values()
    for role in roles
}
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
    r"|model|^ui$|^arm$",
    "time": r"time|date|zeit|stamp|epoch|^ts$|(created|sent|logged|asked|shown|started)at$",
    "clicked": r"click|klick",
    "grade": r"grade|rel|judg|urteil|bewert|rating|label|useful|match$|correct|^final|consensus"
    r"|^agreed|adjudicat",
    "assessor": r"assess|annotat|rater|judge|gutacht",
    "score": r"score|wert$|^sim|^rsv$",
    "expected": r"gold|expect|groundtruth|relevantdoc|reference",  # lists that nobody saw
    "kind": r"(event|action)(type|name|kind)?$|^type$|^kind$"
    r"|(trial|row|record|entry|step|message)(type|kind)$",  # of a row of a log of events
}
MOMENT = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[ T]+\d{1,2}:\d{2}")
KEEP = 8_000  # rows that are looked at whole; of more, STRETCHES of STRETCH from several places
STRETCHES, STRETCH = 8, 750
MOST_COLUMNS = 40
MOST = {"rank": 2, "session": 10, "query": 7, "join": 3}  # that are tried together
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
    plain = joined_name(name)
    if plain in NAMES.get(role, ()):
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

    @property
    def size(self) -> int:
        """Rows that are looked at."""
        return next(iter(self.columns.values())).code.size if self.columns else 0


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
    if sum(map(is_bracketed, texts)) > 0.5 * len(texts) > 0:
        return True
    parted = sum(bool(re.search(r"\S[;|]\S|\S,\S", text)) and " " not in text for text in texts)
    listed = plain_name(column.name) in LISTS or 3 * parted >= len(texts)
    return listed and parted > 0 and not column.is_number


def spread(table: Table, doc: str) -> Table | None:
    """The table with a row per document of a column of lists; None where they can't be read."""
    size = min(len(table.raw.rows), KEEP // 4)
    raw = table.raw.take(np.arange(size))
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


def joins(log: Table, log_doc: str, judged: Table, place: int) -> Iterator[Join]:
    """Ways in which a table judges documents of a log's column."""
    docs, table = log.columns[log_doc], judged
    for doc in table.columns.values():
        judged = table
        if any(map(is_bracketed, doc.texts[:500])):
            if doc.name != VALUE and plain_name(doc.name) not in LISTS:
                continue  # it may list what was shown, or what is not relevant
            judged = spread(table, doc.name) or table
            doc = judged.columns[doc.name]
        few = doc.is_number and len(doc.texts) <= FEW_GRADES // 2 < judged.size
        if doc.is_prose or clash("doc", doc.name) or (few and not fit("doc", doc.name)):
            continue
        both = _shared_text_count(docs, doc)
        if not both or both < 0.02 * min(len(docs.texts), len(doc.texts)):
            continue
        keys = KEYS & {*judged.columns} if judged is not table else set[str]()  # tell lists apart
        for grade in grade_columns(judged, doc.name):
            for join in _joins_by_topic_columns(log, docs, judged, doc, grade, place):
                if keys <= {join.topic, grade}:
                    yield join


def _joins_by_topic_columns(
    log: Table, docs: Column, judged: Table, doc: Column, grade: str, place: int
) -> Iterator[Join]:
    """The same by each pair of columns that may name topics in both, or without."""
    own, has = _places_in(doc, docs), docs.filled
    names = (fit("doc", docs.name) + fit("doc", doc.name) + fit("grade", grade)) / 4
    share = float((own[has] >= 0).mean())
    plain = Join(place, docs.name, doc.name, grade=grade, judged=share)
    found = list[Join]()
    for topic in judged.columns.values():
        if topic.name in (doc.name, *grade.split(AND)) or not _may_be_topic(topic.name):
            continue
        if not topic.distinct or topic.distinct > 0.9 * judged.size + 2:
            continue
        for other in log.columns.values():
            if other.name == docs.name or (other.is_prose and fit("text", other.name) < 0.5):
                continue
            both = _shared_text_count(topic, other)
            least = min(topic.distinct, other.distinct)
            if not both or both < 0.1 * least or not _may_be_topic(other.name):
                continue
            logged = _places_in(topic, other)
            pairs = topic.code * len(doc.texts) + doc.code
            mine = np.where((own >= 0) & (logged >= 0), logged * len(doc.texts) + own, -1)
            hit = np.isin(mine[has], pairs)
            if hit.any():
                named = fit("topic", topic.name) + fit("topic", other.name)
                rich = -0.5 if topic.is_number and not named else 0.3  # numbers meet by chance
                shares = float(hit.mean()), min(1.0, both / least)
                made = Join(place, docs.name, doc.name, other.name, topic.name, grade, shares[0])
                found.append(_scored(made, names + named / 8, pairs, shares[1], rich))
    topical = [join for join in found if join.judged > 0.02]
    yield from topical or (_scored(plain, names, doc.code, 1.0, 0.0), *found)


def _places_in(one: Column, other: Column) -> Ints:
    """Place of each row's text of the other (N,) among those of the one; -1 for none."""
    places = pd.Index(one.texts).get_indexer(pd.Index(other.texts))
    return places.astype(np.int64)[other.code]


def _may_be_topic(name: str) -> bool:
    """Whether judgments may go by a column of this name, or its texts be topics of the log."""
    roles = ("text", "session", "searcher", "query_number")
    return not clash("topic", name) or any(fit(role, name) == 1 for role in roles)


def _scored(join: Join, names: float, judged: Ints, topics: float, rich: float) -> Join:
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
    never = ("time", "rank", "session", "searcher")
    for column in table.columns.values():
        if column.name == doc or clash("grade", column.name) or column.is_named(never):
            continue
        words = {text.strip().casefold() for text in column.texts}
        if "reject" in words and words <= {*VERDICTS, ""}:
            return [column.name]
        if len(words) <= FEW_GRADES and (column.is_whole or not any(map(WHOLE.fullmatch, words))):
            scales[column.name] = words - {""}
        is_label = column.distinct == 1 and not column.is_number  # the same throughout
        if fit("grade", column.name) and not fit("assessor", column.name) and not is_label:
            named.append(column.name)
        elif 1 < column.distinct <= MOST_WORDS and are_levels(words - {""}):
            in_words.append(column.name)
        elif column.is_number and 0 < column.distinct <= min(FEW_GRADES, max(5, table.size / 2)):
            others.append(column.name)
    named.sort(key=lambda name: -fit("grade", name))
    alike = on_one_scale(scales, 0.5 if table.size >= MOST_SMALL else 0)
    texts = set[str]().union(*(scales[name] for name in alike))
    together = [AND.join(alike)] if 1 < len(texts) <= FEW_GRADES else []
    return named[:1] or [*together, *(in_words or (others or alike)[:3])] or [""]


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
        return constant(column.code[column.filled], session[column.filled]) == 1

    @property
    def outcome(self) -> tuple[object, ...]:
        """What distinguishes one reading from another: counts, and what is a result's worth."""
        join = self.join
        worth = (join.table, join.log_doc, join.doc, join.grade, round(join.judged, 3))
        return (*self.counts, self.rank, *worth)


def constant(inner: Ints, outer: Ints) -> float:
    """Share of the groups `outer` (N,) in which `inner` (N,) is one."""
    if not outer.size:
        return 1.0
    width = int(inner.max(initial=0)) + 1
    pairs = np.unique(outer * width + inner)
    return float((np.unique(pairs // width, return_counts=True)[1] == 1).mean())


def grouped(*codes: Ints) -> Ints:
    """One number (N,) from 0 for each combination."""
    made = pd.factorize(codes[0])[0]
    for code in codes[1:]:
        made = pd.factorize(made * (int(code.max(initial=0)) + 2) + code)[0]
    return made.astype(np.int64)


def candidates(log: Table, join: Join, said: dict[str, tuple[str, ...]]) -> Iterator[Candidate]:
    """Readings of a log whose documents are known, tried one by one.

    said : columns that a recipe gives rank, session, number and by; these alone are tried
    """
    doc = log.columns[join.log_doc]
    own_grade = join.grade * (join.table < 0)
    for rank, name, fits in _rank_column_candidates(log, doc, said):
        if name and name == own_grade:
            continue
        used = {join.log_doc, name, own_grade} - {""}
        trial = _Trial(log, doc, name, rank, join, used)
        if own_grade and trial.is_level(log.columns[own_grade]):
            continue  # of sessions or queries, and of no result
        sessions = _sessions(trial, said)[: MOST["session"]]
        queries = _queries(trial, said)[: MOST["query"]]
        pairs = product(sessions, queries)
        made = [trial.tried(own, key, (fits + f + g) / 3) for (own, f), (key, g) in pairs]
        has_session = said.get("session") or any(c.is_named(["session"], 1) for c in trial.level)
        if not has_session and not said.get("by"):
            made += [trial.candidate_from_ids(column, fits) for column in trial.level]
        yield from (candidate for candidate in made if candidate is not None)


def _rank_column_candidates(
    log: Table, doc: Column, said: dict[str, tuple[str, ...]]
) -> list[tuple[Floats, str, float]]:
    """Rank of each row (N,), its column and how well it fits, the likeliest first."""
    if log.place is not None:
        return [(log.place.astype(float), "", 0.55)]
    found = list[tuple[Floats, str, float]]()
    for column in log.columns.values():
        if column is doc or clash("rank", column.name) or not column.is_whole:
            continue
        values = column.number[doc.filled]
        values = values[np.isfinite(values)]
        if column.name not in said.get("rank", (column.name,)) or not values.size:
            continue
        if values.size < 0.97 * doc.filled.sum():
            continue
        named, least = fit("rank", column.name), values.min()
        step = np.diff(values)
        counts_on = float(((step == 1) | (values[1:] == least)).mean()) if step.size else 1.0
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
NO_SESSION = ("text", "time", "expected", "kind")  # columns of these tell no sessions apart


def _sessions(trial: _Trial, said: dict[str, tuple[str, ...]]) -> list[tuple[Keys, float]]:
    """Columns that may tell sessions apart, up to three together, the likeliest first."""
    if given := said.get("session"):
        return [(given, 1.0)]
    level = [column for column in trial.level if column.name != PLACE]  # which was made
    no_key, keyed = (
        ("rank", "clicked", "grade", "examined", "system"),
        (*OF_SESSION, "query_number"),
    )
    keys = [c for c in level if not (c.is_prose or c.is_moment or c.is_named(NO_SESSION))]
    found: list[tuple[Keys, float]] = [
        ((c.name,), fit("session", c.name))
        for c in keys
        if c.distinct > 1 or c.is_named(("session", "searcher"))
        if not c.is_named(no_key, 1) and (c.is_whole or not c.is_number)
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
        task = [c for c in (one, other) if c not in who and fit("topic", c.name)]
        task_or_system = task or [c for c in (one, other) if c not in who and fit("system", c.name)]
        fits = 0.4 * bool(who) + 0.3 * bool(task_or_system) + 0.02 * bool(task)
        first = (*who, *(c for c in (one, other) if c not in who))
        found.append((tuple(c.name for c in first), fits))
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


def _queries(trial: _Trial, said: dict[str, tuple[str, ...]]) -> list[tuple[Asked, float]]:
    """Columns that may number queries or tell them apart, the likeliest first."""
    if given := said.get("by"):
        return [(("", given), 1.0)]
    if given := said.get("number"):
        return [((given[0], ()), 1.0)]
    found = list[tuple[Asked, float]]()
    never = ("rank", "doc", "clicked", "grade", "examined")
    for column in trial.level:
        if column.is_named(never, 1) or column.is_named(("searcher", "system", "score")):
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
        """Results at which a list begins."""
        own = self.doc.filled
        stretch = np.zeros(own.size, dtype=np.int64)
        stretch[self.log.starts[self.log.starts < own.size]] = 1
        apart = np.diff(np.cumsum(stretch)[own]) > 0
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
        return bool(several) and constant(column.code[own], self.lists[own]) > 0.97

    @cached_property
    def level(self) -> list[Column]:
        """Columns that say the same of a whole list; of rows in no order, any but their own."""
        own = self.doc.filled
        return [
            column
            for column in self.log.columns.values()
            if column.name not in self.used and column.filled.any()
            if not is_dwell_time(column.name)
            if constant(column.code[own], self.lists[own]) > 0.97
            or (not self.in_order and column.distinct < 0.9 * own.sum())
        ]

    @cached_property
    def alike(self) -> list[tuple[Column, float]]:
        """Columns that should say the same of a session, and how much that counts."""
        lists = max(1, np.unique(self.lists[self.doc.filled]).size)
        found = list[tuple[Column, float]]()
        for column in self.level:
            roles = ("topic", "system", "searcher") * (not fit("query_number", column.name))
            if column.distinct < 2 or column.is_named(("text", "time")):
                continue
            few = not column.is_number and column.distinct < max(2, 0.7 * lists)
            if few or column.is_named(roles):
                found.append((column, 2.0 if column.is_named(roles, 1) else 1.0))
        return found

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
        if by and not one_each and not self.in_order and not any(map(is_time, columns.values())):
            return None  # nothing tells their order
        session = grouped(*(columns[name].code for name in own))
        query = grouped(session, *(columns[name].code for name in (number, *by) if name))
        if len(by) == 1 and fit("text", by[0]) and self.in_order:
            query = grouped(query, self.lists)  # a text that is asked again is another query
        place = columns[number].number if number else None
        wrong = sum(clash("session", name) for name in own) if len(own) == 1 else 0.0
        wrong += clash("query_number", number) if number else 0.0
        made = Candidate(self.join, self.name, own, number, by)
        return self.with_shares(made, session, query, place, {"names": names, "clash": wrong})

    def candidate_from_ids(self, column: Column, fits: float) -> Candidate | None:
        """Sessions and numbers by ids that name both; None where they don't."""
        named = max(fit("query_number", column.name), fit("query_by", column.name))
        fits_ids = named and not column.is_number and max(map(len, column.texts)) <= LONGEST
        split = parts_of(column.texts, QUERY_ID) if fits_ids else []
        parts = [part for part in split if part]
        if not parts or len(parts) < len(split):
            return None
        number = np.array([float(part["query"]) for part in parts])[column.code]
        names = np.array([part["session"] for part in parts], dtype=object)
        session = pd.factorize(names)[0].astype(np.int64)[column.code]
        made = Candidate(self.join, self.name, number=column.name)
        of_names = {"names": (fits + 2 * named) / 3, "clash": 0.0}
        return self.with_shares(made, session, column.code, number, of_names)

    def with_shares(
        self,
        made: Candidate,
        session: Ints,
        query: Ints,
        number: Floats | None,
        fits: dict[str, float],
    ) -> Candidate | None:
        """A candidate with its counts, and shares (0 to 1) for and against it; None by a veto.

        session, query (N,) : of each row · number (N,) : of queries, as it is logged · fits :
        shares that its names have
        """
        used = {*made.session, made.number, *made.by}
        own = self.doc.filled
        results, rank = query[own], self.rank[own]
        first = np.unique(query, return_index=True)[1]
        of = pd.factorize(session[first])[0]
        per = np.bincount(of)
        several = float((per[of] > 1).mean())
        same, weights = list[float](), list[float]()
        for column, weight in self.alike:
            if column.name in used:
                continue
            same.append(constant(column.code[column.filled], session[column.filled]))
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
        twice, again = (
            1 - np.unique(grouped(results, code)).size / max(1, results.size)
            for code in (pd.factorize(rank)[0], self.doc.code[own])
        )
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
            **fits,
            "twice": twice,
            "again": again,
            "single": float(results.size > 3 and results.size == np.unique(results).size),
            "ranks": 0.5 * float(whole.mean()) + 0.5 * float((low == base).mean()),
            "lists_adjacent": first.size / (1 + np.count_nonzero(np.diff(query))),
            "sessions_adjacent": per.size / (1 + np.count_nonzero(np.diff(session))),
            "numbers": numbers,
            "several": several,
            "constant": float(np.average(same, weights=weights)) if same else 1.0,
            "topic_of_query": constant(topic.code, query) if topic else 1.0,
            "topic_of_session": constant(topic.code, session) if topic else 1.0,
            "text": constant(texts[0].code, query) if texts else 1.0,
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
    """Whether moments stand in a column; numbers are if its name says so."""
    if not column.is_moment and not fit("time", column.name):
        return False
    some: pd.Series = pd.Series(pd.Categorical(column.texts[:200]))
    return bool(np.isfinite(seconds_of(some)).mean() > 0.9)
