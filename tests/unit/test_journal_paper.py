"""The paper about this software is in its journal's form, and says what is so."""

from __future__ import annotations

import pytest

from paper.numbers import BIB, PAPER, counted, faults, mended
from paper.references import SOURCES, bib, cited

TEXT = PAPER.read_text(encoding="utf-8")
SHORT = "---\ntitle: x\n---\n# Summary\n\n30 words, 7,201<!--definitions-->, 1<!--such-->\n"


def test_the_paper_is_in_its_journals_form_and_its_numbers_are_so() -> None:
    assert [*faults(TEXT, counted(heavy=False)[0])] == []
    assert BIB.read_text(encoding="utf-8") == bib(TEXT)
    without = [key for key in cited(TEXT) if "doi" not in SOURCES[key].more]
    assert without == ["yang2016dynamic"]  # TREC gives none


def test_what_a_paper_lacks_is_named() -> None:
    found = [*faults(SHORT, {"definitions": "7,200"})]
    assert found[0] == "6 words; the journal asks for 750 to 1750."
    assert found[1].startswith("Sections Summary; the journal asks for Summary, Statement of need,")
    assert found[2] == "30 has no name: nobody can count it anew."
    assert "such is not counted." in found
    assert "tests is counted, and in no sentence." in found
    assert found[-1] == "definitions: the paper says 7,201, it is 7,200."
    assert "7,200<!--definitions-->, 1<!--such-->" in mended(SHORT, {"definitions": "7,200"})
    with pytest.raises(ValueError, match=r"^no source for nobody2026: add it to references\.py\.$"):
        bib("As said [@nobody2026].")
