"""An anonymous copy says nowhere who made it, and what would say so is found wherever it hides."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from pathlib import Path
from zipfile import ZipInfo

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from paper.anonymous import DROPPED, ROOT, entries, faults, replaced
from paper.identities import identities
from paper.left_over import left_over

NAMES = {"Ada Øst": "Anonymous authors", "forge.example/ada": "anonymous.invalid"}
SAID = "made by ADA øST"
PROJECT = """[project]
authors = [{ name = "Ada Maker", email = "ada@forge.example" }]
urls = { Homepage = "https://github.com/ada/tool", Documentation = "https://ada.example/tool/" }
"""
HEAD = "---\nauthors:\n  - name: Ada Maker\naffiliations:\n  - name: Forge College\n---\n"
CITED = """authors:
  - family-names: Smith
    given-names: Eve
    orcid: https://orcid.org/0000-0001-2345-678X
references:
  - authors:
      - family-names: Other
        given-names: Ann
"""


def picture(*, packed: bool) -> bytes:
    """A picture that says in its metadata who made it."""
    said, file = PngImagePlugin.PngInfo(), io.BytesIO()
    said.add_itxt("Author", SAID, zip=packed)
    Image.fromarray(np.zeros((2, 2), dtype=np.uint8)).save(file, "PNG", pnginfo=said)
    return file.getvalue()


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("inner.txt", data)
    return file.getvalue()


@pytest.mark.parametrize(
    "hidden",
    [
        SAID.encode(),
        SAID.encode("utf-16"),
        picture(packed=False),
        picture(packed=True),
        json.dumps({"image/png": base64.b64encode(picture(packed=True)).decode()}).encode(),
        gzip.compress(SAID.encode()),
        zipped(zipped(SAID.encode())),
    ],
    ids=["text", "utf-16", "png", "packed png", "notebook", "gzip", "zip in zip"],
)
def test_a_name_is_found_wherever_it_hides(hidden: bytes) -> None:
    assert left_over(hidden, NAMES) == {"Ada Øst"}
    assert faults([(ZipInfo("file"), hidden)], NAMES) == ["file: Ada Øst"]
    assert faults([(ZipInfo("forge.example/Ada"), b"")], NAMES) != []
    assert not left_over(replaced(SAID.encode(), NAMES), NAMES)


def test_a_name_within_a_word_is_none() -> None:
    code = b"from sdcg_explorer.analysis import banana"
    assert replaced(code, {"Ana": "Anonymous authors"}) == code
    assert not left_over(code, ["Ana"])


def test_people_addresses_and_places_identify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paper.identities._of_history", lambda _: iter([]))
    (tmp_path / "paper").mkdir()
    files = {"pyproject.toml": PROJECT, "paper/paper.md": HEAD, "CITATION.cff": f"x: 1\n{CITED}"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = {name: to for name, to in identities(tmp_path).items() if not name.startswith("/")}
    assert found == {
        **dict.fromkeys(
            ("Ada Maker", "Maker, Ada", "Eve Smith", "Smith, Eve"), "Anonymous authors"
        ),
        "ada@forge.example": "nobody@anonymous.invalid",
        "github.com/ada/tool": "anonymous.invalid/repository",
        "ada/tool": "anonymous/repository",
        "ada.example": "anonymous.invalid/documentation",
        "Forge College": "Anonymous affiliation",
        "0000-0001-2345-678X": "0000-0000-0000-0000",
    }


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no repository: a copy without history")
def test_nothing_is_left_of_this_repository() -> None:
    found, names = entries(ROOT), identities(ROOT)
    assert faults(found, names) == []
    kept = {each.filename: data for each, data in found}
    assert {"paper/paper.md", "pyproject.toml", "LICENSE", "tests/unit/test_anonymous.py"} <= {
        *kept
    }
    assert not [name for name in kept if name.startswith(DROPPED)]
    assert "Anonymous authors" in kept["paper/paper.md"].decode()
