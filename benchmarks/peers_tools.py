"""nDCG@10 of each query by another tool, from files to numbers; run in an environment of its own.

python peers_tools.py TOOL RUN QRELS OUT.json, where "measures" is RBP, ERR and nDCG by ir_measures.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

MEASURES = {"rbp": "RBP(rel=1,p=0.8)", "err": "ERR@10", "ndcg": "nDCG@10"}  # by our columns


def pytrec_eval(run: str, qrels: str) -> dict[str, float]:
    tool: Any = import_module("pytrec_eval")

    with open(qrels, encoding="utf-8") as judged, open(run, encoding="utf-8") as shown:
        asked = tool.RelevanceEvaluator(tool.parse_qrel(judged), {"ndcg_cut_10"})
        found: Any = asked.evaluate(tool.parse_run(shown))
    return {query: values["ndcg_cut_10"] for query, values in found.items()}


def ir_measures(run: str, qrels: str) -> dict[str, float]:
    tool: Any = import_module("ir_measures")

    read = tool.read_trec_qrels(qrels), tool.read_trec_run(run)
    return {found.query_id: found.value for found in tool.iter_calc([tool.nDCG @ 10], *read)}


def ranx(run: str, qrels: str) -> dict[str, float]:
    tool: Any = import_module("ranx")

    shown: Any = tool.Run.from_file(run, kind="trec")
    tool.evaluate(tool.Qrels.from_file(qrels, kind="trec"), shown, "ndcg@10", make_comparable=True)
    return {query: float(value) for query, value in shown.scores["ndcg@10"].items()}


def measures(run: str, qrels: str) -> dict[str, dict[str, float]]:
    tool: Any = import_module("ir_measures")
    judged, shown = [*tool.read_trec_qrels(qrels)], [*tool.read_trec_run(run)]
    return {
        name: {
            each.query_id: float(each.value)
            for each in tool.iter_calc([tool.parse_measure(measure)], judged, shown)
        }
        for name, measure in MEASURES.items()
    }


TOOLS: dict[str, Callable[[str, str], dict[str, float]]] = {
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "ranx": ranx,
}

if __name__ == "__main__":
    name, *files, out = sys.argv[1:]
    found = {**TOOLS, "measures": measures}[name](*files)
    Path(out).write_text(json.dumps(found), encoding="utf-8")
