"""A command that takes longer than a moment says on a terminal what it is at."""

import sys
from io import StringIO
from threading import Event

import pytest

from sdcg_explorer.commands import options as module
from sdcg_explorer.commands.options import EACH, showing_progress


class Screen(StringIO):
    """A terminal, or none, that tells when something is written."""

    def __init__(self, *, watched: bool) -> None:
        super().__init__()
        self.watched, self.said = watched, Event()

    def isatty(self) -> bool:
        return self.watched

    def write(self, text: str, /) -> int:
        self.said.set()
        return super().write(text)


def test_a_terminal_is_told_within_a_second_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EACH < 1
    monkeypatch.setattr(module, "EACH", 0.001)
    screen = Screen(watched=True)
    monkeypatch.setattr(sys, "stderr", screen)
    with showing_progress("reading a\x1b.txt"):
        assert screen.said.wait(30)
    shown = screen.getvalue()
    assert "\r\x1b[Kreading a" in shown
    assert "a\x1b" not in shown
    assert shown.endswith("\r\x1b[K")


def test_what_is_no_terminal_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(watched=False)
    monkeypatch.setattr(sys, "stderr", screen)
    with showing_progress("reading a.txt"):
        pass
    assert not screen.getvalue()
