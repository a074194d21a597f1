"""A small study as text, and what our readers make of files of any content."""

from pathlib import Path

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written

FULL = "session,searcher,system,topic,query_number,query,time,rank,doc,clicked,examined\n"
ROWS = [
    "s1,p1,A,t,1,café au lait,09:00,1,é1,0,1",
    's1,p1,A,t,1,café au lait,09:00,2,"d;2	x",1,1',
    's1,p1,A,t,2,"milk, ""hot""",09:05,,,,',
    "s2,p2,B,u,1,tea,10:00,1,é1,0,0",
    "s2,p2,B,u,1,tea,10:00,4,d4,0,0",
]
TABLE = FULL + "\n".join(ROWS) + "\n"
GRADED = 'topic,doc,grade\nt,é1,2\nt,"d;2	x",0\nu,é1,1\nu,d9,3\n'


def read(folder: Path, **files: str | bytes) -> Study:
    """Study of these files: the log first, then the judgments."""
    return read_study(*written(folder, **files).values())


def digest(folder: Path, log: str = TABLE, judgments: str = GRADED) -> str:
    """Digest of the study of two CSV files."""
    return read(folder, log_csv=log, judgments_csv=judgments).digest
