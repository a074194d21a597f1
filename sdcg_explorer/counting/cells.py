"""SQL of cells by the readers' rules: blank, a whole number, a grade, a yes or no."""

from __future__ import annotations

import re
import sys

from sdcg_explorer.reading.cells import COUNTED, NO, NUMBER, WHOLE, YES
from sdcg_explorer.study.bounds import LARGEST_GRADE

SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())  # as Python strips them
MOST = "999999999"  # as many digits as WHOLE has
FINITE = repr(sys.float_info.max)


def stripped(text: str) -> str:
    """SQL of a text without blanks around it."""
    return f"trim(both '{SPACES}' from {text})"


def blank(text: str) -> str:
    """SQL of whether a cell holds nothing but blanks; few cells need a closer look."""
    return f"case when {plain(text)} then false else coalesce({stripped(text)}, '') = '' end"


def plain(text: str) -> str:
    """SQL of whether a text begins with a letter, digit or sign of ASCII: it is not blank."""
    return f"coalesce({text} between '!' and '~', false)"


def whole(text: str) -> str:
    """SQL of a whole number from 0 in a text, null where there is none."""
    value = f"try_cast({text} as int)"
    return (
        f"case when {_is_written(text)} and {value} between 0 and {MOST} then {value} "
        f"when {_matches(text, WHOLE)} then cast(cast({stripped(text)} as double) as int) end"
    )


def grade(text: str) -> str:
    """SQL of a grade in a text, null where there is no finite number."""
    value = f"try_cast({stripped(text)} as double)"
    return (
        f"case when {_is_written(text)} then try_cast({text} as double) "
        f"when {_matches(text, NUMBER)} and abs({value}) <= {FINITE} then {value} end"
    )


def _is_written(text: str) -> str:
    """SQL of whether a text is a whole number as one writes it, which no pattern need tell."""
    return f"cast(try_cast({text} as int) as string) = {text}"


def grade_fault(text: str, otherwise: str = "") -> str:
    """SQL of the rule that a grade breaks, or null."""
    kind = f"{otherwise}grade", f"{otherwise}large_grade"
    return (
        f"case when {blank(text)} then null when ({grade(text)}) is null then '{kind[0]}' "
        f"when abs({grade(text)}) > {LARGEST_GRADE} then '{kind[1]}' end"
    )


def is_flag(text: str) -> str:
    """SQL of whether a text says yes or no."""
    known = ", ".join(f"'{word}'" for word in sorted(YES | NO))
    return f"lower(coalesce({stripped(text)}, '')) in ({known}) or {_matches(text, COUNTED)}"


def has(text: str, pattern: re.Pattern[str]) -> str:
    """SQL of whether a text has a match of a pattern of letters beyond ASCII."""
    found = f"regexp_extract({text}, '{pattern.pattern}', 0) <> ''"
    return f"case when bit_length({text}) = 8 * length({text}) then false else {found} end"


def _matches(text: str, pattern: re.Pattern[str]) -> str:
    return f"coalesce(regexp_extract({stripped(text)}, '^({pattern.pattern})$', 0), '') <> ''"
