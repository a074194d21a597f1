"""`make paper`: what paper.md says is counted anew, and what differs is named; `--write` mends it.

A number that depends on software or data has its name behind it, as a comment that no reader of
the paper sees: ``7,200<!--definitions-->``. paper.bib is made of what is cited.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from paper.counted import CHEAP, HEAVY, NotHereError
from paper.references import bib

HERE = Path(__file__).resolve().parent
PAPER, BIB = HERE / "paper.md", HERE / "paper.bib"
LEAST, MOST = 750, 1750  # words, by the journal's guide for authors
SECTIONS = (  # that the journal asks for, in its order
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
)
NAMED = re.compile(r"([−\d][\d,.]*(?:e-\d+)?)<!--(\w+)-->")
# years of sources and tracks, formulas, the level of intervals
BARE = re.compile(r"@\w+|\b(?:19|20)\d\d\b|\$[^$]*\$|\b95 %|never 0\b")


def body(text: str) -> str:
    """What follows the head of YAML."""
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def words(text: str) -> int:
    """Words of the body, headings and citations among them, as `wc -w` counts them."""
    return len(body(text).split())


def unnamed(text: str) -> list[str]:
    """Numbers that have no name, and are no year, formula or level.

    >>> unnamed("In 2008, 12 of 30<!--searchers--> [@holm1979simple].")
    ['12']
    """
    return re.findall(r"\d[\d,.]*", BARE.sub("", NAMED.sub("", body(text))))


def counted(*, heavy: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Numbers by name as they are now, and why others can't be counted here."""
    found, why = {}, {}
    for name, count in (CHEAP | HEAVY if heavy else CHEAP).items():
        try:
            found[name] = count()
        except NotHereError as fault:
            why[name] = str(fault)
    return found, why


def faults(text: str, now: dict[str, str]) -> Iterator[str]:
    """What is wrong with a text, as sentences."""
    if not LEAST <= (number := words(text)) <= MOST:
        yield f"{number} words; the journal asks for {LEAST} to {MOST}."
    if (found := tuple(re.findall(r"^# (.*)$", text, re.MULTILINE))) != SECTIONS:
        yield f"Sections {', '.join(found)}; the journal asks for {', '.join(SECTIONS)}."
    for number in unnamed(text):
        yield f"{number} has no name: nobody can count it anew."
    names = [name for _, name in NAMED.findall(text)]
    for name in sorted({*names} ^ {*CHEAP, *HEAVY}):
        yield f"{name} is {'not counted' if name in names else 'counted, and in no sentence'}."
    for said, name in NAMED.findall(text):
        if now.get(name, said) != said:
            yield f"{name}: the paper says {said}, it is {now[name]}."


def mended(text: str, now: dict[str, str]) -> str:
    """The text with numbers as they are now."""
    return NAMED.sub(lambda each: f"{now.get(each[2], each[1])}<!--{each[2]}-->", text)


def main() -> int:
    """Count all numbers anew, name what differs, and write it where that is asked for."""
    text = PAPER.read_text(encoding="utf-8")
    now, why = counted(heavy=True)
    if "--write" in sys.argv[1:]:
        text = mended(text, now)
        PAPER.write_text(text, encoding="utf-8")
        BIB.write_text(bib(text), encoding="utf-8")
    found = [*faults(text, now)]
    if not BIB.is_file() or BIB.read_text(encoding="utf-8") != bib(text):
        found.append("paper.bib is not what is cited: make paper ARGS=--write")
    lines = [*found, *(f"{name}: not counted here: {each}." for name, each in why.items())]
    lines.append(f"{words(text)} words, {len(now)} numbers counted, {len(found)} faults")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
