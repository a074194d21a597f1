"""The ready examples: three lessons, lists that the literature prints, three toy sessions."""

from __future__ import annotations

from collections.abc import Sequence

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.examples.examples import Example, spelled

S08 = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
W_EN = (3, 2, 3, 0, 1, 2)
Y1 = (1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3)
Y2 = (0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3)
Y1_RELEVANT = (3, 3, 3, 2, 2, 2, 1, 1, 1, 1)
Y2_RELEVANT = (3, 2, 1)
L14_LISTS = "P PG PB GP GPB GBP BPG BP BGP G GB BG"

YUKAWA = Definition(weights="linear", b=2, discount="jk2002", top=15)
L14 = Definition(weights="exponential", b=2, discount="kanoulas2011", top=3)


def _judged(grades: Sequence[int], letter: str, topic: str = "") -> str:
    return " ".join(f"{topic}{letter}{i}:{grade}" for i, grade in enumerate(grades, start=1))


def _docs(number: int, letter: str) -> str:
    return " ".join(f"{letter}{i}" for i in range(1, number + 1))


def _lecture(name: str, about: str, unseen: str) -> Example:
    judged = f"{_judged(Y1, 'a', 'q1/')} {_judged(Y2, 'b', 'q2/')} {unseen}"
    lists = f"{_docs(15, 'a')}|{_docs(15, 'b')}"
    return spelled(name, judged, lists, about, YUKAWA, ("q1", "q2"))


def _unseen() -> str:
    """Relevant documents of the lecture's topics that its lists do not show."""
    texts: list[str] = []
    for letter, topic, shown, relevant in (
        ("a", "q1", Y1, Y1_RELEVANT),
        ("b", "q2", Y2, Y2_RELEVANT),
    ):
        for grade in (1, 2, 3):
            missing = relevant.count(grade) - shown.count(grade)
            texts += [f"{topic}/{letter}{grade}x{i}:{grade}" for i in range(1, missing + 1)]
    return " ".join(texts)


LESSONS: dict[str, Example] = {
    "Found late": spelled(
        "Found late",
        "hit:3 n1:0 n2:0 n3:0 n4:0 n5:0 n6:0 n7:0 n8:0 n9:0 n10:0 n11:0",
        "n1 n2 n3 n4|n5 n6 n7 n8|n9 n10 n11 hit",
        "Move the one relevant document, called hit, up or into the first query: watch its bar.",
        Definition(),
    ),
    "Found again": spelled(
        "Found again",
        "hit:3 more:3 n1:0 n2:0 n3:0",
        "hit n1 n2|n1 hit n3|n2 hit more",
        "The document called hit comes three times and gains each time. Under More choices, let "
        "repeats gain only at the first; then move the one called more up, or to an earlier query.",
        Definition(),
    ),
    "Better list, later query": spelled(
        "Better list, later query",
        "h1:3 h2:3 h3:3 h4:3 n1:0 n2:0 n3:0 n4:0",
        "n1 h1 n2 n3|h2 h3 h4 n4",
        "The second list is the better one, and each of its cards is worth less for being asked "
        "later. Drag bq to the right, or move its cards into the first query.",
        Definition(),
    ),
}
PAPERS: dict[str, Example] = {
    "T-1": spelled(
        "T-1: three queries, no repeats",
        "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2 d7:3 d8:1 d9:0 d10:2 d11:1 d12:3",
        "d5 d1 u1 d4 d2|d7 d9 d6 u2 d8|d3 d10 u3 d11 d12",
        "Each query brings documents that none before has shown; u1, u2 and u3 are unjudged.",
    ),
    "T-2": spelled(
        "T-2: repeats and an empty query",
        "a1:1 a2:2 a3:3",
        "a3 a1|a3 a2 u1||a2 u2",
        "a3 and a2 come twice, and the third query returns nothing: repeats and ideal matter.",
    ),
    "T-3": spelled(
        "T-3: two long lists",
        "x1:3 x2:3 x3:2 x4:2 x5:1 x6:1 x7:1 x8:0 x9:0 x10:3",
        "x8 x1 x5 u1 x2 x9 u2 x3 u3 x6|x1 x2 x10 x4 u4 x7 u5 u6 u7 u8",
        "Two lists of ten; the second shows again what the first had found.",
    ),
    "ecir2008": spelled(
        "G of Järvelin et al. 2008",
        _judged(S08, "d"),
        _docs(10, "d"),
        "The example list of the paper's Appendix, b = 4. Two of its printed steps are slips.",
        Definition(weights="linear", b=4),
    ),
    "w-en": spelled(
        "The encyclopedia's list",
        _judged(W_EN, "d"),
        _docs(6, "d"),
        "Six results, log2 from rank 2 on; the ideal is the retrieved list, sorted.",
        Definition(weights="linear", b=2, discount="jk2002", top=6),
    ),
    "yukawa-retrieved": _lecture(
        "Yukawa's two queries, ideal of the retrieved",
        "Two queries on two topics; nothing is judged but what they show, so the ideal is the "
        "retrieved list, sorted: this is what the lecture prints.",
        "",
    ),
    "yukawa-judged": _lecture(
        "Yukawa's two queries, ideal of all judged",
        "The same lists, with the relevant documents that they miss: this is what the lecture "
        "describes.",
        _unseen(),
    ),
    "l14": spelled(
        "Table 3 of Lv, Fuxman & Chandra 2014",
        "P:2 G:1 B:0",
        "|".join(" ".join(docs) for docs in L14_LISTS.split()),
        "Twelve lists of a perfect (P), a good (G) and a bad (B) document, at most three long: see "
        "LDCG and LNDCG among the other measures.",
        L14,
    ),
}
EXAMPLES = LESSONS | PAPERS
