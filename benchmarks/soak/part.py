"""What a part of the soak found: figures for the table, and what must not have been."""

from dataclasses import dataclass, field
from statistics import median, quantiles


@dataclass
class Part:
    """Its figures are printed; every error or loss is kept, in words."""

    words: str
    faults: list[str] = field(default_factory=list[str])

    def add(self, what: str, figure: str) -> None:
        """Print a figure."""
        print(f"{self.words}, {what}: {figure}", flush=True)

    def blame(self, fault: str) -> None:
        """Add an error, and print it."""
        self.faults.append(fault)
        print(f"{self.words}: {fault}", flush=True)


def times_in_words(seconds: list[float]) -> str:
    """Median, 95th percentile and longest of some times."""
    if len(seconds) < 2:
        return f"{len(seconds)} in all"
    p95 = quantiles(seconds, n=20, method="inclusive")[-1]
    half, longest = median(seconds), max(seconds)
    return f"p50 {half:.2f} s, p95 {p95:.2f} s, longest {longest:.2f} s ({len(seconds):,})"


def megabytes(size: float) -> str:
    """Bytes, in MB."""
    return f"{size / 1e6:,.0f} MB"
