"""Reading: the Study that files make together, whatever form each of them has."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.bundle_sums import beside_of
from sdcg_explorer.reading.columns_asked import check_columns, check_mapping
from sdcg_explorer.reading.first_look import look_first
from sdcg_explorer.reading.formats import GatheredRuns, reader_of, within
from sdcg_explorer.reading.head import Head
from sdcg_explorer.reading.limits import ReadCounter
from sdcg_explorer.reading.lists_in_cells import list_of
from sdcg_explorer.reading.mapping import (
    is_called,
)
from sdcg_explorer.reading.own_study import (
    About,
    around_of,
    is_beside,
    own_table,
    read_about,
    unread,
)
from sdcg_explorer.reading.raw_table import RawTable, texts_of
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.reading.scored_tables import (
    ASKED,
    NAMES,
    SCORE,
    SCORED,
    are_few,
    kind_of_scored,
)
from sdcg_explorer.reading.sources import Given, Source, path_of, sources_of
from sdcg_explorer.reading.table_kinds import (
    Part,
    of_kind,
    recognised,
    study_name,
    taken_as,
    with_names,
)
from sdcg_explorer.reading.temporary_files import own_folder
from sdcg_explorer.reading.wide_tables import with_usual_columns
from sdcg_explorer.reading.worker import READING
from sdcg_explorer.study.problems import UnusableInputError, error
from sdcg_explorer.study.study import Study

Files = Given | Sequence[Given]


def read_study(
    log: Files,
    judgments: Given | None = None,
    *,
    ratings: Sequence[Given] = (),
    name: str | None = None,
    mapping: dict[str, str] | None = None,
    columns: Mapping[str, Sequence[str]] | None = None,
    rules: Rules | None = None,
) -> Study:
    """Study of a log and its judgments, in any of the forms that are read.

    Parameters
    ----------
    log : a file, several, a folder, a pattern, a zip; judgments and ratings may be among them
    judgments : without them (here or among the files) the grades in the log serve
    ratings : tables keyed by session, by session and query number, or by searcher
    name : of the study; unless given, the log's without its ending, or where that is but "log",
        say, its folder's
    mapping : role → column, where a column goes by a name that is not known; FILE:ROLE → column
        reaches one file, and "" stands for no column
    columns : file → names of the columns of a table without a header row; "" → those of every
        such table with as many
    rules : how doubtful input is taken

    Raises
    ------
    UnusableInputError : everything that keeps the files from being used, each with its place
    """
    asked, paths = _Asked(mapping or {}, columns or {}), [log] if isinstance(log, Given) else [*log]
    if not asked.columns:  # which name what heads have not
        heads = look_first(paths, judgments, ratings, asked.mapping, rules or Rules())
        check_mapping(asked.mapping, heads)
    alone = len(paths) == 1 and path_of(paths[0]).is_file()
    kinds = [*([("judgments", judgments)] if judgments else []), *(("ratings", p) for p in ratings)]
    with ThreadPoolExecutor(max_workers=1) as aside:  # the judgments are read beside the log
        others = [aside.submit(_tables, [path], asked) for _, path in kinds]
        about, parts = _tables(paths, asked)
    given: list[Part] = []
    for (kind, path), other in zip(kinds, others, strict=True):
        beside, tables = other.result()
        about = replace(about, files=(*about.files, *beside.files))
        given += [_by_folder(part, path_of(path), given) for part in _as_kind(tables, kind)]
    is_log = alone and len(parts) == 1
    parts = _as_kind(parts, "log") if is_log else _not_given(parts, given)
    parts = _decided([_by_folder(part, path_of(paths[0]), given) for part in parts] + given)
    check_mapping(asked.mapping, parts)
    check_columns(asked.columns, [(part.raw.file, part.raw.first) for part in parts])
    there = path_of(paths[0])
    first = paths[0].name if there.exists() else parts[0].raw.file
    folder = "" if isinstance(paths[0], Source) else there.absolute().parent.name
    called = study_name([first, *(part.raw.file for part in parts)], folder)
    return about.checked(assemble(parts, name=name or about.name or called, rules=rules))


def read_parts(
    given: Iterable[Given],
    *,
    mapping: dict[str, str] | None = None,
) -> tuple[About, list[Part]]:
    """What each file is, and what a study written by us says about itself.

    Raises
    ------
    UnusableInputError : a file that looks like a table or log and can't be read
    """
    about, parts = _tables(given, _Asked(mapping or {}, {}))
    return about, _decided(parts)


@dataclass(frozen=True)
class _Asked:
    """What was said of columns: their roles, and the names of those that have none."""

    mapping: dict[str, str]
    columns: Mapping[str, Sequence[str]]


def _tables(given: Iterable[Given], asked: _Asked) -> tuple[About, list[Part]]:
    """What each file is, as far as it tells by itself."""
    parts, runs = list[Part](), GatheredRuns()
    to_one = any(":" in role for role in asked.mapping)  # file, which is then a table of its own
    with own_folder() as folder:
        sources = sources_of(given, Path(folder))
        about = _about(sources)
        named = {file.file for file in about.files}
        for source in (source for source in sources if source.name not in named):
            own = bool(about.file and own_table(source.name, about.file))
            head = Head(source, own)
            with _in_hand(source.name):
                if to_one or not runs.takes(head):
                    parts += _parts(head, asked, alone=len(sources) == 1)
        counter = sources[0].counter if sources else ReadCounter()
        parts += [recognised(raw, asked.mapping) for raw in within(runs.tables(), counter)]
        parts += [
            _aside(file, "the runs beside it hold what they saw of it") for file in runs.aside
        ]
    if not parts:
        rule, remedy = "a study needs a log and judgments", "Give their files."
        raise UnusableInputError([error("files", None, "no table", rule, remedy)])
    return about.with_parts(parts)


def _about(sources: Sequence[Source]) -> About:
    """What a study.toml says, and the files that hold nothing to read beside it."""
    named = [source for source in sources if source.name.rpartition("/")[2] == "study.toml"]
    if len(named) > 1:
        rule, remedy = "files make one study", "Give one of them."
        raise UnusableInputError([error(named[1].name, None, "a second study", rule, remedy)])
    about = read_about(named[0]) if named else About()
    why = {source.name: source.unread for source in sources if source.unread}
    if about.file:
        made = "it was made of the study beside it, and is no part of it"
        beside = [each for each in sources if is_beside(each.name, about.file)]
        why |= {each.name: made for each in beside}
        about = replace(about, beside=beside_of(around_of(about.file), beside))
    return replace(about, files=(*about.files, *(unread(*each) for each in why.items())))


def _as_kind(parts: list[Part], kind: str) -> list[Part]:
    """Parts as what they were given as."""
    as_given = f"it was given as {kind}"
    if len(parts) == 1:
        return [taken_as(parts[0], kind, as_given)]
    among = "other", f"it is among what was given as {kind}, and is none"
    way = {"": (kind, as_given)}
    return [
        part if part.kind in (kind, "other") else taken_as(part, *way.get(part.kind, among))
        for part in parts
    ]


def _not_given(parts: list[Part], given: list[Part]) -> list[Part]:
    """Parts that were found, without those that were given by themselves too.

    Where judgments were given, those that were found are set aside.
    """
    twins = [part for part in parts if any(_are_one(part.raw, other.raw) for other in given)]
    others = [part for part in parts if part not in twins]
    if not of_kind(given, "judgments"):
        return others
    why = "the judgments were given by themselves"
    return [taken_as(p, "other", why) if p.kind == "judgments" else p for p in others]


def _by_folder(part: Part, path: Path, others: Sequence[Part]) -> Part:
    """A part whose file goes by its folder too, where another one's is called the same."""
    if part.raw.file not in {other.raw.file for other in others}:
        return part
    name = f"{path.absolute().parent.name}/{part.raw.file}"
    return replace(part, raw=replace(part.raw, file=name))


def _are_one(found: RawTable, given: RawTable) -> bool:
    """Whether a table that was found is one that was given by itself."""
    return is_called(found.file, given.file) and found.rows.equals(given.rows)


def _decided(parts: list[Part]) -> list[Part]:
    """Parts, where those that hold numbers by query and document are what the others leave."""
    doubtful = [part for part in parts if not part.kind]
    docs = [_docs(part) for part in parts] if doubtful and len(parts) > 1 else []
    alone = [
        part
        for part, own in zip(parts, docs, strict=False)
        if not part.kind and _is_apart(own, [other for other in docs if other is not own])
    ]
    few = [part for part in doubtful if part not in alone and are_few(part.raw)]
    again = _graded_again(few, of_kind(parts, "judgments"))
    if len(few) == len(doubtful) - len(alone) and not of_kind(parts, "log"):
        again = {}  # else nothing would be left to be judged
    kinds = {part.kind for part in parts}
    graded = len(few) - len(again) * ("judgments" not in kinds)
    decided = {
        id(part): ("other", NAMES) if part in alone else kind_of_scored(part.raw, kinds, graded)
        for part in doubtful
    }
    decided |= again
    return [taken_as(p, *decided[id(p)]) if id(p) in decided else p for p in parts]


def _graded_again(few: Sequence[Part], judged: Sequence[Part]) -> dict[int, tuple[str, str]]:
    """Kind and reason, by part, of numbers that are the grades of others once more.

    Where judgments are given in no other form, those of the first such file count as given. Kind
    "" where most grades are the others', and some are not: that is asked.
    """
    first = judged or few[:1]
    known = {pair: grade for part in first for pair, grade in _grades_of(part).items()}
    names = ", ".join(part.raw.file for part in first)
    again: dict[int, tuple[str, str]] = {}
    for part in (part for part in few if part not in first):
        own = _grades_of(part)
        both = own.keys() & known.keys()
        same = sum(own[pair] == known[pair] for pair in both)
        if 2 * len(both) >= min(len(own), len(known)) and 2 * same > len(both):
            why = f"its numbers by query and document are the grades of {names} once more"
            again[id(part)] = ("judgments", why) if same == len(both) else ("", ASKED)
    return again


def _grades_of(part: Part) -> dict[tuple[str, str], str]:
    """Grades of judgments, or numbers by query and document, by both."""
    columns = part.columns if part.kind else {"topic": "query_id", "doc": "doc", "grade": SCORE}
    names = [columns.get("topic", columns.get("query_number")), *map(columns.get, ("doc", "grade"))]
    if None in names:
        return {}
    cells = (part.raw.rows[name].astype("str") for name in names)
    return {(topic, doc): _plain(grade) for topic, doc, grade in zip(*cells, strict=True)}


def _plain(number: str) -> str:
    """A grade however its form writes it: 2.0 is 2."""
    return number.strip().removesuffix(".0")


def _is_apart(docs: set[str], others: Iterable[set[str]]) -> bool:
    """Whether others name documents, and none of these."""
    named = [other for other in others if other]
    return bool(named) and all(docs.isdisjoint(other) for other in named)


def _docs(part: Part) -> set[str]:
    """Documents of a part, those in lists too."""
    column = "doc" if part.raw.known == SCORED else part.columns.get("doc")
    texts = texts_of(part.raw.rows[column]) if column else []
    return {doc for text in texts for doc in (text, *list_of(text))}


@contextmanager
def _in_hand(file: str) -> Generator[None]:
    """Tell which file is read, and refuse by its name what memory does not hold."""
    try:
        with READING.file(file):
            yield
    except MemoryError:
        rule, remedy = "a file fits into memory as it is read", "Split it, or use a larger machine."
        refused = [error(file, None, "more than memory holds", rule, remedy)]
        raise UnusableInputError(refused) from None


def _parts(head: Head, asked: _Asked, *, alone: bool) -> list[Part]:
    """Tables of a file; one that is neither log nor table is set aside, not refused."""
    reader, file = reader_of(head), head.source.name
    try:
        read = (with_usual_columns(raw) for raw in reader.tables(head.source))
        tables = (with_names(raw, asked.columns) for raw in read)
        return [recognised(raw, asked.mapping) for raw in tables]
    except UnusableInputError as refused:
        if alone or reader.seems_ours(head):
            raise
        why = f"{refused.problems[0].found}; {refused.problems[0].rule}"
        return [_aside(file, why)]


def _aside(file: str, why: str) -> Part:
    """A file that is no part of the study."""
    return Part(RawTable(file, pd.DataFrame()), "other", why)
