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
ALWAYS_FIELDS = 2_000_000  # that a JSON file of any size may hold
FIELDS_A_BYTE = 5  # that a larger one may have, repeated ones counted
MOST_REPEATED = 1_000_000  # fields of one object, counted again for each object within it
MOST_DECODED = 300_000_000  # bytes of a Parquet file's cells as text
MOST_PACKED_CELLS = 50_000_000  # of a Parquet file
MOST_LISTED = 2_000_000  # values in the lists of a Parquet file
MOST_CHUNK = 200_000_000  # bytes of a column in one of its row groups, which has one dictionary
MOST_PREFIXED = 4_000_000  # bytes of its texts in DELTA encodings; each may be as long
ALWAYS_DECODED = 20_000_000  # bytes of cells as text that a Parquet file of any size may hold
MOST_RESULTS = 2_000_000  # of a log in the browser
DEEPEST = 50  # levels of XML or JSON
LONGEST_PATTERN = 1_000  # characters of a pattern for query ids
MOST_GROUPS = 9  # of it, that RE2 gives back by number
IDS_A_SECOND = 100_000  # that it has to match; the usual one matches five times as many
LONGEST_JOB = 120.0  # seconds that a server for several takes to read or compute something
MOST_MEMORY = 3_000_000_000  # bytes, of the process that does it
MOST_OF_VISITOR = 450_000_000  # bytes that a visitor has uploaded and not accepted yet: two files
MOST_IN_HAND = 1_000_000_000  # bytes, the same of all visitors
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
            "files in a zip; characters of a name, or of a sheet's",
            f"{MOST_ENTRIES:,}; {LONGEST_NAME}; names stay within the zip's folder",
        ),
        (
            "columns; bytes in a line; lines of a table",
            f"{MOST_COLUMNS:,}; {LONGEST_LINE:,}; {MOST_LINES:,}",
        ),
        (
            "cells of a workbook's sheet; fields of a JSON file",
            f"{MOST_CELLS:,}; {MOST_FIELDS:,}, over {ALWAYS_FIELDS:,} only {FIELDS_A_BYTE} a byte",
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
        ("levels of XML or JSON; bytes of a tag", f"{DEEPEST}; {LONGEST_LINE:,}; no DOCTYPE"),
        (
            "characters and groups of a pattern for query ids; its ids a second",
            f"{LONGEST_PATTERN:,}; {MOST_GROUPS}; {IDS_A_SECOND:,}",
        ),
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
        (
            "computed results that the app keeps; studies opened",
            "512 MB; as much again, or one study (`sdcg app --cache`)",
        ),
        (
            "with `--shared` and `--ephemeral`: uploads not accepted yet, of a visitor; of all",
            f"{MOST_OF_VISITOR // MB} MB; {MOST_IN_HAND // MB // 1000} GB",
        ),
        (
            "the same: reading, checking or answering, by a process of its own",
            f"{LONGEST_JOB:g} s, {MOST_MEMORY // MB // 1000} GB of memory (Linux)",
        ),
    )
    head, *others = [f"| {what} | {most} |\n" for what, most in rows]
    return "".join([head, "|---|---|\n", *others])
