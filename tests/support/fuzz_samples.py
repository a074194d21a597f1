"""A small study in every form that is read, and the larger sample as it is."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.agent_layouts import GRADES as AGENTS_GRADES
from tests.support.agent_layouts import LAYOUTS
from tests.support.formats import (
    GRADES,
    STUDY,
    Files,
    by_query,
    by_result,
    csv_of,
    graded,
    json_of,
    packed,
    parquet_of,
    qrels_of,
    run_of,
    session_objects,
    workbook_of,
    xml_of,
    zip_of,
)
from tests.support.plain_files import ECIR2008

OF_AGENTS = "runs in lines, lists as text", "spans"  # of the layouts: one by text, one by nesting


@dataclass(frozen=True)
class Sample:
    """A study in one form: its files, the log first; `plain` where these are lines of text."""

    name: str
    files: Files
    plain: bool = True
    slow: bool = False


def samples() -> list[Sample]:
    """All forms, of which the packed are no lines of text."""
    log, beside = csv_of(by_result()), {"judgments.csv": csv_of(graded())}
    both = {"log.csv": log, **beside}
    listed = csv_of(by_query(lambda asked: [*asked.docs], lambda asked: [*asked.clicked]))
    of_sessions: dict[tuple[int | str, str], float] = {
        (asked.session, doc): GRADES.get((asked.topic, doc), 0)
        for asked in STUDY
        for doc in asked.docs
    }
    runs = {"bm25.run": run_of(STUDY, "{}_{}"), "qrels.txt": qrels_of(of_sessions)}
    book = workbook_of(log=by_result(), judgments=graded())
    lines = {"log.jsonl": json_of(by_result().objects())}
    large = {name: (ECIR2008 / name).read_bytes() for name in both}
    return [
        Sample("csv", both),
        Sample("quoted csv", {"log.csv": csv_of(by_result(), quoted=True), **beside}),
        Sample("tsv", {"log.tsv": csv_of(by_result(), "\t"), **beside}),
        Sample("lists in cells", {"log.csv": listed, **beside}),
        Sample("json lines", {**lines, "judgments.jsonl": json_of(graded().objects())}),
        Sample("json sessions", {"log.jsonl": json_of(session_objects()), **beside}),
        Sample("session xml", {"log.xml": xml_of("docno"), "qrels.txt": qrels_of(GRADES)}),
        *(Sample(name, {**LAYOUTS[name], "grades.tsv": AGENTS_GRADES}) for name in OF_AGENTS),
        Sample("run", runs),
        Sample("gz", {"log.csv.gz": packed(log), **beside}, plain=False),
        Sample("zip", {"study.zip": zip_of(both)}, plain=False),
        Sample("parquet", {"log.parquet": parquet_of(by_result()), **beside}, plain=False),
        Sample("xlsx", {"study.xlsx": book}, plain=False),
        Sample("ecir2008", large, slow=True),
    ]
