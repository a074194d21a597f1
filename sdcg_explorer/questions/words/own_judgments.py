"""Judgments of one's own in words."""

from __future__ import annotations

from sdcg_explorer.questions.words.wording import counted
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.own_judgments import Layer, layer_name

HELP = (
    "A judgment of your own lies over the study's as a layer: every number here counts it, the "
    "definition beneath each figure names it, and the study's files stay as they are."
)
NOT_HERE = "Several people use this server: upload a study of your own to judge its documents."
TAKE_BACK = "A click takes one back"


def said(layer: Layer) -> str:
    """How many there are, and what they are called."""
    count = counted(len(layer), "document")
    return (
        f"{count}, layer {layer_name(layer)}: counted on every page and in all that is taken away, "
        "whose study has a digest of its own."
    )


def line(topic: str, doc: str, grade: float) -> str:
    """One of them.

    >>> line("t1", "d1", 2.0)
    't1 · d1: 2'
    """
    return f"{topic} · {doc}: {label(grade)}"
