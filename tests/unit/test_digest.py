"""The digest names what was observed: not its files, their order, or their encoding."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from sdcg_explorer.reading.read import read_study
from tests.support.plain_files import written
from tests.support.tables import FULL, GRADED, ROWS, TABLE, digest


def test_digest_ignores_row_order_column_order_and_names(tmp_path: Path) -> None:
    expected = digest(tmp_path / "as it stands")
    turned = FULL + "\n".join(ROWS[::-1]) + "\n"
    assert digest(tmp_path / "rows", turned) == expected
    first, *rest = GRADED.splitlines()
    assert digest(tmp_path / "judgments", TABLE, "\n".join([first, *rest[::-1]])) == expected
    other = 'doc,grade,topic\né1,2,t\n"d;2\tx",0,t\né1,1,u\nd9,3,u\n'
    assert digest(tmp_path / "columns", TABLE, other) == expected
    files = {"another_csv": TABLE, "grades_csv": GRADED}
    assert read_study(*written(tmp_path, **files).values(), name="Second").digest == expected


def test_digest_ignores_composed_and_decomposed_letters(tmp_path: Path) -> None:
    log, graded = (unicodedata.normalize("NFD", text) for text in (TABLE, GRADED))
    assert log != TABLE
    assert digest(tmp_path / "apart", log, graded) == digest(tmp_path / "together")


CHANGES = [
    (TABLE.replace("1,é1,0,1", "1,é1,1,1"), GRADED, "click"),
    (TABLE.replace("1,é1,0,1", "1,é1,0,0"), GRADED, "examined"),
    (TABLE.replace(",4,d4,", ",4,d5,"), GRADED, "doc"),
    (TABLE.replace(",4,d4,", ",5,d4,"), GRADED, "rank"),
    (TABLE.replace(",B,u,", ",A,u,"), GRADED, "system"),
    (TABLE.replace(",p2,", ",p3,"), GRADED, "searcher"),
    (TABLE.replace("tea", "Tea"), GRADED, "text"),
    (TABLE.replace("09:05", "09:06"), GRADED, "time"),
    (TABLE.replace("s1,p1,A,t,2,", "s1,p1,A,u,2,"), GRADED, "topic"),
    (TABLE, GRADED.replace("t,é1,2", "t,é1,1"), "grade"),
    (TABLE, GRADED.replace("u,d9,3\n", ""), "judgment removed"),
]


@pytest.mark.parametrize(("log", "judgments", "what"), CHANGES, ids=[c[2] for c in CHANGES])
def test_digest_differs_when_anything_observed_changes(
    log: str, judgments: str, what: str, tmp_path: Path
) -> None:
    assert digest(tmp_path / "now", log, judgments) != digest(tmp_path / "before"), what


def test_nobody_is_no_other_searcher_and_digests_stay_as_they_are(tmp_path: Path) -> None:
    logs = [f"{TABLE}s3,{who},B,u,1,tea,11:00,1,é1,0,0\n" for who in ("p2", "")]
    given = [digest(tmp_path / str(i), log)[:8] for i, log in enumerate(logs)]
    assert given == ["73dac8ac", "dcf10d1a"]


def test_judgments_of_ones_own_are_added_and_taken_away(tmp_path: Path) -> None:
    study = read_study(*written(tmp_path, log_csv=TABLE, judgments_csv=GRADED).values())
    own = study.with_added_judgments({("u", "d4"): 2.0, ("u", "d9"): 1.0, ("t", "d4"): 9.0})
    assert own.layer == {("u", "d4"): 2.0}  # what has no grade, of grades that there are
    added: Any = own.judgments.loc[len(study.judgments)]
    assert [added["topic"], added["doc"], added["grade"]] == ["u", "d4", 2]
    assert own.put(layer={("u", "d4"): 1.0, ("u", "d9"): 3.0}).layer == {("u", "d9"): 3.0}
    assert own.digest != study.digest
    assert own.bare.judgments.equals(study.judgments)
    assert (own.bare.digest, own.bare.layer) == (study.digest, {})
