"""Numbers by query and document, as JSON has them: scores of a run, or grades of judgments."""

from __future__ import annotations

from collections.abc import Collection

from sdcg_explorer.reading.raw_table import Known, RawTable, texts_of
from sdcg_explorer.study.bounds import LARGEST_GRADE
from sdcg_explorer.study.grades import FEW_GRADES

SCORED = Known(scored=True)  # its kind is found out: the numbers may be grades (decision 131)
SCORE = "score"  # the column of the numbers
NAMES = "it holds numbers by names, and none is a document of the other files"
ASKED = "its numbers by query and document may be a run's scores, or grades"


def are_few(raw: RawTable) -> bool:
    """Whether the numbers of such a table are few and whole, as grades are."""
    numbers = [float(text) for text in texts_of(raw.rows[SCORE])]
    return len(numbers) <= FEW_GRADES and all(
        number.is_integer() and abs(number) <= LARGEST_GRADE for number in numbers
    )


def kind_of_scored(raw: RawTable, kinds: Collection[str], graded: int) -> tuple[str, str]:
    """What such a table is, and why; kind "" where that is to be asked.

    Scores are never taken for grades where judgments are given: every such table is a run then.

    Parameters
    ----------
    kinds : what the tables of other forms are
    graded : how many of the tables of this form have numbers that are few and whole
    """
    few = are_few(raw)
    if "judgments" in kinds:
        return "log", "it holds numbers by query and document, and another file has the judgments"
    if few and graded == 1:
        return "judgments", "its numbers by query and document are few and whole, as grades are"
    if graded != 1 and (few or "log" in kinds):
        return "", ASKED
    return "log", "its numbers by query and document are no grades but scores, and rank them"
