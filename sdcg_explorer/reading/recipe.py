"""The recipe: every choice of how files are read, declared once with its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, cast

from sdcg_explorer.reading import patterns
from sdcg_explorer.reading.raw_table import KINDS
from sdcg_explorer.study import declared
from sdcg_explorer.study.problems import Problem, Remedy, cut

QUERY_ID = r"(?P<session>.+?)(?:[-_. :/]+[qQ]?|[qQ])(?P<query>\d+)"
WHOLE_IDS = "whole"  # each query id is a session of one query
FOLD = "How to resolve ambiguous data"
ALL, OFF = "all", "off"  # of repairs: every one; and one that is not made
AND = " + "  # between columns that have the grades of an assessor each
NONE = "(none)"  # as the command line has it where no column plays a role
# by the name of a repair: what it does
FIXES = {
    "header-row": "Read the header below titles, in two rows or above labels",
    "row-numbers": "Leave out columns that number the rows",
    "blank-rows": "Leave out blank rows",
    "total-rows": "Leave out rows of totals and subtotals",
    "note-rows": "Leave out notes below the table",
    "quotes": "Drop quotation marks around cells",
    "missing-words": "Read NA and the like as empty cells",
    "no-answers": "Read -9 or 99 beside a scale as no answer",
    "rated-names": "Take topics and systems of ratings from names",
    "whole-numbers": "Read whole numbers without .0 (7.0 = 7)",
    "decimal-comma": "Read decimal commas (3,8 = 3.8)",
    "thousands": "Read numbers with thousands separators",
    "percent": "Read percentages without their sign (80% = 80)",
    "clock-times": "Read 1:35 and 0:01:35 as seconds (95)",
    "yes-no": "Read yes and no, in words or signs, as 1 and 0",
    "local-dates": "Read local dates (16.04.2026 = 2026-04-16)",
    "merged-cells": "Fill merged cells from above",
    "serial-dates": "Read serial numbers of days as dates",
    "text-case": "Treat query texts that differ only in case or spaces as one",
    "alike-names": "Read sessions, searchers and systems that differ only in case or spaces as one",
    "alike-ids": "Treat ids that differ only in case, spaces, zeros, http or a final .0 as one",
}
LISTED = ("fix", "leave_out", "events", "grade")  # choices that list several, between commas
# made where somebody asks; others always
GUESSED = ("merged-cells", "serial-dates", "text-case", "alike-names", "alike-ids")
# whose grades count of several assessors, beside those of one by name
ASSESSORS = {
    "": "report an error where they differ",
    "mean": "the mean of their grades",
    "max": "the highest of their grades",
}

REFUSE_OR_FIRST = ("error", "report an error"), ("first", "keep the first")


def _choice_field(words: str, *options: tuple[str, str], help: str = "") -> Any:
    """A choice between values, of which the first is usual; with an option where it has help."""
    values = dict(options)
    names = ", ".join(filter(None, values))
    told: dict[str, Any] = {"words": words, "options": values, "typed": help.format(names)}
    return declared.scalar(options[0][0], f"choose one of {names}", [*values].__contains__, **told)


def _text_field(
    words: str,
    fault_of: Callable[[str], str] = lambda _: "",
    help: str = "",
    usual: str = "",
    **more: Any,
) -> Any:
    """A text that may be wrong; with an option where it has help."""

    def fault(value: Any) -> str:
        if not isinstance(value, str):
            return "it is a text"
        return fault_of(value) if value not in ("", usual) else ""

    told: dict[str, Any] = {"words": words, "typed": help, **more}
    return declared.declare(usual, lambda value: [value] if fault(value) else [], fault, **told)


def _table(words: str, fault_of: Callable[[Any], str], **more: Any) -> Any:
    """What holds by file, or by role: a value of each, which may be wrong."""

    def wrong(table: Any) -> list[Any]:
        if not isinstance(table, Mapping):
            return [table]
        return [value for value in cast(Mapping[str, Any], table).values() if fault_of(value)]

    def rule(value: Any) -> str:
        return fault_of(value) or "it is a table"

    return declared.declare({}, wrong, rule, words=words, kind=list[str], **more)


KIND_NAMES = f"kinds are {', '.join(KINDS)}"


def _kind_fault(kind: Any) -> str:
    return "" if kind in [*KINDS] else KIND_NAMES


def _names_fault(given: Any) -> str:
    names = cast(list[Any], given) if isinstance(given, list | tuple) else [None]
    if not {*map(type, names)} <= {str}:
        return "names of columns are texts in a list"
    twice = [name for name in names if name and names.count(name) > 1]
    rule = "names two columns. Name each column once, or leave it empty"
    return f"{cut(repr(twice[0]))} {rule}" if twice else ""


def _parse_flag(texts: Sequence[str]) -> object:
    return {"true": True, "false": False}.get(texts[-1].lower(), texts[-1])


def _parse_columns_by_role(texts: Sequence[str]) -> dict[str, str]:
    """Columns by role, as `--map` names them; "" where none plays it."""
    by_role: dict[str, str] = {}
    for text in texts:
        for role, sign, column in (part.partition("=") for part in text.split(",") if part):
            if not (role and sign):
                raise ValueError(f"--map {cut(repr(text))}; write ROLE=COLUMN,ROLE=COLUMN.")
            if role in by_role and role.rpartition(":")[2] == "grade":  # several assessors
                column = f"{by_role[role]}{AND}{column}"
            elif role in by_role:
                rule = f"{cut(role)} has one column"
                raise ValueError(f"--map {cut(repr(text))}; {rule}. Leave the others out.")
            by_role[role] = "" if column == NONE else column
    return by_role


def _parse_names_by_file(texts: Sequence[str]) -> dict[str, list[str]]:
    """Names of columns by file, as `--columns` has them; "" for every table without a header."""
    pairs = (text.rpartition(":") for text in texts)
    return {file: [name.strip() for name in names.split(",")] for file, _, names in pairs}


def _parse_kinds(texts: Sequence[str]) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for file, _, kind in (part.rpartition("=") for text in texts for part in text.split(",")):
        if not file:
            raise ValueError(f"--set kinds={cut(repr(kind))}; write FILE=KIND; {KIND_NAMES}.")
        kinds[file.strip()] = kind.strip()
    return kinds


def id_fault(said: str) -> str:
    """Why query ids can't be read so; "" where they can."""
    return "" if said == WHOLE_IDS else patterns.pattern_fault(said)


def _parse_list_paths(texts: Sequence[str]) -> dict[str, list[str]]:
    """Lists of objects by file, as `--set lists=FILE=PATH` names them, each by itself."""
    by_file: dict[str, list[str]] = {}
    for file, sign, path in (text.partition("=") for text in texts):
        if not (file and sign and path):
            raise ValueError(f"--set lists={cut(repr(file))}; write FILE=PATH.")
        by_file.setdefault(file.strip(), []).append(path.strip())
    return by_file


def _read_cells(texts: Sequence[str]) -> dict[str, str]:
    """How cells are taken apart, by column: what follows the first sign of equality."""
    return {column.strip(): how for column, _, how in (text.partition("=") for text in texts)}


def _fix_fault(said: str) -> str:
    fits = map(FIX.fullmatch, names_in(said))
    if all(fit and (fit["name"] == "header-row" or not fit["line"]) for fit in fits):
        return ""
    return f"repairs are {', '.join(FIXES)}, or {ALL}; each may be {OFF}, as decimal-comma={OFF}"


FIX = re.compile(
    rf"((?P<file>[^,]*):)?(?P<name>{'|'.join([*FIXES, ALL])})"
    rf"(=({OFF}|(?P<line>[1-9][0-9]{{0,5}})))?"
)


@dataclass(frozen=True)
class Recipe:
    """How files are read; by default as their columns and contents say, and doubts are asked about.

    - kinds: file → what it is, if its columns don't say so
    - mapping: role → column, if the column's name isn't known; FILE:ROLE → column for one file;
      "" for no column; A + B for grade: two assessors
    - columns: file → names of the columns of a table without a header row; "" → those of every
      such table with as many columns
    - lists: file → lists of objects to read from it, by their path, as details.*.hits
    - cells: column → how its cells are split: at a character, blank, one (not at all), or by a
      pattern whose group doc is a document
    - leave_out: rows to leave out, as action=scroll,is_test=1
    - rank_base: the first rank, 0 or 1; auto: 0 if a file has a rank 0
    - same_rank: two documents at one rank: error, or first
    - conflicts: different grades of one document: error, first, last or highest
    - query_numbers: gaps: renumber (closed) or keep (queries without results); "": keep if the
      numbers come from query ids, otherwise renumber
    - missing_sessions: sessions that one system lacks: empty or absent; "" is an error
    - topics_by: if nothing names a topic: one (for all) or session (one each); "" is an error
    - judged_by: how judgments are matched: topic, text or session; "": by the first of these that
      they and the log have
    - order: a run's results by rank (without ranks by score, or else by row), score or rows
    - query_id: pattern that splits a run's query ids into session, query and (if named) topic;
      whole: each id is a session of one query
    - system_by_file: each log file is a system with the file's name
    - file_name: what the names of the log's files say, as {system}-{topic}; "" is nothing
    - fix: repairs to make that are only made on request, as merged-cells, or not to make, as
      decimal-comma=off; all means every one. header-row=3 says that line 3 is the header,
      FILE:header-row=3 that of one file
    - events: what events of a log mean, as event=action,query=gesucht,none=open
    - session_by: columns or roles that identify a session, as searcher,task; "": the log's own
    - query_by: columns that identify a query in a log without query numbers, as qkey or text;
      queries are numbered by time if each has one, otherwise by row
    - session_gap: the longest pause within a session, as 30m, 90s or 1h; "": any
    - assessors: if there are several: mean, max, or the name of one; "" is an error
    - search_tools, open_tools: an agent's tools that search, and that open a document, as a,b; the
      names of others decide
    - doc_id: a pattern whose group doc is the document in the id of a chunk; "": the whole id
    - topic_id: a pattern whose group topic is the topic in an id, of log and judgments; "": the
      whole id
    - grade: one grade for all rows of a judgment file, as gold.txt=2,evidence.txt=1
    - parts: the judgments' column that names the parts of a task that a document answers
    - dates: dates such as 4/5/2026 begin with the day or the month; "": the only one that fits
    - grade_words: words of grades from worst (0) to best, as N,SR,R,VR; WORD=2 sets another
      number, WORD= means unjudged
    - grade_scale: the best grade is the higher or the lower one; "": the higher, unless results
      suggest otherwise, which is an error

    Raises
    ------
    ValueError : a value that is not offered, or a pattern that can't be used
    """

    kinds: Mapping[str, str] = _table("What it is", _kind_fault, options=KINDS, read=_parse_kinds)
    mapping: Mapping[str, str] = _table(
        "Columns and their roles",
        lambda column: "" if isinstance(column, str) else "a role has the name of a column",
        read=_parse_columns_by_role,
        option=("--map",),
        typed="Columns by role: session=Sess,doc=URL; clicked=(none) for no column; "
        "ratings.csv:topic=task in one file; repeat for more.",
    )
    columns: Mapping[str, Sequence[str]] = _table(
        "Names of columns",
        _names_fault,
        read=_parse_names_by_file,
        typed="Names for a table without a header row: session,query_number,rank,doc; "
        "FILE:topic,doc,grade for one file; repeat for more.",
    )
    lists: Mapping[str, Sequence[str]] = _table(
        "Lists to read from a file", _names_fault, read=_parse_list_paths
    )
    cells: Mapping[str, str] = _table("How cells are split", patterns.cells_fault, read=_read_cells)
    leave_out: str = _text_field("Rows to leave out", patterns.left_out_rows_fault)
    rank_base: str = _choice_field(
        "Ranks start at", ("auto", "0 if a file has a rank 0, otherwise 1"), ("0", "0"), ("1", "1")
    )
    same_rank: str = _choice_field("Two documents at one rank", *REFUSE_OR_FIRST)
    conflicts: str = _choice_field(
        "Where grades disagree",
        *(*REFUSE_OR_FIRST, ("last", "keep the last"), ("highest", "keep the highest")),
    )
    query_numbers: str = _choice_field(
        "Gaps in query numbers",
        ("", "automatic: empty queries if the numbers come from query ids, otherwise closed"),
        ("renumber", "close them"),
        ("keep", "keep them as queries without results"),
        help="Gaps in query numbers: {}",
    )
    missing_sessions: str = _choice_field(
        "Sessions missing for one system",
        ("", "report an error"),
        ("empty", "count them as empty: it found nothing"),
        ("absent", "leave them out: it was not asked"),
    )
    topics_by: str = _choice_field(
        "What is a topic?",
        ("", "report an error"),
        ("one", "All queries are on one topic, with one ideal"),
        ("session", "Each session is its own topic; its ideal uses only the documents it showed"),
        help="Topics if nothing names them: {}.",
    )
    judged_by: str = _choice_field(
        "How judgments are matched",
        ("", "automatic: by topic, else by query text, else by session"),
        ("topic", "by topic"),
        ("text", "by query text, kept apart where a topic's grades disagree"),
        ("session", "by session, kept apart where a topic's grades disagree"),
    )
    order: str = _choice_field(
        "Order of a run's results",
        ("rank", "by rank, or by score where there are no ranks"),
        ("score", "by score, then document name, as in trec_eval"),
        ("rows", "as in the file"),
    )
    query_id: str = _text_field(
        "How query ids are split",
        id_fault,
        "Pattern with (?P<session>…) and (?P<query>…); whole: each id is a session of one query.",
        QUERY_ID,
    )
    system_by_file: bool = declared.scalar(
        False,
        "it is true or false",
        lambda value: isinstance(value, bool),
        words="Each log file is a system of its own",
        typed="Each log file is a system of its own.",
        option=("--system-by-file",),
        kind=bool,
        read=_parse_flag,
    )
    file_name: str = _text_field(
        "Pattern of the log's file names",
        patterns.name_fault,
        "What the log's file names say: {searcher}/{system}-{topic}, …",
        option=("--file-name", "--name"),
    )
    fix: str = _text_field("Repairs", _fix_fault, options=FIXES)
    events: str = _text_field("What events mean", patterns.events_fault)
    session_by: str = _text_field(
        "Columns that identify a session",
        patterns.columns_fault,
        "Columns that identify a session: searcher,task.",
    )
    query_by: str = _text_field("Columns that identify a query", patterns.columns_fault)
    session_gap: str = _text_field("Longest pause within a session", patterns.gap_fault)
    assessors: str = _text_field(
        "Grades of several assessors",
        help="Whose grade counts if several assessors graded: mean, max or NAME.",
        options=ASSESSORS,
    )
    search_tools: str = _text_field("Tools that search")
    open_tools: str = _text_field("Tools that open a document")
    doc_id: str = _text_field(
        "Pattern that finds the document in an id",
        partial(patterns.pattern_fault, parts=("doc",)),
        "Pattern with (?P<doc>…), for ids of chunks.",
    )
    topic_id: str = _text_field(
        "Pattern that finds the topic in an id", partial(patterns.pattern_fault, parts=("topic",))
    )
    grade: str = _text_field(
        "Grade of every row in a judgment file",
        patterns.grade_fault,
        "One grade for all rows of a judgment file: gold.txt=2,evidence.txt=1.",
    )
    parts: str = _text_field("Column that names the parts of a task")
    dates: str = _choice_field(
        "Dates like 4/5/2026 start with",
        ("", "automatic if only one fits; otherwise you'll be asked"),
        ("day", "the day"),
        ("month", "the month"),
    )
    grade_words: str = _text_field("Grades in words, from worst to best", patterns.words_fault)
    grade_scale: str = _choice_field(
        "The best grade is",
        ("", "the highest (you'll be asked if the results suggest otherwise)"),
        ("higher", "the highest"),
        ("lower", "the lowest (1 is best)"),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank_base", str(self.rank_base))  # a number in files, too
        declared.check(self)

    @property
    def fixes(self) -> frozenset[str]:
        """Names of the repairs that are made.

        >>> sorted({*FIXES} - Recipe(fix="yes-no=off,text-case").fixes)
        ['alike-ids', 'alike-names', 'merged-cells', 'serial-dates', 'yes-no']
        """
        made = {*FIXES} - {*GUESSED}
        for fix, how in patterns.parse_pairs(self.fix):
            some = {*FIXES} if fix == ALL else {fix} & {*FIXES}
            made = made - some if how == OFF else made | some
        return frozenset(made)

    def header_line(self, file: str) -> int:
        """The line of a file's header: 0 where it is looked for, 1 where that is not wanted.

        >>> Recipe(fix="a.csv:header-row=3").header_line("a.csv")
        3
        """
        fits = filter(None, map(FIX.fullmatch, names_in(self.fix)))
        lines = [int(fit["line"]) for fit in fits if fit["line"] and fit["file"] in (None, file)]
        return [int("header-row" not in self.fixes), *lines][-1]

    @property
    def tools(self) -> tuple[list[str], list[str]]:
        """Tools that search, and those that open a document, as said."""
        return names_in(self.search_tools), names_in(self.open_tools)

    def answered(self, problems: Iterable[Problem]) -> list[Recipe]:
        """The same with answers to each error about words, grades or a repair, if all are."""
        made: list[Recipe] = [self]
        asked = [n for n in ("grade_words", "assessors", "judged_by") if not getattr(self, n)]
        for problem in (each for each in problems if each.severity == "error"):
            ways = [f"{name}={one}" for name in asked for one in answers_in(problem.remedy, name)]
            if problem.fix and problem.fix not in self.fixes:
                ways = [f"fix={','.join(filter(None, [self.fix, problem.fix]))}"]
            made = [one.with_texts([way]) for one in made for way in ways]
        return made

    @property
    def choices(self) -> dict[str, Any]:
        """What is not as usual, as files have it."""
        usual = asdict(DEFAULT)
        return {name: value for name, value in asdict(self).items() if value != usual[name]}

    def with_texts(self, texts: Iterable[str]) -> Recipe:
        """The same with choices as they are typed, NAME=VALUE; what tables and lists say is added.

        >>> Recipe().with_texts(["mapping=doc=URL", "conflicts=last"]).choices
        {'mapping': {'doc': 'URL'}, 'conflicts': 'last'}
        >>> Recipe().with_texts(["fix=merged-cells", "fix=percent=off"]).fix
        'merged-cells,percent=off'
        """
        given: dict[str, list[str]] = {}
        for text in texts:
            name, sign, value = text.partition("=")
            name = name.strip().replace("-", "_")
            if not sign or name not in FIELDS:
                why = f"no choice is called {cut(name)}" if sign else "there is no ="
                how = f"Write NAME=VALUE, where NAME is one of {', '.join(FIELDS)}."
                raise ValueError(f"--set {cut(repr(text))}; {why}. {how}")
            given.setdefault(name, []).append(value)
        given |= {name: [",".join(given[name])] for name in LISTED if name in given}
        made = {name: FIELDS[name].read(values) for name, values in given.items()}
        for name, value in made.items():
            if isinstance(value, dict):
                made[name] = {**getattr(self, name), **value}
            elif len(given[name]) > 1:
                raise ValueError(f"--set {name} twice; it has one value. Leave the others out.")
        return replace(self, **made)


FIELDS = declared.declared(Recipe)
ASKED = {name: each.words for name, each in FIELDS.items()}  # what a page asks by a choice
DEFAULT = Recipe()
TABLE = "recipe"  # of the file


def recipe_of(choices: Mapping[str, Any]) -> Recipe:
    """The recipe of these choices.

    Raises
    ------
    ValueError : a name or a value that is not offered
    """
    return declared.with_values(DEFAULT, TABLE, declared.known_values(choices, TABLE, Recipe))


def read_recipe(path: Path) -> Recipe:
    """The recipe of a file.

    Raises
    ------
    OSError : it can't be read
    ValueError : not TOML, or a table, name or value that is not offered
    """
    return declared.read_file(
        path, lambda text: recipe_of(*declared.tables_of(text, {TABLE: Recipe}))
    )


def option(name: str, value: str) -> str:
    """A choice as the command line has it.

    >>> option("query_numbers", "keep"), option("rank_base", "0"), option("system_by_file", "True")
    ('--query-numbers keep', '--set rank_base=0', '--system-by-file')
    """
    if not FIELDS[name].typed:
        return f"--set {name}={value}"
    flag = [*FIELDS[name].option, f"--{name}"][0].replace("_", "-")
    return flag if value == "True" else f"{flag} {value}"


def answers_in(remedies: str, name: str) -> list[str]:
    """Values of a choice that remedies name as its option.

    >>> answers_in("Say which: --set dates=day or month.", "dates")
    ['day']
    """
    values = re.findall(rf"{re.escape(option(name, ''))}('[^']*'|[^\s“”']+)", remedies)
    return list(dict.fromkeys(value.strip("'").rstrip(".,;:") for value in values))


def names_in(said: str) -> list[str]:
    """Names of columns or roles, between commas."""
    return [name.strip() for name in said.split(",") if name.strip()]


def by_rule(name: str, values: str, command: str, page: str = "") -> Remedy:
    """What a choice can do: words before its option, and before its field (the same unless given).

    >>> by_rule("rank_base", "0", "Read with")[0]
    'Read with --set rank_base=0.'
    >>> by_rule("rank_base", "0", "Read with")[1]
    'Choose under “How to resolve ambiguous data”: “Ranks start at”.'
    """
    plain = command.removesuffix(":").replace("read with", "choose").replace("Read with", "Choose")
    page = f"{page or plain} under “{FOLD}”: “{ASKED[name]}”."
    return Remedy(f"{command} {option(name, values)}.", page)


def by_fix(fix: str) -> Remedy:
    """How a repair is taken that is made only when asked for.

    >>> by_fix("text-case")[0]
    'Correct the file, or take the repair: --set fix=text-case.'
    """
    page = f"Correct the file, or tick “{FIXES[fix]}” under “{ASKED['fix']}”."
    return Remedy(f"Correct the file, or take the repair: {option('fix', fix)}.", page)


def without_fix(fix: str) -> Remedy:
    """How a repair that was made is undone.

    >>> without_fix("yes-no")[0]
    "If this isn't right, read with --set fix=yes-no=off."
    """
    page = f"If this isn't right, untick “{FIXES[fix]}” under “{ASKED['fix']}”."
    return Remedy(f"If this isn't right, read with {option('fix', f'{fix}={OFF}')}.", page)


SEARCHERS = Remedy(  # where tables have no column for them
    f" If each is a searcher: {option('file_name', quote('{searcher}'))} "
    f"{option('session_by', 'searcher,session')}.",
    f" If each is a searcher, write {{searcher}} under “{ASKED['file_name']}”, and choose searcher "
    f"and session under “{ASKED['session_by']}”.",
)
