"""Logs whose rows are events, or calls of tools, and their queries with what these showed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading import log_rows, patterns, raw_table, shapes
from sdcg_explorer.reading.cells import ROW_RULES, WHOLE, Findings, blank, coded
from sdcg_explorer.reading.mapping import DOC, LOG_ROLES, TURN, Roles, say_column
from sdcg_explorer.reading.raw_table import RawTable, category, texts_of
from sdcg_explorer.reading.recipe import ASKED, FOLD, Recipe, by_rule, names_in, option
from sdcg_explorer.reading.shapes import Counts
from sdcg_explorer.reading.table_kinds import Part, as_kind, events_of, of_kind, stem
from sdcg_explorer.study import report, wording
from sdcg_explorer.study.arrays import Bools, Ints
from sdcg_explorer.study.columns import is_dwell_time, plain_name, seconds_of
from sdcg_explorer.study.problems import Problem, Remedy, error, refusal, refuse

MADE = "session of rows"
CORRECT = Remedy("Correct --session-by.", f"Name columns of the log: “{ASKED['session_by']}”.")


def with_requested_sessions(part: Part, recipe: Recipe, found: Findings) -> Part:
    """A log whose sessions are made as it was asked; another part, or where nobody asked, as it is.

    Rows are one session while `session_by` says the same of them, or the searcher is one, and no
    more time passes between two than `session_gap`. Ratings that have all these columns go by the
    same sessions.
    """
    by = names_in(recipe.session_by)
    columns = [part.columns.get(name, name) for name in by]
    if part.kind == "ratings" and by and not recipe.session_gap:
        return _ratings_by_session(part, columns)
    if part.kind != "log" or not (by or recipe.session_gap):
        return part
    remedy = CORRECT if by else say_column("searcher")
    by, columns = by or ["searcher"], columns or [part.columns.get("searcher", "searcher")]
    there = f"the file's columns are {', '.join(part.raw.header)}"
    place = part.raw.file, part.raw.header_line
    lacking = (column for column in columns if column not in part.raw.header)
    problems = [error(*place, f"no column {column!r}", there, remedy) for column in lacking]
    if recipe.session_gap and "time" not in part.columns:
        rule = "pauses are found from the times of rows"
        problems.append(error(*place, "no column for time", rule, say_column("time")))
    found.problems += problems
    if problems:
        return part
    names = _names_from_columns(_parts_of_sessions(part, columns, recipe, found))
    if recipe.session_gap:
        names = _split_at_pauses(part, names, recipe, found)
    if too_wide := _conflicts(part, names, by, columns):
        found.problems += too_wide
        return part
    _warn_of_restarts(part, names, recipe, found)
    pause = f", and end at a pause of more than {recipe.session_gap}" * bool(recipe.session_gap)
    what = wording.counted(len({*names}), "session")
    rule = f"sessions are identified by {', '.join(by)}{pause}"
    found.note(part.raw.file, what, rule, "Check the first session.")
    return _with_session_names(part, names)


def _parts_of_sessions(
    part: Part, columns: list[str], recipe: Recipe, found: Findings
) -> list[pd.Series[Any]]:
    """What each column says of a row's session; an event that lacks one part of several goes on.

    It has that of the event before by the other columns, or, of a first one, of the next.
    """
    texts: list[Any] = [part.raw.rows[column].astype("str") for column in columns]
    topic, are_events = part.columns.get("topic"), bool(events_of(part, recipe.events))
    if recipe.topic_id and topic in columns:  # whose id goes before what is made of it
        known = texts_of(part.raw.rows[topic])
        remedy = by_rule("topic_id", "PATTERN", "Correct the pattern:")
        fits = patterns.match_groups_in_file(part.raw.file, known, recipe.topic_id, remedy)
        own = ["" if are_events else text for text in known]  # as an address that was clicked
        new = [fit["topic"] if fit else text for fit, text in zip(fits, own, strict=True)]
        named = np.array(new, dtype=object)[coded(part.raw.rows[topic])]
        texts[columns.index(topic)] = pd.Series(named)
    if len(texts) == 1 or not are_events:
        return texts
    seconds = seconds_of(part.raw.rows[part.given["time"]]) if "time" in part.given else None
    order = np.arange(len(part.raw.rows)) if seconds is None else np.argsort(seconds, kind="stable")
    for i, column in enumerate(columns):
        is_open = texts[i].str.strip() == ""
        others = [text.iloc[order] for text in (*texts[:i], *texts[i + 1 :])]
        known = texts[i].mask(is_open).iloc[order].groupby(others).ffill()
        texts[i] = known.groupby(others).bfill().sort_index().fillna("")
        rows = np.flatnonzero(is_open & (texts[i] != ""))
        found.repair(part.raw, f"events without {column} have that of the event before", rows)
    return texts


def _with_session_names(part: Part, names: np.ndarray) -> Part:
    return part.with_rows(part.raw.rows.assign(**{MADE: category(names)}), {"session": MADE})


def _ratings_by_session(part: Part, columns: list[str]) -> Part:
    """Ratings by the sessions that their columns tell apart, where they have all of them."""
    if part.raw.exact or "session" in part.columns or not {*columns} <= {*part.raw.header}:
        return part
    texts = [part.raw.rows[column].astype("str").str.strip() for column in columns]
    return _with_session_names(part, _names_from_columns(texts))


def _names_from_columns(columns: list[pd.Series]) -> np.ndarray:
    """Names (N,) that say what columns say of each row; "" where one of them says nothing."""
    rows = [*zip(*(column.tolist() for column in columns), strict=True)]
    names = ["/".join(row) for row in rows]
    if len({*names}) < len({*rows}):  # a/b with c, and a with b/c
        names = ["/".join(text.replace("/", r"\/") for text in row) for row in rows]
    is_whole = np.array([all(map(str.strip, row)) for row in rows], dtype=bool)
    return np.where(is_whole, np.array(names, dtype=object), "")


def _conflicts(part: Part, names: np.ndarray, by: list[str], columns: list[str]) -> list[Problem]:
    """The error where sessions so made have several searchers, systems, or topics of one query."""
    for role in ("searcher", "system", "topic"):
        within = ["query_number"] if role == "topic" else []
        if not {role, *within} <= part.columns.keys() or part.columns[role] in columns:
            continue
        rows = {name: part.raw.rows[part.columns[name]] for name in (*within, role)}
        said = pd.DataFrame({name: texts.astype("str").str.strip() for name, texts in rows.items()})
        said = said.assign(of=names)  # an event says not all of its session
        said = said.take(np.flatnonzero((said["of"] != "") & (said[role] != ""))).drop_duplicates()
        if said.duplicated(["of", *within]).any():
            finer, rule = ",".join([*by, role]), ROW_RULES[role].rule
            page = f"Identify sessions by {finer}"
            remedy = by_rule("session_by", finer, "Identify sessions by it, too:", page)
            return [error(part.raw.file, None, f"sessions of several {role}s", rule, remedy)]
    return []


def _warn_of_restarts(part: Part, names: np.ndarray, recipe: Recipe, found: Findings) -> None:
    """Warn where a session's queries are numbered from the first again, later in time."""
    if recipe.session_gap or not {"time", "query_number"} <= part.columns.keys():
        return
    seconds = seconds_of(part.raw.rows[part.columns["time"]])
    numbers = pd.to_numeric(part.raw.rows[part.columns["query_number"]], errors="coerce")
    rows = pd.DataFrame({"of": pd.factorize(names)[0], "at": seconds, "number": numbers})
    rows = rows.dropna().sort_values(["of", "at", "number"], kind="stable")
    before = rows.groupby("of")[["at", "number"]].shift()
    anew = (rows["number"] < before["number"]) & (rows["at"] > before["at"])
    anew &= rows["number"] == rows.groupby("of")["number"].transform("min")
    if count := rows.loc[anew, "of"].nunique():
        what = f"query numbers start again within sessions ({count:,})"
        rule = "rows with the same session and query number are one query, whatever their times"
        remedy = by_rule("session_gap", "30m", "If these are several sessions, split them:")
        found.warn(part.raw.file, what, rule, remedy)


def _split_at_pauses(part: Part, names: np.ndarray, recipe: Recipe, found: Findings) -> np.ndarray:
    """Names (N,) with a number after each where a pause is longer than the gap."""
    column = part.raw.rows[part.columns["time"]]
    seconds = seconds_of(column)
    by = recipe.session_by or ("searcher,topic" if "topic" in part.columns else "searcher")
    rule = "pauses are found from times, as dates with times or in seconds"
    command = f"Correct the cell, or instead of session_gap use {option('session_by', by)}."
    remedy = Remedy(command, f"Correct the cell, or leave “{ASKED['session_gap']}” empty.")
    rows = np.flatnonzero(np.isnan(seconds))
    found.refuse(part.raw, rows, lambda i: f"time {column.iloc[i]!r}", rule, remedy)
    times = pd.DataFrame({"of": names, "at": seconds}).sort_values(["of", "at"], kind="stable")
    paused = times.groupby("of")["at"].diff() > patterns.seconds_of_gap(recipe.session_gap)
    parted = zip(names, (paused.groupby(times["of"]).cumsum() + 1).sort_index(), strict=True)
    return np.array([f"{name}/{n}" if name else "" for name, n in parted], dtype=object)


MARKED = "marked"  # documents of a query
MOSTLY = 0.9  # of events, whose queries or documents are found
SHARED = ("topic", "system", "searcher")
NO_LIST = "a query's results are logged in its own event, or in one event each"


def with_queries(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """The parts, where those whose rows are events are one log of results.

    Raises
    ------
    UnusableInputError : events that show no results, or name no session
    """
    logs = [part for part in parts if events_of(part, recipe.events)]
    others = [with_requested_sessions(part, recipe, found) for part in parts if part not in logs]
    if not logs:
        return others
    found.check()
    raws = [part.raw for part in logs]
    around = [shapes.lists_around(raw, shapes.events_of_log(recipe.events, raw)) for raw in raws]
    new = [*map(shapes.event_starts, raws, around)]
    listed = any(raw.nested is not None for raw in raws)
    raw, by = raw_table.join_tables(raws), names_in(recipe.query_by)
    ids = {"query_number": by[0]} if len(by) == 1 and by[0] in raw.header else {}
    part = replace(logs[0], raw=raw, kind="log", given=shapes.event_roles(raw, logs[0].given | ids))
    made = with_requested_sessions(part, recipe, found)
    found.check()
    events = shapes.events_of_log(recipe.events, raw) or shapes.Events("", {})
    return [_result_rows(made, events, np.concatenate(new), found, listed=listed, by=by), *others]


def _result_rows(
    part: Part, events: shapes.Events, new: Bools, found: Findings, *, listed: bool, by: list[str]
) -> Part:
    """A log with a row for each result of each query, and one for a query without."""
    roles = part.given
    if "session" not in roles:
        what, rule = "events without a session", "an event belongs to a session"
        raise refusal(part.raw.file, part.raw.header_line, what, rule, say_column("session", roles))
    raw, docs, row, in_list = shapes.spread_events(part.raw, roles.get("doc", ""), found)
    new = new[row] & np.append(True, np.diff(row) > 0)[: row.size]
    if listed:  # in a list of objects
        in_list = in_list | (docs != "")
    elif "rank" in roles:
        in_list = in_list | ~blank(raw.rows[roles["rank"]])
    meant = [events.meanings.get(text, "") for text in texts_of(raw.rows[events.column])]
    means = np.array(meant, dtype=object)[coded(raw.rows[events.column])]
    about = np.isin(means, ("click", "bookmark")) & (docs == "")
    if column := _column_of_documents(raw, {*roles.values()}, about, {*docs[~about]} - {""}):
        docs = np.where(about, raw.rows[column].astype("str").str.strip(), docs)
        what, rule = f"documents of clicks in {column!r}", "they are documents that lists showed"
        found.note(raw.file, what, rule)
    shows = (docs != "") & ((means == "result") | ((means == "query") & in_list))
    doc, name = np.where(docs == "", -1, pd.factorize(docs)[0]), coded(raw.rows[events.column])
    log = pd.DataFrame({"means": means, "name": name, "doc": doc, "shows": shows, "new": new})
    log = _with_query(raw, roles, log, found)
    first = np.flatnonzero(log["begins"])
    shown = log.take(np.flatnonzero(log["shows"] & (log["number"] > 0)))
    again = shown.duplicated(["query", "doc"]).to_numpy()
    rows = np.sort(shown["row"].to_numpy()[again])
    found.leave_out(raw, "results that their query showed before", rows)
    shown = shown.take(np.flatnonzero(~again))
    counts = shapes.event_counts(raw, events, new)
    if not len(shown) and "doc" not in roles and "result" in meant:
        what, rule = "results without a document", "an event that shows a result names its document"
        raise refusal(raw.file, part.raw.header_line, what, rule, say_column("doc"))
    if not len(shown):
        value = f"result={next((name for name, _, means in counts if not means), 'NAME')}"
        page = f"Say which events show results, as {value},"
        remedy = by_rule("events", value, "Say which events show results:", page)
        raise refusal(raw.file, None, "no results of queries", NO_LIST, remedy)
    _report(raw, events.column, counts, log, found)
    shown = shown.assign(rank=_ranks(raw, roles, shown, found))
    visits = pd.DataFrame({"place": [], "visit": []}, dtype=np.int64)
    dwell = roles.get("dwell") or next(filter(is_dwell_time, raw.header), "")
    for role, meaning in (("clicked", "click"), (MARKED, "bookmark")):
        if (log["means"] == meaning).any():
            met = _events_matched_to_results(raw, log, shown, meaning, found)
            shown[role] = np.isin(np.arange(len(shown)), met["place"]).astype(int).astype(str)
            visits = pd.concat([visits, met])
    visits = visits if dwell else visits.drop_duplicates("place")
    without = log.take(first[~np.isin(log["query"].take(first), shown["query"])])
    every = pd.concat([shown.assign(place=np.arange(len(shown))), without])
    every = every.rename_axis("at").reset_index().merge(visits, on="place", how="left")
    every = every.sort_values("row", kind="stable").set_index("at")  # a row for each visit
    cells: dict[str, Any] = {
        "query_number": every["number"].astype(str),
        "doc": np.where(every["rank"].isna(), "", docs[every["row"]]),
        **{role: every[role].fillna("") for role in ("rank", "clicked", MARKED) if role in shown},
    }
    if MARKED in shown:  # a column of the query: how many were
        marked = shown[MARKED].astype(int).groupby(shown["query"]).sum()
        cells[MARKED] = marked.reindex(every["query"], fill_value=0).astype(str)
    if dwell:
        texts = raw.rows[dwell].astype("str").to_numpy(object)
        cells["dwell"] = texts[every["visit"].fillna(every["row"]).astype(int)]
    if "time" in roles:
        texts = np.append(raw.rows[roles["time"]].astype("str").to_numpy(object), "")
        cells[raw_table.CLICK_TIME] = texts[every["visit"].fillna(-1).astype(int)]
    made = {name: category(texts) for name, texts in cells.items()}
    made |= _query_columns(raw, roles, log, every.index.to_numpy(), first[every["query"]])
    used = {events.column, column, *shapes.list_columns(part.raw)}
    used |= {name for role, name in roles.items() if role != "session"}
    used -= {*by}  # which tell queries apart, as said
    table = raw.take(every["row"].to_numpy())
    rows = table.rows.drop(columns=[name for name in used if name in table.rows])
    rows = pd.DataFrame({name: raw_table.in_appearance(rows[name]) for name in rows.columns})
    session, told = every["session"].to_numpy(), coded(raw.rows[roles["session"]])
    for name in [name for name in rows if blank(rows[name]).all() and name != dwell]:
        filled = np.flatnonzero(~blank(raw.rows[name]))
        own = pd.DataFrame({"of": told[filled], "text": raw.rows[name].iloc[filled].astype("str")})
        own = own.drop_duplicates()
        if not (means[filled] != "").any() and not own["of"].duplicated().any():
            texts = own.set_index("of")["text"].reindex(session).fillna("")  # of its session
            rows[name] = category(texts.to_numpy(object))
            continue
        found.leave_out_column(raw, f"column {name!r} stands beside no result")
        rows = rows.drop(columns=name)
    named = {role: f"{role} of events" for role in made} | {MARKED: MARKED, "dwell": dwell}
    named[raw_table.CLICK_TIME] = raw_table.CLICK_TIME
    rows = rows.assign(**{named[name]: cells for name, cells in made.items()})
    given = {r.name: named[r.name] if r.name in made else "" for r in LOG_ROLES}
    given["session"] = roles["session"]
    return replace(part, raw=replace(table, rows=rows), given=given)


def _query_columns(
    raw: RawTable, roles: Roles, log: pd.DataFrame, every: Ints, asked: Ints
) -> dict[str, Any]:
    """What rows (R,) say of their query: its first event's text and time, the session's last word.

    What a session says before or after its queries, a task or a system, holds for these too.
    every (R,), asked (R,) : place of each row's event, and of its query's first
    """
    made: dict[str, Any] = {}
    for role in (role for role in ("text", "time", *SHARED) if role in roles):
        column, source = raw.rows[roles[role]], asked
        if role in SHARED:
            places = pd.Series(np.arange(len(log), dtype=float))
            said = places.mask(blank(column)[log["row"]]).groupby(log["session"])
            last = said.ffill().fillna(said.bfill()).fillna(places)
            source = last.to_numpy().astype(np.int64)[every]
        own = column.take(log["row"].to_numpy()[source]).reset_index(drop=True)
        made[role] = raw_table.in_appearance(own).array
    return made


def _with_query(raw: RawTable, roles: Roles, log: pd.DataFrame, found: Findings) -> pd.DataFrame:
    """Events by session and time, a row for each document of a list, with the query of each.

    It is that whose id an event names, or else the last that began.

    log : in the order of the file, what an event `means` and its `name`, `doc` (codes, -1 where
    there is none), `shows` (whether its document is a result), `new` (whether it begins an event).
    Added are `row` in its table, `session` (code), `said` (the rank that is logged), `begins`
    (whether it begins a query), `query` (place among all) and `number` (in its session, 0 before
    the first)
    """
    rank = raw.rows[roles["rank"]].astype("str") if "rank" in roles else pd.Series("", log.index)
    log = log.assign(
        row=np.arange(len(log)),
        session=coded(raw.rows[roles["session"]]).astype(np.int64),
        seconds=seconds_of(raw.rows[roles["time"]]) if "time" in roles else 0.0,
        said=pd.to_numeric(rank, errors="coerce"),
        asks=(log["means"] == "query") & log["new"],
    )
    timed = not log["seconds"][log["means"] != ""].isna().any()  # else the file's order counts
    log = log.sort_values(["session", *["seconds"] * timed], kind="stable", ignore_index=True)
    asks, session = log["asks"].to_numpy(), log["session"].to_numpy()
    further = _further_pages(raw, log)
    begins = _new_queries(raw, roles, log) & ~further
    heads = np.empty(0, dtype=np.int64)
    key = np.full(len(log), -1)
    if "query_number" in roles:
        column = raw.rows[roles["query_number"]].iloc[log["row"]]
        key = np.where(blank(column), -1, log_rows.pair_code(session, coded(column)))
    # ids by which clicks and results don't find their queries are those of events
    others = key[(key >= 0) & ~asks & (log["means"] != "")]
    if (key[asks] < 0).any() or np.isin(others, key[asks]).sum() < MOSTLY * others.size:
        key = np.full(len(log), -1)
    once = np.count_nonzero(np.diff(key[asks])) < np.unique(key[asks]).size  # else ids are of texts
    if once and (key >= 0).any():
        at = np.flatnonzero((key >= 0) & (asks | log["shows"]))
        at = at[np.argsort(~asks[at], kind="stable")]  # its own event begins a query
        heads = at[np.unique(key[at], return_index=True)[1]]
        low = log["said"][log["shows"]].groupby(key[log["shows"]]).min()
        # a further page goes on with its query
        heads = heads[begins[heads] | ~(low.reindex(key[heads]) > low.min()).to_numpy()]
        begins = np.isin(np.arange(key.size), heads)
    found.repair(raw, report.FOLDED, np.sort(log["row"].to_numpy()[further & ~begins]))
    own = pd.Series(heads, key[heads]).reindex(key).fillna(-1).to_numpy(np.int64)
    counted = np.cumsum(begins) - 1, pd.Series(begins).groupby(log["session"]).cumsum().to_numpy()
    query, number = (np.where(own >= 0, each[own], each) for each in counted)
    return log.assign(begins=begins, query=query, number=number)


def _column_of_documents(raw: RawTable, played: set[str], about: Bools, shown: set[str]) -> str:
    """The column in which events (about) name documents that lists showed; "" where none does.

    Of several it is one that is called so, or else the one with the most; none of another role.
    """
    others = {name for role in LOG_ROLES if role is not DOC for name in role.names}
    best: tuple[bool, float, str] = (False, 0.0, "")
    for column in {*raw.header} - played if about.any() else ():
        plain = plain_name(column).split("_")
        ends = {"_".join(plain[i:]) for i in range(len(plain))}
        texts = raw.rows[column][about].astype("str").str.strip()
        share = float(texts[texts != ""].isin(shown).mean())
        named = not ends.isdisjoint(DOC.names)
        if ends.isdisjoint(others) and share >= (0.1 if named else MOSTLY):
            best = max(best, (named, share, column))
    return best[2]


def _new_queries(raw: RawTable, roles: Roles, log: pd.DataFrame) -> Bools:
    """Which events (N,), in order, begin a query: one with the text of the last goes on with it.

    So does one without a text, unless most events of its name have one: then it was left empty.
    """
    asks = log["asks"].to_numpy(copy=True)
    column = raw.rows[roles["text"]].iloc[log["row"]] if "text" in roles else None
    if column is None or blank(column)[asks].all():
        return asks
    filled: Any = pd.Series(~blank(column)[asks])
    filled |= filled.groupby(log["name"].to_numpy()[asks]).transform("mean") > 1 / 2
    asks[asks] = filled
    at = np.flatnonzero(asks)
    texts = raw_table.with_texts(column, [text.strip() for text in texts_of(column)]).codes[at]
    same = (np.diff(texts) == 0) & (np.diff(log["session"].to_numpy()[at]) == 0)
    asks[at[1:][same]] = False
    return asks


PAGE = re.compile(r"(?<=[?&])(?:page|pg|pageno|page_?num(?:ber)?|start|offset)=([0-9]{1,6})(?:&|$)")


def _further_pages(raw: RawTable, log: pd.DataFrame) -> Bools:
    """Which events (N,), in order, ask for a later page by the address of the query before."""
    further, at = np.zeros(len(log), dtype=bool), np.flatnonzero(log["asks"])
    session, row = (log[name].to_numpy()[at] for name in ("session", "row"))
    for name in raw.header:
        texts = texts_of(raw.rows[name])
        if any(found := [PAGE.search(text) if "?" in text else None for text in texts]):
            codes = coded(raw.rows[name])[row]
            page = np.array([int(fit[1]) if fit else 0 for fit in found])[codes]
            plain = [PAGE.sub("", text).rstrip("?&") for text in texts]
            address = log_rows.pair_code(session, pd.factorize(np.array(plain, object))[0][codes])
            further[at[1:]] |= (np.diff(address) == 0) & (np.diff(page) > 0)
    return further


def _ranks(raw: RawTable, roles: Roles, shown: pd.DataFrame, found: Findings) -> pd.Series[Any]:
    """Ranks of results as texts: those that are logged, or, where two share one, by their order."""
    if "rank" in roles:
        texts = raw.rows[roles["rank"]].astype("str").str.strip().to_numpy(object)[shown["row"]]
        twice = shown.assign(rank=texts).duplicated(["query", "rank"])
        if not twice.any() and all(WHOLE.fullmatch(text) for text in texts):
            return pd.Series(texts, index=shown.index)
        rule = "results without ranks, or with ranks that restart on each page, keep their order"
        found.repair(raw, rule, np.sort(shown["row"]))
    return (shown.groupby("query").cumcount() + 1).astype(str)


def _events_matched_to_results(
    raw: RawTable, log: pd.DataFrame, shown: pd.DataFrame, meaning: str, found: Findings
) -> pd.DataFrame:
    """Events as rows of their table (visit), and the place among results (R,) that each is about.

    It is the last of its session and document; or, where an event names a rank alone, that of its
    query at this rank, which counts from 0 if any such does.
    """
    columns = {"query": "at", "session": "session", "doc": "doc"}
    events = log.take(np.flatnonzero(log["means"] == meaning))
    place = last_shown(*(rows[[*columns]].rename(columns=columns) for rows in (events, shown)))
    named, said = events["doc"].to_numpy() >= 0, events["said"].to_numpy()
    ranked = ~named & ~np.isnan(said)
    if ranked.any():
        ranks = pd.to_numeric(shown["rank"]).to_numpy()
        said = said + ((said[ranked] == 0).any() and ranks.min() > 0)
        of_rank = pd.MultiIndex.from_arrays([shown["query"], ranks])
        about = pd.MultiIndex.from_arrays([events["query"], said])
        place = np.where(ranked, of_rank.get_indexer(about), place)
    met = pd.DataFrame({"place": place, "visit": events["row"].to_numpy()})
    for what, lost in (
        (" of a document that no earlier list shows", named),
        (" of a rank that its list doesn't have", ranked),
        (" that names no document", ~named & ~ranked),
    ):
        rows = np.sort(met["visit"][lost & (place < 0)].to_numpy())
        found.leave_out(raw, f"a {meaning}{what}", rows)
    return met[place >= 0]


def _report(raw: RawTable, column: str, counts: Counts, log: pd.DataFrame, found: Findings) -> None:
    """Note how events were understood, and leave out what belongs to no query."""
    begun = log["session"].isin(log["session"][log["begins"]])
    silent = np.sort(log["row"][~begun & ~log["session"].duplicated()].to_numpy())
    found.leave_out(raw, "sessions without a query", silent, whole=False)
    early = np.sort(log["row"].to_numpy()[log["shows"] & (log["number"] == 0)])
    found.leave_out(raw, "results before the first query of their session", early)
    said = [f"{name} ({n:,}): {means or 'not used'}" for name, n, means in counts]
    rule = f"{column} says what a row is: {wording.listed(said, 12)}"
    remedy = by_rule("events", "MEANING=NAME,…", "If one of these is wrong, correct it:")
    found.note(raw.file, "a log of events", rule, remedy)


SEARCH, OPEN, OTHER = "searches", "opens", "isn't used"
# by what a tool does: words in its name, the first that fits
WORDS = {
    SEARCH: re.compile(f"search|retriev|query|lookup|look_up|find_doc|^{TURN}$", re.IGNORECASE),
    OPEN: re.compile("open|visit|read|fetch|browse|view|get_(doc|page|url|file)", re.IGNORECASE),
}


def kind_of_tool(tool: str, searching: Sequence[str] = (), opening: Sequence[str] = ()) -> str:
    """What a tool does: as it was said, or else, where nothing was said of its kind, by its name.

    >>> kind_of_tool("local_knowledge_base_retrieval"), kind_of_tool("get_document")
    ('searches', 'opens')
    >>> kind_of_tool("python"), kind_of_tool("bm25", searching=["bm25"])
    ("isn't used", 'searches')
    """
    said = {SEARCH: searching, OPEN: opening}
    named = [kind for kind, tools in said.items() if tool in tools]
    guessed = [kind for kind, words in WORDS.items() if not said[kind] and words.search(tool)]
    return [*named, *guessed, OTHER][0]


def is_topic_name_table(part: Part, asked: set[str]) -> bool:
    """Whether a table of two columns has all questions in one of them."""
    pairs = part.raw.rows.shape[1] == 2 and part.kind in ("other", "ratings", "judgments")
    columns = [part.raw.rows[name] for name in part.raw.header] if asked and pairs else []
    return any(asked <= {*map(str.strip, texts_of(column))} for column in columns)


def by_question(parts: Sequence[Part]) -> dict[str, str]:
    """Question → topic, of tables that name both; questions are the longer texts."""
    named: dict[str, str] = {}
    for part in parts:
        columns = [part.raw.rows[name].astype("str").str.strip() for name in part.raw.header]
        topic, question = sorted(columns, key=lambda column: column.str.len().sum())
        named |= dict(zip(question, topic, strict=True))
    return named


def topic_of(rows: pd.DataFrame, by_question: dict[str, str], judgments: Sequence[Part]) -> Any:
    """Topic of each row (S,): its turn's, or its run's, or else that of its question."""
    named, task, question = (_column_texts(rows, name) for name in ("topic", "task", "question"))
    asked = np.array([by_question.get(text.strip(), text) for text in question], dtype=object)
    for other in (task, asked, _column_texts(rows, "session")):
        named = np.where(named != "", named, other)
    judged = {text for part in judgments for text in part.texts("topic")}
    # between conversation and turn, in logs and in judgments
    other = pd.Series(named, dtype=object).str.replace("::", "<::>", regex=False)
    return np.where(other.isin(judged) & ~pd.Series(named).isin(judged), other, named)


def row_systems(raw: RawTable, shown: Ints) -> tuple[Any, Any]:
    """System of each row (S,): the run's own, or else its folder, or its file; and which it is."""
    files = [file for file, _ in raw.each_file()]
    folders = [file.replace("\\", "/").rpartition("/")[0] for file in files]
    called, place = (folders, "folder") if all(folders) else ([*map(stem, files)], "file")
    if len({*called}) == 1:
        called, place = [""] * len(files), ""
    named = raw.by_file(np.array(called, dtype=object))[shown]
    own, by = (_column_texts(raw.rows, name)[shown] for name in ("system", "system by"))
    return np.where(own == "", named, own), np.where(own == "", place, by)


def row_sessions(rows: pd.DataFrame, run: Ints, topic: Any, system: Any) -> Any:
    """Name of each row's session (S,): its own or its task, with system and number where needed.

    Runs of one task by one system are numbered.
    """
    own = _column_texts(rows, "session")
    every = pd.DataFrame({"run": run, "name": np.where(own != "", own, topic), "system": system})
    first = every.drop_duplicates("run").set_index("run")
    several = first["name"].duplicated(keep=False) & (first["system"] != "")
    first["name"] = first["name"].where(~several, first["system"] + "/" + first["name"])
    number = first.groupby("name").cumcount() + 1
    again = first["name"].duplicated(keep=False)
    name = first["name"].where(~again, first["name"] + "/" + number.astype(str))
    return name.reindex(run).to_numpy(object)


OWN = {  # columns of calls that say nothing of a session or a query
    *("run", "session", "task", "question", "searcher", "system", "system by", "call", "list"),
    *("tool", "text", "opens", "page_of", "failed", "not_run", "topic", "doc", "title", "rank"),
    *("clicked", "nameless"),
}
NOT_RUN = "queries asked together with another and not run"
LOST = "an opened document that no earlier list shows"
NAMELESS = "a document without an id is known by its place alone"
OTHER_SYSTEMS = "If that is wrong, log a different model for each system."
SYSTEM_FOLDERS = "If that is wrong, log the model of each run, or give each system's runs a folder."


def with_calls(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """The parts, where those that hold calls of tools are one log of results.

    Raises
    ------
    UnusableInputError : no tool that searches, or lists without ids of documents
    """
    logs = [part for part in of_kind(parts, "log") if part.raw.known.calls]
    if not logs:
        return list(parts)
    raw = raw_table.join_tables([part.raw for part in logs])
    asked = {text for text in texts_of(raw.rows["question"]) if text}
    others = [part for part in parts if part not in logs]
    naming = [part for part in others if is_topic_name_table(part, asked)]
    why = "it names the topic of each question"
    others = [as_kind(p, "topics", why) if p in naming else p for p in others]
    kind, doc = _tool_kinds_by_row(raw, recipe, found), logs[0].given.get("doc") or "doc"
    shown = _documents_shown(raw, kind, doc, found)
    topic = topic_of(raw.rows.iloc[shown["row"]], by_question(naming), of_kind(others, "judgments"))
    return [_query_log(replace(logs[0], raw=raw), kind, shown.assign(topic=topic), found), *others]


def calls_by_tool(raw: RawTable) -> Counter[str]:
    """How often each tool was called."""
    keys = raw.rows[["run", "call"]].assign(file=_file_ids(raw))
    tools = raw.rows["tool"].astype("str")[~keys.duplicated()]
    return Counter(tools[tools != ""])


def tools_table(calls: Counter[str], recipe: Recipe) -> pd.DataFrame:
    """Tools, how often they were called, and what they do."""
    rows = [(tool, n, kind_of_tool(tool, *recipe.tools)) for tool, n in calls.most_common()]
    return pd.DataFrame(rows, columns=["tool", "how many", "means"])


def _tool_kinds_by_row(raw: RawTable, recipe: Recipe, found: Findings) -> np.ndarray:
    """What each row's tool does (N,), as said or by its name; noted with counts.

    Raises
    ------
    UnusableInputError : no tool searches
    """
    tools, rows = texts_of(raw.rows["tool"]), raw.rows
    kinds = {t: kind_of_tool(t, *recipe.tools) for t in tools}
    counts = calls_by_tool(raw)
    each = counts.most_common()
    said = ", ".join(f"{tool or 'a nameless tool'} {kinds[tool]} ({n:,})" for tool, n in each)
    page = "Say which tools search and which open under “Results”."
    if not counts:
        remedy = "Log each call with its tool's name: docs/agents.md says how."
        rule = "a query is a tool call or a retrieval span"
        raise refusal(raw.file, None, "agents that never searched", rule, remedy)
    if SEARCH not in kinds.values():
        remedy = Remedy(f"Say which: {option('search_tools', next(iter(counts)))}.", page)
        raise refusal(raw.file, None, "no tool that searches", said, remedy)
    if {*kinds} != {TURN}:
        both = " and ".join(option(name, "NAME") for name in ("search_tools", "open_tools"))
        remedy = Remedy(f"If that is wrong, read with {both}.", page)
        found.note(raw.file, "tool calls", said, remedy)
    return np.array([kinds[tool] for tool in tools], dtype=object)[coded(rows["tool"])]


def _documents_shown(raw: RawTable, kind: np.ndarray, doc: str, found: Findings) -> pd.DataFrame:
    """What searches showed: each document once in its query; a further page goes on with its own.

    kind (N,) : what each row's tool does. A row (S,) for each document, and for each search without
    any: `row` in its table, `run` and `call` (numbers), `doc`, `query` (place among all), `number`
    (of the query in its run, from 1, and 0 in the one row of a run that never searched), `text`

    Raises
    ------
    UnusableInputError : no column of documents
    """
    rows = raw.rows
    refuse([] if doc in rows and any(texts_of(rows[doc])) else [_missing_document_ids_error(raw)])
    run = log_rows.grouped(_file_ids(raw), coded(rows["run"]))
    failed = (kind == SEARCH) & (rows["failed"].to_numpy() == "1")
    found.leave_out(raw, "searches that failed and returned no list", np.flatnonzero(failed))
    searched = (kind == SEARCH) & ~failed
    silent = ~np.isin(run, run[searched]) & ~pd.Series(run).duplicated().to_numpy()
    at = np.flatnonzero(searched | silent)  # a run that never searched has no query
    cells = rows.iloc[at]
    call, place = (cells[name].astype(int).to_numpy() for name in ("call", "list"))
    page = coded(cells["page_of"]).astype(np.int64)
    paged, none = cells["page_of"].to_numpy() != "", silent[at]
    query = log_rows.grouped(run[at], np.where(paged, -1, call), np.where(paged, page, place))
    first = np.unique(query, return_index=True)[1]
    text = np.where(none, "", _column_texts(cells, "text")[first[query]])  # a further page has none
    named = np.where(none, "", cells[doc].astype("str").to_numpy(object))
    has = (named != "") | ((_column_texts(cells, "nameless") == "1") & ~none)
    number = pd.Series(run[at][first]).groupby(run[at][first]).cumcount().to_numpy() + 1
    shown = pd.DataFrame({"row": at, "run": run[at], "call": call, "doc": named, "query": query})
    shown = shown.assign(number=number[query] * ~none, text=text)
    found.leave_out(raw, NAMELESS, at[has & (named == "")])
    some = pd.Series(has).groupby(query).transform("any").to_numpy(bool)
    twice = shown.duplicated(["query", "doc"]).to_numpy() & (named != "")
    return shown.take(np.flatnonzero((has | ~some) & ~twice)).reset_index(drop=True)


def _file_ids(raw: RawTable) -> Ints:
    """Place of each row's file (N,), of those that were read as one."""
    return raw.by_file(range(len(raw.each_file())))


def _column_texts(rows: pd.DataFrame, name: str) -> np.ndarray:
    """Texts of a column; "" where there is none."""
    return log_rows.text_of(rows, name).astype("str").to_numpy(object)


def _missing_document_ids_error(raw: RawTable) -> Problem:
    """Error for lists that name documents by a title alone, or within their metadata."""
    names = [name for name in raw.header if name == "title" or name.startswith("metadata.")]
    what = f"documents by {', '.join(names)} alone" if names else "no list with documents"
    remedy = Remedy(
        f"Log the ids (docs/agents.md says how), or read with --map doc={[*names, 'NAME'][0]}.",
        f"Log the ids, or give a column of the log the role doc: “{FOLD}”.",
    )
    return error(raw.file, None, what, "documents are judged by their ids", remedy)


def _query_log(part: Part, kind: np.ndarray, shown: pd.DataFrame, found: Findings) -> Part:
    """A row for each result of each query, and one for a query without."""
    raw = part.raw
    at, run, number, topic = (shown[n].to_numpy() for n in ("row", "run", "number", "topic"))
    rows = raw.rows.take(at)
    system, by = row_systems(raw, at)
    files = np.array([stem(file) for file, _ in raw.each_file()], dtype=object)[_file_ids(raw)]
    # agents that never searched have no topic
    called = np.where((topic == "") & (number == 0), files[at], topic)
    counts = pd.Series(by)[(by != "") & ~shown["run"].duplicated().to_numpy()].value_counts()
    named = [f"{what} ({wording.counted(n, 'run')})" for what, n in counts.items()]
    rule = f"a run's system is its {', '.join(named)}" if named else "none is named: all are one"
    found.note(raw.file, "systems of runs", rule, OTHER_SYSTEMS if by.all() else SYSTEM_FOLDERS)
    cells: dict[str, Any] = {
        "session": row_sessions(rows, run, called, system),
        **({"system": system} if system.any() else {}),
        **({"searcher": searcher} if (searcher := _column_texts(rows, "searcher")).any() else {}),
        "topic": topic,
        "query_number": np.where(number > 0, number.astype(str), ""),
        "text": shown["text"],
        "doc": shown["doc"],
        "rank": _rank_texts(rows, shown),
    }
    if (clicked := _click_marks(raw, kind, rows, shown, found)) is not None:
        cells["clicked"] = clicked
    again = shown.duplicated(["run", "call"]).to_numpy()
    asked = np.where(again, 0, rows["not_run"].astype(int).to_numpy())
    found.leave_out(raw, NOT_RUN, np.repeat(at, asked), whole=False)
    table = raw.take(at)
    extras = table.rows.drop(columns=[name for name in table.rows if name in OWN])
    names = {role: f"{role} of calls" for role in cells}
    made = extras.assign(**{names[role]: category(texts) for role, texts in cells.items()})
    roles = {role.name: names.get(role.name, "") for role in LOG_ROLES}
    return replace(part, raw=replace(table, rows=made), given=roles)


def _rank_texts(rows: pd.DataFrame, shown: pd.DataFrame) -> np.ndarray:
    """Ranks (S,) as texts: those that stand, or, where a query lacks one, its documents' order."""
    said = _column_texts(rows, "rank")
    of_query = shown.assign(rank=said).groupby("query")
    whole = pd.Series([bool(WHOLE.fullmatch(text)) for text in said.tolist()], dtype=bool)
    lacks = (~whole | shown.assign(rank=said).duplicated(["query", "rank"])).groupby(shown["query"])
    order = (of_query.cumcount() + 1).astype(str).to_numpy(object)
    ranks = np.where(lacks.transform("any").to_numpy(bool), order, said)
    return np.where(shown["doc"] == "", "", ranks)


def last_shown(about: pd.DataFrame, lists: pd.DataFrame) -> Ints:
    """The result that each event (E,) is about, the last shown before it or at once; -1 for none.

    Both have columns `at`, in which they are ordered, and the same others, by which they meet.
    """
    found = np.full(len(about), -1)
    if len(about):
        left = about.assign(event=np.arange(len(about))).sort_values("at", kind="stable")
        right = lists.assign(place=np.arange(len(lists))).sort_values("at", kind="stable")
        met = pd.merge_asof(left, right, on="at", by=[name for name in about if name != "at"])
        found[met["event"]] = met["place"].fillna(-1)
    return found


def _click_marks(
    raw: RawTable, kind: np.ndarray, rows: pd.DataFrame, shown: pd.DataFrame, found: Findings
) -> np.ndarray | None:
    """Results (S,) that were opened, or used, as 1 and 0; None where nothing says so."""
    if (said := _column_texts(rows, "clicked")).any():
        return said
    run, at = log_rows.grouped(_file_ids(raw), coded(raw.rows["run"])), raw.rows["call"].astype(int)
    every = pd.DataFrame({"run": run, "at": at.to_numpy(), "doc": _column_texts(raw.rows, "opens")})
    opened = every.take(np.flatnonzero((kind == OPEN) & (every["doc"] != "")))
    opened = opened.drop_duplicates(["run", "at"])
    if opened.empty:
        return None
    lists = shown[["run", "doc", "call"]].rename(columns={"call": "at"})
    met = last_shown(opened.astype({"doc": "str"}), lists.astype({"doc": "str"}))
    found.leave_out(raw, LOST, opened.index.to_numpy()[met < 0])
    return np.isin(np.arange(len(shown)), met).astype(int).astype(str).astype(object)
