"""Parts, read as text, become a Study: mapping, checks, repairs, four tables."""

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote

import numpy as np
import pandas as pd

from sdcg_explorer.reading import alike, judgments, log_rows, mapped_table, mapping, ratings
from sdcg_explorer.reading.cells import NO, NO_END, NUMBER, WHOLE, Findings, first_of_each
from sdcg_explorer.reading.event_logs import with_calls, with_queries
from sdcg_explorer.reading.grade_words import direction_asked, with_grades, with_scale
from sdcg_explorer.reading.log_names import NamedLog, with_file_names, with_query_numbers
from sdcg_explorer.reading.mapped_table import Mapped, map_roles, with_repaired_rows, without_codes
from sdcg_explorer.reading.raw_table import ASKED, LISTED, SCORED, RawTable, join_tables, texts_of
from sdcg_explorer.reading.recipe import DEFAULT, QUERY_ID, Recipe, by_rule, option
from sdcg_explorer.reading.shapes import spread_lists
from sdcg_explorer.reading.table_kinds import SAID, Part, as_kind, of_kind, with_clicks
from sdcg_explorer.study import behaviour, bounds, problems
from sdcg_explorer.study.columns import is_dwell_time, together, used_texts
from sdcg_explorer.study.grades import ASSESSED, label
from sdcg_explorer.study.problems import Remedy, UnusableInputError, error, note, refuse, warning
from sdcg_explorer.study.report import CLASHES, SET_ASIDE, FileRead, Report
from sdcg_explorer.study.study import Study

BY_LOG = "the log's own grades are used, so the ideal is the best of what was shown"
BY_CLICKS = (
    "gains come from clicks alone: top-ranked results get more clicks, and a result that nobody "
    "saw can't gain anything"
)
ADD_GRADES = Remedy(
    "Until there are judgments, --preset behaviour scores by clicks.",
    "Add the judgments once there are any.",
)
NO_FILE = warning("log", "no judgments file", BY_LOG, "Give the judgments as a second file.")
NO_GRADES = warning("log", "no judgments", BY_CLICKS, ADD_GRADES)


def import_report(raw: RawTable, parts: Sequence[Part], found: Findings) -> Report:
    """What was changed, and what to be wary of, the readers' own remarks included."""
    notes = [said for part in parts for said in part.raw.notes]
    remedy = "If it belongs to the study, say what it is."
    for part in of_kind(parts, "other"):
        why = part.why.rstrip(".")
        rule = why if part.raw.header else f"no table ({why})"
        notes.append(note(part.raw.file, "ignored", rule, remedy))
    scored = [p for p in parts if p.raw.known == SCORED and p.kind in ("log", "judgments")]
    for part in (part for part in scored if LISTED not in part.raw.rows):
        what = "read as a run" if part.kind == "log" else "read as judgments"
        give = "give the log first and the judgments second, or choose on Data"
        notes.append(note(part.raw.file, what, part.why, f"If that is wrong, {give}."))
    changes = [change for part in parts for change in part.raw.changes] + found.changes
    files, said = files_read(parts, found), [*found.problems, *notes]
    return Report(raw.file, said, changes, raw.withheld, files, found.methods)


def files_read(parts: Sequence[Part], found: Findings) -> list[FileRead]:
    """Every table that was found: what it is, its rows, and those of them that were used."""
    read: list[FileRead] = []
    for part in parts:
        raw, role = part.raw, SET_ASIDE if part.kind == "other" else part.kind
        clashes = sum(each.lines.size for each in raw.changes if each.rule in CLASHES)
        for file, rows in raw.each_file():
            number = rows.stop - rows.start if raw.own is None else np.unique(raw.own[rows]).size
            used = 0 if role == SET_ASIDE else number - found.unused[file]
            size = (number + clashes, used) if raw.header else (None, None)
            read.append(FileRead(file, role, *size, part.why.rstrip(".")))
    return read


def assemble(
    parts: Sequence[Part],
    *,
    name: str,
    recipe: Recipe = DEFAULT,
    most: tuple[float, float] = NO_END,
) -> Study:
    """Study of a log (or several) and its judgments; without these, the log's own grades serve.

    most : results and sessions that a log may have

    Raises
    ------
    UnusableInputError : every error found in any part
    """
    found = Findings(fixes=recipe.fixes, most=most)
    study = _assemble_study(parts, name, judgments.with_highest_grade(recipe), found)
    study.report.recipe.update(recipe.choices)
    return study


def _assemble_study(parts: Sequence[Part], name: str, recipe: Recipe, found: Findings) -> Study:
    as_read = judgments.with_file_grades(parts, recipe.grade)
    parts = mapped_table.with_rows_left_out(as_read, recipe, found)
    if recipe.file_name:
        parts = with_file_names(parts, recipe.file_name, found)
        found.check()
    apart = with_clicks(mapped_table.with_cells_apart(parts, recipe), found)
    listed = [judgments.with_lists_spread(part, found) for part in apart]
    repaired = [with_repaired_rows(part, found, recipe) for part in listed]
    judgments.refuse_exchanged_columns(repaired)
    repaired = [with_grades(part, recipe, found) for part in repaired]
    repaired = alike.with_alike_names(repaired, found)
    parts = with_queries(with_calls(repaired, recipe, found), recipe, found)
    naming = {part.raw.file: part.why for part in of_kind(parts, "topics")}
    parts = with_query_numbers(parts, recipe, found)
    parts = judgments.with_topics_of_two_parts(parts, found)
    logs, judged, rated = (of_kind(parts, kind) for kind in ("log", "judgments", "ratings"))
    check_parts(parts, found)
    in_file = bool(judged)
    if not in_file:
        logs, judged = judgments.with_grades_in_log(logs, recipe)
    texts, file = any("text" in part.columns for part in logs), (judged or logs)[0].raw.file
    as_given = judgments_of(judged, found, texts=texts) if judged else None
    as_given = with_scale(as_given, recipe, found)
    as_given = judgments.with_parts(as_given, recipe, found, file)
    graded = judgments.with_one_grade(as_given, recipe, found, file)
    graded = alike.with_id_parts(graded, "topic", recipe.topic_id, found) if graded else None
    logs = judgments.with_judged_docs(logs, graded, found)
    log = _mapped_log(logs, graded, recipe, found)
    log = alike.with_id_parts(log, "topic", recipe.topic_id, found)
    listing = {part.raw.file: part for part in ratings.tables_by_content(parts, log.cells)}
    as_read = [listing.get(part.raw.file, part) for part in as_read]
    rated = [part for part in rated if part.raw.file not in listing]
    rated += [with_repaired_rows(part, found, recipe) for part in listing.values()]
    log = ratings.with_roles_from_ratings(log, graded, rated, found)
    if graded:
        graded, table = judgments.with_topics_as_logged(graded, log, parts, found)
        naming[table] = "it has both names of each topic"
        graded = judgments.with_sessions_of_searchers(graded, log, found)
    if recipe.doc_id and "doc" in log.cells:
        log = mapped_table.with_doc_ids(log, recipe.doc_id, found)
        shown = {*texts_of(log.cells["doc"])}.__contains__
        graded = alike.with_id_parts(graded, "doc", recipe.doc_id, found, shown) if graded else None
    if graded:
        key = judgments.judgment_key(graded.cells, log.cells, recipe.judged_by)
        log, graded = alike.with_alike_texts(log, graded, {"topic", "doc", *key}, found)
    ranks = texts_of(log.cells["rank"]) if "rank" in log.cells else []
    filled = (text.strip() for text in ranks if text.strip())
    if all(map(NUMBER.fullmatch, filled)):  # else its columns are at fault
        judgments.check_ids(graded, log, found)
    log = judgments.with_topics(log, graded, recipe, found)
    if not graded and "grade" not in log.cells and not _may_go_by_clicks(log, parts):
        raise _no_grades_error(log, parts, found, recipe)
    graded = graded or with_scale(log, recipe, found) or log
    log = log if judged else graded
    found.check()
    tables, results, grades = _study_tables(log, graded, found, recipe, own=not judged)
    if not (log.raw.exact or graded.raw.exact):
        shown = tables.queries, results, grades
        found.problems += direction_asked(graded.raw.file, *shown, recipe)
    labels = [*map(label, scale := np.unique(grades["grade"]))]
    column = judged[0].columns.get("grade", "") if judged and not graded.raw.exact else ""
    codes = {*labels} - {*(without_codes(labels) or labels)}
    if len(scale) > 2 and scale[-1] == 9 and scale[-2] <= 3 and (np.diff(scale[:-1]) == 1).all():
        codes = {labels[-1]}  # 0, 1, 2 and 9
    for one in sorted(codes) if column else ():
        rule = "it stands far apart from the other grades, as codes for “can't judge” do"
        remedy = by_rule("leave_out", f"{column}={one}", "If it is one, leave it out:")
        found.warn(graded.raw.file, f"grade {one}", rule, remedy)
    if log.raw.known.calls and len(grades) and grades["grade"].min() >= 1:
        rule = "unlisted documents gain 0, as if judged not relevant"
        remedy = "Nothing to do if everything relevant is listed."
        found.note(graded.raw.file, "no judgment below 1", rule, remedy)
    for part in rated:
        tables = ratings.join_ratings(part, tables, found)
    found.check(last=True)
    if not len(grades):
        found.problems.append(NO_GRADES)
    elif not in_file:
        found.problems.append(NO_FILE)
    found.problems += alike.alike_names_warnings(log.raw.file, tables.sessions)
    as_read = [as_kind(p, "topics", own) if (own := naming.get(p.raw.file)) else p for p in as_read]
    report = import_report(log.raw, as_read, found)
    made = Study(name, tables.sessions, tables.queries, results, grades, report)
    bounds.refuse_beyond(made.tables, log.raw.file, graded.raw.file)
    return made


def _study_tables(
    log: Mapped, graded: Mapped, found: Findings, recipe: Recipe, *, own: bool
) -> tuple[ratings.Tables, pd.DataFrame, pd.DataFrame]:
    """Sessions and queries, results, and judgments, `own` where they are the log's grades."""
    rows = log_rows.read_log_rows(log, found, recipe)
    found.check()
    grades = judgments.read_judgments(graded, rows.columns, found, recipe, own=own)
    found.check()
    sessions, queries, results = tables_beside(rows, grades, found)
    asked, _ = first_of_each(log_rows.pair_code(rows.session, rows.query_number))
    asked = asked[rows.query_number[asked] > 0]
    if asked.size != len(queries):  # some are skipped
        return ratings.Tables(sessions, queries), results, grades
    topics = rows.columns["own_topic"].iloc[asked] if "own_topic" in rows.columns else None
    return ratings.Tables(sessions, queries, rows.own_number[asked], topics), results, grades


def tables_beside(
    rows: log_rows.LogRows, grades: pd.DataFrame, found: Findings
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Sessions, queries and results of a checked log, whose categories the judgments then have."""
    topics = log_rows.text_of(rows.columns, "topic").cat.categories
    judged = grades["topic"].cat.remove_unused_categories().cat.categories
    topics = topics.union(judged.astype("str"))
    judged, code = used_texts(grades["doc"])
    docs, place = together(log_rows.text_of(rows.columns, "doc").cat.categories, judged)
    grades["topic"] = grades["topic"].cat.set_categories(topics)
    grades["doc"] = pd.Categorical.from_codes(place[code], docs)
    return log_rows.log_tables(rows, topics, docs, found)


def add_ratings(study: Study, parts: Sequence[Part], chosen: Recipe) -> Study:
    """The study with the columns of ratings tables; a new study, with a digest of its own.

    chosen : how the tables are read

    Raises
    ------
    UnusableInputError : a table without a key that the study has, or with two values for one
    """
    found = Findings()
    tables = ratings.Tables(study.sessions, study.queries)
    parts = ratings.as_ratings(parts, tables)
    for part in of_kind(parts, "ratings"):
        tables = ratings.join_ratings(with_repaired_rows(part, found), tables, found)
    found.check(last=True)
    lost = [each for each in found.problems if each.found == ratings.NO_MATCH]
    if lost and len(lost) == len(of_kind(parts, "ratings")):
        refuse([replace(each, severity="error") for each in lost])
    old, new = study.report, import_report(parts[0].raw, parts, found)
    own = {n: old.recipe.get(n, {}) | getattr(chosen, n) for n in ("kinds", "mapping")}  # by file
    recipe = old.recipe | chosen.choices | {name: said for name, said in own.items() if said}
    names = ("problems", "changes", "files", "methods")
    both = {name: [*getattr(old, name), *getattr(new, name)] for name in names}
    report = replace(old, recipe=recipe, **both)
    named = study.name, tables.sessions, tables.queries, study.results, study.judgments
    return Study(*named, report, study.note, study.tags, written=study.written)


def check_parts(parts: Sequence[Part], found: Findings) -> None:
    """It is known what each table is; there is a log, and logs and judgments have rows."""
    logs, judged, others = (of_kind(parts, kind) for kind in ("log", "judgments", "other"))
    rule, unknown = "nothing is read as grades unless you say so", list[problems.Problem]()
    for file in (part.raw.file for part in of_kind(parts, "")):
        ways = (option("kinds", quote(f"{file}={kind}")) for kind in ("judgments", "log"))
        remedy = Remedy(f"Say which: {', or '.join(ways)}.", "Say what it is.")
        unknown.append(error(file, None, ASKED, rule, remedy))
    refuse(unknown)
    if not logs:
        rule = "a study needs a log, with columns for session, query number, rank and document"
        remedy = "Give the log, or say which file it is."
        free = (*others, *of_kind(parts, "ratings"), *(judged if judged[1:] else []))
        aside = [_set_aside_error(part, "log") for part in free]
        refuse([error("files", None, "no log", rule, remedy), *aside])
    tables = [part.raw for part in (*logs, *judged) if not part.raw.exact]
    found.problems += [no_rows_error(raw.file) for raw in tables if not len(raw.rows)]
    found.check()


def _set_aside_error(part: Part, kind: str) -> problems.Problem:
    """Error for a table that may be the log or the judgments, and how it is said that it is."""
    file, aside = part.raw.file, "set aside" if part.kind == "other" else f"taken as {part.kind}"
    if part.raw.first:
        return mapping.no_header(file, part.raw.first, mapping.ROLES[kind])
    has = f"If it {'is' if kind == 'log' else 'has'} the {kind},"
    said = Remedy(f"{has} say so: {option('kinds', quote(f'{file}={kind}'))}.", f"{has} say so.")
    if not part.raw.header:  # which is no table yet
        said = f"{has} correct it, or export it as CSV."
    return error(file, None, aside, part.why.rstrip("."), said)


def no_rows_error(file: str) -> problems.Problem:
    """Error for a table of nothing but a header."""
    return error(file, 1, "no row", "a table has rows below its header", "Export it again.")


def _joined(parts: list[Part], roles: tuple[mapping.Role, ...]) -> tuple[RawTable, mapping.Roles]:
    """Tables of one kind as one, and its columns by role, as far as they are found."""
    raws, given, same = [part.raw for part in parts], parts[0].given, True
    if any((part.raw.header, part.given) != (raws[0].header, given) for part in parts):
        raws, given, same = [_named_by_role(part, roles) for part in parts], {}, False
    raw = join_tables(raws)
    return raw, mapping.map_columns(raw.header, roles, given, exact=raw.exact or not same)


def _named_by_role(part: Part, roles: tuple[mapping.Role, ...]) -> RawTable:
    """A table whose columns go by their roles, where they have one."""
    raw = part.raw
    named = mapping.map_columns(raw.header, roles, part.given, exact=raw.exact)
    if roles == mapping.JUDGMENT_ROLES:
        judgments.judged_by_query(named)
    names = {column: log_rows.free_name(column, raw.header) for column in raw.header}
    names |= {column: role for role, column in named.items()}
    return replace(raw, rows=raw.rows.rename(columns=names))


def _mapped_log(logs: list[Part], graded: Mapped | None, recipe: Recipe, found: Findings) -> Mapped:
    """The log, with a row per result, sessions and systems named."""
    most_results, most_sessions = found.most
    raw, columns = _joined(log_rows.runs_in_order(logs, recipe, found), mapping.LOG_ROLES)
    _check_size_limit(raw, len(raw.rows), most_results, "rows", "results")
    ids = columns.get("query_number")
    named = graded is not None and "topic" in graded.cells
    judged = frozenset(texts_of(graded.cells["topic"]) if graded and named else [])
    log = NamedLog(raw, columns, recipe, found)
    if "session" not in columns and ids and _may_split(logs, raw.rows[ids], judged, recipe):
        log.split_query_ids(judged)
    named = log.columns.get("session", "")
    sessions = log.raw.rows[named].nunique() if named else 0
    _check_size_limit(raw, sessions, most_sessions, "sessions", "sessions")
    log.raw, log.columns = spread_lists(log.raw, log.columns, found)
    _check_size_limit(log.raw, len(log.raw.rows), most_results, "rows", "results")
    log.name_systems({f for part in logs if part.raw.known.scored for f, _ in part.raw.each_file()})
    in_file = dict.fromkeys(name for part in logs for name in part.raw.header)
    return map_roles(*_with_dwell(log.raw, log.columns), mapping.LOG_ROLES, found, [*in_file])


def _with_dwell(raw: RawTable, columns: mapping.Roles) -> tuple[RawTable, mapping.Roles]:
    """A log whose column of dwell times goes by a name that says so, as a column without a role."""
    dwell = columns.get("dwell", "")
    if dwell and not is_dwell_time(dwell):
        name = log_rows.free_name(f"dwell {dwell}", raw.header)
        raw = replace(raw, rows=raw.rows.rename(columns={dwell: name}))
    return raw, {role: column for role, column in columns.items() if role != "dwell"}


def _may_split(logs: list[Part], ids: pd.Series, judged: frozenset[str], recipe: Recipe) -> bool:
    """Whether query ids may name sessions too: those of a run, or any but numbers of queries.

    Whole numbers are ids where the column is not called a number, and judgments go by them.
    """
    if recipe.query_id != QUERY_ID or any(part.raw.known.scored for part in logs):
        return True
    texts = [text.strip() for text in texts_of(ids) if text]
    are_ids = mapping.joined_name(str(ids.name)).endswith("id") and not judged.isdisjoint(texts)
    return are_ids or not all(map(WHOLE.fullmatch, texts))


def _check_size_limit(raw: RawTable, count: int, most: float, found: str, what: str) -> None:
    rule = f"a study in the browser has at most {most:,} {what}"
    remedy = "Read a part of it, or use the command line."
    refuse([error(raw.file, None, f"{count:,} {found}", rule, remedy)] * (count > most))


def judgments_of(judged: list[Part], found: Findings, *, texts: bool = True) -> Mapped:
    """The judgments by role; `texts` where they may go by those of queries."""
    raw, columns = _joined(judged, mapping.JUDGMENT_ROLES)
    judgments.judged_by_query(columns, texts=texts)
    if raw.exact:  # of ours, which have one grade for a document, and those it was made of
        columns |= {name: name for name in raw.header if name.startswith(ASSESSED)}
    return map_roles(raw, columns, mapping.JUDGMENT_ROLES, found)


def _may_go_by_clicks(log: Mapped, parts: Sequence[Part]) -> bool:
    """Whether results of a log without grades were clicked or saved, and no table was set aside."""
    marks = (log.cells[name] for name in ("clicked", behaviour.SAVED) if name in log.cells)
    aside = any(part.raw.header for part in of_kind(parts, "other"))
    return not aside and any({text.strip().lower() for text in texts_of(m)} - NO for m in marks)


def _no_grades_error(
    log: Mapped, parts: Sequence[Part], found: Findings, recipe: Recipe
) -> UnusableInputError:
    """The refusal of a log without grades, with what can be counted of it all the same."""
    rule = "grades come from judgments, or from a column of the log"
    give = "Give the judgments as a second file, or"
    remedy = Remedy(
        f"{give} name the log's column: --map grade=NAME.",
        f"{give} give a column of the log the role grade: “{mapping.FOLD}”.",
    )
    errors = [*found.errors, error(log.raw.file, None, "no judgments", rule, remedy)]
    rated = [p for p in of_kind(parts, "ratings") if "grade" in as_kind(p, "judgments", "").columns]
    free = [part for part in (*of_kind(parts, "other"), *rated) if part.raw.header]
    aside = [p for p in free if p.why != SAID and not p.why.startswith("given as")]
    errors += [_set_aside_error(part, "judgments") for part in aside]
    if any(problem.found != judgments.NONE_NAMED for problem in found.errors):
        return UnusableInputError(errors)
    found.problems = [problem for problem in found.problems if problem not in errors]
    try:
        tables, results, grades = _study_tables(log, log, found, recipe, own=True)
    except UnusableInputError as refused:
        return UnusableInputError([*errors, *refused.problems])
    found.problems = [*errors, *found.problems]
    report = import_report(log.raw, parts, found)
    made = Study(log.raw.file, tables.sessions, tables.queries, results, grades, report)
    return UnusableInputError(errors, made)
