"""The documentation's site asks no other site for anything, and its links lead where they say."""

from __future__ import annotations

import pytest

from docs.asked import asked_by_page, asked_by_style
from docs.repository import resolved

ASKING = (
    '<script src="https://cdn.example/a.js"></script>',
    "<SCRIPT SRC=//cdn.example/a.js></SCRIPT>",
    '<img alt="a > b" src="http://cdn.example/a.png">',
    '<img src=" https:&#47;/cdn.example/a.png">',
    "<img src='ht\ntps://cdn.example/a.png'>",
    r'<img src="\\cdn.example/a.png">',
    '<img srcset="a.png 1x, https://cdn.example/b.png 2x">',
    '<source srcset="a.png 1x,//cdn.example/b.png 2x">',
    '<video poster="//cdn.example/a.jpg">',
    '<object data="//cdn.example/a.svg">',
    '<iframe srcdoc="<img src=//cdn.example/a.png>">',
    '<embed src="//cdn.example/a"><p>',
    '<svg><use xlink:href="https://cdn.example/a.svg#b"/></svg>',
    '<svg><image href="https://cdn.example/a.png"/></svg>',
    '<base href="https://cdn.example/">',
    '<link rel="stylesheet" href="https://cdn.example/a.css">',
    '<link href=https://cdn.example/a.css rel="canonical stylesheet">',
    '<link rel="preconnect" href="https://fonts.example">',
    '<meta http-equiv="Refresh" content="0; URL=https://other.example/">',
    '<p style="background: url(//cdn.example/a.png)">',
    '<style>@IMPORT "https://cdn.example/a.css";</style>',
    '<style>@import url( "https://cdn.example/a.css" );</style>',
    "<style>a { background: URL(https://cdn.example/a.png) }</style>",
    '<style>a::after { content: "/*"; background: url(//cdn.example) } b { content: "*/" }</style>',
)
ALLOWED = """
<html><head>
<link rel="canonical" href="https://docs.example/start.html"><link rel=Next href=//docs.example/b>
<link rel="stylesheet" href="_static/site.css"><script src="_static/a.js">"<img src='//x'>"</script>
<meta property="og:image" content="https://cdn.example/a.png">
<meta http-equiv="refresh" content="0; url=start.html"></head>
<style>
@namespace svg url(http://www.w3.org/2000/svg);
/* @import "https://cdn.example/a.css"; */ a[href^="https://cdn.example"] { content: "//" }
a { background: url('data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E') }
b { background: url("data:image/svg+xml,a { fill: url(//b) }") } c { src: url(a//b.woff2) }
</style>
<a href="https://cdn.example/" data="//a" title="<img src=//b>">url(//c)</a>
<!-- <img src="https://cdn.example/a.png"> -->
<img src="data:image/png;base64,//8=" srcset="a//b.png 1x, c.png 2x" alt="https://cdn.example">
<form action="https://cdn.example"><p>&lt;img src="//a"&gt;</p></form></html>
"""


@pytest.mark.parametrize("text", ASKING)
def test_what_is_asked_of_another_host_is_found_and_what_somebody_follows_is_not(text: str) -> None:
    assert len(asked_by_page(f"<p>{text}</p>")) == 1
    styles = text.partition("<style>")[2].partition("</style>")[0]
    assert len(asked_by_style(styles)) == bool(styles)
    assert asked_by_page(ALLOWED) == []


def test_a_link_leads_to_the_page_that_stands_for_its_file() -> None:
    blob = "https://forge.example/tool/blob/main"
    assert resolved("../README.md", "docs/start.md", "start", blob) == "index.md"
    assert resolved("../CHANGELOG.md", "docs/start.md", "start", blob) == "changelog.md"
    assert resolved("docs/faq.md", "README.md", "index", blob) == "faq.md"
    assert resolved("../LICENSE", "docs/start.md", "start", blob) == f"{blob}/LICENSE"
    assert resolved("nowhere.md", "docs/start.md", "start", blob) == "nowhere.md"
