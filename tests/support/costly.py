"""A small study of agents by hand: tokens, money and times of their sessions."""

from dataclasses import replace
from typing import Any

from sdcg_explorer.study.study import Study

# two agents, two tasks; tokens of each call, of one of which nobody knows; money of whole runs, and
# whether they were right
LOG = """session,system,topic,query_number,tokens,rank,doc,clicked,money,right
a1,A,t,1,1,1,d1,0,0.02,yes
a1,A,t,1,1,2,d2,1,0.02,yes
a1,A,t,2,3,1,d3,1,0.02,yes
b1,B,t,1,2,1,d3,0,0.04,no
a2,A,u,1,1,1,e1,1,0.01,no
a2,A,u,2,,1,e2,0,0.01,no
b2,B,u,1,4,1,e2,0,,no
"""
# a searcher's sessions, timed to their ends
SHORT_LOG = """session,searcher,system,topic,query_number,time,rank,doc,seconds
s1,p,A,t,1,10,1,d2,60
s1,p,A,t,2,40,1,d3,60
s2,p,B,u,1,5,1,e2,20
s3,q,A,u,1,5,1,e1,80
"""
GRADED = "topic,doc,grade\nt,d1,0\nt,d2,3\nt,d3,1\nu,e1,2\n"
FILES = {"log.csv": LOG, "judgments.csv": GRADED}


def with_columns(study: Study, **tables: dict[str, Any]) -> Study:
    """The study with more columns of its tables."""
    more = {name: getattr(study, name).assign(**columns) for name, columns in tables.items()}
    return replace(study, **more)
