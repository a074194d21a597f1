"""From a log of any size to counts of grades, by an engine that reads SQL: DuckDB or Spark."""
