"""Logs line by line: runs and qrels of two to six parts, each form by what holds of its parts.

And logs whose lines are actions: SimIIR's simulated searchers, one session a file, ACTION <what>
<limit> <seconds so far> <rest>, with totals on lines without ACTION; and click logs, as the Yandex
challenges have them, without a header row. A query: session, time, Q, query, region, documents. A
click: session, time, C, document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import orjson
import pandas as pd

from sdcg_explorer.reading import log_rows, raw_table, sources
from sdcg_explorer.reading.cells import coded, row_numbers
from sdcg_explorer.reading.mapping import DOC, LISTS, TOPIC, looks_like_header
from sdcg_explorer.reading.raw_table import SCORED, Known, RawTable, category_columns, texts_of
from sdcg_explorer.reading.readers.tables import split_rows
from sdcg_explorer.study.arrays import Ints
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import Causes, refuse

PARTS = {  # of a table of these alone, by the names of its columns
    **dict.fromkeys((*TOPIC.names, "query_id", "qid", "q_id"), "query_id"),
    **dict.fromkeys(DOC.names[: -len(LISTS)], "doc"),
    **dict.fromkeys(raw_table.SCORE_NAMES, raw_table.SCORE),
}
MOST_TAGS = 20  # of the systems in one file
SELDOM = 0.1  # of the documents of a query stand there twice


@dataclass(frozen=True)
class Form:
    """Lines of one form: the name of each part, with what holds of it; and what they are.

    Names of parts that say nothing aren't kept. kind : "" where the lines may be a run or qrels
    """

    parts: str
    kind: str

    @property
    def names(self) -> list[str]:
        """Name of each part."""
        return [part.partition(":")[0] for part in self.parts.split()]

    @property
    def columns(self) -> dict[str, int]:
        """Place of each part that is kept."""
        return {name: i for i, name in enumerate(self.names) if name not in NOTHING}

    def holds(self, rows: pd.DataFrame) -> bool:
        """Whether these columns are its parts."""
        names = self.names
        if len(names) != rows.shape[1] or not len(rows):
            return False
        lists = coded(rows.iloc[:, 0])
        if "run" in names:
            lists = lists * (MOST_TAGS + 1) + coded(rows.iloc[:, names.index("run")])
        each = [HOLDS.get(part.rpartition(":")[2]) for part in self.parts.split()]
        return all(hold(rows.iloc[:, i], lists) for i, hold in enumerate(each) if hold)

    def known(self, name: str = "") -> Known:
        """What its lines are; those that may be both are qrels in a file that is called so."""
        why = f"its lines read: {', '.join(self.names)}"
        if self.kind:
            return Known(self.kind, why, scored=self.kind == "log")
        is_called = "qrel" in name.lower()
        return Known("judgments", f"it is called qrels, and {why}") if is_called else SCORED


def _is_repeated_in_list(column: pd.Series[Any], lists: Ints) -> pd.Series[Any]:
    """Whether a list has the text of a cell before (N,)."""
    return pd.DataFrame({"list": lists, "code": coded(column)}).duplicated()


def _may_be_scores(column: pd.Series[Any], lists: Ints) -> bool:
    """Whether numbers may be scores: whole ones that no list repeats may be ranks, with gaps."""
    numbers = row_numbers(column)
    rated = bool((numbers % 1).any()) or bool(_is_repeated_in_list(column, lists).any())
    return rated and not np.isnan(numbers).any()


def _may_be_run_tags(column: pd.Series[Any], _: Ints) -> bool:
    """Whether texts are few, and each is of several rows, or there is one."""
    few = len(texts_of(column)) <= min(MOST_TAGS, max(1, len(column) // 2))
    return few and bool(np.isnan(row_numbers(column)).any())


def _are_grades(column: pd.Series[Any], _: Ints) -> bool:
    """Whether cells are few whole numbers, or levels as NTCIR has them."""
    levels = all(map(LEVEL.fullmatch, texts_of(column)))
    return levels or (not np.isnan(row_numbers(column)).any() and raw_table.are_few(column))


# whether cells (N,) of lists (N,) may be a part of a form; most documents of a list stand in it
# once, and a grade may be a text by mistake
HOLDS: dict[str, Callable[[pd.Series[Any], Ints], bool]] = {
    "Q0": lambda column, _: {*texts_of(column)} <= {"Q0"},
    "0": lambda column, _: {*texts_of(column)} <= {"0"},
    "Q0/0": lambda column, _: {*texts_of(column)} <= {"Q0", "0"},
    "doc": lambda column, lists: _is_repeated_in_list(column, lists).mean() <= SELDOM,
    "rank": log_rows.are_row_counts,
    "score": lambda column, _: not np.isnan(row_numbers(column)).any(),
    "scores": _may_be_scores,
    "grade": _are_grades,
    "most": lambda column, _: np.isnan(row_numbers(column)).mean() <= 1 / 2,
    "run": _may_be_run_tags,
}
NOTHING = ("Q0", "0", "Q0/0", "more")
RUN = Form("query_number Q0/0 doc rank score run", "log")
QRELS = Form("topic 0 doc:any grade:most", "judgments")
OF_PARTS = Form("topic iteration doc:any grade", "judgments")  # the second names parts of a topic
# of lines with as many parts, the first that holds; what head and whole file may not agree on last
FORMS = (
    RUN,
    Form("query_number Q0/0 doc rank score", "log"),
    Form("query_number doc rank score run", "log"),
    Form("query_number Q0 doc score run", "log"),
    Form("topic Q0/0 doc grade more", "judgments"),
    QRELS,
    Form("query_number Q0 doc rank", "log"),
    Form("query_number doc rank score", "log"),
    Form("query_number doc score run", "log"),
    Form("query_id Q0 doc score:scores", ""),
    OF_PARTS,
    Form("query_id doc rank", ""),
    Form("topic doc grade", "judgments"),
    Form("query_id doc score:scores", ""),
    Form("query_id Q0/0 doc", ""),
    Form("query_id doc", ""),
)
LEVEL = re.compile("L[0-9]")
CALLED = re.compile(r"qrel|judg|gold|evidence|\brun\b", re.I)  # files whose lines may be pairs
LETOR = Form("grade query_id doc", "")
NAMED = Form("", "")  # parts between blanks, below a line with their names
LINE = re.compile(r"\S+\s+\S+\s+\S+\s+\d+\s+[+-]?[\d.]\S*\s+\S+(\s+[^\d\s].*)?")  # of a run
PER_TOPIC = re.compile(r"(\S+)\s+qid:(\S+)\s.*#\s*(?:docid\s*=\s*)?(\S+).*")  # as LETOR has them


def form_of(rows: pd.DataFrame) -> Form | None:
    """The first form that holds of columns; None where none does."""
    return next((form for form in FORMS if form.holds(rows)), None)


def form_in(head: sources.Head) -> Form | None:
    """The form of most lines that a file begins with, where they are one of these."""
    lines = [line.strip() for line in head.lines]
    if not lines:
        return None
    if 2 * sum(bool(PER_TOPIC.match(line)) for line in lines) >= len(lines):
        return LETOR
    if not LINE.fullmatch(lines[0]) and _is_table_line(head.lines[0]):
        return NAMED if _has_parts_as_named(lines) else None
    cells = [line.split("\t") for line in lines]
    if min(map(len, cells)) > 2 and any(" " in cell.strip() for own in cells for cell in own[:-1]):
        return None  # tabs part its columns, and blanks are of a text
    most = max(line.count("\t") for line in lines)  # a table has more columns
    if most < 6 and 2 * sum(bool(LINE.fullmatch(line)) for line in lines) >= len(lines):
        return RUN
    parts = [line.split() for line in lines]
    sizes = np.bincount([len(each) for each in parts])
    size = int(sizes.argmax())
    named = CALLED.search(head.source.name) or all("\t" in line for line in lines)
    if 2 * sizes[size] < len(lines) or size < 2 or (size == 2 and not named):
        return None
    cells = zip(*(each for each in parts if len(each) == size), strict=True)
    return form_of(category_columns({f"c{i}": column for i, column in enumerate(cells)}))


def _is_table_line(line: str) -> bool:
    """Whether a line has names of columns, or cells parted by a delimiter and a blank."""
    *parts, _ = line.split() or [""]
    parted = bool(parts) and all(part.endswith((",", ";")) for part in parts)
    return parted or any(looks_like_header(line.split(sign)) for sign in (None, ",", ";", "\t"))


def _has_parts_as_named(lines: list[str]) -> bool:
    """Whether lines have as many parts between blanks as the first has names, and no other sign."""
    alike = len({len(line.split()) for line in lines}) == 1
    signs = any(sign in line for line in lines for sign in ",;\t")
    return alike and not signs and looks_like_header(lines[0].split(), least=2)


def read_trec(text: sources.Text) -> list[RawTable]:
    """A run or qrels; a run's tag stands under run, a name of the system.

    Raises
    ------
    UnusableInputError : lines that do not have as many parts as the form
    """
    form = form_in(sources.Head(sources.Source(text.name, text.path))) or RUN
    if form is LETOR:
        return [in_form(_judgments_from_feature_lines(text), form)]
    if form is NAMED:
        names = next(line.split() for _, line in text.lines() if line.strip())
        each = {name: i for i, name in enumerate(names)}
        rows, lines = _rows(text, Form(" ".join(names), ""), each)
        below = rows.iloc[1:].reset_index(drop=True).apply(raw_table.in_appearance)
        return [RawTable(text.name, below, lines[1:], notes=text.notes)]
    if form in (RUN, QRELS):  # which the first lines tell
        rows, lines = _rows(text, form, form.columns)
        return [RawTable(text.name, rows, lines, form.known(), notes=text.notes)]
    rows, lines = _rows(text, form, {str(i): i for i in range(len(form.names))})
    return [in_form(RawTable(text.name, rows, lines, notes=text.notes), form_of(rows) or form)]


def _rows(text: sources.Text, form: Form, columns: Mapping[str, int]) -> tuple[pd.DataFrame, Ints]:
    """Rows of a form's lines, and the line of each; lines of more or fewer parts are refused."""
    causes, size = Causes(text.name), len(form.names)
    try:
        return split_rows(text, size, columns)
    except ValueError:
        rule = f"a line reads: {' '.join(form.names)}"
        for number, line in text.lines():
            if (parts := len(line.split())) not in (0, size):
                causes.add(number, f"{parts} parts", rule, "Correct the line.")
        refuse(causes.problems)
        raise


def _judgments_from_feature_lines(text: sources.Text) -> RawTable:
    """Grade, query and document of lines with features, whose document stands behind a sign."""
    fits = [(number, PER_TOPIC.match(line)) for number, line in text.lines() if line.strip()]
    causes, rule = Causes(text.name), "a line reads: grade qid:query features # document"
    for number in (number for number, fit in fits if not fit):
        causes.add(number, "another line", rule, "Complete the line.")
    refuse(causes.problems)
    cells = zip(*(fit.groups() for _, fit in fits if fit), strict=True)
    columns = {str(i): column for i, column in enumerate(cells)}
    lines = [number for number, _ in fits]
    return RawTable(text.name, category_columns(columns), lines, notes=text.notes)


def in_form(raw: RawTable, form: Form) -> RawTable:
    """A table whose columns are a form's parts, by their names."""
    rows = raw.rows.iloc[:, [*form.columns.values()]].set_axis([*form.columns], axis="columns")
    known = form.known(raw.file)
    if not (form.kind or raw_table.column_of_numbers(rows)):
        rows[raw_table.LISTED] = raw_table.category(["1"] * len(rows))
    if not form.kind and known.kind:
        said = [raw_table.lists_without_grades_note(raw.file)] * (raw_table.LISTED in rows)
        raw = replace(raw, notes=(*raw.notes, *said))
        number = raw_table.column_of_numbers(rows)
        rows = rows.rename(columns={"query_id": "topic", number: "grade"})
    return replace(raw, rows=rows, known=known, first=())


def in_its_form(raw: RawTable) -> RawTable:
    """A table by its form, where it has one: without a header, or of few columns by known names."""
    if raw.known != Known() or raw.exact or not len(raw.rows):
        return raw
    if raw.first:
        form = form_of(raw.rows) if all(map(log_rows.NO_NAME.fullmatch, raw.header)) else None
        return in_form(raw, form) if form not in (None, OF_PARTS) else raw  # or a log, by chance
    if plain_name([*raw.header, ""][1]) in ("q0", "iter", "iteration") and RUN.holds(raw.rows):
        return in_form(raw, RUN)
    parts = [PARTS.get(plain_name(name), "") for name in raw.header]
    alone = sorted(parts) in (["doc", "query_id"], ["doc", "query_id", raw_table.SCORE])
    return in_form(raw, Form(" ".join(parts), "")) if alone else raw


def parted_at_blanks(raw: RawTable) -> RawTable:
    """Lines of a run or qrels that were read as a table of one column; else the table as it is."""
    only = raw.header if len(raw.header) == 1 else []
    # of a table without `first` the first line was taken for a header
    parts = [t.split() for n in only for t in (*only[: not raw.first], *raw.rows[n].astype("str"))]
    rows = category_columns({str(i): own for i, own in enumerate(zip(*parts, strict=False))})
    form = form_of(rows) if {*map(len, parts)} == {rows.shape[1]} else None
    lines = [*([raw.header_line] * (not raw.first)), *raw.every_line()]
    return in_form(replace(raw, rows=rows, lines=lines, own=None), form) if form else raw


ACTION = re.compile(r"ACTION (\S+) \S+ (\d+(?:\.\d+)?)(?: (.*))?")
ABOUT = re.compile(r"""\S+ (?:b(['"])(.+)\1|(\S+))""")
ACTION_READS = "a line of SimIIR's logs reads: ACTION what limit seconds, and what it is about"
SHOWN = "what is opened or marked is a result of the query before"
SIMULATED = Known("log", "its lines read: ACTION what limit seconds …", is_session=True)
COMPLETE = "Complete the line."
DOES = ("QUERY", "SERP", "SNIPPET", "DOC", "MARK")  # the last three are about a document
OF_QUERIES = (
    *("query_number", "text", "time", "marked"),
    *("rank", "doc", "clicked", "examined", "saved", "seconds"),
)


def is_simiir(head: sources.Head) -> bool:
    """Whether most lines are those of a simulated searcher."""
    fitting = sum(bool(ACTION.fullmatch(line.rstrip())) for line in head.lines)
    return 2 * fitting >= len(head.lines) > 0


def read_simiir(text: sources.Text) -> list[RawTable]:
    """The session of a file: seconds of queries as their times, all results seen as examined.

    How many documents were marked is a column of the query, seconds at the end one of the session.

    Raises
    ------
    UnusableInputError : lines that are not as they should be
    """
    causes, seconds = Causes(text.name), ""
    queries = list[tuple[raw_table.Row, list[raw_table.Row]]]()
    for number, line in text.lines():
        fit = ACTION.fullmatch(line.rstrip())
        if not line.startswith("ACTION"):
            continue
        if not fit or fit[1] not in DOES:
            causes.add(number, repr(line[:60].rstrip()), ACTION_READS, COMPLETE)
            continue
        seconds, rest = fit[2], fit[3] or ""
        about = ABOUT.fullmatch(rest.strip())
        doc = about and (about[2] or about[3])
        if fit[1] == "QUERY":
            own = {"query_number": str(len(queries) + 1), "text": rest.strip(), "time": seconds}
            queries.append(({**own, "line": str(number)}, []))
        elif fit[1] == "SERP":  # whose results come line by line
            continue
        elif not doc:
            causes.add(number, repr(rest[:40]), ACTION_READS, COMPLETE)
        elif not queries:
            causes.add(number, "a result before the first query", ACTION_READS, "Add the query.")
        elif fit[1] == "SNIPPET":  # also where its document stood in the list before
            own, shown = queries[-1]
            seen = {"clicked": "0", "examined": "1", "saved": "0", "line": str(number)}
            shown.append({**own, "rank": str(len(shown) + 1), "doc": doc, **seen})
        elif not (those := [row for row in queries[-1][1] if row["doc"] == doc]):
            causes.add(number, f"document {doc!r}", SHOWN, "Add the line of the result.")
        else:  # of a document listed twice the one looked at last
            those[-1]["clicked" if fit[1] == "DOC" else "saved"] = "1"
    refuse(causes.problems)
    rows = list[raw_table.Row]()
    for own, shown in queries:
        marked = {row["doc"] for row in shown if row["saved"] == "1"}
        more = {"marked": str(len(marked)), "seconds": seconds}
        made = [{**row, **more, "saved": str(int(row["doc"] in marked))} for row in shown]
        rows += made or [{**own, **more}]
    columns = {name: [row.get(name, "") for row in rows] for name in OF_QUERIES}
    lines = [int(row["line"]) for row in rows]
    return [RawTable(text.name, category_columns(columns), lines, SIMULATED, notes=text.notes)]


EVENT = re.compile(r"(\S+)\s+(\d+)\s+(?:Q\s+(?P<query>\S+)\s+(\S+)((?:\s+\S+)*)|C\s+(\S+))\s*")
CLICKS = Known("log", "its lines read: session, time, Q, query, region, documents; or C, document")
READS = "a line reads: session, time, Q, query, region and documents; or session, time, C, document"
OF_EVENTS = ("session", "time", "event", "topic", "docs", "doc")  # no text: each line is a query


def is_click_log(head: sources.Head) -> bool:
    """Whether lines are queries with documents, and clicks."""
    fits = [fit for line in head.lines if (fit := EVENT.fullmatch(line))]
    return any(fit["query"] for fit in fits) and 10 * len(fits) >= 9 * len(head.lines)


def read_click_log(text: sources.Text) -> list[RawTable]:
    """A row for each line, as an event; the topic of a query is it and its region, QUERY/REGION.

    Raises
    ------
    UnusableInputError : lines of another kind
    """
    rows, lines, causes = list[tuple[str, ...]](), list[int](), Causes(text.name)
    for number, line in text.lines():
        if fit := EVENT.fullmatch(line):
            session, time, query, region, docs, doc = fit.groups("")
            listed = orjson.dumps(docs.split()).decode()
            own = ("query", f"{query}/{region}", listed, "") if query else ("click", "", "", doc)
            rows.append((session, time, *own))
            lines.append(number)
        elif line.strip():
            causes.add(number, repr(line[:60].rstrip()), READS, "Correct the line.")
    refuse(causes.problems)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(OF_EVENTS)}
    return [RawTable(text.name, category_columns(columns), lines, CLICKS, notes=text.notes)]
