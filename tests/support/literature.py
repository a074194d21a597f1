"""Published worked examples: a line's numbers as printed, and what the metrics make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sdcg_explorer.metrics import (
    average_curves,
    cg,
    dcg,
    ideal_list,
    ldcg,
    lndcg,
    ndcg,
    rank_discount,
)

from sdcg_explorer.questions.by_hand.numbers import (
    EXAMPLES,
    L14_LISTS,
    LINEAR,
    S08,
    W_EN,
    Y1,
    Y2,
    study_of,
)
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters
from sdcg_explorer.scoring.selection import select

Y1_RELEVANT = (3, 3, 3, 2, 2, 2, 1, 1, 1, 1)  # all that is judged relevant, shown or not
Y2_RELEVANT = (3, 2, 1)
LINES = {
    "S08 CG": "3 5 8 8 8 9 11 13 16 16",
    "S08 DCG": "3 4.333 6.007 6.007 6.007 6.443 7.275 8.075 9.236 9.236",
    "W DCG": "8.097",
    "W ideal": "8.693",
    "W nDCG": "0.9315",
    "W rank 2": "1 0.631",
    "Y DCG1": "1 1 1.631 1.631 1.631 2.791 2.791 2.791 2.791 3.394 3.394 3.394 3.394 3.394 4.161",
    "Y DCG2": "0 0 1.262 1.262 1.262 1.262 1.262 1.595 1.595 1.595 1.595 1.595 1.595 1.595 2.363",
    "Y NCG": ".167 .091 .286 .267 .25 .438 .438 .5 .5 .625 .625 .625 .625 .625 1",
    "Y NDCG": ".167 .091 .224 .216 .209 .293 .293 .317 .317 .361 .361 .361 .361 .361 .472",
    "Y NDCG judged": ".167 .091 .214 .199 .188 .251 .245 .260 .256 .286 .286 .286 .286 .286 .374",
    "L14 LDCG": "6.393 5.534 4.573 4.409 3.740 3.232 3.094 2.885 2.755 2.131 1.524 .962",
    "L14 LNDCG": "1 .866 .715 .690 .585 .506 .484 .451 .431 .333 .238 .150",
    # of T-1, T-2, T-3
    "every, bq 4": "8.7398771 7.1666667 7.9254330",
    "first, bq 4": "8.7398771 4.1666667 4.9254330",
    "every, bq 2": "7.1651529 6.1666667 6.8244050",
    "first, bq 2": "7.1651529 4.0 4.5744050",
    "repeated, bq 4": "20.170005 11.952211 12.868129",
    "spread, bq 4": "11.139613 4.891219 8.853679",
    "repeated, bq 2": "17.108083 9.739630 11.581316",
    "spread, bq 2": "9.994583 4.5 8.282995",
    "every/repeated": ".433311 .599610 .615896",
    "every/spread": ".784576 1.465211 .895157",
    "average": "5.5910 5.7208 4.9094",
    "last": "2.9213 1 4.4041",
    "best": "3.1021 3.5 4.4041",
    "per_query": "2.9133 1.7917 3.9627",
    "weighted_mean": "3.9288 2.6304 4.7553",
    "mean_dcg": "4.1377 2.375 5.0637",
    "average_normalised": ".4173 .7293 .4813",
    "track": "23.5405742 17.4280046 23.1280322",
    "track, normalised": ".4048587 .5542887 .6762446",
}


def _digits(line: str) -> int:
    """Decimals of the number that has most."""
    return max(len(number.partition(".")[2]) for number in line.split())


GIVEN = {name: (line, _digits(line)) for name, line in LINES.items()}


def literature() -> dict[str, Any]:
    """What we make of every line."""
    return {**_lists(), **_sessions()}


def _lists() -> dict[str, Any]:
    """Järvelin et al. 2008, Appendix; Encyclopedia, DCG; Yukawa 2023, lecture 5; Lv et al. 2014."""
    log2 = rank_discount(np.arange(1, 16), 2, "jk2002")
    ideal = ideal_list(W_EN, 6)
    gains = np.array([Y1, Y2], dtype=float)
    # retrieved, as the lecture's slides have it, though it says otherwise; and all that is judged
    retrieved, judged = (
        average_curves(gains, np.array([ideal_list(g, 15) for g in relevant]), log2)
        for relevant in ((Y1, Y2), (Y1_RELEVANT, Y2_RELEVANT))
    )
    worth, lists = {"P": 3.0, "G": 1.0, "B": 0.0}, L14_LISTS.split()
    adjusted = np.array([[worth[doc] for doc in docs] + [0.0] * (3 - len(docs)) for docs in lists])
    lengths = np.array([len(docs) for docs in lists])
    forms = ("jk2002", "kanoulas2011")
    return {
        "S08 CG": cg(S08),
        "S08 DCG": dcg(S08, rank_discount(np.arange(1, 11), 4)),
        "W DCG": dcg(W_EN, log2[:6])[-1],
        "W ideal": dcg(ideal, log2[:6])[-1],
        "W nDCG": ndcg(W_EN, ideal, log2[:6])[-1],
        "W rank 2": [dcg([0, 1], rank_discount([1, 2], 2, form))[-1] for form in forms],
        "Y DCG1": dcg(Y1, log2),
        "Y DCG2": dcg(Y2, log2),
        "Y NCG": retrieved["ncg"],
        "Y NDCG": retrieved["ndcg"],
        "Y NDCG judged": judged["ndcg"],
        "L14 LDCG": ldcg(adjusted, lengths),
        "L14 LNDCG": lndcg(adjusted, lengths, 3.0, 1),
    }


def _sessions() -> dict[str, Any]:
    """T-1 to T-3 under every definition that their source programs know."""

    def counted(definition: Definition, column: str) -> list[float]:
        named = (EXAMPLES[name] for name in ("T-1", "T-2", "T-3"))
        chosen = [select(study_of(each), definition, Filters()) for each in named]
        if column == "ideal":
            return [each.layout_ideals[0, -1, -1] for each in chosen]
        return [each.session_scores[column][0] for each in chosen]

    found: dict[str, Any] = {}
    for name in [*LINES][-19:]:
        of, _, bq = name.partition(", bq ")
        plain = replace(LINEAR, bq=float(bq or LINEAR.bq))
        if of in ("every", "first"):
            found[name] = counted(replace(plain, repeats=of), "final")
        elif of in ("repeated", "spread"):
            found[name] = counted(replace(plain, ideal=of), "ideal")
        elif of.startswith("every/"):
            ideal = of.removeprefix("every/")
            found[name] = counted(replace(plain, ideal=ideal), "final_normalised")
        elif of.startswith("track"):
            column = "final_normalised" if of != "track" else "final"
            found[name] = counted(PRESETS["session-track"], column)
        else:
            found[name] = counted(plain, name)
    return found
