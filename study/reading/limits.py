"""What files may be at most, and the README's table of it; of a study itself, study/bounds.py."""

from __future__ import annotations

from study.bounds import (
    ALWAYS_PLACES,
    LARGEST_GRADE,
    LEAST_RANKS,
    MOST_GRADES,
    MOST_JUDGED_PLACES,
    MOST_PLACES,
    MOST_PLACES_A_RESULT,
    MOST_QUERIES,
    MOST_RANKS,
)

MOST_UPLOADED = 200_000_000  # bytes of a file in the browser, as .streamlit/config.toml has it
MOST_BYTES = 1_000_000_000  # of everything unpacked
MOST_RATIO = 200  # unpacked over packed
MOST_ENTRIES = 1_000  # of a zip
LONGEST_NAME = 200
MOST_COLUMNS = 1_000
LONGEST_LINE = 1_000_000  # bytes
MOST_LINES = 20_000_000  # of a table
MOST_CELLS = 5_000_000  # of a workbook's sheet
MOST_FIELDS = 20_000_000  # of all objects of a JSON file
MOST_PARTS = 5_000_000  # of a JSON file that is one value, which is held whole: some 1 GB
MOST_REPEATED = 1_000_000  # fields of one object, counted again for each object within it
MOST_DECODED = 300_000_000  # bytes of a Parquet file's cells as text
MOST_PACKED_CELLS = 50_000_000  # of a Parquet file
MOST_LISTED = 2_000_000  # values in the lists of a Parquet file
MOST_CHUNK = 200_000_000  # bytes of a column in one of its row groups, which has one dictionary
MOST_PREFIXED = 4_000_000  # bytes of its texts in DELTA encodings; each may be as long
ALWAYS_DECODED = 20_000_000  # bytes of cells as text that a Parquet file of any size may hold
MOST_RESULTS = 2_000_000  # of a log in the browser
DEEPEST = 50  # levels of XML or JSON
MB = 1_000_000


def limits_table() -> str:
    """The README's table, in Markdown."""
    rows = (
        ("limit", "at most"),
        ("uploaded file", f"{MOST_UPLOADED // MB} MB"),
        (
            "unpacked from archives, in all",
            f"{MOST_BYTES // MB:,} MB, {MOST_RATIO} times the packed size",
        ),
        (
            "files in a zip; characters of a name",
            f"{MOST_ENTRIES:,}; {LONGEST_NAME}; names stay within the zip's folder",
        ),
        (
            "columns; bytes in a line; lines of a table",
            f"{MOST_COLUMNS:,}; {LONGEST_LINE:,}; {MOST_LINES:,}",
        ),
        (
            "cells of a workbook's sheet; fields of a JSON file",
            f"{MOST_CELLS:,}; {MOST_FIELDS:,}",
        ),
        (
            "parts (values and brackets) of a JSON file that is one value",
            f"{MOST_PARTS:,} (some 1 GB of memory)",
        ),
        (
            "Parquet: cells; values in lists; its cells as text",
            f"{MOST_PACKED_CELLS:,}; {MOST_LISTED:,}; {MOST_DECODED // MB} MB; "
            f"over {ALWAYS_DECODED // MB} MB only {MOST_RATIO} times the file",
        ),
        (
            "results of a study in the browser",
            f"{MOST_RESULTS:,} (measured: 1 GB of memory; a server of 4 GB holds it)",
        ),
        ("levels of XML or JSON", f"{DEEPEST}; no DOCTYPE"),
        ("queries of a session", f"{MOST_QUERIES:,}"),
        (
            f"places: sessions × queries of the longest × ranks ({LEAST_RANKS} to {MOST_RANKS})",
            f"{ALWAYS_PLACES:,}, or {MOST_PLACES_A_RESULT} for each result; "
            f"never over {MOST_PLACES:,}",
        ),
        (
            "grades; distinct grades; these × topics",
            f"±{LARGEST_GRADE}; {MOST_GRADES}; {MOST_JUDGED_PLACES:,}",
        ),
    )
    head, *others = [f"| {what} | {most} |\n" for what, most in rows]
    return "".join([head, "|---|---|\n", *others])
