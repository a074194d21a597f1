"""Imports run in one direction (docs/contributing.md, Floors); what is declared of the package."""

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import yaml

from sdcg_explorer.export.tables import PACKAGES
from tests.support.imports import ALLOWED, OURS, forbidden, imports_of, product, room_of
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
        plain(of[package][0])
        for path in product()
        for _, name in imports_of(path.read_text(encoding="utf-8"))
        # "" is metrics' own; whoever asks for a measure of ir_measures has it
        if (package := name.partition(".")[0])
        not in {OURS, *sys.stdlib_module_names, "", "ir_measures"}
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


def test_citation_and_codemeta_say_what_the_package_says() -> None:
    names = ("CITATION.cff", "codemeta.json", "CHANGELOG.md")
    cited, meta, changes = ((ROOT / name).read_text(encoding="utf-8") for name in names)
    cited, meta = yaml.safe_load(cited), json.loads(meta)
    version, day = re.findall(r"^## (\S+) \((\S+)\)$", changes, re.M)[0]
    released = None if day == "unreleased" else day
    assert (version, PROJECT["license"]) == (PROJECT["version"], cited["license"])
    assert (cited["version"], cited.get("date-released")) == (version, released)
    assert (meta["version"], meta.get("datePublished")) == (version, released)
    assert meta["license"] == f"https://spdx.org/licenses/{PROJECT['license']}"
