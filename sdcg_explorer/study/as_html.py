"""What a notebook shows: HTML in which no text of a file acts, nor becomes mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

import pandas as pd

from sdcg_explorer.study.wording import counted

ROWS = 10  # of a table that are shown


def as_html(title: str, lines: Iterable[str], tables: Mapping[str, pd.DataFrame]) -> str:
    """A title, lines of text, and the first and last rows of tables by their names.

    >>> as_html("<b>", ["1 < 2"], {})
    '<div class="tex2jax_ignore mathjax_ignore"><p><b>&lt;b&gt;</b></p><p>1 &lt; 2</p></div>'
    """
    parts = [f"<p><b>{escape(title)}</b></p>", *(f"<p>{escape(line)}</p>" for line in lines)]
    for name, table in tables.items():
        rows = table.to_html(max_rows=ROWS, index=False, na_rep="–", escape=True)
        parts.append(f"<p>{escape(name)}: {counted(len(table), 'row')}</p>{rows}")
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'
