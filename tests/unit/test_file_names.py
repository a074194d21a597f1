"""What the names of a log's files say."""

import re
from pathlib import Path

import pytest

from sdcg_explorer.reading import read, recipe
from tests.support.formats import put
from tests.support.refusals import refusal

NAME = "news-{system}-{topic}-{searcher}-{kind}"
SESSION = "ACTION QUERY 900 10 tea\nACTION SERP 900 10 EXAMINE_SERP\n" + "".join(
    f"ACTION SNIPPET 900 {11 + i} SNIPPET_RELEVANT b'{doc}'\n" for i, doc in enumerate("abcd")
)
NAMES = ("bm25-1", "bm25-2", "T5-1", "T5-2")
SIMULATED = {f"news-{name}-GPT-short.log": SESSION.encode() for name in NAMES}
SIMULATED["qrels.txt"] = b"1 0 a 2\n1 0 b 0\n2 0 c 1\n"


def test_a_name_that_does_not_fit_and_a_pattern_that_is_none_are_refused(tmp_path: Path) -> None:
    paths = put(tmp_path, {**SIMULATED})
    rules = recipe.Recipe(file_name="{system}-{topic}-T5")
    said = refusal(lambda: read.read_study(paths, recipe=rules))
    assert said.count("; file names are read as {system}-{topic}-T5. Correct the pattern") == 4
    for pattern, fault in {
        "bm25": "it names parts in braces, as in {system}-{topic}",
        "{system}{topic}": "{system}{topic} has nothing between two parts",
        "{system}-{system}": "it names a part twice",
        "{query_number}-{topic}": "query_number is not one thing per file",
        "-".join(f"{{a{i}}}" for i in range(10)): "a pattern has at most 9 parts",
        "{system}" + "x" * 2_000: "a pattern has at most 1,000 characters",
    }.items():
        with pytest.raises(ValueError, match=re.escape(f"; {fault}")):
            recipe.Recipe(file_name=pattern)
