"""The session on which scores are worked by hand, and the parts that workings share.

Session T-2 of docs/methods.md, [a3 a1] [a3 a2 u1] [] [a2 u2] with a1:1 a2:2 a3:3, by the linear
preset: gain = grade, b = 2, bq = 4, X = 10, every repeat gains and the ideal repeats.
"""

UNDEFINED = "–"
PARTS = {  # each may use those before it: D(q), V and I at a query's end; of lists as L14 has them
    "D2": "1/1.5",
    "D3": "1/(1 + log2(3)/2)",
    "D4": "1/2",
    "V1": "3 + 1/2",
    "V2": "V1 + (3 + 2/2)*D2",
    "V4": "V2 + 0 + 2*D4",
    "I1": "3 + 2/2 + 1/(1 + log2(3))",
    "I2": "I1 + I1*D2",
    "I3": "I2 + I1*D3",
    "I4": "I3 + I1*D4",
    "E2": "1 + 1/log2(3)**2",
    "E3": "E2 + 1/log2(4)**2",
    "M": "1 + 1/log2(3) + 1/2 + 1/log2(5) + 1/log2(6) + 1/log2(7) + 1/3 + 1/log2(9) + 1/log2(10)"
    " + 1/log2(11)",
}
