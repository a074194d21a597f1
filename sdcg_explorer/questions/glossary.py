"""Terms, explained in one place: questions/glossary.md."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("glossary.md")
ROW = re.compile(r"^\| (?!term \|)([^|]+?) \|([^|]*)\| ([^|]+?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Term:
    """A term, what else it is written as, and what it means."""

    name: str
    also: tuple[str, ...]
    meaning: str


@cache
def terms() -> dict[str, Term]:
    """All terms by name, in the order of the glossary."""
    rows = ROW.findall(FILE.read_text(encoding="utf-8"))
    also = [tuple(filter(None, map(str.strip, others.split(",")))) for _, others, _ in rows]
    return {name: Term(name, own, said) for (name, _, said), own in zip(rows, also, strict=True)}


def meaning(*names: str) -> str:
    """What terms mean, as the help of a widget says it.

    Raises
    ------
    KeyError : a term that the glossary lacks

    >>> meaning("searcher").partition(".")[0]
    'The person who searched'
    """
    said = {name: terms()[name].meaning for name in names}
    if len(said) == 1:
        return next(iter(said.values()))
    return "\n\n".join(f"{name}: {each}" for name, each in said.items())


def split_at_terms(text: str, known: set[str] | None = None) -> list[tuple[str, Term | None]]:
    """A text in pieces: each term where it first stands, and what is between.

    known : terms that are not marked, to which those of the text are added

    >>> split = split_at_terms("The top 10 gain; no other gain.")
    >>> [(words, term and term.name) for words, term in split]
    [('The ', None), ('top 10', 'top X'), (' ', None), ('gain', 'gain'), ('; no other gain.', None)]
    """
    pieces: list[tuple[str, Term | None]] = []
    seen, start = set[str]() if known is None else known, 0
    for found in _any_term_pattern().finditer(text):
        term = _terms_by_spelling()[re.sub(r"[\d,]+", "X", found[0])]
        if term.name not in seen:
            seen.add(term.name)
            pieces += [(text[start : found.start()], None), (found[0], term)]
            start = found.end()
    return [piece for piece in (*pieces, (text[start:], None)) if piece[0]]


@cache
def _terms_by_spelling() -> dict[str, Term]:
    """Terms by all that they are written as, the longest first."""
    every = {words: term for term in terms().values() for words in (term.name, *term.also)}
    return dict(sorted(every.items(), key=lambda each: -len(each[0])))


@cache
def _any_term_pattern() -> re.Pattern[str]:
    """Any term as whole words; one letter is a term only where a number is given to it."""
    each = [
        re.escape(words).replace("X", r"[\d,]*\d") + (r"(?= = )" if len(words) == 1 else "")
        for words in _terms_by_spelling()
    ]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(each)})(?![\w-])")
