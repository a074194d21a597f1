"""What a command is at, on a terminal, while it takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread

import typer

from sdcg_explorer.study.problems import terminal_safe

EACH = 0.5  # seconds


@contextmanager
def showing_progress(what: str) -> Generator[None]:
    """Say what is done and for how long, on standard error where it is a terminal; gone after."""
    if not sys.stderr.isatty():
        yield
        return
    over, start, line = Event(), time.monotonic(), f"\r\x1b[K{terminal_safe(what)}"

    def say() -> None:
        while not over.wait(EACH):
            typer.echo(f"{line}, {time.monotonic() - start:.0f} s", err=True, nl=False)

    aside = Thread(target=say, daemon=True)
    aside.start()
    try:
        yield
    finally:
        over.set()
        aside.join()
        typer.echo("\r\x1b[K", err=True, nl=False)
