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
from sdcg_explorer.reading.rules import ASKED, ROW_RULES, Rules
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Floats
from sdcg_explorer.study.problems import Problem, Remedy, error, note, warning

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
    by = [name.strip() for name in rules.session_by.split(",") if name.strip()]
    remedy, by = (CORRECT, by) if by else (say_column("searcher"), ["searcher"])
    columns = [part.columns.get(name, name) for name in by]
    there = f"the file's columns are {', '.join(part.raw.header)}"
    problems = [
        error(part.raw.file, 1, f"no column {column!r}", there, remedy)
        for column in columns
        if column not in part.raw.header
    ]
    if rules.session_gap and "time" not in part.columns:
        rule = "a pause is seen by the times of rows"
        problems.append(error(part.raw.file, 1, "no column for time", rule, say_column("time")))
    found.problems += problems
    if problems:
        return part
    names = _joined([part.raw.rows[column].astype("str") for column in columns])
    if rules.session_gap:
        names = _apart(part, names, rules, found)
    if too_wide := _several(part, names, by, columns):
        found.problems += too_wide
        return part
    found.problems += _begun_anew(part, names, rules)
    pause = f", and end with a pause of more than {rules.session_gap}" * bool(rules.session_gap)
    what, rule = f"{len({*names}):,} sessions", f"sessions go by {', '.join(by)}{pause}"
    remedy = "Check the first, if that is not how the study was run."
    found.problems.append(note(part.raw.file, what, rule, remedy))
    made = replace(part.raw, rows=part.raw.rows.assign(**{MADE: in_order(names)}))
    return replace(part, raw=made, given={**part.given, "session": MADE})


def _joined(columns: list[pd.Series]) -> np.ndarray:
    """Names (N,) that say what columns say of each row; "" where one of them says nothing."""
    parts = [column.tolist() for column in columns]
    names = ["/".join(each) for each in zip(*parts, strict=True)]
    if len({*names}) < len({*zip(*parts, strict=True)}):  # a/b with c, and a with b/c
        escaped = ([text.replace("/", r"\/") for text in each] for each in parts)
        names = ["/".join(each) for each in zip(*escaped, strict=True)]
    blank = np.any([[not text.strip() for text in each] for each in parts], axis=0)
    return np.where(blank, "", np.array(names, dtype=object))


def _texts(part: Part, role: str) -> np.ndarray:
    """What a role's column says of each row (N,), without blanks around it."""
    texts = part.raw.rows[part.columns[role]].astype("str").to_numpy(object)
    return np.array([text.strip() for text in texts], dtype=object)


def _several(part: Part, names: np.ndarray, by: list[str], columns: list[str]) -> list[Problem]:
    """The error where sessions so made have several searchers, systems, or topics of one query."""
    for role in ("searcher", "system", "topic"):
        within = ["query_number"] if role == "topic" else []
        if not {role, *within} <= part.columns.keys() or part.columns[role] in columns:
            continue
        work = np.zeros(len(names), dtype=np.int64)  # a session, or a query of one, by number
        for each in (names, *(_texts(part, name) for name in within)):
            codes, known = pd.factorize(each)
            work = pd.factorize(work * len(known) + codes)[0].astype(np.int64)
        said = _texts(part, role)
        filled = (names != "") & (said != "")  # an event says not all of its session
        codes, known = pd.factorize(said)
        pairs = np.unique((work * len(known) + codes)[filled])
        if pairs.size > np.unique(work[filled]).size:
            finer = ",".join([*by, role])
            rule = ROW_RULES[role]["rule"]
            remedy = Remedy(
                f"Have it part sessions, too: --session-by {finer}.",
                f"Have it part sessions, too: “{ASKED['session_by']}” {finer}.",
            )
            return [error(part.raw.file, None, f"sessions of several {role}s", rule, remedy)]
    return []


def _begun_anew(part: Part, names: np.ndarray, rules: Rules) -> list[Problem]:
    """A warning where a session's queries are numbered from the first again, later in time."""
    if rules.session_gap or not {"time", "query_number"} <= part.columns.keys():
        return []
    seconds = seconds_of(part.raw.rows[part.columns["time"]])
    numbers = pd.to_numeric(part.raw.rows[part.columns["query_number"]], errors="coerce")
    rows = pd.DataFrame({"of": pd.factorize(names)[0], "at": seconds, "number": numbers})
    rows = rows.dropna().sort_values(["of", "at", "number"], kind="stable")
    before = rows.groupby("of")[["at", "number"]].shift()
    anew = (rows["number"] < before["number"]) & (rows["at"] > before["at"])
    anew &= rows["number"] == rows.groupby("of")["number"].transform("min")
    count = rows.loc[anew, "of"].nunique()
    if not count:
        return []
    found = f"queries are numbered from the first again within sessions ({count:,})"
    rule = "rows of one session and query number are one query, whenever they were"
    remedy = Remedy(
        "If these are several sessions each, part them: --session-gap 30m.",
        f"If these are several sessions each, part them: “{ASKED['session_gap']}”.",
    )
    return [warning(part.raw.file, found, rule, remedy)]


def _apart(part: Part, names: np.ndarray, rules: Rules, found: Findings) -> np.ndarray:
    """Names (N,) with a number after each where a pause is longer than the gap."""
    column = part.raw.rows[part.columns["time"]]
    seconds = seconds_of(column)
    by = rules.session_by or ("searcher,topic" if "topic" in part.columns else "searcher")
    rule = "a pause is seen by the times of rows, as dates with times, or seconds"
    found.refuse(
        part.raw,
        np.flatnonzero(np.isnan(seconds)),
        lambda i: f"time {column.iloc[i]!r}",
        rule=rule,
        remedy=Remedy(
            f"Correct the cell, or instead of --session-gap give --session-by {by}.",
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
    parted = zip(names, number, strict=True)
    return np.array([f"{name}/{n}" if name else "" for name, n in parted], dtype=object)


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
