"""What is said of events: NAME=VALUE,… for their meanings, and how long a pause is."""

from __future__ import annotations

import re

COLUMN = "event"  # as --events names the column
MEANINGS = ("query", "result", "click", "bookmark")
NOT_USED = "none"
GAP = re.compile(r"([0-9]{1,9}(?:[.][0-9]{1,9})?) ?([smh])")
SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def events_fault(said: str) -> str:
    """Why what was said of events can't be used; "" where it can.

    >>> events_fault("event=action,query=search"), events_fault("search")
    ('', "'search' is no NAME=VALUE")
    """
    for each in said.split(","):
        name, sign, value = each.partition("=")
        if not sign or not value.strip():
            return f"{each!r} is no NAME=VALUE"
        if name.strip() not in (COLUMN, *MEANINGS, NOT_USED):
            return f"{name.strip()!r} is none of {', '.join((COLUMN, *MEANINGS, NOT_USED))}"
    return ""


def seconds_of_gap(gap: str) -> float:
    """Seconds of a pause; 0 where it is none.

    >>> seconds_of_gap("30m"), seconds_of_gap("1.5h"), seconds_of_gap("odd")
    (1800.0, 5400.0, 0.0)
    """
    fit = GAP.fullmatch(gap.strip())
    return float(fit[1]) * SECONDS[fit[2]] if fit else 0.0


def columns_fault(said: str) -> str:
    """Why columns can't be what tells sessions apart; "" where they can."""
    named = all(map(str.strip, said.split(",")))
    return "" if named else "it names columns, with a comma between two"


def gap_fault(said: str) -> str:
    """Why a text is no pause; "" where it is one."""
    how = "a pause is a number of seconds, minutes or hours, as 90s, 30m or 1h"
    return "" if seconds_of_gap(said) else how
