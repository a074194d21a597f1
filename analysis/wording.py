"""Numbers in sentences: counts with their noun, shares without the leading zero."""

from __future__ import annotations

from collections.abc import Sequence

NO_INTERVAL = "No interval where fewer than 5 searchers (or sessions without one) stand behind."


def counted(number: int, noun: str) -> str:
    """A count with its noun, singular or plural.

    >>> counted(1, "query"), counted(1200, "session")
    ('1 query', '1,200 sessions')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"


def enumerated(names: Sequence[str]) -> str:
    """Names in a row, the last after "and".

    >>> enumerated(["A", "B", "C"])
    'A, B and C'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def left_out(sessions: int) -> str:
    """What is said of sessions without judgments, if there are any."""
    if not sessions:
        return ""
    return f" Left out: {counted(sessions, 'session')} on topics nobody judged."


def withheld(queries: int) -> str:
    """What is said of a log that keeps queries' results back, if it does.

    >>> withheld(1)[:47], withheld(0)
    ('The log withholds the results of 1 query, each ', '')
    """
    if not queries:
        return ""
    return (
        f"The log withholds the results of {counted(queries, 'query')}, each the real last one of "
        "its session: here 'last' is the last query with results."
    )


def short(value: float) -> str:
    """A number with three significant digits, written out.

    >>> short(7.1), short(1503.2), short(0)
    ('7.10', '1,500', '0')
    """
    rounded = float(f"{value:.3g}")
    if abs(rounded) >= 1000:
        return f"{rounded:,.0f}"
    return f"{rounded:#.3g}".rstrip(".") if rounded else "0"


def share(value: float) -> str:
    """A share as .31, and 1.20 where it passes 1.

    >>> share(0.314), share(1.2)
    ('.31', '1.20')
    """
    return f"{value:.2f}".removeprefix("0")


def p_value(p: float) -> str:
    """A p in words.

    >>> p_value(0.0123), p_value(0.00005), p_value(1.0)
    ('p = .012', 'p < .001', 'p = 1')
    """
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p > 0.9995 else f"p = {p:.3f}".replace("0.", ".")
