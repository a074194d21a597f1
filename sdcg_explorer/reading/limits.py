"""What files may be at most; of a study itself, study/bounds.py; as a table, docs/limits.py."""

from __future__ import annotations

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
MOST_DECODED = 1_000_000_000  # bytes of a Parquet file's cells as text, like a CSV's
MOST_PACKED_CELLS = 50_000_000  # of a Parquet file
MOST_LISTED = 2_000_000  # values in the lists of a Parquet file
MOST_CHUNK = 200_000_000  # bytes of a column in one of its row groups, which has one dictionary
MOST_PREFIXED = 4_000_000  # bytes of its texts in DELTA encodings; each may be as long
ALWAYS_DECODED = 20_000_000  # bytes of cells as text that a Parquet file of any size may hold
MOST_COUNTED = 300_000_000  # bytes that counts take in memory, once they are dropped or kept
MOST_NAMED = 20_000_000  # bytes of their counts.json
MOST_RESULTS = 2_000_000  # of a log in the browser
MOST_SESSIONS = 500_000  # of it: they take as much memory and time as four times as many results
DEEPEST = 50  # levels of XML or JSON
LONGEST_PATTERN = 1_000  # characters of a pattern for query ids
MOST_GROUPS = 9  # of it, that RE2 gives back by number
IDS_A_SECOND = 100_000  # that it has to match; the usual one matches five times as many
FIRST_SECONDS = 10.0  # that reading may take, and a second more for each MB
LONGEST_JOB = 120.0  # seconds, at most; also of what a server for several computes
FIRST_MEMORY = 900_000_000  # bytes of memory that reading may take
MEMORY_A_BYTE = 100  # more of them for each byte that is read
MOST_MEMORY = 3_000_000_000  # at most; also of what a server for several computes
MOST_KEPT = 1_000_000_000  # bytes of accepted studies that are in memory alone, and their blocks
MB = 1_000_000
