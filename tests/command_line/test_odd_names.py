"""Names of files are names: nothing takes a sign of theirs for a pattern."""

import sys
from pathlib import Path

import pytest

from sdcg_explorer.reading.read import read_study
from tests.support.random_studies import random_log


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows forbids")
def test_signs_of_patterns_in_names_change_nothing(tmp_path: Path) -> None:
    plain = random_log(tmp_path)
    sessions = {line.split(",")[0] for line in plain[0].read_text("utf-8").splitlines()[1:]}
    rated = "".join(f"{each},{i % 5}\n" for i, each in enumerate(sorted(sessions)))
    texts = [path.read_text("utf-8") for path in plain] + [f"session,ease\n{rated}"]
    digests: list[str] = []
    for name in ("", "[1] * ? {a,b} %20"):
        files = [tmp_path / f"{kind}{name}.csv" for kind in ("l", "j", "r")]
        for path, text in zip(files, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        digests.append(read_study(files[0], files[1], ratings=files[2:]).digest)
        for decoy in ("l1", "l1 x y {a,b} %20", "l1 x y a %20", "j1 x y {a,b} %20"):
            (tmp_path / f"{decoy}.csv").write_text("session\nx\n", encoding="utf-8")
    assert digests[0] == digests[1]
