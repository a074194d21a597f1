"""Imports run in one direction (docs/contributing.md, Floors): a room has what its line names."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions

from sdcg_explorer.export.versions import PACKAGES
from tests.support.imports import (
    ALLOWED,
    AT_THE_TOP,
    OURS,
    Import,
    forbidden,
    imports_of,
    product,
    room_of,
)
from tests.support.plain_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_file_imports_only_what_its_room_may() -> None:
    wrong = {
        str(path.relative_to(ROOT)): found
        for path in product()
        if (found := forbidden(room_of(path), path.read_text(encoding="utf-8")))
    }
    assert wrong == {}, "see ALLOWED in tests/support/imports.py"
    assert {room_of(path) for path in product()} == {*ALLOWED}
    # a study knows neither how it was read nor where it is kept
    assert not {"reading", "study/store"} & {*ALLOWED["study"].split()}


def test_no_module_needs_itself_in_the_end() -> None:
    lines: dict[str, list[Import]] = {}
    for path in product():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        lines[name if name.startswith(OURS) else f"{OURS}.{name}"] = imports_of(path.read_text())
    needs: dict[str, set[str]] = {name: set() for name in lines if name != OURS}
    for name, wanted in needs.items():
        for line in lines[name]:
            whole = f"{line.module}.{line.name}"
            found = whole if whole in lines else line.module
            package = found.rpartition(".")[0]  # which is loaded before what it holds
            wanted |= {found} | ({package} if not f"{name}.".startswith(f"{package}.") else set())
    list(TopologicalSorter(needs).static_order())  # names the circle, if there is one


def test_readers_are_known_to_their_table_alone() -> None:
    readers = f"{OURS}.reading.readers"
    knowing = {
        path.name
        for path in product()
        if "readers" not in path.parts
        and any(line.module.startswith(readers) for line in imports_of(path.read_text("utf-8")))
    }
    # by its name, when a file needs it
    assert knowing == {"formats.py"}


def test_nobody_is_put_on_the_path() -> None:
    for path in product():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"sys\.path|PYTHONPATH", text), path
        for line in imports_of(text):
            assert line.package not in AT_THE_TOP, f"{path}: from {OURS}.{line.module}"


def declared(requirements: list[str]) -> set[str]:
    """Names of distributions in requirements, in the one spelling that they are compared in."""
    return {plain(re.split(r"[\[<>=!~; ]", each)[0]) for each in requirements}


def plain(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_what_the_product_imports_is_declared_and_not_among_what_tests_need() -> None:
    extras = PROJECT["optional-dependencies"]
    needed, of = declared(PROJECT["dependencies"]), packages_distributions()
    assert declared(extras["dev"]).isdisjoint(needed | declared(extras["cluster"]))
    taken = {
        plain(of[line.package][0])
        for path in product()
        for line in imports_of(path.read_text(encoding="utf-8"))
        # "" is metrics' own; whoever asks for a measure of ir_measures has it
        if line.package not in {OURS, *sys.stdlib_module_names, "", "ir_measures"}
    }
    assert taken == needed | declared(extras["cluster"])
    assert {*PACKAGES} - {PROJECT["name"]} <= needed


def test_scipy_is_loaded_where_it_computes_and_not_when_the_server_starts() -> None:
    # it takes as long to load as all else that a first page needs
    at_the_top = [
        path.name
        for path in product()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom) and "scipy" in ast.unparse(node)
    ]
    assert at_the_top == []
