"""Query texts that log and judgments write in two ways: counted, and offered as a repair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sdcg_explorer.reading.cells import Findings, coded
from sdcg_explorer.reading.judgments import judgment_key
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import Rules, by_fix
from sdcg_explorer.study.problems import warning
from sdcg_explorer.study.wording import counted

FIX = "text-case"
RULE = "texts that differ by case or blanks alone are two"


def with_alike_texts(
    log: Mapped, graded: Mapped, rules: Rules, found: Findings
) -> tuple[Mapped, Mapped]:
    """Log and judgments, where those go by query text; both as the log writes it first, if asked.

    Else a warning counts the judgments whose text the log has with other letters or blanks.
    """
    if judgment_key(graded.cells, log.cells, rules.judged_by) != ("text",):
        return log, graded
    logged, judged = texts_of(log.cells["text"]), texts_of(graded.cells["text"])
    known = {text.strip() for text in logged}
    first: dict[str, str] = {}
    for text in logged:
        first.setdefault(folded(text), text)
    apart = np.array([t.strip() not in known and folded(t) in first for t in judged], dtype=bool)
    rows = np.flatnonzero(apart[coded(graded.cells["text"])])
    if rows.size and found.has_taken(FIX):
        return _as_first(log, first, found), _as_first(graded, first, found)
    if rows.size:
        some = [text for text, is_apart in zip(judged, apart, strict=True) if is_apart][:3]
        what = f"{counted(rows.size, 'judgment')} whose query text the log writes otherwise"
        said = warning(graded.raw.file, what, RULE, by_fix(FIX), *some)
        found.problems.append(replace(said, fix=FIX))
    return log, graded


def folded(text: str) -> str:
    """A text without its case, each run of blanks as one.

    >>> folded("  Tea  Pots ")
    'tea pots'
    """
    return " ".join(text.casefold().split())


def _as_first(table: Mapped, first: Mapping[str, str], found: Findings) -> Mapped:
    """A table whose query texts are written as each was first; those that change are noted."""
    column = table.cells["text"]
    texts = [first.get(folded(text), text) for text in texts_of(column)]
    changed = np.array([a != b for a, b in zip(texts, texts_of(column), strict=True)], dtype=bool)
    rows = np.flatnonzero(changed[coded(column)])
    found.offer(table.raw, FIX, rows, texts.__getitem__, rule=RULE)
    one = in_order(np.array(texts, dtype=object)[coded(column)])
    return replace(table, cells=table.cells.assign(text=one))
