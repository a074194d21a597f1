"""What the names of a log's files say of the sessions in them: parts by a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.log_tables import free_name
from sdcg_explorer.reading.name_patterns import (
    OF_SESSIONS,
    parts_named,
    proposed_pattern,
    split_name,
)
from sdcg_explorer.reading.raw_table import RawTable, in_order, texts_of
from sdcg_explorer.reading.rules import by_rule
from sdcg_explorer.reading.table_kinds import Part, stem
from sdcg_explorer.study.problems import Problem, error, note


def with_own_session(raw: RawTable) -> RawTable:
    """A table whose file is one session, which is called as the file."""
    if not raw.known.is_session:
        return raw
    named = in_order(np.full(len(raw.rows), stem(raw.file), dtype=object))
    return replace(raw, rows=raw.rows.assign(session=named))


def with_file_names(parts: Sequence[Part], pattern: str, found: Findings) -> list[Part]:
    """The parts, logs with what their files' names say of their sessions."""
    logs = [part for part in parts if part.kind == "log"]
    said = {file: split_name(stem(file), pattern) for file in files_of_logs(parts)}
    found.problems += [_no_fit(file, pattern) for file, own in said.items() if own is None]
    known = {file: own for file, own in said.items() if own is not None}
    for file, own in [*known.items()][:1]:
        example = f"{stem(file)} is {', '.join(f'{role} {text}' for role, text in own.items())}"
        rule = f"names of files read {pattern}"
        found.problems.append(note(file, "what names say", rule, f"Check one: {example}.", example))
    return [_named(part, known) if part in logs else part for part in parts]


def files_of_logs(parts: Sequence[Part]) -> list[str]:
    """Names of the files that logs were read from."""
    return [file for part in parts if part.kind == "log" for file, _ in part.raw.each_file()]


def pattern_for(parts: Sequence[Part]) -> str:
    """A pattern for the names of a log's files, where judgments know topics that these name.

    Of files of one session each, any pattern, whatever the judgments know.
    """
    logs = [part for part in parts if part.kind == "log"]
    if any("topic" in part.columns or part.raw.known.scored for part in logs):
        return ""
    judged = [part for part in parts if part.kind == "judgments" and "topic" in part.columns]
    topics = {text for part in judged for text in texts_of(part.raw.rows[part.columns["topic"]])}
    pattern = proposed_pattern([*map(stem, files_of_logs(parts))], topics)
    sure = "topic" in parts_named(pattern) or all(part.raw.known.is_session for part in logs)
    return pattern if sure else ""


def _no_fit(file: str, pattern: str) -> Problem:
    remedy = by_rule("file_name", "PATTERN", "Correct the pattern, or rename the file:")
    return error(file, None, f"the name {stem(file)!r}", f"names of files read {pattern}", remedy)


def _named(part: Part, said: Mapping[str, Mapping[str, str]]) -> Part:
    """A log with a column for each part of its files' names; roles go by them."""
    raw, columns = part.raw, dict[str, Any]()
    own = [(said.get(file, {}), rows.stop - rows.start) for file, rows in raw.each_file()]
    for name in dict.fromkeys(name for parts, _ in own for name in parts):
        called = f"{name} of file" if name in OF_SESSIONS else free_name(name, raw.header)
        texts = [text for parts, size in own for text in [parts.get(name, "")] * size]
        columns[called] = in_order(np.array(texts, dtype=object))
    given = {name: f"{name} of file" for parts, _ in own for name in parts if name in OF_SESSIONS}
    made = replace(raw, rows=raw.rows.assign(**columns))
    return replace(part, raw=made, given={**part.given, **given})


def stems(raw: RawTable) -> NDArray[Any]:
    """Each row's file (N,), without its folder and ending where that tells all of them apart."""
    files = [file for file, _ in raw.each_file()]
    plain = [stem(file) for file in files]
    called = plain if len(set(plain)) == len(plain) else files
    sizes = [part.stop - part.start for _, part in raw.each_file()]
    return np.repeat(np.array(called, dtype=object), sizes)


def systems_by_file(
    raw: RawTable, columns: dict[str, str], system: NDArray[Any], found: Findings
) -> tuple[RawTable, dict[str, str]]:
    """Systems of files (N,); sessions called alike in those of two systems are told apart by it."""
    session = raw.rows[columns["session"]].astype("str").to_numpy(dtype=object)
    pairs = pd.DataFrame({"system": system, "session": session}).drop_duplicates()
    if pairs["session"].duplicated().any():
        session = np.array([f"{a}/{b}" for a, b in zip(system, session, strict=True)], object)
        rule = "sessions called alike in two systems' files are named SYSTEM/SESSION"
        found.repair(raw, rule, np.arange(len(raw.rows)))
    named = {"system": "system of file", "session": "session of file"}
    rows = raw.rows.drop(columns=[columns["session"]])
    rows = rows.assign(
        **{named["system"]: pd.Categorical(system), named["session"]: in_order(session)}
    )
    return replace(raw, rows=rows), {**columns, **named}
