"""What is said of a file by hand: which of its lists are read, rows to leave out, cells apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import orjson

from sdcg_explorer.reading.cells import Findings, coded
from sdcg_explorer.reading.mapped_table import with_merged_filled
from sdcg_explorer.reading.mapping import is_called
from sdcg_explorer.reading.patterns import DOC_GROUP, SlowPatternError, every_doc, pairs_of
from sdcg_explorer.reading.raw_table import KINDS, RawTable, texts_of, with_texts
from sdcg_explorer.reading.recipe import ASKED, Recipe, option
from sdcg_explorer.reading.shapes import meaning_of
from sdcg_explorer.reading.table_kinds import SAID, Part, of_kind, recognised, taken_as
from sdcg_explorer.study.problems import Problem, Remedy, error, note, refuse
from sdcg_explorer.study.wording import counted, plural

CORRECT_CELLS = Remedy("Correct --set cells.", f"Correct “{ASKED['cells']}”.")
ANOTHER = "another list of its file is read"
NOT_READ = "it is one of a file's lists, and its columns fit no log or judgments"


def picked_lists(file: str, parts: list[Part], recipe: Recipe) -> list[Part]:
    """Tables of a file, where of several lists those that were picked are read.

    Raises
    ------
    UnusableInputError : no such list
    """
    picked = [path for name, own in recipe.lists.items() if is_called(file, name) for path in own]
    there = {part.raw.nested.path: part for part in parts if part.raw.nested}
    there.pop("", None)
    if not picked:
        rated = [
            p for p in there.values() if p.kind == "ratings" and p.raw.file not in recipe.kinds
        ]
        return [taken_as(part, "other", NOT_READ) if part in rated else part for part in parts]
    remedy = Remedy("Correct --set lists.", f"Pick one of these: “{ASKED['lists']}”.")
    rule = f"its lists of objects are {', '.join(there) or 'none'}"
    lacking = [path for path in picked if path not in there]
    refuse([error(file, None, f"no list {path!r}", rule, remedy) for path in lacking])
    return [p if path in picked else taken_as(p, "other", ANOTHER) for path, p in there.items()]


def with_one_log(
    given: Sequence[Part], docs_of: Callable[[Part], set[str]], recipe: Recipe
) -> list[Part]:
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
    graded = of_kind(parts, "judgments") if by_file else []
    judged = set[str]().union(*map(docs_of, graded))
    for file, every in by_file.items():
        by_file[file] = of_kind(every, "log")
        unknown = [part for part in every if part.kind == "other"]
        named = [(part, column) for part in unknown for column in _judged_columns(part, judged)]
        if not by_file[file] and len(named) == 1:
            (part, column), *_ = named
            taken = recognised(part.raw, {**recipe.mapping, f"{part.raw.file}:doc": column})
            parts[parts.index(part)] = taken_as(taken, "log", "judgments name its documents")
    problems: list[Problem] = []
    aside: list[Part] = []
    for file, logs in by_file.items():
        if len(logs) < 2 or any(is_called(file, name) for name in recipe.lists):
            continue
        own = [part for part in logs if _has_own_documents(part)] or logs[:1]
        met = [part for part in own if not judged.isdisjoint(docs_of(part))]
        if len(own) == 1 or len(met) == 1:
            aside += [part for part in logs if part not in (own if len(own) == 1 else met)]
            continue
        logs = own
        paths = [part.raw.nested.path for part in logs if part.raw.nested]
        ways = " or ".join(option("lists", f"'{file}={path}'") for path in paths)
        remedy = Remedy(f"Say which is the log: {ways}.", f"Say which under “{ASKED['lists']}”.")
        what = f"several lists of documents: {', '.join(paths)}"
        problems.append(error(file, None, what, "only one list has the results", remedy))
    refuse(problems)
    return [taken_as(part, "other", ANOTHER) if part in aside else part for part in parts]


def with_judgments_by_log(
    parts: Sequence[Part], docs_of: Callable[[Part], set[str]], recipe: Recipe
) -> list[Part]:
    """Parts, where a table of grades is judgments by its one column of the log's documents.

    Its name need not say so. None is looked for beside other judgments, or grades in the log.
    """
    made, logs = [*parts], of_kind(parts, "log")
    if of_kind(parts, "judgments") or any("grade" in log.columns for log in logs):
        return made
    free = [i for i, part in enumerate(parts) if part.kind == "other" and part.why != SAID]
    shown = set[str]().union(*map(docs_of, logs if free else []))
    for i in free if shown else []:
        part = parts[i]
        columns = taken_as(part, "judgments", "").columns
        named = _judged_columns(part, shown) if "grade" in columns and "doc" not in columns else []
        if len(named) == 1:
            known = recognised(part.raw, {**recipe.mapping, f"{part.raw.file}:doc": named[0]})
            made[i] = taken_as(known, "judgments", f"its {named[0]} names documents of the log")
    return made


def _has_own_documents(part: Part) -> bool:
    """Whether documents stand in the list that a table is made of, and not around it."""
    nested, doc = part.raw.nested, part.columns.get("doc", "")
    return nested is not None and nested.lists.get(doc) == max(nested.places, key=len, default=())


def _judged_columns(part: Part, judged: set[str]) -> list[str]:
    """Columns of a list whose texts are documents that judgments name, most of them."""
    found: list[str] = []
    for name in part.raw.header if meaning_of(last_of(part)) != "click" else []:
        texts = {text.strip() for text in texts_of(part.raw.rows[name])} - {""}
        if 2 * len(texts & judged) >= max(1, len(texts)):
            found.append(name)
    return found


def last_of(part: Part) -> str:
    """What the innermost list of a table is called; "" where the file has no other."""
    return part.raw.nested.path.rpartition(".")[2] if part.raw.nested else ""


def with_rows_left_out(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """Parts without the rows that were said to be left out, by the value of a column or a role.

    A log's column is also what plays its role in other tables: whom a log loses rates nothing.

    Raises
    ------
    UnusableInputError : a column or value that no table has; nothing is left of log or judgments;
        merged cells that nobody asked to fill
    """
    filled = (with_merged_filled(part, found, recipe) for part in parts)
    made = [*filled] if recipe.leave_out else [*parts]
    found.check(last=True)
    remedy = Remedy("Correct --set leave_out.", f"Correct “{ASKED['leave_out']}”.")
    for said, value in pairs_of(recipe.leave_out):
        rows, which = 0, f"whose {said} is {value or 'empty'}"
        logged = (part.columns.items() for part in of_kind(made, "log"))
        roles = [said, *(role for own in logged for role, column in own if column == said)]
        named = [
            next((part.columns[role] for role in roles if role in part.columns), "")
            if said not in part.raw.header
            else said
            for part in made
        ]
        for i, (part, column) in enumerate(zip(made, named, strict=True)):
            if not column:
                continue
            is_left = np.array([text.strip() != value for text in texts_of(part.raw.rows[column])])
            left = is_left[coded(part.raw.rows[column])]
            rule = f"rows {which}, as chosen"
            found.leave_out(part.raw, rule, np.flatnonzero(~left))
            rows += int((~left).sum())
            if left.any() and not left.all():
                made[i] = replace(part, raw=part.raw.without(~left))
            elif not left.any():
                made[i] = taken_as(part, "other", "all its rows were left out, as chosen")
        if rows:
            were = plural(rows, "was", "were")
            found.methods.append(f"{counted(rows, 'row')} {which} {were} left out.")
        else:
            having = [part for part, column in zip(made, named, strict=True) if column]
            first = min(having or made, key=lambda part: [*KINDS, ""].index(part.kind)).raw
            rule = "rows are left out by a column and its value"
            what = f"no row {which}"
            if not having:
                what, rule = f"no column {said!r}", f"its columns are {', '.join(first.header)}"
            refuse([error(first.file, None, what, rule, remedy)])
    for kind in ("log", "judgments"):
        files = ", ".join(part.raw.file for part in of_kind(parts, kind))
        if files and not of_kind(made, kind):
            rule = f"all rows of the {kind} are left out, as chosen"
            refuse([error(files, None, "no row left", rule, remedy)])
    return made


def with_cells_apart(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """Parts whose cells are lists where it was said how they are taken apart.

    Raises
    ------
    UnusableInputError : a column that no table has, a pattern that takes too long
    """
    made = [*parts]
    for column, how in recipe.cells.items():
        those = [i for i, part in enumerate(made) if column in part.raw.header]
        if not those:
            names = dict.fromkeys(name for part in parts for name in part.raw.header)
            there, file = f"columns are {', '.join(names)}", parts[0].raw.file
            refuse([error(file, None, f"no column {column!r}", there, CORRECT_CELLS)])
        for i in those:
            made[i] = replace(made[i], raw=_split_column_cells(made[i].raw, column, how, found))
    return made


def _split_column_cells(raw: RawTable, column: str, how: str, found: Findings) -> RawTable:
    texts = texts_of(raw.rows[column])
    try:
        docs = every_doc(texts, how) if DOC_GROUP in how else [_parted(text, how) for text in texts]
    except SlowPatternError:
        rule = "a pattern must be read within a few seconds"
        refuse([error(raw.file, None, f"a slow pattern, {how}", rule, CORRECT_CELLS)])
        raise
    lists = [orjson.dumps(own).decode() if own else "" for own in docs]
    several = sum(len(own) > 1 for own in docs)
    what = f"cells of {column} split by {how!r}"
    rule = f"{several:,} of {len(texts):,} different cells hold several"
    found.problems.append(note(raw.file, what, rule))
    rows = raw.rows.assign(**{column: with_texts(raw.rows[column], lists)})
    return replace(raw, rows=rows)


def _parted(text: str, how: str) -> list[str]:
    """Texts in a cell; "one" takes it whole, "blank" at its blanks.

    >>> _parted("a, b", ","), _parted("a, b", "one"), _parted("a  b", "blank"), _parted("", ";")
    (['a', 'b'], ['a, b'], ['a', 'b'], [])
    """
    if how == "one":
        return [text.strip()] if text.strip() else []
    parts = text.split(None if how == "blank" else how)
    return [part.strip() for part in parts if part.strip()]
