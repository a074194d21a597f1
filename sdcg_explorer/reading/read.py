"""Reading: the Study that files make together, whatever form each of them has."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from sdcg_explorer import sample_sessions
from sdcg_explorer.reading import mapping, own_study, raw_table, table_kinds, worker
from sdcg_explorer.reading.assemble import add_ratings, judgments_of
from sdcg_explorer.reading.cells import NO_END, Findings
from sdcg_explorer.reading.formats import faults_as_problems, in_limits, in_trec_form, reader_of
from sdcg_explorer.reading.grade_matrices import with_grade_matrices, with_listed_grades
from sdcg_explorer.reading.grade_words import with_grades, with_scale
from sdcg_explorer.reading.judgments import read_judgments, with_one_grade
from sdcg_explorer.reading.limits import ReadCounter
from sdcg_explorer.reading.log_names import with_own_session
from sdcg_explorer.reading.mapped_table import with_repaired_rows
from sdcg_explorer.reading.propose import Proposal, Reading, propose
from sdcg_explorer.reading.readers.agents import RunFiles
from sdcg_explorer.reading.recipe import AND, DEFAULT, NONE, Recipe
from sdcg_explorer.reading.shapes import with_usual_columns
from sdcg_explorer.reading.sources import Given, Head, Source, own_folder, path_of, sources_of
from sdcg_explorer.reading.table_kinds import Part, as_kind, of_kind, part_of
from sdcg_explorer.study.problems import Problem, Remedy, UnusableInputError, error, refusal, refuse
from sdcg_explorer.study.study import Study
from sdcg_explorer.study.wording import counted


def check_recipe(recipe: Recipe, parts: list[Part]) -> None:
    """Each role that is given a column exists, and so does the column, in some file or the named.

    A role that a table needs can't be taken from all its columns.
    """
    if not parts:
        return
    problems = mapping.unknown_role_errors(recipe.mapping, parts[0].raw.file)
    files = f"the files are {', '.join(part.raw.file for part in parts)}"
    for file in recipe.kinds:
        if not any(mapping.is_called(part.raw.file, file) for part in parts):
            found = f"no file {file!r}"
            problems.append(error("recipe", None, found, files, mapping.CORRECT_KINDS))
    for key, column in recipe.mapping.items():
        name, _, role = key.rpartition(":")
        meant = [part for part in parts if not name or mapping.is_called(part.raw.file, name)]
        there = {name for part in meant for name in (*part.raw.header, *part.raw.spent)}
        several = role == "grade" and column not in there
        names = {*column.split(AND)} if several else {column}
        if not meant:
            problems.append(error("--map", None, f"no file {name!r}", files, mapping.CORRECT))
        elif column and not names <= there and role in mapping.ROLE_NAMES:
            raw, what = meant[0].raw, f"no column {column!r}"
            rule = f"the file's columns are {', '.join(raw.header)}"
            problems.append(error(raw.file, raw.header_line, what, rule, mapping.CORRECT))
        elif not column and role in mapping.ROLE_NAMES:
            problems += _missing_role_errors(meant if name else of_kind(meant, "log"), role, recipe)
    refuse(problems)


def check_columns(columns: Mapping[str, Sequence[str]], parts: Sequence[Part]) -> None:
    """Refuse names of columns that fit none of the tables without a header row."""
    remedy = Remedy("Correct --columns.", f"Give each column its role: “{mapping.FOLD}”.")
    problems: list[Problem] = []
    for file, names in columns.items():
        meant = [p.raw for p in parts if not file or mapping.is_called(p.raw.file, file)]
        if not any(raw.first and len(raw.first) == len(names) for raw in meant):
            there = [f"{raw.file} has {len(raw.first)}" for raw in meant if raw.first]
            rule = "they name the columns of a table without a header row, one each"
            rule = ", and ".join([rule, *there])
            found = f"{counted(len(names), 'name')}{f' for {file}' * bool(file)}"
            problems.append(error("--columns", None, found, rule, remedy))
    refuse(problems)


def _missing_role_errors(parts: list[Part], role: str, recipe: Recipe) -> list[Problem]:
    """Errors for a role that tables can't do without, unless other columns were said to tell it."""
    told = {"session": recipe.session_by or recipe.session_gap, "query_number": recipe.query_by}
    rule, remedy = f"a table of its kind needs a column for {role}", mapping.say_column(role)
    lacking = [part for part in parts if role in table_kinds.needed_roles(part, recipe.events)]
    errors = [error(part.raw.file, None, f"{role}={NONE}", rule, remedy) for part in lacking]
    return [] if told.get(role) else errors


def read_study(
    log: Given | Sequence[Given],
    judgments: Given | None = None,
    *,
    ratings: Sequence[Given] = (),
    name: str | None = None,
    recipe: Recipe = DEFAULT,
) -> Study:
    """Study of a log and its judgments, in any of the forms that are read.

    Parameters
    ----------
    log : a file, several, a folder, a pattern, a zip; judgments and ratings may be among them
    judgments : without them (here or among the files) the grades in the log serve
    ratings : tables keyed by session, by session and query number, or by searcher
    name : of the study; unless given, the log's without its ending, or where that is but "log",
        say, its folder's
    recipe : how they are read

    Raises
    ------
    UnusableInputError : everything that keeps the files from being used, each with its place
    """
    paths = [log] if isinstance(log, Given) else [*log]
    kinds = [*([("judgments", judgments)] if judgments else []), *(("ratings", p) for p in ratings)]
    about, parts = _tables_of_files(paths, recipe)
    there, given = path_of(paths[0]), list[Part]()
    for kind, path in kinds:
        beside, tables = _tables_of_files([path], recipe)
        about = replace(about, files=(*about.files, *beside.files))
        given += [_by_folder(part, path_of(path), given) for part in _as_kind(tables, kind)]
    is_log = len(paths) == len(parts) == 1 and there.is_file()
    parts = _as_kind(parts, "log") if is_log else _parts_not_given_separately(parts, given)
    every = [_by_folder(part, there, given) for part in parts] + given
    parts = _with_decided_table_kinds(every, recipe)
    check_recipe(recipe, parts)
    check_columns(recipe.columns, parts)
    first = paths[0].name if there.exists() else parts[0].raw.file
    folder = "" if isinstance(paths[0], Source) else there.absolute().parent.name
    called = table_kinds.study_name([first, *(part.raw.file for part in parts)], folder)
    fixed = {part.raw.file for part in parts if part.why.startswith("given as")}
    named: Any = {"name": name or about.name or called, "fixed": fixed}
    reading = propose(parts, recipe, **named)
    found = reading.taken or reading.offered or recipe.events
    both = is_log and judgments and not found
    if both and (swapped := propose([_swap_kinds(part) for part in parts], recipe, **named).taken):
        rule = f"the other way round they are {swapped.gives}"
        remedy = "Give the log first, and the judgments second."
        raise refusal(parts[0].raw.file, None, parts[0].why, rule, remedy)
    ungraded = [p.raw for p in of_kind(given, "judgments") if "grade" not in p.columns]
    for raw in (raw for raw in ungraded if not found and part_of(raw, recipe).kind == "log"):
        rule = "its columns are those of a log"
        remedy = "If both are parts of one log, give their folder, or a pattern in quotes."
        raise refusal(raw.file, None, "given as the judgments", rule, remedy)
    return about.checked(reading.study())


def _swap_kinds(part: Part) -> Part:
    """What was given as the log as judgments, and the other way round."""
    kind = {"log": "judgments", "judgments": "log"}.get(part.kind, "")
    return as_kind(part, kind, f"given as the {kind}") if kind else part


def read_parts(
    given: Iterable[Given], recipe: Recipe = DEFAULT
) -> tuple[own_study.About, list[Part]]:
    """What each file is, and what a study written by us says about itself.

    Raises
    ------
    UnusableInputError : a file that looks like a table or log and can't be read
    """
    about, parts = _tables_of_files(given, recipe)
    return about, _with_decided_table_kinds(parts, recipe)


def topic_judgments(path: Path, recipe: Recipe) -> tuple[pd.DataFrame, str, bool, list[Problem]]:
    """Topic, doc and grade of judgments alone, for a log that is read elsewhere.

    With their file, whether they name topics, and what was found.

    Raises
    ------
    UnusableInputError : judgments that can't be read, or break a rule
    """
    found = Findings(fixes=recipe.fixes)
    _, parts = read_parts([path], recipe)
    repaired = (with_repaired_rows(as_kind(part, "judgments", ""), found) for part in parts)
    judged = [with_grades(part, recipe, found) for part in repaired]
    as_given = with_scale(judgments_of(judged, found), recipe, found) or judgments_of(judged, found)
    graded = with_one_grade(as_given, recipe, found, parts[0].raw.file) or as_given
    found.check()
    # topics are all that they go by
    table = read_judgments(graded, pd.DataFrame(columns=["topic"]), found, recipe, own=False)
    found.check(last=True)
    by_topic = "topic" in graded.cells
    return table[["topic", "doc", "grade"]], graded.raw.file, by_topic, found.problems


def _tables_of_files(given: Iterable[Given], recipe: Recipe) -> tuple[own_study.About, list[Part]]:
    """What each file is, as far as it tells by itself."""
    parts, runs = list[Part](), RunFiles()
    # what is said of one file, which is then a table of its own
    to_one = bool(recipe.kinds) or any(":" in role for role in recipe.mapping)
    with own_folder() as folder:
        sources = sources_of(given, Path(folder))
        about = _study_description(sources)
        named = {file.file for file in about.files}
        for source in (source for source in sources if source.name not in named):
            own = bool(about.file and own_study.own_table(source.name, about.file))
            head = Head(replace(source, header_of=recipe.header_line), own)
            worker.tell(worker.AT, source.name)
            with faults_as_problems(source.name):
                taken = not to_one and runs.takes(head)
            if not taken:
                parts += _tables_in_file(head, recipe, alone=len(sources) == 1)
        worker.tell(worker.AT, "")
        counter = sources[0].counter if sources else ReadCounter()
        parts += [part_of(raw, recipe) for raw in in_limits(runs.tables(), counter)]
        why = "the runs beside it contain what they saw of it"
        parts += [_file_set_aside(file, why) for file in runs.aside]
    if not parts:
        rule, remedy = "a study needs a log and judgments", "Give their files."
        raise refusal("files", None, "no table", rule, remedy)
    return about.with_parts(parts)


def _study_description(sources: Sequence[Source]) -> own_study.About:
    """What a study.toml says, and the files that hold nothing to read beside it."""
    named = [source for source in sources if source.name.rpartition("/")[2] == "study.toml"]
    if len(named) > 1:
        rule, remedy = "files hold one study", "Give one of them."
        raise refusal(named[1].name, None, "a second study", rule, remedy)
    about = own_study.read_about(named[0]) if named else own_study.About()
    why = {source.name: source.unread for source in sources if source.unread}
    if about.file:
        made = "it was made from the study beside it and is not part of it"
        beside = [each for each in sources if own_study.is_beside(each.name, about.file)]
        why |= {each.name: made for each in beside}
        about = replace(about, beside=own_study.beside_of(own_study.bundle_of(about.file), beside))
    return replace(about, files=(*about.files, *(own_study.unread(*each) for each in why.items())))


def _as_kind(parts: list[Part], kind: str) -> list[Part]:
    """Parts as what they were given as."""
    as_given = f"given as the {kind}"
    if len(parts) == 1:
        return [as_kind(parts[0], kind, as_given)]
    among = "other", f"given among the {kind}, but does not look like it"
    way = {"": (kind, as_given)}
    return [p if p.kind in (kind, "other") else as_kind(p, *way.get(p.kind, among)) for p in parts]


def _parts_not_given_separately(parts: list[Part], given: list[Part]) -> list[Part]:
    """Parts that were found, without those that were given by themselves too.

    Where judgments were given, those that were found are set aside.
    """
    others = [p for p in parts if not any(_is_same_table(p.raw, own.raw) for own in given)]
    if not of_kind(given, "judgments"):
        return others
    why = "judgments were given separately"
    return [as_kind(p, "other", why) if p.kind == "judgments" else p for p in others]


def _by_folder(part: Part, path: Path, others: Sequence[Part]) -> Part:
    """A part whose file goes by its folder too, where another one's is called the same."""
    if part.raw.file not in {other.raw.file for other in others}:
        return part
    name = f"{path.absolute().parent.name}/{part.raw.file}"
    return replace(part, raw=replace(part.raw, file=name))


def _is_same_table(found: raw_table.RawTable, given: raw_table.RawTable) -> bool:
    """Whether a table that was found is one that was given by itself."""
    return mapping.is_called(found.file, given.file) and found.rows.equals(given.rows)


def _with_decided_table_kinds(parts: list[Part], recipe: Recipe) -> list[Part]:
    """Parts, where those that hold numbers by query and document are what the others leave.

    Raises
    ------
    UnusableInputError : several lists of a file that could be the log
    """
    parts = table_kinds.with_tables_of_queries(parts, recipe)
    parts = with_grade_matrices(parts, table_kinds.document_ids, recipe)
    parts = table_kinds.with_kinds_of_clicks(parts, recipe)
    parts = table_kinds.with_one_log(parts, recipe)
    parts = table_kinds.with_kinds_of_clicks(parts, recipe)  # on a log that is known but now
    parts = table_kinds.with_judgments_by_log(parts, recipe)
    doubtful = [part for part in parts if not part.kind]
    docs = [table_kinds.document_ids(part) for part in parts] if doubtful and len(parts) > 1 else []
    alone = [
        part
        for part, own in zip(parts, docs, strict=False)
        if not part.kind
        and any(others := [other for other in docs if other is not own])
        and all(map(own.isdisjoint, others))
    ]
    few = [part for part in doubtful if part not in alone and raw_table.may_be_grades(part.raw)]
    again = _repeated_grades(few, of_kind(parts, "judgments"))
    if len(few) == len(doubtful) - len(alone) and not of_kind(parts, "log"):
        again = {}  # else nothing would be left to be judged
    kinds = {part.kind for part in parts}
    graded = len(few) - len(again) * ("judgments" not in kinds)
    decided = {id(part): raw_table.kind_of_scored(part.raw, kinds, graded) for part in doubtful}
    decided |= dict.fromkeys(map(id, alone), ("other", raw_table.NAMES)) | again
    parts = [as_kind(p, *decided[id(p)]) if id(p) in decided else p for p in parts]
    return table_kinds.with_topics_of_files(parts)


def _repeated_grades(few: Sequence[Part], judged: Sequence[Part]) -> dict[int, tuple[str, str]]:
    """Kind and reason, by part, of numbers that are the grades of others once more.

    Where judgments are given in no other form, those of the first such file count as given. Kind
    "" where most grades are the others', and some are not: that is asked.
    """
    first = judged or few[:1]
    others = [part for part in few if part not in first]
    known = dict(pair for part in first for pair in _grades_of(part)) if others else {}
    names = ", ".join(part.raw.file for part in first)
    again: dict[int, tuple[str, str]] = {}
    for part in others:
        own = dict(_grades_of(part))
        same = [own[pair] == known[pair] for pair in own.keys() & known.keys()]
        if 2 * len(same) >= min(len(own), len(known)) and 2 * sum(same) > len(same):
            why = f"its numbers by query and document repeat the grades of {names}"
            again[id(part)] = ("judgments", why) if all(same) else ("", raw_table.ASKED)
    return again


def _grades_of(part: Part) -> Iterable[tuple[tuple[str, str], float]]:
    """Grades of judgments, or numbers by query and document, by both; none where a key lacks."""
    number = raw_table.column_of_numbers(part.raw.rows)
    columns = part.columns if part.kind else {"topic": "query_id", "doc": "doc", "grade": number}
    names = [columns.get("topic", columns.get("query_number")), *map(columns.get, ("doc", "grade"))]
    if None in names:
        return []
    topic, doc, grade = (part.raw.rows[name].astype("str") for name in names)
    return zip(zip(topic, doc, strict=True), pd.to_numeric(grade, errors="coerce"), strict=True)


def _tables_in_file(head: Head, recipe: Recipe, *, alone: bool) -> list[Part]:
    """Tables of a file; one that is neither log nor table is set aside, not refused."""
    reader, file = reader_of(head), head.source.name
    try:
        read = (with_own_session(with_usual_columns(raw)) for raw in reader.tables(head.source))
        tables = (table_kinds.with_names(raw, recipe.columns) for raw in read)
        parts = [part_of(with_listed_grades(in_trec_form(raw)), recipe) for raw in tables]
        return table_kinds.picked_lists(file, parts, recipe)
    except UnusableInputError as refused:
        if alone or reader.seems_ours(head):
            raise
        return [_file_set_aside(file, f"{refused.problems[0].found}; {refused.problems[0].rule}")]


def _file_set_aside(file: str, why: str) -> Part:
    """A file that is no part of the study."""
    return Part(raw_table.RawTable(file, pd.DataFrame()), "other", why)


def with_recipe(parts: Sequence[Part], recipe: Recipe) -> list[Part]:
    """Tables that were found, those of which a recipe says something as it has them."""
    keyed = bool(recipe.session_by or recipe.query_by)
    files = [*recipe.kinds, *(key.rpartition(":")[0] for key in recipe.mapping)]  # "" for all

    def is_said(part: Part) -> bool:
        named = any(not file or mapping.is_called(part.raw.file, file) for file in files)
        again = keyed and part.kind == "other" and not part.raw.nested
        return bool(part.raw.header) and (named or again)

    said = [part_of(part.raw, recipe) if is_said(part) else part for part in parts]
    return _with_decided_table_kinds(said, recipe)


def reading_of(
    about: own_study.About,
    parts: list[Part],
    *,
    name: str,
    recipe: Recipe,
    most: tuple[float, float] = NO_END,
) -> Reading:
    """How tables are read by a recipe, as which they stand already, or what is offered.

    most : results and sessions that a log may have

    Raises
    ------
    UnusableInputError : a choice of the recipe that no table can meet
    """
    check_recipe(recipe, parts)
    reading = propose(parts, recipe, name=about.name or name, most=most)

    def checked(way: Proposal) -> Proposal:
        return replace(way, study=_with_digest_and_warnings(about.checked(way.study)))

    taken = checked(reading.taken) if reading.taken else None
    return replace(reading, taken=taken, offered=[checked(way) for way in reading.offered])


def study_with_ratings(
    about: own_study.About, study: Study, parts: list[Part], recipe: Recipe = DEFAULT
) -> Study:
    """A study that is there already, with the ratings of these tables.

    about : what lies beside the tables

    Raises
    ------
    UnusableInputError : everything that keeps the ratings from joining
    """
    joined = add_ratings(study, parts, recipe)
    joined.report.files.extend(about.files)
    return _with_digest_and_warnings(joined)


def _with_digest_and_warnings(study: Study) -> Study:
    """A study whose digest and warnings are counted, and go with it to another process."""
    _ = study.digest, study.problems
    return study


SAMPLES = Path(sample_sessions.__path__[0])  # a folder for each, with log, judgments and a note
FIRST, RATED = "ecir2008", "ecir2008_rated"


@cache
def sample_studies() -> tuple[Study, ...]:
    """The studies that come with the explorer, the one to open on first; read once a process."""
    about = {path.parent: _sample_description(path.parent) for path in SAMPLES.glob("*/study.toml")}
    # those that rate another last
    folders = sorted(about, key=lambda own: (own.name != FIRST, "of" in about[own], own.name))
    return tuple(_read_sample_study(folder, about[folder]) for folder in folders)


def sample_name(sample: str) -> str:
    """The name of a sample's study."""
    return _sample_description(SAMPLES / sample)["name"]


def _sample_description(folder: Path) -> dict[str, str]:
    return tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))


def _read_sample_study(folder: Path, about: dict[str, str]) -> Study:
    log = folder.with_name(about.get("of", folder.name))  # one sample may rate another
    ratings = [*log.glob("searchers.csv"), *sorted(folder.glob("*ratings.csv"))]
    files = log / "log.csv", log / "judgments.csv"
    return read_study(*files, ratings=ratings, name=about["name"]).put(note=about["note"])
