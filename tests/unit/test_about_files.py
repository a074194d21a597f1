"""What says who we are, where, by which version and licence, says what pyproject.toml says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.front_page import front_page
from tests.support.plain_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
URLS = PROJECT["urls"]
HOME = URLS["Homepage"]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
ABOUT = (
    *("CITATION.cff", "codemeta.json", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md"),
    *("SUPPORT.md", "README.md", "CHANGELOG.md", "docs/versions.md", "docs/contributing.md"),
)
KINDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


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
    assert paper["doi"] in text("sdcg_explorer/questions/words/bibliography.py")
    days = {cited.get("date-released"), meta.get("datePublished")}
    assert days == {released()}


def test_addresses_and_files_that_are_named_are_those_of_the_package() -> None:
    owner = HOME.rsplit("/", 2)[1]
    known = (HOME, URLS["Documentation"])
    files = [*map(ROOT.joinpath, ABOUT), *(ROOT / ".github").rglob("*.*"), *ROOT.glob("docs/*.md")]
    for path in files:
        said = path.read_text(encoding="utf-8")
        for address in re.findall(r"https?://[^\s\"<>)|`]+", said):
            if owner in address:
                assert address.startswith(known), path
        for name in re.findall(r"[\w/]+\.md\b", said) if ".github" in path.parts else ():
            assert (ROOT / name).is_file(), path
    assert f"git clone {HOME} " in text("CONTRIBUTING.md")
    assert URLS["Issues"] in text("SUPPORT.md")


def test_each_form_asks_by_the_keys_that_github_wants() -> None:
    forms = {path.stem: read(path) for path in sorted(FORMS.glob("*.yml"))}
    config = forms.pop("config")
    assert {*config} == {"blank_issues_enabled", "contact_links"}
    assert all({*link} == {"name", "url", "about"} for link in config["contact_links"])
    assert f"{HOME}/security/advisories/new" in [each["url"] for each in config["contact_links"]]
    assert len(forms) == len({form["name"] for form in forms.values()}) == 3
    for name, form in forms.items():
        assert {*form} == {"name", "description", "title", "body"}, name
        asked = [part for part in form["body"] if part["type"] != "markdown"]
        ids = [part["id"] for part in asked]
        assert len({*ids}) == len(ids) == len({part["attributes"]["label"] for part in asked}), name
        assert {part["type"] for part in form["body"]} <= KINDS, name
        assert all(re.fullmatch(r"[\w-]+", each) for each in ids), name
        assert all(type(part["validations"]["required"]) is bool for part in asked), name
        assert f"*{form['name']}*" in text("SUPPORT.md"), name
    needed = {"study", "definition", "expected", "source", "version"}
    assert needed <= {part["id"] for part in forms["wrong_number"]["body"] if "id" in part}


def test_the_workflow_runs_what_a_clone_runs_and_may_only_read() -> None:
    flow = read(".github/workflows/ci.yml")
    assert {*flow[True]} == {"push", "pull_request"}  # yaml 1.1 reads on as true
    assert flow["permissions"] == {"contents": "read"}
    (job,) = flow["jobs"].values()
    assert "permissions" not in job
    *actions, last = job["steps"]
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]) for step in actions)
    assert (ROOT / last["run"]).is_file()
    oldest = actions[-1]["with"]["python-version"]
    assert PROJECT["requires-python"] == f">={oldest}"


def test_the_site_is_published_as_it_is_checked() -> None:
    flow = read(".github/workflows/site.yml")
    build, publish = flow["jobs"].values()
    assert flow["permissions"] == {"contents": "read"}
    assert "permissions" not in build
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    *_, made, tried, upload = build["steps"]
    (rule,) = re.findall(r"^docs:.*\n\t(.*)", text("Makefile"), re.MULTILINE)
    assert made["run"] == "make docs"
    assert upload["with"]["path"] in rule.split()
    assert tried["run"] == f"make try && cp -r build/try {upload['with']['path']}/try"
    owner, _, name = PROJECT["urls"]["Homepage"].rpartition("/")
    assert (
        PROJECT["urls"]["Documentation"] == f"https://{owner.rpartition('/')[2]}.github.io/{name}/"
    )


def test_links_of_the_front_page_lead_from_anywhere_to_files_that_are_there() -> None:
    shown = front_page(text("README.md"), PROJECT)
    links = re.findall(r"(!?)\[[^]]*\]\(([^)\s]+)\)", shown)
    home, version = PROJECT["urls"]["Homepage"], PROJECT["version"]
    assert len(links) == shown.count("](") > 10
    for picture, link in links:
        start = f"{home}/{'raw' if picture else 'blob'}/v{version}/"
        assert not link.startswith(home) or link.startswith(start), link
        assert link.startswith("https://"), link
        assert (
            not link.startswith(start) or (ROOT / link.removeprefix(start).split("#")[0]).exists()
        )
    assert front_page(shown, PROJECT) == shown


def test_every_form_of_a_link_is_led_and_what_is_none_stays() -> None:
    links = """
[a](BLOB/docs/faq.md "T") [b]( <BLOB/docs/a b.md> ) [`c`](BLOB/x_(y).md#z)
[![p [0, 1]](RAW/docs/p.png)](BLOB/docs/p.png)
> [d]: BLOB/docs/faq.md 'T'
[e f]:
  <RAW/p.svg>
$5 <a class="g" href='BLOB/LICENSE'><IMG SRC=RAW/docs/p.JPG alt="p"></a> for $5 and [h](BLOB/x.md).
<source media="(x)" srcset="RAW/a.png 1x, RAW/b.png 2x"><video src="RAW/v.mp4" poster="RAW/v.png">
"""
    literal = r"""
[a](https://x.example/docs) [b](#there) [c](mailto:a@b.example) [d](//x.example)
[^1]: docs/faq.md
`[a](docs/faq.md)` ``[a](docs/faq.md) ` `` $f[x](y) + 1$ $$
[f](x) $$ [a\](docs/faq.md) [1, 2] (docs) <https://x.example>

```markdown
[a](docs/faq.md)
~~~
[b]: docs/faq.md
```
  ~~~~
<img src="docs/p.png">
  ~~~~
"""
    project = {"urls": {"Homepage": "https://forge.example/tool"}, "version": "1.2"}
    beside = f"{links}{literal}".replace("BLOB/", "").replace("RAW/", "")
    home = "https://forge.example/tool/{}/v1.2"
    led = links.replace("BLOB", home.format("blob")).replace("RAW", home.format("raw"))
    assert front_page(beside, project) == f"{led}{literal}"
    assert front_page("[a](./x.md)", project) == front_page("[a](/x.md)", project)
    with pytest.raises(ValueError, match=r"\.\./x\.md leads out"):
        front_page("[a](../x.md)", project)
