"""Citation and codemeta name the version, licence and day of the package."""

import json
import re
import tomllib

import yaml

from tests.support.plain_files import ROOT


def test_citation_and_codemeta_say_what_the_package_says() -> None:
    names = ("pyproject.toml", "CITATION.cff", "codemeta.json", "CHANGELOG.md")
    project, cited, meta, changes = ((ROOT / name).read_text(encoding="utf-8") for name in names)
    own, cited, meta = tomllib.loads(project)["project"], yaml.safe_load(cited), json.loads(meta)
    version, day = re.findall(r"^## (\S+) \((\S+)\)$", changes, re.M)[0]
    released = None if day == "unreleased" else day
    assert (version, own["license"]) == (own["version"], cited["license"])
    assert (cited["version"], cited.get("date-released")) == (version, released)
    assert (meta["version"], meta.get("datePublished")) == (version, released)
    assert meta["license"] == f"https://spdx.org/licenses/{own['license']}"
