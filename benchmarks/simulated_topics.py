"""Do tests keep their promises for topics like these? Studies that each draw topics anew."""

from dataclasses import dataclass

import numpy as np

from sdcg_explorer.questions.compare_systems.numbers import compare, pair_with_random_topics
from sdcg_explorer.scoring.scored_sessions import Scored

STUDIES, SEED = 2_000, 2008
SEARCHERS, PLANTED = 24, 0.6
OF_TOPICS, OF_SEARCHERS = 0.7, 0.5  # standard deviations beside a rest of 1


@dataclass(frozen=True)
class Layout:
    """How many topics there are, how many each searcher meets, and how they part the systems.

    by_topic, by_searcher : standard deviation of what each adds to the scores of one system alone
    """

    topics: int
    each: int
    by_topic: float = 0.5
    by_searcher: float = 0.5

    def words(self) -> str:
        """Cells of the table."""
        met = "all" if self.each == self.topics else f"{self.each}"
        return f"{self.topics} | {met} | {self.by_topic:.1f}".replace("0.", ".")


LAYOUTS = (
    *(Layout(topics, topics) for topics in (4, 8, 12, 24)),
    Layout(24, 8),
    *(Layout(topics, topics, by_topic=0.0) for topics in (8, 24)),
)


def study_of(layout: Layout, rng: np.random.Generator, planted: float = 0.0) -> Scored:
    """A study of new searchers and new topics, half of each searcher's with either system."""
    topics, each = layout.topics, layout.each
    met = rng.permuted(np.tile(np.arange(topics), (SEARCHERS, 1)), axis=1)[:, :each]
    topic, unit = met.ravel(), np.repeat(np.arange(SEARCHERS), each)
    system = np.tile(np.arange(each) % 2, SEARCHERS)  # topics stand in an order of chance
    score = (
        rng.normal(0, OF_TOPICS, topics)[topic]
        + rng.normal(0, OF_SEARCHERS, SEARCHERS)[unit]
        + rng.normal(0, layout.by_topic, (topics, 2))[topic, system]
        + rng.normal(0, layout.by_searcher, (SEARCHERS, 2))[unit, system]
        + rng.normal(0, 1, topic.size)
        + planted * system
    )
    return Scored(score, system, unit, topic, np.ones_like(unit), ("A", "B"))


def promises(layout: Layout, *, studies: int = STUDIES) -> list[float]:
    """Shares of studies, of fixed topics' t and of the crossed model.

    Called different without a difference, by either; a planted one within the interval, by either.
    """
    rng = np.random.default_rng(SEED)
    found = np.zeros((studies, 4))
    for row in found:
        for planted, place in ((0.0, 0), (PLANTED, 2)):
            study = study_of(layout, rng, planted)
            fixed = compare(study, 0, 1, draws=1)
            both = fixed, pair_with_random_topics(fixed, study)
            row[place : place + 2] = [of.low <= planted <= of.high for of in both]
    found[:, :2] = 1 - found[:, :2]
    return found.mean(axis=0).tolist()


def bench_topics(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print(f"{studies:,} simulated studies of {SEARCHERS} searchers")
    print("| topics | each searcher meets | topic × system sd | called different by t", end=" ")
    print("| by the crossed model | .6 covered by t | by the crossed model |")
    print("|---" * 7 + "|")
    for layout in LAYOUTS:
        shares = " | ".join(f"{100 * share:.1f} %" for share in promises(layout, studies=studies))
        print(f"| {layout.words()} | {shares} |", flush=True)
