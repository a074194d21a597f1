"""A command that takes longer than a moment says on a terminal what it is at."""

import sys
from io import StringIO
from typing import Any

import pytest

from sdcg_explorer.commands import options
from tests.support.waiting import until


def test_a_terminal_alone_is_told_within_a_second_and_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert options.EACH < 1
    monkeypatch.setattr(options, "EACH", 0.001)
    for watched in (True, False):
        screen: Any = StringIO()
        screen.isatty = lambda is_one=watched: is_one
        monkeypatch.setattr(sys, "stderr", screen)
        with options.showing_progress("reading a\x1b.txt"):
            until(lambda said=screen: said.getvalue() or not said.isatty(), "a line")
        shown = screen.getvalue()
        assert bool(shown) == shown.startswith("\r\x1b[Kreading a") == watched
        assert bool(shown) == shown.endswith("\r\x1b[K")
        assert "a\x1b" not in shown
