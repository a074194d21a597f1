"""What the names of a log's files say of the sessions in them: parts by a pattern."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.log_rows import free_name, text_of
from sdcg_explorer.reading.mapping import FOLD
from sdcg_explorer.reading.patterns import (
    OF_SESSIONS,
    parts_named,
    proposed_pattern,
    split_name,
)
from sdcg_explorer.reading.raw_table import RawTable, in_order, texts_of
from sdcg_explorer.reading.rules import Rules, by_rule
from sdcg_explorer.reading.table_kinds import Part, stem
from sdcg_explorer.study.arrays import Bools
from sdcg_explorer.study.problems import Problem, Remedy, error, note


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


def systems_of(
    raw: RawTable,
    columns: Mapping[str, str],
    runs: Collection[str],
    rules: Rules,
    found: Findings,
    *,
    split: bool,
) -> NDArray[Any] | None:
    """System of each row (N,) by its run's tag or its file; None where sessions have theirs.

    Several runs are a system each, called as their files; where a file has several tags, these are
    the systems, within their file if each file is to be one.

    Parameters
    ----------
    runs : names of the files that are runs, whose column for the system holds their tags
    split : whether sessions are read off query ids, which several systems answered
    """
    if not (rules.system_by_file or rules.file_name or runs or split):
        return None
    named = text_of(raw.rows, columns.get("system", "")).astype("str").to_numpy(object)
    if "system" in parts_named(rules.file_name):
        return named
    files = [file for file, _ in raw.each_file()]
    tags: dict[str, list[str]] = {
        file: pd.unique(named[rows]).tolist()
        for file, rows in raw.each_file()
        if file in runs and "system" in columns
    }
    several = any(len(own) > 1 for own in tags.values())
    by_file = rules.system_by_file or (len(files) > 1 and bool(runs) and not several)
    if not by_file:
        found.problems += [_several_tags(file, own) for file, own in tags.items() if len(own) > 1]
        alike = split and "system" in columns and _answer_alike(raw, columns)
        return named if tags or alike else None
    system = stems(raw)
    for file, rows in raw.each_file():
        if len(tags.get(file, ())) > 1:
            system[rows] = [f"{stem(file)}/{tag}" for tag in named[rows]]
            found.problems.append(_several_tags(file, tags[file]))
        elif {*tags.get(file, ())} - {*system[rows][:1]}:
            rule = f"its system is called as the file, {system[rows][0]}"
            said = note(file, f"run tag {tags[file][0]}", rule, "Nothing to do.")
            found.problems.append(said)
    return system


def _answer_alike(raw: RawTable, columns: Mapping[str, str]) -> bool:
    """Whether two systems of a log answered one query of one session."""
    ids = [columns[role] for role in ("session", "query_number")]
    rows = raw.rows[[*ids, columns["system"]]].drop_duplicates()
    return bool(rows.duplicated(ids).any())


def _several_tags(file: str, tags: Sequence[str]) -> Problem:
    """Note of a run's tags, each of which is a system."""
    some = ", ".join([*tags[:3], *["…"] * (len(tags) > 3)])
    remedy = Remedy(
        "If they are one system, read with --map 'system=(none)'.",
        f"If they are one system, take the role from the column run: “{FOLD}”.",
    )
    return note(file, f"{len(tags):,} run tags ({some})", "each is a system", remedy)


def systems_by_file(
    raw: RawTable, columns: dict[str, str], system: NDArray[Any], made: Bools, found: Findings
) -> tuple[RawTable, dict[str, str]]:
    """Systems (N,) of rows; sessions called alike in two of them are told apart by it.

    Rows that were `made` (N,) stand in no file.
    """
    session = raw.rows[columns["session"]].astype("str").to_numpy(dtype=object)
    pairs = pd.DataFrame({"system": system, "session": session}).drop_duplicates()
    if pairs["session"].duplicated().any():
        session = np.array(
            [f"{a}/{b}" if a else b for a, b in zip(system, session, strict=True)], object
        )
        rule = "sessions called alike in two systems are named SYSTEM/SESSION"
        found.repair(raw, rule, np.flatnonzero(~made))
    named = {"system": "system of file", "session": "session of file"}
    rows = raw.rows.drop(columns=[columns["session"]])
    rows = rows.assign(
        **{named["system"]: pd.Categorical(system), named["session"]: in_order(session)}
    )
    return replace(raw, rows=rows), {**columns, **named}
