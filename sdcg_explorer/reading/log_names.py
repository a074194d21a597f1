"""What names the sessions, systems and queries of a log: ids, names of files, columns, the order.

A run has lines for results alone. That a query found nothing is seen by a number that its session
skips, by another system's run of the same session, or by judgments that go by the query's id.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading import alike, cells, patterns, shapes
from sdcg_explorer.reading import recipe as recipes
from sdcg_explorer.reading.cells import WHOLE, Findings, blank, coded, first_of_each, row_numbers
from sdcg_explorer.reading.log_rows import MOST_KEPT, free_name, pair_code, places, text_of
from sdcg_explorer.reading.mapping import FOLD, Roles, say_column
from sdcg_explorer.reading.patterns import OF_SESSIONS, groups_named, match_groups_in_file
from sdcg_explorer.reading.raw_table import RawTable, category, in_appearance, texts_of, with_texts
from sdcg_explorer.reading.recipe import ASKED, QUERY_ID, WHOLE_IDS, Recipe, by_rule, option
from sdcg_explorer.reading.table_kinds import Part, of_kind, stem
from sdcg_explorer.study import arrays, bounds, report
from sdcg_explorer.study.columns import are_all, plain_name, seconds_of
from sdcg_explorer.study.problems import FINE, Problem, Remedy, error, note
from sdcg_explorer.study.wording import counted, listed, plural


def with_own_session(raw: RawTable) -> RawTable:
    """A table whose file is one session, which is called as the file."""
    if not raw.known.is_session:
        return raw
    named = category(np.full(len(raw.rows), stem(raw.file), dtype=object))
    return replace(raw, rows=raw.rows.assign(session=named))


def with_file_names(parts: Sequence[Part], pattern: str, found: Findings) -> list[Part]:
    """The parts, logs with what their files' names say of their sessions."""
    files = files_of_logs(parts)
    is_whole = not {*pattern}.isdisjoint("[/")
    texts = [_name_for(f, pattern) for f in files] if is_whole else _names_of(files)
    names = dict(zip(files, texts, strict=True))
    said = {file: patterns.split_name(name, pattern) for file, name in names.items()}
    remedy = by_rule("file_name", "PATTERN", "Correct the pattern, or rename the file:")
    rule = f"file names are read as {pattern}"
    lacking = {file: f"the name {names[file]!r}" for file, own in said.items() if own is None}
    found.problems += [error(file, None, what, rule, remedy) for file, what in lacking.items()]
    known = {file: own for file, own in said.items() if own is not None}
    for file, own in [*known.items()][:1]:
        example = f"{names[file]} is {', '.join(f'{role} {text}' for role, text in own.items())}"
        rule = f"they are read as {pattern}"
        found.note(file, "file names", rule, f"For example, {example}.", example)
    return [_with_file_name_columns(part, known) if part.kind == "log" else part for part in parts]


def _name_for(file: str, pattern: str) -> str:
    """A file's name without endings, in as many folders as a pattern has."""
    folders = file.replace("\\", "/").split("/")[:-1]
    return "/".join([*folders[::-1][: pattern.count("/")][::-1], stem(file)])


def files_of_logs(parts: Sequence[Part]) -> list[str]:
    """Names of the files that logs were read from."""
    return [file for part in of_kind(parts, "log") for file, _ in part.raw.each_file()]


def pattern_for(parts: Sequence[Part]) -> str:
    """A pattern for the names of a log's files, where judgments know topics that these name.

    Of files of one session each, any pattern, whatever the judgments know.
    """
    logs = of_kind(parts, "log")
    if any("topic" in part.columns or part.raw.known.scored for part in logs):
        return ""
    topics = {text for part in of_kind(parts, "judgments") for text in part.texts("topic")}
    pattern = patterns.proposed_pattern([*map(stem, files_of_logs(parts))], topics)
    sure = "topic" in groups_named(pattern) or all(part.raw.known.is_session for part in logs)
    return pattern if sure else ""


def _with_file_name_columns(part: Part, said: Mapping[str, Mapping[str, str]]) -> Part:
    """A log with a column for each part of its files' names; roles go by them."""
    raw, columns = part.raw, dict[str, Any]()
    own = [said.get(file, {}) for file, _ in raw.each_file()]
    for name in dict.fromkeys(name for parts in own for name in parts):
        called = f"{name} of file" if name in OF_SESSIONS else free_name(name, raw.header)
        texts = np.array([parts.get(name, "") for parts in own], dtype=object)
        columns[called] = category(raw.by_file(texts))
    given = {name: f"{name} of file" for parts in own for name in parts if name in OF_SESSIONS}
    return part.with_rows(raw.rows.assign(**columns), given)


def _names_of(files: Sequence[str]) -> list[str]:
    """Names of files without folders and endings; of sheets of one workbook their own."""
    if _are_sheets(files):
        return [file.partition(" [")[2].removesuffix("]") for file in files]
    return [*map(stem, files)]


def _are_sheets(files: Sequence[str]) -> bool:
    """Whether files are sheets of one workbook."""
    books = {file.partition(" [")[0] for file in files}
    return len(files) > 1 and len(books) == 1 and all(" [" in file for file in files)


def _note_run_tags(file: str, tags: Sequence[str]) -> Problem:
    """Note of a run's tags, each of which is a system."""
    page = f"If they are one system, choose no role for the column run under “{FOLD}”."
    remedy = Remedy("If they are one system, read with --map 'system=(none)'.", page)
    return note(file, f"run tags ({listed(tags)})", "each is a system", remedy)


SPLIT = by_rule("query_id", f"REGEX, or {WHOLE_IDS}", "Say how they split into session and query:")

NUMBERS = option("query_numbers", "keep or renumber")
EITHER = by_rule("query_id", f"{WHOLE_IDS}, or {NUMBERS}", "Say which:")


@dataclass(eq=False)
class NamedLog:
    """A log whose sessions, queries and systems are being named.

    columns : by role · splits : whether sessions are read off query ids, which several systems may
    have answered · turns : by session and number, the topics that are queries' own ids; None where
    judgments go by something else
    """

    raw: RawTable
    columns: Roles
    recipe: Recipe
    found: Findings
    splits: bool = False
    turns: dict[tuple[str, int], str] | None = None

    def name_systems(self, runs: Collection[str]) -> None:
        """Give each row its system, where sessions don't have theirs, and tell sessions apart.

        Where sessions are read off query ids, each query that has no result has a row, too.

        runs : names of the files that are runs, whose column for the system holds their tags
        """
        system = self._systems(runs)
        if self.splits:
            system = self._with_missing_queries(system)
        if system is None or "session" not in self.columns:
            return
        rows = self.raw.rows
        if "system" in self.columns and (runs or self.recipe.file_name):
            rows = rows.drop(columns=self.columns["system"])
        session = in_appearance(rows[self.columns["session"]])
        first, place = first_of_each(pair_code(coded(session), system.codes))
        if not arrays.are_distinct(coded(session)[first]):
            pairs = zip(system[first], session.iloc[first].astype("str"), strict=True)
            names = np.array([f"{a}/{b}" if a else b for a, b in pairs], dtype=object)
            session = category(names[place])
            rule = "sessions renamed SYSTEM/SESSION, as systems share names of sessions"
            self.found.repair(self.raw, rule, first)
        named = {"system": "system of file", "session": "session of file"}
        kept = {name for role, name in self.columns.items() if role not in named}
        rows = rows.drop(columns={self.columns["session"]} - kept)  # which may name the searcher
        rows = rows.assign(**{named["system"]: system, named["session"]: session})
        self.raw, self.columns = replace(self.raw, rows=rows), {**self.columns, **named}

    def _systems(self, runs: Collection[str]) -> Any:
        """System of each row (N,), as categories, by its run's tag or its file; None without.

        Several runs are a system each, called as their files; where a file has several tags, these
        are the systems, within their file if each file is to be one.
        """
        raw, columns, recipe = self.raw, self.columns, self.recipe
        if not (recipe.system_by_file or recipe.file_name or runs or self.splits):
            self._say_files_are_one_system()
            return None
        named: Any = text_of(raw.rows, columns.get("system", "")).array
        if "system" in groups_named(recipe.file_name):
            return named
        files = [file for file, _ in raw.each_file()]
        tagged = [each for each in raw.each_file() if each[0] in runs and "system" in columns]
        tags: dict[str, list[str]] = {file: named[rows].unique().tolist() for file, rows in tagged}
        several = {file: own for file, own in tags.items() if len(own) > 1}
        self.found.problems += [_note_run_tags(*each) for each in several.items()]
        if not (recipe.system_by_file or (len(files) > 1 and bool(runs) and not several)):
            if tags or not (self.splits and "system" in columns):
                return named if tags else None
            ids = [columns[role] for role in ("session", "query_number", "system")]
            are_several = raw.rows[ids].drop_duplicates().duplicated(ids[:2]).any()  # of a query
            return named if are_several else None
        plain = _names_of(files)
        called = plain if len({*plain}) == len(plain) else files
        system = raw.by_file(np.array(called, dtype=object))
        for file, rows in raw.each_file():
            if file in several:
                system[rows] = [f"{stem(file)}/{tag}" for tag in named[rows]]
            elif {*tags.get(file, ())} - {*system[rows][:1]}:
                rule = f"its system is named after the file, {system[rows][0]}"
                self.found.note(file, f"run tag {tags[file][0]}", rule, "Nothing to do.")
        return pd.Categorical(system)

    def _say_files_are_one_system(self) -> None:
        """Note that several tables are one system's, unless each is but a session or a searcher."""
        files, columns = self.raw.each_file(), self.columns
        if len(files) < 2 or "system" in columns or "session" not in columns:
            return
        who = [columns[role] for role in ("session", "searcher") if role in columns]
        codes = [coded(self.raw.rows[column]) for column in who]
        each = [max(np.unique(code[rows]).size for _, rows in files) for code in codes]
        if min(each) > 1 or _are_sheets([file for file, _ in files]):
            what = f"{len(files):,} tables of one log, in which no column names a system"
            own = "If each is a system of its own"
            more = ("", "") if "searcher" in columns else recipes.SEARCHERS
            page = f"{own}, say so: “{recipes.FOLD}”.{more[1]}"
            remedy = Remedy(f"{own}: --system-by-file.{more[0]}", page)
            self.found.note(self.raw.file, what, "all are one system", remedy)

    def split_query_ids(self, judged: frozenset[str]) -> None:
        """Read session and query number (and topic) off query ids.

        The topic is what the pattern calls so; else the whole id where the judgments go by it (a
        topic that changes per query), that of the log's own column where they go by that, else the
        session. Ids that don't split, or whose numbers count something else, are each a session of
        one query.

        judged : topics that are judged
        """
        raw, columns, recipe, found = self.raw, self.columns, self.recipe, self.found
        column = columns["query_number"]
        ids = raw.rows[column]
        own = columns.get("topic", column)
        topics = texts_of(raw.rows[own]) if own != column else []
        if by_topic := not judged.isdisjoint(topics):
            judged = frozenset()  # they go by the log's own topics
        texts = texts_of(ids)
        usual = QUERY_ID if recipe.query_id == WHOLE_IDS else recipe.query_id
        if recipe.query_id == QUERY_ID and judged.isdisjoint(texts):
            usual = _pattern_with_topic(texts, judged) or usual
        fits = match_groups_in_file(raw.file, texts, usual, SPLIT)
        sessions = {fit["session"] for fit in fits if fit}
        begin = not judged & {*texts} and any(_topic_before(text, judged) for text in texts)
        are_named = begin or judged & {*texts, *sessions}
        if not are_named and alike.id_difference(texts, judged, "topic"):
            judged = frozenset(texts)  # as they will be once these are alike
        by_id = bool(judged & {*texts}) and not judged & sessions
        sure = by_id or (raw.known.scored and not begin)
        if by_id and not any(fit and "topic" in fit for fit in fits):
            ids_of = sorted(judged)
            named = zip(ids_of, match_groups_in_file(raw.file, ids_of, usual, SPLIT), strict=True)
            whole = ((own, topic) for topic, own in named if own and WHOLE.fullmatch(own["query"]))
            self.turns = {(own["session"], int(float(own["query"]))): topic for own, topic in whole}
        if why := self._reason_ids_stay_whole(fits, sure=sure):
            topics = [(not by_id and _topic_before(text, judged)) or text for text in texts]
            pairs = zip(texts, topics, strict=True)
            fits = [{"session": text, "query": "1", "topic": topic} for text, topic in pairs]
            self.turns = {(topic, 1): topic for topic in judged} if by_id else None
        bad = np.array([fit is None for fit in fits], dtype=bool)
        is_own = recipe.query_id not in (QUERY_ID, WHOLE_IDS)  # a pattern that somebody wrote
        rule = "a query id ends in the query's number, as s1-2 or s1_q2"
        rule = f"query ids are read as {recipe.query_id}" if is_own else rule
        found.refuse_texts(raw, ids, bad, "query id", cells.RowRule(rule, SPLIT))
        parts = [fit or {} for fit in fits]
        names = ("session", "query", "topic")
        session, query, topic = ([part.get(name, "") for part in parts] for name in names)
        made = {"session": session, "query_number": query}
        if any("topic" in part for part in parts):
            made["topic"], source = topic, "what it names"
        elif self.turns is not None:
            made["topic"], source = texts, "the whole query id, as in the judgments"
        elif by_topic:
            source = f"in the column {columns['topic']}"
        else:
            made["topic"], source = session, "the session"
        if not why:
            how = f"session and query are read by {recipe.query_id}"
            how = how if is_own else "each is read as a session and a query number"
            rule = f"{how}, and the topic is {source}"
            named = ((text, part) for text, part in zip(texts, parts, strict=True) if part)
            one = next((f"{text} is query {p['query']} of {p['session']}" for text, p in named), "")
            found.note(raw.file, "query ids", rule, f"For example, {one}.", one)
        split = {f"{role} of {column}": with_texts(ids, values) for role, values in made.items()}
        rows = pd.concat([raw.rows.drop(columns=[column]), pd.DataFrame(split)], axis=1)
        self.raw, self.splits = replace(raw, rows=rows), True
        own = {role: f"{role} of {column}" for role in made}
        self.columns = {**own, **columns, **own}

    def _reason_ids_stay_whole(self, fits: list[dict[str, str] | None], *, sure: bool) -> str:
        """Why each id is a session of one query, which is noted; "" where ids split.

        Ids that could be read either way are refused until it is said.

        fits : what a pattern finds in each id · sure : whether ids are those of queries, whatever
        they are like
        """
        recipe, turns = self.recipe, self.turns
        parts = [fit for fit in fits if fit]
        chosen = recipe.query_id == WHOLE_IDS
        remedy = FINE if chosen else SPLIT
        if not chosen and (recipe.query_id != QUERY_ID or recipe.query_numbers):
            return ""
        lacking = len(parts) < len(fits)
        if chosen or (lacking and (turns is not None or (sure and 2 * len(parts) < len(fits)))):
            why = "as chosen" if chosen else "not all end in a separator and a number"
        elif lacking:
            return ""  # which is refused
        else:
            own = [(part["session"], float(part["query"])) for part in parts]
            known = pd.DataFrame([*own, *(turns or ())], columns=pd.Index(["session", "number"]))
            known = known[known["session"].isin({name for name, _ in own})].drop_duplicates()
            of = known.groupby("session")["number"].agg(["min", "max"]).sort_values("min")
            places = of["max"] - min(of["min"].min(), 1) + 1
            share = f"their numbers fill {len(known):,} of {places.sum():,.0f} places in sessions"
            few = len(known) < FILLED * places.sum() or places.max() > bounds.MOST_QUERIES
            goes_on = len(of) > 1 and (of["min"].to_numpy()[1:] > of["max"].to_numpy()[:-1]).all()
            name, alone = str(of.index[0]), len(of) == 1 < len(parts)
            is_word = len(parts) > MANY and not DIGITS.search(name)
            docs = texts_of(self.raw.rows[self.columns["doc"]]) if "doc" in self.columns else []
            is_common = bool(docs) and all(doc.startswith(name) for doc in docs)  # in all ids
            no_session = is_word or is_common or LABEL.fullmatch(name)
            is_label = alone and turns is not None and no_session
            if not (few or (goes_on and len(known) < places.sum()) or is_label):
                return ""
            if turns is None or not few:
                queries = f"{counted(len(parts), 'query')} of {counted(len(of), 'session')}"
                what = f"query ids that may each be a session of one query, or {queries}"
                self.found.error(self.raw.file, None, what, share, EITHER)
                return ""
            why = f"the judgments name them, and {share}"
            split = "If they split into session and query"
            remedy = by_rule("query_numbers", "renumber", f"{split}:", f"{split}, choose")
        one = plural(len(fits), "the query id is", f"each of {len(fits):,} query ids is")
        what = f"{one} a session of one query"
        self.found.note(self.raw.file, what, why, remedy)
        return why

    def _with_missing_queries(self, system: Any) -> Any:
        """Give each query that has no result a row; the system of each row.

        system : (N,) of each row, whose sessions are called as in the ids; None for one
        """
        raw, columns, turns = self.raw, self.columns, self.turns
        numbers, sessions = raw.rows[columns["query_number"]], raw.rows[columns["session"]]
        number = row_numbers(numbers, WHOLE)
        if np.isnan(number).any() or not number.size:  # which is refused further on
            return system
        codes, systems = pd.factorize(np.zeros(number.size) if system is None else system)
        keys = np.array([codes, coded(sessions), number], dtype=np.int64)
        starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
        rows = pd.DataFrame(dict(zip(QUERY, keys[:, starts], strict=True)))
        rows = rows.assign(min=starts, max=np.append(starts[1:], number.size) - 1)
        names = texts_of(sessions)
        if self.recipe.missing_sessions == "empty":
            names = [*dict.fromkeys([*names, *(name for name, _ in turns or ())])]
        place = {name: i for i, name in enumerate(names)}
        judged = {(place[s], n): topic for (s, n), topic in (turns or {}).items() if s in place}
        named = pd.DataFrame([*judged], columns=pd.Index(QUERY[1:]), dtype=np.int64)
        queries = rows.groupby(QUERY).agg({"min": "min", "max": "max"})
        topics = pd.Series([*judged.values()], pd.MultiIndex.from_frame(named), dtype=object)
        runs = _Runs(self, [*map(str, systems)], names, queries, topics)
        missing = runs.missing(runs.sessions_to_complete())
        if not len(missing):
            return system
        queries = runs.queries.reindex(runs.queries.index.union(missing))
        own = queries.groupby(QUERY[:2])
        beside = own["max"].ffill().fillna(own["min"].bfill() - 0.5)[missing]  # behind, or before
        at = beside.fillna(queries.groupby("system")["max"].transform("max")[missing]).to_numpy()
        order = np.argsort(np.append(np.arange(number.size), at), kind="stable")
        made = order >= number.size
        asked = order[made] - number.size
        missing, alone = missing[asked], beside.isna().to_numpy()[asked]
        like = np.append(np.arange(number.size), np.ceil(at).astype(np.int64))[order]
        own_texts: dict[str, list[str]] = {
            columns["session"]: [names[code] for code in missing.get_level_values("session")],
            columns["query_number"]: [str(n) for n in missing.get_level_values("number")],
            columns["topic"]: runs.topics(raw.rows[columns["topic"]], missing),
        }
        full = raw.take(like)
        for role in {"searcher", "system"} & columns.keys():
            texts = full.rows[columns[role]].astype("str").to_numpy(object)[made]
            own_texts[columns[role]] = np.where(alone, "", texts).tolist()
        for name in full.header:
            texts, column = own_texts.get(name, [""] * len(missing)), full.rows[name]
            known = {*texts_of(column)}
            column = column.cat.add_categories([t for t in dict.fromkeys(texts) if t not in known])
            column[made] = np.array(texts, dtype=object)
            full.rows[name] = in_appearance(column)
        self.raw = full
        return None if system is None else system[like]


def _pattern_with_topic(ids: Sequence[str], judged: Collection[str]) -> str:
    """Pattern of ids of which one part is always a judged topic, and the last a number, or "".

    >>> _pattern_with_topic(["p1-7-1", "p1-8-1", "p2-7-2"], {"7", "8"})
    '(?P<session>[^-]+[-](?P<topic>[^-]+))[-](?P<query>[0-9]+)'
    """
    for sign in "-_./:":
        parts = [text.split(sign) for text in ids]
        size = len(parts[0]) if parts else 0
        if size < 3 or any(len(own) != size or not own[-1].isdecimal() for own in parts):
            continue
        columns = [{*column} for column in zip(*parts, strict=True)][:-1]
        places = [i for i, column in enumerate(columns) if column <= {*judged}]
        if len(places) == 1:
            each = [f"[^{sign}]+"] * (size - 1)
            each[places[0]] = f"(?P<topic>[^{sign}]+)"
            return f"(?P<session>{f'[{sign}]'.join(each)})[{sign}](?P<query>[0-9]+)"
    return ""


def _topic_before(text: str, judged: Collection[str]) -> str:
    """The topic that an id begins with, before a sign; "" for none."""
    ends = (i for i in range(min(len(text), patterns.LONGEST) - 1, 0, -1) if not text[i].isalnum())
    return next((text[:i] for i in ends if text[:i] in judged), "")


FILLED = 0.3  # of the places that the numbers of ids count to; fewer count something else
DIGITS = re.compile(r"[0-9]+")
MANY = 20  # queries of the only session, which then may be none
FEWEST = 6  # numbers that tell that turns between them are never queries
LABEL = re.compile(  # before a number, and of no session
    r"q|quer(y|ies)|topics?|questions?|tasks?|test|train|dev|valid|(19|20)[0-9]{2}", re.IGNORECASE
)


QUERY = ["system", "session", "number"]


@dataclass(frozen=True, eq=False)
class _Runs:
    """Queries of runs by the places of their systems and sessions in these names.

    queries : first and last row of each query that has lines, by its system, session and number ·
    judged : topic of each that judgments name, by session and number, as far as these are sessions
    """

    log: NamedLog
    systems: list[str]
    sessions: list[str]
    queries: pd.DataFrame
    judged: pd.Series

    def some(self, queries: Sequence[Sequence[int]], what: str = "{}") -> str:
        """Up to three of these systems and sessions (and numbers), the systems where several."""
        systems = [f"{name}: " * (len(self.systems) > 1) for name in self.systems]
        some = ((systems[i], self.sessions[k], *number) for i, k, *number in queries[:4])
        return listed([system + what.format(*named) for system, *named in some])

    def sessions_to_complete(self) -> arrays.Bools:
        """Sessions (systems, sessions) that each is asked for: its own, or which count as empty.

        Of systems that share some sessions each is asked for those that it lacks; those without any
        in common were used by different people. Sessions that judgments alone name are told of.
        """
        recipe, found, turns = self.log.recipe, self.log.found, self.log.turns or {}
        has = np.zeros((len(self.systems), len(self.sessions)), dtype=bool)
        has[tuple(self.queries.index.get_level_values(name) for name in QUERY[:2])] = True
        beside = (has & (has.sum(axis=0) > 1)).any(axis=1)
        lacking = beside[:, None] & has[beside].any(axis=0) & ~has
        pairs, empty = np.argwhere(lacking).tolist(), recipe.missing_sessions == "empty"
        if pairs:
            what = f"{counted(len(pairs), 'session')} that a system lacks and others have"
            what = f"{what} ({self.some(pairs)})"
            rule = "either the system found nothing there, or it was not asked"
            remedy = by_rule("missing_sessions", "empty or absent", "Say which:")
            ask = error(self.log.raw.file, None, what, rule, remedy)
            rule = f"as chosen, {'its queries are without results' if empty else 'it has none'}"
            said = note(self.log.raw.file, what, rule)
            found.problems.append(said if recipe.missing_sessions else ask)
        if nowhere := sorted({name for name, _ in turns} - {*self.sessions}):
            what = f"{counted(len(nowhere), 'judged session')} that no run has ({listed(nowhere)})"
            words = "If the runs found nothing there, say so:"
            remedy = by_rule("missing_sessions", "empty", words)
            are = plural(len(nowhere), "it is", "they are")
            rule = f"{are} not part of the study, nor of any mean"
            found.warn(self.log.raw.file, what, rule, remedy)
        asked = lacking | ~has.any(axis=0) if empty else np.zeros_like(has)
        return asked if recipe.query_numbers == "renumber" else asked | has

    def missing(self, asked: arrays.Bools) -> Any:
        """System, session and number of each query without a line in the sessions asked for."""
        recipe, found = self.log.recipe, self.log.found
        with_lines: Any = self.queries.index
        named: Any = with_lines.droplevel("system").union(self.judged.index)
        known = named.to_frame().to_numpy(np.int64)
        base, last = min(int(known[:, 1].min()), 1), np.zeros(len(self.sessions), dtype=np.int64)
        apart = len(known) >= FEWEST and np.gcd.reduce(known[:, 1] - known[:, 1].min()) > 1
        closed = recipe.query_numbers == "renumber" or (apart and not recipe.query_numbers)
        np.maximum.at(last, known[:, 0], known[:, 1])
        system, session = np.nonzero(asked)
        sizes = (last - base + 1)[session]
        if not closed and (last.max() > bounds.MOST_QUERIES or sizes.sum() > MOST_KEPT):
            if not (recipe.query_numbers or found.errors):
                what = f"query ids whose numbers amount to {sizes.sum():,} queries in all"
                most = f"at most {MOST_KEPT:,} in all, and {bounds.MOST_QUERIES:,} in a session"
                rule = f"{most}, can be kept"
                found.error(self.log.raw.file, None, what, rule, EITHER)
            return with_lines[:0]  # where all are kept, they are refused further on
        number = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes) + base
        every = [np.repeat(system, sizes), np.repeat(session, sizes), number]
        missing: Any = pd.MultiIndex.from_arrays(every, names=QUERY)
        missing = missing[~missing.isin(with_lines)]
        if closed:
            missing = missing[missing.droplevel("system").isin(named)]
        if not len(missing):
            return missing
        what = f"{counted(len(missing), 'query')} without a line in the run"
        what = f"{what} ({self.some([*missing[:4]], 'query {1} of session {0}')})"
        rule = f"{plural(len(missing), 'it is a query', 'they are queries')} without results"
        words = "If the gaps are no queries,"
        remedy = by_rule("query_numbers", "renumber", f"{words} read with", f"{words} choose")
        found.note(self.log.raw.file, what, rule, FINE if closed else remedy)
        return missing

    def topics(self, column: pd.Series[Any], missing: Any) -> list[str]:
        """Topic of each missing query: as others have it, or its own id where judgments go so.

        Else it is that of the next query of its session, or of the last.
        """
        pairs, own = missing.droplevel("system"), self.queries["min"].droplevel("system")
        texts = column.astype("str").to_numpy(object)[own.to_numpy()]
        topics = pd.concat([pd.Series(texts, own.index, dtype=object), self.judged])
        topics = topics[~topics.index.duplicated(keep="last")]
        every = topics.index.union(pairs.unique())
        numbers = pd.Series(every.get_level_values("number"), every).where(every.isin(topics.index))
        numbers = numbers.groupby("session").bfill().groupby("session").ffill()
        beside = numbers.reindex(pairs).to_numpy(np.int64)
        keys = pd.MultiIndex.from_arrays([pairs.get_level_values("session"), beside])
        found: list[str] = []
        asked = zip(pairs.get_level_values("number"), beside, topics.reindex(keys), strict=True)
        for number, other, topic in asked:
            if self.log.turns is not None and other != number:
                digits = [fit for fit in DIGITS.finditer(topic) if int(fit[0]) == other][-1]
                name = f"{number:0{len(digits[0])}}" if digits[0].startswith("0") else str(number)
                topic = topic[: digits.start()] + name + topic[digits.end() :]
            found.append(topic)
        return found


MADE = "query number of rows"
CORRECT = Remedy("Correct --set query_by.", f"Name columns of the log: “{ASKED['query_by']}”.")


def with_query_numbers(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """The parts, where the queries of logs are told apart by `query_by`, and numbered.

    Queries are numbered by time where each has one time, which is known; else in the order of
    their rows. A text that is asked again later, from the first rank on, is a query of its own;
    so is such a list whose text is blank.

    Raises
    ------
    UnusableInputError : a column that a log lacks
    """
    parts = [_with_ranks_over_pages(part, recipe, found) for part in parts]
    logs = [part for part in parts if part.kind == "log" and not part.raw.exact]
    by = recipes.names_in(recipe.query_by)
    if not by or not logs:
        return [*parts]
    for part in logs:
        place = part.raw.file, part.raw.header_line
        there = f"the file's columns are {', '.join(part.raw.header)}"
        lacking = [name for name in by if part.columns.get(name, name) not in part.raw.header]
        found.problems += [error(*place, f"no column {n!r}", there, CORRECT) for n in lacking]
        if "session" not in part.columns:
            rule = "queries are identified within their session"
            found.error(*place, "session missing", rule, say_column("session", part.columns))
    found.check()
    number, by_time = _query_numbers(logs, by, recipe)
    ends, made = np.cumsum([len(part.raw.rows) for part in logs]), [*parts]
    for part, own in zip(logs, np.split(number, ends[:-1]), strict=True):
        rows = part.raw.rows.drop(columns=part.given.get("query_number", ""), errors="ignore")
        rows = rows.assign(**{MADE: category(own)})
        made[made.index(part)] = part.with_rows(rows, {"query_number": MADE})
    what = f"queries identified by {', '.join(by)}"
    order = "by time" if by_time else "in the order of their rows"
    times = [_times_on_one_day(part) for part in logs if "time" in part.columns]
    odd = [text for own in times for text in own[np.isnan(seconds_of(own)) & ~blank(own)][:1]]
    order += f", as times such as {odd[0]!r} aren't read" if odd else ""
    rule = f"within a session they are numbered {order}"
    remedy = by_rule("query_by", "COLUMN", "If another column identifies them, read with")
    found.note(logs[0].raw.file, what, rule, remedy)
    return made


CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?( ?[AaPp][Mm])?")
LONGEST_BY_CLOCK = 21_600.0  # seconds of a session by the clock; else midnight or noon lies within
PAGES = {
    *("page", "page_number", "page_no", "page_num", "page_index", "pagenumber", "pageno"),
    *("serp_page", "result_page", "results_page", "seite", "pagina", "página", "页", "页码"),
}


def _with_ranks_over_pages(part: Part, recipe: Recipe, found: Findings) -> Part:
    """A log whose ranks go on over the pages of a query's results, where each page began anew.

    A page goes on with the query of the rows above it in its session if its number is higher, from
    0 or 1 on, and all that names session and query is the same.
    """
    raw, columns, rows = part.raw, part.columns, part.raw.rows
    page = next((n for n in raw.header if plain_name(n) in PAGES - {*columns.values()}), "")
    named = ("query_number", "text", *recipes.names_in(recipe.query_by))
    query = {columns.get(name, name) for name in named} & {*rows}
    if part.kind != "log" or raw.exact or not (page and query and "rank" in columns):
        return part
    keys = {columns.get(role, "") for role in ("session", "searcher", "system", "topic")} & {*rows}
    log = pd.DataFrame({"of": rows.groupby([*query | keys], observed=True).ngroup()})
    for name, column in (("page", page), ("rank", columns["rank"])):
        log[name] = row_numbers(rows[column], WHOLE)
    if "session" in columns:
        log = log.take(np.argsort(coded(rows[columns["session"]]), kind="stable"))
    before = log.shift()
    same, base = log["of"] == before["of"], log["rank"].min()
    further = same & (log["page"] > before["page"])
    place = (further | ~same | (log["page"] < before["page"])).cumsum()
    of_page = log.assign(further=further).groupby(place)
    pages = of_page[["page", "further"]].first().rename(columns={"page": "number"})
    pages = pages.assign(least=of_page["rank"].min(), most=of_page["rank"].max())
    lists = (~pages["further"]).cumsum()
    first = ~pages["further"] & pages["further"].groupby(lists).transform("any")
    odd = (pages["further"] & (pages["least"] > base)) | (first & (pages["number"] > 1))
    if not first.any() or odd.any():
        return part
    sizes = (pages["most"] + 1 - base).fillna(0)
    ranks = (log["rank"] + place.map(sizes.groupby(lists).cumsum() - sizes)).sort_index()
    texts = ranks.map("{:.0f}".format).where(ranks.notna(), rows[columns["rank"]].astype("str"))
    found.repair(raw, report.FOLDED, np.sort(log.index.to_numpy()[further]))
    return part.with_rows(rows.assign(**{columns["rank"]: category(texts)}))


def _query_numbers(logs: Sequence[Part], by: list[str], recipe: Recipe) -> tuple[np.ndarray, bool]:
    """Query number of each row (N,) of all logs, "" where nothing names it; and whether by time."""
    session = _column_text_codes(logs, "session")
    if recipe.system_by_file or recipe.file_name:  # where sessions of files are called alike
        files = [part.raw.by_file(np.array([f for f, _ in part.raw.each_file()])) for part in logs]
        session = pair_code(session, pd.factorize(np.concatenate(files))[0])
    query, named = session, np.ones(session.size, dtype=bool)
    for name in by:
        query = pd.factorize(pair_code(query, _column_text_codes(logs, name)))[0]
        named &= np.concatenate([~blank(_log_column(part, name)) for part in logs])
    if all({p.columns.get(name, name) for name in by} == {p.columns.get("text")} for p in logs):
        # a text is asked again after another one, or where its ranks start again; where rows stand
        # otherwise, lists would begin within: then one text is one query
        rank, listed = np.arange(query.size, dtype=float), all("rank" in p.columns for p in logs)
        if all("doc" in p.columns and shapes.is_in_lists(p.raw, p.columns) for p in logs):
            rank = np.zeros(query.size)  # each row has a list of its own
        elif listed:
            texts = pd.concat([_log_column(part, "rank").astype("str") for part in logs])
            rank = pd.to_numeric(texts, errors="coerce").to_numpy(float)
        order = np.argsort(session, kind="stable")
        ranks, anew = rank[order], np.diff(query[order]) != 0
        begins = np.append(True, anew | (np.diff(ranks) <= 0) | np.isnan(ranks[1:]))[: query.size]
        if not (listed & begins & (ranks > np.nanmin(ranks, initial=np.inf))).any():
            query = np.empty(query.size, dtype=np.int64)
            query[order] = np.cumsum(begins)
            if listed:
                named |= np.concatenate([~blank(_log_column(part, "rank")) for part in logs])
    seconds = np.full(query.size, np.nan)
    if all("time" in part.columns for part in logs):
        seconds = np.concatenate([seconds_of(_times_on_one_day(part)) for part in logs])
        if any(are_all(_log_column(part, "time"), CLOCK) for part in logs):
            times = pd.Series(seconds).groupby(session)
            seconds[times.transform("max") - times.transform("min") > LONGEST_BY_CLOCK] = np.nan
    first, place = first_of_each(query)
    differ = pd.Series(seconds[first]).groupby(session[first]).nunique().max() > 1
    by_time = bool(differ and (seconds == seconds[first][place]).all())
    keys = (first, seconds[first], session[first]) if by_time else (first, session[first])
    number = places(session[first], np.lexsort(keys))
    return np.where(named, number[place].astype(str).astype(object), ""), by_time


def _times_on_one_day(part: Part) -> pd.Series:
    """Times of a log; those of the clock alone are of one day, as a session's queries are."""
    if not are_all(column := _log_column(part, "time"), CLOCK):
        return column
    texts = [text.strip() for text in texts_of(column)]
    return pd.Series(with_texts(column, [text and f"2000-01-01 {text}" for text in texts]))


def _log_column(part: Part, name: str) -> pd.Series:
    """A column of a log by its name or role."""
    return part.raw.rows[part.columns.get(name, name)]


def _column_text_codes(logs: Sequence[Part], name: str) -> arrays.Ints:
    """Texts (N,) of a column of all logs, as numbers."""
    texts = pd.concat([_log_column(part, name).astype("str") for part in logs])
    return pd.factorize(texts.str.strip())[0]
