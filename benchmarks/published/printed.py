"""What needs no data of others: printed examples, and what programs print of a given list."""

import numpy as np
from sdcg_explorer.metrics import dcg, err, ideal_list, inst, ndcg, rank_discount, rbp, stops

from benchmarks.published.rows import DIFFERS, EQUAL, Part, Row, number, words
from sdcg_explorer.reading.read import sample_studies
from sdcg_explorer.study.study import Study
from tests.support.literature import SLIPS, cut_off, literature, numbers

TABLE_2 = {
    "System 1": ((28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0), "2.53"),
    "System 2": ((21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1), "3.18"),
}
G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
JK02 = {  # of G, b = 2, as the paper prints them
    "DCG of G": (3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61),
    "DCG of the ideal 3 3 3 2 2 2 1 1 1 1": (
        *(3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83),
    ),
}
CWL = [1, 0, 0.2, 0.6, 0, 0, 0.2, 0, 1, 0]
SHOWN, BEST = [0, 3, 0, 2, *[0] * 6], [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]


def examples() -> Part:
    """Every printed or worked line of the literature."""
    return Part("Worked examples in print", words("examples"), tuple(literature().values()))


def jk02() -> Part:
    """The example of 2002."""
    rows = []
    for (what, said), gains in zip(JK02.items(), (G, BEST), strict=True):
        ours = dcg(gains, rank_discount(np.arange(1, 11), 2, "jk2002"))
        cut = cut_off(ours, 2)
        of = {"slipped": cut, "reason": SLIPS["W slip"]} if gains is BEST and said == cut else {}
        rows.append(numbers(what, said, ours, 2, **of))
    return Part("JK02's example", words("jk02"), tuple(rows))


def table_2() -> Part:
    """Means of Table 2 from its printed counts, and from the sample study that has its design."""
    study = sample_studies()[0]
    rows = []
    for system, (counts, mean) in TABLE_2.items():
        from_counts = float(np.dot(np.arange(1, 12), counts) / sum(counts))
        rows.append(number(f"{system}: mean", mean, from_counts))
        own = _lengths(study, system)
        ours = np.bincount(own, minlength=12)[1:].tolist()
        same = EQUAL if ours == [*counts] else DIFFERS
        rows.append(
            Row(f"{system}: sessions with 1 … 11 queries", _line(counts), _line(ours), same)
        )
    rows.append(number("queries in all, in the sample study", "343", float(len(study.queries))))
    return Part("ECIR 2008, Table 2", words("table_2"), tuple(rows))


def programs() -> Part:
    """Lists that other programs print numbers of."""
    ntcir, best = (err(stops(grades, "ntcir", 3)) for grades in (SHOWN, BEST))

    def share(form: str) -> float:
        discount = rank_discount(np.arange(1, 11), 2.0, form)
        return float(ndcg(SHOWN, ideal_list(BEST, 10), discount)[-1])

    weights = rank_discount(np.arange(1, 11), 2.0, "standard")
    cwl, nev = "cwl_eval 1.0.12", "pyNTCIREVAL"
    rows = (
        number(f"{cwl}: INST, T = 2", "0.401302", float(inst(CWL, 2))),
        number(f"{cwl}: INST, T = 1", "0.679901", float(inst(CWL, 1))),
        number(f"{cwl}: RBP, p = 0.9", "0.213616", float(rbp(CWL, 0.9))),
        number(f"{cwl}: RBP, p = 0.5", "0.566016", float(rbp(CWL, 0.5))),
        number(f"{cwl}: scaled DCG@10", "0.379901", float(CWL @ weights / weights.sum())),
        number(f"{nev}: ERR", "0.40625", float(ntcir)),
        number(f"{nev}: nERR@1000", "0.4710", float(ntcir / best)),
        number(f"{nev}: RBP, p = 0.95", "0.0761", float(rbp(np.array(SHOWN) / 3, 0.95))),
        number(f"{nev}: nDCG@1000, b = 2", "0.3380", share("jk2002")),
        number(f"{nev}: MSnDCG@1000", "0.2760", share("kanoulas2011")),
    )
    return Part("What other programs print", words("programs"), rows)


def _lengths(study: Study, system: str) -> np.ndarray:
    block = study.block()
    return block.queries[block.systems == block.system_names.index(system)]


def _line(counts: tuple[int, ...] | list[int]) -> str:
    return " ".join(map(str, counts))
