"""What the site has beside Sphinx's own: links to the repository, formulas, and no other host.

Files beside docs/ are pages of the site, or linked there: a page links to any file of the
repository by a relative path, as GitHub shows it. In the site a file of `SHOWN` is the page that
stands for it, any other is opened at the project's address. Formulas are MathML, which browsers
draw themselves: no script, no font, no other site. What a page, or its style, makes a browser ask
of another host by itself is refused; scripts are not read: a page names those of this site alone,
which are the theme's and the search's.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import TYPE_CHECKING

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError

if TYPE_CHECKING:
    from docutils.nodes import math, math_block
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

# a browser reads \ as /, and https:x as https://x
ELSEWHERE = re.compile(r"\s*(?:(?:https?|wss?|ftp):|[/\\]{2})", re.IGNORECASE)
ANYWHERE = frozenset({"background", "poster", "src"})
HERE = frozenset(  # attributes that ask at some elements alone: elsewhere they are links or words
    {("object", "data")}
    | {
        (tag, name)
        for tag in ("base", "feimage", "image", "link", "script", "use")
        for name in ("href", "xlink:href")
    }
)
SETS = frozenset({"imagesrcset", "srcset"})
FOLLOWED = frozenset({"author", "canonical", "index", "license", "next", "prev", "search"})
ASKING = re.compile(
    r"/\*.*?\*/|@namespace[^;]*|(?:@import\s*|image-set\(\s*)(?P<mark>[\"'])(?P<string>.*?)(?P=mark)"
    r"|url\(\s*(?:\"(?P<double>[^\"]*)|'(?P<single>[^']*)|(?P<bare>[^)\"']*))"
    r"|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'",
    re.IGNORECASE | re.DOTALL,
)
AGAIN = re.compile(r"[\d.\s]*;\s*url\s*=\s*[\"']?(.*)", re.IGNORECASE | re.DOTALL)


def asked_by_style(text: str) -> list[str]:
    """Addresses on another host of which a CSS text makes a part.

    >>> asked_by_style("@import '//a.example/b.css'; p { background: url(c.png) } /* url(//d) */")
    ['//a.example/b.css']
    """
    parts = ("string", "double", "single", "bare")
    found = [each[name] or "" for each in ASKING.finditer(text) for name in parts]
    return [address.strip() for address in found if ELSEWHERE.match(address)]


def asked_by_page(text: str) -> list[str]:
    """Addresses on another host that an HTML text makes a browser ask; no link that one follows.

    >>> asked_by_page("<a href='https://a.example'><IMG SRC=//b.example/c.png></a>")
    ['//b.example/c.png']
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return [*reader.found, *asked_by_style("".join(reader.styles))]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.styles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        rels = given.get("rel", "").lower().split()
        if tag == "link" and rels and FOLLOWED.issuperset(rels):
            return
        for name, value in given.items():
            self.found += _asked(tag, name, value)
        if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            again = AGAIN.match(given.get("content", ""))
            self.found += _elsewhere(again[1] if again else "")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.styles.append(data)


def _asked(tag: str, name: str, value: str) -> list[str]:
    """What one attribute asks of another host."""
    if name == "style":
        return asked_by_style(value)
    if name == "srcdoc":
        return asked_by_page(value)
    if name in SETS:  # addresses with widths or densities
        return [each for part in re.split(r"\s+|(?<=\d[xw]),", value) for each in _elsewhere(part)]
    return _elsewhere(value) if name in ANYWHERE or (tag, name) in HERE else []


def _elsewhere(address: str) -> list[str]:
    return [address] if ELSEWHERE.match(re.sub(r"[\t\r\n]", "", address)) else []


ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(?<=\]\()(?!#)([^)\s:]+?)(#[^)\s]*)?(?=\))")
LOADING = {".html": asked_by_page, ".css": asked_by_style}
# files of the repository that are the text of a page
SHOWN = {"CHANGELOG.md": "changelog", "sdcg_explorer/questions/glossary.md": "glossary"}


def resolved(link: str, place: str, page: str, blob: str) -> str:
    """A relative link of the file at `place` as `page` of the site says it.

    One that leads to no file stays as it is, for Sphinx to name it.
    """
    target = normpath(str(PurePosixPath(place).parent / link))
    if not (ROOT / target).exists():
        return link
    pages = SHOWN | {"README.md": "index"}
    if target not in pages and not target.startswith("docs/"):
        return f"{blob}/{target}"
    inside = f"{pages[target]}.md" if target in pages else target.removeprefix("docs/")
    return relpath(inside, str(PurePosixPath(page).parent))


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """A page's text, with links as the site has them."""
    place = next((file for file, name in SHOWN.items() if name == page), f"docs/{page}.md")
    if place in SHOWN:
        source[0] = (ROOT / place).read_text(encoding="utf-8")
        app.env.note_dependency(ROOT / place)
    blob = f"{app.config.repository}/blob/main"
    source[0] = LINK.sub(
        lambda found: resolved(found[1], place, page, blob) + (found[2] or ""), source[0]
    )


def checked(app: Sphinx, failed: Exception | None) -> None:
    """Refuse a site of which a page, or its style, asks another host for something."""
    for page in sorted(Path(app.outdir).rglob("*")) if failed is None else ():
        look = LOADING.get(page.suffix)
        if look and (asked := look(page.read_text(encoding="utf-8"))):
            raise ExtensionError(f"{page.name}: {', '.join(asked)}; a page asks no other host.")


def in_line(writer: HTML5Translator, node: math) -> None:
    """A formula within a line."""
    writer.body.append(convert(node.astext()))
    raise SkipNode


def displayed(writer: HTML5Translator, node: math_block) -> None:
    """A formula on lines of its own."""
    formula = convert(node.astext(), display="block")
    writer.body.append(f'<div class="formula">{formula}</div>\n')
    raise SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Read every page with the repository's links, and draw formulas without another site."""
    app.add_config_value("repository", "", "env", str)
    app.connect("source-read", read)
    app.connect("build-finished", checked)
    app.add_html_math_renderer("mathml", (in_line, None), (displayed, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
