"""The block and the counts of a study, against plain loops over the rows of its log."""

import random
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.grade_cube import NEVER, Arrangement, Block
from sdcg_explorer.study.grades import NO_GRADE, label
from sdcg_explorer.study.study import Study
from tests.support.plain_files import LOG_HEADER, judgment_rows, write_rows
from tests.support.plain_loop import PlainStudy
from tests.support.random_studies import TOPICS, random_judgments, random_list

HEADER = (*LOG_HEADER, "grade", "clicked", "examined")
Lists = dict[tuple[str, int], tuple[str, dict[int, tuple[str, str, bool]]]]


def random_study(folder: Path, chance: random.Random) -> tuple[Study, Lists, dict[Any, float]]:
    """A study; {(session, query): (topic, {rank: (doc, own grade, noticed)})}; judgments."""
    lists: Lists = {}
    rows = list[tuple[object, ...]]()
    for s, own in product("abcde", (True, False)):
        for q in range(1, chance.randint(1, 4) + own):
            topic, shown = chance.choice(TOPICS), random_list(chance)
            marks = [chance.choice([(0, 0), (0, 0), (0, 1), (1, 0), (1, "")]) for _ in shown]
            given = [chance.choice(["", "0", "2", "4"]) if own else "" for _ in shown]
            each = zip(shown.items(), given, marks, strict=True)
            known = {r: (doc, grade, 1 in mark) for (r, doc), grade, mark in each}
            lists[f"{s}{own:d}", q] = topic, known
            head = f"{s}{own:d}", f"p{s}", "AB"[own], topic, q
            cells = [(*cell, *mark) for cell, mark in zip(known.items(), marks, strict=True)]
            rows += [(*head, r, *of[:2], *mark) for r, of, *mark in cells] or [(*head, *" " * 5)]
    judged = random_judgments(chance)
    write_rows(folder / "log.csv", HEADER, [[str(cell).strip() for cell in row] for row in rows])
    plain = judgment_rows(PlainStudy([], judged))
    write_rows(folder / "judgments.csv", ("topic", "doc", "grade"), plain)
    return read_study(folder / "log.csv", folder / "judgments.csv"), lists, judged


def arranged(lists: Lists, judged: dict[Any, float], how: Arrangement) -> dict[Any, Any]:
    """Of each list: its topic, cells by rank, where each was seen, its length, deepest noticed."""
    found, earlier = dict[Any, Any](), defaultdict[Any, dict[Any, int]](dict)
    for (session, q), (topic, shown) in lists.items():
        grades = {
            rank: own if how.own else label(judged[topic, doc]) if (topic, doc) in judged else ""
            for rank, (doc, own, _) in shown.items()
        }
        deepest = max((rank for rank, of in shown.items() if of[2]), default=-1)
        near = [r for r in shown if not how.observed or deepest < 0 or r <= deepest]
        length = max(shown, default=0)
        if how.condense:
            length = sum(map(bool, grades.values()))
            kept = [r for r in near if grades[r]]
            ranks = {r: place for place, r in enumerate(kept, 1)}
            upto = sum(bool(grades[r]) and (deepest < 0 or r <= deepest) for r in near)
            deepest = upto if deepest > 0 else -1
        else:
            ranks = {r: r for r in near}
        cells, here = dict[int, tuple[str, int]](), dict[str, int]()
        for old, rank in ranks.items():
            doc = shown[old][0]
            copy = doc in here
            here.setdefault(doc, rank)
            grade = grades[old] or NO_GRADE[0]
            at = NEVER if copy else earlier[session].get((topic, doc), NEVER)
            cells[rank] = (NO_GRADE[2] if copy and grades[old] else grade, at)
        for doc, rank in here.items():
            known = earlier[session]
            known[topic, doc] = min(rank, known.get((topic, doc), NEVER))
        found[session, q] = (topic, cells, length, deepest)
    return found


def decoded(block: Block, names: list[str], depth: int) -> dict[Any, Any]:
    """The same of a block."""
    words, found = [*map(label, block.labels), *NO_GRADE], dict[Any, Any]()
    for s, q in product(range(len(names)), range(block.codes.shape[1])):
        cells = {
            rank: (words[code], int(at))
            for rank, (code, at) in enumerate(
                zip(block.codes[s, q], block.seen_at[s, q], strict=True), 1
            )
            if words[code] or at < NEVER
        }
        if q < block.queries[s]:
            topic = block.topic_names[block.topics[s, q]]
            places = int(block.lengths[s, q]), int(block.observed[s, q])
            found[names[s], q + 1] = (topic, cells, *places)
        else:
            assert (cells, block.topics[s, q], block.lengths[s, q]) == ({}, -1, 0)
            assert block.pools[s, q] == block.observed[s, q] == -1
    return found


@pytest.mark.parametrize("seed", range(6))
def test_block_is_what_plain_loops_find(seed: int, tmp_path: Path) -> None:
    study, lists, judged = random_study(tmp_path, random.Random(seed))
    names = study.sessions["session"].astype("str").tolist()
    for own, condense, observed in product((False, True), repeat=3):
        how = Arrangement(own, condense, observed)
        for depth in (3, 100):
            block, plain = study.block(depth, how), arranged(lists, judged, how)
            for key, (topic, cells, *places) in plain.items():
                near = {rank: cell for rank, cell in cells.items() if rank <= depth}
                plain[key] = (topic, near, *places)
            assert decoded(block, names, depth) == plain
            assert [names[i] for i in np.argsort(block.by_name)] == sorted(names)
            assert_ideals(block, lists, judged, own=own)


def assert_ideals(block: Block, lists: Lists, judged: dict[Any, float], *, own: bool) -> None:
    """How many documents of each topic have which grade; of searchers', which grades, too."""
    graded = defaultdict[Any, set[float]](set)
    for topic, shown in lists.values() if own else ():
        for doc, grade, _ in shown.values():
            graded[topic, doc] |= {float(grade)} if grade else set()
    graded |= {} if own else {key: {grade} for key, grade in judged.items()}
    for t, topic in enumerate(block.topic_names):
        expected = Counter(
            tuple(sorted(grades)) for (of, _), grades in graded.items() if of == topic and grades
        )
        kinds = block.given if own else np.eye(len(block.labels), dtype=bool)
        assert kinds is not None
        named = [tuple(np.array(block.labels)[kind].tolist()) for kind in kinds]
        ours = {kind: n for kind, n in zip(named, block.judged[t].tolist(), strict=True) if n}
        assert ours == expected
        assert block.judged_pools[t] == bool(expected)


@pytest.mark.parametrize("seed", range(6))
def test_counts_are_what_plain_loops_find(seed: int, tmp_path: Path) -> None:
    study, lists, judged = random_study(tmp_path, random.Random(seed))
    at = [
        (s, q, topic, r, doc)
        for (s, q), (topic, of) in lists.items()
        for r, (doc, *_) in of.items()
    ]
    placed = [(s, q, doc) for s, q, _, _, doc in at]
    first = {key: placed.index(key) for key in placed}
    earlier = [{(t, doc) for x, p, t, _, doc in at if (x, p < q) == (s, True)} for s, q, *_ in at]
    copies = [first[key] != i for i, key in enumerate(placed)]
    known = {topic for topic, _ in judged}
    shown = {(topic, doc) for _, _, topic, _, doc in at}
    of_sessions = Counter(session for session, _ in lists)
    dull = {*of_sessions} - {s for (s, _), (topic, _) in lists.items() if topic in known}
    top = [(r, (topic, doc) in judged) for _, _, topic, r, doc in at]
    expected = {
        "queries_without_results": sum(not of for _, of in lists.values()),
        "repeats": sum(
            (t, doc) in seen and not copy
            for (_, _, t, _, doc), seen, copy in zip(at, earlier, copies, strict=True)
        ),
        "repeats_by_document": sum(
            doc in {other for _, other in seen} and not copy
            for (*_, doc), seen, copy in zip(at, earlier, copies, strict=True)
        ),
        "documents_twice_in_a_list": sum(copies),
        "query_lengths": {str(n): c for n, c in sorted(Counter(of_sessions.values()).items())},
        "grades": dict(
            sorted(Counter(map(label, judged.values())).items(), key=lambda of: float(of[0]))
        ),
        "judgments_matched": len(shown & {*judged}),
        "sessions_without_judgments": len(dull),
        "lists_with_rank_gaps": sum(max(of, default=0) > len(of) for _, of in lists.values()),
        "judged_share": sum(of for _, of in top) / len(at),
        "judged_by_rank": [
            sum(of for r, of in top if r == rank) / sum(r == rank for r, _ in top)
            for rank in sorted({r for r, _ in top})
        ],
    }
    assert {name: study.checked()[name] for name in expected} == expected
