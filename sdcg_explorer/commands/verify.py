"""`sdcg verify`: whether a bundle is of its study."""

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
    """Make a bundle's report and tables again of its study; exit 2 with a line for what differs."""
    from sdcg_explorer.export import verification

    found = verification.verify(bundle)
    for each in found.differing:
        print_lines(str(each), err=True)
    if found.made_by:
        print_lines(f"{bundle}: made by {found.made_by}; its texts are held to their sums")
    for name, why in found.changed.items():
        print_lines(f"{bundle}: {name} changed since {found.made_by}: {why}")
    how = counted(len(found.differing), "differs", "differ") if found.differing else "all equal"
    made = f"{counted(found.files, 'file')} with {counted(found.numbers, 'number')} made again"
    beside = f"{counted(found.unchanged, 'other file')} unchanged, by their sums"
    print_lines(f"{bundle}: {made}: {how}; {beside}")
    raise typer.Exit(BAD_INPUT if found.differing else 0)
