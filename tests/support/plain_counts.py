"""Counts of a study by plain loops over its tables and its block, which know no SQL."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.counting.counted import KINDS, Counted
from sdcg_explorer.study.grades import AGAIN, code_of
from sdcg_explorer.study.study import Study

Layout = tuple[tuple[int, int], ...]


def bucket_of(name: str) -> int:
    """Bucket of a searcher or session: the first byte of the md5 of its name."""
    return hashlib.md5(name.encode()).digest()[0]


def plain_counts(study: Study, top: int, short_lists: str | int = "pad") -> Counted:
    """What counting a study's files comes to."""
    block = study.block()
    judged = {*study.judgments["topic"].astype(str)}
    topics = tuple(sorted({*study.queries["topic"].astype(str)} & judged))
    groups: Counter[tuple[int, int, Layout]] = Counter()
    counts: Counter[tuple[Any, ...]] = Counter()
    shown: Counter[tuple[int, int]] = Counter()
    for s, row in enumerate(study.sessions.to_dict("records")):
        who = row["searcher"] if isinstance(row["searcher"], str) else str(row["session"])
        system = int(block.systems[s])
        layout = layout_of(study, s, topics, top, short_lists)
        key = bucket_of(who), system, layout
        groups[key] += 1
        for q, (topic, _) in enumerate(layout):
            for r in range(min(top, block.codes.shape[2])):
                code = int(block.codes[s, q, r])
                shown[system, r + 1] += code != block.empty
                if topic >= 0 and code not in (block.unjudged, block.empty):
                    counts[*key, q + 1, r + 1, code, int(block.seen_at[s, q, r] <= top)] += 1
    layouts = sorted({layout for _, _, layout in groups})
    place = {key: i for i, key in enumerate(sorted(groups))}
    profile = Counter(
        (topics.index(str(topic)), block.labels.index(grade))
        for topic, grade in zip(study.judgments["topic"], study.judgments["grade"], strict=True)
        if str(topic) in topics
    )
    of_lists = sorted(
        ((place[b, y, of], q), *where, n) for (b, y, of, q, *where), n in counts.items()
    )
    lists = {(i, q): 0 for key, i in place.items() for q in range(1, len(key[2]) + 1)}
    for each, *_ in of_lists:
        lists[each] += 1
    rows: dict[str, list[Any]] = {
        "layouts": [
            (i, q, *cells) for i, of in enumerate(layouts) for q, cells in enumerate(of, start=1)
        ],
        "groups": [(i, *key[:2], layouts.index(key[2]), groups[key]) for key, i in place.items()],
        "lists": [(n,) for n in lists.values()],
        "counts": [where for _, *where in of_lists],
        "judged": sorted((*where, n) for where, n in profile.items()),
        "shown": sorted((*where, n) for where, n in shown.items() if n),
    }
    tables = {
        name: pd.DataFrame(rows[name], columns=pd.Index([*kinds])).astype(kinds)
        for name, kinds in KINDS.items()
    }
    assert code_of(AGAIN, block.labels) == block.again
    return Counted(study.name, top, short_lists, block.system_names, topics, block.labels, tables)


def layout_of(
    study: Study, session: Any, topics: tuple[str, ...], top: int, short_lists: str | int
) -> Layout:
    """Topic (−1 where nobody judged it) and cells of each query of a session."""
    block = study.block()
    names = [block.topic_names[t] for t in block.topics[session] if t >= 0]
    lengths = block.lengths[session, : len(names)]
    least = {"pad": top, "as-is": 0}.get(str(short_lists), short_lists)
    cells = np.clip(lengths, min(int(least), top), top).tolist()
    places = [topics.index(name) if name in topics else -1 for name in names]
    return tuple(zip(places, cells, strict=True))
