"""What says who we are, where, by which version and licence, says what pyproject.toml says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from tests.support.plain_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
URLS = PROJECT["urls"]
HOME = URLS["Homepage"]


def text(name: str | Path) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def read(name: str | Path) -> Any:
    return yaml.safe_load(text(name))


def released() -> str | None:
    """The day that the changelog's top section has, or none before it is released."""
    heading = re.search(r"^## (\S+) \((\d{4}-\d\d-\d\d|unreleased)\)$", text("CHANGELOG.md"), re.M)
    assert heading
    assert heading[1] == PROJECT["version"]
    return None if heading[2] == "unreleased" else heading[2]


def test_citation_and_codemeta_say_what_the_package_says() -> None:
    cited, meta = read("CITATION.cff"), json.loads(text("codemeta.json"))
    (author,) = PROJECT["authors"]
    same = {
        "version": PROJECT["version"],
        "keywords": PROJECT["keywords"],
        "url": URLS["Documentation"],
    }
    assert cited | same == cited
    assert meta | same == meta
    assert (cited["title"], cited["abstract"]) == (meta["name"], PROJECT["description"])
    assert (meta["identifier"], meta["description"]) == (PROJECT["name"], PROJECT["description"])
    assert cited["authors"] == [author]
    assert meta["author"] == [{"@type": "Organization", **author}]
    assert cited["license"] == PROJECT["license"]
    assert meta["license"] == f"https://spdx.org/licenses/{PROJECT['license']}"
    assert cited["repository-code"] == meta["codeRepository"] == HOME
    assert (meta["issueTracker"], meta["releaseNotes"]) == (URLS["Issues"], URLS["Changelog"])
    assert meta["runtimePlatform"] == f"Python {PROJECT['requires-python']}"
    assert f"Operating System :: {meta['operatingSystem']}" in PROJECT["classifiers"]
    (paper,) = cited["references"]
    assert paper["title"] == meta["referencePublication"]["name"]
    assert meta["referencePublication"]["@id"] == f"https://doi.org/{paper['doi']}"
    assert paper["doi"] in text("sdcg_explorer/questions/paper/bibliography.py")
    days = {cited.get("date-released"), meta.get("datePublished")}
    assert days == {released()}
