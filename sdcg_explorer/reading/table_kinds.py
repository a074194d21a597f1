"""Parts of a study: for each table that was found, what it is, why, and its columns by role.

And tables beside a log that say more of it: of its queries, and of which results were opened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading import formats, mapping, patterns, raw_table, shapes, sources
from sdcg_explorer.reading.cells import WHOLE, Findings, blank, coded, row_numbers
from sdcg_explorer.reading.mapping import LISTS, ROLES, Roles, beir_qrels, given_for, is_called
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.readers.json_files import KEYS
from sdcg_explorer.reading.recipe import AND, ASKED, Recipe, option
from sdcg_explorer.study.annotations import TAG_COLUMNS as TAGS
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.columns import is_dwell_time, plain_name, seconds_of
from sdcg_explorer.study.problems import Problem, Remedy, error, note, refusal, refuse
from sdcg_explorer.study.wording import counted

OF_FORMATS = " ".join(reader.endings for reader in formats.FORMATS).split()
ENDINGS = tuple(f".{ending}" for ending in (*sources.PACKED, *OF_FORMATS))

SAID = "this reading says so"  # why a table is what it is
PLACE, OF_SESSIONS = "place of queries", "place of sessions"
DIGIT = re.compile(r"[0-9]")
FIRST_MOMENT = 5e8  # seconds since 1970; no study of logs is older
GENERAL = re.compile(  # names that say what a file or folder holds, and not of which study
    r"(my|the|all|search|session|query|click)?[ _-]*(logs?|runs?|results?|sessions?|queries|clicks|"
    r"events|tables?|qrels?|judge?ments?|relevance|grades|topics?|ratings|questionnaire|data|"
    r"input|given|output|export|study|files?|downloads?|desktop|documents|home|root|tmp|temp)"
    r"[ _-]*\d*|\d+|tmp[a-z0-9_]{8}",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class Part:
    """A table, what it is, why, and columns given by role.

    kind : log, judgments, ratings or other; "" where that is not known, and to be asked
    """

    raw: RawTable
    kind: str
    why: str
    given: Roles = field(default_factory=dict[str, str])

    @cached_property
    def columns(self) -> Roles:
        """Role → column, found or given; nothing for a table that is left out."""
        return columns_of(self.raw, self.kind, self.given) if self.kind in ROLES else {}

    def texts(self, role: str) -> list[str]:
        """Distinct texts of a role; none where no column plays it."""
        column = self.columns.get(role)
        return raw_table.texts_of(self.raw.rows[column]) if column else []

    def with_rows(self, rows: pd.DataFrame, given: Mapping[str, str] | None = None) -> Part:
        """The same with other cells, and with further columns by role."""
        raw = replace(self.raw, rows=rows)
        return replace(self, raw=raw, given={**self.given, **(given or {})})


@dataclass(frozen=True, eq=False)
class Mapped:
    """A table with its cells by role, and those of the columns without a role."""

    raw: RawTable
    cells: pd.DataFrame
    extras: pd.DataFrame

    def take(self, rows: Ints) -> Mapped:
        """The same with these rows alone."""
        tables = (t.take(rows).reset_index(drop=True) for t in (self.cells, self.extras))
        return Mapped(self.raw.take(rows), *tables)


def columns_of(raw: RawTable, kind: str, given: Roles) -> Roles:
    """Role → column of a table taken as one kind.

    A rank that is not the documents' own is none, where these stand in a list.
    """
    if kind == "judgments":
        given = beir_qrels(raw.header) | given
    columns = mapping.map_columns(raw.header, ROLES[kind], given, exact=raw.exact)
    nested = raw.nested
    if kind == "log" and nested and not given.get("rank") and nested.ranks(columns) is not None:
        columns.pop("rank", None)
    return columns


def recognise_table(raw: RawTable, mapping: Mapping[str, str] | None = None) -> Part:
    """What a table is, by what its reader knows and by the columns it has.

    Parameters
    ----------
    mapping : role → column for all tables together; "" takes a role from the log alone. FILE:ROLE
        gives, or takes, the role of one table, and beats what all are given
    """
    every = {role: column for role, column in (mapping or {}).items() if ":" not in role}
    own = given_for(mapping or {}, raw.file)
    named = {role: (column.rpartition(".")[2], column) for role, column in every.items()}
    given = {role: c for role, both in named.items() for c in both if c in raw.header} | own
    of_log = {role: "" for role, column in every.items() if not column} | given
    if raw.known == raw_table.SCORED:
        return Part(raw, "", raw_table.ASKED, of_log)
    if kind := raw.known.kind:
        part = Part(raw, kind, raw.known.why, of_log if kind == "log" else given)
        if events_of(part):
            return replace(part, given=of_log | shapes.event_roles(raw, of_log))
        return part
    if qrels := beir_qrels(raw.header):
        return Part(raw, "judgments", "its columns are those of BEIR's qrels", qrels | given)
    of_log = _query_number_column(raw, of_log) | of_log
    log = columns_of(raw, "log", of_log)
    if not {"doc", "rank"} & {*log} and not (raw.exact or raw.first):
        of_log |= shapes.lists_by_content(raw) | given
    raw, placed = _number_queries_by_place(raw, of_log)
    of_log |= placed
    log = columns_of(raw, "log", of_log)
    if events := events_of(Part(raw, "log", "", of_log)):
        why = f"its rows are events, named by {events.column}"
        return Part(raw, "log", why, of_log | shapes.event_roles(raw, of_log))
    judged, rated = columns_of(raw, "judgments", given), columns_of(raw, "ratings", given)
    lists = raw.nested.lists.get(judged.get("doc", ""), ()) if raw.nested else ()
    named = {plain_name(name) for name in (*raw.header, *lists[-1:])}
    ordered = bool({"rank", "clicked"} & {*log}) or not named.isdisjoint(LISTS)
    if {"doc", "clicked"} <= {*of_log} and "rank" not in log:  # each by its lists
        return Part(raw, "log", "it has lists of documents, and of clicked ones", of_log)
    numbered = "query_number" in log or {"rank", "text", "searcher"} <= log.keys()
    if "doc" in log and numbered and (ordered or "grade" not in judged):
        return Part(raw, "log", _recognised_columns(log), of_log)
    if {"doc", "grade"} <= set(judged) and "rank" not in log:
        return Part(raw, "judgments", _recognised_columns(judged), given)
    if {*raw.header} == {*TAGS}:
        return Part(raw, "other", "tags are read with the study.toml that was written beside them")
    keyed = "session" in rated or "searcher" in rated
    clicks = shapes.meaning_of(stem(raw.file)) == "click"
    if keyed and not clicks and not {"doc", "rank"} & {*log} and len(raw.header) > 1:
        return Part(raw, "ratings", _recognised_columns(rated), given)
    found = ", ".join(raw.first or raw.header)
    what = "its columns fit no log, judgments or ratings"
    why = "its first row names no columns" if raw.first else what
    return Part(raw, "other", f"{why} ({found})", given)


def part_of(raw: RawTable, recipe: Recipe) -> Part:
    """A table as what a recipe says that it is, or as what its columns say."""
    every = {**recipe.mapping, **given_for(recipe.mapping, raw.file)}
    raw = shapes.spread_numbered(raw, every["doc"]) if every.get("doc") in raw.header else raw
    columns = assessor_columns(raw, recipe)
    spent = {*columns, *raw.spent}
    known = {k: c for k, c in recipe.mapping.items() if not {*c.split(AND)} & spent}
    kinds = [kind for file, kind in recipe.kinds.items() if is_called(raw.file, file)]
    part = recognise_table(shapes.spread_columns(raw, columns) if columns else raw, known)
    if columns and "log" in (part.kind, *kinds[-1:]):  # a row is a result, whoever graded it
        part = recognise_table(raw, known)
    results = recipe.file_name and {"rank", "doc"} <= {*as_kind(part, "log", "").columns}
    kinds = kinds or ["log"] * bool(part.kind == "other" and results)  # the file's name says it
    graded = any(is_called(raw.file, file) for file, _ in patterns.parse_pairs(recipe.grade))
    kinds = kinds or ["judgments"] * (part.kind in ("", "other") and graded)
    return as_kind(part, kinds[-1], SAID) if kinds else part


def assessor_columns(raw: RawTable, recipe: Recipe) -> list[str]:
    """Columns of a table that a recipe takes together for the grades of an assessor each."""
    said = {**recipe.mapping, **given_for(recipe.mapping, raw.file)}.get("grade", "").split(AND)
    return said if len(said) > 1 and {*said} <= {*raw.header} else []


def events_of(part: Part, said: str = "") -> shapes.Events | None:
    """The events of a table whose rows are such; None where they are results, or something else.

    said : column and meanings, as a rule of reading has them
    """
    if part.raw.exact or part.kind not in ("log", "other") or not len(part.raw.rows):
        return None
    if part.kind == "other" and part.raw.nested and part.raw.nested.path:  # another list is read
        return None
    events = shapes.events_of_log(said, part.raw)
    results = part.kind == "log" and {"query_number", "rank", "doc"} <= {*part.columns}
    if events and results and not said and _has_result_rows(part.raw, part.columns):
        return None
    return events


def _has_result_rows(raw: RawTable, columns: Roles) -> bool:
    """Whether rows are results: each with a rank and a document, or the only one of its query.

    Events tell of a query, then of its results, and of a click on one of these.
    """
    keys = [columns[role] for role in ("session", "query_number") if role in columns]
    shown, ranked = (~blank(raw.rows[columns[role]]) for role in ("doc", "rank"))
    both = raw.rows[keys].assign(shown=shown).drop_duplicates().duplicated(keys).any()
    again = raw.rows[[*keys, columns["doc"]]][shown].duplicated().any()
    return not (both or again or (shown != ranked).any())


def needed_roles(part: Part, events: str = "") -> set[str]:
    """Roles that a table can't do without; results in a list, or in a cell, have ranks by it.

    events : what these mean, as a rule of reading has them
    """
    needed = {role.name for role in ROLES.get(part.kind, ()) if role.required}
    if events_of(part, events):
        return set()
    listed = part.raw.nested is not None and part.raw.nested.ranks(part.columns) is not None
    listed |= "doc" in part.columns and shapes.is_in_lists(part.raw, part.columns)
    return needed - {"rank"} if listed else needed


def _query_number_column(raw: RawTable, given: Roles) -> Roles:
    """The column of query numbers, where its name could as well be that of their texts."""
    free = [] if raw.exact else [c for c in raw.header if c not in given.values()]
    for column in (name for name in free if plain_name(name) in mapping.EITHER):
        texts = [text.strip() for text in raw_table.texts_of(raw.rows[column]) if text.strip()]
        numbers = (WHOLE.fullmatch(text.replace(",", ".")) for text in texts)  # as repairs have it
        if texts and all(numbers):
            named = columns_of(raw, "log", {**given, "text": ""})
            return {} if "query_number" in named else {"query_number": column}
    return {}


def _number_queries_by_place(raw: RawTable, given: Roles) -> tuple[RawTable, Roles]:
    """A table with the place of each query, where no column has its number and all tell it.

    It is that in its list of a tree, or that of its row where each has a list of documents: by
    time where this is known, else as rows stand. A text that a session asks for twice on end may
    be a further page: then it isn't told. Sessions of a tree that have no id are numbered, too.
    """
    log = columns_of(raw, "log", given)
    named = log.get("query_number", "")
    texts = [text for text in raw_table.texts_of(raw.rows[named]) if text.strip()] if named else []
    is_text = bool(texts) and not any(map(DIGIT.search, texts)) and "text" not in log
    if (named and not is_text) or "doc" not in log or raw.exact or raw.first:
        return raw, {}
    nested = raw.nested
    lists = nested.lists.get(log["doc"], ()) if nested else ()
    if "rank" in log and not (nested and lists[1:] and nested.lists.get(log["rank"]) == lists):
        return raw, {}
    in_cells = shapes.is_in_lists(raw, log)
    within = lists if in_cells else lists[:-1]
    if nested and within and within in nested.places and not within[-1].endswith(raw_table.MAP):
        places, where = nested.places[within], f"their list, {within[-1]}"
        nested = replace(nested, lists={**nested.lists, PLACE: within})
    elif in_cells and not lists and "session" in log:
        places, where = _row_places_in_session(raw, log)
    else:
        return raw, {}
    if not places.size:
        return raw, {}
    rule = f"queries without a number are numbered in the order of {where}"
    said = note(raw.file, PLACE, rule, "Nothing to do if they were asked in this order.")
    rows = raw.rows.assign(**{PLACE: raw_table.category(places.astype(str))})
    given = {"query_number": PLACE, **({"text": named} if is_text else {})}
    if nested and "session" not in log and KEYS.get("".join(within[-2:-1]).lower()) == "session":
        numbers = _session_numbers(nested, within, lists).astype(str)
        names = raw_table.category([f"{stem(raw.file)}-{number}" for number in numbers])
        rows, given = rows.assign(**{OF_SESSIONS: names}), {**given, "session": OF_SESSIONS}
    return replace(raw, rows=rows, notes=(*raw.notes, said), nested=nested), given


def _session_numbers(nested: raw_table.Nested, queries: Sequence[str], docs: Sequence[str]) -> Ints:
    """Number (N,) of each row's session, from the lists around its query and its document."""
    around = [nested.places[tuple(queries[:depth])] for depth in range(1, len(queries))]
    query, doc = (np.diff(nested.places[tuple(lists)], prepend=0) for lists in (queries, docs))
    is_next = np.any(np.diff(around, prepend=0) != 0, axis=0)
    return np.cumsum(is_next | (query < 0) | ((query == 0) & (doc <= 0)))


def _row_places_in_session(raw: RawTable, log: Roles) -> tuple[Ints, str]:
    """Places (N,) of rows in their session, and what orders them; none where that isn't told."""
    session = coded(raw.rows[log["session"]])
    times, least = ([log["time"]], -np.inf) if "time" in log else (raw.header, FIRST_MOMENT)
    orders: dict[str, Ints] = {}
    for name in times:  # moments, whatever they are called: dates with times, or since 1970
        seconds = seconds_of(raw.rows[name])  # of which a day alone orders none
        if (seconds > least).all() and pd.Series(seconds).groupby(session).nunique().max() > 1:
            orders[f"their times (column {name})"] = np.lexsort((seconds, session))
    (what, order), *others = orders.items() or [("their rows", np.argsort(session, kind="stable"))]
    nowhere = np.empty(0, dtype=np.int64)
    if any((order != other).any() for _, other in others):
        return nowhere, ""
    if "text" in log:
        text, asked = coded(raw.rows[log["text"]])[order], ~blank(raw.rows[log["text"]])[order]
        if ((np.diff(text) == 0) & (np.diff(session[order]) == 0) & asked[1:]).any():
            return nowhere, ""
    places = np.empty(session.size, dtype=np.int64)
    places[order] = pd.Series(order).groupby(session[order]).cumcount() + 1
    return places, what


def with_names(raw: RawTable, columns: Mapping[str, Sequence[str]]) -> RawTable:
    """A table without a header row, its columns by the names that were given for them.

    columns : file → names, which beat those of "", for every such table of as many columns
    """
    named = [own for file, own in columns.items() if file and is_called(raw.file, file)]
    names = [columns.get("", ()), *named][-1]
    if not raw.first or len(names) != len(raw.header):
        return raw
    named = [name or column for name, column in zip(names, raw.header, strict=True)]
    return replace(raw, rows=raw.rows.set_axis(named, axis="columns"))


def as_kind(part: Part, kind: str, why: str) -> Part:
    """A part as another kind than it seemed; numbers by query and document are then its grades."""
    raw, given = part.raw, part.given
    raw = formats.parted_at_blanks(raw) if kind == "judgments" else raw
    if raw.known != raw_table.SCORED:
        qrels = beir_qrels(raw.header) if kind == "log" else {}  # which are a run, then
        given = {r: c for r, c in given.items() if r == "doc" or qrels.get(r) != c}
        return replace(part, raw=raw, kind=kind, why=why, given=given)
    number = raw_table.column_of_numbers(raw.rows)
    given = {role: column for role, column in given.items() if column != number}
    if kind != "judgments":
        raw = replace(raw, rows=raw.rows.drop(columns=raw_table.LISTED, errors="ignore"))
    else:
        given = {"grade": number, **given}
        said = [raw_table.lists_without_grades_note(raw.file)] * (number == raw_table.LISTED)
        raw = replace(raw, notes=(*raw.notes, *said))
    return replace(part, raw=raw, kind=kind, why=why, given=given)


def of_kind(parts: Sequence[Part], kind: str) -> list[Part]:
    """The parts of one kind."""
    return [part for part in parts if part.kind == kind]


def study_name(files: Sequence[str], folder: str = "") -> str:
    """What a study is called: as the first file, the `folder`, or the first file that says more.

    >>> study_name(["pilot.csv"], "data"), study_name(["log.csv"], "pilot")
    ('pilot', 'pilot')
    >>> study_name(["log.csv", "pilot-qrels.txt"]), study_name(["a/pilot/log.csv", "qrels.txt"])
    ('pilot-qrels', 'pilot')
    >>> study_name(["log.csv", "qrels.txt"])
    'log'
    """
    within = files[0].replace("\\", "/").strip("/").split("/")[:-1]
    others = (stem(file.partition(" [")[0]) for file in files[1:])
    names = [stem(files[0]), folder, *reversed(within), *others]
    return next((name for name in names if name and not GENERAL.fullmatch(name)), stem(files[0]))


def stem(file: str) -> str:
    """A file's name without folder and endings.

    >>> stem("runs/BM25.run.gz"), stem("study.xlsx [log]")
    ('BM25', 'study [log]')
    """
    name = file.replace("\\", "/").rpartition("/")[2]
    book, _, sheet = name.rpartition(" [") if name.endswith("]") else (name, "", "")
    while book.lower().endswith(ENDINGS):
        book = book[: book.rindex(".")]
    return (f"{book} [{sheet}" if sheet else book) or name


def _recognised_columns(columns: Roles) -> str:
    *first, last = columns
    names = f"{', '.join(first)} and {last}" if first else last
    return f"it has {'columns' if first else 'a column'} for {names}"


PARTED = re.compile(r"[\s|;,\[{(]")  # of a cell that may hold several documents


def document_ids(part: Part) -> set[str]:
    """Documents of a part, those in lists too."""
    column = "doc" if part.raw.known == raw_table.SCORED else part.columns.get("doc")
    texts = raw_table.texts_of(part.raw.rows[column]) if column else []
    listed = (text for text in texts if PARTED.search(text))
    return {*texts, *(doc for text in listed for doc in shapes.documents_in_cell(text))}


ANOTHER = "another list of its file is read"
NOT_READ = "it is one of a file's lists, and its columns fit no log or judgments"


def picked_lists(file: str, parts: list[Part], recipe: Recipe) -> list[Part]:
    """Tables of a file, where of several lists those that were picked are read.

    Raises
    ------
    UnusableInputError : no such list
    """
    picked = [path for name, own in recipe.lists.items() if is_called(file, name) for path in own]
    there = {p.raw.nested.path: p for p in parts if p.raw.nested and p.raw.nested.path}
    if not picked:
        rated = of_kind([*there.values()], "ratings")
        rated = [part for part in rated if part.raw.file not in recipe.kinds]
        return [as_kind(part, "other", NOT_READ) if part in rated else part for part in parts]
    remedy = Remedy("Correct --set lists.", f"Pick one of these: “{ASKED['lists']}”.")
    rule = f"its lists of objects are {', '.join(there) or 'none'}"
    lacking = [path for path in picked if path not in there]
    refuse([error(file, None, f"no list {path!r}", rule, remedy) for path in lacking])
    return [p if path in picked else as_kind(p, "other", ANOTHER) for path, p in there.items()]


def with_one_log(given: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where of several lists of one file that could be the log one is.

    It is the one of which judgments name documents, where they name none of the others; its
    columns need not say so.

    Raises
    ------
    UnusableInputError : it can't be told which
    """
    parts = [*given]
    by_file: dict[str, list[Part]] = {}
    for part in parts:
        if part.raw.nested and part.raw.nested.path and part.raw.file not in recipe.kinds:
            file = part.raw.file.removesuffix(f" [{part.raw.nested.path}]")
            by_file.setdefault(file, []).append(part)
    judged = set[str]().union(*map(document_ids, of_kind(parts, "judgments") if by_file else []))
    for file, every in by_file.items():
        by_file[file] = of_kind(every, "log")
        named = [(p, c) for p in of_kind(every, "other") for c in _judged_columns(p, judged)]
        if not by_file[file] and len(named) == 1:
            (part, column), *_ = named
            taken = recognise_table(part.raw, {**recipe.mapping, f"{part.raw.file}:doc": column})
            parts[parts.index(part)] = as_kind(taken, "log", "judgments name its documents")
    problems, aside = list[Problem](), list[Part]()
    for file, logs in by_file.items():
        if len(logs) < 2 or any(is_called(file, name) for name in recipe.lists):
            continue
        own = [part for part in logs if _has_own_documents(part)] or logs[:1]
        met = [part for part in own if not judged.isdisjoint(document_ids(part))]
        if len(own) == 1 or len(met) == 1:
            aside += [part for part in logs if part not in (own if len(own) == 1 else met)]
            continue
        paths = [part.raw.nested.path for part in own if part.raw.nested]
        ways = " or ".join(option("lists", f"'{file}={path}'") for path in paths)
        remedy = Remedy(f"Say which is the log: {ways}.", f"Say which under “{ASKED['lists']}”.")
        what = f"several lists of documents: {', '.join(paths)}"
        problems.append(error(file, None, what, "only one list has the results", remedy))
    refuse(problems)
    return [as_kind(part, "other", ANOTHER) if part in aside else part for part in parts]


def with_judgments_by_log(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where a table of grades is judgments by its one column of the log's documents.

    Its name need not say so. None is looked for beside other judgments, or grades in the log.
    """
    made, logs = [*parts], of_kind(parts, "log")
    if of_kind(parts, "judgments") or any("grade" in log.columns for log in logs):
        return made
    free = [(i, p) for i, p in enumerate(parts) if p.kind == "other" and p.why != SAID]
    shown = set[str]().union(*map(document_ids, logs if free else []))
    for i, part in free if shown else []:
        columns = as_kind(part, "judgments", "").columns
        named = _judged_columns(part, shown) if "grade" in columns and "doc" not in columns else []
        if len(named) == 1:
            known = recognise_table(part.raw, {**recipe.mapping, f"{part.raw.file}:doc": named[0]})
            made[i] = as_kind(known, "judgments", f"its {named[0]} names documents of the log")
    return made


def _has_own_documents(part: Part) -> bool:
    """Whether documents stand in the list that a table is made of, and not around it."""
    nested, doc = part.raw.nested, part.columns.get("doc", "")
    return nested is not None and nested.lists.get(doc) == max(nested.places, key=len, default=())


def _judged_columns(part: Part, judged: set[str]) -> list[str]:
    """Columns of a list whose texts are documents that judgments name, most of them."""
    rows, header = part.raw.rows, part.raw.header
    header = header if shapes.meaning_of(innermost_list(part)) != "click" else []
    cells = ((name, {*map(str.strip, raw_table.texts_of(rows[name]))} - {""}) for name in header)
    return [name for name, texts in cells if 2 * len(texts & judged) >= max(1, len(texts))]


def innermost_list(part: Part) -> str:
    """What the innermost list of a table is called; "" where the file has no other."""
    return part.raw.nested.path.rpartition(".")[2] if part.raw.nested else ""


MOSTLY = 0.9  # of the ids of queries, or of clicks, at least
TOLD = {"session", "searcher", "system", "topic", "query_number", "text", "time"}
NO_QUERY = ("session", "searcher", "system", "topic", "doc", "rank", "clicked", "time")


def with_tables_of_queries(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where results that name their queries by an id have what another table says of these.

    As in a database: each row of the results has the id of its query, the table of queries has a
    row for each id; so have queries the id of their session. Tables of which something was said by
    hand stay as they are.
    """
    made, said = [*parts], [*recipe.kinds, *(key.rpartition(":")[0] for key in recipe.mapping)]
    plain = [(i, part) for i, part in enumerate(parts) if _is_plain_unmapped_table(part, said)]
    free = {i: columns_of(part.raw, "log", part.given) for i, part in plain}
    of_queries = [k for k, told in free.items() if "doc" not in told]
    for i, log in ((i, told) for i, told in free.items() if "rank" in told):
        for k in (k for k in free if not {"doc", "rank"} & {*free[k]}):
            made[k] = _with_documents_of_results(parts[k], parts[i], log, recipe)
        for k in (k for k in 2 * of_queries if k != i and made[k] is parts[k]):
            log = columns_of(made[i].raw, "log", made[i].given)
            key = _id_columns(made[i], parts[k], {log[role] for role in NO_QUERY if role in log})
            of_searchers = bool(key) and key[0] == log.get("searcher")
            if key and (of_searchers or ({*free[k]} & TOLD) - {*log}):
                queries = parts[k]
                if of_searchers and (time := free[k].get("time")):  # no query's
                    own = queries.raw.rows.rename(columns={time: f"{key[0]}_{time}"})
                    queries = queries.with_rows(own)
                made[i] = _joined(made[i], queries, *key, recipe, whole="text" in free[k])
                why = f"its columns are joined to {parts[i].raw.file} by {key[1]}"
                made[k] = as_kind(parts[k], "queries", why)
    return made


def _is_plain_unmapped_table(part: Part, said: Sequence[str]) -> bool:
    """Whether a table is a plain one, of which nothing was said."""
    raw = part.raw
    is_plain = not (raw.exact or raw.first or raw.known.kind or (raw.nested and raw.nested.path))
    return is_plain and len(raw.rows) > 0 and not any(is_called(raw.file, each) for each in said)


def _with_documents_of_results(part: Part, results: Part, log: Roles, recipe: Recipe) -> Part:
    """A table whose rows name a result by its id, as clicks do, with its query and document."""
    key = _id_columns(part, results, set())
    if not key or plain_name(key[1]) != "id":
        return part
    told = [log[role] for role in ("session", "query_number", "doc") if role in log]
    results = results.with_rows(results.raw.rows[[key[1], *told]])
    return _joined(part, results, *key, recipe, whole=False)


def _id_columns(results: Part, queries: Part, others: set[str]) -> tuple[str, str] | None:
    """Columns that hold the ids of queries, of results and of queries; None where there is none.

    others : columns of the results that say something else
    """
    one = stem(queries.raw.file).rpartition("[")[2].strip("]").lower()
    one = plain_name(f"{one[:-3]}y" if one.endswith("ies") else one.removesuffix("s"))
    named = {plain_name(name): name for name in queries.raw.header}
    if "id" in named:  # of a query, or of what a program calls app_query
        named |= {f"{each}_id": named["id"] for each in (one, one.rpartition("_")[2])}
    for own in sorted(results.raw.header, key=lambda name: plain_name(name) == "id"):
        other = named.get(plain_name(own), "")
        if not other or (own in others and other != named.get("id")):
            continue  # what is no query's goes by an id alone
        ids, asked = cell_texts(queries, other), pd.unique(cell_texts(results, own))
        if plain_name(own) == "id" and asked.size == len(results.raw.rows):
            continue  # the id of each row itself
        are_ids = ids.size == np.unique(ids).size and np.isin(asked, ids).mean() >= MOSTLY
        if are_ids and _agree_where_joined(results, queries, own, other):
            return own, other
    return None


def _agree_where_joined(results: Part, queries: Part, own: str, other: str) -> bool:
    """Whether rows that ids join name mostly one session, document or the like, if both name it."""
    place = pd.Index(cell_texts(queries, other)).get_indexer(pd.Index(cell_texts(results, own)))
    for name in ({*results.raw.header} & {*queries.raw.header}) - {own, other}:
        one, two = cell_texts(results, name), cell_texts(queries, name)[place]
        told = (place >= 0) & (one != "") & (two != "")
        is_id = shapes.ROLE_OF.get(plain_name(name)) in ("session", "searcher", "topic", "doc")
        if is_id and (one == two)[told].sum() < MOSTLY * told.sum():
            return False
    return True


def cell_texts(part: Part, column: str) -> np.ndarray:
    """Texts of a column of a part, row by row (N,), without blanks around."""
    return part.raw.rows[column].astype("str").str.strip().to_numpy(object)


def _joined(
    results: Part, queries: Part, own: str, other: str, recipe: Recipe, *, whole: bool
) -> Part:
    """Results with the columns of queries that they don't have; if `whole`, all queries, too."""
    rows, known = results.raw.rows, pd.Index(cell_texts(queries, other))
    place = known.get_indexer(pd.Index(cell_texts(results, own)))
    texts = {
        name: np.where(place < 0, "", queries.raw.rows[name].astype("str").to_numpy(object)[place])
        for name in queries.raw.header
        if name not in (other, *rows.columns)
    }
    rule = f"its rows take these from {queries.raw.file}, by {own}"
    said = note(results.raw.file, ", ".join(texts), rule, "Check one of them.")
    added = rows.assign(**{name: raw_table.category(column) for name, column in texts.items()})
    made = replace(results.raw, rows=added, notes=(*results.raw.notes, said))
    if whole and (silent := ~np.isin(np.arange(len(known)), place)).any():
        named = queries.raw.rows.rename(columns={other: own})
        made = raw_table.join_tables([made, replace(queries.raw, rows=named).without(~silent)])
    return part_of(made, recipe)


WORDS = re.compile(r"[^\W_]+")


def with_topics_of_files(parts: Sequence[Part]) -> list[Part]:
    """The parts, where the names of files of judgments have their topics, as no column does.

    Each has one of the log's, and of its documents the log shows none on others alone.
    """
    judged = [part for part in of_kind(parts, "judgments") if TOLD.isdisjoint(part.columns)]
    shown = set[tuple[str, str]]()
    for log in of_kind(parts, "log") if judged else ():  # which may be long
        if {"topic", "doc"} <= {*log.columns}:
            row, docs = shapes.documents_of(log.raw, log.columns)
            shown.update(zip(cell_texts(log, log.columns["topic"])[row], docs, strict=True))
    topics, every, made = {topic for topic, _ in shown}, {doc for _, doc in shown}, [*parts]
    for part in judged:
        name = stem(part.raw.file)
        ends = [fit.span() for fit in WORDS.finditer(name)]
        own = {name[a:b] for i, (a, _) in enumerate(ends) for _, b in ends[i:]} & topics
        if len(own) != 1 or any((*own, doc) not in shown for doc in every & {*part.texts("doc")}):
            return [*parts]
        said = note(part.raw.file, "no column of topics", "the file's name has its topic")
        raw = replace(part.raw, notes=(*part.raw.notes, said))
        rows = raw.rows.assign(topic=raw_table.category([*own] * len(raw.rows)))
        made[made.index(part)] = replace(part, raw=raw).with_rows(rows)
    return made


MARKS = {  # by role: the column that a log gets, what its rows are called, and what they do
    "clicked": ("clicked by rows of clicks", "clicks", "of them opens", "of them open"),
    "saved": ("saved by rows of marks", "marks", "of them saves", "of them save"),
}
OF_CLICKS = "session of clicks"
TOLD_ALREADY = "it is called as marks are, and the log says itself which results were {}"
WHY = "its rows are documents that the queries of {} showed, and a name says clicks or reading"


@dataclass(frozen=True, eq=False)
class _Met:
    """Clicks as they meet a log.

    row (C,) : of each click in its table, and place (C,) of the result among the log's (M,), -1
    where it shows none · of (M,) : row of each result of the log · keys : columns that both have,
    of the log and of the clicks · by : what tells results of a list apart
    """

    row: Ints
    place: Ints
    of: Ints
    keys: list[tuple[str, str]]
    by: str = "document"


def with_kinds_of_clicks(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Parts, where those that say which results were opened are known as such.

    A log that names no session has those that the clicks, or other events, of its queries name.
    """
    made = [*parts]
    for i, part in enumerate(parts):
        free = part.kind in ("other", "ratings", "log") and part.raw.file not in recipe.kinds
        role, read = _role_of_marks(part), _dwell_column(part)
        known = part.raw.known.kind or (role or "clicked") in part.columns
        if not free or known or not (role or read):
            continue
        taken, marked = as_kind(part, "clicks", WHY), bool(role)
        logs = [log for log in _unmarked(made, role) if log is not part and not _role_of_marks(log)]
        for log in (log for log in logs if marked or not _dwell_column(log)):  # else two logs
            if (met := _clicks_matched_to_log(log, taken)) is not None:
                made[i] = replace(taken, why=WHY.format(log.raw.file))
                made[made.index(log)] = _with_sessions(log, taken, met)
                break
        else:  # clicks that are refused, or left out, rather than a second log
            others = [log for log in of_kind(made, "log") if log is not part]
            ranked = [log for log in others if "rank" in log.columns and not _role_of_marks(log)]
            if marked and ranked and part.kind == "log" and not events_of(part):
                made[i] = taken if logs else as_kind(part, "other", TOLD_ALREADY.format(role))
    return made


def _unmarked(parts: Sequence[Part], role: str) -> list[Part]:
    """Logs of results that don't say themselves which were clicked, or saved."""
    logs = [(part, part.columns) for part in of_kind(parts, "log") if not events_of(part)]
    return [part for part, own in logs if "doc" in own and (role or "clicked") not in own]


def _role_of_marks(part: Part) -> str:
    """What the name of a file, of a list, or of events says that these are: clicked, or saved."""
    means = shapes.meaning_of(innermost_list(part) or stem(part.raw.file))
    means = "click" if _click_events(part)[1] else means
    return {"click": "clicked", "bookmark": "saved"}.get(means, "")


def _dwell_column(part: Part) -> str:
    """The column that says how long a document was read; "" without one."""
    return part.columns.get("dwell", "") or next(filter(is_dwell_time, part.raw.header), "")


def _click_events(part: Part) -> tuple[str, list[str]]:
    """The column that names events, and its values that mean a click; "" where there is none."""
    named = next((column for column in part.raw.header if plain_name(column) in shapes.NAMES), "")
    texts = raw_table.texts_of(part.raw.rows[named]) if named else []
    return named, [text for text in texts if shapes.meaning_of(text) == "click"]


def with_clicks(parts: Sequence[Part], found: Findings) -> list[Part]:
    """Parts, where logs say which of their results were opened by the tables of clicks beside.

    Raises
    ------
    UnusableInputError : clicks that meet no log
    """
    made = [part for part in parts if part.kind != "clicks"]
    for part in of_kind(parts, "clicks"):
        for log in _unmarked(made, _role_of_marks(part)):
            if (met := _clicks_matched_to_log(log, part)) is not None:
                made[made.index(log)] = _with_click_marks(log, part, met, found)
                break
        else:
            rule = "nine in ten must name a result of one list, by columns that both files have"
            remedy = "Check that it belongs to this log, or leave it out."
            raise refusal(part.raw.file, None, "clicks that match no shown result", rule, remedy)
    return made


def _with_click_marks(log: Part, part: Part, met: _Met, found: Findings) -> Part:
    found.leave_out(part.raw, "a click on a document that no list shows", met.row[met.place < 0])
    others = np.setdiff1d(np.arange(len(part.raw.rows)), met.row)
    if named := _click_events(part)[0]:
        found.leave_out(part.raw, f"rows whose {named} is not a click", others)
    clicked = np.isin(np.arange(met.of.size), met.place)
    rows = log.raw.rows
    if shapes.is_in_lists(log.raw, log.columns):
        ends = np.searchsorted(met.of, np.arange(1, len(rows)))
        flags = (own.tolist() for own in np.split(clicked.astype(int), ends))
        texts = [orjson.dumps(own).decode() if own else "" for own in flags]
    else:
        own = np.isin(np.arange(len(rows)), met.of[clicked])
        texts = own.astype(int).astype(str).tolist()
        if (dwell := _dwell_column(part)) and not _dwell_column(log):
            seconds = row_numbers(part.raw.rows[dwell])[met.row]
            known = (met.place >= 0) & ~np.isnan(seconds)
            of = met.of[met.place[known]]
            read = np.bincount(of, seconds[known], len(rows)), np.bincount(of, minlength=len(rows))
            cells = [f"{total:.10g}" * bool(n) for total, n in zip(*read, strict=True)]
            rows = rows.assign(**{dwell: raw_table.category(cells)})
        if time := part.columns.get("time"):
            order = np.argsort(-seconds_of(part.raw.rows[time])[met.row], kind="stable")
            order = order[met.place[order] >= 0]  # the first click of a result counts
            at = np.full(len(rows), "", dtype=object)
            at[met.of[met.place[order]]] = cell_texts(part, time)[met.row[order]]
            rows = rows.assign(**{raw_table.CLICK_TIME: raw_table.category(at)})
    role = _role_of_marks(part) or "clicked"
    column, what, *opens = MARKS[role]
    log = log.with_rows(rows.assign(**{column: raw_table.category(texts)}), {role: column})
    keys = ", ".join(own for own, _ in met.keys)
    opened = counted(int((met.place >= 0).sum()), *opens)
    rule = f"{opened} a result, matched by {keys} and {met.by}"
    found.note(part.raw.file, what, rule, "Check one of them.")
    return _with_sessions(log, part, met)


def _with_sessions(log: Part, part: Part, met: _Met) -> Part:
    """A log with the session that clicks, or other events, of each query name; or as it is."""
    if "session" in log.columns or "session" not in part.columns:
        return log
    of_log = pd.MultiIndex.from_arrays([cell_texts(log, own) for own, _ in met.keys])
    of_part = pd.MultiIndex.from_arrays([cell_texts(part, other) for _, other in met.keys])
    named = pd.Series(cell_texts(part, part.columns["session"]), index=of_part)
    named = named[(named != "").to_numpy() & ~named.index.duplicated()]
    texts = named.reindex(of_log).fillna("").tolist()
    rows = log.raw.rows.assign(**{OF_CLICKS: raw_table.category(texts)})
    return log.with_rows(rows, {"session": OF_CLICKS})


def _clicks_matched_to_log(log: Part, part: Part) -> _Met | None:
    """How clicks meet a log, if most of them do: by the columns that both have, and a document."""
    of, doc = shapes.documents_of(log.raw, log.columns)
    named, clicks = _click_events(part)
    row = np.arange(len(part.raw.rows))
    if clicks:
        row = row[np.isin(cell_texts(part, named), clicks)]
    keys = _shared_key_columns(log, part, row)
    if not keys or not row.size or not of.size:
        return None
    own_doc = part.columns.get("doc")
    rank, of_log = as_kind(part, "log", "").columns.get("rank"), log.columns.get("rank")
    by_rank = rank and of_log and not own_doc and not shapes.is_in_lists(log.raw, log.columns)
    if by_rank:
        own_doc, doc = rank, cell_texts(log, str(of_log))[of]
        keys = [(own, other) for own, other in keys if other != rank]
    shown = pd.DataFrame({i: cell_texts(log, own)[of] for i, (own, _) in enumerate(keys)})
    shown = shown.assign(doc=doc, place=np.arange(of.size))
    by = [*range(len(keys)), "doc"]
    if shown.duplicated(by).mean() > 1 - MOSTLY:  # it could not be told which list was meant
        return None
    shown = shown.drop_duplicates(by)
    spent = {own for _, own in keys}
    for column in [own_doc] if own_doc else [c for c in part.raw.header if c not in spent]:
        docs = cell_texts(part, column)
        filled = row[docs[row] != ""]  # a list of none keeps its row
        asked = pd.DataFrame({i: cell_texts(part, own)[filled] for i, (_, own) in enumerate(keys)})
        about = asked.assign(doc=docs[filled]).merge(shown, on=by, how="left")
        place = about["place"].fillna(-1).to_numpy().astype(np.int64)
        if filled.size and (place >= 0).mean() >= MOSTLY:
            return _Met(filled, place, of, keys, "rank" if by_rank else "document")
    return None


def _shared_key_columns(log: Part, part: Part, row: Ints) -> list[tuple[str, str]]:
    """Columns that both have, of which the log knows most of what rows of clicks say."""
    doc = {log.columns.get("doc"), part.columns.get("doc")}
    roles = {"session", "query_number", "searcher", "topic"} & {*log.columns} & {*part.columns}
    pairs = {log.columns[role]: part.columns[role] for role in sorted(roles)}
    plain = {plain_name(column): column for column in part.raw.header}
    alike = {c: plain[plain_name(c)] for c in log.raw.header if plain_name(c) in plain}
    pairs = {**pairs, **alike, **pairs}  # roles first
    known: list[tuple[str, str]] = []
    for own, other in (pair for pair in pairs.items() if doc.isdisjoint(pair)):
        said = cell_texts(part, other)[row]
        if plain_name(other) == "id":
            of_row = log.raw.rows[own].is_unique and not shapes.is_in_lists(log.raw, log.columns)
            apart = of_row and not _agree_where_joined(part, log, other, own)
            if apart or np.unique(said).size == row.size:
                continue  # the id of each click itself, or of something else
        if (said != "").all() and np.isin(said, cell_texts(log, own)).mean() >= MOSTLY:
            known.append((own, other))
    weak = {log.columns.get(role) for role in ("query_number", "rank", "topic")}
    if "session" in roles and weak.issuperset(own for own, _ in known):
        return []  # their sessions are others
    return known
