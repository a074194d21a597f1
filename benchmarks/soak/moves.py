"""One visitor who moves sliders all day: what the server holds on to."""

from __future__ import annotations

from random import Random

from benchmarks.soak.part import Part, megabytes, times_in_words
from benchmarks.soak.processes import memory_of, server_of, traceback_of
from benchmarks.soak.visitor import Visitor
from tests.support.server import serving

FIRST = 0.1  # the share of the moves after which what is loaded once is there
PAGE = "session_curves"


def soak_moves(moves: int) -> Part:
    """Move the sliders of both bases of one session on the sample, one after the other."""
    part, chance = Part(f"{moves:,} moves in one session"), Random(moves)
    first, times = int(FIRST * moves), list[float]()
    with serving("--ephemeral") as address, Visitor(address, PAGE) as visitor:
        server = server_of(address)
        part.add("memory at start", megabytes(memory_of(server)[0]))
        for i in range(moves):
            times.append(visitor.move(chance))
            if i == first:
                part.add(f"memory after {first:,} moves", megabytes(memory_of(server)[0]))
        part.add("memory at end", megabytes(memory_of(server)[0]))
        for fault in visitor.faults:
            part.blame(fault)
        if found := traceback_of(server):
            part.blame(f"the server said: {found}")
    part.add("slider moved", times_in_words(times))
    part.add("errors", f"{len(part.faults)}")
    return part
