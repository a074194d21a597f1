"""What a careless reader would change without a word: ids, lists, letters, nested fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.study import Study
from tests.support.plain_files import written
from tests.support.refusals import HEADER, JUDGMENTS, refusal

LISTED = "session,query_number,topic,docs\n"


def study_of(folder: Path, log: str, judgments: str = JUDGMENTS, name: str = "log_csv") -> Study:
    return read_study(*written(folder, **{name: log}, judgments_csv=judgments).values())


def refused(folder: Path, log: str, judgments: str = JUDGMENTS, **rules: str) -> str:
    files = written(folder, log_csv=log, judgments_csv=judgments)
    given: Any = rules
    return refusal(lambda: read_study(*files.values(), recipe=Recipe(**given)))


LISTS = {
    "['a' 'b']": ["a", "b"],  # as numpy prints
    "a, b, c": ["a", "b", "c"],
    "[a b, 'c, d', e]": ["a b", "c, d", "e"],  # parted by commas, and not by blanks as well
    "[a b]": ["a", "b"],
    "[12345678901234567890123, 12345678901234567890124]": [
        *("12345678901234567890123", "12345678901234567890124")
    ],
    "[1.0, 0x10, 1_0]": ["1.0", "0x10", "1_0"],
    '["a\\u00e9", "b,c"]': ["aé", "b,c"],
}


@pytest.mark.parametrize("cell", LISTS)
def test_lists_hold_the_ids_that_stand_in_them(cell: str, tmp_path: Path) -> None:
    quoted = cell.replace('"', '""')
    judged = f"{JUDGMENTS}t,{LISTS[cell][0]},1\n"
    study = study_of(tmp_path, f'{LISTED}s1,1,t,"{quoted}"\n', judged)
    assert study.results["doc"].tolist() == LISTS[cell]
    assert study.results["rank"].tolist() == list(range(1, len(LISTS[cell]) + 1))


OBJECTS = {  # cells of two queries, whose documents are b and a, and c
    "documents by rank": ('{"1": "b", "2": "a"}', '{"1": "c"}'),
    "documents by rank, not in order": ("{2: 'a', 1: 'b'}", "{1: 'c'}"),
    "documents by rank from 0": ('{"0": "b", "1": "a"}', '{"0": "c"}'),
    "documents by the name of a rank": ('{"rank_1": "b", "rank_2": "a"}', '{"rank_1": "c"}'),
    "objects by rank": (
        '{"2": {"doc": "a"}, "1": {"doc": "b", "score": 3}}',
        '{"1": {"doc": "c"}}',
    ),
    "scores by document": ('{"a": 8.5, "b": 9.5}', '{"c": 1}'),
    "equal scores go by name": ('{"a": 2, "b": 2}', '{"c": 1}'),
    "counted documents": ("Counter({'b': 7, 'a': 3})", "Counter({'c': 1})"),
    "ranks by document": ('{"b": 1, "a": 2}', '{"c": 1}'),
    "objects": ('[{"doc": "b", "score": 3}, {"doc": "a"}]', '[{"docid": "c"}]'),
    "objects with ids": ('[{"_id": "b", "title": "x y"}, {"_id": "a"}]', '[{"_id": "c"}]'),
    "objects with ranks": (
        '[{"doc": "a", "rank": 2}, {"doc": "b", "rank": 1}]',
        '{"id": "c", "rank": 1}',
    ),
    "a named list": ('{"results": [{"doc": "b"}, {"doc": "a"}]}', '{"results": ["c"]}'),
    "documents and scores": ("[('b', 9.5), ('a', 8.5)]", "[('c', 9.5)]"),
    "documents and scores as JSON": ('[["b", 3], ["a", 1]]', '[["c", 3]]'),
    "ranks and documents": ("[(2, 'a'), (1, 'b')]", "[(1, 'c')]"),
    "scores and documents": ("[(9.5, 'b'), (8.5, 'a')]", "[(1.5, 'c')]"),
    "documents, ranks and scores": ("[('b', 1, 9.5), ('a', 2, 8.5)]", "[('c', 1, 3.5)]"),
    "one each": ("[('b',), ('a',)]", "[('c',)]"),
    "tuples": ("('b', 'a')", "('c',)"),
    "one document and its score": ("[('b', 9.5), ('a', 8.5)]", "('c', 9.5)"),
    "numpy's texts": ("[np.str_('b'), np.str_('a')]", "[np.str_('c')]"),
    "numpy's pairs": ("[(np.str_('b'), np.float32(9.5)), ('a', 8.5)]", "[('c', 9.5)]"),
    "numpy's arrays": ("array(['b', 'a'], dtype=object)", "array(['c'], dtype=object)"),
    "an ordered object": ("OrderedDict([('b', 9.5), ('a', 8.5)])", "OrderedDict({'c': 1.5})"),
    "an object beside a list": ('["b", "a"]', '{"c": 1.5}'),
}


@pytest.mark.parametrize("case", OBJECTS)
def test_objects_and_tuples_in_cells_are_what_they_are(case: str, tmp_path: Path) -> None:
    quoted = [cell.replace('"', '""') for cell in (*OBJECTS[case], "{}")]
    rows = (f'{k},{k},t,"{cell}"\n' for k, cell in enumerate(quoted, start=1))
    log = LISTED + "".join(row.replace(row[0], "s1", 1) for row in rows)
    study = study_of(tmp_path, log)
    found = study.results[["query_number", "rank", "doc"]].astype(str).agg(" ".join, axis=1)
    assert sorted(found) == ["1 1 b", "1 2 a", "2 1 c"]
    assert len(study.queries) == 3


NO_RESULTS = {
    "a field of a result": '{"score": 9.5, "rank": 1}',
    "texts by name": '{"a": "b c", "d": "e f"}',
    "objects without a document": '[{"score": 1}, {"score": 2}]',
    "nothing as a document": '{"1": "a", "2": null}',
    "a document twice": '{"a": 2.5, "a": 1.5}',
    "a set, which has no order": "{'a', 'b'}",
    "pairs of texts": "[('a', 'b c'), ('d', 'e')]",
    "lists of lists": '[["a", "b", "c"], ["d"]]',
    "cut short": '{"1": "a", "2": "b',
    "no Python": "(a b, c d)",
    "another type": "defaultdict(<class 'float'>, {'a': 1.5})",
    "scores of documents 1 and 2, or documents 30 and 20": '{"1": 30, "2": 20}',
    "scores or ranks": '{"a": 2, "b": 1}',
    "brackets of one id": "a (b c) d",
}


@pytest.mark.parametrize("case", NO_RESULTS)
def test_objects_that_are_no_results_are_refused(case: str, tmp_path: Path) -> None:
    quoted = NO_RESULTS[case].replace('"', '""')
    line = refused(tmp_path, f'{LISTED}s1,1,t,"{quoted}"\n')
    assert line.startswith(f"log.csv, line 2: results that can't be read, {NO_RESULTS[case]!r}; ")


def test_clicks_stand_by_document_or_in_its_object(tmp_path: Path) -> None:
    log = (
        "session,query_number,topic,docs,clicked\n"
        's1,1,t,"[""a"", ""b""]","{""b"": true}"\n'
        "s1,2,t,\"['a', 'b']\",\"{'b'}\"\n"
    )
    assert study_of(tmp_path, log).results["clicked"].tolist() == [False, True] * 2
    own = LISTED + 's1,1,t,"[{""doc"": ""a"", ""clicked"": 0}, {""doc"": ""b"", ""clicked"": 1}]"\n'
    assert study_of(tmp_path / "own", own).results["clicked"].tolist() == [False, True]


def test_codes_that_look_like_numbers_stay_texts(tmp_path: Path) -> None:
    log = "cohort,age," + HEADER + "007,30,s1,1,1,a,t\n7,31.5,s2,1,1,a,t\n"
    study = study_of(tmp_path, log)
    assert study.sessions["cohort"].tolist() == ["007", "7"]
    assert study.sessions["age"].tolist() == [30.0, 31.5]


def test_text_with_elements_within_is_read_whole(tmp_path: Path) -> None:
    log = (
        '<log><session num="1"><topic num="t"/><interaction num="1"><query>foo <em>bar</em> baz'
        '</query><results><result rank="1"><docno>a</docno></result></results></interaction>'
        "</session></log>"
    )
    study = study_of(tmp_path, log, name="log_xml")
    assert study.queries["text"].tolist() == ["foo bar baz"]
