"""Patterns that a reader gives: run by RE2, whose time grows with the text alone, and by the clock.

Python's own engine tries every way to match: a short pattern and one id can keep it busy for good
(decision 104).
"""

# pyright: basic
# pyarrow ships no types.

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sdcg_explorer.reading.limits import IDS_A_SECOND, LONGEST_PATTERN, MOST_GROUPS

PATIENCE = 3.0  # seconds, and one more for each IDS_A_SECOND
SIGN = re.compile(r"\\.|.", re.DOTALL)
LETTERS = r"\pL\pN_"
OF_QUERIES = "session", "query"


class SlowPatternError(ValueError):
    """A pattern that takes longer than anybody waits."""


def pattern_fault(pattern: str, parts: tuple[str, ...] = OF_QUERIES) -> str:
    """Why ids can't be split into parts by a pattern; "" where they can.

    >>> pattern_fault("(?P<session>.+)")
    'the pattern names (?P<session>…) and (?P<query>…)'
    >>> pattern_fault("(?P<session>.)(?P<query>.)(?=x)")
    'invalid perl operator: (?= (patterns are those of RE2)'
    """
    if len(pattern) > LONGEST_PATTERN:
        return f"a pattern has at most {LONGEST_PATTERN:,} characters"
    try:
        groups = re.compile(pattern)
        if not {*parts} <= set(groups.groupindex):
            return f"the pattern names {' and '.join(f'(?P<{part}>…)' for part in parts)}"
        _matched(pa.array([""]), pattern)
    except RecursionError:
        return "its groups are nested too deeply"
    except (re.error, OverflowError) as fault:
        return str(fault)
    except pa.ArrowInvalid as fault:
        return (
            f"{str(fault).removeprefix('Invalid regular expression: ')} (patterns are those of RE2)"
        )
    return f"a pattern has at most {MOST_GROUPS} groups" if groups.groups > MOST_GROUPS else ""


def parts_of(texts: Sequence[str], pattern: str) -> list[dict[str, str] | None]:
    """What the named groups of a pattern hold in each text; None where it does not fit the whole.

    Raises
    ------
    SlowPatternError : it takes PATIENCE longer than at IDS_A_SECOND

    >>> parts_of(["s-1", "x"], r"(?P<session>.+)-(?P<query>[0-9]+)")
    [{'session': 's', 'query': '1'}, None]
    """
    groups = re.compile(pattern).groupindex
    found: list[dict[str, str] | None] = []
    for part in _growing(texts):
        cells = pa.array(part, pa.string())
        fits = _matched(cells, pattern).to_pylist()
        held = zip(*(_group(cells, pattern, at).to_pylist() for at in groups.values()), strict=True)
        named = (dict(zip(groups, texts, strict=True)) for texts in held)
        found += [one if fit else None for fit, one in zip(fits, named, strict=True)]
    return found


def _matched(cells: Any, pattern: str) -> Any:
    options = pc.MatchSubstringOptions(_whole(pattern))
    return pc.call_function("match_substring_regex", [cells], options)


def _group(cells: Any, pattern: str, place: int) -> Any:
    """What a group holds in each cell that fits; "" where it takes no part."""
    options = pc.ReplaceSubstringOptions(_whole(pattern), rf"\{place}")
    return pc.call_function("replace_substring_regex", [cells], options)


def _whole(pattern: str) -> str:
    r"""A pattern that has to fit from end to end, with \w for the letters of all languages."""
    whole, within, opening = "", False, False  # a class of signs; at its first sign
    for sign in SIGN.findall(pattern):
        letters = LETTERS if within else f"[{LETTERS}]"
        whole += letters if sign == r"\w" else sign
        if within:
            within = sign != "]" or opening
            opening = opening and sign == "^"
        else:
            within = opening = sign == "["
    return rf"\A(?:{whole})\z"


def _growing(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Parts of texts, each twice as long as the one before, as long as there is time."""
    at, size, latest = 0, 1, monotonic() + PATIENCE + len(texts) / IDS_A_SECOND
    while at < len(texts):
        if monotonic() > latest:
            raise SlowPatternError
        yield texts[at : at + size]
        at, size = at + size, 2 * size
