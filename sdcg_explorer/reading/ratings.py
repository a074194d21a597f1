"""Ratings: tables keyed by session, by session and query, or by searcher, joined to a study."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations, product
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import NUMBER, WHOLE, Findings
from sdcg_explorer.reading.log_rows import NO_NAME, free_name, values_of
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.mapping import FOLD, Role, Roles, joined_name
from sdcg_explorer.reading.raw_table import RawTable, category, texts_of
from sdcg_explorer.reading.recipe import option
from sdcg_explorer.reading.shapes import meaning_of
from sdcg_explorer.reading.table_kinds import SAID, Part, as_kind, stem
from sdcg_explorer.study import arrays, wording
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import FINE, Remedy, Way, cut

KEYS = (
    ("session", "query_number"),
    ("session", "text"),
    ("session",),
    ("searcher", "topic", "query_number"),
    ("searcher", "topic"),
    ("searcher", "query_number"),
    ("searcher",),
)
MADE_FINER = (("searcher", "topic"), ("searcher",))
NO_MATCH = "no rating matches"
MOST_AGAIN = 0.2  # of the rows, which are then told to be a second rating
MOST_ITEMS = 200  # of a questionnaire
# what columns of a row for each item are called, whose items may be numbers
ITEMS = re.compile("(item|question|frage|statement|aussage)(n[or]|number|nummer|id)?")
ANSWERS = re.compile("answer|response|value|score|rating|antwort|wert|reponse|respuesta|risposta")
NAMED, ONCE = "rated-names", np.zeros(1, dtype=np.int64)  # a repair of a table, told once
MOST_NAME_WORDS = 5  # of a topic or system, in the name of a column
MOST_NAMED = 20  # of the ratings that the log does not have
TOLD_BY = (("session",), ("searcher", "topic"), ("searcher",))
OF_SESSIONS = ("system", "searcher", "topic")  # what a table of sessions can tell the log


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables that ratings join, and numbers and topics of queries as the log had them, if known."""

    sessions: pd.DataFrame
    queries: pd.DataFrame
    own_numbers: arrays.Ints | None = None
    own_topics: pd.Series[Any] | None = None


def tables_by_content(parts: Sequence[Part], cells: pd.DataFrame) -> list[Part]:
    """Tables that list searchers, or sessions, of the log, each once, as ratings.

    They are of no other kind, or have no key that tells their rows apart. They list all searchers,
    or all sessions, or no others than these; or most searchers, each once with a topic or system.
    Numbers may be of anything.

    cells : of the log's rows, or what a study knows of its queries, by role
    """
    free, made = [part for part in parts if _may_be_ratings(part)], list[Part]()
    there = [role for role in ("searcher", "session", "topic", "system") if role in cells]
    every = {role: {*comparable(cells[role].drop_duplicates())} - {""} for role in there if free}
    listed = {role: names for role, names in every.items() if len(names) > 1}
    listed = {r: names for r, names in listed.items() if not any(map(NUMBER.fullmatch, names))}
    for part in free:
        texts = {name: comparable(part.raw.rows[name]) for name in part.raw.header}
        together = _listed_together(texts, listed, part.columns.get("searcher", ""))
        given = next(chain(_listed_once(texts, listed), together), None)
        if given is not None:
            names = ", ".join(f"{role}s ({column})" for role, column in given.items())
            why = f"it lists the log's {names}"
            made.append(replace(part, kind="ratings", why=why, given=part.given | given))
    return made


def as_ratings(parts: Sequence[Part], tables: Tables) -> list[Part]:
    """Parts, of which those are ratings that list the searchers or sessions of these tables."""
    known = rating_keys_by_query(tables)
    listing = {part.raw.file: part for part in tables_by_content(parts, known)}
    return [listing.get(part.raw.file, part) for part in parts]


Listed = Mapping[str, set[str]]  # names of the log by role


def _listed_once(texts: Mapping[str, pd.Series], listed: Listed) -> Iterator[Roles]:
    """Role → column that has all searchers, or sessions, each once, or no others than sessions."""
    for role, (name, column) in product(("searcher", "session"), texts.items()):
        own, names = [text for text in column if text], listed.get(role, set())
        is_of_all = len(own) <= 2 * len(names) and names <= {*own}
        is_of_none_else = role == "session" and len(own) > 1 and {*own} <= names
        if names and len({*own}) == len(own) and (is_of_all or is_of_none_else):
            yield {role: name}


def _listed_together(texts: Mapping[str, pd.Series], listed: Listed, named: str) -> Iterator[Roles]:
    """Role → columns that have most searchers, and topics or systems, each pair once.

    named : the column of searchers, if its name says so, whose texts may be numbers
    """
    names, distinct = listed.get("searcher", set()), {n: {*own} - {""} for n, own in texts.items()}
    for who in [named] if named else texts:
        known = len(distinct[who] & names)
        if not named and 2 * known <= max(len(names), len(distinct[who])):
            continue
        for role, (name, own) in product(("topic", "system"), distinct.items()):
            if name == who or len(own) < 2 or not own <= listed.get(role, set()):
                continue
            pairs = pd.DataFrame({"who": texts[who], "what": texts[name]})
            if pairs[(pairs != "").all(axis=1)].duplicated().mean() < MOST_AGAIN:
                yield {"searcher": who, role: name}


def _may_be_ratings(part: Part) -> bool:
    """Whether a table is of no other kind by its columns, and nobody has said what it is.

    What names results is none of ratings, but of clicks or grades that match no list.
    """
    if part.kind == "other":
        of_results = {"doc", "rank"} & {*as_kind(part, "log", "").columns}
        of_results = of_results or meaning_of(stem(part.raw.file)) == "click"
        return part.why != SAID and not part.raw.nested and not of_results
    return part.kind == "ratings" and not _tells_rows_apart(part)


def _tells_rows_apart(part: Part) -> bool:
    """Whether a table of ratings has a key, and none of searchers who come again."""
    key = _ratings_key(part)
    return bool(key) and not (key == ("searcher",) and _come_again(part, key))


def _come_again(part: Part, key: Sequence[str]) -> bool:
    """Whether a key comes twice."""
    return bool(part.raw.rows[[part.columns[role] for role in key]].duplicated().any())


def _ratings_key(part: Part) -> tuple[str, ...]:
    """What a table of ratings goes by: the first of the keys whose columns it has.

    Searchers who come again, also with their topics, are told apart by the system or the query's
    text, if one does; by a system that is given anyhow.
    """
    columns = part.columns
    key = next((key for key in KEYS if {*key} <= columns.keys()), ())
    if key == ("searcher",) and "system" in part.given:
        return "searcher", "system"
    finer = [(*key, role) for role in ("system", "text") if role in columns and key in MADE_FINER]
    return next((each for each in (key, *finer) if not _come_again(part, each)), key)


def _with_items_as_columns(part: Part, found: Findings) -> Part:
    """A table with a column for each item, where each row names one and has its value.

    So it is if its key comes again, but hardly ever with the item, and half of all pairs are there.
    Items are numbers only in a column that is called so. Where more columns differ, the values are
    in the one that is called so, or that alone has numbers.
    """
    columns, rows = part.columns, part.raw.rows
    key, others = _ratings_key(part), [c for c in part.raw.header if c not in columns.values()]
    if not key or len(others) < 2 or not _come_again(part, key):
        return part
    finer = ("system",) if key in MADE_FINER and "system" in columns else ()
    keys = [columns[role] for role in (*key, *finer)]
    table = pd.DataFrame({name: comparable(rows[name]) for name in part.raw.header})
    most = min(MOST_ITEMS, 2 * len(table) / len(table[keys].drop_duplicates()))
    filled = {name: {*table[name]} - {""} for name in others}
    counted = [name for name, texts in filled.items() if all(map(NUMBER.fullmatch, texts))]
    told = [name for name in others if ANSWERS.fullmatch(joined_name(name))]
    for item, value in permutations(others, 2):
        if ITEMS.fullmatch(joined_name(item)) and all(map(WHOLE.fullmatch, filled[item])):
            table[item] = table[item].where(table[item] == "", f"{item} " + table[item])
        items = {*table[item]}
        named = not any(map(NUMBER.fullmatch, items)) and items.isdisjoint(["", *part.raw.header])
        once = table.drop_duplicates([*keys, item, value])
        again = once.duplicated([*keys, item])
        is_other = len(others) > 2 and (told if len(told) == 1 else counted) != [value]
        if is_other or not named or len(items) > most or again.mean() >= MOST_AGAIN:
            continue
        said = ("a second " + once[item] + ", " + once[value].map(repr)).to_dict()
        rule = "a session or query has one rating of each kind"
        twice = np.flatnonzero(table.index.isin(once.index[again]))
        found.refuse(part.raw, twice, said.__getitem__, rule, "Keep one of the two.")
        for name in {*others} - {item, value}:
            found.leave_out_column(part.raw, f"column {name!r} is of each {item}")
        wide = once[~again].pivot(index=keys, columns=item, values=value).fillna("")
        wide = wide[[*dict.fromkeys(once[item])]]  # as they come
        raw = part.raw.take(np.flatnonzero(~table.duplicated(keys)))
        own = table.drop_duplicates(keys)[keys].merge(wide.reset_index(), on=keys)
        new = {name: category(own[name]) for name in wide.columns}
        rule = f"each {item} is a column, with the {value} of its rows"
        found.note(raw.file, f"{wording.counted(len(new), 'item')} in rows", rule, FINE)
        return replace(part, raw=replace(raw, rows=raw.rows.drop(columns=others).assign(**new)))
    return part


def _with_names_as_rows(part: Part, known: pd.DataFrame, found: Findings) -> list[Part]:
    """A table of searchers, and one with a row for each topic or system that columns name.

    `ease T1` and `ease T2` are two ratings of the ease. A rating of one of them alone, or what may
    be another item, goes by searcher, which is warned of. A file, or sheet, that is called as a
    topic or system rates that.
    """
    columns, raw, made = part.columns, part.raw, list[Part]()
    is_of_each = _ratings_key(part) == ("searcher",) and not _come_again(part, ["searcher"])
    if not is_of_each or NAMED not in found.fixes:
        return [part]
    ways = {role: _ways_to_call(role, known[role]) for role in ("topic", "system")}
    ways = {role: called for role, called in ways.items() if role not in columns}
    sheet = stem(raw.file).rpartition("[")[2].strip("]")
    of_file = {(role, name) for role, own in ways.items() for name, _ in _named_in(sheet, own)}
    if len(of_file) == 1:
        ((role, name),) = of_file
        found.fix(raw, NAMED, ONCE, lambda _: f"{role} {name!r}")
        rows = raw.rows.assign(**{role: category([name] * len(raw.rows))})
        return [part.with_rows(rows, {role: role})]
    texts = {name: comparable(raw.rows[name]) for name in raw.header}
    logged = {*known["topic"], *known["system"], ""}
    free = [name for name in raw.header if name not in columns.values()]
    free = [name for name in free if not logged.issuperset(texts[name])]  # an order of tasks
    hits = dict[str, dict[str, tuple[str, str]]]()
    for role, called in ways.items():
        names = {name: (name, "rating") for name in {*known[role]} if not name.isdecimal()}
        found_in = {c: names.get(c) or next(_named_in(c, called), None) for c in free}
        hits[role] = {c: hit for c, hit in found_in.items() if hit}
    named = Counter(column for of_role in hits.values() for column in of_role)
    others, gone = {_shape(column) for column in free if column not in named}, set[str]()
    for role, of_role in hits.items():
        rated = dict[str, dict[str, str]]()
        for column, (name, what) in of_role.items():
            if named[column] == 1:
                rated.setdefault(what, {}).setdefault(name, column)
        rated = {
            what: of
            for what, of in rated.items()
            if len(of) > 1 and any(map(str.isalpha, what)) and what not in columns.values()
            if others.isdisjoint(map(_shape, of.values()))
        }
        spent = [column for of in rated.values() for column in of.values()]
        if spent:
            found.fix(raw, NAMED, ONCE, lambda _, spent=spent: f"columns {_names(spent)}")
            made.append(_row_per_name(part, role, rated, texts))
            gone |= {*spent}
    told = {column: what for of_role in hits.values() for column, (_, what) in of_role.items()}
    if doubtful := [c for c, what in told.items() if c not in gone and what != "rating"]:
        what = f"a topic or system in the name of a column ({_names(doubtful)})"
        remedy = "If it rates that alone, give a row for each searcher and topic, or system."
        found.warn(raw.file, what, "it goes to all sessions of its searcher", remedy)
    rest = part.with_rows(raw.rows.drop(columns=[*gone]))
    return [rest, *made] if not made or {*rest.raw.header} > {*columns.values()} else made


def _row_per_name(
    part: Part, role: str, rated: Mapping[str, Mapping[str, str]], texts: Mapping[str, pd.Series]
) -> Part:
    """A table of searchers with a row for each topic or system that one has rated.

    rated : what was rated → name of the topic or system → column
    """
    who, tables = part.columns["searcher"], list[pd.DataFrame]()
    for name in dict.fromkeys(name for of in rated.values() for name in of):
        own = pd.DataFrame({what: texts[of[name]] for what, of in rated.items() if name in of})
        own = own.reindex(columns=[*rated], fill_value="").assign(**{role: name})
        tables.append(own[(own[[*rated]] != "").any(axis=1)])
    cells = pd.concat(tables)
    table = part.raw.take(cells.index.to_numpy(dtype=np.int64))
    new = cells.reset_index(drop=True).apply(category)
    rows = pd.concat([table.rows[[who]].reset_index(drop=True), new], axis=1)
    return replace(part, raw=replace(table, rows=rows), given={"searcher": who, role: role})


def _shape(column: str) -> str:
    """What columns of one kind have in common, numbers and single letters left out.

    >>> _shape("sat_T1") == _shape("sat T20"), _shape("A 1") == _shape("C 2")
    (True, True)
    """
    words = (re.sub("[0-9]+", "0", word) for word in plain_name(column).split("_"))
    return "_".join("a" if len(word) == 1 and word.isalpha() else word for word in words)


def _ways_to_call(role: str, names: pd.Series) -> dict[str, str]:
    """What names of the log may be called in columns → the name; one of two is none."""
    called = dict[str, set[str]]()
    words = [word for word in Role(role).names if "_" not in word]
    for name in {*names} - {""}:
        plain = joined_name(name)
        spelt = next((word for word in (*words, role[0]) if plain.startswith(word)), "")
        number = plain.removeprefix(spelt)
        ways = [f"{word}{number if number.isdecimal() else plain}" for word in words]
        ways += [f"{role[0]}{number}"] if spelt and number.isdecimal() else []
        for way in {*ways, *([] if plain.isdecimal() else [plain])}:
            called.setdefault(way, set()).add(name)
    return {way: next(iter(of)) for way, of in called.items() if len(of) == 1}


def _named_as_logged(
    file: str, rated: pd.DataFrame, known: pd.DataFrame, found: Findings
) -> dict[str, pd.Series]:
    """Topics and systems of ratings as the log has them, where all are called otherwise."""
    made = dict[str, pd.Series]()
    for role in {"topic", "system"} & {*rated}:
        texts, called = {*rated[role]} - {""}, _ways_to_call(role, known[role])
        ways = {text: role * text.isdecimal() + joined_name(text) for text in texts}
        if texts and texts.isdisjoint(known[role]) and {*ways.values()} <= called.keys():
            logged = {text: called[ways[text]] for text in sorted(texts)}
            one, *more = (f"{text!r} as {own!r}" for text, own in logged.items())
            rule = f"no {role} has one name in both files; without the word before it they match"
            found.note(file, f"{role} {one}{', …' * bool(more)}", rule, FINE)
            made[role] = rated[role].map(logged).fillna("")
    return made


def _named_in(column: str, called: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The name of the log that a column has among its words, at an end first, and what else.

    >>> next(_named_in("How easy? (T1)", {"t1": "T1"})), next(_named_in("SUS.T1.1", {"t1": "T1"}))
    (('T1', 'How easy?'), ('T1', 'sus 1'))
    """
    words = plain_name(column).split("_")
    if "".join(words) in called:
        yield called["".join(words)], "rating"
    for k in range(min(len(words) - 1, MOST_NAME_WORDS), 0, -1):
        last = len(words) - k
        for i in (last, 0, *range(1, last)):
            name, rest = "".join(words[i : i + k]), [*words[:i], *words[i + k :]]
            if name not in called or (0 < i < last and len(name) < 2):
                continue
            cuts = range(len(column) - 1, 0, -1) if i else range(1, len(column))
            parts = (column[:at] if i else column[at:] for at in cuts if i in (0, last))
            what = next((part for part in parts if plain_name(part) == "_".join(rest)), "")
            yield called[name], what.strip(" _-.:/()[]") or " ".join(rest)


def with_roles_from_ratings(
    log: Mapped, graded: Mapped | None, parts: Sequence[Part], found: Findings
) -> Mapped:
    """The log with the system, searcher or topic that a table of sessions tells of them.

    A table of searchers tells the same, where it has one value for each. Topics that it tells, and
    that are judged, take the place of a log's of which none is.
    """
    cells = log.cells
    judged = set(texts_of(graded.cells["topic"]) if graded and "topic" in graded.cells else ())
    for part in parts:
        columns = part.columns
        key = next((key for key in TOLD_BY if {*key} <= {*columns} & {*cells}), ())
        if not key or "query_number" in columns:
            continue
        asked = pd.DataFrame({role: comparable(cells[role]) for role in key})
        named = {role: comparable(part.raw.rows[columns[role]]) for role in columns}
        others = "topic" in key or "topic" not in {*columns} & {*cells}
        is_better = not others and judged.isdisjoint(texts_of(cells["topic"]))
        is_better &= not judged.isdisjoint(named.get("topic", ()))
        for role in OF_SESSIONS:
            if role not in columns or (role in cells and not (role == "topic" and is_better)):
                continue
            rows = pd.DataFrame({each: named[each] for each in (*key, role)})
            told = rows[rows[role] != ""].drop_duplicates()
            if told.duplicated([*key]).any():
                continue
            texts = asked.merge(told, on=[*key], how="left", sort=False)[role].fillna("")
            cells = cells.assign(**{role: category(texts)})
            rule = f"the log's sessions take their {role} from this table"
            found.note(part.raw.file, f"a column for {role}", rule)
    return replace(log, cells=cells)


def join_ratings(part: Part, tables: Tables, found: Findings) -> Tables:
    """Sessions and queries with the columns of one ratings table.

    A table goes by the first of these that it has: session and query number (or text), session,
    searcher and topic (and query number), searcher; of searchers who come again, and system or
    text. What else it says of searcher, topic and system must be what the log says.
    """
    part = _with_items_as_columns(part, found)
    known = rating_keys_by_query(tables, exact=part.raw.exact)
    part, *others = _with_names_as_rows(part, known, found)
    for other in others:
        tables = join_ratings(other, tables, found)
    raw, columns, key = part.raw, part.columns, _ratings_key(part)
    if not key or any(known[role].eq("").all() for role in key):
        rule = "ratings are by session (and query number), or searcher (and topic, or system)"
        remedy = "Name its columns so, or leave the table out."
        found.error(raw.file, raw.header_line, "no column to match with the log", rule, remedy)
        return tables
    per_query = "query_number" in key or "text" in key
    what, table = ("queries", tables.queries) if per_query else ("sessions", tables.sessions)
    known["at"] = known["query" if per_query else "row"]
    cells = pd.DataFrame({role: raw.rows[columns[role]] for role in key}, copy=False)
    rated = pd.DataFrame({role: comparable(cells[role], raw.exact) for role in key})
    rated = rated.assign(**_named_as_logged(raw.file, rated, known, found))
    met, missing = _ratings_matched_to_log(raw, rated, known, key, found)
    number, by = met["at"].nunique(), " and ".join(role.replace("_", " ") for role in key)
    if missing:
        left_out = f"{wording.counted(len(missing), 'rating')} without a match in the log"
        found.methods.append(f"Left out of {raw.file}: {left_out} (by {by}): {_names(missing)}.")
    if number and (number < len(table) or missing):
        lacking = f"; not found in the log: {_names(missing)}" if missing else ""
        remedy = "Correct the ids that differ." if missing else FINE
        joined = f"ratings joined for {number:,} of {len(table):,} {what}"
        found.note(raw.file, joined, f"they are matched by {by}{lacking}", remedy)
    elif len(rated) and len(missing) == len(rated):
        rule = f"ratings are matched by {by}, and the log has none of theirs"
        remedy = "Check that both files write these ids alike."
        found.warn(raw.file, NO_MATCH, rule, remedy)
    _check_ratings_agree_with_log(part, met, key, known, found)
    more = dict[str, Any]()
    for name in (name for name in raw.header if name not in columns.values()):
        if NO_NAME.fullmatch(name):
            found.leave_out_column(raw, f"{name} has no name")
            continue
        filled = _rating_text_by_row(raw, met, name, len(table), found, key)
        rated = int((filled != "").sum())
        if rated:
            own = free_name(name)
            if own in table.columns and not (filled != "")[table[own].notna()].any():
                filled = np.where(filled == "", table[own].astype("str").fillna(""), filled)
            else:  # ratings of the same sessions by another table
                while own in table.columns or own in more:
                    own += "_2"
            more[own] = values_of(filled)
        else:
            found.leave_out_column(raw, f"column {name!r} has no value for the log's sessions")
        if 0 < rated < number:
            rule = f"{rated:,} of {len(table):,} {what} have a value"
            found.note(raw.file, f"{name} joined", rule)
    return replace(tables, **{what: table.assign(**more)})


def comparable(column: pd.Series, as_is: bool = False) -> pd.Series:
    """Texts to compare: in NFC, without blanks around unless they are ours."""
    codes, distinct = pd.factorize(column, use_na_sentinel=False)
    texts = [unicodedata.normalize("NFC", str(text)) for text in distinct]
    plain = pd.array(texts if as_is else [text.strip() for text in texts], dtype="str")
    return pd.Series(plain.take(codes))


def rating_keys_by_query(tables: Tables, *, exact: bool = False) -> pd.DataFrame:
    """What ratings can go by, as text, a row per query; query and row are places in the tables."""
    names = ["session", "query_number", "topic", "text"]
    texts = tables.queries[names].astype("str").assign(query=np.arange(len(tables.queries)))
    if tables.own_topics is not None:
        texts["topic"] = tables.own_topics.astype("str").to_numpy()
    who = tables.sessions[["session", "searcher", "system"]].astype({"session": "str"})
    who = who.assign(row=np.arange(len(who)))
    own = tables.own_numbers
    texts["own_number"] = texts["query_number"] if own is None else own.astype(str)
    known = who.merge(texts, on="session", how="left", sort=False)  # some have no queries
    known = known.fillna(dict.fromkeys([*names, "own_number", "searcher"], ""))
    for name in (*names, "searcher", "system"):
        known[name] = comparable(known[name], exact)
    return known


def _ratings_matched_to_log(
    raw: RawTable, rated: pd.DataFrame, known: pd.DataFrame, key: tuple[str, ...], found: Findings
) -> tuple[pd.DataFrame, list[str]]:
    """Pairs of a row of ratings and a row (at) that it is about; and what the log does not have."""
    empty = (rated == "").any(axis=1).to_numpy()
    by = " and ".join(role.replace("_", " ") for role in key)
    found.leave_out(raw, "ratings with an empty key", np.flatnonzero(empty))
    rated = rated.assign(row=np.arange(len(rated)))[~empty]
    if "query_number" in key:
        rated, known = _comparable_query_numbers(raw, rated, known, list(key), found)
    met = rated.merge(known[[*key, "at"]].drop_duplicates(), on=list(key), how="left")
    nobody = met[met["at"].isna()].sort_values("row")
    rule = f"ratings of a {by} that the log does not have"
    found.leave_out(raw, rule, nobody["row"].to_numpy(dtype=np.int64))
    met = met.dropna(subset="at").astype({"at": "int64"})
    if key[0] == "searcher" and {"topic", "query_number"} & {*key} and "text" not in key:
        rows = met["row"][met.duplicated("row")].unique()
        what = f"has several sessions{' on the topic' * ('topic' in key)}"
        rule = f"a rating by {by} must be about one session"
        remedy, who = "Name the session in the ratings.", rated["searcher"]
        found.refuse(raw, rows, lambda i: f"searcher {who[i]!r} {what}", rule, remedy)
    missing: list[list[str]] = nobody[list(key)].to_numpy(dtype=object).tolist()
    return met, [", ".join(each) for each in missing]


def _names(names: Sequence[str]) -> str:
    """The first of some names of ratings, and how many more there are.

    >>> _names(["p7, t2", "p8, t1"])
    'p7, t2; p8, t1'
    """
    shown = [cut(" ".join(name.split())) for name in names[:MOST_NAMED]]
    more = [f"and {len(names) - MOST_NAMED:,} more"] if names[MOST_NAMED:] else []
    return "; ".join([*shown, *more])


def _comparable_query_numbers(
    raw: RawTable, rated: pd.DataFrame, known: pd.DataFrame, key: list[str], found: Findings
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both with query numbers to compare: the log's own, or counted from 1, whichever fit more."""
    column = rated["query_number"]
    good = column.str.fullmatch(WHOLE.pattern)
    rows = rated["row"].to_numpy()[~good.to_numpy()]
    rule, remedy = "query numbers are whole numbers", "Correct the cell."
    found.refuse(raw, rows, lambda i: f"query number {column[i]!r}", rule, remedy)
    numbers = pd.to_numeric(column.where(good, "1")).astype("int64")
    from_zero = bool((numbers == 0).any())
    plainly = rated.assign(query_number=numbers.astype(str))
    from_one = rated.assign(query_number=(numbers + from_zero).astype(str))
    as_logged = known.assign(query_number=known["own_number"])
    fits = [len(a.merge(b[key], on=key)) for a, b in ((plainly, as_logged), (from_one, known))]
    if fits[0] >= fits[1]:
        return plainly, as_logged
    if from_zero:
        rule = "query numbers of ratings from 0 are renumbered from 1"
        found.repair(raw, rule, rated["row"].to_numpy(dtype=np.int64))
    return from_one, known


def _check_ratings_agree_with_log(
    part: Part, met: pd.DataFrame, key: tuple[str, ...], known: pd.DataFrame, found: Findings
) -> None:
    """What ratings say of system, searcher or topic beside their key is what the log says."""
    raw, columns = part.raw, part.columns
    for role in OF_SESSIONS:
        if role in key or role not in columns or known[role].eq("").all():
            continue
        column = raw.rows[columns[role]]
        logged = {*zip(known["at"], known[role], strict=True)}
        pairs = zip(met["at"], comparable(column).to_numpy()[met["row"]], strict=True)
        bad = [not {(at, text), (at, "")} & logged and text != "" for at, text in pairs]
        rows = met["row"][np.array(bad, dtype=bool)].unique()
        told = f"{role} " + column.astype("str").map(repr) + ", which is not the log's"
        rule, remedy = f"ratings and log must agree on the {role}", "Correct one of the two."
        found.refuse(raw, rows, told.iloc.__getitem__, rule, remedy)


def _rating_text_by_row(
    raw: RawTable, met: pd.DataFrame, name: str, size: int, found: Findings, key: tuple[str, ...]
) -> Any:
    """What ratings say of each row of the study's table, "" where nothing; not two values."""
    texts = raw.rows[name].astype("str").to_numpy(dtype=object)
    is_filled = np.array([bool(str(text).strip()) for text in texts], dtype=bool)
    some = met[is_filled[met["row"]]]
    row, at = some["row"].to_numpy(), some["at"].to_numpy()
    filled = np.full(size, "", dtype=object)
    filled[at[::-1]] = texts[row[::-1]]
    odd = np.flatnonzero(texts[row] != filled[at])
    pairs = zip(texts[row[odd]], filled[at[odd]], strict=True)
    bad = np.array([_value(one) != _value(other) for one, other in pairs], dtype=bool)
    rule, rows = "a session or query has one rating of each kind", row[odd[bad]]
    remedy: Way = "Keep one of the two."
    if key == ("searcher",):
        keep = "Keep one of the two, or, if a column has the topics, say so:"
        own = option("mapping", quote(f"{raw.file}:topic=NAME"))
        remedy = Remedy(f"{keep} {own}.", f"{keep} “{FOLD}”.")
    found.refuse(raw, rows, lambda i: f"a second {name}, {texts[i]!r}", rule, remedy)
    return filled


def _value(text: Any) -> object:
    """What a rating says: 5 and 5.0 are one value."""
    short = str(text).strip()
    return float(short) if NUMBER.fullmatch(short) else short
