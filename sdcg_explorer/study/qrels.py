"""Judgments, or documents that wait for one, as lines of qrels."""

from __future__ import annotations

from collections.abc import Iterable


def qrels(rows: Iterable[tuple[str, str, str]]) -> str:
    r"""Lines of topic, 0, document and grade, with tabs between, as ids may have blanks.

    Where a grade is "", the line ends at its document, for an assessor to go on.

    >>> qrels([("t1", "d1", "2"), ("t1", "d2", "")])
    't1\t0\td1\t2\nt1\t0\td2\n'
    """
    return "".join(
        "\t".join(filter(None, (topic, "0", doc, grade))) + "\n" for topic, doc, grade in rows
    )
