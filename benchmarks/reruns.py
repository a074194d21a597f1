"""What a rerun takes of the server: milliseconds of processor and kB, by page and act.

A visitor without a browser moves sliders on each page, turns to it and opens it. Waiting for a
processor that others use does not count; `make soak` measures seconds, with many visitors.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from statistics import mean

from benchmarks.soak.processes import processor_of, server_of
from benchmarks.soak.visitor import Visitor
from benchmarks.soak.visits import WEIGHTS
from tests.support.server import PAGES, serving

TIMES = {"slider moved": 40, "page turned": 10, "page opened": 5}


def bench_reruns() -> None:
    """Print a table by page and act, and what an act of the soak takes on average."""
    if sys.platform != "linux":
        print("no reruns: it reads Linux's /proc")
        return
    print(f"| page | {', ms | '.join(TIMES)}, ms | a move, kB |\n|---|---:|---:|---:|---:|")
    every, start, own = list[list[float]](), time.perf_counter(), time.process_time()
    with serving("--ephemeral") as address:
        for page in PAGES:
            with Visitor(address, page):
                pass
        for page in PAGES:
            every.append(_of_page(address, page))
            print(f"| {page} | {' | '.join(f'{each:.0f}' for each in every[-1])} |", flush=True)
    means = [mean(each) for each in zip(*every, strict=True)]
    print(f"| mean | {' | '.join(f'{each:.0f}' for each in means)} |")
    weighted = sum(ms * share for ms, share in zip(means, WEIGHTS.values(), strict=False)) / 100
    own = (time.process_time() - own) / (time.perf_counter() - start)
    print(f"\nAn act of the soak: {weighted:.0f} ms; whoever measures takes {own:.1%} of a core.")


def _of_page(address: str, page: str) -> list[float]:
    """Milliseconds of a move, of turning to a page and of opening it; kB of a move."""
    server, chance = server_of(address), Random(1)
    other = next(name for name in PAGES if name != page)
    with Visitor(address, page) as visitor:
        visitor.move(chance)
        before = visitor.received
        moved = _ms(server, TIMES["slider moved"], lambda: visitor.move(chance))
        kilobytes = (visitor.received - before) / TIMES["slider moved"] / 1e3
        turned = list[float]()
        for _ in range(TIMES["page turned"]):
            visitor.turn_to(other)
            turned.append(_ms(server, 1, lambda: visitor.turn_to(page)))
    for fault in visitor.faults:
        print(fault)

    def opened() -> None:
        with Visitor(address, page):
            pass

    return [moved, mean(turned), _ms(server, TIMES["page opened"], opened), kilobytes]


def _ms(server: int, times: int, act: Callable[[], object]) -> float:
    """The server's processor time of an act."""
    before = processor_of(server)
    for _ in range(times):
        act()
    return 1e3 * (processor_of(server) - before) / times
