"""Visitors of real pages for some minutes: how long their reruns take, and what goes wrong."""

import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from random import Random

from websockets.exceptions import ConnectionClosed

from benchmarks.soak.part import Part, megabytes, times_in_words
from benchmarks.soak.processes import memory_of, server_of, traceback_of
from benchmarks.soak.visitor import ACTS, Visitor
from tests.support.server import PAGES, serving

THINKING = 4.0  # seconds between two acts, on average
SHORTEST, LONGEST = 0.5, 15.0
ARRIVING = 0.1  # the share of the time in which they come
WEIGHTS = {"slider moved": 75, "page turned": 20, "page opened": 5}
AFTER = 60.0  # seconds after which memory is looked at once more
Times = dict[str, list[float]]


def soak_visits(minutes: float, visitors: int) -> Part:
    """Visit one server for several, the sample in each visitor's own definition."""
    part = Part(f"{visitors} visitors, {minutes:g} min")
    times: Times = defaultdict(list)
    with serving("--ephemeral") as address:
        server = server_of(address)
        _warm(address)
        part.add("memory at start", _memory(server))
        end = time.monotonic() + 60 * minutes
        with ThreadPoolExecutor(visitors) as pool:
            waits = [pool.submit(_visit, address, i, end, part, times) for i in range(visitors)]
        for each in waits:
            each.result()
        part.add("memory at end", _memory(server))
        time.sleep(AFTER)
        part.add(f"memory {AFTER:.0f} s after all have left", _memory(server))
        if found := traceback_of(server):
            part.blame(f"the server said: {found}")
    for what, seconds in sorted(times.items()):
        part.add(what, times_in_words(seconds))
    every = [s for each in times.values() for s in each]
    part.add("every rerun", times_in_words(every))
    part.add("errors", f"{len(part.faults)}")
    return part


def _warm(address: str) -> None:
    """Let the server import what every page needs, which its first visitors would wait for."""
    for page in PAGES:
        with Visitor(address, page):
            pass


def _visit(address: str, seed: int, end: float, part: Part, times: Times) -> None:
    """One visitor, who comes back where the connection broke, which is an error."""
    chance, page, query = Random(seed), Random(seed).choice(list(PAGES)), ""
    time.sleep(chance.uniform(0, ARRIVING * (end - time.monotonic())))
    while time.monotonic() < end:
        visitor = Visitor(address, page, query)
        try:
            start = time.perf_counter()
            with visitor:
                times["page opened"].append(time.perf_counter() - start)
                _stay(visitor, chance, end, times)
        except (ConnectionClosed, TimeoutError, OSError) as fault:
            part.blame(f"{visitor.page}: {type(fault).__name__} {fault}")
        for fault in visitor.faults:
            part.blame(fault)
        page, query = visitor.page, visitor.query


def _stay(visitor: Visitor, chance: Random, end: float, times: Times) -> None:
    """Act after some thought, until the page is reloaded or the time is up."""
    while time.monotonic() < end:
        thought = min(max(chance.expovariate(1 / THINKING), SHORTEST), LONGEST)
        time.sleep(max(min(thought, end - time.monotonic()), 0.0))
        (what,) = chance.choices([*WEIGHTS], [*WEIGHTS.values()])
        if what not in ACTS:
            return
        if what == "page turned" or visitor.sliders:
            times[what].append(ACTS[what](visitor, chance))


def _memory(server: int) -> str:
    own, workers = memory_of(server)
    return f"server {megabytes(own)}, processes beside it {megabytes(workers)}"
