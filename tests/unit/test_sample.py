"""The sample has the design and the counts of Järvelin et al. (ECIR 2008), Tables 1 and 2."""

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd

from tests.support.plain_files import ECIR2008

LENGTHS = {  # sessions with 1, 2, … 11 queries
    "System 1": [28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0],
    "System 2": [21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1],
}
SEARCHERS = {  # mean and standard deviation
    "internet_years": (7.2, 2.8),
    "site_years": (2.4, 1.4),
    "search_skill": (2.4, 0.9),
    "profession_years": (21.4, 7.6),
}


def test_sample_is_the_papers_study_by_its_counts() -> None:
    log, searchers = (pd.read_csv(ECIR2008 / name) for name in ("log.csv", "searchers.csv"))
    queries = log.drop_duplicates(["session", "query_number"])
    held = queries.groupby(["session", "searcher", "system", "topic"], as_index=False).size()
    assert (len(queries), len(held), held["session"].nunique()) == (343, 120, 120)
    counts = pd.crosstab(held["system"], held["size"]).reindex(columns=range(1, 12), fill_value=0)
    assert counts.T.to_dict("list") == LENGTHS
    assert pd.crosstab(held["searcher"], held["topic"]).to_numpy().tolist() == [[1] * 4] * 30
    assert pd.crosstab(held["searcher"], held["system"]).to_numpy().tolist() == [[2] * 2] * 30
    assert pd.crosstab(held["system"], held["topic"]).to_numpy().tolist() == [[15] * 4] * 2
    place = held["session"].str[1:].astype(int) % 4
    assert {*pd.crosstab(place, held["topic"]).to_numpy().ravel()} == {7, 8}
    assert held[place == 1].groupby("system").size().tolist() == [15, 15]
    for column, moments in SEARCHERS.items():
        found = searchers[column].mean(), searchers[column].std()
        assert max(abs(one - two) for one, two in zip(found, moments, strict=True)) < 0.049


def test_sample_is_made_again_by_its_script(tmp_path: Path) -> None:
    script = shutil.copy(ECIR2008 / "generate.py", tmp_path)
    subprocess.run([sys.executable, script], check=True)
    for name in ("log.csv", "judgments.csv", "searchers.csv"):
        assert (tmp_path / name).read_bytes() == (ECIR2008 / name).read_bytes()
