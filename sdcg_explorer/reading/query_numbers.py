"""Query numbers of a log that has none: of an opaque id, a text, or a time, in their order.

Ranks go on over the pages of a query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import WHOLE, Findings, blank, coded, first_of_each
from sdcg_explorer.reading.log_rows import combined, places
from sdcg_explorer.reading.mapping import or_by_others, say_column
from sdcg_explorer.reading.raw_table import in_order, texts_of, with_texts
from sdcg_explorer.reading.recipe import ASKED, Recipe, by_rule, names_in
from sdcg_explorer.reading.shapes import is_in_lists
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.columns import as_numbers, plain_name, seconds_of
from sdcg_explorer.study.problems import Remedy, error, note
from sdcg_explorer.study.report import FOLDED

MADE = "query number of rows"
CORRECT = Remedy("Correct --set query_by.", f"Name columns of the log: “{ASKED['query_by']}”.")


def with_query_numbers(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """The parts, where the queries of logs are told apart by `query_by`, and numbered.

    Queries are numbered by time where each has one time, which is known; else in the order of
    their rows. A text that is asked again later, from the first rank on, is a query of its own;
    so is such a list whose text is blank.

    Raises
    ------
    UnusableInputError : a column that a log lacks
    """
    parts = [_with_ranks_over_pages(part, recipe, found) for part in parts]
    logs = [part for part in parts if part.kind == "log" and not part.raw.exact]
    by = names_in(recipe.query_by)
    if not by or not logs:
        return [*parts]
    for part in logs:
        there = f"the file's columns are {', '.join(part.raw.header)}"
        lacking = [name for name in by if part.columns.get(name, name) not in part.raw.header]
        found.problems += [
            error(part.raw.file, part.raw.header_line, f"no column {name!r}", there, CORRECT)
            for name in lacking
        ]
        if "session" not in part.columns:
            rule = "queries are identified within their session"
            remedy = or_by_others(say_column("session"), "session", part.raw.header, part.columns)
            place = part.raw.file, part.raw.header_line
            found.problems.append(error(*place, "session missing", rule, remedy))
    found.check()
    number, by_time = _numbers(logs, by, recipe)
    ends, made = np.cumsum([len(part.raw.rows) for part in logs]), [*parts]
    for part, own in zip(logs, np.split(number, ends[:-1]), strict=True):
        rows = part.raw.rows.drop(columns=part.given.get("query_number", ""), errors="ignore")
        rows = rows.assign(**{MADE: in_order(own)})
        given = {**part.given, "query_number": MADE}
        made[made.index(part)] = replace(part, raw=replace(part.raw, rows=rows), given=given)
    what = f"queries identified by {', '.join(by)}"
    order = "by time" if by_time else "in the order of their rows"
    times = [_moments(part) for part in logs if "time" in part.columns]
    odd = [text for own in times for text in own[np.isnan(seconds_of(own)) & ~blank(own)][:1]]
    order += f", as times such as {odd[0]!r} aren't read" if odd else ""
    unnamed = np.concatenate([blank(_log_column(part, by[0])) for part in logs]) & (number != "")
    rule = f"within a session they are numbered {order}"
    rule += "; a list without a text is a query of its own" * bool(unnamed.any())
    remedy = by_rule("query_by", "COLUMN", "If another column identifies them, read with")
    found.problems.append(note(logs[0].raw.file, what, rule, remedy))
    return made


CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?( ?[AaPp][Mm])?")
LONGEST = 21_600.0  # seconds of a session by the clock; else midnight or noon lies within
PAGES = {
    *("page", "page_number", "page_no", "page_num", "page_index", "pagenumber", "pageno"),
    *("serp_page", "result_page", "results_page", "seite", "pagina", "página", "页", "页码"),
}
OF_QUERY = ("query_number", "text")


def _with_ranks_over_pages(part: Part, recipe: Recipe, found: Findings) -> Part:
    """A log whose ranks go on over the pages of a query's results, where each page began anew.

    A page goes on with the query of the rows above it in its session if its number is higher, from
    0 or 1 on, and all that names session and query is the same.
    """
    raw, columns, rows = part.raw, part.columns, part.raw.rows
    page = next((n for n in raw.header if plain_name(n) in PAGES - {*columns.values()}), "")
    query = {columns.get(name, name) for name in (*OF_QUERY, *names_in(recipe.query_by))} & {*rows}
    if part.kind != "log" or raw.exact or not (page and query and "rank" in columns):
        return part
    keys = {columns.get(role, "") for role in ("session", "searcher", "system", "topic")} & {*rows}
    log = pd.DataFrame({"of": rows.groupby([*query | keys], observed=True).ngroup()})
    for name, column in (("page", page), ("rank", columns["rank"])):
        log[name] = as_numbers(rows[column], WHOLE)[coded(rows[column])]
    if "session" in columns:
        log = log.take(np.argsort(coded(rows[columns["session"]]), kind="stable"))
    before = log.shift()
    same, base = log["of"] == before["of"], log["rank"].min()
    further = same & (log["page"] > before["page"])
    place = (further | ~same | (log["page"] < before["page"])).cumsum()
    pages = log.assign(further=further).groupby(place).agg(
        number=("page", "first"), further=("further", "first"),
        least=("rank", "min"), most=("rank", "max"),
    )  # fmt: skip
    lists = (~pages["further"]).cumsum()
    first = ~pages["further"] & pages["further"].groupby(lists).transform("any")
    odd = (pages["further"] & (pages["least"] > base)) | (first & (pages["number"] > 1))
    if not first.any() or odd.any():
        return part
    sizes = (pages["most"] + 1 - base).fillna(0)
    ranks = (log["rank"] + place.map(sizes.groupby(lists).cumsum() - sizes)).sort_index()
    texts = ranks.map("{:.0f}".format).where(ranks.notna(), rows[columns["rank"]].astype("str"))
    found.repair(raw, FOLDED, np.sort(log.index.to_numpy()[further]))
    return replace(part, raw=replace(raw, rows=rows.assign(**{columns["rank"]: in_order(texts)})))


def _numbers(logs: Sequence[Part], by: list[str], recipe: Recipe) -> tuple[np.ndarray, bool]:
    """Query number of each row (N,) of all logs, "" where nothing names it; and whether by time."""
    session = _column_text_codes(logs, "session")
    if recipe.system_by_file or recipe.file_name:  # where sessions of files are called alike
        files = [part.raw.by_file(np.array([f for f, _ in part.raw.each_file()])) for part in logs]
        session = combined(session, pd.factorize(np.concatenate(files))[0])
    query, named = session, np.ones(session.size, dtype=bool)
    for name in by:
        query = pd.factorize(combined(query, _column_text_codes(logs, name)))[0]
        named &= np.concatenate([~blank(_log_column(part, name)) for part in logs])
    if all(
        {part.columns.get(name, name) for name in by} == {part.columns.get("text")} for part in logs
    ):
        # a text is asked again after another one, or where its ranks start again; where rows stand
        # otherwise, lists would begin within: then one text is one query
        rank, listed = np.arange(query.size, dtype=float), all("rank" in p.columns for p in logs)
        if all("doc" in p.columns and is_in_lists(p.raw, p.columns) for p in logs):
            rank = np.zeros(query.size)  # each row has a list of its own
        elif listed:
            texts = pd.concat([_log_column(part, "rank").astype("str") for part in logs])
            rank = pd.to_numeric(texts, errors="coerce").to_numpy(float)
        order = np.argsort(session, kind="stable")
        ranks, anew = rank[order], np.diff(query[order]) != 0
        begins = np.append(True, anew | (np.diff(ranks) <= 0) | np.isnan(ranks[1:]))[: query.size]
        if not (listed & begins & (ranks > np.nanmin(ranks, initial=np.inf))).any():
            query = np.empty(query.size, dtype=np.int64)
            query[order] = np.cumsum(begins)
            if listed:
                named |= np.concatenate([~blank(_log_column(part, "rank")) for part in logs])
    seconds = np.full(query.size, np.nan)
    if all("time" in part.columns for part in logs):
        seconds = np.concatenate([seconds_of(_moments(part)) for part in logs])
        if any(_is_clock(_log_column(part, "time")) for part in logs):
            times = pd.Series(seconds).groupby(session)
            seconds[times.transform("max") - times.transform("min") > LONGEST] = np.nan
    first, place = first_of_each(query)
    differ = pd.Series(seconds[first]).groupby(session[first]).nunique().max() > 1
    by_time = bool(differ and (seconds == seconds[first][place]).all())
    keys = (first, seconds[first], session[first]) if by_time else (first, session[first])
    number = places(session[first], np.lexsort(keys))
    return np.where(named, number[place].astype(str).astype(object), ""), by_time


def _is_clock(column: pd.Series) -> bool:
    """Whether a column has times of the clock alone."""
    texts = [text.strip() for text in texts_of(column) if text.strip()]
    return bool(texts) and all(map(CLOCK.fullmatch, texts))


def _moments(part: Part) -> pd.Series:
    """Times of a log; those of the clock alone are of one day, as a session's queries are."""
    column = _log_column(part, "time")
    if not _is_clock(column):
        return column
    texts = [text.strip() for text in texts_of(column)]
    return pd.Series(with_texts(column, [text and f"2000-01-01 {text}" for text in texts]))


def _log_column(part: Part, name: str) -> pd.Series:
    """A column of a log by its name or role."""
    return part.raw.rows[part.columns.get(name, name)]


def _column_text_codes(logs: Sequence[Part], name: str) -> Ints:
    """Texts (N,) of a column of all logs, as numbers."""
    texts = pd.concat([_log_column(part, name).astype("str") for part in logs])
    return pd.factorize(texts.str.strip())[0]
