"""Short sessions to count by hand: the lists of the literature and three toy sessions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer import metrics
from sdcg_explorer.metrics import session_score
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.reading.assemble import assemble
from sdcg_explorer.reading.raw_table import RawTable, category_columns
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.measures import OTHER_MEASURES, measured
from sdcg_explorer.scoring.selection import Selection, select
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.grades import NO_GRADE, label
from sdcg_explorer.study.problems import Problem, error, refuse
from sdcg_explorer.study.study import Study

LINEAR = Definition(weights="linear")
SYSTEM = "this session"
NOTHING = "-"
MOST = 100
MOST_JUDGED = 10_000
Lists = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Example:
    """One session: judged documents, a result list per query, and how its source counts.

    judged : (topic, document, grade) · lists : document at each rank, "" where there is none ·
    topics : topic of each query; queries beyond are on the last.
    """

    name: str
    judged: tuple[tuple[str, str, float], ...]
    lists: Lists
    topics: tuple[str, ...]
    definition: Definition
    about: str

    @property
    def texts(self) -> tuple[str, str]:
        """Grades and lists as a link holds them; see `read_texts`."""
        several = len(set(self.topics)) > 1
        graded = (f"{f'{t}/' if several else ''}{doc}:{label(g)}" for t, doc, g in self.judged)
        lists = "|".join(" ".join(doc or NOTHING for doc in docs) for docs in self.lists)
        return " ".join(graded) or NOTHING, lists or NOTHING

    def query_topic(self, query: int) -> str:
        """Topic of a query, from 0."""
        return self.topics[min(query, len(self.topics) - 1)]

    @property
    def documents(self) -> list[str]:
        """Every document that is shown, as often as it is, wherever."""
        return sorted(doc for docs in self.lists for doc in docs if doc)

    def with_texts(self, judged: str, lists: str) -> Self:
        """The example with other grades and lists, as a link holds them.

        >>> parse_example("mine", "x1:2 x2:0", "x1 u|- x2", "").lists
        (('x1', 'u'), ('', 'x2'))
        """
        graded = [_parse_judgment(text, self.topics[0]) for text in judged.split()[:MOST_JUDGED]]
        parts = (part.split()[:MOST] for part in lists.split("|")[:MOST])
        docs = (["" if doc == NOTHING else doc for doc in part] for part in parts)
        judged_so = tuple(each for each in graded if each)
        return replace(self, judged=judged_so, lists=tuple(map(_without_empty_end, docs)))

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Grades (a row per document) and lists (a row per rank, a column per query) to edit."""
        topics, docs, grades = zip(*self.judged, strict=True) if self.judged else ((), (), ())
        graded = {"document": docs, "grade": np.array(grades, dtype=float)}
        if len(set(self.topics)) > 1:
            graded = {"topic": topics, **graded}
        deep = max(10, *(len(part) for part in self.lists))
        wide = max(8, len(self.lists) + 1)
        padded = [(*part, *[""] * (deep - len(part))) for part in self.lists]
        columns = {f"Q{q + 1}": padded[q] if q < len(padded) else [""] * deep for q in range(wide)}
        ranks = pd.RangeIndex(1, deep + 1, name="rank")
        return pd.DataFrame(graded), pd.DataFrame(columns, index=ranks, dtype=object)

    def with_edited_tables(self, grades: pd.DataFrame, lists: pd.DataFrame) -> Self:
        """The example with what was edited in its tables."""
        judged = tuple(
            (_clean_document_name(row.get("topic")) or self.topics[0], doc, _rounded(row["grade"]))
            for row in grades.to_dict("records")
            if (doc := _clean_document_name(row["document"])) and _is_number(row["grade"])
        )
        return replace(self, judged=judged, lists=_trimmed([lists[name] for name in lists.columns]))

    def with_moved_cards(
        self, lists: Sequence[Sequence[str]], graded: Sequence[tuple[str, str, str]]
    ) -> Self:
        """The example with its cards elsewhere, and (topic, document, grade) anew, "" for none.

        >>> example = parse_example("mine", "x1:2 x2:0", "x1 u|x2", "")
        >>> example.with_moved_cards([["u"], ["x2", "x1"]], []).texts
        ('x1:2 x2:0', 'u|x2 x1')
        """
        known = {(topic, doc): grade for topic, doc, grade in self.judged}
        for topic, doc, grade in graded[:MOST_JUDGED]:
            known[topic, _clean_document_name(doc)] = _rounded(grade or math.nan)
        judged = tuple((*named, grade) for named, grade in known.items() if _is_number(grade))
        shown = _trimmed([part[:MOST] for part in lists[:MOST]])
        return replace(self, judged=judged if graded else self.judged, lists=shown)


def parse_example(
    name: str,
    judged: str,
    lists: str,
    about: str,
    definition: Definition = LINEAR,
    topics: tuple[str, ...] = ("1",),
) -> Example:
    """An example from its texts."""
    return Example(name, (), (), topics, definition, about).with_texts(judged, lists)


def _clean_document_name(text: object) -> str:
    """A document's name as it was typed, in one word and without the marks of a link."""
    if text is None or text != text:  # nan
        return ""
    name = "_".join(str(text).split()).translate(str.maketrans("|:/", "___"))
    return "_" if name == NOTHING else name


def _rounded(number: Any) -> float:
    """A grade with as many digits as are told apart."""
    return float(label(float(number)))


def _is_number(grade: Any) -> bool:
    return grade is not None and math.isfinite(grade)


def _trimmed(lists: Sequence[Any]) -> Lists:
    """Lists of documents as they were typed, without empty ends."""
    filled = [_without_empty_end([_clean_document_name(doc) for doc in part]) for part in lists]
    return _without_empty_end(filled) or (*filled[:1],)


def _without_empty_end(part: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(part[: max((r for r, doc in enumerate(part) if doc), default=-1) + 1])


def _parse_judgment(text: str, topic: str) -> tuple[str, str, float] | None:
    """A graded document of a link; nothing where it can't be one."""
    named, _, grade = text.rpartition(":")
    own, _, doc = named.rpartition("/")
    try:
        worth = float(grade)
    except ValueError:  # a link that was mistyped still opens
        return None
    return (own or topic, doc, _rounded(worth)) if doc and math.isfinite(worth) else None


@lru_cache(maxsize=64)
def as_study(example: Example) -> Study:
    """An example as a study of one session, read and checked like any log.

    Raises
    ------
    UnusableInputError : nothing is graded or shown, or a document has two grades
    """
    _check_example(example)
    judged = [(topic, doc, label(grade)) for topic, doc, grade in example.judged]
    grades = {(topic, doc): grade for topic, doc, grade in judged}
    rows: list[tuple[str, ...]] = []
    for q, docs in enumerate(example.lists):
        topic = example.query_topic(q)
        for r, doc in [(r, doc) for r, doc in enumerate(docs, start=1) if doc] or [("", "")]:
            grade = grades.get((topic, doc), "")
            rows.append((SYSTEM, str(q + 1), topic, str(r), doc, grade))
    log = _part_from_rows("lists", "log", "session query_number topic rank doc grade", rows)
    known = _part_from_rows("grades", "judgments", "topic doc grade", judged)
    return assemble([log, known], name=example.name)


def _check_example(example: Example) -> None:
    """Refuse, in the words of this page, what the readers would refuse in those of files."""
    known: dict[tuple[str, str], float] = {}
    topics = set(map(example.query_topic, range(len(example.lists))))
    problems: list[Problem] = []
    for row, (topic, doc, grade) in enumerate(example.judged, start=1):
        if known.setdefault((topic, doc), grade) != grade:
            rule = "a document may have only one grade"
            found = f"a second grade ({label(grade)}) for {doc!r} on topic {topic!r}"
            problems.append(error("grades", row, found, rule, "Keep one."))
        if abs(grade) > LARGEST_GRADE:
            rule = f"grades lie between −{LARGEST_GRADE:g} and {LARGEST_GRADE:g}"
            problems.append(error("grades", row, f"grade {label(grade)}", rule, "Correct it."))
    if not topics & {topic for topic, _ in known}:
        rule = "a score needs grades"
        problems.append(error("grades", None, "no judged document", rule, "Grade one."))
    if not any(doc for docs in example.lists for doc in docs):
        rule = "a session must show documents"
        problems.append(error("results", None, "no document", rule, "Name one in a query."))
    refuse(problems)


def _part_from_rows(file: str, kind: str, names: str, rows: Sequence[tuple[str, ...]]) -> Part:
    table = category_columns(dict(zip(names.split(), zip(*rows, strict=True), strict=True)))
    return Part(RawTable(file, table, lines=np.arange(len(rows)) + 1, exact=True), kind, "by hand")


S08 = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
W_EN = (3, 2, 3, 0, 1, 2)
Y1 = (1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3)
Y2 = (0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3)
UNSEEN = "q1/a1x1:1 q1/a1x2:1 q1/a2x1:2 q1/a2x2:2 q1/a3x1:3"  # relevant documents, not shown
L14_LISTS = "P PG PB GP GPB GBP BPG BP BGP G GB BG"


def _spell_judgments(grades: Sequence[int], letter: str, topic: str = "") -> str:
    return " ".join(f"{topic}{letter}{i}:{grade}" for i, grade in enumerate(grades, start=1))


def _numbered_documents(number: int, letter: str) -> str:
    return " ".join(f"{letter}{i}" for i in range(1, number + 1))


def _lecture_example(name: str, about: str, unseen: str) -> Example:
    judged = f"{_spell_judgments(Y1, 'a', 'q1/')} {_spell_judgments(Y2, 'b', 'q2/')} {unseen}"
    lists = f"{_numbered_documents(15, 'a')}|{_numbered_documents(15, 'b')}"
    definition = Definition(weights="linear", b=2, discount="jk2002", top=15)
    return parse_example(name, judged, lists, about, definition, ("q1", "q2"))


LESSONS: dict[str, Example] = {
    "Found late": parse_example(
        "Found late",
        "hit:3 n1:0 n2:0 n3:0 n4:0 n5:0 n6:0 n7:0 n8:0 n9:0 n10:0 n11:0",
        "n1 n2 n3 n4|n5 n6 n7 n8|n9 n10 n11 hit",
        "Move the one relevant document (“hit”) up, or into the first query, and watch its bar.",
        Definition(),
    ),
    "Found again": parse_example(
        "Found again",
        "hit:3 more:3 n1:0 n2:0 n3:0",
        "hit n1 n2|n1 hit n3|n2 hit more",
        "The document called hit comes three times and gains each time. Under More choices, set "
        "Repeats to first; then move the one called more up, or to an earlier query.",
        Definition(),
    ),
    "Better list, later query": parse_example(
        "Better list, later query",
        "h1:3 h2:3 h3:3 h4:3 n1:0 n2:0 n3:0 n4:0",
        "n1 h1 n2 n3|h2 h3 h4 n4",
        "The second list is better, but its query comes later, so each of its cards is worth "
        "less. Drag bq to the right, or move its cards into the first query.",
        Definition(),
    ),
}
PAPERS: dict[str, Example] = {
    "T-1": parse_example(
        "T-1: three queries, no repeats",
        "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2 d7:3 d8:1 d9:0 d10:2 d11:1 d12:3",
        "d5 d1 u1 d4 d2|d7 d9 d6 u2 d8|d3 d10 u3 d11 d12",
        "Each query brings documents that none before has shown; u1, u2 and u3 are unjudged.",
    ),
    "T-2": parse_example(
        "T-2: repeats and an empty query",
        "a1:1 a2:2 a3:3",
        "a3 a1|a3 a2 u1||a2 u2",
        "a3 and a2 come twice, and the third query returns nothing: repeats and ideal matter.",
    ),
    "T-3": parse_example(
        "T-3: two long lists",
        "x1:3 x2:3 x3:2 x4:2 x5:1 x6:1 x7:1 x8:0 x9:0 x10:3",
        "x8 x1 x5 u1 x2 x9 u2 x3 u3 x6|x1 x2 x10 x4 u4 x7 u5 u6 u7 u8",
        "Two lists of ten; the second repeats two documents of the first.",
    ),
    "ecir2008": parse_example(
        "Ten results, from Järvelin et al. 2008",
        _spell_judgments(S08, "d"),
        _numbered_documents(10, "d"),
        "The example list of the paper's Appendix, b = 4. Two of its printed steps are slips.",
        Definition(weights="linear", b=4),
    ),
    "w-en": parse_example(
        "Six results, from an encyclopedia",
        _spell_judgments(W_EN, "d"),
        _numbered_documents(6, "d"),
        "Six results, log2 from rank 2 on; the ideal is the retrieved list, sorted.",
        Definition(weights="linear", b=2, discount="jk2002", top=6),
    ),
    "yukawa-retrieved": _lecture_example(
        "Two queries of a lecture, ideal of what they show",
        "Two queries on two topics; nothing is judged but what they show, so the ideal is the "
        "retrieved list, sorted: this is what the lecture prints.",
        "",
    ),
    "yukawa-judged": _lecture_example(
        "Two queries of a lecture, ideal of all judged",
        "The same lists, with the relevant documents that they miss: this is what the lecture "
        "describes.",
        UNSEEN,
    ),
    "l14": parse_example(
        "Table 3 of Lv, Fuxman & Chandra 2014",
        "P:2 G:1 B:0",
        "|".join(" ".join(docs) for docs in L14_LISTS.split()),
        "Twelve lists of a perfect (P), a good (G) and a bad (B) document, at most three long: see "
        "LDCG and LNDCG among the other measures.",
        Definition(weights="exponential", b=2, discount="kanoulas2011", top=3),
    ),
}
EXAMPLES = LESSONS | PAPERS


@dataclass(frozen=True, eq=False)
class ByHand:
    """One session under one definition, step by step.

    steps : a row per cell · queries, others : a row per query · averages : a row per rank ·
    vector, ideal (P,) : V and I over the session's own cells · ends (Q,) : last cell of each
    query · filled : gains of grades that the weights lack, as under the weighting filled_as
    """

    study: Study
    definition: Definition
    steps: pd.DataFrame
    queries: pd.DataFrame
    others: pd.DataFrame
    averages: pd.DataFrame
    vector: Floats
    ideal: Floats
    ends: tuple[int, ...]
    final: float
    share: float
    filled: dict[float, float]
    filled_as: str = ""


def with_gains(
    definition: Definition, example: Example
) -> tuple[Definition, dict[float, float], str]:
    """The definition with a gain for each grade of an example.

    What was filled in comes along, and the weighting that it gains as.
    """
    known = {} if isinstance(definition.weights, str) else dict(definition.weights)
    missing = {grade for _, _, grade in example.judged}.difference(known)
    if not known or not missing:
        return definition, {}, ""
    labels, gains = np.array([*known.items()]).T
    # the weighting that gives most of the grades the gains that they have
    scheme = max(metrics.WEIGHTINGS, key=lambda of: (metrics.weighting(of, labels) == gains).sum())
    every = sorted({*known, *missing})
    under = dict(zip(every, metrics.weighting(scheme, every).tolist(), strict=True))
    filled = {grade: under[grade] for grade in sorted(missing)}
    return replace(definition, weights=tuple(sorted({**known, **filled}.items()))), filled, scheme


def in_force(definition: Definition, example: Example, labels: tuple[float, ...]) -> Definition:
    """The sidebar's definition; that of the example's source where the two are one.

    On a study with few grades several weightings are one, and the sidebar names only one of them.
    An example has grades and no clicks.
    """
    own, definition = example.definition, replace(definition, grades="judgments")
    pairs = tuple(zip(labels, own.gains(labels).tolist(), strict=True))
    return own if replace(own, weights=pairs).named(labels) == definition else definition


def by_hand(example: Example, definition: Definition, *, expected: float | None = None) -> ByHand:
    """Count an example step by step; `expected` relevant documents, or else all there are.

    Raises
    ------
    UnusableInputError : nothing is graded, or a document has two grades
    """
    study, (d, filled, filled_as) = as_study(example), with_gains(definition, example)
    chosen = select(study, d, Filters())
    steps = _calculation_steps(study, chosen)
    vector, ideal = steps["V"].to_numpy(), steps["I"].to_numpy()
    final, part = (session_score(name, chosen.worth) for name in ("final", "final_normalised"))
    others = measured(chosen, OTHER_MEASURES, expected)
    queries, known = _query_table(chosen, vector, ideal), chosen.sample.is_judged_query[0]
    best = chosen.ideal_lists[chosen.sample.pools[0, known]]
    curves = metrics.average_curves(chosen.gains[0, known], best, chosen.discount())
    return ByHand(
        study=study,
        definition=d,
        steps=steps,
        queries=queries,
        others=pd.DataFrame(
            {"query": queries["query"], **{name: others[name][0] for name in OTHER_MEASURES}}
        ),
        averages=pd.DataFrame({"rank": np.arange(1, chosen.definition.top + 1), **curves}),
        vector=vector,
        ideal=ideal,
        ends=tuple(np.cumsum(chosen.sample.cells[0]).tolist()),
        final=float(final[0]),
        share=float(part[0]),
        filled=filled,
        filled_as=filled_as,
    )


def _calculation_steps(study: Study, chosen: Selection) -> pd.DataFrame:
    """Every cell of the session: grade, gain, discounts, and what has been cumulated."""
    sample, discount = chosen.sample, chosen.discount()
    query, rank = np.nonzero(sample.has_cell[0])
    gains = chosen.gains[0]
    best = chosen.ideal_lists[sample.pools[0]]
    vector = chosen.worth.vector[0, : query.size]
    ideal = metrics.concatenated(chosen.layout_ideals[:1], sample.cells)[0, : query.size]
    docs, grades = _cells(study, chosen)
    known = np.where(sample.is_judged_query[0], 1.0, np.nan)[:, None]
    own, best = gains * known, best * known  # of a query on a topic that nobody judged: undefined
    listed, best_listed = metrics.dcg(own, discount), metrics.dcg(best, discount)
    steps = {
        "query": query + 1,
        "rank": rank + 1,
        "document": docs[query, rank],
        "grade": grades[query, rank],
        "gain": own[query, rank],
        "d(r)": discount[rank],
        "discounted gain": (own * discount)[query, rank],
        "DCG": listed[query, rank],
        "D(q)": chosen.factors[query],
        "added": (gains * discount * chosen.factors[:, None])[query, rank],
        "V": vector,
        "I": ideal,
        "V / I": metrics.normalised(vector, ideal),
        "CG": metrics.cg(own)[query, rank],
        "ideal DCG": best_listed[query, rank],
        "nDCG": metrics.normalised(listed, best_listed)[query, rank],
    }
    return pd.DataFrame(steps)


def _cells(study: Study, chosen: Selection) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Document in each cell, and its grade or why it has none, (Q, top); "" where there is none."""
    sample, block, d = chosen.sample, chosen.sample.block, chosen.definition
    docs, grades = (np.full(sample.has_cell.shape[1:], "", dtype=object) for _ in range(2))
    shown = study.results_looked_at(d.arrangement)
    top = np.flatnonzero(shown.rank <= d.top)
    place = shown.number[top], shown.rank[top] - 1
    docs[place] = study.results["doc"].astype("str").to_numpy()[shown.row[top]]
    names = np.array([*map(label, block.labels), study.ungraded, *NO_GRADE[1:]])
    grades[place] = names[block.codes[0][place]]
    if d.repeats == "first":
        seen = block.seen_at[0][place] <= d.top
        grades[place[0][seen], place[1][seen]] += ", seen before"
    return docs, grades


def _query_table(chosen: Selection, vector: Floats, ideal: Floats) -> pd.DataFrame:
    """What each query adds: its own DCG, its discount, and where the session stands after it."""
    cells = chosen.sample.cells[0]
    each = chosen.query_scores
    ends = np.cumsum(cells)
    reached, best = np.append(0.0, vector)[ends], np.append(0.0, ideal)[ends]
    return pd.DataFrame(
        {
            "query": np.arange(1, cells.size + 1),
            "cells": cells,
            "DCG": each["dcg"][0],
            "D(q)": chosen.factors,
            "sDCG": each["sdcg"][0],
            "V": reached,
            "I": best,
            "V / I": metrics.normalised(reached, best),
        }
    )
