"""Sessions of a log that names none: by columns, or by how long a searcher paused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import Findings, coded
from sdcg_explorer.reading.event_patterns import seconds_of_gap
from sdcg_explorer.reading.mapping import say_column
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import ASKED, Rules
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Floats
from sdcg_explorer.study.problems import Remedy, error, note

MADE = "session of rows"
CORRECT = Remedy("Correct --session-by.", f"Name columns of the log: “{ASKED['session_by']}”.")
DIGITS = re.compile(r"[0-9]{1,19}([.][0-9]{1,9})?")
AFTER_ZONE = re.compile(r"( [A-Z]{1,5})?( m=\S+)?$")  # as Go writes times
YEAR_FIRST = re.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}.*")
DAY_FIRST = re.compile(r"([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4})(.*)")  # 3/4/2021 may be either
UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))  # from nano-, micro- and milliseconds since 1970


def with_sessions(part: Part, rules: Rules, found: Findings) -> Part:
    """A log whose sessions are made as it was asked; another part, or where nobody asked, as it is.

    Rows are one session while `session_by` says the same of them, or the searcher is one, and no
    more time passes between two than `session_gap`.
    """
    if part.kind != "log" or not (rules.session_by or rules.session_gap):
        return part
    by = [name.strip() for name in rules.session_by.split(",") if name.strip()] or ["searcher"]
    columns = [part.columns.get(name, name) for name in by]
    there = f"the file's columns are {', '.join(part.raw.header)}"
    problems = [
        error(part.raw.file, 1, f"no column {column!r}", there, CORRECT)
        for column in columns
        if column not in part.raw.header
    ]
    if rules.session_gap and "time" not in part.columns:
        rule = "a pause is seen by the times of rows"
        problems.append(error(part.raw.file, 1, "no column for time", rule, say_column("time")))
    found.problems += problems
    if problems:
        return part
    names = part.raw.rows[columns[0]].astype("str").to_numpy(object)
    for column in columns[1:]:
        names = names + "/" + part.raw.rows[column].astype("str").to_numpy(object)
    if rules.session_gap:
        names = _apart(part, names, rules, found)
    pause = f", and end with a pause of more than {rules.session_gap}" * bool(rules.session_gap)
    what, rule = f"{len({*names}):,} sessions", f"sessions go by {', '.join(by)}{pause}"
    remedy = "Check the first, if that is not how the study was run."
    found.problems.append(note(part.raw.file, what, rule, remedy))
    made = replace(part.raw, rows=part.raw.rows.assign(**{MADE: in_order(names)}))
    return replace(part, raw=made, given={**part.given, "session": MADE})


def _apart(part: Part, names: np.ndarray, rules: Rules, found: Findings) -> np.ndarray:
    """Names (N,) with a number after each where a pause is longer than the gap."""
    column = part.raw.rows[part.columns["time"]]
    seconds, by = seconds_of(column), rules.session_by or "searcher"
    rule = "a pause is seen by the times of rows, as dates with times, or seconds"
    found.refuse(
        part.raw,
        np.flatnonzero(np.isnan(seconds)),
        lambda i: f"time {column.iloc[i]!r}",
        rule=rule,
        remedy=Remedy(
            f"Correct the cell, or say what a session is: --session-by {by}.",
            f"Correct the cell, or leave “{ASKED['session_gap']}” empty.",
        ),
    )
    codes = pd.factorize(names)[0]
    order = np.lexsort((np.arange(codes.size), seconds, codes))
    first = np.append(True, np.diff(codes[order]) != 0)[: codes.size]
    paused = np.append(False, np.diff(seconds[order]) > seconds_of_gap(rules.session_gap))[
        : codes.size
    ]
    parts = (first | paused).cumsum()
    number = np.empty(codes.size, dtype=np.int64)
    starts = np.maximum.accumulate(np.where(first, parts, 0))
    number[order] = parts - starts + 1
    return np.array([f"{a}/{n}" for a, n in zip(names, number, strict=True)], dtype=object)


def seconds_of(column: pd.Series) -> Floats:
    """Times (N,) in seconds since 1970, or since whatever they count from; nan where unreadable.

    Numbers from 1e11 on are milli-, from 1e14 micro-, from 1e17 nanoseconds; dates have their year
    first, or day, month and year with points between.
    """
    texts = [text.strip() for text in texts_of(column)]
    if all(DIGITS.fullmatch(text) for text in texts if text):
        values = np.array([float(text or "nan") for text in texts], dtype=float)
        least = np.nanmin(values, initial=np.inf)
        unit = next((unit for size, unit in UNITS if least >= size), 1.0)
        return (values / unit)[coded(column)]
    plain = [_year_first(AFTER_ZONE.sub("", text)) for text in texts]
    made = pd.to_datetime(pd.Series(plain, dtype="str"), utc=True, format="mixed", errors="coerce")
    stamps = made.to_numpy(dtype="datetime64[ns]")
    seconds = np.where(np.isnat(stamps), np.nan, stamps.astype(np.int64) / 1e9)
    return seconds[coded(column)]


def _year_first(text: str) -> str:
    """A date with its year first; nothing where it isn't known which part is the day."""
    fit = DAY_FIRST.fullmatch(text)
    if fit:
        return f"{fit[3]}-{fit[2]:0>2}-{fit[1]:0>2}{fit[4]}"
    return text if YEAR_FIRST.fullmatch(text) else ""
