"""Texts of the app and of the command line, as a reader meets them: `make texts ARGS="FILE ..."`.

The pages of the first sample, or of a study in files, whose import comes first; then what each
command says of itself. A text stands where it is met first.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from typer.testing import CliRunner

from sdcg_explorer.commands.main import cli
from sdcg_explorer.questions.catalogue import QUESTIONS
from tests.support import screen, uploads

FIELDS = ("label", "body", "help", "placeholder", "alt")  # of an element's message
TAG = re.compile(r"(?<!\\)<(?!/?dfn)[^>]*>")  # of HTML, but for terms that are explained
ACCEPT = "Accept and open"


def texts(block: Any) -> Iterator[str]:
    """Texts of a part of a page in their order; a table's are its headings, and their help."""
    for child in block.children.values():
        proto = child.proto.popover if child.type == "popover" else child.proto
        yield from (TAG.sub(" ", str(getattr(proto, field, ""))) for field in FIELDS)
        options = [getattr(each, "content", str(each)) for each in getattr(proto, "options", ())]
        yield " | ".join(each for each in options if re.search("[a-z]", each))
        if child.type == "dataframe":
            yield " | ".join(map(str, child.value.columns))
            columns = json.loads(proto.columns or "{}").values()
            yield from (str(each["help"]) for each in columns if each and each.get("help"))
        if hasattr(child, "children"):
            yield from texts(child)


def tell(place: str, found: Iterable[str], known: set[str]) -> None:
    """Print the texts of a place that are not known yet."""
    plain = map(screen.without_escapes, found)
    if new := [each for each in dict.fromkeys(plain) if each.strip() and each not in known]:
        known |= set(new)
        print(f"\n# {place}\n", *new, sep="\n")  # noqa: T201


def tell_pages(files: dict[str, bytes], known: set[str]) -> None:
    """Print the texts of every page, of files or of the first sample."""
    app = uploads.upload(files) if files else screen.opened("overview")
    if files:
        tell("import", texts(app.main), known)
        if ACCEPT not in [each.label for each in app.button]:  # the import says why
            return
        app = uploads.pressed(app, ACCEPT)
    for name in (question.name for question in QUESTIONS):
        app = app.switch_page(f"pages/{name}.py").run()
        tell(name, texts(app.main), known)
        tell(f"{name}, sidebar", texts(app.sidebar), known)


if __name__ == "__main__":
    read: set[str] = set()
    with TemporaryDirectory() as folder:
        os.environ["SDCG_WORKSPACE"] = folder
        tell_pages({Path(path).name: Path(path).read_bytes() for path in sys.argv[1:]}, read)
    for name in ("", *sorted(typer.main.get_command(cli).commands)):  # pyright: ignore
        asked = [name, "--help"] if name else ["--help"]
        said = CliRunner().invoke(cli, asked, prog_name="sdcg").output
        tell(f"sdcg {name}", said.splitlines(), read)
