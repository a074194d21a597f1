"""An anonymous copy says nowhere who made it, and what would say so is found wherever it hides."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import unicodedata
import zipfile
from pathlib import Path
from zipfile import ZipInfo

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from paper.anonymous import DROPPED, ROOT, entries, faults, replaced
from paper.identities import identities
from paper.left_over import left_over

NAMES = {"Zoë Øst": "Anonymous authors", "forge.example/ada": "anonymous.invalid"}
SAID = "made by ZOË øST"
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


def picture(*, packed: bool = False, exif: bool = False) -> bytes:
    """A picture that says in its metadata who made it."""
    said, camera, file = PngImagePlugin.PngInfo(), Image.Exif(), io.BytesIO()
    if exif:
        camera[0x9C9D] = SAID.encode("utf-16-le")  # Windows' author
    else:
        said.add_itxt("Author", SAID, zip=packed)
    drawn = Image.fromarray(np.zeros((2, 2), dtype=np.uint8))
    drawn.save(file, "PNG", pnginfo=said, exif=camera)
    return file.getvalue()


def zipped(data: bytes, name: str = "inner.txt", comment: str = "") -> bytes:
    file, entry = io.BytesIO(), ZipInfo(name)
    entry.comment = comment.encode()
    entry.compress_type = zipfile.ZIP_DEFLATED if data else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(entry, data)
    return file.getvalue()


LINES = base64.encodebytes(gzip.compress(bytes(range(200)) + SAID.encode()))


HIDDEN = {
    "text": SAID.encode(),
    "next line": b"> *Zo\xc3\xab\n> \xc3\x98st*",
    "utf-16": SAID.encode("utf-16"),
    "decomposed": unicodedata.normalize("NFD", SAID).encode(),
    "json": json.dumps(SAID).encode(),
    "html": b"Zo&euml;&nbsp;&#216;st",
    "address": b"?by=Zo%C3%AB%20%C3%98st",
    "png": picture(),
    "packed png": picture(packed=True),
    "exif": picture(exif=True),
    "notebook": json.dumps({"image/png": base64.b64encode(picture(packed=True)).decode()}).encode(),
    "base64": b"<" + base64.b64encode(SAID.encode()) + b"> ends here",
    "base64 in lines": LINES,
    "base64 in strings": json.dumps([*LINES.decode().splitlines(keepends=True)], indent=1).encode(),
    "base64 in a string": json.dumps(LINES.decode()).encode(),
    "gzip": gzip.compress(SAID.encode()),
    "bzip2": bz2.compress(SAID.encode()),
    "xz": lzma.compress(f"{SAID}. ".encode() * 9),
    "zip in zip": zipped(zipped(SAID.encode())),
    "name in zip": zipped(zipped(b"", name=SAID)),
    "comment in zip": zipped(zipped(b"", comment=SAID)),
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_a_name_is_found_wherever_it_hides(hidden: bytes) -> None:
    assert left_over(hidden, NAMES) == {"Zoë Øst"}
    assert faults([(ZipInfo("file"), hidden)], NAMES) == ["file: Zoë Øst"]
    assert faults([(ZipInfo("forge.example/Ada"), b"")], NAMES) != []


def test_a_name_is_replaced_whatever_parts_its_words() -> None:
    for by in (
        *(" ", "  ", "\n  ", "\r\n", "\n\n\t", "\n> > ", "\n    # ", "\n * ", "\u00a0", "\u200b "),
        *("_", "-", "+", "%20", "&nbsp;", "\\n", "\\n> ", '\\n",\n   "', ' "\n    "'),
    ):
        said = f"“zoë{by}ØST”, zoë{by}østlig".encode()
        assert left_over(said, NAMES), by
        assert replaced(said, NAMES).decode() == f"“Anonymous authors”, zoë{by}østlig", by
        assert not left_over(replaced(said, NAMES), NAMES), by
    for code in ("zoë * øst", "zoë - øst", "zoë > øst", "zoë.øst", '["Zoë",\n"Øst"]', "zoëøst"):
        assert replaced(code.encode(), NAMES).decode() == code
        assert not left_over(code.encode(), NAMES)


def test_letters_that_are_the_same_to_a_pattern_are_so_to_the_search_before_it() -> None:
    for name, text in (("Işık Su", "IŞIK SU"), ("Is Ok", "ıſ oK"), ("Σας Ω", "ΣΑΣ ω")):
        assert replaced(text.encode(), {name: "-"}) == b"-"


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
