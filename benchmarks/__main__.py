"""Run the benchmarks: times beside other tools, and what simulated studies show."""

import sys

from benchmarks import fits, latency, outcomes, peers, power, scale, simulated, simulated_topics
from benchmarks.agreement import bench_agreement
from benchmarks.bands import bench_bands
from benchmarks.soak.run import soak

PARTS = {
    "latency": latency.bench_latency,
    "promises": simulated.bench_promises,
    "outcomes": outcomes.bench_outcomes,
    "bands": bench_bands,
    "topics": simulated_topics.bench_topics,
    "power": power.bench_power,
    "agreement": bench_agreement,
    "fits": fits.bench_fits,
    "scale": scale.bench_scale,
    "peers": peers.bench_peers,
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
