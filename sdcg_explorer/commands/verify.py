"""`sdcg verify`: whether the numbers of a bundle are those of its study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sdcg_explorer.commands.printing import print_lines
from sdcg_explorer.commands.values import BAD_INPUT
from sdcg_explorer.study.wording import counted


def verify(
    bundle: Annotated[Path, typer.Argument(help="A zip, or its folder, that sdcg export wrote.")],
) -> None:
    """Make a bundle's numbers again of its study; exit 2 where any differs, a line each."""
    from sdcg_explorer.export import verification
    from sdcg_explorer.export.versions import CHANGED_SINCE_1

    found = verification.verify(bundle)
    for each in found.differing:
        print_lines(str(each), err=True)
    if found.made_by:
        print_lines(f"{bundle}: made by {found.made_by}; its texts and pictures are not compared")
    for name in found.changed:
        print_lines(f"{bundle}: {name} changed since {found.made_by}: {CHANGED_SINCE_1[name]}")
    how = counted(len(found.differing), "differs", "differ") if found.differing else "all equal"
    made = f"{counted(found.files, 'file')} with {counted(found.numbers, 'number')} made again"
    print_lines(f"{bundle}: {made}: {how}")
    raise typer.Exit(BAD_INPUT if found.differing else 0)
