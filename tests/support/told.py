"""What files come to, in few words: lists by query, grades, changed lines, and what is said."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study
from tests.support.formats import Contents, put
from tests.support.refusals import assert_each_has_its_means

OPTION = re.compile(r"--(?:set )?([a-z][a-z_-]*)(?:[ =]('[^']*'|[^\s;()]*[^\s;().,]))?")
OPTIONS = re.compile(
    rf"{OPTION.pattern}(?: {OPTION.pattern})*"
)  # those beside each other are taken together


def made(folder: Path, files: Contents, **rules: Any) -> Study:
    """The study of a folder with these files."""
    put(folder, files)
    return read_study(folder, recipe=Recipe(**rules))


def lists_of(study: Study) -> str:
    """Each query as session.number topic: documents in their order; * was clicked.

    A document that stands at another rank than its place has it, as 3=a.
    """
    shown: dict[tuple[str, int], list[str]] = {}
    for row in study.results.astype({"session": str, "doc": str}).itertuples():
        row: Any
        docs = shown.setdefault((row.session, row.query_number), [])
        at = "" if row.rank == len(docs) + 1 else f"{row.rank}="
        docs.append(f"{at}{row.doc}{'*' * (str(row.clicked) == 'True')}")
    names = ["session", "query_number", "topic"]
    queries = study.queries[names].astype({"session": str, "topic": str})
    return " | ".join(
        " ".join([f"{session}.{number} {topic}:", *shown.get((session, number), [])])
        for session, number, topic in queries.itertuples(index=False)
    )


def grades_of(study: Study) -> str:
    """Each judgment as topic/document=grade, sorted."""
    rows = study.judgments[["topic", "doc", "grade"]].astype({"topic": str, "doc": str})
    return " ".join(sorted(f"{t}/{d}={g:g}" for t, d, g in rows.itertuples(index=False)))


def changes_of(study: Study) -> list[str]:
    """What was changed or left out, by file, with its lines."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for file, line, action, rule in study.report.rows():
        found.setdefault((file, action, rule), []).append(line)
    return [f"{file} {lines} {action}: {rule}" for (file, action, rule), lines in found.items()]


def said_of(study: Study) -> list[str]:
    """What its readers say."""
    return [str(problem) for problem in study.report.problems]


def outcome(folder: Path, files: Contents, *, grades: bool = False, **rules: Any) -> str:
    """Lists, changes and notes of the study that files make, a line each; why they make none."""
    try:
        study = made(folder, files, **rules)
    except UnusableInputError as found:
        refused = str(found)
        if not rules:
            assert_each_has_its_means(found.problems)
        for remedy in remedies_of(refused):
            kept = {name: rules[name] for name in rules if f"instead of {name}" not in refused}
            still = read_again(folder, Recipe(**kept), remedy)
            assert still != refused, remedy
        return refused
    lists = f"{lists_of(study)} // {grades_of(study)}" if grades else lists_of(study)
    return "\n".join([lists, *changes_of(study), *said_of(study)])


def remedies_of(refusal: str) -> Iterator[list[str]]:
    """Options that a refusal names with their values, as a recipe reads them."""
    for beside in OPTIONS.finditer(refusal):
        found = {
            name.replace("-", "_"): value.strip("'") for name, value in OPTION.findall(beside[0])
        }
        if "system_by_file" in found:
            found["system_by_file"] = "true"
        if all(found.values()) and not re.search("[A-Z]{2}", "".join(found.values())):  # as NAME
            yield [f"{'mapping' if name == 'map' else name}={each}" for name, each in found.items()]


def read_again(folder: Path, recipe: Recipe, remedy: list[str]) -> str:
    """Why a folder is refused after a remedy; "" where it isn't, or where it is to be left out."""
    again = recipe.with_texts(remedy)
    if recipe == again:
        return ""
    try:
        read_study(folder, recipe=again)
    except UnusableInputError as still:
        return str(still)
    return ""
