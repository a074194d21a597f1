"""How long tests wait for what must come, and the one way they wait for it."""

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

Found = TypeVar("Found")

PATIENCE = float(os.environ.get("SDCG_PATIENCE", "120"))  # seconds; two loaded cores keep them
SOON = PATIENCE / 40  # seconds after which what a moving page may have lost is done again


def until(condition: Callable[[], Found | None], what: str) -> Found:
    """What the condition gives as soon as it is true; the test fails where that takes too long."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {PATIENCE:g} seconds (SDCG_PATIENCE)")
        time.sleep(0.02)
    return found


def finished(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """What a coroutine gives, in a thread of its own: a browser's test may have a loop in ours."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@contextmanager
def may_be_lost() -> Iterator[None]:
    """Let an act on a page that still moves be in vain; until() does it again."""
    from playwright.sync_api import TimeoutError as TooLate

    with suppress(TooLate):
        yield
