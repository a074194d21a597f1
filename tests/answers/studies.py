"""The studies whose answers are kept: the samples, and nine odd ones drawn with a fixed seed."""

import random
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

import sdcg_explorer as sx

SAMPLES = {"ecir2008": 0, "three_sessions": 1, "ecir2008_rated": 2}  # places among the samples


@dataclass(frozen=True)
class Drawn:
    """How a study is drawn: its design, and what is odd about it."""

    seed: int
    systems: int = 2
    sessions: int = 6  # of each system
    grades: tuple[int, ...] = (0, 0, 1, 2, 3)
    judged: float = 0.8  # share of documents
    same_lists: bool = False  # in all systems
    has_searchers: bool = True
    gaps: bool = False  # in ranks, and queries without results
    unjudged_topic: bool = False
    timed: bool = False  # queries and reading; each searcher works with each system in turn


ODD = {
    "one_system": Drawn(1, systems=1, sessions=12),
    "one_session": Drawn(2, systems=1, sessions=1),
    "all_zero": Drawn(3, grades=(0,)),
    "ties": Drawn(4, same_lists=True),
    "no_searcher": Drawn(5, sessions=8, has_searchers=False),
    "gaps": Drawn(6, systems=3, gaps=True),
    "ten_systems": Drawn(7, systems=10),
    "unjudged": Drawn(8, sessions=8, judged=0.3, unjudged_topic=True),
    "timed": Drawn(9, sessions=12, timed=True),
}
NAMES = (*SAMPLES, *ODD)


def study(name: str) -> sx.Study:
    """One of the studies, by its name."""
    if name in SAMPLES:
        return list(sx.samples().values())[SAMPLES[name]]
    log, judgments = _tables(ODD[name])
    with TemporaryDirectory() as folder:
        files = Path(folder) / "log.csv", Path(folder) / "judgments.csv"
        log.to_csv(files[0], index=False)
        judgments.to_csv(files[1], index=False)
        return sx.read(*files, name=name, query_numbers="keep")


def _tables(asked: Drawn) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Log and judgments: sessions of one to five queries of up to ten results on three topics."""
    rows: list[dict[str, object]] = []
    for system in range(asked.systems):
        chance = random.Random(asked.seed + (0 if asked.same_lists else 100 * system))
        for session in range(asked.sessions):
            topic = "ABC"[session % 3]
            where = {
                "session": f"s{system}-{session}",
                "system": f"System {system + 1}",
                "searcher": f"P{(session + system) % 4}" if asked.has_searchers else "",
                "topic": topic,
            }
            now = pd.Timestamp("2026-03-02 09:00") + pd.Timedelta(hours=2 * session)
            now += pd.Timedelta(hours=(system + session) % asked.systems)
            for query in range(1, chance.randint(1, 5) + 1):
                at = {**where, "query_number": query, "query": f"words {query}"}
                if asked.timed:
                    now += pd.Timedelta(seconds=chance.randint(20, 200))
                    at["time"] = now.isoformat()
                docs = chance.sample(range(40), chance.randint(3, 10))
                if asked.gaps and chance.random() < 0.2:
                    rows.append({**at, "rank": "", "doc": "", "clicked": ""})
                    continue
                for place, doc in enumerate(docs, start=1):
                    if asked.gaps and chance.random() < 0.2:
                        continue
                    clicked = int(chance.random() < 0.3)
                    read = {"dwell": chance.randint(2, 90) * clicked} if asked.timed else {}
                    result = {"rank": place, "doc": f"{topic}{doc}", "clicked": clicked}
                    rows.append({**at, **result, **read})
    chance = random.Random(asked.seed)
    judgments = [
        {"topic": topic, "doc": f"{topic}{doc}", "grade": chance.choice(asked.grades)}
        for topic in ("AB" if asked.unjudged_topic else "ABC")
        for doc in range(40)
        if chance.random() < asked.judged
    ]
    log = pd.DataFrame(rows)
    return log if asked.has_searchers else log.drop(columns="searcher"), pd.DataFrame(judgments)
