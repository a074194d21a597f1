"""Sentences that no colleague would say of a study, wherever they stand."""

import re

NOUNS = (
    "arrangement, byte, cell, column, count, definition, difference, document, field, fold, gain, "
    "grade, group, judgment, list, measure, name, number, object, pair, part, point, quer(?:y|ie), "
    "rank, rating, reformulation, result, row, run, score, searcher, session, system, task, topic, "
    "value"
).replace(", ", "|")
ABSURD = {
    "a plural after 1": rf"(?<![\d.,−])1 (?:[a-z]+ )?(?:{NOUNS})s\b(?!')",
    "all of 1": r"\b(?:all|each of|both of) 1\b(?![\d.,])",
    "nobody counted": r"\b(?:of|by|over) 0 (?:searcher|session|quer)",
    "digits without end": r"\d{16}|(?:\d,\d{3}){1}(?:,\d{3}){5}|\d\.\d{6}",
    "a number of the machine": r"\de[-+−]\d|\bnan\b|\binf\b|\bNone\b",
    "no number": r"undefined to |to undefined\b",
    "one end twice": r"between (\S+) and \1[ ,.;]",
    "filters that nobody set": r"widen the filters",
    "intervals where there is none": r"always holds 0|Without any spread",
    "a direction without an interval": r"have a (?:higher|lower) [^:]*: [^(]*without an interval",
    "systems for pairs": r"ahead of [^,;]* and \d+ more\b(?! pair)",
}


def absurd(text: str) -> list[str]:
    """What no colleague would say of what is there, each with its kind.

    >>> absurd("1 of 14 sessions; 1 judged queries of 0 searchers. All 1: 6.0000000001")
    ['a plural after 1: 1 judged queries', 'all of 1: All 1', 'nobody counted: of 0 searcher', \
'digits without end: 6.000000']
    """
    return [
        f"{kind}: {found[0]}"
        for kind, pattern in ABSURD.items()
        for found in re.finditer(pattern, text, re.IGNORECASE if kind == "all of 1" else 0)
    ]
