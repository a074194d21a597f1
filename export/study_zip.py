"""A study as a zip of tidy CSVs, which reads back to the same digest."""

from __future__ import annotations

import io
import zipfile

import pandas as pd
import tomli_w

from analysis.definition.definition import Definition, Filters, to_toml
from export.tables import table_bytes
from study.counting.counted_study import CountedStudy
from study.counting.kept import folder_files
from study.reading.own_study import FORMAT
from study.study import Study
from study.tags import tags_table

MARKS = ("clicked", "examined", "grade")  # columns that say nothing where they are empty
README = """{name}

log.csv        one row per result; a query without results has one with empty rank and doc
judgments.csv  topic, doc, grade
sessions.csv   what else is known of sessions (where there is any)
queries.csv    what else is known of queries (where there is any)
tags.csv       tags of queries: session, query_number, tag (where there is any)
study.toml     name, note and digest of the study
definition.toml  the definition and filters in force when this was written

Cells that a spreadsheet would run as a formula start with an apostrophe; sDCG Explorer takes it off
where it is given the whole zip: on the page Data, or as sdcg check FILE.zip. The study has the
digest {digest}.
"""


def study_files(study: Study, definition: Definition, filters: Filters) -> dict[str, bytes]:
    """Contents of the zip by name; of counts their folder, which opens as a study, too."""
    if isinstance(study, CountedStudy):
        return folder_files(study)
    files = {f"{name}.csv": table_bytes(table, None) for name, table in tidy_tables(study).items()}
    texts = {
        "study.toml": _about(study),
        "definition.toml": to_toml(definition, filters),
        "README.txt": README.format(name=study.name, digest=study.digest),
    }
    return files | {name: text.encode() for name, text in texts.items()}


def study_zip(study: Study, definition: Definition, filters: Filters) -> bytes:
    """Bytes of the zip; the same study gives the same bytes."""
    return zipped(study_files(study, definition, filters))


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip whose entries have no date of their own."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return sink.getvalue()


def tidy_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Tables of the zip by name; every extra column goes by its own name."""
    sessions, queries = (_plain(table) for table in (study.sessions, study.queries))
    own = ["session", "system", "searcher"]
    of_queries = ["session", "query_number", "topic", "text", "time"]
    log = queries[of_queries].merge(sessions[own], on="session", how="left", sort=False)
    results = _plain(study.results)
    silent = [name for name in MARKS if results[name].isna().all()]
    keys = ["session", "query_number"]
    log = log.merge(results.drop(columns=silent), on=keys, how="left", sort=False)
    log["rank"] = log["rank"].astype("Int64")
    tables = {"log": log, "judgments": _plain(study.judgments)}
    more = sessions.drop(columns=own[1:])
    if more.shape[1] > 1:
        tables["sessions"] = more
    more = queries.drop(columns=of_queries[2:])
    if more.shape[1] > 2:
        tables["queries"] = more
    if study.tags:
        tables["tags"] = tags_table(study.tags)
    return tables


def _plain(table: pd.DataFrame) -> pd.DataFrame:
    """Categories as text."""
    coded = table.select_dtypes("category").columns
    return table.astype(dict.fromkeys(coded, "str"))


def _about(study: Study) -> str:
    """What the zip says of the study as a whole."""
    texts = {"name": study.name, "note": study.note, "digest": study.digest}
    return tomli_w.dumps({"format": FORMAT, **texts, "withheld": study.report.withheld})
