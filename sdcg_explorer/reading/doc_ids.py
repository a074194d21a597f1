"""Documents taken out of ids of chunks, by a pattern."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from sdcg_explorer.reading.cells import Findings, blank, coded
from sdcg_explorer.reading.id_patterns import SlowPatternError, parts_of
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.raw_table import in_order, texts_of
from sdcg_explorer.reading.rules import by_rule
from sdcg_explorer.study.problems import error, note, refuse, warning
from sdcg_explorer.study.wording import counted, plural

SHARE = "largest_share"  # column of queries: what one document's chunks hold of a list
CORRECT = by_rule("doc_id", "PATTERN", "Correct the pattern:")


def with_doc_ids(log: Mapped, pattern: str, found: Findings) -> Mapped:
    """A log whose documents are what a pattern's group `doc` holds of each id, where it fits.

    The best rank of a document counts in each list. What the chunks of one document hold of a list
    at most, from 0 to 1, is a column of the query.

    Raises
    ------
    UnusableInputError : a pattern that fits no id, or takes too long
    """
    column = log.cells["doc"]
    chunks = [text for text in texts_of(column) if text]
    try:
        fits = parts_of(chunks, pattern)
    except SlowPatternError:
        rule = "a pattern takes some seconds at most"
        refuse([error(log.raw.file, None, f"pattern {pattern!r}", rule, CORRECT)])
        raise
    docs = {chunk: fit["doc"] for chunk, fit in zip(chunks, fits, strict=True) if fit}
    if not docs:
        rule = f"it fits ids of documents, as {chunks[0]!r}" if chunks else "the log has documents"
        refuse([error(log.raw.file, None, f"pattern {pattern!r}", rule, CORRECT)])
    odd = [chunk for chunk in chunks if chunk not in docs]
    if odd:
        what = counted(len(odd), "id of a document", "ids of documents")
        rule = f"{pattern!r} does not fit {plural(len(odd), 'it', 'them')}"
        about = log.raw.file, what, f"{rule}, so each stays a document", CORRECT
        found.problems.append(warning(*about, *odd[:3]))
    named = np.array([docs.get(text, text) for text in texts_of(column)], dtype=object)
    cells = log.cells.assign(doc=in_order(named[coded(column)]))
    shares = _largest_share(cells)
    ids = counted(len(chunks), "id is", "ids are")
    what = f"{ids} {counted(len({*docs.values()}) + len(odd), 'document')}"
    rule = f"documents are taken out of ids by {pattern!r}{_said(shares)}"
    found.problems.append(note(log.raw.file, what, rule, "Nothing to do, if so."))
    return replace(log, cells=cells, extras=log.extras.assign(**{SHARE: in_order(shares)}))


def _said(shares: np.ndarray) -> str:
    """What one document's chunks hold of a list at most, in words."""
    known = [float(text) for text in {*shares.tolist()} if text]
    most = f"; one document's chunks hold at most {max(known):.0%} of a list" if known else ""
    return f"{most} ({SHARE})" if most else ""


def _largest_share(cells: pd.DataFrame) -> np.ndarray:
    """What one document holds of the list of each row (N,) at most, as text; "" without results."""
    listed = cells[["session", "query_number", "doc"]].astype("str")
    listed = listed[~blank(cells["doc"])]
    lists = ["session", "query_number"]
    sizes = listed.groupby([*lists, "doc"], sort=False).size()
    share = sizes.groupby(level=lists).max() / sizes.groupby(level=lists).sum()
    keys = pd.MultiIndex.from_frame(cells[lists].astype("str"))
    values = share.reindex(keys).to_numpy()
    return np.where(np.isnan(values), "", values.round(6).astype(str)).astype(object)
