"""Where a Study meets the metrics: one file per question, and the definition they share."""
