"""Whether answers were right, in words: shares, McNemar's test, and what found and right mean."""

from __future__ import annotations

from typing import Any

from sdcg_explorer.analysis.systems.outcome import Outcome
from sdcg_explorer.questions.words.wording import counted, enumerated, p_value

TITLE = "Was the answer right?"
PERCENT = "{:.0f}"
FOUND = (
    "A session has found something where its lists show at least one document whose gain is above "
    "0, down to X; gains and X are those of the definition in force."
)
UNPAIRED = (
    "No test by topic: topics don't pair these sessions. Compare the systems on the score "
    "rating: {} instead."
)


def answer(of: Outcome) -> str:
    """The share of each system's sessions that were right."""
    known = of.shares[of.shares["sessions"] > 0].to_dict("records")
    return f"Right: {'; '.join(map(_share, known))}." if known else "No session says so."


def _share(row: dict[Any, Any]) -> str:
    low, high = (PERCENT.format(100 * row[end]) for end in ("low", "high"))
    of = f"{row['right']:,} of {counted(row['sessions'], 'session')}"
    percent = PERCENT.format(100 * row["share"])
    return f"{row['system']} {percent} % ({of}; 95 % interval {low} to {high} %)"


def said(of: Outcome) -> list[str]:
    """The answer, the test of each pair, what stands behind both, and what is not known."""
    pairs = [_pair(row, len(of.pairs) > 1) for row in of.pairs.to_dict("records")]
    tested = pairs if of.is_paired else [UNPAIRED.format(of.column)] if pairs else []
    return [*filter(None, (answer(of), *tested, _intervals(of), _unknown(of)))]


def _pair(row: dict[Any, Any], several: bool) -> str:
    """How many topics either of two systems alone got right, and McNemar's p."""
    a, b = row["system_a"], row["system_b"]
    holm = f", after Holm {p_value(row['p_holm'])}" if several else ""
    return (
        f"Of {counted(row['topics'], 'topic')} that both met, {b} alone got {row['only_b']:,} "
        f"right and {a} alone {row['only_a']:,}, both {row['both']:,} and neither "
        f"{row['neither']:,} (McNemar's exact test by topic {p_value(row['p'])}{holm})."
    )


def _intervals(of: Outcome) -> str:
    """By what intervals are, for what they hold, and by what a topic of several runs is right."""
    said = "Intervals of shares are Wilson's"
    if of.alike:
        fewer = ", whichever says fewer" if len(of.alike) > 1 else ""
        spread = " and of ".join(of.alike)
        said += f", of as many independent sessions as the spread of {spread} says{fewer}"
    if not of.is_of_runs:
        return f"{said}."
    if "topics" not in of.alike:
        these = "this topic" if of.topics == 1 else f"these {of.topics} topics"
        said += f"; they hold for {these} alone"
    runs = (
        " Of several runs a topic is that system's whose share on it is higher; of equal ones it "
        "is both's from a half on."
    )
    return f"{said}.{runs if of.is_paired else ''}"


def _unknown(of: Outcome) -> str:
    """Sessions that don't say whether they were right."""
    lacking = [
        f"{counted(row['unknown'], 'session')} of {row['system']}"
        for row in of.shares.to_dict("records")
        if row["unknown"]
    ]
    return f"Left out, as {of.column} is empty: {enumerated(lacking)}." if lacking else ""


def of_corners(of: Outcome) -> list[str]:
    """How many sessions found something and were right, of each system, and what that means."""
    each = [
        f"{row['system']}: found and right {row['found_right']:,}, found and wrong "
        f"{row['found_wrong']:,}, not found and right {row['not_found_right']:,}, neither "
        f"{row['not_found_wrong']:,}"
        for row in of.corners.to_dict("records")
    ]
    without = int(of.corners["unjudged_sessions"].sum())
    left = f" Undefined for {counted(without, 'session')} on topics nobody judged."
    return [f"{'; '.join(each)}.", f"{FOUND}{left if without else ''}"]


def method(of: Outcome) -> str:
    """How outcomes were compared, for a methods section."""
    test = (
        " Systems were compared by McNemar's exact test, paired by topic." if of.is_paired else ""
    )
    return f"Whether a session was right is its column {of.column}. {_intervals(of)}{test}"
