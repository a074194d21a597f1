"""Sentences in source texts: analysis has numbers, and questions the words (decision 153)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

# rooms of analysis that hold no sentence, and import no wording
WITHOUT_WORDS = (
    "costs",
    "curves",
    "examples",
    "fits",
    "inventory",
    "ratings",
    "robustness",
    "selection",
    "sessions",
    "statistics",
    "systems",
)
FEWEST_WORDS = 4  # of a sentence, which ends with a full stop
# whose fields are words, said once for table, help and docs: scores, lines of the literature, and
# what is refused
RECORDS = {"Score", "Check", "error"}


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
