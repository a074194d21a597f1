"""Formulas as MathML, which browsers draw themselves: no script, no font, no other site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

if TYPE_CHECKING:
    from docutils.nodes import math, math_block
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


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
    """Take the place of Sphinx's own renderer, which asks another site for its script."""
    app.add_html_math_renderer("mathml", (in_line, None), (displayed, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
