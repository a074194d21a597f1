"""What a reader wrote about a study: notes beneath answers."""

from __future__ import annotations

import re
from typing import cast

Written = dict[str, str]  # texts by the name of the question that they are about
PLAN = "plan"  # of version 1: a plan made before the data, as TOML
PLANNED, OF_PLAN = "The plan made before the data:", "compare_systems"
RENAMED = {"agreement": "ratings"}  # questions that version 1 called otherwise
LONGEST = 5_000  # letters of a note that is typed
MOST, MOST_LETTERS = 20, 100_000  # texts, and letters of each, that a file brings
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def cleaned(text: str) -> str:
    r"""A text as it is kept: lines may end, nothing else is out of sight.

    >>> cleaned(" seen twice\r\nand \x07 once ")
    'seen twice\nand   once'
    """
    return CONTROL.sub(" ", text.replace("\r\n", "\n")).strip()


def written_of(given: object) -> Written:
    r"""Texts of a table that a file has; what is none says nothing, and a plan is a note.

    >>> written_of({"overview": "As expected.", "cost": 3}), written_of("odd")
    ({'overview': 'As expected.'}, {})
    >>> written_of({"agreement": "As version 1 has it."})
    {'ratings': 'As version 1 has it.'}
    >>> written_of({"plan": "[plan]"})
    {'compare_systems': 'The plan made before the data:\n\n[plan]'}
    """
    fields = cast(dict[object, object], given) if isinstance(given, dict) else {}
    texts = {str(about): cleaned(text) for about, text in fields.items() if isinstance(text, str)}
    texts = {new: texts.pop(old) for old, new in RENAMED.items() if old in texts} | texts
    if plan := texts.pop(PLAN, ""):
        texts |= joined(texts, {OF_PLAN: f"{PLANNED}\n\n{plan}"})
    kept = [(about, text[:MOST_LETTERS]) for about, text in texts.items() if text]
    return dict(kept[:MOST])


def joined(there: Written, given: Written) -> Written:
    r"""What has to be written of `given` beside what is there, to which it is added.

    >>> joined({"cost": "One."}, {"cost": "Two.", "fit": "New."})
    {'cost': 'One.\n\nTwo.', 'fit': 'New.'}
    >>> joined({"cost": "Not OK.", "fit": "So.\n\nThus."}, {"cost": "OK.", "fit": "So."})
    {'cost': 'Not OK.\n\nOK.'}
    """
    return {
        about: f"{there[about]}\n\n{text}" if about in there else text
        for about, text in given.items()
        if f"\n\n{text}\n\n" not in f"\n\n{there.get(about, '')}\n\n"
    }
