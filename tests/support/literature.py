"""What docs/methods.md has to test against, written down again: a line's numbers, and digits."""

from __future__ import annotations

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
    "repeated, bq 4": "20.170005 11.952211 12.868129",
    "spread, bq 4": "11.139613 4.891219 8.853679",
    "every/repeated": ".433311 .599610 .615896",
    "every/spread": ".784576 1.465211 .895157",
    "every, bq 2": "7.1651529 6.1666667 6.8244050",
    "first, bq 2": "7.1651529 4.0 4.5744050",
    "repeated, bq 2": "17.108083 9.739630 11.581316",
    "spread, bq 2": "9.994583 4.5 8.282995",
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
WORKED = {"S08 DCG", "Y DCG1", "Y DCG2", "Y NDCG judged", "L14 LDCG", *list(GIVEN)[-19:]}
