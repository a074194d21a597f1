"""Which folder may import what (docs/design.md, Floors), read off the source without running it."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

OURS = {
    *(
        "app",
        "serve",
        "sdcg",
        "sdcg_app",
        "sdcg_counts",
        "sdcg_options",
        "pages",
        "figures",
        "analysis",
        "metrics",
        "study",
        "export",
    ),
    *("sample_sessions", "tests", "benchmarks", "docs"),
}
ALLOWED = {
    "metrics": {"numpy"},  # and its own modules relatively, for it is imported from elsewhere
    "study": {
        "study",
        "numpy",
        "pandas",
        "duckdb",
        "pyarrow",
        "orjson",
        "python_calamine",
        "platformdirs",
        "pyspark",
    },
    "analysis": {"analysis", "study", "metrics", "numpy", "pandas", "scipy", "tomli_w"},
    "figures": {"figures", "analysis", "numpy", "plotly"},
    "export": {
        *("export", "analysis", "figures", "study"),
        *("numpy", "pandas", "pyarrow", "plotly", "kaleido", "jinja2", "markupsafe", "tomli_w"),
    },
    "pages": {"pages", "export", "analysis", "figures", "study", "streamlit", "starlette"},
    "app": {"pages", "export", "analysis", "figures", "study", "streamlit"},
    "serve": {"pages", "study", "streamlit", "starlette"},
    "sdcg": {
        "sdcg_app",
        "sdcg_counts",
        "sdcg_options",
        "export",
        "analysis",
        "study",
        "typer",
        "platformdirs",
    },
    "sdcg_app": {"sdcg_options", "study", "typer"},
    "sdcg_counts": {"sdcg_options", "export", "study", "typer"},
    "sdcg_options": {"analysis", "study", "typer"},
}


@dataclass(frozen=True)
class Import:
    """One imported name: `module` is dotted, `name` is what is taken from it, if any."""

    line: int
    module: str
    name: str = ""

    @property
    def package(self) -> str:
        """First part of the module."""
        return self.module.partition(".")[0]


@cache  # each source is asked about by many rules
def imports_of(source: str) -> list[Import]:
    """Every import in a source text, those within functions and for types included."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [Import(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [Import(node.lineno, module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call) and _imports_by_call(node.func):
            found.append(Import(node.lineno, _called(node.args)))
    return found


def _imports_by_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("__import__", "import_module")


def _called(given: list[ast.expr]) -> str:
    """Module that a call imports, or the package that it is of: f"reading.readers.{name}"."""
    named = given[0] if given else None
    parted = isinstance(named, ast.JoinedStr)
    first = named.values[0] if parted else named
    module = str(first.value) if isinstance(first, ast.Constant) else "?"
    return module if not parted else module[:-1] if module.endswith(".") else "?"


def forbidden(folder: str, source: str) -> list[str]:
    """Imports of a source text that its folder may not have, as `line: module`."""
    return [
        f"{line.line}: {line.module}"
        for line in imports_of(source)
        if line.package not in ALLOWED[folder]
        and line.package not in sys.stdlib_module_names
        and not (folder == "metrics" and re.fullmatch(r"\.[a-z_]*", line.module))
    ]


def sources(root: Path, folder: str) -> list[Path]:
    """Python files of a folder, or the module of that name."""
    files = sorted((root / folder).rglob("*.py")) if (root / folder).is_dir() else []
    module = root / f"{folder}.py"
    return [*files, *([module] if module.is_file() else [])]
