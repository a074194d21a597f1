"""What a page, or its style, makes a browser ask of another host by itself.

Scripts are not read: a page names those of this site alone, which are the theme's and the search's.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

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
