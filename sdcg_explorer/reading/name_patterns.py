"""What is said of files by their names: parts in braces, as in {system}-{topic}, and grades."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from sdcg_explorer.reading.id_patterns import parts_of
from sdcg_explorer.reading.limits import LONGEST_PATTERN, MOST_GROUPS
from sdcg_explorer.study.counts import OWN_OF_QUERIES, OWN_OF_SESSIONS

OF_SESSIONS = (*OWN_OF_SESSIONS, "topic")
PART = re.compile(r"\{(\w+)\}")
SEPARATORS = "-_."


def name_fault(pattern: str) -> str:
    """Why names can't be split by a pattern; "" where they can.

    >>> name_fault("{system}-{topic}"), name_fault("{time}"), name_fault("{system}{topic}")
    ('', 'time is nothing that a file has one of', '{system}{topic} has nothing between two parts')
    """
    parts = parts_named(pattern)
    if len(pattern) > LONGEST_PATTERN:
        return f"a pattern has at most {LONGEST_PATTERN:,} characters"
    if not parts:
        return "it names parts in braces, as in {system}-{topic}"
    if len(parts) > MOST_GROUPS:
        return f"a pattern has at most {MOST_GROUPS} parts"
    if len({*parts}) < len(parts):
        return "it names a part twice"
    if "}{" in pattern:
        return f"{pattern} has nothing between two parts"
    if others := ({*OWN_OF_QUERIES} - {*OF_SESSIONS}) & {*parts}:
        return f"{min(others)} is nothing that a file has one of"
    return ""


def file_grades(said: str) -> dict[str, str]:
    """Grade by file.

    >>> file_grades("gold.txt=2, evidence.txt=1")
    {'gold.txt': '2', 'evidence.txt': '1'}
    """
    pairs = [each.rpartition("=") for each in said.split(",") if each.strip()]
    return {file.strip(): grade.strip() for file, _, grade in pairs}


def grade_fault(said: str) -> str:
    """Why files can't be graded so; "" where they can.

    >>> grade_fault("gold.txt"), grade_fault("gold.txt=2")
    ("'gold.txt' is no FILE=GRADE", '')
    """
    for file, grade in file_grades(said).items():
        if not file or not grade.removeprefix("-").replace(".", "", 1).isdecimal():
            return f"{f'{file}={grade}'.strip('=')!r} is no FILE=GRADE"
    return ""


def parts_named(pattern: str) -> list[str]:
    """The parts that a pattern names."""
    return PART.findall(pattern)


def split_name(name: str, pattern: str) -> dict[str, str] | None:
    """The parts of a file's name, without its folder and ending; None where it does not fit.

    >>> split_name("wapo-bm25-321", "wapo-{system}-{topic}")
    {'system': 'bm25', 'topic': '321'}
    """
    pieces = PART.split(pattern)  # every second one is a part
    pieces[::2] = [re.escape(piece) for piece in pieces[::2]]
    pieces[1::2] = [f"(?P<{part}>.+?)" for part in pieces[1::2]]
    return parts_of([name], "".join(pieces))[0]


def proposed_pattern(names: Sequence[str], topics: Collection[str] = ()) -> str:
    """A pattern for names that differ in a few parts; "" where there is none.

    topics : that are judged; the part whose texts are all among them is the topic. Of the others
    the one with the fewest texts is the system.

    >>> proposed_pattern(["w-bm25-1-x", "w-bm25-2-x", "w-T5-1-x"], {"1", "2"})
    'w-{system}-{topic}-x'
    """
    for mark in SEPARATORS:
        split = [each.split(mark) for each in names]
        if len({len(each) for each in split}) > 1 or len(split[0]) < 2:
            continue
        columns = [*zip(*split, strict=True)]
        varying = [i for i, texts in enumerate(columns) if len({*texts}) > 1]
        roles = {i: "topic" for i in varying if {*columns[i]} <= {*topics}}
        roles = dict([*roles.items()][:1])
        others = sorted((i for i in varying if i not in roles), key=lambda i: len({*columns[i]}))
        roles |= {i: "system" if k == 0 else f"part_{i + 1}" for k, i in enumerate(others)}
        pieces = [f"{{{roles[i]}}}" if i in roles else texts[0] for i, texts in enumerate(columns)]
        return mark.join(pieces) if varying else ""
    return ""
