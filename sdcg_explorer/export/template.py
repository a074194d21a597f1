"""Two tiny tables to start from."""

from __future__ import annotations

LOG = """session,system,searcher,topic,query_number,query,rank,doc,clicked
S1,A,P1,7,1,foot ulcer,1,d42,0
S1,A,P1,7,1,foot ulcer,2,d17,1
S1,A,P1,7,2,diabetic foot ulcer,1,d17,1
S2,B,P2,7,1,no result for this,,,
"""
JUDGMENTS = """topic,doc,grade
7,d42,0
7,d17,3
7,d99,2
"""
