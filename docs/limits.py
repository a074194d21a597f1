"""The table of limits of docs/formats.md: a test holds it to this."""

from __future__ import annotations

from sdcg_explorer.reading.limits import (
    ALWAYS_DECODED,
    ALWAYS_FIELDS,
    DEEPEST,
    FIELDS_A_BYTE,
    IDS_A_SECOND,
    LONGEST_JOB,
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_PATTERN,
    LONGEST_STILL,
    MB,
    MOST_AT_ONCE,
    MOST_BYTES,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_DECODED,
    MOST_ENTRIES,
    MOST_FIELDS,
    MOST_GROUPS,
    MOST_IN_HAND,
    MOST_KEPT,
    MOST_LINES,
    MOST_LISTED,
    MOST_MEMORY,
    MOST_OF_VISITOR,
    MOST_PACKED_CELLS,
    MOST_PARTS,
    MOST_RATIO,
    MOST_RESULTS,
    MOST_SESSIONS,
    MOST_UPLOADED,
)
from sdcg_explorer.study.bounds import (
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


def limits_table() -> str:
    """The table, in Markdown."""
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
            f"{MOST_PACKED_CELLS:,}; {MOST_LISTED:,}; {MOST_DECODED // MB:,} MB; "
            f"over {ALWAYS_DECODED // MB} MB only {MOST_RATIO} times the file",
        ),
        (
            "results of a study in the browser; its sessions",
            f"{MOST_RESULTS:,} (measured: 1 GB of memory; a server of 4 GB holds it); "
            f"{MOST_SESSIONS:,}",
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
            "with `--shared` and `--ephemeral`: uploads not accepted yet, of a visitor; of all, "
            "with what was read of them",
            f"{MOST_OF_VISITOR // MB} MB; {MOST_IN_HAND // MB:,} MB",
        ),
        (
            "the same: uploads of a visitor (an address) on their way; one that stands still",
            f"{MOST_AT_ONCE}; {LONGEST_STILL:g} s",
        ),
        (
            "the same: reading, checking or answering, by a process of its own",
            f"{LONGEST_JOB:g} s, {MOST_MEMORY // MB // 1000} GB of memory (Linux)",
        ),
        (
            "with `--ephemeral`: accepted studies, in memory for two hours",
            f"20, and {MOST_KEPT // MB // 1000} GB of them",
        ),
    )
    head, *others = [f"| {what} | {most} |\n" for what, most in rows]
    return "".join([head, "|---|---|\n", *others])
