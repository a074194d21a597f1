"""What the names of a log's files say, and the logs of simulated searchers, one session a file."""

import re
from pathlib import Path

import pytest

from sdcg_explorer.reading import read, recipe
from tests.support.formats import put
from tests.support.refusals import refusal as words_of_refusal

NAME = "news-{system}-{topic}-{searcher}-{kind}"
JUDGMENTS = b"1 0 a 2\n1 0 b 0\n2 0 c 1\n"
# of each session: what is asked, when, and its results; + after those that are opened, ! marked
SESSIONS = {
    "news-bm25-1-GPT-short": [("tea pots", 10, "a+! b"), ("tea", 80, "b c+ a+")],
    "news-bm25-2-GPT-short": [("coffee", 10, "c+!"), ("nothing found", 60, "")],
    "news-T5-1-GPT-short": [("tea", 10, "b")],
    "news-T5-2-GPT-short": [("coffee's, cup", 10, "c"), ("cup", 20.5, "a+! c+!")],
}


def simulated() -> dict[str, bytes]:
    """The sessions as SimIIR writes them."""
    files: dict[str, bytes] = {"qrels.txt": JUDGMENTS}
    for name, asked in SESSIONS.items():
        lines: list[str] = []
        for text, seconds, results in asked:
            lines += [
                f"ACTION QUERY 900 {seconds} {text}",
                f"ACTION SERP 900 {seconds} EXAMINE_SERP",
            ]
            for each in results.split():
                doc, then = f"b'{each[0]}'", f"ACTION {{}} 900 {seconds + 3} {{}} "
                lines.append(then.format("SNIPPET", "SNIPPET_RELEVANT") + doc)
                if "+" in each:
                    lines.append(then.format("DOC", "EXAMINING_DOCUMENT") + doc)
                if "!" in each:
                    lines.append(then.format("MARK", "CONSIDERED_RELEVANT") + doc)
        files[f"{name}.log"] = "\n".join([*lines, "INFO SUMMARY", "INFO TOTAL 3", ""]).encode()
    return files


def refusal(paths: list[Path], rules: recipe.Recipe = recipe.DEFAULT) -> str:
    return words_of_refusal(lambda: read.read_study(paths, recipe=rules))


def test_a_name_that_does_not_fit_and_a_pattern_that_is_none_are_refused(tmp_path: Path) -> None:
    said = refusal(put(tmp_path, simulated()), recipe.Recipe(file_name="{system}-{topic}-T5"))
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
