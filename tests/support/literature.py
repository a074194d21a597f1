"""What docs/reproduced.md prints: a line's numbers, and what the metrics make of its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from sdcg_explorer.metrics import dcg, ideal_list, ndcg, rank_discount

from benchmarks.published.rows import DIFFERS, EQUAL, SLIP, WORKED, Row
from sdcg_explorer import metrics
from sdcg_explorer.questions.by_hand.numbers import (
    EXAMPLES,
    L14_LISTS,
    LINEAR,
    S08,
    W_EN,
    Y1,
    Y2,
    as_study,
)
from sdcg_explorer.scoring.definition import PRESETS, Definition, Filters
from sdcg_explorer.scoring.selection import select

Y1_RELEVANT = (3, 3, 3, 2, 2, 2, 1, 1, 1, 1)  # all that is judged relevant, shown or not
Y2_RELEVANT = (3, 2, 1)
LINES = {
    "S08 CG": "3 5 8 8 8 9 11 13 16 16",
    "S08 DCG": "3 4.333 6.007 6.007 6.007 6.443 7.275 8.075 9.236 9.236",
    "S08 DCG slips": "3 4 5.67 5.67 5.67 6.11 6.94 8.14 9.30 9.30",
    "W slip": "1.892",
    "W DCG": "8.097",
    "W ideal": "8.693",
    "W nDCG": "0.9315",
    "W rank 2": "1 0.631",
    "Y DCG slips": "1.6 2.7 4.1",
    "Y DCG1": "1 1 1.631 1.631 1.631 2.791 2.791 2.791 2.791 3.394 3.394 3.394 3.394 3.394 4.161",
    "Y DCG2": "0 0 1.262 1.262 1.262 1.262 1.262 1.595 1.595 1.595 1.595 1.595 1.595 1.595 2.363",
    "Y NCG": ".167 .091 .286 .267 .25 .438 .438 .5 .5 .625 .625 .625 .625 .625 1",
    "Y NDCG": ".167 .091 .224 .216 .209 .293 .293 .317 .317 .361 .361 .361 .361 .361 .472",
    "Y NDCG judged": ".167 .091 .214 .199 .188 .251 .245 .260 .256 .286 .286 .286 .286 .286 .374",
    "L14 LDCG": "6.393 5.534 4.573 4.409 3.740 3.232 3.094 2.885 2.755 2.131 1.524 .962",
    "L14 LDCG slips": "6.40 5.54 4.58",
    "L14 NDCG slips": ".82 .82 .82 .82",
    "L14 more slips": ".79 .27",
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


FIRST = {"S08 CG", "W slip", "Y DCG slips", "L14 LDCG", "every, bq 4"}  # of each source
# lines whose print slips, and why
SLIPS = {
    "S08 DCG slips": "slip of print",
    "W slip": "cut off, not rounded",
    "Y DCG slips": "cut off, not rounded",
    "L14 LDCG slips": "contradicted by the same source",
    "L14 NDCG slips": "cut off, not rounded",
    "L14 more slips": "cut off, not rounded",
}
# lines that no source prints: worked by hand, or by the programs that the toy sessions were run in
BY_HAND = {"S08 DCG", "Y DCG1", "Y DCG2", "Y NDCG judged", "L14 LDCG", *[*LINES][-19:]}
REMARKS = {
    "S08 DCG slips": "Rank 2 adds 1 for 2/1.5 = 1.33, rank 8 adds 1.2 for 2/2.5 = 0.8.",
    "W ideal": "The ideal is the retrieved list, sorted; the Swedish article sorts the corpus.",
    "W rank 2": "1/log r from rank 2 on; 1/log(r + 1).",
    "Y NDCG": "The ideal is the retrieved list, sorted, though the lecture says otherwise.",
    "Y NDCG judged": (
        "With all assessments as the ideal, which the lecture describes but does not print."
    ),
    "L14 LDCG slips": "Rounded up. P's is three times G's, which is 2.131: so 6.393.",
}


def numbers(
    what: str,
    given: Sequence[float],
    ours: Any,
    digits: int,
    *,
    slipped: Any = (),
    reason: str = "",
    remark: str = "",
    worked: bool = False,
) -> Row:
    """A row of numbers, of which so many digits after the point are given.

    given : as the source prints them, or, where it is `worked`, as they follow from its formula,
    by hand or by its own program · slipped : what ours become if the source's slips are made too:
    then the print is wrong, and known to be, for this `reason`; beside it ours have a digit more
    """
    ours, slipped = np.atleast_1d(ours), np.atleast_1d(slipped)
    value = slipped if slipped.size else ours
    near = np.abs(np.subtract(given, value)) <= 0.5 * 10.0**-digits + 1e-9
    verdict = DIFFERS if not near.all() else SLIP if slipped.size else EQUAL
    said = " ".join(f"{each:.{digits}f}" for each in given) + WORKED * worked
    shown = " ".join(f"{each:.{digits + bool(slipped.size)}f}" for each in ours)
    remarks = " ".join(filter(None, (reason and f"{reason}.", remark)))
    return Row(what, said, shown, verdict, remarks)


def cut_off(values: Any, digits: int) -> tuple[float, ...]:
    """Values cut off after so many digits, as some sources print them.

    >>> cut_off((2.791, 1.631), 1)
    (2.7, 1.6)
    """
    return tuple((np.floor(np.atleast_1d(values) * 10**digits + 1e-9) / 10**digits).tolist())


def literature() -> dict[str, Row]:
    """Every line beside ours, computed anew at each call; the first of a source names it."""
    return {**_ecir2008(), **_encyclopedia(), **_lecture(), **_length_adjusted(), **_sessions()}


def _line(source: str, name: str, what: str, ours: Any, slipped: Any = ()) -> dict[str, Row]:
    """A line by its name; a print that is cut off needs no values that slipped."""
    digits, reason = _digits(LINES[name]), SLIPS.get(name, "")
    if reason and not np.size(slipped):
        slipped = cut_off(ours, digits)
    given, remark = [*map(float, LINES[name].split())], REMARKS.get(name, "")
    what = f"**{source}**: {what}" if name in FIRST else what
    of = {"slipped": slipped, "reason": reason, "remark": remark, "worked": name in BY_HAND}
    return {name: numbers(what, given, ours, digits, **of)}


def _ecir2008() -> dict[str, Row]:
    line = partial(_line, "Järvelin et al. 2008, Appendix")
    ours = dcg(S08, rank_discount(np.arange(1, 11), 4))
    added = np.diff(ours, prepend=0.0)
    added[1], added[7] = 1.0, 1.2  # what the print adds at ranks 2 and 8
    return {
        **line("S08 CG", "CG of G", metrics.cg(S08)),
        **line("S08 DCG", "DCG of G, b = 4", ours),
        **line("S08 DCG slips", "DCG of G, b = 4", ours, np.cumsum(added)),
    }


def _encyclopedia() -> dict[str, Row]:
    line = partial(_line, "Encyclopedia, DCG")
    log2, ideal = rank_discount(np.arange(1, 7), 2, "jk2002"), ideal_list(W_EN, 6)
    one = [dcg([0, 1], rank_discount([1, 2], 2, form))[-1] for form in ("jk2002", "kanoulas2011")]
    return {
        **line("W slip", "what rank 3 adds", W_EN[2] * log2[2]),
        **line("W DCG", "DCG at rank 6", dcg(W_EN, log2)[-1]),
        **line("W ideal", "DCG of the ideal", dcg(ideal, log2)[-1]),
        **line("W nDCG", "nDCG at rank 6", ndcg(W_EN, ideal, log2)[-1]),
        **line("W rank 2", "one relevant at rank 2, both forms", one),
    }


def _lecture() -> dict[str, Row]:
    line, log2 = (
        partial(_line, "Yukawa 2023, lecture 5"),
        rank_discount(np.arange(1, 16), 2, "jk2002"),
    )
    gains = np.array([Y1, Y2], dtype=float)

    def averaged(*relevant: tuple[int, ...]) -> dict[str, Any]:
        return metrics.average_curves(gains, np.array([ideal_list(g, 15) for g in relevant]), log2)

    retrieved, first = averaged(Y1, Y2), dcg(Y1, log2)
    return {
        **line("Y DCG slips", "DCG1 at ranks 3, 6 and 15", first[[2, 5, 14]]),
        **line("Y DCG1", "DCG1", first),
        **line("Y DCG2", "DCG2", dcg(Y2, log2)),
        **line("Y NCG", "NCG of both", retrieved["ncg"]),
        **line("Y NDCG", "NDCG of both", retrieved["ndcg"]),
        **line("Y NDCG judged", "NDCG", averaged(Y1_RELEVANT, Y2_RELEVANT)["ndcg"]),
    }


def _length_adjusted() -> dict[str, Row]:
    line, worth = partial(_line, "Lv et al. 2014, Table 3"), {"P": 3.0, "G": 1.0, "B": 0.0}
    lists = L14_LISTS.split()
    gains = np.array([[worth[doc] for doc in docs] + [0.0] * (3 - len(docs)) for docs in lists])
    lengths = np.array([len(docs) for docs in lists])
    ours, shares = metrics.ldcg(gains, lengths), metrics.lndcg(gains, lengths, 3.0, 1)
    up = np.ceil(ours[:3] * 100) / 100
    ratios = ndcg(gains, ideal_list([3, 1], 3), rank_discount([1, 2, 3], 2, "kanoulas2011"))
    p, pb, gp, g = ([*ratios[lists.index(docs), 1:]] for docs in ("P", "PB", "GP", "G"))
    return {
        **line("L14 LDCG", f"LDCG of {L14_LISTS}", ours),
        **line("L14 LDCG slips", "LDCG of P PG PB", ours[:3], up),
        **line("L14 NDCG slips", "NDCG@2 and @3 of P and PB", p + pb),
        **line("L14 more slips", "NDCG of .797 (GP) and of .275 (G)", (gp[0], g[0])),
        **line("L14 LNDCG", "LNDCG of the same", shares),
    }


def _sessions() -> dict[str, Row]:
    """T-1 to T-3 under every definition that their source programs know."""

    @cache
    def counted(definition: Definition) -> dict[str, list[float]]:
        named = (EXAMPLES[name] for name in ("T-1", "T-2", "T-3"))
        chosen = [select(as_study(each), definition, Filters()) for each in named]
        ends = [(each.worth, each.layout_ideals[0, -1, -1]) for each in chosen]
        columns = {
            n: [metrics.session_score(n, each)[0] for each, _ in ends]
            for n in metrics.SESSION_SCORES
        }
        return {**columns, "ideal": [ideal for _, ideal in ends]}

    def line(name: str, what: str, column: str, definition: Definition) -> dict[str, Row]:
        source = "T-1 to T-3"
        return _line(source, name, what, counted(definition)[column])

    found: dict[str, Row] = {}
    for name in [*LINES][-19:]:
        of, _, bq = name.partition(", bq ")
        plain = replace(LINEAR, bq=float(bq or LINEAR.bq))
        if of in ("every", "first"):
            found |= line(name, f"final, {name}", "final", replace(plain, repeats=of))
        elif of in ("repeated", "spread"):
            found |= line(name, f"ideal {name}", "ideal", replace(plain, ideal=of))
        elif of.startswith("every/"):
            ideal = of.removeprefix("every/")
            what = f"every / {ideal}, bq 4"
            found |= line(name, what, "final_normalised", replace(plain, ideal=ideal))
        elif of.startswith("track"):
            column = "final_normalised" if of != "track" else "final"
            found |= line(name, f"{column}, Session track", column, PRESETS["session-track"])
        else:
            found |= line(name, f"{name}, bq 4", name, plain)
    return found
