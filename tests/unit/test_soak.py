"""What a soak writes down: its own section, and nothing else of the page."""

from __future__ import annotations

from benchmarks.soak.part import Part, times_in_words
from benchmarks.soak.report import replaced, section


def test_section_takes_the_place_of_the_last_one_alone() -> None:
    first, second = (section([Part("moves", [("memory", f"{i} MB")])]) for i in (1, 2))
    page = replaced("# Performance\n\nBefore.\n", first)
    assert page == f"# Performance\n\nBefore.\n\n{first}"
    assert "| moves | memory | 1 MB |\n" in first
    between = f"{page}\n## After\n\n1 MB.\n"
    assert replaced(between, second) == between.replace(first, second)


def test_times_are_said_by_order_statistics() -> None:
    assert times_in_words([i / 100 for i in range(101)]) == (
        "p50 0.50 s, p95 0.95 s, longest 1.00 s (101)"
    )
    assert times_in_words([1.0]) == "1 in all"
