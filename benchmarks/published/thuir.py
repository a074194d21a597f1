"""Mao et al., SIGIR 2016: relevance, usefulness and satisfaction, from the released files."""

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from sdcg_explorer.metrics import dcg, rank_discount
from sdcg_explorer.metrics.arrays import Floats

from benchmarks.published.rows import Part, Row, sentence, words
from sdcg_explorer.statistics.correlations import of_columns

STUDY = "thuir-usefulness"
LABELS = ("usefulness", "relevance", "annotated usefulness")
MEASURES = ("sum", "cDCG", "maximum", "mean")
TITLE = "Mao et al. 2016: usefulness, relevance and satisfaction"


@dataclass(frozen=True, eq=False)
class Clicks:
    """Labels of every click (N, 3), the query and session of each, and both satisfactions."""

    labels: Floats
    query: Floats
    session: Floats
    of_queries: Floats
    of_sessions: Floats


def usefulness(folder: Path) -> Part:
    """The abstract's sentences beside coefficients of the files in a folder."""
    clicks = read_clicks(folder)
    by = {name: clicks.labels[:, place] for place, name in enumerate(LABELS)}
    related = _r(by["usefulness"], by["relevance"])
    annotated = _r(by["usefulness"], by["annotated usefulness"])
    rows = [
        sentence(
            "clicks: labels against the searcher's usefulness",
            "relevance … may not necessarily mean usefulness",
            f"r = {related:.3f} over {len(clicks.labels):,} clicks",
            related < 0.5,
            "Ours: r below .5.",
        ),
        sentence(
            "the same, by assessors who knew the search",
            "external assessors are capable of annotating usefulness when provided with more "
            "search context",
            f"r = {annotated:.3f}, relevance r = {related:.3f}",
            annotated > related,
        ),
    ]
    rated = {"query": clicks.of_queries, "session": clicks.of_sessions}
    for kind, satisfaction in rated.items():
        rows.append(_better(kind, _worth(clicks, kind), satisfaction))
    return Part(TITLE, words("thuir"), tuple(rows), needs=True)


def _better(kind: str, worth: dict[str, Floats], satisfaction: Floats) -> Row:
    """Whether usefulness goes further with satisfaction than relevance does, by every measure."""
    of = {
        name: [_r(worth[name][:, place], satisfaction) for place in range(len(MEASURES))]
        for name in LABELS
    }
    useful, relevant = of["usefulness"], of["relevance"]
    return sentence(
        f"{' · '.join(MEASURES)} of a {kind}'s clicks, with satisfaction (n = {len(satisfaction)})",
        "a measure based on usefulness rather than relevance … has a better correlation",
        ", ".join(f"{name} r = {' · '.join(f'{r:.3f}' for r in of[name])}" for name in LABELS),
        all(one > other for one, other in zip(useful, relevant, strict=True)),
    )


def _r(one: Floats, other: Floats) -> float:
    return float(of_columns("pearson", one[:, None], other)[0])


def _worth(clicks: Clicks, kind: str) -> dict[str, Floats]:
    """Measures (n, 4) of each query or session, for each label."""
    of, every = {
        "query": (clicks.query, clicks.of_queries),
        "session": (clicks.session, clicks.of_sessions),
    }[kind]
    worth = {name: np.zeros((len(every), len(MEASURES))) for name in LABELS}
    for each in np.unique(of):
        own = clicks.labels[of == each]
        discount = rank_discount(np.arange(1, len(own) + 1), 2, "kanoulas2011")
        for place, name in enumerate(LABELS):
            gains = own[:, place]
            worth[name][each] = gains.sum(), dcg(gains, discount)[-1], gains.max(), gains.mean()
    return worth


def read_clicks(folder: Path) -> Clicks:
    """Clicks of the log with the three labels of each; a further page belongs to its query."""
    relevance = {
        (row["query"].strip(), row["docno"]): float(row["relevance"])
        for row in _rows(folder / "relevance_annotation.tsv")
    }
    annotated = {
        (row["userid"], row["topic_num"], int(row["query_index"]), int(row["click_index"])): (
            float(row["usefulness_annotation"])
        )
        for row in _rows(folder / "usefulness_annotation.tsv")
    }
    labels, query, session = [], list[int](), list[int]()
    of_queries, of_sessions = list[float](), list[float]()
    for element in _log(folder / "search_logs.xml").iter("session"):
        whose = element.attrib["userid"], element.find("topic").attrib["num"]  # pyright: ignore
        first, seen = len(of_queries), defaultdict[int, int](int)
        for asked in element.iter("interaction"):
            if asked.attrib["type"] != "page":
                of_queries.append(np.nan)
            for rating in asked.iter("query_satisfaction"):
                of_queries[-1] = float(rating.attrib["score"])
            place = len(of_queries) - 1
            text = (asked.findtext("query") or "").strip()
            for click in asked.iter("click"):
                useful = click.find("annotation").attrib["score"]  # pyright: ignore
                doc = click.findtext("docno") or ""
                context = annotated[(*whose, place - first, seen[place])]
                seen[place] += 1
                labels.append((float(useful), relevance[text, doc], context))
                query.append(place)
                session.append(len(of_sessions))
        of_sessions.append(float(element.find("satisfaction").attrib["score"]))  # pyright: ignore
    arrays = (np.array(each) for each in (labels, query, session, of_queries, of_sessions))
    return Clicks(*arrays)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _log(path: Path) -> ElementTree.Element:
    """The log, whose encoding is written in a way that the parser does not know."""
    text = path.read_text(encoding="utf-8")
    return ElementTree.fromstring(text.partition("?>")[2])
