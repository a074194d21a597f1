"""What else is said with a comparison: how it was chosen, what is averaged, by which method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.ratings.ratings import RATING
from sdcg_explorer.analysis.statistics.crossed_model import TOPICS_ARE
from sdcg_explorer.questions.words.wording import counted, enumerated

USUAL = "final_normalised"  # the score that is compared where none is asked for
MOST_POINTS = 5_000  # sessions of all systems that are drawn, each so-manieth
SHARES = ("nsDCG", "nDCG", "share")
STEPS = (
    "Means of shares take their steps for equal, which is disputed (Ferrante, Ferro & Fuhr 2021; "
    "Moffat 2022); in how many pairs a session beats another does so for what topics add alone."
)
RATED_STEPS = (
    "Means of a rating take its steps for equal, which raters need not have meant; in how many "
    "pairs a session beats another does so for what topics add alone."
)
PARAGRAPHS = {
    "fixed": "System, topic and searcher effects were fitted at once, topics as fixed; errors are "
    "by searcher (CR2) with Satterthwaite's degrees of freedom; permutations of the studentised "
    "difference (10,000 at most) lead where searchers are many enough.",
    "sample": "A crossed mixed model was fitted by REML, searchers and topics random, also in "
    "their differences; errors after Kenward and Roger, degrees of freedom after Satterthwaite.",
}
ORDER = "A session's place among those of its searcher was a covariate."
SIZES = (
    "Superiority P(b > a), topics taken off, is given with a 95 % interval by t on log odds. P of "
    "several pairs are corrected after Holm."
)
COUNTING = "Counting {:,} sessions: their scores, searchers resampled, systems changing places …"
COUNTING_LAST = "Counting: last queries and the others of their sessions changing places …"


def require_answerable(topics_are: str, *, with_order: bool) -> None:
    """Refuse choices that no model answers.

    Raises
    ------
    ValueError : no such choice of topics, or an order to be taken off where topics are a sample
    """
    if topics_are not in TOPICS_ARE:
        raise ValueError(f"topics are {topics_are!r}; they can be {' or '.join(TOPICS_ARE)}.")
    if with_order and topics_are == "sample":
        raise ValueError("the order of sessions can be taken off where topics are fixed.")


def looks(
    definition: Definition, filters: Filters, score: str, topics_are: str, *, with_order: bool
) -> tuple[str, ...]:
    """Choices by which a view departs from the nearest preset, all sessions and the usual score."""
    _, changed = definition.nearest()
    found = [*([f"score {score}"] if score != USUAL else []), *changed]
    found += [TOPICS_ARE[topics_are]] if topics_are != "fixed" else []
    found += ["order taken off"] if with_order else []
    every = Filters()
    names = [field.name for field in fields(Filters)]
    found += [
        f"filter by {name.replace('_', ' ')}"
        for name in names
        if getattr(filters, name) != getattr(every, name)
    ]
    return tuple(found)


def left_out(score: str, undefined: int, queries: int) -> str:
    """Sessions without the score, and queries that a mean of queries leaves out."""
    lacking = "without this rating" if score.startswith(RATING) else "whose score is undefined"
    left = f" Left out: {counted(undefined, 'session')} {lacking}." if undefined else ""
    if queries:
        have = "has" if queries == 1 else "have"
        left += f" Left out of the means: {counted(queries, 'query')} that {have} none."
    return left


def on_view(score: str, unit: str, departures: Sequence[str]) -> list[str]:
    """What the scale of a score, and having looked often, do to what is concluded."""
    scale = STEPS if unit in SHARES else RATED_STEPS if score.startswith(RATING) else ""
    sentences = [scale] if scale else []
    if departures:
        times = "once" if len(departures) == 1 else f"{len(departures)} times"
        sentences.append(
            f"This view departs {times} from the usual one ({enumerated(departures)}). Of twenty "
            "views of systems that do not differ one has p below .05: who looks at several says "
            "how many."
        )
    return sentences


def after_holm(pairs: int) -> str:
    """What becomes of the p of several pairs."""
    return (
        f"For {pairs} pairs p is corrected after Holm, for this score only: looking through the "
        "scores for a difference would need more correction. Intervals are those of each pair "
        "alone."
    )


def how_compared(score: str, topics_are: str, *, with_order: bool) -> str:
    """The comparison of systems as a paragraph of a methods section."""
    order = f" {ORDER}" if with_order else ""
    return f"Systems were compared on {score}. {PARAGRAPHS[topics_are]}{order} {SIZES}"


def thinned(one_in: int) -> str:
    """What is said of a picture that leaves sessions out.

    >>> thinned(20), thinned(1)
    (' One session in 20 is drawn as a point; means are of all.', '')
    """
    if one_in == 1:
        return ""
    return f" One session in {one_in:,} is drawn as a point; means are of all."
