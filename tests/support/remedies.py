"""Every sentence of the sources that says what to do about a refusal, found by walking them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.imports import sources
from tests.support.plain_files import ROOT
from tests.support.refusals import OPTION

ON_PAGE = {"Remedy": 1, "by_rule": 3}  # arguments before the words of a page, which say the same
BESIDE = {"note", "warn", "warning"}  # which are no refusals
SAID = {"RULES"}  # help of options
WORDS = re.compile(r"(^|[.;:] )[A-Z][a-z]+ [^.]*\.$")


def refusing() -> list[Path]:
    """Modules that refuse."""
    others = ("sdcg_explorer/scoring/definition.py", "sdcg_explorer/export/into.py")
    rooms = sources("study", "reading", "commands")
    return sorted([*rooms, *(ROOT / name for name in others)])


def called(node: ast.AST) -> str:
    """The name of what is called."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def template(node: ast.AST) -> str:
    """A text, with {} for what is filled in; "" where a node is none."""
    if isinstance(node, ast.JoinedStr):
        parts = [template(part) or "{}" for part in node.values]
        return "".join(parts)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _spared(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, help of options, words of fields and pages, and what is said beside a study."""
    given: dict[str, ast.AST] = {}
    for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):
        if isinstance(node, ast.Assign):
            given |= _names(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        elif isinstance(node, ast.AnnAssign) and node.value:
            yield node.value
        elif isinstance(node, ast.Call):
            whole = _is_beside(node) or called(node) in {"Option", "Argument", "Typer", "Choice"}
            parts = [node] if whole else node.args[ON_PAGE.get(called(node), len(node.args)) :]
            named = [n for part in parts for n in ast.walk(part) if isinstance(n, ast.Name)]
            yield from [*parts, *(given[name.id] for name in named if name.id in given)]
    yield from (given[name] for name in SAID if name in given)


def _is_beside(call: ast.Call) -> bool:
    is_problem = called(call) == "Problem" and bool(call.args)
    return called(call) in BESIDE or (is_problem and template(call.args[0]) in BESIDE)


def _names(node: ast.Assign) -> dict[str, ast.AST]:
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=True)
        return {name.id: each for name, each in pairs if isinstance(name, ast.Name)}
    return {target.id: value} if isinstance(target, ast.Name) else {}


def remedies() -> dict[str, str]:
    """Each text that says what to do, with the place where it stands."""
    found: dict[str, str] = {}
    for path in refusing():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        spared = {id(part) for each in _spared(tree) for part in ast.walk(each)}
        inner = {id(p) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for p in n.values}
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and called(n) == "by_rule"]
        ruled = {id(arg) for call in calls for arg in call.args[2:]}
        for node in (n for n in ast.walk(tree) if isinstance(n, ast.expr)):
            text = template(node)
            says = id(node) in ruled or WORDS.search(text) or OPTION.search(text)
            if text and says and id(node) not in spared | inner:
                found.setdefault(text, f"{path.relative_to(ROOT)}, line {node.lineno}")
    return found
