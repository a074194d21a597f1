"""Calls of tools: which of them search and open, and the log of queries that they make."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import WHOLE, Findings, coded
from sdcg_explorer.reading.mapping import LOG_ROLES, TURN
from sdcg_explorer.reading.raw_table import RawTable, aligned, in_order, joined, texts_of
from sdcg_explorer.reading.recipe import ASKED, FOLD, Recipe, option
from sdcg_explorer.reading.table_kinds import Part, of_kind, stem, taken_as
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.problems import Problem, Remedy, error, note, refuse
from sdcg_explorer.study.wording import counted

SEARCH, OPEN, OTHER = "search", "open", "not used"
# by what a tool does: words in its name, the first that fits
WORDS = {
    SEARCH: re.compile(f"search|retriev|query|lookup|look_up|find_doc|^{TURN}$", re.IGNORECASE),
    OPEN: re.compile("open|visit|read|fetch|browse|view|get_(doc|page|url|file)", re.IGNORECASE),
}


def kind_of_tool(tool: str, searching: Sequence[str] = (), opening: Sequence[str] = ()) -> str:
    """What a tool does: as it was said, or else, where nothing was said of its kind, by its name.

    >>> kind_of_tool("local_knowledge_base_retrieval"), kind_of_tool("get_document")
    ('search', 'open')
    >>> kind_of_tool("python"), kind_of_tool("bm25", searching=["bm25"])
    ('not used', 'search')
    """
    said = {SEARCH: searching, OPEN: opening}
    if of := [kind for kind, tools in said.items() if tool in tools]:
        return of[0]
    free = {kind: words for kind, words in WORDS.items() if not said[kind]}
    return next((kind for kind, words in free.items() if words.search(tool)), OTHER)


SEPARATED = "::", "<::>"  # conversation and turn, in logs and in judgments


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


def topics(rows: pd.DataFrame, by_question: dict[str, str], judgments: Sequence[Part]) -> Any:
    """Topic of each row (S,): its turn's, or its run's, or else that of its question."""
    own, task, question = (_column_texts(rows, name) for name in ("topic", "task", "question"))
    asked = np.array([by_question.get(text.strip(), text) for text in question], dtype=object)
    named = own
    for other in (task, asked, _column_texts(rows, "session")):
        named = np.where(named != "", named, other)
    columns = [
        part.raw.rows[part.columns["topic"]] for part in judgments if "topic" in part.columns
    ]
    judged = {text for column in columns for text in texts_of(column)}
    other = pd.Series(named, dtype=object).str.replace(*SEPARATED, regex=False)
    return np.where(other.isin(judged) & ~pd.Series(named).isin(judged), other, named)


def systems(raw: RawTable, shown: Ints) -> tuple[Any, Any]:
    """System of each row (S,): the run's own, or else its folder, or its file; and which it is."""
    own = raw.rows["system"].astype("str").to_numpy(object)
    files = [file for file, _ in raw.each_file()]
    folders = [file.replace("\\", "/").rpartition("/")[0] for file in files]
    called = folders if all(folders) else [stem(file) for file in files]
    one = len({*called}) == 1
    named = raw.by_file(np.array(called, dtype=object))
    by = raw.rows["system by"].astype("str").to_numpy(object)
    place = "" if one else "folder" if all(folders) else "file"
    nameless = own == ""
    system = np.where(nameless, "" if one else named, own)
    return system[shown], np.where(nameless, place, by)[shown]


def sessions(rows: pd.DataFrame, run: Ints, topic: Any, system: Any) -> Any:
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
FAILED = "searches that failed and returned no list"
LOST = "an opened document that no earlier list shows"
NAMELESS = "a document without an id is known by its place alone"
SYSTEMS_REMEDY = "If not, log the model of each run, or put each system's runs into its own folder."
WITH_IDS = "documents are judged by their ids"


def with_calls(parts: Sequence[Part], recipe: Recipe, found: Findings) -> list[Part]:
    """The parts, where those that hold calls of tools are one log of results.

    Raises
    ------
    UnusableInputError : no tool that searches, or lists without ids of documents
    """
    logs = [part for part in of_kind(parts, "log") if part.raw.known.calls]
    if not logs:
        return list(parts)
    raw = joined(aligned([part.raw for part in logs]))
    asked = {text for text in texts_of(raw.rows["question"]) if text}
    others = [part for part in parts if part not in logs]
    naming = [part for part in others if is_topic_name_table(part, asked)]
    why = "it names the topic of each question"
    others = [taken_as(p, "topics", why) if p in naming else p for p in others]
    kind, doc = _tool_kinds_by_row(raw, recipe, found), logs[0].given.get("doc") or "doc"
    shown = _shown(raw, kind, doc, found)
    topic = topics(raw.rows.iloc[shown["row"]], by_question(naming), of_kind(others, "judgments"))
    return [_query_log(replace(logs[0], raw=raw), kind, shown.assign(topic=topic), found), *others]


def calls_by_tool(raw: RawTable) -> Counter[str]:
    """How often each tool was called."""
    keys = raw.rows[["run", "call"]].assign(file=_files(raw))
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
    does = {SEARCH: "searches", OPEN: "opens documents", OTHER: "isn't used"}
    said = ", ".join(f"{t or 'no name'} ({n:,}) {does[kinds[t]]}" for t, n in counts.most_common())
    page = f"Say which tools search and which open under “{ASKED['search_tools']}”."
    if not counts:
        found_none, rule = "agents that never searched", "a query is a tool call"
        remedy = "Log each call with its tool's name: docs/agents.md says how."
        refuse([error(raw.file, None, found_none, f"{rule} or a retrieval span", remedy)])
    if SEARCH not in kinds.values():
        remedy = Remedy(f"Say which: {option('search_tools', next(iter(counts)))}.", page)
        refuse([error(raw.file, None, "no tool that searches", said, remedy)])
    if {*kinds} != {TURN}:
        both = " and ".join(option(name, "NAME") for name in ("search_tools", "open_tools"))
        remedy = Remedy(f"If that is wrong, read with {both}.", page)
        found.problems.append(note(raw.file, "calls of tools", said, remedy))
    return np.array([kinds[tool] for tool in tools], dtype=object)[coded(rows["tool"])]


def _shown(raw: RawTable, kind: np.ndarray, doc: str, found: Findings) -> pd.DataFrame:
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
    run = _combination_codes(_files(raw), coded(rows["run"]))
    failed = (kind == SEARCH) & (rows["failed"].to_numpy() == "1")
    found.leave_out(raw, FAILED, np.flatnonzero(failed))
    searched = (kind == SEARCH) & ~failed
    silent = ~np.isin(run, run[searched]) & ~pd.Series(run).duplicated().to_numpy()
    at = np.flatnonzero(searched | silent)  # a run that never searched has no query
    cells = rows.iloc[at]
    call, place = (cells[name].astype(int).to_numpy() for name in ("call", "list"))
    page = coded(cells["page_of"]).astype(np.int64)
    paged, none = cells["page_of"].to_numpy() != "", silent[at]
    query = _combination_codes(run[at], np.where(paged, -1, call), np.where(paged, page, place))
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


def _files(raw: RawTable) -> Ints:
    """Place of each row's file (N,), of those that were read as one."""
    return raw.by_file(range(len(raw.each_file())))


def _combination_codes(*keys: Ints) -> Ints:
    """Numbers from 0 of distinct combinations, in order of appearance."""
    return pd.factorize(pd.MultiIndex.from_arrays(keys))[0]


def _column_texts(rows: pd.DataFrame, name: str) -> np.ndarray:
    """Texts of a column; "" where there is none."""
    empty = np.full(len(rows), "", dtype=object)
    return rows[name].astype("str").to_numpy(object) if name in rows else empty


def _missing_document_ids_error(raw: RawTable) -> Problem:
    """Error for lists that name documents by a title alone, or within their metadata."""
    names = [name for name in raw.header if name == "title" or name.startswith("metadata.")]
    if not names:
        remedy: str | Remedy = "Log the document ids of each call: docs/agents.md says how."
        return error(raw.file, None, "no list with documents", WITH_IDS, remedy)
    remedy = Remedy(
        f"Log the ids (docs/agents.md says how), or read with --map doc={names[0]}.",
        f"Log the ids, or give a column of the log the role doc: “{FOLD}”.",
    )
    return error(raw.file, None, f"documents by {', '.join(names)} alone", WITH_IDS, remedy)


def _query_log(part: Part, kind: np.ndarray, shown: pd.DataFrame, found: Findings) -> Part:
    """A row for each result of each query, and one for a query without."""
    raw = part.raw
    at, run, number, topic = (shown[n].to_numpy() for n in ("row", "run", "number", "topic"))
    rows = raw.rows.take(at)
    system, by = systems(raw, at)
    files = np.array([stem(file) for file, _ in raw.each_file()], dtype=object)[_files(raw)]
    nameless = (topic == "") & (number == 0)  # traces of agents that never searched
    called = np.where(nameless, files[at], topic)
    counts = pd.Series(by)[(by != "") & ~shown["run"].duplicated().to_numpy()].value_counts()
    named = [f"{what} ({counted(n, 'run')})" for what, n in counts.items()]
    what, rule = "no run names a system", "all count as one"
    if named:
        what, rule = "systems of runs", f"a run's system is its {', '.join(named)}"
    found.problems.append(note(raw.file, what, rule, SYSTEMS_REMEDY))
    cells: dict[str, Any] = {
        "session": sessions(rows, run, called, system),
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
    made = extras.assign(**{names[role]: in_order(texts) for role, texts in cells.items()})
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
    run, at = _combination_codes(_files(raw), coded(raw.rows["run"])), raw.rows["call"].astype(int)
    every = pd.DataFrame({"run": run, "at": at.to_numpy(), "doc": _column_texts(raw.rows, "opens")})
    opened = every.take(np.flatnonzero((kind == OPEN) & (every["doc"] != "")))
    opened = opened.drop_duplicates(["run", "at"])
    if opened.empty:
        return None
    lists = shown[["run", "doc", "call"]].rename(columns={"call": "at"})
    met = last_shown(opened.astype({"doc": "str"}), lists.astype({"doc": "str"}))
    found.leave_out(raw, LOST, opened.index.to_numpy()[met < 0])
    return np.isin(np.arange(len(shown)), met).astype(int).astype(str).astype(object)
