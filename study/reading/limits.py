"""What an upload may be at most; the README lists the same."""

from __future__ import annotations

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
MOST_RESULTS = 2_000_000  # of a log in the browser
DEEPEST = 50  # levels of XML or JSON
LONGEST_JOB = 120.0  # seconds that a server for several takes to read or compute something
MOST_MEMORY = 3_000_000_000  # bytes, of the process that does it
MOST_OF_VISITOR = 450_000_000  # bytes that a visitor has uploaded and not accepted yet: two files
MOST_IN_HAND = 1_000_000_000  # bytes, the same of all visitors
