"""Numbers by query and document, as JSON has them: scores of a run, or grades of judgments."""

from __future__ import annotations

from collections.abc import Collection

from study.grades import FEW
from study.reading.raw_table import Known, RawTable, texts_of

SCORED = Known(scored=True)  # its kind is found out: the numbers may be grades
SCORE = "score"  # the column of the numbers
LARGEST_GRADE = 100


def kind_of_scored(
    raw: RawTable, docs: Collection[str] = (), kinds: Collection[str] = ()
) -> tuple[str, str]:
    """What such a table is, and why.

    Parameters
    ----------
    docs : documents of the other tables; none where it stands alone
    kinds : what the other tables are
    """
    if docs and {*docs}.isdisjoint(texts_of(raw.rows["doc"])):
        return "other", "it holds numbers by names, and none is a document of the other files"
    numbers = [float(text) for text in texts_of(raw.rows[SCORE])]
    few = len(numbers) <= FEW and all(
        number.is_integer() and abs(number) <= LARGEST_GRADE for number in numbers
    )
    if "log" in kinds and "judgments" not in kinds:
        return "judgments", "it holds numbers by query and document, and another file is the log"
    if "judgments" in kinds and "log" not in kinds:
        return "log", "it holds numbers by query and document, and another file has the judgments"
    if few:
        return "judgments", "its numbers by query and document are few and whole, as grades are"
    return "log", "its numbers by query and document are no grades but scores, and rank them"
