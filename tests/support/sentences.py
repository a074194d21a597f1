"""Sentences in source texts, where numbers have none, and absurd ones on pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

FEWEST_WORDS = 4  # of a sentence, which ends with a full stop
# whose fields are words, said once for table, help and docs: scores, and what is refused
RECORDS = {"Score", "error"}


def sentences_in(source: str) -> list[str]:
    """Sentences that code says, as `line: text`; what a placeholder holds is one word, {}.

    None are docstrings, messages of exceptions, words of records, and values of a module's table.
    """
    return [
        f"{node.lineno}: {text}"
        for node in _said(ast.parse(source))
        if (text := _text(node)).rstrip().endswith(".")
        and len(re.findall(r"[\w{}'’]+", text)) >= FEWEST_WORDS
    ]


def _said(node: ast.AST) -> Iterator[ast.expr]:
    """Texts of a tree that are no docstring, message or record."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr):
            yield child
        elif isinstance(child, ast.Constant):
            yield from [child] if isinstance(child.value, str) else []
        elif not (_is_documentation(child) or _is_record(node, child)):
            yield from _said(child)


def _is_documentation(node: ast.AST) -> bool:
    alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return alone or isinstance(node, ast.Raise)


def _is_record(parent: ast.AST, node: ast.AST) -> bool:
    """Whether it makes a record, or is a table of names that stands in the module itself."""
    called = isinstance(node, ast.Call) and getattr(node.func, "id", "") in RECORDS
    table = isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
    return called or (table and isinstance(parent, ast.Module))


def _text(node: ast.expr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


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
