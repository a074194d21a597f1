"""The table of limits of docs/formats.md: a test holds it to this."""

from __future__ import annotations

from sdcg_explorer.reading.limits import (
    ALWAYS_BYTES,
    ALWAYS_CELLS,
    CELLS_A_BYTE,
    DEEPEST,
    FIRST_MEMORY,
    FIRST_SECONDS,
    IDS_A_SECOND,
    LONGEST_JOB,
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_PATTERN,
    MB,
    MEMORY_A_BYTE,
    MOST_BYTES,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ENTRIES,
    MOST_GROUPS,
    MOST_KEPT,
    MOST_LINES,
    MOST_MEMORY,
    MOST_RATIO,
    MOST_RESULTS,
    MOST_SESSIONS,
    MOST_UPLOADED,
    MOST_WIDE,
    WIDE,
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
            "bytes unpacked; text of all cells, each time it stands in one",
            f"{ALWAYS_BYTES // MB} MB, or {MOST_RATIO} times the files as given; "
            f"never over {MOST_BYTES // MB:,} MB",
        ),
        (
            f"cells of all tables; of one with more than {WIDE} columns",
            f"{ALWAYS_CELLS:,}, or {CELLS_A_BYTE} for each byte as given; never over "
            f"{MOST_CELLS:,}; {MOST_WIDE:,}",
        ),
        (
            "files in an archive; characters of a name, or of a sheet's",
            f"{MOST_ENTRIES:,}; {LONGEST_NAME}; names stay within its folder",
        ),
        (
            "columns; bytes in a line; lines of a table",
            f"{MOST_COLUMNS:,}; {LONGEST_LINE:,}; {MOST_LINES:,}",
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
            "reading, in a process of its own: time of a processor (by the clock, three times); "
            "memory (Linux)",
            f"{FIRST_SECONDS:g} s and 1 s for each MB, {LONGEST_JOB:g} s at most; "
            f"{FIRST_MEMORY / 1e9:g} GB and {MEMORY_A_BYTE} bytes for each byte, "
            f"at most {MOST_MEMORY / 1e9:g} GB or, on a machine of one's own, half of its memory",
        ),
        (
            "with `--shared` and `--ephemeral`: answering a long question, likewise",
            f"{LONGEST_JOB:g} s, {MOST_MEMORY / 1e9:g} GB",
        ),
        (
            "with `--ephemeral`: accepted studies, in memory for two hours",
            f"20, and {MOST_KEPT // MB // 1000} GB of them",
        ),
    )
    head, *others = [f"| {what} | {most} |\n" for what, most in rows]
    return "".join([head, "|---|---|\n", *others])
