"""The reference for By hand: the published sessions as plain data, and their steps as a loop."""

import re
from dataclasses import dataclass

from tests.support import plain_loop

Row = dict[str, float]
WORTH = {  # of grades 0, 1, 2, 3: docs/methods.md, Gain
    "paper": {0.0: 0.0, 1.0: 1.0, 2.0: 10.0, 3.0: 100.0},
    "linear": {0.0: 0.0, 1.0: 1.0, 2.0: 2.0, 3.0: 3.0},
    "exponential": {0.0: 0.0, 1.0: 1.0, 2.0: 3.0, 3.0: 7.0},
}


@dataclass(frozen=True)
class Plain:
    """A session as plain data."""

    queries: list[plain_loop.Query]
    judgments: plain_loop.Judgments


def plain(judged: str, lists: str, topics: str = "t") -> Plain:
    """A session as docs/methods.md writes it: d1:3 d2:2, [d5 d1] [] [d7]; - for a gap."""
    named = topics.split()
    graded = [text.split(":") for text in judged.split()]
    keys = [doc.split("/") if "/" in doc else (named[0], doc) for doc, _ in graded]
    judgments = {(topic, doc): float(g) for (topic, doc), (_, g) in zip(keys, graded, strict=True)}
    docs = [part.split() for part in re.findall(r"\[(.*?)\]", lists)]
    ranked = [{r: doc for r, doc in enumerate(part, 1) if doc != "-"} for part in docs]
    return Plain(
        [(named[min(q, len(named) - 1)], part) for q, part in enumerate(ranked)], judgments
    )


def numbered(letter: str, grades: str) -> str:
    return " ".join(f"{letter}{i}:{g}" for i, g in enumerate(grades.split(), start=1))


def named(letter: str, number: int) -> str:
    return f"[{' '.join(f'{letter}{i}' for i in range(1, number + 1))}]"


LECTURE = (
    f"{numbered('q1/a', '1 0 1 0 0 3 0 0 0 2 0 0 0 0 3')} "
    f"{numbered('q2/b', '0 0 2 0 0 0 0 1 0 0 0 0 0 0 3')}"
)
SESSIONS = {  # docs/methods.md, Numbers to test against
    "T-1": plain(
        "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2 d7:3 d8:1 d9:0 d10:2 d11:1 d12:3",
        "[d5 d1 u1 d4 d2] [d7 d9 d6 u2 d8] [d3 d10 u3 d11 d12]",
    ),
    "T-2": plain("a1:1 a2:2 a3:3", "[a3 a1] [a3 a2 u1] [] [a2 u2]"),
    "T-3": plain(
        "x1:3 x2:3 x3:2 x4:2 x5:1 x6:1 x7:1 x8:0 x9:0 x10:3",
        "[x8 x1 x5 u1 x2 x9 u2 x3 u3 x6] [x1 x2 x10 x4 u4 x7 u5 u6 u7 u8]",
    ),
    "ecir2008": plain(numbered("d", "3 2 3 0 0 1 2 2 3 0"), named("d", 10)),
    "w-en": plain(numbered("d", "3 2 3 0 1 2"), named("d", 6)),
    "yukawa-retrieved": plain(LECTURE, named("a", 15) + named("b", 15), "q1 q2"),
    # q1: 3 3 3 2 2 2 1 1 1 1, of which two 3s, one 2 and two 1s are shown; q2: 3 2 1, all shown
    "yukawa-judged": plain(
        f"{LECTURE} {numbered('q1/more', '3 2 2 1 1')}", named("a", 15) + named("b", 15), "q1 q2"
    ),
    "l14": plain(
        "P:2 G:1 B:0", "[P] [P G] [P B] [G P] [G P B] [G B P] [B P G] [B P] [B G P] [G] [G B] [B G]"
    ),
}
LESSONS = {
    "Found late": plain(
        f"hit:3 {numbered('n', '0 0 0 0 0 0 0 0 0 0 0')}",
        "[n1 n2 n3 n4] [n5 n6 n7 n8] [n9 n10 n11 hit]",
    ),
    "Found again": plain("hit:3 more:3 n1:0 n2:0 n3:0", "[hit n1 n2] [n1 hit n3] [n2 hit more]"),
    "Better list, later query": plain(
        "h1:3 h2:3 h3:3 h4:3 n1:0 n2:0 n3:0 n4:0", "[n1 h1 n2 n3] [h2 h3 h4 n4]"
    ),
}


def condensed(session: Plain) -> Plain:
    """Unjudged results taken out, ranks counted anew over what is left."""
    lists = []
    for topic, results in session.queries:
        kept = [results[r] for r in sorted(results) if (topic, results[r]) in session.judgments]
        lists.append((topic, dict(enumerate(kept, start=1))))
    return Plain(lists, session.judgments)


def plain_steps(session: Plain, choices: plain_loop.Choices) -> list[Row]:
    """Every cell, one after another."""
    queries, judgments = session.queries, session.judgments
    gains = plain_loop.counted_gains(queries, judgments, choices, choices.top)
    vector, ideal = (
        f(queries, judgments, choices) for f in (plain_loop.session_vector, plain_loop.ideal_of)
    )
    judged = {topic for topic, _ in judgments}
    rows: list[Row] = []
    for p, (q, r) in enumerate(plain_loop.cells_of(queries, choices)):
        best = plain_loop.best_list(queries[q - 1][0], judgments, choices)
        before = rows[-1] if r > 1 else {"CG": 0.0, "DCG": 0.0, "best": 0.0}
        nothing = (
            0.0 if queries[q - 1][0] in judged else plain_loop.NAN
        )  # a query's own numbers are undefined
        worth, d = gains[q - 1].get(r, 0.0), plain_loop.rank_factor(r, choices.b, choices.form)
        gain = worth + nothing
        row = {"query": q, "rank": r, "gain": gain, "CG": before["CG"] + gain, "d": d}
        row |= {"discounted": gain * d, "DCG": before["DCG"] + gain * d}
        row["best"] = before["best"] + (best[r - 1] * d if r <= len(best) else nothing)
        row["nDCG"] = row["DCG"] / row["best"] if row["best"] else plain_loop.NAN
        row["D"] = plain_loop.query_factor(q, choices.bq, choices.form)
        row |= {"added": worth * d * row["D"], "V": vector[p], "I": ideal[p]}
        row["share"] = vector[p] / ideal[p] if ideal[p] else plain_loop.NAN
        rows.append(row)
    return rows
