"""`sdcg score` beside pytrec_eval, ir_measures and ranx: the same files in one run, reading too."""

import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv, parquet

from benchmarks import peers_tools, scale

ROWS = 10_000_000
SHOWN, JUDGED, DOCS = 100, 60, 1_000_003  # of each query; documents are a prime: none recurs
AS_MEASURED = {
    "rbp": ("--weights", "binary", "--measure", "rbp", "--p", "0.8"),
    "err": ("--measure", "err", "--err-rule", "gdeval"),
    "ndcg": ("--weights", "linear", "--discount", "kanoulas2011"),
}
FORMS = ("run.txt", "log.csv", "log.parquet")
AS_TREC = ("--weights", "linear", "--discount", "kanoulas2011", "--top", "10")
EQUAL = 1e-9
LISTS, LONG = 200, 10  # random lists that further measures are compared on
PRINTED = {"err": 1e-5}  # gdeval prints five decimals
ROOT = Path(__file__).parent.parent


def bench_peers() -> None:
    """Print seconds and peak memory of each tool; SDCG_ROWS=1000000 asks for another size."""
    rows = int(os.environ.get("SDCG_ROWS", ROWS))
    python = environment()
    compare_measures(python)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # in a process of its own: a command's peak counts what the process before it held
        subprocess.run([sys.executable, "-m", "benchmarks.peers", name, str(rows)], check=True)
        print(f"{rows:,} results, {rows * JUDGED // SHOWN:,} judgments", flush=True)
        found = {tool: _peer(python, tool, folder) for tool in peers_tools.TOOLS}
        found |= {form: _ours(form, folder) for form in FORMS}
    reference = found["ir_measures"]
    for tool, values in found.items():
        apart = max(abs(values[query] - value) for query, value in reference.items())
        if apart > EQUAL or values.keys() != reference.keys():
            raise ValueError(f"{tool} and ir_measures differ by {apart:.3g}")
    print(f"nDCG@10 of {len(reference):,} queries equal to {EQUAL:g}")


def compare_measures(python: Path) -> None:
    """Print how far RBP, ERR and nDCG of random lists are from ir_measures', cwl's and gdeval's.

    Raises
    ------
    ValueError : further than these programs print
    """
    rng = np.random.default_rng(2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = [(q, r, rng.integers(100)) for q in range(LISTS) for r in range(LONG)]
        # gdeval's topics are numbers
        rows = [(q + 1, r + 1, f"d{r}_{doc}") for q, r, doc in places]
        run = "".join(f"{q} Q0 {doc} {r} {LONG - r} t\n" for q, r, doc in rows)
        (folder / "run.txt").write_text(run, encoding="utf-8")
        judged = [(q, doc, rng.integers(4)) for q, _, doc in rows if rng.random() < 0.8]
        qrels = "".join(f"{q} 0 {doc} {grade}\n" for q, doc, grade in judged)
        (folder / "qrels.txt").write_text(qrels, encoding="utf-8")
        log = pd.DataFrame(rows, columns=["session", "rank", "doc"])
        log = log.assign(topic=log["session"], query_number=1)
        log.to_csv(folder / "log.csv", index=False)
        files = [str(folder / each) for each in ("run.txt", "qrels.txt", "theirs.json")]
        subprocess.run([python, peers_tools.__file__, "measures", *files], check=True)
        theirs = json.loads((folder / "theirs.json").read_text(encoding="utf-8"))
        for measure, values in theirs.items():
            ours = _measured(folder, AS_MEASURED[measure])[measure].fillna(0.0)
            apart = max(abs(ours[query] - value) for query, value in values.items())
            print(f"{measure} of {LISTS} lists: {apart:.1e} from ir_measures", flush=True)
            if apart > PRINTED.get(measure, EQUAL):
                raise ValueError(f"{measure} and ir_measures differ by {apart:.3g}")


def _measured(folder: Path, choices: tuple[str, ...]) -> pd.DataFrame:
    """Our queries.csv of these lists, by topic."""
    out = folder / "ours"
    given = [str(folder / "log.csv"), str(folder / "qrels.txt"), "--out", str(out), "--force"]
    command = [*scale.SDCG, "score", *given, "--top", str(LONG), *choices]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return pd.read_csv(out / "queries.csv", dtype={"topic": str}).set_index("topic")


def environment() -> Path:
    """The Python that has the other tools (extra `peers` of pyproject.toml)."""
    folder = ROOT / ".venv-peers"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = about["project"]["optional-dependencies"]["peers"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python


def write_logs(folder: Path, rows: int) -> None:
    """Write one log as TREC run, CSV and Parquet, sessions of 1 to 7 queries, and its qrels."""
    rng, queries = np.random.default_rng(1), rows // SHOWN
    session = np.repeat(np.arange(queries), rng.integers(1, 8, queries))[:queries]
    number = np.arange(queries) - np.searchsorted(session, session) + 1
    ids = [f"s{s}_{n}" for s, n in zip(session, number, strict=True)]
    start, step = rng.integers(0, DOCS, queries), rng.integers(1, DOCS, queries)
    docs = pa.array([f"clueweb12-{i:07}" for i in range(DOCS)])
    falls = rng.integers(20, 4_000, (queries, SHOWN))[:, ::-1].cumsum(axis=1)[:, ::-1]

    def each(texts: Any, times: int) -> Any:
        return pa.array(texts).take(pa.array(np.repeat(np.arange(queries, dtype=np.int32), times)))

    def documents(places: Any) -> Any:
        return docs.take(pa.array(((start[:, None] + step[:, None] * places) % DOCS).ravel()))

    ranks = np.tile(np.arange(1, SHOWN + 1), queries)
    log: dict[str, Any] = {
        "session": each([f"s{s}" for s in session], SHOWN),
        "topic": each(ids, SHOWN),
        "query_number": each(number, SHOWN),
        "rank": ranks,
        "doc": documents(np.arange(SHOWN)),
    }
    constant = {"q0": pa.repeat("Q0", rows), "tag": pa.repeat("bm25", rows)}
    run = {**log, **constant, "score": falls.ravel() / 1e4}
    parts = ("topic", "q0", "doc", "rank", "score", "tag")
    _write(pa.table({name: run[name] for name in parts}), folder / "run.txt", " ")
    judged = {
        "topic": each(ids, JUDGED),
        "zero": pa.repeat("0", queries * JUDGED),
        "doc": documents(np.arange(JUDGED) * 2),
        "grade": rng.choice(4, queries * JUDGED, p=[0.6, 0.2, 0.15, 0.05]),
    }
    _write(pa.table(judged), folder / "qrels.txt", " ")
    _write(pa.table(log), folder / "log.csv", ",", ",".join(log))
    parquet.write_table(pa.table(log), folder / "log.parquet")


def _write(table: Any, path: Path, delimiter: str, header: str = "") -> None:
    plain: Any = {"include_header": False, "delimiter": delimiter, "quoting_style": "none"}
    with path.open("wb") as file:
        file.write(f"{header}\n".encode() if header else b"")
        csv.write_csv(table, file, csv.WriteOptions(**plain))


def _peer(python: Path, tool: str, folder: Path) -> dict[str, float]:
    out = folder / f"{tool}.json"
    files = [str(folder / name) for name in ("run.txt", "qrels.txt")]
    _tell_spent(tool, [str(python), peers_tools.__file__, tool, *files, str(out)], out)
    return json.loads(out.read_text(encoding="utf-8"))


def _ours(form: str, folder: Path) -> dict[str, float]:
    out = folder / f"scores of {form}"
    files = [str(folder / name) for name in (form, "qrels.txt")]
    command = [*scale.SDCG, "score", *files, "--out", str(out), *AS_TREC]
    _tell_spent(f"sdcg score of {form}", command, out / "queries.csv")
    table = pd.read_csv(out / "queries.csv", dtype={"session": str})
    ids = table["session"] + "_" + table["query_number"].astype(str)
    return dict(zip(ids, table["ndcg"].fillna(0.0).tolist(), strict=True))


def _tell_spent(words: str, command: list[str], result: Path) -> None:
    """Print how long a command takes, and how long till its result is there."""
    begun = time.time()
    seconds, processor, peak = scale.spent(*command)
    print(
        f"{words}: {result.name} after {result.stat().st_mtime - begun:.1f} s, all after "
        f"{seconds:.1f} s ({processor:.1f} s of processor), peak {peak:.2f} GB",
        flush=True,
    )


if __name__ == "__main__":
    write_logs(Path(sys.argv[1]), int(sys.argv[2]))
