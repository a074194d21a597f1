"""What the rows of a sample are: sessions, or groups of sessions that counts have."""

from __future__ import annotations

from typing import NamedTuple

from sdcg_explorer.counting.counted_study import GROUPS

RESAMPLED = f"{GROUPS} of sessions, by searcher where any is named"


class Rows(NamedTuple):
    """What the rows of a sample are, in words.

    topic : noun of the topics that are known · shown : of the results · resampled : for intervals,
    where it isn't searchers · splits : of queries, that curves are known of · are_groups : of
    sessions
    """

    topic: str
    shown: str
    resampled: str
    splits: tuple[str, ...]
    are_groups: bool


OF_SESSIONS = Rows("topic", "Results", "", ("last", "best"), are_groups=False)
OF_GROUPS = Rows("judged topic", "Judged results", RESAMPLED, ("last",), are_groups=True)
