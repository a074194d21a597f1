"""Published results computed anew: `make reproduce`; with ARGS=--write into the docs.

Data of others are taken from SDCG_SHARED or .published, or fetched; without them a part is
left out, which is said, and nothing is written.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.published import files, layouts, printed, rows, thuir

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reproduced.md"
FREE: tuple[Callable[[], rows.Part], ...] = (
    *(printed.table_2, printed.examples, printed.jk02, printed.programs),
)
FROM_DATA: dict[str, tuple[str, Callable[[Path], rows.Part]]] = {
    thuir.STUDY: (thuir.TITLE, thuir.usefulness),
    layouts.STUDY: (layouts.TITLE, layouts.layouts),
}
KNOWN = {"participants"}  # whose difference is explained beside it


def from_data(study: str) -> rows.Part:
    """A part that takes data; where there are none, its words say which files are missing."""
    title, compute = FROM_DATA[study]
    try:
        return compute(files.folder_of(study))
    except files.NotHereError as fault:
        return rows.Part(f"{title} (left out)", str(fault), needs=True)


def computed() -> list[rows.Part]:
    """Every part."""
    return [compute() for compute in FREE] + [from_data(study) for study in FROM_DATA]


def page(parts: list[rows.Part]) -> str:
    """The whole page."""
    head = f"{rows.words('head')}\n\n{rows.counted(parts)}.\n"
    return "\n".join([head, *map(rows.markdown, parts)])


def main(options: list[str]) -> int:
    """Print all parts; 1 where a row differs and nobody knows why, 2 where nothing was written."""
    parser = argparse.ArgumentParser("python -m benchmarks.published", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/reproduced.md")
    asked = parser.parse_args(options)
    parts = computed()
    for part in parts:
        print(f"{part.title}\n{part.words}")
        for row in part.rows:
            print(f"  {row.verdict:18} {row.what}\n{'':21}{row.printed}\n{'':21}{row.ours}")
            print(f"{'':21}{row.remark}" * bool(row.remark))
        print()
    print(rows.counted(parts))
    if asked.write and not all(part.rows for part in parts):
        print("docs/reproduced.md was not written: a part was left out.")
        return 2
    if asked.write:
        PAGE.write_text(page(parts), encoding="utf-8")
    unknown = {r.what for part in parts for r in part.rows if r.verdict == rows.DIFFERS} - KNOWN
    return int(bool(unknown))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
