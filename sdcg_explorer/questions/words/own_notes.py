"""What is said of a note of one's own beneath an answer."""

from __future__ import annotations

NOTE = "note"
TITLE = "Your note"
FIELD = "Kept with the study, and printed in report and paper"
NOT_HERE = "Several people use this server: upload a study of your own to write about it."
HEADING = "Notes"


def printed(asked: str, text: str) -> str:
    """A note with the question that it is about.

    >>> printed("What did it cost?", "Little.")
    'What did it cost? Little.'
    """
    return f"{asked} {text}"
