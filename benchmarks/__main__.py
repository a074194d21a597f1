"""Run the benchmarks: times beside other tools, and what simulated studies show."""

import sys

from benchmarks.agreement import bench_agreement
from benchmarks.bands import bench_bands
from benchmarks.fits import bench_fits
from benchmarks.latency import bench_latency
from benchmarks.outcomes import bench_outcomes
from benchmarks.peers import bench_peers
from benchmarks.power import bench_power
from benchmarks.scale import bench_scale
from benchmarks.simulated import bench_promises
from benchmarks.simulated_topics import bench_topics
from benchmarks.soak.run import soak

PARTS = {
    "latency": bench_latency,
    "promises": bench_promises,
    "outcomes": bench_outcomes,
    "bands": bench_bands,
    "topics": bench_topics,
    "power": bench_power,
    "agreement": bench_agreement,
    "fits": bench_fits,
    "scale": bench_scale,
    "peers": bench_peers,
}


def main(*names: str) -> None:
    """Print every figure in one run, but for those of peers, or those of the parts named."""
    # peers are installed, and take minutes
    for name in names or [name for name in PARTS if name != "peers"]:
        PARTS[name]()


if __name__ == "__main__":
    first, options = sys.argv[1:2], sys.argv[2:]
    if first == ["soak"]:  # of minutes, and no part of the benchmarks
        sys.exit(soak(*options))
    elif first in (["latency"], ["scale"]):  # of a study's files; of so many results
        PARTS[first[0]](*options)
    else:
        main(*sys.argv[1:])
