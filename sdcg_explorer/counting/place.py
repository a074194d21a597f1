"""The names of a counts folder."""

from __future__ import annotations

SIGN = "counts.json"  # by which a counts folder is known
SAMPLE = ("sample/log.parquet", "sample/judgments.parquet")
