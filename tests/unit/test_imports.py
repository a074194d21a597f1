"""Imports run in one direction (docs/design.md, Floors): a folder has what its list names."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from sdcg_explorer.export.versions import PACKAGES
from sdcg_explorer.questions.catalogue import QUESTIONS
from tests.support.imports import ALLOWED, OURS, forbidden, imports_of, sources
from tests.support.plain_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FILES = [(folder, path) for folder in ALLOWED for path in sources(ROOT, folder)]


@pytest.mark.parametrize(
    ("folder", "path"), FILES, ids=[str(path.relative_to(ROOT)) for _, path in FILES]
)
def test_file_imports_only_what_its_folder_may(folder: str, path: Path) -> None:
    assert forbidden(folder, path.read_text(encoding="utf-8")) == []


def test_every_folder_of_the_design_is_walked() -> None:
    assert {folder for folder, _ in FILES} == set(ALLOWED)


def test_figures_take_classes_of_analysis_and_no_functions() -> None:
    taken = [
        f"{path.name}, line {line.line}: {line.module}.{line.name}"
        for path in sources(ROOT, "figures")
        for line in imports_of(path.read_text(encoding="utf-8"))
        if line.package == "analysis" and not line.name[:1].isupper()
    ]
    assert taken == []


def test_streamlit_is_imported_by_app_and_pages_alone() -> None:
    # the app that ours is measured beside, and visits without a browser
    names = ("bare.py", "visit.py", "soak/visitor.py")
    measuring = {ROOT / "benchmarks" / name for name in names}
    importing = {
        path.relative_to(ROOT).parts[0].removesuffix(".py")
        for folder in OURS - {"tests"}
        for path in sources(ROOT, folder)
        if path not in measuring
        and any(line.package == "streamlit" for line in imports_of(path.read_text("utf-8")))
    }
    assert importing <= {"app", "serve", "pages"}


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
        for _, path in FILES
        for line in imports_of(path.read_text(encoding="utf-8"))
        if line.package not in {*OURS, *sys.stdlib_module_names, ""}  # "" is metrics' own
    }
    assert taken == needed | declared(extras["cluster"])
    assert {*PACKAGES} - {PROJECT["name"]} <= needed


def within(folder: str, part: str) -> list[str]:
    """Files of a folder that import a part of ours, with the line."""
    return [
        f"{path.relative_to(ROOT)}, line {line.line}: {line.module}"
        for path in sources(ROOT, folder)
        for line in imports_of(path.read_text(encoding="utf-8"))
        if line.module == part or line.module.startswith(f"{part}.")
    ]


def test_a_study_knows_neither_how_it_was_read_nor_where_it_is_kept() -> None:
    apart = [
        *within("study", "sdcg_explorer.reading"),
        *within("study", "sdcg_explorer.study.store"),
    ]
    themselves = ("study/reading", "study/store", "study/counting")  # counting reads and keeps
    assert [file for file in apart if not file.startswith(themselves)] == []
    assert within("study/reading", "sdcg_explorer.counting") == []
    kept = {line.rpartition(" ")[2] for line in within("study/store", "sdcg_explorer.counting")}
    assert kept == {
        "sdcg_explorer.counting.counted_study",
        "sdcg_explorer.counting.kept",
    }  # counts are kept, too
    assert within("study/reading", "sdcg_explorer.study.store") == []
    assert within("study/store", "sdcg_explorer.reading") == []


def test_readers_are_known_to_their_table_alone_and_loaded_when_they_are_needed() -> None:
    inside = "study/reading/readers/"
    assert (
        within(inside, "sdcg_explorer.reading.formats")
        == within(inside, "sdcg_explorer.reading.read")
        == []
    )
    known = [
        line for line in within("study", "sdcg_explorer.reading.readers") if inside not in line
    ]
    assert (
        {line.partition(",")[0] for line in known}
        == {
            "sdcg_explorer/reading/formats.py",  # by its name, when a file needs it
            "sdcg_explorer/counting/texts.py",  # whose engines read tables by themselves, once they are opened
        }
    )


def test_nothing_in_analysis_imports_a_question() -> None:
    assert [line for of in QUESTIONS for line in within("analysis", f"analysis.{of.name}")] == []


CAUGHT = [
    ("metrics", "import pandas as pd", ["1: pandas"]),
    ("metrics", "from metrics.query import dcg", ["1: metrics.query"]),
    ("metrics", "from ..study import block", ["1: ..study"]),
    ("metrics", "from study.block import Block", ["1: study.block"]),
    ("metrics", "def f():\n    import streamlit as st", ["2: streamlit"]),
    ("metrics", "import numpy.linalg, scipy.stats", ["1: scipy.stats"]),
    ("study", "from analysis.scores import scores", ["1: analysis.scores"]),
    ("study", "if TYPE_CHECKING:\n    from metrics import dcg", ["2: metrics"]),
    ("analysis", "from figures.style import layout", ["1: figures.style"]),
    ("analysis", "try:\n    import plotly\nexcept ImportError:\n    pass", ["2: plotly"]),
    ("figures", "from study.study import Study", ["1: study.study"]),
    ("figures", "import pandas", ["1: pandas"]),
    ("export", "import streamlit", ["1: streamlit"]),
    ("pages", "import numpy as np\nimport plotly.express", ["1: numpy", "2: plotly.express"]),
    ("pages", "from metrics import dcg", ["1: metrics"]),
    ("sdcg", "from pages import frame", ["1: pages"]),
    ("sdcg", "importlib.import_module('streamlit')", ["1: streamlit"]),
    ("study", "from . import block", ["1: ."]),
    ("study", "import_module(f'metrics.{name}')", ["1: metrics"]),
    ("study", "import_module(f'study{name}')", ["1: ?"]),
    ("study", "import_module(f'{name}.study')", ["1: ?"]),
]


@pytest.mark.parametrize(("folder", "source", "expected"), CAUGHT)
def test_checker_catches_forbidden_import(folder: str, source: str, expected: list[str]) -> None:
    assert forbidden(folder, source) == expected


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        (
            "metrics",
            "from __future__ import annotations\nimport numpy as np\nfrom .query import dcg",
        ),
        ("study", "import duckdb\nfrom study.reading.raw_table import RawTable"),
        ("study", "import_module(f'sdcg_explorer.reading.readers.{name}')"),
        ("analysis", "from metrics import dcg\nfrom study.study import Study"),
        ("figures", "import plotly.graph_objects as go\nfrom analysis.scores import Scores"),
        ("pages", "import streamlit as st\nfrom analysis.scores import scores"),
        ("sdcg", "import typer\nfrom export.tables import write_table"),
    ],
)
def test_checker_lets_allowed_imports_pass(folder: str, source: str) -> None:
    assert forbidden(folder, source) == []
