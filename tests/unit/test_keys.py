"""Keys of the session state and of the address stand in sdcg_explorer/screen/keys.py alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from sdcg_explorer.screen import keys
from tests.support.imports import sources
from tests.support.plain_files import ROOT

FILES = [path for path in sources("app.py", "pages", "screen", "serving") if path.stem != "keys"]
STORES = ("session_state", "query_params")
BY_KEY = ("get", "pop", "setdefault", "get_all")


def trees() -> dict[Path, ast.Module]:
    """Source of every file that draws."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def places_of_keys(files: list[ast.Module]) -> dict[str, int]:
    """Where our own functions take a key, by their names."""
    return {
        node.name: [argument.arg for argument in node.args.args].index("key")
        for tree in files
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and "key" in [a.arg for a in node.args.args]
    }


def keys_given(tree: ast.Module, places: dict[str, int]) -> Iterator[ast.expr]:
    """Every expression of a file that is used as a key."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(STORES):
            yield node.slice
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]).endswith(STORES):
            yield node.left
        elif isinstance(node, ast.Attribute) and node.attr not in dir(dict):
            if ast.unparse(node.value).endswith("session_state"):  # a key as an attribute
                yield ast.Constant(node.attr, lineno=node.lineno)
        elif isinstance(node, ast.Call):
            owner, _, name = ast.unparse(node.func).rpartition(".")
            yield from (word.value for word in node.keywords if word.arg == "key")
            if owner.endswith(STORES) and name in BY_KEY:
                yield node.args[0]
            elif owner.endswith(STORES) and name == "update":
                yield from (ast.Constant(word.arg, lineno=node.lineno) for word in node.keywords)
            elif owner in ("", "link", "show") and name in places:
                yield from node.args[places[name] : places[name] + 1]


def literal(tree: ast.Module, places: dict[str, int]) -> list[str]:
    """Keys that a file spells out, with their lines."""
    return [
        f"{key.lineno}: {ast.unparse(key)}"
        for key in keys_given(tree, places)
        if isinstance(key, (ast.Constant, ast.JoinedStr, ast.BinOp))
    ]


def test_no_page_spells_out_a_key() -> None:
    places = places_of_keys([*trees().values()])
    assert {"figure": 2, "fill": 0, "put_in_link": 0}.items() <= places.items()
    spelled = {str(path.relative_to(ROOT)): literal(tree, places) for path, tree in trees().items()}
    assert {path: found for path, found in spelled.items() if found} == {}
    assert sum(len([*keys_given(tree, places)]) for tree in trees().values()) > 100


def test_no_two_constants_are_one_key() -> None:
    named = [value for name, value in vars(keys).items() if name.isupper()]
    texts = [value for value in named if isinstance(value, str)]
    assert len(texts) == len({*texts})
