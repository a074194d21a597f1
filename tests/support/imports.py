"""Which room may import what (docs/contributing.md, Floors), read off the source."""

import ast
import sys
from functools import cache
from pathlib import Path

from tests.support.plain_files import ROOT

OURS = "sdcg_explorer"
# by room: the rooms of ours and the libraries that its files may import, itself aside
ALLOWED = {
    "metrics": "numpy",  # and its own modules relatively
    "study": "numpy pandas pyarrow krippendorff",
    "study/store": "study orjson pandas platformdirs pyarrow",
    "reading": "study sample_sessions numpy orjson pandas pyarrow python_calamine",
    "statistics": "metrics numpy pandas scipy",
    "scoring": "metrics statistics study cachetools numpy pandas scipy tomli_w",
    "scale": "scoring questions metrics reading study duckdb numpy pandas pyarrow pyspark",
    "figures": "metrics scoring study numpy pandas plotly",
    "questions": "questions/data scoring statistics figures metrics study "
    "numpy pandas plotly scipy",
    "questions/by_hand": "questions scoring figures metrics reading study numpy pandas plotly",
    "questions/data": "questions scoring figures reading study numpy pandas plotly",
    "export": "scoring metrics questions figures study reading "
    "jinja2 kaleido markupsafe numpy pandas plotly pyarrow tomli_w",
    "commands": "scoring statistics questions questions/data export reading scale study "
    "start typer",
    "serving": "questions reading study starlette streamlit",
    "screen": "scoring statistics questions questions/by_hand questions/data figures export "
    "study study/store reading serving start pages streamlit",
    "pages": "scoring statistics questions questions/by_hand questions/data figures export screen "
    "study streamlit",
    "start": "screen serving reading starlette streamlit",
    "app.py": "screen",
    "__main__.py": "commands reading",
    "notebook": "scoring questions export figures reading study ir_measures pandas plotly pyarrow",
    "__init__.py": "notebook",
}


@cache  # each source is asked about by many rules
def imports_of(source: str) -> list[tuple[int, str]]:
    """Line and dotted name of every import, those within functions and for types included."""
    nodes = [*ast.walk(ast.parse(source))]
    return [
        (node.lineno, alias.name)
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    ] + [
        (node.lineno, f"{'.' * node.level}{node.module or ''}.{alias.name}")
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]


def room_of_import(name: str) -> str:
    """The room of ours that an import is of, or the package; "" within a package."""
    package, _, inside = name.partition(".")
    path = f"{inside.replace('.', '/')}/"
    rooms = [room for room in ALLOWED if path.startswith(f"{room}/")]
    return max(rooms, key=len, default=path.split("/")[0]) if package == OURS else package


def forbidden(room: str, source: str) -> list[str]:
    """Imports of a source text that its room may not have, as `line: name`."""
    may = {*ALLOWED[room].split(), room, *sys.stdlib_module_names}
    may |= {""} if room == "metrics" else set()
    return [
        f"{line}: {name}" for line, name in imports_of(source) if room_of_import(name) not in may
    ]


def room_of(path: Path) -> str:
    """The room that a file of the product stands in; "" for others."""
    name = path.relative_to(ROOT).as_posix().removeprefix(f"{OURS}/")
    names = f"{name}/", f"{name.removesuffix('.py')}/"  # a room may be one file
    return max(
        (room for room in ALLOWED if any(each.startswith(f"{room}/") for each in names)),
        key=len,
        default="",
    )


@cache
def product() -> tuple[Path, ...]:
    """Every Python file of the product."""
    inside = [path for room in (OURS, "metrics", "pages") for path in (ROOT / room).rglob("*.py")]
    return tuple(sorted([*inside, ROOT / "app.py"]))
