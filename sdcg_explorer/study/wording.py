"""Counts as every sentence and message says them: with their noun, singular or plural."""

from __future__ import annotations

WHOLE = 1000  # from which a mean is written without decimals


def counted(number: float, noun: str, nouns: str = "") -> str:
    """A count, or a mean of counts, with its noun, and with what else agrees with it.

    noun, nouns : behind 1 and behind other numbers; nouns may be left out where they are regular

    >>> counted(1, "query"), counted(1200, "session"), counted(1.004, "query"), counted(2.5, "day")
    ('1 query', '1,200 sessions', '1 query', '2.5 days')
    >>> counted(1, "session has", "sessions have"), counted(0, "session has", "sessions have")
    ('1 session has', '0 sessions have')
    """
    form = "," if number == int(number) else ",.0f" if number >= WHOLE else ".3g"
    written = f"{int(number) if form == ',' else number:{form}}"
    return f"{written} {plural(1 if written == '1' else 0, noun, nouns)}"


def plural(number: int, noun: str, nouns: str = "") -> str:
    """A noun, or what else agrees with a number that is not said beside it.

    >>> plural(1, "day"), plural(2, "day"), plural(0, "query"), plural(2, "search")
    ('day', 'days', 'queries', 'searches')
    >>> plural(1, "is", "are"), plural(2, "is", "are")
    ('is', 'are')
    """
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return nouns or f"{noun[:-1]}ies"
    return nouns or f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
