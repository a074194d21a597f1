"""Published results: what needs no data equals the print, and files are fetched as they say."""

from __future__ import annotations

import pytest

from benchmarks.published import __main__ as command
from benchmarks.published.rows import DIFFERS, markdown, number
from tests.support.plain_files import ROOT
from tests.support.studies import DATA, real_logs
from tests.support.thorough import THOROUGH

PAGE = (ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8")


def test_printed_numbers_come_out_and_stand_on_the_page() -> None:
    parts = [compute() for compute in command.FREE]
    assert sum(len(part.rows) for part in parts) > 40
    assert [row for part in parts for row in part.rows if row.verdict == DIFFERS] == []
    for part in parts:
        assert markdown(part) in PAGE, "make reproduce ARGS=--write"
    assert number("mean", "2.53", 2.5351).verdict == DIFFERS


@real_logs
@pytest.mark.skipif(THOROUGH == 1, reason="ten seconds: in make soak")
def test_the_page_says_what_the_data_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDCG_SHARED", str(DATA.parent))
    assert command.page(command.computed()) == PAGE
