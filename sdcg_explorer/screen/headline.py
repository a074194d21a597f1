"""How much of an answer stands above a figure: whole parts of it, as a line or two hold."""

from __future__ import annotations

import re

# where a headline may end: of a sentence, of a part of it, and before a bracket
SENTENCE, PART, BRACKET = re.compile("[.;] "), re.compile(", "), re.compile(r" (?=\()")
HEADLINE, LINE = 160, 95  # letters: in two lines of the narrowest laptop, and in one of a talk


def headline_of(text: str, most: int = HEADLINE) -> tuple[str, str]:
    """As much of an answer as a headline holds, to the end of a part of it; and the rest.

    most : letters; where no part is so short, it is the whole answer

    >>> headline_of("First. " + "So long. " * 20)[1][:8]
    'So long.'
    """
    if len(text) <= most:
        return text, ""
    for sign in (SENTENCE, PART, BRACKET):  # a part, where the first sentence is too long
        if ends := [found.end() for found in sign.finditer(text[: most + 1])]:
            head, rest = text[: ends[-1] - 1], text[ends[-1] :]
            return (head if head.endswith(".") else f"{head} …"), rest
    return text, ""
