"""Judgments by topic, by query text or by session: each grade is kept under (topic, doc)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading import alike, raw_table, shapes
from sdcg_explorer.reading.cells import USUAL, WHOLE, Findings, blank, coded, first_of_each, grades
from sdcg_explorer.reading.log_rows import grouped, pair_code, text_of
from sdcg_explorer.reading.mapping import DOC, FOLD, Roles, is_called, map_remedy, say_column
from sdcg_explorer.reading.patterns import parse_pairs, proposed_pattern
from sdcg_explorer.reading.ratings import comparable
from sdcg_explorer.reading.raw_table import LISTED, category, texts_of, with_texts
from sdcg_explorer.reading.recipe import ASKED, ASSESSORS, Recipe, by_rule, option
from sdcg_explorer.reading.table_kinds import Mapped, Part, assessor_columns, of_kind, stem
from sdcg_explorer.study import arrays, bounds, study
from sdcg_explorer.study.columns import plain_name, used_texts
from sdcg_explorer.study.grades import ASSESSED, FEW_GRADES, MOST_ASSESSORS, agreement, label
from sdcg_explorer.study.problems import FINE, Problem, Remedy, cut, error, refusal
from sdcg_explorer.study.wording import counted, listed

OF_FILE = "grade of file"


def with_highest_grade(recipe: Recipe) -> Recipe:
    """A recipe by which a document in several files, or of several parts, has its best grade."""
    several = bool(recipe.grade or recipe.parts)
    usual = recipe.conflicts == Recipe.conflicts
    return replace(recipe, conflicts="highest") if several and usual else recipe


def with_lists_spread(part: Part, found: Findings) -> Part:
    """The part; judgments that list documents with a row for each, and its grade beside."""
    if part.kind != "judgments" or part.raw.exact:
        return part
    columns = part.columns
    texts = {role: part.texts(role)[:LOOKED_AT] for role in columns}
    lists = {role: columns[role] for role in texts if any(map(shapes.is_bracketed, texts[role]))}
    if "doc" not in lists:
        return part
    raw, _ = shapes.spread_lists(part.raw, lists, found)
    rows = raw.rows.drop(columns={"rank"} - {*part.raw.header}, errors="ignore")
    return replace(part, raw=raw).with_rows(rows)


LOOKED_AT = 500  # texts, of which some are lists where any is


def with_file_grades(parts: Sequence[Part], said: str) -> list[Part]:
    """The parts, where every row of a named file of judgments has the file's grade.

    Raises
    ------
    UnusableInputError : a name that no file of judgments has
    """
    grades = dict(parse_pairs(said))
    judged = of_kind(parts, "judgments")
    there = [part.raw.file for part in judged]
    for file, grade in grades.items():
        if not any(is_called(name, file) for name in there):
            remedy = by_rule("grade", f"{[*there, 'FILE'][0]}={grade}", "Name a judgment file:")
            rule = f"judgment files: {', '.join(there) or 'none'}"
            raise refusal(file, None, "no such judgment file", rule, remedy)
    made = [*parts]
    for part in judged:
        if own := [grade for file, grade in grades.items() if is_called(part.raw.file, file)]:
            if (column := part.given.get("grade", "")) in {*part.raw.header} - {LISTED}:
                what = f"grade {own[0]} for every row, and column {cut(repr(column))} as grade"
                page = f"Clear “{ASKED['grade']}”, or take the role from the column."
                remedy = Remedy("Leave out --grade, or the column's role.", page)
                raise refusal(part.raw.file, None, what, "a row has one grade", remedy)
            raw, untrue = part.raw, raw_table.lists_without_grades_note(part.raw.file)
            rows = raw.rows.assign(**{OF_FILE: category([own[0]] * len(raw.rows))})
            raw = replace(raw, notes=tuple(said for said in raw.notes if said != untrue))
            made[made.index(part)] = replace(part, raw=raw).with_rows(rows, {"grade": OF_FILE})
    return made


PARTS_OF_TOPIC = "topic", "iteration"  # columns of qrels


def with_topics_of_two_parts(parts: Sequence[Part], found: Findings) -> list[Part]:
    """The parts, where qrels go by their second column too if all topics of the log have both."""
    topics = {text for log in of_kind(parts, "log") for text in log.texts("topic") if text}
    made = [*parts]
    for part in of_kind(parts, "judgments"):
        if not topics or not {*PARTS_OF_TOPIC} <= {*part.raw.header}:
            continue
        rows = part.raw.rows
        both = ["/".join(pair) for pair in zip(*(rows[c] for c in PARTS_OF_TOPIC), strict=True)]
        if topics.isdisjoint(both) or not topics.isdisjoint(texts_of(rows["topic"])):
            continue
        made[made.index(part)] = part.with_rows(rows.assign(topic=category(both)))
        rule = "topics are named TOPIC/SECOND PART, as in the log"
        found.note(part.raw.file, "qrels whose second column distinguishes topics", rule)
    return made


def with_topics_as_logged(
    graded: Mapped, log: Mapped, parts: Sequence[Part], found: Findings
) -> tuple[Mapped, str]:
    """Judgments by the log's topics where they name others, and a table beside pairs the two.

    The table has both in full, one to one. Its file is returned too, "" where there is none.
    """
    asked, judged = (_role_texts(table, "topic") for table in (log, graded))
    if not (asked and judged and asked.isdisjoint(judged)):
        return graded, ""
    column = graded.cells["topic"]
    for raw in (part.raw for part in parts if part.kind in ("topics", "other")):
        cells = {name: raw.rows[name].astype("str").str.strip() for name in raw.header}
        logged = [texts for texts in cells.values() if asked <= {*texts}]
        others = [texts for texts in cells.values() if judged <= {*texts}]
        for own, other in product(logged, others):
            pairs = {(a, b) for a, b in zip(own, other, strict=True) if a and b}
            topic_of = {b: a for a, b in pairs}
            if len(pairs) != len(topic_of) or len(pairs) != len({*topic_of.values()}):
                continue
            if not (asked <= {*topic_of.values()} and judged <= {*topic_of}):
                continue
            texts = [topic_of.get(text.strip(), text) for text in texts_of(column)]
            first = min(judged)
            rule = f"{raw.file} has both names: {cut(first, SHORT)!r} is {topic_of[first]!r}"
            found.note(graded.raw.file, "topics named differently in the log", rule)
            cells = graded.cells.assign(topic=with_texts(column, texts))
            return replace(graded, cells=cells), raw.file
    return graded, ""


def refuse_exchanged_columns(parts: Sequence[Part]) -> None:
    """Refuse judgments whose grades are documents of the log, and whose documents are grades.

    Raises
    ------
    UnusableInputError : of the first such table
    """
    for part in of_kind(parts, "judgments"):
        both = docs, graded = part.texts("doc"), part.texts("grade")
        are_grades = [all(WHOLE.fullmatch(t) and len(t) < 4 for t in own if t) for own in both]
        if not docs or are_grades != [True, False]:
            continue
        shown = {text for log in of_kind(parts, "log") for text in log.texts("doc")}
        if 2 * len(shown & {*graded}) > len(graded):
            file, doc, grade = part.raw.file, part.columns["doc"], part.columns["grade"]
            said = option("mapping", quote(f"{file}:doc={grade},{file}:grade={doc}"))
            remedy = Remedy(f"Exchange them: {said}.", f"Exchange their roles: “{FOLD}”.")
            what = f"columns {cut(repr(doc))} and {cut(repr(grade))} are exchanged"
            rule = "it is the column for grades that names documents of the log"
            raise refusal(file, part.raw.header_line, what, rule, remedy)


def with_grades_in_log(logs: Sequence[Part], recipe: Recipe) -> tuple[list[Part], list[Part]]:
    """The log's parts, and judgments of assessors who have a column of grades each in them."""
    rest, judged = list[Part](), list[Part]()
    for part in logs:
        raw, roles = part.raw, part.columns
        said = assessor_columns(raw, recipe)
        columns = said or ([] if "grade" in roles else shapes.columns_of_assessors(raw))
        if columns and "doc" in roles:
            given = {role: roles[role] for role in (*JUDGED, "doc") if role in roles}
            shown = raw.take(np.flatnonzero(~blank(raw.rows[roles["doc"]])))
            judged.append(Part(shapes.spread_columns(shown, columns), "judgments", part.why, given))
            part = part.with_rows(raw.rows.drop(columns=columns))
        rest.append(part)
    return rest, judged


JUDGED = ("topic", "text", "session", "query_number", study.PART)
MOST_NAMED = 6  # assessors
HALF = 0.5  # of the documents of a file, which each other file of an assessor grades, too


def with_one_grade(
    graded: Mapped | None, recipe: Recipe, found: Findings, file: str
) -> Mapped | None:
    """Judgments with one grade for each document and what it is judged for, by the rule.

    file : that is named where nothing names assessors, and one is chosen
    """
    graded = _with_files_as_assessors(graded, recipe) if graded else None
    if graded is None or "assessor" not in graded.cells:
        if recipe.assessors:
            rule = "judgments need a column for the assessor"
            found.error(file, None, "no assessors", rule, say_column("assessor"))
        return graded
    is_whole = {"doc", "grade"} <= {*graded.cells}  # else it is refused already
    given = _given_by_each(graded, recipe, found) if is_whole else pd.DataFrame()
    if given.empty:
        return graded
    of_unit = given.groupby("unit")["grade"]
    apart = of_unit.max() > of_unit.min()
    if given["who"].nunique() > 1:
        found.methods.append(_note_assessors(graded, given, int(apart.sum()), found, recipe))
        graded = _with_assessor_columns(graded, given)
    if recipe.assessors not in ASSESSORS:
        return _grades_of_assessor(graded, recipe.assessors, found)
    if not apart.any() or (not recipe.assessors and recipe.conflicts != "error"):
        return graded
    if not recipe.assessors:
        what = f"assessors graded {counted(int(apart.sum()), 'document')} differently"
        remedy = _assessors_remedy(texts_of(graded.cells["assessor"]))
        found.error(graded.raw.file, None, what, USUAL["conflicts"], remedy)
    return _with_combined_grades(graded, given, recipe.assessors or "mean", found)


def _with_files_as_assessors(graded: Mapped, recipe: Recipe) -> Mapped:
    """Judgments that name no assessor, by file where several grade the same documents otherwise."""
    files, cells = graded.raw.each_file(), graded.cells
    keys = [role for role in (*JUDGED, "doc") if role in cells]
    told = "assessor" in cells or recipe.conflicts != "error" or not {"doc", "grade"} <= {*cells}
    if told or not 1 < len(files) <= MOST_ASSESSORS:
        return graded
    thing = grouped(*(coded(cells[role]) for role in keys))
    pairs = permutations((thing[rows] for _, rows in files), 2)
    shared = min(float(np.isin(one, other).mean()) for one, other in pairs)
    grades = pd.DataFrame({"thing": thing, "grade": coded(cells["grade"])}).drop_duplicates()
    if shared < HALF or not grades["thing"].duplicated().any():
        return graded
    short = [stem(file) for file, _ in files]
    called = short if len({*short}) == len(files) else [file for file, _ in files]
    names = graded.raw.by_file(np.array(called, dtype=object))
    return replace(graded, cells=cells.assign(assessor=category(names)))


def _with_assessor_columns(graded: Mapped, given: pd.DataFrame) -> Mapped:
    """Judgments with a column for each assessor, of what he or she gave to the row's document."""
    if given["who"].nunique() > MOST_ASSESSORS:
        return graded
    unit = given["unit"].reindex(range(len(graded.cells)), fill_value=-1)
    columns: dict[str, Any] = {}
    for name, own in given.groupby("who", observed=True, sort=False):
        texts = own.set_index("unit")["grade"].map(label).reindex(unit, fill_value="")
        columns[f"{ASSESSED}{name or 'nobody named'}"] = category(texts)
    return replace(graded, cells=graded.cells.assign(**columns))


def assessors_of(parts: Sequence[Part]) -> list[str]:
    """Names of those who graded, where judgments have several."""
    judged = [part for part in of_kind(parts, "judgments") if "assessor" in part.columns]
    names = sorted({text for part in judged for text in part.texts("assessor") if text})
    return names if len(names) > 1 else []


def _given_by_each(graded: Mapped, recipe: Recipe, found: Findings) -> pd.DataFrame:
    """Grades by their rows, one of each assessor (who) for what is judged (unit, a number).

    An assessor who says two things is refused, unless one is chosen.
    """
    cells, raw = graded.cells, graded.raw
    grade = grades(raw, cells["grade"], Findings())  # what is no grade is said where it is read
    row = np.flatnonzero((np.abs(grade) <= bounds.LARGEST_GRADE) & ~blank(cells["doc"]))
    grade, roles = grade[row], [role for role in (*JUDGED, "doc") if role in cells]
    unit = grouped(*(coded(cells[role])[row] for role in roles))
    first, place = first_of_each(pair_code(unit, coded(cells["assessor"])[row]))
    bad = np.flatnonzero(grade != grade[first][place])
    if bad.size and recipe.conflicts == "error":
        remedy = by_rule("conflicts", "first, last or highest", "Keep one of the two, or choose:")
        rule, who = "an assessor can give a document only one grade", cells["assessor"]
        found.refuse(raw, row[bad], lambda i: f"another grade by {who.iloc[i]!r}", rule, remedy)
    elif bad.size:
        first = np.sort(arrays.counting_rows(place, grade, recipe.conflicts))
    who = cells["assessor"].iloc[row[first]].array
    return pd.DataFrame({"unit": unit[first], "who": who, "grade": grade[first]}, index=row[first])


def _grades_of_assessor(graded: Mapped, name: str, found: Findings) -> Mapped:
    """The grades of one assessor alone."""
    names = texts_of(graded.cells["assessor"])
    if name not in names:
        known, remedy = f"assessors are {listed(names, MOST_NAMED)}", _assessors_remedy(names)
        found.error(graded.raw.file, None, f"assessor {name!r}", known, remedy)
        return graded
    is_own = coded(graded.cells["assessor"]) == names.index(name)
    found.leave_out(graded.raw, "grades of assessors not chosen", np.flatnonzero(~is_own))
    return graded.take(np.flatnonzero(is_own))


def _assessors_remedy(names: Sequence[str]) -> Remedy:
    """How it is chosen whose grades count."""
    one_of = f"mean, max, or a name: {listed([*filter(None, names)], MOST_NAMED)}"
    return by_rule("assessors", one_of, "Choose whose grades count:")


def _with_combined_grades(graded: Mapped, given: pd.DataFrame, how: str, found: Findings) -> Mapped:
    """One row for what each unit is judged, with the mean or the highest grade."""
    of_unit = given.groupby("unit", sort=False)["grade"]
    is_first = ~given["unit"].duplicated()
    texts = graded.cells["grade"].astype("str").to_numpy(object)
    texts[given.index[is_first]] = [*map(raw_table.as_text, of_unit.agg(how).tolist())]
    more = given.index[~is_first].to_numpy()
    rule = f"grades of several assessors merged: {ASSESSORS[how]} counts"
    found.repair(graded.raw, rule, np.sort(more))
    one = replace(graded, cells=graded.cells.assign(grade=category(texts)))
    return one.take(np.delete(np.arange(len(texts)), more))


def _note_assessors(
    graded: Mapped, given: pd.DataFrame, apart: int, found: Findings, recipe: Recipe
) -> str:
    """Note how many assessors there are, and how far they agree; returned for a methods section.

    Where no document has several, nobody needs the note.
    """
    counts = given["who"].value_counts(sort=False)
    counts = counts[counts > 0]
    number, both = counts.size, int((given["unit"].value_counts() > 1).sum())
    there = listed([f"{name} {count:,}" for name, count in counts.items()], MOST_NAMED)
    how = _grade_combination_words(recipe, number)
    if not both:
        return f"{how} ({there}; no document was judged by several)."
    said = [f"{counted(both, 'document')} judged by several", f"{apart:,} of them differently"]
    if given["grade"].nunique() <= FEW_GRADES:
        said += agreement(given)
    rule, remedy = ", ".join(said), "Nothing to do if they agree well enough."
    found.note(graded.raw.file, f"several assessors ({there})", rule, remedy)
    kept = "" if number <= MOST_ASSESSORS else "; of so many, only the grade that counts is kept"
    return f"{how} ({there}; {rule}{kept})."


def _grade_combination_words(recipe: Recipe, number: int) -> str:
    """Whose grades count, in the beginning of a sentence."""
    several = f"{number:,} assessors"
    if not recipe.assessors and recipe.conflicts == "error":
        return f"Grades are of {several}, and no two of a document differ"
    return {
        "": f"Where {several} differ, the {recipe.conflicts} grade counts",
        "max": f"Grades are the highest of {several}",
        "mean": f"Grades are the mean of {several}",
    }.get(recipe.assessors, f"Grades are those of {recipe.assessors} alone, of {several}")


def with_parts(graded: Mapped | None, recipe: Recipe, found: Findings, file: str) -> Mapped | None:
    """Judgments with the parts of the task that a document answers, where a column names them.

    A cell may name several, with a semicolon between. Of a study that we wrote the column `part`
    does. file : that is named where there are no judgments
    """
    if graded is None:
        if recipe.parts:
            rule = "parts are a column of the judgments"
            found.error(file, None, "no judgments", rule, "Give them as a file.")
        return None
    columns = graded.raw.header
    name = recipe.parts or study.PART * (graded.raw.exact and study.PART in columns)
    if not name:
        return graded
    if name not in columns:
        rule = f"columns of the judgments are {', '.join(columns)}"
        place, what = (graded.raw.file, graded.raw.header_line), f"no column {name!r}"
        found.error(*place, what, rule, by_rule("parts", columns[-1], "Name one of them:"))
        return graded
    graded = replace(graded, cells=graded.cells.assign(**{study.PART: graded.raw.rows[name]}))
    if recipe.parts:
        number = len({part for text in texts_of(graded.cells[study.PART]) for part in _parts(text)})
        rule = "a part counts as found once a relevant document that answers it is shown"
        found.note(graded.raw.file, f"parts of tasks in column {name!r} ({number:,})", rule)
    return graded


def columns_of_parts(parts: Sequence[Part]) -> list[str]:
    """Columns of the judgments that have no role, and may name parts of tasks."""
    judged = of_kind(parts, "judgments")
    named = {str(name) for part in judged for name in part.raw.header}
    return sorted(named - {column for part in judged for column in part.columns.values()})


def parts_of_each(place: arrays.Ints, grade: arrays.Floats, parts: pd.Series[Any]) -> Any:
    """Parts that each document answers (G,), by rows of judgments (N,) and what each is of.

    A row of grade 0 or less says that it does not answer its part.
    """
    known = pd.Series([_parts(text) for text in texts_of(parts)], dtype=object).to_numpy()
    rows = pd.DataFrame({"place": place, "part": known[coded(parts)]})[grade > 0].explode("part")
    rows = rows.dropna().drop_duplicates().sort_values(["place", "part"])
    joined = rows.groupby("place")["part"].agg(study.PARTED.join)
    return joined.reindex(np.arange(int(place.max(initial=-1)) + 1), fill_value="").to_numpy(object)


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", text)
    return [part.strip() for part in plain.split(study.PARTED) if part.strip()]


EMPTY = {"topic": "category", "doc": "category", "grade": "float64"}
OTHERS_JUDGED = "they look like judgments of other documents, or their ids are written differently"
WRITE_ALIKE = "Write documents alike in both, or give the judgments of what the log shows."
RATE_IT = Remedy(
    f"{WRITE_ALIKE} If it is a questionnaire, give it as ratings: --ratings FILE.",
    f"{WRITE_ALIKE} If it is a questionnaire, choose ratings as its kind.",
)
SHORT = 60  # characters of a document's id in a message
Key = tuple[str, ...]  # roles that judgments go by
Names = Iterable[object]  # of columns
NAMES = {"text": "query text", "query_number": "query number"}  # of roles, where they differ
KEYS = (("topic",), ("text",), ("session", "query_number"), ("session",))


def judgment_keys(columns: Names, log: Names, *, own: bool = False) -> list[Key]:
    """What judgments could go by: topic, query text, session (and query number if it has one).

    A log's `own` grades are its sessions', whatever the query.
    """
    roles = {*columns} & {*log} - ({"query_number"} if own else set())
    both = [key for key in KEYS if roles.issuperset(key)]
    return [key for key in both if key == next(k for k in both if k[0] == key[0])]


def judged_by_query(columns: Roles, *, texts: bool = True) -> None:
    """Take a query id that stands alone in judgments for a topic: it names what is judged."""
    if "query_number" in columns and not {"topic", "session", "text" * texts} & {*columns}:
        columns["topic"] = columns.pop("query_number")


def key_words(key: Key) -> str:
    """A key as sentences name it."""
    return " and ".join(NAMES.get(role, role) for role in key)


def judgment_key(columns: Names, log: Names, by: str = "", *, own: bool = False) -> Key:
    """What judgments go by: as chosen, else the first that they could go by; () where none is."""
    return next((key for key in judgment_keys(columns, log, own=own) if by in ("", key[0])), ())


def check_ids(graded: Mapped | None, log: Mapped, found: Findings) -> None:
    """Refuse judgments of which the log has no topic that almost match, or not one document.

    Mostly a questionnaire was taken for judgments; else ids are written otherwise, or stand in
    another column.
    """
    if found.errors or graded is None or graded.raw.exact:
        return
    key = judgment_key(graded.cells, log.cells)
    if key == ("topic",):
        asked, judged = _role_texts(log, "topic"), _role_texts(graded, "topic")
        if apart := asked.isdisjoint(judged) and alike.id_difference(asked, judged, "topic"):
            what = f"no topic in common; {apart.said}"
            refused = error(graded.raw.file, None, what, apart.words, apart.remedy)
            found.problems.append(replace(refused, fix=apart.fix))
        elif asked and judged and asked.isdisjoint(judged):
            what = f"no topic in common with the log (here {_a_few(judged)}; there {_a_few(asked)})"
            rule = "a judgment counts for queries on its own topic alone"
            remedy = "Name topics alike in both, or add a table with both names of each topic."
            found.warn(graded.raw.file, what, rule, remedy)
    shown, files = _role_texts(log, "doc"), graded.raw.each_file()
    each = [_role_texts(graded, "doc", rows) for _, rows in files]
    is_used = not all(docs.isdisjoint(shown) for docs in each)
    for (file, rows), docs in zip(files, each, strict=True):
        if not shown or not docs or not docs.isdisjoint(shown):
            continue
        if is_used and key:
            judged = _role_texts(graded, key[0], rows)
            if judged and judged.isdisjoint(_role_texts(log, key[0])):
                number = counted(len(judged), NAMES.get(key[0], key[0]))
                what = f"judgments of {number} that the log lacks ({_a_few(judged)})"
                found.warn(file, what, "they count for no query", FINE)
                continue
        found.problems.append(_unknown_docs_error(file, graded, log, docs, shown))


def with_sessions_of_searchers(graded: Mapped, log: Mapped, found: Findings) -> Mapped:
    """Judgments that searchers gave in their sessions, with the session of searcher and topic.

    So it is where a column beside names the log's searchers, each with one session on a topic.
    """
    known = "session" in graded.cells or "topic" not in graded.cells
    beside = {name: column for name, column in graded.extras.items() if column.nunique() > 1}
    if known or not beside or not {"session", "topic"} <= {*log.cells}:
        return graded
    who = "searcher" if "searcher" in log.cells else "session"
    roles = {"session": "session", "who": who, "topic": "topic"}
    sessions = pd.DataFrame({name: comparable(log.cells[role]) for name, role in roles.items()})
    sessions = sessions.drop_duplicates()
    if sessions.duplicated(["who", "topic"]).any():
        return graded
    for name, column in beside.items():
        own = pd.DataFrame({"who": comparable(column), "topic": comparable(graded.cells["topic"])})
        texts = own.merge(sessions, how="left")["session"].fillna("")
        if own["who"].nunique() > 1 and (texts != "").all():
            rule = f"column {name} has the log's searchers, so they can be matched by session"
            found.note(graded.raw.file, "judgments", rule)
            return replace(graded, cells=graded.cells.assign(session=category(texts)))
    return graded


def with_judged_docs(logs: Sequence[Part], graded: Mapped | None, found: Findings) -> list[Part]:
    """The logs, which of several columns of documents have the one that judgments name."""
    made = [*logs]
    for i, part in enumerate(logs):
        own, rows = part.columns.get("doc", ""), part.raw.rows
        names = [name for name in part.raw.header if plain_name(name) in DOC.names]
        judged = _role_texts(graded, "doc") if graded and len(names) > 1 else set[str]()
        if not judged or own not in names:
            continue
        known = [name for name in names if not judged.isdisjoint(_stripped(rows[name]))]
        if len(known) == 1 and own not in known and not (part.raw.exact or "doc" in part.given):
            rule = f"of the columns {' and '.join(names)}, only it names judged documents"
            found.note(part.raw.file, f"documents from column {known[0]!r}", rule)
            made[i] = replace(part, given={**part.given, "doc": known[0]})
    return made


def _unknown_docs_error(
    file: str, graded: Mapped, log: Mapped, docs: set[str], shown: set[str]
) -> Problem:
    """Error for judgments of documents that the log lacks, with what the two differ by."""
    said = f"none of its documents ({_a_few(docs)}) is in the log, which has {_a_few(shown)}"
    for table, others, name in ((log, docs, "doc"), (graded, shown, f"{file}:doc")):
        for column in map(str, table.extras.columns):
            if not others.isdisjoint(_stripped(table.extras[column])):
                which = "the log's" if table is log else "its"
                rule = f"{which} column {column!r} has documents that both name"
                return error(file, None, said, rule, map_remedy(name, column))
    if apart := alike.id_difference(shown, docs, "doc"):
        said = f"no document in common; {apart.said}"
        return replace(error(file, None, said, apart.words, apart.remedy), fix=apart.fix)
    remedy = WRITE_ALIKE if graded.raw.known.kind else RATE_IT
    near = alike.nearest_ids_text(shown, docs)
    return error(file, None, said, f"{OTHERS_JUDGED}; {near}" if near else OTHERS_JUDGED, remedy)


def _a_few(docs: Iterable[str]) -> str:
    """The first of some ids, as a message shows them."""
    first, *others = sorted(docs)
    return f"{cut(first, SHORT)!r}{', …' * bool(others)}"


def _role_texts(table: Mapped, role: str, rows: slice = slice(None)) -> set[str]:
    """The same of a role, of some rows; none without a column."""
    return {*used_texts(text_of(table.cells, role).iloc[rows])[0].tolist()} - {""}


def _stripped(column: pd.Series[Any]) -> set[str]:
    """Distinct texts of a column, without blanks around; none that is empty."""
    return {text.strip() for text in used_texts(column)[0].tolist()} - {""}


def _grade_conflicts(
    topics: pd.Series[Any], docs: pd.Series[Any], grade: arrays.Floats
) -> tuple[arrays.Ints, arrays.Ints, arrays.Ints]:
    """First row of each topic and document, each row's place among these; and rows against it."""
    first, place = first_of_each(pair_code(coded(topics), coded(docs)))
    return first, place, np.flatnonzero(grade != grade[first][place])


def topics_of_keys(texts: pd.DataFrame) -> pd.Series[str]:
    """What stands for the topic of each row where none is named: the texts of its key."""
    first, *others = texts
    return texts[first].str.cat(texts[others], sep="/")


def read_judgments(
    judged: Mapped, log: pd.DataFrame, found: Findings, recipe: Recipe, *, own: bool
) -> pd.DataFrame:
    """One row per judged (topic, doc); `own` where they are the grades of a log.

    log : the log's cells by role, which tell the topics of a query text or session
    """
    raw, columns = judged.raw, judged.cells
    if "grade" not in columns or "doc" not in columns:
        return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in EMPTY.items()})
    grade_of = grades(raw, columns["grade"], found)
    kept = ~np.isnan(grade_of) & ~blank(columns["doc"])
    if not own:
        found.leave_out(raw, "judgments without a grade or document", np.flatnonzero(~kept))
    rows = np.flatnonzero(kept)
    key = ("topic",) if own else judgment_key(columns, log, recipe.judged_by)
    if not (own or recipe.judged_by):
        _note_other_key_columns(judged, log, key, found)
    if key == ("topic",) and not own and len(log) and not blank(text_of(log, "topic")).any():
        lacking = blank(columns["topic"]) & kept
        found.leave_out(raw, "judgments without a topic", np.flatnonzero(lacking))
        rows = np.flatnonzero(kept & ~lacking)
    if not key and recipe.topics_by == "session":
        key = ("doc",)
    if key and key != ("topic",):
        rows, topics = _judgment_rows_and_topics(judged, log, rows, key, found)
    else:
        topics = text_of(columns, "topic").iloc[rows]
    docs, grade = columns["doc"].iloc[rows], grade_of[rows]
    first, place, against = _grade_conflicts(topics, docs, grade)
    taken = first
    if against.size and recipe.conflicts == "error":
        graded, left = columns[kept], dict[Key, int]()
        for other in judgment_keys(columns, log, own=own):
            texts = pd.Series(category(topics_of_keys(key_texts(graded, other))))
            if other[0] != recipe.judged_by:
                left[other] = _grade_conflicts(texts, graded["doc"], grade_of[kept])[2].size
        i = int(against[0])  # which is told of; rows ascend
        what = f"a second grade ({grade[i]:g}) for {docs.iloc[i]!r} on topic {topics.iloc[i]!r}"
        nameless = bool(blank(topics.iloc[against]).any())
        rule, remedy = USUAL["conflicts"], _clash_remedy(left, against.size, nameless=nameless)
        found.refuse(raw, rows[against], lambda _: what, rule, remedy)
    elif against.size:
        taken = arrays.counting_rows(place, grade, recipe.conflicts)
        disagreed = np.isin(place, place[against])
        disagreed[taken] = False
        rule = f"conflicting judgments: the {recipe.conflicts} counts"
        found.leave_out(raw, rule, np.unique(rows[disagreed]), whole=not own)
    given = columns[[name for name in columns if str(name).startswith(ASSESSED)]].iloc[rows[taken]]
    more = {str(name): texts.astype("str").to_numpy(object) for name, texts in given.items()}
    if not own:
        parts = columns[study.PART].iloc[rows] if study.PART in columns else None
        again = np.ones(rows.size, dtype=bool)
        again[first if parts is None else first_of_each(pair_code(place, coded(parts)))[0]] = False
        again[np.isin(place, place[against])] = False
        found.repair(raw, "agreeing judgments merged", np.unique(rows[again]))
        more = more if parts is None else {study.PART: parts_of_each(place, grade, parts), **more}
    table = {"topic": topics.iloc[taken].array, "doc": docs.iloc[taken].array}
    return pd.DataFrame({**table, "grade": grade[taken], **more}, copy=False)


def _clash_remedy(left: dict[Key, int], conflicts: int, *, nameless: bool) -> Remedy:
    """What to do about grades that disagree; `left` counts those that do so by another key.

    nameless : whether some are of no topic, so that they may be of several
    """
    keep = "Fill in the topic, keep one of the two," if nameless else "Keep one of the two,"
    last = by_rule("conflicts", "first, last or highest", f"{keep} or choose:")
    key = min(reversed(left), key=lambda key: left[key], default=())  # by session rather than text
    if not key or left[key] >= conflicts:
        return last
    what = f"Match by {key_words(key)} (conflicts left: {left[key]:,} of {conflicts:,}):"
    first = by_rule("judged_by", key[0], what)
    return Remedy(*(" ".join(both) for both in zip(first, last, strict=True)))


def _note_other_key_columns(judged: Mapped, log: pd.DataFrame, key: Key, found: Findings) -> None:
    """Note columns by which judgments could go as well, or seem to."""
    near = [other[0] for other in judgment_keys(judged.cells, log) if other != key]
    others = [r for r in near if {*texts_of(judged.cells[r])} & {*texts_of(log[r])} - {""}]
    if near and not others:
        return
    beside = [r for r in ("text", "session", "query_number") if r in judged.cells and r not in key]
    if key == ("topic",) and beside:
        rule = "judgments are matched by topic, so they count for every query on it"
        remedy = "Remove the topic column if each query was judged by itself."
    elif key == ("text",) and others:
        rule = "judgments are matched by query text, in every session that asked it"
        remedy, beside = "", others
    else:
        return
    if others:
        how = "If another column is right,"
        remedy = by_rule("judged_by", " or ".join(others), f"{how} add:", f"{how} choose")
    some, first = ", ".join(role.replace("_", " ") for role in beside), key[0]
    found.note(judged.raw.file, f"columns for {some} beside {first}", rule, remedy)


def _judgment_rows_and_topics(
    graded: Mapped, log: pd.DataFrame, rows: arrays.Ints, key: Key, found: Findings
) -> tuple[arrays.Ints, Any]:
    """Rows of judgments and the topic of each, found by query text or session.

    A text that was asked on several topics is judged for each of them; likewise a document, where
    each session that showed it is a topic.
    """
    asked = key_texts(log, key)
    asked["topic"] = log["topic"].astype("str").to_numpy()
    judged = key_texts(graded.cells.iloc[rows], key).assign(row=rows)
    met = judged.merge(asked.drop_duplicates(), on=list(key), how="left")
    nobody = met["topic"].isna()
    if key == ("doc",):
        met["topic"] = met["topic"].fillna("")  # no topic's name, as what was never shown
    elif nobody.any():
        some = tuple(dict.fromkeys(met[key[0]][nobody]))[:3]
        what = f"{counted(int(nobody.sum()), 'judgment')} by a {key_words(key)} that the log lacks"
        remedy = "Check that log and judgments write it alike."
        found.warn(graded.raw.file, what, "they count for no query and no ideal", remedy, *some)
        met["topic"] = met["topic"].fillna(topics_of_keys(met[[*key]]))
    return met["row"].to_numpy(dtype=np.int64), pd.Series(category(met["topic"].astype("str")))


def key_texts(columns: pd.DataFrame, key: Key) -> pd.DataFrame:
    """Texts to compare: without blanks around; query numbers without zeros before."""
    texts: dict[str, Any] = {}
    for role in key:
        plain = [text.strip() for text in texts_of(columns[role])]
        if role == "query_number":
            plain = [str(int(float(t))) if WHOLE.fullmatch(t) else t for t in plain]
        texts[role] = np.array(plain, dtype=object)[coded(columns[role])]
    return pd.DataFrame(texts, dtype="str")


# between a topic and what is judged within it: the first that no topic holds
MARKS = tuple(map(chr, (*b"/|", *range(0x2190, 0x2400))))
NONE_NAMED = "no topic named"
ARE_NAMED = "documents are judged for topics, but neither log nor judgments name any"
ONE = "all queries are on one topic, with one ideal"
EACH = "each session is a topic of its own, whose ideal is the best of what the session showed"
ASK = Remedy(
    f"Choose: {option('topics_by', 'one')} ({ONE}), or {option('topics_by', 'session')} ({EACH}). "
    "Or name the log's column: --map topic=NAME.",
    f"Choose: {ASKED['topics_by']} Or give a column of the log the role topic: “{FOLD}”.",
)


def with_topics(log: Mapped, graded: Mapped | None, recipe: Recipe, found: Findings) -> Mapped:
    """The log with the topics that its judgments (None: its own grades) go by.

    Both name topics; or judgments go by query text or session, which then is the topic where the
    log names none, and a part of it where it was chosen and grades of a topic disagree. Where
    nothing names a topic, somebody has to say what is one; a table of ours stays as it is.
    """
    judged, by = graded or log, recipe.judged_by
    if lacking := [table.raw.file for table in (judged, log) if by and by not in table.cells]:
        what, rule = f"judgments to be matched by {by}", f"{lacking[0]} has no column for it"
        found.error(judged.raw.file, None, what, rule, say_column(by))
    if graded is None and not {"grade", by} & {*log.cells} and not recipe.topics_by:
        return log  # clicks need no topic
    key = judgment_key(judged.cells, log.cells, by, own=graded is None)
    named = "topic" in log.cells or (graded is not None and ("topic" in graded.cells or key))
    if not (named or log.raw.exact) and {"session", "query_number"} <= {*log.cells}:
        if not recipe.topics_by:
            found.error(log.raw.file, None, NONE_NAMED, ARE_NAMED, ASK)
            return log
        rule = f"as chosen, {ONE if recipe.topics_by == 'one' else EACH}"
        found.note(log.raw.file, NONE_NAMED, rule, "If not, name each query's topic in the log.")
        own = {} if recipe.topics_by == "one" else {"topic": log.cells["session"]}
        return replace(log, cells=log.cells.assign(**own))
    if key == ("topic",) or (by and not key) or (graded is None and not (by and key)):
        return log
    what = key_words(key)
    if key and "topic" in log.cells:
        return _with_topics_apart(log, judged, key, found) if by else log
    if key:
        rule = f"the log names no topic, so each {what} is judged as a topic of its own"
        remedy = "Add a topic column to the log if several queries share one need."
        found.note(judged.raw.file, f"judgments by {what}", rule, remedy)
        topics = category(topics_of_keys(key_texts(log.cells, key)))
        return replace(log, cells=log.cells.assign(topic=topics))
    if not {"topic"} & {*log.cells, *judged.cells} and found.errors:
        return log  # neither names topics, and what else is lacking is said
    lacking = next(table.raw for table in (log, judged) if "topic" not in table.cells)
    if lacking.first and found.errors:
        return log  # its columns have no names yet
    topics = texts_of(judged.cells["topic"]) if "topic" in judged.cells else []
    pattern = proposed_pattern([stem(file) for file, _ in lacking.each_file()], topics)
    pairs = judged.cells.reindex(columns=["doc", "grade"]).astype("str").replace("", np.nan)
    apart = bool(topics) and pairs.dropna().drop_duplicates()["doc"].duplicated().any()
    files = [file for file, _ in judged.raw.each_file()] if topics and not apart else []
    problem = no_topic(lacking.file, pattern, files)
    several = f"{judged.raw.file} has several topics, and grades a document differently on them"
    rule = several if apart else problem.rule
    found.problems.append(replace(problem, line=lacking.header_line, rule=rule))
    return log


def no_topic(file: str, pattern: str = "", judgments: Sequence[str] = ()) -> Problem:
    """Error for a log or judgments without topics, where the other names them.

    pattern : of the files' names, which may say them · judgments : their files, if they name them
    """
    rule = "either both log and judgments name topics, or neither does"
    command, page = say_column("topic")
    if judgments:
        share = "If all queries share one topic,"
        none = option("mapping", quote(",".join(f"{each}:topic=(none)" for each in judgments)))
        command = f"{command} {share} {none} {option('topics_by', 'one')}."
        page = f"{page} {share} take the role topic from the judgments' column there."
    if "{topic}" in pattern:
        have = "Read it from the file names"
        named = by_rule("file_name", quote(pattern), f"{have}:", f"{have} ({pattern})")
        command, page = f"{named[0]} {command}", f"{named[1]} {page}"
    return error(file, 1, "topic missing", rule, Remedy(command, page))


def _with_topics_apart(log: Mapped, graded: Mapped, key: Key, found: Findings) -> Mapped:
    """The log with a topic for each text or session, where their grades of a topic disagree."""
    if not {"doc", "grade"} <= {*graded.cells}:
        return log  # a column that is missing is said by itself
    silent = Findings()  # what is wrong with the cells is said where they are read
    grade = grades(graded.raw, graded.cells["grade"], silent)
    rows = np.flatnonzero(~np.isnan(grade) & ~blank(graded.cells["doc"]))
    rows, topics = _judgment_rows_and_topics(graded, log.cells, rows, key, silent)
    if not _grade_conflicts(topics, graded.cells["doc"].iloc[rows], grade[rows])[2].size:
        return log
    what = key_words(key)
    own = log.cells["topic"]
    mark = next(m for m in MARKS if not any(m in topic for topic in texts_of(own)))
    rule = f"as grades of one topic disagree, each {what} is a topic, TOPIC{mark}{what.upper()}"
    found.note(graded.raw.file, f"judgments by {what}", rule)
    named = zip(own.astype("str"), topics_of_keys(key_texts(log.cells, key)), strict=True)
    topics = category([f"{topic}{mark}{text}" for topic, text in named])
    return replace(log, cells=log.cells.assign(topic=topics, own_topic=own))
