"""RBP, ERR and nDCG of each list by ir_measures; run in an environment of its own.

python peers_measures.py RUN QRELS OUT.json
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

MEASURES = {"rbp": "RBP(rel=1,p=0.8)", "err": "ERR@10", "ndcg": "nDCG@10"}  # by our columns


def main(run: str, qrels: str, out: str) -> None:
    """Write each measure's value by query."""
    tool: Any = import_module("ir_measures")
    judged, shown = [*tool.read_trec_qrels(qrels)], [*tool.read_trec_run(run)]
    found = {
        name: {
            each.query_id: float(each.value)
            for each in tool.iter_calc([tool.parse_measure(measure)], judged, shown)
        }
        for name, measure in MEASURES.items()
    }
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
