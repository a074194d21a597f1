"""A study as a zip of tidy CSVs, which reads back to the same digest."""

import hashlib
import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import tomli_w

from sdcg_explorer.export.tables import Content, content_parts, table_parts
from sdcg_explorer.reading import cells, own_study, recipe
from sdcg_explorer.scoring.definition import Definition, Filters, to_toml
from sdcg_explorer.study.annotations import tags_table
from sdcg_explorer.study.study import KEYS, OWN_OF_QUERIES, OWN_OF_SESSIONS, Study

QUERIES = 20_000  # whose rows of the log are made at once
OWN = [*OWN_OF_SESSIONS]  # columns that the log has
MARKS = ("clicked", "examined", "grade")  # columns that say nothing where they are empty
README = """{name}

log.csv        one row per result; a query without results has a row with empty rank and doc, and
               a session without queries a row with its names only
judgments.csv  topic, doc, grade (and what each assessor gave, where there were several)
sessions.csv   what else is known of sessions (if anything)
queries.csv    what else is known of queries (if anything)
tags.csv       tags of queries: session, query_number, tag (if there are any)
study.toml     the study's name, note and digest, and your own judgments and texts
definition.toml  the definition and filters used when this was written
recipe.toml    your choices of how the files were read (if you made any)

Cells that a spreadsheet would run as a formula start with an apostrophe; sDCG Explorer removes it
if it is given the whole zip: on the Data page, or as sdcg check FILE.zip. The study has the
digest {digest}.
"""


def study_parts(
    study: Study, definition: Definition, filters: Filters
) -> Iterator[tuple[str, Content]]:
    """The zip's files by name, each in parts, of which a large log needs but one at a time."""
    study = study.graded_by(None)
    yield "log.csv", _log_parts(study)
    for name, table in _small_tables(study).items():
        yield f"{name}.csv", table_parts(table, None)
    texts = {"study.toml": _study_description(study)}
    texts["definition.toml"] = to_toml(definition, filters)
    about = README.format(name=study.name, digest=study.digest)
    about += _titled_lines("Repaired, in lines of the files as they were given", _repairs(study))
    texts["README.txt"] = about + _titled_lines("As the files were read", study.report.methods)
    if study.report.recipe:
        texts["recipe.toml"] = tomli_w.dumps({recipe.TABLE: study.report.recipe})
    yield from texts.items()


def _repairs(study: Study) -> list[str]:
    """What was repaired, with the number of lines; the tables here have it so."""
    asked = {cells.rule_of(fix) for fix in recipe.FIXES}
    lines = Counter[tuple[str, str]]()
    for change in study.report.changes:
        if change.rule in asked:
            lines[change.file, change.rule] += change.lines.size
    return [f"{file}: {rule} ({number:,})" for (file, rule), number in lines.items()]


def _titled_lines(head: str, said: Sequence[str]) -> str:
    """Lines beneath what they are about; nothing where there is none."""
    return "\n".join([f"\n{head}:", *(f"  {line}" for line in said), ""]) if said else ""


def study_zip(study: Study, definition: Definition, filters: Filters) -> bytes:
    """Bytes of the zip; the same study gives the same bytes."""
    return zipped(dict(study_parts(study, definition, filters)))


def zipped(files: Mapping[str, Content]) -> bytes:
    """A zip whose entries have no date of their own."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, content in files.items():
            add_entry(archive, name, content)
    return sink.getvalue()


def add_entry(archive: zipfile.ZipFile, name: str, content: Content) -> str:
    """Add an entry without a date, part by part, and give its sha256."""
    entry, total = zipfile.ZipInfo(name), hashlib.sha256()
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as file:
        for part in content_parts(content):
            total.update(part)
            file.write(part)
    return total.hexdigest()


def _log_parts(study: Study) -> Iterator[bytes]:
    """The log as CSV, some queries with their results at a time."""
    silent = [name for name in MARKS if study.results[name].isna().all()]
    place = study.results_looked_at().query
    order = np.argsort(place, kind="stable").astype(np.int32)
    ends = np.append(0, np.cumsum(np.bincount(place, minlength=len(study.queries))))
    log = pd.DataFrame()
    for first in range(0, max(1, len(study.queries)), QUERIES):
        asked = study.queries.iloc[first : first + QUERIES]
        low, high = ends[[first, min(first + QUERIES, len(study.queries))]]
        log = _log(asked, study.sessions, study.results.iloc[order[low:high]].drop(columns=silent))
        header, *parts = table_parts(log, None)
        yield from parts if first else (header, *parts)
    others = study.sessions[~study.sessions["session"].isin(study.queries["session"].unique())]
    if len(others):  # have no queries
        _, *parts = table_parts(_as_text(others[OWN]).reindex(columns=log.columns), None)
        yield from parts


def _log(queries: pd.DataFrame, sessions: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """A row per result; one of a query without."""
    asked = _as_text(queries[[*OWN_OF_QUERIES]])
    who = _as_text(sessions.loc[sessions["session"].isin(asked["session"].unique()), OWN])
    log = asked.merge(who, on="session", how="left", sort=False)
    log = log.merge(_as_text(results), on=KEYS["queries"], how="left", sort=False)
    log["rank"] = log["rank"].astype("Int64")
    return log


def _small_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Tables of the zip beside the log; every extra column goes by its own name."""
    tables = {"judgments": _as_text(study.judgments)}
    for name, own in (("sessions", OWN_OF_SESSIONS), ("queries", OWN_OF_QUERIES)):
        table = study.tables[name]
        if set(table) > {*own}:
            tables[name] = _as_text(table.drop(columns=[*{*own} - {*KEYS[name]}]))
    if study.tags:
        tables["tags"] = tags_table(study.tags)
    return tables


def _as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Categories as text."""
    return table.astype(dict.fromkeys(table.select_dtypes("category").columns, "str"))


def _study_description(study: Study) -> str:
    """What the zip says of the study as a whole."""
    texts = {"name": study.name, "note": study.note, "digest": study.digest}
    own = [[*thing, grade] for thing, grade in sorted(study.layer.items())]
    more: dict[str, Any] = {own_study.OWN_JUDGMENTS: own} if own else {}
    more |= {own_study.WRITTEN: study.written} if study.written else {}
    more |= {own_study.METHODS: study.report.methods} if study.report.methods else {}
    warned = own_study.lasting_warnings(study.report.problems)
    more |= {own_study.WARNINGS: warned} if warned else {}
    more |= {recipe.TABLE: study.report.recipe} if study.report.recipe else {}
    about = {"format": own_study.FORMAT, **texts, "withheld": study.report.withheld}
    return tomli_w.dumps(about | more)
